import { describe, expect, it } from 'vitest'
import { geneticCodes, hasGeneticCode, translate } from './genetic-codes.ts'

describe('the genetic codes', () => {
  it('are the 27 that NCBI has, each of 64 codons', () => {
    expect([...geneticCodes.keys()]).toEqual([
      1, 2, 3, 4, 5, 6, 9, 10, 11, 12, 13, 14, 15, 16, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32, 33,
    ])
    for (const code of geneticCodes.values()) {
      expect(code.aminoAcids, code.name).toMatch(/^[ACDEFGHIKLMNPQRSTVWY*]{64}$/)
      expect(code.starts, code.name).toMatch(/^[M*-]{64}$/)
      // A codon that is a stop in the amino acid column is one in the start column as well.
      for (let index = 0; index < 64; index++) {
        if (code.aminoAcids[index] === '*') expect(code.starts[index], `${code.name} ${index}`).toBe('*')
      }
      expect(translate('ATGTTTTGG', { table: code.id })).toBe('MFW')
    }
    expect(hasGeneticCode(7)).toBe(false)
    expect(() => translate('ATG', { table: 7 })).toThrow(RangeError)
  })

  // Each row is a reassignment that defines its code.
  it.each([
    [2, 'AGATGAATA', '*WM', 'vertebrate mitochondria'],
    [3, 'CTATGAATA', 'TWM', 'yeast mitochondria read CUN as threonine'],
    [4, 'TGATAG', 'W*', 'Mycoplasma'],
    [5, 'AGAATA', 'SM', 'insect mitochondria'],
    [6, 'TAATAGTGA', 'QQ*', 'Tetrahymena'],
    [9, 'AAAAGA', 'NS', 'sea urchin mitochondria'],
    [10, 'TGATAA', 'C*', 'Euplotes'],
    [12, 'CTGCTA', 'SL', 'Candida albicans reads CUG as serine'],
    [13, 'AGAAGG', 'GG', 'sea squirt mitochondria'],
    [14, 'TAAAAA', 'YN', 'flatworm mitochondria'],
    [15, 'TAGTAA', 'Q*', 'Blepharisma'],
    [16, 'TAGTAA', 'L*', 'green algal mitochondria'],
    [21, 'ATAAAA', 'MN', 'trematode mitochondria'],
    [22, 'TCATAG', '*L', 'Scenedesmus mitochondria'],
    [23, 'TTATTG', '*L', 'Thraustochytrium mitochondria'],
    [24, 'AGAAGG', 'SK', 'pterobranch mitochondria'],
    [25, 'TGATAA', 'G*', 'candidate division SR1'],
    [26, 'CTGCTA', 'AL', 'Pachysolen reads CUG as alanine'],
    [27, 'TAATGA', 'QW', 'karyorelict ciliates'],
    [29, 'TAATGA', 'Y*', 'Mesodinium'],
    [30, 'TAATGA', 'E*', 'peritrich ciliates'],
    [31, 'TAATGA', 'EW', 'Blastocrithidia'],
    [32, 'TAGTAA', 'W*', 'Balanophora plastids'],
    [33, 'TAAAGG', 'YK', 'Cephalodiscus mitochondria'],
  ])('table %i reads %s as %s (%s, %s)', (table, codons, aminoAcids) => {
    expect(translate(codons, { table })).toBe(aminoAcids)
  })
})

describe('translate', () => {
  it('resolves ambiguous codons whose meanings agree, as Biopython 1.88 does', () => {
    expect(translate('RAYSARATHYTRMGNTRAACNNNNTTY')).toBe('BZILX*TXF')
    expect(translate('RAYSARATHYTRMGNTRAACNNNNTTYMTT', { table: 4 })).toBe('BZILXXTXFJ')
  })
  it('reads an alternative start as methionine only at the start of a whole protein', () => {
    expect(translate('GTGGTGTAA', { table: 11, firstCodonIsStart: true })).toBe('MV*')
    expect(translate('GTGGTGTAA', { table: 11 })).toBe('VV*')
    expect(translate('CGTGGTGTAA', { table: 11, firstCodonIsStart: true, phase: 1 })).toBe('VV*')
    // RTG is ATG or GTG: both start a bacterial protein, only one a standard one.
    expect(translate('RTG', { table: 11, firstCodonIsStart: true })).toBe('M')
    expect(translate('YTG', { table: 11, firstCodonIsStart: true })).toBe('M')
    expect(translate('RTG', { firstCodonIsStart: true })).toBe('X')
  })
  it('drops the incomplete codon at the end and handles stops as asked', () => {
    expect(translate('ATGTAAGCTTGAC')).toBe('M*A*')
    expect(translate('ATGTAAGCTTGAC', { stopHandling: 'trim' })).toBe('M*A')
    expect(translate('ATGTAAGCTTGAC', { stopHandling: 'end' })).toBe('M')
    expect(translate('AT')).toBe('')
    expect(translate('', { phase: 2 })).toBe('')
  })
  it('reads RNA, lower case, gaps and rubbish', () => {
    expect(translate('auggcu---N?A')).toBe('MA-X')
  })
})
