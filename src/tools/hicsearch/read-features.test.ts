import { mkdir, mkdtemp, open, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { DefectLog } from '../../bio/text/defects.ts'
import { bakeTabix } from '../../store/tabix-writer.ts'
import { overlaps, readFeatures } from './read-features.ts'
import { type BakedContacts, contactFiles } from './stored.ts'

const files = contactFiles('map')
const domains = 40_000
const at = (sequence: string, start: number, end: number) => ({ sequence, start, end })
const map = { id: 'map', features: { tads: domains, loops: 2, compartments: null } } as unknown as BakedContacts
let directory: string

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'novodb-features-'))
  await mkdir(join(directory, 'contacts'))
  await bakeTabix({
    source: {
      lines: Array.from(
        { length: domains },
        (_, number) => `chr1\t${number * 100}\t${number * 100 + 150}\tdomain-${number}`,
      ),
      name: 'tads.bed',
    },
    format: 'bed',
    outFile: join(directory, files.tads),
    sequences: [{ name: 'chr1', lengthBp: 100 * domains + 50 }],
    log: new DefectLog(),
    signal: new AbortController().signal,
  })
  await writeFile(join(directory, files.loops), 'chr1\t0\t10\tchr1\t900\t910\tone\t3\nchr1\t0\t10\tchr2\t5\t6\t.\t.\n')
})
afterAll(() => rm(directory, { recursive: true }))

test('domains are those of the places, each once, and no other part of the file is read', async () => {
  const inBoth = await readFeatures({ map, directory }, [at('chr1', 1, 220), at('chr1', 210, 300)], () => false)
  expect(inBoth.tads.map(({ name }) => name)).toEqual(['domain-0', 'domain-1', 'domain-2'])
  expect(inBoth.tads[1]).toEqual({ sequence: 'chr1', start: 101, end: 250, name: 'domain-1' })
  const path = join(directory, files.tads)
  // Damage far behind the place; a question over the damage does not pass it.
  const file = await open(path, 'r+')
  await file.write(Buffer.alloc(64, 0x55), 0, 64, Math.floor((await readFile(path)).length * 0.8))
  await file.close()
  expect((await readFeatures({ map, directory }, [at('chr1', 160, 170)], () => false)).tads).toHaveLength(1)
  await expect(readFeatures({ map, directory }, [at('chr1', 3_150_000, 3_300_000)], () => false)).rejects.toThrow()
})

test('loops are read once, and found by either end', async () => {
  const ask = (a: ReturnType<typeof at>, b: ReturnType<typeof at>) =>
    readFeatures(
      { map: { ...map, features: { ...map.features, tads: null } }, directory },
      [a, b],
      (x, y) => overlaps(x, a) && overlaps(y, b),
    )
  const first = await ask(at('chr1', 905, 906), at('chr1', 1, 5))
  expect(first.loops).toEqual([{ a: at('chr1', 1, 10), b: at('chr1', 901, 910), name: 'one', score: 3 }])
  await rm(join(directory, files.loops))
  expect((await ask(at('chr2', 6, 6), at('chr1', 1, 1))).loops).toMatchObject([{ name: null, score: null }])
})
