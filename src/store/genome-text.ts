import { open } from 'node:fs/promises'
import {
  readTwoBitHead,
  type TwoBitBlocks,
  TwoBitMarker,
  twoBitHeadBytes,
  unpackTwoBit,
} from '../bio/sequence/two-bit.ts'
import { type ByteSource, openByteSource } from './byte-range.ts'
import { readDecompressed } from './decompressed.ts'
import { asStoreError, StoreError } from './store-error.ts'

const windowBytes = 1 << 16
const lineBases = 1 << 14
const newline = Buffer.from('\n')

/**
 * A file of genome sequences from its start, as FASTA: FASTA itself, plain or compressed, and 2bit, told by its first bytes. Of 2bit,
 * the lines are longer than a person would write them. `onRead` is told how many bytes of the file have been read. Memory grows with the
 * stretches of one sequence that are N or masked, 8 bytes each, and not with its length.
 */
export async function* readGenomeText(file: string, onRead?: (bytesRead: number) => void): AsyncGenerator<Buffer> {
  if (!(await isTwoBit(file))) {
    yield* readDecompressed(file, onRead)
    return
  }
  const source = await openByteSource(file)
  try {
    yield* readTwoBit(source, onRead)
  } finally {
    await source.close()
  }
}

const isTwoBit = async (file: string): Promise<boolean> => {
  try {
    const handle = await open(file, 'r')
    try {
      const { buffer, bytesRead } = await handle.read(Buffer.alloc(twoBitHeadBytes), 0, twoBitHeadBytes, 0)
      return readTwoBitHead(buffer.subarray(0, bytesRead)) !== null
    } finally {
      await handle.close()
    }
  } catch (thrown) {
    throw asStoreError(thrown, file)
  }
}

/** Reads of a few bytes each, one beside the other, out of larger ones. */
const openWindow = (source: ByteSource): ((start0: number, length: number) => Promise<Buffer>) => {
  let held: Buffer = Buffer.alloc(0)
  let heldAt = 0
  return async (start0, length) => {
    if (start0 < heldAt || start0 + length > heldAt + held.length) {
      held = await source.read(start0, start0 + Math.max(length, windowBytes))
      heldAt = start0
      if (held.length < length) throw new StoreError('truncated', source.name, 'it ends within its sequences')
    }
    return held.subarray(start0 - heldAt, start0 - heldAt + length)
  }
}

async function* readTwoBit(source: ByteSource, onRead?: (bytesRead: number) => void): AsyncGenerator<Buffer> {
  const readIndex = openWindow(source)
  const read = openWindow(source)
  const { isLittleEndian, hasLongOffsets, sequenceCount } = readTwoBitHead(await readIndex(0, twoBitHeadBytes))!
  const readUint32 = (bytes: Buffer, at: number): number =>
    isLittleEndian ? bytes.readUInt32LE(at) : bytes.readUInt32BE(at)
  const readOffset = (bytes: Buffer): number =>
    !hasLongOffsets ? readUint32(bytes, 0) : Number(isLittleEndian ? bytes.readBigUInt64LE() : bytes.readBigUInt64BE())
  const readNumbers = async (at: number, count: number): Promise<Uint32Array> => {
    // More than the file can hold would be asked of the memory before the end of the file is met.
    if (at + 4 * count > source.bytes) throw new StoreError('truncated', source.name, 'it ends within its sequences')
    const bytes = await read(at, 4 * count)
    return Uint32Array.from({ length: count }, (_, number) => readUint32(bytes, 4 * number))
  }
  const readBlocks = async (at: number): Promise<{ blocks: TwoBitBlocks; end: number }> => {
    const count = readUint32(await read(at, 4), 0)
    const starts0 = await readNumbers(at + 4, count)
    return { blocks: { starts0, sizes: await readNumbers(at + 4 + 4 * count, count) }, end: at + 4 + 8 * count }
  }

  const offsetBytes = hasLongOffsets ? 8 : 4
  let at = twoBitHeadBytes
  for (let sequence = 0; sequence < sequenceCount; sequence++) {
    const nameBytes = (await readIndex(at, 1))[0]!
    const name = (await readIndex(at + 1, nameBytes)).toString('utf8')
    const offset = readOffset(await readIndex(at + 1 + nameBytes, offsetBytes))
    at += 1 + nameBytes + offsetBytes
    const lengthBp = readUint32(await read(offset, 4), 0)
    const unknown = await readBlocks(offset + 4)
    const masked = await readBlocks(unknown.end)
    // Behind the stretches stand four bytes without a meaning.
    const packedAt = masked.end + 4
    const marker = new TwoBitMarker(unknown.blocks, masked.blocks)
    yield Buffer.from(`>${name}\n`)
    for (let done = 0; done * 4 < lengthBp; done += windowBytes) {
      const wanted = Math.min(windowBytes, Math.ceil(lengthBp / 4) - done)
      const letters = unpackTwoBit(await read(packedAt + done, wanted)).subarray(0, lengthBp - done * 4)
      marker.mark(letters)
      const lines: Uint8Array[] = []
      for (let from = 0; from < letters.length; from += lineBases)
        lines.push(letters.subarray(from, from + lineBases), newline)
      onRead?.(packedAt + done + wanted)
      yield Buffer.concat(lines)
    }
  }
  onRead?.(source.bytes)
}
