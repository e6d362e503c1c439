import { readFileSync } from 'node:fs'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Straw from 'hic-straw/dist/hic-straw.esm.js'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type ContactMap, ContactMapError } from '../../bio/contacts/contact-map.ts'
import { writeCooler } from '../../testing/cooler.ts'
import { type MadeHic, renderHic } from '../../testing/hic.ts'
import { hasRealData, realData } from '../../testing/real-data.ts'
import { type BinRange, type ContactReader, WindowTooLarge } from './contact-reader.ts'
import { readCoolerFile } from './cooler-file.ts'
import { openCooler } from './cooler-reader.ts'
import { openHic } from './hic-reader.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'novodb-contact-readers-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const readCells = async (reader: ContactReader, binBp: number, x: BinRange, y: BinRange): Promise<string[]> => {
  const cells: string[] = []
  await reader.readWindow(binBp, x, y, (one, two, count) => cells.push(`${one},${two}:${count}`))
  return cells.sort()
}

interface Golden {
  windows: {
    file: string
    x: string
    y: string
    weight: string | null
    shape: [number, number]
    nonzero: number
    sum: number
    placed: number
  }[]
  expected: { file: string; chromosome: string; weight: string | null; values: (number | null)[] }[]
}
const golden: Golden = JSON.parse(readFileSync(join(import.meta.dirname, '../golden/cooler-0.9.1.json'), 'utf8'))

describe('windows of a cooler', () => {
  it('hold both halves of the map, whichever way the window lies', async () => {
    const file = join(folder, 'small.cool')
    await writeCooler(file, {
      chromosomes: [
        { name: 'chrI', lengthBp: 450 },
        { name: 'chrII', lengthBp: 180 },
      ],
      binBp: 100,
      pixels: [
        [0, 0, 9],
        [0, 2, 4],
        [1, 3, 5],
        [1, 6, 2],
        [3, 3, 7],
        [5, 6, 1],
      ],
    })
    const reader = await openCooler(file)
    const range = (chromosome: number, from: number, to: number): BinRange => ({ chromosome, from, to })
    expect(await readCells(reader, 100, range(0, 0, 5), range(0, 0, 5))).toEqual(
      ['0,0:9', '0,2:4', '2,0:4', '1,3:5', '3,1:5', '3,3:7'].sort(),
    )
    expect(await readCells(reader, 100, range(0, 0, 2), range(0, 2, 5))).toEqual(['0,2:4', '1,3:5'])
    expect(await readCells(reader, 100, range(0, 2, 5), range(0, 0, 4))).toEqual(['2,0:4', '3,1:5', '3,3:7'])
    expect(await readCells(reader, 100, range(0, 0, 4), range(0, 2, 5))).toEqual(['0,2:4', '1,3:5', '3,3:7'])
    expect(await readCells(reader, 100, range(1, 0, 2), range(0, 0, 5))).toEqual(['1,1:2'])
    expect(await readCells(reader, 100, range(0, 0, 5), range(1, 0, 99))).toEqual(['1,1:2'])
    const band: string[] = []
    await reader.readBand(100, range(0, 0, 5), 1, (x, y, count) => band.push(`${x},${y}:${count}`))
    expect(band).toEqual(['0,0:9', '3,3:7'])
    await expect(
      reader.readWindow(100, range(0, 0, 5), range(0, 0, 5), () => undefined, { maxPixels: 2 }),
    ).rejects.toThrow(WindowTooLarge)
    await reader.close()
  })

  it.skipIf(!hasRealData)('of real maps are those that cooler 0.9.1 gives, plain and balanced', async () => {
    const maps = new Map<string, ContactMap>()
    for (const window of golden.windows) {
      const [path, resolution] = window.file.split('::resolutions/')
      const file = join(realData, path!)
      const map = maps.get(file) ?? (await readCoolerFile(file))
      maps.set(file, map)
      const binBp = resolution === undefined ? map.resolutions[0]!.binBp : Number(resolution)
      const rangeOf = (text: string): BinRange => {
        const [name, start, end] = text.split(/[:-]/)
        const chromosome = map.chromosomes.findIndex((one) => one.name === name)
        const { lengthBp } = map.chromosomes[chromosome]!
        // As cooler counts: from 0, without the end.
        const to = Math.min(lengthBp, Number(end ?? lengthBp))
        return { chromosome, from: Math.floor(Number(start ?? 0) / binBp), to: Math.ceil(to / binBp) }
      }
      const [x, y] = [rangeOf(window.x), rangeOf(window.y)]
      const reader = await openCooler(file)
      const weightsOf = async (range: BinRange): Promise<Float64Array> =>
        window.weight === null
          ? new Float64Array(range.to - range.from).fill(1)
          : (await reader.readWeights(binBp, range, window.weight))!
      const [ofX, ofY] = [await weightsOf(x), await weightsOf(y)]
      let [nonzero, sum, placed] = [0, 0, 0]
      await reader.readWindow(binBp, x, y, (one, two, count) => {
        const value = count * ofX[one - x.from]! * ofY[two - y.from]!
        if (Number.isNaN(value)) return
        nonzero += 1
        sum += value
        placed += value * (one - x.from + 1) * (2 * (two - y.from) + 1)
      })
      await reader.close()
      const found = { nonzero, shape: [x.to - x.from, y.to - y.from] }
      expect({ ...window, ...found }).toEqual(window)
      expect(Math.abs(sum - window.sum) / window.sum, `${window.x} ${window.y} ${window.weight}`).toBeLessThan(1e-12)
      expect(Math.abs(placed - window.placed) / window.placed).toBeLessThan(1e-12)
    }
  })

  it.skipIf(!hasRealData)('are expected at each distance as numpy averages the diagonals of cooler', async () => {
    for (const { file, chromosome, weight, values } of golden.expected) {
      let averages: Float64Array | undefined
      await readCoolerFile(join(realData, file), undefined, async (_, table) => {
        const column = table.columns.indexOf(weight ?? 'none')
        averages = table.chromosomes.find(({ name }) => name === chromosome)?.averages[column]
      })
      expect(averages?.length).toBe(values.length)
      for (const [apart, value] of values.entries())
        if (value === null) expect(averages![apart]).toBeNaN()
        else expect(Math.abs(averages![apart]! - value)).toBeLessThanOrEqual(1e-10 * Math.max(value, 1e-6))
    }
  })
})

/** Bytes of a file as hic-straw asks for them. */
const fileOf = (bytes: Buffer) => ({
  read: async (position: number, length: number): Promise<ArrayBuffer> =>
    Uint8Array.from(bytes.subarray(position, position + length)).buffer,
})

const comparePeer = async (
  bytes: Buffer,
  reader: ContactReader,
  { binBp, x, y, normalization }: { binBp: number; x: BinRange; y: BinRange; normalization: string },
  names: string[],
): Promise<number> => {
  const peer = new Straw({ file: fileOf(bytes) })
  const regionOf = ({ chromosome, from, to }: BinRange) => ({
    chr: names[chromosome]!,
    start: from * binBp,
    end: to * binBp,
  })
  const reported = await peer.getContactRecords(normalization, regionOf(x), regionOf(y), 'BP', binBp)
  const weightsOf = async (range: BinRange): Promise<Float64Array> =>
    normalization === 'NONE'
      ? new Float64Array(range.to - range.from).fill(1)
      : (await reader.readWeights(binBp, range, normalization))!
  const [ofX, ofY] = [await weightsOf(x), await weightsOf(y)]
  const own = new Map<string, number>()
  await reader.readWindow(binBp, x, y, (one, two, count) => {
    const value = count * ofX[one - x.from]! * ofY[two - y.from]!
    if (!Number.isNaN(value)) own.set(`${one},${two}`, value)
  })
  // The peer gives a contact within a chromosome once, with the lower bin first.
  const expected = new Map(
    reported.map(({ bin1, bin2, counts }: { bin1: number; bin2: number; counts: number }) => [
      `${bin1},${bin2}`,
      counts,
    ]),
  )
  for (const [key, counts] of expected) expect(own.get(key)! / counts, key).toBeCloseTo(1, 10)
  const once = [...own.keys()].filter((key) => {
    const [one, two] = key.split(',').map(Number)
    return x.chromosome !== y.chromosome || one! <= two!
  })
  expect(once.length).toBe(expected.size)
  return expected.size
}

/** Two chromosomes with contacts that fall off with distance, none of it random. */
const made = (version: 8 | 9, change: Partial<MadeHic> = {}): MadeHic => {
  const pixels: MadeHic['pixels'] = []
  for (let x = 0; x < 90; x += 1)
    for (let y = x; y < 90; y += 1)
      if ((x * 7 + y * 3) % 5 !== 0) pixels.push([0, 0, x, y, 1 + Math.floor(500 / (y - x + 1))])
  for (let x = 0; x < 90; x += 3) for (let y = 0; y < 41; y += 2) pixels.push([0, 1, x, y, 1 + ((x + y) % 4)])
  for (let x = 0; x < 41; x += 1) pixels.push([1, 1, x, x, 5.5])
  const vector = (bins: number): Float64Array =>
    Float64Array.from({ length: bins }, (_, bin) => (bin === 7 ? Number.NaN : 0.5 + (bin % 4) / 4))
  return {
    version,
    chromosomes: [
      { name: '1', lengthBp: 89_500 },
      { name: '2', lengthBp: 41_000 },
    ],
    binBp: 1000,
    blockBins: 10,
    pixels,
    vectors: { KR: [vector(90), vector(41)] },
    expected: {
      NONE: { values: Float64Array.from({ length: 90 }, (_, apart) => 64 / (apart + 1)), factors: [1, 2] },
      KR: { values: Float64Array.from([8, 4]), factors: [1, 0.5] },
    },
    ...change,
  }
}

describe('windows of a .hic file', () => {
  it('of versions 8 and 9, lists of rows and dense blocks alike, are what was written', async () => {
    for (const version of [8, 9] as const) {
      for (const dense of [false, true]) {
        const what = made(version, { dense })
        const file = join(folder, `made-${version}-${dense}.hic`)
        await writeFile(file, renderHic(what))
        const reader = await openHic(file)
        for (const [x, y] of [
          [0, 90, 0, 90],
          [12, 31, 25, 60],
          [50, 90, 0, 20],
        ].map(([a, b, c, d]) => [
          { chromosome: 0, from: a!, to: b! },
          { chromosome: 0, from: c!, to: d! },
        ]) as [BinRange, BinRange][]) {
          const expected = what.pixels.flatMap(([a, b, one, two, count]) => {
            if (a !== 0 || b !== 0) return []
            const cells =
              one === two
                ? [[one, two]]
                : [
                    [one, two],
                    [two, one],
                  ]
            return cells.flatMap(([p, q]) =>
              p! >= x.from && p! < x.to && q! >= y.from && q! < y.to ? [`${p},${q}:${count}`] : [],
            )
          })
          expect(await readCells(reader, 1000, x, y)).toEqual(expected.sort())
        }
        const all = (chromosome: number): BinRange => ({ chromosome, from: 0, to: 1000 })
        const between = what.pixels.filter(([a, b]) => a !== b)
        expect(await readCells(reader, 1000, all(0), all(1))).toEqual(
          between.map(([, , x, y, count]) => `${x},${y}:${count}`).sort(),
        )
        expect(await readCells(reader, 1000, all(1), all(0))).toEqual(
          between.map(([, , x, y, count]) => `${y},${x}:${count}`).sort(),
        )
        const band: string[] = []
        await reader.readBand(1000, all(0), 3, (x, y, count) => band.push(`${x},${y}:${count}`))
        expect(band.sort()).toEqual(
          what.pixels
            .flatMap(([a, b, x, y, count]) => (a + b === 0 && y - x <= 3 ? [`${x},${y}:${count}`] : []))
            .sort(),
        )
        expect(await reader.listNormalizations(1000)).toEqual(['KR'])
        const weights = await reader.readWeights(1000, { chromosome: 1, from: 5, to: 9 }, 'KR')
        expect([...weights!]).toEqual([1 / 0.75, 1, Number.NaN, 2])
        const expected = await reader.readExpected(1000, 1, 'KR')
        expect([expected?.length, expected?.[0], expected?.[1], expected?.[40]]).toEqual([41, 16, 8, 8])
        expect((await reader.readExpected(1000, 1, 'none'))?.[3]).toBe(8)
        await reader.close()
      }
    }
  })

  it('of version 9 are what hic-straw reads of the same file', async () => {
    const bytes = renderHic(made(9))
    const file = join(folder, 'peer.hic')
    await writeFile(file, bytes)
    const reader = await openHic(file)
    const at = (chromosome: number, from: number, to: number): BinRange => ({ chromosome, from, to })
    for (const normalization of ['NONE', 'KR']) {
      const compare = (x: BinRange, y: BinRange): Promise<number> =>
        comparePeer(bytes, reader, { binBp: 1000, x, y, normalization }, ['1', '2'])
      expect(await compare(at(0, 0, 90), at(0, 0, 90))).toBeGreaterThan(3000)
      expect(await compare(at(0, 10, 30), at(0, 40, 80))).toBeGreaterThan(500)
      expect(await compare(at(0, 0, 90), at(1, 0, 41))).toBeGreaterThan(500)
    }
    await reader.close()
  })

  it.skipIf(!hasRealData)('of version 8 as juicer wrote them are what hic-straw reads', async () => {
    const file = join(realData, 'formats/hic/hic-straw_test_chr22.hic')
    const bytes = await readFile(file)
    const reader = await openHic(file)
    const names = ['1', '2', '3', '4', '5', '6', '7', '8', '9', '10', '11', '12', '13', '14', '15', '16', '17', '18']
    names.push('19', '20', '21', '22')
    expect(await reader.listNormalizations(100_000)).toEqual(expect.arrayContaining(['VC', 'VC_SQRT', 'KR']))
    for (const normalization of ['NONE', 'VC', 'KR']) {
      const at = (from: number, to: number): BinRange => ({ chromosome: 21, from, to })
      const compare = (binBp: number, x: BinRange, y: BinRange): Promise<number> =>
        comparePeer(bytes, reader, { binBp, x, y, normalization }, names)
      expect(await compare(100_000, at(0, 514), at(0, 514))).toBeGreaterThan(5000)
      // Knight and Ruiz' balancing did not converge at 5 kb: its vector holds no number, and no contact is left.
      const finest = await compare(5000, at(3300, 10_261), at(3300, 10_261))
      if (normalization === 'KR') expect(finest).toBe(0)
      else expect(finest).toBeGreaterThan(10_000)
      expect(await compare(25_000, at(700, 1300), at(1200, 2000))).toBeGreaterThan(100)
    }
    const expected = await reader.readExpected(100_000, 21, 'KR')
    expect(expected![1]!).toBeGreaterThan(expected![50]!)
    await reader.close()
    const plain = await openHic(join(realData, 'formats/hic/hic2cool_test_hic_no_norms.hic'))
    expect(await plain.listNormalizations(1_000_000)).toEqual([])
    await plain.close()
  })

  it('that were cut off or damaged within are told so, and take no memory for it', async () => {
    const bytes = renderHic(made(9))
    const whole = { chromosome: 0, from: 0, to: 90 }
    const problemOf = async (damaged: Buffer, read: (reader: ContactReader) => Promise<unknown>): Promise<unknown> => {
      const file = join(folder, 'damaged.hic')
      await writeFile(file, damaged)
      let reader: ContactReader | null = null
      try {
        reader = await openHic(file)
        return await read(reader)
      } catch (error) {
        return error instanceof ContactMapError ? error.code : error
      } finally {
        await reader?.close()
      }
    }
    const window = (reader: ContactReader): Promise<void> => reader.readWindow(1000, whole, whole, () => undefined)
    expect(await problemOf(bytes.subarray(0, bytes.length - 20), window)).toBe('contacts-cut-off')
    expect(await problemOf(bytes.subarray(0, bytes.length >> 1), window)).toBe('contacts-cut-off')
    // The first block lies behind the header: its deflate stream is overwritten.
    const torn = Buffer.from(bytes)
    const { length } = renderHic({ ...made(9), pixels: [], vectors: {}, expected: {} })
    torn.fill(0xff, length - 8, length + 40)
    expect(await problemOf(torn, window)).toMatch(/contacts-/)
    expect(await problemOf(bytes, window)).toBeUndefined()
  })
})
