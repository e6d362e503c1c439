import { type Attributes, formatGff3Attributes } from './feature.ts'

/** What of a gene model is written; coordinates 1-based, inclusive. */
export interface WrittenGene {
  id: string
  symbol: string | null
  aliases: string[]
  description: string | null
  biotype: string
  sequenceName: string
  start1: number
  end1: number
  strand: string
  transcripts: {
    id: string
    biotype: string
    start1: number
    end1: number
    exons: { start1: number; end1: number }[]
    cds: { start1: number; end1: number; phase: number }[]
    proteinId: string | null
  }[]
}

/**
 * Lines of one gene as regular GFF3 (specification 1.26): gene, transcripts, exons, CDS with phases; parents before their parts,
 * reserved signs of the ninth column percent-encoded.
 *
 * Example: a gene `g` at 5..9 of `c`, without transcripts, gives
 * `['c\tNovoDB\tgene\t5\t9\t.\t+\t.\tID=g;Name=g;biotype=gene']`.
 */
export const geneGff3Lines = (gene: WrittenGene): string[] => {
  const line = (type: string, start1: number, end1: number, phase: string, attributes: Attributes): string =>
    [gene.sequenceName, 'NovoDB', type, start1, end1, '.', gene.strand, phase, formatGff3Attributes(attributes)].join(
      '\t',
    )
  const lines = [
    line('gene', gene.start1, gene.end1, '.', {
      ID: [gene.id],
      Name: [gene.symbol ?? gene.id],
      Alias: gene.aliases,
      biotype: [gene.biotype],
      description: gene.description === null ? [] : [gene.description],
    }),
  ]
  for (const transcript of gene.transcripts) {
    const type =
      transcript.cds.length > 0 ? 'mRNA' : transcript.biotype.endsWith('RNA') ? transcript.biotype : 'transcript'
    // A transcript that carries its gene's id would make a second feature of that ID.
    const id = transcript.id === gene.id ? `${transcript.id}.t` : transcript.id
    lines.push(
      line(type, transcript.start1, transcript.end1, '.', { ID: [id], Parent: [gene.id], Name: [transcript.id] }),
    )
    for (const exon of transcript.exons) lines.push(line('exon', exon.start1, exon.end1, '.', { Parent: [id] }))
    for (const part of transcript.cds) {
      lines.push(
        line('CDS', part.start1, part.end1, String(part.phase), {
          ID: [`${id}.cds`],
          Parent: [id],
          protein_id: transcript.proteinId === null ? [] : [transcript.proteinId],
        }),
      )
    }
  }
  return lines
}
