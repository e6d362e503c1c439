import { z } from 'zod'
import type { Tail } from '../../bio/population/sweep-regions.ts'
import { quantile } from '../../bio/statistics/quantile.ts'

export const statistics = ['fst', 'hudson', 'dxy', 'pi', 'piRatio', 'tajimaD', 'xpclr', 'other'] as const
export type Statistic = (typeof statistics)[number]

/** What is known of one value that every window has. */
export const seriesSchema = z.object({
  /** Name of its column in files and addresses. */
  key: z.string(),
  statistic: z.enum(statistics),
  /** How the loaded file calls it; null of what was computed here. */
  label: z.string().nullable(),
  populations: z.array(z.string()),
  /** Windows that have a value. */
  windows: z.number(),
  mean: z.number().nullable(),
  median: z.number().nullable(),
  min: z.number().nullable(),
  max: z.number().nullable(),
})
export type Series = z.infer<typeof seriesSchema>

/** Where a sweep shows: differentiation and likelihood ratios are high there, diversity and Tajima's D low. */
export const usualTail = (statistic: Statistic): Tail =>
  statistic === 'pi' || statistic === 'tajimaD' ? 'low' : 'high'

/** A series with its figures. `values` NaN where a window has none. */
export const describeSeries = (
  about: Pick<Series, 'key' | 'statistic' | 'label' | 'populations'>,
  values: Float64Array,
): Series => {
  const sorted = values.filter((value) => !Number.isNaN(value)).sort()
  const count = sorted.length
  const round = (value: number): number => Number(value.toPrecision(6))
  let sum = 0
  for (const value of sorted) sum += value
  return {
    ...about,
    windows: count,
    mean: count === 0 ? null : round(sum / count),
    median: count === 0 ? null : round(quantile(sorted, 0.5)),
    min: count === 0 ? null : round(sorted[0]!),
    max: count === 0 ? null : round(sorted[count - 1]!),
  }
}
