import { isAbsent, isPresent, type PresenceState } from '../../bio/comparative/gene-presence.ts'
import type { GenePresence } from '../../kit/data/genes/gene-dna.ts'
import type { PortalData } from '../../kit/data/portal-data.ts'
import { type ChangedGene, type GeneChange, geneChanges, type StrainReport } from './tool.ts'

type Genes = NonNullable<StrainReport['genes']>

/** What a gene of the reference has become in the strain; null where it is as it was, or nobody can say. */
export const changeOf = (state: PresenceState): Exclude<GeneChange, 'gained'> | null => {
  if (isAbsent(state)) return 'lost'
  return state === 'truncated' || state === 'disrupted' || state === 'split' || state === 'copies' ? state : null
}

/** A gene whose own place and DNA the reference has not. Only a search that found nothing at all is no proof of that. */
const isGained = isAbsent

const isUnknown = (state: PresenceState): boolean => state === 'unknown' || state === 'not-found'

const placeText = ({ places }: GenePresence): string | null =>
  places.length === 0 ? null : places.map(({ sequence, start, end }) => `${sequence}:${start}..${end}`).join(' ')

interface Compared {
  computedAt: string
  counts: Genes['counts']
  /** Of the reference into the strain, then of the strain into the reference: genes by their numbers. */
  directions: { of: string; into: string; changed: { number: number; change: GeneChange }[] }[]
  /** Assemblies that were compared beside the two. */
  others: string[]
}

const compareGenes = async (
  data: PortalData,
  strain: string,
  reference: string,
  signal: AbortSignal,
): Promise<Compared | null> => {
  const state = await data.presence.getState(reference)
  if (state === null || !state.assemblies.includes(strain) || !state.assemblies.includes(reference)) return null
  const counts = { compared: 0, lost: 0, truncated: 0, disrupted: 0, split: 0, copies: 0, gained: 0, unknown: 0 }
  const directions: Compared['directions'] = []
  for (const [of, into] of [
    [reference, strain],
    [strain, reference],
  ] as const) {
    signal.throwIfAborted()
    const found = await data.presence.states(of, into)
    if (found === null) continue
    const changed: { number: number; change: GeneChange }[] = []
    for (const [number, own] of found.states.entries()) {
      if (of === reference) {
        counts.compared += 1
        if (isUnknown(own)) counts.unknown += 1
      }
      const change = of === reference ? changeOf(own) : isGained(own) ? 'gained' : null
      if (change === null) continue
      counts[change] += 1
      changed.push({ number, change })
    }
    directions.push({ of, into, changed })
  }
  const others = state.assemblies.filter((id) => id !== strain && id !== reference)
  return { computedAt: state.computedAt, counts, directions, others }
}

/** How many genes of the reference a strain lost, and so on, from what was computed of every gene by its DNA; null where nothing was. */
export const countChangedGenes = async (
  data: PortalData,
  strain: string,
  reference: string,
  signal: AbortSignal,
): Promise<Genes['counts'] | null> => (await compareGenes(data, strain, reference, signal))?.counts ?? null

/**
 * Genes of the reference that a strain lost or that are broken in it, and genes of the strain that the reference lacks, from what was
 * computed of every gene by its DNA, and in which further assemblies of the species it is so too; null where nothing was.
 */
export const findChangedGenes = async (
  data: PortalData,
  strain: string,
  reference: string,
  signal: AbortSignal,
): Promise<Genes | null> => {
  const compared = await compareGenes(data, strain, reference, signal)
  if (compared === null) return null
  const { computedAt, counts, directions, others } = compared
  const rows: ChangedGene[] = []
  for (const { of, into, changed } of directions) {
    const genes = await data.presence.genes(of)
    if (genes === null) continue
    const shared = changed.map(() => ({ alsoIn: 0, notIn: 0, unknownIn: 0 }))
    for (const other of others) {
      signal.throwIfAborted()
      const there = await data.presence.states(of, other)
      for (const [at, { number, change }] of changed.entries()) {
        const own = there?.states[number]
        if (own === undefined || isUnknown(own)) shared[at]!.unknownIn += 1
        // A gene that the reference lacks is shared by those that have it.
        else if (change === 'gained' ? isPresent(own) : changeOf(own) === change) shared[at]!.alsoIn += 1
        else shared[at]!.notIn += 1
      }
    }
    const presences = await data.presence.genesIn(
      of,
      into,
      changed.map(({ number }) => number),
    )
    for (const [at, { number, change }] of changed.entries()) {
      const presence = presences.get(number)!
      const { evidence } = presence
      rows.push({
        change,
        assembly: of,
        id: genes.id[number]!,
        symbol: genes.symbol[number]!,
        description: genes.description[number]!,
        sequence: genes.sequences[genes.sequence[number]!]!,
        start: genes.start[number]!,
        end: genes.end[number]!,
        strand: genes.strand[number]!,
        state: presence.state,
        frame: change === 'disrupted' ? (evidence.frame?.change ?? null) : null,
        hgvs: change === 'disrupted' ? (evidence.frame?.hgvs ?? null) : null,
        keptShare: change === 'disrupted' ? (evidence.frame?.keptShare ?? null) : null,
        coverage: evidence.lengthBp === 0 ? 0 : evidence.alignedBp / evidence.lengthBp,
        place: placeText(presence),
        ...shared[at]!,
      })
    }
  }
  // What is lost comes first; within a kind the order of the genome stays.
  rows.sort((a, b) => geneChanges.indexOf(a.change) - geneChanges.indexOf(b.change))
  return { computedAt, counts, rows }
}
