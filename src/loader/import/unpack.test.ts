import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { DefectLog } from '../../bio/text/defects.ts'
import { type ArchiveEntry, makeTar, makeZip } from '../../testing/archives.ts'
import { makeBases } from '../../testing/random.ts'
import { entryPath, unpackArchive } from './unpack.ts'

let root: string
let places = 0
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'novodb-unpacking-'))
})
afterAll(() => rmSync(root, { recursive: true, force: true }))

const kinds = {
  zip: makeZip,
  tar: makeTar,
  'tar.gz': (entries: readonly ArchiveEntry[]) => gzipSync(makeTar(entries)),
}
type Kind = keyof typeof kinds
const all = Object.keys(kinds) as Kind[]

const unpack = async (bytes: Buffer, prepare: (into: string) => void = () => undefined, folder?: string) => {
  places += 1
  const here = folder ?? join(root, `place-${places}`)
  mkdirSync(here, { recursive: true })
  const archive = join(here, 'given')
  if (folder === undefined) writeFileSync(archive, bytes)
  const into = join(here, 'into')
  prepare(into)
  const log = new DefectLog()
  const done = await unpackArchive({
    archive,
    name: 'given',
    into,
    log,
    signal: AbortSignal.timeout(30_000),
    onProgress: () => undefined,
  })
  const files = existsSync(into)
    ? (readdirSync(into, { recursive: true }) as string[]).filter((name) => !name.startsWith('.novodb')).sort()
    : []
  return { done, into, here, files, codes: log.defects.map(({ code }) => code) }
}

test.each(all)('%s: files come out as they were, with folders, without what systems add', async (kind) => {
  const big = 'ACGT'.repeat(100_000)
  const { done, into, files, codes } = await unpack(
    kinds[kind]([
      { name: 'data/', content: '' },
      { name: 'data/a.fa', content: big },
      { name: './b.txt', content: 'b' },
      { name: 'data/.DS_Store', content: 'x' },
      { name: 'data/empty', content: '' },
    ]),
  )
  expect([done, codes]).toEqual([true, []])
  expect(files).toEqual(['b.txt', 'data', 'data/a.fa', 'data/empty'])
  expect(readFileSync(join(into, 'data/a.fa'), 'utf8')).toBe(big)
})

test.each(
  all.flatMap((kind) =>
    ['../out', 'a/../../out', '/tmp/novodb-out', 'C:\\out', 'a\\..\\..\\out'].map((name) => [kind, name] as const),
  ),
)('%s: nothing is written to %s', async (kind, name) => {
  const { done, files, codes, here } = await unpack(kinds[kind]([{ name, content: 'evil' }]))
  expect([done, codes, files]).toEqual([false, ['import-archive-path'], []])
  expect(readdirSync(here).sort()).toEqual(['given', 'into'])
  expect(existsSync('/tmp/novodb-out')).toBe(false)
})

test.each(all)('%s: a link is not made, so nothing can be written through it', async (kind) => {
  const { codes, files, here } = await unpack(
    kinds[kind]([
      { name: 'link', link: '..' },
      { name: 'link/out', content: 'evil' },
    ]),
  )
  expect(codes).toEqual(['import-archive-link'])
  expect(files).toEqual(['link', 'link/out'])
  expect(readdirSync(here).sort()).toEqual(['given', 'into'])
})

test('a link that was in the folder before is not followed', async () => {
  const { done, codes, here } = await unpack(makeZip([{ name: 'link/out', content: 'evil' }]), (into) => {
    mkdirSync(into)
    symlinkSync('..', join(into, 'link'))
  })
  expect([done, codes]).toEqual([false, ['import-archive-path']])
  expect(readdirSync(here).sort()).toEqual(['given', 'into'])
})

test.each(all)('%s: one path cannot be two files', async (kind) => {
  const { done, codes } = await unpack(
    kinds[kind]([
      { name: 'a', content: '1' },
      { name: './a', content: '2' },
    ]),
  )
  expect([done, codes]).toEqual([false, ['import-archive-twice']])
})

test('what is damaged, encrypted or says a false size is told, and no file of it is left half', async () => {
  const content = 'ACGT'.repeat(1000)
  const cut = makeZip([{ name: 'a', content }])
  for (const [bytes, code] of [
    [cut.subarray(0, cut.length - 30), 'import-archive-damaged'],
    [makeZip([{ name: 'a', content, claims: { crc: 1 } }]), 'import-archive-damaged'],
    [makeZip([{ name: 'a', content, claims: { bytes: 10 } }]), 'import-archive-damaged'],
    [makeZip([{ name: 'a', content, encrypted: true }]), 'import-archive-encrypted'],
    [gzipSync(makeTar([{ name: 'a', content: makeBases(50_000, 3) }])).subarray(0, 9000), 'import-archive-damaged'],
    [makeTar([{ name: 'a', content }]).subarray(0, 2000), 'import-archive-damaged'],
  ] as const) {
    const { done, codes, files } = await unpack(bytes as Buffer)
    expect([done, codes, files]).toEqual([false, [code], []])
  }
})

test('an archive that would become far larger than it is, or than the disk, is refused before anything is written', async () => {
  const claims = { bytes: 2 ** 32 - 2 }
  const bomb = await unpack(makeZip([{ name: 'a', content: 'A', claims }]))
  expect([bomb.done, bomb.codes, bomb.files]).toEqual([false, ['import-archive-bomb'], []])
})

test('goes on where it ended: what is whole is not written again, what is not is', async () => {
  const bytes = makeZip([
    { name: 'a', content: 'first' },
    { name: 'b', content: 'second' },
  ])
  const { here, into } = await unpack(bytes)
  writeFileSync(join(into, 'a'), 'FIRST')
  rmSync(join(into, 'b'))
  writeFileSync(join(into, 'b.novodb-part'), 'sec')
  const marker = join(into, '.novodb-import.json')
  const { complete: _, ...begun } = JSON.parse(readFileSync(marker, 'utf8')) as Record<string, unknown>
  writeFileSync(marker, JSON.stringify(begun))
  const again = await unpack(bytes, undefined, here)
  expect([again.done, again.files]).toEqual([true, ['a', 'b']])
  expect(readFileSync(join(into, 'a'), 'utf8')).toBe('FIRST')
  expect(readFileSync(join(into, 'b'), 'utf8')).toBe('second')
})

test('paths of entries', () => {
  expect(['a/b', './a//b', 'a\\b', '..', 'a/..', '/a', 'c:a', '', './', 'a\0b', 'x..y/z'].map(entryPath)).toEqual([
    'a/b',
    'a/b',
    'a/b',
    null,
    null,
    null,
    null,
    null,
    null,
    null,
    'x..y/z',
  ])
})
