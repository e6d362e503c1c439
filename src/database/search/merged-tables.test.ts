import { describe, expect, test } from 'vitest'
import { type MergedTables, maxOwnTables, planMerge, searchedBundles, searchTablesOf } from './merged-tables.ts'

/** Loads assemblies so many at a time, and merges after each load as the loader does. */
const loadAll = (count: number, atOnce: number): { merged: MergedTables[]; active: number[]; copied: number } => {
  let merged: MergedTables[] = []
  const active: number[] = []
  let copied = 0
  for (let id = 1; active.length < count; id += 1) {
    for (let number = 0; number < atOnce; number += 1) active.push(active.length + 1)
    const plan = planMerge(merged, active)
    if (plan === null) continue
    copied += plan.bundles.length
    merged = merged.filter((one) => !plan.replaced.includes(one.id))
    if (plan.bundles.length > 0) merged.push({ id, bundles: new Set(plan.bundles) })
  }
  return { merged, active, copied }
}

describe('tables that have the rows of many bundles', () => {
  test('few bundles stay in tables of their own', () => {
    const { merged, active } = loadAll(maxOwnTables, 1)
    expect(merged).toEqual([])
    expect(searchTablesOf(searchedBundles(active, merged)).map(({ merged }) => merged)).toEqual(active.map(() => false))
  })

  test.each([1, 7, 100, 2000])(
    '2,000 assemblies loaded %i at a time are searched in few tables, each bundle in one',
    (atOnce) => {
      const { merged, active, copied } = loadAll(2000, atOnce)
      const tables = searchTablesOf(searchedBundles(active, merged))
      expect(tables.length).toBeLessThanOrEqual(maxOwnTables + 6)
      expect(tables.flatMap(({ bundles }) => [...bundles]).sort((a, b) => a - b)).toEqual(active)
      // Each row is copied a few times, not once for each load.
      expect(copied / active.length).toBeLessThan(6)
    },
  )

  test('what is mostly out of service is made anew without what is gone, and one assembly is read from its own tables', () => {
    const { merged, active } = loadAll(100, 100)
    const kept = active.slice(0, 40)
    expect(planMerge(merged, active)).toBeNull()
    expect(planMerge(merged, active.slice(0, 60))).toBeNull()
    expect(planMerge(merged, kept)).toEqual({ bundles: kept, replaced: [merged[0]!.id] })
    expect(planMerge(merged, kept.slice(0, 5))).toEqual({ bundles: [], replaced: [merged[0]!.id] })
    const [table, ...others] = searchTablesOf(searchedBundles(active.slice(0, 60), merged))
    expect(others).toEqual([])
    expect(table!.isSearched('n')).toContain('n.bundle = any(')
    expect(searchTablesOf(searchedBundles([7], merged)).map(({ nameOf }) => nameOf('search_names'))).toEqual([
      'search_names_7',
    ])
  })
})
