import type { Sql } from 'postgres'
import { descriptionNames } from '../bio/description-names.ts'
import { rankSpellings, swapAndDrop } from '../bio/spelling.ts'
import { tableNumber } from './genes.ts'
import { onceFor } from './once-for.ts'
import { readRows } from './read-rows.ts'

/**
 * Search over the entries of the active bundles. Words of a query must all occur; the last may be unfinished. What is rare is matched
 * through the inverted index and ranked whole; what is common is met in the order of the entries' worth (`position`), best first, and
 * counted from the lexeme table, so that the commonest word costs no more than a rare one.
 */
export interface SearchScope {
  /** Of equally good entries, those of the earlier bundle come first. */
  bundles: readonly number[]
  type?: string
  sequence?: string
}

export interface SearchRow {
  bundle: number
  type: string
  id: string
  label: string
  description: string | null
  sequence: string | null
  start1: number | null
  end1: number | null
  strand: string | null
  matched?: string
}

/** Beyond this many matches they are no longer ranked one by one. */
const rankedLimit = 2000
/** Beyond this many they are not counted when several words are asked for. */
const countLimit = 10_000

const entryColumns = (sql: Sql) =>
  sql`e.bundle, e.type, e.id, e.label, e.description, e.sequence, e.start1, e.end1, e.strand`

/** One word as a tsquery: the name as it stands (or begun, when unfinished), or the stemmed word in the text. */
const wordQuery = (sql: Sql, word: string, unfinished: boolean) => {
  const quoted = `'${word.replaceAll("'", "''").replaceAll('\\', '\\\\')}'`
  return unfinished
    ? sql`(to_tsquery('simple', ${`${quoted}:*`}) || plainto_tsquery('english', ${word}))`
    : sql`(plainto_tsquery('simple', ${word}) || plainto_tsquery('english', ${word}))`
}

export interface WordFrequency {
  word: string
  count: number
  /** Lexemes it is made of: 1 of "kinase", 2 of "GO:0004335", whose count is then a bound and not exact. */
  parts: number
  /** True for words like "of" that the text index leaves out. */
  ignored: boolean
}

/**
 * How many entries have each word, at most: the larger of its plain and stemmed form, and of a word of several parts (an
 * identifier such as GO:0004335) as many as its rarest part.
 */
export const countWords = async (sql: Sql, scope: SearchScope, words: string[]): Promise<WordFrequency[]> => {
  const rows = await sql<WordFrequency[]>`
    select w.word, numnode(plainto_tsquery('english', w.word)) = 0 and numnode(plainto_tsquery('simple', w.word)) > 0
             and not exists (select 1 from search_lexemes l
                             where l.bundle = any(${scope.bundles}) and l.lexeme = w.word) as ignored,
           parts.simple_parts as parts,
           coalesce((
             select sum(most) from (
               select greatest(
                 case when count(*) filter (where l.lexeme = any(parts.simple)) = cardinality(parts.simple)
                      then min(l.entry_count) filter (where l.lexeme = any(parts.simple)) end,
                 case when count(*) filter (where l.lexeme = any(parts.english)) = cardinality(parts.english)
                      then min(l.entry_count) filter (where l.lexeme = any(parts.english)) end) as most
               from search_lexemes l
               where l.bundle = any(${scope.bundles})
                 and l.lexeme = any(parts.simple || parts.english)
                 and ${scope.type === undefined ? sql`true` : sql`l.type = ${scope.type}`}
               group by l.bundle, l.type) per_bundle), 0)::int as count
    from unnest(${words}::text[]) with ordinality as w (word, n),
      lateral (
        select tsvector_to_array(to_tsvector('simple', w.word)) as simple,
               tsvector_to_array(to_tsvector('english', w.word)) as english,
               cardinality(tsvector_to_array(to_tsvector('simple', w.word))) as simple_parts
      ) parts
    order by w.n`
  return rows
}

/** Candidates by trigrams that are compared letter by letter. */
const comparedSpellings = 60

/**
 * Words as the data have them, never their stems, that a word which nothing has may have been meant for, likeliest first: by shared
 * trigrams (pg_trgm) and by swapped or doubled letters, ranked as `rankSpellings` does.
 */
export const findSimilarWords = async (sql: Sql, bundles: readonly number[], word: string): Promise<string[]> => {
  const variants = swapAndDrop(word)
  const rows = await sql<{ word: string; count: number }[]>`
    select word, sum(entry_count)::int as count from search_vocabulary
    where bundle = any(${bundles}) and (word % ${word} or word = any(${variants}))
    group by word
    order by (word = any(${variants})) desc, similarity(word, ${word}) desc, count desc limit ${comparedSpellings}`
  return rankSpellings(word, rows).slice(0, 3)
}

/** How many matches of a type a bundle has. */
export interface Facet {
  bundle: number
  type: string
  count: number
}

export interface SearchMatches {
  rows: SearchRow[]
  total: number
  totalExact: boolean
  /** Where all matches were looked at anyway, what `countFacets` would count once more. */
  facets?: Facet[]
}

const scopeCondition = (sql: Sql, scope: SearchScope) => sql`
  e.bundle = any(${scope.bundles})
  and ${scope.type === undefined ? sql`true` : sql`e.type = ${scope.type}`}
  and ${scope.sequence === undefined ? sql`true` : sql`e.sequence = ${scope.sequence}`}`

/** How words are asked for. */
export interface WordsAsked {
  /** The last word is matched by its beginning. */
  unfinished: boolean
  /** Entries with some of the words are found too, best those with the rarest. */
  any: boolean
}

/** A word that few entries have tells more of what is asked for (inverse document frequency: Spärck Jones 1972, doi:10.1108/eb026526). */
const wordWeight = ({ count }: WordFrequency): number => 1 / Math.log2(2 + count)

const wordsQuery = (sql: Sql, asked: WordFrequency[], { unfinished, any }: WordsAsked) =>
  asked
    .map(({ word }, number) => wordQuery(sql, word, unfinished && number === asked.length - 1))
    .reduce((left, right) => (any ? sql`${left} || ${right}` : sql`${left} && ${right}`))

/** Words that the text index has; of any words, the rarest whose entries are few enough to be ranked together. */
const askedWords = (words: WordFrequency[], { any }: WordsAsked): WordFrequency[] => {
  const asked = words.filter((word) => !word.ignored)
  if (!any) return asked
  const rarestFirst = asked.filter(({ count }) => count > 0).sort((a, b) => a.count - b.count)
  const chosen: WordFrequency[] = []
  let entries = 0
  for (const word of rarestFirst) {
    entries += word.count
    if (chosen.length > 0 && entries > rankedLimit) break
    chosen.push(word)
  }
  return chosen
}

/** Ranks are compared by bands, so many for each factor of e. */
const rankBands = 2

/** What the words that an entry has tell together. */
const coverage = (sql: Sql, asked: WordFrequency[]) =>
  asked
    .map(
      (word) =>
        sql`case when e.words @@ ${wordQuery(sql, word.word, false)} then ${wordWeight(word)}::float8 else 0 end`,
    )
    .reduce((left, right) => sql`${left} + ${right}`)

/** Of a description that names what is asked for the rank counts this often; of one that begins with it, half as often. */
const namedFactor = 8

const namedRank = (sql: Sql, { phrase, whole, begins }: { phrase: string; whole: string; begins: string }) => sql`
  -- Most descriptions do not have the words side by side: these are never matched by the expressions.
  case when e.description is null or strpos(lower(e.description), ${phrase}) = 0 then 1
       when lower(e.description) ~ ${whole} then ${namedFactor}::float8
       when lower(e.description) ~ ${begins} then ${namedFactor / 2}::float8
       else 1 end`

/** Entries with the very name that is asked for which are set before the others where words are too common to be ranked. */
const namedLimit = 200

export interface SearchReaders {
  sql: Sql
  /** For what is met by the inverted index whatever the words are: may plan its statements once (see ConnectOptions). */
  rankedSql: Sql
  /** `countFacets` over `rankedSql`; may remember what it counted, as the pages of one search ask for it again. */
  countMatches(scope: SearchScope, words: WordFrequency[], how: WordsAsked): Promise<Facet[]>
  /** What `countMatches` remembers. */
  countedMatches(scope: SearchScope, words: WordFrequency[], how: WordsAsked): Promise<Facet[]> | undefined
}

/**
 * Entries that have all the words (or any of them): genes whose identifier or symbol is the query first, then terms and other entries
 * of that name, then by rank, then by worth. Pages follow one another without a gap or an entry twice.
 */
export const findEntries = async (
  { sql, rankedSql, countMatches, countedMatches }: SearchReaders,
  scope: SearchScope,
  words: WordFrequency[],
  query: string,
  how: WordsAsked,
  offset: number,
  limit: number,
): Promise<SearchMatches> => {
  const { unfinished, any } = how
  const asked = askedWords(words, how)
  if (asked.length === 0 || scope.bundles.length === 0) return { rows: [], total: 0, totalExact: true }
  const tsquery = wordsQuery(sql, asked, how)
  const rarest = Math.min(...asked.map((word) => (word.count === 0 ? 0 : word.count)))
  // Of a question of which not all words are found, the rarest word is what it is about.
  const key = any ? asked[0]!.word : query.trim().toLowerCase()
  const names = descriptionNames(key)

  const single = asked.length === 1 && asked[0]!.parts === 1 && scope.sequence === undefined && !unfinished
  const few = any || rarest <= rankedLimit
  // Several common words may have few entries together: they are ranked unless they are known, or then found, to be too many.
  const known = few || single ? undefined : await countedMatches(scope, words, how)
  const together = known?.reduce((sum, { count }) => sum + count, 0) ?? 0
  const bound = few ? countLimit : rankedLimit

  if (few || (!single && together <= rankedLimit)) {
    const rows = await readRows(rankedSql<(SearchRow & { total: number; facets: string })[]>`
      with query as (select ${tsquery} as q),
      matches as materialized (
        select ${entryColumns(sql)}, e.position,
               ts_rank('{0.1, 0.2, 0.6, 1.0}', e.words, query.q, 1)
               ${any ? sql`* (${coverage(sql, asked)})` : sql``}
               ${names === null ? sql`` : sql`* ${namedRank(sql, names)}`} as rank
        from search_entries e, query
        where ${scopeCondition(sql, scope)} and e.words @@ query.q
        limit ${bound + 1}
      )
      select m.*, count(*) over ()::int as total,
        (select json_agg(facet)::text from (
          select bundle, type, count(*)::int as count from matches group by bundle, type) facet) as facets
      from matches m
      order by case when lower(m.id) <> ${key} and lower(m.label) <> ${key} then 2 when m.type = 'gene' then 0 else 1 end,
        case when lower(m.id) = ${key} or lower(m.label) = ${key} then array_position(${scope.bundles}, m.bundle) end,
        -- A portal of genes: what has them comes before the vocabulary that describes them.
        -- Ranks that differ little, as those of one gene in the annotations of many assemblies, are equal here.
        round(ln(greatest(m.rank * case m.type when 'gene' then 1 else 0.05 end, 1e-9)) * ${rankBands}::float8) desc,
        array_position(${scope.bundles}, m.bundle),
        m.rank desc, m.position
      offset ${offset} limit ${limit}`)
    const total = rows[0]?.total ?? 0
    if (few || total <= rankedLimit) {
      const found = { rows, total: Math.min(total, countLimit), totalExact: total <= countLimit }
      // Facets count every type, also where only one is asked for.
      if (rows[0] !== undefined && scope.type === undefined)
        return { ...found, facets: JSON.parse(rows[0].facets) as Facet[] }
      if (rows.length > 0 || offset === 0) return found
    }
  }

  // Common words: the best by worth, met in order, behind those whose very name is the query.
  const named = await sql<SearchRow[]>`
    select ${entryColumns(sql)} from (
      select bundle, type, id, min(kind) as kind from search_names
      where bundle = any(${scope.bundles}) and name = ${key} group by bundle, type, id) n
    join search_entries e on e.bundle = n.bundle and e.type = n.type and e.id = n.id
    where ${scopeCondition(sql, scope)}
    -- An alias is nobody's own name: it comes behind the terms that are called so.
    order by case when n.kind > 1 then 2 when n.type = 'gene' then 0 else 1 end,
      array_position(${scope.bundles}, e.bundle), n.kind, e.position limit ${namedLimit}`
  const first = named.slice(offset, offset + limit)
  const others =
    first.length === limit
      ? []
      : await sql<SearchRow[]>`
          select ${entryColumns(sql)} from search_entries e
          where ${scopeCondition(sql, scope)} and e.words @@ (${tsquery})
            and (e.bundle, e.type, e.id) not in (
              select * from unnest(${named.map((row) => row.bundle)}::int[], ${named.map((row) => row.type)}::text[], ${named.map((row) => row.id)}::text[]))
          order by e.position, e.bundle
          offset ${Math.max(0, offset - named.length)} limit ${limit - first.length}`
  const rows = [...first, ...others]
  if (single) return { rows, total: asked[0]!.count, totalExact: true }
  // Behind the last page of what is ranked nothing is left to tell how many there are.
  const told = known ?? (await countMatches(scope, words, how))
  const total = told.reduce((sum, { count }) => sum + count, 0)
  return { rows, total, totalExact: total < countLimit, ...(scope.type === undefined ? { facets: told } : {}) }
}

/** Counts of matches by bundle and type; from the lexeme table when one common word is asked for, else counted to a bound of 10,000. */
export const countFacets = async (
  sql: Sql,
  scope: SearchScope,
  words: WordFrequency[],
  how: WordsAsked,
): Promise<Facet[]> => {
  const { unfinished } = how
  const asked = askedWords(words, how)
  if (asked.length === 0 || scope.bundles.length === 0) return []
  const only = asked.length === 1 && asked[0]!.parts === 1 ? asked[0]! : undefined
  if (only !== undefined && !unfinished && scope.sequence === undefined && only.count > rankedLimit) {
    const word = only.word
    return sql<Facet[]>`
      select bundle, type, max(entry_count)::int as count from search_lexemes
      where bundle = any(${scope.bundles})
        and lexeme = any(tsvector_to_array(to_tsvector('simple', ${word}) || to_tsvector('english', ${word})))
        and ${scope.type === undefined ? sql`true` : sql`type = ${scope.type}`}
      group by bundle, type`
  }
  const tsquery = wordsQuery(sql, asked, how)
  return sql<Facet[]>`
    select bundle, type, count(*)::int as count from (
      select e.bundle, e.type from search_entries e
      where ${scopeCondition(sql, scope)} and e.words @@ (${tsquery}) limit ${countLimit}
    ) matches group by bundle, type`
}

/** Entries with a name that begins with what is typed: identifiers and symbols before aliases, shorter names first. */
export const suggestEntries = async (
  sql: Sql,
  scope: SearchScope,
  typed: string,
  limit: number,
): Promise<SearchRow[]> => {
  const prefix = typed.trim().toLowerCase()
  if (prefix === '' || scope.bundles.length === 0) return []
  // The bound after every name with this prefix, in the C collation.
  const after = `${prefix}\u{10ffff}`
  const parameters = scope.type === undefined ? [prefix, after, limit] : [prefix, after, limit, scope.type]
  const { ofAll, ofType } = suggestStatements(scope.bundles)
  const statement = scope.type === undefined ? ofAll : ofType
  return readRows(sql.unsafe<SearchRow[]>(statement, parameters, { prepare: true }))
}

/** Names first, then the entries of the best; by the bundles' own tables, so that it is planned once. */
const suggestStatement = (bundles: readonly number[], ofType: boolean): string => {
  const numbers = bundles.map(tableNumber)
  const order = `array[${numbers.join(',')}]`
  // Each table's own first names, which its index gives in order: else all names with a short beginning would be sorted.
  const namesOf = (bundle: string): string => `(
    select ${bundle} as bundle, n.type, n.id, n.name, n.kind, n.position from search_names_${bundle} n
    where n.name >= $1 and n.name < $2${ofType ? ' and n.type = $4' : ''} order by n.name, n.kind limit 200)`
  const entriesOf = (bundle: string): string => `
    select e.type, e.id, e.label, e.description, e.sequence, e.start1, e.end1, e.strand from search_entries_${bundle} e
    where best.bundle = ${bundle} and e.position = best.position`
  return `
    with names as materialized (
      select * from (${numbers.map(namesOf).join(' union all ')}) n order by n.name, n.kind limit 200
    ),
    best as materialized (
      select bundle, position, name, kind from (
        select distinct on (bundle, type, id) * from names order by bundle, type, id, kind, length(name)
      ) ranked order by length(name), kind, name, array_position(${order}, bundle), position limit $3
    )
    select best.bundle, e.*, best.name as matched from best
    cross join lateral (${numbers.map(entriesOf).join(' union all ')}) e
    order by length(best.name), best.kind, best.name, array_position(${order}, best.bundle), best.position`
}

const suggestStatements = onceFor((bundles: readonly number[]) => ({
  ofAll: suggestStatement(bundles, false),
  ofType: suggestStatement(bundles, true),
}))
