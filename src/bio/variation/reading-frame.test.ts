import { describe, expect, test } from 'vitest'
import type { Segment } from '../alignment/lift.ts'
import type { OrientedPiece } from '../sequence/coding-sequence.ts'
import { reverseComplement } from '../sequence/sequence.ts'
import { readFrame } from './reading-frame.ts'

// M A Q K L V E D G S T F H R I P N C W Y and a stop, between flanks.
const gene = 'ATGGCTCAAAAACTGGTTGAAGATGGTTCTACCTTTCATCGTATTCCGAACTGTTGGTATTAA'
const flank = 'CCCCCCCCCC'

type Way = { strand?: '+' | '-'; turned?: boolean; geneticCode?: number }

/** The gene as one genome has it, opposite what the other has; `-` where one of them has no base. */
const read = (own: string, other: string, options: Way = {}) => readFrom(own, other, 0, options)

/** The same where so many bases before the gene are told as well. */
const readFrom = (own: string, other: string, lead: number, options: Way) => {
  const { strand = '+', turned = false, geneticCode = 11 } = options
  const bare = (text: string): string => text.replaceAll('-', '')
  const ownForward = strand === '+' ? own : reverseComplement(own)
  const otherForward = strand === '+' ? other : reverseComplement(other)
  const otherBases = bare(otherForward)
  const otherLength = otherBases.length + 2 * flank.length
  const segments: Segment[] = []
  let [source0, other0] = [flank.length, flank.length]
  for (const [at, base] of [...ownForward].entries()) {
    const partner = otherForward[at]!
    if (base !== '-' && partner !== '-')
      segments.push({
        source0,
        other0: turned ? otherLength - other0 - 1 : other0,
        lengthBp: 1,
        equal: base === partner,
      })
    if (base !== '-') source0 += 1
    if (partner !== '-') other0 += 1
  }
  const otherGenome = `${flank}${otherBases}${flank}`
  const [start1, end1] = [flank.length + 1, flank.length + bare(own).length]
  const pieces: OrientedPiece[] = [
    strand === '+' ? { start1: start1 + lead, end1, strand } : { start1, end1: end1 - lead, strand },
  ]
  return readFrame({
    pieces,
    phase: 0,
    geneticCode,
    own: `${flank}${bare(ownForward)}${flank}`,
    ownStart0: 0,
    segments,
    strand: turned ? '-' : '+',
    other: turned ? reverseComplement(otherGenome) : otherGenome,
    otherStart0: 0,
  })
}

describe('the reading frame of a gene in another genome', () => {
  const ways = [{}, { strand: '-' }, { turned: true }, { strand: '-', turned: true }] as const
  for (const way of ways)
    describe(JSON.stringify(way), () => {
      test('has its start where an aligner puts bases of a repeat before it into its first codon', () => {
        const whole = { codons: 20, keptShare: 1, change: null }
        // One A more before the start, told to be within it; two; and one less, told to be the first base.
        const led = `AAA${gene}`
        const own = (text: string) => readFrom(led, text, 3, way)
        expect(readFrom(`AAAA-${gene.slice(1)}`, `AAAAA${gene.slice(1)}`, 3, way)).toMatchObject(whole)
        expect(readFrom(`AAAA--${gene.slice(1)}`, `AAAAAA${gene.slice(1)}`, 3, way)).toMatchObject(whole)
        expect(own(`AAA-${gene.slice(1)}`)).toMatchObject(whole)
        // Without the repeat the start is broken, or gone.
        expect(readFrom(`AAAA-${gene.slice(1)}`, `AAAAC${gene.slice(1)}`, 3, way)).not.toMatchObject(whole)
        expect(own(`AAC-${gene.slice(1)}`)).not.toMatchObject(whole)
      })

      test('is whole where all is equal, or residues differ', () => {
        expect(read(gene, gene, way)).toEqual({ codons: 20, keptShare: 1, change: null, codon1: null, hgvs: null })
        expect(read(gene, gene.replace('GATGGT', 'GAAGGT'), way)).toMatchObject({ keptShare: 1, change: null })
      })

      test('ends at a stop in its place', () => {
        expect(read(gene, gene.replace('GAAGAT', 'TAAGAT'), way)).toMatchObject({
          change: 'stop',
          codon1: 7,
          hgvs: 'p.(Glu7Ter)',
          keptShare: 6 / 20,
        })
      })

      test('is shifted by a base less, and by one more', () => {
        const less = read(gene, gene.replace('CTGGTTG', 'CTG-TTG'), way)
        expect(less).toMatchObject({ change: 'frameshift', codon1: 6 })
        // The new frame has no stop within the gene: HGVS has the short form.
        expect(less!.hgvs).toBe('p.(Val6fs)')
        // Behind CT a further A: CTA is leucine as CTG is, the valine behind it is the first residue that differs.
        const within = read(gene.replace('CTGGTT', 'CT-GGTT'), gene.replace('CTGGTT', 'CTAGGTT'), way)
        expect(within).toMatchObject({ change: 'frameshift', hgvs: 'p.(Val6GlyfsTer2)' })
        const more = read(gene.replace('CTGGTT', 'CTG-GTT'), gene.replace('CTGGTT', 'CTGAGTT'), way)
        expect(more).toMatchObject({ change: 'frameshift' })
        expect(more!.hgvs).toMatch(/^p\.\(Val6(Ser)?fs/)
      })

      test('is found again behind a base less and a base more', () => {
        const own = gene.replace('GATGGTTCT', 'GATGGTT-CT')
        const other = gene.replace('GATGGTTCT', 'GAT-GTTACT')
        expect(read(own, other, way)).toMatchObject({ change: null })
      })

      test('loses its start, and finds another soon or not', () => {
        expect(read(gene, gene.replace('ATG', 'ACG'), way)).toMatchObject({ change: 'start', hgvs: 'p.(Met1?)' })
        const long = gene.replace('AAACTG', `GTGCTG`)
        expect(read(long, long.replace('ATG', 'GTG'), way)).toMatchObject({ change: null })
      })
    })

  test('is not judged where the gene does not read in its own genome', () => {
    const broken = gene.replace('GAAGAT', 'TAAGAT')
    expect(read(broken, broken)).toBeNull()
  })

  test('a start of bacteria is none in the standard code', () => {
    const other = gene.replace('ATG', 'GTG')
    expect(read(gene, other, { geneticCode: 11 })).toMatchObject({ change: null })
    expect(read(gene, other, { geneticCode: 1 })).toMatchObject({ change: 'start' })
  })
})

test('exons are read together, and what an intron has more is not read', () => {
  const [first, second] = [gene.slice(0, 31), gene.slice(31)]
  const [intron, longer] = ['GTAAGTTTTTTTTAG', 'GTAAGTTTTTCCTTTTTAG']
  const own = first + intron + second
  const other = first + longer + second
  const at2 = first.length + intron.length
  const found = readFrame({
    pieces: [
      { start1: 1, end1: first.length, strand: '+' },
      { start1: at2 + 1, end1: own.length, strand: '+' },
    ],
    phase: 0,
    geneticCode: 1,
    own,
    ownStart0: 0,
    segments: [
      { source0: 0, other0: 0, lengthBp: first.length + 10, equal: true },
      { source0: first.length + 10, other0: first.length + 14, lengthBp: 5 + second.length, equal: true },
    ],
    strand: '+',
    other,
    otherStart0: 0,
  })
  expect(found).toMatchObject({ codons: 20, keptShare: 1, change: null })
})
