import { expect, test } from 'vitest'
import { parsePopulations } from './read-populations.ts'

const read = (text: string) => Object.fromEntries(parsePopulations(text).map(({ name, samples }) => [name, samples]))

test('populations are read from lists and tables, with their quotes', () => {
  expect(read('North: a1 a2, a3；a4\n"East: hills": a5')).toEqual({
    North: ['a1', 'a2', 'a3', 'a4'],
    'East: hills': ['a5'],
  })
  expect(read('sample,population\na1,"North, hills"\na2,"South, coast: wet"\na3;North')).toEqual({
    'North, hills': ['a1'],
    'South, coast: wet': ['a2'],
    North: ['a3'],
  })
  expect(read('a1\tNorth hills\t\na2 North\na3，北')).toEqual({ 'North hills': ['a1'], North: ['a2'], 北: ['a3'] })
})

test.each([
  ['a1,North, hills', 3],
  ['a1\t\tNorth', 3],
  ['a1 North hills', 3],
  ['a1', 1],
])('%j is no sample and population', (text, found) => {
  expect(() => parsePopulations(text)).toThrow(
    expect.objectContaining({ problems: [expect.objectContaining({ params: { line: 1, found } })] }),
  )
})
