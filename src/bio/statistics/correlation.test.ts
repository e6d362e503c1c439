import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { comparableValue, describeGroup, standardise, tau } from '../expression/expression-statistics.ts'
import { areaKey, inspectPicture } from '../expression/tissue-picture.ts'
import { type ClusterDistance, clusterRows, type Linkage, pairDistances } from './clustering.ts'
import { correlateRows, mutualRank, prepareQuery, rankRow } from './correlation.ts'
import { correlationPValue } from './distributions.ts'
import { findModules } from './graph-modules.ts'

const folder = resolve(import.meta.dirname, 'fixtures')
const rows = readFileSync(resolve(folder, 'rows.tsv'), 'utf8')
  .trim()
  .split('\n')
  .slice(1)
  .map((line) =>
    line
      .split('\t')
      .slice(1)
      .map((cell) => (cell === 'NA' ? Number.NaN : Number(cell))),
  )
const width = rows[0]!.length
const r = JSON.parse(readFileSync(resolve(folder, 'r.json'), 'utf8')) as Record<string, (number | null)[]>
const scipy = JSON.parse(readFileSync(resolve(folder, 'scipy.json'), 'utf8')) as Record<string, { heights: number[] }>

const all = Uint32Array.from({ length: width }, (_, at) => at)
const values = Float32Array.from(rows.flatMap((row) => [...standardise(row)]))
const ranks = Uint16Array.from(rows.flatMap((row) => [...rankRow(row)]))

const correlate = (method: 'pearson' | 'spearman', row: number, columns = all) => {
  const block = method === 'pearson' ? values : ranks
  const out = new Float64Array(rows.length)
  const pairs = new Uint16Array(rows.length)
  const query = prepareQuery(block.subarray(row * width, (row + 1) * width), columns, method)
  correlateRows(query, block, rows.length, width, out, pairs)
  return { out, pairs }
}

/** Written down as the definition has it, for choices of columns that R's numbers do not cover. */
const plainPearson = (x: number[], y: number[]): number => {
  const both = x.flatMap((value, at) => (Number.isNaN(value + y[at]!) ? [] : [[value, y[at]!] as const]))
  const mean = (side: 0 | 1) => both.reduce((sum, pair) => sum + pair[side], 0) / both.length
  const [mx, my] = [mean(0), mean(1)]
  const sum = (f: (pair: readonly [number, number]) => number) => both.reduce((total, pair) => total + f(pair), 0)
  return sum(([a, b]) => (a - mx) * (b - my)) / Math.sqrt(sum(([a]) => (a - mx) ** 2) * sum(([, b]) => (b - my) ** 2))
}

describe('correlation of genes with gaps', () => {
  it.each(['pearson', 'spearman'] as const)('%s agrees with R’s pairwise complete observations to 1e-6', (method) => {
    for (let row = 0; row < rows.length; row += 1) {
      const { out } = correlate(method, row)
      for (let other = 0; other < rows.length; other += 1)
        expect(Math.abs(out[other]! - r[method]![row * rows.length + other]!)).toBeLessThan(1e-6)
    }
  })

  it('counts the samples that both genes have', () => {
    const { pairs } = correlate('pearson', 0)
    const shared = rows.map((row) => row.filter((value, at) => !Number.isNaN(value + rows[0]![at]!)).length)
    expect([...pairs]).toEqual(shared)
    expect(Math.min(...shared)).toBeLessThan(width)
    expect([...correlate('spearman', 0).pairs]).toEqual(shared)
  })

  it('over chosen samples is that of these samples alone', () => {
    const columns = Uint32Array.of(1, 4, 5, 8, 11, 12, 15, 17)
    const { out } = correlate('pearson', 2, columns)
    const pick = (row: number[]) => [...columns].map((at) => row[at]!)
    const both = correlate('spearman', 2, columns).out
    for (const [other, row] of rows.entries()) {
      expect(out[other]).toBeCloseTo(plainPearson(pick(rows[2]!), pick(row)), 6)
      // Ranks among the samples in which both have values, ties shared.
      const pairs = pick(rows[2]!).map((x, at) => [x, pick(row)[at]!] as const)
      const kept = pairs.filter(([x, y]) => !Number.isNaN(x + y))
      const ranked = (side: 0 | 1) => [...rankRow(kept.map((pair) => pair[side]))]
      expect(both[other]).toBeCloseTo(plainPearson(ranked(0), ranked(1)), 6)
    }
  })

  it('with a gene that is constant is none, and not zero or one', () => {
    const block = Float32Array.of(1, 2, 3, 4, 5, 5, 5, 5)
    const out = new Float64Array(2)
    const query = prepareQuery(block.subarray(0, 4), Uint32Array.of(0, 1, 2, 3), 'pearson')
    correlateRows(query, block, 2, 4, out, new Uint16Array(2))
    expect(out[0]).toBeCloseTo(1, 12)
    expect(out[1]).toBeNaN()
  })

  it('has the p-values of R’s cor.test', () => {
    for (const [other, expected] of r.pValues!.entries()) {
      if (expected === null) continue
      const { out, pairs } = correlate('pearson', 0)
      expect(correlationPValue(out[other]!, pairs[other]!)).toBeCloseTo(expected, 6)
    }
    expect(correlationPValue(0.5, 2)).toBeNaN()
  })

  it('gives mutual ranks as the geometric mean of both places', () => expect(mutualRank(1, 16)).toBe(4))
})

describe('hierarchical clustering', () => {
  const whole = rows.filter((row) => row.every((value) => !Number.isNaN(value)))
  it.each([
    ['correlation', 'average'],
    ['correlation', 'complete'],
    ['euclidean', 'average'],
    ['euclidean', 'complete'],
    ['euclidean', 'ward'],
  ] as [ClusterDistance, Linkage][])(
    'by %s distances with %s linkage has the heights of SciPy',
    (distance, linkage) => {
      const distances = pairDistances(whole.flat(), whole.length, width, distance)
      const { merges, order } = clusterRows(distances, whole.length, linkage)
      const expected = scipy[`${distance} ${linkage}`]!.heights
      expect(merges).toHaveLength(expected.length)
      for (const [at, [, , height]] of merges.entries()) expect(height).toBeCloseTo(expected[at]!, 9)
      expect([...order].sort((a, b) => a - b)).toEqual(whole.map((_, at) => at))
      if (linkage === 'ward')
        for (const [at, height] of r.ward!.entries()) expect(merges[at]![2]).toBeCloseTo(height!, 9)
    },
  )

  it('scales Euclidean distances of rows with gaps up as R’s dist does', () => {
    const distances = pairDistances(rows.flat(), rows.length, width, 'euclidean')
    for (const [at, expected] of r.distances!.entries()) expect(distances[at]).toBeCloseTo(expected!, 9)
  })

  it('of one row is that row', () => expect(clusterRows(new Float64Array(0), 1, 'average').order).toEqual([0]))
})

describe('figures of expression', () => {
  it('have R’s quartiles and standard deviation', () => {
    const figures = describeGroup(rows[0]!)!
    expect([figures.lowerQuartile, figures.median, figures.upperQuartile]).toEqual(
      r.quartiles!.map((one) => expect.closeTo(one!, 9)),
    )
    expect(figures.deviation).toBeCloseTo(r.deviation![0]!, 9)
    expect(figures.error).toBeCloseTo(r.deviation![0]! / Math.sqrt(figures.count), 9)
    expect(describeGroup([Number.NaN])).toBeNull()
    expect(describeGroup([3])).toMatchObject({ mean: 3, deviation: null, error: null, median: 3 })
  })

  it('tell specificity: 0 for a housekeeping gene, 1 for a gene of one tissue', () => {
    expect(tau([5, 5, 5, 5])).toBe(0)
    expect(tau([0, 0, 9, 0])).toBe(1)
    // Yanai et al. 2005, example in the methods: 0 8 0 0 0 2 0 2 0 0 0 0.
    expect(tau([0, 8, 0, 0, 0, 2, 0, 2, 0, 0, 0, 0])).toBeCloseTo(0.95, 2)
    expect(tau([0, 0])).toBeNull()
  })

  it('make counts comparable by the sums of their samples', () => {
    expect(comparableValue(3, 'counts', 1e6)).toBe(2)
    expect(comparableValue(3, 'counts', 3e6)).toBe(1)
    expect(comparableValue(-1.5, 'log2ratio', 0)).toBe(-1.5)
  })
})

describe('modules of a network', () => {
  it('are two cliques joined by one edge', () => {
    const clique = (from: number) =>
      [0, 1, 2, 3].flatMap((a) => [0, 1, 2, 3].filter((b) => b > a).map((b) => [from + a, from + b, 1] as const))
    expect(findModules(9, [...clique(0), ...clique(4), [3, 4, 1]])).toEqual([0, 0, 0, 0, 1, 1, 1, 1, 2])
  })
})

describe('a tissue picture', () => {
  it('gives its areas, matched without regard to signs and case', () => {
    const found = inspectPicture(
      '<svg xmlns="http://www.w3.org/2000/svg"><g id="Young_leaf"><path d="M0 0"/></g></svg>',
    )
    expect(found).toEqual({ ids: ['Young_leaf'] })
    expect(areaKey('Young leaf')).toBe(areaKey('Young_leaf'))
  })

  it.each([
    '<svg><script>alert(1)</script></svg>',
    '<svg onload="alert(1)"></svg>',
    "<svg><path onclick = 'alert(1)'/></svg>",
    '<svg><foreignObject/></svg>',
    '<svg><image href="https://elsewhere.example/x.png"/></svg>',
    '<svg><use xlink:href="https://elsewhere.example/x.svg#a"/></svg>',
    '<svg><style>@import url(x)</style></svg>',
    '<svg><path style="fill:url(https://elsewhere.example/)"/></svg>',
    '<!DOCTYPE svg [<!ENTITY x "y">]><svg/>',
    'no picture',
  ])('is refused when it could do more than draw: %s', (svg) => expect(inspectPicture(svg)).toHaveProperty('refused'))
})
