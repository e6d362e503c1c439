import { describe, expect, test } from 'vitest'
import { BackgroundTextError, backgroundOfModel, parseBackgroundModel } from './motif-background.ts'
import type { Motif } from './motif-formats.ts'
import { scoreInBits, scoreMatrix } from './motif-scores.ts'

const pairs = [
  [0.12, 0.05, 0.06, 0.09],
  [0.06, 0.03, 0.03, 0.06],
  [0.05, 0.04, 0.03, 0.05],
  [0.09, 0.06, 0.06, 0.12],
]
const margins = [0, 1, 2, 3].map((second) => pairs.reduce((sum, row) => sum + row[second]!, 0))
const orderZero = margins.map((share, at) => `${'acgt'[at]}\t${share}`).join('\n')
const orderOne = pairs.flatMap((row, first) => row.map((share, second) => `${'ACGT'[first]}${'ACGT'[second]} ${share}`))
const model = `#   order 0\n${orderZero} # as counted\r\n\n#   order 1\n${orderOne.join('\n')}\n`

describe('a background model as FIMO takes it by --bfile', () => {
  test('is read with comments, either case, any order of lines, and U for T', () => {
    expect(parseBackgroundModel('t 3.2e-1\nG .18\n# x\n\n  c 0.18 # here\nA 0.32')).toEqual({
      order: 0,
      bases: [0.32, 0.18, 0.18, 0.32],
      pairs: null,
    })
    expect(parseBackgroundModel('A 0.3\nC 0.2\nG 0.2\nU 0.3').bases[3]).toBe(0.3)
    const read = parseBackgroundModel(model)
    expect(read.order).toBe(1)
    expect([...read.pairs!]).toEqual(pairs.flat())
  })

  test.each([
    ['', 'none'],
    ['# only words', 'none'],
    ['A 0.25\nC 0.25\nG 0.25', 'missing'],
    ['A 0.25\nC 0.25\nG 0.25\nT 0.25\nAA 1e-2', 'missing'],
    ['A 0.25\nC 0.25\nG 0.25\nT 0.40', 'sum'],
    ['A 0.25\nC 0.25\nG 0.25\nT 0.25\nT 0.25', 'repeated'],
    ['A 0.5\nC 0.5\nG 0\nT 0.1', 'range'],
    ['A 1\nC 0.1\nG 0.1\nT 0.1', 'range'],
    ['A 0.25\nL 0.25', 'letters'],
    ['A 0.25\nN 0.25', 'letters'],
    ['A=0.25', 'line'],
    ['A 25%', 'line'],
    ['A 0,25', 'line'],
    ['A 0.25 0.3', 'line'],
    ['A -0.25', 'line'],
  ])('%j is refused: %s', (text, reason) => {
    const error = (() => {
      try {
        parseBackgroundModel(text)
      } catch (thrown) {
        return thrown
      }
    })()
    expect(error).toBeInstanceOf(BackgroundTextError)
    expect((error as BackgroundTextError).reason).toBe(reason)
  })

  test('pairs that do not go with the shares of bases are refused', () => {
    const turned = `A 0.4\nC 0.1\nG 0.1\nT 0.4\n${orderOne.join('\n')}`
    expect(() => parseBackgroundModel(turned)).toThrow(/margin/)
  })

  const motif: Motif = {
    id: 'm',
    name: null,
    consensus: null,
    siteCount: 12,
    frequencies: [
      [0.75, 0, 0.25, 0],
      [0, 0.5, 0.5, 0],
      [0.1, 0.2, 0.3, 0.4],
      [0, 0, 0, 1],
      [0.9, 0.1, 0, 0],
    ],
  }
  const words = Array.from({ length: 4 ** 5 }, (_, number) => [0, 1, 2, 3, 4].map((at) => (number >> (2 * at)) & 3))

  test.each([false, true])(
    'scores are FIMO’s formula and p-values the sum over every word, at order 0 (both strands: %s)',
    (both) => {
      // By hand: averaged with the complement where both strands are read, brought to the sum 1.
      const total = margins.reduce((sum, share) => sum + share, 0)
      const share = margins.map((one, at) => (both ? (one + margins[3 - at]!) / 2 : one) / total)
      // A model of order 1, of which FIMO uses the shares of bases.
      const background = backgroundOfModel(parseBackgroundModel(model), 0, both)
      const matrix = scoreMatrix(motif, background, 0.1)
      const bits = (word: number[]): number =>
        word.reduce((sum, base, at) => {
          const p = (motif.frequencies[at]![base]! * 12 + 0.1 * share[base]!) / 12.1
          return sum + Math.log2(p / share[base]!)
        }, 0)
      const scaledOf = (word: number[]): number =>
        word.reduce((sum, base, at) => sum + matrix.scaled[4 * at + base]!, 0)
      const chance = (word: number[]): number => word.reduce((product, base) => product * share[base]!, 1)
      for (const word of words.filter((_, at) => at % 37 === 0)) {
        // Whole numbers of 1 / scale a position.
        expect(Math.abs(scoreInBits(matrix, scaledOf(word)) - bits(word))).toBeLessThan(5 * (0.5 / matrix.scale) + 1e-9)
        const sum = words.reduce((all, other) => all + (scaledOf(other) >= scaledOf(word) ? chance(other) : 0), 0)
        expect(matrix.tail[scaledOf(word)]! / sum).toBeCloseTo(1, 10)
      }
    },
  )

  test.each([false, true])('at order 1 a word has the probability of its pairs (both strands: %s)', (both) => {
    const background = backgroundOfModel(parseBackgroundModel(model), 1, both)
    const matrix = scoreMatrix(motif, background, 0.1)
    const pair = (first: number, second: number): number =>
      both ? (pairs[first]![second]! + pairs[3 - second]![3 - first]!) / 2 : pairs[first]![second]!
    const after = (first: number, second: number): number =>
      pair(first, second) / [0, 1, 2, 3].reduce((sum, other) => sum + pair(first, other), 0)
    const total = margins.reduce((sum, one) => sum + one, 0)
    const start = (base: number): number => (both ? (margins[base]! + margins[3 - base]!) / 2 : margins[base]!) / total
    const chance = (word: number[]): number =>
      word.reduce((product, base, at) => product * (at === 0 ? start(base) : after(word[at - 1]!, base)), 1)
    const scaledOf = (word: number[]): number => word.reduce((sum, base, at) => sum + matrix.scaled[4 * at + base]!, 0)
    for (const word of words.filter((_, at) => at % 41 === 0)) {
      const sum = words.reduce((all, other) => all + (scaledOf(other) >= scaledOf(word) ? chance(other) : 0), 0)
      expect(matrix.tail[scaledOf(word)]! / sum).toBeCloseTo(1, 10)
    }
    expect(() => backgroundOfModel(parseBackgroundModel(orderZero), 1, both)).toThrow(RangeError)
  })
})
