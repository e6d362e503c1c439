import type { PathwayDrawing, PathwayNode } from '../../bio/networks/pathway-drawings.ts'
import type { LocalizedText } from '../../contracts/text.ts'

/** Records of an assembly: one a vocabulary of pathways, one a drawing. */
export const sourceKind = 'pathway-source'
export const drawingKind = 'pathway-drawing'

export interface StoredSource {
  title: LocalizedText | null
  licence: string | null
  simulated: boolean
}

export interface StoredDrawing extends Omit<PathwayDrawing, 'nodes'> {
  /** With the assembly's genes that each stands for. */
  nodes: (PathwayNode & { genes: string[] })[]
}

export const drawingId = (source: string, term: string): string => `${source}|${term}`
