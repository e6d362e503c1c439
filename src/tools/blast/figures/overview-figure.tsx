import { scaleLinear } from 'd3'
import { type ReactNode, useState } from 'react'
import type { Receipt } from '../../../contracts/tools/receipt.ts'
import { Button } from '../../../kit/ui/controls/button.tsx'
import { Axis } from '../../../kit/ui/figures/axis.tsx'
import { FigureFrame } from '../../../kit/ui/figures/figure-frame.tsx'
import { labelWidth } from '../../../kit/ui/figures/text-width.ts'
import { useWidth } from '../../../kit/ui/figures/use-width.ts'
import { useAssemblyNames } from '../../../kit/ui/gene/species-names.tsx'
import { useText } from '../../../kit/ui/language.tsx'
import type { OverviewAnswer } from '../endpoints.ts'
import { rangeNumbers, rangesOf } from '../hits/hsp-ranges.ts'
import { renderBitScore, renderEvalue } from '../hits/tabular.ts'
import messages from '../messages.ts'
import { hitLabels, narrowestPx, pressable } from './figure-parts.tsx'
import { scoreColour } from './score-colours.ts'
import { ScoreLegend, stackedPx } from './score-legend.tsx'

/** Letters of a name, and of one in a narrow window. */
const nameLetters = { wide: 36, narrow: 20 } as const
const fontPx = 12
const right = 20
const topPx = 76
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
  const [box, given] = useWidth<HTMLDivElement>()
  // On a phone all of it is seen at once, with shorter names, and not a part of the bars.
  const isNarrow = given > 0 && given < 480
  const width = isNarrow ? given : Math.max(narrowestPx, given)
  const nameOf = useAssemblyNames()
  const labels = hitLabels(overview.hits, nameOf, isNarrow ? nameLetters.narrow : nameLetters.wide)
  const left = Math.ceil(Math.max(isNarrow ? 60 : 100, ...labels.map((label) => labelWidth(label, fontPx))) + 16)
  const top = topPx + (isNarrow ? stackedPx : 0)
  const t = useText(messages)
  const [all, setAll] = useState(false)
  const hits = all ? overview.hits : overview.hits.slice(0, firstRows)
  const x = scaleLinear([1, Math.max(2, queryLength)], [left, width - right])
  const height = top + hits.length * rowHeight + 8
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
            {t('overview.draw', { count: all ? firstRows : overview.hits.length })}
          </Button>
        ) : undefined
      }
      numbers={rangeNumbers(rangesOf(hits), ['subject', 'assembly', 'query', 'bits'], t, nameOf)}
    >
      <div className="blast-scroll" ref={box}>
        <svg
          data-figure
          viewBox={`0 0 ${width} ${height}`}
          className={isNarrow ? 'blast-figure blast-figure-narrow' : 'blast-figure'}
          aria-label={t('overview.title')}
        >
          <ScoreLegend x={isNarrow ? 2 : left} y={2} title={t('overview.score')} stacked={isNarrow} />
          <Axis
            side="top"
            scale={x}
            at={top - 6}
            grid={height - 8}
            ticks={isNarrow ? x.ticks(3).filter(Number.isInteger) : undefined}
            name={t('overview.axis', { unit: t(protein ? 'unit.residues' : 'unit.bases') })}
            whole
          />
          {hits.map((hit, at) => {
            const y = top + at * rowHeight
            const starts = hit.hsps.map((range) => Math.min(range[0], range[1]))
            const ends = hit.hsps.map((range) => Math.max(range[0], range[1]))
            return (
              <g
                key={hit.rank}
                {...pressable(() => onHit(hit.rank))}
                className="blast-row"
                // What is drawn comes first: whoever speaks to the page says what stands there, which may be cut.
                aria-label={`${labels[at]} · ${hit.subject} ${hit.assembly === null ? '' : nameOf(hit.assembly)} E=${renderEvalue(hit.evalue)}`}
              >
                <title>
                  {`${hit.subject}${hit.assembly === null ? '' : ` · ${nameOf(hit.assembly)}`}\n${hit.title}\n${renderBitScore(hit.bitScore)} bits, E = ${renderEvalue(hit.evalue)}, ${hit.identityPercent}%, ${hit.queryCoveragePercent}%`}
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
                  {labels[at]}
                </text>
                <line
                  x1={x(Math.min(...starts))}
                  x2={x(Math.max(...ends))}
                  y1={y + 5}
                  y2={y + 5}
                  className="blast-axis"
                />
                {hit.hsps
                  .map((range, number) => ({ range, number }))
                  .reverse()
                  .map(({ range, number }) => (
                    <rect
                      key={number}
                      x={x(Math.min(range[0], range[1]))}
                      width={Math.max(1.5, x(Math.max(range[0], range[1])) - x(Math.min(range[0], range[1])))}
                      y={y}
                      height={10}
                      rx={1.5}
                      fill={scoreColour(range[4])}
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
