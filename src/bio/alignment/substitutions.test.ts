import { describe, expect, test } from 'vitest'
import { makeRandomBelow } from '../../testing/random.ts'
import { alignPair, insertionYears, jukesCantorDistance, kimuraDistance } from './substitutions.ts'

/** Quadratic, with a table for each state and no band: slow and plain, to be compared with. */
const plainScore = (a: string, b: string): number => {
  const [n, m] = [a.length, b.length]
  const table = () => Array.from({ length: n + 1 }, () => new Array<number>(m + 1).fill(-1e9))
  const [match, up, left] = [table(), table(), table()]
  match[0]![0] = 0
  for (let i = 0; i <= n; i++)
    for (let j = 0; j <= m; j++) {
      const best = (x: number, y: number): number => Math.max(match[x]![y]!, up[x]![y]!, left[x]![y]!)
      if (i > 0 && j > 0) match[i]![j] = best(i - 1, j - 1) + (a[i - 1] === b[j - 1] ? 1 : -1)
      if (i > 0) up[i]![j] = Math.max(match[i - 1]![j]! - 4, left[i - 1]![j]! - 4, up[i - 1]![j]! - 1)
      if (j > 0) left[i]![j] = Math.max(match[i]![j - 1]! - 4, up[i]![j - 1]! - 4, left[i]![j - 1]! - 1)
    }
  return Math.max(match[n]![m]!, up[n]![m]!, left[n]![m]!)
}

describe('the alignment of two LTRs', () => {
  test('counts transitions, transversions and gaps apart', () => {
    expect(alignPair('ACGTACGT', 'ACGTGCGT')).toEqual({
      compared: 8,
      identical: 7,
      transitions: 1,
      transversions: 0,
      gaps: 0,
      identity: 87.5,
    })
    expect(alignPair('ACGTTTGACCAGGCATACGA', 'ACGTTTGACCGCATACGA')).toMatchObject({
      gaps: 2,
      identical: 18,
      compared: 18,
    })
    expect(alignPair('acgu', 'ACGT')).toMatchObject({ identical: 4, identity: 100 })
    expect(alignPair('ACGN', 'ACGT')).toMatchObject({ compared: 3, identical: 3 })
    expect(alignPair('', 'ACGT')).toBeNull()
  })

  test('reaches the score of a full table without a band, over 60 mutated pairs', () => {
    const random = makeRandomBelow(11)
    for (let round = 0; round < 60; round++) {
      const a = Array.from({ length: 40 + random(80) }, () => 'ACGT'[random(4)]!)
      const b = a.flatMap((base) => {
        const what = random(20)
        return what === 0 ? [] : what === 1 ? [base, 'ACGT'[random(4)]!] : what < 4 ? ['ACGT'[random(4)]!] : [base]
      })
      const found = alignPair(a.join(''), b.join(''))!
      // The number of gap openings is not told; the score lies between one gap for each gap base and one for all.
      const fixed = found.identical - (found.compared - found.identical)
      const score = plainScore(a.join(''), b.join(''))
      expect(score).toBeGreaterThanOrEqual(fixed - 4 * found.gaps)
      expect(score).toBeLessThanOrEqual(fixed - found.gaps - (found.gaps > 0 ? 3 : 0))
      expect(2 * found.compared + found.gaps).toBe(a.length + b.length)
    }
  })
})

describe('distances', () => {
  test('Kimura 1980: 10 % transitions and 5 % transversions are 0.1702 substitutions a site', () => {
    expect(kimuraDistance({ compared: 100, transitions: 10, transversions: 5 })).toBeCloseTo(0.170181, 6)
  })

  test('Kimura equals Jukes-Cantor where transversions are twice the transitions, and both end at saturation', () => {
    const counts = { compared: 300, transitions: 10, transversions: 20 }
    expect(kimuraDistance(counts)).toBeCloseTo(jukesCantorDistance(0.1)!, 12)
    expect(jukesCantorDistance(0.75)).toBeNull()
    expect(kimuraDistance({ compared: 100, transitions: 20, transversions: 50 })).toBeNull()
    expect(kimuraDistance({ compared: 0, transitions: 0, transversions: 0 })).toBeNull()
  })

  test('equal LTRs were inserted now; 2.6 % at 1.3e-8 a site and year a million years ago', () => {
    expect(kimuraDistance({ compared: 300, transitions: 0, transversions: 0 })).toBe(0)
    expect(insertionYears(0.026, 1.3e-8)).toBeCloseTo(1_000_000, 3)
  })
})

test('LTRs with an insertion each, far apart, are aligned as well as by the whole matrix when the band may widen', () => {
  let state = 5
  const chance = (lengthBp: number): string =>
    Array.from({ length: lengthBp }, () => {
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
      return 'ACGT'[state >>> 30]!
    }).join('')
  const [before, after] = [chance(150), chance(250)]
  const [one, other] = [before + chance(100) + after, before + after + chance(100)]
  // By hand: 400 equal columns, and a gap of 100 for each insertion.
  expect(alignPair(one, other, 64, true)).toMatchObject({ gaps: 200, identical: 400, transitions: 0, transversions: 0 })
  expect(alignPair(one, other, 64, true)).toEqual(alignPair(one, other, 500))
  expect(alignPair(one, other, 64)!.identical).toBeLessThan(400)
  // Unlike sequences end with the whole matrix.
  const [left, right] = [chance(180), chance(200)]
  expect(alignPair(left, right, 1, true)).toEqual(alignPair(left, right, 200))
})
