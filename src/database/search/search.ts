import { descriptionNames } from '../../bio/annotation/description-names.ts'
import { isLikelySlip, oneSlipAway, rankSpellings, swapAndDrop } from '../../bio/text/spelling.ts'
import type { Sql } from '../connect.ts'
import { memoize } from './memoize.ts'
import { placesOf, type SearchedBundles, type SearchTable, searchRows, searchTablesOf } from './merged-tables.ts'
import { type EntryRef, listEntries, ofType, type PostingList, type PostingLists } from './posting-lists.ts'

/**
 * Search over the entries of the active bundles. Words of a query must all occur; the last may be unfinished. What is rare is matched
 * through the inverted index and ranked whole; what is common is met in the order of the entries' relevance (`position`), best first, and
 * counted from the lexeme table, so that the commonest word costs no more than a rare one. Common words, and words that are asked for
 * together, soon have their entries in memory (posting-lists.ts).
 */
export interface SearchScope {
  /** Of equally good entries, those of the earlier bundle come first. */
  bundles: SearchedBundles
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

const entryColumns = 'type id label description sequence start1 end1 strand'.split(' ').map((name) => `e.${name}`)

export interface WordFrequency {
  word: string
  count: number
  /** Lexemes it is made of: 1 of "kinase", 2 of "GO:0004335", whose count is then a bound and not exact. */
  parts: number
  /** Of its plain and its stemmed form, and their parts, how many there are; several may be of different entries, and `count` too low. */
  lexemes: number
  /** True for words like "of" that the text index leaves out. */
  ignored: boolean
  /** What it matches, a tsquery: the name as it stands or the stemmed word in the text; of one that is unfinished, names that begin so. */
  whole: string
  begun: string
  /** The same with its parts side by side, in their order: "esat-6" and not "esat" here and "-6" there. */
  phrase: string
  /** Of a name of several parts: how else it may be written, as some entries have it (see `joinWrittenForms`). */
  writtenForms?: readonly string[]
}

/**
 * How many entries have each word, at most: the larger of its plain and stemmed form, and of a word of several parts (an
 * identifier such as GO:0004335) as many as its rarest part.
 */
export const countWords = async (sql: Sql, scope: SearchScope, words: string[]): Promise<WordFrequency[]> => {
  const lexemes = () => searchRows(sql, 'search_lexemes', scope.bundles)
  const rows = await sql<WordFrequency[]>`
    select w.word, numnode(plainto_tsquery('english', w.word)) = 0 and numnode(plainto_tsquery('simple', w.word)) > 0
             and not exists (select 1 from ${lexemes()} l where l.lexeme = w.word) as ignored,
           parts.simple_parts as parts,
           (select count(distinct l.lexeme)::int from ${lexemes()} l
            where l.lexeme = any(parts.simple || parts.english)) as lexemes,
           coalesce((
             select sum(most) from (
               select greatest(
                 case when count(*) filter (where l.lexeme = any(parts.simple)) = cardinality(parts.simple)
                      then min(l.entry_count) filter (where l.lexeme = any(parts.simple)) end,
                 case when count(*) filter (where l.lexeme = any(parts.english)) = cardinality(parts.english)
                      then min(l.entry_count) filter (where l.lexeme = any(parts.english)) end) as most
               from ${lexemes()} l
               where l.lexeme = any(parts.simple || parts.english)
                 and ${scope.type === undefined ? sql`true` : sql`l.type = ${scope.type}`}
               group by l.bundle, l.type) per_bundle), 0)::int as count,
           (plainto_tsquery('simple', w.word) || plainto_tsquery('english', w.word))::text as whole,
           -- Between quotes nothing is an operator (PostgreSQL manual, "tsquery").
           (to_tsquery('simple', '''' || replace(replace(w.word, '\\', '\\\\'), '''', '''''') || ''':*')
             || plainto_tsquery('english', w.word))::text as begun,
           (phraseto_tsquery('simple', w.word) || phraseto_tsquery('english', w.word))::text as phrase
    from unnest(${words}::text[]) with ordinality as w (word, n),
      lateral (
        select tsvector_to_array(to_tsvector('simple', w.word)) as simple,
               tsvector_to_array(to_tsvector('english', w.word)) as english,
               cardinality(tsvector_to_array(to_tsvector('simple', w.word))) as simple_parts
      ) parts
    order by w.n`
  return rows
}

/**
 * Words that are one name as one: what has them all, and what has the name in one of its other writings. `counted` are these writings;
 * null when nothing has any of them.
 */
export const joinWrittenForms = (
  words: readonly WordFrequency[],
  counted: readonly WordFrequency[],
): WordFrequency | null => {
  const known = counted.filter(({ count, phrase }) => count > 0 && phrase !== '')
  if (known.length === 0) return null
  const asked = words.filter(({ ignored, whole }) => !ignored && whole !== '')
  const all = (last: 'whole' | 'begun'): string =>
    asked.map((word, number) => `(${number === asked.length - 1 ? word[last] : word.whole})`).join(' & ')
  const any = (typed: string): string =>
    [typed, ...known.map(({ phrase }) => phrase)]
      .filter((query) => query !== '')
      .map((query) => `(${query})`)
      .join(' | ')
  return {
    word: words.map(({ word }) => word).join(' '),
    // At most: some entries may have several of them.
    count: known.reduce((sum, { count }) => sum + count, Math.min(...asked.map(({ count }) => count), countLimit)),
    parts: 2,
    lexemes: 2,
    ignored: false,
    whole: any(all('whole')),
    begun: any(all('begun')),
    phrase: any(words.map(({ phrase }) => phrase).find((phrase) => phrase !== '') ?? ''),
    writtenForms: known.map(({ word }) => word),
  }
}

/** Candidates by trigrams that are compared letter by letter. */
const comparedSpellings = 60

/**
 * Words as the data have them, never their stems, that a word which nothing has may have been meant for, likeliest first: by shared
 * trigrams (pg_trgm) and by swapped or doubled letters, ranked as `rankSpellings` does.
 */
export const findSimilarWords = async (sql: Sql, bundles: SearchedBundles, word: string): Promise<string[]> => {
  const variants = swapAndDrop(word)
  const rows = await sql<{ word: string; count: number }[]>`
    select word, sum(entry_count)::int as count from ${searchRows(sql, 'search_vocabulary', bundles)} v
    where word % ${word} or word = any(${variants})
    group by word
    order by (word = any(${variants})) desc, similarity(word, ${word}) desc, count desc limit ${comparedSpellings}`
  return rankSpellings(word, rows)
    .filter((candidate) => isLikelySlip(word, candidate))
    .slice(0, 3)
}

/** Names of genes that someone may have meant who typed one that nothing has, likeliest first, at most three. */
export const findNearNames = async (sql: Sql, bundles: SearchedBundles, typed: string): Promise<string[]> => {
  const word = typed.trim().toLowerCase()
  if (bundles.length === 0 || word.length < shortestMistyped || word.length > longestMistyped) return []
  const candidates = oneSlipAway(word).filter((candidate) => isLikelySlip(word, candidate))
  const rows = await sql<{ name: string; kind: number }[]>`
    select n.name, min(n.kind)::int as kind from ${searchRows(sql, 'search_names', bundles)} n
    where n.name = any(${candidates}::text[]) and n.type = 'gene'
    group by n.name`
  // A letter too many or too few, or two in the wrong order, before one for another.
  const isOther = (name: string): number =>
    Number(name.length === word.length && [...name].sort().join() !== [...word].sort().join())
  return rows
    .sort((a, b) => isOther(a.name) - isOther(b.name) || a.kind - b.kind || (a.name < b.name ? -1 : 1))
    .slice(0, 3)
    .map(({ name }) => name)
}

/** Of a shorter name every other is a slip away, a longer one is a sentence. */
const shortestMistyped = 3
const longestMistyped = 24

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
  /** By bundle and type, of every type also where one is asked for; where all matches were looked at anyway. */
  facets?: Facet[]
}

/** How words are asked for. */
export interface WordsAsked {
  /** The last word is matched by its beginning. */
  unfinished: boolean
  /** Entries with some of the words are found too, best those with the rarest. */
  any: boolean
}

/** A word that few entries have tells more of what is asked for (inverse document frequency: Spärck Jones 1972, doi:10.1108/eb026526). */
const wordWeight = ({ count }: WordFrequency): number => 1 / Math.log2(2 + count)

/** The words as one tsquery. It is PostgreSQL's own text of each of them: nothing in it is read as an operator. */
const wordsQuery = (asked: WordFrequency[], { unfinished, any }: WordsAsked): string =>
  asked
    .map(({ whole, begun }, number) => (unfinished && number === asked.length - 1 ? begun : whole))
    .map((query) => `(${query})`)
    .join(any ? ' | ' : ' & ')

/** Words that the text index has; of any words, the rarest whose entries are few enough to be ranked together. */
export const askedWords = (words: WordFrequency[], { any }: WordsAsked): WordFrequency[] => {
  // Signs that are no word to PostgreSQL match nothing by themselves, and are not asked for.
  const asked = words.filter((word) => !word.ignored && word.whole !== '')
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

/** Of a description that names what is asked for the rank counts this often; of one that begins with it, half as often. */
const namedFactor = 8

/** Of what is no gene; with the most that its name can add it still counts less than a gene that is named so. */
const vocabularyFactor = 0.0125

/** What differs between the statements of `findMatches`: which entries match, and by what. */
type MatchesShape = 'all' | 'any' | 'byPosition'

/**
 * Entries that match a tsquery, or those at the positions given for each bundle; at most `countLimit` of them and one more. A page of them,
 * by rank if they are few enough, else by relevance; how many there are, and by bundle and type. By the bundles' own tables and without a word
 * in its text, so that it is planned once; and the tsquery is read once, not for each entry.
 */
const matchesStatement = (bundles: SearchedBundles, shape: MatchesShape): string => {
  const tables = searchTablesOf(bundles)
  const columnsOf = ({ bundleOf }: SearchTable): string =>
    `${bundleOf('e')} as bundle, ${entryColumns.join(', ')}, e.position, e.words`
  const matchesOf = (table: SearchTable, number: number): string => {
    const entries = `select ${columnsOf(table)} from ${table.nameOf('search_entries')} e`
    if (shape !== 'byPosition')
      return `${entries} where e.words @@ (select query from asked) and ${table.isSearched('e')}
         and ($${firstOwn}::text is null or e.type = $${firstOwn}) and ($${firstOwn + 1}::text is null or e.sequence = $${firstOwn + 1})`
    const parameter = firstOwn + positionParameters(tables.slice(0, number))
    return table.merged
      ? `${entries} join unnest($${parameter}::int[], $${parameter + 1}::int[]) p (position, bundle)
           on e.position = p.position and e.bundle = p.bundle`
      : `${entries} where e.position = any($${parameter}::int[])`
  }
  const askedWords = `asked_words as materialized (
      select q::tsquery as query, w::float8 as weight from unnest($${firstOwn + 2}::text[], $${firstOwn + 3}::text[]) a (q, w)
    ),`
  // What the words that an entry has tell together.
  const coverage = '* (select sum(case when e.words @@ w.query then w.weight else 0 end) from asked_words w)'
  const facets = `
    case when p.number is null or p.number = 1 then (
      select json_agg(facet)::text from (
        select bundle, type, count(*)::int as count
        from (select bundle, type from found limit $6::int) f group by bundle, type) facet
    ) end`
  return `
    with asked as materialized (select $1::tsquery as query),
    ${shape === 'any' ? askedWords : ''}
    found as materialized (
      select * from (${tables.map(matchesOf).join(' union all ')}) e limit $6::int + 1
    ),
    size as materialized (select count(*)::int as total from found),
    ranked as materialized (
      select e.bundle, place, ${entryColumns.join(', ')}, e.position,
        case when (select total from size) <= $5::int then
          ts_rank('{0.1, 0.2, 0.6, 1.0}', e.words, (select query from asked), 1) ${shape === 'any' ? coverage : ''}
          -- Most descriptions do not have the words side by side: these are never matched by the expressions.
          * case when $7::text = '' or e.description is null or strpos(lower(e.description), $7) = 0 then 1
                 when lower(e.description) ~ $8 then ${namedFactor}::float8
                 when lower(e.description) ~ $9 then ${namedFactor / 2}::float8
                 else 1 end
          -- Of terms that have it in their name: the more of the name it is, and those that begin with it before what regulates them.
          * case when e.type = 'gene' or $7::text = '' or strpos(lower(e.label), $7) = 0 then 1
                 else (1 + ${namedFactor}::float8 * length($7) / length(e.label))
                   * case when lower(e.label) ~ $9 then ${namedFactor / 2}::float8 else 1 end end end as rank,
        -- A gene that is called so, and then one whose description names it: how much else is written of either says nothing, so that of
        -- these the reference's come first.
        ${
          // A parameter that a statement does not have is one without a type.
          shape === 'any'
            ? '0 * length($10::text)'
            : `case when (select total from size) > $5::int or e.type <> 'gene' or $7::text = ''
                      or e.description is null or strpos(lower(e.description), $7) = 0 then 0
                 when lower(e.description) ~ $10 then 2
                 when lower(e.description) ~ $8 or lower(e.description) ~ $9 then 1
                 else 0 end`
        } as named
      from found e join ${placesOf(bundles)} on places.bundle = e.bundle
    ),
    page as (
      select e.bundle, ${entryColumns.join(', ')}, row_number() over () as number from (
        select * from ranked e
        order by case when e.rank is null then 0
                      when lower(e.id) <> all($4::text[]) and lower(e.label) <> all($4::text[])
                      then case when e.type = 'gene' and starts_with(lower(e.label), ($4::text[])[1]) then 2
                                -- Several words that are most of a term's name mean it: the role of which "family" was not typed.
                                when e.type <> 'gene' and strpos($7, ' ') > 0 and 3 * length($7) >= 2 * length(e.label)
                                     and starts_with(lower(e.label), $7 || ' ') then 2
                                else 3 end
                      when e.type = 'gene' then 0 else 1 end,
          case when e.rank is not null and (lower(e.id) = any($4::text[]) or lower(e.label) = any($4::text[]))
               then e.place end,
          e.named desc,
          -- A portal of genes: what has them comes before the vocabulary that describes them.
          -- Ranks that differ little, as those of one gene in the annotations of many assemblies, are equal here.
          case when e.named = 0 then
            round(ln(greatest(e.rank * case e.type when 'gene' then 1 else ${vocabularyFactor} end, 1e-9)) * ${rankBands}::float8) end desc,
          case when e.rank is not null then e.place end,
          e.rank desc, e.position, e.bundle
        offset $2 limit $3
      ) e
    )
    select size.total, p.*, ${shape === 'byPosition' ? 'null' : facets} as facets
    from size left join page p on true order by p.number`
}

/** The first parameter that not every shape has. */
const firstOwn = 11

const matchesStatements = memoize((_: SearchedBundles) => new Map<MatchesShape, string>())

interface MatchesAsked {
  tsquery: string
  /** What a name or a description may be: the question, and how else it may be written. */
  keys: readonly [string, ...string[]]
  /** Matches that are ranked at most. */
  maxRanked: number
  offset: number
  limit: number
  /** The words of which any may occur. */
  anyOf?: WordFrequency[] | undefined
  /** What matches, if it is known: then of neither type nor sequence. */
  positions?: ReadonlyMap<number, number[]>
}

/** For each table the positions that are looked at, and whose they are. */
const positionsByTable = (bundles: SearchedBundles, positions: ReadonlyMap<number, number[]>): number[][] => {
  const tables = searchTablesOf(bundles)
  const lists = tables.map((): [number[], number[]] => [[], []])
  const numberOf = tableNumbers(bundles)
  for (const [bundle, own] of positions) {
    const [listed, owners] = lists[numberOf.get(bundle)!]!
    for (const position of own) {
      listed.push(position)
      owners.push(bundle)
    }
  }
  return lists.flatMap(([listed, owners], number) => (tables[number]!.merged ? [listed, owners] : [listed]))
}

/** Parameters that tell the positions in tables: of one that has the rows of many bundles also whose they are. */
const positionParameters = (tables: readonly SearchTable[]): number =>
  tables.reduce((sum, { merged }) => sum + (merged ? 2 : 1), 0)

/** Which of the tables has a bundle. */
const tableNumbers = memoize(
  (bundles: SearchedBundles): ReadonlyMap<number, number> =>
    new Map(
      searchTablesOf(bundles).flatMap((table, number) => table.bundles.map((bundle) => [bundle, number] as const)),
    ),
)

const findMatches = async (
  sql: Sql,
  scope: SearchScope,
  { tsquery, keys, maxRanked, offset, limit, anyOf, positions }: MatchesAsked,
): Promise<{ rows: SearchRow[]; total: number; facets: Facet[] }> => {
  const shape = positions !== undefined ? 'byPosition' : anyOf !== undefined ? 'any' : 'all'
  const written = matchesStatements(scope.bundles)
  let statement = written.get(shape)
  if (statement === undefined) {
    statement = matchesStatement(scope.bundles, shape)
    written.set(shape, statement)
  }
  // Of any words the last key is the whole question, which descriptions do not have.
  const [key, ...otherWrittenForms] = anyOf === undefined ? keys : keys.slice(0, -1)
  const names = descriptionNames(key!, otherWrittenForms)
  const parameters = [
    tsquery,
    offset,
    limit,
    keys,
    maxRanked,
    countLimit,
    names?.phrase ?? '',
    names?.whole ?? '',
    names?.begins ?? '',
    names?.exact ?? '',
    ...(positions === undefined
      ? [scope.type ?? null, scope.sequence ?? null]
      : positionsByTable(scope.bundles, positions)),
    ...(anyOf === undefined ? [] : [anyOf.map((word) => word.whole), anyOf.map((word) => String(wordWeight(word)))]),
  ]
  type Row = SearchRow & { total: number; number: number | null; facets: string | null }
  const rows = await sql.unsafe<Row[]>(statement, parameters, { prepare: true })
  const { total, facets, number } = rows[0]!
  return {
    rows: number === null ? [] : rows,
    total,
    facets: facets === null ? [] : (JSON.parse(facets) as Facet[]),
  }
}

/** Entries with the very name that is asked for which are set before the others where words are too common to be ranked. */
const namedLimit = 200

const namedStatement = memoize((bundles: SearchedBundles): string => {
  const tables = searchTablesOf(bundles)
  const namesOf = (table: SearchTable, number: number): string =>
    `select ${number} as number, ${table.bundleOf('n')} as bundle, n.position, min(n.kind) as kind from ${table.nameOf('search_names')} n
     where n.name = any($1::text[]) and ${table.isSearched('n')} group by ${table.merged ? 'n.bundle, ' : ''}n.position`
  // There is one; that it is said keeps the planner from reading all of them to join them with the names.
  const entriesOf = (table: SearchTable, number: number): string =>
    `(select e.position, ${entryColumns.join(', ')} from ${table.nameOf('search_entries')} e
      where n.number = ${number} and e.position = n.position${table.merged ? ' and e.bundle = n.bundle' : ''} limit 1)`
  return `
    select n.bundle, e.* from (${tables.map(namesOf).join(' union all ')}) n
    join ${placesOf(bundles)} on places.bundle = n.bundle
    cross join lateral (${tables.map(entriesOf).join(' union all ')}) e
    where ($2::text is null or e.type = $2) and ($3::text is null or e.sequence = $3)
    -- An alias is nobody's own name: it comes behind the terms that are called so.
    order by case when n.kind > 1 then 2 when e.type = 'gene' then 0 else 1 end,
      place, n.kind, e.position limit ${namedLimit}`
})

type NamedRow = SearchRow & { position: number }

/** Entries of one of these very names, in lower case; the best first, at most `namedLimit`. */
export const findNamed = (
  sql: Sql,
  { bundles, type, sequence }: SearchScope,
  names: readonly string[],
): Promise<NamedRow[]> =>
  sql.unsafe<NamedRow[]>(namedStatement(bundles), [names, type ?? null, sequence ?? null], { prepare: true })

/** Where so few entries are found, the last word may be the beginning of what is meant, whatever begins so. */
const fewForBeginning = 25
/** Beyond this many a beginning is no longer looked for: it would be counted entry by entry. */
export const maxForBeginning = rankedLimit
/** Letters and digits by which the symbols of one family differ behind what they share: esxA, fadD36, mce1A of "mce". */
const longestEnding = 3

/**
 * Whether a word that `count` entries have may be the beginning of names all the same: "fadD" is a word of three definitions, and what is
 * asked for are fadD1 to fadD36. Where more than a few have it, only if several symbols are the word and little more, as esxA and esxB of
 * "esx", which is a word of all that an ESX system is made of. Not a word that something is called, and not a number: L1 is not the
 * beginning of L10.
 */
export const mayBeginNames = async (
  sql: Sql,
  bundles: SearchedBundles,
  word: string,
  count: number,
): Promise<boolean> => {
  if (!/\p{L}$/u.test(word) || count > maxForBeginning || bundles.length === 0) return false
  if ((await findNamed(sql, { bundles }, [word])).length > 0) return false
  if (count <= fewForBeginning) return true
  const symbols = await sql<{ name: string }[]>`
    select distinct name from ${searchRows(sql, 'search_names', bundles)} n
    where type = 'gene' and name > ${word} and name < ${`${word}\u{10ffff}`}
      and length(name) <= ${word.length + longestEnding} and name ~ '[[:alnum:]]$'
    limit 2`
  return symbols.length > 1
}

const scopeCondition = (sql: Sql, scope: SearchScope) => sql`
  ${scope.type === undefined ? sql`true` : sql`e.type = ${scope.type}`}
  and ${scope.sequence === undefined ? sql`true` : sql`e.sequence = ${scope.sequence}`}`

export interface SearchReaders {
  sql: Sql
  /** For what is met by an index whatever the words are: plans its statements once (see ConnectOptions). */
  rankedSql: Sql
  entrySets: PostingLists
}

/** One word whose entries the lexeme table has counted. */
const isCounted = (asked: WordFrequency[], scope: SearchScope, { unfinished }: WordsAsked): boolean =>
  asked.length === 1 && asked[0]!.parts === 1 && asked[0]!.lexemes === 1 && scope.sequence === undefined && !unfinished

/**
 * What an entry that is meant by the question may be called. Of a question of which not all words are found, the rarest word is what it is
 * about; of one that is a name, the name in every writing.
 */
const namesAsked = (asked: WordFrequency[], query: string, { any }: WordsAsked): [string, ...string[]] => {
  const whole = query.trim().toLowerCase()
  const writtenForms = (asked.length === 1 || any ? asked[0]!.writtenForms : undefined) ?? []
  // What is called so as a whole is meant, also where its text is parted otherwise than the question ("restriction/modification").
  return any ? [asked[0]!.word, ...writtenForms, whole] : [whole, ...writtenForms]
}

const sumOf = (counted: { count: number }[]): number => counted.reduce((sum, { count }) => sum + count, 0)

/**
 * Entries that have all the words (or any of them): genes whose identifier or symbol is the query first, then terms and other entries of
 * that name, then genes whose symbol begins with it, then by rank, then by relevance. Pages follow one another without a gap or an entry
 * twice.
 */
export const findEntries = async (
  readers: SearchReaders,
  scope: SearchScope,
  words: WordFrequency[],
  query: string,
  how: WordsAsked,
  offset: number,
  limit: number,
): Promise<SearchMatches> => {
  const asked = askedWords(words, how)
  const tsquery = wordsQuery(asked, how)
  if (tsquery === '' || scope.bundles.length === 0) return { rows: [], total: 0, totalExact: true }
  const rarest = Math.min(...asked.map((word) => word.count))
  const few = how.any ? sumOf(asked) <= countLimit : rarest <= rankedLimit
  const question: MatchesAsked = {
    tsquery,
    keys: namesAsked(asked, query, how),
    maxRanked: few ? countLimit : rankedLimit,
    offset,
    limit,
    anyOf: how.any ? asked : undefined,
  }
  // What has no entries is nobody's.
  if (rarest === 0 && !how.any && !how.unfinished) return { rows: [], total: 0, totalExact: true }
  // One rare word is quickest by the index.
  if ((asked.length > 1 || !few) && !how.any && !how.unfinished && scope.sequence === undefined) {
    const met = readers.entrySets.meet(scope.bundles, asked)
    if (met !== null) return findInSet(readers, scope, met, question)
  }
  if (!few && isCounted(asked, scope, how)) {
    const rows = await readByRelevance(readers, scope, question)
    return { rows, total: asked[0]!.count, totalExact: true }
  }
  return findByIndex(readers, scope, question)
}

/** Entries by the inverted index, counted to a bound of 10,000. */
const findByIndex = async (
  readers: SearchReaders,
  scope: SearchScope,
  question: MatchesAsked,
): Promise<SearchMatches> => {
  const { rankedSql } = readers
  const { keys, maxRanked } = question
  // Facets count every type, also where only one is asked for.
  const reported = (total: number, facets: Facet[]): Omit<SearchMatches, 'rows'> => ({
    total: Math.min(total, countLimit),
    totalExact: total <= countLimit,
    ...(scope.type === undefined ? { facets } : {}),
  })
  const { rows, total, facets } = await findMatches(rankedSql, scope, question)
  if (total <= maxRanked) return { rows, ...reported(total, facets) }
  const named = await findNamed(rankedSql, scope, keys)
  if (total <= countLimit && named.length === 0) return { rows, ...reported(total, facets) }
  return { rows: await readByRelevance(readers, scope, question, named), ...reported(total, facets) }
}

/** Of common words: the best by relevance, met in order, behind those whose very name is the question. */
const readByRelevance = async (
  { sql, rankedSql }: SearchReaders,
  scope: SearchScope,
  { tsquery, keys, offset, limit }: MatchesAsked,
  foundNamed?: NamedRow[],
): Promise<SearchRow[]> => {
  const named = foundNamed ?? (await findNamed(rankedSql, scope, keys))
  const first = named.slice(offset, offset + limit)
  if (first.length === limit) return first
  const others = await sql<SearchRow[]>`
    select e.bundle, ${sql.unsafe(entryColumns.join(', '))} from ${searchRows(sql, 'search_entries', scope.bundles)} e
    where ${scopeCondition(sql, scope)} and e.words @@ ${tsquery}::tsquery
      and (e.bundle, e.position) not in (
        select * from unnest(${named.map((row) => row.bundle)}::int[], ${named.map((row) => row.position)}::int[]))
    order by e.position, e.bundle
    offset ${Math.max(0, offset - named.length)} limit ${limit - first.length}`
  return [...first, ...others]
}

/** Of entries that are known all are counted, and only those that are ranked or shown are looked at. */
const findInSet = async (
  { rankedSql }: SearchReaders,
  { bundles, type }: SearchScope,
  met: PostingList,
  question: MatchesAsked,
): Promise<SearchMatches> => {
  const { keys, maxRanked, offset, limit } = question
  const facets = [...met.parts.values()].map((part) => ({
    bundle: part.bundle,
    type: part.type,
    count: part.positions.length,
  }))
  const found = type === undefined ? met : ofType(met, type)
  const reported = { total: found.size, totalExact: true, facets }
  if (found.size === 0) return { rows: [], ...reported }
  if (found.size <= maxRanked) {
    const entries = [...found.parts.values()].flatMap(({ bundle, positions }) =>
      Array.from(positions, (position) => ({ bundle, position })),
    )
    const { rows } = await findMatches(rankedSql, { bundles }, { ...question, positions: positionsByBundle(entries) })
    return { rows, ...reported }
  }
  const named = await findNamed(rankedSql, { bundles, type }, keys)
  const first = named.slice(offset, offset + limit)
  const others = listEntries(found, Math.max(0, offset - named.length), limit - first.length, named)
  if (others.length === 0) return { rows: first, ...reported }
  const page = { maxRanked: 0, offset: 0, limit: others.length, positions: positionsByBundle(others) }
  const { rows } = await findMatches(rankedSql, { bundles }, { ...question, ...page })
  return { rows: [...first, ...rows], ...reported }
}

const positionsByBundle = (entries: readonly EntryRef[]): Map<number, number[]> => {
  const positions = new Map<number, number[]>()
  for (const { bundle, position } of entries) {
    const own = positions.get(bundle)
    if (own === undefined) positions.set(bundle, [position])
    else own.push(position)
  }
  return positions
}

/** Counts of matches by bundle and type; from the lexeme table when one common word is asked for, else counted to a bound of 10,000. */
export const countFacets = async (
  { sql, rankedSql }: SearchReaders,
  scope: SearchScope,
  words: WordFrequency[],
  how: WordsAsked,
): Promise<Facet[]> => {
  const asked = askedWords(words, how)
  const tsquery = wordsQuery(asked, how)
  if (tsquery === '' || scope.bundles.length === 0) return []
  return isCounted(asked, scope, how) && asked[0]!.count > rankedLimit
    ? countByLexeme(sql, scope, asked[0]!.word)
    : (await findMatches(rankedSql, scope, { tsquery, keys: [''], maxRanked: 0, offset: 0, limit: 0 })).facets
}

const countByLexeme = (sql: Sql, scope: SearchScope, word: string): Promise<Facet[]> => sql<Facet[]>`
  select bundle, type, max(entry_count)::int as count from ${searchRows(sql, 'search_lexemes', scope.bundles)} l
  where lexeme = any(tsvector_to_array(to_tsvector('simple', ${word}) || to_tsvector('english', ${word})))
    and ${scope.type === undefined ? sql`true` : sql`type = ${scope.type}`}
  group by bundle, type`

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
  return sql.unsafe<SearchRow[]>(statement, parameters, { prepare: true })
}

/** Names first, then the entries of the best; by few tables each, so that it is planned once. */
const suggestStatement = (bundles: SearchedBundles, ofType: boolean): string => {
  const tables = searchTablesOf(bundles)
  // Each table's own first names, which its index gives in order: else all names with a short beginning would be sorted.
  const namesOf = (table: SearchTable, number: number): string => `(
    select ${number} as number, ${table.bundleOf('n')} as bundle, n.type, n.id, n.name, n.kind, n.position from ${table.nameOf('search_names')} n
    where n.name >= $1 and n.name < $2${ofType ? ' and n.type = $4' : ''} and ${table.isSearched('n')} order by n.name, n.kind limit 200)`
  const entriesOf = (table: SearchTable, number: number): string => `(
    select e.type, e.id, e.label, e.description, e.sequence, e.start1, e.end1, e.strand from ${table.nameOf('search_entries')} e
    where best.number = ${number} and e.position = best.position${table.merged ? ' and e.bundle = best.bundle' : ''} limit 1)`
  return `
    with names as materialized (
      select * from (${tables.map(namesOf).join(' union all ')}) n order by n.name, n.kind limit 200
    ),
    best as materialized (
      select number, bundle, place, position, name, kind from (
        select distinct on (bundle, type, id) * from names order by bundle, type, id, kind, length(name)
      ) ranked join ${placesOf(bundles)} using (bundle) order by length(name), kind, name, place, position limit $3
    )
    select best.bundle, e.*, best.name as matched from best
    cross join lateral (${tables.map(entriesOf).join(' union all ')}) e
    order by length(best.name), best.kind, best.name, best.place, best.position`
}

const suggestStatements = memoize((bundles: SearchedBundles) => ({
  ofAll: suggestStatement(bundles, false),
  ofType: suggestStatement(bundles, true),
}))
