import { isAbsent } from '../../../bio/comparative/gene-presence.ts'
import type { PortalData } from '../portal-data.ts'

/**
 * Assemblies of its species that lack a gene by its DNA, as gene presence has computed: what its protein resembles there most is another
 * gene, such as plcD of a genome that has lost plcA, also where the two are each other's best hits. None where nothing was computed.
 */
export const listLacking = async (
  data: Pick<PortalData, 'presence'>,
  gene: { assembly: string; id: string },
): Promise<Set<string>> => {
  const presences = await data.presence.ofGene(gene.assembly, gene.id)
  return new Set([...presences].flatMap(([assembly, { state }]) => (isAbsent(state) ? [assembly] : [])))
}
