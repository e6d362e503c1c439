// What the builder holds of the lines of an annotation until the models are built.

import type { OrientedPiece } from '../../sequence/coding-sequence.ts'
import type { Strand } from '../../sequence/region.ts'
import { PackedNames } from '../../text/packed-names.ts'
import type { AttributeDialect, Feature, Phase } from '../feature.ts'
import { firstOf } from '../feature-types.ts'
import type { CdsModel, ExonModel } from '../gene-models.ts'

export interface AttributeText {
  text: string
  dialect: AttributeDialect
}

/** All definitions of one identifier, and the exons, coding parts … that name it as their parent. */
export interface Node {
  key: string
  /** The identifier as the file writes it. */
  id: string
  definitions: Feature[]
  /** A segment that holds genes, and is no parent of theirs: those who name it are without one. */
  isLandmark: boolean
  /** GTF: the gene_id that a line of this transcript gave. */
  gtfGene: { key: string; id: string } | null
  firstPart: number
  lastPart: number
  genes: GeneDraft[]
  transcripts: TranscriptDraft[]
}

export interface GeneDraft {
  /** As in the file. */
  rawId: string
  feature: Feature | null
  /** Further lines of the same feature: parts of a trans-spliced gene. */
  moreRows: Feature[]
  direct: number[]
  transcripts: TranscriptDraft[]
  line: number
  /** What stands in for a gene line that is not there. */
  borrowed: AttributeText | null
  /** The making of its transcripts needs no word: that of the gene was said, or the format has none. */
  silent: boolean
}

export interface TranscriptDraft {
  rawId: string
  feature: Feature | null
  moreRows: Feature[]
  parts: number[]
  line: number
  /** The id was given here, not by the file, and may be changed. */
  made: boolean
}

export interface TargetSequence {
  name: string
  lengthBp: number | null
  circular: boolean
  order: number
}

export interface Segment {
  start1: number
  end1: number
  strand: Strand
  phase: Phase | null
  line: number
  part: number
}

/** The columns of parts, one entry a line: objects would take ten times the memory. */
export class PartStore {
  length = 0
  kind = new Uint8Array(1024)
  strand = new Int8Array(1024)
  phase = new Int8Array(1024)
  start1 = new Int32Array(1024)
  end1 = new Int32Array(1024)
  sequence = new Int32Array(1024)
  line = new Int32Array(1024)
  next = new Int32Array(1024)
  /** Ninth column of coding parts; lines of one CDS share that of the first. */
  readonly text: (string | null)[] = []
  readonly cdsId: (string | null)[] = []

  add(kind: number, feature: Feature, sequence: number): number {
    if (this.length === this.kind.length) this.#grow()
    const index = this.length++
    this.kind[index] = kind
    this.strand[index] = feature.strand === '+' ? 1 : feature.strand === '-' ? -1 : 0
    this.phase[index] = feature.phase ?? -1
    this.start1[index] = feature.start1
    this.end1[index] = feature.end1
    this.sequence[index] = sequence
    this.line[index] = feature.line
    this.next[index] = -1
    this.text.push(null)
    this.cdsId.push(null)
    return index
  }

  clear(): void {
    this.length = 0
    this.text.length = 0
    this.cdsId.length = 0
  }

  #grow(): void {
    const size = this.kind.length * 2
    const grown = <T extends Uint8Array | Int8Array | Int32Array>(old: T, made: T): T => {
      made.set(old)
      return made
    }
    this.kind = grown(this.kind, new Uint8Array(size))
    this.strand = grown(this.strand, new Int8Array(size))
    this.phase = grown(this.phase, new Int8Array(size))
    this.start1 = grown(this.start1, new Int32Array(size))
    this.end1 = grown(this.end1, new Int32Array(size))
    this.sequence = grown(this.sequence, new Int32Array(size))
    this.line = grown(this.line, new Int32Array(size))
    this.next = grown(this.next, new Int32Array(size))
  }

  segment(index: number): Segment {
    const phase = this.phase[index]!
    return {
      start1: this.start1[index]!,
      end1: this.end1[index]!,
      strand: signStrand(this.strand[index]!),
      phase: phase < 0 ? null : (phase as Phase),
      line: this.line[index]!,
      part: index,
    }
  }
}

function signStrand(sign: number): Strand {
  return sign > 0 ? '+' : sign < 0 ? '-' : '.'
}

/** Identifiers given so far, with the line of each. */
export class TakenIds {
  readonly #names = new PackedNames()
  #lines = new Int32Array(64)

  has(id: string): boolean {
    return this.get(id) !== undefined
  }

  get(id: string): number | undefined {
    const position = this.#names.find(id)
    return position === null || this.#lines[position] === freed ? undefined : this.#lines[position]
  }

  set(id: string, line: number): void {
    const position = this.#names.add(id)
    if (position >= this.#lines.length) {
      const lines = new Int32Array(this.#lines.length * 2)
      lines.set(this.#lines)
      this.#lines = lines
    }
    this.#lines[position] = line
  }

  delete(id: string): void {
    const position = this.#names.find(id)
    if (position !== null) this.#lines[position] = freed
  }
}

const freed = -1

export interface BuiltTranscript {
  id: string
  type: string | null
  sequence: number
  strand: Strand
  start1: number
  end1: number
  exons: ExonModel[]
  cds: (CdsModel & { strand: Strand })[]
  readingOrder: OrientedPiece[] | undefined
  source: AttributeText | null
  cdsText: AttributeText | null
  line: number
  pseudo: boolean
}

export class LocusTags {
  readonly #genes: readonly GeneDraft[]
  #byTag: Map<string, GeneDraft> | null = null

  constructor(genes: readonly GeneDraft[]) {
    this.#genes = genes.slice()
  }

  find(sequenceName: string, tag: string): GeneDraft | null {
    if (!this.#byTag) {
      this.#byTag = new Map()
      for (const gene of this.#genes) {
        if (!gene.feature) continue
        const own = firstOf(gene.feature.attributes, ['locus_tag'])
        if (own !== null) this.#byTag.set(`${gene.feature.sequenceName}\t${own}`, gene)
      }
    }
    return this.#byTag.get(`${sequenceName}\t${tag}`) ?? null
  }
}

export interface GeneSpan {
  sequence: string
  strand: Strand
  start1: number
  end1: number
}

/** Genes that have no part and that no transcript names, by place. */
export class BareGenes {
  readonly #bySequence = new Map<string, GeneDraft[]>()

  constructor(genes: readonly GeneDraft[], named: ReadonlySet<string>) {
    for (const gene of genes) {
      if (!gene.feature || gene.direct.length > 0 || named.has(gene.rawId)) continue
      const own = this.#bySequence.get(gene.feature.sequenceName)
      if (own) own.push(gene)
      else this.#bySequence.set(gene.feature.sequenceName, [gene])
    }
    for (const own of this.#bySequence.values()) own.sort((a, b) => a.feature!.start1 - b.feature!.start1)
  }

  /** The only gene that holds the span on its strand; null when there are none or several. */
  take({ sequence, strand, start1, end1 }: GeneSpan): GeneDraft | null {
    const genes = this.#bySequence.get(sequence) ?? []
    let low = 0
    let high = genes.length
    while (low < high) {
      const middle = (low + high) >> 1
      if (genes[middle]!.feature!.start1 <= start1) low = middle + 1
      else high = middle
    }
    const holding: GeneDraft[] = []
    // Of genes that begin further ahead few reach here.
    for (let at = low - 1; at >= Math.max(0, low - 100); at--) {
      const row = genes[at]!.feature!
      if (row.end1 >= end1 && (row.strand === strand || row.strand === '.' || strand === '.')) holding.push(genes[at]!)
    }
    return holding.length === 1 ? holding[0]! : null
  }
}

export function newGeneDraft(rawId: string, feature: Feature | null, line = feature?.line ?? 0): GeneDraft {
  return { rawId, feature, moreRows: [], direct: [], transcripts: [], line, borrowed: null, silent: false }
}

export function readStoredText(stored: string | null): AttributeText | null {
  if (stored === null) return null
  return { text: stored.slice(1), dialect: stored[0] === 'g' ? 'gtf' : 'gff3' }
}
