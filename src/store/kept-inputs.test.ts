import { createHash } from 'node:crypto'
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { openKeptInput, readKeptInputs, writeKeptInputs } from './kept-inputs.ts'

test('inputs come back as they were given; one that an earlier bundle keeps is not written again, and a change is told', async () => {
  const root = mkdtempSync(join(tmpdir(), 'novodb-kept-'))
  try {
    const files = ['text', 'small', 'empty'].map((name) => ({ name, file: join(root, name) }))
    const contents = ['ACGT'.repeat(1000), 'x', '']
    for (const [at, { file }] of files.entries()) writeFileSync(file, contents[at]!)
    const inputs = files.map((input, at) => ({
      ...input,
      sha256: createHash('sha256').update(contents[at]!).digest('hex'),
    }))
    const write = (name: string, isTouched = false, taken: string | null = null) =>
      writeKeptInputs({
        folder: join(root, name),
        inputs,
        products: new Map(),
        isUntouched: async () => !isTouched,
        take: async (sha256) => (sha256 === inputs[0]!.sha256 ? taken : null),
        signal: AbortSignal.timeout(10_000),
        onBytes: () => undefined,
      })
    const { changed, paths } = await write('first')
    expect(changed).toBeNull()
    expect(paths).toHaveLength(4)
    const kept = await readKeptInputs(join(root, 'first/inputs/list.json'))
    for (const [at, input] of kept.entries())
      expect((await buffer(openKeptInput(join(root, 'first'), input))).toString()).toBe(contents[at])

    expect((await write('second', false, paths[0]!)).paths).toEqual(paths)
    expect(readdirSync(join(root, 'second/inputs'))).toHaveLength(3)
    expect(await readKeptInputs(join(root, 'second/inputs/list.json'))).toEqual(kept)

    writeFileSync(files[0]!.file, 'ACGA')
    expect((await write('third', true, paths[0]!)).changed).toBe('text')
    expect((await write('fourth')).changed).toBe('text')
  } finally {
    rmSync(root, { recursive: true })
  }
})
