import { scaleBand, scaleLinear } from 'd3'
import type { ReactNode } from 'react'
import type { Receipt } from '../../contracts/tools/receipt.ts'
import { FigureFrame } from '../../kit/ui/figures/figure-frame.tsx'
import { useWidth } from '../../kit/ui/figures/use-width.ts'
import { useFormat, useText } from '../../kit/ui/language.tsx'
import { Axes, plotOf, wholeTicks } from './chart-parts.tsx'
import { classColour, classesByCount, useClassBounds } from './families.ts'
import messages from './messages.ts'

/** Families by how many assemblies they are in; `marked` is the bar of one family. */
export const FrequencyFigure = ({
  frequencies,
  marked,
  receipt,
  height = 280,
}: {
  frequencies: number[]
  marked?: number
  receipt?: Receipt
  height?: number
}): ReactNode => {
  const t = useText(messages)
  const format = useFormat()
  const [root, width] = useWidth<HTMLDivElement>()
  const [bounds] = useClassBounds()
  const genomes = frequencies.length - 1
  const classes = classesByCount(genomes, bounds)
  const rows = frequencies.map((families, present) => ({ present, families })).slice(1)
  const plot = plotOf(width, height)
  const band = scaleBand(
    rows.map(({ present }) => present),
    [plot.left, plot.width - plot.right],
  ).padding(0.18)
  const y = scaleLinear([0, Math.max(1, ...rows.map(({ families }) => families))], [plot.bottom, plot.top]).nice()
  const middle = (present: number): number => (band(present) ?? 0) + band.bandwidth() / 2
  return (
    <FigureFrame
      title={t('frequency.title')}
      name="family-frequencies"
      receipt={receipt}
      method={t('frequency.method')}
      numbers={{
        rows,
        rowKey: ({ present }) => String(present),
        columns: [
          { key: 'present', title: t('column.present'), kind: 'number', value: ({ present }) => present },
          { key: 'families', title: t('column.families'), kind: 'number', value: ({ families }) => families },
          { key: 'class', title: t('column.class'), value: ({ present }) => t(`class.${classes[present]!}`) },
        ],
      }}
    >
      <div ref={root} className="pan-figure">
        <svg data-figure width={width} height={height} role="img" aria-label={t('frequency.title')}>
          <Axes
            plot={plot}
            x={middle}
            xTicks={wholeTicks(1, genomes, plot.width - plot.left - plot.right)}
            y={y}
            xName={t('frequency.x')}
            yName={t('frequency.y')}
          />
          {rows.map(({ present, families }) => (
            <g key={present} className="pan-bar-of">
              <title>{`${present}: ${format.number(families)} (${t(`class.${classes[present]!}`)})`}</title>
              <rect
                x={band(present)}
                width={band.bandwidth()}
                y={y(families)}
                height={Math.max(0, plot.bottom - y(families))}
                fill={classColour[classes[present]!]}
                stroke={present === marked ? 'var(--figure-ink)' : 'none'}
                strokeWidth={2}
              />
              {band.bandwidth() < 30 ? null : (
                <text
                  x={middle(present)}
                  y={y(families) - 5}
                  textAnchor="middle"
                  fontSize={11}
                  fontWeight={present === marked ? 700 : 400}
                  fill="var(--figure-ink)"
                >
                  {format.number(families)}
                </text>
              )}
            </g>
          ))}
        </svg>
      </div>
    </FigureFrame>
  )
}
