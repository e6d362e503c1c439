import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import type { AlignedRows } from '../alignment/alignment-columns.ts'
import { parseFastaText } from '../sequence/fasta.ts'
import {
  type DistanceModel,
  farthest,
  joinAlignment,
  joinNeighbours,
  measureDistances,
  readStates,
} from './neighbour-joining.ts'
import { parseNewick } from './newick.ts'
import { compareTrees, listNodes, listSplits } from './phylogeny.ts'

const fixture = (name: string): string => readFileSync(new URL(`fixtures/${name}`, import.meta.url), 'utf8')

const readRows = (name: string) => {
  const { records } = parseFastaText(fixture(name))
  return { names: records.map((record) => record.name), rows: records.map((record) => record.sequence) }
}

/** The last of the steps, all of which tell more done than those before them. */
const finish = <Result>(steps: Generator<number, Result>): Result => {
  let done = 0
  let step = steps.next()
  for (; !step.done; step = steps.next()) {
    expect(step.value).toBeGreaterThanOrEqual(done)
    expect(step.value).toBeLessThanOrEqual(1)
    done = step.value
  }
  return step.value
}

const distancesOf = (rows: AlignedRows, model: DistanceModel, protein: boolean) =>
  finish(measureDistances(readStates(rows, protein), model))

test.each([
  ['k80', 'bases.fa', 'ape-bases.k80', false],
  ['jc69', 'bases.fa', 'phylip-bases.jc', false],
  ['kimura', 'proteins.fa', 'phylip-proteins.kim', true],
] as const)(
  '%s distances and the tree joined from them are those of ape and PHYLIP',
  (model, file, golden, protein) => {
    const { names, rows } = readRows(file)
    const { matrix, far } = distancesOf(rows, model, protein)
    expect(far).toBe(0)
    const numbers = fixture(`${golden}.txt`)
      .replace(/^\s*\d+\s*\n/, '')
      .split(/\s+/)
      .filter((word) => /^\d+(?:\.\d+)?$/.test(word))
      .map(Number)
    expect(numbers).toHaveLength(names.length ** 2)
    // PHYLIP prints six decimals.
    for (const [at, value] of numbers.entries()) expect(matrix[at], `pair ${at}`).toBeCloseTo(value, 4)
    const difference = compareTrees(finish(joinNeighbours(names, matrix)), parseNewick(fixture(`${golden}.nwk`)))
    expect(difference.distance).toBe(0)
    expect(difference.splits).toBe(2 * (names.length - 3))
    expect(difference.lengthDifference).toBeLessThan(2e-5)
  },
)

test('distances follow their formulas by hand', () => {
  const [a, b] = ['AAAACCCCGGGGTTTT', 'GAAACCCCGGGGTTTA']
  const of = (model: 'p' | 'jc69' | 'k80'): number => distancesOf([a, b], model, false).matrix[1]!
  expect(of('p')).toBe(2 / 16)
  expect(of('jc69')).toBeCloseTo(-0.75 * Math.log(1 - (4 / 3) * 0.125), 12)
  expect(of('k80')).toBeCloseTo(-0.5 * Math.log(1 - 2 / 16 - 1 / 16) - 0.25 * Math.log(1 - 2 / 16), 12)
})

test('gaps and ambiguous residues do not count, U is T and case does not matter', () => {
  expect(distancesOf(['ACGU-NA', 'acgtAAC'], 'p', false).matrix[1]).toBe(1 / 5)
  expect(distancesOf(['MKX-B*V', 'MRWWWWV'], 'p', true).matrix[1]).toBe(1 / 3)
})

test('pairs without common columns or beyond the formula are set far apart and counted', () => {
  const { matrix, far } = distancesOf(['AAAA----', '----AAAA', 'CCCCCCCC'], 'jc69', false)
  expect(far).toBe(3)
  expect([...matrix].filter((one) => one === farthest)).toHaveLength(6)
})

test('joining gives an additive tree back', () => {
  const matrix = Float64Array.from([0, 3, 8, 9, 3, 0, 9, 10, 8, 9, 0, 9, 9, 10, 9, 0])
  const tree = finish(joinNeighbours(['a', 'b', 'c', 'd'], matrix))
  expect(compareTrees(tree, parseNewick('((a:1,b:2):3,c:4,d:5);'))).toMatchObject({ distance: 0, lengthDifference: 0 })
})

test('identical sequences are joined by branches without length, never negative ones', () => {
  const { tree } = finish(
    joinAlignment(['a', 'b', 'c', 'd', 'e'], ['ACGTACGT', 'ACGTACGT', 'ACGTACGT', 'TCGTACGA', 'TCGTACGA'], {
      model: 'jc69',
      protein: false,
      replicates: 0,
      seed: 1,
    }),
  )
  for (const { length } of listNodes(tree.root).slice(1)) expect(length).toBeGreaterThanOrEqual(0)
  expect([...listSplits(tree).values()].map(({ names }) => names.join(''))).toContain('de')
})

test('the bootstrap repeats with its seed and gives sure branches 100', () => {
  const { names, rows } = readRows('bases.fa')
  const run = (seed: number) =>
    finish(joinAlignment(names, rows, { model: 'k80', protein: false, replicates: 100, seed })).tree
  const [one, again, other] = [run(1), run(1), run(2)]
  expect(again).toEqual(one)
  expect(other).not.toEqual(one)
  // Another seed draws other columns: percentages of 100 replicates move by sampling error only.
  expect(compareTrees(one, other).supportDifference).toBeLessThan(25)
  const values = [...listSplits(one).values()].map(({ support }) => support[0]!)
  expect(values).toHaveLength(names.length - 3)
  expect(Math.max(...values)).toBe(100)
})

test('the bootstrap gives no support to what the order of identical sequences alone joins', () => {
  const one = 'ACGTACGTACGTACGTACGT'
  const far = 'TCGTTCGTACCTACGAACGA'
  const run = (names: string[], rows: string[]) => {
    const options = { model: 'k80', protein: false, replicates: 100, seed: 1 } as const
    const { tree } = finish(joinAlignment(names, rows, options))
    return new Map([...listSplits(tree).values()].map(({ names, support }) => [names.sort().join(''), support[0]]))
  }
  const mixed = run(['a', 'b', 'c', 'd', 'e', 'f'], [one, one, one, one, far, far])
  expect(mixed.get('ef')).toBe(100)
  expect([...mixed.values()].sort((x, y) => x! - y!)).toEqual([0, 0, 100])
  expect([...run(['a', 'b', 'c', 'd'], [one, one, one, one]).values()]).toEqual([0])
})

test('fewer than three sequences make no tree', () => {
  expect(() => finish(joinNeighbours(['a', 'b'], new Float64Array(4)))).toThrow(RangeError)
})
