import { describe, expect, it } from 'vitest'
import { parseRegion, parseRegions, possibleNames, readPosition, writeRegion } from './region.ts'

const region = (sequenceName: string, start1: number, end1: number, strand: '+' | '-' = '+') => ({
  ok: true,
  region: { sequenceName, start1, end1, strand },
})
const failure = (code: string, params: object = {}) => ({ ok: false, error: { code, params } })

describe('parseRegion', () => {
  it.each([
    ['Chr1:1000..2000', region('Chr1', 1000, 2000)],
    ['Chr1:1000-2000', region('Chr1', 1000, 2000)],
    ['Chr1:2000..1000', region('Chr1', 1000, 2000, '-')],
    ['Chr1:1000..2000:r', region('Chr1', 1000, 2000, '-')],
    ['Chr1:2000-1000:r', region('Chr1', 1000, 2000, '-')],
    ['Chr1:1000..2000:+', region('Chr1', 1000, 2000)],
    ['chr_3:120,000..180,000', region('chr_3', 120_000, 180_000)],
    ['  chrI : 1 .. 1,234,567 ', region('chrI', 1, 1_234_567)],
    ['Chr1:77', region('Chr1', 77, 77)],
    ['scaffold-12:5-9', region('scaffold-12', 5, 9)],
    ['lcl|NC_1.2:5-9', region('lcl|NC_1.2', 5, 9)],
    ['HLA-A*01:01:01:01:10-20', region('HLA-A*01:01:01:01', 10, 20)],
    ['Chr1：1，000–2，000', region('Chr1', 1000, 2000)],
    ['Chr1:1000…2000', region('Chr1', 1000, 2000)],
  ])('reads %s', (text, expected) => {
    expect(parseRegion(text)).toEqual(expected)
  })

  it('reads BED as counted from 0 and half-open, with the strand in column 6', () => {
    expect(parseRegion('Chr1\t999\t2000')).toEqual(region('Chr1', 1000, 2000))
    expect(parseRegion('Chr1\t0\t10\tgene\t0\t-')).toEqual(region('Chr1', 1, 10, '-'))
    expect(parseRegion('Chr1\t2000\t999')).toEqual(region('Chr1', 1000, 2000, '-'))
    expect(parseRegion('Chr1\t5\t5')).toEqual(failure('region-bed-empty', { start: 5 }))
    expect(parseRegion('Chr1\t5')).toEqual(failure('region-bed-columns', { found: 2 }))
    expect(parseRegion('Chr1\tx\t7')).toEqual(failure('region-number-bad', { value: 'x' }))
  })

  it.each([
    ['', failure('region-empty')],
    ['Chr1', failure('region-range-missing', { name: 'Chr1' })],
    [':5-9', failure('region-name-missing')],
    ['Chr1:0-9', failure('region-start-zero')],
    ['Chr1:five-9', failure('region-number-bad', { value: 'five' })],
    ['Chr1:1,00-900', failure('region-number-comma', { value: '1,00', one: '100', two: '1..00' })],
    ['Chr1:12,34', failure('region-number-comma', { value: '12,34', one: '1,234', two: '12..34' })],
    ['Chr1:1..1,2,3', failure('region-number-comma', { value: '1,2,3', one: '123', two: 'none' })],
    ['Chr1:1..2000,', failure('region-number-comma', { value: '2000,', one: '2,000', two: 'none' })],
    ['Chr1:1e3-2000', failure('region-number-bad', { value: '1e3' })],
    ['Chr1:5-99999999999999999999', failure('region-number-bad', { value: '99999999999999999999' })],
    ['Chr1:100-', failure('region-range-missing', { name: 'Chr1' })],
    ['Chr1 1000 2000', failure('region-unreadable', { text: 'Chr1 1000 2000' })],
  ])('refuses %j with a reason', (text, expected) => {
    expect(parseRegion(text)).toEqual(expected)
  })

  describe('with the names of the genome', () => {
    const genome = new Map([
      ['chrI', 230_218],
      ['HLA-DRB1*15:01:01', 11_080],
      ['HLA-DRB1*15:01:01:02', 11_571],
      ['a', 100],
      ['a:1-5', 10],
    ])
    it('tells alleles whose names hold colons from ranges', () => {
      expect(parseRegion('HLA-DRB1*15:01:01:1-100', genome)).toEqual(region('HLA-DRB1*15:01:01', 1, 100))
      expect(parseRegion('HLA-DRB1*15:01:01:02:1-100', genome)).toEqual(region('HLA-DRB1*15:01:01:02', 1, 100))
      expect(parseRegion('HLA-DRB1*15:01:01:r', genome)).toEqual(region('HLA-DRB1*15:01:01', 1, 11_080, '-'))
    })
    it('refuses what is a name and a region at once, as an allele and a base of its parent are', () => {
      expect(parseRegion('HLA-DRB1*15:01:01:02', genome)).toEqual(
        failure('region-name-ambiguous', { text: 'HLA-DRB1*15:01:01:02' }),
      )
      expect(parseRegion('a:1-5', genome)).toEqual(failure('region-name-ambiguous', { text: 'a:1-5' }))
    })
    it('reads a whole chromosome and an open end', () => {
      expect(parseRegion('chrI', genome)).toEqual(region('chrI', 1, 230_218))
      expect(parseRegion('chrI:230,000..', genome)).toEqual(region('chrI', 230_000, 230_218))
      expect(parseRegion('chrI:300000-', genome)).toEqual(
        failure('region-beyond-end', { name: 'chrI', start: 300_000, length: 230_218 }),
      )
    })
    it('names the sequence that does not exist', () => {
      expect(parseRegion('chr1:5-9', genome)).toEqual(failure('region-sequence-unknown', { name: 'chr1' }))
      expect(parseRegion('chr1', genome)).toEqual(failure('region-sequence-unknown', { name: 'chr1' }))
      expect(parseRegion('chr1\t5\t9', genome)).toEqual(failure('region-sequence-unknown', { name: 'chr1' }))
    })
    it('points at the bad number of a known name', () => {
      expect(parseRegion('chrI:5-x', genome)).toEqual(failure('region-number-bad', { value: 'x' }))
    })
  })
})

describe('a position in a field of its own', () => {
  it('is read as within a region', () => {
    expect(readPosition(' 1,234 ')).toEqual({ ok: true, value: 1234 })
    expect(readPosition('１２，３４５')).toEqual({ ok: true, value: 12_345 })
    expect(readPosition('0')).toEqual(failure('region-start-zero'))
    expect(readPosition('-7')).toEqual(failure('region-start-zero'))
    expect(readPosition('71,1')).toEqual(failure('region-number-comma', { value: '71,1', one: '711', two: '71..1' }))
    expect(readPosition('1 000')).toEqual(failure('region-number-bad', { value: '1 000' }))
  })
})

describe('writing a region', () => {
  it.each(['plasmid_2:5..9', 'plasmid_2:9..5', 'plasmid_2:7..7', 'plasmid_2:7..7:r', 'HLA-B*07:02:3..1'])(
    'keeps the strand of %s',
    (text) => {
      const read = parseRegion(text)
      expect(read.ok && writeRegion(read.region)).toBe(text)
    },
  )
  it('lists the names that a text may begin with', () => {
    expect(possibleNames('HLA-A*01:5-9')).toEqual(['HLA-A*01:5-9', 'HLA-A*01'])
    expect(possibleNames('chr3\t5\t9')).toEqual(['chr3'])
  })
})

describe('parseRegions', () => {
  it('numbers the lines of a batch and skips comments and track lines', () => {
    const lines = parseRegions('# peaks\r\ntrack name=x\r\n\r\nChr1:5..9\r\nbad\r\nChr2\t0\t5')
    expect(lines.map(({ line, result }) => [line, result.ok])).toEqual([
      [4, true],
      [5, false],
      [6, true],
    ])
  })
})
