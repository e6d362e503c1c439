import { expect, test } from 'vitest'
import { readAsked } from './addresses.ts'

test('an address that has a gene where a place stands asks for that gene', () => {
  expect(readAsked(null, 'ADH1')).toEqual({ gene: 'ADH1' })
  expect(readAsked('ADH1', '')).toEqual({ gene: 'ADH1' })
  expect(readAsked('ADH1', 'chrI:1-9')).toEqual({ gene: 'ADH1' })
  expect(readAsked('', ' chrI:1,000..2,000 ')).toEqual({ sequence: 'chrI', start: 1000, end: 2000 })
  expect(readAsked(null, ' ')).toBeNull()
  expect(readAsked(null, null)).toBeNull()
})
