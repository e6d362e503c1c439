import type { GeneModel, TranscriptModel } from '../../bio/annotation/gene-models.ts'
import { encodeInfoName } from '../../bio/variation/consequences.ts'

/** Biotypes of transcripts that code for nothing, which bcftools csq takes for such (csq.c, version 1.16). */
const nonCoding: Record<string, string> = {
  rRNA: 'rRNA',
  snRNA: 'snRNA',
  snoRNA: 'snoRNA',
  miRNA: 'miRNA',
  tRNA: 'misc_RNA',
  lnc_RNA: 'lincRNA',
}

const codingBiotype = 'protein_coding'
const biotypeOf = (transcript: Pick<TranscriptModel, 'biotype' | 'cds'>): string =>
  transcript.cds.length > 0 ? codingBiotype : (nonCoding[transcript.biotype] ?? 'misc_RNA')

/**
 * Lines of one gene in the form of Ensembl's GFF3, which is what bcftools csq reads: ids with their kind before them, biotypes from its
 * list,
 * untranslated regions spelt out. It takes ids up to the first sign of INFO values, so they are encoded; the name of the gene is what it
 * writes.
 */
export const csqGeneLines = (gene: GeneModel): string[] => {
  const strand = gene.strand === '-' ? '-' : '+'
  const line = (type: string, start1: number, end1: number, phase: number | '.', attributes: string): string =>
    [gene.sequenceName, 'NovoDB', type, start1, end1, '.', strand, phase, attributes].join('\t')
  const id = encodeInfoName(gene.id)
  const biotype = gene.transcripts.some(({ cds }) => cds.length > 0)
    ? codingBiotype
    : biotypeOf(gene.transcripts[0] ?? { biotype: '', cds: [] })
  const lines = [line('gene', gene.start1, gene.end1, '.', `ID=gene:${id};Name=${id};biotype=${biotype}`)]
  for (const transcript of gene.transcripts) {
    const parent = encodeInfoName(transcript.id)
    lines.push(
      line(
        transcript.cds.length > 0 ? 'mRNA' : 'transcript',
        ...([transcript.start1, transcript.end1, '.'] as const),
        `ID=transcript:${parent};Parent=gene:${id};biotype=${biotypeOf(transcript)}`,
      ),
    )
    const attributes = `Parent=transcript:${parent}`
    for (const { start1, end1 } of transcript.exons) lines.push(line('exon', start1, end1, '.', attributes))
    for (const { start1, end1, phase } of transcript.cds) lines.push(line('CDS', start1, end1, phase, attributes))
    if (transcript.cds.length === 0) continue
    const [first1, last1] = [transcript.cds[0]!.start1, Math.max(...transcript.cds.map(({ end1 }) => end1))]
    const [before, after] =
      strand === '-' ? ['three_prime_UTR', 'five_prime_UTR'] : ['five_prime_UTR', 'three_prime_UTR']
    for (const { start1, end1 } of transcript.exons) {
      if (start1 < first1) lines.push(line(before!, start1, Math.min(end1, first1 - 1), '.', attributes))
      if (end1 > last1) lines.push(line(after!, Math.max(start1, last1 + 1), end1, '.', attributes))
    }
  }
  return lines
}
