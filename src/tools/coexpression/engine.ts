import type { z } from 'zod'
import { type CorrelationMethod, mutualRank } from '../../bio/statistics/correlation.ts'
import { correlationPValue } from '../../bio/statistics/distributions.ts'
import { adjustByBenjaminiHochberg } from '../../bio/statistics/multiple-testing.ts'
import { fieldError } from '../../contracts/errors.ts'
import { openExpression } from '../../kit/data/expression-data.ts'
import { chooseSamples, findMatrixGenes, nameGenes } from '../../kit/data/expression-genes.ts'
import { defineEngine, type EngineContext } from '../../kit/engine.ts'
import { type Correlations, correlateAmong, correlateWithAll, indexByRow, openRows, strength } from './correlate.ts'
import { routes } from './routes.ts'
import tool, { type CoexpressionResult, type CorrelatedGene, limits, minSamples } from './tool.ts'

type Input = z.output<(typeof tool)['input']>

type Bare = Omit<CorrelatedGene, 'symbol' | 'description'> & { row: number }

/** Genes whose mutual rank is looked into: the first by correlation, at least so many. */
const minCandidates = 300

/** Correlations below this are no edges of a network at any threshold. */
const minEdge = 0.3

/** The matrix's rows by falling strength; those with too few samples, without a coefficient, or the genes asked for, are left out. */
const rankRows = (
  correlations: Correlations[],
  guides: readonly number[],
  { combine, direction, minimumPairs }: Pick<Input, 'combine' | 'direction' | 'minimumPairs'>,
): { rows: number[]; score: Float64Array; pairs: Uint16Array } => {
  const count = correlations[0]!.r.length
  const score = new Float64Array(count)
  const pairCounts = new Uint16Array(count)
  const asked = new Set(guides)
  const rows: number[] = []
  for (let row = 0; row < count; row += 1) {
    let sum = 0
    let known = 0
    let best = Number.NaN
    let min = 65_535
    for (const { r, pairs } of correlations) {
      if (pairs[row]! < minimumPairs || Number.isNaN(r[row]!)) continue
      known += 1
      sum += r[row]!
      min = Math.min(min, pairs[row]!)
      if (Number.isNaN(best) || strength(r[row]!, direction) > strength(best, direction)) best = r[row]!
    }
    score[row] = known === 0 ? Number.NaN : combine === 'best' ? best : sum / known
    pairCounts[row] = min
    // A mean over some of the genes asked for would not be comparable with one over all.
    if (known > 0 && !asked.has(row) && (combine === 'best' || known === correlations.length)) rows.push(row)
  }
  rows.sort((a, b) => strength(score[b]!, direction) - strength(score[a]!, direction) || a - b)
  return { rows, score, pairs: pairCounts }
}

const four = (value: number): number => Number(value.toFixed(4))

const run = async (input: Input, context: EngineContext): Promise<z.input<(typeof tool)['result']>> => {
  const { data, receipt, signal } = context
  const open = await openExpression(data, input.assembly, input.dataset, minSamples)
  const { dataset, genes, rows: rowOf } = open
  if (input.group !== undefined && !dataset.factors.some(({ name }) => name === input.group))
    throw fieldError(['group'], 'problem.unknownFactor', { factor: input.group })
  const samples = chooseSamples(dataset, input.group, input.levels)
  if (samples.length < input.minimumPairs)
    throw fieldError(['levels'], 'problem.fewSamples', { samples: samples.length, min: input.minimumPairs })
  const chosen = await findMatrixGenes(data, input.assembly, input.genes, open)
  if (input.combine === 'among' && chosen.found.length < 2) throw fieldError(['genes'], 'problem.oneGene')
  const columns = Uint32Array.from(samples)
  const method: CorrelationMethod = input.measure === 'spearman' ? 'spearman' : 'pearson'
  const guides = chosen.found.map((gene) => rowOf.get(gene)!)
  const matrix = await openRows(open, method)
  let bare: Bare[] = []
  let total = 0
  let tested = 0
  let completeTo: number | null = null
  let pairs: [number, number, number][]
  let nodes: number[]
  try {
    if (input.combine !== 'among') {
      const correlations = await correlateWithAll(matrix, guides, columns, method, signal)
      const ranked = rankRows(correlations, guides, input)
      tested = ranked.rows.length
      const bareOf = (row: number): Bare => ({
        row,
        id: genes[row]!,
        correlation: ranked.score[row]!,
        mutualRank: null,
        pairs: ranked.pairs[row]!,
        pValue: null,
        adjustedPValue: null,
        each: correlations.map(({ r, pairs: shared }) =>
          Number.isNaN(r[row]!) || shared[row]! < input.minimumPairs ? null : r[row]!,
        ),
      })
      const reaches = (row: number): boolean => strength(ranked.score[row]!, input.direction) >= input.threshold
      if (input.measure === 'mutualRank') {
        const candidates = ranked.rows.slice(0, Math.max(minCandidates, 2 * input.top))
        const found = await rankMutually(candidates, guides, correlations, { matrix, columns, input, signal })
        completeTo = candidates.length < ranked.rows.length ? Math.sqrt(candidates.length + 1) : null
        bare = candidates.map((row, at) => ({ ...bareOf(row), mutualRank: found[at]! }))
        bare.sort((a, b) => a.mutualRank! - b.mutualRank! || b.correlation - a.correlation)
        if (input.keep === 'threshold') bare = bare.filter(({ row }) => reaches(row))
        total = bare.length
      } else {
        const passing = input.keep === 'top' ? ranked.rows : ranked.rows.slice(0, countWhile(ranked.rows, reaches))
        total = input.keep === 'top' ? Math.min(input.top, passing.length) : passing.length
        bare = passing.slice(0, limits.rows).map(bareOf)
      }
      bare = bare.slice(0, input.keep === 'top' ? input.top : limits.rows)
      if (guides.length === 1) addPValues(bare, ranked.rows, correlations[0]!)
    } else tested = guides.length
    nodes = [...new Set([...guides, ...bare.map(({ row }) => row)])].slice(0, Math.max(limits.nodes, guides.length))
    pairs = (await correlateAmong(matrix, nodes, columns, method, input.minimumPairs)).filter(
      ([, , r]) => Math.abs(r) >= minEdge,
    )
  } finally {
    await matrix.close()
  }
  const names = await nameGenes(data, input.assembly, [...chosen.found, ...bare.map(({ id }) => id)])
  const named = (id: string) => ({
    symbol: names.get(id)?.symbol ?? null,
    description: names.get(id)?.description ?? null,
  })
  receipt.addData(input.assembly)
  receipt.addDataSet(dataset)
  receipt.addStep({
    program: 'NovoDB co-expression',
    version: String(tool.version),
    formula: `${method === 'pearson' ? "Pearson's r" : "Spearman's rho"} over ${samples.length} samples, pairwise complete, of ${dataset.unit.startsWith('log2') ? 'values as loaded' : `log2(${dataset.unit === 'counts' ? 'counts per million' : 'value'} + 1)`}${input.measure === 'mutualRank' ? '; mutual rank sqrt(rank of B for A x rank of A for B)' : ''}${guides.length > 1 && input.combine !== 'among' ? `; ${input.combine} over ${guides.length} genes` : ''}`,
  })
  if (input.measure === 'mutualRank')
    receipt.cite({
      text: 'Obayashi T, Kinoshita K (2009) Rank of correlation coefficient as a comparable measure for biological significance of gene coexpression. DNA Res 16:249-260',
      doi: '10.1093/dnares/dsp016',
    })
  receipt.cite({
    text: 'Blondel VD, Guillaume J-L, Lambiotte R, Lefebvre E (2008) Fast unfolding of communities in large networks. J Stat Mech P10008',
    doi: '10.1088/1742-5468/2008/10/P10008',
  })
  const result: CoexpressionResult = {
    assembly: input.assembly,
    dataset,
    sampleCount: samples.length,
    guides: chosen.found.map((id) => ({ id, ...named(id) })),
    tested,
    rows: bare.map(({ row: _, ...gene }) => ({ ...gene, ...named(gene.id) })),
    total,
    completeTo,
    network: { nodes: nodes.map((row) => genes[row]!), pairs: pairs.map(([a, b, r]) => [a, b, four(r)]) },
    unknown: chosen.unknown,
    absent: chosen.absent,
    ambiguous: chosen.ambiguous,
  }
  return result
}

const countWhile = (rows: number[], passes: (row: number) => boolean): number => {
  const end = rows.findIndex((row) => !passes(row))
  return end < 0 ? rows.length : end
}

/** Mutual rank of each candidate; with several genes the mean over them, or the best. */
const rankMutually = async (
  candidates: number[],
  guides: number[],
  correlations: Correlations[],
  about: Pick<EngineContext, 'signal'> & {
    matrix: Parameters<typeof indexByRow>[0]
    columns: Uint32Array
    input: Input
  },
): Promise<number[]> => {
  const { matrix, columns, input, signal } = about
  const { direction, minimumPairs } = input
  const settings = { columns, direction, minimumPairs }
  const known = correlations.map(({ r }) => r)
  const reverse = await indexByRow(matrix, candidates, guides, known, settings, signal)
  const forward = correlations.map(({ r, pairs }, guide) => {
    const strengths = new Float64Array(r.length)
    for (let row = 0; row < r.length; row += 1)
      strengths[row] =
        row === guides[guide] || pairs[row]! < minimumPairs || Number.isNaN(r[row]!)
          ? Number.NEGATIVE_INFINITY
          : strength(r[row]!, direction)
    const sorted = Float64Array.from(strengths).sort()
    return candidates.map((row) => {
      // 1 + how many are stronger, by halving: the list ascends.
      let [low, high] = [0, sorted.length]
      while (low < high) {
        const middle = (low + high) >> 1
        if (sorted[middle]! > strengths[row]! + 1e-9) high = middle
        else low = middle + 1
      }
      return 1 + sorted.length - low
    })
  })
  return candidates.map((_, at) => {
    const ranks = guides.map((_guide, guide) => mutualRank(forward[guide]![at]!, reverse[guide]![at]!))
    return input.combine === 'best' ? Math.min(...ranks) : ranks.reduce((sum, rank) => sum + rank, 0) / ranks.length
  })
}

/** P-values of the rows shown, adjusted over all that were tested. */
const addPValues = (shown: Bare[], tested: number[], { r, pairs }: Correlations): void => {
  const values = Float64Array.from(tested, (row) => correlationPValue(r[row]!, pairs[row]!))
  const adjusted = adjustByBenjaminiHochberg(values)
  const indexes = new Map(tested.map((row, at) => [row, at]))
  for (const gene of shown) {
    const at = indexes.get(gene.row)!
    gene.pValue = values[at]!
    gene.adjustedPValue = adjusted[at]!
  }
}

export default defineEngine({
  tool,
  programs: [],
  routes,
  run,
})
