import { describe, expect, it } from 'vitest'
import { consequenceBits, encodeInfoName, namesOfBits, parseEffects } from './consequences.ts'
import { countAlleles, dosages, infoValue, parseVcfRecord, readGenotypes, readSampleNames, variantType } from './vcf.ts'

const genotypes = (...samples: string[]) =>
  readGenotypes({ format: 'GT:DP', samples: samples.map((one) => `${one}:7`).join('\t') }, samples.length)!

describe('records of a VCF', () => {
  it('a deletion by symbol reaches to its END; a missing quality and PASS say nothing', () => {
    const record = parseVcfRecord('chr1\t100\trs1;rs2\tA\tG,<DEL>\t.\tPASS\tEND=250;DB\tGT\t0/1')
    expect(record).toEqual({
      sequence: 'chr1',
      position1: 100,
      end1: 250,
      ids: ['rs1', 'rs2'],
      reference: 'A',
      quality: null,
      filters: [],
      alternates: ['G', '<DEL>'],
      info: 'END=250;DB',
      format: 'GT',
      samples: '0/1',
    })
    expect(infoValue(record!.info, 'DB')).toBe(true)
    expect(infoValue(record!.info, 'END')).toBe('250')
    expect(infoValue(record!.info, 'EN')).toBeNull()
  })
  it('records that no filter was applied to are not said to have passed', () => {
    const filtersOf = (text: string) => parseVcfRecord(`chr1\t1\t.\tA\tG\t.\t${text}\t.`)!.filters
    expect(['PASS', '.', 'q10;s50'].map(filtersOf)).toEqual([[], ['.'], ['q10', 's50']])
  })
  it('a line without its columns is no record', () => {
    expect(parseVcfRecord('chr1\t100\t.\tA\tG\t.\tPASS')).toBeNull()
    expect(parseVcfRecord('chr1\tx\t.\tA\tG\t.\tPASS\t.')).toBeNull()
  })
  it('samples are what stands behind FORMAT, carriage return or not', () => {
    expect(readSampleNames('#CHROM\tPOS\tID\tREF\tALT\tQUAL\tFILTER\tINFO\tFORMAT\tA\tB b\r')).toEqual(['A', 'B b'])
    expect(readSampleNames('#CHROM\tPOS\tID\tREF\tALT\tQUAL\tFILTER\tINFO')).toEqual([])
  })
})

describe('genotypes of any ploidy', () => {
  it('haploid calls have one copy, and are phased', () => {
    expect(genotypes('0', '.', '12')).toEqual({
      ploidy: 1,
      alleles: Int16Array.of(0, -1, 12),
      phased: Uint8Array.of(1, 1, 1),
    })
  })
  it('diploid calls, phased and not, missing in whole and in part, and a hemizygous one among them', () => {
    const found = genotypes('0/1', './.', '1|1', './1', '1')
    expect([...found.alleles]).toEqual([0, 1, -1, -1, 1, 1, -1, 1, 1, -2])
    expect([...found.phased]).toEqual([0, 0, 1, 0, 1])
    expect(countAlleles(found, 2)).toEqual({ counts: [1, 5], called: 6, samples: 5, missing: 2 })
    // One copy of one counts as two of two.
    expect([...dosages(found)]).toEqual([1, Number.NaN, 2, Number.NaN, 2])
  })
  it('a triploid among diploids makes room for its third copy', () => {
    const found = genotypes('0/0', '0/1/2')
    expect(found.ploidy).toBe(3)
    expect([...found.alleles]).toEqual([0, 0, -2, 0, 1, 2])
    expect(countAlleles(found, 3).counts).toEqual([3, 1, 1])
    expect([...dosages(found, 2)]).toEqual([0, 2 / 3])
  })
  it('GT is found where it is not the first key, a sample that the line lacks is not called, and without GT there is nothing', () => {
    expect([...readGenotypes({ format: 'DP:GT', samples: '8:0/1\t.:1/1' }, 3)!.alleles]).toEqual([0, 1, 1, 1, -1, -2])
    expect(readGenotypes({ format: 'DP', samples: '8' }, 1)).toBeNull()
    expect(readGenotypes({ format: '', samples: '' }, 0)).toBeNull()
  })
  it('the sign of phase before the first allele, as VCF 4.4 allows it, is no allele', () => {
    expect([...genotypes('|0|1', '/1').alleles]).toEqual([0, 1, 1, -2])
  })
  it('alleles of populations are counted by their samples', () => {
    expect(countAlleles(genotypes('0', '1', '.', '1'), 2, [1, 2])).toEqual({
      counts: [0, 1],
      called: 1,
      samples: 2,
      missing: 1,
    })
  })
})

it('a change is named by its alleles', () => {
  expect(
    [
      ['A', 'G'],
      ['AC', 'GT'],
      ['A', 'AT'],
      ['AT', 'A'],
      ['A', '*'],
      ['A', 'A[chr2:4['],
    ].map(([from, to]) => variantType(from!, to!)),
  ).toEqual(['snv', 'mnv', 'insertion', 'deletion', 'other', 'other'])
})

describe('effects as bcftools csq writes them', () => {
  it('of several alleles each has its own effect, and names with signs come back whole', () => {
    const effects = parseEffects(
      `synonymous|${encodeInfoName('YFG|1,a')}|T1|protein_coding|-|17V|7T>C,stop_gained&splice_region|G2|T2|protein_coding|+|18Q>18*|7T>A,intron|G3||protein_coding`,
      ...([7, 'T', ['A', 'C']] as const),
    )
    expect(effects.map(({ gene, consequences, allele, strand }) => [gene, consequences, allele, strand])).toEqual([
      ['YFG|1,a', ['synonymous'], 2, '-'],
      ['G2', ['stop_gained', 'splice_region'], 1, '+'],
      ['G3', ['intron'], null, '.'],
    ])
    expect(effects[1]!.aminoAcids).toBe('18Q>18*')
  })
  it('an insertion is recognised though its change is stated without the base before it', () => {
    const [effect] = parseEffects('frameshift|G|T|protein_coding|+|3K>3KX|8T>TA', 7, 'CT', ['CTA', 'C'])
    expect(effect!.allele).toBe(1)
  })
  it('bits of consequences and back, the gravest first', () => {
    expect(namesOfBits(consequenceBits(['missense', 'stop_gained', 'unheard_of']))).toEqual(['stop_gained', 'missense'])
  })
})
