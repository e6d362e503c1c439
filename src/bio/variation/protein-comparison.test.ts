import { describe, expect, test } from 'vitest'
import { type FollowedWay, makeFollowed } from '../../testing/followed-coding.ts'
import { compareProteins } from './protein-comparison.ts'

// M A Q K L V E D G S T F H R I P N C W Y and a stop.
const gene = 'ATGGCTCAAAAACTGGTTGAAGATGGTTCTACCTTTCATCGTATTCCGAACTGTTGGTATTAA'

const compare = (own: string, other: string, way: FollowedWay = {}) => compareProteins(makeFollowed(own, other, way))
const same = { residues: 20, compared: 20, changes: [] }

describe('the protein of a gene in another genome', () => {
  const ways = [{}, { strand: '-' }, { turned: true }, { strand: '-', turned: true }] as const
  for (const way of ways)
    describe(JSON.stringify(way), () => {
      test('is identical where no base differs, or synonymous ones do', () => {
        expect(compare(gene, gene, way)).toEqual(same)
        expect(compare(gene, gene.replace('CTGGTT', 'TTAGTC'), way)).toEqual(same)
      })

      test('has each residue that planted substitutions change, two of one codon as one', () => {
        // CTG of Leu5 to CCG, GAA of Glu7 to AAG, and a synonymous one between.
        expect(compare(gene, gene.replace('CTGGTTGAA', 'CCGGTCAAG'), way)).toEqual({
          ...same,
          changes: ['p.(Leu5Pro)', 'p.(Glu7Lys)'],
        })
      })

      test('has residues more and less in frame', () => {
        const less = compare(gene, gene.replace('GATGGTTCT', 'GAT---TCT'), way)
        expect(less).toEqual({ ...same, changes: ['p.(Gly9del)'] })
        const more = compare(gene.replace('GATGGTTCT', 'GATGGT---TCT'), gene.replace('GATGGTTCT', 'GATGGTTGGTCT'), way)
        expect(more).toEqual({ ...same, changes: ['p.(Gly9_Ser10insTrp)'] })
      })

      test('is told up to where it breaks', () => {
        const other = gene.replace('CTG', 'CCG').replace('TGGTAT', 'TAGTTT')
        expect(compare(gene, other, way)).toEqual({ ...same, changes: ['p.(Leu5Pro)', 'p.(Trp19Ter)'] })
        expect(compare(gene, gene.replace('ATG', 'ACG'), way)!.changes).toEqual(['p.(Met1?)'])
        expect(compare(gene, gene.replace('TATTAA', 'TATCAA'), way)!.changes).toEqual(['p.(Ter21GlnextTer?)'])
      })

      test('is not changed by unknown bases, and not identical there either', () => {
        expect(compare(gene, gene.replace('CTGGTT', 'CNGGTT'), way)).toEqual({ ...same, compared: 19 })
        // A known base of the same codon tells no residue.
        expect(compare(gene, gene.replace('CTGGTTGAA', 'CCNGTTAAA'), way)).toEqual({
          ...same,
          compared: 19,
          changes: ['p.(Glu7Lys)'],
        })
        const gap = compare(gene.replace('CTGGTT', 'CTG---GTT'), gene.replace('CTGGTT', 'CTGNNNGTT'), way)
        expect(gap).toEqual({ ...same, compared: 19 })
        // As if the other were known where the gene's own genome is not.
        expect(compare(gene.replace('CTGGTT', 'CNGGTT'), gene, way)!.changes).toEqual([])
      })

      test('is compared as far as it is aligned', () => {
        const other = (ownStart: string) => `${ownStart}${gene.slice(12).replace('GAA', 'AAA')}`
        const part = (ownStart: string) => {
          const whole = makeFollowed(gene, other(ownStart), way)
          // All but the first four codons.
          const isReversed = (way as FollowedWay).strand === '-'
          const segments = isReversed ? whole.segments.slice(0, -12) : whole.segments.slice(12)
          return compareProteins({ ...whole, segments })
        }
        expect(part('ATGCCTCAAAAA')).toEqual({ ...same, compared: 16, changes: ['p.(Glu7Lys)'] })
        // The same bases beside what is aligned are the gene's own.
        expect(part('ATGGCTCAAAAA')).toEqual({ ...same, changes: ['p.(Glu7Lys)'] })
      })

      test('is identical where an aligner breaks its stop within a repeat', () => {
        // TAA|AAA beside TA-|AAA: the base is missing behind the stop as well.
        const own = `${gene}AAA`
        expect(compare(own, `${gene.slice(0, -1)}-AAA`, { ...way, trail: 3 })).toEqual(same)
      })
    })

  test('is read by the genetic code of its genome', () => {
    // TGA is tryptophan in code 4.
    const own = gene.replace('TGGTAT', 'TGATAT')
    expect(compare(own, gene, { geneticCode: 4 })).toEqual(same)
    expect(compare(own, own.replace('TGATAT', 'TGTTAT'), { geneticCode: 4 })!.changes).toEqual(['p.(Trp19Cys)'])
    // In code 11 the gene does not read in its own genome.
    expect(compare(own, gene, { geneticCode: 11 })).toBeNull()
  })

  test('starts with methionine from any start codon of its code', () => {
    expect(compare(gene, gene.replace('ATG', 'GTG'))).toEqual(same)
  })

  test('is read behind the phase of a part', () => {
    expect(compare(`GG${gene.slice(3)}`, `GG${gene.slice(3).replace('CTG', 'CCG')}`, { phase: 2 })).toEqual({
      residues: 19,
      compared: 19,
      changes: ['p.(Leu4Pro)'],
    })
  })
})
