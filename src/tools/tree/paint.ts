// Draws a placed tree and the rows of its alignment with any ink.

import { interpolateLab, rgb } from 'd3'
import type { ColumnSummary } from '../../bio/alignment/alignment-columns.ts'
import { inkOn, viridis } from '../../kit/ui/figures/palette.ts'
import type { Ink } from './ink.ts'
import { type PlacedNode, type PlacedTree, type PolarPosition, scaleBarLength } from './tree-view.ts'

export interface Colours {
  ink: string
  muted: string
  line: string
  /** The ground, half transparent, over columns that did not count. */
  veil: string
  chosen: string
  found: string
}

export interface TreePaint {
  tree: PlacedTree
  colours: Colours
  labelOf: (node: PlacedNode) => string
  /** Letters that a label begins with which are a gene's symbol. */
  slantedOf: (node: PlacedNode) => number
  /** Group colour of a leaf; null for none. */
  leafColour: (node: PlacedNode) => string | null
  /** Colour of the clade that a branch belongs to; null for the ink. */
  branchColour: (node: PlacedNode) => string | null
  support: 'values' | 'dots' | 'none'
  /** Strongest first value at which support is full, and from which it is shown. */
  supportFull: number
  threshold: number
  chosen: number | null
  found: ReadonlySet<number>
}

/** Letters of a proportional face are about this share of their size wide. */
const letterShare = 0.56

/**
 * Room on the drawing in small squares: a text is drawn only where none stands yet, because two texts over each other say nothing. What
 * is left out is told when the reader points at it.
 */
class TakenRoom {
  readonly #cells = new Set<number>()
  readonly #cellPx: number

  constructor(cellPx: number) {
    this.#cellPx = cellPx
  }

  /** Takes a strip from a point in a direction; false, and takes nothing, where a part of it is taken. */
  take(x: number, y: number, length: number, angle: number): boolean {
    const cells: number[] = []
    for (let at = 0; at <= length; at += this.#cellPx) {
      const column = Math.round((x + at * Math.cos(angle)) / this.#cellPx)
      const row = Math.round((y + at * Math.sin(angle)) / this.#cellPx)
      cells.push((column + 32_768) * 65_536 + row + 32_768)
    }
    if (cells.some((cell) => this.#cells.has(cell))) return false
    for (const cell of cells) this.#cells.add(cell)
    return true
  }
}

const supportOf = ({ node }: PlacedNode): number | null => node.support.at(-1) ?? null

const maxSupportDigits = 3
const supportDigits = new WeakMap<TreePaint['tree'], number[]>()

/** Decimals of each of a tree's support values, so that all of one kind are written alike: 0.760 beside 0.831, 100 beside 98. */
export const supportDigitsOf = (tree: TreePaint['tree']): number[] => {
  let digits = supportDigits.get(tree)
  if (digits === undefined) {
    digits = []
    for (const { node } of tree.nodes)
      for (const [at, value] of node.support.entries()) {
        const rounded = Number(value.toFixed(maxSupportDigits))
        const needed = [0, 1, 2].find((one) => Number(rounded.toFixed(one)) === rounded) ?? maxSupportDigits
        digits[at] = Math.max(digits[at] ?? 0, needed)
      }
    supportDigits.set(tree, digits)
  }
  return digits
}

const supportText = ({ node }: PlacedNode, digits: readonly number[]): string =>
  node.support.map((value, at) => value.toFixed(digits[at] ?? 0)).join('/')

/**
 * The support of a branch: above it, before its node, where it is as long as the words; else behind the node, where no branch goes on at
 * once; else over the lines, on a veil. Nothing stands left of the drawing.
 */
const paintSupport = (
  ink: Ink,
  paint: TreePaint,
  node: PlacedNode,
  { x, y, size, branchPx, behindPx, left }: SupportPlace,
  taken: TakenRoom,
): void => {
  const value = supportOf(node)
  if (value === null || node.children.length === 0 || paint.support === 'none' || value < paint.threshold) return
  if (paint.support === 'dots') {
    ink.dot(x, y, 1.5 + 3 * Math.min(1, value / paint.supportFull), paint.colours.muted)
    return
  }
  const text = supportText(node, supportDigitsOf(paint.tree))
  const width = text.length * size * letterShare
  const style = { colour: paint.colours.muted, size }
  const before = { at: x - 3 - width, y: y - size * 0.62 }
  const behind = { at: x + 4, y }
  const place =
    branchPx >= width + 6 && before.at >= left
      ? before
      : behindPx >= width + 8
        ? behind
        : before.at >= left
          ? { ...before, veiled: true }
          : { ...behind, veiled: true }
  if (node.id !== paint.chosen && !taken.take(place.at, place.y, width, 0)) return
  if ('veiled' in place) ink.box(place.at - 1, place.y - size / 2, width + 2, size, paint.colours.veil)
  ink.text(place.at, place.y, text, style)
}

interface SupportPlace {
  x: number
  y: number
  size: number
  /** Length of the branch before the node, and how far behind it the next node that branches is. */
  branchPx: number
  behindPx: number
  /** The least x of what is drawn. */
  left: number
}

const branchWidth = (paint: TreePaint, node: PlacedNode): number => (node.id === paint.chosen ? 3 : 1.25)
const strokeOf = (paint: TreePaint, node: PlacedNode): string =>
  node.id === paint.chosen ? paint.colours.chosen : (paint.branchColour(node) ?? paint.colours.ink)

export interface RowBox {
  left: number
  /** Where the middle of row 0 stands. */
  top: number
  rowPx: number
  treePx: number
  labelPx: number
  aligned: boolean
  /** Only what lies between is drawn. */
  from: number
  to: number
}

/** Type size that a row has room for; none below the least that can be read. */
export const rowTextSize = (rowPx: number): number => (rowPx < 7 ? 0 : Math.min(13, rowPx * 0.82))

/** A text cut to what fits, by its letters; Chinese ones are twice as wide. */
const fitText = (text: string, width: number, size: number): string => {
  let room = width / (size * letterShare)
  for (let at = 0; at < text.length; at++) {
    room -= text.charCodeAt(at) > 0x2e80 ? 1.8 : 1
    if (room < 0) return at === text.length - 1 ? text : `${text.slice(0, Math.max(1, at - 1))}…`
  }
  return text
}

export const xOf = (paint: Pick<TreePaint, 'tree'>, box: RowBox, depth: number): number =>
  box.left + (paint.tree.deepest === 0 ? 0 : (depth / paint.tree.deepest) * box.treePx)

/** The rectangular drawing, leaves in rows. */
export const paintRows = (ink: Ink, paint: TreePaint, box: RowBox): void => {
  const { tree, colours } = paint
  const size = rowTextSize(box.rowPx)
  const taken = new TakenRoom(7)
  const y = (row: number): number => box.top + row * box.rowPx
  const x = (depth: number): number => xOf(paint, box, depth)
  for (const node of tree.nodes) {
    const at = y(node.row)
    if (node.children.length > 0) {
      const first = y(node.children[0]!.row)
      const last = y(node.children.at(-1)!.row)
      if (last >= box.from && first <= box.to)
        ink.line(
          [x(node.depth), Math.max(first, box.from - 10), x(node.depth), Math.min(last, box.to + 10)],
          paint.branchColour(node) ?? colours.ink,
          1.25,
        )
    }
    if (at < box.from - box.rowPx || at > box.to + box.rowPx) continue
    const parentX = node.parent === null ? x(node.depth) - 6 : x(node.parent.depth)
    ink.line([parentX, at, x(node.depth), at], strokeOf(paint, node), branchWidth(paint, node))
    if (size > 0)
      paintSupport(
        ink,
        paint,
        node,
        {
          x: x(node.depth),
          y: at,
          size: Math.max(8, size * 0.78),
          branchPx: x(node.depth) - parentX,
          // Three branches have one in the middle, on which the words would lie.
          behindPx:
            node.children.length % 2 === 1
              ? 0
              : Math.min(
                  Number.POSITIVE_INFINITY,
                  ...node.children
                    .filter((child) => child.children.length > 0)
                    .map((child) => x(child.depth) - x(node.depth)),
                ),
          left: box.left,
        },
        taken,
      )
    if (node.id === paint.chosen) ink.dot(x(node.depth), at, 4, colours.chosen)
    if (node.children.length > 0) continue
    let end = x(node.depth)
    if (node.collapsed) {
      const half = Math.max(2, Math.min(9, box.rowPx * 0.4))
      ink.polygon(
        [end, at, x(node.deepest), at - half, x(node.deepest), at + half],
        paint.branchColour(node) ?? colours.muted,
      )
      end = x(node.deepest)
    }
    const labelX = box.aligned ? box.left + box.treePx : end
    if (size > 0 && box.aligned && labelX - end > 8) ink.line([end + 4, at, labelX, at], colours.line, 1, true)
    const group = paint.leafColour(node)
    const boxPx = Math.max(1, Math.min(9, box.rowPx - 1))
    if (group !== null) ink.box(labelX + 5, at - boxPx / 2, 9, boxPx, group)
    if (size > 0) {
      const found = paint.found.has(node.id)
      const textX = labelX + (group === null ? 6 : 18)
      ink.text(textX, at, fitText(paint.labelOf(node), box.left + box.treePx + box.labelPx - textX, size), {
        colour: node.id === paint.chosen ? colours.chosen : found ? colours.found : colours.ink,
        size,
        bold: found || node.id === paint.chosen,
        slanted: paint.slantedOf(node),
      })
    } else if (paint.found.has(node.id)) ink.box(labelX + 16, at - 1, 12, 2, colours.found)
  }
}

interface RoundBox {
  x: number
  y: number
  radius: number
  layout: 'circular' | 'unrooted'
}

/** The circular and the unrooted drawing. */
export const paintRound = (ink: Ink, paint: TreePaint, places: Map<PlacedNode, PolarPosition>, box: RoundBox): void => {
  const { tree, colours } = paint
  const step = (2 * Math.PI * box.radius) / Math.max(1, tree.rows.length)
  const size = box.layout === 'circular' ? rowTextSize(step) : rowTextSize(Math.max(step, 8) * 1.4)
  const taken = new TakenRoom(9)
  const at = (place: PolarPosition): [number, number] => [box.x + place.x * box.radius, box.y + place.y * box.radius]
  for (const node of tree.nodes) {
    const place = places.get(node)!
    const [x, y] = at(place)
    const parent = node.parent === null ? null : places.get(node.parent)!
    if (parent !== null) {
      const [px, py] =
        box.layout === 'circular'
          ? [
              box.x + parent.radius * box.radius * Math.cos(place.angle),
              box.y + parent.radius * box.radius * Math.sin(place.angle),
            ]
          : at(parent)
      ink.line([px, py, x, y], strokeOf(paint, node), branchWidth(paint, node))
    }
    if (box.layout === 'circular' && node.children.length > 0 && place.radius > 0) {
      const first = places.get(node.children[0]!)!.angle
      const last = places.get(node.children.at(-1)!)!.angle
      if (last > first)
        ink.arc(box.x, box.y, place.radius * box.radius, first, last, paint.branchColour(node) ?? colours.ink, 1.25)
    }
    if (node.id === paint.chosen) ink.dot(x, y, 4, colours.chosen)
    if (size > 0)
      paintSupport(
        ink,
        paint,
        node,
        { x, y, size: 9, branchPx: Number.POSITIVE_INFINITY, behindPx: 0, left: Number.NEGATIVE_INFINITY },
        taken,
      )
    if (node.children.length > 0) continue
    const leftwards = Math.cos(place.angle) < 0
    const out = (pixels: number): [number, number] => [
      x + pixels * Math.cos(place.angle),
      y + pixels * Math.sin(place.angle),
    ]
    const group = paint.leafColour(node)
    if (group !== null) ink.dot(...out(7), Math.max(1.5, Math.min(4, step / 2)), group)
    if (node.collapsed) ink.dot(x, y, 5, paint.branchColour(node) ?? colours.muted)
    if (size === 0) continue
    const found = paint.found.has(node.id)
    const [tx, ty] = out(group === null ? 6 : 14)
    const label = paint.labelOf(node)
    const free = box.layout === 'circular' || taken.take(tx, ty, label.length * size * letterShare, place.angle)
    if (!free && !found && node.id !== paint.chosen) continue
    ink.text(tx, ty, label, {
      colour: node.id === paint.chosen ? colours.chosen : found ? colours.found : colours.ink,
      size,
      bold: found || node.id === paint.chosen,
      slanted: paint.slantedOf(node),
      anchor: leftwards ? 'end' : 'start',
      turn: leftwards ? place.angle - Math.PI : place.angle,
    })
  }
}

/** The scale bar with its length in words; nothing where lengths are not drawn. */
export const paintScale = (
  ink: Ink,
  paint: Pick<TreePaint, 'tree' | 'colours'>,
  x: number,
  y: number,
  pxAUnit: number,
): void => {
  if (!paint.tree.hasLengths) return
  const length = scaleBarLength(paint.tree.deepest)
  const end = x + length * pxAUnit
  ink.line([x, y - 3, x, y + 3], paint.colours.ink, 1.25)
  ink.line([x, y, end, y], paint.colours.ink, 1.25)
  ink.line([end, y - 3, end, y + 3], paint.colours.ink, 1.25)
  ink.text(end + 6, y, String(Number(length.toPrecision(3))), { colour: paint.colours.ink, size: 11 })
}

export type Scheme = 'chemistry' | 'conservation' | 'differences'

export interface ResidueGroup {
  key: 'aliphatic' | 'aromatic' | 'positive' | 'negative' | 'polar' | 'cysteine' | 'glycine' | 'proline' | 'base'
  letters: string
  colour: string
}

/** Of the palette's colours, mixed with white: full ones beside the rows are the leaves' groups, and no colour stands for two things. */
const tint = (colour: string): string => rgb(interpolateLab(colour, '#ffffff')(0.5)).formatHex()

// Okabe & Ito's hues, so that colour-blind readers tell the groups apart; the groups are those of side chains' chemistry.
export const residueGroups: Readonly<Record<'protein' | 'nucleotide', readonly ResidueGroup[]>> = {
  protein: (
    [
      ['aliphatic', 'AILMV', '#56b4e9'],
      ['aromatic', 'FWYH', '#0072b2'],
      ['positive', 'KR', '#d55e00'],
      ['negative', 'DE', '#cc79a7'],
      ['polar', 'NQST', '#009e73'],
      ['cysteine', 'C', '#f0e442'],
      ['glycine', 'G', '#e69f00'],
      ['proline', 'P', '#999999'],
    ] as const
  ).map(([key, letters, colour]) => ({ key, letters, colour: tint(colour) })),
  nucleotide: (
    [
      ['A', '#009e73'],
      ['C', '#56b4e9'],
      ['G', '#e69f00'],
      ['TU', '#d55e00'],
    ] as const
  ).map(([letters, colour]) => ({ key: 'base', letters, colour: tint(colour) })),
}

const colourTable = (groups: readonly ResidueGroup[]): Record<string, string> =>
  Object.fromEntries(groups.flatMap(({ letters, colour }) => [...letters].map((letter) => [letter, colour])))
const tables = { protein: colourTable(residueGroups.protein), nucleotide: colourTable(residueGroups.nucleotide) }

export interface AlignmentPaint {
  alphabet: 'nucleotide' | 'protein'
  /** Row of each leaf by its id. */
  rows: Map<number, string>
  columns: number
  summary: ColumnSummary
  /** 1 where the tree rests on the column. */
  kept: Uint8Array
  scheme: Scheme
}

interface AlignmentBox {
  left: number
  width: number
  cellPx: number
  firstColumn: number
  /** Top of the head: ruler and conservation. */
  headTop: number
  headPx: number
}

const cellColour = (paint: AlignmentPaint, letter: string, column: number): string | null => {
  if (letter === '-' || letter === '.') return null
  switch (paint.scheme) {
    case 'chemistry':
      return tables[paint.alphabet][letter] ?? '#bbbbbb'
    case 'conservation':
      return viridis(paint.summary.conservation[column]!)
    case 'differences':
      return letter === paint.summary.consensus[column] ? null : (tables[paint.alphabet][letter] ?? '#bbbbbb')
  }
}

/** Rows of the alignment beside their leaves: coloured runs, letters where there is room, and the columns' conservation above. */
export const paintAlignment = (
  ink: Ink,
  paint: TreePaint,
  alignment: AlignmentPaint,
  rowsAt: RowBox,
  box: AlignmentBox,
): void => {
  const { cellPx, firstColumn } = box
  const last = Math.min(alignment.columns, Math.ceil(firstColumn + box.width / cellPx))
  const letters = cellPx >= 7 && rowsAt.rowPx >= 9
  const { colours } = paint
  const x = (column: number): number => box.left + (column - firstColumn) * cellPx
  ink.clip(box.left, rowsAt.from, box.width, rowsAt.to - rowsAt.from)
  const first = Math.max(0, Math.floor((rowsAt.from - rowsAt.top) / rowsAt.rowPx))
  const end = Math.min(paint.tree.rows.length, Math.ceil((rowsAt.to - rowsAt.top) / rowsAt.rowPx) + 1)
  const small = ink.pixels !== undefined && !letters && last > firstColumn && end > first
  if (small) {
    const columns = last - firstColumn
    const rgba = new Uint8ClampedArray(columns * (end - first) * 4)
    for (let row = first; row < end; row++) {
      const node = paint.tree.rows[row]!
      const text = node.collapsed ? undefined : alignment.rows.get(node.id)
      if (text === undefined) continue
      for (let column = firstColumn; column < last; column++) {
        const colour = cellColour(alignment, text[column]!, column)
        if (colour !== null) rgba.set(bytesOf(colour), ((row - first) * columns + column - firstColumn) * 4)
      }
    }
    const top = rowsAt.top + (first - 0.5) * rowsAt.rowPx
    ink.pixels?.(box.left, top, columns * cellPx, (end - first) * rowsAt.rowPx, columns, rgba)
  }
  for (const node of small ? [] : paint.tree.rows.slice(first, end)) {
    const middle = rowsAt.top + node.row * rowsAt.rowPx
    if (middle < rowsAt.from - rowsAt.rowPx || middle > rowsAt.to + rowsAt.rowPx) continue
    const row = node.collapsed ? undefined : alignment.rows.get(node.id)
    if (row === undefined) continue
    const top = middle - rowsAt.rowPx / 2
    const height = rowsAt.rowPx > 4 ? rowsAt.rowPx - 1 : rowsAt.rowPx
    let runFrom = firstColumn
    let runColour: string | null = null
    for (let column = firstColumn; column <= last; column++) {
      const colour = column === last ? null : cellColour(alignment, row[column]!, column)
      if (colour === runColour && column < last) continue
      if (runColour !== null) ink.box(x(runFrom), top, (column - runFrom) * cellPx, height, runColour)
      runFrom = column
      runColour = colour
    }
    if (letters)
      for (let column = firstColumn; column < last; column++) {
        const letter = row[column]!
        const colour = cellColour(alignment, letter, column)
        ink.text(x(column) + cellPx / 2, middle, letter, {
          colour: colour === null ? colours.muted : inkOn(toHex(colour)),
          size: Math.min(11, rowsAt.rowPx * 0.8, cellPx * 1.25),
          anchor: 'middle',
          mono: true,
        })
      }
  }
  // Columns that did not count are veiled.
  for (let column = firstColumn; column < last; ) {
    let end = column
    while (end < last && alignment.kept[end] === 0) end++
    if (end > column) ink.box(x(column), rowsAt.from, (end - column) * cellPx, rowsAt.to - rowsAt.from, colours.veil)
    column = Math.max(end, column + 1)
  }
  ink.release()
  ink.clip(box.left, box.headTop, box.width, box.headPx)
  const barTop = box.headTop + 14
  const barPx = box.headPx - 16
  for (let column = firstColumn; column < last; column++) {
    const share = alignment.summary.conservation[column]!
    ink.box(
      x(column),
      barTop + barPx * (1 - share),
      Math.max(1, cellPx - (cellPx > 3 ? 1 : 0)),
      barPx * share,
      colours.muted,
    )
    if ((column + 1) % (cellPx >= 6 ? 10 : cellPx >= 2 ? 50 : 200) === 0)
      ink.text(x(column) + cellPx / 2, box.headTop + 6, String(column + 1), {
        colour: colours.muted,
        size: 9,
        anchor: 'middle',
      })
  }
  ink.release()
}

const byteTable = new Map<string, Uint8ClampedArray>()
const bytesOf = (colour: string): Uint8ClampedArray => {
  let bytes = byteTable.get(colour)
  if (bytes === undefined) {
    const hex = toHex(colour)
    bytes = Uint8ClampedArray.from([...[1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16)), 255])
    byteTable.set(colour, bytes)
  }
  return bytes
}

/** Colours of d3's scales come as rgb(). */
const toHex = (colour: string): string => {
  const parts = /^rgb\((\d+), (\d+), (\d+)\)$/.exec(colour)
  return parts === null
    ? colour
    : `#${parts
        .slice(1)
        .map((part) => Number(part).toString(16).padStart(2, '0'))
        .join('')}`
}
