import { scaleLinear } from 'd3'
import type { ReactNode } from 'react'
import { Axis } from '../../../kit/ui/figures/axis.tsx'
import { decimalsFor } from '../../../kit/ui/figures/decimals.ts'
import type { LegendEntry } from '../../../kit/ui/figures/legend.tsx'
import { viridis } from '../../../kit/ui/figures/palette.ts'
import { useFormat } from '../../../kit/ui/language.tsx'
import type { HaplotypesResult } from '../tool.ts'

type Phenotype = NonNullable<HaplotypesResult['phenotype']>

/** More points than this in a row hide one another: those beyond the whiskers alone are drawn. */
const maxPoints = 300
const [boxPx, lettersPx, sidePx] = [10, 34, 10]

/** Values of the accessions all of whose copies are a haplotype, by its place. */
export const valuesByHaplotype = (found: HaplotypesResult): Map<number, { id: string; value: number }[]> => {
  const values = new Map<number, { id: string; value: number }[]>()
  for (const { id, haplotypes: own, value } of found.accessions) {
    const first = own[0]
    if (value === null || first === undefined || own.some((one) => one !== first)) continue
    const list = values.get(first)
    if (list === undefined) values.set(first, [{ id, value }])
    else list.push({ id, value })
  }
  return values
}

/** Levels run from dark to light, so that an order of them is seen. */
const levelColour = (at: number, count: number): string => viridis(count < 2 ? 0.5 : 0.15 + (0.75 * at) / (count - 1))

export const levelLegend = (levels: readonly string[]): LegendEntry[] =>
  levels.map((level, at) => ({ key: `level-${level}`, label: level, colour: levelColour(at, levels.length) }))

/** The trait beside the rows of a figure of haplotypes: a box with points, or shares of levels, and letters of what differs. */
export const TraitColumn = ({
  found,
  phenotype,
  rows,
  left,
  width,
  top,
  rowPx,
  axisName,
}: {
  found: HaplotypesResult
  phenotype: Phenotype
  /** Haplotypes drawn, by their places. */
  rows: readonly number[]
  left: number
  width: number
  /** Of the first row. */
  top: number
  rowPx: number
  axisName: string
}): ReactNode => {
  const format = useFormat()
  const values = valuesByHaplotype(found)
  const bottom = top + rows.length * rowPx
  const right = left + width - lettersPx
  const groupOf = new Map(phenotype.groups.map((group) => [group.haplotype, group]))
  const middle = (at: number): number => top + (at + 0.5) * rowPx
  const letters = rows.map((rank, at) => {
    const text = groupOf.get(rank)?.letters ?? ''
    return text === '' ? null : (
      <text
        key={rank}
        x={right + 8}
        y={middle(at)}
        dominantBaseline="central"
        fontSize={12}
        fontWeight={600}
        fill="var(--figure-ink)"
      >
        {text}
      </text>
    )
  })
  if (phenotype.method === 'table') {
    const levels = phenotype.levels ?? []
    const x = scaleLinear([0, 1], [left + sidePx, right])
    return (
      <g>
        {rows.map((rank, at) => {
          const counts = groupOf.get(rank)?.levelCounts ?? []
          const total = counts.reduce((sum, one) => sum + one, 0)
          let before = 0
          return counts.map((count, level) => {
            if (count === 0) return null
            const from = x(before / total)
            before += count
            return (
              <rect
                key={levels[level]}
                x={from}
                width={x(before / total) - from}
                y={middle(at) - boxPx / 2}
                height={boxPx}
                fill={levelColour(level, levels.length)}
                stroke="var(--figure-axis)"
                strokeWidth={0.5}
              >
                <title>{`${levels[level]}: ${format.number(count)} / ${format.number(total)}`}</title>
              </rect>
            )
          })
        })}
        <Axis
          side="bottom"
          scale={x}
          at={bottom + 2}
          name={axisName}
          ticks={[0, 0.5, 1]}
          text={(one) => format.percent(one, 0)}
          within={[left, right + lettersPx]}
        />
        {letters}
      </g>
    )
  }
  const all = rows.flatMap((rank) => (values.get(rank) ?? []).map(({ value }) => value))
  if (all.length === 0) return null
  const low = all.reduce((a, b) => Math.min(a, b))
  const high = all.reduce((a, b) => Math.max(a, b))
  const spread = high > low ? high - low : Math.abs(high) || 1
  const digits = decimalsFor(spread)
  const x = scaleLinear([low - 0.03 * spread, high + 0.03 * spread], [left + sidePx, right])
  return (
    <g>
      <Axis side="bottom" scale={x} at={bottom + 2} grid={top} name={axisName} within={[left - 6, right + lettersPx]} />
      {rows.map((rank, at) => {
        const own = values.get(rank) ?? []
        const box = groupOf.get(rank)?.figures
        const y = middle(at)
        const hasBox = box?.lowerQuartile !== undefined
        const drawn =
          own.length <= maxPoints || !hasBox
            ? own
            : own.filter(({ value }) => value < box.lowerWhisker! || value > box.upperWhisker!)
        return (
          <g key={rank}>
            {hasBox ? (
              <g stroke="var(--figure-ink)" strokeWidth={1} fill="none">
                <path
                  d={`M${x(box.lowerWhisker!)},${y}H${x(box.lowerQuartile!)}M${x(box.upperQuartile!)},${y}H${x(box.upperWhisker!)}`}
                />
                <rect
                  x={x(box.lowerQuartile!)}
                  width={Math.max(1, x(box.upperQuartile!) - x(box.lowerQuartile!))}
                  y={y - boxPx / 2}
                  height={boxPx}
                  fill="var(--line)"
                />
                <path d={`M${x(box.median)},${y - boxPx / 2}v${boxPx}`} strokeWidth={2} />
                <title>{`n = ${box.n}; ${format.number(box.mean, digits)} ± ${box.deviation === null ? '–' : format.number(box.deviation, digits)}`}</title>
              </g>
            ) : null}
            {drawn.map(({ id, value }, number) => (
              <circle
                key={id}
                cx={x(value)}
                cy={y + (((number * 0.618) % 1) - 0.5) * (rowPx - 8)}
                r={2}
                fill="var(--figure-ink)"
                fillOpacity={0.55}
              >
                <title>{`${id}: ${format.number(value, digits + 1)}`}</title>
              </circle>
            ))}
          </g>
        )
      })}
      {letters}
    </g>
  )
}
