import { perMillion, profileTau } from '../../bio/expression/expression-profile.ts'
import { isLogarithmic } from '../../bio/expression/expression-statistics.ts'
import { differentialData, type ExpressionDataset, expressionData } from '../../contracts/expression.ts'
import { listExpression, type OpenExpression, openExpression, readContrast } from '../../kit/data/expression-data.ts'
import type { PortalData } from '../../kit/data/portal-data.ts'
import { RecentAnswers } from '../../kit/recent-answers.ts'
import type { Change, ExpressionMeasure, FoundGene } from './tool.ts'

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
  comparisons: { id: string; name: ExpressionDataset['name'] }[]
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
          comparisons: one.contrasts.map(({ id, name }) => ({ id, name })),
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

/** What a table of a comparison says of each gene, by id; the tables of bundles in service never change. */
const tables = new RecentAnswers<ReadonlyMap<string, Change>>(8)

const readChanges = (
  data: PortalData,
  assembly: string,
  bundle: string,
  dataset: string,
  contrast: string,
): Promise<ReadonlyMap<string, Change>> =>
  tables.get(JSON.stringify([bundle, dataset, contrast]), async () => {
    const { genes, rows } = await readContrast(data, assembly, dataset, contrast)
    return new Map(
      genes.map((gene, at) => {
        const [log2FoldChange, pValue, adjustedPValue] = Array.from(rows[at]!, (value) =>
          Number.isFinite(value) ? value : null,
        )
        return [gene, { log2FoldChange: log2FoldChange!, pValue: pValue!, adjustedPValue: adjustedPValue! }]
      }),
    )
  })

/** The genes with what the comparisons asked for say of them; a comparison that their assembly does not have says nothing. */
export const addComparisons = async (
  data: PortalData,
  genes: readonly FoundGene[],
  asked: readonly string[],
): Promise<FoundGene[]> => {
  const found = new Map<string, Map<string, ReadonlyMap<string, Change>>>()
  for (const assembly of asked.length === 0 ? [] : new Set(genes.map((gene) => gene.assembly))) {
    const { dataTypes, bundle } = await data.getAssembly(assembly)
    const own = new Map<string, ReadonlyMap<string, Change>>()
    if ((dataTypes[differentialData] ?? 0) > 0)
      for (const { id: dataset, contrasts } of await listExpression(data, assembly))
        for (const { id } of contrasts)
          if (asked.includes(`${dataset}/${id}`))
            own.set(`${dataset}/${id}`, await readChanges(data, assembly, bundle, dataset, id))
    found.set(assembly, own)
  }
  return genes.map((gene) => ({
    ...gene,
    comparisons: Object.fromEntries(
      [...(found.get(gene.assembly) ?? [])].flatMap(([key, table]) => {
        const change = table.get(gene.id)
        return change === undefined ? [] : [[key, change]]
      }),
    ),
  }))
}

/** A data set's measure of every gene; null where the assembly has no such data set, or that has no such samples. */
export const measureGenes = async (
  data: PortalData,
  assembly: string,
  dataset: string,
  measure: ExpressionMeasure,
  { level, contrast }: { level: string; contrast: string },
): Promise<{ genes: string[]; values: Float32Array; unit: string; dataset: ExpressionDataset } | null> => {
  const { dataTypes, bundle } = await data.getAssembly(assembly)
  if ((dataTypes[expressionData] ?? 0) === 0) return null
  const all = await listExpression(data, assembly)
  const one = dataset === '' ? all[0] : all.find(({ id }) => id === dataset)
  if (one === undefined || (level !== '' && !levelsOf(one).includes(level))) return null
  if (measure === 'log2FoldChange' || measure === 'adjustedPValue') {
    const compared = contrast === '' ? one.contrasts[0] : one.contrasts.find(({ id }) => id === contrast)
    if (compared === undefined) return null
    const table = await readChanges(data, assembly, bundle, one.id, compared.id)
    const values = Float32Array.from(table.values(), (change) => change[measure] ?? Number.NaN)
    return { genes: [...table.keys()], values, unit: '', dataset: one }
  }
  const open = await openExpression(data, assembly, one.id)
  const key = JSON.stringify([bundle, one.id, measure, level])
  const values = await measures.get(key, () => measureRows(open, measure, level))
  return { genes: open.genes, values, unit: one.unit === 'counts' ? 'CPM' : one.unit, dataset: one }
}
