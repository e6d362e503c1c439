import { open } from 'node:fs/promises'
import { promisify } from 'node:util'
import { inflate } from 'node:zlib'
import { ContactMapError } from '../../bio/contacts/contact-map.ts'
import { MoreBytesNeeded, parseHicHeader } from '../../bio/contacts/hic-header.ts'
import {
  type HicFooter,
  type HicZoom,
  listHicBlocks,
  parseHicFooter,
  parseHicMatrix,
  parseHicVector,
  readHicBlock,
} from '../../bio/contacts/hic-matrix.ts'
import { type BinRange, type ContactReader, WindowTooLarge } from './contact-reader.ts'
import { parseFrom } from './hic-file.ts'

const unpack = promisify(inflate)

/** A packed contact takes a byte and a half or more; from this the contacts of blocks are guessed before they are read. */
const bytesPerPixel = 1.5
const defaultMaxPixels = 60e6
/** A block is some thousand contacts; one that unpacks to more than this is damaged. */
const maxBlockBytes = 1 << 28
/** Blocks that are read and unpacked at one time. */
const blocksAtOnce = 8

/** Opens a .hic file of version 6 to 9. Rejects with ContactMapError when what is asked of it is cut off or damaged. */
export const openHic = async (file: string): Promise<ContactReader> => {
  const handle = await open(file)
  try {
    const { size } = await handle.stat()
    const cutOff = (): ContactMapError => new ContactMapError('contacts-cut-off', { bytes: size })
    const { map, footerPosition, firstChromosome } = await parseFrom(handle, 0, size, parseHicHeader)
    const version = map.formatVersion
    if (footerPosition <= 0 || footerPosition >= size) throw cutOff()
    let footer: Promise<HicFooter> | null = null
    const getFooter = (): Promise<HicFooter> => {
      footer ??= parseFrom(handle, footerPosition, size, (bytes) => parseHicFooter(bytes, version))
      return footer
    }

    const readPart = async (position: number, length: number): Promise<Buffer> => {
      if (position <= 0 || length < 0 || position + length > size) throw cutOff()
      const bytes = Buffer.alloc(length)
      const { bytesRead } = await handle.read(bytes, 0, length, position)
      if (bytesRead < length) throw cutOff()
      return bytes
    }
    const parsed = <Part>(parse: () => Part): Part => {
      try {
        return parse()
      } catch (error) {
        if (error instanceof MoreBytesNeeded) throw cutOff()
        throw error
      }
    }

    const zooms = new Map<string, Promise<HicZoom[]>>()
    /** The matrix of two chromosomes, the one with the lower number first; null when they have no contact at all. */
    const zoomOf = async (a: number, b: number, binBp: number): Promise<HicZoom | null> => {
      const key = `${a + firstChromosome}_${b + firstChromosome}`
      let reading = zooms.get(key)
      if (reading === undefined) {
        reading = getFooter().then(async ({ matrices }) => {
          const place = matrices.find((matrix) => matrix.key === key)
          if (place === undefined) return []
          const bytes = await readPart(place.position, place.sizeBytes)
          return parsed(() => parseHicMatrix(bytes))
        })
        zooms.set(key, reading)
      }
      return (await reading).find((zoom) => zoom.unit === 'BP' && zoom.binBp === binBp) ?? null
    }

    const binsOf = (chromosome: number, binBp: number): number =>
      Math.ceil(map.chromosomes[chromosome]!.lengthBp / binBp)
    const clip = ({ chromosome, from, to }: BinRange, binBp: number): BinRange => ({
      chromosome,
      from: Math.max(0, from),
      to: Math.min(binsOf(chromosome, binBp), to),
    })

    const visitBlocks = async (
      zoom: HicZoom,
      numbers: number[],
      visit: (x: number, y: number, count: number) => void,
      { maxPixels = defaultMaxPixels, signal }: { maxPixels?: number; signal?: AbortSignal } = {},
    ): Promise<void> => {
      const bytes = numbers.reduce((sum, number) => sum + zoom.blocks.get(number)!.sizeBytes, 0)
      if (bytes / bytesPerPixel > maxPixels) throw new WindowTooLarge(Math.round(bytes / bytesPerPixel))
      for (let at = 0; at < numbers.length; at += blocksAtOnce) {
        signal?.throwIfAborted()
        const blocks = await Promise.all(
          numbers.slice(at, at + blocksAtOnce).map(async (number) => {
            const { position, sizeBytes } = zoom.blocks.get(number)!
            const packed = await readPart(position, sizeBytes)
            return unpack(packed, { maxOutputLength: maxBlockBytes }).catch(() => {
              throw new ContactMapError('contacts-inconsistent', {
                part: `block ${number}`,
                found: sizeBytes,
                expected: 'deflate',
              })
            })
          }),
        )
        for (const block of blocks) parsed(() => readHicBlock(block, version, visit))
      }
    }

    const reader: ContactReader = {
      listNormalizations: async (binBp) => {
        const { vectors } = await getFooter()
        const names = vectors.flatMap((vector) =>
          vector.unit === 'BP' && vector.binBp === binBp ? [vector.normalization] : [],
        )
        return [...new Set(names)]
      },
      readWindow: async (binBp, x, y, visit, options) => {
        const [inX, inY] = [clip(x, binBp), clip(y, binBp)]
        if (inX.to <= inX.from || inY.to <= inY.from) return
        // Stored is the matrix of the lower and the higher number, and within a chromosome the half with x <= y.
        const turned = inX.chromosome > inY.chromosome
        const [a, b] = turned ? [inY, inX] : [inX, inY]
        const within = a.chromosome === b.chromosome
        const zoom = await zoomOf(a.chromosome, b.chromosome, binBp)
        if (zoom === null) return
        const numbers = listHicBlocks(zoom, { x0: a.from, x1: a.to, y0: b.from, y1: b.to }, { within, version })
        const inside = (one: number, two: number): boolean => one >= a.from && one < a.to && two >= b.from && two < b.to
        await visitBlocks(
          zoom,
          numbers,
          (one, two, count) => {
            if (inside(one, two)) visit(turned ? two : one, turned ? one : two, count)
            if (within && one !== two && inside(two, one)) visit(two, one, count)
          },
          options,
        )
      },
      readPartners: async (binBp, x, chromosomes, visit, options) => {
        for (const chromosome of chromosomes) {
          if (chromosome === x.chromosome) continue
          const whole = { chromosome, from: 0, to: binsOf(chromosome, binBp) }
          await reader.readWindow(binBp, x, whole, (own, other, count) => visit(chromosome, own, other, count), options)
        }
      },
      readBand: async (binBp, range, farthest, visit, options) => {
        const { chromosome, from, to } = clip(range, binBp)
        const zoom = await zoomOf(chromosome, chromosome, binBp)
        if (zoom === null || to <= from) return
        // Squares along the diagonal that hold every pair that is near enough.
        const step = Math.max(farthest + 1, zoom.blockBins)
        const numbers = new Set<number>()
        for (let start = from; start < to; start += step) {
          const x = { x0: start, x1: Math.min(to, start + step) }
          const y = { y0: start, y1: Math.min(to, start + step + farthest) }
          for (const number of listHicBlocks(zoom, { ...x, ...y }, { within: true, version })) numbers.add(number)
        }
        await visitBlocks(
          zoom,
          [...numbers].sort((a, b) => a - b),
          (one, two, count) => {
            const [low, high] = one <= two ? [one, two] : [two, one]
            if (low >= from && high < to && high - low <= farthest) visit(low, high, count)
          },
          options,
        )
      },
      readWeights: async (binBp, range, normalization) => {
        const { vectors } = await getFooter()
        const { chromosome, from, to } = clip(range, binBp)
        const place = vectors.find(
          (vector) =>
            vector.normalization === normalization &&
            vector.unit === 'BP' &&
            vector.binBp === binBp &&
            vector.chromosome === chromosome + firstChromosome,
        )
        if (place === undefined) return null
        const bytes = await readPart(place.position, place.sizeBytes)
        const values = parsed(() => parseHicVector(bytes, version))
        return Float64Array.from({ length: Math.max(0, to - from) }, (_, at) => {
          const factor = 1 / (values[from + at] ?? Number.NaN)
          return Number.isFinite(factor) && factor > 0 ? factor : Number.NaN
        })
      },
      readExpected: async (binBp, chromosome, normalization) => {
        const { expected } = await getFooter()
        const found = expected.find(
          (one) =>
            one.unit === 'BP' &&
            one.binBp === binBp &&
            one.normalization === (normalization === 'none' ? 'NONE' : normalization),
        )
        if (found === undefined || found.values.length === 0) return null
        const factor = found.factors.get(chromosome + firstChromosome) ?? 1
        const { values } = found
        // Beyond the last distance that is told, its value stands (juicer's ExpectedValueFunction).
        return Float64Array.from(
          { length: binsOf(chromosome, binBp) },
          (_, apart) => values[Math.min(apart, values.length - 1)]! / factor,
        )
      },
      close: () => handle.close(),
    }
    return reader
  } catch (error) {
    await handle.close()
    throw error
  }
}
