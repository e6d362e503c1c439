import { z } from 'zod'
import type { PortalData } from '../../kit/data/portal-data.ts'
import { type Prepared, prepareSearch, type SearchedBundle } from './search-conditions.ts'
import { listSearchedBundles } from './search-genes.ts'
import tool, { searchFields } from './tool.ts'

export const searchStep = {
  program: 'NovoDB gene search',
  version: String(tool.version),
  formula:
    'every group holds; in a group any row holds; annotations with NOT do not count; terms with their descendants by is_a and part_of; expression as mean of the samples (counts per million of counts) or tau over their groups, and comparisons as they are loaded',
}

export const searchSchema = z.object(searchFields)

export type SearchInput = z.output<typeof searchSchema>

export const prepare = async (
  input: Pick<SearchInput, 'assemblies' | 'groups'>,
  data: PortalData,
): Promise<{ bundles: SearchedBundle[]; prepared: Prepared }> => {
  const bundles = await listSearchedBundles(input.assemblies, data)
  return { bundles, prepared: await prepareSearch(input.groups, bundles, data) }
}
