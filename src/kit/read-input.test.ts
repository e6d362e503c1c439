import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { DefectLog } from '../bio/text/defects.ts'
import { readTextIfPresent } from '../store/baked-text.ts'
import type { CheckContext, ReportedDefect } from './loader.ts'
import { readInputLines, readInputText } from './read-input.ts'

const anchors = '###\nYAL001C\tAGOS_1\t200\nYAL002W\tAGOS_2\t180\n'
let folder = ''
let reported: ReportedDefect[] = []
const context: CheckContext = {
  species: 'saccharomyces_cerevisiae',
  assembly: null,
  resolveFile: async (path) => join(folder, path),
  findFile: async () => null,
  listFolder: async () => [],
  report: (_catalogue, defect) => reported.push(defect),
  forward: (defect) => reported.push(defect),
  signal: new AbortController().signal,
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'novodb-input-'))
  await writeFile(join(folder, 'yeasts.anchors.gz'), gzipSync(anchors))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

test('a gzip file of anchors is one text, and its lines come with their numbers', async () => {
  expect(await readInputText('yeasts.anchors.gz', context)).toBe(anchors)
  const lines: [number, string][] = []
  const log = new DefectLog()
  expect(await readInputLines('yeasts.anchors.gz', context, log, (line, number) => lines.push([number, line]))).toBe(
    true,
  )
  expect(lines).toEqual([
    [1, '###'],
    [2, 'YAL001C\tAGOS_1\t200'],
    [3, 'YAL002W\tAGOS_2\t180'],
  ])
})

test('a file that unpacks to more than is taken whole is refused by its name before it fills the memory', async () => {
  reported = []
  expect(await readInputText('yeasts.anchors.gz', context, 20)).toBeNull()
  expect(reported).toEqual([
    { code: 'file-too-large', file: 'yeasts.anchors.gz', line: null, params: { limit: 20e-6 } },
  ])
})

test('a baked text that was never written is none, and one that cannot be read is an error', async () => {
  expect(await readTextIfPresent(join(folder, 'absent.json'))).toBeNull()
  expect(await readTextIfPresent(join(folder, 'yeasts.anchors.gz'))).toBe(anchors)
  await expect(readTextIfPresent(folder)).rejects.toThrow(/EISDIR/)
})
