import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { reverseComplement } from '../../bio/sequence/sequence.ts'
import type { OpenPortalData } from '../../kit/data/create-portal-data.ts'
import { makeEngineContext, runEngine, withPrograms } from '../../testing/contexts.ts'
import { type EmptyPortal, openEmptyPortal } from '../../testing/empty-portal.ts'
import { failure } from '../../testing/failure.ts'
import { makeBases } from '../../testing/random.ts'
import { loadTestSpecies } from '../../testing/species.ts'
import engine from './engine.ts'
import { orderedOligos } from './order-files.ts'
import type { DiagnosticResult, Outcome } from './tool.ts'

// Genomes with what is planted in them: of a chromosome of 120 kb, V1 and V2 lack 20,001..26,000; V1 and V2 have 900 bases more after
// 50,000; V1 and V2 lack 60 bases from 80,001 on; and at 100,001 they have another base, which takes away a site of EcoRI. W reads
// backwards. OUT is of another species.
const chromosome = (() => {
  const bases = makeBases(120_000, 20_261).replaceAll('GAATTC', 'GAATCC').split('')
  for (const [at, letter] of [...'GAATTC'].entries()) bases[100_000 - 2 + at] = letter
  return bases.join('')
})()
const more = makeBases(900, 77)
const snp0 = 100_000

const vaccine = (): string => {
  const changed = `${chromosome.slice(0, snp0)}C${chromosome.slice(snp0 + 1)}`
  return [
    changed.slice(0, 20_000),
    changed.slice(26_000, 50_000),
    more,
    changed.slice(50_000, 80_000),
    changed.slice(80_060),
  ].join('')
}

let portal: EmptyPortal
let data: OpenPortalData

const writeSpecies = (name: string, genomes: Record<string, string>, reference: string): string => {
  const folder = join(portal.root, name)
  mkdirSync(folder, { recursive: true })
  for (const [id, bases] of Object.entries(genomes)) writeFileSync(join(folder, `${id}.fa`), `>chr_${id}\n${bases}\n`)
  writeFileSync(
    join(folder, 'species.yaml'),
    `novodb: 1\nspecies: ${name}\nname: ${name}\nassemblies:\n${Object.keys(genomes)
      .map((id) => `  - { id: ${id}, genome: ${id}.fa${id === reference ? ', reference: true' : ''} }\n`)
      .join('')}`,
  )
  return folder
}

beforeAll(async () => {
  portal = await openEmptyPortal('diagnostic')
  const load = async (folder: string) =>
    expect(
      await loadTestSpecies(portal.database, portal.dataDir, folder, { engines: ['pangenomebrowser'] }),
    ).toMatchObject({
      ok: true,
    })
  await load(
    writeSpecies(
      'planted',
      { REF: chromosome, V1: vaccine(), V2: vaccine(), W: reverseComplement(chromosome), X: chromosome },
      'REF',
    ),
  )
  // DUP has 10,001..13,000 twice in a row.
  const single = makeBases(30_000, 6)
  const doubled = single.slice(0, 13_000) + single.slice(10_000)
  await load(writeSpecies('doubled', { ONE: single, DUP: doubled }, 'ONE'))
  await load(writeSpecies('lonely', { OUT: makeBases(30_000, 5) }, 'OUT'))
  await portal.hearChanges()
  data = await portal.openData()
}, 240_000)
afterAll(() => portal?.close())

const run = async (input: object, signal = new AbortController().signal): Promise<DiagnosticResult> => {
  const directory = mkdtempSync(join(portal.root, 'job-'))
  return (await runEngine(
    engine,
    input,
    makeEngineContext({ data, ...(await withPrograms(engine, directory, { signal })) }),
  )) as DiagnosticResult
}

const of = (outcomes: readonly Outcome[], assembly: string): Outcome =>
  outcomes.find((one) => one.assembly === assembly)!
const sizes = (outcomes: readonly Outcome[], assembly: string): number[] =>
  of(outcomes, assembly).bands.map(({ lengthBp }) => lengthBp)

const vaccines = ['V1', 'V2']
const wild = ['REF', 'W']

describe('primers by presence', () => {
  test('across the junction of a tandem duplication, whose bases all genomes have', async () => {
    const groups = { target: ['DUP'], spare: ['ONE'], assembly: 'DUP' }
    const { pairs, discriminating } = await run({ ...groups, region: 'chr_DUP:12700..13300', pairs: 3 })
    expect(discriminating).toBeGreaterThan(0)
    for (const { site, start, end, outcomes, productBp } of pairs) {
      expect(site.kind).toBe('junction')
      expect(start).toBeLessThan(13_000)
      expect(end).toBeGreaterThan(13_001)
      expect(sizes(outcomes, 'DUP')).toEqual([productBp])
      expect(sizes(outcomes, 'ONE')).toEqual([])
    }
    // Within a copy there is no junction, and primers there amplify the other too.
    expect(await run({ ...groups, region: 'chr_DUP:11000..11600' })).toMatchObject({ discriminating: 0 })
  })

  test('amplify across a deletion, or in bases inserted, in the targets only; the genome in no group is told', async () => {
    const result = await run({ target: vaccines, spare: wild, pairs: 10 })
    expect(result.others).toEqual(['X'])
    expect(result.pairs.length).toBeGreaterThan(2)
    expect(new Set(result.pairs.map(({ site }) => site.kind))).toEqual(new Set(['lost', 'unique']))
    for (const { outcomes, discriminates, productBp } of result.pairs) {
      expect(discriminates).toBe(true)
      for (const one of vaccines) expect(sizes(outcomes, one)).toEqual([productBp])
      for (const one of [...wild, 'X']) expect(sizes(outcomes, one)).toEqual([])
      expect(of(outcomes, 'X')).toMatchObject({ group: 'other', asAsked: null })
    }
    // The products lie where they were planted.
    const lost = result.pairs.find(({ site }) => site.kind === 'lost')!
    expect(lost).toMatchObject({ assembly: 'V1', site: { lengthBp: -6000 } })
    expect(lost.start).toBeLessThan(20_001)
    expect(lost.end).toBeGreaterThan(20_000)
    const unique = result.pairs.find(({ site }) => site.kind === 'unique')!
    expect(unique.start).toBeGreaterThanOrEqual(44_001 - 100)
    expect(unique.end).toBeLessThanOrEqual(44_900 + 100)
  }, 120_000)

  test('lie within what the spared genomes lack when these are the vaccines', async () => {
    const { pairs, control, multiplex } = await run({ target: wild, spare: vaccines, pairs: 8 })
    for (const { outcomes, productBp } of pairs) {
      for (const one of wild) expect(sizes(outcomes, one)).toEqual([productBp])
      for (const one of vaccines) expect(sizes(outcomes, one)).toEqual([])
    }
    expect(pairs.some(({ start, end }) => start >= 20_001 && end <= 26_000)).toBe(true)
    // The control gives one band everywhere.
    for (const one of [...wild, ...vaccines, 'X']) expect(sizes(control!.outcomes, one)).toEqual([control!.productBp])
    expect(multiplex!.ranks).toContain(0)
    expect(multiplex!.ranks.length).toBeGreaterThan(1)
    expect(multiplex!.tmMax - multiplex!.tmMin).toBeLessThanOrEqual(5)
  }, 120_000)

  test('are restricted to a region', async () => {
    const { pairs } = await run({ target: vaccines, spare: wild, region: 'chr_REF:49,000-51,000', assembly: 'REF' })
    expect(pairs.some(({ site }) => site.kind === 'unique')).toBe(true)
    expect(pairs.every(({ site }) => site.genesOf === 'V1')).toBe(true)
    for (const { site } of pairs) {
      // An aligner puts an insertion at the leftmost of the places that are equal.
      if (site.kind === 'junction') {
        expect(Math.min(Math.abs(site.start - 44_000), Math.abs(site.start - 44_900))).toBeLessThan(4)
        continue
      }
      expect(site.kind).toBe('unique')
      expect(Math.abs(site.start - 44_001)).toBeLessThan(4)
      expect(site.end - site.start).toBe(899)
    }
  }, 120_000)

  test('between genomes without a difference there are none', async () => {
    const result = await run({ target: ['REF'], spare: ['X'] })
    expect(result).toMatchObject({ siteCount: 0, discriminating: 0, pairs: [], control: null, multiplex: null })
  }, 60_000)
})

describe('primers by size', () => {
  test('give products that differ by what was planted', async () => {
    const { pairs } = await run({ target: vaccines, spare: wild, method: 'size', minDifference: 30 })
    expect(pairs.length).toBeGreaterThan(0)
    const small = pairs.find(({ site }) => site.lengthBp === -60)!
    for (const one of vaccines) expect(sizes(small.outcomes, one)).toEqual([small.productBp])
    for (const one of wild) expect(sizes(small.outcomes, one)).toEqual([small.productBp + 60])
  }, 120_000)

  test('lie beside an insertion that is longer than products should be, as long as it can be amplified', async () => {
    const ask = { target: vaccines, spare: wild, method: 'size', region: 'chr_REF:49,000-51,000', assembly: 'REF' }
    const { pairs } = await run(ask)
    expect(pairs.length).toBeGreaterThan(0)
    for (const { outcomes, site, productBp } of pairs) {
      expect(site.lengthBp).toBe(900)
      for (const one of vaccines) expect(sizes(outcomes, one)).toEqual([productBp])
      for (const one of [...wild, 'X']) expect(sizes(outcomes, one)).toEqual([productBp - 900])
      expect(productBp - 900).toBeLessThanOrEqual(800)
    }
    expect((await run({ ...ask, amplifiedBp: 900 })).pairs).toEqual([])
  }, 120_000)

  test('a difference that a gel does not part is none', async () => {
    const { pairs } = await run({
      target: vaccines,
      spare: wild,
      method: 'size',
      minDifference: 70,
      region: 'chr_REF:79,000-81,000',
      assembly: 'REF',
    })
    expect(pairs).toEqual([])
  }, 60_000)
})

describe('primers by SNP', () => {
  test('KASP primers end at the base, with their tails in the order; EcoRI cuts the one allele', async () => {
    const { pairs, siteCount } = await run({ target: vaccines, spare: wild, method: 'snp', pairs: 10 })
    expect(siteCount).toBe(1)
    const kasp = pairs.find(({ kind }) => kind === 'kasp')!
    expect(kasp.site).toMatchObject({ start: snp0 + 1, alleles: { target: 'C', spare: 'A' } })
    for (const one of vaccines) expect(of(kasp.outcomes, one).allele).toBe('fam')
    for (const one of wild) expect(of(kasp.outcomes, one).allele).toBe('hex')
    expect(of(kasp.outcomes, 'X')).toMatchObject({ group: 'other', allele: 'hex' })
    const ordered = orderedOligos([kasp])
    expect(ordered.map(({ name }) => name)).toEqual([
      `kasp_${kasp.rank}_FAM`,
      `kasp_${kasp.rank}_HEX`,
      `kasp_${kasp.rank}_C`,
    ])
    expect(ordered[0]!.sequence.startsWith('GAAGGTGACCAAGTTCATGCT')).toBe(true)
    const caps = pairs.find(({ kind }) => kind === 'caps')!
    expect(caps.enzyme).toMatchObject({ name: 'EcoRI', cuts: 'spare', derived: null })
    for (const one of vaccines) expect(of(caps.outcomes, one).fragments).toEqual([caps.productBp])
    for (const one of wild) expect(of(caps.outcomes, one).fragments).toHaveLength(2)
  }, 120_000)
})

describe('what cannot be designed is refused in words', () => {
  test.each([
    ['no genome to amplify', { spare: ['REF'] }, 'problem.noTarget'],
    ['no genome to spare', { target: ['REF'] }, 'problem.noSpare'],
    ['all genomes to amplify', { target: ['REF', 'V1', 'V2', 'W', 'X'] }, 'problem.allTarget'],
    ['a species of one genome', { target: ['OUT'] }, 'problem.alone'],
    ['a genome of another species', { target: ['REF'], spare: ['OUT'] }, 'problem.otherSpecies'],
    ['a genome in two groups', { target: ['REF'], spare: ['REF'] }, 'problem.twice'],
    ['an unknown genome', { target: ['REF'], spare: ['NONE'] }, 'problem.unknown'],
    [
      'sizes the wrong way round',
      { target: ['REF'], spare: ['V1'], productMin: 500, productMax: 100 },
      'problem.order',
    ],
  ])('%s', async (_, input, message) => {
    expect((await failure(run(input))).problems).toMatchObject([{ message }])
  })

  test('a cancelled job ends', async () => {
    const stop = new AbortController()
    stop.abort()
    await expect(run({ target: vaccines, spare: wild }, stop.signal)).rejects.toThrow()
  })

  test('without primer3 the job says what is missing', async () => {
    const context = makeEngineContext({
      data,
      ...(await withPrograms(engine, mkdtempSync(join(portal.root, 'job-')), { path: '/nonexistent' })),
    })
    expect(await failure(runEngine(engine, { target: vaccines, spare: wild }, context))).toMatchObject({
      code: 'TOOL_UNAVAILABLE',
    })
  }, 60_000)
})
