import { scaleLinear } from 'd3'
import type { ReactNode } from 'react'
import type { Gene } from '../../contracts/genes.ts'
import { ButtonLink } from '../../kit/ui/controls/button.tsx'
import { FoldActions } from '../../kit/ui/controls/folding-card.tsx'
import { Axis } from '../../kit/ui/figures/axis.tsx'
import { FigureFrame } from '../../kit/ui/figures/figure-frame.tsx'
import { useWidth } from '../../kit/ui/figures/use-width.ts'
import { defineGenePanel, type GeneGist } from '../../kit/ui/gene/define-gene-panel.ts'
import { useSequenceLabel } from '../../kit/ui/gene/sequence-name.tsx'
import { useFormat, useText } from '../../kit/ui/language.tsx'
import { countWindows, joinWindows, middleOf, useOverview } from './map-parts.ts'
import messages from './messages.ts'
import tool from './tool.ts'
import './screen.css'

const height = 78
const barTop = 26
const barHeight = 30

const Panel = ({ gene }: { gene: Gene }): ReactNode => {
  const t = useText(messages)
  const format = useFormat()
  const sequenceLabel = useSequenceLabel()(gene.assembly, gene.sequence)
  const overview = useOverview(gene.assembly)
  const [root, width] = useWidth<HTMLDivElement>()
  const sequence = overview?.sequences.find(({ name }) => name === gene.sequence)
  const address = new URLSearchParams({ assembly: gene.assembly, genes: gene.id, run: '1' })
  const name = gene.symbol ?? gene.id
  const windows = countWindows(overview, [gene.sequence])
  const inner = width - 16
  const x = (position: number): number => 8 + (position / (sequence?.lengthBp ?? 1)) * inner
  const counts = joinWindows(windows?.of.get(gene.sequence) ?? [], inner)
  const stepPx =
    sequence === undefined || windows === null ? 0 : ((windows.windowBp * counts.joined) / sequence.lengthBp) * inner
  const max = Math.max(1, ...counts.counts)
  return (
    <>
      {sequence === undefined || windows === null ? null : (
        <>
          <p>
            {t('panel.lead', {
              name,
              sequence: sequenceLabel,
              position: format.basePairs(gene.start),
              length: format.basePairs(sequence.lengthBp),
              share: format.percent(gene.start / sequence.lengthBp),
              strand: gene.strand === '-' ? 'minus' : gene.strand === '+' ? 'plus' : 'other',
            })}
          </p>
          <FigureFrame
            title={t('panel.figure', { sequence: sequenceLabel, name })}
            name={`${gene.id}-place`}
            method={t('panel.method', { window: format.basePairs(windows.windowBp * counts.joined) })}
          >
            <div ref={root} className="map-figure">
              <svg
                data-figure
                width={width}
                height={height}
                role="img"
                aria-label={t('panel.figure', { sequence: sequenceLabel, name })}
              >
                <rect
                  x={8}
                  y={barTop}
                  width={inner}
                  height={barHeight}
                  rx={6}
                  fill="var(--figure-grid)"
                  stroke="var(--figure-axis)"
                />
                {counts.counts.map((count, at) => (
                  <rect
                    // biome-ignore lint/suspicious/noArrayIndexKey: windows keep their places.
                    key={at}
                    x={8 + at * stepPx}
                    width={Math.max(0.5, Math.min(stepPx, inner - at * stepPx))}
                    y={barTop + barHeight * (1 - count / max)}
                    height={(barHeight * count) / max}
                    fill="var(--figure-axis)"
                    fillOpacity={0.55}
                  />
                ))}
                <path
                  d={`M${x(middleOf(gene)) - 5},${barTop - 9}h10l-5,8Z M${x(gene.start)},${barTop}H${Math.max(x(gene.start) + 2, x(gene.end))}V${barTop + barHeight}H${x(gene.start)}Z`}
                  fill="var(--gene-fill)"
                />
                <text
                  x={Math.min(width - 60, Math.max(60, x(middleOf(gene))))}
                  y={12}
                  textAnchor="middle"
                  fontSize={12}
                  fontStyle={gene.symbol === null ? 'normal' : 'italic'}
                  fill="var(--figure-ink)"
                >
                  {name}
                </text>
                <Axis
                  side="bottom"
                  scale={scaleLinear([0, sequence.lengthBp], [8, 8 + inner])}
                  at={barTop + barHeight + 4}
                  within={[0, width]}
                  positions
                />
              </svg>
            </div>
          </FigureFrame>
        </>
      )}
      <FoldActions>
        <ButtonLink size="small" look="quiet" to={`${tool.route}?${address}`}>
          {t('panel.open')}
        </ButtonLink>
      </FoldActions>
    </>
  )
}

const useGist = (gene: Gene): GeneGist | undefined => {
  const format = useFormat()
  const label = useSequenceLabel()(gene.assembly, gene.sequence)
  const sequence = useOverview(gene.assembly)?.sequences.find(({ name }) => name === gene.sequence)
  return sequence === undefined
    ? undefined
    : { text: `${label}, ${format.basePairs(gene.start)} / ${format.basePairs(sequence.lengthBp)}` }
}

export default defineGenePanel({
  id: tool.id,
  messages,
  needs: 'genes',
  section: { topic: 'genome', order: 20, heightPx: 230, useGist, Panel },
})
