import { createIntervalIndex, type GeneStrand } from '../../../bio/annotation/gene-geometry.ts'
import { RecentAnswers } from '../../recent-answers.ts'
import type { GenomeSequence, PortalData } from '../portal-data.ts'
import type { FindNeighbours, NeighbourGene } from './locate-records.ts'

type SequenceIndex = ReturnType<typeof createIntervalIndex<NeighbourGene>>

/** Bundles are immutable, so an index once made stays right; a few assemblies are in use at a time. */
const indexes = new RecentAnswers<Map<string, SequenceIndex>>(4)

const loadIndexes = async (data: PortalData, bundle: number): Promise<Map<string, SequenceIndex>> => {
  const rows = await data.sql<
    {
      id: string
      sequence: string
      start1: number
      end1: number
      strand: GeneStrand
      codingStart1: number | null
      codingEnd1: number | null
    }[]
  >`
    select id, sequence, start1, end1, strand, coding_start1 as "codingStart1", coding_end1 as "codingEnd1"
    from genes, lateral (
      select min((part ->> 0)::int) as coding_start1, max((part ->> 1)::int) as coding_end1
      from jsonb_array_elements(transcripts) transcript, jsonb_array_elements(transcript -> 'cds') part
    ) coding
    where bundle = ${bundle}`
  const bySequence = new Map<string, NeighbourGene[]>()
  for (const { id, sequence, start1, end1, strand, codingStart1, codingEnd1 } of rows) {
    const coding = codingStart1 === null || codingEnd1 === null ? null : { start1: codingStart1, end1: codingEnd1 }
    const gene = { id, start1, end1, strand, coding }
    const genes = bySequence.get(sequence)
    if (genes === undefined) bySequence.set(sequence, [gene])
    else genes.push(gene)
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
    // One turn back and one forward: coordinates of segments and genes run at most one length beyond the origin.
    return [-about.lengthBp, 0, about.lengthBp].flatMap((turn) =>
      index.find(start1 - turn, end1 - turn).map((gene) => ({
        ...gene,
        start1: gene.start1 + turn,
        end1: gene.end1 + turn,
        coding: gene.coding === null ? null : { start1: gene.coding.start1 + turn, end1: gene.coding.end1 + turn },
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
