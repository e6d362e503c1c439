import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { z } from 'zod'
import { PortalError } from '../../contracts/errors.ts'
import type { Database } from '../../database/connect.ts'
import { findPrograms } from '../../jobs/programs.ts'
import type { OpenPortalData } from '../../kit/data/create-portal-data.ts'
import { runTool } from '../../kit/run-tool.ts'
import { answerBytes, answerJson, askRoute, emptyReceipt, searchPath } from '../../testing/contexts.ts'
import { type EmptyPortal, openEmptyPortal } from '../../testing/empty-portal.ts'
import { failureInWords } from '../../testing/failure.ts'
import { hasRealData, realData } from '../../testing/real-data.ts'
import { loadTestSpecies } from '../../testing/species.ts'
import { checkExport, readStrictTable } from '../../testing/strict-reader.ts'
import type { findAtLocus, getRegion, getScan, listScans } from './endpoints.ts'
import engine from './engine.ts'
import messages from './messages.ts'
import type { AssociationRun } from './tool.ts'
import tool from './tool.ts'

const bxd = join(realData, 'formats/gwas')

let portal: EmptyPortal
let database: Database
let root: string
let dataDir: string
let data: OpenPortalData
let runs = 0

/** Numbers that look like chance and are the same every time. */
const random = (seed: number) => {
  let state = seed
  return (): number => {
    state = (state * 48271) % 2147483647
    return state / 2147483647
  }
}

const write = (folder: string, files: Record<string, string>): string => {
  const path = join(root, folder)
  mkdirSync(path)
  for (const [name, text] of Object.entries(files)) writeFileSync(join(path, name), text)
  return path
}

// A haploid population of 90 in three groups, 300 sites; site 140 adds two, the groups differ by themselves.
const population = (() => {
  const next = random(11)
  const groups = [0, 1, 2]
  const samples = groups.flatMap((group) =>
    Array.from({ length: 30 }, (_, at) => ({ group, name: `acc${group}-${at}` })),
  )
  const sites = Array.from({ length: 300 }, (_, site) => {
    const shares = groups.map(() => 0.15 + 0.7 * next())
    return {
      position: 20 + site * 30,
      alleles: samples.map(({ group }) => (next() < (site === 140 ? 0.4 : shares[group]!) ? 1 : 0)),
    }
  })
  const noise = (): number => next() + next() + next() + next() - 2
  const values = samples.map(({ group }, at) => 10 + 1.5 * group + 2 * sites[140]!.alleles[at]! + 1.2 * noise())
  return { samples, sites, values }
})()

const column = ['#CHROM', 'POS', 'ID', 'REF', 'ALT', 'QUAL', 'FILTER', 'INFO', 'FORMAT']

const makePopulation = async (): Promise<void> => {
  const { samples, sites, values } = population
  const genome = `>chr1\n${'A'.repeat(10_000)}\n`
  const lines = sites.map(({ position, alleles }, at) =>
    [
      'chr1',
      position,
      `v${at}x`,
      'A',
      'G',
      '.',
      'PASS',
      '.',
      'GT',
      ...alleles.map((allele, sample) => (at === 5 && sample < 40 ? '.' : allele)),
    ].join('\t'),
  )
  // A site of two alternatives, and one that is the same in all.
  lines.push(['chr1', 9500, '.', 'A', 'C,T', '.', 'PASS', '.', 'GT', ...samples.map((_, at) => at % 3)].join('\t'))
  lines.push(['chr1', 9600, '.', 'A', 'C', '.', 'PASS', '.', 'GT', ...samples.map(() => 1)].join('\t'))
  const genes = [1, 2, 3, 4].map(
    (at) => `chr1\tt\tgene\t${at * 2000 - 800}\t${at * 2000 + 300}\t.\t+\t.\tID=g${at};Name=abc${at}`,
  )
  const folder = write('population', {
    'genome.fa': genome,
    'genes.gff3': `##gff-version 3\n${genes.join('\n')}\n`,
    'panel.vcf': `##fileformat=VCFv4.2\n##contig=<ID=chr1,length=10000>\n##FORMAT=<ID=GT,Number=1,Type=String,Description="Genotype">\n${[...column, ...samples.map(({ name }) => name)].join('\t')}\n${lines.join('\n')}\n`,
    'traits.tsv': `accession\theight\tgroup\n${samples.map(({ name, group }, at) => `${name}\t${values[at]!.toFixed(4)}\t${'abc'[group]}`).join('\n')}\n`,
    // Accessions that nobody has sequenced.
    'elsewhere.tsv': `accession\tyield\n${samples.map((_, at) => `plot${at}\t${at}`).join('\n')}\n`,
    'species.yaml': [
      ...['novodb: 1', 'species: population', 'name: Made up', 'phenotypes:'],
      '  - { id: elsewhere, name: Elsewhere, file: elsewhere.tsv }',
      '  - { id: field, name: Field, file: traits.tsv }',
      ...['assemblies:', '  - id: P1', '    genome: genome.fa', '    genes: genes.gff3', '    variants:'],
      ...['      - { id: panel, name: Panel, file: panel.vcf, simulated: true }', ''],
    ].join('\n'),
  })
  const report = await loadTestSpecies(database, dataDir, folder)
  expect(report.defects.filter(({ severity }) => severity === 'error')).toEqual([])
}

/** The BXD mice of GEMMA's example as a VCF: sites in their order on the chromosomes, one each 100 bases of a made-up genome. */
const makeMice = async (): Promise<string> => {
  const read = (name: string): string[] =>
    gunzipSync(readFileSync(join(bxd, name)))
      .toString()
      .trimEnd()
      .split('\n')
  const chromosomeOf = new Map(
    read('GEMMA_BXD_snps.txt.gz')
      .map((line) => line.split('\t'))
      .map(([id, , on]) => [id!, on!]),
  )
  // Enough of its 7,320 sites; bench/gwas.ts compares all.
  const rows = read('GEMMA_BXD_geno.txt.gz')
    .slice(0, 1200)
    .map((line) => line.split(/, ?/))
  const counts = new Map<string, number>()
  const records = rows.map(([id, , , ...cells]) => {
    const on = `chr${chromosomeOf.get(id!)!}`
    const at = (counts.get(on) ?? 0) + 1
    counts.set(on, at)
    const genotypes = cells.map((cell) => ({ '0': '0/0', '0.5': '0/1', '1': '1/1' })[cell] ?? './.')
    return [on, at * 100, id, 'A', 'G', '.', 'PASS', '.', 'GT', ...genotypes].join('\t')
  })
  const values = read('GEMMA_BXD_pheno.txt.gz')
  const folder = write('mice', {
    'genome.fa': [...counts].map(([name, sites]) => `>${name}\n${'A'.repeat((sites + 2) * 100)}\n`).join(''),
    'mice.vcf': `##fileformat=VCFv4.2\n##FORMAT=<ID=GT,Number=1,Type=String,Description="Genotype">\n${[...column, ...values.map((_, at) => `BXD${at + 1}`)].join('\t')}\n${records.join('\n')}\n`,
    'geno.txt': `${rows.map((cells) => cells.join(', ')).join('\n')}\n`,
    'pheno.txt': `${values.join('\n')}\n`,
    'species.yaml': [
      ...['novodb: 1', 'species: mice', 'name: Mus musculus', 'assemblies:', '  - id: BXD', '    genome: genome.fa'],
      ...['    variants:', '      - { id: bxd, name: BXD, file: mice.vcf }', ''],
    ].join('\n'),
  })
  expect((await loadTestSpecies(database, dataDir, folder)).ok).toBe(true)
  return folder
}

beforeAll(async () => {
  portal = await openEmptyPortal('run-gwas')
  ;({ database, root, dataDir } = portal)
  await makePopulation()
  data = await portal.openData()
})
afterAll(() => portal?.close())

const run = async (input: z.input<typeof tool.input>, path = searchPath) => {
  const directory = join(root, `run${++runs}`)
  const steps: string[] = []
  const { result, receipt } = await runTool(engine, {
    input: tool.input.parse(input),
    data,
    directory,
    dataDir,
    searchPath: path,
    programs: await findPrograms(engine.programs, path),
    portalVersion: 'test',
    signal: new AbortController().signal,
    bounds: { timeoutMs: 120_000, memoryBytes: 4 * 1024 ** 3, outputBytes: 2 * 1024 ** 3 },
    onProgress: (_, step) => step !== undefined && steps.push(step),
  })
  return { result: result as AssociationRun, receipt, directory, steps }
}

const ask = async <Output>(
  path: string,
  input: object,
  job?: { directory: string; result: AssociationRun },
): Promise<Output> => {
  const answer = await askRoute(engine, path, input, {
    data,
    openJob: async () => {
      if (job === undefined) throw new PortalError('NOT_FOUND')
      return { directory: job.directory, input: {}, result: job.result, receipt: emptyReceipt }
    },
  })
  const { endpoint } = engine.routes!.find((one) => one.path === path)!
  return endpoint!.output.parse(answerJson(answer)) as Output
}
/** A file of a run as its reader gets it. */
const openFile = async (name: string, done: Awaited<ReturnType<typeof run>>): Promise<Buffer> => {
  const answer = await askRoute(
    engine,
    'jobs/{job}/file',
    { job, name },
    {
      data,
      openJob: async () => ({ directory: done.directory, input: {}, result: done.result, receipt: done.receipt }),
    },
  )
  return answerBytes(answer)
}
type Answer<E extends { output: z.ZodType }> = z.output<E['output']>

const failure = (promise: Promise<unknown>) => failureInWords(promise, messages)

const job = '0'.repeat(32)

describe('an association is run on loaded genotypes', () => {
  test('by a mixed model, of a loaded trait: the planted site is found among groups that differ by themselves, with its gene', async () => {
    const done = await run({ assembly: 'P1', source: 'loaded', phenotype: 'field|height', significance: 'effective' })
    const { result } = done
    expect(result).toMatchObject({ variants: 'panel', trait: 'height', samples: 90, samplesLeftOut: 0, ploidy: 1 })
    expect(result.simulated).toBe(true)
    // One site has too many missing, one is the same in all; both alternatives of another are tested apart.
    expect(result).toMatchObject({
      missing: 1,
      constant: 1,
      rare: 0,
      tested: 301,
      untested: 0,
      thresholdBy: 'effective',
    })
    expect(result.tests).toBeLessThan(301)
    expect(result.best).toMatchObject({
      id: 'v140x',
      sequence: 'chr1',
      position: 4220,
      effectAllele: 'G',
      otherAllele: 'A',
    })
    // Haploid genotypes count as of two equal copies: the effect of a copy is half that of the allele.
    expect(result.best!.beta).toBeGreaterThan(0.7)
    expect(result.best!.beta).toBeLessThan(1.3)
    expect(result.loci[0]).toMatchObject({ lead: { id: 'v140x' } })
    expect(result.loci[0]!.genes[0]).toMatchObject({ id: 'g2', distanceBp: 0 })
    expect(result.heritability!.value).toBeGreaterThan(0)
    expect(done.receipt.steps.map(({ program }) => program)).toEqual(['plink2', 'gemma', 'gemma', 'NovoDB association'])
    expect(done.steps).toEqual(
      expect.arrayContaining(['step.genotypes', 'step.kinship', 'step.testing', 'step.writing']),
    )

    const scan = await ask<Answer<typeof getScan>>('scan/', { job }, done)
    expect(scan.scan.points.length / 3).toBe(301)
    expect(scan.trait.lambda).toBeCloseTo(result.lambda!, 12)
    expect(scan.quantiles.length).toBeGreaterThan(100)
    const region = await ask<Answer<typeof getRegion>>('region/', { job, sequence: '1', start: 4000, end: 4400 }, done)
    expect(region).toMatchObject({ linkage: 'panel', leadInVariants: true, lead: { id: 'v140x' }, total: 14 })
    // r2 of 0 and 1 in 90 haploid genotypes, by the definition of linkage disequilibrium.
    const [a, b] = [population.sites[140]!.alleles, population.sites[141]!.alleles]
    const mean = (values: number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length
    const [pa, pb, pab] = [mean(a), mean(b), mean(a.map((one, at) => one * b[at]!))]
    const r2 = (pab - pa * pb) ** 2 / (pa * (1 - pa) * pb * (1 - pb))
    expect(region.rows.find(({ id }) => id === 'v141x')!.r2).toBeCloseTo(r2, 4)
    expect(region.rows.find(({ id }) => id === 'v140x')!.r2).toBe(1)
    expect(region.genes.map(({ id }) => id)).toEqual(['g2'])
    const named = await openFile('gemma.assoc.txt', done)
    expect(checkExport('gemma.assoc.tsv', named)).toEqual([])
    const tests = readStrictTable(named.toString(), 'tsv')
    const cellsOf = (name: string): string[] => tests.rows.map((row) => row[tests.headings.indexOf(name)]!)
    expect(new Set(cellsOf('chr'))).toEqual(new Set(['chr1']))
    const places = new Map(population.sites.map(({ position }, at) => [`v${at}x`, String(position)]))
    expect(cellsOf('rs').filter((id) => !id.startsWith('chr1:')).length).toBeGreaterThan(290)
    for (const [at, id] of cellsOf('rs').entries())
      expect(cellsOf('ps')[at]).toBe(places.get(id) ?? id.replace('chr1:', ''))
    const inIndex = gunzipSync(await openFile('associations.bed.gz', done)).toString()
    expect(checkExport('associations.bed', Buffer.from(inIndex))).toEqual([])
    const who = readStrictTable((await openFile('samples.tsv', done)).toString(), 'tsv')
    expect(who.headings).toEqual(['accession', 'value'])
    expect(who.rows.map(([name]) => name)).toEqual(population.samples.map(({ name }) => name))

    const clumped = await ask<Answer<typeof getScan>>('scan/', { job, minR2: 0.5, threshold: 0.5 }, done)
    expect(clumped.linkage).toBe('panel')
    expect(clumped.loci.length).toBeGreaterThan(
      (await ask<Answer<typeof getScan>>('scan/', { job, threshold: 0.5 }, done)).loci.length,
    )
  })

  test('by a linear model with covariates and components, pasted; p-values are those of least squares', async () => {
    const { samples, sites, values } = population
    const pasted = [
      'line,value',
      ...samples.map(({ name }, at) => `${name},${values[at]!.toFixed(4)}`),
      'stranger,3',
      'acc0-1,NA',
    ]
    const covariates = [
      'line\tplot\tsame\ttwice',
      ...samples.map(({ name, group }) => `${name}\t${'abc'[group]}\t7\t${group === 1 ? 4 : 0}`),
    ]
    const done = await run({
      assembly: 'P1',
      values: pasted.join('\n'),
      covariates: covariates.join('\n'),
      model: 'linear',
      missing: 0.5,
    })
    const { result, directory } = done
    const named = readStrictTable((await openFile('plink2.linear.tsv', done)).toString(), 'tsv')
    expect(named.headings.slice(0, 3)).toEqual(['CHROM', 'POS', 'ID'])
    expect(named.rows.find(([, , id]) => id === 'v140x')!.slice(0, 2)).toEqual(['chr1', '4220'])
    expect(result).toMatchObject({
      covariates: ['plot=b', 'plot=c'],
      covariatesLeftOut: ['same', 'twice'],
      samples: 90,
      unknown: ['stranger'],
      unknownCount: 1,
      trait: 'value',
    })
    // Least squares of value on dose and groups, by taking out the means of the groups first (Frisch, Waugh and Lovell).
    const within = (all: number[]): number[] => {
      const means = [0, 1, 2].map((group) => {
        const own = all.filter((_, at) => samples[at]!.group === group)
        return own.reduce((sum, value) => sum + value, 0) / own.length
      })
      return all.map((value, at) => value - means[samples[at]!.group]!)
    }
    const y = within(values.map((value) => Number(value.toFixed(4))))
    const x = within(sites[140]!.alleles.map((allele) => 2 * allele))
    const dot = (a: number[], b: number[]): number => a.reduce((sum, value, at) => sum + value * b[at]!, 0)
    const beta = dot(x, y) / dot(x, x)
    const rest = dot(y, y) - beta * dot(x, y)
    const se = Math.sqrt(rest / (90 - 4) / dot(x, x))
    expect(result.best!.id).toBe('v140x')
    expect(result.best!.beta).toBeCloseTo(beta, 5)
    expect(result.best!.se).toBeCloseTo(se, 5)
    expect(readFileSync(join(directory, 'samples.tsv'), 'utf8')).toContain('acc2-29')
    // Scores of 0, 1 and 2 are quantities here, whatever plink2 takes such phenotypes for.
    const scores = values.map((value) => (value > 13 ? 2 : value > 12 ? 1 : 0))
    const scored = await run({
      assembly: 'P1',
      model: 'linear',
      missing: 0.5,
      minorFrequency: 0,
      values: samples.map(({ name }, at) => `${name}\t${scores[at]}`).join('\n'),
    })
    const mean = (all: number[]): number[] => all.map((one) => one - all.reduce((sum, each) => sum + each, 0) / 90)
    const doses = mean(sites[140]!.alleles.map((allele) => 2 * allele))
    expect(scored.result.best!.id).toBe('v140x')
    expect(scored.result.best!.beta).toBeCloseTo(dot(doses, mean(scores)) / dot(doses, doses), 5)
    const components = await run({ assembly: 'P1', values: pasted.join('\n'), model: 'linear', components: 2 })
    expect(components.result.covariates).toEqual(['PC1', 'PC2'])
    expect(components.result.best!.id).toBe('v140x')
    const cases = samples.map(({ name }, at) => `${name} ${values[at]! > 12.5 ? 2 : 1}`).join('\n')
    const logistic = await run({ assembly: 'P1', values: cases, model: 'logistic', components: 2 })
    expect(logistic.result.cases).toBe(values.filter((value) => value > 12.5).length)
    expect(logistic.result.best!.id).toBe('v140x')
  })

  test('bad input is told beside its field', async () => {
    const lines = (count: number): string =>
      population.samples
        .slice(0, count)
        .map(({ name }, at) => `${name}\t${at}`)
        .join('\n')
    const at = async (input: z.input<typeof tool.input>, field: string, message: string): Promise<void> => {
      const error = await failure(run(input))
      expect(error.problems).toMatchObject([{ path: [field], message }])
    }
    await at({ assembly: 'P1', values: '' }, 'values', 'problem.noValues')
    await at({ assembly: 'P1', values: 'acc0-1\tx\nacc0-2\ty' }, 'values', 'problem.notNumber')
    await at({ assembly: 'P1', values: lines(5) }, 'values', 'problem.fewSamples')
    await at(
      { assembly: 'P1', values: population.samples.map(({ name }) => `${name} 1`).join('\n') },
      'values',
      'problem.constant',
    )
    await at({ assembly: 'P1', values: lines(60), variants: 'nothing' }, 'variants', 'problem.noVariants')
    await at({ assembly: 'P1', values: lines(60), model: 'logistic' }, 'model', 'problem.notBinary')
    await at({ assembly: 'P1', source: 'loaded', phenotype: 'field|nothing' }, 'phenotype', 'problem.unknownPhenotype')
    await at({ assembly: 'P1', values: lines(60), covariates: 'a\t1\nb' }, 'covariates', 'problem.covariateLine')
    await at(
      { assembly: 'P1', values: lines(45), minorFrequency: 0.5, missing: 0 },
      'minorFrequency',
      'problem.nothingLeft',
    )
    // Words of twelve samples are eleven columns, and with components more than can be told from them.
    const twelve = population.samples.slice(0, 12)
    const words = twelve.map(({ name }, at) => `${name}\tw${at}`).join('\n')
    const few = { assembly: 'P1', values: lines(12), minorFrequency: 0 }
    await at({ ...few, covariates: words }, 'covariates', 'problem.manyPredictors')
    await at({ ...few, components: 10 }, 'components', 'problem.manyPredictors')
    const alike = twelve.map(({ name }, one) => `${name}\t${one}\t${one + (one % 2) / 10}`).join('\n')
    await at({ ...few, covariates: alike, model: 'linear' }, 'covariates', 'problem.collinear')
    expect((await failure(run({ assembly: 'P1', values: lines(60) }, root))).code).toBe('TOOL_UNAVAILABLE')
  })

  test('its example is a trait whose accessions are samples of the variants, though one of others stands before it', async () => {
    const example = tool.example({ assemblies: await data.listAssemblies() })
    expect(await engine.completeExample!(example!, data)).toMatchObject({
      source: 'loaded',
      phenotype: 'field|height',
      variants: 'panel',
    })
  })

  test('what can be run on is listed, and a place without scans answers with none', async () => {
    const list = await ask<Answer<typeof listScans>>('scans/', { assembly: 'P1' })
    expect(list).toMatchObject({ sets: [], variants: [{ id: 'panel', samples: 90, ploidy: 1, simulated: true }] })
    expect(list.phenotypes).toMatchObject([{ id: 'elsewhere' }, { id: 'field', traits: [{ id: 'height' }] }])
    const locus = await ask<Answer<typeof findAtLocus>>('locus/', { assembly: 'P1', gene: 'abc2' })
    expect(locus).toMatchObject({ rows: [], traitCount: 0, gene: { id: 'g2' } })
    expect((await failure(ask('scan/', { assembly: 'P1' }))).messageId).toBe('problem.noScan')
  })
})

// Real genotypes and expression of the BXD mice, which GEMMA brings as its example.
describe.skipIf(!hasRealData)('on the BXD mice', () => {
  test('p-values are those of GEMMA by hand, on files that plink2 makes and on the original BIMBAM file', async () => {
    const folder = await makeMice()
    await data.close()
    data = await portal.openData()
    const values = readFileSync(join(folder, 'pheno.txt'), 'utf8').trimEnd().split('\n')
    const { result, directory } = await run({
      assembly: 'BXD',
      values: values.map((value, at) => `BXD${at + 1}\t${value}`).join('\n'),
      minorFrequency: 0.01,
      missing: 0.05,
    })
    expect(result.samples).toBe(67)
    const sh = (program: string, words: string[]): void => {
      execFileSync(program, words, { cwd: folder, stdio: 'pipe' })
    }
    const readTests = (file: string): Map<string, number> =>
      new Map(
        readFileSync(file, 'utf8')
          .trimEnd()
          .split('\n')
          .slice(1)
          .map((line) => line.split('\t'))
          .map((cells) => [cells[1]!, Number(cells.at(-1))]),
      )
    const own = new Map<string, number>()
    for (const line of gunzipSync(readFileSync(join(directory, 'associations.bed.gz')))
      .toString()
      .trimEnd()
      .split('\n')
      .slice(1)) {
      const cells = line.split('\t')
      own.set(cells[3]!, 10 ** -Number(cells[8]))
    }
    const furthest = (other: Map<string, number>): { shared: number; apart: number } => {
      let [shared, apart] = [0, 0]
      for (const [id, p] of own) {
        const theirs = other.get(id)
        if (theirs === undefined || Number.isNaN(theirs)) continue
        shared += 1
        apart = Math.max(apart, Math.abs(Math.log10(p) - Math.log10(theirs)))
      }
      return { shared, apart }
    }
    // By plink2 from the VCF, with the phenotype put into the .fam.
    writeFileSync(
      join(folder, 'keep.txt'),
      values.flatMap((value, at) => (value === 'NA' ? [] : [`BXD${at + 1}`])).join('\n'),
    )
    sh('plink2', ['--vcf', 'mice.vcf', '--keep', 'keep.txt', '--make-bed', '--out', 'hand', '--allow-extra-chr'])
    const fam = readFileSync(join(folder, 'hand.fam'), 'utf8')
      .trimEnd()
      .split('\n')
      .map((line) => line.split(/\s+/))
    writeFileSync(
      join(folder, 'hand.fam'),
      `${fam.map((cells) => [...cells.slice(0, 5), values[Number(cells[1]!.slice(3)) - 1]].join('\t')).join('\n')}\n`,
    )
    sh('gemma', ['-bfile', 'hand', '-gk', '1', '-maf', '0.01', '-miss', '0.05', '-o', 'hand'])
    sh('gemma', [
      '-bfile',
      'hand',
      '-k',
      'output/hand.cXX.txt',
      '-lmm',
      '1',
      '-maf',
      '0.01',
      '-miss',
      '0.05',
      '-o',
      'hand',
    ])
    const byPlink = furthest(readTests(join(folder, 'output/hand.assoc.txt')))
    expect(byPlink.shared).toBe(result.tested)
    expect(byPlink.apart).toBeLessThan(1e-5)
    // GEMMA's own example: doses from 0 to 1, kinship over all mice, those without a value too.
    sh('gemma', ['-g', 'geno.txt', '-p', 'pheno.txt', '-gk', '1', '-maf', '0', '-miss', '1', '-o', 'bimbam'])
    sh('gemma', [
      '-g',
      'geno.txt',
      '-p',
      'pheno.txt',
      '-k',
      'output/bimbam.cXX.txt',
      '-lmm',
      '1',
      '-maf',
      '0',
      '-miss',
      '1',
      '-o',
      'bimbam',
    ])
    const byBimbam = furthest(readTests(join(folder, 'output/bimbam.assoc.txt')))
    expect(byBimbam.shared).toBe(result.tested)
    expect(byBimbam.apart).toBeLessThan(0.02)
  })
})
