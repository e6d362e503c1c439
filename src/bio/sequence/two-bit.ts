// The 2bit format of UCSC: four bases a byte, with lists of the stretches that are N and of those that are masked.
// Source: genome.ucsc.edu/FAQ/FAQformat.html, ".2bit format"; version 1 differs by offsets of 64 bits.

const signature = 0x1a412743

export const twoBitHeadBytes = 16

export interface TwoBitHead {
  isLittleEndian: boolean
  /** Offsets of sequences have 8 bytes (version 1) and not 4. */
  hasLongOffsets: boolean
  sequenceCount: number
}

/** What the first 16 bytes say; null where they are those of no 2bit file, or of a version that is not known. */
export const readTwoBitHead = (bytes: Uint8Array): TwoBitHead | null => {
  if (bytes.length < twoBitHeadBytes) return null
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const isLittleEndian = view.getUint32(0, true) === signature
  if (!isLittleEndian && view.getUint32(0) !== signature) return null
  const version = view.getUint32(4, isLittleEndian)
  if (version > 1) return null
  return { isLittleEndian, hasLongOffsets: version === 1, sequenceCount: view.getUint32(8, isLittleEndian) }
}

// The four bases of each byte, the first in its highest bits: T 0, C 1, A 2, G 3.
const basesOfByte = new Uint32Array(256)
const lettersOfByte = new Uint8Array(basesOfByte.buffer)
for (let byte = 0; byte < 256; byte++)
  for (let place = 0; place < 4; place++)
    lettersOfByte[byte * 4 + place] = 'TCAG'.charCodeAt((byte >> (6 - 2 * place)) & 3)

/** Letters of packed bases, upper-case, without those that are N: four for each byte. */
export const unpackTwoBit = (packed: Uint8Array): Uint8Array => {
  const letters = new Uint32Array(packed.length)
  for (let at = 0; at < packed.length; at++) letters[at] = basesOfByte[packed[at]!]!
  return new Uint8Array(letters.buffer)
}

/** Stretches of a sequence in order: where each begins, counted from 0, and how long it is. */
export interface TwoBitBlocks {
  starts0: Uint32Array
  sizes: Uint32Array
}

const letterN = 'N'.charCodeAt(0)
const lowerCase = 0x20

/**
 * Tells stretches that are N and stretches that are masked in letters of one sequence, which are given piece by piece from its start.
 *
 * Example: of `ACGT` with the stretch `{ starts0: [1], sizes: [2] }` as N and as masked comes `AnnT`.
 */
export class TwoBitMarker {
  readonly #blocks: readonly [unknown: TwoBitBlocks, masked: TwoBitBlocks]
  /** Of each list the first stretch that reaches into what has not been given yet. */
  readonly #next: [number, number] = [0, 0]
  #at = 0

  constructor(unknown: TwoBitBlocks, masked: TwoBitBlocks) {
    this.#blocks = [unknown, masked]
  }

  /** Changes the letters in place. */
  mark(letters: Uint8Array): void {
    const end0 = this.#at + letters.length
    for (const list of [0, 1] as const) {
      const { starts0, sizes } = this.#blocks[list]
      let block = this.#next[list]
      for (; block < starts0.length && starts0[block]! < end0; block++) {
        const blockEnd0 = starts0[block]! + sizes[block]!
        const from = Math.max(0, starts0[block]! - this.#at)
        const to = Math.min(letters.length, blockEnd0 - this.#at)
        if (list === 0) letters.fill(letterN, from, Math.max(from, to))
        else for (let at = from; at < to; at++) letters[at] = letters[at]! | lowerCase
        if (blockEnd0 > end0) break
      }
      this.#next[list] = block
    }
    this.#at = end0
  }
}
