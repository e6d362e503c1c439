import { comparableValue, type ExpressionUnit, isLogarithmic } from '../../bio/expression/expression-statistics.ts'
import type { ExpressionDataset } from '../../contracts/expression.ts'
import { type AnnotationIndex, readAnnotation } from '../../kit/data/annotation-index.ts'
import { listExpression, openExpression, readContrast } from '../../kit/data/expression-data.ts'
import type { PortalData } from '../../kit/data/portal-data.ts'
import { RecentAnswers } from '../../kit/recent-answers.ts'
import { adjustTogether, enrichTerms } from './enrich-terms.ts'

/** A gene set that an experiment gives: what one would ask an enrichment of. */
export interface ExperimentSet {
  dataset: Pick<ExpressionDataset, 'id' | 'name' | 'measure' | 'simulated'>
  /** Of a table of differential expression its name; else the level of the factor, and the one that it is compared with (null: all others). */
  contrast: ExpressionDataset['contrasts'][number]['name'] | null
  level: string | null
  other: string | null
  direction: 'high' | 'low'
  genes: string[]
}

/** Genes of a set, and data sets, levels and cells that are read: a suggestion must not take long. */
const setGenes = 50
const maxDatasets = 3
const maxLevels = 6
const maxCells = 20_000_000
const offered = 4
const maxAdjusted = 0.05
const minFold = 1
/** Values that are no logarithms count as this much at least: a gene with next to nothing on either side is no finding. */
const least = 10

type Extremes = { high: string[]; low: string[] }

/** Genes at both ends of a list of scores; those without a score are left out. */
const extremes = (genes: readonly string[], scores: ArrayLike<number>): Extremes => {
  const order = genes.flatMap((gene, at) => (Number.isFinite(scores[at]!) ? [{ gene, score: scores[at]! }] : []))
  order.sort((a, b) => b.score - a.score)
  const named = (some: typeof order): string[] => some.map(({ gene }) => gene)
  return {
    high: named(order.filter(({ score }) => score > 0).slice(0, setGenes)),
    low: named(
      order
        .filter(({ score }) => score < 0)
        .slice(-setGenes)
        .reverse(),
    ),
  }
}

/**
 * Mean of some samples less the mean of the others, gene by gene, of values on the scale on which genes are compared.
 *
 * @param rows values of the samples by gene, NaN for none
 * @param sums of each sample over all genes
 * @param chosen whether a sample is on the first side (true), on the other (false) or on neither (null)
 */
export const logRatios = (
  rows: readonly ArrayLike<number>[],
  unit: ExpressionUnit,
  sums: readonly number[],
  chosen: readonly (boolean | null)[],
): number[] => {
  const floor = isLogarithmic(unit) ? Number.NEGATIVE_INFINITY : comparableValue(least, 'CPM', 0)
  return rows.map((row) => {
    const mean = (side: boolean): number => {
      const values = chosen.flatMap((one, at) =>
        one !== side || Number.isNaN(row[at]!) ? [] : [Math.max(floor, comparableValue(row[at]!, unit, sums[at]!))],
      )
      return values.reduce((sum, value) => sum + value, 0) / values.length
    }
    return mean(true) - mean(false)
  })
}

const fromContrasts = async (
  data: PortalData,
  assembly: string,
  dataset: ExpressionDataset,
): Promise<ExperimentSet[]> => {
  const sets: ExperimentSet[] = []
  for (const contrast of dataset.contrasts.slice(0, maxLevels)) {
    const { genes, rows } = await readContrast(data, assembly, dataset.id, contrast.id)
    const scores = rows.map(([fold = Number.NaN, , adjusted = Number.NaN]) =>
      adjusted <= maxAdjusted && Math.abs(fold) >= minFold ? fold : Number.NaN,
    )
    const found = extremes(genes, scores)
    for (const direction of ['high', 'low'] as const)
      sets.push({ dataset, contrast: contrast.name, level: null, other: null, direction, genes: found[direction] })
  }
  return sets
}

const fromLevels = async (data: PortalData, assembly: string, dataset: ExpressionDataset): Promise<ExperimentSet[]> => {
  const factor = dataset.group
  const levels = dataset.factors.find(({ name }) => name === factor)?.levels ?? []
  if (factor === null || levels.length < 2 || dataset.geneCount * dataset.samples.length > maxCells) return []
  const { genes, openValues } = await openExpression(data, assembly, dataset.id)
  const matrix = await openValues()
  let rows: ArrayLike<number>[]
  try {
    rows = await matrix.readRows(genes.map((_, at) => at))
  } finally {
    await matrix.close()
  }
  const sums = dataset.samples.map(({ sum }) => sum)
  // Of two levels the one says what the other does, turned round.
  const compared = levels.length === 2 ? levels.slice(0, 1) : levels.slice(0, maxLevels)
  return compared.flatMap((level) => {
    const chosen = dataset.samples.map(({ factors }) =>
      factors[factor] === undefined ? null : factors[factor] === level,
    )
    const found = extremes(genes, logRatios(rows, dataset.unit as ExpressionUnit, sums, chosen))
    const other = levels.length === 2 ? levels[1]! : null
    return (['high', 'low'] as const).map((direction) => ({
      dataset,
      contrast: null,
      level,
      other,
      direction,
      genes: found[direction],
    }))
  })
}

/** The best adjusted p-value that a set has in any collection; infinite where it has no gene. */
const bestOf = (genes: readonly string[], { collections, positionOf, geneIds }: AnnotationIndex): number => {
  const set = new Uint8Array(geneIds.length)
  for (const gene of genes) {
    const position = positionOf.get(gene)
    if (position !== undefined) set[position] = 1
  }
  const choice = { minSize: 3, maxSize: 2000, direction: 'more', tested: 'all' } as const
  let best = Number.POSITIVE_INFINITY
  for (const { terms, annotated } of collections) {
    const tested = enrichTerms(terms, set, annotated, choice)
    adjustTogether([tested], 'bh')
    best = Math.min(best, tested.tested[0]?.adjustedPValue ?? Number.POSITIVE_INFINITY)
  }
  return best
}

const findSets = async (data: PortalData, assembly: string): Promise<ExperimentSet[]> => {
  const index = await readAnnotation(data, assembly, true)
  const datasets = (await listExpression(data, assembly))
    .sort((a, b) => Number(a.simulated) - Number(b.simulated))
    .slice(0, maxDatasets)
  const told: { set: ExperimentSet; best: number }[] = []
  for (const dataset of datasets) {
    // Simulated data stand in only where nothing was measured.
    if (dataset.simulated && told.length > 0) break
    const sets =
      dataset.contrasts.length > 0
        ? await fromContrasts(data, assembly, dataset)
        : await fromLevels(data, assembly, dataset)
    for (const set of sets) {
      const best = bestOf(set.genes, index)
      if (best <= maxAdjusted) told.push({ set, best })
    }
  }
  return told
    .sort((a, b) => a.best - b.best)
    .slice(0, offered)
    .map(({ set }) => set)
}

const kept = new RecentAnswers<ExperimentSet[]>(6)

/**
 * Gene sets of the experiments that are loaded of an assembly whose genes have something in common, the most telling first: those that
 * differ most between two conditions. Empty where there are none.
 */
export const experimentSets = async (data: PortalData, assembly: string): Promise<ExperimentSet[]> => {
  const { species, checksum } = await data.getAssembly(assembly)
  const key = `${await data.bundleNumber(assembly)} ${await data.speciesBundleNumber(species)} ${checksum}`
  return kept.get(key, () => findSets(data, assembly))
}
