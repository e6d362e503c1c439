import type { ExpressionDataset } from '../../contracts/expression.ts'
import { minReplicates } from './tool.ts'

/** Levels that samples are usually compared with. */
const control =
  /^(c(on)?tr(o)?l|control|ck|mock|wt|wild[ _-]?type|un(treated|infected|stressed)|vehicle|dmso|normal|reference|对照.*|野生型)$/i

/**
 * Two levels of a factor with replicates each, samples that differ in nothing else but further replicates being kept together: the
 * first two such levels of the factor that the data set is grouped by, else of any other; the second is what the first is compared with,
 * unless the first is called a control. Null where there are none.
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
    const [a, b] = [...of].filter(([, ids]) => ids.length >= minReplicates)
    if (a === undefined || b === undefined) continue
    const [[, reference], [, test]] = control.test(a[0]) ? [a, b] : [b, a]
    return { test, reference }
  }
  return null
}
