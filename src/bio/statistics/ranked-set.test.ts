import { expect, test } from 'vitest'
import { testRankedSet } from './ranked-set.ts'

const ramp = Array.from({ length: 20 }, (_, at) => at + 1)

// p-values of cameraPR of limma 3.54.
test.each([
  ['low among all genes', ramp, [1, 2, 3, 4], 'down', 0.000771920296150797],
  ['high for the most part', ramp.map((value) => value ** 2), [2, 15, 18, 20], 'up', 0.102112643119617],
])('a set that lies %s', (_, statistics, places, direction, pValue) => {
  const found = testRankedSet(
    statistics,
    ramp.map((place) => places.includes(place)),
  )
  expect(found).toMatchObject({ size: 4, direction })
  expect(found!.pValue / pValue).toBeCloseTo(1, 10)
})

test('all genes, or none, are no set', () => {
  for (const inSet of [true, false])
    expect(
      testRankedSet(
        ramp,
        ramp.map(() => inSet),
      ),
    ).toBeNull()
})
