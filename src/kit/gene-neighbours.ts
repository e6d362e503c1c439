import { createIntervalIndex } from '../bio/gene-geometry.ts'
import type { FindNeighbours, NeighbourGene } from './locate-records.ts'
import type { GenomeSequence, PortalData } from './portal-data.ts'
import { RecentAnswers } from './recent-answers.ts'

type SequenceIndex = ReturnType<typeof createIntervalIndex<NeighbourGene>>

/** Bundles are immutable, so an index once made stays right; a few assemblies are in use at a time. */
const indexes = new RecentAnswers<Map<string, SequenceIndex>>(4)

const loadIndexes = async (data: PortalData, bundle: number): Promise<Map<string, SequenceIndex>> => {
  const rows = await data.sql<{ id: string; sequence: string; start1: number; end1: number }[]>`
    select id, sequence, start1, end1 from genes where bundle = ${bundle}`
  const bySequence = new Map<string, NeighbourGene[]>()
  for (const { id, sequence, start1, end1 } of rows) {
    const genes = bySequence.get(sequence)
    if (genes === undefined) bySequence.set(sequence, [{ id, start1, end1 }])
    else genes.push({ id, start1, end1 })
  }
  return new Map([...bySequence].map(([sequence, genes]) => [sequence, createIntervalIndex(genes)]))
}

/** Makes the look-up of neighbouring genes from indexes by sequence; on circular sequences it sees across the origin. */
const neighboursFrom =
  (
    indexes: ReadonlyMap<string, SequenceIndex>,
    sequences: ReadonlyMap<string, Pick<GenomeSequence, 'lengthBp' | 'circular'>>,
  ): FindNeighbours =>
  (sequence, start1, end1) => {
    const index = indexes.get(sequence)
    const about = sequences.get(sequence)
    if (index === undefined || about === undefined) return []
    if (!about.circular) return index.find(start1, end1)
    // One turn back and one forward: coordinates of stretches and genes run at most one length beyond the origin.
    return [-about.lengthBp, 0, about.lengthBp].flatMap((turn) =>
      index.find(start1 - turn, end1 - turn).map((gene) => ({
        id: gene.id,
        start1: gene.start1 + turn,
        end1: gene.end1 + turn,
      })),
    )
  }

/** The genes of an assembly by position, read once and kept. */
export const openNeighbours = async (
  data: PortalData,
  assembly: string,
  sequences: ReadonlyMap<string, GenomeSequence>,
): Promise<FindNeighbours> => {
  const { bundle } = await data.getAssembly(assembly)
  const bySequence = await indexes.get(bundle, async () => loadIndexes(data, await data.bundleNumber(assembly)))
  return neighboursFrom(bySequence, sequences)
}
