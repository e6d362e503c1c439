import { expect, test } from 'vitest'
import { shortenNames } from './shortened-names.ts'

test('strains that begin alike are cut so that each is told from the others', () => {
  expect(shortenNames(['mc2-155-TAMU', 'mc2-155-JCVI', 'H37Rv'], 9)).toEqual(['mc2-…TAMU', 'mc2-…JCVI', 'H37Rv'])
  expect(shortenNames(['H37Rv', 'H37RvBD', 'H37RvMA2'], 6)).toEqual(['H37Rv', 'H37…BD', 'H37…A2'])
  expect(shortenNames(['NC_000962.2', 'NC_000964.3'], 8)).toEqual(['NC_0…2.2', 'NC_0…4.3'])
  expect(shortenNames(['strain-Paris-1', 'strain-Paris-2'], 4)).toEqual(['st…1', 'st…2'])
})

test('names that differ in what is left are cut at their ends, and those with room not at all', () => {
  expect(shortenNames(['Mycobacterium', 'Zymoseptoria'], 8)).toEqual(['Mycobac…', 'Zymosep…'])
  expect(shortenNames(['mc2-155', 'H37Rv'], 7)).toEqual(['mc2-155', 'H37Rv'])
})

test('the same name twice is cut alike, and names that no cut tells apart still come out', () => {
  expect(shortenNames(['mc2-155-TAMU', 'mc2-155-TAMU'], 6)).toEqual(['mc2-1…', 'mc2-1…'])
  expect(shortenNames(['aaaaaaXaaaaaa', 'aaaaaaYaaaaaa'], 5)).toHaveLength(2)
  expect(shortenNames([], 5)).toEqual([])
})
