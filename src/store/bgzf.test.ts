import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { seededRandom } from '../bio/statistics/random.ts'
import { BgzfBlockCache, BgzfReader, BgzfWriter, bgzfBlockBytes, blockOffsetOf, offsetWithinBlock } from './bgzf.ts'
import { openByteSource } from './byte-range.ts'

// Checks beside a reference program are left out where it is not installed.
const bgzipFound = spawnSync('bgzip', ['--version']).error === undefined

let folder: string
beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'bgzf-test-'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** Text that neither compresses to nothing nor not at all. */
function annotationLikeText(bytes: number): Buffer {
  const random = seededRandom(7)
  const lines: string[] = []
  for (let size = 0; size <= bytes; ) {
    const line = `chr${Math.floor(random() * 9)}\t${Math.floor(random() * 1e7)}\tgene${Math.floor(random() * 1e5)}\n`
    lines.push(line)
    size += line.length
  }
  return Buffer.from(lines.join('')).subarray(0, bytes)
}

async function writeFileOf(name: string, data: Buffer, pieceBytes = 10_000): Promise<string> {
  const file = path.join(folder, name)
  const writer = await BgzfWriter.create(file)
  for (let at = 0; at < data.length; at += pieceBytes) await writer.write(data.subarray(at, at + pieceBytes))
  await writer.finish({ gzi: `${file}.gzi` })
  return file
}

describe('a BGZF file written here', () => {
  const sizes = [0, 1, bgzfBlockBytes - 1, bgzfBlockBytes, bgzfBlockBytes + 1, 2 * bgzfBlockBytes, 3_000_001]
  it.each(sizes)('gives its %i bytes back to any gzip reader and to random access', async (bytes) => {
    const data = annotationLikeText(bytes)
    const file = await writeFileOf(`size-${bytes}.gz`, data)
    expect(gunzipSync(readFileSync(file)).equals(data)).toBe(true)
    const reader = await BgzfReader.open(file, { gzi: `${file}.gzi` })
    expect(await reader.uncompressedBytes()).toBe(bytes)
    expect((await reader.read(0, bytes)).equals(data)).toBe(true)
    const random = seededRandom(bytes + 1)
    for (let i = 0; i < 200; i++) {
      const start = Math.floor(random() * bytes)
      const end = Math.min(bytes, start + Math.floor(random() * random() * 200_000))
      expect((await reader.read(start, end)).equals(data.subarray(start, end))).toBe(true)
    }
    await expect(reader.read(bytes, bytes + 1)).rejects.toMatchObject({ code: 'out-of-range' })
    await reader.close()
  })

  it('stores what does not compress, such as random bytes, within the 64 KiB of a block', async () => {
    const random = seededRandom(3)
    const data = Buffer.from(Uint8Array.from({ length: 200_000 }, () => Math.floor(random() * 256)))
    const file = await writeFileOf('noise.gz', data)
    expect(gunzipSync(readFileSync(file)).equals(data)).toBe(true)
  })

  it('answers virtual offsets that lead back to the same bytes, at block borders and at the end too', async () => {
    const data = annotationLikeText(500_000)
    const file = path.join(folder, 'virtual.gz')
    const writer = await BgzfWriter.create(file)
    await writer.write(data)
    await writer.finish()
    const reader = await BgzfReader.open(file)
    for (const offset of [0, 1, 65_279, 65_280, 65_281, 499_999, 500_000]) {
      const virtual = writer.virtualOffset(offset)
      const block = await reader.block(blockOffsetOf(virtual))
      const expected = offset === data.length ? undefined : data[offset]
      expect(block.data[offsetWithinBlock(virtual)]).toBe(expected)
    }
    expect(() => writer.virtualOffset(10_000_000)).toThrow(RangeError)
    await reader.close()
  })

  it('keeps a bounded number of blocks in memory however fast bytes come', async () => {
    const writer = await BgzfWriter.create(path.join(folder, 'flood.gz'))
    const piece = annotationLikeText(bgzfBlockBytes)
    let refused = 0
    for (let i = 0; i < 300; i++) {
      if (!writer.push(piece)) {
        refused++
        await writer.drain()
      }
    }
    const { uncompressedBytes } = await writer.finish()
    expect(refused).toBeGreaterThan(2)
    expect(uncompressedBytes).toBe(300 * bgzfBlockBytes)
  })

  it('reports a full disk as such', async () => {
    // /dev/full takes no byte; it exists on Linux only.
    if (process.platform !== 'linux') return
    const writer = await BgzfWriter.create('/dev/full')
    const fill = async (): Promise<void> => {
      for (let i = 0; i < 200; i++) await writer.write(annotationLikeText(bgzfBlockBytes))
      await writer.finish()
    }
    await expect(fill()).rejects.toMatchObject({ code: 'disk-full', file: '/dev/full' })
    await writer.abort()
  })
})

describe.skipIf(!bgzipFound)('beside bgzip of htslib', () => {
  it.each([1, bgzfBlockBytes, 130_560, 1_000_000])(
    'a file of %i bytes is intact and its .gzi is byte-equal',
    async (bytes) => {
      const file = await writeFileOf(`peer-${bytes}.gz`, annotationLikeText(bytes))
      execFileSync('bgzip', ['--test', file])
      const ours = readFileSync(`${file}.gzi`)
      execFileSync('bgzip', ['--reindex', file])
      expect(ours.equals(readFileSync(`${file}.gzi`))).toBe(true)
    },
  )

  it('bgzip reads a piece from the middle by our .gzi, and we by its', async () => {
    const data = annotationLikeText(700_000)
    const file = await writeFileOf('middle.gz', data)
    const piece = execFileSync('bgzip', ['--offset', '130000', '--size', '90000', file])
    expect(piece.equals(data.subarray(130_000, 220_000))).toBe(true)
    const plain = path.join(folder, 'plain.txt')
    writeFileSync(plain, data)
    execFileSync('bgzip', ['--index', plain])
    const reader = await BgzfReader.open(`${plain}.gz`, { gzi: `${plain}.gz.gzi` })
    expect((await reader.read(130_000, 220_000)).equals(data.subarray(130_000, 220_000))).toBe(true)
    await reader.close()
  })
})

describe('a damaged file', () => {
  it('that was cut off is refused by name when it is opened', async () => {
    const file = await writeFileOf('cut.gz', annotationLikeText(300_000))
    truncateSync(file, 50_000)
    await expect(BgzfReader.open(file)).rejects.toMatchObject({ code: 'truncated', file })
    truncateSync(file, 10)
    await expect(BgzfReader.open(file)).rejects.toMatchObject({ code: 'truncated', file })
    truncateSync(file, 0)
    await expect(BgzfReader.open(file)).rejects.toMatchObject({ code: 'truncated', file })
  })

  it('that is plain gzip, or no gzip at all, is refused with the reason', async () => {
    const gzip = path.join(folder, 'plain-gzip.gz')
    writeFileSync(gzip, gzipSync(annotationLikeText(1000)))
    await expect(BgzfReader.open(gzip)).rejects.toThrow(/compress it with bgzip/)
    const text = path.join(folder, 'text.gz')
    writeFileSync(text, annotationLikeText(1000))
    await expect(BgzfReader.open(text)).rejects.toMatchObject({ code: 'not-bgzf', file: text })
    await expect(BgzfReader.open(path.join(folder, 'absent.gz'))).rejects.toMatchObject({ code: 'missing' })
  })

  it('with one flipped bit is found when that block is read, and the others still serve', async () => {
    const data = annotationLikeText(200_000)
    const file = await writeFileOf('flip.gz', data)
    const raw = readFileSync(file)
    raw[5000] = raw[5000]! ^ 4
    writeFileSync(file, raw)
    const reader = await BgzfReader.open(file, { gzi: `${file}.gzi` })
    await expect(reader.read(100, 200)).rejects.toMatchObject({ code: 'corrupt', file })
    expect((await reader.read(70_000, 70_100)).equals(data.subarray(70_000, 70_100))).toBe(true)
    await reader.close()
  })

  it('whose .gzi belongs to another file is refused', async () => {
    const small = await writeFileOf('small.gz', annotationLikeText(100))
    const big = await writeFileOf('big.gz', annotationLikeText(900_000))
    await expect(BgzfReader.open(small, { gzi: `${big}.gzi` })).rejects.toMatchObject({ code: 'bad-index' })
    await expect(BgzfReader.open(big, { gzi: big })).rejects.toMatchObject({ code: 'bad-index' })
  })
})

describe('the block cache', () => {
  it('stays under its bound and is shared by readers', async () => {
    const cache = new BgzfBlockCache(4 * bgzfBlockBytes)
    const one = await writeFileOf('one.gz', annotationLikeText(600_000))
    const two = await writeFileOf('two.gz', annotationLikeText(500_000))
    const readers = await Promise.all([one, two].map((file) => BgzfReader.open(file, { gzi: `${file}.gzi`, cache })))
    for (const reader of readers) await reader.read(0, 400_000)
    expect(cache.bytes).toBeLessThanOrEqual(4 * bgzfBlockBytes)
    expect(cache.bytes).toBeGreaterThan(2 * bgzfBlockBytes)
    for (const reader of readers) await reader.close()
    expect(cache.bytes).toBe(0)
  })

  it('reads a block once when many ask for it together', async () => {
    const file = await writeFileOf('together.gz', annotationLikeText(600_000))
    const source = await openByteSource(file)
    let reads = 0
    const counted = {
      ...source,
      read(start0: number, end0: number) {
        reads++
        return source.read(start0, end0)
      },
    }
    const reader = await BgzfReader.open(counted, { gzi: `${file}.gzi` })
    reads = 0
    await Promise.all(Array.from({ length: 50 }, (_, i) => reader.read(70_000 + i, 70_100 + i)))
    expect(reads).toBe(1)
    await reader.close()
  })
})
