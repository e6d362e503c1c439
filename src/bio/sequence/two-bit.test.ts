import { describe, expect, it } from 'vitest'
import { readTwoBitHead, TwoBitMarker, unpackTwoBit } from './two-bit.ts'

const blocks = (...stretches: [number, number][]) => ({
  starts0: Uint32Array.from(stretches.map(([start0]) => start0)),
  sizes: Uint32Array.from(stretches.map(([, size]) => size)),
})
const bytes = (text: string): Uint8Array => new Uint8Array(Buffer.from(text))
const text = (letters: Uint8Array): string => Buffer.from(letters).toString()

describe('2bit', () => {
  it('has the first of four bases in the highest bits', () => {
    // T 00, C 01, A 10, G 11.
    expect(text(unpackTwoBit(Uint8Array.of(0b00_01_10_11, 0b11_11_00_00)))).toBe('TCAGGGTT')
  })

  it('tells stretches of N and of the mask that reach over pieces, touch, and lie in one another', () => {
    const marker = new TwoBitMarker(blocks([1, 2], [3, 3], [9, 1]), blocks([2, 6], [11, 1]))
    const pieces = ['ACGT', 'ACGT', 'ACGT'].map(bytes)
    for (const piece of pieces) marker.mark(piece)
    expect(pieces.map(text).join('')).toBe('ANnnnngtANGt')
  })

  it('is known by its first bytes in either byte order, in versions 0 and 1', () => {
    const head = (isLittle: boolean, version: number): Uint8Array => {
      const view = new DataView(new ArrayBuffer(16))
      for (const [at, value] of [0x1a412743, version, 7].entries()) view.setUint32(at * 4, value, isLittle)
      return new Uint8Array(view.buffer)
    }
    expect(readTwoBitHead(head(true, 0))).toEqual({ isLittleEndian: true, hasLongOffsets: false, sequenceCount: 7 })
    expect(readTwoBitHead(head(false, 1))).toEqual({ isLittleEndian: false, hasLongOffsets: true, sequenceCount: 7 })
    expect(readTwoBitHead(head(true, 2))).toBeNull()
    expect(readTwoBitHead(bytes('>chrI\nACGTACGTACGT'))).toBeNull()
  })
})
