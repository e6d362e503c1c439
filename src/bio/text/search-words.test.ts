import { expect, test } from 'vitest'
import {
  cjkPairs,
  findWrittenForms,
  looksLikeSymbol,
  nameGreekLetters,
  otherSpellings,
  searchWords,
} from './search-words.ts'

test('keeps identifiers whole and splits Chinese into pairs', () => {
  expect(searchWords('ESX-1 secretion, 转录因子')).toEqual(['esx-1', 'secretion', '转录', '录因', '因子'])
  expect(searchWords('AT1G01010.1 (NAC001)')).toEqual(['at1g01010.1', 'nac001'])
  expect(searchWords('Ｒｖ３８７５')).toEqual(['rv3875'])
  expect(searchWords('  --- ')).toEqual([])
  expect(searchWords('ESAT\u20136 CFP\u201110')).toEqual(['esat-6', 'cfp-10'])
})

test('gives single signs as they are', () => {
  expect(cjkPairs('酶')).toBe('酶')
  expect(cjkPairs('转录因子 MYB')).toBe('转录 录因 因子')
})

test('other spellings of a name with hyphens', () => {
  expect(otherSpellings('cfp-10')).toEqual([['cfp10'], ['cfp', '10']])
  expect(otherSpellings('cytochrome-c_oxidase')).toEqual([['cytochrome', 'c', 'oxidase'], ['cytochromecoxidase']])
  expect(otherSpellings('kinase')).toEqual([])
  expect(otherSpellings('rvbd3872')).toEqual([['rvbd_3872']])
  expect(otherSpellings('mp1060')).toEqual([['mp_1060']])
})

test('symbols of genes are no misspelt words', () => {
  for (const symbol of ['hsp65', 'DosR', 'vapBC', 'chr1']) expect(looksLikeSymbol(symbol), symbol).toBe(true)
  for (const word of ['polymerse', 'Replicaton', 'KINASE', '激酶']) expect(looksLikeSymbol(word), word).toBe(false)
})

test('names in parts and how else they are written', () => {
  const writtenForms = (...words: string[]) => findWrittenForms(words).map((one) => one.writtenForms)
  expect(writtenForms('mpt', '64')).toEqual([['mpt64', 'mpt-64']])
  expect(writtenForms('pol', 'ii', 'subunit')).toEqual([['polii', 'pol-ii']])
  expect(writtenForms('il-2')).toEqual([['il2', 'il 2']])
  expect(writtenForms('σh')).toEqual([['sigmah', 'sigma-h', 'sigma h', 'sigh']])
  expect(writtenForms('tgf', 'β')).toEqual([['tgfbeta', 'tgf-beta', 'tgf beta']])
  // Words of the language and long words are no names of two parts.
  for (const words of [['of', 'a'], ['kinase', '2'], ['zinc', 'finger'], ['yal001c']])
    expect(writtenForms(...words)).toEqual([])
  expect(nameGreekLetters('ifn-γ2')).toBe('ifn-gamma-2')
  expect(otherSpellings('mpt64')).toEqual([['mpt-64']])
})
