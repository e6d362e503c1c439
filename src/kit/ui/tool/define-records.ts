import type { ComponentType } from 'react'

/** Whose record it is. */
export interface RecordOf {
  species: string
  id: string
}

/**
 * Records that a tool draws on the record page, by their type: the default export of its `records.tsx`. The types are those of the
 * tool's `records` whose address is the record page; the page gives the heading's place, the tool everything in it.
 */
export type ToolRecords = Record<string, ComponentType<RecordOf>>

export const defineRecords = (records: ToolRecords): ToolRecords => records
