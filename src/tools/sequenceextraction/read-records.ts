import { firstPhase } from '../../bio/annotation/gene-geometry.ts'
import { translate } from '../../bio/sequence/genetic-codes.ts'
import { reverseComplement } from '../../bio/sequence/sequence.ts'
import type { ExtractionChoice, LocatedRecord, Note } from '../../kit/data/genes/locate-records.ts'
import type { GenomeSequence, PortalData } from '../../kit/data/portal-data.ts'
import type { Part } from './tool.ts'

/** A segment is read in one go, introns and all, when what is thrown away stays within these: one read is faster than ten. */
const wasteFactor = 4
const wasteBp = 50_000

/** The record's bases in reading order, case kept. */
const readBases = async (data: PortalData, assembly: string, record: LocatedRecord): Promise<string> => {
  const { pieces, gene } = record
  const first = pieces[0]
  if (first === undefined) return ''
  const orient = (bases: string, strand: '+' | '-'): string =>
    strand === '-' ? reverseComplement(bases, { rna: false }) : bases
  const low = Math.min(...pieces.map((piece) => piece.start1))
  const high = Math.max(...pieces.map((piece) => piece.end1))
  if (pieces.length > 1 && high - low + 1 <= record.lengthBp * wasteFactor + wasteBp) {
    const hull = await data.fetchSequence(assembly, gene.sequence, low, high)
    return pieces.map((piece) => orient(hull.slice(piece.start1 - low, piece.end1 - low + 1), piece.strand)).join('')
  }
  const read = await Promise.all(
    pieces.map((piece) => data.fetchSequence(assembly, gene.sequence, piece.start1, piece.end1)),
  )
  return read.map((bases, index) => orient(bases, pieces[index]!.strand)).join('')
}

export interface ReadRecord {
  residues: string
  notes: Note[]
}

/** Reads a record and, for a protein, translates it; what is odd about the coding sequence is noted. */
export const readRecord = async (
  data: PortalData,
  assembly: string,
  sequence: GenomeSequence,
  record: LocatedRecord,
  choice: ExtractionChoice,
): Promise<ReadRecord> => {
  const bases = await readBases(data, assembly, record)
  const notes = [...record.notes]
  if (choice.part !== 'cds' && choice.part !== 'protein') return { residues: bases, notes }
  const phase = record.transcript === null ? 0 : firstPhase(record.transcript, record.gene.strand)
  if (phase !== 0) notes.push({ id: 'note.phase', params: { phase } })
  const rest = (bases.length - phase) % 3
  if (rest !== 0) notes.push({ id: 'note.partial-codon', params: { rest } })
  if (choice.part === 'cds') return { residues: bases, notes }
  const protein = translate(bases, {
    table: sequence.geneticCode,
    phase,
    firstCodonIsStart: phase === 0,
    stopHandling: choice.keepStop ? 'keep' : 'trim',
  })
  const internal = (choice.keepStop ? protein.slice(0, -1) : protein).split('*').length - 1
  if (internal > 0) notes.push({ id: 'note.internal-stops', params: { count: internal } })
  return { residues: protein, notes }
}

const partWords: Record<Part, string> = {
  gene: 'gene',
  flanked: 'gene_with_flanks',
  cdna: 'cDNA',
  cds: 'CDS',
  protein: 'protein',
  exons: 'exon',
  introns: 'intron',
  utr5: "5'UTR",
  utr3: "3'UTR",
  upstream: 'upstream',
  downstream: 'downstream',
}

const anchorWords = {
  upstream: { transcript: 'TSS', coding: 'start_codon' },
  downstream: { transcript: 'TES', coding: 'stop_codon' },
} as const

/** What was asked of the flank, e.g. `upstream:2000_from_TSS` or `upstream:500_inside:100_from_start_codon`. */
const partWord = (choice: ExtractionChoice): string => {
  const { part, from, upstreamBp, downstreamBp, insideBp } = choice
  if (part === 'flanked') return `${partWords.flanked}:${upstreamBp}+${downstreamBp}`
  if (part !== 'upstream' && part !== 'downstream') return partWords[part]
  const outside = part === 'upstream' ? upstreamBp : downstreamBp
  return `${part}:${outside}${insideBp > 0 ? `_inside:${insideBp}` : ''}_from_${anchorWords[part][from]}`
}

/** A note as `name:key=value,key=value`, without blanks. */
export const noteWord = (note: Note): string => {
  const params = Object.entries(note.params).map(([key, value]) => `${key}=${String(value).replace(/\s+/g, '_')}`)
  return [note.id.replace(/^(note|reason)\./, ''), ...(params.length > 0 ? [params.join(',')] : [])].join(':')
}

/**
 * `chrI:151-200,301-350(-)`: 1-based, inclusive, in reading order; each piece has its strand where they differ (trans-splicing):
 * `pt:201-260(-),401-460(+)`.
 */
export const locationWord = ({ gene, pieces }: LocatedRecord): string => {
  const strand = recordStrand({ gene, pieces })
  const places = pieces.map((piece) => `${piece.start1}-${piece.end1}${strand === null ? `(${piece.strand})` : ''}`)
  return `${gene.sequence}:${places.join(',')}${strand === null ? '' : `(${strand})`}`
}

/** The strand that the whole record reads on; null where its pieces are on both. */
export const recordStrand = ({ gene, pieces }: Pick<LocatedRecord, 'gene' | 'pieces'>): '+' | '-' | '.' | null => {
  const strand = pieces[0]?.strand
  if (pieces.some((piece) => piece.strand !== strand)) return null
  return gene.strand === '.' ? '.' : (strand ?? gene.strand)
}

/**
 * The header says exactly what and where: id, gene, symbol, transcript, assembly, place, what was asked for, length, and every
 * note. Words are `key=value` and hold no blanks.
 */
export const recordHeader = (
  name: string,
  assembly: string,
  record: LocatedRecord,
  choice: ExtractionChoice,
  read: { length: number; notes: readonly Note[] },
): string => {
  const { gene, transcript } = record
  return [
    name,
    `gene=${gene.id}`,
    ...(gene.symbol === null ? [] : [`symbol=${gene.symbol.replace(/\s+/g, '_')}`]),
    ...(transcript === null ? [] : [`transcript=${transcript.id}`]),
    `assembly=${assembly}`,
    `location=${locationWord(record)}`,
    `part=${partWord(record.flank?.rule === 'start-codon' ? { ...choice, from: 'coding' } : choice)}`,
    `length=${read.length}${choice.part === 'protein' ? 'aa' : 'bp'}`,
    ...read.notes.map((note) => `note=${noteWord(note)}`),
  ].join(' ')
}
