import { describe, expect, it } from 'vitest'
import { DefectLog } from '../text/defects.ts'
import {
  findGff3Value,
  findGtfValue,
  formatGff3Attributes,
  parseFeatureLine,
  parseGff3Attributes,
  parseGtfAttributes,
  StringPool,
} from './feature.ts'

describe('parseGff3Attributes', () => {
  it('splits values at commas, then decodes them as UTF-8', () => {
    expect(parseGff3Attributes('ID=g1;Alias=a,b%2Cc;Note=%CE%B2-actin')).toEqual({
      ID: ['g1'],
      Alias: ['a', 'b,c'],
      Note: ['β-actin'],
    })
  })
  it('keeps "=" and joins what an unescaped ";" cut off, and says so', () => {
    const pieces: string[] = []
    expect(
      parseGff3Attributes('ID=g1;Note=a; b;Target=x=1;;', { onUnescaped: (piece) => void pieces.push(piece) }),
    ).toEqual({ ID: ['g1'], Note: ['a; b'], Target: ['x=1'] })
    expect(pieces).toEqual(['b'])
  })
  it('decodes what is an escape and keeps a lone percent sign, also beside Latin-1 escapes', () => {
    let bad = 0
    const attributes = parseGff3Attributes('Note=50% of a%20b %E9', { onBadEscape: () => void bad++ })
    expect(attributes).toEqual({ Note: ['50% of a b é'] })
    expect(bad).toBe(1)
  })
  it('takes quotes off, joins keys that come twice, and is not led astray by __proto__', () => {
    const attributes = parseGff3Attributes('Name="Abc1";Dbxref=A:1;Dbxref=B:2;__proto__=x;constructor=y')
    expect(attributes.Name).toEqual(['Abc1'])
    expect(attributes.Dbxref).toEqual(['A:1', 'B:2'])
    expect(Object.keys(attributes)).toEqual(['Name', 'Dbxref', '__proto__', 'constructor'])
    expect(({} as Record<string, unknown>).x).toBeUndefined()
  })
  it('reads an empty column', () => {
    expect(parseGff3Attributes('.')).toEqual({})
    expect(parseGff3Attributes('')).toEqual({})
  })
  it('is undone by formatGff3Attributes', () => {
    const attributes = { ID: ['a;b'], Note: ['x, y', '100 %', 'tab\there', '中文 = β'], 'odd key': ['1'] }
    expect(parseGff3Attributes(formatGff3Attributes(attributes))).toEqual(attributes)
    expect(formatGff3Attributes({})).toBe('.')
  })
})

describe('parseGtfAttributes', () => {
  it('keeps semicolons in quotes, numbers without quotes and repeated keys', () => {
    expect(parseGtfAttributes('gene_id "g;1"; exon_number 2; tag "basic"; tag "CCDS"; note "";')).toEqual({
      gene_id: ['g;1'],
      exon_number: ['2'],
      tag: ['basic', 'CCDS'],
      note: [''],
    })
  })
  it('reads the lone names of Augustus and lines whose last quote is missing', () => {
    expect(parseGtfAttributes('g1.t1')).toEqual({ ID: ['g1.t1'] })
    expect(parseGtfAttributes('gene_id "g1')).toEqual({ gene_id: ['g1'] })
  })
})

describe('finding one attribute', () => {
  it('finds whole keys only', () => {
    expect(findGff3Value('orig_ID=1;ID=2', 'ID')).toBe('2')
    expect(findGff3Value('ID=1; Parent = 3;Parent=2', 'Parent')).toBe('2')
    expect(findGff3Value('Note=ID;x=1', 'ID')).toBeNull()
    expect(findGff3Value('ID=', 'ID')).toBeNull()
    expect(findGtfValue('ref_gene_id "a"; gene_id "b";', 'gene_id')).toBe('b')
    expect(findGtfValue('gene_id  b ;', 'gene_id')).toBe('b')
    expect(findGtfValue('gene_id ""; x 1', 'gene_id')).toBeNull()
  })
})

describe('parseFeatureLine', () => {
  const read = (line: string, dialect: 'gff3' | 'gtf' = 'gff3') => {
    const log = new DefectLog()
    const feature = parseFeatureLine(line, 7, { file: 'x', log, dialect, pool: new StringPool() })
    return { feature, codes: log.defects.map(({ code }) => code) }
  }
  it('reads the nine columns', () => {
    const { feature, codes } = read('chrI\tSGD\tCDS\t335\t649\t1e-5\t-\t2\tID=YAL069W')
    expect(codes).toEqual([])
    expect(feature).toMatchObject({
      sequenceName: 'chrI',
      source: 'SGD',
      type: 'CDS',
      start1: 335,
      end1: 649,
      score: 1e-5,
      strand: '-',
      phase: 2,
      line: 7,
      attributes: { ID: ['YAL069W'] },
    })
  })
  it.each([
    ['blanks for tabs', 'c x gene 1 9 . + . ID=a b', ['gff-spaces-for-tabs']],
    ['a missing ninth column', 'c\tx\tgene\t1\t9\t.\t+\t.', ['gff-attributes-absent']],
    ['too few columns', 'c\tx\tgene\t1\t9', ['gff-column-count']],
    ['words', 'this is no feature line at all and it has many words', ['gff-column-count']],
    ['a comma in a number', 'c\tx\tgene\t1,000\t9000\t.\t+\t.\tID=a', ['gff-bad-coordinate']],
    ['a negative start', 'c\tx\tgene\t-5\t9\t.\t+\t.\tID=a', ['gff-bad-coordinate']],
    ['a start of 0', 'c\tx\tgene\t0\t9\t.\t+\t.\tID=a', ['gff-start-zero']],
    ['start after end', 'c\tx\tgene\t9\t1\t.\t+\t.\tID=a', ['gff-start-after-end']],
    ['an empty feature', 'c\tx\tfive_prime_UTR\t10\t9\t.\t+\t.\tID=a', ['gff-empty-feature']],
    ['a strand in words', 'c\tx\tgene\t1\t9\t.\tplus\t.\tID=a', ['gff-bad-strand']],
    ['a phase of 3', 'c\tx\tCDS\t1\t9\t.\t+\t3\tID=a', ['gff-bad-phase']],
    ['a score in words', 'c\tx\tgene\t1\t9\thigh\t+\t.\tID=a', ['gff-bad-score']],
    ['a strand of ?', 'c\tx\tgene\t1\t9\t.\t?\t.\tID=a', []],
    ['tabs at the end', 'c\tx\tgene\t1\t9\t.\t+\t.\tID=a\t\t', []],
  ])('%s', (_, line, expected) => {
    expect(read(line).codes).toEqual(expected)
  })
  it('reads each line in its own dialect', () => {
    expect(read('c\tx\texon\t1\t9\t.\t+\t.\tgene_id "a=b"').feature!.attributes).toEqual({ gene_id: ['a=b'] })
    expect(read('c\tx\texon\t1\t9\t.\t+\t.\tID=a;Parent=b', 'gtf').feature!.attributes).toEqual({
      ID: ['a'],
      Parent: ['b'],
    })
  })
})
