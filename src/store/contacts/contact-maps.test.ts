import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ContactMapError } from '../../bio/contacts/contact-map.ts'
import { type MadeCooler, writeCooler } from '../../testing/cooler.ts'
import { hasRealData, realData } from '../../testing/real-data.ts'
import { readCoolerFile } from './cooler-file.ts'
import { readHicFile } from './hic-file.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'novodb-contacts-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const problemOf = async (reading: Promise<unknown>): Promise<unknown> =>
  reading.then(
    () => 'read',
    (error: unknown) => (error instanceof ContactMapError ? { code: error.code, ...error.params } : error),
  )

/** Two chromosomes, of three bins and of one. */
const made: MadeCooler = {
  chromosomes: [
    { name: 'chrI', lengthBp: 250 },
    { name: 'chrII', lengthBp: 80 },
  ],
  binBp: 100,
  pixels: [
    [0, 0, 9],
    [0, 1, 4],
    [1, 3, 1],
    [3, 3, 7],
  ],
}

const read = async (change: Partial<MadeCooler>): Promise<unknown> => {
  const file = join(folder, 'changed.cool')
  await writeCooler(file, { ...made, ...change })
  return problemOf(readCoolerFile(file))
}

describe('contact maps of cooler', () => {
  it('tell their bins, contacts and chromosomes', async () => {
    const file = join(folder, 'made.cool')
    await writeCooler(file, made)
    expect(await readCoolerFile(file)).toEqual({
      format: 'cool',
      formatVersion: 3,
      genome: null,
      chromosomes: made.chromosomes,
      resolutions: [{ binBp: 100, bins: 4, pixels: 4, balanced: false }],
    })
  })
  it('of several resolutions are told from the finest to the coarsest', async () => {
    const file = join(folder, 'made.mcool')
    await writeCooler(file, [{ ...made, binBp: 200, pixels: [[0, 2, 1]] }, made])
    const map = await readCoolerFile(file)
    expect(map.format).toBe('mcool')
    expect(map.resolutions.map(({ binBp, bins, pixels }) => [binBp, bins, pixels])).toEqual([
      [100, 4, 4],
      [200, 3, 1],
    ])
  })
  it('with a contact of a bin that is not there are refused', async () => {
    expect(await read({ pixels: [[0, 4, 1]] })).toEqual({
      code: 'contacts-inconsistent',
      part: 'pixels/bin2_id',
      found: 4,
      expected: '0–3',
    })
  })
  it('with the lower half of a symmetric matrix are refused', async () => {
    expect(await read({ pixels: [[2, 1, 1]] })).toMatchObject({ part: 'pixels/bin2_id', found: 1, expected: '2–3' })
  })
  it('whose index does not lead to the rows are refused', async () => {
    expect(await read({ bin1Offsets: [0, 1, 3, 3, 4] })).toMatchObject({ part: 'indexes/bin1_offset' })
    expect(await read({ bin1Offsets: [0, 2, 3, 3, 5] })).toMatchObject({
      part: 'indexes/bin1_offset',
      found: 5,
      expected: 4,
    })
  })
  it('with bins of several sizes or of another schema are refused', async () => {
    expect(await read({ attributes: { 'bin-type': 'variable' } })).toMatchObject({
      part: 'bin-type',
      found: 'variable',
    })
    expect(await read({ attributes: { 'format-version': '4' } })).toMatchObject({
      code: 'contacts-version',
      version: 4,
    })
    expect(await read({ attributes: { format: 'HDF5::MCOOL' } })).toMatchObject({ code: 'contacts-no-map' })
  })
  it.skipIf(!hasRealData)('packed with a filter that the reader would answer with garbage are refused', async () => {
    const file = join(folder, 'lzf.cool')
    const bytes = await readFile(join(realData, 'yeast/hic/yeast.10kb.cool'))
    // The filter message of HDF5 (file format, IV.A.2.l, version 1): id in two bytes, six further bytes, the name. 32000 is LZF.
    let patched = 0
    for (let at = bytes.indexOf('deflate\0'); at >= 0; at = bytes.indexOf('deflate\0', at + 1)) {
      if (bytes.readUInt16LE(at - 8) !== 1) continue
      bytes.writeUInt16LE(32_000, at - 8)
      patched += 1
    }
    expect(patched).toBeGreaterThan(0)
    await writeFile(file, bytes)
    expect(await problemOf(readCoolerFile(file))).toMatchObject({ code: 'contacts-filter' })
  })
  it('that are no HDF5, or another kind of it, are refused', async () => {
    const file = join(folder, 'text.cool')
    await writeFile(file, 'bin1\tbin2\tcount\n')
    expect(await problemOf(readCoolerFile(file))).toEqual({ code: 'contacts-no-map', format: 'HDF5' })
  })
  it.skipIf(!hasRealData)('of yeast have the contacts that their makers counted', async () => {
    const yeast = await readCoolerFile(join(realData, 'yeast/hic/yeast.10kb.cool'))
    expect(yeast.resolutions).toEqual([{ binBp: 10_000, bins: 1226, pixels: 728_311, balanced: true }])
    expect(yeast.chromosomes).toHaveLength(18)
    const w303 = await readCoolerFile(join(realData, 'yeast/hic/scer_w303_g1_2kb_SRR8769554.cool'))
    expect(w303.resolutions).toEqual([{ binBp: 2000, bins: 6074, pixels: 2_732_625, balanced: true }])
    const several = await readCoolerFile(join(realData, 'formats/hic/hic2cool_0.7.0_multi_res.mcool'))
    expect(several.resolutions.map(({ binBp }) => binBp)).toEqual([1_000_000, 2_500_000])
  })
})

/** A .hic file of version 9 with one matrix, as the format's description lays it out. */
const makeHic = (change: { version?: number; position?: bigint } = {}): Buffer => {
  const text = (value: string): Buffer => Buffer.from(`${value}\0`)
  const int = (value: number): Buffer => {
    const buffer = Buffer.alloc(4)
    buffer.writeInt32LE(value)
    return buffer
  }
  const long = (value: number | bigint): Buffer => {
    const buffer = Buffer.alloc(8)
    buffer.writeBigInt64LE(BigInt(value))
    return buffer
  }
  const after = Buffer.concat([
    text('toy'),
    long(0),
    long(0),
    int(1),
    text('software'),
    text('by hand'),
    int(3),
    ...[text('ALL'), long(1), text('chr1'), long(3_000_000_000), text('chr2'), long(1_000_001)],
    int(2),
    ...[int(1_000_000), int(500_000)],
    int(0),
  ])
  const matrix = Buffer.alloc(40)
  const footerPosition = 16 + after.length + matrix.length
  const index = [int(1), text('1_1'), long(change.position ?? 16 + after.length), int(matrix.length)]
  return Buffer.concat([text('HIC'), int(change.version ?? 9), long(footerPosition), after, matrix, long(0), ...index])
}

describe('contact maps of juicer', () => {
  const hic = async (bytes: Buffer): Promise<unknown> => {
    const file = join(folder, 'made.hic')
    await writeFile(file, bytes)
    return readHicFile(file).catch((error: unknown) => {
      if (error instanceof ContactMapError) return { code: error.code, ...error.params }
      throw error
    })
  }
  it('of version 9 hold chromosomes longer than a 32-bit number; the whole genome is no chromosome', async () => {
    expect(await hic(makeHic())).toEqual({
      format: 'hic',
      formatVersion: 9,
      genome: 'toy',
      chromosomes: [
        { name: 'chr1', lengthBp: 3_000_000_000 },
        { name: 'chr2', lengthBp: 1_000_001 },
      ],
      resolutions: [
        { binBp: 500_000, bins: 6003, pixels: null, balanced: null },
        { binBp: 1_000_000, bins: 3002, pixels: null, balanced: null },
      ],
    })
  })
  it('that were cut off, point outside themselves or follow another version are refused', async () => {
    const whole = makeHic()
    for (const length of [10, 60, whole.length - 8])
      expect(await hic(whole.subarray(0, length))).toMatchObject({ code: 'contacts-cut-off', bytes: length })
    expect(await hic(makeHic({ position: 1_000_000n }))).toMatchObject({ code: 'contacts-cut-off' })
    expect(await hic(makeHic({ version: 12 }))).toMatchObject({ code: 'contacts-version', version: 12 })
    expect(await hic(Buffer.from('BAM\u0001 and more'))).toMatchObject({ code: 'contacts-no-map' })
  })
  it.skipIf(!hasRealData)('of version 8 as juicer wrote them have their resolutions', async () => {
    const chr22 = await readHicFile(join(realData, 'formats/hic/hic-straw_test_chr22.hic'))
    expect(chr22).toMatchObject({ formatVersion: 8, genome: 'hg19' })
    // Length of chromosome 22 in hg19 (GRCh37).
    expect(chr22.chromosomes.find(({ name }) => name === '22')?.lengthBp).toBe(51_304_566)
    expect(chr22.resolutions[0]?.binBp).toBe(5000)
    expect(chr22.resolutions.at(-1)?.binBp).toBe(2_500_000)
    const plain = await readHicFile(join(realData, 'formats/hic/hic2cool_test_hic_no_norms.hic'))
    expect(plain.chromosomes.find(({ name }) => name === '1')?.lengthBp).toBe(248_956_422)
  })
})
