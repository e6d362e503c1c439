import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { hasRealData, realData } from '../../testing/real-data.ts'
import { createCombiner, expectedEdges, isTransferred, plainChannel, poissonUpperTail } from './interaction-scores.ts'

const physical = [
  'homology',
  'experiments',
  'experiments_transferred',
  'database',
  'database_transferred',
  'textmining',
  'textmining_transferred',
]

test('channels are combined as STRING combines them: lines of the physical network of yeast', () => {
  const combine = createCombiner(physical, () => true)
  // 4932.Q0045 4932.YGR222W, 4932.Q0045 4932.Q0120
  expect(combine([0, 292, 0, 0, 0, 0, 0], 0)).toBe(292)
  expect(combine([0, 0, 170, 0, 0, 0, 166], 0)).toBe(278)
})

test('of chosen channels only they count, and homologs that are named together interact the less for it', () => {
  const direct = createCombiner(physical, (channel) => !isTransferred(channel))
  expect(direct([0, 0, 170, 0, 0, 0, 166], 0)).toBe(0)
  const texts = createCombiner(physical, (channel) => plainChannel(channel) === 'textmining')
  expect(texts([0, 900, 0, 0, 0, 500, 0], 0)).toBe(500)
  expect(texts([900, 900, 0, 0, 0, 500, 0], 0)).toBeLessThan(100)
})

test('values after the first pair are read from their own place', () => {
  const combine = createCombiner(['experiments'], () => true)
  expect(combine([0, 700], 1)).toBe(700)
})

test('expected interactions keep the number of partners of each gene', () => {
  expect(expectedEdges([2, 2], 4)).toBe(0.5)
  expect(expectedEdges([4, 4, 1], 10)).toBeCloseTo(16 / 20 + 4 / 20 + 4 / 20, 12)
  expect(expectedEdges([100, 100], 10)).toBe(1)
})

// R: ppois(k - 1, mean, lower.tail = FALSE)
test.each([
  [0, 3, 1],
  [1, 1, 0.6321205588285577],
  [5, 1.5, 0.01857593622214074],
  [40, 12, 1.558711310236461e-10],
  [3, 10, 0.9972306042844884],
])('%d interactions where %d are expected', (observed, mean, chance) => {
  const found = poissonUpperTail(observed, mean)
  expect(Math.abs(found / chance - 1)).toBeLessThan(1e-9)
})

const stringFile = join(realData, 'yeast/ppi/4932.protein.physical.links.full.v12.0.txt.gz')

test.skipIf(!hasRealData)(
  'all channels of all 352,606 lines of yeast give STRING’s own combined score to within 1',
  () => {
    const [heading, ...lines] = gunzipSync(readFileSync(stringFile)).toString('latin1').trimEnd().split('\n')
    const channels = heading!.split(' ').slice(2, -1)
    const combine = createCombiner(channels, () => true)
    let farthest = 0
    let equal = 0
    for (const line of lines) {
      const cells = line.split(' ').slice(2).map(Number)
      const away = Math.abs(combine(cells, 0) - cells.at(-1)!)
      farthest = Math.max(farthest, away)
      if (away === 0) equal += 1
    }
    expect(lines).toHaveLength(352_606)
    expect(farthest).toBe(1)
    expect(equal / lines.length).toBeGreaterThan(0.8)
  },
)
