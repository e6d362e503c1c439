import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { rollbackRelease } from '../../database/catalogue.ts'
import type { Database } from '../../database/connect.ts'
import { findPrograms } from '../../jobs/programs.ts'
import type { OpenPortalData } from '../../kit/data/create-portal-data.ts'
import { makeEngineContext, runEngine, searchPath, withPrograms } from '../../testing/contexts.ts'
import { type EmptyPortal, openEmptyPortal } from '../../testing/empty-portal.ts'
import { makeProtein, mutate, type TestGenome, writeSpecies } from '../../testing/protein-genomes.ts'
import { genome, proteins } from '../../testing/sixteen-genes.ts'
import { deleteTestSpecies, loadTestSpecies } from '../../testing/species.ts'
import engine from './engine.ts'

let portal: EmptyPortal
let database: Database
let root: string
let dataDir: string
let data: OpenPortalData

beforeAll(async () => {
  portal = await openEmptyPortal('homologs')
  ;({ database, root, dataDir } = portal)
  data = await portal.openData()
})
afterAll(() => portal?.close())

const load = async (folder: string, engines = true) => {
  const report = await loadTestSpecies(database, dataDir, folder, { engines: engines && ['homologs'] })
  expect(report.defects.filter(({ severity }) => severity === 'error')).toEqual([])
  expect(report.failure).toBeNull()
  expect(report.ok).toBe(true)
  await portal.hearChanges()
  return report
}

const run = async (input: object) => {
  const programs = await withPrograms(engine, mkdtempSync(join(root, 'run-')))
  return runEngine(engine, input, makeEngineContext({ data, ...programs }))
}

const relationsOf = async (gene: string, assembly: string) => {
  const { queries } = await run({ genes: [gene], assembly })
  return new Map(queries[0]!.homologs.map((one) => [one.gene, one]))
}

const pairFiles = () => readdirSync(join(dataDir, 'computed/homologs')).sort()

describe('homologs of three assemblies of two species', () => {
  const first = (): string =>
    writeSpecies(join(root, 'first'), 'alpha', [genome('A1', 0), genome('A2', 0.02, { turned: true })])
  let before: Map<string, number>
  let groupsBefore: Map<string, string | undefined>

  test('without the programs a load goes on, says what to install, and the tool says that nothing was computed', async () => {
    const report = await load(first(), false)
    expect(
      report.defects.filter(({ params }) => params.purpose === 'homologs').map(({ params }) => params.package),
    ).toEqual(['diamond-aligner'])
    expect(await data.getHomology()).toBeNull()
    await expect(run({ genes: ['A1_0'] })).rejects.toMatchObject({ code: 'TOOL_UNAVAILABLE' })
  })

  test('a search that dies leaves the data in service, and the report says what is missing', async () => {
    const programDirectory = join(root, 'programs')
    mkdirSync(programDirectory)
    const [diamond] = await findPrograms([engine.programs.find(({ program }) => program === 'diamond')!], searchPath)
    const dying = join(programDirectory, 'diamond')
    writeFileSync(dying, `#!/bin/sh\n[ "$1" = makedb ] && kill -9 $$\nexec ${diamond!.path} "$@"\n`)
    chmodSync(dying, 0o755)
    const report = await loadTestSpecies(database, dataDir, first(), { engines: ['homologs'], programDirectory })
    expect(report).toMatchObject({ ok: true, failure: null })
    expect(report.release).toBeGreaterThan(0)
    expect(report.defects.filter(({ severity }) => severity !== 'repair').map(({ code }) => code)).toEqual([
      'computation-failed',
    ])
    await portal.hearChanges()
    expect((await data.getGene('A1_3', 'A1'))?.gene.id).toBe('A1_3')
    expect(await data.getHomology()).toBeNull()
  })

  test('two assemblies of one species: orthologs, paralogs and synteny on the turned chromosome', async () => {
    const without = (await data.listBundlesInUse()).map(({ bundle }) => bundle)
    await load(first())
    expect(await data.getHomology()).toMatchObject({ current: true, covered: ['A1', 'A2'], missing: [] })
    // An answer from before knows of no homologs: it is none to the same question now.
    const using = (await data.listBundlesInUse()).map(({ bundle }) => bundle)
    expect(using).toEqual(expect.arrayContaining([...without, (await data.getHomology())!.bundle]))
    expect([await data.usesBundles(without), await data.usesBundles(using)]).toEqual([false, true])
    const plain = (await relationsOf('A1_3', 'A1')).get('A2_3')!
    expect(plain).toMatchObject({ relation: 'ortholog', reciprocalBest: true, coverage: 100, strand: '-' })
    expect(plain.identity).toBeGreaterThan(95)
    // Three genes before it, and ten behind: the two copies among them count, each with its orthogroup beside A2_3.
    expect([plain.sharedNeighbours, plain.neighbours]).toEqual([13, 13])
    const copies = await relationsOf('A1_t1', 'A1')
    expect(copies.get('A2_t1')).toMatchObject({ relation: 'ortholog', reciprocalBest: true, identity: 100 })
    expect(copies.get('A2_t2')).toMatchObject({ relation: 'coortholog', reciprocalBest: true, identity: 100 })
    expect(copies.get('A1_t2')).toMatchObject({ relation: 'paralog', identity: 100 })
    // Said of each why it was taken: nothing else to take, or its place beside an equal copy.
    expect(plain.chosenBy).toBe('only')
    expect([copies.get('A2_t1')!.chosenBy, copies.get('A2_t2')!.chosenBy]).toEqual(['order', null])
    groupsBefore = new Map()
    for await (const groups of data.streamOrthogroups())
      for (const { id, members } of groups) groupsBefore.set(id, members.get('A1')?.[0])
    before = new Map(pairFiles().map((name) => [name, statSync(join(dataDir, 'computed/homologs', name)).mtimeMs]))
    expect(before.size).toBe(3)
  })

  test('a further species is searched against the others only: what was searched is used again', async () => {
    await load(writeSpecies(join(root, 'second'), 'beta', [genome('B1', 0.3, { lacks: true })]))
    const after = pairFiles()
    expect(after).toHaveLength(6)
    for (const [name, time] of before) expect(statSync(join(dataDir, 'computed/homologs', name)).mtimeMs).toBe(time)
    expect(await data.getHomology()).toMatchObject({ current: true, covered: ['A1', 'A2', 'B1'] })
    const found = (await relationsOf('A1_5', 'A1')).get('B1_5')!
    expect(found.relation).toBe('ortholog')
    expect(found.identity).toBeGreaterThan(60)
    expect(found.identity).toBeLessThan(80)
  })

  test('the groups keep their ids with a further species, and an id of before leads to the group of its gene', async () => {
    const now = new Map<string, string | undefined>()
    for await (const groups of data.streamOrthogroups())
      for (const { id, members } of groups) now.set(id, members.get('A1')?.[0])
    expect(groupsBefore.size).toBeGreaterThan(16)
    for (const [id, gene] of groupsBefore) expect([id, now.get(id)]).toEqual([id, gene])
    const own = (await data.listOrthogroups('B1', ['B1_5'])).get('B1_5')!
    expect((await data.getOrthogroup('OG-B1_5'))!.id).toBe(own)
    expect((await data.getOrthogroup('OG-B1_5@B1'))!.id).toBe(own)
    expect([await data.getOrthogroup('OG-B1_5@A1'), await data.getOrthogroup('OG0000000')]).toEqual([null, null])
  })

  test('a gene that a genome lacks is absent from its cell of the orthogroup, and symbols lead to it', async () => {
    const { queries } = await run({ genes: ['esxL'] })
    expect(queries[0]!.gene).toMatchObject({ id: 'A1_lost', assembly: 'A1' })
    expect(queries[0]!.otherInterpretations).toEqual([{ assembly: 'A2', id: 'A2_lost' }])
    expect(queries[0]!.orthogroup!.counts).toEqual([
      { assembly: 'A1', genes: ['A1_lost'] },
      { assembly: 'A2', genes: ['A2_lost'] },
      { assembly: 'B1', genes: [] },
    ])
  })

  test('a list is answered as a table: types by copies in both genomes, absence, what is unknown, one request a genome', async () => {
    const { queries, orthologs } = await run({ genes: ['A1_3', 'A1_t1', 'A1_lost', 'nothing'], assembly: 'A1' })
    expect([queries, orthologs!.assemblies, orthologs!.unknown]).toEqual([[], ['A2', 'B1'], ['nothing']])
    const cells = orthologs!.rows.map(({ query, paralogs, cells }) => [
      query,
      paralogs,
      ...cells.map(({ state, type, genes }) => [state, type, ...genes.map(({ gene }) => gene)]),
    ])
    expect(cells).toEqual([
      ['A1_3', [], ['ortholog', 'one2one', 'A2_3'], ['ortholog', 'one2one', 'B1_3']],
      ['A1_t1', ['A1_t2'], ['ortholog', 'many2many', 'A2_t1', 'A2_t2'], ['ortholog', 'many2many', 'B1_t1', 'B1_t2']],
      ['A1_lost', [], ['ortholog', 'one2one', 'A2_lost'], ['none', null]],
    ])
    // Genes of two genomes have both as columns, and each its own cell.
    const mixed = (await run({ genes: ['A1_3', 'B1_4'], assemblies: ['A1', 'B1'], minimumIdentity: 99 })).orthologs!
    expect(mixed.rows.map(({ cells }) => cells.map(({ state }) => state))).toEqual([
      ['own', 'below'],
      ['below', 'own'],
    ])
  })

  test('every coding gene is in exactly one orthogroup, and the groups are the same from gene and from group', async () => {
    const seen = new Map<string, string>()
    for await (const groups of data.streamOrthogroups())
      for (const group of groups)
        for (const [assembly, genes] of group.members)
          for (const gene of genes) {
            expect(seen.has(`${assembly}/${gene}`)).toBe(false)
            seen.set(`${assembly}/${gene}`, group.id)
          }
    expect(seen.size).toBe(19 + 19 + 18)
    const of = await data.listOrthogroups('B1', ['B1_0', 'B1_t1'])
    expect(of.get('B1_0')).toBe(seen.get('A1/A1_0'))
    expect(of.get('B1_t1')).toBe(seen.get('A2/A2_t2'))
  })

  test('a pasted protein with a stop sign, and its DNA, find the gene and its orthogroup', async () => {
    const protein = mutate(proteins[4]!, 0.05, 7)
    const { queries } = await run({ by: 'sequence', sequence: `>mine\n${protein}*\n` })
    expect(queries[0]).toMatchObject({ name: 'mine', gene: null, length: protein.length + 1 })
    expect(new Set(queries[0]!.homologs.map(({ gene }) => gene))).toEqual(new Set(['A1_4', 'A2_4', 'B1_4']))
    expect(queries[0]!.homologs[0]).toMatchObject({ relation: 'member', reciprocalBest: null })
    const [sequence] = (await data.listSequences('A1')).map(({ name }) => name)
    const [gene] = await data.getGenes('A1', ['A1_4'])
    const dna = await data.fetchSequence('A1', sequence!, gene!.start, gene!.end)
    const byDna = await run({ by: 'sequence', sequence: dna, assembly: 'A1' })
    expect(byDna.queries[0]!.homologs[0]).toMatchObject({ gene: 'A1_4', identity: 100 })
    expect(byDna.queries[0]!.orthogroup!.id).toBe(queries[0]!.orthogroup!.id)
  })

  test('what is wrong with the input is told beside its field', async () => {
    await expect(run({ genes: ['nothing'] })).rejects.toMatchObject({
      code: 'UNKNOWN_GENE',
      problems: [{ path: ['genes'] }],
    })
    await expect(run({})).rejects.toMatchObject({ problems: [{ message: 'problem.noGene' }] })
    await expect(run({ by: 'sequence', sequence: '>a\n' })).rejects.toMatchObject({
      problems: [{ message: 'problem.noSequence' }],
    })
  })

  test('a fragment elsewhere is no ortholog where a longer protein has the higher score in the same part', async () => {
    const domain = makeProtein(501, 150)
    const withGene = (assembly: string, middle: { id: string; protein: string }[], last: typeof middle): TestGenome => {
      const { genes } = genome(assembly, 0)
      return { assembly, genes: [...genes.slice(0, 6), ...middle, ...genes.slice(6), ...last] }
    }
    // Of C1_long only the last third is like C2_long; C2_piece is that third alone, less like it, far from its place.
    await load(
      writeSpecies(join(root, 'pieces'), 'gamma', [
        withGene('C1', [{ id: 'C1_long', protein: makeProtein(502, 300) + domain }], []),
        withGene(
          'C2',
          [{ id: 'C2_long', protein: makeProtein(503, 320) + mutate(domain, 0.3, 504) }],
          [{ id: 'C2_piece', protein: mutate(domain, 0.38, 505) }],
        ),
      ]),
    )
    const found = await relationsOf('C1_long', 'C1')
    expect(found.get('C2_long')!.bitScore).toBeGreaterThan(found.get('C2_piece')!.bitScore!)
    expect(found.get('C2_long')).toMatchObject({ relation: 'ortholog', reciprocalBest: true, chosenBy: 'score' })
    expect(found.get('C2_piece')).toMatchObject({ reciprocalBest: false, chosenBy: null })
    await deleteTestSpecies(database, dataDir, 'gamma')
    await portal.hearChanges()
  })

  test('a release that is rolled back finds the homologs computed for it', async () => {
    const newest = (await data.getHomology())!.bundle
    await load(writeSpecies(join(root, 'second'), 'beta', [genome('B1', 0.3, { lacks: true }), genome('B2', 0.31)]))
    expect(await data.getHomology()).toMatchObject({ current: true, covered: ['A1', 'A2', 'B1', 'B2'] })
    await rollbackRelease(database.sql, 'beta')
    await portal.hearChanges()
    expect(await data.getHomology()).toMatchObject({ current: true, bundle: newest })
  })

  test('without a species that was removed the rest is marked as computed before', async () => {
    await deleteTestSpecies(database, dataDir, 'alpha')
    await portal.hearChanges()
    const state = await data.getHomology()
    expect(state).toMatchObject({ current: false, covered: ['B1'], missing: [] })
    const { queries, current } = await run({ genes: ['B1_2'] })
    expect(current).toBe(false)
    expect(queries[0]!.homologs.filter(({ assembly }) => assembly !== 'B1')).toEqual([])
  })

  test('the orthogroups of a lab take the place of the clusters; what they name wrongly is told', async () => {
    const table = 'Orthogroup\tA1\tA2\tC9\nX1\tA1_0, A1_1, gone\tA2_0\tc\n'
    const folder = writeSpecies(
      join(root, 'third'),
      'alpha',
      [genome('A1', 0), genome('A2', 0.02, { turned: true })],
      {},
      'orthogroups: Orthogroups.tsv\n',
    )
    // As a spreadsheet saves it: UTF-16 with its mark.
    writeFileSync(join(folder, 'Orthogroups.tsv'), Buffer.from(`\ufeff${table}`, 'utf16le'))
    const report = await load(folder)
    expect(report.defects.map(({ code }) => code)).toEqual(
      expect.arrayContaining(['orthogroup-column', 'genes-unmatched']),
    )
    const { queries } = await run({ genes: ['A1_0'], assembly: 'A1' })
    expect(queries[0]!.orthogroup).toMatchObject({ source: 'table' })
    expect(queries[0]!.orthogroup!.counts.filter(({ genes }) => genes.length > 0)).toEqual([
      { assembly: 'A1', genes: ['A1_0', 'A1_1'] },
      { assembly: 'A2', genes: ['A2_0'] },
    ])
    expect(queries[0]!.homologs.find(({ gene }) => gene === 'A1_1')).toMatchObject({
      relation: 'paralog',
      identity: null,
    })
  })

  test('a load that fails in between leaves no half of a computation', async () => {
    const tables = await database.sql<{ tablename: string }[]>`
      select tablename from pg_tables where tablename ~ '^(orthogroups|homologs)_[0-9]+$'`
    const kept = await database.sql<{ bundle: number }[]>`select bundle from portal_bundles`
    expect(tables).toHaveLength(2 * kept.length)
    expect(existsSync(join(dataDir, 'staging')) ? readdirSync(join(dataDir, 'staging')) : []).toEqual([])
  })
})
