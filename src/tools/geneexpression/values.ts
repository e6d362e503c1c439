import { scaleProfile } from '../../bio/expression/expression-profile.ts'
import { describeGroup, type GroupFigures, isLogarithmic } from '../../bio/expression/expression-statistics.ts'
import type { ExpressionDataset } from '../../contracts/expression.ts'
import type { ExpressionResult, GeneRow, Scale } from './tool.ts'

export type Expression = NonNullable<ExpressionResult['expression']>

/** Samples of a result, in its order. */
export const samplesOf = (dataset: ExpressionDataset, { samples }: Pick<Expression, 'samples'>) =>
  samples.map((at) => dataset.samples[at]!)

/** Values of a gene on a scale; NaN where there is none. */
export const valuesOf = (
  gene: Pick<GeneRow, 'values'>,
  dataset: ExpressionDataset,
  samples: ExpressionDataset['samples'],
  scale: Scale,
): Float64Array =>
  scaleProfile(
    gene.values.map((value) => value ?? Number.NaN),
    dataset.unit,
    samples.map(({ sum }) => sum),
    scale,
  )

/** What a value on a scale is called, for axes: counts are shown as counts per million. */
export const unitOnScale = (unit: string, scale: Exclude<Scale, 'zscore'>, name: (unit: string) => string): string => {
  const shown = unit === 'counts' ? 'CPM' : name(unit)
  return scale === 'loaded' || isLogarithmic(unit as 'log2') ? shown : `log2(${shown} + 1)`
}

/** Levels that are all numbers, such as times, stand to scale. */
export const asNumbers = (levels: readonly string[]): number[] | null => {
  const numbers = levels.map((level) => (level.trim() === '' ? Number.NaN : Number(level.replace(/[^\d.eE+-]+$/, ''))))
  return levels.length > 1 && numbers.every((value) => Number.isFinite(value)) ? numbers : null
}

export interface ProfileGroup {
  gene: string
  symbol: string | null
  /** Value of the second factor; empty without one. */
  split: string
  level: string
  samples: string[]
  values: number[]
  figures: GroupFigures
}

/** Values of genes gathered by a factor (by single samples where it is null), and within a second factor. */
export const groupProfiles = (
  genes: readonly GeneRow[],
  dataset: ExpressionDataset,
  samples: ExpressionDataset['samples'],
  { factor, split, scale }: { factor: string | null; split: string | null; scale: Scale },
): { levels: string[]; splits: string[]; groups: ProfileGroup[] } => {
  const levelOf = (sample: ExpressionDataset['samples'][number], name: string | null): string =>
    name === null ? sample.label : (sample.factors[name] ?? '')
  const named = samples.map((sample) => levelOf(sample, factor))
  let levels = [...new Set(named)]
  // Samples without a time have no place in a course.
  const timed = levels.filter((level) => level.trim() !== '')
  const numbers = asNumbers(timed)
  if (numbers !== null) {
    levels = timed
    const value = new Map(levels.map((level, at) => [level, numbers[at]!]))
    levels.sort((a, b) => value.get(a)! - value.get(b)!)
  }
  const divided = samples.map((sample) => (split === null ? '' : levelOf(sample, split)))
  const splits = [...new Set(divided)]
  const groups: ProfileGroup[] = []
  for (const gene of genes) {
    const values = valuesOf(gene, dataset, samples, scale)
    for (const part of splits)
      for (const level of levels) {
        const indexes = [...samples.keys()].filter(
          (at) => named[at] === level && divided[at] === part && !Number.isNaN(values[at]!),
        )
        const figures = describeGroup(indexes.map((at) => values[at]!))
        if (figures === null) continue
        groups.push({
          gene: gene.id,
          symbol: gene.symbol,
          split: part,
          level,
          samples: indexes.map((at) => samples[at]!.label),
          values: indexes.map((at) => values[at]!),
          figures,
        })
      }
  }
  return { levels, splits, groups }
}
