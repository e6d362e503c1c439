import { expect, test } from 'vitest'
import { cjkPairs, searchWords } from './search-words.ts'

test('keeps identifiers whole and splits Chinese into pairs', () => {
  expect(searchWords('ESX-1 secretion, 转录因子')).toEqual(['esx-1', 'secretion', '转录', '录因', '因子'])
  expect(searchWords('AT1G01010.1 (NAC001)')).toEqual(['at1g01010.1', 'nac001'])
  expect(searchWords('Ｒｖ３８７５')).toEqual(['rv3875'])
  expect(searchWords('  --- ')).toEqual([])
})

test('gives single signs as they are', () => {
  expect(cjkPairs('酶')).toBe('酶')
  expect(cjkPairs('转录因子 MYB')).toBe('转录 录因 因子')
})
