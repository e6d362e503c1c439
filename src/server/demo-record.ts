import { z } from 'zod'
import type { Sql } from '../database/connect.ts'

/** The demo's species that have been loaded, each with the programs that were there: without them their indexes were left out. */
export type LoadedDemo = Record<string, string[]>

const recordSchema = z.record(z.string(), z.array(z.string()))
const idsSchema = z.array(z.string())

/** The record as the portal keeps it; one of the first release is a list of species, loaded with no matter which programs. */
export const readLoadedDemo = (value: unknown): LoadedDemo => {
  const record = recordSchema.safeParse(value)
  if (record.success) return record.data
  return Object.fromEntries((idsSchema.safeParse(value).data ?? []).map((id) => [id, []]))
}

/**
 * Whether the demo may be loaded into a portal: an empty one, or one that the demo was begun in. The record is there from the moment the
 * first species begins to load, empty until all of it is done, for a species serves long before what is computed over all of them is
 * ready: whoever kills the portal in between gets the rest at the next start. What else is there then is a lab's own.
 */
export const mayLoadDemo = (record: unknown, active: readonly string[], demoSpecies: readonly string[]): boolean => {
  if (record === undefined) return active.length === 0
  return Object.keys(readLoadedDemo(record)).length > 0 || active.every((id) => demoSpecies.includes(id))
}

/** Whether what a portal serves is the demo, or is about to be: where a lab has its own data alone, no placeholder of the demo is shown. */
export const servesDemo = (wanted: boolean, record: unknown, active: readonly string[]): boolean => {
  if (!wanted) return false
  if (active.length === 0) return true
  if (record === undefined) return false
  const loaded = Object.keys(readLoadedDemo(record))
  // Begun, but none of it done yet.
  return loaded.length === 0 || loaded.some((id) => active.includes(id))
}

/** The record of the portal's demo; undefined where none was ever begun. */
export const findDemoRecord = async (sql: Sql): Promise<unknown> => {
  const [row] = await sql<{ value: unknown }[]>`select value from portal_settings where key = 'demo'`
  return row?.value
}

/**
 * Why a species of the demo is to be loaded: an empty list when it never was, the programs that have come since when there are
 * any, null when there is no reason, also when its administrator has removed it (it is in `done`, but not in `active`).
 */
export const findDemoToLoad = (
  id: string,
  done: LoadedDemo,
  active: readonly string[],
  programs: readonly string[],
): string[] | null => {
  const before = done[id]
  if (before === undefined) return []
  if (!active.includes(id)) return null
  const come = programs.filter((program) => !before.includes(program))
  return come.length === 0 ? null : come
}
