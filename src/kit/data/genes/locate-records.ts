import {
  chooseRepresentative,
  clipFlank,
  type FlankSide,
  findAnchor,
  findFlank,
  type GeneStrand,
  type Interval,
  inReadingDirection,
  intervalsLengthBp,
  type OrientedInterval,
  placeInterval,
  readCodingParts,
  readExons,
  readIntrons,
  readUntranslatedRegions,
} from '../../../bio/annotation/gene-geometry.ts'
import type { StoredTranscript } from '../../../database/genes.ts'
import type { CatalogueGene, GenomeSequence } from '../portal-data.ts'
import { findPromoter, type PromoterRegion } from './promoter-region.ts'
import type { PromoterRule } from './promoter-rules.ts'

/** Parts of genes and their flanks that can be taken as sequences. */
export const geneSequenceParts = [
  'gene',
  'flanked',
  'cdna',
  'cds',
  'protein',
  'exons',
  'introns',
  'utr5',
  'utr3',
  'upstream',
  'downstream',
] as const
export type GeneSequencePart = (typeof geneSequenceParts)[number]

/** Parts of the gene as a whole, for which the choice of transcripts means nothing. */
export const wholeGeneParts: readonly GeneSequencePart[] = ['gene', 'flanked']

export interface ExtractionChoice {
  part: GeneSequencePart
  transcripts: 'longest' | 'all'
  from: 'transcript' | 'coding'
  upstreamBp: number
  downstreamBp: number
  insideBp: number
  clip: boolean
  keepStop: boolean
}

export interface Note {
  id: string
  params: Record<string, string | number>
}

/** A sequence to be read: where it lies and what it is called. Nothing has been read yet. */
export interface LocatedRecord {
  name: string
  gene: CatalogueGene
  transcript: StoredTranscript | null
  /** Within the sequence, in the order in which the record reads (falling on the reverse strand), each on its strand. */
  pieces: OrientedInterval[]
  lengthBp: number
  notes: Note[]
  /** Of a flank: what it lies before or behind, the gene's own bases that it takes in, and by which rule a promoter was taken. */
  flank?: { anchorBp: number; rule: PromoterRule; gene: string | null }
}

export interface NeighbourGene extends Interval {
  id: string
  strand: GeneStrand
  /** From the first to the last coding base of all its transcripts; null of a gene that codes for nothing. */
  coding: Interval | null
}

/** Genes near a segment of a sequence; coordinates may lie across the origin, as the segment does. */
export type FindNeighbours = (sequence: string, start1: number, end1: number) => NeighbourGene[]

/**
 * Locates what is asked for of one gene. `only` restricts to one transcript (its id was what was typed). Gives back either
 * records or the reason why there is none.
 */
export const locateRecords = (
  gene: CatalogueGene,
  only: string | null,
  sequence: GenomeSequence,
  choice: ExtractionChoice,
  findNeighbours: FindNeighbours,
): { records: LocatedRecord[]; reason: Note | null } => {
  const { part } = choice
  if (wholeGeneParts.includes(part)) return locateGene(gene, sequence, choice, findNeighbours)

  const chosen = chooseTranscripts(gene, only, choice)
  if (chosen.length === 0 && part !== 'upstream' && part !== 'downstream') {
    return { records: [], reason: { id: 'reason.no-transcript', params: {} } }
  }
  const records: LocatedRecord[] = []
  let reason: Note | null = null
  // A gene without transcripts still has flanks: those of the gene.
  for (const transcript of chosen.length > 0 ? chosen : [null]) {
    const found = locateTranscript(gene, transcript, sequence, choice, findNeighbours)
    records.push(...found.records)
    reason ??= found.reason
  }
  return { records, reason: records.length > 0 ? null : reason }
}

const chooseTranscripts = (
  gene: CatalogueGene,
  only: string | null,
  { part, transcripts, from }: ExtractionChoice,
): StoredTranscript[] => {
  if (only !== null) return gene.transcripts.filter((transcript) => transcript.id === only)
  if (transcripts === 'longest') {
    const representative = chooseRepresentative(gene.transcripts)
    return representative === null ? [] : [representative]
  }
  // Asked for the coding sequences of all transcripts, those that code for nothing are passed over, unless none does.
  const needsCoding =
    ['cds', 'protein', 'utr5', 'utr3'].includes(part) ||
    (from === 'coding' && (part === 'upstream' || part === 'downstream'))
  const coding = gene.transcripts.filter((transcript) => transcript.cds.length > 0)
  return needsCoding && coding.length > 0 ? coding : gene.transcripts
}

/** Places segments that are in reading order on the sequence; adds what was lost at its ends. */
const place = (
  segments: readonly OrientedInterval[],
  sequence: GenomeSequence,
  notes: Note[],
): { pieces: OrientedInterval[]; lengthBp: number } => {
  const pieces: OrientedInterval[] = []
  let missingBp = 0
  let crossesOrigin = false
  for (const { strand, ...interval } of segments) {
    const placed = placeInterval(interval, sequence)
    pieces.push(...inReadingDirection(placed.pieces, strand))
    missingBp += placed.missingBeforeBp + placed.missingAfterBp
    crossesOrigin ||= placed.crossesOrigin
  }
  if (missingBp > 0) notes.push({ id: 'note.edge', params: { missing: missingBp, sequence: sequence.name } })
  if (crossesOrigin) notes.push({ id: 'note.origin', params: { sequence: sequence.name } })
  return { pieces, lengthBp: intervalsLengthBp(pieces) }
}

const locateGene = (
  gene: CatalogueGene,
  sequence: GenomeSequence,
  choice: ExtractionChoice,
  findNeighbours: FindNeighbours,
): { records: LocatedRecord[]; reason: Note | null } => {
  const notes = strandNotes(gene)
  const whole = { start1: gene.start, end1: gene.end }
  let extended = whole
  if (choice.part === 'flanked') {
    for (const side of ['upstream', 'downstream'] as const) {
      const outsideBp = side === 'upstream' ? choice.upstreamBp : choice.downstreamBp
      const flank = clippedFlank(
        gene,
        whole,
        gene.strand,
        side,
        outsideBp,
        0,
        sequence,
        choice.clip,
        findNeighbours,
        notes,
      )
      if (flank === null) continue
      extended = {
        start1: Math.min(extended.start1, flank.start1),
        end1: Math.max(extended.end1, flank.end1),
      }
    }
  }
  const { pieces, lengthBp } = place(inReadingDirection([extended], gene.strand), sequence, notes)
  const name = choice.part === 'gene' ? gene.id : `${gene.id}.flanked`
  return { records: [{ name, gene, transcript: null, pieces, lengthBp, notes }], reason: null }
}

const strandNotes = (gene: CatalogueGene): Note[] =>
  gene.strand === '.' ? [{ id: 'note.strandless', params: {} }] : []

/** Bases of a flank that do not run around a circular sequence into its own gene. */
const capOnCircle = (anchor: Interval, wantedBp: number, sequence: GenomeSequence, notes: Note[]): number => {
  const anchorBp = anchor.end1 - anchor.start1 + 1
  const outsideBp = sequence.circular ? Math.min(wantedBp, Math.max(0, sequence.lengthBp - anchorBp)) : wantedBp
  if (outsideBp < wantedBp)
    notes.push({ id: 'note.around', params: { missing: wantedBp - outsideBp, sequence: sequence.name } })
  return outsideBp
}

/** What was taken as the promoter, where it is not simply what was asked for. */
const promoterNotes = ({ rule, gene, clippedBp, genes }: PromoterRegion): Note[] => {
  if (rule === 'operon') return [{ id: 'note.operon', params: { gene: gene!, genes } }]
  if (rule === 'into-neighbour') return [{ id: 'note.into-neighbour', params: { gene: gene! } }]
  const clipped =
    gene === null ? [] : [{ id: 'note.clipped-upstream', params: { missing: clippedBp, gene } } satisfies Note]
  return rule === 'start-codon' ? [{ id: 'note.start-codon', params: {} }, ...clipped] : clipped
}

/** A flank, capped so that on a circular sequence it does not run into its own gene, and clipped where that is asked for. */
const clippedFlank = (
  gene: CatalogueGene,
  anchor: Interval,
  strand: GeneStrand,
  side: FlankSide,
  wantedBp: number,
  insideBp: number,
  sequence: GenomeSequence,
  clip: boolean,
  findNeighbours: FindNeighbours,
  notes: Note[],
): Interval | null => {
  const outsideBp = capOnCircle(anchor, wantedBp, sequence, notes)
  const options = { side, strand, outsideBp, insideBp }
  const flank = findFlank(anchor, options)
  if (flank === null || !clip) return flank
  const neighbours = findNeighbours(gene.sequence, flank.start1, flank.end1).filter(
    (neighbour) => neighbour.id !== gene.id,
  )
  const { flank: clipped, clippedBp, at } = clipFlank(flank, anchor, options, neighbours)
  if (at !== null) notes.push({ id: `note.clipped-${side}`, params: { missing: clippedBp, gene: at.id } })
  return clipped
}

const locateTranscript = (
  gene: CatalogueGene,
  transcript: StoredTranscript | null,
  sequence: GenomeSequence,
  choice: ExtractionChoice,
  findNeighbours: FindNeighbours,
): { records: LocatedRecord[]; reason: Note | null } => {
  const { part } = choice
  const none = (id: string, params: Note['params'] = {}) => ({ records: [], reason: { id, params } })
  const base = transcript?.id ?? gene.id
  const one = (name: string, segments: readonly OrientedInterval[], notes: Note[] = strandNotes(gene)) => {
    const { pieces, lengthBp } = place(segments, sequence, notes)
    return { name, gene, transcript, pieces, lengthBp, notes }
  }

  if (part === 'upstream' || part === 'downstream') {
    if (choice.from === 'coding' && (transcript === null || transcript.cds.length === 0)) return none('reason.no-cds')
    const found = transcript === null ? null : findAnchor(transcript, gene.strand, choice.from, part)
    const { anchor, strand } = found ?? { anchor: { start1: gene.start, end1: gene.end }, strand: gene.strand }
    const notes = strandNotes(gene)
    const wantedBp = part === 'upstream' ? choice.upstreamBp : choice.downstreamBp
    if (part === 'upstream' && choice.clip) {
      const cappedBp = capOnCircle(anchor, wantedBp, sequence, notes)
      const asked = { anchor, strand, from: choice.from }
      const found = findPromoter(gene, transcript, sequence, asked, cappedBp, choice.insideBp, findNeighbours)
      if (found === null) return none('reason.no-bases')
      notes.push(...promoterNotes(found))
      const record = one(`${base}.${part}`, inReadingDirection([found.flank], found.strand), notes)
      const anchorBp = found.anchor.end1 - found.anchor.start1 + 1
      return record.lengthBp === 0
        ? none('reason.at-edge', { sequence: sequence.name })
        : { records: [{ ...record, flank: { anchorBp, rule: found.rule, gene: found.gene } }], reason: null }
    }
    const flank = clippedFlank(
      gene,
      anchor,
      strand,
      part,
      wantedBp,
      choice.insideBp,
      sequence,
      choice.clip,
      findNeighbours,
      notes,
    )
    if (flank === null) {
      const clipped = notes.find((note) => note.id === `note.clipped-${part}`)
      return clipped ? none('reason.clipped-away', { gene: clipped.params.gene! }) : none('reason.no-bases')
    }
    const record = one(`${base}.${part}`, inReadingDirection([flank], strand), notes)
    const anchorBp = anchor.end1 - anchor.start1 + 1
    return record.lengthBp === 0
      ? none('reason.at-edge', { sequence: sequence.name })
      : { records: [{ ...record, flank: { anchorBp, rule: 'asked', gene: null } }], reason: null }
  }

  if (transcript === null) return none('reason.no-transcript')
  const numbered = (segments: readonly OrientedInterval[], what: string): LocatedRecord[] =>
    segments.map((segment, index) => one(`${base}.${what}${index + 1}`, [segment]))
  switch (part) {
    case 'exons':
      return { records: numbered(readExons(transcript, gene.strand), 'exon'), reason: null }
    case 'introns': {
      const introns = readIntrons(transcript, gene.strand)
      return introns.length === 0 ? none('reason.no-intron') : { records: numbered(introns, 'intron'), reason: null }
    }
    case 'cdna':
      return { records: [one(`${base}.cdna`, readExons(transcript, gene.strand))], reason: null }
    case 'cds':
    case 'protein': {
      const coding = readCodingParts(transcript, gene.strand)
      if (coding.length === 0) return none('reason.no-cds')
      const name = part === 'cds' ? `${base}.cds` : (transcript.proteinId ?? `${base}.protein`)
      return { records: [one(name, coding)], reason: null }
    }
    case 'utr5':
    case 'utr3': {
      if (transcript.cds.length === 0) return none('reason.no-cds')
      const { five, three } = readUntranslatedRegions(transcript, gene.strand)
      const intervals = part === 'utr5' ? five : three
      if (intervals.length === 0) return none(`reason.no-${part}`)
      return { records: [one(`${base}.${part}`, intervals)], reason: null }
    }
    default:
      return none('reason.no-transcript')
  }
}
