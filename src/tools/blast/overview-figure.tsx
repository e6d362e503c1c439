import { scaleLinear } from 'd3'
import { type ReactNode, useState } from 'react'
import type { Receipt } from '../../contracts/receipt.ts'
import { Button } from '../../kit/ui/button.tsx'
import { FigureFrame } from '../../kit/ui/figure-frame.tsx'
import { useFormat, useText } from '../../kit/ui/language.tsx'
import type { HitAnswer, OverviewAnswer } from './hit-answers.ts'
import messages from './messages.ts'
import { scoreColour } from './score-colours.ts'
import { ScoreLegend } from './score-legend.tsx'
import { renderBitScore, renderEvalue } from './tabular.ts'
import { useWidth } from './use-width.ts'

const left = 190
const right = 20
const top = 54
const rowHeight = 15
const firstRows = 40

/** Hits along the query, one line a subject, bars coloured by score; a click opens the alignments. */
export const OverviewFigure = ({
  overview,
  queryLength,
  protein,
  receipt,
  name,
  onHit,
}: {
  overview: OverviewAnswer
  queryLength: number
  protein: boolean
  receipt: Receipt
  name: string
  onHit: (rank: number) => void
}): ReactNode => {
  const [box, width] = useWidth()
  const t = useText(messages)
  const format = useFormat()
  const [all, setAll] = useState(false)
  const hits = all ? overview.hits : overview.hits.slice(0, firstRows)
  const x = scaleLinear([1, Math.max(2, queryLength)], [left, width - right])
  const height = top + hits.length * rowHeight + 26
  const drawn = t('overview.drawn', { drawn: hits.length, total: overview.total })
  return (
    <FigureFrame
      title={t('overview.title')}
      aside={hits.length < overview.total ? drawn : undefined}
      method={t('overview.method')}
      receipt={receipt}
      name={`${name}-overview`}
      actions={
        overview.hits.length > firstRows ? (
          <Button size="small" look="quiet" onClick={() => setAll(!all)}>
            {t('overview.drawn', { drawn: all ? firstRows : overview.hits.length, total: overview.total })}
          </Button>
        ) : undefined
      }
      numbers={{
        columns: [
          { key: 'subject', title: t('column.subject'), kind: 'id', value: (row: Bar) => row.hit.subject },
          { key: 'assembly', title: t('column.assembly'), value: (row: Bar) => row.hit.assembly },
          { key: 'hsp', title: t('numbers.hsp'), kind: 'number', value: (row: Bar) => row.number },
          { key: 'from', title: t('column.queryStart'), kind: 'number', value: (row: Bar) => row.place[0] },
          { key: 'to', title: t('column.queryEnd'), kind: 'number', value: (row: Bar) => row.place[1] },
          { key: 'bits', title: t('column.bitScore'), kind: 'number', digits: 1, value: (row: Bar) => row.place[4] },
          {
            key: 'identity',
            title: t('column.identity'),
            kind: 'number',
            digits: 3,
            value: (row: Bar) => row.place[5],
          },
        ],
        rows: hits.flatMap((hit) => hit.hsps.map((place, at) => ({ hit, place, number: at + 1 }))),
        rowKey: (row) => `${row.hit.rank}.${row.number}`,
      }}
    >
      <div className="blast-scroll" ref={box}>
        <svg data-figure viewBox={`0 0 ${width} ${height}`} className="blast-figure" aria-label={t('overview.title')}>
          <ScoreLegend x={left} y={2} title={t('overview.score')} />
          <g className="nv-axis">
            {x.ticks(8).map((tick) => (
              <g key={tick} transform={`translate(${x(tick)} 0)`}>
                <line y1={top - 8} y2={height - 22} className="blast-grid" />
                <text y={top - 13} textAnchor="middle">
                  {format.number(tick)}
                </text>
              </g>
            ))}
            <text x={width - right} y={height - 6} textAnchor="end">
              {t('overview.axis', { unit: t(protein ? 'unit.residues' : 'unit.bases') })}
            </text>
            <line x1={left} x2={width - right} y1={top - 6} y2={top - 6} className="blast-axis" />
          </g>
          {hits.map((hit, at) => {
            const y = top + at * rowHeight
            const starts = hit.hsps.map((place) => Math.min(place[0], place[1]))
            const ends = hit.hsps.map((place) => Math.max(place[0], place[1]))
            const label = hit.symbol ?? hit.subject
            return (
              // biome-ignore lint/a11y/useSemanticElements: a button element cannot stand in a drawing.
              <g
                key={hit.rank}
                role="button"
                tabIndex={0}
                className="blast-row"
                aria-label={`${hit.subject} ${hit.assembly ?? ''} E=${renderEvalue(hit.evalue)}`}
                onClick={() => onHit(hit.rank)}
                onKeyDown={(event) => {
                  if (event.key === 'Enter' || event.key === ' ') {
                    event.preventDefault()
                    onHit(hit.rank)
                  }
                }}
              >
                <title>
                  {`${hit.subject}${hit.assembly === null ? '' : ` · ${hit.assembly}`}\n${hit.title}\n${renderBitScore(hit.bitScore)} bits, E = ${renderEvalue(hit.evalue)}, ${hit.identityPercent} %, ${hit.queryCoveragePercent} %`}
                </title>
                <rect
                  x={0}
                  y={y - 1}
                  width={width}
                  height={rowHeight - 1}
                  className="blast-row-ground"
                  data-screen-only
                />
                <text x={left - 10} y={y + 9} textAnchor="end" className="blast-row-label">
                  {`${label.length > 18 ? `${label.slice(0, 17)}…` : label}${hit.assembly === null ? '' : ` · ${hit.assembly.length > 14 ? `${hit.assembly.slice(0, 13)}…` : hit.assembly}`}`}
                </text>
                <line
                  x1={x(Math.min(...starts))}
                  x2={x(Math.max(...ends))}
                  y1={y + 5}
                  y2={y + 5}
                  className="blast-axis"
                />
                {hit.hsps
                  .map((place, number) => ({ place, number }))
                  .reverse()
                  .map(({ place, number }) => (
                    <rect
                      key={number}
                      x={x(Math.min(place[0], place[1]))}
                      width={Math.max(1.5, x(Math.max(place[0], place[1])) - x(Math.min(place[0], place[1])))}
                      y={y}
                      height={10}
                      rx={1.5}
                      fill={scoreColour(place[4])}
                      className="blast-bar"
                    />
                  ))}
              </g>
            )
          })}
        </svg>
      </div>
    </FigureFrame>
  )
}

interface Bar {
  hit: HitAnswer
  place: HitAnswer['hsps'][number]
  number: number
}
