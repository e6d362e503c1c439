import { listActiveSpecies } from '../database/catalogue.ts'
import type { Sql } from '../database/connect.ts'
import { isProductKind } from '../store/kept-inputs.ts'

/**
 * The products of a species in service, bundle by bundle: checksums over all files and of each, and what tools stored in the database.
 * Equal inputs give equal ones, wherever and under whatever names the files were.
 */
export const readProducts = async (sql: Sql, species: string) => {
  const { bundles } = (await listActiveSpecies(sql)).find(({ id }) => id === species)!
  return Promise.all(
    bundles.map(async ({ bundle, assembly, checksum, summary: { files, ...summary } }) => ({
      assembly,
      checksum,
      summary,
      files: files.filter(({ kind }) => isProductKind(kind)),
      records: await sql`select kind, id, data from records where bundle = ${bundle} order by kind, id, position`,
    })),
  )
}
