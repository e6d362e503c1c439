import { expect, test } from 'vitest'
import { readTyped, readVisible } from './address.ts'

test('a descending place in the box of JBrowse is the reverse strand, as in every box of the portal', () => {
  expect(readTyped('chrI:9..5')).toBe('chrI:5..9[rev]')
  expect(readTyped('chrI:2,000-1,000')).toBe('chrI:1000..2000[rev]')
  expect(readTyped('chrI:9..5 chrII:1..20')).toBe('chrI:5..9[rev] chrII:1..20')
  // What was read is shown, and written, as the portal writes it.
  expect(readVisible(readTyped('chrI:9..5'))).toBe('chrI:9..5')
})

test('what JBrowse reads itself stays as it is typed: ascending and reversed places, names, genes', () => {
  for (const typed of ['chrI:5..9', 'chrI:5..9[rev]', 'chrI', 'esxA', 'chrI:1,000-2,000', ''])
    expect(readTyped(typed)).toBe(typed)
})
