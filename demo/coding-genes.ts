import { translate } from '../src/bio/sequence/genetic-codes.ts'
import { reverseComplement } from '../src/bio/sequence/sequence.ts'
import { gff3Head, renderGff3Row } from './gff3-rows.ts'

/** A protein-coding gene with one transcript, as the fungal sources give them. */
export interface CodingGene {
  id: string
  aliases: string[]
  description: string | null
  sequence: string
  strand: '+' | '-'
  /** Ascending. */
  exons: { start1: number; end1: number }[]
  /** Ascending; the phase counts in the direction of the strand. */
  cds: { start1: number; end1: number; phase: 0 | 1 | 2 }[]
  references: string[]
}

export interface CodingSummary {
  genes: number
  introns: number
  /** Genes with more than one exon. */
  spliced: number
  /** Genes whose translation has a stop inside. */
  interrupted: string[]
  /** Genes whose translation begins with M and ends with a stop. */
  complete: number
}

const interruptedNote = 'The translation has stops inside, as the source gives this gene.'

/** The coding sequence from its first whole codon on, in the gene's direction. */
export function readCodingSequence(genome: ReadonlyMap<string, string>, gene: CodingGene): string {
  const whole = genome.get(gene.sequence)
  if (whole === undefined) throw new RangeError(`${gene.id}: no sequence ${gene.sequence}`)
  const forward = gene.cds.map(({ start1, end1 }) => whole.slice(start1 - 1, end1)).join('')
  const coding = gene.strand === '+' ? forward : reverseComplement(forward)
  const first = gene.strand === '+' ? gene.cds[0] : gene.cds.at(-1)
  return coding.slice(first?.phase ?? 0)
}

/** GFF3 lines of gene, mRNA, exons and CDS, and what the translations look like (standard code). */
export function renderCodingGenes(
  genome: ReadonlyMap<string, string>,
  genes: readonly CodingGene[],
  source: string,
): { lines: string[]; summary: CodingSummary } {
  const order = new Map([...genome.keys()].map((name, i) => [name, i]))
  const lines = gff3Head([...genome].map(([name, sequence]) => [name, sequence.length]))
  const summary: CodingSummary = { genes: 0, introns: 0, spliced: 0, interrupted: [], complete: 0 }
  const sorted = [...genes].sort(
    (a, b) => order.get(a.sequence)! - order.get(b.sequence)! || a.exons[0]!.start1 - b.exons[0]!.start1,
  )
  for (const gene of sorted) {
    const protein = translate(readCodingSequence(genome, gene))
    const interrupted = protein.slice(0, -1).includes('*')
    summary.genes++
    summary.introns += gene.exons.length - 1
    if (gene.exons.length > 1) summary.spliced++
    if (interrupted) summary.interrupted.push(gene.id)
    else if (protein.startsWith('M') && protein.endsWith('*')) summary.complete++

    const { sequence, strand } = gene
    const locus = { sequence, source, strand, start1: gene.exons[0]!.start1, end1: gene.exons.at(-1)!.end1 }
    const transcript = `${gene.id}.t1`
    lines.push(
      renderGff3Row({
        ...locus,
        type: 'gene',
        attributes: {
          ID: gene.id,
          Alias: gene.aliases,
          gene_biotype: 'protein_coding',
          description: gene.description,
          Dbxref: gene.references,
          Note: interrupted ? interruptedNote : null,
        },
      }),
      renderGff3Row({ ...locus, type: 'mRNA', attributes: { ID: transcript, Parent: gene.id } }),
    )
    for (const exon of gene.exons)
      lines.push(renderGff3Row({ sequence, source, strand, ...exon, type: 'exon', attributes: { Parent: transcript } }))
    for (const part of gene.cds)
      lines.push(
        renderGff3Row({
          sequence,
          source,
          strand,
          ...part,
          type: 'CDS',
          attributes: { ID: `${gene.id}.p1`, Parent: transcript, product: gene.description },
        }),
      )
  }
  return { lines, summary }
}
