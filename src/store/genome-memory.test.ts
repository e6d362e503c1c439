// What a draft of many scaffolds takes while it is held: bytes in use a sequence, after a collection of all garbage.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { afterAll, describe, expect, it } from 'vitest'
import { indexSequenceNames, karyotypeOrder } from '../bio/sequence/chromosome-order.ts'
import { DefectLog } from '../bio/text/defects.ts'
import { bakeGenomeFasta, openGenome } from './genome-fasta.ts'

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as () => void
const inUse = async (): Promise<number> => {
  collect()
  // What streams and digests held outside the heap is freed after the collection that finds them.
  await new Promise((done) => setTimeout(done, 100))
  collect()
  const { heapUsed, arrayBuffers } = process.memoryUsage()
  return heapUsed + arrayBuffers
}

const folder = mkdtempSync(path.join(tmpdir(), 'novodb-memory-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const count = 50_000

/** In a function of its own: what it made is not held by the one that measures. */
const writeDraft = (): string => {
  const file = path.join(folder, 'draft.fa')
  const record = (_: unknown, at: number): string =>
    `>JAAXYZ01${String(at * 3).padStart(7, '0')}.1 made up scaffold ${at}\n${'ACGTN'.repeat((at % 7) + 1)}\n`
  writeFileSync(file, Array.from({ length: count }, record).join(''))
  return file
}

describe('a draft of many scaffolds', () => {
  it('is held in some hundred bytes a sequence when baked, and in fewer when open', { timeout: 120_000 }, async () => {
    const file = writeDraft()
    const before = await inUse()
    const { sequences } = await bakeGenomeFasta({ inputs: [file], outDir: folder, log: new DefectLog() })
    expect(sequences).toHaveLength(count)
    const baked = await inUse()
    expect((baked - before) / count).toBeLessThan(700)

    const names = indexSequenceNames(sequences)
    expect(names.findPosition(sequences[7]!.name)).toBe(7)
    const order = karyotypeOrder(sequences.map(({ name }) => name))
    expect(order).toHaveLength(count)
    const indexed = await inUse()
    expect((indexed - baked) / count).toBeLessThan(60)

    const genome = await openGenome(folder)
    expect(genome.lengthOf(sequences[7]!.name)).toBe(5)
    expect(((await inUse()) - indexed) / count).toBeLessThan(250)
    // Held until here.
    expect([names.findPosition(sequences[9]!.name), order[0]]).toEqual([9, 0])
    await genome.close()
  })
})
