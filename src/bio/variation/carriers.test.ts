import { expect, test } from 'vitest'
import { carriageOf, carriesSet, mergeCarriages } from './carriers.ts'
import { readGenotypes } from './vcf.ts'

const carriagesOf = (texts: string[], alleles: number[] | null) => {
  const genotypes = readGenotypes({ format: 'GT', samples: texts.join('\t') }, texts.length)!
  return texts.map((_, sample) => carriageOf(genotypes, sample, alleles))
}

test('a copy with the allele makes a carrier, haploid, diploid or tetraploid, phased or not', () => {
  expect(carriagesOf(['0/0', '0/1', '1|1', '1', '0', '0/0/0/1', '1/1/1/1'], null)).toEqual([
    ...['none', 'some', 'every', 'every', 'none', 'some', 'every'],
  ])
})

test('an accession of which no copy is seen to have it is not determined where a copy is not called', () => {
  expect(carriagesOf(['./.', '.', './0', './1', '1/.', '0/0'], null)).toEqual([
    ...['missing', 'missing', 'missing', 'some', 'some', 'none'],
  ])
})

test('of a multiallelic record the allele asked for counts, not the others', () => {
  const texts = ['0/1', '0/2', '1/2', '2/2', './1', '0/0']
  expect(carriagesOf(texts, [2])).toEqual(['none', 'some', 'some', 'every', 'missing', 'none'])
  expect(carriagesOf(texts, [1, 2])).toEqual(['some', 'some', 'every', 'every', 'some', 'none'])
  expect(carriagesOf(texts, null)).toEqual(['some', 'some', 'every', 'every', 'some', 'none'])
})

test('records that are one change count as one', () => {
  expect(mergeCarriages(['none', 'every', 'missing'])).toBe('every')
  expect(mergeCarriages(['missing', 'some'])).toBe('some')
  expect(mergeCarriages(['none', 'missing'])).toBe('missing')
  expect(mergeCarriages(['none', 'none'])).toBe('none')
})

test('what is not called decides only where the rest does not', () => {
  expect(carriesSet(['every', 'some'], 'all')).toBe(true)
  expect(carriesSet(['every', 'missing'], 'all')).toBeNull()
  expect(carriesSet(['none', 'missing'], 'all')).toBe(false)
  expect(carriesSet(['none', 'some'], 'all')).toBe(false)
  expect(carriesSet(['none', 'some'], 'any')).toBe(true)
  expect(carriesSet(['missing', 'some'], 'any')).toBe(true)
  expect(carriesSet(['none', 'missing'], 'any')).toBeNull()
  expect(carriesSet(['none', 'none'], 'any')).toBe(false)
  expect(carriesSet(['none', 'none'], 'none')).toBe(true)
  expect(carriesSet(['none', 'some'], 'none')).toBe(false)
  expect(carriesSet(['none', 'missing'], 'none')).toBeNull()
})
