import { createHash } from 'node:crypto'
import { afterEach, expect, test, vi } from 'vitest'
import { checksumOf } from './checked-pieces.ts'

afterEach(() => vi.unstubAllGlobals())

test('a piece has the same checksum where the browser computes it and where it does not', async () => {
  const bytes = Buffer.from(Array.from({ length: 400_000 }, (_, at) => `${at}\n`).join(''))
  const expected = createHash('sha256').update(bytes).digest('base64')
  expect(await checksumOf(new Blob([bytes]))).toBe(expected)
  vi.stubGlobal('crypto', {})
  expect(await checksumOf(new Blob([bytes]))).toBe(expected)
})
