import { join } from 'node:path'
import { geneGff3Lines } from '../bio/annotation/gene-gff3.ts'
import type { GeneModel, TranscriptModel } from '../bio/annotation/gene-models.ts'
import { codingSequence, joinPieces, readingExons } from '../bio/sequence/coding-sequence.ts'
import { translate } from '../bio/sequence/genetic-codes.ts'
import { wrapFasta } from '../bio/sequence/sequence.ts'
import type { DefectLog } from '../bio/text/defects.ts'
import { BgzfWriter } from '../store/bgzf.ts'
import type { Genome } from '../store/genome-fasta.ts'
import { bakeDefects } from './bake-defects.ts'
import type { GeneList } from './gene-list.ts'

export interface ProductCounts {
  proteins: number
  cds: number
  transcripts: number
}

/** Where products of genes are written, as bgzip FASTA in the order of the genes. */
export const productFiles = {
  proteins: 'proteins.fa.gz',
  cds: 'cds.fa.gz',
  transcripts: 'transcripts.fa.gz',
} as const

/** The gene region whose bases hold every part of every transcript. */
const spanOf = (gene: GeneModel): { start1: number; end1: number } => {
  let { start1, end1 } = gene
  for (const transcript of gene.transcripts) {
    start1 = Math.min(start1, transcript.start1)
    end1 = Math.max(end1, transcript.end1)
    for (const piece of transcript.readingOrder ?? []) {
      start1 = Math.min(start1, piece.start1)
      end1 = Math.max(end1, piece.end1)
    }
  }
  return { start1, end1 }
}

/** Bases of a span; one that crosses the origin of a circular sequence ends beyond its length. */
const fetchSpan = async (genome: Genome, sequence: string, span: { start1: number; end1: number }): Promise<string> => {
  const lengthBp = genome.lengthOf(sequence)!
  const head = await genome.fetch(sequence, span.start1 - 1, Math.min(span.end1, lengthBp))
  return span.end1 <= lengthBp
    ? head
    : head + (await genome.fetch(sequence, 0, Math.min(span.end1 - lengthBp, lengthBp)))
}

/** Ids of proteins and CDS in the FASTA files: the transcript's, so that a hit leads back to its gene without a table. */
const productHeader = (gene: GeneModel, transcript: TranscriptModel): string =>
  [
    transcript.id,
    `gene=${gene.id}`,
    gene.symbol === null ? '' : `symbol=${gene.symbol}`,
    gene.description === null ? '' : gene.description.replace(/\s+/g, ' ').slice(0, 300),
  ]
    .filter((part) => part !== '')
    .join(' ')

/**
 * Writes spliced transcripts, coding sequences and proteins of all genes. Proteins are translated with the genetic code of their
 * sequence, phase respected, alternative starts read as methionine, the final stop left out; those in `supplied`
 * are taken as they are. Protein lengths are given back for each transcript of each gene in turn, 0 of those without a protein.
 */
export const writeProducts = async (options: {
  genes: GeneList
  genome: Genome
  directory: string
  geneticCodeOf(sequence: string): number
  /** By the number of the transcript, counted through all genes. */
  supplied: { get(transcript: number): string | null } | null
  suppliedFile: string
  geneFile: string
  log: DefectLog
  signal: AbortSignal
  progress(fraction: number): void
}): Promise<{ counts: ProductCounts; proteinLengths: number[] }> => {
  const { genes, genome, directory, supplied, log } = options
  const writers = {
    proteins: await BgzfWriter.create(join(directory, productFiles.proteins)),
    cds: await BgzfWriter.create(join(directory, productFiles.cds), { profile: 'transcripts' }),
    transcripts: await BgzfWriter.create(join(directory, productFiles.transcripts), { profile: 'transcripts' }),
  }
  const counts: ProductCounts = { proteins: 0, cds: 0, transcripts: 0 }
  const proteinLengths: number[] = []
  const pending = { proteins: [] as string[], cds: [] as string[], transcripts: [] as string[] }
  const flush = async (): Promise<void> => {
    for (const kind of ['proteins', 'cds', 'transcripts'] as const) {
      if (pending[kind].length === 0) continue
      await writers[kind].write(Buffer.from(pending[kind].join(''), 'latin1'))
      pending[kind] = []
    }
  }
  try {
    let number = -1
    for (const gene of genes) {
      number += 1
      if (number % 500 === 0) {
        options.signal.throwIfAborted()
        options.progress(number / genes.length)
        await flush()
      }
      if (gene.transcripts.length === 0) continue
      const span = spanOf(gene)
      const region = await fetchSpan(genome, gene.sequenceName, span)
      const sequenceOf = (start1: number, end1: number) => region.slice(start1 - span.start1, end1 - span.start1 + 1)
      for (const transcript of gene.transcripts) {
        const index = proteinLengths.push(0) - 1
        const header = productHeader(gene, transcript)
        const cdna = joinPieces(readingExons(transcript.exons, gene.strand, transcript.readingOrder), sequenceOf)
        if (cdna !== '') {
          pending.transcripts.push(wrapFasta(header, cdna))
          counts.transcripts += 1
        }
        if (transcript.cds.length === 0) continue
        const { sequence: coding, phase } = codingSequence(transcript, gene.strand, sequenceOf)
        pending.cds.push(wrapFasta(header, coding))
        counts.cds += 1
        const table = options.geneticCodeOf(gene.sequenceName)
        const derived = translate(coding, { table, firstCodonIsStart: phase === 0, phase, stopHandling: 'trim' })
        const given = supplied?.get(index) ?? null
        const protein = given ?? derived
        if (protein === '') continue
        if (given !== null && given.replace(/\*$/, '').toUpperCase() !== derived) {
          log.report(bakeDefects, 'protein-differs', options.suppliedFile, null, { transcript: transcript.id })
        }
        const stops = protein.split('*').length - 1
        if (stops > 0 && given === null) {
          log.report(bakeDefects, 'cds-internal-stop', options.geneFile, null, {
            transcript: transcript.id,
            count: stops,
            geneticCode: table,
          })
        }
        pending.proteins.push(wrapFasta(header, protein.replace(/\*$/, '')))
        proteinLengths[index] = protein.replace(/\*$/, '').length
        counts.proteins += 1
      }
    }
    await flush()
    for (const writer of Object.values(writers)) await writer.finish()
  } catch (error) {
    for (const writer of Object.values(writers)) await writer.abort()
    throw error
  }
  return { counts, proteinLengths }
}

/** The gene models as regular GFF3, header first. */
export function* gff3Lines(
  sequences: readonly { name: string; lengthBp: number }[],
  genes: GeneList,
): Generator<string> {
  yield '##gff-version 3'
  for (const sequence of sequences) yield `##sequence-region ${sequence.name} 1 ${sequence.lengthBp}`
  let number = 0
  for (const gene of genes) yield* geneGff3Lines(gene, sequences[genes.sequenceOf(number++)]!.lengthBp)
}
