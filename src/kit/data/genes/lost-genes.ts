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

/** The same of many genes of an assembly: of each other assembly those that it lacks. */
export const listLost = async (
  data: Pick<PortalData, 'presence'>,
  assembly: string,
  genes: readonly string[],
  others: readonly string[],
): Promise<Map<string, Set<string>>> => {
  const lost = new Map<string, Set<string>>()
  const all = await data.presence.genes(assembly)
  if (all === null) return lost
  const wanted = new Set(genes)
  const numbers = [...all.id.entries()].filter(([, id]) => wanted.has(id))
  for (const other of others) {
    const pair = await data.presence.states(assembly, other)
    if (pair === null) continue
    lost.set(other, new Set(numbers.flatMap(([number, id]) => (isAbsent(pair.states[number]!) ? [id] : []))))
  }
  return lost
}
