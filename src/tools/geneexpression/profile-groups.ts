import type { ProfileScale } from '../../bio/expression/expression-profile.ts'
import { describeGroup, type GroupFigures } from '../../bio/expression/expression-statistics.ts'
import type { ExpressionDataset } from '../../contracts/expression.ts'
import { valuesOf } from '../../kit/ui/expression/expression-scale.ts'
import type { GeneRow } from './tool.ts'

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
  { factor, split, scale }: { factor: string | null; split: string | null; scale: ProfileScale },
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
