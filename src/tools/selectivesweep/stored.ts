import type { LoadedTable } from './endpoints.ts'

/** Kind of the records of loaded tables, and of their counts among what an assembly has. */
export const tableKind = 'sweeps'

/** A table of windows as its loader bakes it: record of kind `sweeps`. */
export interface BakedSweeps extends LoadedTable {
  /** All series, bgzip, within the bundle. */
  file: string
}
