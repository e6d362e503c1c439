import { describe, expect, it, test } from 'vitest'
import { expectSameInParts } from '../../testing/gene-parts.ts'
import { makeBases } from '../../testing/random.ts'
import { geneGff3Lines, splitAtOrigin } from '../annotation/gene-gff3.ts'
import { GeneModelReader } from '../annotation/gene-model-reader.ts'
import { DefectLog } from '../text/defects.ts'
import { codingSequence, joinPieces, readingExons } from './coding-sequence.ts'
import { joinAtOrigin, unrollPlacedParts, unrollReadParts } from './origin.ts'
import { reverseComplement } from './sequence.ts'

const lengthBp = 900
// Bases without a pattern, so that a part that is read from a wrong place cannot spell the right sequence by chance.
const circle = makeBases(lengthBp, 91)
const basesOf = (start1: number, end1: number) => (circle + circle).slice(start1 - 1, end1)

type Part = [start1: number, end1: number]
/** Parts on beyond the length, ascending, cut at the origin and numbered from 1 behind it. */
const cutAtOrigin = (parts: readonly Part[]): Part[] =>
  parts.flatMap(([start1, end1]): Part[] => {
    if (end1 <= lengthBp) return [[start1, end1]]
    if (start1 > lengthBp) return [[start1 - lengthBp, end1 - lengthBp]]
    return [
      [start1, lengthBp],
      [1, end1 - lengthBp],
    ]
  })
const phasesOf = (parts: readonly Part[], strand: string): number[] => {
  const reading = strand === '-' ? parts.toReversed() : parts
  let before = 0
  const phases = reading.map(([start1, end1]) => {
    const phase = (3 - (before % 3)) % 3
    before += end1 - start1 + 1
    return phase
  })
  return strand === '-' ? phases.reverse() : phases
}

const row = (type: string, [start1, end1]: Part, strand: string, phase: number | '.', attributes: string) =>
  ['c', 'x', type, start1, end1, '.', strand, phase, attributes].join('\t')
const circular = `##gff-version 3\n${row('region', [1, lengthBp], '+', '.', 'ID=c;Is_circular=true')}\n`

const styles: Record<string, (parts: Part[], strand: '+' | '-') => string> = {
  'GenBank, join': (parts, strand) => {
    const join = `join(${cutAtOrigin(parts)
      .map(([start1, end1]) => `${start1}..${end1}`)
      .join(',')})`
    const location = strand === '-' ? `complement(${join})` : join
    return `LOCUS       c ${lengthBp} bp DNA circular BCT\nACCESSION   c\nFEATURES             Location/Qualifiers
     gene            ${location}
                     /locus_tag="g"
     CDS             ${location}
                     /locus_tag="g"
//\n`
  },
  'GFF3, all beyond the length (GFF3 1.26; NCBI, Bakta)': (parts, strand) => {
    const phases = phasesOf(parts, strand)
    const span: Part = [parts[0]![0], parts.at(-1)![1]]
    return [
      circular + row('gene', span, strand, '.', 'ID=g'),
      ...parts.map((part, at) => row('CDS', part, strand, phases[at]!, 'ID=p;Parent=g')),
    ].join('\n')
  },
  'GFF3, span beyond the length, parts from 1 again': (parts, strand) => {
    const cut = cutAtOrigin(parts)
    const span: Part = [parts[0]![0], parts.at(-1)![1]]
    return [
      circular + row('gene', span, strand, '.', 'ID=g'),
      row('mRNA', span, strand, '.', 'ID=t;Parent=g'),
      ...cut.map((part) => row('exon', part, strand, '.', 'Parent=t')),
      ...cut.map((part, at) => row('CDS', part, strand, phasesOf(cut, strand)[at]!, 'ID=p;Parent=t')),
    ].join('\n')
  },
}
const cutStyles: typeof styles = {
  'GFF3, gene and CDS in two lines': (parts, strand) => {
    const cut = cutAtOrigin(parts)
    return [
      circular + row('gene', [parts[0]![0], lengthBp], strand, '.', 'ID=g'),
      row('gene', [1, parts.at(-1)![1] - lengthBp], strand, '.', 'ID=g'),
      ...cut.map((part, at) => row('CDS', part, strand, phasesOf(cut, strand)[at]!, 'ID=p;Parent=g')),
    ].join('\n')
  },
  'GFF3, span from 1 to the length, CDS in two lines': (parts, strand) => {
    const cut = cutAtOrigin(parts)
    return [
      circular + row('gene', [1, lengthBp], strand, '.', 'ID=g'),
      ...cut.map((part, at) => row('CDS', part, strand, phasesOf(cut, strand)[at]!, 'ID=p;Parent=g')).toReversed(),
    ].join('\n')
  },
  'GFF3, CDS lines alone': (parts, strand) => {
    const cut = cutAtOrigin(parts)
    return cut.reduce(
      (text, part, at) => `${text}${row('CDS', part, strand, phasesOf(cut, strand)[at]!, 'ID=p;locus_tag=g')}\n`,
      circular,
    )
  },
}

/** What was read is read once more in parts, at the end. */
const inParts: (() => Promise<void>)[] = []

const read = (text: string) => {
  const log = new DefectLog(100)
  const reader = new GeneModelReader({ file: 'x', log, sequences: new Map([['c', lengthBp]]) })
  const bytes = new TextEncoder().encode(text)
  reader.push(bytes)
  const models = reader.finish()
  inParts.push(() => expectSameInParts(bytes, { file: 'x', sequences: new Map([['c', lengthBp]]) }, models, log))
  return { ...models, log }
}

describe('genes over the origin of a circle', () => {
  const inPart: Part[][] = [
    [[871, 930]],
    [
      [800, 849],
      [871, 930],
    ],
    [
      [871, 930],
      [951, 980],
    ],
    [
      [781, 800],
      [821, 845],
      [880, 911],
      [931, 943],
      [961, 990],
    ],
    // Its edge at the very origin: nothing of it is on both sides.
    [[871, 901]],
    [[900, 929]],
  ]
  const inIntron: Part[][] = [
    [
      [841, 880],
      [921, 970],
    ],
    [
      [801, 820],
      [841, 880],
      [921, 970],
      [981, 990],
    ],
  ]
  const cases = [
    ...Object.entries(styles).flatMap(([style, write]) =>
      [...inPart, ...inIntron].map((parts) => ({ style, write, parts })),
    ),
    ...Object.entries(cutStyles).flatMap(([style, write]) => inPart.map((parts) => ({ style, write, parts }))),
  ].flatMap((one) => (['+', '-'] as const).map((strand) => ({ ...one, strand })))

  it.each(cases)('$style: $parts on $strand', ({ write, parts, strand }) => {
    const { genes, log, circular: circles } = read(write(parts, strand))
    expect(log.hasErrors).toBe(false)
    expect(log.count('model-crosses-origin')).toBe(1)
    expect(circles).toEqual(['c'])
    expect(genes.map(({ id, start1, end1 }) => [id, start1, end1])).toEqual([['g', parts[0]![0], parts.at(-1)![1]]])
    const gene = genes[0]!
    expect(gene.transcripts).toHaveLength(1)
    const transcript = gene.transcripts[0]!
    expect(transcript.exons.map(({ start1, end1 }) => [start1, end1])).toEqual(parts)
    const forward = parts.map(([start1, end1]) => basesOf(start1, end1)).join('')
    const expected = strand === '-' ? reverseComplement(forward) : forward
    expect(codingSequence(transcript, gene.strand, basesOf)).toEqual({ sequence: expected, phase: 0 })

    // What is written for download begins nowhere beyond the length, and reads back as the same gene.
    const lines = geneGff3Lines(gene, lengthBp)
    for (const line of lines) expect(Number(line.split('\t')[3])).toBeLessThanOrEqual(lengthBp)
    const again = read(`${circular}${lines.join('\n')}`).genes[0]!
    expect(again.transcripts[0]!.cds).toEqual(transcript.cds)
    // The two halves for a browser lie within the sequence and hold every base.
    const halves = splitAtOrigin(gene, lengthBp)
    for (const half of halves) expect(half.end1).toBeLessThanOrEqual(lengthBp)
    const sum = (all: { start1: number; end1: number }[]) =>
      all.reduce((bp, { start1, end1 }) => bp + end1 - start1 + 1, 0)
    expect(sum(halves.flatMap((half) => half.transcripts.flatMap(({ cds }) => cds)))).toBe(expected.length)
  })

  it('keeps apart the transcripts of one gene, one over the origin and one behind it', () => {
    const { genes } = read(
      circular +
        [
          row('gene', [871, 960], '+', '.', 'ID=g'),
          row('mRNA', [871, 930], '+', '.', 'ID=t1;Parent=g'),
          row('CDS', [871, 930], '+', 0, 'ID=p1;Parent=t1'),
          row('mRNA', [22, 60], '+', '.', 'ID=t2;Parent=g'),
          row('CDS', [22, 60], '+', 0, 'ID=p2;Parent=t2'),
        ].join('\n'),
    )
    expect([genes[0]!.start1, genes[0]!.end1]).toEqual([871, 960])
    expect(genes[0]!.transcripts.map(({ cds }) => cds[0]!.start1)).toEqual([871, 922])
  })

  it('a trans-spliced gene with one part over the origin is read in its order', () => {
    const location = 'join(complement(301..360),881..900,1..34)'
    const { genes, log } = read(`LOCUS       c ${lengthBp} bp DNA circular PLN\nACCESSION   c
FEATURES             Location/Qualifiers
     gene            ${location}
                     /gene="rps12"
                     /trans_splicing
     CDS             ${location}
                     /gene="rps12"
                     /trans_splicing
//\n`)
    expect(log.hasErrors).toBe(false)
    const [gene] = genes
    const transcript = gene!.transcripts[0]!
    const expected = `${reverseComplement(basesOf(301, 360))}${basesOf(881, 934)}`
    expect(codingSequence(transcript, gene!.strand, basesOf).sequence).toBe(expected)
    expect(joinPieces(readingExons(transcript.exons, gene!.strand, transcript.readingOrder), basesOf)).toBe(expected)
  })

  it('two exons of a linear sequence that reach its ends stay where they are, and it is said', () => {
    const { genes, log } = read(`LOCUS       c ${lengthBp} bp DNA linear BCT\nACCESSION   c
FEATURES             Location/Qualifiers
     gene            join(871..900,1..30)
                     /locus_tag="g"
     CDS             join(871..900,1..30)
                     /locus_tag="g"
//\n`)
    expect([genes[0]!.start1, genes[0]!.end1]).toEqual([1, 900])
    expect(log.count('genbank-linear-origin')).toBe(2)
  })
})

test('parts that run backwards without touching the origin are unrolled only where the gene stays short', () => {
  const parts = (...all: Part[]) => all.map(([start1, end1]) => ({ start1, end1, strand: '+' as const }))
  const starts = (all: Part[], introns: boolean) =>
    unrollReadParts(parts(...all), 900, introns).map(({ start1 }) => start1)
  expect(starts([[800, 880], [21, 60]], true)).toEqual([800, 921]) // biome-ignore format: a pair
  expect(starts([[800, 880], [21, 60]], false)).toEqual([800, 21]) // biome-ignore format: a pair
  expect(starts([[500, 580], [121, 260]], true)).toEqual([500, 121]) // biome-ignore format: a pair
})

test('exons in the middle of a circle are left as they are', () => {
  const parts = [
    { start1: 1, end1: 30, strand: '+' as const, phase: null },
    { start1: 100, end1: 130, strand: '+' as const, phase: null },
  ]
  unrollPlacedParts(parts, 900, null, false)
  expect(parts.map(({ start1 }) => start1)).toEqual([1, 100])
  expect(joinAtOrigin(parts, 900)).toEqual(parts)
})

describe('genes over the origin read in parts', () => {
  it('are the same', async () => {
    expect(inParts.length).toBeGreaterThan(30)
    for (const check of inParts) await check()
  })
})
