import { expect, test } from 'vitest'
import { splitAtNames } from './with-symbols.tsx'

test('gene symbols are found in a text as whole words, wherever a language puts them, and nothing within a longer name', () => {
  expect(splitAtNames('esxA: 4 tracks, orthogroup OG-esxA', ['esxA'])).toEqual([
    '',
    'esxA',
    ': 4 tracks, orthogroup OG-esxA',
  ])
  expect(splitAtNames('与esxB共表达的基因', ['esxB', 'esx'])).toEqual(['与', 'esxB', '共表达的基因'])
  expect(splitAtNames('mce1C and mce1', ['mce1', 'mce1C'])).toEqual(['', 'mce1C', ' and ', 'mce1', ''])
  expect(splitAtNames("aac(6')-Ib is present", ["aac(6')-Ib"])).toEqual(['', "aac(6')-Ib", ' is present'])
  expect(splitAtNames('Rv3876', [''])).toEqual(['Rv3876'])
})
