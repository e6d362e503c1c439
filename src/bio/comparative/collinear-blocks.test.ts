import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { beforeAll, describe, expect, test } from 'vitest'
import { hasRealData, realData } from '../../testing/real-data.ts'
import { defaultModel, findCollinearBlocks, rankGenes } from './collinear-blocks.ts'
import { parseCollinearFile } from './collinear-files.ts'

const row = (genes: number) =>
  rankGenes(
    new Int32Array(genes),
    Array.from({ length: genes }, (_, gene) => gene * 1000 + 1),
  )
const matchesOf = (pairs: [number, number, number?][]) => ({
  a: pairs.map(([a]) => a),
  b: pairs.map(([, b]) => b),
  evalue: pairs.map(([, , evalue]) => evalue ?? 1e-50),
})
const run = (length: number, from: number, to: number, step = 1): [number, number][] =>
  Array.from({ length }, (_, at) => [from + at, to + step * at])

describe('collinear blocks', () => {
  test('genes in the same order are one block of 50 a pair, read alike', () => {
    const [block, ...others] = findCollinearBlocks(matchesOf(run(8, 3, 10)), row(40), row(40))
    expect(others).toEqual([])
    expect(block).toMatchObject({ orientation: 1, score: 400, a: [3, 4, 5, 6, 7, 8, 9, 10] })
    expect(block!.b).toEqual([10, 11, 12, 13, 14, 15, 16, 17])
  })

  test('an inverted stretch is a block turned round between two that are not', () => {
    const pairs = [...run(10, 0, 0), ...run(10, 10, 19, -1), ...run(10, 20, 20)]
    const blocks = findCollinearBlocks(matchesOf(pairs), row(30), row(30))
    expect(blocks.map(({ orientation, a }) => [orientation, a.length]).sort()).toEqual([
      [-1, 10],
      // The two outer runs are one chain, for ten genes between them are fewer than the gap allowed; it passes one inverted gene.
      [1, 21],
    ])
  })

  test('a gap costs one a gene on the longer side, and 26 genes part a chain', () => {
    const near = [...run(5, 0, 0), ...run(5, 30, 8)]
    expect(findCollinearBlocks(matchesOf(near), row(60), row(60))[0]).toMatchObject({ score: 500 - 25 })
    const far = [...run(10, 0, 0), ...run(10, 36, 13)]
    expect(findCollinearBlocks(matchesOf(far), row(60), row(60)).map(({ score }) => score)).toEqual([500, 500])
  })

  test('four pairs are no block', () => {
    expect(findCollinearBlocks(matchesOf(run(4, 0, 0)), row(20), row(20))).toEqual([])
  })

  test('copies in tandem are one match, the best of them; MCScanX’s program takes the first', () => {
    // Gene 2 has a second partner beside the first, and gene 3 has that one.
    const pairs: [number, number, number?][] = [...run(10, 0, 0), [2, 3, 1e-90]]
    const partners = (representative: 'best' | 'first') => {
      const [block] = findCollinearBlocks(matchesOf(pairs), row(20), row(20), { ...defaultModel, representative })
      return new Map(block!.a.map((gene, at) => [gene, block!.b[at]]))
    }
    expect(partners('best').get(2)).toBe(3)
    expect(partners('best').has(3)).toBe(false)
    expect(partners('first').get(2)).toBe(2)
    expect(partners('first').has(3)).toBe(false)
  })

  test('a genome against itself: a duplicated stretch is found once, neighbours in tandem are no match', () => {
    const pairs: [number, number][] = [...run(10, 0, 50), ...run(20, 20, 21)]
    const blocks = findCollinearBlocks(matchesOf(pairs), row(80), null)
    expect(blocks.map(({ a, b }) => [a[0], b[0], a.length])).toEqual([[0, 50, 10]])
  })

  test('pairs beyond the e-value do not count', () => {
    const weak = run(8, 0, 0).map(([a, b]): [number, number, number] => [a, b, 1e-4])
    expect(findCollinearBlocks(matchesOf(weak), row(20), row(20))).toEqual([])
  })
})

/** Recipe of the files: proteins of both genomes by DIAMOND, MCScanX with its defaults. */
const readRealRun = () => {
  const read = (name: string) => gunzipSync(readFileSync(`${realData}/yeast/synteny/R64_CBS432.${name}.gz`)).toString()
  const genes = read('mcscanx.gff')
    .trim()
    .split('\n')
    .map((line) => line.split('\t'))
    .map(([sequence, id, start]) => ({ sequence: sequence!, id: id!, start: Number(start) }))
  const names = [...new Set(genes.map(({ sequence }) => sequence))].sort()
  genes.sort((p, q) => names.indexOf(p.sequence) - names.indexOf(q.sequence) || p.start - q.start)
  const numbers = new Map(genes.map(({ id }, number) => [id, number]))
  const ranks = rankGenes(
    Int32Array.from(genes, ({ sequence }) => names.indexOf(sequence)),
    genes.map(({ start }) => start),
  )
  const best = new Map<string, [number, number, number]>()
  for (const line of read('diamond.m8').trim().split('\n')) {
    const cells = line.split('\t')
    const [p, q] = [numbers.get(cells[0]!)!, numbers.get(cells[1]!)!]
    const [a, b] = [Math.min(p, q), Math.max(p, q)]
    const evalue = Number(cells[10])
    if (a !== b && evalue < (best.get(`${a} ${b}`)?.[2] ?? 1)) best.set(`${a} ${b}`, [a, b, evalue])
  }
  const matches = matchesOf([...best.values()])
  const given = parseCollinearFile(read('collinearity'))
  if (!('blocks' in given)) throw new Error(given.reason)
  const keyOf = (a: string, b: string) => [a, b].sort().join(' ')
  const truth = given.blocks.map((block) => ({
    ...block,
    pairs: block.a.genes.map((a, at) => keyOf(a, block.b.genes[at]!)),
  }))
  const compute = (representative: 'best' | 'first') =>
    findCollinearBlocks(matches, ranks, null, { ...defaultModel, representative }).map((block) => ({
      ...block,
      pairs: block.a.map((a, at) => keyOf(genes[a]!.id, genes[block.b[at]!]!.id)),
    }))
  return { truth, compute }
}

describe.skipIf(!hasRealData)('R64 and CBS432 against a real run of MCScanX', () => {
  // Not in the body of the block, which is run where the block is skipped too.
  let truth: ReturnType<typeof readRealRun>['truth']
  let compute: ReturnType<typeof readRealRun>['compute']
  beforeAll(() => {
    ;({ truth, compute } = readRealRun())
  })

  test('the given file has the 119 blocks that it says', () => {
    expect(truth.length).toBe(119)
    expect(truth.reduce((sum, { pairs }) => sum + pairs.length, 0)).toBe(6369)
  })

  test('119 blocks with 99.5 % of the pairs; with the program’s choice among copies 99.8 %, none beyond', () => {
    const wanted = new Set(truth.flatMap(({ pairs }) => pairs))
    for (const [representative, recall, precision] of [
      ['best', 0.995, 0.996],
      ['first', 0.998, 1],
    ] as const) {
      const blocks = compute(representative)
      const found = new Set(blocks.flatMap(({ pairs }) => pairs))
      const both = [...wanted].filter((pair) => found.has(pair)).length
      expect(blocks.length).toBe(119)
      expect(both / wanted.size).toBeGreaterThanOrEqual(recall)
      expect(both / found.size).toBeGreaterThanOrEqual(precision)
    }
  })

  test('orientation agrees in every block, score and e-value to the digits printed in those of the same pairs', () => {
    const blocks = compute('first')
    let same = 0
    for (const block of blocks) {
      const own = truth.find(({ pairs }) => pairs.some((pair) => block.pairs.includes(pair)))!
      expect(own.orientation).toBe(block.orientation)
      if (own.pairs.length !== block.pairs.length || own.score !== block.score) continue
      same += 1
      // Two digits are printed; what underflows a double is 0 in both.
      if (own.evalue! > 1e-300) expect(block.evalue / own.evalue!).toBeCloseTo(1, 0)
    }
    expect(same).toBeGreaterThanOrEqual(113)
  })
})
