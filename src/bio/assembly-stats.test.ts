import { expect, test } from 'vitest'
import { computeAssemblyStats } from './assembly-stats.ts'

const sequence = (lengthBp: number, gcCount = 0, atCount = 0, nCount = 0) => ({ lengthBp, gcCount, atCount, nCount })

test('N50 is the length at which half of the assembly is reached', () => {
  const stats = computeAssemblyStats([30, 80, 20, 70, 50, 40].map((length) => sequence(length)))
  expect(stats).toMatchObject({ totalBp: 290, n50Bp: 70, l50: 2, sequenceCount: 6 })
})

test('GC is taken over known bases only', () => {
  expect(computeAssemblyStats([sequence(100, 20, 60, 20)]).gcFraction).toBe(0.25)
  expect(computeAssemblyStats([sequence(10, 0, 0, 10)]).gcFraction).toBeNull()
  expect(computeAssemblyStats([])).toMatchObject({ n50Bp: 0, l50: 0, gcFraction: null })
})
