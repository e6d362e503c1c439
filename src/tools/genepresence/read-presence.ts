import { isAbsent, isBroken, isWhole, type PresenceState, presenceStates } from '../../bio/comparative/gene-presence.ts'
import { fieldError, PortalError } from '../../contracts/errors.ts'
import type { PortalData } from '../../kit/data/portal-data.ts'
import type { PresenceCoverage as Computed, PresenceGenes, StoredRun } from '../../kit/data/presence-data.ts'
import { type OutgroupFamilies, outgroupFilter, readOutgroups } from './outgroup-families.ts'

export interface Question {
  assembly?: string | undefined
  assemblies: string[]
  absent: string[]
  broken: string[]
  intact: string[]
  others: boolean
  familyAbsent: string[]
  familyPresent: string[]
  genes?: string[] | undefined
}

export interface Compared {
  computed: Computed
  assembly: string
  genes: PresenceGenes
  /** Genomes in which the genes were followed, with what each gene is there. */
  genomes: { id: string; partial: boolean; states: PresenceState[]; runs: StoredRun[] }[]
  /** In which they are known by family alone. */
  outgroups: OutgroupFamilies[]
}

const chooseAssembly = async (data: PortalData, asked: string | undefined): Promise<string> => {
  if (asked !== undefined) return (await data.getAssembly(asked)).id
  for (const one of await data.listAssemblies())
    if (one.reference && (await data.presence.genes(one.id)) !== null) return one.id
  throw new PortalError('TOOL_UNAVAILABLE', { message: 'problem.notComputed' })
}

/** Reads what was computed of an assembly's genes in the genomes that are asked for. */
export const readCompared = async (
  data: PortalData,
  question: Pick<Question, 'assembly' | 'assemblies'> & Partial<Question>,
): Promise<Compared> => {
  const assembly = await chooseAssembly(data, question.assembly)
  const computed = await data.presence.getState(assembly)
  const genes = computed === null ? null : await data.presence.genes(assembly)
  if (computed === null || genes === null) throw new PortalError('TOOL_UNAVAILABLE', { message: 'problem.notComputed' })
  const named = [...(question.absent ?? []), ...(question.broken ?? []), ...(question.intact ?? [])]
  const outgroupIds = new Set((await data.listAssemblies()).flatMap(({ id, outgroup }) => (outgroup ? [id] : [])))
  for (const [field, list] of Object.entries({
    assemblies: question.assemblies,
    absent: question.absent ?? [],
    broken: question.broken ?? [],
    intact: question.intact ?? [],
  }))
    for (const id of list)
      if (id === assembly || !computed.assemblies.includes(id))
        throw fieldError(
          [field],
          id === assembly ? 'problem.itself' : outgroupIds.has(id) ? 'problem.outgroup' : 'problem.notCovered',
          { assembly: id },
        )
  const all = computed.assemblies.filter((id) => id !== assembly)
  const chosen =
    question.assemblies.length === 0 ? all : all.filter((id) => question.assemblies.includes(id) || named.includes(id))
  const partial = new Map((await data.listAssemblies()).map((one) => [one.id, one.partial !== null]))
  const genomes: Compared['genomes'] = []
  for (const id of chosen) {
    const found = await data.presence.states(assembly, id)
    if (found !== null) genomes.push({ id, partial: partial.get(id) ?? false, states: found.states, runs: found.runs })
  }
  return { computed, assembly, genes, genomes, outgroups: await readOutgroups(data, assembly, genes) }
}

/** Numbers of the genes that meet what is asked, names that are none, and how many genes are absent where they were asked to be. */
export const chooseGenes = async (
  data: PortalData,
  { genomes, genes, assembly, outgroups }: Compared,
  question: Question,
): Promise<{ chosen: number[]; unknown: string[]; lost: number }> => {
  const wanted = genomes.map(({ id }): ((state: PresenceState) => boolean) | null => {
    if (question.absent.includes(id)) return isAbsent
    if (question.broken.includes(id)) return isBroken
    return question.intact.includes(id) || question.others ? isWhole : null
  })
  let among: Set<number> | null = null
  const unknown: string[] = []
  if (question.genes !== undefined) {
    among = new Set()
    const numbers = new Map(genes.id.map((id, number) => [id, number]))
    const resolved = await data.resolveGenes(question.genes, assembly)
    const found = new Map(resolved.found.map(({ query, gene }) => [query, [gene]]))
    for (const { query, genes: several } of resolved.ambiguous) found.set(query, several)
    for (const query of question.genes) {
      const number = (found.get(query) ?? []).map(({ id }) => numbers.get(id)).find((one) => one !== undefined)
      if (number === undefined) unknown.push(query)
      else among.add(number)
    }
  }
  const chosen: number[] = []
  const meetsFamily = outgroupFilter(outgroups, question)
  const lacking = genomes.filter(({ id }) => question.absent.includes(id))
  let lost = 0
  for (const gene of genes.id.keys()) {
    if (among !== null && !among.has(gene)) continue
    if (lacking.length > 0 && lacking.every(({ states }) => isAbsent(states[gene]!))) lost += 1
    if (meetsFamily(gene) && wanted.every((meets, at) => meets === null || meets(genomes[at]!.states[gene]!)))
      chosen.push(gene)
  }
  return { chosen, unknown, lost }
}

export const countStates = (states: Iterable<PresenceState>): number[] => {
  const counts = new Array<number>(presenceStates.length).fill(0)
  for (const state of states) counts[presenceStates.indexOf(state)]! += 1
  return counts
}
