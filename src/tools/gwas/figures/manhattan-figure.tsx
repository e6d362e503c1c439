import { useQuery } from '@tanstack/react-query'
import { scaleLinear } from 'd3'
import { Maximize } from 'lucide-react'
import { type PointerEvent, type ReactNode, useMemo, useRef, useState } from 'react'
import type { Receipt } from '../../../contracts/tools/receipt.ts'
import { Button } from '../../../kit/ui/controls/button.tsx'
import { SelectField } from '../../../kit/ui/controls/field.tsx'
import { Axis } from '../../../kit/ui/figures/axis.tsx'
import { FigureFrame } from '../../../kit/ui/figures/figure-frame.tsx'
import { nearestDot, PointedRing, PointerTip, pointerPosition } from '../../../kit/ui/figures/figure-pointer.tsx'
import { fittingLabels } from '../../../kit/ui/figures/fitting-labels.ts'
import { labelWidth } from '../../../kit/ui/figures/text-width.ts'
import { useWidth } from '../../../kit/ui/figures/use-width.ts'
import { RoleNote, useRegionLabel, useRoleStyle, useSequenceLabel } from '../../../kit/ui/gene/sequence-name.tsx'
import { useText } from '../../../kit/ui/language.tsx'
import { call } from '../../../kit/ui/request.ts'
import type { ScanSource } from '../addresses.ts'
import { getSegment, type ScanView } from '../endpoints.ts'
import messages from '../messages.ts'
import type { AssociationHit } from '../tool.ts'
import { pText, sourceInput } from './parts.tsx'

const left = 54
const right = 12
const top = 12
const bottom = 40
const wholeHeight = 330
const halfHeight = 220
/** Between the halves of two scans. */
const middleGap = 26
/** Neighbouring sequences are told apart by two tones; what passes the threshold has a colour of its own. */
const tones = ['#2f7d6b', '#8a9aa8'] as const
const hitColour = '#d55e00'
/** So near to a dot a pointer means it. */
export const reachPx = 9
/** So few points are drawn larger. */
const sparse = 800
/** Loci that are named by their best candidate gene, where there is room. */
const maxNamed = 20
const namePx = 12
/** Sequences shorter than this share of the genome without a test are left out of the axis. */
const minShare = 0.002

export interface Segment {
  sequence: string
  start: number
  end: number
}

interface Half {
  view: ScanView
  source: ScanSource
  title: string
}

interface Dot {
  x: number
  y: number
  sequence: string
  position: number
  logP: number
  half: number
}

const useSegment = (source: ScanSource | null, zoom: Segment | null) =>
  useQuery({
    queryKey: ['gwas-segment', JSON.stringify(source), JSON.stringify(zoom)],
    enabled: source !== null && zoom !== null,
    queryFn: (context) => call(getSegment, { ...sourceInput(source!), ...zoom! }, context),
    staleTime: 10 * 60_000,
    retry: false,
  })

/** A scan over the genome, or two of them back to back; dragging across it shows a segment finer, a click opens a place. */
export const ManhattanFigure = ({
  controls,
  halves,
  zoom,
  onZoom,
  onPick,
  receipt,
  name,
}: {
  /** Beside the choice of what is shown. */
  controls?: ReactNode
  halves: Half[]
  zoom: Segment | null
  onZoom: (interval: Segment | null) => void
  onPick: (sequence: string, position: number) => void
  receipt?: Receipt | undefined
  name: string
}): ReactNode => {
  const t = useText(messages)
  const styleOf = useRoleStyle()
  const labelOf = useSequenceLabel()
  const regionOf = useRegionLabel()
  const { assembly } = halves[0]!.view
  const [root, width] = useWidth<HTMLDivElement>()
  const [hover, setHover] = useState<Dot | null>(null)
  const drag = useRef<number | null>(null)
  const [marked, setMarked] = useState<[number, number] | null>(null)
  const segments = [useSegment(halves[0]?.source ?? null, zoom), useSegment(halves[1]?.source ?? null, zoom)]
  const finer = segments.map(({ data }) => data)

  const axis = useMemo(() => {
    const { sequences } = halves[0]!.view
    const total = sequences.reduce((sum, { lengthBp }) => sum + lengthBp, 0)
    const used = new Set<number>()
    for (const { view } of halves) {
      for (let at = 0; at < view.scan.points.length; at += 3) used.add(view.scan.points[at]!)
      for (let at = 0; at < view.scan.runs.length; at += 4) used.add(view.scan.runs[at]!)
    }
    let offset = 0
    const shown = sequences.flatMap((sequence, number) => {
      if (zoom === null ? !used.has(number) && sequence.lengthBp < minShare * total : sequence.name !== zoom.sequence)
        return []
      const from = zoom?.start ?? 1
      const to = Math.min(zoom?.end ?? sequence.lengthBp, sequence.lengthBp)
      const one = { ...sequence, number, offset, from, to }
      offset += to - from + 1
      return [one]
    })
    return {
      shown,
      lengthBp: Math.max(1, offset),
      byNumber: new Map(shown.map((one, order) => [one.number, { ...one, order }])),
    }
  }, [halves, zoom])

  const height = halves.length > 1 ? halfHeight : wholeHeight
  const allHeight = top + bottom + (halves.length > 1 ? 2 * height + middleGap : height)
  const inner = Math.max(60, width - left - right)
  const drawn = useMemo(() => {
    const px = (order: { offset: number; from: number }, position: number): number =>
      left + ((order.offset + position - order.from + 0.5) / axis.lengthBp) * inner
    return halves.map(({ view }, half) => {
      const interval = finer[half]
      const { scan } = zoom !== null && interval !== undefined ? interval : view
      const line = view.threshold === null ? null : -Math.log10(view.threshold)
      let max = Math.max(4, line ?? 0)
      for (let at = 2; at < scan.points.length; at += 3) max = Math.max(max, scan.points[at]!)
      const base = half === 0 ? top + height : top + height + middleGap
      // Room for the name of a gene above the best dot.
      const y = scaleLinear([0, max * 1.1], half === 0 ? [base, top] : [base, base + height])
      const paths: [string[], string[], string[]] = [[], [], []]
      const dots: Dot[] = []
      const origin = zoom !== null && interval !== undefined ? zoom.start - 1 : 0
      for (let at = 0; at < scan.runs.length; at += 4) {
        const on = axis.byNumber.get(scan.runs[at]!)
        if (on === undefined) continue
        const position = origin + (scan.runs[at + 1]! + 0.5) * scan.binBp
        if (position < on.from || position > on.to) continue
        const x = px(on, position).toFixed(1)
        const from = y(scan.runs[at + 2]! * scan.cell + scan.cell / 2)
        const to = y((scan.runs[at + 3]! + 0.5) * scan.cell)
        paths[on.order % 2]!.push(`M${x},${from.toFixed(1)}V${(to === from ? to + 0.1 : to).toFixed(1)}`)
      }
      for (let at = 0; at < scan.points.length; at += 3) {
        const on = axis.byNumber.get(scan.points[at]!)
        const [position, logP] = [scan.points[at + 1]!, scan.points[at + 2]!]
        if (on === undefined || position < on.from || position > on.to) continue
        const [x, py] = [px(on, position), y(logP)]
        dots.push({ x, y: py, sequence: on.name, position, logP, half })
        paths[line !== null && logP >= line ? 2 : on.order % 2]!.push(`M${x.toFixed(1)},${py.toFixed(1)}h.01`)
      }
      const names: { key: string; text: string; symbol: boolean; x: number; y: number }[] = []
      const taken: { x0: number; x1: number; y: number }[] = []
      for (const { lead, genes } of view.loci.slice(0, maxNamed)) {
        const gene = genes[0]
        const on = axis.shown.find((one) => one.name === lead.sequence)
        if (gene === undefined || on === undefined || lead.position < on.from || lead.position > on.to) continue
        const text = gene.symbol ?? gene.id
        const wide = labelWidth(text, namePx) / 2
        const x = Math.min(left + inner - wide, Math.max(left + wide, px(on, lead.position)))
        const at = y(lead.logP) + (half === 0 ? -8 : 17)
        if (taken.some((one) => one.x0 < x + wide + 4 && one.x1 > x - wide - 4 && Math.abs(one.y - at) < namePx + 2))
          continue
        taken.push({ x0: x - wide, x1: x + wide, y: at })
        names.push({
          key: `${lead.sequence} ${lead.position} ${lead.id}`,
          text,
          symbol: gene.symbol !== null,
          x,
          y: at,
        })
      }
      return { y, base, line, paths, dots, names }
    })
  }, [halves, finer[0], finer[1], zoom, axis, inner, height])

  const ends = top + (halves.length > 1 ? 2 * height + middleGap : height)
  const placed = axis.shown.map((one) => {
    const [from, to] = [one.offset, one.offset + one.to - one.from + 1].map((at) => left + (at / axis.lengthBp) * inner)
    return { ...one, text: one.name, at: (from! + to!) / 2, x0: from!, x1: to! }
  })
  const fitting = fittingLabels(placed, 11, 0, width)
  const labels = placed.map((one, at) => ({ ...one, fits: fitting[at] }))
  /** The one sequence that is shown, which has positions below it in place of its name. */
  const alone = labels.length === 1 ? labels[0]! : null
  const placeAt = (x: number): { sequence: string; position: number } | null => {
    const one = labels.find(({ x0, x1 }) => x >= x0 && x <= x1)
    if (one === undefined) return null
    const share = (x - one.x0) / Math.max(1e-9, one.x1 - one.x0)
    return { sequence: one.name, position: Math.round(one.from + share * (one.to - one.from)) }
  }
  const nearest = (x: number, y: number): Dot | null =>
    nearestDot(
      drawn.flatMap(({ dots }) => nearestDot(dots, x, y, reachPx) ?? []),
      x,
      y,
      reachPx,
    )
  const finish = (event: PointerEvent<SVGSVGElement>): void => {
    const [x, y] = pointerPosition(event)
    const from = drag.current
    drag.current = null
    setMarked(null)
    if (from === null) return
    if (Math.abs(x - from) < 6) {
      const dot = nearest(x, y)
      if (dot !== null) onPick(dot.sequence, dot.position)
      return
    }
    const first = placeAt(Math.max(left, Math.min(from, x)))
    const last = placeAt(Math.min(left + inner, Math.max(from, x)))
    if (first === null || last === null) return
    // Over several sequences the one that most of the mark lies on is shown.
    if (first.sequence === last.sequence)
      onZoom({ sequence: first.sequence, start: first.position, end: Math.max(last.position, first.position + 10) })
    else {
      const middle = placeAt((from + x) / 2)
      const one = axis.shown.find((sequence) => sequence.name === middle?.sequence)
      if (one !== undefined) onZoom({ sequence: one.name, start: one.from, end: one.to })
    }
  }
  const { view } = halves[0]!
  const pending = zoom !== null && segments.some(({ isFetching }) => isFetching)
  const failed = segments.find(({ isError }) => isError)?.error
  const rows: AssociationHit[] = halves.flatMap((half) => half.view.hits)
  return (
    <FigureFrame
      title={halves.length > 1 ? t('miami.title') : t('manhattan.title')}
      aside={zoom === null ? t('manhattan.tests', { count: view.trait.count }) : regionOf(assembly, zoom)}
      name={name}
      {...(receipt === undefined ? {} : { receipt })}
      method={t(view.trait.complete ? 'manhattan.method' : 'manhattan.methodHits')}
      numbers={{
        rows,
        rowKey: (row) => `${row.trait} ${row.id} ${row.sequence} ${row.position}`,
        columns: [
          { key: 'trait', title: t('column.trait'), value: ({ trait }) => trait, hidden: halves.length < 2 },
          {
            key: 'sequence',
            title: t('column.sequence'),
            kind: 'id',
            value: ({ sequence }) => sequence,
            on: ({ sequence }) => ({ assembly, sequence }),
          },
          { key: 'position', title: t('column.position'), kind: 'number', value: ({ position }) => position },
          { key: 'id', title: t('column.variant'), kind: 'id', value: ({ id }) => id },
          { key: 'logP', title: t('column.logP'), kind: 'number', digits: 2, value: ({ logP }) => logP },
        ],
      }}
    >
      <div className="nv-figure-bar">
        <SelectField
          label={t('manhattan.sequence')}
          value={zoom?.sequence ?? ''}
          onChoose={(sequence) => {
            const one = view.sequences.find(({ name: own }) => own === sequence)
            onZoom(one === undefined ? null : { sequence: one.name, start: 1, end: one.lengthBp })
          }}
          options={[
            { value: '', label: t('manhattan.whole') },
            ...view.sequences.slice(0, 300).map(({ name: own }) => ({ value: own, label: labelOf(assembly, own) })),
          ]}
        />
        {controls}
        {zoom === null ? (
          <span className="nv-quiet">{t('manhattan.hint')}</span>
        ) : (
          <Button size="small" look="quiet" icon={<Maximize size={14} aria-hidden />} onClick={() => onZoom(null)}>
            {t('manhattan.all')}
          </Button>
        )}
        {pending ? <span className="nv-quiet">{t('manhattan.reading')}</span> : null}
        {failed === null || failed === undefined ? null : <span className="nv-warn">{failed.message}</span>}
      </div>
      <RoleNote sequences={labels.map(({ name: sequence }) => ({ assembly, sequence }))} />
      <div ref={root} className="gwas-figure">
        <svg
          data-figure
          width={width}
          height={allHeight}
          viewBox={`0 0 ${width} ${allHeight}`}
          role="img"
          aria-label={t('manhattan.label', {
            trait: halves.map(({ title }) => title).join(' / '),
            best:
              view.trait.best === null
                ? '–'
                : regionOf(assembly, { sequence: view.trait.best.sequence, start: view.trait.best.position }),
          })}
          className="gwas-plot"
          onPointerDown={(event) => {
            drag.current = pointerPosition(event)[0]
            event.currentTarget.setPointerCapture(event.pointerId)
          }}
          onPointerMove={(event) => {
            const [x, y] = pointerPosition(event)
            if (drag.current !== null && Math.abs(x - drag.current) >= 6) setMarked([drag.current, x])
            else setHover(nearest(x, y))
          }}
          onPointerUp={finish}
          onPointerLeave={() => {
            if (drag.current === null) setHover(null)
          }}
        >
          {labels.map((one, order) => (
            <g key={one.name}>
              {order % 2 === 1 && zoom === null ? (
                <rect
                  x={one.x0}
                  y={top}
                  width={Math.max(0, one.x1 - one.x0)}
                  height={ends - top}
                  fill="var(--figure-grid)"
                  fillOpacity={0.35}
                />
              ) : null}
              {one.fits && alone === null ? (
                <text
                  x={one.at}
                  y={ends + 16}
                  textAnchor="middle"
                  fontSize={11}
                  fontStyle={styleOf(assembly, one.name)}
                  fill="var(--figure-axis)"
                >
                  {one.name}
                </text>
              ) : null}
            </g>
          ))}
          {alone === null ? null : (
            <Axis
              side="bottom"
              scale={scaleLinear([alone.from, alone.to], [alone.x0, alone.x1])}
              at={ends}
              positions
              name={(unit) => t('axis.position', { sequence: labelOf(assembly, alone.name), unit })}
            />
          )}
          {drawn.map(({ y, base, line, paths, dots, names }, half) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the first and the second half.
            <g key={half}>
              <Axis side="left" scale={y} at={left} grid={left + inner} />
              <line x1={left} x2={left + inner} y1={base} y2={base} stroke="var(--figure-axis)" />
              {paths.map((path, kind) => (
                <path
                  // biome-ignore lint/suspicious/noArrayIndexKey: two tones and the hits.
                  key={kind}
                  d={path.join('')}
                  stroke={kind === 2 ? hitColour : tones[kind]!}
                  strokeWidth={(dots.length < sparse ? 2 : 0) + (kind === 2 ? 4.4 : 3.4)}
                  strokeLinecap="round"
                  fill="none"
                />
              ))}
              {line === null ? null : (
                <line
                  x1={left}
                  x2={left + inner}
                  y1={y(line)}
                  y2={y(line)}
                  stroke={hitColour}
                  strokeDasharray="5 4"
                  strokeOpacity={0.8}
                />
              )}
              {names.map((one) => (
                <text
                  key={one.key}
                  x={one.x}
                  y={one.y}
                  textAnchor="middle"
                  fontSize={namePx}
                  fontStyle={one.symbol ? 'italic' : undefined}
                  fill="var(--figure-ink)"
                >
                  {one.text}
                </text>
              ))}
              {halves.length > 1 ? (
                <text
                  x={left + 6}
                  y={half === 0 ? top + 12 : base + height - 6}
                  fontSize={12}
                  fontWeight={600}
                  fill="var(--figure-ink)"
                >
                  {halves[half]!.title}
                </text>
              ) : null}
            </g>
          ))}
          <text
            transform={`translate(14,${(top + ends) / 2}) rotate(-90)`}
            textAnchor="middle"
            fontSize={12}
            fill="var(--figure-ink)"
          >
            {t('axis.logP')}
          </text>
          {alone === null ? (
            <text x={left + inner / 2} y={allHeight - 6} textAnchor="middle" fontSize={12} fill="var(--figure-ink)">
              {t('axis.genome')}
            </text>
          ) : null}
          {marked === null ? null : (
            <rect
              data-screen-only
              x={Math.min(...marked)}
              y={top}
              width={Math.abs(marked[1] - marked[0])}
              height={ends - top}
              fill="var(--primary)"
              fillOpacity={0.15}
            />
          )}
          {hover === null ? null : <PointedRing at={hover} />}
        </svg>
        {hover === null ? null : (
          <PointerTip at={hover} width={width}>
            <strong>{regionOf(assembly, { sequence: hover.sequence, start: hover.position })}</strong>
            <br />
            {`P = ${pText(hover.logP)}`}
          </PointerTip>
        )}
      </div>
    </FigureFrame>
  )
}
