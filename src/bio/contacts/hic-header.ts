import { type ContactMap, ContactMapError } from './contact-map.ts'

// The .hic format of juicer, versions 6 to 9, little-endian (HiCFormatV8.md and HiCFormatV9.md of aidenlab/hic-format):
// header, then matrices, then a footer whose position the header tells and which begins with the master index.

const oldestVersion = 6
const newestVersion = 9

/** A header that is longer than this is none: genomes of draft contigs with restriction sites have some tens of megabytes. */
export const maxHeaderBytes = 256e6

/** Reads numbers and texts one after the other; throws `MoreBytesNeeded` at the end of what is there. */
export class MoreBytesNeeded extends Error {}

export class BinaryCursor {
  readonly #bytes: Uint8Array
  readonly #view: DataView
  at = 0
  constructor(bytes: Uint8Array) {
    this.#bytes = bytes
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  }
  #take(length: number): number {
    const start = this.at
    if (length < 0 || start + length > this.#bytes.length) throw new MoreBytesNeeded()
    this.at += length
    return start
  }
  get done(): boolean {
    return this.at >= this.#bytes.length
  }
  int8(): number {
    return this.#view.getInt8(this.#take(1))
  }
  int16(): number {
    return this.#view.getInt16(this.#take(2), true)
  }
  float32(): number {
    return this.#view.getFloat32(this.#take(4), true)
  }
  float64(): number {
    return this.#view.getFloat64(this.#take(8), true)
  }
  int32(): number {
    return this.#view.getInt32(this.#take(4), true)
  }
  int64(): number {
    return Number(this.#view.getBigInt64(this.#take(8), true))
  }
  /** Text that ends with a zero byte. */
  text(): string {
    const end = this.#bytes.indexOf(0, this.at)
    if (end < 0) throw new MoreBytesNeeded()
    const start = this.#take(end + 1 - this.at)
    return new TextDecoder().decode(this.#bytes.subarray(start, end))
  }
  skip(bytes: number): void {
    this.#take(bytes)
  }
}

export interface HicHeader {
  map: ContactMap
  /** Number of the map's first chromosome in the file's own list: 1 behind the whole genome, else 0. */
  firstChromosome: number
  /** Where the master index is. */
  footerPosition: number
}

/** Reads how many entries follow; none are fewer than 0. */
export const count = (cursor: BinaryCursor, what: string): number => {
  const number = cursor.int32()
  if (number < 0) throw new ContactMapError('contacts-inconsistent', { part: what, found: number, expected: '≥ 0' })
  return number
}

/**
 * Reads the header at the start of a .hic file. Throws ContactMapError when it is none of a version known here, and
 * MoreBytesNeeded when `bytes` end before the header does.
 *
 * Example: of juicer's chromosome 22 of hg19 it gives version 8, nine resolutions from 5 kb to 2.5 Mb, and 25 chromosomes.
 */
export const parseHicHeader = (bytes: Uint8Array): HicHeader => {
  if (bytes.length < 4) throw new MoreBytesNeeded()
  if (String.fromCharCode(...bytes.subarray(0, 4)) !== 'HIC\0')
    throw new ContactMapError('contacts-no-map', { format: '.hic' })
  const cursor = new BinaryCursor(bytes)
  cursor.skip(4)
  const version = cursor.int32()
  if (version < oldestVersion || version > newestVersion)
    throw new ContactMapError('contacts-version', { version, expected: `${oldestVersion}–${newestVersion}` })
  const footerPosition = cursor.int64()
  const genome = cursor.text()
  // Position and length of the index of normalization vectors; version 8 keeps them as attributes.
  if (version >= 9) cursor.skip(16)
  const attributes = count(cursor, 'attributes')
  for (let number = 0; number < attributes; number += 1) {
    cursor.text()
    cursor.text()
  }
  const chromosomes: ContactMap['chromosomes'] = []
  const chromosomeCount = count(cursor, 'chromosomes')
  let firstChromosome = 0
  for (let number = 0; number < chromosomeCount; number += 1) {
    const name = cursor.text()
    const lengthBp = version >= 9 ? cursor.int64() : cursor.int32()
    // The whole genome at one glance, which juicer counts as the first chromosome (its length in kilobases).
    if (number === 0 && /^all$/i.test(name)) {
      firstChromosome = 1
      continue
    }
    chromosomes.push({ name, lengthBp })
  }
  const binSizes: number[] = []
  const resolutionCount = count(cursor, 'resolutions')
  for (let number = 0; number < resolutionCount; number += 1) binSizes.push(cursor.int32())
  const bad = chromosomes.find(({ lengthBp }) => lengthBp <= 0)
  if (bad !== undefined)
    throw new ContactMapError('contacts-inconsistent', { part: bad.name, found: bad.lengthBp, expected: '> 0' })
  if (chromosomes.length === 0) throw new ContactMapError('contacts-part-missing', { part: 'chromosomes' })
  if (binSizes.length === 0 || binSizes.some((binBp) => binBp <= 0))
    throw new ContactMapError('contacts-part-missing', { part: 'base-pair resolutions' })
  return {
    footerPosition,
    firstChromosome,
    map: {
      format: 'hic',
      formatVersion: version,
      genome: genome === '' ? null : genome,
      chromosomes,
      resolutions: [...binSizes]
        .sort((a, b) => a - b)
        .map((binBp) => ({
          binBp,
          bins: chromosomes.reduce((sum, { lengthBp }) => sum + Math.ceil(lengthBp / binBp), 0),
          pixels: null,
          balanced: null,
        })),
    },
  }
}

export interface HicMatrix {
  /** Numbers of two chromosomes in the header's own list (0 is "All" where it is there), e.g. "3_3". */
  key: string
  position: number
  sizeBytes: number
}

/**
 * Reads the master index at the start of a .hic file's footer: where the matrix of each pair of chromosomes lies. Throws
 * MoreBytesNeeded when `bytes` end before the index does.
 */
export const parseHicMasterIndex = (bytes: Uint8Array, version: number): HicMatrix[] =>
  readMasterIndex(new BinaryCursor(bytes), version)

/** The same with a cursor, which stands behind the index afterwards: there the expected values begin. */
export const readMasterIndex = (cursor: BinaryCursor, version: number): HicMatrix[] => {
  // Length of the footer; counted in 64 bits since version 9.
  cursor.skip(version >= 9 ? 8 : 4)
  const entries = count(cursor, 'master index')
  const matrices: HicMatrix[] = []
  for (let number = 0; number < entries; number += 1) {
    matrices.push({ key: cursor.text(), position: cursor.int64(), sizeBytes: cursor.int32() })
  }
  return matrices
}
