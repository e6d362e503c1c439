import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeTar, makeZip } from '../../testing/archives.ts'
import { fasta, gff3, ncbiDatasets } from '../../testing/import-sources.ts'
import { makeBases } from '../../testing/random.ts'

// Killed as by a power cut or by the kernel for want of memory, an import goes on with the same command, and what comes of it is the same.

let root: string
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'novodb-continued-'))
})
afterAll(() => rmSync(root, { recursive: true, force: true }))

/** Runs it to its end, or until it kills itself; gives back by what signal it ended. */
const runProcess = (path: string, step = '', dieAt = 0): string | null => {
  const plan = JSON.stringify({ path, step, dieAt })
  const entry = fileURLToPath(new URL('../fixtures/import-process.mjs', import.meta.url))
  const { signal, stdout, stderr } = spawnSync(process.execPath, [entry, plan], { encoding: 'utf8' })
  if (dieAt > 0) return signal
  expect(stderr).toBe('')
  expect(JSON.parse(stdout)).toEqual({ errors: false })
  return signal
}

/** Every file below a folder with its content; what unpacking notes for itself is about the archive. */
const contentOf = (folder: string): Record<string, string> =>
  Object.fromEntries(
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && entry.name !== '.novodb-import.json')
      .map((entry) => join(entry.parentPath, entry.name))
      .map((file) => [file.slice(folder.length + 1), readFileSync(file, 'latin1')] as const)
      .sort(([a], [b]) => (a < b ? -1 : 1)),
  )

const place = (name: string): string => {
  mkdirSync(join(root, name))
  return join(root, name)
}

// Large enough that entries come in several pieces, and beside the genome of the other files.
const large = { 'reads/notes.txt': makeBases(4_000_000, 3).replace(/(.{60})/g, '$1\n') }
const entries = Object.entries({ ...large, ...ncbiDatasets() }).map(([name, content]) => ({ name, content }))

test.each([
  [
    'zip',
    () => makeZip(entries),
    [
      ['unpack', 2],
      ['recognise', 1],
    ],
  ],
  [
    'tar.gz',
    () => gzipSync(makeTar(entries), { level: 1 }),
    [
      ['unpack', 2],
      ['unpack', 4],
      ['recognise', 12],
    ],
  ],
] as const)(
  'a %s, killed while it is unpacked and while it is recognised',
  (kind, make, deaths) => {
    const [still, killed] = [place(`still-${kind}`), place(`killed-${kind}`)]
    for (const folder of [still, killed]) writeFileSync(join(folder, `data.${kind}`), make())
    runProcess(join(still, `data.${kind}`))
    for (const [step, dieAt] of deaths)
      expect([step, dieAt, runProcess(join(killed, `data.${kind}`), step, dieAt)]).toEqual([step, dieAt, 'SIGKILL'])
    runProcess(join(killed, `data.${kind}`))
    const { [`data.${kind}`]: _, ...content } = contentOf(killed)
    const { [`data.${kind}`]: __, ...expected } = contentOf(still)
    expect(Object.keys(content)).toEqual(Object.keys(expected))
    expect(content).toEqual(expected)
  },
  600_000,
)

test('killed when the genome out of a gene file is written, and the manifest is not yet', () => {
  const folder = place('annotated')
  const genes = `${gff3('c1', 'p1')}\n##FASTA\n${fasta('c1', 'p1')}`
  writeFileSync(join(folder, 'strain.gff'), genes)
  runProcess(folder)
  const expected = contentOf(folder)
  expect(Object.keys(expected).length).toBe(3)
  rmSync(join(folder, 'species.yaml'))
  writeFileSync(join(folder, 'species.yaml.novodb-part'), 'novodb: 1\nspec')
  runProcess(folder)
  expect(contentOf(folder)).toEqual(expected)
}, 300_000)
