import { readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { z } from 'zod'
import { findInflated, leaveOutDependent } from '../../bio/statistics/dependent-columns.ts'
import { DefectLog } from '../../bio/text/defects.ts'
import { fieldError, PortalError } from '../../contracts/errors.ts'
import type { LocalizedText } from '../../contracts/text.ts'
import type { ProgramRequirement } from '../../jobs/program.ts'
import { listPhenotypeSets, readTrait, type TraitData } from '../../kit/data/phenotype-data.ts'
import { listVariantSets, readVariants, type VariantSet } from '../../kit/data/variant-data.ts'
import { defineEngine, type EngineContext } from '../../kit/engine.ts'
import { gibibyte } from '../../kit/job-resources.ts'
import { tableHead, tsvLine } from '../../kit/write-table.ts'
import { readTextIfPresent } from '../../store/baked-text.ts'
import { bakeAssociations } from './bake-associations.ts'
import { phenotypeText, type WrittenGenotypes, writeGenotypes } from './genotype-files.ts'
import { nameOutput } from './named-output.ts'
import { type Covariates, normalByRank, type PhenotypeValues, readCovariates, readValues } from './read-values.ts'
import { routes } from './routes.ts'
import { findLoci, type RunPlot, runFiles } from './scan-data.ts'
import tool, { type AssociationRun, limits, minSamples } from './tool.ts'

type Input = z.output<(typeof tool)['input']>

export const gemma: ProgramRequirement = {
  program: 'gemma',
  package: 'gemma',
  bioconda: 'gemma',
  versionArguments: ['-h'],
  versionPattern: /GEMMA (\d+\.\d+\.\d+)/,
}
export const plink2: ProgramRequirement = {
  program: 'plink2',
  package: 'plink2',
  bioconda: 'plink2',
  versionArguments: ['--version'],
  versionPattern: /PLINK v(\S+)/,
}

const alpha = 0.05
/** Pruning for independent tests and components: windows of so many variants, step, r2. */
const pruning = ['100', '10', '0.2']
const shownUnknown = 20
/** Values are known to be simulated where they are of a set that says so; of pasted ones nothing is known. */
const areSimulated = async (input: Input, assembly: string, { data }: EngineContext): Promise<boolean> => {
  if (input.source === 'pasted') return false
  const [id] = (input.phenotype ?? '').split('|')
  const { species } = await data.getAssembly(assembly)
  return (await listPhenotypeSets(data, species)).some((set) => set.id === id && set.simulated)
}

/** Traits that are looked at for one whose accessions are samples of the variants, to be the example. */
const maxTraitsTried = 12

const citations = {
  gemma: {
    text: 'Zhou X, Stephens M (2012) Genome-wide efficient mixed-model analysis for association studies. Nat Genet 44:821-824',
    doi: '10.1038/ng.2310',
  },
  plink: {
    text: 'Chang CC, Chow CC, Tellier LCAM, et al. (2015) Second-generation PLINK: rising to the challenge of larger and richer datasets. GigaScience 4:7',
    doi: '10.1186/s13742-015-0047-8',
  },
  lambda: {
    text: 'Devlin B, Roeder K (1999) Genomic control for association studies. Biometrics 55:997-1004',
    doi: '10.1111/j.0006-341X.1999.00997.x',
  },
}

const findVariants = async (input: Input, assembly: string, context: EngineContext): Promise<VariantSet> => {
  const sets = (await listVariantSets(context.data, assembly)).filter(({ hasGenotypes }) => hasGenotypes)
  const set =
    input.variants === undefined
      ? (sets.find(({ samples }) => samples.length >= minSamples) ?? sets[0])
      : sets.find(({ id }) => id === input.variants)
  if (set !== undefined) return set
  if (sets.length === 0) throw fieldError(['assembly'], 'problem.noGenotypes', { assembly })
  throw fieldError(['variants'], 'problem.noVariants', {
    set: input.variants ?? '',
    known: sets.map(({ id }) => id).join(', '),
  })
}

const numbersOf = ({ values }: TraitData): Map<string, number> =>
  new Map(values.flatMap(({ accession, value }) => (value === null ? [] : [[accession, value] as const])))

/** `title`: as the set of phenotypes names the trait. */
type ChosenValues = PhenotypeValues & { title?: LocalizedText }

const findValues = async (input: Input, assembly: string, context: EngineContext): Promise<ChosenValues> => {
  if (input.source === 'pasted') {
    if ((input.values ?? '').trim() === '') throw fieldError(['values'], 'problem.noValues')
    return readValues(input.values!)
  }
  const [set, ...rest] = (input.phenotype ?? '').split('|')
  if (set === undefined || set === '' || rest.length === 0) throw fieldError(['phenotype'], 'problem.noPhenotype')
  const { species } = await context.data.getAssembly(assembly)
  const trait = rest.join('|')
  const read = await readTrait(context.data, species, set, trait).catch((error: unknown) => {
    if (!(error instanceof PortalError) || error.code !== 'NOT_FOUND') throw error
    throw fieldError(['phenotype'], 'problem.unknownPhenotype', { set, trait })
  })
  const values = numbersOf(read)
  if (values.size === 0) throw fieldError(['phenotype'], 'problem.notNumeric', { trait })
  return { values, repeated: 0, name: trait, title: read.trait.name }
}

interface Chosen {
  samples: number[]
  names: string[]
  phenotype: number[]
  covariates: number[][]
  unknown: string[]
}

const chooseSamples = (set: VariantSet, values: PhenotypeValues, covariates: Covariates | null): Chosen => {
  const chosen: Chosen = { samples: [], names: [], phenotype: [], covariates: [], unknown: [] }
  const known = new Set(set.samples)
  for (const accession of values.values.keys()) if (!known.has(accession)) chosen.unknown.push(accession)
  for (const [number, name] of set.samples.entries()) {
    const value = values.values.get(name)
    const own = covariates === null ? [] : covariates.values.get(name)
    if (value === undefined || own === undefined) continue
    chosen.samples.push(number)
    chosen.names.push(name)
    chosen.phenotype.push(value)
    chosen.covariates.push(own)
  }
  return chosen
}

const explain =
  (program: string) =>
  (_: number, text: string): PortalError | null => {
    const line = text
      .split('\n')
      .map((one) => one.trim())
      .filter((one) => /error/i.test(one))
      .at(-1)
    return line === undefined
      ? null
      : new PortalError('ENGINE_FAILED', {
          message: 'problem.program',
          params: { program, text: line.replace(/^error:?\s*/i, '').slice(0, 300) },
        })
  }

/** Variants that are left after pruning by linkage: as many tests are independent. Written to pruned.prune.in. */
const prune = async (context: EngineContext, sampleCount: number): Promise<number> => {
  await context.runProgram({
    program: plink2.program,
    arguments: [
      ...['--bfile', 'genotypes', '--indep-pairwise', ...pruning, '--out', 'pruned', '--threads', '2'],
      ...(sampleCount < 50 ? ['--bad-ld'] : []),
    ],
    explainFailure: explain('plink2'),
  })
  const text = await readFile(join(context.directory, 'pruned.prune.in'), 'utf8')
  return text.split('\n').filter((line) => line !== '').length
}

const readComponents = async (context: EngineContext, count: number, sampleCount: number): Promise<number[][]> => {
  await context.runProgram({
    program: plink2.program,
    arguments: [
      ...['--bfile', 'genotypes', '--extract', 'pruned.prune.in', '--pca', String(count), '--out', 'components'],
      ...['--threads', '2', ...(sampleCount < 50 ? ['--bad-freqs'] : [])],
    ],
    explainFailure: explain('plink2'),
  })
  const text = await readFile(join(context.directory, 'components.eigenvec'), 'utf8')
  const [heading = '', ...lines] = text.trim().split('\n')
  const first = heading.split('\t').findIndex((name) => /^PC1$/.test(name))
  return lines.map((line) => line.split('\t').slice(first).map(Number))
}

const runMixedModel = async (
  written: WrittenGenotypes,
  covariates: number[][],
  input: Input,
  context: EngineContext,
): Promise<{ file: string; heritability: AssociationRun['heritability'] }> => {
  // All that was written is to be tested: frequency and missing genotypes have been looked at.
  const genotypes =
    written.form === 'plink' ? ['-bfile', 'genotypes'] : ['-g', 'genotypes.bimbam', '-p', 'phenotype.txt']
  const everything = ['-maf', '0', '-miss', '1']
  const run = (words: string[]): Promise<unknown> =>
    context.runProgram({
      program: gemma.program,
      arguments: [...genotypes, ...words],
      environment: { OPENBLAS_NUM_THREADS: '2', OMP_NUM_THREADS: '2' },
      explainFailure: explain('GEMMA'),
    })
  context.progress(0.35, 'step.kinship')
  await run(['-gk', '1', ...everything, '-o', 'kinship'])
  context.progress(0.5, 'step.testing')
  const tests = { wald: '1', lrt: '2', score: '3' } as const
  await run([
    ...['-k', 'output/kinship.cXX.txt', '-lmm', tests[input.test], ...everything],
    ...(covariates[0]?.length ? ['-c', 'covariates.txt'] : []),
    ...['-o', 'lmm'],
  ])
  // Some failures GEMMA only prints.
  const log = await readTextIfPresent(join(context.directory, 'output/lmm.log.txt'))
  const tested = await stat(join(context.directory, 'output/lmm.assoc.txt')).catch(() => null)
  if (log === null || tested === null)
    throw new PortalError('ENGINE_FAILED', { message: 'problem.noOutput', params: { program: 'GEMMA' } })
  const value = /pve estimate in the null model = (\S+)/.exec(log)?.[1]
  const se = /se\(pve\) in the null model = (\S+)/.exec(log)?.[1]
  const number = (text: string | undefined): number | null =>
    text !== undefined && Number.isFinite(Number(text)) ? Number(text) : null
  const share = number(value)
  return {
    file: 'output/lmm.assoc.txt',
    heritability: share === null ? null : { value: share, se: number(se) },
  }
}

const runPlainModel = async (names: readonly string[], input: Input, context: EngineContext): Promise<string> => {
  context.progress(0.5, 'step.testing')
  const logistic = input.model === 'logistic'
  await context.runProgram({
    program: plink2.program,
    arguments: [
      ...['--bfile', 'genotypes', '--pheno', 'phenotype.tsv', '--pheno-name', 'PHENO', '--no-input-missing-phenotype'],
      ...(names.length > 0 ? ['--covar', 'covariates.tsv', '--covar-variance-standardize'] : []),
      ...['--glm', 'omit-ref', 'log10', 'hide-covar', 'allow-no-covars', ...(logistic ? ['firth-fallback'] : [])],
      ...['cols=chrom,pos,ref,alt,a1freq,test,nobs,orbeta,se,tz,p,err', '--threads', '2', '--out', 'scan'],
      ...(logistic ? ['--1'] : []),
    ],
    explainFailure: explain('plink2'),
  })
  const file = (await readdir(context.directory)).find((name) => /^scan\.PHENO\.glm\.\w+(\.\w+)?$/.test(name))
  if (file === undefined)
    throw new PortalError('ENGINE_FAILED', { message: 'problem.noOutput', params: { program: 'plink2' } })
  return file
}

/**
 * Values of a quantity as PLINK 2 is given them: of 0, 1 and 2 alone it would make controls, cases and missing ones, and a logistic model.
 * Ten more in all of them changes the mean and no effect.
 */
const asQuantity = (phenotype: readonly number[]): readonly number[] =>
  phenotype.every((value) => value === 0 || value === 1 || value === 2)
    ? phenotype.map((value) => value + 10)
    : phenotype

const writeTables = async (
  directory: string,
  chosen: Chosen,
  phenotype: readonly number[],
  model: Input['model'],
  covariates: number[][],
  names: readonly string[],
): Promise<void> => {
  const lines = (rows: string[]): string => `${rows.join('\n')}\n`
  await writeFile(
    join(directory, 'phenotype.tsv'),
    lines([
      '#FID\tIID\tPHENO',
      ...(model === 'linear' ? asQuantity(phenotype) : phenotype).map(
        (value, at) => `s${at}\ts${at}\t${phenotypeText(value)}`,
      ),
    ]),
  )
  await writeFile(
    join(directory, 'samples.tsv'),
    [
      tableHead([], ['accession', 'value', ...names], 'tsv'),
      ...chosen.names.map((name, at) => tsvLine([name, phenotype[at], ...(covariates[at] ?? [])])),
    ].join(''),
  )
  if (names.length === 0) return
  // GEMMA wants a column of ones for the mean where covariates are given.
  await writeFile(join(directory, 'covariates.txt'), lines(covariates.map((row) => [1, ...row].join('\t'))))
  await writeFile(
    join(directory, 'covariates.tsv'),
    lines([
      ['#FID', 'IID', ...names.map((_, at) => `C${at + 1}`)].join('\t'),
      ...covariates.map((row, at) => [`s${at}`, `s${at}`, ...row].join('\t')),
    ]),
  )
}

/** Refuses covariates that plink2 would not take: its own words name them by numbers. */
const refuseInflated = (covariates: { names: string[]; rows: number[][] }, model: Input['model']): void => {
  if (model === 'lmm') return
  const found = findInflated(covariates.names, covariates.rows)
  if (found !== null)
    throw fieldError(['covariates'], 'problem.collinear', {
      one: found.name,
      other: found.nearest,
      factor: found.factor,
    })
}

/** Both values of a trait of cases and controls; the greater means a case. */
const readCases = (phenotype: readonly number[]): number[] => {
  const levels = [...new Set(phenotype)].sort((a, b) => a - b)
  if (levels.length !== 2) throw fieldError(['model'], 'problem.notBinary', { count: levels.length })
  return phenotype.map((value) => (value === levels[1] ? 1 : 0))
}

export default defineEngine({
  tool,
  // PLINK 2 is given two threads; GEMMA holds the relationship matrix and one block of sites.
  resources: () => ({ cores: 2, memoryBytes: 8 * gibibyte }),
  programs: [gemma, plink2],
  completeExample: async (example, data) => {
    const { species } = await data.getAssembly(example.assembly)
    const enough = (await listVariantSets(data, example.assembly)).filter(
      ({ hasGenotypes, samples }) => hasGenotypes && samples.length >= minSamples,
    )
    const traits = (await listPhenotypeSets(data, species))
      .flatMap((set) => set.traits.map((trait) => ({ set, trait })))
      .filter(({ trait }) => trait.type !== 'categorical')
      .sort((a, b) => Number(b.trait.type === 'quantitative') - Number(a.trait.type === 'quantitative'))
    for (const { set, trait } of enough.length === 0 ? [] : traits.slice(0, maxTraitsTried)) {
      const values = numbersOf(await readTrait(data, species, set.id, trait.id))
      const fitting = enough.filter((variants) => {
        const { samples, phenotype } = chooseSamples(variants, { values, repeated: 0, name: trait.id }, null)
        return samples.length >= minSamples && new Set(phenotype).size > 1
      })
      const variants = fitting.find(({ simulated }) => simulated === set.simulated) ?? fitting[0]
      if (variants !== undefined)
        return { ...example, source: 'loaded' as const, phenotype: `${set.id}|${trait.id}`, variants: variants.id }
    }
    return null
  },
  bounds: { timeoutMs: 4 * 60 * 60 * 1000, outputBytes: 20 * 1024 ** 3 },
  run: async (input, context): Promise<AssociationRun> => {
    const { data, directory, signal } = context
    context.progress(0, 'step.reading')
    const assembly = (await data.getAssembly(input.assembly)).id
    const set = await findVariants(input, assembly, context)
    const values = await findValues(input, assembly, context)
    const given = (input.covariates ?? '').trim() === '' ? null : readCovariates(input.covariates!, limits.covariates)
    const chosen = chooseSamples(set, values, given)
    const sampleCount = chosen.samples.length
    if (sampleCount < minSamples)
      throw fieldError([input.source === 'pasted' ? 'values' : 'phenotype'], 'problem.fewSamples', {
        count: sampleCount,
        min: minSamples,
        given: values.values.size,
        names: chosen.unknown.slice(0, 5).join(', '),
        known: set.samples.slice(0, 3).join(', '),
      })
    if (sampleCount > limits.samples)
      throw fieldError(['values'], 'problem.tooManySamples', { count: sampleCount, limit: limits.samples })
    if (new Set(chosen.phenotype).size < 2) throw fieldError(['values'], 'problem.constant')
    if (input.model !== 'lmm' && set.ploidy > 2)
      throw fieldError(['model'], 'problem.polyploid', { ploidy: set.ploidy })
    const polyploidPruned = set.ploidy > 2 && (input.components > 0 || input.significance === 'effective')
    if (polyploidPruned)
      throw fieldError([input.components > 0 ? 'components' : 'significance'], 'problem.polyploidPruning')
    const independent = leaveOutDependent(given?.names ?? [], chosen.covariates)
    // The mean and the allele are predictors, too; nothing is left for an error without a sample more.
    const predictors = independent.names.length + input.components + 2
    if (sampleCount <= predictors)
      throw fieldError([independent.names.length > 0 ? 'covariates' : 'components'], 'problem.manyPredictors', {
        samples: sampleCount,
        predictors,
        covariates: independent.names.length,
        components: input.components,
      })
    refuseInflated(independent, input.model)
    let phenotype = input.model === 'logistic' ? readCases(chosen.phenotype) : chosen.phenotype
    if (input.transform === 'normal' && input.model !== 'logistic') phenotype = normalByRank(phenotype)

    context.progress(0.05, 'step.genotypes')
    const written = await writeGenotypes({
      directory,
      records: readVariants(set, null, signal),
      samples: chosen.samples,
      names: chosen.names,
      phenotype,
      ploidy: set.ploidy,
      minMinorFrequency: input.minorFrequency,
      maxMissingShare: input.missing,
      maxSites: limits.sites,
      maxGenotypes: limits.genotypes,
      onRecord: (count) => context.progress(0.05 + 0.2 * Math.min(1, count / Math.max(1, set.sites)), 'step.genotypes'),
      signal,
    })
    if (written.written === 0)
      throw fieldError(['minorFrequency'], 'problem.nothingLeft', {
        rare: written.rare,
        missing: written.missing,
        constant: written.constant,
      })
    let tests = written.written
    let { names, rows } = independent
    if (input.components > 0 || input.significance === 'effective') {
      context.progress(0.27, 'step.pruning')
      tests = await prune(context, sampleCount)
    }
    if (input.components > 0) {
      context.progress(0.3, 'step.components')
      const components = await readComponents(context, input.components, sampleCount)
      names = [...names, ...components[0]!.map((_, at) => `PC${at + 1}`)]
      rows = rows.map((row, at) => [...row, ...components[at]!])
      refuseInflated({ names, rows }, input.model)
    }
    await writeTables(directory, chosen, phenotype, input.model, rows, names)
    const mixed = input.model === 'lmm' ? await runMixedModel(written, rows, input, context) : null
    const file = mixed?.file ?? (await runPlainModel(names, input, context))

    context.progress(0.85, 'step.writing')
    if (input.significance === 'bonferroni') tests = written.written
    const log = new DefectLog()
    const sequences = await data.listSequences(assembly)
    const traitName = values.name ?? 'phenotype'
    const baked = await bakeAssociations({
      file: join(directory, file),
      // Places in the programs' files are numbers of rows; the names lead back.
      columns: input.model === 'lmm' ? {} : { id: 'ID' },
      trait: traitName,
      threshold: alpha / tests,
      complete: true,
      outFile: join(directory, runFiles.table),
      sequences,
      findSequence: () => null,
      findLocus: (id) => written.loci.get(id) ?? null,
      log,
      signal,
    })
    const found = baked?.traits[0]
    if (baked === null || found === undefined)
      throw new PortalError('ENGINE_FAILED', {
        message: 'problem.noOutput',
        params: { program: input.model === 'lmm' ? 'GEMMA' : 'plink2' },
      })
    await nameOutput(join(directory, file), written.loci, signal)
    const plot: RunPlot = { trait: found.trait, plot: found.plot }
    await writeFile(join(directory, runFiles.plot), JSON.stringify(plot))
    for (const large of [
      'genotypes.bed',
      'genotypes.bim',
      'genotypes.fam',
      'genotypes.bimbam',
      'output/kinship.cXX.txt',
    ])
      await rm(join(directory, large), { force: true })
    const { loci, lociCut, windowBp } = await findLoci(
      data,
      {
        assembly,
        set: null,
        trait: found.trait,
        plot: found.plot,
        variants: set.id,
        path: join(directory, runFiles.table),
      },
      { threshold: found.trait.threshold, minR2: 0, signal },
    )
    const { receipt } = context
    const simulated = set.simulated || (await areSimulated(input, assembly, context))
    receipt.addData(assembly)
    receipt.addDataSet({ name: set.name, simulated })
    receipt.addStep({
      program: 'NovoDB association',
      version: String(tool.version),
      formula: [
        `genotypes of ${set.id} (${sampleCount} samples with a value${given === null ? '' : ' and covariates'}); every ALT allele against all others; one copy counted as two, more than two scaled to doses of 0 to 2`,
        `minor allele frequency >= ${input.minorFrequency}, missing <= ${input.missing} among these samples`,
        ...(input.transform === 'normal' ? ['values put on normal quantiles by rank (Blom)'] : []),
        ...(names.length > 0 ? [`covariates: ${names.join(', ')}`] : []),
        `significant at ${alpha} / ${tests} (${input.significance === 'effective' ? `variants left by plink2 --indep-pairwise ${pruning.join(' ')}` : 'all tests'})`,
        'lambda = median chi-square / 0.4549',
      ].join('; '),
    })
    if (input.model === 'lmm') receipt.cite(citations.gemma)
    if (input.model !== 'lmm' || input.components > 0 || input.significance === 'effective')
      receipt.cite(citations.plink)
    receipt.cite(citations.lambda)
    return {
      assembly,
      variants: set.id,
      trait: traitName,
      ...(values.title === undefined ? {} : { traitName: values.title }),
      model: input.model,
      samples: sampleCount,
      samplesLeftOut: set.samples.length - sampleCount,
      unknown: chosen.unknown.slice(0, shownUnknown),
      unknownCount: chosen.unknown.length,
      repeated: values.repeated,
      covariates: names,
      covariatesLeftOut: independent.leftOut,
      ploidy: written.ploidy,
      tested: found.trait.count,
      patterns: written.patterns,
      rare: written.rare,
      missing: written.missing,
      constant: written.constant,
      untested: written.written - found.trait.count,
      tests,
      threshold: alpha / tests,
      thresholdBy: input.significance,
      significant: found.trait.significant ?? 0,
      lambda: found.trait.lambda,
      heritability: mixed?.heritability ?? null,
      simulated,
      cases: input.model === 'logistic' ? phenotype.filter((value) => value === 1).length : null,
      loci,
      lociCut,
      windowBp,
      best: found.trait.best,
    }
  },
  routes,
})
