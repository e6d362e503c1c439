import { execFileSync } from 'node:child_process'
import { chmodSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Database } from '../../database/connect.ts'
import type { OpenPortalData } from '../../kit/data/create-portal-data.ts'
import type { EngineContext } from '../../kit/engine.ts'
import { askRoute, makeEngineContext, runEngine, searchPath, withPrograms } from '../../testing/contexts.ts'
import { type EmptyPortal, openEmptyPortal } from '../../testing/empty-portal.ts'
import { killProgram } from '../../testing/kill-program.ts'
import { writeSpecies } from '../../testing/protein-genomes.ts'
import { buildProfile, makeDomain, makeResidues } from '../../testing/protein-profiles.ts'
import { checkTestSpecies, loadTestSpecies } from '../../testing/species.ts'
import engine from './engine.ts'
import { parseDomainTable } from './profiles/domain-hits.ts'
import { getAbout, rulesPath } from './stored.ts'
import tool from './tool.ts'

let portal: EmptyPortal
let database: Database
let root: string
let dataDir: string
let data: OpenPortalData

/** Made-up domains 1 to 4 in linkers by chance. */
const protein = (seed: number, ...domains: number[]): string =>
  `M${makeResidues(seed + 50, 40)}${domains.map((domain, at) => makeDomain(domain, seed * 10 + at) + makeResidues(seed * 5 + at + 90, 25)).join('')}`
const genes = [
  { id: 'g_one', protein: protein(1, 1), symbol: 'ONE' },
  { id: 'g_two', protein: protein(2, 1, 1) },
  { id: 'g_pair', protein: protein(3, 1, 2) },
  { id: 'g_second', protein: protein(4, 2) },
  { id: 'g_forbidden', protein: protein(5, 2, 3) },
  { id: 'g_none', protein: makeResidues(77, 200).replace(/^./, 'M') },
]

const rules = `ID:1
Name:Single
Family:Ones->Single
Required:PF90001
Type:TF
Desc:One domain
//
ID:2
Name:Double
Family:Ones->Double
Required:PF90001#2
//
ID:3
Name:Pair
Required:PF90001--second
//
ID:4
Name:Second
Required:second
Forbidden:third
Type:TR
//
ID:5
Name:Lost
Required:PF99999--PF90001
//
`

beforeAll(async () => {
  portal = await openEmptyPortal('factors')
  ;({ database, root, dataDir } = portal)
  data = await portal.openData()
  const profiles = [
    buildProfile(root, 'first', 1, { accession: 'PF90001.3', gathering: '25.00 25.00' }),
    buildProfile(root, 'second', 2),
    buildProfile(root, 'own_third', 3, { gathering: '20.00 20.00' }),
    buildProfile(root, 'unused', 4),
  ]
  writeFileSync(join(root, 'profiles.hmm'), profiles.slice(0, 2).join(''))
  writeFileSync(join(root, 'more.hmm'), profiles.slice(2).join(''))
})
afterAll(() => portal?.close())

const files = { 'rules.txt': rules }
const entry = `transcriptionFactors:
  profiles: [../profiles.hmm, ../more.hmm]
  rules: rules.txt
  domains: { own_third: third }
`
const load = async (folder: string, engines = true) => {
  const report = await loadTestSpecies(database, dataDir, folder, { engines: engines && ['transcriptionfactors'] })
  expect(report.defects.filter(({ severity }) => severity === 'error')).toEqual([])
  expect(report.failure).toBeNull()
  await portal.hearChanges()
  return report
}

const contextIn = async (directory: string, path = searchPath): Promise<EngineContext> =>
  makeEngineContext({ data, ...(await withPrograms(engine, directory, { path })) })
const run = async (input: object, path = searchPath) =>
  runEngine(engine, input, await contextIn(mkdtempSync(join(root, 'run-')), path))

const ask = async (path: string, input: object) => {
  const answer = await askRoute(engine, path, input, { data })
  return 'json' in answer ? (answer.json as Record<string, never>) : {}
}

const familiesOf = async (assembly: string): Promise<Record<string, string | null>> => {
  const records = await data.listRecords<{ family: string | null }>('tf-gene', { assembly })
  return Object.fromEntries(records.map(({ id, data: stored }) => [id, stored.family]))
}

describe('families from profiles', () => {
  test('a check names a missing profile and one that no rule names, and finds wrong files by their line', async () => {
    const folder = writeSpecies(join(root, 'checked'), 'checked', [{ assembly: 'C1', genes }], files, entry)
    const reported = (await checkTestSpecies(folder)).filter(
      ({ code }) => code.startsWith('hmm') || code.startsWith('tf'),
    )
    expect(reported).toMatchObject([
      { code: 'hmm-unused', params: { count: 1, all: 4, example: 'unused' } },
      { code: 'tf-rule-missing', params: { count: 1, families: 'Lost (PF99999)' } },
    ])
    writeFileSync(join(folder, 'rules.txt'), 'ID:1\nName:x\nRequired:A#\n//\n')
    writeFileSync(join(root, 'more.hmm2'), 'HMMER2.0\nNAME x\n//\n')
    writeSpecies(folder, 'checked', [{ assembly: 'C1', genes }], {}, entry.replace('more.hmm', 'more.hmm2'))
    expect((await checkTestSpecies(folder)).filter(({ severity }) => severity === 'error')).toMatchObject([
      { code: 'tf-rule', file: 'rules.txt', line: 1 },
      { code: 'hmm-file', file: '../more.hmm2', line: 1 },
    ])
  })

  test('without HMMER a load goes on and says what to install', async () => {
    const folder = writeSpecies(join(root, 'alpha'), 'alpha', [{ assembly: 'A1', genes }], files, entry)
    const report = await load(folder, false)
    expect(report.defects.filter(({ params }) => params.package === 'hmmer')).toHaveLength(1)
    expect(await getAbout(data, 'A1')).toBeNull()
    await expect(run({ assembly: 'A1', genes: 'g_one' })).rejects.toMatchObject({ messageId: 'problem.noProfiles' })
  })

  test('each gene is in the family whose rule it fits best; a forbidden domain keeps it out', async () => {
    await load(join(root, 'alpha'))
    expect(await familiesOf('A1')).toEqual({
      g_one: 'Single',
      g_two: 'Double',
      g_pair: 'Pair',
      g_second: 'Second',
      g_forbidden: null,
    })
    const about = (await getAbout(data, 'A1'))!
    expect(about).toMatchObject({ source: 'profiles', searched: 6, withDomains: 5 })
    expect(about.profiles.map(({ name, domain, gathering }) => [name, domain, gathering])).toEqual([
      ['first', 'PF90001', [25, 25]],
      ['second', 'second', null],
      ['own_third', 'third', [20, 20]],
    ])
    expect(about.counts).toEqual({ Single: 1, Double: 1, Pair: 1, Second: 1 })
    expect(about.rules.filter(({ missing }) => missing.length > 0).map(({ family }) => family)).toEqual(['Lost'])
    const { dataTypes } = await data.getAssembly('A1')
    expect(dataTypes).toMatchObject({ tfProfiles: 3, transcriptionFactors: 4, 'annotation:TF family': 4 })
  })

  test('families are terms of the genes, with the families above them', async () => {
    const bundle = await data.bundleNumber('A1')
    const rows = await data.sql`
      select gene, term, evidence from gene_terms where bundle = ${bundle} and source = 'TF family' order by gene`
    expect(rows.map(({ gene, term, evidence }) => `${gene} ${term} ${evidence}`)).toEqual([
      ...['g_one Single HMMER', 'g_pair Pair HMMER', 'g_second Second HMMER', 'g_two Double HMMER'],
    ])
    const above =
      await data.sql`select term, ancestors from terms where bundle = ${bundle} and term = any(${['Ones', 'Double']}) order by term`
    expect(above.map(({ term, ancestors }) => [term, ancestors])).toEqual([
      ['Double', ['Ones']],
      ['Ones', []],
    ])
  })

  test('pasted proteins and genes searched again by hmmscan are what the load found by hmmsearch, number for number', async () => {
    const result = await run({ assembly: 'A1', genes: genes.map(({ id }) => id) })
    const stored = await data.listRecords<object>('tf-gene', { assembly: 'A1' })
    for (const { id, data: one } of stored) {
      const { name: _, gene: __, ...found } = result.proteins.find(({ name }) => name === id)!
      expect(found).toEqual(one)
    }
    const pasted = await run({
      assembly: 'A1',
      by: 'sequence',
      sequence: genes.map(({ id, protein: letters }) => `>${id} x\n${letters.toLowerCase()}*\n`).join(''),
    })
    const plain = (one: (typeof pasted)['proteins'][number]) => ({ ...one, gene: null, transcript: null })
    expect(pasted.proteins.map(plain)).toEqual(result.proteins.map(plain))
  })

  test('domains equal those of hmmscan run by hand on a database of all profiles, thresholds included', async () => {
    const folder = mkdtempSync(join(root, 'hand-'))
    writeFileSync(join(folder, 'p.fa'), genes.map(({ id, protein: letters }) => `>${id}\n${letters}\n`).join(''))
    execFileSync(
      'sh',
      ['-c', `cat ${root}/profiles.hmm ${root}/more.hmm > all.hmm; hmmfetch all.hmm unused > drop.hmm`],
      { cwd: folder },
    )
    execFileSync(
      'sh',
      [
        '-c',
        'for n in first second own_third; do hmmfetch all.hmm $n; done > used.hmm; hmmpress -f used.hmm > /dev/null',
      ],
      { cwd: folder },
    )
    execFileSync(
      'hmmscan',
      ['-E', '10', '--domE', '10', '-o', '/dev/null', '--domtblout', 'all.tbl', 'used.hmm', 'p.fa'],
      { cwd: folder },
    )
    const byHand = parseDomainTable(execFileSync('cat', ['all.tbl'], { cwd: folder, encoding: 'utf8' }), 'hmmscan')
    const result = await run({ assembly: 'A1', genes: genes.map(({ id }) => id) })
    const limit: Record<string, number> = { first: 25, own_third: 20 }
    let compared = 0
    for (const { name, domains, covered } of result.proteins) {
      const expected = (byHand.get(name) ?? []).filter((hit) =>
        hit.profile in limit
          ? hit.score >= limit[hit.profile]! && hit.sequenceScore >= limit[hit.profile]!
          : hit.evalue <= 1e-5 && hit.sequenceEvalue <= 1e-5,
      )
      const key = (one: {
        profile: string
        start: number | null
        end: number | null
        score: number | null
        evalue: number | null
      }) => `${one.profile} ${one.start} ${one.end} ${one.score} ${one.evalue}`
      expect([...domains, ...covered].map(key).sort()).toEqual(expected.map(key).sort())
      compared += expected.length
    }
    expect(compared).toBe(8)
  })

  test('nothing asked for means one gene of each family; names that mean nothing are told', async () => {
    const result = await run({ assembly: 'A1' })
    expect(result.proteins.map(({ family }) => family).sort()).toEqual(['Double', 'Pair', 'Second', 'Single'])
    const some = await run({ assembly: 'A1', genes: 'one, g_none nobody' })
    expect(some).toMatchObject({ unknown: ['nobody'], noProtein: [] })
    expect(some.proteins.map(({ name, family }) => [name, family])).toEqual([
      ['g_one', 'Single'],
      ['g_none', null],
    ])
    expect(some.proteins[1]!.domains).toEqual([])
    await expect(run({ assembly: 'A1', genes: 'nobody' })).rejects.toMatchObject({ code: 'UNKNOWN_GENE' })
  })

  test.each([
    ['nothing', '  \n', 'problem.noSequence'],
    ['a name alone', '>x\n', 'problem.noSequence'],
    ['nucleotides', `>x\n${'ACGT'.repeat(30)}`, 'problem.nucleotide'],
    ['a sign in a protein', '>x\nMK?LV', 'problem.illegal'],
    ['too long a protein', `>x\n${'MKLV'.repeat(12_501)}`, 'problem.tooLong'],
    ['too many proteins', '>x\nMKLV\n'.repeat(5001), 'problem.tooManySequences'],
  ])('%s is refused with its reason', async (_, sequence, message) => {
    await expect(run({ assembly: 'A1', by: 'sequence', sequence })).rejects.toMatchObject({ messageId: message })
  })

  test('ten megabytes are refused by the schema, an unknown assembly by name, a missing program as such', async () => {
    const input = { assembly: 'A1', by: 'sequence', sequence: 'M'.repeat(10_000_000) }
    expect(tool.input.safeParse(input).success).toBe(false)
    await expect(run({ assembly: 'nowhere' })).rejects.toMatchObject({ code: 'UNKNOWN_ASSEMBLY' })
    await expect(run({ assembly: 'A1' }, join(root, 'empty'))).rejects.toMatchObject({ code: 'TOOL_UNAVAILABLE' })
  })

  test('a cancelled search ends its program', async () => {
    const directory = mkdtempSync(join(root, 'run-'))
    const stop = new AbortController()
    const programs = await withPrograms(engine, directory, { signal: stop.signal })
    const sequence = Array.from(
      { length: 400 },
      (_, number) => `>p${number}\n${protein(number, 1, 2, 3, 1, 2, 3)}\n`,
    ).join('')
    const input = tool.input.parse({ assembly: 'A1', by: 'sequence', sequence })
    const running = engine.run(input, makeEngineContext({ data, ...programs }))
    setTimeout(() => stop.abort(), 60)
    await expect(running).rejects.toThrow()
  })

  test('hmmscan that is killed from outside fails the search in words; what was loaded and found stays, and the next search runs', async () => {
    const before = await run({ assembly: 'A1', by: 'sequence', sequence: protein(1, 1) })
    const directory = mkdtempSync(join(root, 'run-'))
    const sequence = Array.from(
      { length: 400 },
      (_, number) => `>p${number}\n${protein(number, 1, 2, 3, 1, 2, 3)}\n`,
    ).join('')
    const input = tool.input.parse({ assembly: 'A1', by: 'sequence', sequence })
    const running = engine.run(input, await contextIn(directory))
    const [error] = await Promise.all([running.catch((reason: unknown) => reason), killProgram(directory, 'hmmscan')])
    expect(error).toMatchObject({
      code: 'ENGINE_FAILED',
      messageId: 'job.programKilled',
      params: { program: 'hmmscan', signal: 'SIGKILL' },
    })
    expect(await run({ assembly: 'A1', by: 'sequence', sequence: protein(1, 1) })).toEqual(before)
  })

  test('the routes tell families, genes of one, a gene’s domains and the rule file', async () => {
    const families = await ask('families/', {})
    expect(families).toMatchObject({ assembly: 'A1', assemblies: [{ assembly: 'A1', total: 4, source: 'profiles' }] })
    const ones = await ask('family/', { assembly: 'A1', family: 'Single' })
    expect(ones).toMatchObject({
      genes: [{ gene: { id: 'g_one', symbol: 'ONE' }, family: 'Single', domains: [{ label: 'first' }] }],
    })
    expect((await ask('family/', { assembly: 'A1' })).genes).toHaveLength(4)
    expect(await ask('gene/', { assembly: 'A1', gene: 'g_forbidden' })).toMatchObject({
      found: { family: null, refusals: [{ family: 'Second', forbidden: ['third'] }] },
    })
    expect(await ask('gene/', { assembly: 'A1', gene: 'g_none' })).toMatchObject({ found: null })
    expect(await ask('rules/', { assembly: 'A1' })).toEqual({ text: rules })
  })
})

describe('rules and profiles in other encodings', () => {
  const utf16 = (text: string): Buffer => Buffer.from(`\ufeff${text}`, 'utf16le')
  test.each([
    ['gzip', 'zip', (text: string) => gzipSync(text)],
    ['UTF-16', 'wide', utf16],
  ])('%s: the engine has the rules that the load read', async (_, name, pack) => {
    const own = entry.replace('../profiles.hmm, ../more.hmm', 'profiles.hmm, ../more.hmm')
    const folder = writeSpecies(join(root, name), name, [{ assembly: name, genes }], {}, own)
    writeFileSync(join(folder, 'rules.txt'), pack(rules))
    writeFileSync(join(folder, 'profiles.hmm'), pack(readFileSync(join(root, 'profiles.hmm'), 'utf8')))
    expect((await checkTestSpecies(folder)).filter(({ severity }) => severity === 'error')).toEqual([])
    await load(folder)
    expect(await ask('rules/', { assembly: name })).toEqual({ text: rules })
    const result = await run({ assembly: name, genes: genes.map(({ id }) => id) })
    expect(result.proteins.map(({ family }) => family)).toEqual(['Single', 'Double', 'Pair', 'Second', null, null])
  })

  test('rules of a bundle that cannot be read fail the search', async () => {
    const path = await data.bundleFile('zip', rulesPath)
    const before = readFileSync(path!)
    chmodSync(path!, 0o644)
    writeFileSync(path!, utf16(rules))
    await expect(run({ assembly: 'zip', genes: 'g_one' })).rejects.toThrow('rules of zip')
    writeFileSync(path!, before)
  })
})

describe('families from annotation', () => {
  test('Pfam and InterPro terms feed the shipped rules where no profiles are loaded; the source is told', async () => {
    const lines = [
      'g_one\tPF00172\tZn_clus',
      'g_two\tIPR001471\tAP2/ERF domain',
      'g_pair\tPF00319\tx',
      'g_pair\tPF01486\tx',
      'g_second\tPF00069\tProtein kinase',
    ]
    const manifest = ''
    const folder = writeSpecies(
      join(root, 'beta'),
      'beta',
      [{ assembly: 'B1', genes }],
      { 'pfam.tsv': `${lines.join('\n')}\n` },
      manifest,
    )
    const yaml = `novodb: 1\nspecies: beta\nname: beta\nassemblies:\n  - { id: B1, genome: B1.fa, genes: B1.gff3, annotation: [{ file: pfam.tsv, format: table }] }\n`
    writeFileSync(join(folder, 'species.yaml'), yaml)
    await load(folder)
    expect(await familiesOf('B1')).toEqual({ g_one: 'Zn2Cys6', g_two: 'ERF', g_pair: 'MADS MIKC' })
    const about = (await getAbout(data, 'B1'))!
    expect(about).toMatchObject({ source: 'annotation', profiles: [], withDomains: 3 })
    const { dataTypes } = await data.getAssembly('B1')
    expect(dataTypes).toMatchObject({ transcriptionFactors: 3 })
    expect(dataTypes.tfProfiles).toBeUndefined()
    expect((await ask('families/', { assembly: 'B1' })).assembly).toBe('B1')
  })
})
