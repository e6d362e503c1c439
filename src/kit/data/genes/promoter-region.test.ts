import { describe, expect, test } from 'vitest'
import { createIntervalIndex } from '../../../bio/annotation/gene-geometry.ts'
import type { CatalogueGene } from '../portal-data.ts'
import { type FindNeighbours, locateRecords, type NeighbourGene } from './locate-records.ts'

type Model = [id: string, strand: '+' | '-', start: number, end: number, cds?: [number, number]]

/** Genes of one sequence, each with one transcript; coding over its whole length where no coding span is given. */
const build = (models: Model[], about: { lengthBp?: number; circular?: boolean; geneticCode?: number } = {}) => {
  const sequence = { name: 'c', lengthBp: 10_000, circular: false, geneticCode: 1, aliases: [], ...about }
  const genes = models.map(
    ([id, strand, start, end, cds = [start, end]]) =>
      ({
        id,
        symbol: null,
        sequence: 'c',
        start,
        end,
        strand,
        transcripts: [
          { id: `${id}.t`, biotype: 'mRNA', start, end, exons: [[start, end]], cds: [[...cds, 0]], proteinId: null },
        ],
      }) as unknown as CatalogueGene,
  )
  const index = createIntervalIndex(
    genes.map((gene): NeighbourGene => {
      const [start1, end1] = gene.transcripts[0]!.cds[0]!
      return {
        id: gene.id,
        start1: gene.start,
        end1: gene.end,
        strand: gene.strand,
        coding: { start1, end1 },
      }
    }),
  )
  const find: FindNeighbours = (_, start1, end1) =>
    (sequence.circular ? [-sequence.lengthBp, 0, sequence.lengthBp] : [0]).flatMap((turn) =>
      index.find(start1 - turn, end1 - turn).map((gene) => ({
        ...gene,
        start1: gene.start1 + turn,
        end1: gene.end1 + turn,
        coding: { start1: gene.coding!.start1 + turn, end1: gene.coding!.end1 + turn },
      })),
    )
  return (id: string, choice: { upstreamBp?: number; insideBp?: number; from?: 'transcript' | 'coding' } = {}) => {
    const { records, reason } = locateRecords(
      genes.find((gene) => gene.id === id)!,
      null,
      sequence,
      {
        part: 'upstream',
        transcripts: 'longest',
        from: 'transcript',
        upstreamBp: 1000,
        downstreamBp: 0,
        insideBp: 0,
        clip: true,
        keepStop: false,
        ...choice,
      },
      find,
    )
    const [record] = records
    if (record === undefined) return reason
    return {
      rule: record.flank!.rule,
      gene: record.flank!.gene,
      pieces: record.pieces.map(({ start1, end1, strand }) => `${start1}-${end1}${strand}`).join(' '),
      notes: record.notes.map((note) => note.id),
    }
  }
}

describe('the promoter where a neighbour stands in its way', () => {
  test('is what lies between them, while that is of use', () => {
    const promoter = build([
      ['left', '-', 1001, 2000],
      ['right', '+', 2301, 3000],
    ])
    // Divergent genes each have the segment between them.
    expect(promoter('left')).toEqual({
      rule: 'asked',
      gene: 'right',
      pieces: '2001-2300-',
      notes: ['note.clipped-upstream'],
    })
    expect(promoter('right')).toMatchObject({ rule: 'asked', gene: 'left', pieces: '2001-2300+' })
  })

  test('goes from start codon to start codon where divergent transcripts overlap, untranslated regions included', () => {
    const promoter = build([
      ['left', '-', 1001, 2200, [1001, 1900]],
      ['right', '+', 2101, 3000, [2401, 3000]],
    ])
    expect(promoter('right')).toEqual({
      rule: 'start-codon',
      gene: 'left',
      pieces: '1901-2400+',
      notes: ['note.start-codon', 'note.clipped-upstream'],
    })
    expect(promoter('left')).toMatchObject({ rule: 'start-codon', gene: 'right', pieces: '1901-2400-' })
    // No more than was asked for, and the bases inside are counted from the start codon.
    expect(promoter('right', { upstreamBp: 300 })).toMatchObject({ pieces: '2101-2400+', gene: null })
    expect(promoter('right', { upstreamBp: 300, insideBp: 10 })).toMatchObject({ pieces: '2101-2410+' })
  })

  test('behind the end of a neighbour it goes to the stop codon of that one', () => {
    const promoter = build([
      ['before', '+', 1001, 2100, [1001, 1800]],
      ['own', '+', 2090, 3000, [2151, 3000]],
    ])
    expect(promoter('own')).toMatchObject({ rule: 'start-codon', pieces: '1801-2150+' })
  })

  test('of a eukaryote whose genes adjoin it runs into the neighbour, and says so; a short stretch is kept', () => {
    const promoter = build([
      ['one', '+', 2001, 3000],
      ['two', '+', 3001, 4000],
      ['three', '+', 4021, 5000],
      ['inner', '+', 4500, 4600],
    ])
    expect(promoter('two')).toEqual({
      rule: 'into-neighbour',
      gene: 'one',
      pieces: '2001-3000+',
      notes: ['note.into-neighbour'],
    })
    expect(promoter('three')).toMatchObject({ rule: 'asked', pieces: '4001-4020+' })
    expect(promoter('inner')).toMatchObject({ rule: 'into-neighbour', gene: 'three', pieces: '3500-4499+' })
  })

  test('within a bacterial operon it is that of the first gene', () => {
    const models: Model[] = [
      ['far', '-', 100, 600],
      ['a', '+', 1001, 2000],
      ['b', '+', 2010, 3000],
      ['c', '+', 2997, 4000],
      ['d', '+', 4101, 5000],
      ['e', '-', 5020, 6000],
      ['f', '-', 6001, 7000],
    ]
    const promoter = build(models, { geneticCode: 11 })
    expect(promoter('a')).toMatchObject({ rule: 'asked', pieces: '601-1000+' })
    expect(promoter('c')).toEqual({ rule: 'operon', gene: 'a', pieces: '601-1000+', notes: ['note.operon'] })
    expect(promoter('b')).toMatchObject({ rule: 'operon', gene: 'a', pieces: '601-1000+' })
    // A segment of its own before it: not the operon's.
    expect(promoter('d')).toMatchObject({ rule: 'asked', pieces: '4001-4100+' })
    expect(promoter('e')).toMatchObject({ rule: 'operon', gene: 'f', pieces: '7001-8000-' })
    // The same genes of a nucleus have no operons.
    expect(build(models)('c')).toMatchObject({ rule: 'into-neighbour', gene: 'b' })
    expect(build(models)('b')).toMatchObject({ rule: 'asked', pieces: '2001-2009+' })
  })

  test('on a circle an operon is followed across the origin', () => {
    const promoter = build(
      [
        ['last', '+', 9001, 9990],
        ['first', '+', 3, 900],
        ['other', '-', 8001, 8400],
      ],
      { geneticCode: 11, circular: true },
    )
    expect(promoter('first')).toMatchObject({ rule: 'operon', gene: 'last', pieces: '8401-9000+' })
  })

  test('the first gene of a contig has what there is of it, and none at its very end', () => {
    expect(build([['own', '+', 31, 900]])('own')).toMatchObject({ rule: 'asked', pieces: '1-30+' })
    expect(build([['own', '+', 1, 900]])('own')).toEqual({ id: 'reason.at-edge', params: { sequence: 'c' } })
  })
})
