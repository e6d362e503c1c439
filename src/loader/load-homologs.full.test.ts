import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { deleteSpecies, rollbackRelease } from '../database/catalogue.ts'
import type { Database } from '../database/connect.ts'
import { createProgramRunner } from '../jobs/program.ts'
import { findPrograms } from '../jobs/programs.ts'
import type { OpenPortalData } from '../kit/data/create-portal-data.ts'
import type { EngineContext } from '../kit/engine.ts'
import engine from '../tools/homologs/engine.ts'
import { makeProtein, mutate, type TestGenome, writeSpecies } from '../tools/homologs/homolog-testbed.ts'
import tool from '../tools/homologs/tool.ts'
import panGenomeEngine from '../tools/pangenome/engine.ts'
import panGenomeTool from '../tools/pangenome/tool.ts'
import { deleteUnused } from './load-species.ts'
import { type EmptyPortal, openEmptyPortal } from './testing-empty-portal.ts'
import { loadTestSpecies } from './testing-species.ts'

const searchPath = '/usr/local/bin:/usr/bin:/bin'
const proteins = Array.from({ length: 16 }, (_, number) => makeProtein(number + 1))
const tandem = makeProtein(99)
const lost = makeProtein(98)

/** Sixteen genes, two identical copies in their middle, and one that not every genome has. */
const genome = (assembly: string, change: number, options: { turned?: boolean; lacks?: boolean } = {}): TestGenome => {
  const changed = (protein: string, seed: number): string => mutate(protein, change, seed)
  const genes = [
    ...proteins
      .slice(0, 8)
      .map((protein, number) => ({ id: `${assembly}_${number}`, protein: changed(protein, number) })),
    { id: `${assembly}_t1`, protein: tandem },
    { id: `${assembly}_t2`, protein: tandem },
    ...proteins
      .slice(8)
      .map((protein, number) => ({ id: `${assembly}_${number + 8}`, protein: changed(protein, number + 8) })),
    ...(options.lacks === true ? [] : [{ id: `${assembly}_lost`, protein: changed(lost, 98), symbol: 'esxL' }]),
  ]
  if (options.turned !== true) return { assembly, genes }
  return { assembly, genes: genes.reverse().map((gene) => ({ ...gene, strand: '-' as const })) }
}

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
  const directory = mkdtempSync(join(root, 'run-'))
  const signal = new AbortController().signal
  const context: EngineContext = {
    data,
    signal,
    directory,
    runProgram: createProgramRunner({
      directory,
      signal,
      searchPath,
      programs: await findPrograms(engine.programs, searchPath),
    }),
    progress: () => undefined,
    receipt: { addStep: () => undefined, addData: () => undefined, cite: () => undefined },
  }
  return tool.result.parse(await engine.run(tool.input.parse(input), context))
}

const comparePan = async (input: object) =>
  panGenomeTool.result.parse(
    await panGenomeEngine.run(panGenomeTool.input.parse(input), {
      data,
      signal: new AbortController().signal,
      directory: root,
      runProgram: () => Promise.reject(new Error('no program')),
      progress: () => undefined,
      receipt: { addStep: () => undefined, addData: () => undefined, cite: () => undefined },
    }),
  )

const askPan = async (path: string, input: object) => {
  const route = panGenomeEngine.routes!.find((one) => one.path === path)!
  const context = {
    data,
    signal: new AbortController().signal,
    language: 'en' as const,
    openJob: () => Promise.reject(new Error('no job')),
    runProgram: () => Promise.reject(new Error('no program')),
    describeReceipt: async () => ['receipt'],
  }
  const answer = await route.handle(route.input.parse(input), context)
  if ('json' in answer) return answer.json as Record<string, unknown>
  let text = ''
  if ('body' in answer) for await (const piece of answer.body as AsyncIterable<string>) text += piece
  return { text }
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

  test('without the programs a load goes on, says what to install, and the tool says that nothing was computed', async () => {
    const report = await load(first(), false)
    expect(
      report.defects.filter(({ params }) => params.purpose === 'homologs').map(({ params }) => params.package),
    ).toEqual(['diamond-aligner'])
    expect(await data.getHomology()).toBeNull()
    await expect(run({ genes: ['A1_0'] })).rejects.toMatchObject({ code: 'TOOL_UNAVAILABLE' })
    await expect(comparePan({})).rejects.toMatchObject({ code: 'TOOL_UNAVAILABLE' })
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

  test('a pan-genome of three: copies count once, a family that a genome lacks is no core, genes asked for have their family', async () => {
    const all = ['A1', 'A2', 'B1']
    const found = await comparePan({ assemblies: all, genes: ['esxL', 'B1_t1', 'nothing'] })
    expect(found.frequencies).toEqual([0, 0, 1, 17])
    expect(found.growth.pan.map((size) => Number(size.toFixed(6)))).toEqual([17.666667, 18, 18])
    expect(found.growth.core.at(-1)).toBeCloseTo(17, 9)
    expect(found.spread).toMatchObject({ orders: 6, complete: true })
    expect(found.assemblies.map(({ id, families, alone, l50, busco }) => [id, families, alone, l50, busco])).toEqual([
      ['A1', 18, 0, 1, null],
      ['A2', 18, 0, 1, null],
      ['B1', 17, 0, 1, null],
    ])
    // Two bits a cell, family after family: the tandem copies are in every assembly, and the lost family comes last.
    const cells = Buffer.from(found.matrix.cells, 'base64')
    const numbers = Array.from({ length: 18 * 3 }, (_, cell) => (cells[cell >>> 2]! >>> ((cell & 3) * 2)) & 3)
    expect(numbers.slice(-3)).toEqual([1, 1, 0])
    expect(numbers.filter((genes) => genes === 2)).toHaveLength(3)
    expect(found.matrix).toMatchObject({ count: 18, notDrawn: 0 })
    expect(found.set?.unknown).toEqual(['nothing'])
    expect(found.set?.rows.map(({ gene, members }) => [gene, members])).toEqual([
      ['A1_lost', [['A1_lost'], ['A2_lost'], []]],
      [
        'B1_t1',
        [
          ['A1_t1', 'A1_t2'],
          ['A2_t1', 'A2_t2'],
          ['B1_t1', 'B1_t2'],
        ],
      ],
    ])
    // None chosen is the species of the first reference.
    expect((await comparePan({})).assemblies.map(({ id }) => id)).toEqual(['A1', 'A2'])
    await expect(comparePan({ assemblies: ['A1'] })).rejects.toMatchObject({ code: 'INVALID_INPUT' })
    await expect(comparePan({ assemblies: ['A1', 'Z9'] })).rejects.toMatchObject({ code: 'UNKNOWN_ASSEMBLY' })
    expect(panGenomeTool.input.safeParse({ genes: '' }).success).toBe(false)
    expect(panGenomeTool.input.safeParse({ assemblies: ['A1', 'A2'], genes: 'x '.repeat(5_000_000) }).success).toBe(
      true,
    )
    expect(
      panGenomeTool.input.safeParse({ genes: Array.from({ length: 2001 }, (_, gene) => `g${gene}`) }).success,
    ).toBe(false)
  })

  test('families are named by a gene of the first assembly that has one, and are listed with all genes in a file', async () => {
    const named = await askPan('families/', { assemblies: ['B1', 'A2'] })
    const { gene, assembly, present, genes } = named as Record<string, (string | number)[]>
    expect(named.total).toBe(18)
    const lost = gene!.indexOf('A2_lost')
    expect([assembly![lost], present![lost], genes![lost]]).toEqual([1, 1, 1])
    expect(assembly!.filter((at) => at === 0)).toHaveLength(17)
    const { family } = await askPan('family/', { assembly: 'A1', gene: 'A1_lost' })
    expect(await askPan('genes/', { assembly: 'A2', families: [family] })).toEqual({
      genes: [{ id: 'A2_lost', family }],
    })
    expect(((await askPan('genes/', { assembly: 'A2' })).genes as unknown[]).length).toBe(19)
    const { text } = await askPan('file', { assemblies: ['A1', 'A2', 'B1'], softCore: 0.6 })
    const rows = String(text)
      .split('\n')
      .filter((row) => row !== '')
    expect(rows.slice(0, 2)).toEqual(['# receipt', 'family\tclass\tassemblies\tgenes\tA1\tA2\tB1'])
    expect(rows).toHaveLength(20)
    expect(rows.find((row) => row.includes('A1_lost'))).toMatch(/^OG\d{7}\tsoftCore\t2\t2\tA1_lost\tA2_lost\t$/)
    expect(rows.find((row) => row.includes('A1_t1'))).toMatch(/\tcore\t3\t6\tA1_t1,A1_t2\t/)
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
    await deleteSpecies(database.sql, 'gamma')
    await deleteUnused(database, dataDir)
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
    await deleteSpecies(database.sql, 'alpha')
    await deleteUnused(database, dataDir)
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
      expect.arrayContaining(['orthogroup-column', 'orthogroup-gene']),
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
