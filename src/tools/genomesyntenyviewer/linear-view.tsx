import { type QueryFunctionContext, useQueries } from '@tanstack/react-query'
import { Maximize, ZoomIn, ZoomOut } from 'lucide-react'
import {
  type KeyboardEvent,
  type PointerEvent,
  type ReactNode,
  useCallback,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react'
import { useNavigate } from 'react-router'
import type { DifferenceKind } from '../../bio/comparative/structural-differences.ts'
import { escapeXml } from '../../bio/text/xml.ts'
import { useAddressValues } from '../../kit/ui/address-values.ts'
import { Button } from '../../kit/ui/controls/button.tsx'
import { positionUnit, roundLength, roundTicks } from '../../kit/ui/figures/axis-ticks.ts'
import { differenceColour } from '../../kit/ui/figures/difference-colours.ts'
import { FigureFrame } from '../../kit/ui/figures/figure-frame.tsx'
import { PointerTip, pointerPosition } from '../../kit/ui/figures/figure-pointer.tsx'
import { tokenColour } from '../../kit/ui/figures/palette.ts'
import { labelWidth } from '../../kit/ui/figures/text-width.ts'
import { useWidth } from '../../kit/ui/figures/use-width.ts'
import { geneAddress } from '../../kit/ui/gene/gene-link.tsx'
import { RoleNote, useRegionLabel, useRoleStyle } from '../../kit/ui/gene/sequence-name.tsx'
import { useAssemblyList, useAssemblyNames } from '../../kit/ui/gene/species-names.tsx'
import { useFormat, useText } from '../../kit/ui/language.tsx'
import { call } from '../../kit/ui/request.ts'
import { useTheme } from '../../kit/ui/theme.ts'
import {
  type BlockViewProps,
  type DifferenceViewProps,
  sequencesOf,
  useBlockLoci,
  useDifferenceText,
} from './block-loci.ts'
import { blockKey, createBlockColour, createSequenceColour, differenceKey } from './colours.ts'
import { drawRibbons, pixelOf, type RowView, ribbonPath, strength } from './draw-ribbons.ts'
import { type GenePairs, getGenePairs } from './endpoints.ts'
import {
  directionOn,
  followRibbon,
  isCollinear,
  layRows,
  makeRibbons,
  marksSide,
  nameSequences,
  placeDifference,
  placeSide,
  type Ribbons,
  type Row,
  readLocus,
  sidesFrom,
} from './layout.ts'
import { Legend } from './legend.tsx'
import messages from './messages.ts'
import type { Block, SyntenyDifference } from './tool.ts'

const barHeight = 18
/** Names of sequences on a canvas. */
const rowFont = '11px "Roboto", "Noto Sans SC", sans-serif'
const rowFontPx = 11
/** Of the genome, above the names of its sequences. */
const genomeFont = '600 12px "Roboto", "Noto Sans SC", sans-serif'
const genomeFontPx = 12
/** Above each bar: the genome's name, and below it the sequences'. */
const [genomeHeight, labelHeight] = [17, 16]
const headHeight = genomeHeight + labelHeight
/** Of ribbons between two rows; less where there are many, and little where nothing differs or nothing was compared. */
const ribbonHeight = { different: (rows: number): number => Math.max(84, 230 - 40 * rows), collinear: 26, none: 10 }
/** Below the last row: the scale bar. */
const footHeight = 30
const scaleBarPx = 150
/** A shorter piece of a sequence has no room for positions along it. */
const leastTicksPx = 150
/** A shorter one has ticks without numbers: between the numbers its own name would be read as one of them. */
const leastNumbersPx = 240
/** Between positions and names above a bar. */
const tickGapPx = 6
const tickPx = 4
/** Of the ground behind names, on which ribbons lie. */
const veil = 0.82
/** Below this many bases a pixel genes are told apart, and pairs of genes are drawn in place of blocks. */
const geneScale = 400
/** An axis shows at least so many bases. */
const closest = 0.02

/** Of a bar, what is told in it against the row above, or below. */
const markHeight = 7
/** Where genes are drawn on it, so that their names are read. */
const lowMarkHeight = 3
/** A mark is seen at least so wide. */
const leastMarkPx = 2
/** From the upper bar down to the sizes of what is missing or more; they stand in two lines. */
const sizeTop = 11
const sizeLine = 15

/** Letters of a region's name that is written before its size; a longer one stands in the table. */
const longestRegion = 8

/** Before a size: less, more, or once more. */
const sizeSigns: Record<DifferenceKind, string> = {
  deletion: '−',
  insertion: '+',
  duplication: '2× ',
  replacement: '',
  inversion: '',
}

/** A difference between a row and the next: where it is marked on either bar, and which it is. */
interface LaidDifference {
  difference: SyntenyDifference
  /** Number in the result. */
  at: number
  above: [number, number][]
  below: [number, number][]
  /** Whether the two sequences read alike as they are drawn. */
  reads: 1 | -1
  marksAbove: boolean
  marksBelow: boolean
}

interface Detail {
  ribbons: Ribbons
  pairs: GenePairs
}

/** Genomes as rows, one under the other, and ribbons between them: blocks, and from close by pairs of genes. */
export const LinearView = ({
  result,
  colouring,
  matched,
  chosen,
  onChoose,
  receipt,
  star,
  difference,
  onChooseDifference,
}: BlockViewProps &
  DifferenceViewProps & {
    matched: boolean
    star: boolean
  }): ReactNode => {
  const t = useText(messages)
  const format = useFormat()
  const nameOf = useAssemblyNames()
  const listOf = useAssemblyList()
  const sidesOf = useBlockLoci(result.genomes)
  const differenceText = useDifferenceText(result.genomes)
  const regionOf = useRegionLabel()
  const styleOf = useRoleStyle()
  const navigate = useNavigate()
  const [query, change] = useAddressValues()
  const [root, width] = useWidth<HTMLDivElement>()
  const canvas = useRef<HTMLCanvasElement>(null)
  const frame = useRef(0)
  const offsets = useRef<number[]>([])
  const scale = useRef(0)
  const picks = useRef(new Uint32Array(0))
  const drag = useRef<{ x: number; row: number | null; moved: boolean } | null>(null)
  const [close, setClose] = useState(false)
  const [hover, setHover] = useState<{ x: number; y: number; text: string } | null>(null)
  const detail = query.get('view.detail') ?? 'auto'

  const rows = useMemo(() => layRows(result.genomes, result.blocks, { matched, star }), [result, matched, star])
  const widest = Math.max(...rows.map(({ lengthBp }) => lengthBp))
  const ratio = typeof devicePixelRatio === 'number' ? Math.min(2, devicePixelRatio) : 1

  const colourOf = useMemo(() => createBlockColour(result, colouring), [result, colouring])
  const sequenceColour = useMemo(() => createSequenceColour(result, colouring), [result, colouring])
  /** Blocks between each row and the next. */
  const layers = useMemo(
    () =>
      rows.slice(1).map((below, at) => {
        const above = rows[at]!
        return makeRibbons(
          result.blocks.flatMap((block, source) => {
            const sides = sidesFrom(block, above.genome)
            if (sides === null || sides.other.genome !== below.genome) return []
            const a = placeSide(above, sides.own.sequence, sides.own.start, sides.own.end)
            const b = placeSide(below, sides.other.sequence, sides.other.start, sides.other.end)
            if (a === null || b === null) return []
            const colour = pixelOf(colourOf(block))
            const reads =
              block.orientation * directionOn(above, sides.own.sequence) * directionOn(below, sides.other.sequence)
            return [{ a, b: reads === 1 ? b : ([b[1], b[0]] as [number, number]), source, colour }]
          }),
        )
      }),
    [rows, result, colourOf],
  )

  const tops = useMemo(() => {
    const heights = layers.map((layer, at): number => {
      const pair = [rows[at]!.genome, rows[at + 1]!.genome]
      const isDifferent = result.differences.some(
        ({ first, second }) => pair.includes(first) && pair.includes(second) && first !== second,
      )
      if (layer.source.length === 0 && !isDifferent) return ribbonHeight.none
      return !isDifferent && isCollinear(layer) ? ribbonHeight.collinear : ribbonHeight.different(rows.length)
    })
    const found = [headHeight]
    for (const [at, ribbons] of heights.entries()) found.push(found[at]! + barHeight + ribbons + headHeight)
    return found
  }, [layers, rows, result.differences])
  const rowTop = useCallback((row: number): number => tops[row]!, [tops])
  const height = rowTop(rows.length - 1) + barHeight + footHeight

  // Sequences have colours of their own: those of differences would stand for two things.
  const withDifferences = colouring === 'kind' && result.differences.length > 0
  const laid = useMemo(
    () =>
      rows.slice(1).map((below, row): LaidDifference[] => {
        const above = rows[row]!
        if (!withDifferences) return []
        return result.differences.flatMap((one, at): LaidDifference[] => {
          const forward = one.first === above.genome && one.second === below.genome
          if (!forward && !(one.second === above.genome && one.first === below.genome)) return []
          const [upper, lower] = forward ? [one.a, one.b] : [one.b, one.a]
          const sides = { above: placeDifference(above, upper), below: placeDifference(below, lower) }
          if (sides.above.length === 0 || sides.below.length === 0) return []
          return [
            {
              difference: one,
              at,
              ...sides,
              reads: directionOn(above, upper.sequence) === directionOn(below, lower.sequence) ? 1 : -1,
              marksAbove: marksSide(one, forward ? 'first' : 'second'),
              marksBelow: marksSide(one, forward ? 'second' : 'first'),
            },
          ]
        })
      }),
    [rows, result.differences, withDifferences],
  )
  const differenceLayers = useMemo(
    () =>
      laid.map((list) =>
        makeRibbons(
          list.flatMap(({ difference: one, at, above, below, reads }) =>
            above.flatMap((a) =>
              below.map((b) => ({
                a,
                b: (one.kind === 'inversion') === (reads === 1) ? ([b[1], b[0]] as [number, number]) : b,
                source: result.blocks.length + at,
                colour: pixelOf(differenceColour(one.kind)),
              })),
            ),
          ),
        ),
      ),
    [laid, result.blocks.length],
  )

  const byGenes = detail === 'genes' || (detail === 'auto' && close)
  const asked = useQueries({
    queries: rows.slice(1).map((below, at) => {
      const first = result.genomes[rows[at]!.genome]!.id
      const second = result.genomes[below.genome]!.id
      return {
        queryKey: ['synteny-pairs', first, second, result.computedAt],
        queryFn: (context: QueryFunctionContext) => call(getGenePairs, { first, second }, context),
        // Two rows that were not compared have nothing between them.
        enabled: byGenes && (layers[at]?.source.length ?? 0) > 0,
        staleTime: Number.POSITIVE_INFINITY,
        retry: false,
      }
    }),
  })
  const pairsKey = asked.map(({ dataUpdatedAt }) => dataUpdatedAt).join()
  // biome-ignore lint/correctness/useExhaustiveDependencies: the answers change with their times only
  const details = useMemo(
    (): (Detail | null)[] =>
      asked.map(({ data }, at) => {
        if (data === undefined) return null
        const [above, below] = [rows[at]!, rows[at + 1]!]
        const blocks = new Map<number, { source: number; colour: number; reads: number }>()
        for (const [source, block] of result.blocks.entries()) {
          const sides = sidesFrom(block, above.genome)
          if (sides === null || sides.other.genome !== below.genome) continue
          const colour = pixelOf(colourOf(block))
          const reads =
            block.orientation * directionOn(above, sides.own.sequence) * directionOn(below, sides.other.sequence)
          blocks.set(block.number, { source, colour, reads })
        }
        const side = (row: Row, genes: GenePairs['genesA'], gene: number) =>
          placeSide(row, genes.sequences[genes.sequence[gene]!]!, genes.start[gene]!, genes.end[gene]!)
        const ends = data.block.flatMap((number, pair) => {
          const block = blocks.get(number)
          if (block === undefined) return []
          const a = side(above, data.genesA, data.a[pair]!)
          const b = side(below, data.genesB, data.b[pair]!)
          if (a === null || b === null) return []
          const { source, colour, reads } = block
          return [{ a, b: reads === 1 ? b : ([b[1], b[0]] as [number, number]), source, colour }]
        })
        return { ribbons: makeRibbons(ends), pairs: data }
      }),
    [pairsKey, rows, result, colourOf],
  )

  const viewOf = useCallback((row: number): RowView => ({ offset: offsets.current[row]!, scale: scale.current }), [])
  /** The bars of a row as they are seen now, and the names above them: on the screen and in files alike. */
  const layBars = useCallback(
    (
      at: number,
    ): {
      bars: { name: string; from: number; to: number }[]
      names: ReturnType<typeof nameSequences>
      ticks: { x: number; text: string | null }[]
    } => {
      const row = rows[at]!
      const { offset, scale: own } = viewOf(at)
      const spans = row.order.map((name) => {
        const from = (row.starts.get(name)! - offset) * own
        return { name, from, to: from + Math.max(1, row.lengths.get(name)! * own) }
      })
      const shown = spans.filter(({ from, to }) => to > 0 && from < width)
      const names = nameSequences(spans, width, rowFontPx, row.flipped)
      const taken = names.map(({ text, at: middle }): [number, number] => {
        const half = labelWidth(text, rowFontPx) / 2 + tickGapPx
        return [middle - half, middle + half]
      })
      // Each sequence that is long enough on the screen has its own positions, where its name leaves room for them.
      const ticks = shown.flatMap(({ name, from, to }): { x: number; text: string | null }[] => {
        const [left, right] = [Math.max(0, from), Math.min(width, to)]
        if (right - left < leastTicksPx) return []
        const length = row.lengths.get(name)!
        const baseAt = (x: number): number => (row.flipped.has(name) ? length - (x - from) / own : (x - from) / own)
        const [low, high] = [baseAt(left), baseAt(right)].sort((p, q) => p - q) as [number, number]
        const values = roundTicks(low, high, right - left, 'x')
        const { unit, bases, digits } = positionUnit(values)
        return values.map((value) => {
          const x = row.flipped.has(name) ? from + (length - value) * own : from + value * own
          const text = `${format.fixed(value / bases, digits)} ${unit}`
          const half = labelWidth(text, rowFontPx) / 2
          const isFree =
            right - left >= leastNumbersPx &&
            value > 0 &&
            x - half >= left &&
            x + half <= right &&
            taken.every(([p, q]) => x + half < p || x - half > q)
          if (isFree) taken.push([x - half - tickGapPx, x + half + tickGapPx])
          return { x, text: isFree ? text : null }
        })
      })
      return { bars: shown, names, ticks }
    },
    [rows, viewOf, width, format],
  )
  const sizeText = useCallback(
    (bp: number): string => (bp < 1000 || bp >= 1e6 ? format.basePairs(bp) : `${format.fixed(bp / 1000, 1)} kb`),
    [format],
  )
  /** Marks of differences on the bars, and the sizes of the largest that can be written without touching each other. */
  const layDifferences = useCallback(
    (at: number) => {
      const [above, below] = [viewOf(at), viewOf(at + 1)]
      const px = (value: number, view: RowView): number => (value - view.offset) * view.scale
      const tall = 1 / scale.current < geneScale ? lowMarkHeight : markHeight
      const marks: { x: number; wide: number; y: number; tall: number; colour: string }[] = []
      const sizes: { text: string; x: number; y: number }[] = []
      const lines: [number, number][][] = [[], []]
      for (const one of laid[at] ?? []) {
        const colour = differenceColour(one.difference.kind)
        for (const [parts, view, y, isMarked] of [
          [one.above, above, rowTop(at) + barHeight - tall, one.marksAbove],
          [one.below, below, rowTop(at + 1), one.marksBelow],
        ] as const)
          for (const [from, to] of isMarked ? parts : []) {
            const [left, right] = [px(from, view), px(to, view)]
            const wide = Math.max(leastMarkPx, right - left)
            marks.push({ x: (left + right - wide) / 2, wide, y, tall, colour })
          }
        const [from, to] = one.above[0]!
        const middle = px((from + to) / 2, above)
        const sign = sizeSigns[one.difference.kind]
        const about = one.difference.basis === 'genes' ? '≈ ' : ''
        const [name] = one.difference.regions.filter((region) => region.length <= longestRegion)
        const text = `${name === undefined ? '' : `${name} `}${about}${sign}${sizeText(one.difference.sizeBp)}`
        const half = labelWidth(text, rowFontPx) / 2 + 4
        if (middle < 0 || middle > width) continue
        const x = Math.max(half, Math.min(width - half, middle))
        const line = lines.findIndex((taken) => taken.every(([p, q]) => x + half < p || x - half > q))
        if (line === -1) continue
        lines[line]!.push([x - half, x + half])
        sizes.push({ text, x, y: rowTop(at) + barHeight + sizeTop + line * sizeLine })
      }
      return { marks, sizes }
    },
    [laid, viewOf, rowTop, width, sizeText],
  )
  const showWhole = useCallback((): void => {
    scale.current = width / widest
    offsets.current = rows.map(({ lengthBp }) => (lengthBp - widest) / 2)
  }, [rows, width, widest])

  const draw = useCallback((): void => {
    const surface = canvas.current
    const context = surface?.getContext('2d')
    if (surface === null || context === null || context === undefined) return
    const moving = drag.current?.moved === true
    // On the move at the resolution of the page: half the pixels each way on fine screens.
    const by = moving ? 1 : ratio
    const [w, h] = [Math.max(1, Math.round(width * by)), Math.max(1, Math.round(height * by))]
    if (surface.width !== w || surface.height !== h) {
      surface.width = w
      surface.height = h
    }
    if (offsets.current.length !== rows.length || scale.current === 0) showWhole()
    const startedAt = performance.now()
    const ground = pixelOf(tokenColour('surface') || '#ffffff')
    const image = context.createImageData(w, h)
    const pixels = new Uint32Array(image.data.buffer)
    pixels.fill(ground)
    if (!moving) {
      if (picks.current.length !== w * h) picks.current = new Uint32Array(w * h)
      else picks.current.fill(0)
    }
    const chosenAt = chosen === null ? -1 : result.blocks.indexOf(chosen)
    const differenceAt = difference === null ? -1 : result.blocks.length + result.differences.indexOf(difference)
    let drawn = 0
    for (const [at, layer] of layers.entries()) {
      const views = [viewOf(at), viewOf(at + 1)].map(({ offset, scale: own }) => ({ offset, scale: own * by })) as [
        RowView,
        RowView,
      ]
      const from = Math.round((rowTop(at) + barHeight + 1) * by)
      const to = Math.round((rowTop(at + 1) - 1) * by)
      const shown = byGenes ? (details[at]?.ribbons ?? layer) : layer
      drawn += drawRibbons(
        { width: w, height: h, pixels, picks: moving ? null : picks.current },
        shown,
        views,
        [from, to],
        chosenAt,
      )
      drawRibbons(
        { width: w, height: h, pixels, picks: moving ? null : picks.current },
        differenceLayers[at]!,
        views,
        [from, to],
        differenceAt,
        strength.strong,
      )
    }
    context.putImageData(image, 0, 0)
    context.save()
    context.scale(by, by)
    const ink = tokenColour('figure-ink') || '#12231d'
    const bar = tokenColour('gene-muted') || '#c8d3cd'
    const axis = tokenColour('figure-axis') || '#5b6f67'
    const surfaceColour = tokenColour('surface') || '#ffffff'
    context.textBaseline = 'middle'
    const write = (text: string, x: number, y: number, wide: number): void => {
      context.globalAlpha = veil
      context.fillStyle = surfaceColour
      const left = context.textAlign === 'center' ? x - wide / 2 : x
      context.fillRect(left - 2, y - labelHeight / 2, wide + 4, labelHeight)
      context.globalAlpha = 1
      context.fillStyle = ink
      context.fillText(text, x, y)
    }
    for (const [at, row] of rows.entries()) {
      const y = rowTop(at)
      const { offset, scale: own } = viewOf(at)
      const genome = result.genomes[row.genome]!.id
      const { bars, names, ticks } = layBars(at)
      for (const { name, from, to } of bars) {
        context.fillStyle = sequenceColour(row.genome, name) ?? bar
        const [left, right] = [Math.max(0, from), Math.min(width, to)]
        context.fillRect(left, y, Math.max(1, right - left), barHeight)
      }
      context.textAlign = 'center'
      for (const { name, text, at: middle } of names) {
        context.font = styleOf(genome, name) === undefined ? rowFont : `italic ${rowFont}`
        write(text, middle, y - labelHeight / 2, context.measureText(text).width)
      }
      context.font = rowFont
      for (const { x, text } of ticks) {
        if (text !== null) write(text, x, y - labelHeight / 2, context.measureText(text).width)
        context.fillStyle = axis
        context.fillRect(Math.round(x), y, 1, tickPx)
      }
      context.textAlign = 'left'
      context.font = genomeFont
      write(nameOf(genome), 2, y - labelHeight - genomeHeight / 2, context.measureText(nameOf(genome)).width)
      context.font = rowFont
      if (byGenes && 1 / own < geneScale) {
        const of = details[Math.min(at, details.length - 1)]
        const genes = of === null || of === undefined ? null : at < details.length ? of.pairs.genesA : of.pairs.genesB
        if (genes !== null) drawGenes(context, row, genes, { offset, scale: own }, y, width)
      }
    }
    for (const at of layers.keys()) {
      const { marks, sizes } = layDifferences(at)
      for (const { x, wide, y, tall, colour } of marks) {
        context.fillStyle = colour
        context.fillRect(x, y, wide, tall)
      }
      context.textAlign = 'center'
      context.font = rowFont
      for (const { text, x, y } of sizes) write(text, x, y, context.measureText(text).width)
    }
    context.textAlign = 'left'
    const { length, px } = roundLength(1 / scale.current, Math.min(scaleBarPx, width / 2))
    const barY = height - 10
    context.strokeStyle = ink
    context.lineWidth = 1
    context.beginPath()
    for (const x of [0.5, px + 0.5]) {
      context.moveTo(x, barY - 4)
      context.lineTo(x, barY + 4)
    }
    context.moveTo(0.5, barY)
    context.lineTo(px + 0.5, barY)
    context.stroke()
    context.font = rowFont
    context.textAlign = 'left'
    context.fillStyle = ink
    context.fillText(format.basePairs(length), px + 8, barY)
    context.restore()
    surface.dataset.frameMs = (performance.now() - startedAt).toFixed(1)
    surface.dataset.ribbons = String(drawn)
  }, [
    width,
    height,
    rows,
    layers,
    differenceLayers,
    layDifferences,
    details,
    byGenes,
    ratio,
    chosen,
    difference,
    result,
    showWhole,
    viewOf,
    layBars,
    sequenceColour,
    rowTop,
    styleOf,
    nameOf,
    format,
  ])

  const drawSoon = useCallback((): void => {
    cancelAnimationFrame(frame.current)
    frame.current = requestAnimationFrame(draw)
  }, [draw])
  const theme = useTheme()
  // biome-ignore lint/correctness/useExhaustiveDependencies: the theme changes the tokens' colours.
  useLayoutEffect(() => {
    draw()
    return () => cancelAnimationFrame(frame.current)
  }, [draw, theme])
  const seeAll = useCallback((): void => {
    showWhole()
    setClose(false)
    drawSoon()
  }, [showWhole, drawSoon])
  // Other rows or another width: the window is of others.
  const shape = `${rows.map(({ genome, order, flipped }) => genome + order.join() + [...flipped].join()).join('|')} ${width}`
  const shaped = useRef(shape)
  useLayoutEffect(() => {
    if (shaped.current === shape) return
    shaped.current = shape
    seeAll()
  }, [shape, seeAll])

  const zoomAt = useCallback(
    (x: number, factor: number): void => {
      const next = Math.max((width / widest) * 0.5, Math.min(1 / closest, scale.current * factor))
      offsets.current = offsets.current.map((offset) => offset + x / scale.current - x / next)
      scale.current = next
      setClose(1 / next < geneScale)
      drawSoon()
    },
    [drawSoon, width, widest],
  )
  // React listens to wheels passively; the page must not scroll along.
  useEffect(() => {
    const surface = canvas.current
    if (surface === null) return
    const onWheel = (event: WheelEvent): void => {
      event.preventDefault()
      zoomAt(event.clientX - surface.getBoundingClientRect().left, Math.exp(-event.deltaY * 0.0015))
    }
    surface.addEventListener('wheel', onWheel, { passive: false })
    return () => surface.removeEventListener('wheel', onWheel)
  }, [zoomAt])

  /** Puts a place of one row into the middle, and on the others what belongs to it. */
  const centre = useCallback(
    (row: number, at: number): void => {
      const half = width / 2 / scale.current
      offsets.current[row] = at - half
      for (const [step, downward] of [
        [1, true],
        [-1, false],
      ] as const) {
        let index = at
        for (let next = row + step; next >= 0 && next < rows.length; next += step) {
          index = followRibbon(layers[downward ? next - 1 : next]!, index, downward) ?? index
          offsets.current[next] = index - half
        }
      }
    },
    [layers, rows.length, width],
  )
  const zoomToBlock = useCallback(
    (block: Block): void => {
      const source = result.blocks.indexOf(block)
      for (const [at, layer] of layers.entries()) {
        const ribbon = layer.source.indexOf(source)
        if (ribbon === -1) continue
        const [a0, a1, b0, b1] = [layer.a0[ribbon]!, layer.a1[ribbon]!, layer.b0[ribbon]!, layer.b1[ribbon]!]
        scale.current = Math.min(1 / closest, (width * 0.8) / Math.max(a1 - a0, Math.abs(b1 - b0), 100))
        centre(at, (a0 + a1) / 2)
        offsets.current[at + 1] = (b0 + b1) / 2 - width / 2 / scale.current
        setClose(1 / scale.current < geneScale)
        drawSoon()
        return
      }
    },
    [layers, result.blocks, width, centre, drawSoon],
  )

  const zoomToDifference = useCallback(
    (one: SyntenyDifference): void => {
      for (const [at, list] of laid.entries()) {
        const found = list.find((other) => other.difference === one)
        if (found === undefined) continue
        const [a, b] = [found.above[0]!, found.below[0]!]
        scale.current = Math.min(1 / closest, (width * 0.35) / Math.max(a[1] - a[0], b[1] - b[0], 100))
        centre(at, (a[0] + a[1]) / 2)
        offsets.current[at + 1] = (b[0] + b[1]) / 2 - width / 2 / scale.current
        setClose(1 / scale.current < geneScale)
        drawSoon()
        return
      }
    },
    [laid, width, centre, drawSoon],
  )
  // What is chosen in the table is brought into view; what is clicked in the drawing is in it.
  const shownDifference = useRef<{ difference: SyntenyDifference; shape: string } | null>(null)
  useEffect(() => {
    if (difference === null) return
    const before = shownDifference.current
    if (before?.difference === difference && before.shape === shape) return
    shownDifference.current = { difference, shape }
    zoomToDifference(difference)
    canvas.current?.scrollIntoView({ block: 'nearest' })
  }, [difference, zoomToDifference, shape])

  const rowAt = (y: number): number | null => {
    const at = rows.findIndex((_, row) => y >= rowTop(row) - labelHeight && y <= rowTop(row) + barHeight)
    return at === -1 ? null : at
  }
  const geneAt = (row: number, x: number) => {
    const of = details[Math.min(row, details.length - 1)]
    if (!byGenes || of === null || of === undefined || 1 / scale.current > geneScale) return null
    const genes = row < details.length ? of.pairs.genesA : of.pairs.genesB
    const locus = readLocus(rows[row]!, offsets.current[row]! + x / scale.current)
    if (locus === null) return null
    const sequence = genes.sequences.indexOf(locus.sequence)
    const at = genes.start.findIndex(
      (start, gene) =>
        genes.sequence[gene] === sequence && start <= locus.position && genes.end[gene]! >= locus.position,
    )
    return at === -1 ? null : { id: genes.id[at]!, symbol: genes.symbol[at]! }
  }
  const pickAt = (x: number, y: number): number => {
    const w = Math.round(width * ratio)
    const at = (px: number): number => picks.current[Math.round(y * ratio) * w + Math.round(px * ratio)] ?? 0
    // Most differences are a line of a pixel: one beside the pointer is meant.
    return [x, x - 1, x + 1, x - 2, x + 2].map(at).find((pick) => pick > result.blocks.length) ?? at(x)
  }
  const blockAt = (x: number, y: number): Block | null => result.blocks[pickAt(x, y) - 1] ?? null
  const differenceUnder = (x: number, y: number): SyntenyDifference | null =>
    result.differences[pickAt(x, y) - 1 - result.blocks.length] ?? null
  const describe = (block: Block): string =>
    t('block.short', {
      kind: t(`kind.${block.kind}`),
      ...sidesOf(block),
      pairs: block.pairs,
      turned: String(block.orientation === -1),
    })

  const onDown = (event: PointerEvent<HTMLCanvasElement>): void => {
    event.currentTarget.setPointerCapture(event.pointerId)
    const [x, y] = pointerPosition(event)
    drag.current = { x, row: rowAt(y), moved: false }
  }
  const onMove = (event: PointerEvent<HTMLCanvasElement>): void => {
    const [x, y] = pointerPosition(event)
    const from = drag.current
    if (from === null) {
      const row = rowAt(y)
      if (row !== null) {
        const gene = geneAt(row, x)
        const locus = readLocus(rows[row]!, offsets.current[row]! + x / scale.current)
        const where =
          locus === null
            ? ''
            : regionOf(result.genomes[rows[row]!.genome]!.id, { sequence: locus.sequence, start: locus.position })
        const text = gene === null ? where : `${gene.symbol ?? gene.id} (${gene.id}) · ${where}`
        setHover(text === '' ? null : { x, y, text: `${nameOf(result.genomes[rows[row]!.genome]!.id)} · ${text}` })
        return
      }
      const under = differenceUnder(x, y)
      const block = blockAt(x, y)
      const text = under !== null ? differenceText(under) : block === null ? null : describe(block)
      setHover(text === null ? null : { x, y, text })
      return
    }
    if (!from.moved && Math.abs(x - from.x) < 3) return
    setHover(null)
    const shift = (x - from.x) / scale.current
    // On a row's bar only that row moves.
    offsets.current = offsets.current.map((offset, row) =>
      from.row === null || from.row === row ? offset - shift : offset,
    )
    drag.current = { ...from, x, moved: true }
    drawSoon()
  }
  const onUp = (event: PointerEvent<HTMLCanvasElement>): void => {
    const from = drag.current
    drag.current = null
    drawSoon()
    if (from === null || from.moved) return
    const [x, y] = pointerPosition(event)
    const row = rowAt(y)
    if (row === null) {
      const under = differenceUnder(x, y)
      if (under === null) onChoose(blockAt(x, y))
      else {
        shownDifference.current = { difference: under, shape }
        onChooseDifference(under)
      }
      return
    }
    const gene = geneAt(row, x)
    if (gene !== null) void navigate(geneAddress(gene.id, result.genomes[rows[row]!.genome]!.id))
    else {
      centre(row, offsets.current[row]! + x / scale.current)
      drawSoon()
    }
  }
  const onKey = (event: KeyboardEvent): void => {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key]
    if (step !== undefined) {
      offsets.current = offsets.current.map((offset) => offset + (step * width * 0.1) / scale.current)
      drawSoon()
    } else if (event.key === '+' || event.key === '=') zoomAt(width / 2, 1.4)
    else if (event.key === '-') zoomAt(width / 2, 1 / 1.4)
    else if (event.key === '0') seeAll()
    else return
    event.preventDefault()
  }

  const renderFile = (): string => {
    const parts: string[] = []
    for (const [at, layer] of layers.entries()) {
      const shown = byGenes ? (details[at]?.ribbons ?? layer) : layer
      const [above, below] = [viewOf(at), viewOf(at + 1)]
      const ends: [number, number] = [rowTop(at) + barHeight + 1, rowTop(at + 1) - 1]
      for (const [ribbon, source] of shown.source.entries()) {
        const x = (value: number, view: RowView): number => (value - view.offset) * view.scale
        const a: [number, number] = [x(shown.a0[ribbon]!, above), x(shown.a1[ribbon]!, above)]
        const b: [number, number] = [x(shown.b0[ribbon]!, below), x(shown.b1[ribbon]!, below)]
        if ([...a, ...b].every((value) => value < 0) || [...a, ...b].every((value) => value > width)) continue
        const colour = colourOf(result.blocks[source]!)
        parts.push(`<path d="${ribbonPath(a, b, ends)}" fill="${colour}" fill-opacity="0.47"/>`)
      }
      const own = differenceLayers[at]!
      for (const [ribbon, source] of own.source.entries()) {
        const x = (value: number, view: RowView): number => (value - view.offset) * view.scale
        const a: [number, number] = [
          x(own.a0[ribbon]!, above),
          Math.max(x(own.a0[ribbon]!, above) + 1, x(own.a1[ribbon]!, above)),
        ]
        const b: [number, number] = [x(own.b0[ribbon]!, below), x(own.b1[ribbon]!, below)]
        if ([...a, ...b].every((value) => value < 0) || [...a, ...b].every((value) => value > width)) continue
        const colour = differenceColour(result.differences[source - result.blocks.length]!.kind)
        parts.push(`<path d="${ribbonPath(a, b, ends)}" fill="${colour}" fill-opacity="0.78"/>`)
      }
    }
    const text = (x: number, y: number, anchor: string, style: string, words: string): string =>
      `<text x="${x.toFixed(1)}" y="${y}" text-anchor="${anchor}" dominant-baseline="central" paint-order="stroke" stroke="#ffffff" stroke-width="3" ${style}>${escapeXml(words)}</text>`
    for (const [at, row] of rows.entries()) {
      const y = rowTop(at)
      const genome = result.genomes[row.genome]!.id
      const { bars, names, ticks } = layBars(at)
      for (const { name, from, to } of bars) {
        const [left, right] = [Math.max(0, from), Math.min(width, to)]
        const fill = sequenceColour(row.genome, name) ?? '#c8d3cd'
        parts.push(
          `<rect x="${left.toFixed(1)}" y="${y}" width="${Math.max(1, right - left).toFixed(1)}" height="${barHeight}" fill="${fill}"/>`,
        )
      }
      for (const { name, text: label, at: middle } of names)
        parts.push(
          text(
            middle,
            y - labelHeight / 2,
            'middle',
            `font-size="${rowFontPx}" font-style="${styleOf(genome, name) ?? 'normal'}"`,
            label,
          ),
        )
      for (const { x, text: label } of ticks) {
        parts.push(`<path d="M${x.toFixed(1)},${y}v${tickPx}" stroke="#5b6f67"/>`)
        if (label !== null) parts.push(text(x, y - labelHeight / 2, 'middle', `font-size="${rowFontPx}"`, label))
      }
      parts.push(
        text(
          2,
          y - labelHeight - genomeHeight / 2,
          'start',
          `font-size="${genomeFontPx}" font-weight="600"`,
          nameOf(genome),
        ),
      )
    }
    for (const at of layers.keys()) {
      const { marks, sizes } = layDifferences(at)
      for (const { x, wide, y, tall, colour } of marks)
        parts.push(`<rect x="${x.toFixed(1)}" y="${y}" width="${wide.toFixed(1)}" height="${tall}" fill="${colour}"/>`)
      for (const one of sizes) parts.push(text(one.x, one.y, 'middle', `font-size="${rowFontPx}"`, one.text))
    }
    const { length, px } = roundLength(1 / scale.current, Math.min(scaleBarPx, width / 2))
    const barY = height - 10
    parts.push(
      `<path d="M0.5,${barY - 4}v8M0.5,${barY}h${px.toFixed(1)}m0,-4v8" fill="none" stroke="#12231d"/>`,
      text(px + 8, barY, 'start', `font-size="${rowFontPx}"`, format.basePairs(length)),
    )
    return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" font-family="sans-serif"><rect width="100%" height="100%" fill="#ffffff"/>${parts.join('')}</svg>`
  }

  const waiting = byGenes && asked.some(({ isPending, fetchStatus }) => isPending && fetchStatus !== 'idle')
  return (
    <FigureFrame
      title={t('linear.title')}
      name="synteny-linear"
      receipt={receipt}
      method={t('linear.method', { turned: String(rows.some(({ flipped }) => flipped.size > 0)) })}
      renderFile={renderFile}
      actions={
        <>
          <Button
            size="small"
            look="quiet"
            icon={<ZoomIn size={14} aria-hidden />}
            onClick={() => zoomAt(width / 2, 2)}
          >
            {t('view.in')}
          </Button>
          <Button
            size="small"
            look="quiet"
            icon={<ZoomOut size={14} aria-hidden />}
            onClick={() => zoomAt(width / 2, 0.5)}
          >
            {t('view.out')}
          </Button>
          <Button size="small" look="quiet" icon={<Maximize size={14} aria-hidden />} onClick={seeAll}>
            {t('view.all')}
          </Button>
          {chosen === null ? null : (
            <Button size="small" look="quiet" onClick={() => zoomToBlock(chosen)}>
              {t('view.block')}
            </Button>
          )}
          {difference === null ? null : (
            <Button size="small" look="quiet" onClick={() => zoomToDifference(difference)}>
              {t('view.difference')}
            </Button>
          )}
          <Button
            size="small"
            look="quiet"
            aria-pressed={detail === 'genes'}
            onClick={() => change({ 'view.detail': detail === 'genes' ? null : 'genes' }, true)}
          >
            {t('view.genes')}
          </Button>
        </>
      }
    >
      <Legend result={result} colouring={colouring} differences={withDifferences} />
      <RoleNote sequences={sequencesOf(result.genomes)} />
      <div ref={root} className="gsv-linear">
        <canvas
          ref={canvas}
          style={{ width, height }}
          tabIndex={0}
          role="img"
          aria-label={t('linear.label', {
            genomes: listOf(result.genomes.map(({ id }) => id)),
            blocks: result.total,
          })}
          data-waiting={String(waiting)}
          data-chosen={chosen === null ? '' : blockKey(chosen)}
          data-difference={difference === null ? '' : differenceKey(difference)}
          onPointerDown={onDown}
          onPointerMove={onMove}
          onPointerUp={onUp}
          onPointerLeave={() => setHover(null)}
          onKeyDown={onKey}
        />
        {hover === null ? null : (
          <PointerTip at={hover} width={width}>
            {hover.text}
          </PointerTip>
        )}
      </div>
      <p className="nv-quiet">{t('linear.help')}</p>
    </FigureFrame>
  )
}

/** Genes as arrows on a row's bar, with their names where there is room. */
const drawGenes = (
  context: CanvasRenderingContext2D,
  row: Row,
  genes: GenePairs['genesA'],
  { offset, scale }: RowView,
  y: number,
  width: number,
): void => {
  const [plus, minus] = [tokenColour('strand-plus') || '#0f7a55', tokenColour('strand-minus') || '#d9911f']
  for (const [gene, start] of genes.start.entries()) {
    const sequence = genes.sequences[genes.sequence[gene]!]!
    const place = placeSide(row, sequence, start, genes.end[gene]!)
    if (place === null) continue
    const [x0, x1] = [(place[0] - offset) * scale, (place[1] - offset) * scale]
    if (x1 < 0 || x0 > width) continue
    const forward = (genes.strand[gene] !== -1) === (directionOn(row, sequence) === 1)
    const head = Math.min(6, (x1 - x0) / 2)
    context.fillStyle = forward ? plus : minus
    context.beginPath()
    if (forward) {
      context.moveTo(x0, y + 2)
      context.lineTo(x1 - head, y + 2)
      context.lineTo(x1, y + barHeight / 2)
      context.lineTo(x1 - head, y + barHeight - 2)
      context.lineTo(x0, y + barHeight - 2)
    } else {
      context.moveTo(x1, y + 2)
      context.lineTo(x0 + head, y + 2)
      context.lineTo(x0, y + barHeight / 2)
      context.lineTo(x0 + head, y + barHeight - 2)
      context.lineTo(x1, y + barHeight - 2)
    }
    context.fill()
    const name = genes.symbol[gene] ?? genes.id[gene]!
    const [left, right] = [Math.max(0, x0), Math.min(width, x1)]
    if (name.length * 6.4 + 10 < right - left) {
      context.fillStyle = forward ? tokenColour('on-primary') || '#ffffff' : '#000000'
      context.textAlign = 'center'
      context.fillText(name, (left + right) / 2, y + barHeight / 2 + 0.5)
    }
  }
}
