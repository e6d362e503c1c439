import { expect, test } from 'vitest'
import { placedProblems } from './placed-problems.ts'

const none = { errorCode: 'UNKNOWN_ASSEMBLY', problems: [] }

test('an unknown assembly is said beside the field that it was chosen in', () => {
  expect(placedProblems(none, 'No assembly named “X” is loaded.', ['genes', 'assembly'])).toEqual([
    { path: ['assembly'], message: 'No assembly named “X” is loaded.' },
  ])
})

test('what the form has no field for is said beside none', () => {
  expect(placedProblems(none, 'No assembly named “X” is loaded.', ['species'])).toEqual([])
  expect(placedProblems({ errorCode: 'BUSY', problems: [] }, 'The portal is busy.', ['assembly'])).toEqual([])
})

test('fields that the server names go before', () => {
  const problems = [{ path: ['genes', 0], message: 'There is no gene X.' }]
  expect(placedProblems({ errorCode: 'UNKNOWN_GENE', problems }, 'other', ['genes'])).toBe(problems)
})
