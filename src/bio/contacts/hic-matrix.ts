import { ContactMapError } from './contact-map.ts'
import { BinaryCursor, count, type HicMatrix, readMasterIndex } from './hic-header.ts'

// What lies behind the header of a .hic file of juicer: HiCFormatV8.md and HiCFormatV9.md of aidenlab/hic-format. Version 9 counts
// more in 64 bits, keeps values in 32 and turns the blocks of a chromosome with itself by 45 degrees.

export interface HicExpected {
  /** "NONE" for plain counts. */
  normalization: string
  unit: string
  binBp: number
  /** Mean contact by distance in bins, over all chromosomes. */
  values: Float64Array
  /** By chromosome's number in the file: what the values are divided by. */
  factors: Map<number, number>
}

export interface HicVectorOffset {
  normalization: string
  chromosome: number
  unit: string
  binBp: number
  position: number
  sizeBytes: number
}

export interface HicFooter {
  matrices: HicMatrix[]
  expected: HicExpected[]
  vectors: HicVectorOffset[]
}

const readValues = (cursor: BinaryCursor, version: number): Float64Array => {
  const length = version >= 9 ? cursor.int64() : count(cursor, 'expected values')
  if (length < 0 || length > 1e9)
    throw new ContactMapError('contacts-inconsistent', { part: 'expected values', found: length, expected: '≥ 0' })
  const values: number[] = []
  // Grown as it is read: a damaged length must not ask for memory that the file cannot fill.
  for (let at = 0; at < length; at += 1) values.push(version >= 9 ? cursor.float32() : cursor.float64())
  return Float64Array.from(values)
}

const readExpected = (cursor: BinaryCursor, version: number, named: boolean): HicExpected => {
  const normalization = named ? cursor.text() : 'NONE'
  const unit = cursor.text()
  const binBp = cursor.int32()
  const values = readValues(cursor, version)
  const factors = new Map<number, number>()
  for (let left = count(cursor, 'scale factors'); left > 0; left -= 1)
    factors.set(cursor.int32(), version >= 9 ? cursor.float32() : cursor.float64())
  return { normalization, unit, binBp, values, factors }
}

/**
 * Reads the footer: where matrices and normalization vectors lie, and expected values. A file whose maker normalised nothing ends
 * behind the plain expected values. Throws MoreBytesNeeded when `bytes` end within.
 */
export const parseHicFooter = (bytes: Uint8Array, version: number): HicFooter => {
  const cursor = new BinaryCursor(bytes)
  const matrices = readMasterIndex(cursor, version)
  const expected: HicExpected[] = []
  for (let left = count(cursor, 'expected values'); left > 0; left -= 1)
    expected.push(readExpected(cursor, version, false))
  const vectors: HicVectorOffset[] = []
  if (cursor.done) return { matrices, expected, vectors }
  for (let left = count(cursor, 'normalised expected values'); left > 0; left -= 1)
    expected.push(readExpected(cursor, version, true))
  for (let left = count(cursor, 'normalization vectors'); left > 0; left -= 1)
    vectors.push({
      normalization: cursor.text(),
      chromosome: cursor.int32(),
      unit: cursor.text(),
      binBp: cursor.int32(),
      position: cursor.int64(),
      sizeBytes: version >= 9 ? cursor.int64() : cursor.int32(),
    })
  return { matrices, expected, vectors }
}

/** Values of a normalization vector, one a bin, by which contacts are divided. */
export const parseHicVector = (bytes: Uint8Array, version: number): Float64Array =>
  readValues(new BinaryCursor(bytes), version)

export interface HicZoom {
  unit: string
  binBp: number
  /** Bins on a side of a block, and blocks on a row of the grid. */
  blockBins: number
  blockColumns: number
  blocks: Map<number, { position: number; sizeBytes: number }>
}

/** Reads the resolutions of the matrix of two chromosomes with the index of their blocks. Throws MoreBytesNeeded as above. */
export const parseHicMatrix = (bytes: Uint8Array): HicZoom[] => {
  const cursor = new BinaryCursor(bytes)
  // The chromosomes' numbers, which the master index has told.
  cursor.skip(8)
  const zooms: HicZoom[] = []
  for (let left = count(cursor, 'resolutions'); left > 0; left -= 1) {
    const unit = cursor.text()
    // Number of the resolution, then sum, cells, deviation and 95th percentile, which juicer leaves empty.
    cursor.skip(20)
    const binBp = cursor.int32()
    const blockBins = cursor.int32()
    const blockColumns = cursor.int32()
    const blocks: HicZoom['blocks'] = new Map()
    for (let more = count(cursor, 'blocks'); more > 0; more -= 1) {
      const number = cursor.int32()
      blocks.set(number, { position: cursor.int64(), sizeBytes: cursor.int32() })
    }
    if (blockBins <= 0 || blockColumns <= 0)
      throw new ContactMapError('contacts-inconsistent', { part: 'blocks', found: blockBins, expected: '> 0' })
    zooms.push({ unit, binBp, blockBins, blockColumns, blocks })
  }
  return zooms
}

/**
 * Numbers of the blocks that may hold contacts of bins x0 to before x1 of the first and y0 to before y1 of the second chromosome.
 * Within a chromosome either bin of a contact may be the first. Version 9 counts blocks of a chromosome with itself along the diagonal
 * and by the logarithm of the distance from it.
 */
export const listHicBlocks = (
  zoom: Pick<HicZoom, 'blockBins' | 'blockColumns' | 'blocks'>,
  { x0, x1, y0, y1 }: { x0: number; x1: number; y0: number; y1: number },
  { within, version }: { within: boolean; version: number },
): number[] => {
  const { blockBins, blockColumns, blocks } = zoom
  const numbers = new Set<number>()
  if (version >= 9 && within) {
    const depthOf = (apart: number): number => Math.floor(Math.log2(1 + apart / Math.SQRT2 / blockBins))
    const nearest = Math.max(0, x0 - (y1 - 1), y0 - (x1 - 1))
    const farthest = Math.max(x1 - 1 - y0, y1 - 1 - x0)
    const firstAlong = Math.floor((x0 + y0) / 2 / blockBins)
    const lastAlong = Math.floor((x1 - 1 + y1 - 1) / 2 / blockBins)
    for (let depth = depthOf(nearest); depth <= depthOf(farthest); depth += 1)
      for (let along = firstAlong; along <= lastAlong; along += 1) numbers.add(depth * blockColumns + along)
  } else {
    for (let row = Math.floor(y0 / blockBins); row <= Math.floor((y1 - 1) / blockBins); row += 1)
      for (let column = Math.floor(x0 / blockBins); column <= Math.floor((x1 - 1) / blockBins); column += 1)
        numbers.add(within && row < column ? column * blockColumns + row : row * blockColumns + column)
  }
  return [...numbers].filter((number) => blocks.has(number)).sort((a, b) => a - b)
}

/** Bin of a dense block without a contact, where counts are whole numbers. */
const noCount = -32_768

/** Reads the contacts of a block (inflated): calls `visit` with the bins of both chromosomes. */
export const readHicBlock = (
  bytes: Uint8Array,
  version: number,
  visit: (x: number, y: number, count: number) => void,
): void => {
  const cursor = new BinaryCursor(bytes)
  const records = cursor.int32()
  if (version < 7) {
    for (let left = records; left > 0; left -= 1) visit(cursor.int32(), cursor.int32(), cursor.float32())
    return
  }
  const firstX = cursor.int32()
  const firstY = cursor.int32()
  // Version 8 writes 0 for short numbers, version 9 1 for long ones: alike.
  const long = cursor.int8() === 1
  const longX = version >= 9 && cursor.int8() === 1
  const longY = version >= 9 && cursor.int8() === 1
  const layout = cursor.int8()
  const value = long ? () => cursor.float32() : () => cursor.int16()
  const stepX = longX ? () => cursor.int32() : () => cursor.int16()
  const stepY = longY ? () => cursor.int32() : () => cursor.int16()
  if (layout === 1) {
    for (let rows = stepY(); rows > 0; rows -= 1) {
      const y = firstY + stepY()
      for (let columns = stepX(); columns > 0; columns -= 1) visit(firstX + stepX(), y, value())
    }
  } else if (layout === 2) {
    const cells = cursor.int32()
    const width = cursor.int16()
    for (let at = 0; at < cells; at += 1) {
      const found = value()
      if (long ? !Number.isNaN(found) : found !== noCount)
        visit(firstX + (at % width), firstY + Math.floor(at / width), found)
    }
  } else throw new ContactMapError('contacts-inconsistent', { part: 'block', found: layout, expected: '1–2' })
}
