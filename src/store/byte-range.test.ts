import { mkdirSync, mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { isSafeRelativePath, openByteSource, parseRangeHeader, readPieces, resolveInside } from './byte-range.ts'
import { getDiskSpace, requireDiskSpace } from './disk-space.ts'

const folder = mkdtempSync(path.join(tmpdir(), 'byte-range-test-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const letters = Buffer.from(Array.from({ length: 700_000 }, (_, i) => 65 + (i % 26)))
mkdirSync(path.join(folder, 'tracks'))
writeFileSync(path.join(folder, 'tracks', 'a.bw'), letters)

async function join(pieces: AsyncIterable<Buffer>): Promise<Buffer> {
  const all: Buffer[] = []
  for await (const piece of pieces) all.push(piece)
  return Buffer.concat(all)
}

describe('reading ranges of a file', () => {
  it('gives exactly the bytes asked for, across pieces, and an empty range too', async () => {
    const read = async (name: string, start0: number, end0: number) =>
      join(readPieces(await openByteSource(resolveInside(folder, name)), start0, end0))
    for (const [start, end] of [
      [0, 1],
      [0, 700_000],
      [262_143, 262_145],
      [5, 5],
      [699_999, 700_000],
    ] as const)
      expect((await read('tracks/a.bw', start, end)).equals(letters.subarray(start, end))).toBe(true)
    await expect(read('tracks/a.bw', 0, 700_001)).rejects.toMatchObject({ code: 'out-of-range' })
    await expect(read('tracks/b.bw', 0, 1)).rejects.toMatchObject({ code: 'missing' })
  })

  it('takes no path that leads out of the folder, or is none', async () => {
    for (const name of ['', '.', '..', '../tracks/a.bw', '/etc/passwd', 'a.bw/', 'x\0y', '..\\a.bw', '-a', 'a/../../b'])
      expect(() => resolveInside(folder, name)).toThrow(/not a path/)
    expect(isSafeRelativePath('blast/genome.nin')).toBe(true)
    expect(isSafeRelativePath('matrix.zarr/.zattrs')).toBe(true)
  })

  it('says so when a file shrinks under an open reader', async () => {
    const file = path.join(folder, 'shrinks')
    writeFileSync(file, letters)
    const source = await openByteSource(file)
    truncateSync(file, 100)
    await expect(source.read(50, 200)).rejects.toMatchObject({ code: 'truncated', file })
    expect((await source.read(50, 100)).length).toBe(50)
    await source.close()
  })
})

describe('the Range header', () => {
  it.each([
    [undefined, { kind: 'whole' }],
    ['bytes=0-499', { kind: 'range', start0: 0, end0: 500 }],
    ['bytes=500-', { kind: 'range', start0: 500, end0: 1000 }],
    ['bytes=-500', { kind: 'range', start0: 500, end0: 1000 }],
    ['bytes=-5000', { kind: 'range', start0: 0, end0: 1000 }],
    ['bytes=999-999', { kind: 'range', start0: 999, end0: 1000 }],
    ['bytes=900-1200', { kind: 'range', start0: 900, end0: 1000 }],
    ['Bytes=0-0', { kind: 'range', start0: 0, end0: 1 }],
    ['bytes=1000-', { kind: 'unsatisfiable' }],
    ['bytes=-0', { kind: 'unsatisfiable' }],
    ['bytes=9-5', { kind: 'whole' }],
    ['bytes=0-1,5-6', { kind: 'whole' }],
    ['bytes=-', { kind: 'whole' }],
    ['lines=1-2', { kind: 'whole' }],
    ['bytes=1e3-', { kind: 'whole' }],
  ])('%s of 1,000 bytes', (header, expected) => {
    expect(parseRangeHeader(header, 1000)).toEqual(expected)
  })

  it('of an empty file can never be satisfied', () => {
    expect(parseRangeHeader('bytes=0-', 0)).toEqual({ kind: 'unsatisfiable' })
    expect(parseRangeHeader('bytes=-1', 0)).toEqual({ kind: 'unsatisfiable' })
  })
})

describe('space on the disk', () => {
  it('is measured, and a load that cannot fit is refused with the figures', async () => {
    const { freeBytes, totalBytes } = await getDiskSpace(folder)
    expect(freeBytes).toBeGreaterThan(0)
    expect(totalBytes).toBeGreaterThanOrEqual(freeBytes)
    await requireDiskSpace(folder, 0)
    await expect(requireDiskSpace(folder, totalBytes)).rejects.toMatchObject({ code: 'disk-full', file: folder })
    await expect(getDiskSpace(path.join(folder, 'absent'))).rejects.toMatchObject({ code: 'missing' })
  })
})
