import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createBakedWriter } from '../../database/baked-tables.ts'
import { activateRelease, createBundle } from '../../database/catalogue.ts'
import type { Database } from '../../database/connect.ts'
import { nameKinds } from '../../database/genes.ts'
import { listMergedTables, maxOwnTables, mergeSearchTables } from '../../database/search/merged-tables.ts'
import { SearchIndexer } from '../../kit/data/bundle-rows.ts'
import { openPortalData } from '../../kit/data/create-portal-data.ts'
import { emptySummary } from '../../loader/sealed-bundle.ts'
import { openLocalFiles } from '../../store/portal-files.ts'
import { openTestDatabase } from '../../testing/database.ts'
import { makeRandomBelow } from '../../testing/random.ts'
import { createSearchService } from './search-service.ts'

// Strains enough that their search tables are merged: two species, the second of few.

const random = makeRandomBelow(5)
const kinds = ['serine', 'zinc', 'sugar', 'heme']
const nouns = ['kinase', 'transporter', 'ligase']
const strains = maxOwnTables + 4
const genesPerStrain = 12

describe('a search over many strains', () => {
  let database: Database
  const bundlesOf: Record<string, number[]> = { strains: [], others: [] }

  const addBundle = async (species: string, assembly: string): Promise<void> => {
    const { sql } = database
    const writer = await createBakedWriter(sql)
    const indexer = new SearchIndexer(writer)
    for (let number = 0; number < genesPerStrain; number += 1) {
      const id = `${assembly}_${number}`
      const symbol = ['dnaA', 'esxA', 'ESXA'][number] ?? `s${random(40)}X`
      const description = `${kinds[random(4)]} ${nouns[random(3)]} family protein ${random(9)}`
      await writer.add('genes', [
        id,
        symbol,
        null,
        description,
        'protein_coding',
        'chr1',
        number * 100 + 1,
        number * 100 + 60,
        '+',
        number,
        [],
        { json: {} },
        { json: [] },
        0,
        0,
        null,
      ])
      const names = [
        { name: id, kind: nameKinds.identifier },
        { name: symbol, kind: nameKinds.symbol },
      ]
      const entry = {
        type: 'gene',
        id,
        label: symbol,
        description,
        sequence: 'chr1',
        start1: number * 100 + 1,
        end1: number * 100 + 60,
        strand: '+',
        names: [symbol],
        relevance: random(3) * 3,
      }
      await indexer.add(entry, names)
    }
    await indexer.add({
      type: 'track',
      id: `${assembly}:kinases`,
      label: 'Kinase',
      description: 'kinases of the strain',
    })
    await indexer.finish()
    await writer.finish()
    const summary = { ...emptySummary({}), geneCount: genesPerStrain, longestGeneBp: 60, files: [] }
    await createBundle(sql, writer, {
      uid: `uid-${assembly}`,
      species,
      assembly,
      fingerprint: assembly,
      checksum: '',
      summary,
    })
    bundlesOf[species]!.push(writer.bundle)
  }

  const activate = async (species: string, bundles: number[]): Promise<void> => {
    const rows = await database.sql<{ bundle: number; assembly: string }[]>`
      select id as bundle, assembly from bundles where id = any(${bundles}) order by id`
    // The third is the reference.
    const assemblies = rows.map(({ assembly }, number) => ({ id: assembly, genome: 'x.fa', reference: number === 2 }))
    await activateRelease(
      database.sql,
      { novodb: 1, species, name: `Genus ${species}`, assemblies } as never,
      bundles,
      {},
    )
  }

  beforeAll(async () => {
    database = await openTestDatabase()
    for (let number = 1; number <= strains; number += 1) await addBundle('strains', `T${number}`)
    for (let number = 1; number <= 3; number += 1) await addBundle('others', `U${number}`)
    for (const [species, bundles] of Object.entries(bundlesOf)) await activate(species, bundles)
  }, 120_000)
  afterAll(() => database?.close())

  const page = { page: 1, pageSize: 20 }
  /** Everything that a portal answers to a number of questions, by a server that has just started. */
  const askAll = async (): Promise<Record<string, unknown>> => {
    const pools = [database.connect({ max: 2, planOnce: true }), database.connect({ max: 2, planOnce: true })] as const
    const data = await openPortalData({
      sql: database.sql,
      lookupSql: pools[0],
      searchSql: pools[1],
      files: openLocalFiles('/nowhere'),
    })
    const service = createSearchService(data)
    const answers: Record<string, unknown> = {}
    const note = async (name: string, answer: Promise<unknown>) => {
      answers[name] = await answer
    }
    for (const q of [
      'dnaA',
      'esxA',
      'T7_4',
      's1',
      'kinase',
      'zinc kinase',
      'zinc kinase 3',
      'protein',
      'kinas',
      'kinqse',
      'T',
      'esx',
      'unicorn kinase',
      'ligase T7',
    ])
      for (const [what, more] of Object.entries({
        all: {},
        'page 2': { page: 2 },
        genes: { type: 'gene' },
        species: { species: 'strains' },
        'few of them': { species: 'others' },
        assembly: { assembly: 'T5' },
        sequence: { sequence: 'chr1' },
      }))
        await note(`search ${q}, ${what}`, service.search({ q, ...page, ...more }))
    // Now the common words have their entries in memory.
    for (const q of ['zinc kinase', 'sugar ligase', 'protein family'])
      for (const turn of [1, 2, 3]) await note(`again ${q} ${turn}`, service.search({ q, page: turn, pageSize: 7 }))
    for (const q of ['T7_4', 'T3', 's12x', 'kin', 'T7-4', 'zinc li'])
      await note(`suggest ${q}`, service.suggest({ q, limit: 10 }))
    await note('suggest of a type', service.suggest({ q: 'kin', type: 'track', limit: 10 }))
    await note('nearest', service.nearest(['dnaB', 'T7_44', 'esxaa'], undefined))
    for (const name of ['dnaA', 'esxA', 'T9_5', 's7X', 'nobody']) await note(`gene ${name}`, data.getGene(name))
    await note('resolved', data.resolveGenes(['dnaA', 'T9_5', 's7x', 'nobody']))
    await data.close()
    await Promise.all(pools.map((pool) => pool.end({ timeout: 5 })))
    return answers
  }

  test('has the same answers from merged tables, also when strains have left and come', async () => {
    const all = Object.values(bundlesOf).flat()
    const before = await askAll()
    expect(before['search dnaA, all']).toMatchObject({
      total: strains + 3,
      entries: expect.arrayContaining([expect.objectContaining({ assembly: 'T3' })]),
    })
    expect(await mergeSearchTables(database.sql, all)).toBe(true)
    expect(await mergeSearchTables(database.sql, all)).toBe(false)
    expect(await listMergedTables(database.sql)).toMatchObject([{ bundles: new Set(all) }])
    expect(await askAll()).toEqual(before)

    // One strain is out of service, another has come: their rows are in the merged tables, and are not.
    await addBundle('strains', 'T99')
    const now = bundlesOf.strains!.filter((_, number) => number !== 9)
    await activate('strains', now)
    const merged = await askAll()
    const [row] = await database.sql<{ bundles: number[] }[]>`delete from search_merges returning bundles`
    expect(row!.bundles).toContain(bundlesOf.strains![9])
    expect(merged).toEqual(await askAll())
    expect(merged['search dnaA, all']).toMatchObject({ total: strains + 3 })
  }, 240_000)

  test('leaves nothing of a merge that was stopped or replaced', async () => {
    const { sql } = database
    const active = [...bundlesOf.strains!, ...bundlesOf.others!]
    const stopped = new AbortController()
    stopped.abort()
    await expect(mergeSearchTables(sql, active, { signal: stopped.signal })).rejects.toThrow()
    expect(await listMergedTables(sql)).toEqual([])
    const left = () => sql`select tablename from pg_tables where tablename like 'merged\\_search\\_%'`
    expect(await left()).toEqual([])
    expect(await mergeSearchTables(sql, active)).toBe(true)
    const [{ id } = { id: 0 }] = await listMergedTables(sql)
    await mergeSearchTables(sql, [])
    await mergeSearchTables(sql, [])
    expect(id).toBeGreaterThan(0)
    expect(await left()).toEqual([])
  }, 60_000)
})
