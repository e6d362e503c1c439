import { fieldError, PortalError } from '../../contracts/errors.ts'
import type { AssemblySummary } from '../../contracts/species.ts'
import type { HomologyState, PortalData } from '../../kit/data/portal-data.ts'
import { limits } from './tool.ts'

export interface Compared {
  state: HomologyState
  assemblies: AssemblySummary[]
  /** Partial ones that would belong to them. */
  leftOut: string[]
}

/** What was computed over all assemblies; rejects where there is nothing. */
export const requireHomology = async (data: PortalData): Promise<HomologyState> => {
  const state = await data.getHomology()
  if (state === null || state.covered.length === 0)
    throw new PortalError('TOOL_UNAVAILABLE', { message: 'problem.notComputed' })
  return state
}

/**
 * The assemblies that are compared: those asked for, else the whole ones of a species (that of `around`, or of the reference); where
 * that is a single one, with the partial ones of the species, and where it still is, all that there are.
 */
export const chooseAssemblies = async (data: PortalData, asked: string[], around?: string): Promise<Compared> => {
  const state = await requireHomology(data)
  const covered = (await data.listAssemblies()).filter(({ id }) => state.covered.includes(id))
  if (asked.length > 0) {
    const chosen: AssemblySummary[] = []
    for (const id of new Set(asked)) {
      const summary = await data.getAssembly(id)
      if (!state.covered.includes(summary.id))
        throw fieldError(['assemblies'], 'problem.notCovered', { assembly: summary.id })
      chosen.push(summary)
    }
    if (chosen.length < 2) throw fieldError(['assemblies'], 'problem.oneAssembly')
    return { state, assemblies: chosen, leftOut: [] }
  }
  const centre =
    covered.find(({ id }) => id === around) ??
    covered.find(({ id, reference }) => reference && id === covered[0]?.id) ??
    covered.find(({ reference }) => reference) ??
    covered[0]!
  const species = covered.filter((one) => one.species === centre.species)
  const whole = species.filter((one) => one.partial === null)
  const few = (list: AssemblySummary[]): AssemblySummary[] => list.slice(0, limits.assemblies)
  if (whole.length > 1 && (centre.partial === null || around === undefined))
    return {
      state,
      assemblies: few(whole),
      leftOut: species.filter((one) => one.partial !== null).map(({ id }) => id),
    }
  if (species.length > 1) return { state, assemblies: few(species), leftOut: [] }
  if (covered.length < 2) throw new PortalError('TOOL_UNAVAILABLE', { message: 'problem.oneAssembly' })
  return { state, assemblies: few(covered), leftOut: [] }
}
