import type { Sql } from 'postgres'

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

/** Sequences of a bundle in their order. */
export const listSequenceRows = async (sql: Sql, bundle: number): Promise<SequenceRow[]> =>
  sql<SequenceRow[]>`
    select position, name, length_bp::float8 as "lengthBp", gc_count::float8 as "gcCount", n_count::float8 as "nCount",
           role, circular, genetic_code as "geneticCode", gene_count as "geneCount", aliases, md5, sha512t24u
    from ${sql(`sequences_${bundle}`)} order by position`

/** The sequence with a refget checksum (MD5 in hexadecimal, or GA4GH sha512t24u without its prefix), wherever it is loaded. */
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
