import { isAbsent, isPresent } from '../../bio/comparative/gene-presence.ts'
import { fieldError } from '../../contracts/errors.ts'
import { findLocus } from '../../kit/data/find-locus.ts'
import type { PortalData } from '../../kit/data/portal-data.ts'
import type { Groups, Place } from './find-sites.ts'
import { type DiagnosticInput, groups as groupNames, limits } from './tool.ts'

export interface ChosenGenomes extends Groups {
  species: string
  spare: string[]
  sized: string[]
  /** Of the species, in no group. */
  others: string[]
  leftOut: string[]
}

/** The input with groups for a gene alone: the genomes that have it by their DNA, and those that lack it. */
export const groupByGene = async (input: DiagnosticInput, data: PortalData): Promise<DiagnosticInput> => {
  const { region } = input
  if (input.target.length + input.spare.length + input.sized.length > 0 || region.trim() === '') return input
  const assembly = input.assembly ?? (await data.defaultAssembly())?.id
  if (assembly === undefined) return input
  const { gene } = await findLocus(data, assembly, region, ['region'])
  if (gene === null) return input
  const state = await data.presence.getState(assembly)
  const presences = await data.presence.ofGene(assembly, gene.id)
  if (state === null || presences.size === 0) return input
  const target = [assembly]
  const spare: string[] = []
  for (const other of state.assemblies) {
    const presence = presences.get(other)
    if (presence === undefined) continue
    if (isPresent(presence.state)) target.push(other)
    else if (isAbsent(presence.state)) spare.push(other)
  }
  if (spare.length === 0) throw fieldError(['spare'], 'problem.everywhere', { gene: gene.symbol ?? gene.id })
  const room = limits.assemblies
  return {
    ...input,
    assembly,
    target: target.slice(0, room - Math.min(spare.length, room / 2)),
    spare: spare.slice(0, room / 2),
  }
}

/** The groups as they were asked for, checked: of one species, each genome in one group, all aligned. */
export const chooseGenomes = async (input: DiagnosticInput, data: PortalData): Promise<ChosenGenomes> => {
  const loaded = new Map((await data.listAssemblies()).map((one) => [one.id, one]))
  const groupOf = new Map<string, string>()
  for (const group of groupNames)
    for (const id of input[group]) {
      if (!loaded.has(id)) throw fieldError([group], 'problem.unknown', { assembly: id })
      if (groupOf.has(id)) throw fieldError([group], 'problem.twice', { assembly: id })
      groupOf.set(id, group)
    }
  if (groupOf.size > limits.assemblies)
    throw fieldError(['spare'], 'problem.tooMany', { count: groupOf.size, limit: limits.assemblies })
  const [first] = input.target
  const species = first === undefined ? undefined : loaded.get(first)?.species
  if (first === undefined || species === undefined) throw fieldError(['target'], 'problem.noTarget')
  const own = [...loaded.values()].filter((one) => one.species === species)
  if (own.length < 2) throw fieldError(['target'], 'problem.alone', { assembly: first })
  const foreign = [...groupOf.keys()].find((id) => loaded.get(id)?.species !== species)
  if (foreign !== undefined)
    throw fieldError([groupOf.get(foreign)!], 'problem.otherSpecies', { assembly: foreign, other: first })
  if (input.spare.length + input.sized.length === 0)
    throw fieldError(
      ['spare'],
      input.target.length === own.length
        ? 'problem.allTarget'
        : input.method === 'snp'
          ? 'problem.noOtherAllele'
          : 'problem.noSpare',
    )
  if (input.method === 'presence' && input.spare.length === 0) throw fieldError(['spare'], 'problem.onlySized')
  const state = await data.alignments.getState(first)
  if (state === null) throw fieldError(['target'], 'problem.noAlignment')
  const aligned = new Set([state.reference, ...state.assemblies.map(({ id }) => id)])
  const missing = [...groupOf.keys()].find((id) => !aligned.has(id))
  if (missing !== undefined) throw fieldError([groupOf.get(missing)!], 'problem.notAligned', { assembly: missing })
  const rest = own.filter(({ id }) => !groupOf.has(id)).map(({ id }) => id)
  const room = Math.max(0, limits.assemblies - groupOf.size)
  return {
    species,
    reference: state.reference,
    target: input.target,
    spare: input.spare,
    sized: input.sized,
    other: [...input.spare, ...input.sized],
    others: rest.slice(0, room),
    leftOut: rest.slice(room),
  }
}

/** What is read of the reference: all of it, or where the region lies on it. */
export const chooseRanges = async (
  input: DiagnosticInput,
  { reference }: Groups,
  data: PortalData,
): Promise<{ ranges: Place[]; region: (Place & { assembly: string }) | null }> => {
  if (input.region.trim() === '') {
    const sequences = await data.listSequences(reference)
    const ranges = sequences.map(({ name, lengthBp }) => ({ sequence: name, start1: 1, end1: lengthBp }))
    return { ranges: ranges.filter(({ end1 }) => end1 > 0), region: null }
  }
  const assembly = input.assembly ?? reference
  const found = await findLocus(data, assembly, input.region, ['region'])
  const place = {
    sequence: found.sequence.name,
    start1: found.start1,
    end1: Math.min(found.end1, found.sequence.lengthBp),
  }
  const region = { assembly, ...place }
  if (assembly === reference) return { ranges: [place], region }
  const { lifts } = await data.alignments.lift({ assembly, ...place }, [reference])
  const ranges = (lifts[0]?.loci ?? [])
    .filter(({ role }) => role !== 'copy')
    .map((one) => ({ sequence: one.sequence, start1: one.start, end1: one.end }))
  const at = lifts[0]?.deletedAt ?? null
  // What the reference lacks is an insertion there: it is listed at the bases beside it.
  if (ranges.length === 0 && at !== null) ranges.push({ sequence: at.sequence, start1: at.start, end1: at.end })
  if (ranges.length === 0) throw fieldError(['region'], 'problem.regionNotAligned', { assembly, reference })
  return { ranges, region }
}
