// The types of gene models; gene-models/ builds them from an annotation.

import type { OrientedPiece } from '../sequence/coding-sequence.ts'
import type { Strand } from '../sequence/region.ts'
import type { DefectLog } from '../text/defects.ts'
import type { Attributes, Feature, Phase } from './feature.ts'
import type { FeaturePlan } from './feature-survey.ts'

export interface ExonModel {
  start1: number
  end1: number
}

export interface CdsModel {
  start1: number
  end1: number
  /** Bases at its 5' end that belong to the codon begun in the part before (GFF3, column 8). */
  phase: Phase
}

export interface TranscriptModel {
  id: string
  biotype: string
  start1: number
  end1: number
  /** Ascending along the sequence, whatever the strand. */
  exons: ExonModel[]
  /** Ascending; empty for a transcript that codes for nothing. Parts may overlap at a ribosomal frameshift. */
  cds: CdsModel[]
  proteinId: string | null
  /** The coding parts as they are read; only where one strand in ascending (or descending) order would be wrong: trans-splicing. */
  readingOrder?: OrientedPiece[]
  /** Attributes of the transcript's line, and those of its CDS lines under names that it lacks. */
  attributes: Attributes
}

export interface GeneModel {
  id: string
  symbol: string | null
  /** Full name, such as "alcohol dehydrogenase 1". */
  name: string | null
  /** Other identifiers and names, each once; id and symbol are not among them. */
  aliases: string[]
  description: string | null
  biotype: string
  sequenceName: string
  start1: number
  /** Beyond the length of the sequence only where the gene crosses the origin of a circular one. */
  end1: number
  strand: Strand
  /** Empty for a gene of which the file gives nothing but the span. */
  transcripts: TranscriptModel[]
  attributes: Attributes
}

export interface GeneModels {
  /** By sequence (in the order of the genome, else of the file), then start. */
  genes: GeneModel[]
  /** All features that are no part of a gene model, in the order of the file. */
  features: Feature[]
  /** Sequences that are circular, by what was given and by what the file says, under the genome's names. */
  circular: string[]
}

export interface GeneModelOptions {
  /** Name of the file, for defects. */
  file: string
  log: DefectLog
  /** Names and lengths of the genome's sequences, in the order wanted; without it names and bounds are not checked. */
  sequences?: ReadonlyMap<string, number>
  /** Other names of the genome's sequences, in lower case, to the names. */
  sequenceAliases?: ReadonlyMap<string, string>
  /** Names of circular sequences; `Is_circular=true` in the file adds to them. */
  circular?: Iterable<string>
  /** Names of sequences of the genome that are linear whatever the file says. */
  linear?: ReadonlySet<string>
  /** The file is a GenBank flat file, in which a CDS beside its mRNA is no mistake. */
  flatFile?: boolean
  /** What a survey of the very same features says of them; with it genes are built as soon as all their lines are in. */
  plan?: FeaturePlan
  /** Takes each gene once it is built, those of the same lines by sequence and start; then `finish` gives no genes and features. */
  onGene?(gene: GeneModel): void
}
