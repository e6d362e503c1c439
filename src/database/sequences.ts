import type { Sql } from './connect.ts'

export interface SequenceRow {
  position: number
  name: string
  lengthBp: number
  gcCount: number
  nCount: number
  role: 'chromosome' | 'accessory' | 'organelle' | 'plasmid' | 'scaffold'
  circular: boolean
  geneticCode: number
  geneCount: number
  aliases: string[]
  md5: string
  sha512t24u: string
}

const columns = (sql: Sql) => sql`
  position, name, length_bp::float8 as "lengthBp", gc_count::float8 as "gcCount", n_count::float8 as "nCount",
  role, circular, genetic_code as "geneticCode", gene_count as "geneCount", aliases, md5, sha512t24u`

/** All sequences of a bundle in their order, of which a draft has a million: for what needs them all. */
export const listSequenceRows = async (sql: Sql, bundle: number): Promise<SequenceRow[]> =>
  sql<SequenceRow[]>`select ${columns(sql)} from ${sql(`sequences_${bundle}`)} order by position`

/** Sequences of a bundle in their order that have `text` in their name or an alias, in any case: `limit` of them, and how many there are. */
export const findSequenceRows = async (
  sql: Sql,
  bundle: number,
  { text, limit }: { text: string; limit: number },
): Promise<{ total: number; rows: SequenceRow[] }> => {
  const table = sql(`sequences_${bundle}`)
  const pattern = `%${text.replace(/[\\%_]/g, '\\$&')}%`
  const matching =
    text === ''
      ? sql`true`
      : sql`(name ilike ${pattern} or exists (select from unnest(aliases) as alias where alias ilike ${pattern}))`
  const [[counted], rows] = await Promise.all([
    sql<{ total: number }[]>`select count(*)::integer as total from ${table} where ${matching}`,
    sql<SequenceRow[]>`select ${columns(sql)} from ${table} where ${matching} order by position limit ${limit}`,
  ])
  return { total: counted!.total, rows }
}

/** The sequence of a bundle of exactly this name, else the first with this alias; null when there is none. */
export const findSequenceRow = async (sql: Sql, bundle: number, name: string): Promise<SequenceRow | null> => {
  const table = sql(`sequences_${bundle}`)
  // By the index of the names first: no index has the aliases.
  const [row] = await sql<SequenceRow[]>`select ${columns(sql)} from ${table} where name = ${name}`
  if (row !== undefined) return row
  const [other] = await sql<SequenceRow[]>`
    select ${columns(sql)} from ${table} where ${name} = any(aliases) order by position limit 1`
  return other ?? null
}

/** Names and aliases of all sequences of a bundle in their order, or of those that have aliases. */
export const listSequenceNames = async (
  sql: Sql,
  bundle: number,
  { aliased = false } = {},
): Promise<{ name: string; aliases: string[] }[]> =>
  sql<{ name: string; aliases: string[] }[]>`
    select name, aliases from ${sql(`sequences_${bundle}`)} where ${aliased ? sql`aliases <> '{}'` : sql`true`}
    order by position`

/** What tools want to know of sequences: of the first `limit` of a bundle. */
export const listPlainSequences = async (
  sql: Sql,
  bundle: number,
  limit: number | null,
): Promise<Pick<SequenceRow, 'name' | 'lengthBp' | 'circular' | 'geneticCode' | 'aliases'>[]> =>
  sql<Pick<SequenceRow, 'name' | 'lengthBp' | 'circular' | 'geneticCode' | 'aliases'>[]>`
    select name, length_bp::float8 as "lengthBp", circular, genetic_code as "geneticCode", aliases
    from ${sql(`sequences_${bundle}`)} order by position limit ${limit}`

/** The sequence with a refget checksum (MD5 in hexadecimal, or GA4GH sha512t24u with its prefix SQ.), wherever it is loaded. */
export const findSequenceByChecksum = async (
  sql: Sql,
  bundles: number[],
  checksum: string,
): Promise<{
  bundle: number
  name: string
  lengthBp: number
  circular: boolean
  md5: string
  sha512t24u: string
  aliases: string[]
} | null> => {
  const [row] = await sql<
    {
      bundle: number
      name: string
      lengthBp: number
      circular: boolean
      md5: string
      sha512t24u: string
      aliases: string[]
    }[]
  >`
    select bundle, name, length_bp::float8 as "lengthBp", circular, md5, sha512t24u, aliases from sequences
    where bundle = any(${bundles}) and (md5 = ${checksum} or sha512t24u = ${checksum}) order by bundle limit 1`
  return row ?? null
}
