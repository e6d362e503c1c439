import { describe, expect, it } from 'vitest'
import { makeBases, makeRandomBelow } from '../../testing/random.ts'
import { findTandemArrays } from './tandem-arrays.ts'

/** Copies of a unit of which each differs from it at so many of 100 places. */
const array = (unit: string, copies: number, percent: number): string => {
  const random = makeRandomBelow(99)
  return Array.from(unit.repeat(copies), (base) => (random(100) < percent ? 'ACGT'[random(4)] : base)).join('')
}

describe('arrays of one unit', () => {
  it('are found with their ends, in upper and lower case, whatever stands around them', () => {
    const satellite = array(makeBases(178, 7), 120, 0)
    const bases = `${makeBases(30_000, 1)}${satellite.toLowerCase()}${makeBases(30_000, 2)}`
    const found = findTandemArrays(bases, 1000, 10_000)
    expect(found).toHaveLength(1)
    expect(Math.abs(found[0]![0] - 30_000)).toBeLessThan(5)
    expect(Math.abs(found[0]![1] - 30_000 - satellite.length)).toBeLessThan(5)
  })

  it('are found where copies differ at up to four of 100 bases, as those of one satellite do', () => {
    const satellite = array(makeBases(178, 7), 120, 4)
    const [[start, end] = [0, 0]] = findTandemArrays(`${makeBases(5000, 3)}${satellite}`, 1000, 10_000)
    expect(end - start).toBeGreaterThan(0.98 * satellite.length)
  })

  it('are not elements in tandem, short runs of a motif, runs of N, or chance', () => {
    const element = makeBases(5900, 11)
    expect(findTandemArrays(element.repeat(5), 1000, 10_000)).toEqual([])
    expect(findTandemArrays(`${makeBases(9000, 4)}${'CAG'.repeat(900)}${makeBases(9000, 5)}`, 1000, 10_000)).toEqual([])
    expect(findTandemArrays('N'.repeat(50_000), 1000, 10_000)).toEqual([])
    expect(findTandemArrays(makeBases(300_000, 6), 1000, 10_000)).toEqual([])
  })

  it('leave an element that was inserted into them as it is', () => {
    const half = array(makeBases(178, 7), 100, 0)
    const element = makeBases(6000, 12)
    const found = findTandemArrays(half + element + half, 1000, 10_000)
    expect(found).toHaveLength(2)
    expect(found[0]![1]).toBeLessThan(half.length + 5)
    expect(found[1]![0]).toBeGreaterThan(half.length + element.length - 5)
  })

  it('are found in ten million bases of one short repeat', () => {
    // Where the time grew with the square of the length, this would not end.
    expect(findTandemArrays('ACGTTGA'.repeat(1_430_000), 1000, 10_000)).toEqual([[0, 10_010_000]])
  })
})
