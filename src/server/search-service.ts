import { parseRegion } from '../bio/region.ts'
import { searchWords } from '../bio/search-words.ts'
import type { SearchAnswer, SearchEntry } from '../contracts/search.ts'
import {
  countFacets,
  countWords,
  findEntries,
  findSimilarWords,
  type SearchRow,
  type SearchScope,
  suggestEntries,
} from '../database/search.ts'
import type { OpenPortalData } from '../kit/create-portal-data.ts'

interface SearchQuery {
  q: string
  type?: string
  species?: string
  assembly?: string
  sequence?: string
  page: number
  pageSize: number
}

/** Answers kept, newest first out last in; what is loaded does not change between two generations, so they stay true. */
const cacheEntries = 2000

const fewBundles = 3

/** Search over all that is loaded: ranked, with facets, with spelling mended, with regions understood. */
export const createSearchService = (data: OpenPortalData) => {
  const cache = new Map<string, SearchAnswer>()
  /** Those that are being searched for: who asks the same meanwhile waits with them. */
  const under = new Map<string, Promise<SearchAnswer>>()
  let cachedGeneration = -1

  /** For few assemblies the tables of all others are left out by planning anew, which is quick then. */
  const rankedSqlFor = (scope: SearchScope) => (scope.bundles.length > fewBundles ? data.searchSql : data.sql)

  const scopeOf = async (query: { species?: string; assembly?: string }) => {
    const owners = new Map<number, { species: string; assembly: string | null }>()
    const { active, assemblies } = await data.snapshot()
    const isReference = (assembly: string | null): boolean =>
      assembly !== null && assemblies.get(assembly)?.summary.reference === true
    for (const species of active) {
      if (query.species !== undefined && species.id !== query.species) continue
      // The reference first: of the same gene in many assemblies it is the one that papers mean.
      const ordered = [...species.bundles].sort(
        (a, b) => Number(isReference(b.assembly)) - Number(isReference(a.assembly)),
      )
      for (const bundle of ordered) {
        if (query.assembly !== undefined && bundle.assembly !== query.assembly) continue
        owners.set(bundle.bundle, { species: species.id, assembly: bundle.assembly })
      }
    }
    return owners
  }

  const toEntry = (row: SearchRow, owners: Map<number, { species: string; assembly: string | null }>): SearchEntry => ({
    type: row.type,
    id: row.id,
    label: row.label,
    description: row.description,
    species: owners.get(row.bundle)?.species ?? '',
    assembly: owners.get(row.bundle)?.assembly ?? null,
    sequence: row.sequence,
    start: row.start1,
    end: row.end1,
    strand: row.strand,
  })

  const findRegion = async (query: SearchQuery): Promise<SearchAnswer['region']> => {
    const parsed = parseRegion(query.q.trim())
    if (!parsed.ok) return null
    const { region } = parsed
    const snapshot = await data.snapshot()
    const assemblies = [...snapshot.assemblies.values()]
      .map((entry) => entry.summary)
      .filter((assembly) => query.assembly === undefined || assembly.id === query.assembly)
      .filter((assembly) => query.species === undefined || assembly.species === query.species)
    // The reference first: most regions are read out of papers about it.
    for (const assembly of assemblies.sort((a, b) => Number(b.reference) - Number(a.reference))) {
      const sequence = await data.getSequence(assembly.id, region.sequenceName).catch(() => null)
      if (sequence === null || region.start1 > sequence.lengthBp) continue
      return {
        assembly: assembly.id,
        sequence: sequence.name,
        start: region.start1,
        end: Math.min(region.end1, sequence.lengthBp),
      }
    }
    return null
  }

  const answer = async (query: SearchQuery): Promise<SearchAnswer> => {
    const owners = await scopeOf(query)
    const scope: SearchScope = { bundles: [...owners.keys()], type: query.type, sequence: query.sequence }
    const rankedSql = rankedSqlFor(scope)
    const corrections: SearchAnswer['corrections'] = []
    const typed = searchWords(query.q)
    let words = await countWords(rankedSql, scope, typed)
    // A last word that nothing has may be unfinished; other unknown words are read as their nearest neighbours.
    let unfinished = words.at(-1)?.count === 0 && words.at(-1)?.ignored === false
    let matches = await findEntries(
      { sql: data.sql, rankedSql },
      scope,
      words,
      query.q,
      unfinished,
      offset(query),
      query.pageSize,
    )
    if (matches.total === 0 && words.length > 0) {
      const mended: string[] = []
      for (const word of words) {
        const near =
          // An identifier is not read as another one.
          word.count === 0 && !word.ignored && word.parts === 1
            ? (await findSimilarWords(data.sql, scope.bundles, word.word))[0]
            : undefined
        if (near !== undefined) corrections.push({ typed: word.word, read: near })
        mended.push(near ?? word.word)
      }
      if (corrections.length > 0) {
        words = await countWords(rankedSql, scope, mended)
        unfinished = false
        matches = await findEntries(
          { sql: data.sql, rankedSql },
          scope,
          words,
          mended.join(' '),
          false,
          offset(query),
          query.pageSize,
        )
      }
    }
    const facets: SearchAnswer['facets'] = { type: {}, species: {}, assembly: {} }
    const counted = matches.facets ?? (await countFacets(data.sql, scope, words, unfinished))
    for (const { bundle, type, count } of counted) {
      const owner = owners.get(bundle)
      facets.type[type] = (facets.type[type] ?? 0) + count
      if (owner === undefined || (query.type !== undefined && type !== query.type)) continue
      facets.species[owner.species] = (facets.species[owner.species] ?? 0) + count
      if (owner.assembly !== null) facets.assembly[owner.assembly] = (facets.assembly[owner.assembly] ?? 0) + count
    }
    return {
      entries: matches.rows.map((row) => toEntry(row, owners)),
      total: matches.total,
      totalExact: matches.totalExact,
      facets,
      corrections,
      region: query.page === 1 ? await findRegion(query) : null,
    }
  }

  const describedBy = async (scope: SearchScope, q: string, limit: number): Promise<SearchRow[]> => {
    const words = await countWords(data.sql, scope, searchWords(q))
    if (words.length === 0) return []
    const unfinished = words.at(-1)?.count === 0 && words.at(-1)?.ignored === false
    return (await findEntries({ sql: data.sql, rankedSql: rankedSqlFor(scope) }, scope, words, q, unfinished, 0, limit))
      .rows
  }

  const offset = (query: SearchQuery): number => (query.page - 1) * query.pageSize

  return {
    search: async (query: SearchQuery): Promise<SearchAnswer> => {
      const generation = data.generation()
      if (generation !== cachedGeneration) {
        cache.clear()
        cachedGeneration = generation
      }
      const key = JSON.stringify([
        query.q.trim(),
        query.type,
        query.species,
        query.assembly,
        query.sequence,
        query.page,
        query.pageSize,
      ])
      const kept = cache.get(key)
      if (kept !== undefined) {
        cache.delete(key)
        cache.set(key, kept)
        return kept
      }
      const running = under.get(`${generation} ${key}`)
      if (running !== undefined) return running
      const search = answer(query)
      under.set(`${generation} ${key}`, search)
      const fresh = await search.finally(() => under.delete(`${generation} ${key}`))
      if (data.generation() === generation) {
        cache.set(key, fresh)
        if (cache.size > cacheEntries) cache.delete(cache.keys().next().value!)
      }
      return fresh
    },

    suggest: async (query: { q: string; type?: string; species?: string; assembly?: string; limit: number }) => {
      const owners = await scopeOf(query)
      const scope: SearchScope = { bundles: [...owners.keys()], type: query.type }
      const named = await suggestEntries(data.lookupSql, scope, query.q, query.limit)
      // What no name begins with may be words of a description, as protein names are: ESAT-6, cytochrome c.
      const rows = named.length > 0 ? named : await describedBy(scope, query.q, query.limit)
      return { entries: rows.map((row) => ({ ...toEntry(row, owners), matched: row.matched ?? row.label })) }
    },
  }
}

export type SearchService = ReturnType<typeof createSearchService>
