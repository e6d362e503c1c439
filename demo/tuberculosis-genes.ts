import { translate } from '../src/bio/sequence/genetic-codes.ts'
import { reverseComplement } from '../src/bio/sequence/sequence.ts'
import { type Gff3Row, gff3Head, renderGff3Row } from './gff3-rows.ts'

/** A row of TRANSIT's gene tables (`.prot_table`), which bring one coding sequence or rRNA each. */
export interface TableGene {
  locus: string
  symbol: string | null
  description: string
  start1: number
  end1: number
  strand: '+' | '-'
  /** As the table says; whether the stop codon is counted differs between tables. */
  residues: number
  proteinGi: string | null
  geneId: string | null
  /** Clusters of orthologous groups with their letters, e.g. `COG0593` with `L`. */
  clusters: { id: string; letters: string }[]
  rna: boolean
}

/** The bacterial code: NCBI translation table 11. */
export const bacterialCode = 11

const given = (text: string | undefined): string | null => {
  const value = text?.trim() ?? ''
  return value === '' || value === '-' || value === '?' || value === '0' ? null : value
}

/**
 * Reads a gene table: tab-separated description, start, end, strand, length in residues, two database numbers (protein GI
 * and GeneID), symbol, locus, COG. Throws SyntaxError with the line number on a row that is none.
 */
export function parseGeneTable(text: string): TableGene[] {
  const genes: TableGene[] = []
  for (const [index, line] of text.split(/\r?\n/).entries()) {
    if (!line.trim()) continue
    const [description, start, end, strand, residues, gi, geneId, symbol, locus, cog] = line.split('\t')
    const start1 = Number(start)
    const end1 = Number(end)
    if (!locus || !(start1 >= 1) || !(end1 >= start1) || (strand !== '+' && strand !== '-'))
      throw new SyntaxError(`gene table, line ${index + 1}: ${line}`)
    const clusters: TableGene['clusters'] = []
    for (const [, id, letters] of (cog ?? '').matchAll(/(COG\d{4})([A-Z]*)/g))
      clusters.push({ id: id!, letters: letters! })
    const rna = /^\d+S rRNA$/.test(description!.trim())
    genes.push({
      locus: locus.trim(),
      symbol: given(symbol),
      description: description!.trim(),
      start1,
      end1,
      strand,
      residues: Number(residues),
      proteinGi: rna ? null : given(gi),
      geneId: rna ? null : given(geneId),
      clusters,
      rna,
    })
  }
  return genes
}

export interface ReadingFrames {
  /** Coding sequences that are proteins as they stand: whole codons, one stop, at the end. */
  whole: number
  /** Loci of coding sequences with a stop inside or a length that is not a multiple of three. */
  interrupted: string[]
  /** Loci of coding sequences that do not end in a stop codon. */
  unended: string[]
  rna: number
  /** Coding sequences by first codon. */
  starts: Map<string, number>
  /** Coding sequences whose table length is neither the codons nor the codons less the stop. */
  otherLength: string[]
}

const frameNote =
  'The reading frame is interrupted in this sequence, as in the source: the length is not a multiple of three or a stop stands inside.'
const endNote = 'The last codon is not a stop, as in the source.'

/** The gene's sequence in its own direction. */
export const codingSequence = (genome: string, gene: Pick<TableGene, 'start1' | 'end1' | 'strand'>): string => {
  const forward = genome.slice(gene.start1 - 1, gene.end1)
  return gene.strand === '+' ? forward : reverseComplement(forward)
}

/**
 * Gene models as GFF3 lines (gene and CDS, or gene and rRNA), and what translating every CDS with the bacterial code shows.
 * What the source gives with an interrupted reading frame stays, with a note on the gene.
 */
export function renderGeneModels(
  sequenceName: string,
  genome: string,
  genes: readonly TableGene[],
): { lines: string[]; frames: ReadingFrames } {
  const lines = gff3Head([[sequenceName, genome.length]])
  const frames: ReadingFrames = {
    whole: 0,
    interrupted: [],
    unended: [],
    rna: 0,
    starts: new Map(),
    otherLength: [],
  }
  for (const gene of [...genes].sort((a, b) => a.start1 - b.start1 || a.end1 - b.end1)) {
    const note = gene.rna ? null : checkFrame(genome, gene, frames)
    if (gene.rna) frames.rna++
    const locus = {
      sequence: sequenceName,
      source: 'TRANSIT',
      start1: gene.start1,
      end1: gene.end1,
      strand: gene.strand,
    }
    const references = [
      ...(gene.geneId ? [`GeneID:${gene.geneId}`] : []),
      ...(gene.proteinGi ? [`NCBI_GI:${gene.proteinGi}`] : []),
      ...gene.clusters.map(({ id }) => `COG:${id}`),
    ]
    const rows: Gff3Row[] = [
      {
        ...locus,
        type: 'gene',
        attributes: {
          ID: gene.locus,
          Name: gene.symbol,
          gene: gene.symbol,
          locus_tag: gene.locus,
          gene_biotype: gene.rna ? 'rRNA' : 'protein_coding',
          description: gene.description,
          Dbxref: references,
          Note: note,
        },
      },
    ]
    if (gene.rna)
      rows.push({
        ...locus,
        type: 'rRNA',
        attributes: { ID: `rna-${gene.locus}`, Parent: gene.locus, product: gene.description },
      })
    else
      rows.push({
        ...locus,
        type: 'CDS',
        phase: 0,
        attributes: {
          ID: `cds-${gene.locus}`,
          Parent: gene.locus,
          Name: gene.symbol,
          locus_tag: gene.locus,
          product: gene.description,
          protein_length: String(gene.residues),
          transl_table: String(bacterialCode),
        },
      })
    for (const row of rows) lines.push(renderGff3Row(row))
  }
  return { lines, frames }
}

function checkFrame(genome: string, gene: TableGene, frames: ReadingFrames): string | null {
  const cds = codingSequence(genome, gene)
  const start = cds.slice(0, 3)
  frames.starts.set(start, (frames.starts.get(start) ?? 0) + 1)
  const protein = translate(cds, { table: bacterialCode, firstCodonIsStart: true })
  const codons = Math.floor(cds.length / 3)
  if (gene.residues !== codons && gene.residues !== codons - 1) frames.otherLength.push(gene.locus)
  if (cds.length % 3 !== 0 || protein.slice(0, -1).includes('*')) {
    frames.interrupted.push(gene.locus)
    return frameNote
  }
  if (!protein.endsWith('*')) {
    frames.unended.push(gene.locus)
    return endNote
  }
  frames.whole++
  return null
}
