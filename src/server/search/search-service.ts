import { readChineseFunctions } from '../../bio/annotation/chinese-functions.ts'
import { descriptionNames } from '../../bio/annotation/description-names.ts'
import { parseRegion } from '../../bio/sequence/region.ts'
import { readAbsence } from '../../bio/text/absence-words.ts'
import {
  findWrittenForms,
  looksLikeSymbol,
  otherSpellings,
  plainQuery,
  searchWords,
} from '../../bio/text/search-words.ts'
import { readGeneChange, readNamedChange } from '../../bio/variation/gene-change.ts'
import { PortalError } from '../../contracts/errors.ts'
import type { NearestGenes } from '../../contracts/genes.ts'
import type { SearchAnswer, SearchEntry } from '../../contracts/search.ts'
import type { Sql } from '../../database/connect.ts'
import { memoize, numberObjects } from '../../database/search/memoize.ts'
import { type MergedTables, type SearchedBundles, searchedBundles } from '../../database/search/merged-tables.ts'
import { createEntrySets } from '../../database/search/posting-lists.ts'
import {
  askedWords,
  countFacets,
  countWords,
  findEntries,
  findNamed,
  findNearNames,
  findSimilarWords,
  joinWrittenForms,
  mayBeginNames,
  type SearchMatches,
  type SearchReaders,
  type SearchRow,
  type SearchScope,
  suggestEntries,
  type WordFrequency,
  type WordsAsked,
} from '../../database/search/search.ts'
import type { OpenPortalData } from '../../kit/data/create-portal-data.ts'
import { readRegion, regionError } from '../../kit/data/find-locus.ts'
import { RecentAnswers } from '../../kit/recent-answers.ts'
import { findOrthologsShown } from './find-orthologs-shown.ts'
import { createGenomeNames, type GenomeNames, type NamedPart } from './genome-names.ts'

interface SearchQuery {
  q: string
  type?: string
  species?: string
  assembly?: string
  sequence?: string
  page: number
  pageSize: number
  orthologs?: boolean
}

interface SuggestQuery {
  q: string
  type?: string
  species?: string
  assembly?: string
  limit: number
  orthologs?: boolean
}

/** Answers kept; what is loaded does not change between two generations, so they stay true. */
const cacheEntries = 2000
/** Assemblies in which a place is sought that names none, the references first: each is asked by itself. */
const maxPlaceAssemblies = 32
/** Frequencies of words kept: people ask with the same few thousand words. */
const wordEntries = 20_000

/** A word of a question in the letters it was typed with. */
const asTyped = (question: string, word: string): string => {
  const at = question.toLowerCase().indexOf(word)
  return at === -1 ? word : question.slice(at, at + word.length)
}

/** Whether a text may be a place: its sequences are looked up. Most words with a colon in them are none. */
const mayBeLocus = (text: string): boolean => parseRegion(text).ok || /[:：﹕]\s*[.,，+−-]?[\d０-９]/.test(text)

/** What is wrong with a number of a region, whatever else is written there. */
const numberErrors: ReadonlySet<string> = new Set(['region-number-comma', 'region-start-zero'])

/**
 * Whether what follows a sequence's name is meant as a place of it: numbers and signs, with units or a strand. `MT: 12S rRNA` begins with a
 * name as well, and is words.
 */
const hasLocusAfterName = (text: string): boolean =>
  !/\p{L}/u.test(
    text
      .replace(/^.*?[:：﹕]/u, '')
      .replace(/:\s*[rf]$/i, '')
      .replace(/(\d)\s*[kmg]?bp?(?!\p{L})/giu, '$1'),
  )

/** Whether a text is a place by its form alone, open at its end or not: its numbers are no words to find anything by. */
const readsAsLocus = (text: string): boolean => parseRegion(text).ok || /[:：]\s*[\d,]+\s*(?:\.\.|-)$/.test(text)

/** Whether a place is written with exactly this name of its sequence. */
const isWrittenAs = (text: string, name: string): boolean =>
  text.trimStart().startsWith(name) && /^\s*(?:[:：﹕]|$)/.test(text.trimStart().slice(name.length))

type NamedGene = NonNullable<SearchAnswer['change']>['genes'][number]
/** Genes of one name that are told: one in each of so many assemblies. */
const maxNamedGenes = 24

interface FoundRegion {
  region: SearchAnswer['region']
  problem?: PortalError
}

type Snapshot = Awaited<ReturnType<OpenPortalData['snapshot']>>

/** Bundles that are searched, with what they are of. */
class Owners extends Map<number, { species: string; assembly: string | null }> {
  readonly merged: readonly MergedTables[]

  constructor(merged: readonly MergedTables[]) {
    super()
    this.merged = merged
  }
}

/** One list for the same bundles: statements are written once for each. */
const bundlesOf = memoize(
  (owners: Owners): SearchedBundles => (owners.size === 0 ? noBundles : searchedBundles(owners.keys(), owners.merged)),
)
const noBundles: SearchedBundles = []

/** undefined_table (PostgreSQL manual, appendix A): a bundle was dropped, and the word of it has not come yet. */
const isGone = (error: unknown): boolean => (error as { code?: unknown }).code === '42P01'

/** Search over all that is loaded: ranked, with facets, with spelling mended, with regions understood. */
export const createSearchService = (data: OpenPortalData) => {
  let answers = new RecentAnswers<SearchAnswer>(cacheEntries)
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

  const readers: SearchReaders = {
    sql: data.sql,
    rankedSql: data.searchSql,
    entrySets: createEntrySets(data.searchSql),
  }

  /** By snapshot: what is searched, and which words name a part of it, is the same for every question. */
  const scopes = new WeakMap<Snapshot, Map<string, Owners>>()

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

  const findOwners = (
    { active, assemblies, merged }: Snapshot,
    query: { species?: string; assembly?: string },
  ): Owners => {
    const owners = new Owners(merged)
    const isReference = (assembly: string | null): boolean =>
      assembly !== null && assemblies.get(assembly)?.summary.reference === true
    // The references first, of all species: of the same gene in many assemblies they are the ones that papers mean.
    const ordered = active
      .filter(({ id }) => query.species === undefined || id === query.species)
      .flatMap(({ id, bundles }) => bundles.map(({ bundle, assembly }) => ({ bundle, assembly, species: id })))
      .filter(({ assembly }) => query.assembly === undefined || assembly === query.assembly)
      .sort((a, b) => Number(isReference(b.assembly)) - Number(isReference(a.assembly)))
    for (const { bundle, assembly, species } of ordered) owners.set(bundle, { species, assembly })
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

  /** The place that a question names; null where it names none, and what is wrong with it where it begins with a sequence's name. */
  const findRegion = async (query: SearchQuery): Promise<FoundRegion> => {
    if (!mayBeLocus(query.q)) return { region: null }
    const snapshot = await data.snapshot()
    const assemblies = [...snapshot.assemblies.values()]
      .map((entry) => entry.summary)
      .filter((assembly) => query.assembly === undefined || assembly.id === query.assembly)
      .filter((assembly) => query.species === undefined || assembly.species === query.species)
    let problem: PortalError | undefined
    let loose: FoundRegion | undefined
    // The reference first: most regions are read out of papers about it.
    const referencesFirst = assemblies.sort((a, b) => Number(b.reference) - Number(a.reference))
    for (const assembly of referencesFirst.slice(0, maxPlaceAssemblies)) {
      const read = await readRegion(data, assembly.id, query.q).catch((error: unknown) => {
        // An assembly may go out of service meanwhile; anything else is a failure.
        if (error instanceof PortalError && error.code.startsWith('UNKNOWN_')) return null
        throw error
      })
      if (read === null) continue
      if (read.ok) {
        const { sequence, start1, end1, strand } = read.region
        const found = { region: { assembly: assembly.id, sequence: sequence.name, start: start1, end: end1, strand } }
        // `chr_1` of one assembly is meant before `chr01` of another, which is found by that name too.
        if (isWrittenAs(query.q, sequence.name)) return found
        loose ??= found
        continue
      }
      if (read.named && (numberErrors.has(read.error.code) || hasLocusAfterName(query.q)))
        problem ??= regionError(['q'], read)
    }
    return loose ?? { region: null, ...(problem === undefined ? {} : { problem }) }
  }

  /** Names of the species and assemblies that are searched, and one list of bundles for each part of them. */
  const namings = new WeakMap<Owners, Promise<{ names: GenomeNames; lists: Map<string, SearchedBundles> }>>()

  const namingOf = (owners: Owners) => {
    const naming = namings.get(owners) ?? nameOwners(owners)
    namings.set(owners, naming)
    naming.catch(() => namings.delete(owners))
    return naming
  }

  const nameOwners = async (owners: Owners) => {
    const { active, assemblies } = await data.snapshot()
    const searched = new Set([...owners.values()].map(({ assembly }) => assembly))
    const species = active
      .filter(({ id }) => [...owners.values()].some((owner) => owner.species === id))
      .map(({ id, manifest, bundles }) => ({
        id,
        name: manifest.name,
        commonName: manifest.commonName ?? null,
        assemblies: bundles.flatMap(({ assembly }) => {
          const summary = assembly === null || !searched.has(assembly) ? undefined : assemblies.get(assembly)?.summary
          return summary === undefined ? [] : [summary]
        }),
      }))
    return { names: createGenomeNames(species), lists: new Map<string, SearchedBundles>() }
  }

  /** Bundles of what the parts name: what all of them name, or where there is no such thing what any does. */
  const bundlesNamed = (
    owners: Owners,
    lists: Map<string, SearchedBundles>,
    parts: readonly NamedPart[],
  ): SearchedBundles => {
    const of = (all: boolean): number[] => {
      const isNamed =
        ({ species, assembly }: { species: string; assembly: string | null }) =>
        (part: NamedPart) =>
          part.species.includes(species) || (assembly !== null && part.assemblies.includes(assembly))
      return [...owners].flatMap(([bundle, owner]) =>
        (all ? parts.every(isNamed(owner)) : parts.some(isNamed(owner))) ? [bundle] : [],
      )
    }
    const all = of(true)
    const bundles = searchedBundles(all.length > 0 ? all : of(false), owners.merged)
    const kept = lists.get(bundles.join())
    if (kept === undefined) lists.set(bundles.join(), bundles)
    return kept ?? bundles
  }

  /** Nothing has it: it may be the beginning of a name. */
  const isUnknown = (last: WordFrequency | undefined): boolean => last?.count === 0 && !last.ignored

  /** Whether the last word may be the beginning of a name although `count` entries have all the words. */
  const isBeginning = async ({ bundles }: SearchScope, words: WordFrequency[], count: number): Promise<boolean> => {
    const last = words.at(-1)
    if (last === undefined || last.ignored || words.some(({ count, ignored }) => count === 0 && !ignored)) return false
    return mayBeginNames(readers.rankedSql, bundles, last.word, count)
  }

  /** Frequencies of words, those that are one name in several writings as one. */
  const countNamed = async (scope: SearchScope, typed: string[]): Promise<WordFrequency[]> => {
    const names = findWrittenForms(typed)
    const asked = names.flatMap(({ writtenForms }) => writtenForms)
    const known = await countKnown(readers.rankedSql, scope, [...new Set([...typed, ...asked])])
    if (names.length === 0) return known
    const byWord = new Map(known.map((one) => [one.word, one]))
    const words = typed.map((word) => byWord.get(word)!)
    // The last first: those before keep their places.
    for (const { at, count, writtenForms } of names.reverse()) {
      const joined = joinWrittenForms(
        words.slice(at, at + count),
        writtenForms.map((writing) => byWord.get(writing)!),
      )
      if (joined !== null) words.splice(at, count, joined)
    }
    return words
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
    const words = await countNamed(scope, typed)
    const found = await find(words, text, { unfinished: isUnknown(words.at(-1)), any: false })
    if (await isBeginning(scope, words, found.matches.total)) {
      const begun = await find(words, text, { unfinished: true, any: false })
      if (begun.matches.total > found.matches.total) return begun
    }
    if (found.matches.total > 0 || words.length === 0) return found
    const inEnglish = readChineseFunctions(text)
    if (inEnglish !== null) {
      const read = await findByWords(query, owners, scope, searchWords(inEnglish.text), inEnglish.text)
      if (read.matches.total > 0 && !read.how.any)
        return { ...read, corrections: [...inEnglish.read, ...read.corrections] }
    }
    const mended: WordFrequency[] = []
    for (const word of words) {
      const read = await mendWord(scope, word, asTyped(query.q, word.word))
      if (read !== null) corrections.push({ typed: word.word, read: read.join(' ') })
      mended.push(...(read === null ? [word] : await countNamed(scope, read)))
    }
    let known = words
    if (corrections.length > 0) {
      known = mended
      const asked = mended.map(({ word }) => word).join(' ')
      const corrected = await find(known, asked, { unfinished: false, any: false })
      if (corrected.matches.total > 0) return corrected
    }
    // The numbers of a region are no words to find anything by.
    if (words.filter((word) => !word.ignored).length < 2 || readsAsLocus(query.q.trim())) {
      corrections.length = 0
      return found
    }
    // What is there as it was typed says more than what it may have been meant for.
    if (words.some((word) => word.count > 0 && !word.ignored)) {
      corrections.length = 0
      known = words
    }
    // That a species or an assembly is named is no answer by itself, as most of its genes may have its name in theirs.
    const { names } = await namingOf(owners)
    const reported = known.filter((word) => word.ignored || word.count === 0 || names.find(word.word).words.length > 0)
    return find(reported.some((word) => word.count > 0 && !word.ignored) ? reported : known, text, {
      unfinished: false,
      any: true,
    })
  }

  /** Words that name species or assemblies narrow the search to them, if there the other words are found. */
  const findNarrowed = async (
    query: SearchQuery,
    owners: Owners,
  ): Promise<(Found & { narrowed: NonNullable<SearchAnswer['narrowed']> }) | null> => {
    if (query.assembly !== undefined) return null
    const { names, lists } = await namingOf(owners)
    const { parts, words, text } = names.find(query.q)
    if (parts.length === 0 || words.length === 0) return null
    // What is called so as a whole is meant as a whole.
    const all = { bundles: bundlesOf(owners) }
    if ((await findNamed(readers.rankedSql, all, [plainQuery(query.q).toLowerCase()])).length > 0) return null
    const bundles = bundlesNamed(owners, lists, parts)
    const scope = { bundles, type: query.type, sequence: query.sequence }
    const found = await findByWords(query, owners, scope, words, text)
    // Of several words those that are found elsewhere may say more than the place.
    if (found.matches.total === 0 || found.how.any) return null
    const assemblies = bundles.flatMap((bundle) => owners.get(bundle)!.assembly ?? [])
    const whole = parts.every((part) => part.species.length > 0)
    const species = whole ? [...new Set(bundles.map((bundle) => owners.get(bundle)!.species))] : []
    return { ...found, narrowed: { typed: parts.map(({ typed }) => typed).join(' '), assemblies, species } }
  }

  /** What is asked of bundles one of which has just gone is asked once more, of those that there are. */
  const retryOnNewRelease = async <Answer>(ask: () => Promise<Answer>): Promise<Answer> => {
    try {
      return await ask()
    } catch (error) {
      if (!isGone(error)) throw error
      data.invalidate()
      return ask()
    }
  }

  /** Genes that are called so, those of references first. */
  const genesNamed = async (owners: Owners, name: string): Promise<NamedGene[]> => {
    const rows = await findNamed(readers.rankedSql, { bundles: bundlesOf(owners), type: 'gene' }, [name.toLowerCase()])
    return rows.slice(0, maxNamedGenes).flatMap(({ bundle, id, label }) => {
      const assembly = owners.get(bundle)?.assembly ?? null
      return assembly === null ? [] : [{ assembly, id, symbol: label === id ? null : label }]
    })
  }

  type Special = Pick<SearchAnswer, 'change' | 'absence' | 'near'> & { q: string }
  const plain = (q: string): Special => ({ q, change: null, absence: null, near: [] })

  /** What a question asks beside words to be found: a change of a gene, or what a genome lacks. `q` is what is left to be searched for. */
  const readQuestion = async ({ q }: SearchQuery, owners: Owners): Promise<Special> => {
    const { names } = await namingOf(owners)
    // S288C is a strain of yeast before it is serine 288: what names a genome is no change.
    const isGenome = names.find(q).parts.some(({ typed }) => readGeneChange(typed) !== null)
    const [change, absence] = [isGenome ? null : readNamedChange(q), readAbsence(q)]
    if (change === null && absence === null) return plain(q)
    // What is called so as a whole is meant as a whole.
    const whole = [plainQuery(q).toLowerCase()]
    if ((await findNamed(readers.rankedSql, { bundles: bundlesOf(owners) }, whole)).length > 0) return plain(q)
    if (change !== null) {
      const { written } = change.change
      const genes = await genesNamed(owners, change.gene)
      if (genes.length > 0) return { ...plain(change.gene), change: { written, genes } }
      const near = await findNearNames(data.lookupSql, bundlesOf(owners), change.gene)
      return { ...plain(q), near: near.map((name) => `${name} ${written}`) }
    }
    const { parts, words, text } = names.find(absence!.rest)
    const genes = words.length === 1 ? await genesNamed(owners, text) : []
    // Other words are a description, of which something may be missing.
    if (words.length > genes.length || (genes.length === 0 && parts.length === 0)) return plain(q)
    const named = (part: NamedPart): string[] => [
      ...part.assemblies,
      ...[...owners.values()].flatMap(({ assembly, species }) =>
        assembly !== null && part.species.includes(species) ? [assembly] : [],
      ),
    ]
    // Of a species and one of its genomes the genome is meant.
    const assemblies = parts.map(named).reduce<string[] | null>((common, ids) => {
      const both = common === null ? ids : ids.filter((id) => common.includes(id))
      return both.length > 0 ? both : common
    }, null)
    const special = { ...plain(genes.length > 0 ? text : q), near: [] }
    return { ...special, absence: { typed: absence!.typed, assemblies: assemblies ?? [], genes } }
  }

  const answer = async (asked: SearchQuery): Promise<SearchAnswer> => {
    const owners = await scopeOf(asked)
    const { q, change, absence, near } = await readQuestion(asked, owners)
    const query = { ...asked, q }
    const all: SearchScope = { bundles: bundlesOf(owners), type: query.type, sequence: query.sequence }
    const typed = searchWords(query.q)
    const narrowing = await findNarrowed(query, owners)
    const { matches, scope, words, how, corrections } =
      narrowing ?? (await findByWords(query, owners, all, typed, plainQuery(query.q)))
    const place: FoundRegion = query.page === 1 ? await findRegion(query) : { region: null }
    // Words of a place that is wrong would hide what is wrong with it; what is called so all the same is found.
    if (place.problem !== undefined && !matches.rows.some(({ id, label }) => [id, label].includes(query.q.trim())))
      throw place.problem
    const facets: SearchAnswer['facets'] = { type: {}, species: {}, assembly: {} }
    const counted = matches.facets ?? (await countFacets(readers, { ...scope, type: undefined }, words, how))
    for (const { bundle, type, count } of counted) {
      const owner = owners.get(bundle)
      facets.type[type] = (facets.type[type] ?? 0) + count
      if (owner === undefined || (query.type !== undefined && type !== query.type)) continue
      facets.species[owner.species] = (facets.species[owner.species] ?? 0) + count
      if (owner.assembly !== null) facets.assembly[owner.assembly] = (facets.assembly[owner.assembly] ?? 0) + count
    }
    const entries = matches.rows.map((row) => toEntry(row, owners))
    const leads = await leadsOf(query, entries)
    return {
      entries: entries.map((entry, number) => ({ ...entry, orthologOf: leads[number] ?? null })),
      total: matches.total,
      totalExact: matches.totalExact,
      facets,
      corrections,
      narrowed: narrowing?.narrowed ?? null,
      anyWord: how.any && matches.total > 0,
      anyOf: how.any && matches.total > 0 ? describeAnyOf(query.q, typed, askedWords(words, how), words) : null,
      near:
        near.length > 0 || matches.total > 0 || typed.length === 0
          ? near
          : await findNearNames(data.lookupSql, all.bundles, plainQuery(query.q)),
      change,
      absence,
      region: place.region,
    }
  }

  /** Of words that nothing has together, those that were searched for and those that were not; words such as "of" are neither. */
  const describeAnyOf = (
    q: string,
    typed: readonly string[],
    asked: readonly WordFrequency[],
    words: readonly WordFrequency[],
  ): NonNullable<SearchAnswer['anyOf']> => {
    const searched = new Set(asked.map(({ word }) => word))
    const parts = new Set(
      [...searched, ...words.filter(({ ignored }) => ignored).map(({ word }) => word)].flatMap((word) =>
        word.split(' '),
      ),
    )
    return {
      searched: [...new Set([...typed, ...searched])]
        .filter((word) => searched.has(word))
        .map((word) => asTyped(q, word)),
      dropped: [...new Set(typed)]
        .filter((word) => !searched.has(word) && !parts.has(word))
        .map((word) => asTyped(q, word)),
    }
  }

  /** Which entries are one gene, where that is asked; what only joins entries must not take them away. */
  const leadsOf = async (
    query: { orthologs?: boolean },
    entries: readonly SearchEntry[],
  ): Promise<(number | null)[]> => (query.orthologs ? await findOrthologsShown(data, entries).catch(() => []) : [])

  const describedBy = async (scope: SearchScope, q: string, limit: number): Promise<SearchRow[]> => {
    const typed = searchWords(q)
    let words = await countNamed(scope, typed)
    let asked = plainQuery(q)
    if (typed.length === 1 && words[0]!.count === 0) {
      const [spelling] = otherSpellings(typed[0]!)
      if (spelling !== undefined) {
        words = await countNamed(scope, spelling)
        asked = spelling.join(' ')
      }
    }
    if (words.length === 0) return []
    const unfinished = isUnknown(words.at(-1))
    return (await findEntries(readers, scope, words, asked, { unfinished, any: false }, 0, limit)).rows
  }

  const findFirst = async (find: () => Promise<SearchRow[]>): Promise<SearchRow[] | null> => {
    const rows = await find()
    return rows.length === 0 ? null : rows
  }

  /** Suggestions for the first of the names that begins any. */
  const suggestFirst = async (scope: SearchScope, names: string[], limit: number): Promise<SearchRow[] | null> => {
    for (const name of names) {
      const rows = await suggestEntries(data.lookupSql, scope, name, limit)
      if (rows.length > 0) return rows
    }
    return null
  }

  /** How a question that is one name may be written too, without blanks. */
  const otherNames = (q: string): string[] => {
    const words = searchWords(q)
    const [name] = findWrittenForms(words)
    const writtenForms = name === undefined || name.count < words.length ? [] : name.writtenForms
    const spellings = words.length === 1 ? otherSpellings(words[0]!).map((spelling) => spelling.join(' ')) : []
    return [...new Set([...writtenForms, ...spellings])].filter((writing) => !writing.includes(' '))
  }

  /** Names that nothing has, for so many of which it is looked what may have been meant. */
  const maxNearest = 10

  /** Genes that an unknown name may mean: those of nearly that name, else those whose description names it as it stands. */
  const nearest = async (names: readonly string[], assembly: string | undefined): Promise<NearestGenes> => {
    const owners = await scopeOf({ ...(assembly === undefined ? {} : { assembly }) })
    const scope: SearchScope = { bundles: bundlesOf(owners), type: 'gene' }
    const found: NearestGenes = []
    for (const query of names.slice(0, maxNearest)) {
      const near = [...otherNames(query), ...(await findNearNames(data.lookupSql, scope.bundles, query))]
      let rows: SearchRow[] = near.length === 0 ? [] : await findNamed(readers.rankedSql, scope, near)
      if (rows.length === 0 && /\p{L}{2}/u.test(query)) {
        const about = descriptionNames(query, otherNames(query))
        const whole = about === null ? null : new RegExp(about.whole, 'u')
        const described = whole === null ? [] : await describedBy(scope, query, 10)
        rows = described.filter((row) => whole!.test((row.description ?? '').toLowerCase()))
      }
      if (rows.length === 0) continue
      const genes = rows.slice(0, 3).map((row) => ({
        assembly: owners.get(row.bundle)?.assembly ?? '',
        id: row.id,
        symbol: row.label === row.id ? null : row.label,
        description: row.description,
      }))
      found.push({ query, genes })
    }
    return found
  }

  const suggest = async (query: SuggestQuery) => {
    const owners = await scopeOf(query)
    const scope: SearchScope = { bundles: bundlesOf(owners), type: query.type }
    const named = await suggestEntries(data.lookupSql, scope, query.q, query.limit)
    const rows =
      named.length > 0
        ? named
        : // What no name begins with may be a name in another writing; words of a description, as protein names are: ESAT-6, cytochrome c;
          // or a name with a slip in it.
          ((await suggestFirst(scope, otherNames(query.q), query.limit)) ??
          (await findFirst(() => describedBy(scope, query.q, query.limit))) ??
          (await suggestFirst(scope, await findNearNames(data.lookupSql, scope.bundles, query.q), query.limit)) ??
          [])
    const entries = rows.map((row) => Object.assign(toEntry(row, owners), { matched: row.matched ?? row.label }))
    const leads = await leadsOf(query, entries)
    return { entries: entries.map((entry, number) => ({ ...entry, orthologOf: leads[number] ?? null })) }
  }

  const offset = (query: SearchQuery): number => (query.page - 1) * query.pageSize

  return {
    search: (query: SearchQuery): Promise<SearchAnswer> => {
      const generation = data.generation()
      if (generation !== cachedGeneration) {
        // What is still being searched for is of what was loaded before.
        answers = new RecentAnswers(cacheEntries)
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
        query.orthologs ?? false,
      ])
      return answers.get(key, () => retryOnNewRelease(() => answer(query)))
    },

    suggest: (query: SuggestQuery) => retryOnNewRelease(() => suggest(query)),

    nearest: (names: readonly string[], assembly?: string) => retryOnNewRelease(() => nearest(names, assembly)),
  }
}

export type SearchService = ReturnType<typeof createSearchService>
