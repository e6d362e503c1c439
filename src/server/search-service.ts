import type { Sql } from 'postgres'
import { parseRegion } from '../bio/region.ts'
import { looksLikeSymbol, otherSpellings, plainQuery, searchWords } from '../bio/search-words.ts'
import { PortalError } from '../contracts/errors.ts'
import type { SearchAnswer, SearchEntry } from '../contracts/search.ts'
import { createEntrySets } from '../database/entry-sets.ts'
import { numberObjects, onceFor } from '../database/once-for.ts'
import {
  countFacets,
  countWords,
  type Facet,
  findEntries,
  findNamed,
  findSimilarWords,
  type SearchMatches,
  type SearchReaders,
  type SearchRow,
  type SearchScope,
  suggestEntries,
  type WordFrequency,
  type WordsAsked,
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

interface SuggestQuery {
  q: string
  type?: string
  species?: string
  assembly?: string
  limit: number
}

/** Answers kept, newest first out last in; what is loaded does not change between two generations, so they stay true. */
const cacheEntries = 2000
/** Frequencies of words kept: people ask with the same few thousand words. */
const wordEntries = 20_000
/** Counts of searches kept for their further pages. */
const countEntries = 500

/** Parts of assemblies' names that are shorter name too many other things. */
const shortestPart = 3

/** A word of a question in the letters it was typed with. */
const asTyped = (question: string, word: string): string => {
  const at = question.toLowerCase().indexOf(word)
  return at === -1 ? word : question.slice(at, at + word.length)
}

type Snapshot = Awaited<ReturnType<OpenPortalData['snapshot']>>

type Owners = Map<number, { species: string; assembly: string | null }>

/** One list for the same bundles: statements are written once for each. */
const bundlesOf = onceFor((owners: Owners): readonly number[] => (owners.size === 0 ? noBundles : [...owners.keys()]))
const noBundles: readonly number[] = []

/** undefined_table (PostgreSQL manual, appendix A): a bundle was dropped, and the word of it has not come yet. */
const isGone = (error: unknown): boolean => (error as { code?: unknown }).code === '42P01'

/** Search over all that is loaded: ranked, with facets, with spelling mended, with regions understood. */
export const createSearchService = (data: OpenPortalData) => {
  const cache = new Map<string, SearchAnswer>()
  /** Those that are being searched for: who asks the same meanwhile waits with them. */
  const under = new Map<string, Promise<SearchAnswer>>()
  const counts = new Map<string, Facet[]>()
  const frequencies = new Map<string, WordFrequency>()
  const numberOf = numberObjects()
  let cachedGeneration = -1

  /** `countWords`, asked only of words that were not asked for before. */
  const countKnown = async (sql: Sql, scope: SearchScope, words: string[]): Promise<WordFrequency[]> => {
    const place = `${numberOf(scope.bundles)} ${scope.type ?? ''} `
    const known = words.map((word) => frequencies.get(place + word))
    const missing = words.filter((_, number) => known[number] === undefined)
    if (missing.length === 0) return known as WordFrequency[]
    const fresh = await countWords(sql, scope, missing)
    for (const frequency of fresh) {
      frequencies.set(place + frequency.word, frequency)
      if (frequencies.size > wordEntries) frequencies.delete(frequencies.keys().next().value!)
    }
    return known.map((one) => one ?? fresh.shift()!)
  }

  const countsKey = ({ bundles, type, sequence }: SearchScope, tsquery: string): string =>
    JSON.stringify([numberOf(bundles), type, sequence, tsquery])

  const readers: SearchReaders = {
    sql: data.sql,
    rankedSql: data.searchSql,
    keptFacets: (scope, tsquery) => counts.get(countsKey(scope, tsquery)),
    keepFacets: (scope, tsquery, facets) => {
      counts.set(countsKey(scope, tsquery), facets)
      if (counts.size > countEntries) counts.delete(counts.keys().next().value!)
    },
    entrySets: createEntrySets(data.searchSql),
  }

  /** By snapshot: what is searched, and which words name a part of it, is the same for every question. */
  const scopes = new WeakMap<Snapshot, Map<string, Owners>>()
  const namings = new WeakMap<Owners, Promise<Map<string, Set<string>>>>()

  const scopeOf = async (query: { species?: string; assembly?: string }) => {
    const snapshot = await data.snapshot()
    const kept = scopes.get(snapshot) ?? new Map<string, Owners>()
    scopes.set(snapshot, kept)
    const key = JSON.stringify([query.species, query.assembly])
    const owners = kept.get(key) ?? findOwners(snapshot, query)
    // Only what there is makes an entry: anybody may ask for an assembly of any name.
    if (owners.size > 0) kept.set(key, owners)
    return owners
  }

  const findOwners = ({ active, assemblies }: Snapshot, query: { species?: string; assembly?: string }): Owners => {
    const owners: Owners = new Map()
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

  const toEntry = (row: SearchRow, owners: Owners): SearchEntry => ({
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
      const sequence = await data.getSequence(assembly.id, region.sequenceName).catch((error: unknown) => {
        // Most words with a colon in them name no sequence, and an assembly may go out of service meanwhile; anything else is a failure.
        if (error instanceof PortalError && error.code.startsWith('UNKNOWN_')) return null
        throw error
      })
      if (sequence === null || region.start1 > sequence.lengthBp) continue
      return {
        assembly: assembly.id,
        sequence: sequence.name,
        start: region.start1,
        // Over the origin of a circular sequence a region goes on.
        end:
          sequence.circular && region.end1 - region.start1 < sequence.lengthBp
            ? region.end1
            : Math.min(region.end1, sequence.lengthBp),
      }
    }
    return null
  }

  /** Bundles of a part of the owners; one list for the same part (see `bundlesOf`). */
  const bundlesOfPart = onceFor((owners: Owners) =>
    onceFor((assemblies: ReadonlySet<string>): readonly number[] =>
      [...owners].filter(([, { assembly }]) => assembly !== null && assemblies.has(assembly)).map(([bundle]) => bundle),
    ),
  )

  /** Assemblies of the scope by the words that name them: whole ids, names and strains, and their parts ("BCG" of BCG-Pasteur). */
  const assembliesByWord = (owners: Owners): Promise<Map<string, Set<string>>> => {
    const naming = namings.get(owners) ?? nameAssemblies(owners)
    namings.set(owners, naming)
    naming.catch(() => namings.delete(owners))
    return naming
  }

  const nameAssemblies = async (owners: Owners): Promise<Map<string, Set<string>>> => {
    const named = new Map<string, Set<string>>()
    const parts = new Map<string, Set<string>>()
    const add = (to: Map<string, Set<string>>, word: string, assembly: string): void => {
      to.set(word, (to.get(word) ?? new Set()).add(assembly))
    }
    const { assemblies } = await data.snapshot()
    for (const { assembly } of owners.values()) {
      const summary = assembly === null ? undefined : assemblies.get(assembly)?.summary
      if (summary === undefined) continue
      for (const name of [summary.id, summary.name, summary.strain ?? '']) {
        const words = searchWords(name)
        if (words.length === 1) add(named, words[0]!, summary.id)
        for (const part of words.flatMap((word) => word.split(/[^\p{L}\p{N}]+/u)))
          if (part.length >= shortestPart && /\p{L}/u.test(part)) add(parts, part, summary.id)
      }
    }
    // Parts that all have tell none from another: "strain", or the name of the species.
    const all = new Set([...owners.values()].flatMap(({ assembly }) => assembly ?? [])).size
    for (const [part, of] of parts) if (!named.has(part) && of.size < all) named.set(part, of)
    return named
  }

  /** Nothing has it: it may be the beginning of a name. */
  const isUnknown = (last: WordFrequency | undefined): boolean => last?.count === 0 && !last.ignored

  /** Where so few are found, the last word may be the beginning of what is meant. */
  const fewForBeginning = 25

  /**
   * Whether the last word may be the beginning of a name although some entries have it: "fadD" is a word of three definitions, and what is
   * asked for are fadD1 to fadD36. Not one that something is called, and not a number: L1 is not the beginning of L10.
   */
  const isBeginning = async ({ bundles }: SearchScope, words: WordFrequency[]): Promise<boolean> => {
    const last = words.at(-1)
    if (last === undefined || last.ignored || words.some(({ count, ignored }) => count === 0 && !ignored)) return false
    if (!/\p{L}$/u.test(last.word)) return false
    return (await findNamed(readers.rankedSql, { bundles }, last.word)).length === 0
  }

  /** How a word that nothing has may be read: written in another way, or spelt as its neighbour. */
  const mendWord = async (scope: SearchScope, word: WordFrequency, typed: string): Promise<string[] | null> => {
    if (word.count > 0 || word.ignored) return null
    // What others have, or have of another type, is not misspelt.
    const everywhere = bundlesOf(await scopeOf({}))
    const [anywhere] = await countKnown(readers.rankedSql, { bundles: everywhere }, [word.word])
    if (anywhere!.count > 0) return null
    for (const spelling of otherSpellings(word.word)) {
      const known = await countKnown(readers.rankedSql, scope, spelling)
      if (known.every(({ count, ignored }) => count > 0 && !ignored)) return spelling
    }
    // An identifier or a symbol is not read as another one.
    if (word.parts !== 1 || looksLikeSymbol(typed)) return null
    const [near] = await findSimilarWords(data.sql, scope.bundles, word.word)
    return near === undefined ? null : [near]
  }

  interface Found {
    matches: SearchMatches
    scope: SearchScope
    words: WordFrequency[]
    how: WordsAsked
    corrections: SearchAnswer['corrections']
  }

  /** Entries with all the words; else with those they may have been meant for; else, of several words, with any of them. */
  const findByWords = async (
    query: SearchQuery,
    owners: Owners,
    scope: SearchScope,
    typed: string[],
    text: string,
  ): Promise<Found> => {
    const corrections: Found['corrections'] = []
    const find = async (words: WordFrequency[], asked: string, how: WordsAsked): Promise<Found> => {
      const matches = await findEntries(readers, scope, words, asked, how, offset(query), query.pageSize)
      return { matches, scope, words, how, corrections }
    }
    const words = await countKnown(readers.rankedSql, scope, typed)
    const found = await find(words, text, { unfinished: isUnknown(words.at(-1)), any: false })
    if (found.matches.total <= fewForBeginning && (await isBeginning(scope, words))) {
      const begun = await find(words, text, { unfinished: true, any: false })
      if (begun.matches.total > found.matches.total) return begun
    }
    if (found.matches.total > 0 || words.length === 0) return found
    const mended: string[] = []
    for (const word of words) {
      const read = await mendWord(scope, word, asTyped(query.q, word.word))
      if (read !== null) corrections.push({ typed: word.word, read: read.join(' ') })
      mended.push(...(read ?? [word.word]))
    }
    let known = words
    if (corrections.length > 0) {
      known = await countKnown(readers.rankedSql, scope, mended)
      const corrected = await find(known, mended.join(' '), { unfinished: false, any: false })
      if (corrected.matches.total > 0) return corrected
    }
    // The numbers of a region are no words to find anything by.
    if (words.filter((word) => !word.ignored).length < 2 || parseRegion(query.q.trim()).ok) {
      corrections.length = 0
      return found
    }
    // What is there as it was typed says more than what it may have been meant for.
    if (words.some((word) => word.count > 0 && !word.ignored)) {
      corrections.length = 0
      known = words
    }
    // That an assembly is named is no answer by itself, as most of its genes may have its name in theirs.
    const named = await assembliesByWord(owners)
    const told = known.filter((word) => word.ignored || word.count === 0 || !named.has(word.word))
    return find(told.some((word) => word.count > 0 && !word.ignored) ? told : known, text, {
      unfinished: false,
      any: true,
    })
  }

  /** A word that names assemblies narrows the search to them, if there the other words are found. */
  const findNarrowed = async (
    query: SearchQuery,
    owners: Owners,
    typed: string[],
  ): Promise<(Found & { narrowed: SearchAnswer['narrowed'] }) | null> => {
    if (query.assembly !== undefined || typed.length < 2) return null
    const named = await assembliesByWord(owners)
    const word = typed.find((one) => named.has(one))
    if (word === undefined) return null
    const assemblies = named.get(word)!
    const scope = { bundles: bundlesOfPart(owners)(assemblies), type: query.type, sequence: query.sequence }
    const others = typed.filter((one) => one !== word)
    const found = await findByWords(query, owners, scope, others, others.join(' '))
    return found.matches.total === 0
      ? null
      : { ...found, narrowed: { typed: asTyped(query.q, word), assemblies: [...assemblies] } }
  }

  /** What is asked of bundles one of which has just gone is asked once more, of those that there are. */
  const askAnew = async <Answer>(ask: () => Promise<Answer>): Promise<Answer> => {
    try {
      return await ask()
    } catch (error) {
      if (!isGone(error)) throw error
      data.lookAnew()
      return ask()
    }
  }

  const answer = async (query: SearchQuery): Promise<SearchAnswer> => {
    const owners = await scopeOf(query)
    const all: SearchScope = { bundles: bundlesOf(owners), type: query.type, sequence: query.sequence }
    const typed = searchWords(query.q)
    const narrowing = await findNarrowed(query, owners, typed)
    const { matches, scope, words, how, corrections } =
      narrowing ?? (await findByWords(query, owners, all, typed, plainQuery(query.q)))
    const facets: SearchAnswer['facets'] = { type: {}, species: {}, assembly: {} }
    const counted = matches.facets ?? (await countFacets(readers, { ...scope, type: undefined }, words, how))
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
      narrowed: narrowing?.narrowed ?? null,
      anyWord: how.any && matches.total > 0,
      region: query.page === 1 ? await findRegion(query) : null,
    }
  }

  const describedBy = async (scope: SearchScope, q: string, limit: number): Promise<SearchRow[]> => {
    const words = await countKnown(data.sql, scope, searchWords(q))
    if (words.length === 0) return []
    const unfinished = isUnknown(words.at(-1))
    return (await findEntries(readers, scope, words, plainQuery(q), { unfinished, any: false }, 0, limit)).rows
  }

  const suggest = async (query: SuggestQuery) => {
    const owners = await scopeOf(query)
    const scope: SearchScope = { bundles: bundlesOf(owners), type: query.type }
    const named = await suggestEntries(data.lookupSql, scope, query.q, query.limit)
    // What no name begins with may be words of a description, as protein names are: ESAT-6, cytochrome c.
    const rows = named.length > 0 ? named : await describedBy(scope, query.q, query.limit)
    return { entries: rows.map((row) => Object.assign(toEntry(row, owners), { matched: row.matched ?? row.label })) }
  }

  const offset = (query: SearchQuery): number => (query.page - 1) * query.pageSize

  return {
    search: async (query: SearchQuery): Promise<SearchAnswer> => {
      const generation = data.generation()
      if (generation !== cachedGeneration) {
        cache.clear()
        counts.clear()
        frequencies.clear()
        readers.entrySets.clear()
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
      const search = askAnew(() => answer(query))
      under.set(`${generation} ${key}`, search)
      const fresh = await search.finally(() => under.delete(`${generation} ${key}`))
      if (data.generation() === generation) {
        cache.set(key, fresh)
        if (cache.size > cacheEntries) cache.delete(cache.keys().next().value!)
      }
      return fresh
    },

    suggest: (query: SuggestQuery) => askAnew(() => suggest(query)),
  }
}

export type SearchService = ReturnType<typeof createSearchService>
