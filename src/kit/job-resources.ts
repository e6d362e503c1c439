import type { Resources } from '../jobs/scheduler/scheduler.ts'
import type { PortalData } from './data/portal-data.ts'

export const gibibyte = 2 ** 30

/** What a scheduler is asked for where a tool states nothing. */
export const plainResources: Resources = { cores: 1, memoryBytes: 4 * gibibyte }

/** Bases of assemblies, by which the memory of programs grows that read whole genomes; an unknown one counts nothing. */
export const countBases = async (data: PortalData, assemblies: Iterable<string>): Promise<number> => {
  const wanted = new Set(assemblies)
  const known = await data.listAssemblies()
  return known.reduce((sum, { id, lengthBp }) => sum + (wanted.has(id) ? lengthBp : 0), 0)
}
