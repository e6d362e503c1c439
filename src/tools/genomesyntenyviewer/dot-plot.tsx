import { Maximize, ZoomIn, ZoomOut } from 'lucide-react'
import { type KeyboardEvent, type ReactNode, useEffect, useMemo, useRef, useState } from 'react'
import { useAddressValues } from '../../kit/ui/address-values.ts'
import { Button } from '../../kit/ui/controls/button.tsx'
import { SelectField } from '../../kit/ui/controls/field.tsx'
import { ScaleBar } from '../../kit/ui/figures/axis.tsx'
import { positionUnit, roundTicks } from '../../kit/ui/figures/axis-ticks.ts'
import { categoryEdge } from '../../kit/ui/figures/category-marks.tsx'
import { differenceColour, differenceMark } from '../../kit/ui/figures/difference-colours.ts'
import { FigureFrame } from '../../kit/ui/figures/figure-frame.tsx'
import { PointerTip, pointerPosition } from '../../kit/ui/figures/figure-pointer.tsx'
import { fittingLabels } from '../../kit/ui/figures/fitting-labels.ts'
import { labelWidth } from '../../kit/ui/figures/text-width.ts'
import { useWidth } from '../../kit/ui/figures/use-width.ts'
import { RoleNote, useRegionLabel, useRoleStyle } from '../../kit/ui/gene/sequence-name.tsx'
import { useAssemblyNames } from '../../kit/ui/gene/species-names.tsx'
import { useFormat, useText } from '../../kit/ui/language.tsx'
import {
  type BlockViewProps,
  type DifferenceViewProps,
  sequencesOf,
  useBlockLoci,
  useDifferenceText,
} from './block-loci.ts'
import { createBlockColour, differenceKey } from './colours.ts'
import {
  bareName,
  directionOn,
  layRow,
  matchRow,
  placeDifference,
  placeSide,
  type Row,
  readLocus,
  turnedSign,
} from './layout.ts'
import { Legend } from './legend.tsx'
import messages from './messages.ts'
import type { Block, SyntenyDifference } from './tool.ts'

const left = 84
const bottom = 62
/** From the plot to the names of sequences where positions stand between them. */
const nameAway = 18
const top = 8
const right = 8
/** A click this near to a block means it, in pixels. */
const reachPx = 8

/** Letters of both axes. */
const axisPx = 11
/** Zoom of a button or key, and how far arrow keys go, as a share of what is seen. */
const zoomStep = 1.5
const panShare = 0.15
/** Beyond it axes to one scale would leave the shorter genome a strip. */
const mostUnequal = 4

/** Of the room beside an upright axis, what its genome's name takes. */
const besideName = 34
/** Of a block's line, and of the edge about it: colours near the ground, light or dark, stand out by it. */
const [linePx, edgePx] = [2.2, 3.4]

/** A narrower sequence has no room for positions along it. */
const leastTicksPx = 90
/** Of more sequences in view the names are written, and a scale bar in place of positions. */
const mostNumbered = 3

interface Window {
  x0: number
  y0: number
  /** Bases across; both axes are zoomed alike. */
  spanX: number
  spanY: number
}

/** Two genomes as the axes of a plane, each block a line in it. */
export const DotPlot = ({
  result,
  colouring,
  chosen,
  onChoose,
  difference,
  onChooseDifference,
  receipt,
  matched,
}: BlockViewProps & DifferenceViewProps & { matched: boolean }): ReactNode => {
  const t = useText(messages)
  const format = useFormat()
  const sidesOf = useBlockLoci(result.genomes)
  const differenceText = useDifferenceText(result.genomes)
  const styleOf = useRoleStyle()
  const regionOf = useRegionLabel()
  const nameOf = useAssemblyNames()
  const [query, change] = useAddressValues()
  const [root, width] = useWidth<HTMLDivElement>()
  const svg = useRef<SVGSVGElement>(null)
  const drag = useRef<{ x: number; y: number; moved: boolean } | null>(null)
  const [shown, setShown] = useState<Window | null>(null)
  const [hover, setHover] = useState<{ x: number; y: number; text: string } | null>(null)
  const { comparisons, genomes } = result
  const reported = comparisons.findIndex(({ first, second }) => `${first}-${second}` === query.get('view.plot'))
  const at = chosen === null ? Math.max(0, reported) : comparisons.findIndex((one) => isOf(chosen, one))
  const comparison = comparisons[Math.max(0, at)]

  const plot = useMemo(() => {
    if (comparison === undefined) return null
    const rowOf = (genome: number): Row =>
      layRow(
        genome,
        genomes[genome]!,
        genomes[genome]!.sequences.map(({ name }) => name),
      )
    const a = rowOf(comparison.first)
    const { first, second } = comparison
    const b = matched && first !== second ? matchRow(second, genomes[second]!, a, result.blocks) : rowOf(second)
    const lines = result.blocks.flatMap((block) => {
      if (!isOf(block, comparison)) return []
      const x = placeSide(a, block.sequenceA, block.startA, block.endA)
      const y = placeSide(b, block.sequenceB, block.startB, block.endB)
      if (x === null || y === null) return []
      const reads = block.orientation * directionOn(a, block.sequenceA) * directionOn(b, block.sequenceB)
      return [{ block, x, y: reads === 1 ? y : ([y[1], y[0]] as [number, number]) }]
    })
    const differences = result.differences.flatMap((one) => {
      if (!isOf(one, comparison)) return []
      const [x, y] = [placeDifference(a, one.a)[0], placeDifference(b, one.b)[0]]
      return x === undefined || y === undefined ? [] : [{ one, x, y }]
    })
    return { a, b, lines, differences }
  }, [comparison, genomes, result.blocks, result.differences, matched])
  const whole: Window = { x0: 0, y0: 0, spanX: plot?.a.lengthBp ?? 1, spanY: plot?.b.lengthBp ?? 1 }
  const view = shown ?? whole
  const room = Math.max(260, Math.min(width, 900)) - left - right
  // One scale for both axes: else slopes say nothing, and a genome that is half as long again looks the same.
  const longer = Math.max(whole.spanX, whole.spanY)
  const equal = longer <= mostUnequal * Math.min(whole.spanX, whole.spanY)
  const sideOf = (span: number): number => Math.round(room * Math.max(1 / mostUnequal, span / longer))
  const [w, h] = [sideOf(whole.spanX), sideOf(whole.spanY)]
  const [wide, high] = [left + w + right, top + h + bottom]
  const px = (x: number): number => left + ((x - view.x0) / view.spanX) * w
  const py = (y: number): number => top + h - ((y - view.y0) / view.spanY) * h

  const zoom = useRef((_x: number, _y: number, _factor: number): void => undefined)
  zoom.current = (x, y, factor) => {
    const share = Math.max(1e-4, Math.min(1.2, (view.spanX / whole.spanX) * factor))
    const [spanX, spanY] = [whole.spanX * share, whole.spanY * share]
    const [fx, fy] = [(x - left) / w, (top + h - y) / h]
    setShown({
      spanX,
      spanY,
      x0: view.x0 + fx * (view.spanX - spanX),
      y0: view.y0 + fy * (view.spanY - spanY),
    })
  }
  useEffect(() => {
    const drawing = svg.current
    if (drawing === null) return
    const onWheel = (event: WheelEvent): void => {
      event.preventDefault()
      const box = drawing.getBoundingClientRect()
      zoom.current(event.clientX - box.left, event.clientY - box.top, Math.exp(event.deltaY * 0.0015))
    }
    drawing.addEventListener('wheel', onWheel, { passive: false })
    return () => drawing.removeEventListener('wheel', onWheel)
  }, [])

  if (comparison === undefined || plot === null) return null
  const [first, second] = [genomes[comparison.first]!, genomes[comparison.second]!]
  // Sequences have colours of their own: those of differences would stand for two things.
  const differences = colouring === 'kind' ? plot.differences : []
  const middleOf = ({ x, y }: (typeof differences)[number]): [number, number] => [
    px((x[0] + x[1]) / 2),
    py((y[0] + y[1]) / 2),
  ]
  const differenceAt = (x: number, y: number): SyntenyDifference | null => {
    let best: SyntenyDifference | null = null
    let distance = reachPx
    for (const laid of differences) {
      const [dx, dy] = middleOf(laid)
      const away = Math.hypot(x - dx, y - dy)
      // Of those at one place the first, which is the largest.
      if (away >= distance) continue
      distance = away
      best = laid.one
    }
    return best
  }
  const nearest = (x: number, y: number): Block | null => {
    let best: Block | null = null
    let distance = reachPx
    for (const line of plot.lines) {
      const [x0, x1, y0, y1] = [px(line.x[0]), px(line.x[1]), py(line.y[0]), py(line.y[1])]
      const length = (x1 - x0) ** 2 + (y1 - y0) ** 2
      const along = length === 0 ? 0 : Math.max(0, Math.min(1, ((x - x0) * (x1 - x0) + (y - y0) * (y1 - y0)) / length))
      const away = Math.hypot(x - x0 - along * (x1 - x0), y - y0 - along * (y1 - y0))
      if (away < distance) {
        distance = away
        best = line.block
      }
    }
    return best
  }
  /** What lies at a place of the plane: a position of each genome; null beside it and between sequences. */
  const placeText = (x: number, y: number): string | null => {
    if (x < left || x > left + w || y < top || y > top + h) return null
    const [one, other] = [
      readLocus(plot.a, view.x0 + ((x - left) / w) * view.spanX),
      readLocus(plot.b, view.y0 + ((top + h - y) / h) * view.spanY),
    ]
    if (one === null || other === null) return null
    const textOf = (id: string, { sequence, position }: typeof one): string =>
      `${nameOf(id)} ${regionOf(id, { sequence, start: position })}`
    return t('plot.at', { first: textOf(first.id, one), second: textOf(second.id, other) })
  }
  const zoomMiddle = (factor: number): void => zoom.current(left + w / 2, top + h / 2, factor)
  const onKey = (event: KeyboardEvent): void => {
    const pan = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] }[event.key]
    if (pan !== undefined)
      setShown({
        ...view,
        x0: view.x0 + pan[0]! * panShare * view.spanX,
        y0: view.y0 + pan[1]! * panShare * view.spanY,
      })
    else if (event.key === '+' || event.key === '=') zoomMiddle(1 / zoomStep)
    else if (event.key === '-') zoomMiddle(zoomStep)
    else if (event.key === '0') setShown(null)
    else return
    event.preventDefault()
  }
  const colourOf = createBlockColour(result, colouring)
  const colours = new Map<string, string[]>()
  for (const { block, x, y } of plot.lines) {
    const colour = colourOf(block)
    const path = `M${px(x[0]).toFixed(1)},${py(y[0]).toFixed(1)}L${px(x[1]).toFixed(1)},${py(y[1]).toFixed(1)}`
    const list = colours.get(colour)
    if (list === undefined) colours.set(colour, [path])
    else list.push(path)
  }
  const marked = plot.lines.find(({ block }) => block === chosen)
  /** Names of the sequences in view with their ends in pixels, from the low end of an axis. */
  const signOf = (row: Row, name: string): string => (row.flipped.has(name) ? turnedSign : '')
  const spansOf = (row: Row, horizontal: boolean) =>
    row.order.flatMap((name) => {
      const from = row.starts.get(name)!
      const to = from + row.lengths.get(name)!
      const [p, q] = horizontal
        ? [Math.max(left, px(from)), Math.min(left + w, px(to))]
        : [Math.max(top, py(to)), Math.min(top + h, py(from))]
      return q <= p ? [] : [{ name, from, to, p, q }]
    })
  /** Round positions of each sequence that is wide enough to be told them: of all alike, in one unit. */
  const positionsOf = (row: Row, horizontal: boolean) => {
    const [low, high] = horizontal ? [view.x0, view.x0 + view.spanX] : [view.y0, view.y0 + view.spanY]
    const spans = spansOf(row, horizontal)
    const found = spans.flatMap(({ name, from, to, p, q }) => {
      if (spans.length > mostNumbered || q - p < leastTicksPx) return []
      const ends = [Math.max(low, from) - from, Math.min(high, to) - from] as const
      const turn = (at: number): number => (row.flipped.has(name) ? to - from - at : at)
      const [first1, last1] = [turn(ends[0]), turn(ends[1])].sort((one, other) => one - other) as [number, number]
      const ticks = roundTicks(first1, last1, q - p, horizontal ? 'x' : 'y')
      return [{ name, from, turn, ticks }]
    })
    const all = found.flatMap(({ ticks }) => ticks)
    const steps = found.flatMap(({ ticks }) => ticks.slice(1).map((tick, at) => tick - ticks[at]!))
    const { unit, bases, digits } = positionUnit(
      steps.length === 0 ? all : [Math.max(...all) - Math.min(...steps), Math.max(...all)],
    )
    return {
      unit,
      ticks: found.flatMap(({ name, from, turn, ticks }) =>
        ticks.map((tick) => ({
          key: `${name}-${tick}`,
          at: from + turn(tick),
          text: format.fixed(tick / bases, digits),
        })),
      ),
    }
  }
  const axis = (row: Row, horizontal: boolean): ReactNode => {
    const spans = spansOf(row, horizontal)
    const { unit, ticks } = positionsOf(row, horizontal)
    const places = ticks
      .map((tick) => ({ ...tick, px: horizontal ? px(tick.at) : py(tick.at) }))
      .sort((one, other) => one.px - other.px)
    const written = horizontal
      ? fittingLabels(
          places.map(({ text, px: at }) => ({ text, at })),
          axisPx,
          left - 14,
          left + w + 8,
        )
      : places.map(() => true)
    const away = ticks.length === 0 ? 0 : nameAway
    // Beside positions the names of an upright axis are written along it, else across: then each needs the height of a line.
    const along = horizontal || ticks.length > 0
    const short = spans.some(
      ({ name, p, q }) => labelWidth(name + signOf(row, name), axisPx) + 4 > (along ? q - p : left - besideName),
    )
    const labels = spans.map(({ name, p, q }) => ({
      text: (short ? bareName(name) : name) + signOf(row, name),
      at: (p + q) / 2,
    }))
    const named = horizontal
      ? fittingLabels(labels, axisPx, left - 14, left + w + 8)
      : spans.map(({ p, q }, at) => (along ? labelWidth(labels[at]!.text, axisPx) : 13) <= q - p)
    return (
      <g>
        {spans.map(({ name, p, q }, at) => (
          <g key={name}>
            {horizontal ? (
              <path d={`M${q},${top}V${top + h}`} stroke="var(--line-strong)" />
            ) : (
              <path d={`M${left},${p}H${left + w}`} stroke="var(--line-strong)" />
            )}
            {!named[at] ? null : (
              <text
                {...(horizontal
                  ? { x: (p + q) / 2, y: top + h + 15 + away, textAnchor: 'middle' as const }
                  : ticks.length === 0
                    ? { x: left - 6, y: (p + q) / 2, textAnchor: 'end' as const, dominantBaseline: 'central' as const }
                    : {
                        transform: `translate(${left - 42},${(p + q) / 2}) rotate(-90)`,
                        textAnchor: 'middle' as const,
                        dominantBaseline: 'central' as const,
                      })}
                fontSize={axisPx}
                fontStyle={styleOf(genomes[row.genome]!.id, name)}
                fill="var(--figure-axis)"
              >
                {labels[at]!.text}
              </text>
            )}
          </g>
        ))}
        {places.map(({ key, text, px: at }, number) => (
          <g key={key}>
            <path
              d={
                horizontal
                  ? `M${at},${top + h}v4M${at},${top}V${top + h}`
                  : `M${left},${at}h-4M${left},${at}H${left + w}`
              }
              stroke="var(--figure-grid)"
            />
            {!written[number] ? null : (
              <text
                {...(horizontal
                  ? { x: at, y: top + h + 15, textAnchor: 'middle' as const }
                  : { x: left - 7, y: at, textAnchor: 'end' as const, dominantBaseline: 'central' as const })}
                fontSize={axisPx}
                fill="var(--figure-axis)"
              >
                {text}
              </text>
            )}
          </g>
        ))}
        <text
          {...(horizontal
            ? { x: left + w / 2, y: high - 8 }
            : { transform: `translate(14,${top + h / 2}) rotate(-90)` })}
          textAnchor="middle"
          fontSize={12}
          fontWeight={600}
          fill="var(--figure-ink)"
        >
          {nameOf(genomes[row.genome]!.id)}
          {ticks.length === 0 ? '' : t('plot.unit', { unit })}
        </text>
      </g>
    )
  }
  return (
    <FigureFrame
      title={t('plot.title')}
      name={`synteny-${first.id}-${second.id}`}
      receipt={receipt}
      method={t('plot.method', { equal: String(equal), turned: String(plot.b.flipped.size > 0) })}
      actions={
        <>
          <Button
            size="small"
            look="quiet"
            icon={<ZoomIn size={14} aria-hidden />}
            onClick={() => zoomMiddle(1 / zoomStep)}
          >
            {t('view.in')}
          </Button>
          <Button
            size="small"
            look="quiet"
            icon={<ZoomOut size={14} aria-hidden />}
            onClick={() => zoomMiddle(zoomStep)}
          >
            {t('view.out')}
          </Button>
          <Button size="small" look="quiet" icon={<Maximize size={14} aria-hidden />} onClick={() => setShown(null)}>
            {t('view.all')}
          </Button>
        </>
      }
    >
      <div className="nv-figure-bar">
        {comparisons.length < 2 ? null : (
          <SelectField
            label={t('plot.pair')}
            value={`${comparison.first}-${comparison.second}`}
            onChoose={(value) => {
              setShown(null)
              change({ 'view.plot': value, 'view.block': null }, true)
            }}
            options={comparisons.map((one) => ({
              value: `${one.first}-${one.second}`,
              label: `${nameOf(genomes[one.first]!.id)} – ${nameOf(genomes[one.second]!.id)}`,
            }))}
          />
        )}
        <Legend result={result} colouring={colouring} differences={colouring === 'kind'} marks lines />
      </div>
      <RoleNote sequences={sequencesOf([first, second])} />
      <div ref={root} className="gsv-plot">
        <svg
          ref={svg}
          data-figure
          width={wide}
          height={high}
          // biome-ignore lint/a11y/noNoninteractiveTabindex: the plot is moved and zoomed by keys; the tables have its blocks.
          tabIndex={0}
          role="img"
          onKeyDown={onKey}
          aria-label={t('plot.label', {
            first: nameOf(first.id),
            second: nameOf(second.id),
            blocks: plot.lines.length,
          })}
          onPointerDown={(event) => {
            event.currentTarget.setPointerCapture(event.pointerId)
            const [x, y] = pointerPosition(event)
            drag.current = { x, y, moved: false }
          }}
          onPointerMove={(event) => {
            const [x, y] = pointerPosition(event)
            const from = drag.current
            if (from === null) {
              const under = differenceAt(x, y)
              const block = under === null ? nearest(x, y) : null
              const text =
                under !== null
                  ? differenceText(under)
                  : block === null
                    ? placeText(x, y)
                    : t('block.short', {
                        kind: t(`kind.${block.kind}`),
                        ...sidesOf(block),
                        pairs: block.pairs,
                        turned: String(block.orientation === -1),
                      })
              setHover(text === null ? null : { x, y, text })
              return
            }
            if (!from.moved && Math.hypot(x - from.x, y - from.y) < 3) return
            setShown({
              ...view,
              x0: view.x0 - ((x - from.x) / w) * view.spanX,
              y0: view.y0 + ((y - from.y) / h) * view.spanY,
            })
            drag.current = { x, y, moved: true }
          }}
          onPointerUp={(event) => {
            const from = drag.current
            drag.current = null
            if (from === null || from.moved) return
            const place = pointerPosition(event)
            const under = differenceAt(...place)
            if (under === null) onChoose(nearest(...place))
            else onChooseDifference(under)
          }}
          onPointerLeave={() => setHover(null)}
        >
          <clipPath id="gsv-plot-inside">
            <rect x={left} y={top} width={w} height={h} />
          </clipPath>
          <rect x={left} y={top} width={w} height={h} fill="none" stroke="var(--line-strong)" />
          {axis(plot.a, true)}
          {axis(plot.b, false)}
          <g clipPath="url(#gsv-plot-inside)">
            <path
              d={[...colours.values()].flat().join('')}
              stroke={categoryEdge}
              strokeWidth={edgePx}
              fill="none"
              strokeLinecap="round"
            />
            {[...colours].map(([colour, paths]) => (
              <path
                key={colour}
                d={paths.join('')}
                stroke={colour}
                strokeWidth={linePx}
                fill="none"
                strokeLinecap="round"
              />
            ))}
            {marked === undefined ? null : (
              <line
                x1={px(marked.x[0])}
                x2={px(marked.x[1])}
                y1={py(marked.y[0])}
                y2={py(marked.y[1])}
                stroke="var(--figure-ink)"
                strokeWidth={5}
                strokeLinecap="round"
              />
            )}
            {/* The largest over the others. */}
            {differences.toReversed().map((laid) => {
              const [x, y] = middleOf(laid)
              return (
                <g key={differenceKey(laid.one)} fill={differenceColour(laid.one.kind)}>
                  <rect
                    x={px(laid.x[0])}
                    y={py(laid.y[1])}
                    width={px(laid.x[1]) - px(laid.x[0])}
                    height={py(laid.y[0]) - py(laid.y[1])}
                    fillOpacity={0.35}
                  />
                  <path
                    transform={`translate(${x},${y})`}
                    d={differenceMark(laid.one.kind)}
                    stroke={laid.one === difference ? 'var(--figure-ink)' : 'var(--surface)'}
                    strokeWidth={laid.one === difference ? 2 : 1}
                  />
                </g>
              )
            })}
          </g>
          {hover === null ? null : (
            <path
              data-screen-only
              d={`M${left},${hover.y}H${left + w}M${hover.x},${top}V${top + h}`}
              stroke="var(--figure-axis)"
              strokeDasharray="2 3"
              pointerEvents="none"
            />
          )}
          {positionsOf(plot.a, true).ticks.length > 0 ? null : (
            <ScaleBar x={left + w} y={high - 10} perPx={view.spanX / w} maxPx={-90} text={format.basePairs} />
          )}
        </svg>
        {hover === null ? null : (
          <PointerTip at={hover} width={width}>
            {hover.text}
          </PointerTip>
        )}
      </div>
      <p className="nv-quiet">{t('plot.help')}</p>
    </FigureFrame>
  )
}

const isOf = (one: { first: number; second: number }, { first, second }: { first: number; second: number }): boolean =>
  one.first === first && one.second === second
