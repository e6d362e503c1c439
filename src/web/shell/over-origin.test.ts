import { expect, test } from 'vitest'
import { readOrigin } from './over-origin.ts'

const plasmid = { lengthBp: 9000, circular: true }

test('a place that goes on beyond the end of a circle lies over its origin', () => {
  expect(readOrigin({ start: 8991, end: 9025 }, plasmid)).toEqual({ over: { before: 10, after: 25 } })
  expect(readOrigin({ start: 8991, end: 9000 }, plasmid)).toBeNull()
})

test('a descending place of most of a circle may be meant over the origin; of a part of it, or of a line, it is not', () => {
  // 8900..100 was typed.
  expect(readOrigin({ start: 100, end: 8900, strand: '-' }, plasmid)).toEqual({ instead: { start: 8900, end: 9100 } })
  expect(readOrigin({ start: 100, end: 8900, strand: '+' }, plasmid)).toBeNull()
  expect(readOrigin({ start: 100, end: 900, strand: '-' }, plasmid)).toBeNull()
  expect(readOrigin({ start: 1, end: 9000, strand: '-' }, plasmid)).toBeNull()
  expect(readOrigin({ start: 100, end: 8900, strand: '-' }, { ...plasmid, circular: false })).toBeNull()
})
