import { expect, it } from 'vitest'
import { readListValue } from './address-values.ts'

it('a list of the address is read with commas and by repeated parameters, also mixed; what is not there is null', () => {
  const read = (query: string) => readListValue(new URLSearchParams(query), 'tracks')
  expect(read('tracks=genes,gc')).toEqual(['genes', 'gc'])
  expect(read('tracks=genes&tracks=gc')).toEqual(['genes', 'gc'])
  expect(read('tracks=genes,gc&tracks=%20hits%20')).toEqual(['genes', 'gc', 'hits'])
  expect(read('tracks=')).toEqual([])
  expect(read('assembly=R64')).toBeNull()
})
