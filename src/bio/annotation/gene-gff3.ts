import { type OrientedPiece, readingExons } from '../sequence/coding-sequence.ts'
import { type Attributes, formatGff3Attributes } from './feature.ts'
import type { CdsModel, GeneModel } from './gene-models.ts'

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
  strand: GeneModel['strand']
  transcripts: {
    id: string
    biotype: string
    start1: number
    end1: number
    exons: { start1: number; end1: number }[]
    cds: { start1: number; end1: number; phase: number }[]
    proteinId: string | null
    readingOrder?: OrientedPiece[]
  }[]
}

/**
 * Lines of one gene as regular GFF3 (specification 1.26): gene, transcripts, exons, CDS with phases; parents before their parts,
 * reserved signs of the ninth column percent-encoded. Parts of a trans-spliced transcript stand in the order in which they are
 * read, each on its strand. With the length of the sequence, parts that lie wholly behind the origin of a circle are numbered from
 * 1 again, as the specification wants no feature to begin beyond the length.
 *
 * Example: a gene `g` at 5..9 of `c`, without transcripts, gives
 * `['c\tNovoDB\tgene\t5\t9\t.\t+\t.\tID=g;Name=g;biotype=gene']`.
 */
export const geneGff3Lines = (gene: WrittenGene, lengthBp = Number.POSITIVE_INFINITY): string[] => {
  const line = (
    type: string,
    start1: number,
    end1: number,
    phase: string,
    attributes: Attributes,
    strand: string = gene.strand,
  ): string => {
    const shiftBp = start1 > lengthBp ? lengthBp : 0
    const place = [start1 - shiftBp, end1 - shiftBp]
    return [gene.sequenceName, 'NovoDB', type, ...place, '.', strand, phase, formatGff3Attributes(attributes)].join(
      '\t',
    )
  }
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
    const { readingOrder } = transcript
    const exception = readingOrder ? ['trans-splicing'] : []
    lines.push(
      line(type, transcript.start1, transcript.end1, '.', {
        ID: [id],
        Parent: [gene.id],
        Name: [transcript.id],
        exception,
      }),
    )
    const exons = readingOrder
      ? readingExons(transcript.exons, gene.strand, readingOrder)
      : transcript.exons.map((exon) => ({ ...exon, strand: gene.strand }))
    for (const { start1, end1, strand } of exons) lines.push(line('exon', start1, end1, '.', { Parent: [id] }, strand))
    const parts = readingOrder
      ? readingOrder.map((piece) => ({
          ...piece,
          phase: transcript.cds.find(({ start1, end1 }) => start1 === piece.start1 && end1 === piece.end1)?.phase ?? 0,
        }))
      : transcript.cds.map((part) => ({ ...part, strand: gene.strand }))
    for (const { start1, end1, phase, strand } of parts) {
      const proteinId = transcript.proteinId === null ? [] : [transcript.proteinId]
      const attributes = { ID: [`${id}.cds`], Parent: [id], protein_id: proteinId, exception }
      lines.push(line('CDS', start1, end1, String(phase), attributes, strand))
    }
  }
  return lines
}

/**
 * A gene across the origin of a circular sequence as two that end and begin at it, for programs that look features up by region
 * and know of no origin; `[gene]` for any other. Both carry the names of the gene; ids behind the origin end in `.origin`. The
 * phase of a coding part that is cut counts from where the part then begins.
 */
export const splitAtOrigin = (gene: GeneModel, lengthBp: number): GeneModel[] => {
  if (gene.end1 <= lengthBp) return [gene]
  const part = (low1: number, high1: number, shiftBp: number, suffix: string): GeneModel | null => {
    const place = <T extends { start1: number; end1: number }>(piece: T): T | null => {
      const start1 = Math.max(piece.start1, low1)
      const end1 = Math.min(piece.end1, high1)
      return start1 > end1 ? null : { ...piece, start1: start1 - shiftBp, end1: end1 - shiftBp }
    }
    const placeCds = (piece: CdsModel): CdsModel | null => {
      const placed = place(piece)
      if (placed === null) return null
      const cutBp = gene.strand === '-' ? piece.end1 - shiftBp - placed.end1 : placed.start1 - (piece.start1 - shiftBp)
      return { ...placed, phase: ((((piece.phase - cutBp) % 3) + 3) % 3) as CdsModel['phase'] }
    }
    const span = place({ start1: gene.start1, end1: gene.end1 })
    return (
      span && {
        ...gene,
        ...span,
        id: `${gene.id}${suffix}`,
        symbol: gene.symbol ?? gene.id,
        transcripts: gene.transcripts.flatMap((transcript) => {
          const own = place({ start1: transcript.start1, end1: transcript.end1 })
          if (own === null) return []
          const { readingOrder: _, ...rest } = transcript
          const exons = transcript.exons.flatMap((exon) => place(exon) ?? [])
          const cds = transcript.cds.flatMap((piece) => placeCds(piece) ?? [])
          return [{ ...rest, ...own, id: `${transcript.id}${suffix}`, exons, cds }]
        }),
      }
    )
  }
  return [part(1, lengthBp, 0, ''), part(lengthBp + 1, gene.end1, lengthBp, '.origin')].filter((one) => one !== null)
}

/** The gene models as a genome browser takes them: genes across an origin in two parts, each with the `gene_id` of the whole. */
export function* browserGff3Lines(
  sequences: readonly { name: string; lengthBp: number }[],
  genes: Iterable<GeneModel>,
): Generator<string> {
  const lengths = new Map(sequences.map((sequence) => [sequence.name, sequence.lengthBp]))
  yield '##gff-version 3'
  for (const sequence of sequences) yield `##sequence-region ${sequence.name} 1 ${sequence.lengthBp}`
  for (const gene of genes) {
    const parts = splitAtOrigin(gene, lengths.get(gene.sequenceName)!)
    for (const part of parts) {
      const [first, ...rest] = geneGff3Lines(part)
      yield parts.length === 1 ? first! : `${first};${formatGff3Attributes({ gene_id: [gene.id] })}`
      yield* rest
    }
  }
}
