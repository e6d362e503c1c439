import type { ToolDefinition } from '../../contracts/tools/tool.ts'
import type { Sql } from '../../database/connect.ts'
import { listPortalBundles, type PortalBundle } from '../../database/homologs.ts'
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
