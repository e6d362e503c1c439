import { scaleLinear } from 'd3'
import type { ReactNode } from 'react'
import type { Receipt } from '../../contracts/receipt.ts'
import { FigureFrame } from '../../kit/ui/figure-frame.tsx'
import { useFormat, useText } from '../../kit/ui/language.tsx'
import type { HitAnswer, OverviewAnswer } from './hit-answers.ts'
import messages from './messages.ts'
import { scoreColour } from './score-colours.ts'
import { ScoreLegend } from './score-legend.tsx'
import { renderBitScore } from './tabular.ts'
import { useWidth } from './use-width.ts'

const left = 130
const right = 30
const top = 50
const rowHeight = 26
/** A gene on a chromosome is less than a pixel; its mark must still be seen. */
const leastMark = 5

interface Mark {
  hit: HitAnswer
  place: HitAnswer['hsps'][number]
  number: number
}

/** Hits of one assembly at their places on its sequences; sequences without a hit are drawn too, the longest first as loaded. */
export const ChromosomeFigure = ({
  assembly,
  hits,
  receipt,
  name,
  onHit,
}: {
  assembly: OverviewAnswer['assemblies'][number]
  hits: HitAnswer[]
  receipt: Receipt
  name: string
  onHit: (rank: number) => void
}): ReactNode => {
  const [box, width] = useWidth()
  const t = useText(messages)
  const format = useFormat()
  const mine = hits.filter((hit) => hit.assembly === assembly.assembly && hit.kind === 'genome')
  const sequences = [
    ...assembly.sequences,
    // A small scaffold may not be in the assembly's summary, but was hit.
    ...mine
      .filter((hit) => !assembly.sequences.some((sequence) => sequence.name === hit.subject))
      .map((hit) => ({ name: hit.subject, lengthBp: hit.subjectLength })),
  ]
  const longest = Math.max(1, ...sequences.map((sequence) => sequence.lengthBp))
  const x = scaleLinear([0, longest / 1e6], [left, width - right])
  const height = top + sequences.length * rowHeight + 16
  const marks: Mark[] = mine.flatMap((hit) => hit.hsps.map((place, at) => ({ hit, place, number: at + 1 })))
  return (
    <FigureFrame
      title={t('map.title', { assembly: assembly.assembly })}
      method={t('map.method')}
      receipt={receipt}
      name={`${name}-${assembly.assembly}-chromosomes`}
      numbers={{
        columns: [
          { key: 'sequence', title: t('column.subject'), kind: 'id', value: (row: Mark) => row.hit.subject },
          { key: 'hsp', title: t('numbers.hsp'), kind: 'number', value: (row: Mark) => row.number },
          { key: 'from', title: t('column.subjectStart'), kind: 'number', value: (row: Mark) => row.place[2] },
          { key: 'to', title: t('column.subjectEnd'), kind: 'number', value: (row: Mark) => row.place[3] },
          { key: 'bits', title: t('column.bitScore'), kind: 'number', digits: 1, value: (row: Mark) => row.place[4] },
          {
            key: 'identity',
            title: t('column.identity'),
            kind: 'number',
            digits: 3,
            value: (row: Mark) => row.place[5],
          },
        ],
        rows: marks,
        rowKey: (row) => `${row.hit.rank}.${row.number}`,
      }}
    >
      <div className="blast-scroll" ref={box}>
        <svg
          data-figure
          viewBox={`0 0 ${width} ${height}`}
          className="blast-figure"
          aria-label={t('map.title', { assembly: assembly.assembly })}
        >
          <ScoreLegend x={left} y={2} title={t('overview.score')} />
          <g className="nv-axis">
            {x.ticks(8).map((tick) => (
              <g key={tick} transform={`translate(${x(tick)} 0)`}>
                <line y1={top - 12} y2={height - 10} className="blast-grid" />
                <text y={top - 16} textAnchor="middle">
                  {format.number(tick, 3)}
                </text>
              </g>
            ))}
            <text x={left - 8} y={top - 16} textAnchor="end">
              {t('map.axis')}
            </text>
          </g>
          {sequences.map((sequence, at) => {
            const y = top + at * rowHeight + 8
            return (
              <g key={sequence.name}>
                <text x={left - 8} y={y + 4} textAnchor="end" className="blast-row-label">
                  {sequence.name.length > 16 ? `${sequence.name.slice(0, 15)}…` : sequence.name}
                </text>
                <rect
                  x={left}
                  width={Math.max(1, x(sequence.lengthBp / 1e6) - left)}
                  y={y - 2}
                  height={4}
                  rx={2}
                  className="blast-chromosome"
                />
                {marks
                  .filter((mark) => mark.hit.subject === sequence.name)
                  .reverse()
                  .map((mark) => {
                    const { place, hit } = mark
                    const minus = place[2] > place[3] || (hit.hsps.length === 1 && hit.strand === '-')
                    const from = x(Math.min(place[2], place[3]) / 1e6)
                    const to = x(Math.max(place[2], place[3]) / 1e6)
                    return (
                      // biome-ignore lint/a11y/useSemanticElements: a button element cannot stand in a drawing.
                      <rect
                        key={`${hit.rank}.${mark.number}`}
                        role="button"
                        tabIndex={0}
                        aria-label={`${hit.subject}:${place[2]}-${place[3]}`}
                        x={Math.min(from, (from + to) / 2 - leastMark / 2)}
                        width={Math.max(leastMark, to - from)}
                        y={minus ? y + 2 : y - 12}
                        height={10}
                        fill={scoreColour(place[4])}
                        className="blast-bar blast-mark"
                        onClick={() => onHit(hit.rank)}
                        onKeyDown={(event) => {
                          if (event.key === 'Enter' || event.key === ' ') {
                            event.preventDefault()
                            onHit(hit.rank)
                          }
                        }}
                      >
                        <title>{`${format.region(hit.subject, Math.min(place[2], place[3]), Math.max(place[2], place[3]), minus ? '-' : '+')}\n${renderBitScore(place[4])} bits, ${place[5]} %`}</title>
                      </rect>
                    )
                  })}
              </g>
            )
          })}
        </svg>
      </div>
    </FigureFrame>
  )
}
