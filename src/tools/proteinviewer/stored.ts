import type { PlacedRun } from '../../bio/structure/structure-places.ts'
import type { LocalizedText } from '../../contracts/text.ts'

/** Kind of the records of structures, one a gene; what the loader counts them as. */
export const structureKind = 'structures'
export const structureData = 'structures'

/** A chain of a structure that is a gene's protein. */
export interface StoredChain {
  id: string
  transcript: string
  /** Equal residues among those placed, of 1. */
  identity: number
  pairs: number
  runs: PlacedRun[]
}

export interface StoredStructure {
  /** Name of the lab's file, by which it is asked for. */
  name: string
  /** Within the bundle; gzip. */
  file: string
  format: 'mmcif' | 'pdb'
  title: string | null
  residues: number
  /** Mean confidence (pLDDT) of a prediction; null of an experiment. */
  confidence: number | null
  chains: StoredChain[]
  source: LocalizedText | null
  licence: string | null
}

/** Of a gene. */
export interface StoredStructures {
  structures: StoredStructure[]
}
