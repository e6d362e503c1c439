import { describe, expect, test } from 'vitest'
import { descriptionNames } from './description-names.ts'

const matches = (pattern: string, text: string): boolean => new RegExp(pattern, 'u').test(text)

describe('descriptions that name what is asked for', () => {
  test('ESAT-6 is the antigen whose description brackets it, and not the proteins that are like it', () => {
    const { whole, begins } = descriptionNames(' ESAT-6 ')!
    expect(matches(whole, '6 kda early secretory antigenic target esxa (esat-6)')).toBe(true)
    expect(matches(whole, 'putative esat-6 like protein esxi (esat-6 like protein 1)')).toBe(false)
    expect(matches(begins, 'esat-6 like protein esxg')).toBe(false)
    expect(matches(begins, 'esat-6-like protein')).toBe(false)
  })
  test('galactokinase is the enzyme itself, not its regulator', () => {
    const { whole, begins } = descriptionNames('galactokinase')!
    expect(matches(whole, 'galactokinase; phosphorylates alpha-d-galactose')).toBe(true)
    expect(matches(whole, 'probable galactokinase [galactose metabolism]')).toBe(true)
    expect(matches(begins, 'probable galactokinase galk')).toBe(true)
    expect(matches(whole, 'transcriptional regulator with similarity to galactokinase genes')).toBe(false)
    expect(matches(begins, 'galactokinases of yeast')).toBe(false)
  })
  test('catalase alone is the enzyme and nothing else', () => {
    const { exact } = descriptionNames('catalase')!
    for (const text of ['catalase', 'putative catalase', 'catalase.']) expect(matches(exact, text), text).toBe(true)
    for (const text of ['catalase/peroxidase', 'catalase kata', 'manganese catalase'])
      expect(matches(exact, text), text).toBe(false)
  })
  test('signs of the question stand for themselves', () => {
    const { phrase, whole } = descriptionNames('cytochrome c (iso-1')!
    expect(phrase).toBe('cytochrome c (iso-1')
    expect(matches(whole, 'cytochrome c (iso-1)')).toBe(true)
    expect(matches(whole, 'cytochrome c xiso-1)')).toBe(false)
    expect(descriptionNames(' .. ')).toBeNull()
  })

  test('other writings of a name name it as well', () => {
    const { phrase, whole } = descriptionNames('MPT 64', ['mpt64', 'mpt-64'])!
    expect(phrase).toBe('mpt')
    for (const text of ['antigen (mpt64)', 'mpt-64', 'mpt 64 precursor (mpt 64)'])
      expect(new RegExp(whole).test(text), text).toBe(true)
    expect(new RegExp(whole).test('mpt63 and 64')).toBe(false)
  })
})
