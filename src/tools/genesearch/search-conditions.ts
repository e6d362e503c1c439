import { searchWords } from '../../bio/text/search-words.ts'
import { PortalError } from '../../contracts/errors.ts'
import type { Query, Row, Sql } from '../../database/connect.ts'
import { maxForBeginning, mayBeginNames } from '../../database/search/search.ts'
import { isAffirmed } from '../../database/terms.ts'
import { findLocus } from '../../kit/data/find-locus.ts'
import type { PortalData } from '../../kit/data/portal-data.ts'
import { measureGenes } from './search-expression.ts'
import type { Criterion, Reading } from './tool.ts'

export type Fragment = Query<Row[]>

/** One assembly to look in. */
export interface SearchedBundle {
  assembly: string
  bundle: number
  /** Where the names and ancestors of the species' ontologies are; null without. */
  speciesBundle: number | null
}

/**
 * What a criterion is in one assembly: a query of gene ids, a condition over the alias `g` of its genes that is never null, or
 * (null) never true. Ids are kept apart because a set of ids alone is joined by index, however few they are among many genes.
 */
type Condition =
  | { ids: (bundle: SearchedBundle) => Fragment; count?: (bundle: SearchedBundle) => Fragment }
  | { holds: (bundle: SearchedBundle) => Fragment }
  | null

export interface Prepared {
  /** The condition of all groups in one assembly. */
  where(bundle: SearchedBundle): Fragment
  /** How many genes of an assembly there are, as a number that costs less than to find them; null where none does. */
  count: ((bundle: SearchedBundle) => Fragment) | null
  readings: Reading[]
}

/** Terms whose name only contains what was typed. */
const similarTerms = 200
/** Terms below one that are handed to each assembly's table by name; more (those below a root) are left to a join. */
const listedTerms = 2000
// After every text with a given beginning, in the C collation.
const afterAll = '\u{10ffff}'

/** What cannot be in the database finds nothing, and PostgreSQL refuses NUL. */
const withoutControls = (text: string): string =>
  [...text].filter((sign) => sign.charCodeAt(0) >= 32 && sign.charCodeAt(0) !== 127).join('')

/** Reads the groups once for all assemblies: names are looked up, words stemmed, terms found with what lies below them. */
export const prepareSearch = async (
  groups: readonly { rows: readonly Criterion[] }[],
  bundles: readonly SearchedBundle[],
  data: PortalData,
): Promise<Prepared> => {
  const { sql } = data
  const readings: Reading[] = []
  const prepared = await Promise.all(
    groups.map((group, groupIndex) =>
      Promise.all(
        group.rows.map(async (criterion, row) => {
          const say = (message: string, params: Reading['params'] = {}): void => {
            readings.push({ group: groupIndex, row, message, params })
          }
          return { not: criterion.not, condition: await prepareCriterion(criterion, bundles, data, say) }
        }),
      ),
    ),
  )
  readings.sort((a, b) => a.group - b.group || a.row - b.row)
  const where = (bundle: SearchedBundle): Fragment => {
    const all = prepared.map((rows) => {
      const sets: Fragment[] = []
      const others: Fragment[] = []
      for (const { not, condition } of rows) {
        if (condition === null) others.push(not ? sql`true` : sql`false`)
        else if ('holds' in condition) {
          const holds = condition.holds(bundle)
          others.push(not ? sql`not (${holds})` : holds)
        } else if (not) others.push(sql`g.id not in (${condition.ids(bundle)})`)
        else sets.push(condition.ids(bundle))
      }
      if (sets.length > 0) others.push(sql`g.id in (${sets.reduce((left, right) => sql`${left} union all ${right}`)})`)
      return others.reduce((left, right) => sql`${left} or ${right}`)
    })
    return all.reduce((left, right) => sql`${left} and (${right})`, sql`true`)
  }
  const only = prepared.length === 1 && prepared[0]!.length === 1 ? prepared[0]![0]! : null
  const counted =
    only === null || only.not || only.condition === null || !('ids' in only.condition) ? null : only.condition
  return { where, count: counted?.count ?? null, readings }
}

type Say = (message: string, params?: Reading['params']) => void

const prepareCriterion = async (
  criterion: Criterion,
  bundles: readonly SearchedBundle[],
  data: PortalData,
  say: Say,
): Promise<Condition> => {
  const { sql } = data
  switch (criterion.kind) {
    case 'names':
      return prepareNames(criterion.names, bundles, sql, say)
    case 'text':
      return prepareText(criterion.text, bundles, sql, say)
    case 'prefix': {
      const prefix = withoutControls(criterion.text).toLowerCase()
      if (prefix === '') return null
      return {
        ids: ({ bundle }) => sql`
          select n.id from ${sql(`search_names_${bundle}`)} n
          where n.type = 'gene' and n.name >= ${prefix} and n.name < ${prefix + afterAll}`,
      }
    }
    case 'location':
      return prepareLocation(criterion, bundles, data, say)
    case 'expression':
      return prepareExpression(criterion, bundles, data, say)
    case 'term':
      return prepareTerm(criterion, bundles, sql, say)
    case 'biotype': {
      const biotypes = criterion.biotypes.map(withoutControls)
      return { holds: () => sql`g.biotype = any(${biotypes})` }
    }
    case 'length': {
      const minimum = criterion.minimum ?? null
      const maximum = criterion.maximum ?? null
      if (minimum === null && maximum === null) {
        say('reading.no-bounds')
        return { holds: () => sql`true` }
      }
      if (minimum !== null && maximum !== null && minimum > maximum) say('reading.empty-range', { minimum, maximum })
      const measure = {
        gene: sql`(g.end1 - g.start1 + 1)`,
        // Unknown counts as no: a tRNA gene is not "at least 100 residues long", and passes the "not" of it.
        protein: sql`coalesce(g.protein_length, -1)`,
        exons: sql`g.exon_count`,
        transcripts: sql`g.transcript_count`,
      }[criterion.measure]
      return { holds: () => sql`${measure} between ${minimum ?? 0} and ${maximum ?? 2_147_483_647}` }
    }
  }
}

const prepareNames = async (
  names: readonly string[],
  bundles: readonly SearchedBundle[],
  sql: Sql,
  say: Say,
): Promise<Condition> => {
  const plain = names.map((name) => withoutControls(name).toLowerCase())
  const found = new Set<string>()
  const ambiguous = new Map<string, string[]>()
  for (const { bundle } of bundles) {
    const rows = await sql<{ name: string; ids: string[] }[]>`
      select name, array_agg(distinct id order by id) as ids
      from ${sql(`search_names_${bundle}`)} where name = any(${plain}) and type = 'gene' group by name`
    for (const { name, ids } of rows) {
      found.add(name)
      if (ids.length > 1) ambiguous.set(name, ids)
    }
  }
  const unknown = names.filter((_, index) => !found.has(plain[index]!))
  if (unknown.length > 0) {
    say('reading.unknown-names', { count: unknown.length, total: names.length, names: unknown.join(', ') })
  }
  // All genes of the name are found; the reader is told which, so as to choose.
  for (const [index, name] of names.entries()) {
    const ids = ambiguous.get(plain[index]!)
    if (ids !== undefined) say('reading.ambiguous-name', { name, count: ids.length, genes: ids.join(', ') })
  }
  return {
    ids: ({ bundle }) => sql`
      select n.id from ${sql(`search_names_${bundle}`)} n where n.name = any(${plain}) and n.type = 'gene'`,
  }
}

/** How many genes match, up to one more than the bound. */
const countGenesUpTo = async (
  sql: Sql,
  bundles: readonly SearchedBundle[],
  query: string,
  max: number,
): Promise<number> => {
  let count = 0
  for (const { bundle } of bundles) {
    const [row] = await sql<{ count: number }[]>`
      select count(*)::int as count from (
        select 1 from ${sql(`search_entries_${bundle}`)} e
        where e.words @@ ${query}::tsquery and e.type = 'gene' limit ${max + 1 - count}) found`
    count += row!.count
    if (count > max) break
  }
  return count
}

/**
 * Words that must all occur; an asterisk ends an unfinished one. As in the search of the portal the last word may be the beginning of
 * names (see `mayBeginNames`), which is told: "esx" is a word of some descriptions, and what is asked for are esxA to esxW.
 */
const prepareText = async (
  typed: string,
  bundles: readonly SearchedBundle[],
  sql: Sql,
  say: Say,
): Promise<Condition> => {
  const begun = new Set((typed.match(/[\p{L}\p{N}._-]+(?=\*)/gu) ?? []).flatMap((word) => searchWords(word)))
  const words = searchWords(withoutControls(typed))
  if (words.length === 0) {
    say('reading.no-words')
    return null
  }
  const rows = await sql<{ word: string; query: string; lexemes: string[]; ignored: boolean }[]>`
    select word, (plainto_tsquery('simple', word) || plainto_tsquery('english', word))::text as query,
           tsvector_to_array(to_tsvector('simple', word) || to_tsvector('english', word)) as lexemes,
           numnode(plainto_tsquery('english', word)) = 0 as ignored
    from unnest(${words}::text[]) word`
  const ignored = rows.filter((row) => row.ignored && rows.length > 1)
  if (ignored.length > 0) say('reading.ignored-words', { words: ignored.map((row) => row.word).join(', ') })
  const asked = rows.filter((row) => !ignored.includes(row))
  const queryOf = (): string =>
    asked
      .map((row) =>
        begun.has(row.word)
          ? `('${row.word.replaceAll('\\', '\\\\').replaceAll("'", "''")}':* | (${row.query}))`
          : `(${row.query})`,
      )
      .join(' & ')
  let query = queryOf()
  if (query === '') {
    say('reading.no-words')
    return null
  }
  const last = asked.at(-1)!.word
  if (!begun.has(last)) {
    const count = await countGenesUpTo(sql, bundles, query, maxForBeginning)
    const numbers = bundles.map(({ bundle }) => bundle)
    if (await mayBeginNames(sql, numbers, last, count)) {
      begun.add(last)
      const unfinished = queryOf()
      if ((await countGenesUpTo(sql, bundles, unfinished, count)) > count) {
        query = unfinished
        say('reading.beginning', { word: last })
      } else begun.delete(last)
    }
  }
  const lexemes = asked[0]!.lexemes
  return {
    ids: ({ bundle }) => sql`
      select e.id from ${sql(`search_entries_${bundle}`)} e where e.words @@ ${query}::tsquery and e.type = 'gene'`,
    // Every gene has one entry. How many have a lexeme was counted when they were loaded.
    count: ({ bundle }) =>
      asked.length === 1 && lexemes.length === 1 && begun.size === 0
        ? sql`select coalesce(sum(entry_count), 0)::int from ${sql(`search_lexemes_${bundle}`)}
              where lexeme = ${lexemes[0]!} and type = 'gene'`
        : sql`select count(*)::int from ${sql(`search_entries_${bundle}`)} e
              where e.words @@ ${query}::tsquery and e.type = 'gene'`,
  }
}

/** What is wrong with a place, in the words of this tool's readings. */
const readingOf = ({ problems }: PortalError, region: string): { message: string; params: Reading['params'] } => {
  const { message, params = {} } = problems[0]!
  switch (message) {
    case 'locus.sequence-unknown':
      return { message: 'reading.unknown-sequence', params: { name: params.name!, near: params.near ?? 'none' } }
    case 'locus.unknown':
      return { message: 'reading.unknown-sequence', params: { name: params.text!, near: params.near ?? 'none' } }
    case 'locus.number-comma':
      return { message: 'reading.number-comma', params: { value: params.value!, one: params.one!, two: params.two! } }
    case 'locus.feature-ambiguous':
    case 'locus.gene-ambiguous':
      return { message: 'reading.ambiguous', params: { name: params.name!, ids: params.ids! } }
    case 'locus.beyond-end':
      return {
        message: 'reading.beyond-end',
        params: { name: params.name!, start: params.start!, length: params.length! },
      }
    default:
      return { message: 'reading.bad-region', params: { region } }
  }
}

const prepareLocation = async (
  criterion: Extract<Criterion, { kind: 'location' }>,
  bundles: readonly SearchedBundle[],
  data: PortalData,
  say: Say,
): Promise<Condition> => {
  const { sql } = data
  const loci = new Map<number, { sequence: string; start1: number; end1: number }>()
  let wrong: { message: string; params: Reading['params'] } | null = null
  for (const { assembly, bundle } of bundles) {
    try {
      const { sequence, start1, end1 } = await findLocus(data, assembly, criterion.region, ['region'])
      // Of a whole sequence also the genes that go on over its origin.
      const whole = start1 === 1 && end1 >= sequence.lengthBp
      loci.set(bundle, { sequence: sequence.name, start1, end1: whole ? 2_000_000_000 : end1 })
    } catch (error) {
      if (!(error instanceof PortalError) || error.problems.length === 0) throw error
      wrong ??= readingOf(error, criterion.region.slice(0, 100))
    }
  }
  if (loci.size === 0) {
    const { message, params } = wrong ?? {
      message: 'reading.bad-region',
      params: { region: criterion.region.slice(0, 100) },
    }
    say(message, params)
    return null
  }
  if (loci.size < bundles.length) say('reading.sequence-in-some', { count: loci.size, total: bundles.length })
  const holds = ({ bundle }: SearchedBundle): Fragment => {
    const locus = loci.get(bundle)
    if (locus === undefined) return sql`false`
    const { sequence, start1, end1 } = locus
    const overlap = criterion.within
      ? sql`g.start1 >= ${start1} and g.end1 <= ${end1}`
      : sql`g.start1 <= ${end1} and g.end1 >= ${start1}`
    const strand = criterion.strand === 'any' ? sql`true` : sql`g.strand = ${criterion.strand}`
    return sql`(g.sequence = ${sequence} and ${overlap} and ${strand})`
  }
  return { holds }
}

/** Genes by their values in a data set. A gene without a value does not hold, and passes the "not". */
const prepareExpression = async (
  { dataset, measure, level, contrast, minimum, maximum }: Extract<Criterion, { kind: 'expression' }>,
  bundles: readonly SearchedBundle[],
  data: PortalData,
  say: Say,
): Promise<Condition> => {
  const [min, max] = [minimum ?? Number.NEGATIVE_INFINITY, maximum ?? Number.POSITIVE_INFINITY]
  const found = new Map<number, string[]>()
  for (const { assembly, bundle } of bundles) {
    const measured = await measureGenes(data, assembly, dataset, measure, {
      level: measure === 'mean' ? level : '',
      contrast,
    })
    if (measured === null) continue
    const { genes, values } = measured
    if (found.size === 0) {
      if (values.every(Number.isNaN)) say('reading.no-values')
      else
        say('reading.expression', {
          dataset: measured.dataset.id,
          measure,
          level: level === '' ? 'none' : level,
          contrast: contrast === '' ? (measured.dataset.contrasts[0]?.id ?? 'none') : contrast,
          unit: measured.unit,
          simulated: String(measured.dataset.simulated),
        })
    }
    // Compared in the precision that values are kept in, so that a bound that a gene just reaches holds.
    const [from, to] = [Math.fround(min), Math.fround(max)]
    found.set(
      bundle,
      genes.filter((_, row) => values[row]! >= from && values[row]! <= to),
    )
  }
  if (found.size === 0) {
    say(measure === 'mean' || measure === 'tau' ? 'reading.no-expression' : 'reading.no-comparison', {
      dataset: dataset === '' ? 'none' : dataset,
      level: level === '' ? 'none' : level,
      contrast: contrast === '' ? 'none' : contrast,
    })
    return null
  }
  if (minimum == null && maximum == null) say('reading.no-bounds')
  else if (min > max) say('reading.empty-range', { minimum: min, maximum: max })
  if (found.size < bundles.length) say('reading.expression-in-some', { count: found.size, total: bundles.length })
  const { sql } = data
  return { ids: ({ bundle }) => sql`select unnest(${found.get(bundle) ?? []}::text[])` }
}

const prepareTerm = async (
  criterion: Extract<Criterion, { kind: 'term' }>,
  bundles: readonly SearchedBundle[],
  sql: Sql,
  say: Say,
): Promise<Condition> => {
  const source = withoutControls(criterion.source)
  const typed = withoutControls(criterion.term)
  if (typed === '' && criterion.term !== '') return null
  const ofSource = source === '' ? sql`true` : sql`source = ${source}`
  const affirmed = isAffirmed(sql)
  if (typed === '') {
    if (source === '') {
      say('reading.any-term')
    }
    return {
      ids: ({ bundle }) => sql`select gene from ${sql(`gene_terms_${bundle}`)} where ${ofSource} and ${affirmed}`,
    }
  }
  const vocabularies = [
    ...new Set(
      bundles.flatMap(({ bundle, speciesBundle }) => (speciesBundle === null ? [bundle] : [bundle, speciesBundle])),
    ),
  ]
  const lower = typed.toLowerCase()
  type TermRow = { term: string; name: string | null }
  let terms = [
    ...(await sql<TermRow[]>`
      select distinct term, name from terms
      where bundle = any(${vocabularies}) and ${ofSource}
        and (term = any(${[typed, typed.toUpperCase()]}) or alternative_ids && ${[typed, typed.toUpperCase()]})
      limit ${similarTerms}`),
  ]
  if (terms.length === 0) {
    terms = [
      ...(await sql<TermRow[]>`
        select distinct term, name from terms
        where bundle = any(${vocabularies}) and ${ofSource} and lower(name) = ${lower} limit ${similarTerms}`),
    ]
  }
  let similar = false
  if (terms.length === 0 && lower.length >= 3) {
    terms = [
      ...(await sql<TermRow[]>`
        select distinct term, name from terms
        where bundle = any(${vocabularies}) and ${ofSource} and not obsolete
          and strpos(lower(name), ${lower}) > 0
        order by name limit ${similarTerms + 1}`),
    ]
    similar = terms.length > 0
  }
  const direct = [...new Set([typed, ...terms.slice(0, similarTerms).map((row) => row.term)])]
  const below = criterion.descendants
    ? (
        await sql<{ term: string }[]>`
          select distinct term from terms
          where bundle = any(${vocabularies}) and ancestors && ${direct} and not term = any(${direct})
          limit ${listedTerms + 1}`
      ).map((row) => row.term)
    : []
  const all = below.length > listedTerms ? null : [...direct, ...below]
  const belowCount =
    all !== null
      ? below.length
      : (
          await sql<{ count: number }[]>`
            select count(distinct term)::int as count from terms
            where bundle = any(${vocabularies}) and ancestors && ${direct} and not term = any(${direct})`
        )[0]!.count
  if (terms.length === 0) {
    const [used] = await sql<{ found: boolean }[]>`
      select exists (select 1 from gene_terms
                     where bundle = any(${bundles.map((one) => one.bundle)}) and term = ${typed}) as found`
    if (used?.found !== true) say('reading.unknown-term', { term: typed.slice(0, 100) })
  } else {
    say(similar ? 'reading.similar-terms' : 'reading.term', {
      typed: typed.slice(0, 100),
      term: terms
        .slice(0, 5)
        .map((row) => (row.name === null ? row.term : `${row.name} (${row.term})`))
        .join('; '),
      count: Math.min(terms.length, similarTerms),
      below: belowCount,
    })
    if (terms.length > similarTerms) say('reading.terms-cut', { count: similarTerms })
  }
  // Tens of thousands of terms below a root are found where they are used, not carried to every assembly.
  const belowIn = (bundle: number): Fragment =>
    sql`union all select t.term from ${sql(`terms_${bundle}`)} t where t.ancestors && ${direct}`
  const isMeant = ({ bundle, speciesBundle }: SearchedBundle): Fragment =>
    all !== null
      ? sql`term = any(${all})`
      : sql`term in (
          select unnest(${direct}::text[])
          ${belowIn(bundle)} ${speciesBundle === null ? sql`` : belowIn(speciesBundle)})`
  return {
    ids: (one) => sql`
      select gene from ${sql(`gene_terms_${one.bundle}`)} where ${isMeant(one)} and ${ofSource} and ${affirmed}`,
  }
}
