import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { hasRealData, realData } from '../../testing/real-data.ts'
import { seededRandom } from '../statistics/random.ts'
import {
  clusterGenomes,
  countFrequencies,
  countGenomes,
  expectedGrowth,
  type FamilyCounts,
  familyClass,
  fitPowerLaw,
  judgeOpenness,
  orderFamilies,
  packPresence,
  resampleGrowth,
} from './pan-genome.ts'

const bounds = { core: 1, softCore: 0.9, private: 1 }

const table = (rows: number[][]): FamilyCounts => ({
  families: rows.length,
  genomes: rows[0]!.length,
  counts: Uint16Array.from(rows.flat()),
})

const drawTable = (families: number, genomes: number, seed: number): FamilyCounts => {
  const random = seededRandom(seed)
  const counts = new Uint16Array(families * genomes)
  for (let family = 0; family < families; family += 1) {
    const share = random()
    for (let genome = 0; genome < genomes; genome += 1)
      counts[family * genomes + genome] = random() < share ? 1 + Math.floor(random() * 3) : 0
  }
  return { families, genomes, counts }
}

describe('classes of gene families', () => {
  test('in all genomes is core, in one private, between them soft core by share, else shell', () => {
    expect([20, 19, 18, 17, 2, 1].map((present) => familyClass(present, 20, bounds))).toEqual([
      ...['core', 'softCore', 'softCore', 'shell', 'shell', 'private'],
    ])
    // 0.95 of 20 is 19, although 0.95 * 20 in binary is a little more.
    expect(familyClass(19, 20, { ...bounds, core: 0.95 })).toBe('core')
    expect(familyClass(1, 1, bounds)).toBe('core')
    expect(familyClass(2, 7, { ...bounds, private: 2 })).toBe('private')
  })

  test('copies within a genome count once', () => {
    const counts = table([
      [3, 0, 1],
      [1, 1, 1],
      [0, 2, 0],
    ])
    expect([...countGenomes(counts)]).toEqual([2, 3, 1])
    expect(countFrequencies(countGenomes(counts), 3)).toEqual([0, 1, 1, 1])
  })
})

describe('growth of pan and core genome', () => {
  test('the exact means are those of all orders gone through one by one', () => {
    const counts = drawTable(500, 5, 3)
    const { genomes } = counts
    const sums = { pan: [0, 0, 0, 0, 0], core: [0, 0, 0, 0, 0] }
    const orders: number[][] = []
    const extend = (order: number[]): void => {
      if (order.length === genomes) orders.push(order)
      for (let next = 0; next < genomes; next += 1) if (!order.includes(next)) extend([...order, next])
    }
    extend([])
    expect(orders).toHaveLength(120)
    for (const order of orders)
      for (let n = 1; n <= genomes; n += 1)
        for (let family = 0; family < counts.families; family += 1) {
          const has = order.slice(0, n).map((genome) => counts.counts[family * genomes + genome]! > 0)
          if (has.includes(true)) sums.pan[n - 1]! += 1
          if (!has.includes(false)) sums.core[n - 1]! += 1
        }
    const exact = expectedGrowth(countFrequencies(countGenomes(counts), genomes))
    for (let n = 0; n < genomes; n += 1) {
      expect(exact.pan[n]).toBeCloseTo(sums.pan[n]! / 120, 9)
      expect(exact.core[n]).toBeCloseTo(sums.core[n]! / 120, 9)
    }
    expect(exact.fresh[0]).toBe(exact.pan[0])
    expect(exact.fresh[3]).toBeCloseTo(exact.pan[3]! - exact.pan[2]!, 9)
  })

  test('resampled orders lie about the exact means, and end where every order ends', () => {
    const counts = drawTable(3000, 20, 5)
    const presence = packPresence(counts)
    const frequencies = countFrequencies(countGenomes(counts), 20)
    const exact = expectedGrowth(frequencies)
    const spread = resampleGrowth(presence, 200, 1)
    expect(spread).toMatchObject({ orders: 200, complete: false })
    for (let n = 0; n < 20; n += 1) {
      expect(spread.pan.low[n]).toBeLessThanOrEqual(exact.pan[n]! + 1e-9)
      expect(spread.pan.high[n]).toBeGreaterThanOrEqual(exact.pan[n]! - 1e-9)
      expect(spread.core.low[n]).toBeLessThanOrEqual(exact.core[n]! + 1e-9)
      expect(spread.core.high[n]).toBeGreaterThanOrEqual(exact.core[n]! - 1e-9)
    }
    const inAny = counts.families - frequencies[0]!
    expect([spread.pan.low[19], spread.pan.high[19]]).toEqual([inAny, inAny])
    expect([spread.core.low[19], spread.core.high[19]]).toEqual([frequencies[20], frequencies[20]])
    expect(resampleGrowth(presence, 200, 1)).toEqual(spread)
    expect(resampleGrowth(presence, 200, 2).pan).not.toEqual(spread.pan)
  })

  test('of few genomes every order is gone through', () => {
    const counts = table([
      [1, 0, 0],
      [1, 1, 1],
      [0, 1, 1],
    ])
    const spread = resampleGrowth(packPresence(counts), 100, 1)
    expect(spread).toMatchObject({ orders: 6, complete: true })
    expect([spread.pan.low[2], spread.core.high[2]]).toEqual([3, 1])
    expect(spread.pan.low[0]).toBe(2)
  })
})

describe('power laws', () => {
  const close = (found: number | null | undefined, expected: number): void => {
    expect(Math.abs((found ?? Number.NaN) / expected - 1)).toBeLessThan(1e-5)
  }

  test('Heaps’ law has the parameters and 95 % intervals of scipy’s curve_fit over the same points', () => {
    // curve_fit(lambda N, k, g: k * N ** g) of scipy 1.17; margins by t.ppf(0.975, points - 2).
    const few = fitPowerLaw([1, 2, 3, 4, 5, 6, 7], [5466.1, 5497.4, 5513.0, 5525.5, 5536.8, 5548.0, 5559.0])
    close(few?.factor, 5464.51379)
    close(few?.exponent, 8.40691161e-3)
    close(few?.factorMargin, 6.05891826)
    close(few?.exponentMargin, 8.04710576e-4)
    const x = Array.from({ length: 12 }, (_, at) => at + 1)
    const open = fitPowerLaw(x, [2100, 2630, 2990, 3275, 3490, 3710, 3880, 4050, 4190, 4330, 4444, 4561])
    close(open?.factor, 2124.26812)
    close(open?.exponent, 0.309009191)
    close(open?.factorMargin, 16.8767121)
    close(open?.exponentMargin, 3.96048115e-3)
    const fresh = fitPowerLaw(x.slice(1), [530, 360, 285, 215, 220, 170, 170, 140, 140, 114, 117])
    close(fresh?.factor, 951.136218)
    close(fresh?.exponent, -0.863678596)
    close(fresh?.exponentMargin, 5.82314489e-2)
  })

  test('a law without noise is found; two points leave no error; nothing or zeros cannot be fitted', () => {
    expect(fitPowerLaw([1, 2, 4, 8], [3, 6, 12, 24])).toMatchObject({ factor: 3, exponent: 1 })
    expect(fitPowerLaw([1, 4], [5, 10])).toMatchObject({ exponent: 0.5, exponentMargin: null })
    expect(fitPowerLaw([1], [5])).toBeNull()
    expect(fitPowerLaw([1, 2, 3], [5, 0, 1])).toBeNull()
  })
})

describe('orders of drawing', () => {
  test('genomes that share families stand together', () => {
    const counts = table([
      [1, 0, 1, 0],
      [1, 0, 1, 0],
      [0, 1, 0, 1],
      [1, 1, 1, 1],
    ])
    const { order, merges } = clusterGenomes(packPresence(counts))
    expect(Math.abs(order.indexOf(0) - order.indexOf(2))).toBe(1)
    expect(Math.abs(order.indexOf(1) - order.indexOf(3))).toBe(1)
    expect(merges.map(([, , height]) => height)).toEqual([0, 0, 0.75])
  })

  test('families in all genomes come first, those of one last and by genome, each once; those of none are left out', () => {
    const counts = table([
      [0, 0, 1],
      [1, 1, 0],
      [2, 1, 1],
      [0, 0, 0],
      [1, 0, 0],
      [0, 1, 1],
      [1, 1, 0],
    ])
    expect([...orderFamilies(counts, [0, 1, 2])]).toEqual([2, 1, 6, 5, 4, 0])
    expect([...orderFamilies(counts, [2, 1, 0])].slice(-2)).toEqual([0, 4])
  })

  test('thousands of patterns over more genomes than a word has bits keep every family once', () => {
    const counts = drawTable(6000, 70, 9)
    const present = countGenomes(counts)
    const order = orderFamilies(counts, [...Array(70).keys()])
    expect(order).toHaveLength(present.filter((count) => count > 0).length)
    expect(new Set(order).size).toBe(order.length)
    const ones = [...order].map((family) => present[family] === 1)
    expect(ones.indexOf(true)).toBe(order.length - ones.filter(Boolean).length)
    // Neighbours are more alike than families drawn at random.
    const differ = (a: number, b: number): number => {
      let sum = 0
      for (let genome = 0; genome < 70; genome += 1)
        if (counts.counts[a * 70 + genome]! > 0 !== counts.counts[b * 70 + genome]! > 0) sum += 1
      return sum
    }
    let [beside, apart] = [0, 0]
    for (let at = 1; at < order.length; at += 1) {
      beside += differ(order[at - 1]!, order[at]!)
      apart += differ(order[at - 1]!, order[(at * 2711) % order.length]!)
    }
    expect(beside).toBeLessThan(0.7 * apart)
  })
})

const file = `${realData}/yeast/pangenome/gene_PAV_7strains.tsv.gz`
test.runIf(hasRealData)('seven yeasts have 5,559 families by SGD name, 5,270 of them in all seven', () => {
  const rows = gunzipSync(readFileSync(file))
    .toString('utf8')
    .trim()
    .split('\n')
    .slice(1)
    .map((line) =>
      line
        .split('\t')
        .slice(1)
        .map((cell) => (cell === '-' ? 0 : cell.split(',').length)),
    )
  const counts = table(rows)
  const frequencies = countFrequencies(countGenomes(counts), 7)
  const growth = expectedGrowth(frequencies)
  expect(growth.pan[6]).toBeCloseTo(5559, 6)
  expect(growth.core[6]).toBeCloseTo(5270, 6)
  expect(frequencies[7]).toBe(5270)
  // Pan-genomes of yeasts are nearly closed: Heaps' exponent is far below that of bacteria.
  const heaps = fitPowerLaw([1, 2, 3, 4, 5, 6, 7], growth.pan)
  expect(heaps!.exponent).toBeGreaterThan(0)
  expect(heaps!.exponent).toBeLessThan(0.02)
})

test('a pan-genome is open by α of its new families up to 1, closed above, undecided where the margin holds 1', () => {
  const judge = (alpha: number, exponentMargin: number | null) => judgeOpenness({ exponent: -alpha, exponentMargin })
  expect(judge(0.6, 0.1)).toBe('open')
  expect(judge(1.4, 0.1)).toBe('closed')
  expect(judge(0.95, 0.1)).toBe('undecided')
  expect(judge(0.6, null)).toBeNull()
  expect(judgeOpenness(null)).toBeNull()
})
