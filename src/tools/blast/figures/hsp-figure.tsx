import { type ScaleLinear, scaleLinear } from 'd3'
import { type PointerEvent, type ReactNode, useRef, useState } from 'react'
import type { Receipt } from '../../../contracts/tools/receipt.ts'
import { Button } from '../../../kit/ui/controls/button.tsx'
import { Axis } from '../../../kit/ui/figures/axis.tsx'
import { FigureFrame } from '../../../kit/ui/figures/figure-frame.tsx'
import { useWidth } from '../../../kit/ui/figures/use-width.ts'
import { useSequenceLabel } from '../../../kit/ui/gene/sequence-name.tsx'
import { useAssemblyNames } from '../../../kit/ui/gene/species-names.tsx'
import { useFormat, useText } from '../../../kit/ui/language.tsx'
import type { HitAnswer } from '../endpoints.ts'
import { rangeNumbers, rangesOf } from '../hits/hsp-ranges.ts'
import { renderBitScore } from '../hits/tabular.ts'
import messages from '../messages.ts'
import { narrowestPx, sequenceOf } from './figure-parts.tsx'
import { scoreColour } from './score-colours.ts'
import { ScoreLegend } from './score-legend.tsx'

const side = 24
const queryY = 78
const subjectY = 232
const height = 282

type Range = [number, number]
type Side = 'query' | 'subject'

/** What of the subject is shown at first: the HSPs with a margin, for a gene on a whole chromosome would be a dot. */
const firstRange = (hit: HitAnswer): Range => {
  const indexes = hit.hsps.flatMap((range) => [range[2], range[3]])
  const [from, to] = [Math.min(...indexes), Math.max(...indexes)]
  const margin = Math.max(20, Math.round((to - from) * 0.08))
  return [Math.max(1, from - margin), Math.min(hit.subjectLength, to + margin)]
}

/** Query above, subject below, a ribbon for each HSP; each axis zooms by dragging over it. */
export const HspFigure = ({
  hit,
  queryLength,
  queryName,
  receipt,
  name,
}: {
  hit: HitAnswer
  queryLength: number
  queryName: string
  receipt: Receipt
  name: string
}): ReactNode => {
  const [box, given] = useWidth<HTMLDivElement>()
  const width = Math.max(narrowestPx, given)
  const t = useText(messages)
  const nameOf = useAssemblyNames()
  const format = useFormat()
  const labelOf = useSequenceLabel()
  const named = sequenceOf(hit)
  const subjectLabel = labelOf(named?.assembly ?? null, hit.subject)
  const title = t('hsps.title', { subject: subjectLabel })
  const whole = { query: [1, Math.max(2, queryLength)] as Range, subject: firstRange(hit) }
  const [ranges, setRanges] = useState<{ query: Range; subject: Range }>(whole)
  const [drag, setDrag] = useState<{ axis: Side; from: number; to: number } | null>(null)
  const svg = useRef<SVGSVGElement>(null)
  const scales: Record<Side, ScaleLinear<number, number>> = {
    query: scaleLinear(ranges.query, [side, width - side]),
    subject: scaleLinear(ranges.subject, [side, width - side]),
  }
  const zoomed = ranges.query.join() !== whole.query.join() || ranges.subject.join() !== whole.subject.join()

  const at = (event: PointerEvent): number => {
    const frame = svg.current!.getBoundingClientRect()
    return Math.min(width - side, Math.max(side, ((event.clientX - frame.left) / frame.width) * width))
  }
  const drop = (): void => {
    if (drag !== null && Math.abs(drag.to - drag.from) > 6) {
      const [a, b] = [scales[drag.axis].invert(drag.from), scales[drag.axis].invert(drag.to)]
      const [from, to] = [Math.round(Math.min(a, b)), Math.round(Math.max(a, b))]
      if (to - from >= 4) setRanges({ ...ranges, [drag.axis]: [from, to] })
    }
    setDrag(null)
  }
  const axis = (which: Side, y: number, above: boolean): ReactNode => (
    <g transform={`translate(0 ${y})`}>
      <Axis side={above ? 'top' : 'bottom'} scale={scales[which]} at={0} within={[0, width]} whole />
      {/* biome-ignore lint/a11y/noStaticElementInteractions: zoom by dragging; the numbers behind the figure need no pointer. */}
      <rect
        data-screen-only
        x={side}
        width={width - side * 2}
        y={above ? -24 : -2}
        height={26}
        className="blast-brush-ground"
        onPointerDown={(event) => {
          event.currentTarget.setPointerCapture(event.pointerId)
          setDrag({ axis: which, from: at(event), to: at(event) })
        }}
        onPointerMove={(event) => drag !== null && setDrag({ ...drag, to: at(event) })}
        onPointerUp={drop}
        onPointerCancel={() => setDrag(null)}
        onDoubleClick={() => setRanges({ ...ranges, [which]: whole[which] })}
      />
      {drag?.axis === which ? (
        <rect
          data-screen-only
          x={Math.min(drag.from, drag.to)}
          width={Math.abs(drag.to - drag.from)}
          y={above ? -24 : -2}
          height={26}
          className="blast-brush"
        />
      ) : null}
    </g>
  )
  return (
    <FigureFrame
      title={title}
      aside={
        hit.hspCount > hit.hsps.length ? t('hsps.drawn', { drawn: hit.hsps.length, total: hit.hspCount }) : undefined
      }
      method={t('hsps.method')}
      receipt={receipt}
      name={`${name}-hsps`}
      actions={
        zoomed ? (
          <Button size="small" look="quiet" onClick={() => setRanges(whole)}>
            {t('hsps.reset')}
          </Button>
        ) : undefined
      }
      numbers={rangeNumbers(rangesOf([hit]), ['query', 'range', 'bits'], t, nameOf)}
    >
      <div className="blast-scroll" ref={box}>
        <svg
          ref={svg}
          data-figure
          viewBox={`0 0 ${width} ${height}`}
          className="blast-figure"
          role="img"
          aria-label={title}
        >
          <ScoreLegend x={side} y={2} title={t('overview.score')} />
          <clipPath id="blast-hsp-clip">
            <rect x={side} y={queryY} width={width - side * 2} height={subjectY - queryY} />
          </clipPath>
          <text x={side} y={queryY - 30} className="blast-row-label">
            {`${t('hsps.query')}: ${queryName}`}
          </text>
          <text x={side} y={subjectY + 36} className="blast-row-label">
            {`${t('hsps.subject')}: ${subjectLabel}${hit.assembly === null ? '' : ` · ${nameOf(hit.assembly)}`}`}
          </text>
          <g clipPath="url(#blast-hsp-clip)">
            {hit.hsps
              .map((range, number) => ({ range, number }))
              .reverse()
              .map(({ range, number }) => (
                <polygon
                  key={number}
                  points={[
                    [scales.query(range[0]), queryY],
                    [scales.query(range[1]), queryY],
                    [scales.subject(range[3]), subjectY],
                    [scales.subject(range[2]), subjectY],
                  ]
                    .map((point) => point.map((value) => value.toFixed(1)).join(','))
                    .join(' ')}
                  fill={scoreColour(range[4])}
                  className="blast-ribbon"
                >
                  <title>{`HSP ${number + 1}: ${format.number(range[0])}–${format.number(range[1])} / ${format.number(range[2])}–${format.number(range[3])}, ${renderBitScore(range[4])} bits, ${range[5]} %`}</title>
                </polygon>
              ))}
          </g>
          {axis('query', queryY, true)}
          {axis('subject', subjectY, false)}
        </svg>
      </div>
    </FigureFrame>
  )
}
