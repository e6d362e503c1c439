import type { z } from 'zod'
import { profileTau } from '../../bio/expression/expression-profile.ts'
import { comparableValue, type ExpressionUnit } from '../../bio/expression/expression-statistics.ts'
import { resamplingCitations } from '../../bio/expression/resampling.ts'
import { fieldError, PortalError } from '../../contracts/errors.ts'
import type { Contrast } from '../../contracts/expression.ts'
import {
  exactly,
  listExpression,
  type OpenExpression,
  openExpression,
  readContrast,
} from '../../kit/data/expression-data.ts'
import { chooseSamples, findMatrixGenes, type MatrixGenes, nameGenes } from '../../kit/data/expression-genes.ts'
import {
  clusteringCitation,
  clusterProfiles,
  describeClustering,
  readProfiles,
} from '../../kit/data/expression-heat-map.ts'
import { defineEngine, type EngineContext } from '../../kit/engine.ts'
import { routes } from './routes.ts'
import tool, { type ExpressionResult, limits, shownScale } from './tool.ts'

type Input = z.output<(typeof tool)['input']>

/** Genes whose comparable values vary most over the samples; those with values in fewer than half of them are passed over. */
const findVariable = async (
  { dataset, genes, openValues }: OpenExpression,
  samples: number[],
  top: number,
  signal: AbortSignal,
): Promise<string[]> => {
  const sums = dataset.samples.map(({ sum }) => sum)
  const variances = new Float64Array(genes.length)
  const matrix = await openValues()
  try {
    for await (const { first, count, cells } of matrix.scan()) {
      signal.throwIfAborted()
      for (let row = 0; row < count; row += 1) {
        let [n, mean, squares] = [0, 0, 0]
        for (const at of samples) {
          const value = comparableValue(cells[row * matrix.columns + at]!, dataset.unit as ExpressionUnit, sums[at]!)
          if (Number.isNaN(value)) continue
          n += 1
          // Welford 1962: the variance without a second pass.
          const apart = value - mean
          mean += apart / n
          squares += apart * (value - mean)
        }
        variances[first + row] = n < 2 || 2 * n < samples.length ? -1 : squares / (n - 1)
      }
    }
  } finally {
    await matrix.close()
  }
  return [...genes.keys()]
    .filter((row) => variances[row]! > 0)
    .sort((a, b) => variances[b]! - variances[a]! || a - b)
    .slice(0, top)
    .map((row) => genes[row]!)
}

const runExpression = async (input: Input, open: OpenExpression, context: EngineContext) => {
  const { data, receipt, signal } = context
  const { dataset } = open
  const samples = chooseSamples(dataset, input.group, input.levels)
  let chosen: MatrixGenes
  if (input.by === 'variable') {
    const found = await findVariable(open, samples, input.top, signal)
    if (found.length === 0) throw fieldError(['levels'], 'problem.nothingVaries')
    chosen = { found, unknown: [], absent: [], ambiguous: [] }
  } else {
    if ((input.genes ?? []).length === 0) throw fieldError(['genes'], 'problem.noGene')
    chosen = await findMatrixGenes(data, input.assembly, input.genes!, open)
  }
  const { found } = chosen
  if (found.length * samples.length > limits.cells)
    throw fieldError(['genes'], 'problem.tooManyCells', {
      genes: found.length,
      samples: samples.length,
      limit: limits.cells,
    })
  const values = await readProfiles(open, found, samples)
  const sums = samples.map((at) => dataset.samples[at]!.sum)
  const group = input.group ?? dataset.group
  const groups = samples.map((at) => {
    const sample = dataset.samples[at]!
    return group === null ? sample.id : (sample.factors[group] ?? '')
  })
  const clustering = { ...input, scale: shownScale(input.scale, dataset) }
  const trees = clusterProfiles(values, dataset, samples, clustering, signal)
  const names = await nameGenes(data, input.assembly, found)
  receipt.addStep({
    program: 'NovoDB heat map',
    version: String(tool.version),
    formula: `${describeClustering(dataset.unit, clustering)}; tau of log2(1 + mean of each group)`,
  })
  receipt.cite(clusteringCitation)
  receipt.cite({
    text: 'Yanai I, Benjamin H, Shmoish M, et al. (2005) Genome-wide midrange transcription profiles reveal expression level relationships in human tissue specification. Bioinformatics 21:650-659',
    doi: '10.1093/bioinformatics/bti042',
  })
  return {
    samples,
    genes: found.map((id, row) => ({
      id,
      symbol: names.get(id)?.symbol ?? null,
      description: names.get(id)?.description ?? null,
      values: Array.from(values[row]!, exactly),
      tau: profileTau(values[row]!, dataset.unit, sums, groups),
    })),
    ...trees,
    unknown: chosen.unknown,
    absent: chosen.absent,
    ambiguous: chosen.ambiguous,
    picture: await open.picture(),
  }
}

const describeContrast = ({ compared, program }: Contrast): string =>
  compared !== null
    ? `resampling of the counts at the insertion sites when they were loaded; ${compared.test} − ${compared.reference}`
    : `${program === null ? 'table' : `table by ${program}`} as loaded`

const runDifferential = async (
  input: Input,
  { dataset }: OpenExpression,
  { data, receipt }: EngineContext,
): Promise<ExpressionResult['differential']> => {
  const contrast =
    input.contrast === undefined ? dataset.contrasts[0] : dataset.contrasts.find(({ id }) => id === input.contrast)
  if (contrast === undefined)
    throw input.contrast === undefined
      ? fieldError(['dataset'], 'problem.noContrast')
      : fieldError(['contrast'], 'problem.unknownContrast', { contrast: input.contrast })
  const table = await readContrast(data, input.assembly, dataset.id, contrast.id)
  const names = await nameGenes(data, input.assembly, table.genes)
  const known = (value: number): number | null => (Number.isFinite(value) ? value : null)
  receipt.addStep({
    program: 'NovoDB differential expression',
    version: String(tool.version),
    formula: `${describeContrast(contrast)}${contrast.adjustedHere ? '; adjusted p-values by the portal (Benjamini and Hochberg 1995)' : ''}`,
  })
  if (contrast.compared !== null) for (const citation of resamplingCitations) receipt.cite(citation)
  return {
    contrast,
    points: table.genes.map((id, at) => {
      const [log2FoldChange, pValue, adjustedPValue, mean] = table.rows[at]!
      return {
        id,
        symbol: names.get(id)?.symbol ?? null,
        description: names.get(id)?.description ?? null,
        mean: known(mean!),
        log2FoldChange: known(log2FoldChange!),
        pValue: known(pValue!),
        adjustedPValue: known(adjustedPValue!),
      }
    }),
  }
}

/** Of comparisons the first data set that has one; the tool's own choice otherwise. */
const findDefault = async ({ task, assembly }: Input, { data }: EngineContext): Promise<string | undefined> =>
  task === 'differential'
    ? (await listExpression(data, assembly)).find(({ contrasts }) => contrasts.length > 0)?.id
    : undefined

export default defineEngine({
  tool,
  programs: [],
  routes,
  run: async (input, context) => {
    const open = await openExpression(
      context.data,
      input.assembly,
      input.dataset ?? (await findDefault(input, context)),
    )
    const { dataset } = open
    if (input.group !== undefined && !dataset.factors.some(({ name }) => name === input.group))
      throw new PortalError('INVALID_INPUT', {
        message: 'problem.unknownFactor',
        params: { factor: input.group },
        problems: [{ path: ['group'], message: 'problem.unknownFactor', params: { factor: input.group } }],
      })
    context.receipt.addData(input.assembly)
    context.receipt.addDataSet(dataset)
    const differential = input.task === 'differential' ? await runDifferential(input, open, context) : null
    return {
      assembly: input.assembly,
      dataset,
      expression: input.task === 'expression' ? await runExpression(input, open, context) : null,
      differential,
    }
  },
})
