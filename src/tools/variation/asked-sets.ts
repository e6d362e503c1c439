import { fieldError, PortalError } from '../../contracts/errors.ts'
import type { PortalData } from '../../kit/data/portal-data.ts'
import { listVariantSets, type VariantSet, variantFiles } from '../../kit/data/variant-data.ts'
import type { ShownSet } from './tool.ts'

export const showSet = (set: VariantSet): ShownSet => ({
  id: set.id,
  name: set.name,
  description: set.description,
  sites: set.sites,
  samples: set.samples.length,
  ploidy: set.ploidy,
  phased: set.phased,
  consequences: set.consequences,
  types: set.types,
  hasIds: set.hasIds,
  simulated: set.simulated,
  licence: set.licence,
  file: variantFiles(set.id).vcf,
})

/** The set of the assembly that is named; where none is, the first, or `all`. Rejects when there is none. */
export const listSetsAsked = async (
  data: PortalData,
  assembly: string,
  id: string | undefined,
  all: boolean,
): Promise<VariantSet[]> => {
  const sets = await listVariantSets(data, assembly)
  if (sets.length === 0) throw new PortalError('NOT_FOUND', { message: 'problem.noVariants', params: { assembly } })
  if (id === undefined || id === '') return all ? sets : sets.slice(0, 1)
  const found = sets.find((set) => set.id === id)
  if (found === undefined)
    throw fieldError(['set'], 'problem.unknownSet', { set: id, names: sets.map((set) => set.id).join(', ') })
  return [found]
}

/** A set of the assembly, the first when none is named; rejects when there is none. */
export const requireSet = async (data: PortalData, assembly: string, id: string | undefined): Promise<VariantSet> =>
  (await listSetsAsked(data, assembly, id, false))[0]!
