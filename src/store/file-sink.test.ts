import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { openSink } from './file-sink.ts'
import { StoreError } from './store-error.ts'

const folder = mkdtempSync(join(tmpdir(), 'novodb-sink-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

test('lines and bytes stand in the file in the order in which they were written, many or few', async () => {
  const sink = await openSink(join(folder, 'spans.bed'))
  const lines = Array.from({ length: 60_000 }, (_, at) => `chr1\t${at * 10}\t${at * 10 + 5}\taligned\n`)
  for (const line of lines) await sink.write(line)
  await sink.write(Uint8Array.of(0x6c, 0x1b, 0x01))
  await sink.end()
  expect(readFileSync(sink.file, 'latin1')).toBe(`${lines.join('')}l\u001b\u0001`)
  await expect(sink.write('more').then(() => sink.end())).rejects.toThrow('is closed')
})

test.runIf(process.platform === 'linux')('a full disk is told to whoever writes, by its own word', async () => {
  const sink = await openSink('/dev/full')
  await sink.write('GATTACA')
  const failure = await sink.end().catch((error: unknown) => error)
  expect(failure).toBeInstanceOf(StoreError)
  expect((failure as StoreError).code).toBe('disk-full')
  await sink.discard()
})
