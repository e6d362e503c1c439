import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { hasRealData, realData } from '../../testing/real-data.ts'
import { type KindBlock, nameBlocks } from './block-kinds.ts'
import { parseCollinearFile } from './collinear-files.ts'

const block = (
  sequenceA: string,
  startA: number,
  sequenceB: string,
  startB: number,
  genes: number,
  orientation: 1 | -1 = 1,
  copyOf = 0,
): KindBlock => {
  const numbers = Array.from({ length: genes }, (_, at) => startA * 1000 + at)
  return {
    sequenceA,
    startA,
    endA: startA + genes,
    sequenceB,
    startB,
    endB: startB + genes,
    orientation,
    pairs: genes,
    a: numbers,
    b: numbers.map((gene) => (copyOf === 0 ? gene : gene - (startA - copyOf) * 1000 + 500_000)),
  }
}

test('the large blocks of one chromosome are syntenic, a turned one inverted, one out of order moved', () => {
  const blocks = [
    block('chrI', 0, 'chrI', 0, 60),
    block('chrI', 100, 'chrI', 100, 20, -1),
    block('chrI', 200, 'chrI', 300, 60),
    block('chrI', 300, 'chrI', 200, 8),
  ]
  expect(nameBlocks(blocks, false)).toEqual(['syntenic', 'inverted', 'syntenic', 'moved'])
})

test('a chromosome that reads backwards as a whole is not inverted block by block', () => {
  const blocks = [block('chrI', 0, 'chrI', 300, 60, -1), block('chrI', 100, 'chrI', 100, 50, -1)]
  expect(nameBlocks(blocks, false)).toEqual(['syntenic', 'syntenic'])
})

test('genes that went to another chromosome are translocated, copies of genes that stayed are duplicated', () => {
  const stayed = block('chrI', 0, 'chrI', 0, 60)
  const blocks = [
    stayed,
    block('chrV', 500, 'chrV', 500, 60),
    block('chrI', 100, 'chrV', 100, 15),
    { ...block('chrI', 0, 'chrV', 900, 20), b: Array.from({ length: 20 }, (_, at) => 900_000 + at) },
  ]
  expect(nameBlocks(blocks, false)).toEqual(['syntenic', 'syntenic', 'translocated', 'duplicated'])
})

test('a genome against itself has copies only; blocks without genes count by bases', () => {
  expect(nameBlocks([block('chrI', 0, 'chrV', 0, 9)], true)).toEqual(['duplicated'])
  const bare = (startA: number, startB: number, length: number, sequenceB = 'chrI'): KindBlock => ({
    sequenceA: 'chrI',
    startA,
    endA: startA + length,
    sequenceB,
    startB,
    endB: startB + length,
    orientation: 1,
    pairs: 0,
    a: [],
    b: [],
  })
  expect(nameBlocks([bare(0, 0, 50_000), bare(10_000, 0, 9000, 'chrX'), bare(60_000, 0, 9000, 'chrX')], false)).toEqual(
    ['syntenic', 'duplicated', 'syntenic'],
  )
})

const namedPaf = (strain: string) => {
  const text = gunzipSync(readFileSync(`${realData}/yeast/synteny/${strain}_vs_R64.paf.gz`)).toString()
  const parsed = parseCollinearFile(text)
  if (!('blocks' in parsed)) throw new Error(parsed.reason)
  const blocks = parsed.blocks.map(
    ({ a, b, orientation }): KindBlock => ({
      sequenceA: a.sequence!,
      startA: a.start1!,
      endA: a.end1!,
      sequenceB: b.sequence!,
      startB: b.start1!,
      endB: b.end1!,
      orientation: orientation!,
      pairs: 0,
      a: [],
      b: [],
    }),
  )
  const kinds = nameBlocks(blocks, false)
  return blocks.map((block, at) => ({ ...block, kind: kinds[at]! }))
}

// Yue et al. 2017 (Nature Genetics 49:913): this strain's chromosomes VII, VIII, X, XI and XIII are exchanged among each other.
test.skipIf(!hasRealData)('the exchanges of UWOPS034614 are between the five chromosomes known for them', () => {
  const large = namedPaf('UWOPS034614').filter(({ startA, endA }) => endA - startA > 20_000)
  const exchanged = new Set(
    large
      .filter(({ sequenceA, sequenceB }) => sequenceA !== sequenceB)
      .flatMap(({ sequenceA, sequenceB }) => [sequenceA, sequenceB]),
  )
  expect([...exchanged].sort()).toEqual(['chrVII', 'chrVIII', 'chrX', 'chrXI', 'chrXIII'])
  const translocated = large.filter(({ kind }) => kind === 'translocated')
  expect(translocated.length).toBeGreaterThanOrEqual(6)
  for (const { sequenceA, sequenceB } of translocated) {
    expect(exchanged.has(sequenceA)).toBe(true)
    expect(exchanged.has(sequenceB)).toBe(true)
  }
  // Y12 has all its chromosomes as R64 has them.
  expect(namedPaf('Y12').filter(({ kind, startA, endA }) => kind === 'translocated' && endA - startA > 20_000)).toEqual(
    [],
  )
})
