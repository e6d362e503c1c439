import { describe, expect, it } from 'vitest'
import { median } from '../statistics/quantile.ts'
import {
  countPairsByDistance,
  createDistanceSums,
  createInsulation,
  findBoundaries,
  findCompartments,
} from './contact-statistics.ts'

/** A matrix of contacts that fall off with distance, denser within two domains that meet between bins 19 and 20. */
const domains = (bins: number, border: number): Float64Array => {
  const matrix = new Float64Array(bins * bins)
  for (let a = 0; a < bins; a += 1)
    for (let b = 0; b < bins; b += 1) matrix[a * bins + b] = (a < border === b < border ? 4 : 1) / (Math.abs(a - b) + 1)
  return matrix
}

describe('contacts by distance', () => {
  it('count pairs of usable bins, whether few or most are unusable', () => {
    expect([...countPairsByDistance(4, (bin) => bin !== 1)]).toEqual([3, 1, 1, 1])
    for (const usable of [(bin: number) => bin % 7 !== 3, (bin: number) => bin % 7 === 3, () => true, () => false]) {
      const slow = Float64Array.from({ length: 50 }, (_, apart) => {
        let count = 0
        for (let bin = 0; bin + apart < 50; bin += 1) count += usable(bin) && usable(bin + apart) ? 1 : 0
        return count
      })
      expect(countPairsByDistance(50, usable)).toEqual(slow)
    }
  })

  it('are averaged over every pair at that distance, those without a contact included, each chromosome by itself', () => {
    const weight = Float64Array.of(1, 2, Number.NaN, 0.5, 1)
    const sums = createDistanceSums(
      [
        { name: 'chrI', bins: 3 },
        { name: 'chrII', bins: 2 },
      ],
      [{ name: 'weight', values: weight }],
    )
    // 0-0: 6, 0-1: 3, 0-4 (other chromosome), 1-2: 5 (2 is unusable), 3-4: 8
    sums.add(Float64Array.of(0, 0, 0, 1, 3), Float64Array.of(0, 1, 4, 2, 4), Float64Array.of(6, 3, 7, 5, 8))
    const { columns, chromosomes } = sums.finish()
    expect(columns).toEqual(['none', 'weight'])
    expect(chromosomes[0]?.averages.map((values) => [...values])).toEqual([
      [2, 4, 0],
      [3, 6, Number.NaN],
    ])
    expect(chromosomes[1]?.averages.map((values) => [...values])).toEqual([
      [0, 8],
      [0, 4],
    ])
  })
})

describe('insulation', () => {
  const insulate = (bins: number, matrix: Float64Array, usable: (bin: number) => boolean, window: number) => {
    const insulation = createInsulation(bins, usable, window)
    for (let a = 0; a < bins; a += 1)
      for (let b = a; b < bins && b - a <= insulation.farthest; b += 1) insulation.add(a, b, matrix[a * bins + b]!)
    return insulation.finish()
  }

  it('is the mean of the square that moves along the diagonal, over the median, in powers of two', () => {
    const [bins, window] = [30, 4]
    const matrix = domains(bins, 13)
    const usable = (bin: number): boolean => bin !== 5 && bin !== 22
    const slow = Float64Array.from({ length: bins }, (_, bin) => {
      let [sum, count] = [0, 0]
      // Of the 16 pairs of a whole square three lie closer than two bins.
      const enough = 0.66 * (window * window - 3)
      for (let a = Math.max(0, bin - window + 1); a <= bin; a += 1)
        for (let b = bin; b < Math.min(bins, bin + window); b += 1)
          if (b - a >= 2 && usable(a) && usable(b)) {
            sum += matrix[a * bins + b]!
            count += 1
          }
      return count >= enough ? sum / count : Number.NaN
    })
    expect(slow.filter((value) => !Number.isNaN(value)).length).toBeGreaterThan(15)
    const middle = median(slow.filter((value) => !Number.isNaN(value)))
    const { score } = insulate(bins, matrix, usable, window)
    for (const [bin, value] of score.entries())
      if (Number.isNaN(slow[bin]!)) expect(value).toBeNaN()
      else expect(value).toBeCloseTo(Math.log2(slow[bin]! / middle), 10)
  })

  it('dips where two domains meet, and nowhere else as deeply', () => {
    const { score } = insulate(60, domains(60, 20), () => true, 5)
    const boundaries = findBoundaries(score).sort((a, b) => b.strength - a.strength)
    expect([19, 20]).toContain(boundaries[0]?.bin)
    expect(boundaries[0]!.strength).toBeGreaterThan(0.5)
    for (const { strength } of boundaries.slice(1)) expect(strength).toBeLessThan(0.1)
  })

  it('has dips of the prominence that topography gives them', () => {
    expect(findBoundaries([0, -1, 0.5, -2, 0])).toEqual([
      { bin: 1, strength: 1 },
      { bin: 3, strength: 2 },
    ])
    // Without a score in between, and as a flat valley.
    expect(findBoundaries([0, Number.NaN, -1, -1, -1, Number.NaN, 3, 2.5, 4])).toEqual([
      { bin: 3, strength: 1 },
      { bin: 7, strength: 0.5 },
    ])
    expect(findBoundaries([3, 2, 1, 0])).toEqual([])
    expect(findBoundaries([Number.NaN, Number.NaN])).toEqual([])
  })
})

describe('compartments', () => {
  it('are the two kinds of stretches that touch their own kind more than expected', () => {
    const bins = 40
    const kind = (bin: number): number => (Math.floor(bin / 5) % 2 === 0 ? 1 : -1)
    const matrix = Float64Array.from({ length: bins * bins }, (_, cell) => {
      const [a, b] = [Math.floor(cell / bins), cell % bins]
      if (a === 17 || b === 17) return Number.NaN
      return kind(a) === kind(b) ? 1.5 : 0.5
    })
    const { vector, share } = findCompartments(matrix, bins)
    expect(vector[17]).toBeNaN()
    expect(share).toBeGreaterThan(0.99)
    const sign = Math.sign(vector[0]!) * kind(0)
    for (let bin = 0; bin < bins; bin += 1)
      if (bin !== 17) expect(Math.sign(vector[bin]!) * sign, `bin ${bin}`).toBe(kind(bin))
    let squares = 0
    for (const value of vector) if (!Number.isNaN(value)) squares += value * value
    expect(squares / (bins - 1)).toBeCloseTo(1, 6)
  })
  it('cannot be told of a map without contacts', () => {
    expect(findCompartments(new Float64Array(16).fill(Number.NaN), 4).vector.every(Number.isNaN)).toBe(true)
  })
})
