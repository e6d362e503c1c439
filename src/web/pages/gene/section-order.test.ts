import { expect, test } from 'vitest'
import { orderSections } from './section-order.ts'

const ids = (sections: Parameters<typeof orderSections>[0]): string[] => orderSections(sections).map(({ id }) => id)

test('sections stand by topic, then by their place in it, whatever the order they are found in', () => {
  expect(
    ids([
      { id: 'papers', topic: 'literature', order: 10, simulated: false },
      { id: 'coexpressed', topic: 'expression', order: 20, simulated: false },
      { id: 'structure', topic: 'structure', order: 10, simulated: false },
      { id: 'expression', topic: 'expression', order: 10, simulated: false },
      { id: 'summary', topic: 'identity', order: 10, simulated: false },
      { id: 'variants', topic: 'variants', order: 10, simulated: false },
    ]),
  ).toEqual(['summary', 'structure', 'variants', 'expression', 'coexpressed', 'papers'])
})

test('simulated data stands below everything real, in the same order among itself', () => {
  expect(
    ids([
      { id: 'cells', topic: 'expression', order: 30, simulated: true },
      { id: 'partners', topic: 'function', order: 40, simulated: true },
      { id: 'papers', topic: 'literature', order: 10, simulated: false },
    ]),
  ).toEqual(['papers', 'partners', 'cells'])
})
