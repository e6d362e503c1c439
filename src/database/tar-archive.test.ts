import { execFileSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { createTemporaryDirectory } from './private-server/testbed.ts'
import { readTar, renderTarEnd, renderTarEntry } from './tar-archive.ts'

const directory = createTemporaryDirectory()
afterAll(() => fs.rmSync(directory, { recursive: true }))

const entries = [
  { name: 'backup.json', content: Buffer.from('{"format":"novodb-backup"}\n') },
  { name: 'data/00000-public.genes/000001.copy.gz', content: Buffer.alloc(512, 7) },
  { name: 'data/00001-public.terms/000001.copy.gz', content: Buffer.alloc(0) },
  { name: 'data/00001-public.terms/000002.copy.gz', content: Buffer.alloc(1025, 255) },
]
const modifiedAt = new Date('2026-11-21T05:00:00Z')
const archive = Buffer.concat([...entries.map((entry) => renderTarEntry(entry, modifiedAt)), renderTarEnd()])

async function* inPieces(bytes: Buffer, size: number) {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}
const readAll = async (source: AsyncIterable<Buffer>, limitBytes = 1_000_000) => {
  const found = []
  for await (const entry of readTar(source, limitBytes)) found.push(entry)
  return found
}

test('what is written, tar lists and unpacks byte for byte', () => {
  const file = path.join(directory, 'ours.tar')
  fs.writeFileSync(file, archive)
  expect(execFileSync('tar', ['-tvf', file, '--utc'], { encoding: 'utf8' })).toMatch(
    /^-rw-------.*1025 2026-11-21 05:00.*000002\.copy\.gz$/m,
  )
  execFileSync('tar', ['-xf', file, '-C', directory])
  for (const { name, content } of entries)
    expect(fs.readFileSync(path.join(directory, name)).equals(content)).toBe(true)
})

test('what tar packs is read, however the bytes arrive', async () => {
  fs.writeFileSync(path.join(directory, 'genes.tsv'), 'Rv3875\tesxA\n'.repeat(1000))
  execFileSync('tar', ['--format=ustar', '-cf', 'theirs.tar', 'genes.tsv'], { cwd: directory })
  const theirs = fs.readFileSync(path.join(directory, 'theirs.tar'))
  for (const size of [1, 511, 512, 100_000]) {
    const [entry] = await readAll(inPieces(theirs, size))
    expect(entry?.name).toBe('genes.tsv')
    expect(entry?.content.toString()).toBe('Rv3875\tesxA\n'.repeat(1000))
  }
  expect((await readAll(inPieces(archive, 700))).map((entry) => entry.content)).toEqual(
    entries.map((entry) => entry.content),
  )
})

test('an archive that is cut off anywhere, or has a damaged header, is refused', async () => {
  for (const length of [0, 100, 512, 600, 1024, archive.length - 1024]) {
    await expect(readAll(inPieces(archive.subarray(0, length), 512))).rejects.toThrow(/cut off/)
  }
  const damaged = Buffer.from(archive)
  damaged[3] = (damaged[3] ?? 0) ^ 1
  await expect(readAll(inPieces(damaged, 512))).rejects.toThrow(/damaged/)
})

test('an entry larger than it may be is refused before it is read', async () => {
  await expect(readAll(inPieces(archive, 512), 1000)).rejects.toThrow(/000002.copy.gz.*larger/)
})
