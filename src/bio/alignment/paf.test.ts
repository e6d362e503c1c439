import { describe, expect, test } from 'vitest'
import { cigarSpans, invertCigar, PafError, parseCigar, parseCs, parsePafLine, renderCigar } from './paf.ts'

const line = (changes: Record<number, string> = {}, ...tags: string[]): string =>
  ['chrI', '100', '10', '30', '+', 'ctg1', '200', '50', '71', '18', '22', '60']
    .map((cell, column) => changes[column] ?? cell)
    .concat(tags)
    .join('\t')

const failure = (text: string): { message: string; at: number | string } => {
  try {
    parsePafLine(text)
  } catch (error) {
    if (error instanceof PafError) return { message: error.message, at: error.at }
    throw error
  }
  throw new Error('It was read.')
}

describe('lines of PAF', () => {
  test('a line of minimap2 with operations, score and divergence', () => {
    const record = parsePafLine(line({}, 'tp:A:P', 'AS:i:31', 'de:f:0.05', 'cg:Z:10=2D5X1I4='))
    expect(record).toMatchObject({
      query: 'chrI',
      queryStart0: 10,
      queryEnd0: 30,
      strand: '+',
      target: 'ctg1',
      targetStart0: 50,
      targetEnd0: 71,
      mapq: 60,
      kind: 'primary',
      score: 31,
      divergence: 0.05,
    })
    expect(renderCigar(record.cigar!)).toBe('10=2D5X1I4=')
  })

  test('without tags an alignment is primary, its score the number of matches', () => {
    expect(parsePafLine(line())).toMatchObject({ kind: 'primary', score: 18, divergence: null, cigar: null })
    expect(parsePafLine(line({}, 'tp:A:S')).kind).toBe('secondary')
    expect(parsePafLine(line({}, 'tp:A:i')).kind).toBe('inversion')
  })

  test('cs tells mismatches that cg without --eqx does not', () => {
    const record = parsePafLine(line({}, 'cg:Z:10M2D5M1I4M', 'cs:Z::10-ac*ag*ct*ga*tc*ac+t:4'))
    expect(renderCigar(record.cigar!)).toBe('10=2D5X1I4=')
  })

  test('what is wrong is told with its column', () => {
    expect(failure('chrI\t100\t10')).toEqual({ message: 'it has 3 columns, and PAF has twelve', at: 3 })
    expect(failure(line({ 2: '1e3' }))).toEqual({ message: '"1e3" (query start) is no whole number', at: 3 })
    expect(failure(line({ 7: '-5' })).at).toBe(8)
    expect(failure(line({ 4: '*' }))).toEqual({ message: '"*" (strand) is neither + nor -', at: 5 })
    expect(failure(line({ 3: '101' })).message).toBe('query end 101 is beyond the length 100')
    expect(failure(line({ 8: '50' })).message).toBe('target end 50 is not behind the start 50')
    expect(failure(line({ 0: '' })).message).toBe('query name is empty')
    expect(failure(line({}, 'cg:Z:20='))).toEqual({
      message: 'its operations take 20 target bases, its places 21',
      at: 'cg',
    })
    expect(failure(line({}, 'cg:Z:19=2D')).message).toBe('its operations take 19 query bases, its places 20')
    expect(failure(line({}, 'cg:Z:5N')).message).toBe('"N" is none of M, I, D, = and X')
    expect(failure(line({}, 'cg:Z:=')).message).toBe('"=" has no length before it')
    expect(failure(line({}, 'cg:Z:99999999999=')).message).toMatch(/longer than/)
    expect(failure(line({}, 'cs:Z::10?')).message).toBe('"?" is no operation')
    expect(failure(line({}, 'de:f:x')).at).toBe('de')
    expect(failure(line({}, 'AS:i:many')).at).toBe('AS')
  })
})

describe('operations', () => {
  test('a long cs is read as a short one is', () => {
    expect(renderCigar(parseCs('=ACGTAC-ata=GGG+tt*ag'))).toBe('6=3D3=2I1X')
    expect(renderCigar(parseCs(':6-ata:10*at*gc+g'))).toBe('6=3D10=2X1I')
  })

  test('bases of either side are counted', () => {
    expect(cigarSpans(parseCigar('10=2D5X1I4M'))).toEqual({ targetBp: 21, queryBp: 20 })
  })

  test('seen from the other sequence insertions are deletions, and opposite strands turn the order', () => {
    expect(renderCigar(invertCigar(parseCigar('10=2D5X1I'), '+'))).toBe('10=2I5X1D')
    expect(renderCigar(invertCigar(parseCigar('10=2D5X1I'), '-'))).toBe('1D5X2I10=')
  })

  test('the longest operation is kept whole', () => {
    expect(renderCigar(parseCigar('268435455='))).toBe('268435455=')
  })
})
