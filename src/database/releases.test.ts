import { afterAll, beforeAll, expect, test } from 'vitest'
import type { SpeciesManifest } from '../contracts/manifest.ts'
import { openTestDatabase } from '../testing/database.ts'
import { makeRandomBelow } from '../testing/random.ts'
import {
  activateRelease,
  createLoad,
  deleteOldReleases,
  endLoad,
  findLoadUndo,
  getLoad,
  listActiveSpecies,
  listReleases,
  listServingLoads,
  listStoredBundles,
  noteCancelled,
  rollbackRelease,
  undoLoad,
  updateLoad,
} from './catalogue.ts'
import type { Database } from './connect.ts'
import { addPortalBundle } from './homologs.ts'

let database: Database
let bundle: number
beforeAll(async () => {
  database = await openTestDatabase({ max: 4 })
  const [row] = await database.sql<{ id: number }[]>`
    insert into bundles (uid, species, fingerprint, checksum, summary) values ('u', 's', 'f', 'c', '{}') returning id`
  bundle = row!.id
})
afterAll(() => database?.close())

const load = async (species: string): Promise<number> => {
  const number = await activateRelease(database.sql, { species } as SpeciesManifest, [bundle], {})
  await deleteOldReleases(database.sql, species, 2)
  return number
}
const kept = async (species: string): Promise<number[]> =>
  (await listReleases(database.sql, species)).map((release) => release.number).sort((a, b) => a - b)
const active = async (species: string): Promise<number> =>
  (await listActiveSpecies(database.sql)).find(({ id }) => id === species)!.releaseNumber
/** As if the active release had served so much longer. */
const pass = (species: string, seconds: number) => database.sql`
  update releases r set serves_since = serves_since - make_interval(secs => ${seconds})
  from species s where s.id = ${species} and s.active_release = r.id`

test('a release that served for long outlives those that were rejected after it, and is what is rolled back to', async () => {
  await load('rice')
  await pass('rice', 1e7)
  for (const rejected of [2, 3, 4, 5]) {
    expect(await load('rice')).toBe(rejected)
    await pass('rice', 60 * rejected)
    expect(await rollbackRelease(database.sql, 'rice')).toBe(1)
    await pass('rice', 1000)
  }
  expect(await load('rice')).toBe(6)
  expect(await kept('rice')).toEqual([1, 5, 6])
  expect(await rollbackRelease(database.sql, 'rice')).toBe(1)
  expect(await rollbackRelease(database.sql, 'rice')).toBeNull()
  expect(await active('rice')).toBe(1)
})

test('loads are undone one after the other, back to before there was the species', async () => {
  const note = async (): Promise<number> => {
    const number = await load('barley')
    const [row] = await database.sql<{ id: number }[]>`
      insert into loads (species, folder, state, report, started_at, ended_at)
      values ('barley', 'f', 'done', ${database.sql.json({ release: number })}, now() - interval '1 minute', now()) returning id`
    return row!.id
  }
  const [first, second] = [await note(), await note()]
  expect(await findLoadUndo(database.sql, first)).toBeNull()
  expect(await undoLoad(database.sql, second, { number: 2, before: 1 })).toBe('barley')
  expect(await findLoadUndo(database.sql, second)).toBeNull()
  expect(await findLoadUndo(database.sql, first)).toMatchObject({ number: 1, before: null })
  expect(await undoLoad(database.sql, first, { number: 1, before: null })).toBe('barley')
  expect((await listActiveSpecies(database.sql)).map(({ id }) => id)).not.toContain('barley')
})

interface Known {
  number: number
  served: number
  until: number
  before: number | null
}

test('any sequence of loads and rollbacks keeps what a simple model says', async () => {
  const random = makeRandomBelow(20_261_122)
  for (let round = 0; round < 12; round += 1) {
    const species = `species-${round}`
    let known: Known[] = []
    let current: Known | undefined
    let tick = 0
    let last = 0
    const leave = (): void => {
      tick += 1
      if (current !== undefined) current.until = tick
    }
    for (let step = 0; step < 25; step += 1) {
      if (current !== undefined) {
        const seconds = 100 + random(1_000_000)
        await pass(species, seconds)
        current.served += seconds
      }
      const others = known.filter((one) => one !== current)
      const choice = current === undefined ? 0 : random(10)
      if (choice < 5) {
        leave()
        last += 1
        const loaded: Known = { number: last, served: 0, until: 0, before: current?.number ?? null }
        known.push(loaded)
        current = loaded
        const rest = known.filter((one) => one !== current).sort((a, b) => b.until - a.until)
        const longest = rest.slice(1).sort((a, b) => b.served - a.served)
        for (const forgotten of longest.slice(1)) {
          for (const one of known) if (one.before === forgotten.number) one.before = forgotten.before
          known = known.filter((one) => one !== forgotten)
        }
        expect(await load(species)).toBe(last)
      } else {
        const wanted = choice < 8 || others.length === 0 ? undefined : others[random(others.length)]!.number
        const target = known.find((one) => one.number === (wanted ?? current!.before))
        expect(await rollbackRelease(database.sql, species, wanted)).toBe(target?.number ?? null)
        if (target !== undefined && target !== current) {
          leave()
          current = target
        }
      }
      expect([await active(species), await kept(species)]).toEqual([
        current!.number,
        known.map((one) => one.number).sort((a, b) => a - b),
      ])
    }
  }
})

test('a comparison is in service while all that it compares is, and of an earlier release from then on', async () => {
  const add = async (uid: string): Promise<number> => {
    const [row] = await database.sql<{ id: number }[]>`
      insert into bundles (uid, species, fingerprint, checksum, summary) values (${uid}, '', ${uid}, 'c', '{}') returning id`
    return row!.id
  }
  const [first, second, comparison] = [await add('first'), await add('second'), await add('comparison')]
  await addPortalBundle(database.sql, comparison, 'homologs', [first, second])
  const serving = async (): Promise<string[]> =>
    (await listStoredBundles(database.sql)).filter((one) => one.active).map(({ uid }) => uid)
  await activateRelease(database.sql, { species: 'oat' } as SpeciesManifest, [first, second], {})
  expect(await serving()).toEqual(expect.arrayContaining(['first', 'second', 'comparison']))
  await activateRelease(database.sql, { species: 'oat' } as SpeciesManifest, [first], {})
  expect(await serving()).toContain('first')
  expect(await serving()).not.toContain('comparison')
})

test('a load that a person cancelled or undid says so, until its release is served again', async () => {
  const { sql } = database
  const species = 'rye'
  const load = async (state: 'done' | 'failed', fraction: number): Promise<number> => {
    const id = await createLoad(sql, { species, folder: '/rye', host: '', pid: 0, startedBy: '' })
    const [bundle] = await sql<{ id: number }[]>`
      insert into bundles (uid, species, fingerprint, checksum, summary)
      values (${`rye-${id}`}, '', ${`rye-${id}`}, 'c', '{}') returning id`
    await updateLoad(sql, id, 'step', fraction)
    const release =
      state === 'failed' ? null : await activateRelease(sql, { species } as SpeciesManifest, [bundle!.id], {})
    await endLoad(sql, id, state, { release })
    return id
  }
  const stateOf = async (id: number): Promise<string> => (await getLoad(sql, id))!.state
  const first = await load('done', 1)
  const second = await load('done', 1)
  const cancelled = await load('failed', 0.4)
  const failed = await load('failed', 0.4)
  expect(await noteCancelled(sql, cancelled)).toEqual({ inService: false })
  // Its comparison alone was stopped.
  expect(await noteCancelled(sql, second)).toEqual({ inService: true })
  expect(await Promise.all([first, second, cancelled, failed].map(stateOf))).toEqual([
    'done',
    'done',
    'cancelled',
    'failed',
  ])
  const serving = async (): Promise<number[]> =>
    (await listServingLoads(sql)).map(({ id }) => id).filter((id) => id === first || id === second)
  expect(await undoLoad(sql, second, { number: 2, before: 1 })).toBe(species)
  expect([await stateOf(second), await serving()]).toEqual(['undone', [first]])
  await rollbackRelease(sql, species, 2)
  expect([await stateOf(second), (await serving()).sort()]).toEqual(['done', [first, second].sort()])
})
