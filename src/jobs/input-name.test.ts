import { describe, expect, it } from 'vitest'
import { nameInput } from './input-name.ts'

describe('nameInput', () => {
  it('names genes and their assembly', () => {
    expect(nameInput({ genes: ['Rv0001', 'Rv0002'], assembly: 'H37Rv' })).toBe('Rv0001, Rv0002 · H37Rv')
    expect(nameInput({ genes: 'a b\nc, d e', assembly: 'R64' })).toBe('a, b, c +2 · R64')
  })
  it('names sequences by their records, or by their beginning and length', () => {
    expect(nameInput({ query: '>one of it\nACGT\n>two\nACGT', species: 'yeast' })).toBe('one, two · yeast')
    expect(nameInput({ sequence: 'ACGTACGTACGTACGTACGTACGTACGTACGTACGTACGTACGTACGT' })).toBe('ACGTACGTACGT… (48)')
    expect(nameInput({ sequence: 'chrI', start: 10, end: 20, assembly: 'R64' })).toBe('chrI:10..20 · R64')
  })
  it('passes over what is not given, and is empty where nothing is named', () => {
    expect(nameInput({ query: '', genes: [], trait: 'height' })).toBe('height')
    expect(nameInput({ phenotype: 'field|Plant height', assembly: 'IRGSP' })).toBe('Plant height · IRGSP')
    expect(nameInput({ region: 'chr1:1-500', sequence: '', assembly: 'R64' })).toBe('chr1:1-500 · R64')
    expect(nameInput({ populations: ['wild', 'landrace'], assembly: 'R64' })).toBe('wild, landrace · R64')
    expect(nameInput({ windowBp: 1000 })).toBe('')
    expect(nameInput(null)).toBe('')
  })
  it('is one short line that a database can keep', () => {
    const name = nameInput({ words: `a\u0000b\nc\ud800${'x'.repeat(500)}`, assembly: 'y'.repeat(500) })
    expect(name.length).toBeLessThanOrEqual(121)
    expect(name.includes('\u0000') || name.includes('\n')).toBe(false)
    expect(name.isWellFormed()).toBe(true)
  })
})
