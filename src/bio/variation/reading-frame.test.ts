import { describe, expect, test } from 'vitest'
import { type FollowedWay, makeFollowed } from '../../testing/followed-coding.ts'
import { readFrame } from './reading-frame.ts'

// M A Q K L V E D G S T F H R I P N C W Y and a stop, between flanks.
const gene = 'ATGGCTCAAAAACTGGTTGAAGATGGTTCTACCTTTCATCGTATTCCGAACTGTTGGTATTAA'
/** The gene as one genome has it, opposite what the other has; `-` where one of them has no base. */
const read = (own: string, other: string, way: FollowedWay = {}) => readFrame(makeFollowed(own, other, way))

describe('the reading frame of a gene in another genome', () => {
  const ways = [{}, { strand: '-' }, { turned: true }, { strand: '-', turned: true }] as const
  for (const way of ways)
    describe(JSON.stringify(way), () => {
      test('has its start where an aligner puts bases of a repeat before it into its first codon', () => {
        const whole = { codons: 20, keptShare: 1, change: null }
        // One A more before the start, told to be within it; two; and one less, told to be the first base.
        const led = `AAA${gene}`
        const own = (text: string) => read(led, text, { ...way, lead: 3 })
        expect(read(`AAAA-${gene.slice(1)}`, `AAAAA${gene.slice(1)}`, { ...way, lead: 3 })).toMatchObject(whole)
        expect(read(`AAAA--${gene.slice(1)}`, `AAAAAA${gene.slice(1)}`, { ...way, lead: 3 })).toMatchObject(whole)
        expect(own(`AAA-${gene.slice(1)}`)).toMatchObject(whole)
        // Without the repeat the start is broken, or gone.
        expect(read(`AAAA-${gene.slice(1)}`, `AAAAC${gene.slice(1)}`, { ...way, lead: 3 })).not.toMatchObject(whole)
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

      test('has a start upstream in frame, with no stop between', () => {
        const lost = gene.replace('ATG', 'ACG')
        const own = `TTACCACCACCA${gene}`
        const beside = (before: string) => read(own, `${before}${lost}`, { ...way, lead: 12 })
        expect(beside('ATGCCACCACCA')).toMatchObject({ change: null, keptShare: 1 })
        // None at all, one behind a stop, and one in another frame.
        expect(beside('TTACCACCACCA')).toMatchObject({ change: 'start' })
        expect(beside('ATGTAACCACCA')).toMatchObject({ change: 'start' })
        expect(beside('CATGCACCACCA')).toMatchObject({ change: 'start' })
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
