import { expect, test } from 'vitest'
import { listedImpactOf } from './protein-variants.ts'

test('a change is listed by what it does to the protein, and not where an insertion begins with the stop that was there', () => {
  expect(listedImpactOf(['missense'])).toBe('moderate')
  expect(listedImpactOf(['inframe_deletion', 'splice_donor'])).toBe('high')
  expect(listedImpactOf(['inframe_insertion', 'stop_retained'])).toBe('moderate')
  expect(listedImpactOf(['stop_retained', 'inframe_insertion'])).toBeNull()
  expect(listedImpactOf(['synonymous'])).toBeNull()
})
