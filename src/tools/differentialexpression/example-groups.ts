import type { ExpressionDataset } from '../../contracts/expression.ts'
import { minReplicates } from './tool.ts'

/**
 * Two levels of a factor with replicates each, samples that differ in nothing else but further replicates being kept together: the
 * first two such levels of the factor that the data set is grouped by, else of any other. Null where there are none.
 */
export const exampleGroups = (
  dataset: Pick<ExpressionDataset, 'factors' | 'samples' | 'group'>,
): { test: string[]; reference: string[] } | null => {
  const names = dataset.factors.map(({ name }) => name)
  const first = names.filter((name) => name === dataset.group)
  for (const name of [...first, ...names.filter((one) => one !== dataset.group)]) {
    const of = new Map<string, string[]>()
    for (const { id, factors } of dataset.samples) {
      const level = factors[name] ?? ''
      if (level !== '') of.set(level, [...(of.get(level) ?? []), id])
    }
    const groups = [...of.values()].filter((ids) => ids.length >= minReplicates)
    const [a, b] = groups
    if (a !== undefined && b !== undefined) return { test: a, reference: b }
  }
  return null
}
