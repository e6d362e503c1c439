import { expect, test } from 'vitest'
import { createNamer } from './unique-names.ts'

test('names that occur again are numbered', () => {
  const nameOf = createNamer()
  expect(['a', 'b', 'a', 'a', 'b'].map(nameOf)).toEqual(['a', 'b', 'a_2', 'a_3', 'b_2'])
})

test('a name that looks like a number given before gets another, wherever it stands', () => {
  const later = createNamer()
  expect(['a', 'a', 'a_2', 'a_2'].map(later)).toEqual(['a', 'a_2', 'a_2_2', 'a_2_3'])
  const earlier = createNamer()
  expect(['a_2', 'a', 'a'].map(earlier)).toEqual(['a_2', 'a', 'a_3'])
})
