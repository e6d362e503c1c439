// What the lines of an annotation are by their type, and which names they carry.

import { type Attributes, findGff3Value, findGtfValue, ownString } from './feature.ts'

export const exonPart = 0
export const cdsPart = 1
export const utrPart = 2
export const stopPart = 3
/** Derivable from the others: introns, start codons, transcription sites. */
export const derivedPart = 4

export type Role = 'gene' | 'transcript' | 'part' | 'other'

export interface TypeMeaning {
  role: Role
  part: number
}

const partTypes = new Map<string, number>([
  ...['exon', 'noncoding_exon', 'non_coding_exon', 'coding_exon', 'pseudogenic_exon', 'interior_coding_exon'].map(
    (type) => [type, exonPart] as const,
  ),
  ['cds', cdsPart],
  ...[
    'utr',
    'five_prime_utr',
    'three_prime_utr',
    '5utr',
    '3utr',
    "5'utr",
    "3'utr",
    '5_utr',
    '3_utr',
    "5'_utr",
    "3'_utr",
  ].map((type) => [type, utrPart] as const),
  ...['utr5', 'utr3', 'utr_5', 'utr_3', 'five_prime_untranslated_region', 'three_prime_untranslated_region'].map(
    (type) => [type, utrPart] as const,
  ),
  ['stop_codon', stopPart],
  ...['intron', 'start_codon', 'transcription_start_site', 'transcription_end_site', 'tss', 'tts', 'initial'].map(
    (type) => [type, derivedPart] as const,
  ),
  ...['internal', 'terminal', 'single', 'five_prime_cis_splice_site', 'three_prime_cis_splice_site'].map(
    (type) => [type, derivedPart] as const,
  ),
])

/** What lines of a type are, such as `mRNA`: that of a transcript. */
export function readType(type: string): TypeMeaning {
  const name = type.toLowerCase().replace(/[\s-]/g, '_')
  const part = partTypes.get(name)
  if (part !== undefined) return { role: 'part', part }
  // gene, ncRNA_gene, tRNA_gene, transposable_element_gene, pseudogene, processed_pseudogene …
  if (/(^|_|pseudo)gene$/.test(name)) return { role: 'gene', part: -1 }
  // mRNA, tRNA, lnc_RNA, primary_transcript, NMD_transcript_variant, V_gene_segment …
  if (/(rna|transcript|transcript_variant|_gene_segment)$/.test(name)) return { role: 'transcript', part: -1 }
  return { role: 'other', part: -1 }
}

// Segments that hold genes but are none of their parents: some exporters write the chromosome as Parent.
export const landmarkTypes =
  /^(chromosome|contig|supercontig|scaffold|region|sequence|source|operon|plasmid|assembly|.*_region)$/i

/** An identifier of GFF3 without its percent escapes; as it is where they are none. */
export function decode(text: string): string {
  if (!text.includes('%')) return text
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

// The name in front keeps transcripts and genes of GTF apart, which share names in the files of UCSC; the sequence, the copies of
// one gene on X and Y. No GFF3 identifier begins with a control character.
export function gtfKey(kind: 'g' | 't', sequence: number, id: string): string {
  return `\u0001${kind}${sequence}\t${id}`
}

export function gtfGeneOf(sequence: number, id: string): { key: string; id: string } {
  const own = ownString(id)
  return { key: gtfKey('g', sequence, own), id: own }
}

export function gtfGeneId(text: string): string | null {
  return findGtfValue(text, 'gene_id') || findGtfValue(text, 'geneId') || null
}

/** The raw identifier of a line of GFF3, or null. */
export function gff3Id(text: string): string | null {
  return findGff3Value(text, 'ID') ?? findGff3Value(text, 'Id') ?? findGff3Value(text, 'id')
}

/** The raw list of the parents that a line of GFF3 names, or null. */
export function gff3Parents(text: string): string | null {
  return findGff3Value(text, 'Parent') ?? findGff3Value(text, 'PARENT') ?? findGff3Value(text, 'parent')
}

/** The raw list of the parents of an exon or coding part, or null. */
export function gff3PartParents(text: string, kind: number): string | null {
  return gff3Parents(text) ?? (kind === cdsPart ? findGff3Value(text, 'Derives_from') : null)
}

/** Whether the last column is a name alone, as AUGUSTUS and BRAKER write it in lines of genes. */
export const isBareName = (attributeText: string): boolean => !attributeText.includes('"')

/** The identifier that a gene's or transcript's own line of GTF gives it, or null. */
export function gtfOwnId(role: 'gene' | 'transcript', text: string): string | null {
  const geneId = gtfGeneId(text)
  const lone = geneId === null && !/["\s]/.test(text) && text !== '' && text !== '.' ? text.replace(/;$/, '') : null
  return role === 'gene' ? (geneId ?? lone) : (gtfTranscriptId(text) ?? lone)
}

/** What joins coding parts and exons that name no parent into one gene; null when nothing does. */
export function orphanGroup(kind: number, attributes: Attributes, line: number): string | null {
  const geneId = firstOf(attributes, ['locus_tag']) ?? firstOf(attributes, ['gene_id', 'geneID', 'transcript_id'])
  if (kind !== cdsPart) return geneId ?? firstOf(attributes, ['gene'])
  return geneId ?? firstOf(attributes, ['ID', 'protein_id', 'Name', 'name']) ?? `CDS_line_${line}`
}

// GFF2 of JGI names its transcripts by `name`; others by a `transcriptId` or the first value of the group.
export function gtfTranscriptId(text: string): string | null {
  const id = findGtfValue(text, 'transcript_id')
  if (id !== null || text.includes('gene_id')) return id
  for (const key of ['name', 'transcriptId', 'Parent', 'mRNA', 'Transcript']) {
    const other = findGtfValue(text, key)
    if (other !== null) return other
  }
  return null
}

/** The first value of the first of the keys that has one. */
export function firstOf(attributes: Attributes, keys: readonly string[]): string | null {
  for (const key of keys) {
    const value = attributes[key]?.[0]?.trim()
    if (value !== undefined && value !== '') return value
  }
  return null
}
