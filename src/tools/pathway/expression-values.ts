import { comparableValue, type ExpressionUnit, isLogarithmic } from '../../bio/expression/expression-statistics.ts'
import { PortalError } from '../../contracts/errors.ts'
import type { LocalizedText } from '../../contracts/text.ts'
import { openExpression, readContrast } from '../../kit/data/expression-data.ts'
import type { PortalData } from '../../kit/data/portal-data.ts'
import type { ExpressionValues } from './endpoints.ts'

/** Numbers as they are shown and sent: enough for a colour and a table. */
const rounded = (value: number): number => Number(value.toPrecision(6))

/** A text in English, or as it is in both languages. */
const englishOf = (text: LocalizedText | null): string => (typeof text === 'string' ? text : (text?.en ?? ''))

/** Genes at once of a matrix whose rows are read: a pathway may hold all of a genome. */
const rowsAtOnce = 2000

/**
 * Values of genes to colour a pathway by: the log2 fold changes of a loaded comparison, or how far the mean of a group of samples lies
 * above that of all others, on the scale of log2(x + 1) (counts per million) where values are no logarithms. Genes without a value
 * have none, and so have those that are 0 in every sample, which are told apart from genes that do not change. Rejects with NOT_FOUND
 * where there is no such data set, comparison or group.
 */
export const readExpressionValues = async (
  data: PortalData,
  assembly: string,
  genes: readonly string[],
  { dataset: asked, contrast, level }: { dataset: string; contrast: string; level: string },
): Promise<ExpressionValues> => {
  const { dataset, rows, openValues } = await openExpression(data, assembly, asked)
  const unit = dataset.unit as ExpressionUnit
  const groups = dataset.samples.map(({ id, factors }) =>
    dataset.group === null ? id : (factors[dataset.group] ?? ''),
  )
  if (contrast !== '' && !dataset.contrasts.some(({ id }) => id === contrast))
    throw new PortalError('NOT_FOUND', {
      message: 'problem.unknownContrast',
      params: { contrast, dataset: dataset.id },
    })
  if (contrast === '' && !groups.includes(level))
    throw new PortalError('NOT_FOUND', { message: 'problem.unknownLevel', params: { level, dataset: dataset.id } })
  const found = genes.filter((gene) => rows.has(gene))
  const uncounted: string[] = []
  const differences: ExpressionValues['values'] = []
  const matrix = await openValues()
  try {
    for (let from = 0; from < found.length; from += rowsAtOnce) {
      const part = found.slice(from, from + rowsAtOnce)
      for (const [at, row] of (await matrix.readRows(part.map((gene) => rows.get(gene)!))).entries()) {
        const sums = [0, 0]
        const counts = [0, 0]
        let isCounted = isLogarithmic(unit)
        for (const [sample, group] of groups.entries()) {
          const value = comparableValue(row[sample]!, unit, dataset.samples[sample]!.sum)
          if (Number.isNaN(value)) continue
          if (row[sample]! !== 0) isCounted = true
          const side = group === level ? 0 : 1
          sums[side]! += value
          counts[side]! += 1
        }
        if (!isCounted && counts[0]! + counts[1]! > 0) uncounted.push(part[at]!)
        else if (counts[0]! > 0 && counts[1]! > 0)
          differences.push({ gene: part[at]!, value: rounded(sums[0]! / counts[0]! - sums[1]! / counts[1]!) })
      }
    }
  } finally {
    await matrix.close()
  }
  const without = new Set(uncounted)
  const changes = async (): Promise<ExpressionValues['values']> => {
    const table = await readContrast(data, assembly, dataset.id, contrast)
    const indexes = new Map(table.genes.map((gene, at) => [gene, at]))
    return genes.flatMap((gene) => {
      const value = table.rows[indexes.get(gene) ?? -1]?.[0] ?? Number.NaN
      return Number.isFinite(value) && !without.has(gene) ? [{ gene, value: rounded(value) }] : []
    })
  }
  return {
    dataset: dataset.id,
    simulated: dataset.simulated,
    values: contrast === '' ? differences : await changes(),
    uncounted,
    counted: dataset.sites !== null || /insertion/i.test(englishOf(dataset.measure)) ? 'insertions' : 'reads',
  }
}
