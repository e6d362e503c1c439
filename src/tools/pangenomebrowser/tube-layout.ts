import { type GraphRegion, type GraphStep, listWays } from '../../bio/graph/variation-graph.ts'

/** Walks that pass the same nodes in the same order, drawn as one line. */
export interface DrawnLine {
  /** Indices of its walks; the first line holds the reference. */
  walks: number[]
  steps: GraphStep[]
}

export interface PlacedNode {
  node: number
  x: number
  y: number
  width: number
  height: number
  /** Bases written inside, where there is room. */
  letters: string | null
}

export interface TubeMap {
  width: number
  height: number
  nodes: PlacedNode[]
  /** Of each line its way as SVG path data. */
  lines: { line: DrawnLine; path: string }[]
}

export interface TubeOptions {
  /** `compact`: width grows with the logarithm of the length; `scale`: with the length. */
  widths: 'compact' | 'scale'
  /** Pixels that a compact map fills at least, as far as `mostStretch` lets it. */
  leastPx?: number
}

const lanePx = 7
const nodePaddingPx = 4
const rowGapPx = 10
const columnGapPx = 26
const letterPx = 7.2
const maxLetters = 18
const narrowestPx = 16
/** Of a drawing to scale, all nodes together. */
const scaledWidthPx = 2400
/** Nodes of a small region are so much wider at most than in a large one. */
const mostStretch = 3

/** Walks with the same steps together, the reference's line first, then those of most walks. */
export const groupWalks = ({ walks }: GraphRegion): DrawnLine[] => {
  const { ways, wayOf } = listWays(walks)
  const lines = ways.map((steps): DrawnLine => ({ walks: [], steps }))
  for (const [number, way] of wayOf.entries()) lines[way]!.walks.push(number)
  const [reference, ...others] = lines
  if (reference === undefined) return []
  return [reference, ...others.sort((a, b) => b.walks.length - a.walks.length || a.walks[0]! - b.walks[0]!)]
}

const nodeWidth = (sequence: string | null, lengthBp: number, pxPerBp: number | null): number => {
  if (pxPerBp !== null) return Math.max(3, lengthBp * pxPerBp)
  if (sequence !== null && lengthBp <= maxLetters) return Math.max(narrowestPx, lengthBp * letterPx + 8)
  return 60 + 26 * Math.log10(Math.max(1, lengthBp / 10))
}

/**
 * Places a region as a tube map: nodes stand in columns so that walks along the reference go from left to right, the reference in a
 * straight row at the top; each line keeps a lane in every node that it passes, and room in every column that it leaps over. Ways that
 * go backwards turn round on the outer side. Layers by the longest way (Sugiyama, Tagawa & Toda 1981, doi:10.1109/TSMC.1981.4308636), as
 * the drawing of Beyer et al. 2019, doi:10.1093/bioinformatics/btz597 has them.
 */
export const layoutTubeMap = (
  region: GraphRegion,
  lines: DrawnLine[],
  { widths, leastPx = 0 }: TubeOptions,
): TubeMap => {
  const { nodes } = region
  const columns = layerNodes(nodes.length, lines)
  const totalBp = (lines[0]?.steps ?? []).reduce((sum, { node }) => sum + nodes[node]!.lengthBp, 0)
  const pxPerBp = widths === 'scale' ? scaledWidthPx / Math.max(1, totalBp) : null
  const columnCount = columns.reduce((max, column) => Math.max(max, column + 1), 0)

  // What stands in each column: nodes, and lines that leap over it.
  interface Item {
    node: number | null
    lines: number[]
    wish: number
    top: number
  }
  const items: Item[][] = Array.from({ length: columnCount }, () => [])
  const itemOfNode = new Map<number, Item>()
  const linesOfNode = new Map<number, number[]>()
  for (const [number, { steps }] of lines.entries())
    for (const { node } of steps) {
      const passing = linesOfNode.get(node) ?? []
      if (passing.at(-1) !== number) passing.push(number)
      linesOfNode.set(node, passing)
    }
  for (const [node, passing] of linesOfNode) {
    const item: Item = { node, lines: [...new Set(passing)], wish: 0, top: 0 }
    items[columns[node]!]!.push(item)
    itemOfNode.set(node, item)
  }
  /** By line and step, the items leapt over to the next step. */
  const leaps = new Map<string, Item[]>()
  const leapItems = new Map<string, Item>()
  for (const [number, { steps }] of lines.entries())
    for (const [at, { node }] of steps.entries()) {
      const next = steps[at + 1]
      if (next === undefined) continue
      const over: Item[] = []
      for (let column = columns[node]! + 1; column < columns[next.node]!; column += 1) {
        const key = `${node}|${next.node}|${column}`
        let item = leapItems.get(key)
        if (item === undefined) {
          item = { node: null, lines: [], wish: 0, top: 0 }
          leapItems.set(key, item)
          items[column]!.push(item)
        }
        if (!item.lines.includes(number)) item.lines.push(number)
        over.push(item)
      }
      if (over.length > 0) leaps.set(`${number}|${at}`, over)
    }

  const heightOf = (item: Item): number => item.lines.length * lanePx + (item.node === null ? 0 : 2 * nodePaddingPx)
  const laneY = new Float64Array(lines.length)
  for (const [number] of lines.entries()) laneY[number] = number * lanePx
  let height = 0
  for (const column of items) {
    for (const item of column) {
      item.lines.sort((a, b) => a - b)
      // The reference keeps the first row.
      item.wish = item.lines.includes(0)
        ? Number.NEGATIVE_INFINITY
        : item.lines.reduce((sum, line) => sum + laneY[line]!, 0) / item.lines.length
    }
    column.sort((a, b) => a.wish - b.wish || a.lines[0]! - b.lines[0]!)
    let y = 0
    for (const item of column) {
      item.top = y
      for (const [lane, line] of item.lines.entries()) laneY[line] = y + lane * lanePx
      y += heightOf(item) + rowGapPx
    }
    height = Math.max(height, y)
  }

  const gapPx = pxPerBp === null ? columnGapPx : 10
  const isSpelt = (node: number): boolean => nodes[node]!.sequence !== null && nodes[node]!.lengthBp <= maxLetters
  const ownWidth = (node: number): number => nodeWidth(nodes[node]!.sequence, nodes[node]!.lengthBp, pxPerBp)
  const widest = (column: readonly Item[], widthOf: (node: number) => number): number =>
    column.reduce((most, { node }) => (node === null ? most : Math.max(most, widthOf(node))), 0)
  // Nodes whose bases are written keep their width: room beside letters says nothing.
  const total = (kept: boolean): number =>
    items.reduce((sum, column) => sum + widest(column, (node) => (isSpelt(node) === kept ? ownWidth(node) : 0)), 0)
  const room = leastPx - items.length * gapPx - total(true) - 32
  const stretch = pxPerBp === null ? Math.min(mostStretch, Math.max(1, room / Math.max(1, total(false)))) : 1
  const widthOf = (node: number): number => ownWidth(node) * (isSpelt(node) ? 1 : stretch)
  const columnWidths = items.map((column) => widest(column, widthOf))
  const lefts: number[] = []
  let left = 16
  for (const width of columnWidths) {
    lefts.push(left)
    left += width + gapPx
  }

  const placed: PlacedNode[] = []
  for (const [node, item] of itemOfNode) {
    const { sequence, lengthBp } = nodes[node]!
    const width = widthOf(node)
    placed.push({
      node,
      x: lefts[columns[node]!]!,
      y: item.top,
      width,
      height: heightOf(item),
      letters:
        sequence !== null && lengthBp <= maxLetters && width >= lengthBp * letterPx + 4 ? sequence.toUpperCase() : null,
    })
  }
  const placeOf = new Map(placed.map((one) => [one.node, one]))
  const laneIn = (item: Item, line: number): number =>
    item.top + (item.node === null ? 0 : nodePaddingPx) + (item.lines.indexOf(line) + 0.5) * lanePx
  const turnPx = gapPx * 0.8
  const drawn = lines.map((line, number) => {
    const pieces: string[] = []
    const moveTo = (x: number, y: number): void => void pieces.push(`M${x.toFixed(1)} ${y.toFixed(1)}`)
    const lineTo = (x: number, y: number): void => void pieces.push(`L${x.toFixed(1)} ${y.toFixed(1)}`)
    let at: [number, number] | null = null
    const curveTo = (x: number, y: number): void => {
      const [fromX, fromY] = at!
      const middle = (fromX + x) / 2
      pieces.push(
        `C${middle.toFixed(1)} ${fromY.toFixed(1)} ${middle.toFixed(1)} ${y.toFixed(1)} ${x.toFixed(1)} ${y.toFixed(1)}`,
      )
    }
    for (const [position, { node, reverse }] of line.steps.entries()) {
      const box = placeOf.get(node)!
      const y = laneIn(itemOfNode.get(node)!, number)
      const [enter, leave] = reverse ? [box.x + box.width, box.x] : [box.x, box.x + box.width]
      if (at === null) moveTo(enter - (reverse ? -10 : 10), y)
      if (at === null) lineTo(enter, y)
      else {
        const over = leaps.get(`${number}|${position - 1}`) ?? []
        const forward = columns[node]! > columns[line.steps[position - 1]!.node]!
        if (forward && !reverse && !line.steps[position - 1]!.reverse) {
          for (const item of over) {
            const column = columns[line.steps[position - 1]!.node]! + 1 + over.indexOf(item)
            const laneAt = laneIn(item, number)
            curveTo(lefts[column]!, laneAt)
            at = [lefts[column]! + columnWidths[column]!, laneAt]
            lineTo(...at)
          }
          curveTo(enter, y)
        } else {
          // Out on the side where the line is, and in from the side where it enters.
          const out = line.steps[position - 1]!.reverse ? -turnPx : turnPx
          const into = reverse ? turnPx : -turnPx
          const [fromX, fromY] = at
          pieces.push(
            `C${(fromX + out * 2).toFixed(1)} ${fromY.toFixed(1)} ${(enter + into * 2).toFixed(1)} ${y.toFixed(1)} ${enter.toFixed(1)} ${y.toFixed(1)}`,
          )
        }
      }
      lineTo(leave, y)
      at = [leave, y]
      if (position === line.steps.length - 1) lineTo(leave + (reverse ? -10 : 10), y)
    }
    return { line, path: pieces.join('') }
  })
  return { width: left, height: height + 8, nodes: placed, lines: drawn }
}

/** Column of each node: the longest way to it from the left, over steps that do not lead back in the order of first passing. */
const layerNodes = (count: number, lines: readonly DrawnLine[]): Int32Array => {
  const order = orderNodes(count, lines)
  const successors: number[][] = Array.from({ length: count }, () => [])
  for (const { steps } of lines)
    for (const [at, { node }] of steps.entries()) {
      const next = steps[at + 1]
      if (next === undefined) continue
      const [first, second] = order[node]! < order[next.node]! ? [node, next.node] : [next.node, node]
      if (first !== second && !successors[first]!.includes(second)) successors[first]!.push(second)
    }
  const columns = new Int32Array(count)
  for (const node of [...order.keys()].sort((a, b) => order[a]! - order[b]!))
    for (const next of successors[node]!) columns[next] = Math.max(columns[next]!, columns[node]! + 1)
  return columns
}

/** Places of the nodes in a row: the reference's first, and what other lines pass between them put in where they pass it. */
const orderNodes = (count: number, lines: readonly DrawnLine[]): Float64Array => {
  const order = new Float64Array(count).fill(-1)
  for (const [at, { node }] of (lines[0]?.steps ?? []).entries()) if (order[node] === -1) order[node] = at
  let fresh = 0
  for (const { steps } of lines.slice(1)) {
    let behind = -1
    for (const { node, reverse } of steps) {
      if (order[node] === -1) {
        fresh += 1
        // Between its neighbours on the reference, those found first before those found later.
        order[node] = Math.floor(behind) + 1 - 1 / (fresh + 1)
      }
      behind = reverse ? behind : Math.max(Math.floor(order[node]!), Math.floor(behind))
    }
  }
  return order
}
