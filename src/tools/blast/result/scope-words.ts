import type { BlastResult, QueryResult } from '../tool.ts'

/** Where a search looked, in numbers for the headline. */
interface ScopeCount {
  what: 'pasted' | 'genome' | 'other'
  searched: number
  /** Assemblies with a hit; null where a result of an earlier version does not say. */
  found: number | null
  /** Loaded with such a database and not searched. */
  others: number
}

/** Of one query, or of all together. */
export const countScope = (result: BlastResult, query?: QueryResult): ScopeCount => {
  const searched = new Set(result.databases.flatMap((one) => one.assembly ?? [])).size
  const queries = query === undefined ? result.queries : [query]
  const known = queries.every((one) => one.assemblies !== undefined)
  return {
    what: searched === 0 ? 'pasted' : result.databases.every((one) => one.kind === 'genome') ? 'genome' : 'other',
    searched,
    found: known ? new Set(queries.flatMap((one) => one.assemblies ?? [])).size : null,
    others: Math.max(0, (result.scope?.available ?? searched) - searched),
  }
}
