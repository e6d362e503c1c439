import { copyFile, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { z } from 'zod'
import { comparableValue, type ExpressionUnit } from '../../bio/expression/expression-statistics.ts'
import { libraryFactors, resampleGenes, resamplingCitations } from '../../bio/expression/resampling.ts'
import { normalQuantile } from '../../bio/statistics/distributions.ts'
import { adjustByBenjaminiHochberg } from '../../bio/statistics/multiple-testing.ts'
import { testRankedSet } from '../../bio/statistics/ranked-set.ts'
import { fieldError, PortalError } from '../../contracts/errors.ts'
import type { ExpressionDataset } from '../../contracts/expression.ts'
import { readAnnotation } from '../../kit/data/annotation-index.ts'
import { listExpression, type OpenExpression, openExpression } from '../../kit/data/expression-data.ts'
import { findMatrixGenes, nameGenes } from '../../kit/data/expression-genes.ts'
import { clusteringCitation, describeClustering } from '../../kit/data/expression-heat-map.ts'
import type { PortalData } from '../../kit/data/portal-data.ts'
import { defineEngine, type EngineContext } from '../../kit/engine.ts'
import { expressionRoute } from '../../kit/expression-route.ts'
import { formatLine } from '../../kit/write-table.ts'
import { openSink } from '../../store/file-sink.ts'
import { isThere } from '../../store/portal-files.ts'
import { type Covariate, chooseGroups, type Groups, readCovariates } from './choose-groups.ts'
import { exampleGroups } from './example-groups.ts'
import { mapClustering, mapGenes } from './map-genes.ts'
import tool, {
  type CheckedSample,
  type ComparedGene,
  type ComparisonResult,
  limits,
  type Method,
  smallestSet,
  type TestedSet,
} from './tool.ts'

type Input = z.output<(typeof tool)['input']>

const script = fileURLToPath(new URL('./contrast.R', import.meta.url))
/** Of more samples voom takes seconds where DESeq2 takes minutes, and finds the same (Law et al. 2014). */
const mostForDeseq = 60
/** Genes of a set: fewer say little, more say nothing in particular. */
const setSizes = { min: smallestSet, max: 500 }
/** Exit statuses of the script. */
const missingPackage = 20
const tooFewGenes = 21

const citations: Record<Method, { text: string; doi: string }[]> = {
  deseq2: [
    {
      text: 'Love MI, Huber W, Anders S (2014) Moderated estimation of fold change and dispersion for RNA-seq data with DESeq2. Genome Biol 15:550',
      doi: '10.1186/s13059-014-0550-8',
    },
  ],
  edger: [
    {
      text: 'Robinson MD, McCarthy DJ, Smyth GK (2010) edgeR: a Bioconductor package for differential expression analysis of digital gene expression data. Bioinformatics 26:139-140',
      doi: '10.1093/bioinformatics/btp616',
    },
    {
      text: 'Lun ATL, Chen Y, Smyth GK (2016) It’s DE-licious: a recipe for differential expression analyses of RNA-seq experiments using quasi-likelihood methods in edgeR. Methods Mol Biol 1418:391-416',
      doi: '10.1007/978-1-4939-3578-9_19',
    },
  ],
  voom: [
    {
      text: 'Law CW, Chen Y, Shi W, Smyth GK (2014) voom: precision weights unlock linear model analysis tools for RNA-seq read counts. Genome Biol 15:R29',
      doi: '10.1186/gb-2014-15-2-r29',
    },
  ],
  resampling: [...resamplingCitations],
  limma: [
    {
      text: 'Ritchie ME, Phipson B, Wu D, et al. (2015) limma powers differential expression analyses for RNA-sequencing and microarray studies. Nucleic Acids Res 43:e47',
      doi: '10.1093/nar/gkv007',
    },
  ],
}

const chooseMethod = (input: Input, { unit, sites }: ExpressionDataset, samples: number): Method => {
  const counts = unit === 'counts'
  if (input.method === 'resampling') {
    if (sites === null) throw fieldError(['method'], 'problem.needsSites')
    if (input.covariates.length > 0) throw fieldError(['covariates'], 'problem.resamplingCovariates')
    return 'resampling'
  }
  // With covariates a model is asked for, which permutation has none.
  if (input.method === 'auto' && sites !== null && input.covariates.length === 0) return 'resampling'
  if (input.method === 'auto') return counts ? (samples <= mostForDeseq ? 'deseq2' : 'voom') : 'limma'
  if (input.method !== 'limma' && !counts) throw fieldError(['method'], 'problem.needsCounts', { unit })
  if (input.method === 'limma' && counts) throw fieldError(['method'], 'problem.needsValues')
  return input.method
}

/** Writes what the script reads: a row for each gene that has a value in every sample (of counts), and the samples. */
const writeInputs = async (
  open: OpenExpression,
  at: readonly number[],
  groups: Groups,
  covariates: readonly Covariate[],
  { directory, signal }: EngineContext,
): Promise<{ incomplete: number; rounded: boolean }> => {
  const { dataset, genes } = open
  const counts = dataset.unit === 'counts'
  const matrix = await open.openValues()
  const out = await openSink(join(directory, 'values.tsv'))
  let incomplete = 0
  let rounded = false
  try {
    // Names of samples are R's row names no more: they may be anything.
    await out.write(formatLine(['gene', ...at.map((_, column) => `s${column + 1}`)]))
    for await (const { first, count, cells } of matrix.scan()) {
      signal.throwIfAborted()
      let block = ''
      for (let row = 0; row < count; row += 1) {
        const raw = at.map((column) => cells[row * matrix.columns + column]!)
        if (counts && raw.some((value) => Number.isNaN(value) || value < 0)) {
          incomplete += 1
          continue
        }
        if (counts) rounded ||= raw.some((value) => !Number.isInteger(value))
        const values = counts ? raw : raw.map((value) => comparableValue(value, dataset.unit as ExpressionUnit, 0))
        block += formatLine([
          genes[first + row]!,
          ...values.map((value) => (Number.isNaN(value) ? 'NA' : Number(value.toPrecision(7)))),
        ])
      }
      await out.write(block)
    }
  } catch (error) {
    await out.discard()
    throw error
  } finally {
    await matrix.close()
  }
  await out.end()
  const sheet = await openSink(join(directory, 'samples.tsv'))
  await sheet.write(formatLine(['sample', 'group', ...covariates.map((_, column) => `c${column + 1}`)]))
  for (const [row] of at.entries())
    await sheet.write(
      formatLine([
        `s${row + 1}`,
        row < groups.reference.length ? 'reference' : 'test',
        ...covariates.map(({ values }) => {
          const value = values[row]!
          if (typeof value === 'number') return value
          // A level by its place, for names of levels may be anything; the letter keeps R from taking it for a number.
          return `l${[...new Set(values as string[])].sort().indexOf(value) + 1}`
        }),
      ]),
    )
  await sheet.end()
  return { incomplete, rounded }
}

/** Genes between two looks at whether the job was cancelled. */
const genesAtOnce = 20

/**
 * Tests every gene that has a site by permutation of its counts, and writes what R is given of it, with the sites of each gene and those
 * of them that have an insertion in any of the samples. Gives the factors of the samples in the order of `at`.
 */
const resample = async (
  open: OpenExpression,
  groups: Groups,
  { directory, signal, progress }: EngineContext,
): Promise<number[]> => {
  const counted = { ...(await open.readSites())!, width: open.dataset.samples.length }
  const at = [...groups.reference, ...groups.test]
  const factors = libraryFactors(counted, at)
  const empty = factors.findIndex((factor) => !Number.isFinite(factor))
  if (empty >= 0)
    throw fieldError([empty < groups.reference.length ? 'reference' : 'test'], 'problem.noReads', {
      sample: open.dataset.samples[at[empty]!]!.label,
    })
  let tested = 0
  let lines = formatLine(['gene', 'mean', 'lfc', 'difference', 'p', 'sites', 'hit'])
  for (const { row, mean, log2FoldChange, difference, pValue, sites, sitesHit } of resampleGenes(
    counted,
    groups,
    factors,
  )) {
    lines += formatLine([open.genes[row]!, mean, log2FoldChange, difference, pValue, sites, sitesHit])
    tested += 1
    if (tested % genesAtOnce !== 0) continue
    await new Promise((resolve) => setImmediate(resolve))
    signal.throwIfAborted()
    progress(0.05 + (0.5 * row) / open.genes.length, 'step.resampling')
  }
  await writeFile(join(directory, 'tested.tsv'), lines)
  return factors
}

type SetAbout = Pick<TestedSet, 'id' | 'name' | 'collection' | 'source' | 'namespace'>

/** Writes the sets of the loaded annotation that have some of the genes; what is known of them, by the number that they have there. */
const writeSets = async (
  assembly: string,
  genes: ReadonlyMap<string, number>,
  { data, directory }: EngineContext,
): Promise<SetAbout[]> => {
  const { geneIds, collections } = await readAnnotation(data, assembly, true)
  const out = await openSink(join(directory, 'sets.tsv'))
  const written: SetAbout[] = []
  await out.write(formatLine(['set', 'gene']))
  for (const { id: collection, source, namespace, terms } of collections)
    for (const term of terms) {
      if (term.genes.length < setSizes.min || term.genes.length > setSizes.max) continue
      const own = Array.from(term.genes, (at) => geneIds[at]!).filter((id) => genes.has(id))
      if (own.length < setSizes.min) continue
      await out.write(own.map((gene) => formatLine([written.length, gene])).join(''))
      written.push({ id: term.id, name: term.name, collection, source, namespace })
    }
  await out.end()
  return written
}

/** Sets of the annotation, adjusted within each collection, as sets of one are tested together, the surest first. */
const readSets = async (directory: string, about: readonly SetAbout[]): Promise<TestedSet[]> => {
  const rows =
    (await stat(join(directory, 'sets-tested.tsv')).catch(() => null)) === null
      ? []
      : (await readTable(directory, 'sets-tested.tsv')).slice(1)
  const tested = rows.map(([set, size, direction, p]) => ({
    ...about[Number(set)]!,
    size: Number(size),
    direction: direction === 'Up' ? ('up' as const) : ('down' as const),
    pValue: Number(p),
    adjustedPValue: 1,
  }))
  for (const collection of new Set(tested.map((one) => one.collection))) {
    const own = tested.filter((one) => one.collection === collection)
    const adjusted = adjustByBenjaminiHochberg(Float64Array.from(own, ({ pValue }) => pValue))
    for (const [at, one] of own.entries()) one.adjustedPValue = adjusted[at]!
  }
  return tested.sort((a, b) => a.adjustedPValue - b.adjustedPValue || a.pValue - b.pValue)
}

/** The genes of interest against all others by the statistic that the sets of the annotation are ranked by in contrast.R. */
const testChosen = (
  compared: readonly ComparedGene[],
  chosen: readonly string[],
  method: Method,
): NonNullable<ComparisonResult['chosen']>['set'] => {
  const asked = new Set(chosen)
  const ranked = compared.flatMap(({ id, log2FoldChange, statistic, pValue }) => {
    const sign = Math.sign(log2FoldChange ?? Number.NaN)
    const value =
      method === 'edger'
        ? sign * Math.sqrt(statistic ?? Number.NaN)
        : method === 'resampling'
          ? sign * -normalQuantile((pValue ?? Number.NaN) / 2)
          : (statistic ?? Number.NaN)
    return Number.isFinite(value) ? [{ value, own: asked.has(id) }] : []
  })
  if (ranked.filter(({ own }) => own).length < smallestSet) return null
  return testRankedSet(
    ranked.map(({ value }) => value),
    ranked.map(({ own }) => own),
  )
}

/** What is told of the inputs beside the files that R reads. */
interface Prepared {
  incomplete: number
  rounded: boolean
  /** Of resampling, in the order of the samples; null of others. */
  factors: number[] | null
  /** Of the sets of the annotation, by the number that they have in the files. */
  sets: SetAbout[]
}
const preparedFile = 'prepared.json'

/** Files of a run that tell all but the genes of interest; those of sets and of resampling are not in every one. */
const keptFiles = [
  preparedFile,
  'contrast.R',
  'values.tsv',
  'samples.tsv',
  'tested.tsv',
  'sets.tsv',
  'genes.tsv',
  'sets-tested.tsv',
  'checked.tsv',
  'distances.tsv',
  'facts.tsv',
]

/** Takes over what an earlier run of the same comparison left; false where there is none. */
const takeEarlier = async ({ directory, receipt, findEarlier }: EngineContext): Promise<boolean> => {
  const earlier = await findEarlier()
  if (earlier === null) return false
  try {
    for (const file of keptFiles)
      if (await isThere(join(earlier.directory, file)))
        await copyFile(join(earlier.directory, file), join(directory, file))
  } catch {
    // It may have been removed in the midst: then all is computed.
    return false
  }
  if (!(await isThere(join(directory, 'facts.tsv')))) return false
  receipt.repeatPrograms(earlier)
  return true
}

const readTable = async (directory: string, file: string): Promise<string[][]> =>
  (await readFile(join(directory, file), 'utf8'))
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => line.split('\t'))

const numberOf = (text: string | undefined): number | null => {
  const value = Number(text)
  return text === undefined || text === '' || text === 'NA' || !Number.isFinite(value) ? null : value
}

/** Samples that lie nearer to the other group than to their own, by mean distance. `distances` is square, row by row. */
export const findNearerToOther = (distances: readonly number[], referenceCount: number): boolean[] => {
  const count = Math.sqrt(distances.length)
  return Array.from({ length: count }, (_, row) => {
    const mean = (own: boolean): number => {
      const others = Array.from({ length: count }, (__, at) => at).filter(
        (at) => at !== row && (at < referenceCount === row < referenceCount) === own,
      )
      return others.reduce((sum, at) => sum + distances[row * count + at]!, 0) / others.length
    }
    return mean(true) > mean(false)
  })
}

const explain = (status: number, text: string): PortalError | null => {
  if (status === tooFewGenes) return fieldError(['minCount'], 'problem.tooFewGenes')
  if (status === missingPackage)
    return new PortalError('TOOL_UNAVAILABLE', {
      message: 'problem.missingPackage',
      params: { name: /missing-package (\w+)/.exec(text)?.[1] ?? 'DESeq2' },
    })
  const said = /^Error[^\n]*(?:\n\s+[^\n]+)*/m.exec(text)?.[0]
  return said === undefined
    ? null
    : new PortalError('ENGINE_FAILED', {
        message: 'problem.failed',
        params: { text: said.replace(/\s+/g, ' ').slice(0, 300) },
      })
}

const run = async (input: Input, context: EngineContext): Promise<ComparisonResult> => {
  const { data, receipt, directory } = context
  const open = await openExpression(data, input.assembly, input.dataset)
  const { dataset, genes } = open
  const groups = chooseGroups(input, dataset)
  const covariates = readCovariates(input.covariates, dataset, groups)
  const at = [...groups.reference, ...groups.test]
  const method = chooseMethod(input, dataset, at.length)
  if (at.length * genes.length > limits.values)
    throw fieldError(['test'], 'problem.tooManyValues', { count: at.length * genes.length, limit: limits.values })
  const asked = input.genes ?? []
  const chosen = asked.length === 0 ? null : await findMatrixGenes(data, input.assembly, asked, open)
  context.progress(0.05, 'step.writing')
  if (!(await takeEarlier(context))) {
    const written = await writeInputs(open, at, groups, covariates, context)
    const factors = method === 'resampling' ? await resample(open, groups, context) : null
    const inputs: Prepared = { ...written, factors, sets: await writeSets(input.assembly, open.rows, context) }
    await writeFile(join(directory, preparedFile), JSON.stringify(inputs))
    await copyFile(script, join(directory, 'contrast.R'))
    context.progress(factors === null ? 0.2 : 0.6, 'step.testing')
    await context.runProgram({
      program: 'Rscript',
      arguments: ['--vanilla', 'contrast.R', method, String(input.minCount), String(input.alpha)],
      environment: { OPENBLAS_NUM_THREADS: '1', OMP_NUM_THREADS: '1' },
      explainFailure: explain,
    })
  }
  context.progress(0.9, 'step.reading')
  const {
    incomplete,
    rounded,
    factors,
    sets: about,
  } = JSON.parse(await readFile(join(directory, preparedFile), 'utf8')) as Prepared
  const facts = new Map((await readTable(directory, 'facts.tsv')).map(([name, value = '']) => [name!, value]))
  const distances = (await readTable(directory, 'distances.tsv')).flatMap((row) => row.map(Number))
  const nearerToOther = findNearerToOther(distances, groups.reference.length)
  const samples = (await readTable(directory, 'checked.tsv')).slice(1).map((row, index): CheckedSample => {
    const [total, detected, factor, outliers, ...components] = row.map(numberOf)
    return {
      at: at[index]!,
      group: index < groups.reference.length ? 'reference' : 'test',
      total: total!,
      detected: detected!,
      factor: factors === null ? factor! : factors[index]!,
      outliers: outliers!,
      components: [components[0]!, components[1]!, components[2]!],
      nearerToOther: nearerToOther[index]!,
    }
  })
  const rows = (await readTable(directory, 'genes.tsv')).slice(1)
  const ids = rows.map(([id]) => id!)
  const names = await nameGenes(data, input.assembly, ids)
  const sites = new Map(
    method === 'resampling'
      ? (await readTable(directory, 'tested.tsv'))
          .slice(1)
          .map(([id, , , , , all, hit]): [string, [number, number]] => [id!, [Number(all), Number(hit)]])
      : [],
  )
  const compared = rows.map(
    ([, mean, change, shrunken, error, statistic, p, adjusted], index): ComparedGene => ({
      id: ids[index]!,
      symbol: names.get(ids[index]!)?.symbol ?? null,
      description: names.get(ids[index]!)?.description ?? null,
      mean: numberOf(mean),
      log2FoldChange: numberOf(change),
      shrunken: numberOf(shrunken),
      standardError: numberOf(error),
      statistic: numberOf(statistic),
      pValue: numberOf(p),
      adjustedPValue: numberOf(adjusted),
      sites: sites.get(ids[index]!)?.[0] ?? null,
      sitesHit: sites.get(ids[index]!)?.[1] ?? null,
    }),
  )
  const heatMap = await mapGenes(compared, open, groups, input.alpha, context.signal)
  const sets = await readSets(directory, about)
  const chosenSet = chosen === null ? null : testChosen(compared, chosen.found, method)
  const versions = [
    { name: 'R', version: facts.get('r') ?? '' },
    ...['DESeq2', 'edgeR', 'limma'].flatMap((name) =>
      facts.has(name) ? [{ name, version: facts.get(name) ?? '' }] : [],
    ),
  ]
  const design = ['~', [...covariates.map(({ name }) => name), 'group'].join(' + ')].join(' ')
  receipt.addData(input.assembly)
  receipt.addDataSet(dataset)
  for (const { name, version } of versions.slice(1)) receipt.addStep({ program: name, version })
  receipt.addStep({
    program: 'NovoDB differential expression',
    version: String(tool.version),
    formula: `${design}; test − reference, by ${method}; contrast.R, values.tsv and samples.tsv of the job are what R was run on`,
  })
  for (const citation of citations[method]) receipt.cite(citation)
  if (heatMap !== null) {
    receipt.addStep({
      program: 'NovoDB heat map',
      version: String(tool.version),
      formula: describeClustering(dataset.unit, mapClustering),
    })
    receipt.cite(clusteringCitation)
  }
  if (sets.length > 0 || chosenSet !== null)
    receipt.cite({
      text: 'Wu D, Smyth GK (2012) Camera: a competitive gene set test accounting for inter-gene correlation. Nucleic Acids Res 40:e133',
      doi: '10.1093/nar/gks461',
    })
  return {
    assembly: input.assembly,
    dataset,
    method,
    versions,
    design,
    covariates: covariates.map(({ name }) => name),
    testName: groups.testName,
    referenceName: groups.referenceName,
    samples,
    componentShares: [1, 2, 3].map((axis) =>
      numberOf(facts.get(`share${axis}`)),
    ) as ComparisonResult['componentShares'],
    componentGenes: Number(facts.get('pca_genes')),
    transformation: facts.get('transformation') as ComparisonResult['transformation'],
    distances,
    genes: compared,
    heatMap,
    sets: sets.slice(0, limits.sets),
    setCount: sets.length,
    chosen:
      chosen === null
        ? null
        : {
            genes: chosen.found,
            unknown: chosen.unknown,
            absent: chosen.absent,
            ambiguous: chosen.ambiguous,
            set: chosenSet,
          },
    lowGenes: Number(facts.get('filter')),
    incompleteGenes: incomplete,
    rounded,
    notes: (facts.get('notes') ?? '').split(',').filter((note) => note !== '') as ComparisonResult['notes'],
    alpha: input.alpha,
  }
}

/** The first data set, of counts where there is one, with a factor that parts replicates. */
const completeExample = async (example: z.input<(typeof tool)['input']>, data: PortalData) => {
  const all = await listExpression(data, example.assembly)
  const sorted = [...all].sort((a, b) => Number(b.unit === 'counts') - Number(a.unit === 'counts'))
  for (const dataset of sorted) {
    const groups = exampleGroups(dataset)
    if (groups !== null) return { ...example, dataset: dataset.id, ...groups }
  }
  return null
}

export default defineEngine({
  tool,
  marks: ['genes', 'testName', 'referenceName'],
  programs: [
    {
      program: 'Rscript',
      package: 'r-bioc-deseq2 r-bioc-edger r-bioc-limma',
      bioconda: 'bioconductor-deseq2 bioconductor-edger bioconductor-limma',
      large: true,
      versionArguments: ['--version'],
      versionPattern: /version (\d+(?:\.\d+)+)/,
    },
  ],
  bounds: { timeoutMs: 2 * 60 * 60 * 1000, memoryBytes: 8 * 1024 ** 3 },
  routes: [expressionRoute(tool.id)],
  run,
  completeExample,
})
