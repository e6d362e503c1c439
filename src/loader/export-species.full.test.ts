import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeSimulated, simulatedSpecies } from '../../demo/simulated.ts'
import { makePlantedSpecies } from '../../e2e/planted-species.ts'
import { openLocalFiles } from '../store/portal-files.ts'
import { type EmptyPortal, openEmptyPortal } from '../testing/empty-portal.ts'
import { readProducts } from '../testing/products.ts'
import { loadTestSpecies } from '../testing/species.ts'
import { exportSpecies } from './export-species.ts'

// The species that the portal brings and that its journeys stand on, each with data for every tool.

let here: EmptyPortal
let elsewhere: EmptyPortal
beforeAll(async () => {
  here = await openEmptyPortal('here')
  elsewhere = await openEmptyPortal('elsewhere')
})
afterAll(async () => {
  await here?.close()
  await elsewhere?.close()
})

test.each([
  ['of the demo', 'demo', makeSimulated],
  ['of the journeys', 'journeys', makePlantedSpecies],
] as const)(
  'the simulated species %s, exported, is loaded elsewhere to the same products',
  async (_, name, make) => {
    const folder = join(here.root, name)
    await make(folder)
    const { sql } = here.database
    expect((await loadTestSpecies(here.database, here.dataDir, folder)).ok).toBe(true)
    const exported = join(here.root, `${name}-exported`)
    const { log, files } = await exportSpecies({
      sql,
      files: openLocalFiles(here.dataDir),
      species: simulatedSpecies,
      folder: exported,
      signal: AbortSignal.timeout(300_000),
      onProgress: () => undefined,
    })
    expect(log.defects).toEqual([])
    expect(files).toBeGreaterThan(10)
    expect((await loadTestSpecies(elsewhere.database, elsewhere.dataDir, exported)).ok).toBe(true)
    expect(await readProducts(elsewhere.database.sql, simulatedSpecies)).toEqual(
      await readProducts(sql, simulatedSpecies),
    )
    // Where it came from, it is what is there already.
    const again = await loadTestSpecies(here.database, here.dataDir, exported)
    expect(again.assemblies.map(({ reused }) => reused)).toEqual(again.assemblies.map(() => true))
  },
  900_000,
)
