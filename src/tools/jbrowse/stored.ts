import type { LocalizedText } from '../../contracts/text.ts'

export type TrackType = 'bigwig' | 'bigbed' | 'bam' | 'cram' | 'vcf' | 'bed' | 'gff3'

/** A track as the loader bakes it: record of kind `track`; paths are within the bundle. */
export interface BakedTrack {
  id: string
  name: LocalizedText
  description: LocalizedText | null
  category: LocalizedText | null
  type: TrackType
  file: string
  index: string | null
  /** Of a BED whose lines are values to be drawn as a signal: the column of the value. */
  scoreColumn?: string
  simulated: boolean
}

/** What the browser reads of a contact map (record of kind `contacts`); the path is within the bundle. */
export interface ContactMapRecord {
  id: string
  name: LocalizedText
  description: LocalizedText | null
  format: 'cool' | 'mcool' | 'hic'
  file: string
  simulated: boolean
}
