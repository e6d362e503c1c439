import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inflateSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { BigWigWriter, writeBigWig } from './bigwig-writer.ts'

let directory = ''
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'bigwig-'))
})
afterAll(() => rm(directory, { recursive: true, force: true }))

const range = (count: number) => Array.from({ length: count }, (_, i) => i)

/** Walks the R-tree by the format's tables, independently of the writer: intervals that overlap a region. */
async function readIntervals(file: string, sequence: number, from0: number, to0: number) {
  const data = await readFile(file)
  const found: [number, number, number][] = []
  let blocksRead = 0
  const visit = (at: number): void => {
    const leaf = data.readUInt8(at) === 1
    const count = data.readUInt16LE(at + 2)
    for (let i = 0; i < count; i++) {
      const item = at + 4 + i * (leaf ? 32 : 24)
      const first = [data.readUInt32LE(item), data.readUInt32LE(item + 4)] as const
      const last = [data.readUInt32LE(item + 8), data.readUInt32LE(item + 12)] as const
      if (first[0] > sequence || (first[0] === sequence && first[1] >= to0)) continue
      if (last[0] < sequence || (last[0] === sequence && last[1] <= from0)) continue
      const offset = Number(data.readBigUInt64LE(item + 16))
      if (!leaf) {
        visit(offset)
        continue
      }
      blocksRead++
      const section = inflateSync(data.subarray(offset, offset + Number(data.readBigUInt64LE(item + 24))))
      expect(section.readUInt8(20)).toBe(1)
      for (let j = 0; j < section.readUInt16LE(22); j++) {
        const interval = 24 + j * 12
        const start0 = section.readUInt32LE(interval)
        const end0 = section.readUInt32LE(interval + 4)
        if (start0 < to0 && end0 > from0) found.push([start0, end0, section.readFloatLE(interval + 8)])
      }
    }
  }
  visit(Number(data.readBigUInt64LE(24)) + 48)
  return { found, blocksRead, data }
}

test('a region of a BigWig is read from the few blocks that hold it, over an index of two levels', async () => {
  const file = join(directory, 'many.bw')
  const count = 400_000
  await writeBigWig(file, [
    {
      name: 'chr2',
      lengthBp: count * 5,
      starts0: range(count).map((i) => i * 5),
      ends0: range(count).map((i) => i * 5 + 2),
      values: range(count),
    },
    { name: 'chr1', lengthBp: 100, starts0: [10], ends0: [20], values: [0.5] },
  ])
  const { found, blocksRead, data } = await readIntervals(file, 1, 1_000_000, 1_000_011)
  expect(found).toEqual([
    [1_000_000, 1_000_002, 200_000],
    [1_000_005, 1_000_007, 200_001],
    [1_000_010, 1_000_012, 200_002],
  ])
  expect(blocksRead).toBe(1)
  expect((await readIntervals(file, 0, 0, 100)).found).toEqual([[10, 20, 0.5]])
  expect(data.readUInt32LE(0)).toBe(0x888ffc26)
  expect(data.readUInt32LE(data.length - 4)).toBe(0x888ffc26)
  // Total summary: bases with a value, smallest, largest, sum.
  const summary = Number(data.readBigUInt64LE(44))
  expect(Number(data.readBigUInt64LE(summary))).toBe(2 * count + 10)
  expect(data.readDoubleLE(summary + 16)).toBe(count - 1)
  expect(data.readDoubleLE(summary + 24)).toBe(count * (count - 1) + 5)
})

test('one interval over many bases is to be drained for its summaries', async () => {
  const sequences = [{ name: 'c', lengthBp: 1_000_000 }]
  const writer = await BigWigWriter.create(join(directory, 'long.bw'), { sequences, items: 1_000_000 })
  try {
    writer.add(0, 0, 10, 1)
    expect(writer.isFull).toBe(false)
    writer.add(0, 10, 1_000_000, 2)
    expect(writer.isFull).toBe(true)
    await writer.drain()
    expect(writer.isFull).toBe(false)
  } finally {
    await writer.abort()
  }
})

test('summaries of every zoom level add up to the signal', async () => {
  const file = join(directory, 'zoom.bw')
  const count = 10_000
  await writeBigWig(file, [
    {
      name: 'c',
      lengthBp: 1_000_000,
      starts0: range(count).map((i) => i * 100 + (i % 7)),
      ends0: range(count).map((i) => i * 100 + 60),
      values: range(count).map((i) => i % 11),
    },
  ])
  const data = await readFile(file)
  const levels = data.readUInt16LE(6)
  expect(levels).toBeGreaterThan(2)
  const bases = range(count).reduce((sum, i) => sum + 60 - (i % 7), 0)
  const total = range(count).reduce((sum, i) => sum + (60 - (i % 7)) * (i % 11), 0)
  for (let level = 0; level < levels; level++) {
    const index = Number(data.readBigUInt64LE(64 + level * 24 + 16))
    let seenBases = 0
    let seenTotal = 0
    for (let i = 0; i < data.readUInt16LE(index + 50); i++) {
      const item = index + 52 + i * 32
      const offset = Number(data.readBigUInt64LE(item + 16))
      const records = inflateSync(data.subarray(offset, offset + Number(data.readBigUInt64LE(item + 24))))
      for (let at = 0; at < records.length; at += 32) {
        seenBases += records.readUInt32LE(at + 12)
        seenTotal += records.readFloatLE(at + 24)
      }
    }
    expect(seenBases).toBe(bases)
    expect(seenTotal).toBe(total)
  }
})

test('overlapping, unsorted and overlong intervals and values that are no numbers are refused by name', async () => {
  const write = (starts0: number[], ends0: number[], values: number[]) =>
    writeBigWig(join(directory, 'bad.bw'), [{ name: 'chrX', lengthBp: 100, starts0, ends0, values }])
  await expect(write([0, 5], [6, 8], [1, 1])).rejects.toThrow(/chrX/)
  await expect(write([10, 5], [12, 8], [1, 1])).rejects.toThrow(/chrX/)
  await expect(write([90], [101], [1])).rejects.toThrow(/chrX/)
  await expect(write([90], [95], [Number.NaN])).rejects.toThrow(/chrX/)
})
