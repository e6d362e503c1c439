import type { FamilyCounts } from '../../bio/comparative/pan-genome.ts'
import { fieldError, PortalError } from '../../contracts/errors.ts'
import type { AssemblySummary } from '../../contracts/species.ts'
import { readFamilyCounts } from '../../kit/data/family-counts.ts'
import type { HomologyState, PortalData } from '../../kit/data/portal-data.ts'
import { countedOf, limits } from './tool.ts'

export interface Compared {
  state: HomologyState
  assemblies: AssemblySummary[]
  /** Partial ones that would belong to them. */
  leftOut: string[]
  /** Outgroups of their species, among them or not. */
  outgroups: string[]
}

/** What was computed over all assemblies; rejects where there is nothing. */
export const requireHomology = async (data: PortalData): Promise<HomologyState> => {
  const state = await data.getHomology()
  if (state === null || state.covered.length === 0)
    throw new PortalError('TOOL_UNAVAILABLE', { message: 'problem.notComputed' })
  return state
}

/**
 * The assemblies that are compared: those asked for, else those of a species (that of `around`, or of the reference) that are counted
 * (`countedOf`) and `around` itself; where that is a single one, all that there are.
 */
export const chooseAssemblies = async (data: PortalData, asked: string[], around?: string): Promise<Compared> => {
  const state = await requireHomology(data)
  const covered = (await data.listAssemblies()).filter(({ id }) => state.covered.includes(id))
  const outgroupsOf = (assemblies: AssemblySummary[]): string[] => {
    const species = new Set(assemblies.map((one) => one.species))
    return covered.flatMap((one) => (one.outgroup && species.has(one.species) ? [one.id] : []))
  }
  if (asked.length > 0) {
    const chosen: AssemblySummary[] = []
    for (const id of new Set(asked)) {
      const summary = await data.getAssembly(id)
      if (!state.covered.includes(summary.id))
        throw fieldError(['assemblies'], 'problem.notCovered', { assembly: summary.id })
      chosen.push(summary)
    }
    if (chosen.length < 2) throw fieldError(['assemblies'], 'problem.oneAssembly')
    return { state, assemblies: chosen, leftOut: [], outgroups: outgroupsOf(chosen) }
  }
  const centre =
    covered.find(({ id }) => id === around) ??
    covered.find(({ id, reference }) => reference && id === covered[0]?.id) ??
    covered.find(({ reference }) => reference) ??
    covered[0]!
  const species = covered.filter((one) => one.species === centre.species)
  const counted = new Set(countedOf(species))
  // A partial genome is looked at with the other partial ones, an outgroup beside the species.
  if (around !== undefined && !counted.has(centre))
    for (const one of species) if (one === centre || (centre.partial !== null && one.partial !== null)) counted.add(one)
  const few = (list: AssemblySummary[]): AssemblySummary[] => list.slice(0, limits.assemblies)
  if (species.length > 1)
    return {
      state,
      assemblies: few(species.filter((one) => counted.has(one))),
      leftOut: species.flatMap((one) => (one.partial === null || counted.has(one) ? [] : [one.id])),
      outgroups: outgroupsOf(species),
    }
  if (covered.length < 2) throw new PortalError('TOOL_UNAVAILABLE', { message: 'problem.oneAssembly' })
  return { state, assemblies: few(covered), leftOut: [], outgroups: outgroupsOf(covered) }
}

export const countsOf = async (data: PortalData, assemblies: AssemblySummary[]): Promise<FamilyCounts> => {
  const counts = await readFamilyCounts(
    data,
    assemblies.map(({ id }) => id),
  )
  if (counts === null) throw new PortalError('TOOL_UNAVAILABLE', { message: 'problem.olderLoad' })
  return counts
}

export const citations = {
  tettelin: {
    text: 'Tettelin H, Riley D, Cattuto C, Medini D. Current Opinion in Microbiology 11, 472-477 (2008).',
    doi: '10.1016/j.mib.2008.09.006',
  },
  hurlbert: { text: 'Hurlbert SH. Ecology 52, 577-586 (1971).', doi: '10.2307/1934145' },
  mcl: {
    text: 'Enright AJ, Van Dongen S, Ouzounis CA. Nucleic Acids Research 30, 1575-1584 (2002).',
    doi: '10.1093/nar/30.7.1575',
  },
}
