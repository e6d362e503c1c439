import { scaleLinear } from 'd3'
import type { ReactNode } from 'react'
import type { Receipt } from '../../../contracts/tools/receipt.ts'
import { Axis } from '../../../kit/ui/figures/axis.tsx'
import {
  CategoryTextures,
  categoryEdge,
  categoryFill,
  categoryInk,
  useTextureId,
} from '../../../kit/ui/figures/category-marks.tsx'
import { Drawing } from '../../../kit/ui/figures/drawing.tsx'
import { FigureFrame } from '../../../kit/ui/figures/figure-frame.tsx'
import { Legend, type LegendEntry, legendHeight } from '../../../kit/ui/figures/legend.tsx'
import { labelWidth } from '../../../kit/ui/figures/text-width.ts'
import { useWidth } from '../../../kit/ui/figures/use-width.ts'
import { useFormat, useText } from '../../../kit/ui/language.tsx'
import messages from '../messages.ts'
import type { TraitReport } from '../tool.ts'

const rowHeight = 28
const top = 8
const axisRoom = 40

/** Share of each level in the groups, as bars of a whole. */
export const LevelFigure = ({
  report,
  title,
  receipt,
  name,
}: {
  report: TraitReport
  title: string
  receipt: Receipt
  name: string
}): ReactNode => {
  const t = useText(messages)
  const format = useFormat()
  const [root, width] = useWidth<HTMLDivElement>(560)
  const figure = useTextureId()
  const levels = report.trait.levels ?? []
  const { groups } = report
  const labels = groups.map(
    (group) => `${group.name.length > 24 ? `${group.name.slice(0, 23)}…` : group.name} (${group.count})`,
  )
  const left = Math.min(220, 14 + Math.max(40, ...labels.map((label) => labelWidth(label, 12))))
  const legend: LegendEntry[] = levels.map((level, at) => ({
    key: level,
    label: level,
    colour: categoryFill(figure, at),
  }))
  const x = scaleLinear([0, 100], [left, width - 14])
  const end = top + groups.length * rowHeight
  const height = end + axisRoom + legendHeight(legend, width)
  return (
    <FigureFrame
      title={title}
      name={`${name}-groups`}
      method={t('figure.groupLevelsMethod')}
      receipt={receipt}
      numbers={{
        rows: groups,
        rowKey: (group) => group.name,
        columns: [
          { key: 'name', title: t('column.group'), value: (group) => group.name },
          { key: 'count', title: t('column.n'), kind: 'number', value: (group) => group.count },
          ...levels.map((level, at) => ({
            key: `level${at}`,
            title: level,
            kind: 'number' as const,
            value: (group: TraitReport['groups'][number]) => group.levelCounts?.[at] ?? null,
          })),
        ],
      }}
    >
      <div ref={root}>
        <Drawing width={width} height={height} label={title}>
          <CategoryTextures figure={figure} count={levels.length} />
          <Axis side="bottom" scale={x} at={end} grid={top} ticks={[0, 25, 50, 75, 100]} name={t('figure.share')} />
          {groups.map((group, row) => {
            let before = 0
            return (
              <g key={group.name}>
                <text x={left - 8} y={top + (row + 0.5) * rowHeight} textAnchor="end" dominantBaseline="central">
                  {labels[row]}
                </text>
                {(group.levelCounts ?? []).map((count, at) => {
                  const share = group.count === 0 ? 0 : (100 * count) / group.count
                  const from = before
                  before += share
                  return (
                    <g key={levels[at]}>
                      <rect
                        x={x(from)}
                        width={Math.max(0, x(from + share) - x(from))}
                        y={top + row * rowHeight + 4}
                        height={rowHeight - 8}
                        fill={categoryFill(figure, at)}
                        stroke={categoryEdge}
                        strokeWidth={0.5}
                      >
                        <title>{`${group.name}, ${levels[at]}: ${format.number(count)} (${format.number(share, 1)} %)`}</title>
                      </rect>
                      {x(from + share) - x(from) > 30 ? (
                        <text
                          x={(x(from) + x(from + share)) / 2}
                          y={top + (row + 0.5) * rowHeight}
                          textAnchor="middle"
                          dominantBaseline="central"
                          fontSize={11}
                          style={categoryInk(at)}
                        >
                          {format.number(count)}
                        </text>
                      ) : null}
                    </g>
                  )
                })}
              </g>
            )
          })}
          <Legend entries={legend} width={width} y={end + axisRoom} />
        </Drawing>
      </div>
    </FigureFrame>
  )
}
