import { scaleLinear } from 'd3'
import type { ReactNode } from 'react'
import type { Receipt } from '../../contracts/tools/receipt.ts'
import { Axis } from '../../kit/ui/figures/axis.tsx'
import { FigureFrame } from '../../kit/ui/figures/figure-frame.tsx'
import { Legend } from '../../kit/ui/figures/legend.tsx'
import { noMark } from '../../kit/ui/figures/mark-shapes.ts'
import { labelWidth } from '../../kit/ui/figures/text-width.ts'
import { useWidth } from '../../kit/ui/figures/use-width.ts'
import { useFormat, useText } from '../../kit/ui/language.tsx'
import messages from './messages.ts'
import type { MotifResult } from './tool.ts'

const rowHeight = 24
/** Capitals, of which words of bases are, are a quarter wider than letters are on average: 12 px. */
const namePx = (name: string): number => labelWidth(name, 15)
const headHeight = 26
/** Okabe and Ito's blue and vermilion: the genes asked for, and those that they are compared with. */
const [setColour, backgroundColour] = ['#0072b2', '#d55e00'] as const
const maxRows = 20

/** Of a motif that was given as a word of bases, the word is its name. */
export const isConsensusWord = (name: string): boolean => /^[ACGTRYSWKMBDHVN]{5,}$/.test(name)

/** Name by which a motif is known to people; that of a word is the one it was given, since the word stands with its logo. */
export const motifLabel = ({ id, name }: Pick<MotifResult, 'id' | 'name'>): string =>
  name === null || name === id || isConsensusWord(name) ? id : `${id} (${name})`

/** The motifs that tell the set from the background most, with the share of promoters that have a site in each. */
export const EnrichmentFigure = ({
  motifs,
  backgroundCount,
  receipt,
}: {
  motifs: MotifResult[]
  backgroundCount: number
  receipt: Receipt
}): ReactNode => {
  const t = useText(messages)
  const format = useFormat()
  const [root, width] = useWidth<HTMLDivElement>()
  const tested = motifs
    .filter((motif) => motif.enrichment !== null)
    .sort((a, b) => a.enrichment!.pValue - b.enrichment!.pValue)
  const rows = tested.filter(({ enrichment }) => enrichment!.set.found > 0).slice(0, maxRows)
  if (rows.length === 0) return null
  const share = ({ found, all }: { found: number; all: number }): number => (all === 0 ? 0 : found / all)
  const max = Math.max(
    0.01,
    ...rows.flatMap(({ enrichment }) => [share(enrichment!.set), share(enrichment!.background)]),
  )
  const longest = Math.max(...rows.map((row) => namePx(motifLabel(row))))
  // A word of bases is its own name: half of it names nothing. Names beyond half of the figure are ended there.
  const left = Math.min(width * 0.5, Math.max(70, longest + 16))
  const right = 86
  const inner = Math.max(60, width - left - right)
  const scale = scaleLinear([0, 100 * max], [left, left + inner]).nice()
  const x = (value: number): number => scale(100 * value)
  const height = headHeight + rows.length * rowHeight + 40
  const percent = (value: number): string => `${format.number(value * 100, 1)} %`
  return (
    <FigureFrame
      title={t('enriched.title')}
      aside={t('enriched.aside', { set: rows[0]!.enrichment!.set.all, background: backgroundCount })}
      name="motif-enrichment"
      receipt={receipt}
      method={t('enriched.method')}
      numbers={{
        rows: tested,
        rowKey: ({ id }) => id,
        columns: [
          { key: 'motif', title: t('column.motif'), kind: 'id', value: ({ id }) => id },
          { key: 'name', title: t('column.name'), value: ({ name }) => name },
          { key: 'set', title: t('column.set'), kind: 'number', value: ({ enrichment }) => enrichment!.set.found },
          {
            key: 'background',
            title: t('column.background'),
            kind: 'number',
            value: ({ enrichment }) => enrichment!.background.found,
          },
          {
            key: 'setShare',
            title: t('column.setShare'),
            kind: 'number',
            value: ({ enrichment }) => 100 * share(enrichment!.set),
          },
          {
            key: 'backgroundShare',
            title: t('column.backgroundShare'),
            kind: 'number',
            value: ({ enrichment }) => 100 * share(enrichment!.background),
          },
          { key: 'p', title: t('column.hyper'), kind: 'pValue', value: ({ enrichment }) => enrichment!.pValue },
          {
            key: 'adjusted',
            title: t('column.hyperAdjusted'),
            kind: 'pValue',
            value: ({ enrichment }) => enrichment!.adjustedPValue,
          },
        ],
      }}
    >
      <div ref={root} className="motif-figure">
        <svg
          data-figure
          width={width}
          height={height}
          viewBox={`0 0 ${width} ${height}`}
          role="img"
          aria-label={t('enriched.title')}
        >
          <title>{t('enriched.title')}</title>
          <Legend
            entries={[
              { key: 'set', label: t('enriched.set'), colour: setColour, mark: 0 },
              { key: 'background', label: t('enriched.background'), colour: backgroundColour, mark: noMark },
            ]}
            x={left}
            y={2}
            width={inner}
          />
          <text className="motif-head" x={left + inner + 8} y={12} dominantBaseline="central">
            {t('column.hyperAdjusted')}
          </text>
          <Axis side="bottom" scale={scale} at={height - 38} grid={headHeight} name={`${t('enriched.axis')} (%)`} />
          {rows.map((motif, row) => {
            const { set, background, adjustedPValue } = motif.enrichment!
            const y = headHeight + rowHeight * (row + 0.5)
            const label = motifLabel(motif)
            const room = Math.max(6, Math.floor((label.length * (left - 8)) / namePx(label)))
            const pValue = format.pValue(adjustedPValue)
            return (
              <g key={motif.id} className="motif-row">
                <title>
                  {t('enriched.row', {
                    motif: label,
                    set: percent(share(set)),
                    background: percent(share(background)),
                    pValue,
                  })}
                </title>
                <text x={left - 8} y={y} textAnchor="end" dominantBaseline="central">
                  {label.length > room ? `${label.slice(0, room - 1)}…` : label}
                </text>
                <line className="motif-between" x1={x(share(background))} x2={x(share(set))} y1={y} y2={y} />
                <circle
                  className="motif-background"
                  stroke={backgroundColour}
                  cx={x(share(background))}
                  cy={y}
                  r={4.2}
                />
                <circle fill={setColour} cx={x(share(set))} cy={y} r={5} />
                <text x={left + inner + 8} y={y} dominantBaseline="central">
                  {pValue}
                </text>
              </g>
            )
          })}
        </svg>
      </div>
    </FigureFrame>
  )
}
