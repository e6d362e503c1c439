import { join } from 'node:path'
import type { ToolDefinition } from '../../contracts/tools/tool.ts'
import type { ActiveBundle } from '../../database/catalogue.ts'
import type { Sql } from '../../database/connect.ts'
import { listPortalBundles, type PortalBundle } from '../../database/homologs.ts'
import type { PortalFiles } from '../../store/portal-files.ts'
import { findTools } from '../find-tools.ts'

/**
 * What a tool computed over all assemblies: from exactly these bundles (`current`), else the newest there is; null where there is none,
 * or no tool computes it.
 */
export const findComputed = async (
  sql: Sql,
  what: NonNullable<ToolDefinition['computes']>,
  inputs: readonly number[],
): Promise<{ bundle: PortalBundle; current: boolean } | null> => {
  const computing = (await findTools()).find(({ tool }) => tool?.computes === what)
  if (computing === undefined) return null
  const known = await listPortalBundles(sql, computing.id)
  const wanted = [...inputs].sort((a, b) => a - b).join()
  const exact = known.find((one) => one.inputs.join() === wanted)
  const bundle = exact ?? known[0]
  return bundle === undefined ? null : { bundle, current: exact !== undefined }
}

/** A bundle of what a tool computed over all assemblies, with its files. */
export interface ComputedBundle {
  bundle: number
  uid: string
  computedAt: string
  /** What the computation says of itself. */
  about: unknown
  /** Absolute path of one of its files, there with its indexes to be read now. */
  findFile(path: string): Promise<string>
  /** SHA-256 of a file; null where it has none of that path. */
  checksumOf(path: string): string | null
}

/** A file and its indexes, which are named by it: genome.fa.gz.fai, variants.vcf.gz.csi. */
export const withIndexes = <File extends { path: string }>(files: readonly File[], path: string): File[] =>
  files.filter((file) => file.path === path || file.path.startsWith(`${path}.`))

export const openComputed = (
  { bundle, uid, createdAt, summary }: Pick<PortalBundle, 'bundle' | 'uid' | 'createdAt' | 'summary'>,
  files: PortalFiles,
): ComputedBundle => {
  const { files: listed, computed } = summary as ActiveBundle['summary']
  return {
    bundle,
    uid,
    computedAt: createdAt.toISOString(),
    about: computed?.about ?? null,
    findFile: async (path) => join(await files.fetch(uid, withIndexes(listed, path)), path),
    checksumOf: (path) => listed.find((file) => file.path === path)?.sha256 ?? null,
  }
}
