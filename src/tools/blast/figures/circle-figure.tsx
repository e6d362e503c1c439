import { arc, ribbon as d3Ribbon, scaleLinear } from 'd3'
import type { ReactNode } from 'react'
import type { Receipt } from '../../../contracts/tools/receipt.ts'
import { FigureFrame } from '../../../kit/ui/figures/figure-frame.tsx'
import { viridis } from '../../../kit/ui/figures/palette.ts'
import { RoleNote, useRegionLabel, useRoleStyle } from '../../../kit/ui/gene/sequence-name.tsx'
import { useAssemblyNames } from '../../../kit/ui/gene/species-names.tsx'
import { useFormat, useText } from '../../../kit/ui/language.tsx'
import type { HitAnswer } from '../endpoints.ts'
import { rangeNumbers, rangesOf } from '../hits/hsp-ranges.ts'
import messages from '../messages.ts'
import { hitLabels, sequenceOf, shortName } from './figure-parts.tsx'

const size = 620
const outer = 232
const inner = 216
const gap = 0.035
/** Subjects around the query; more arcs cannot be labelled. */
const max = 16
/** Letters that a name has room for beside the circle. */
const labelLetters = 28

/** Identities below this are all drawn as it: nearly nothing is found below 25 %. */
const lowestIdentity = 25
const identityColour = (percent: number): string =>
  viridis(0.95 - (0.65 * (percent - lowestIdentity)) / (100 - lowestIdentity))

/** The query and its best subjects on a circle, ribbons between the places of each HSP. */
export const CircleFigure = ({
  hits,
  total,
  queryLength,
  queryName,
  receipt,
  name,
}: {
  hits: HitAnswer[]
  total: number
  queryLength: number
  queryName: string
  receipt: Receipt
  name: string
}): ReactNode => {
  const t = useText(messages)
  const nameOf = useAssemblyNames()
  const format = useFormat()
  const regionOf = useRegionLabel()
  const styleOf = useRoleStyle()
  const shown = hits.slice(0, max)
  const labels = hitLabels(shown, nameOf, labelLetters)
  // The query takes the right half, the subjects share the left one equally.
  const query = scaleLinear([1, Math.max(2, queryLength)], [gap, Math.PI - gap])
  const share = Math.PI / Math.max(1, shown.length)
  const subjects = shown.map((hit, at) => {
    const positions = hit.hsps.flatMap((range) => [range[2], range[3]])
    const [from, to] = [Math.min(...positions), Math.max(...positions)]
    const start = 2 * Math.PI - at * share - gap / 2
    const end = 2 * Math.PI - (at + 1) * share + gap / 2
    return { hit, from, to, start, end, scale: scaleLinear([from, Math.max(from + 1, to)], [end, start]) }
  })
  const draw = arc<{ startAngle: number; endAngle: number }>().innerRadius(inner).outerRadius(outer)
  const join = d3Ribbon<unknown, { source: End; target: End }, End>()
    .radius(inner - 3)
    .source((chord) => chord.source)
    .target((chord) => chord.target)
    .startAngle((end) => end.startAngle)
    .endAngle((end) => end.endAngle)
  const ends = (a: number, b: number): End => ({ startAngle: Math.min(a, b), endAngle: Math.max(a, b) + 0.002 })
  return (
    <FigureFrame
      title={t('circle.title')}
      aside={shown.length < total ? t('overview.drawn', { drawn: shown.length, total }) : undefined}
      method={t('circle.method')}
      receipt={receipt}
      name={`${name}-circle`}
      numbers={rangeNumbers(rangesOf(shown), ['subject', 'assembly', 'query', 'range'], t, nameOf)}
    >
      <RoleNote sequences={shown.flatMap((hit) => sequenceOf(hit) ?? [])} />
      <div className="blast-scroll">
        <svg
          data-figure
          viewBox={`${-size * 0.68} ${-size / 2 + 40} ${size * 1.36} ${size - 40}`}
          className="blast-circle"
          role="img"
          aria-label={t('circle.title')}
        >
          {subjects.flatMap(({ hit, scale }) =>
            hit.hsps
              .map((range, number) => ({ range, number }))
              .reverse()
              .map(({ range, number }) => (
                <path
                  key={`${hit.rank}.${number}`}
                  d={
                    join({
                      source: ends(query(range[0]), query(range[1])),
                      target: ends(scale(range[2]), scale(range[3])),
                    }) as unknown as string
                  }
                  fill={identityColour(range[5])}
                  className="blast-ribbon"
                >
                  <title>{`${hit.subject} ${format.number(range[2])}–${format.number(range[3])}: ${range[5]} %`}</title>
                </path>
              )),
          )}
          <path d={draw({ startAngle: gap, endAngle: Math.PI - gap }) ?? ''} className="blast-query-arc" />
          {query.ticks(6).map((tick) => {
            const angle = query(tick) - Math.PI / 2
            return (
              <g key={tick} className="nv-axis">
                <line
                  x1={Math.cos(angle) * outer}
                  y1={Math.sin(angle) * outer}
                  x2={Math.cos(angle) * (outer + 5)}
                  y2={Math.sin(angle) * (outer + 5)}
                  className="blast-axis"
                />
                <text x={Math.cos(angle) * (outer + 10)} y={Math.sin(angle) * (outer + 10) + 4}>
                  {format.number(tick)}
                </text>
              </g>
            )
          })}
          <text x={outer + 70} y={4} className="blast-row-label">
            {shortName(queryName, 16)}
          </text>
          {subjects.map(({ hit, from, to, start, end }, at) => {
            const angle = (start + end) / 2 - Math.PI / 2
            return (
              <g key={hit.rank}>
                <path d={draw({ startAngle: end, endAngle: start }) ?? ''} className="blast-subject-arc">
                  <title>{`${regionOf(sequenceOf(hit)?.assembly ?? null, { sequence: hit.subject, start: from, end: to })} ${hit.assembly === null ? '' : nameOf(hit.assembly)}`}</title>
                </path>
                <text
                  x={Math.cos(angle) * (outer + 8)}
                  y={Math.sin(angle) * (outer + 8) + 4}
                  textAnchor="end"
                  className="blast-row-label"
                  fontStyle={styleOf(sequenceOf(hit)?.assembly ?? null, hit.subject)}
                >
                  {labels[at]}
                </text>
              </g>
            )
          })}
          <g transform={`translate(${-size * 0.66} ${size / 2 - 30})`} className="blast-legend">
            <text y={-6}>{t('column.identity')}</text>
            {[25, 40, 55, 70, 85, 100].map((percent, at) => (
              <g key={percent} transform={`translate(${at * 42} 0)`}>
                <rect width={42} height={10} fill={identityColour(percent)} />
                <text x={21} y={23} textAnchor="middle">
                  {percent === 25 ? '≤ 25' : percent}
                </text>
              </g>
            ))}
          </g>
        </svg>
      </div>
    </FigureFrame>
  )
}

interface End {
  startAngle: number
  endAngle: number
}
