import { expect, test } from 'vitest'
import { DefectLog } from '../text/defects.ts'
import { geneGff3Lines, splitAtOrigin } from './gene-gff3.ts'
import { GeneModelBuilder } from './gene-models/gene-model-builder.ts'
import type { GeneModel } from './gene-models.ts'
import { Gff3Reader } from './gff3.ts'

const readGenes = (lines: string[], lengthBp: number): GeneModel[] => {
  const log = new DefectLog()
  const options = { file: 'genes.gff3', log, sequences: new Map([['pt', lengthBp]]), circular: ['pt'] }
  const builder = new GeneModelBuilder(options)
  const reader = new Gff3Reader({ file: 'genes.gff3', log, onFeature: (feature) => builder.add(feature) })
  for (const [index, line] of lines.entries()) reader.addLine(line, index + 1)
  return builder.finish().genes
}
const row = (type: string, start: number, end: number, strand: string, phase: string, attributes: string): string =>
  ['pt', 'x', type, start, end, '.', strand, phase, attributes].join('\t')

test('a trans-spliced gene that is written as GFF3 reads back as it was', () => {
  const [gene] = readGenes(
    [
      row('gene', 41, 70, '-', '.', 'ID=rps12;exception=trans-splicing;part=1'),
      row('gene', 101, 171, '+', '.', 'ID=rps12;exception=trans-splicing;part=2'),
      row('CDS', 41, 70, '-', '0', 'ID=p;Parent=rps12;exception=trans-splicing'),
      row('CDS', 101, 125, '+', '0', 'ID=p;Parent=rps12;exception=trans-splicing'),
      row('CDS', 161, 171, '+', '2', 'ID=p;Parent=rps12;exception=trans-splicing'),
    ],
    400,
  )
  const lines = geneGff3Lines(gene!)
  expect(lines.map((line) => line.split('\t').slice(2, 8).join(' '))).toEqual([
    'gene 41 171 . - .',
    'mRNA 41 171 . - .',
    'exon 41 70 . - .',
    'exon 101 125 . + .',
    'exon 161 171 . + .',
    'CDS 41 70 . - 0',
    'CDS 101 125 . + 0',
    'CDS 161 171 . + 2',
  ])
  const [again] = readGenes(lines, 400)
  expect(again!.transcripts[0]!.readingOrder).toEqual([
    { start1: 41, end1: 70, strand: '-' },
    { start1: 101, end1: 125, strand: '+' },
    { start1: 161, end1: 171, strand: '+' },
  ])
  expect(again!.transcripts[0]!.readingOrder).toEqual(gene!.transcripts[0]!.readingOrder)
})

test('a gene that is cut at the origin keeps the reading frame on both sides, on either strand', () => {
  // 96..107 of 100 bases, coding from its first base on: behind the origin the first codon that begins is at base 2.
  const read = (strand: string) =>
    readGenes(
      [row('gene', 96, 107, strand, '.', 'ID=g'), row('CDS', 96, 107, strand, '0', 'ID=c;Parent=g;gbkey=CDS')],
      100,
    )[0]!
  const outline = (gene: GeneModel) => gene.transcripts[0]!.cds.map((part) => [part.start1, part.end1, part.phase])
  const [before, behind] = splitAtOrigin(read('+'), 100)
  // Five bases lie before the origin: one codon and two bases of the next.
  expect([before!.start1, before!.end1, behind!.start1, behind!.end1]).toEqual([96, 100, 1, 7])
  expect([outline(before!), outline(behind!)]).toEqual([[[96, 100, 0]], [[1, 7, 1]]])
  // Read backwards, seven bases lie behind the origin: two codons and one base of the next.
  const [low, high] = splitAtOrigin(read('-'), 100)
  expect([outline(low!), outline(high!)]).toEqual([[[96, 100, 2]], [[1, 7, 0]]])
  expect(high!.id).toBe('g.origin')
})

test('a gene that does not cross the origin is left as it is', () => {
  const [gene] = readGenes([row('gene', 11, 40, '+', '.', 'ID=g')], 100)
  expect(splitAtOrigin(gene!, 100)).toEqual([gene])
})
