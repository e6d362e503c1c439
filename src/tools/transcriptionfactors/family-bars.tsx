import type { ReactNode } from 'react'
import type { Receipt } from '../../contracts/tools/receipt.ts'
import { ScrollBox } from '../../kit/ui/controls/scroll-box.tsx'
import { FigureFrame } from '../../kit/ui/figures/figure-frame.tsx'
import { useWidth } from '../../kit/ui/figures/use-width.ts'
import { useText } from '../../kit/ui/language.tsx'
import messages from './messages.ts'

const rowHeight = 24
const barHeight = 15
const narrowestPx = 320

/** Genes of each family as bars, most first; a bar opens its family. */
export const FamilyBars = ({
  counts,
  name,
  receipt,
  onOpen,
}: {
  counts: { family: string; count: number }[]
  name: string
  receipt?: Receipt
  onOpen: (family: string) => void
}): ReactNode => {
  const t = useText(messages)
  const [root, given] = useWidth<HTMLElement>()
  const width = Math.max(narrowestPx, given)
  const labelPx = Math.min(200, Math.max(60, ...counts.map(({ family }) => family.length * 7 + 12)))
  const max = Math.max(1, ...counts.map(({ count }) => count))
  return (
    <FigureFrame
      title={t('browse.chart')}
      name={name}
      {...(receipt === undefined ? {} : { receipt })}
      method={t('browse.chartMethod')}
      numbers={{
        rows: counts,
        rowKey: ({ family }) => family,
        columns: [
          { key: 'family', title: t('column.family'), value: ({ family }) => family },
          { key: 'count', title: t('column.count'), kind: 'number', value: ({ count }) => count },
        ],
      }}
    >
      <ScrollBox ref={root} className="tf-figure" label={t('browse.chart')}>
        <svg width={width} height={counts.length * rowHeight + 4}>
          <title>{t('browse.chart')}</title>
          {counts.map(({ family, count }, number) => {
            const y = number * rowHeight + rowHeight / 2
            const size = Math.max(2, (count / max) * (width - labelPx - 48))
            const label = t('browse.open', { count, family })
            return (
              <g key={family}>
                {/* biome-ignore lint/a11y/useSemanticElements: an SVG has no button. */}
                <g
                  role="button"
                  tabIndex={0}
                  aria-label={label}
                  className="tf-bar"
                  onClick={() => onOpen(family)}
                  onKeyDown={(event) => {
                    if (event.key !== 'Enter' && event.key !== ' ') return
                    event.preventDefault()
                    onOpen(family)
                  }}
                >
                  <title>{label}</title>
                  <rect x={0} y={y - rowHeight / 2} width={width} height={rowHeight} fill="transparent" />
                  <text
                    x={labelPx - 8}
                    y={y}
                    textAnchor="end"
                    dominantBaseline="central"
                    fontSize={12}
                    fill="var(--figure-ink)"
                  >
                    {family}
                  </text>
                  <rect
                    className="tf-bar-fill"
                    x={labelPx}
                    y={y - barHeight / 2}
                    width={size}
                    height={barHeight}
                    rx={3}
                    fill="#009e73"
                  />
                </g>
                {/* Beside the button, not in it: the name of a button holds the whole text that it shows. */}
                <text
                  x={labelPx + size + 6}
                  y={y}
                  className="tf-bar-count"
                  dominantBaseline="central"
                  fontSize={12}
                  fill="var(--figure-ink)"
                >
                  {count}
                </text>
              </g>
            )
          })}
        </svg>
      </ScrollBox>
    </FigureFrame>
  )
}
