import { perMillion, profileTau } from '../../bio/expression/expression-profile.ts'
import { isLogarithmic } from '../../bio/expression/expression-statistics.ts'
import { type ExpressionDataset, expressionData } from '../../contracts/expression.ts'
import { listExpression, type OpenExpression, openExpression } from '../../kit/data/expression-data.ts'
import type { PortalData } from '../../kit/data/portal-data.ts'
import { RecentAnswers } from '../../kit/recent-answers.ts'

/** A data set to search by. */
export interface SearchedDataset {
  id: string
  name: ExpressionDataset['name']
  unit: string
  simulated: boolean
  /** Whether tau can be told: values that are no logarithms, in groups. */
  specific: boolean
  /** The factor that samples are grouped by at first, and its values. */
  factor: string | null
  levels: string[]
}

const levelsOf = ({ factors, group }: ExpressionDataset): string[] =>
  factors.find(({ name }) => name === group)?.levels ?? []

/** Data sets of the assemblies by id; of two with one id the first. */
export const listSearchedDatasets = async (
  data: PortalData,
  assemblies: readonly string[],
): Promise<SearchedDataset[]> => {
  const found = new Map<string, SearchedDataset>()
  for (const assembly of assemblies) {
    const { dataTypes } = await data.getAssembly(assembly)
    if ((dataTypes[expressionData] ?? 0) === 0) continue
    for (const one of await listExpression(data, assembly))
      if (!found.has(one.id))
        found.set(one.id, {
          id: one.id,
          name: one.name,
          unit: one.unit === 'counts' ? 'CPM' : one.unit,
          simulated: one.simulated,
          specific: !isLogarithmic(one.unit as 'TPM') && levelsOf(one).length > 1,
          factor: one.group,
          levels: levelsOf(one),
        })
  }
  return [...found.values()]
}

/**
 * One number a gene, in the order of the data set's rows; NaN where there is none. Data in service never change: the last asked for are
 * kept.
 */
const measures = new RecentAnswers<Float32Array>(16)

const measureRows = async (
  { dataset, genes, openValues }: OpenExpression,
  measure: 'mean' | 'tau',
  level: string,
): Promise<Float32Array> => {
  const { group, samples, unit } = dataset
  const groups = samples.map(({ id, factors }) => (group === null ? id : (factors[group] ?? '')))
  const chosen = [...samples.keys()].filter((at) => level === '' || groups[at] === level)
  const sums = samples.map(({ sum }) => sum)
  const found = new Float32Array(genes.length).fill(Number.NaN)
  const matrix = await openValues()
  try {
    for await (const { first, count, cells } of matrix.scan())
      for (let row = 0; row < count; row += 1) {
        const own = cells.subarray(row * samples.length, (row + 1) * samples.length)
        if (measure === 'tau') {
          found[first + row] = profileTau(own, unit, sums, groups) ?? Number.NaN
          continue
        }
        let [sum, present] = [0, 0]
        for (const at of chosen) {
          const value = perMillion(own[at]!, unit, sums[at]!)
          if (Number.isNaN(value)) continue
          sum += value
          present += 1
        }
        if (present > 0) found[first + row] = sum / present
      }
  } finally {
    await matrix.close()
  }
  return found
}

/** A data set's measure of every gene; null where the assembly has no such data set, or that has no such samples. */
export const measureGenes = async (
  data: PortalData,
  assembly: string,
  dataset: string,
  measure: 'mean' | 'tau',
  level: string,
): Promise<{ genes: string[]; values: Float32Array; unit: string; dataset: ExpressionDataset } | null> => {
  const { dataTypes, bundle } = await data.getAssembly(assembly)
  if ((dataTypes[expressionData] ?? 0) === 0) return null
  const all = await listExpression(data, assembly)
  const one = dataset === '' ? all[0] : all.find(({ id }) => id === dataset)
  if (one === undefined || (level !== '' && !levelsOf(one).includes(level))) return null
  const open = await openExpression(data, assembly, one.id)
  const key = JSON.stringify([bundle, one.id, measure, level])
  const values = await measures.get(key, () => measureRows(open, measure, level))
  return { genes: open.genes, values, unit: one.unit === 'counts' ? 'CPM' : one.unit, dataset: one }
}
