import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { parse, stringify } from 'yaml'
import type { Database } from '../src/database/connect.ts'
import { findPrograms } from '../src/jobs/programs.ts'
import { type OpenPortalData, openPortalData } from '../src/kit/data/create-portal-data.ts'
import type { Engine } from '../src/kit/engine.ts'
import { runTool } from '../src/kit/run-tool.ts'
import { openLocalFiles } from '../src/store/portal-files.ts'
import { answerJson, askRoute, emptyReceipt } from '../src/testing/contexts.ts'
import { openTestDatabase } from '../src/testing/database.ts'
import { loadTestSpecies } from '../src/testing/species.ts'
import gwas from '../src/tools/gwas/engine.ts'
import type { AssociationRun } from '../src/tools/gwas/tool.ts'
import sweep from '../src/tools/selectivesweep/engine.ts'
import { readGenome } from './genome-fasta.ts'
import { SeededRandom } from './seeded-random.ts'
import { makeSimulated, type SimulatedSummary } from './simulated.ts'
import { hideAlleles, type Site, writeGenotypes } from './simulated-genotypes.ts'
import { recombine, type SweepPlan } from './simulated-population.ts'
import type { SpeciesFolder } from './species-folder.ts'

// What the demo plants, its tools find: the simulated species, and beside its variants a population of recombinants as that of the
// demo, on the same genome.
const planted: SweepPlan = {
  sequence: 'chr2',
  start1: 100_001,
  end1: 140_000,
  population: 'south',
  founder: 'b',
  share: 1,
  flankBp: 2000,
}

let root: string
let database: Database
let data: OpenPortalData
let summary: SimulatedSummary

const addRecombinants = async (folder: string): Promise<void> => {
  const random = new SeededRandom(5)
  const genome = await readGenome(join(folder, 'genome.fa'))
  const sites: Site[] = []
  for (const [sequence, bases] of genome)
    for (let position1 = 50; position1 <= bases.length; position1 += 150) {
      const reference = bases[position1 - 1]!
      sites.push({ sequence, position1, reference, alternative: reference === 'A' ? 'C' : 'A' })
    }
  const names = ['a', 'b', 'c']
  const alleles = Uint8Array.from({ length: sites.length * names.length }, () => Number(random.chance(0.4)))
  const genotypes = recombine(
    { names, sites, alleles },
    {
      populations: [
        { name: 'north', size: 30, shares: [0.4, 0.3, 0.3] },
        { name: 'south', size: 30, shares: [0.3, 0.4, 0.3] },
      ],
      crossoversPerMb: 100,
      driftBp: 50_000,
      driftSize: 60,
      sweep: planted,
    },
    ({ name }, number) => `${name}-${number}`,
    random,
  )
  const lengths = new Map([...genome].map(([name, bases]) => [name, bases.length]))
  await writeGenotypes(join(folder, 'recombinants.vcf.gz'), hideAlleles(genotypes, 0.02, random), lengths, 'simulated')
  const manifest = parse(await readFile(join(folder, 'species.yaml'), 'utf8')) as SpeciesFolder
  manifest.assemblies[0]!.variants!.push({
    id: 'recombinants',
    name: 'Recombinants',
    file: 'recombinants.vcf.gz',
    simulated: true,
  })
  await writeFile(join(folder, 'species.yaml'), stringify(manifest))
  const rows = genotypes.accessions.map((name) => `${name}\t${name}\t${name.split('-')[0]}`)
  const accessions = await readFile(join(folder, 'accessions.tsv'), 'utf8')
  await writeFile(join(folder, 'accessions.tsv'), `${accessions}${rows.join('\n')}\n`)
}

beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), 'novodb-planted-'))
  const folder = join(root, 'species')
  const dataDir = join(root, 'data')
  mkdirSync(join(dataDir, 'bundles'), { recursive: true })
  mkdirSync(folder)
  summary = await makeSimulated(folder)
  await addRecombinants(folder)
  database = await openTestDatabase({ max: 8 })
  const report = await loadTestSpecies(database, dataDir, folder)
  expect(report.defects.filter(({ severity }) => severity === 'error')).toEqual([])
  data = await openPortalData({ sql: database.sql, files: openLocalFiles(dataDir) })
}, 180_000)
afterAll(async () => {
  await data?.close()
  await database?.close()
  rmSync(root, { recursive: true, force: true })
})

const searchPath = '/usr/local/bin:/usr/bin:/bin'
const run = async (engine: Engine, directory: string, input: object): Promise<unknown> => {
  const { result } = await runTool(engine, {
    input: engine.tool.input.parse(input) as object,
    data,
    directory: join(root, directory),
    dataDir: join(root, 'data'),
    searchPath,
    programs: await findPrograms(engine.programs, searchPath),
    portalVersion: 'test',
    signal: new AbortController().signal,
    bounds: { timeoutMs: 120_000, memoryBytes: 4 * 1024 ** 3, outputBytes: 2 * 1024 ** 3 },
    onProgress: () => undefined,
  })
  return result
}

test('an association of the height finds the planted variant and its gene', async () => {
  const { gene, sequence, position1 } = summary.planted
  const input = { assembly: 'Sim-1', variants: 'simulated', source: 'loaded', phenotype: 'height|height' }
  const result = (await run(gwas, 'association', input)) as AssociationRun
  expect(result.samples).toBe(24)
  expect(result.best).toMatchObject({ sequence, position: position1 })
  expect(result.loci[0]!.genes[0]!.id).toBe(gene)
  // Twelve centimetres an allele.
  expect(result.best!.beta).toBeGreaterThan(9)
  expect(result.best!.beta).toBeLessThan(15)
})

test('the windows that part two populations most are those of the planted sweep, and its population has lost its diversity there', async () => {
  const input = { assembly: 'Sim-1', variants: 'recombinants', populations: ['north', 'south'] }
  const result = await run(sweep, 'sweep', { ...input, windowBp: 20_000, stepBp: 10_000 })
  const regionsOf = async (
    series: string,
    tail: string,
  ): Promise<{ sequence: string; start: number; end: number }[]> => {
    const answer = await askRoute(
      sweep,
      'regions/',
      { job: '0'.repeat(32), series, tail, share: 0.02 },
      { data, openJob: async () => ({ directory: join(root, 'sweep'), input: {}, result, receipt: emptyReceipt }) },
    )
    return answerJson<{ regions: { sequence: string; start: number; end: number }[] }>(answer).regions
  }
  for (const [series, tail] of [
    ['fst_north_south', 'high'],
    ['pi_south', 'low'],
  ] as const) {
    const [region] = await regionsOf(series, tail)
    expect(region!.sequence, series).toBe(planted.sequence)
    expect(region!.start, series).toBeGreaterThanOrEqual(planted.start1 - 20_000)
    expect(region!.end, series).toBeLessThanOrEqual(planted.end1 + 20_000)
  }
})
