import type { PathRange } from '../../bio/graph/gfa.ts'
import type { LocalizedText } from '../../contracts/text.ts'

// How a graph stands in an assembly's bundle. Nodes are numbered so that those of a segment of the assembly are near one another; three
// sorted, indexed BED files answer for a region: what a path passes there, what the nodes are, who else passes them.

export const graphKind = 'graph'
export const overviewKind = 'graph-overview'

export const graphFile = (graph: string, part: 'steps' | 'visits' | 'nodes'): string => `graphs/${graph}.${part}.bed.gz`

/** The one name by which numbers of nodes are looked up. */
export const nodesSequence = 'node'
export const pathSequence = (path: number): string => `path${path}`

export interface StoredPath extends PathRange {
  lengthBp: number
  steps: number
  /** Sequence of the assembly that it is; null for others. */
  reference: string | null
}

export interface StoredGraph {
  id: string
  name: LocalizedText
  description: LocalizedText | null
  licence: string | null
  simulated: boolean
  nodes: number
  links: number
  totalBp: number
  paths: StoredPath[]
}

/** What each sample has of a sequence of the assembly, by bins of equal width. */
export interface StoredOverview {
  sequence: string
  binBp: number
  start0: number
  samples: {
    name: string
    /** Share of the bin's bases on nodes that the sample passes, in percent; -1 where it has no path near. */
    present: number[]
    /** Bases of the sample on nodes that the assembly does not pass. */
    insertedBp: number[]
  }[]
}
