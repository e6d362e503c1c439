import type { TransposonForm, TransposonPart } from '../../bio/repeats/transposons.ts'
import type { BakedTable } from '../../database/baked-tables.ts'
import type { Sql } from '../../database/connect.ts'
import { likePattern } from '../../database/driver/like-pattern.ts'

export const elementTable: BakedTable = {
  name: 'transposable_elements',
  columns: 'position id family code sequence start1 end1 strand form divergence ltr_identity ltr_divergence details',
  indexes: ['unique (id)', 'unique (position)', '(sequence, start1)', '(code, position)', '(family, position)'],
}

type StoredPart = [
  type: string,
  start1: number,
  end1: number,
  strand: string,
  name: string | null,
  evalue: number | null,
]

export interface ElementDetails {
  /** The class as the file writes it. */
  class: string | null
  source: string
  parts: StoredPart[]
}

/** An element as stored; coordinates 1-based inclusive, percentages and substitutions per 100 sites. */
export interface ElementRow {
  position: number
  id: string
  family: string
  code: string
  sequence: string
  start1: number
  end1: number
  strand: string
  form: TransposonForm
  divergence: number | null
  ltrIdentity: number | null
  ltrDivergence: number | null
}

/** Parts as they are stored, and back: arrays, for a genome has millions. */
export const storeParts = (parts: readonly TransposonPart[]): StoredPart[] =>
  parts.map((part) => [part.type, part.start1, part.end1, part.strand, part.name, part.evalue])

export const readParts = (stored: readonly StoredPart[]): TransposonPart[] =>
  stored.map(([type, start1, end1, strand, name, evalue]) => ({
    type: type as TransposonPart['type'],
    start1,
    end1,
    strand,
    name,
    evalue,
  }))

/** What is asked of a bundle's elements; empty lists and nulls ask nothing. */
export interface ElementFilter {
  codes: readonly string[]
  forms: readonly string[]
  /** Exact. */
  family: string | null
  /** Part of the id or the family, whatever its case. */
  words: string | null
  sequence: string | null
  /** Of the sequence: what reaches into one of them passes; all of it when empty. */
  segments: readonly { start1: number; end1: number }[]
  minBp: number | null
  maxBp: number | null
  minLtrIdentity: number | null
  maxDivergence: number | null
}

type ElementSort = 'position' | 'length' | 'family' | 'divergence' | 'ltrIdentity'

const columns = (sql: Sql) => sql`
  position, id, family, code, sequence, start1, end1, strand, form, divergence, ltr_identity as "ltrIdentity",
  ltr_divergence as "ltrDivergence"`

const conditions = (sql: Sql, filter: ElementFilter, longestBp: number) => {
  const like = filter.words === null ? null : likePattern(filter.words)
  const reaching = filter.segments.reduce(
    (all, { start1, end1 }) =>
      sql`${all} or (start1 <= ${end1} and end1 >= ${start1} and start1 > ${start1 - longestBp})`,
    sql`false`,
  )
  return sql`true
    ${filter.codes.length > 0 ? sql`and code = any(${[...filter.codes]})` : sql``}
    ${filter.forms.length > 0 ? sql`and form = any(${[...filter.forms]})` : sql``}
    ${filter.family === null ? sql`` : sql`and family = ${filter.family}`}
    ${like === null ? sql`` : sql`and (id ilike ${like} or family ilike ${like})`}
    ${filter.sequence === null ? sql`` : sql`and sequence = ${filter.sequence}`}
    ${filter.segments.length === 0 ? sql`` : sql`and (${reaching})`}
    ${filter.minBp === null ? sql`` : sql`and end1 - start1 + 1 >= ${filter.minBp}`}
    ${filter.maxBp === null ? sql`` : sql`and end1 - start1 + 1 <= ${filter.maxBp}`}
    ${filter.minLtrIdentity === null ? sql`` : sql`and ltr_identity >= ${filter.minLtrIdentity}`}
    ${filter.maxDivergence === null ? sql`` : sql`and divergence <= ${filter.maxDivergence}`}`
}

const orders = (sql: Sql, sort: ElementSort, descending: boolean) => {
  const direction = descending ? sql`desc` : sql`asc`
  switch (sort) {
    case 'position':
      return sql`position ${direction}`
    case 'length':
      return sql`end1 - start1 ${direction}, position`
    case 'family':
      return sql`family ${direction}, position`
    case 'divergence':
      return sql`divergence ${direction} nulls last, position`
    case 'ltrIdentity':
      return sql`ltr_identity ${direction} nulls last, position`
  }
}

const table = (sql: Sql, bundle: number) => sql(`${elementTable.name}_${Number(bundle)}`)

/**
 * A page of the elements that pass, how many pass, and their bases, those of overlapping ones each time. `longestBp` bounds how far
 * before a region an element may begin.
 */
export const findElements = async (
  sql: Sql,
  bundle: number,
  filter: ElementFilter,
  page: { sort: ElementSort; descending: boolean; offset: number; limit: number; longestBp: number },
): Promise<{ rows: ElementRow[]; total: number; bases: number }> => {
  const where = conditions(sql, filter, page.longestBp)
  const [rows, [count]] = await Promise.all([
    sql<ElementRow[]>`
      select ${columns(sql)} from ${table(sql, bundle)} where ${where}
      order by ${orders(sql, page.sort, page.descending)} limit ${page.limit} offset ${page.offset}`,
    sql<{ total: number; bases: number }[]>`
      select count(*)::int as total, coalesce(sum(end1 - start1 + 1), 0)::float8 as bases
      from ${table(sql, bundle)} where ${where}`,
  ])
  return { rows: [...rows], total: count!.total, bases: count!.bases }
}

/** All elements that pass, in order, `size` at a time, with what is stored of their structure. */
export async function* streamElements(
  sql: Sql,
  bundle: number,
  filter: ElementFilter,
  longestBp: number,
  size = 5000,
): AsyncGenerator<(ElementRow & { details: ElementDetails })[]> {
  let position = -1
  while (true) {
    const rows = await sql<(ElementRow & { details: ElementDetails })[]>`
      select ${columns(sql)}, details from ${table(sql, bundle)}
      where position > ${position} and ${conditions(sql, filter, longestBp)} order by position limit ${size}`
    if (rows.length === 0) return
    yield [...rows]
    position = rows.at(-1)!.position
  }
}

/** An element by its exact id with what is stored of its structure; null when the bundle has none of it. */
export const getElement = async (
  sql: Sql,
  bundle: number,
  id: string,
): Promise<(ElementRow & { details: ElementDetails }) | null> => {
  const [row] = await sql<(ElementRow & { details: ElementDetails })[]>`
    select ${columns(sql)}, details from ${table(sql, bundle)} where id = ${id}`
  return row ?? null
}

/** An element beside or in a gene. */
export interface GeneElement extends ElementRow {
  gene: string
}

/**
 * Elements that overlap these genes, or lie within `flankBp` of them, in order of genes and elements. Genes by exact id; all genes when
 * null.
 * At most `limit` pairs.
 */
export const listElementsOfGenes = async (
  sql: Sql,
  bundle: number,
  genes: readonly string[] | null,
  filter: Pick<ElementFilter, 'codes' | 'forms'>,
  bounds: { flankBp: number; longestBp: number; limit: number },
): Promise<GeneElement[]> => {
  const { flankBp, longestBp, limit } = bounds
  return sql<GeneElement[]>`
    select g.id as gene, t.position, t.id, t.family, t.code, t.sequence, t.start1, t.end1, t.strand, t.form, t.divergence,
      t.ltr_identity as "ltrIdentity", t.ltr_divergence as "ltrDivergence"
    from ${sql(`genes_${Number(bundle)}`)} g
    join lateral (
      select * from ${table(sql, bundle)} e
      where e.sequence = g.sequence
        and e.start1 between g.start1 - ${flankBp + longestBp}::int and g.end1 + ${flankBp}::int
        and e.end1 >= g.start1 - ${flankBp}::int
        ${filter.codes.length > 0 ? sql`and e.code = any(${[...filter.codes]})` : sql``}
        ${filter.forms.length > 0 ? sql`and e.form = any(${[...filter.forms]})` : sql``}
    ) t on true
    ${genes === null ? sql`` : sql`where g.id = any(${[...genes]})`}
    order by g.position, t.position limit ${limit}`
}
