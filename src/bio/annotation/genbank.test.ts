import { describe, expect, it } from 'vitest'
import { codingSequence } from '../sequence/coding-sequence.ts'
import { translate } from '../sequence/genetic-codes.ts'
import { reverseComplement } from '../sequence/sequence.ts'
import { DefectLog } from '../text/defects.ts'
import { parseLocation } from './genbank.ts'
import { GeneModelReader } from './gene-model-reader.ts'

describe('parseLocation', () => {
  const parts = (text: string, circularLengthBp?: number) =>
    parseLocation(text, circularLengthBp)?.parts.map(({ start1, end1, strand }) => `${start1}-${end1}${strand}`) ?? null
  it.each([
    ['467', ['467-467+']],
    ['340..565', ['340-565+']],
    ['<345..>500', ['345-500+']],
    ['complement(34..126)', ['34-126-']],
    ['join(12..78,134..202)', ['12-78+', '134-202+']],
    ['complement(join(2691..4571,4918..5163))', ['4918-5163-', '2691-4571-']],
    ['join(complement(4918..5163),complement(2691..4571))', ['4918-5163-', '2691-4571-']],
    ['order(1..5, 10..15)', ['1-5+', '10-15+']],
    ['join(complement(69611..69724),139856..140087)', ['69611-69724-', '139856-140087+']],
    ['102.110', ['102-110+']],
    ['123^124', ['123-124+']],
    ['(102.110)..200', ['102-200+']],
    ['complement(join(10..20,50..(90.99)))', ['50-99-', '10-20-']],
    ['(102.110)', null],
    ['join(1..10,J00194.1:100..202)', ['1-10+']],
    ['join(one-of(5,8)..10,20..30)', ['5-10+', '20-30+']],
    ['30..20', null],
    ['join(1..10', null],
    ['0..5', null],
    ['gap(10)', null],
  ])('%s', (text, expected) => {
    expect(parts(text)).toEqual(expected)
  })
  it('reads a span that runs backwards on a plasmid as one across the origin', () => {
    expect(parts('5000..120', 5386)).toEqual(['5000-5386+', '1-120+'])
    expect(parts('complement(5000..120)', 5386)).toEqual(['1-120-', '5000-5386-'])
    expect(parseLocation('5000..120', 5386)!.wrapped).toBe(true)
  })
  it('says what is partial and what lies in other records', () => {
    expect(parseLocation('<1..9')!.partial).toBe(true)
    expect(parseLocation('(2.5)..9')!.partial).toBe(true)
    expect(parseLocation('join(1..9,AB1.2:4..8)')!.remote).toEqual(['AB1.2'])
  })
})

describe('GenBankReader', () => {
  // A made plasmid of 90 bases: a gene across the origin, and a spliced one on the other strand.
  const crossing = 'ATGGCTAAATGGTTTTAA'
  const spliced = 'ATGCCCGGGAAACTGTAG'
  const insert = reverseComplement(`${spliced.slice(0, 8)}GTAAAAAAAG${spliced.slice(8)}`)
  const sequence = `${crossing.slice(10)}${'C'.repeat(12)}${insert}${'G'.repeat(90 - 8 - 12 - 28 - 10)}${crossing.slice(0, 10)}`
  const start = 21
  const text = `LOCUS       pTEST                     90 bp    DNA     circular SYN 01-JAN-2024
ACCESSION   pTEST
VERSION     pTEST.1
FEATURES             Location/Qualifiers
     gene            join(81..90,1..8)
                     /locus_tag="A"
     CDS             join(81..90,1..8)
                     /locus_tag="A"
                     /product="crosses the origin"
     gene            complement(${start}..${start + 27})
                     /locus_tag="B"
     CDS             complement(join(${start}..${start + 9},
                     ${start + 20}..${start + 27}))
                     /locus_tag="B"
ORIGIN
        1 ${sequence
          .toLowerCase()
          .match(/.{1,10}/g)!
          .join(' ')}
//
`
  it('gives features and bases from which the proteins come out right, also across the origin', () => {
    expect(sequence).toHaveLength(90)
    const log = new DefectLog()
    let bases = ''
    const reader = new GeneModelReader({
      file: 'x.gb',
      log,
      sequences: new Map([['pTEST.1', 90]]),
      onSequence: (piece) => {
        bases += piece
      },
    })
    reader.push(new TextEncoder().encode(text))
    const { genes } = reader.finish()
    expect(bases).toBe(sequence.toLowerCase())
    expect(genes.map(({ id, start1, end1, strand }) => [id, start1, end1, strand])).toEqual([
      ['B', 21, 48, '-'],
      ['A', 81, 98, '+'],
    ])
    const proteins = genes.map((gene) => {
      const coding = codingSequence(gene.transcripts[0]!, gene.strand, (start1, end1) =>
        (bases + bases).slice(start1 - 1, end1),
      )
      return translate(coding.sequence, { phase: coding.phase, stopHandling: 'trim' })
    })
    expect(proteins).toEqual(['MPGKL', 'MAKWF'])
    expect(log.defects.map(({ code }) => code)).toEqual(['model-crosses-origin'])
  })
  it('reads several records, and finds their genome by accession without version', () => {
    const log = new DefectLog()
    const reader = new GeneModelReader({
      file: 'x.gb',
      log,
      sequences: new Map([
        ['other', 90],
        ['pTEST', 90],
      ]),
    })
    reader.push(
      new TextEncoder().encode(
        text + text.replaceAll('pTEST', 'other').replaceAll('"A"', '"C"').replaceAll('"B"', '"D"'),
      ),
    )
    const { genes } = reader.finish()
    expect(genes.map(({ id, sequenceName }) => `${sequenceName} ${id}`)).toEqual([
      'other D',
      'other C',
      'pTEST B',
      'pTEST A',
    ])
    expect(log.count('model-sequence-renamed')).toBe(2)
  })
})
