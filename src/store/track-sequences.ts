import { open } from 'node:fs/promises'
import { gunzipSync } from 'node:zlib'
import { DefectLog } from '../bio/text/defects.ts'
import { LineReader } from '../bio/text/text-lines.ts'
import { readDecompressed } from './decompressed.ts'
import { StoreError } from './store-error.ts'

// Names and lengths of the sequences that a binary track is about, as its header has them: enough to tell whether it belongs to
// an assembly.

export interface TrackSequence {
  name: string
  lengthBp: number
}

/** Headers that name more than this are damaged; the largest assemblies have some millions of scaffolds. */
const maxSequences = 20_000_000

/**
 * Sequences of a BigWig or BigBed file, in either byte order. Throws StoreError `corrupt` when the chromosome tree cannot be read.
 *
 * Source: Kent et al., Bioinformatics 26:2204 (2010), supplementary tables 5 and 8 to 11: header and chromosome B+ tree.
 */
export async function listBigWigSequences(file: string): Promise<TrackSequence[]> {
  const handle = await open(file)
  try {
    const damaged = (): StoreError => new StoreError('corrupt', file, 'its list of chromosomes cannot be read')
    const read = async (at: number, length: number): Promise<DataView> => {
      const bytes = new Uint8Array(length)
      const { bytesRead } = await handle.read(bytes, 0, length, at)
      if (bytesRead < length) throw damaged()
      return new DataView(bytes.buffer)
    }
    const header = await read(0, 16)
    const isLittle = [0x888ffc26, 0x8789f2eb].includes(header.getUint32(0, true))
    const treeAt = Number(header.getBigUint64(8, isLittle))
    const tree = await read(treeAt, 32)
    if (tree.getUint32(0, isLittle) !== 0x78ca8c91) throw damaged()
    const keyBytes = tree.getUint32(8, isLittle)
    if (keyBytes === 0 || keyBytes > 65_535) throw damaged()
    const sequences: TrackSequence[] = []
    const walk = async (at: number, depth: number): Promise<void> => {
      const head = await read(at, 4)
      const count = head.getUint16(2, isLittle)
      const isLeaf = head.getUint8(0) === 1
      if (depth > 32 || sequences.length + count > maxSequences) throw damaged()
      const items = await read(at + 4, count * (keyBytes + 8))
      for (let item = 0; item < count; item++) {
        const from = item * (keyBytes + 8)
        if (!isLeaf) await walk(Number(items.getBigUint64(from + keyBytes, isLittle)), depth + 1)
        else {
          // A leaf's value is the number of the chromosome and its length, 4 bytes each.
          sequences.push({
            name: Buffer.from(items.buffer, from, keyBytes).toString('utf8').replace(/\0+$/, ''),
            lengthBp: items.getUint32(from + keyBytes + 4, isLittle),
          })
        }
      }
    }
    await walk(treeAt + 32, 0)
    return sequences
  } finally {
    await handle.close()
  }
}

/** Sequences of a SAM file: the `@SQ` lines of its header (SAM specification, section 1.3). */
export async function listSamSequences(file: string): Promise<TrackSequence[]> {
  const sequences: TrackSequence[] = []
  let isHeader = true
  const onLine = (line: string): void => {
    isHeader &&= line.startsWith('@')
    if (isHeader) sequences.push(...sequencesOfHeader(line))
  }
  // What is no text is told by whoever reads the alignments.
  const reader = new LineReader({ file, log: new DefectLog(0), onLine })
  for await (const piece of readDecompressed(file)) {
    reader.push(piece)
    if (!isHeader) return sequences
  }
  reader.end()
  return sequences
}

const sequencesOfHeader = (text: string): TrackSequence[] =>
  [...text.matchAll(/^@SQ\t[^\n]*/gm)].flatMap(([line]) => {
    const name = /\tSN:([^\t]+)/.exec(line)?.[1]
    return name === undefined ? [] : [{ name, lengthBp: Number(/\tLN:(\d+)/.exec(line)?.[1] ?? Number.NaN) }]
  })

/** Whether the header of a BAM file says that its reads are in the order of the genome. */
export async function isSortedByPosition(file: string): Promise<boolean> {
  for await (const piece of readDecompressed(file)) {
    const header = piece.toString('latin1', 8, Math.min(piece.length, 8 + piece.readUInt32LE(4)))
    return sortedByPosition.test(header)
  }
  return false
}

/** Sequences of a BAM file (SAM specification, section 4.2). Throws StoreError `corrupt` when its header cannot be read. */
export async function listBamSequences(file: string): Promise<TrackSequence[]> {
  const pieces = readDecompressed(file)
  let held: Buffer = Buffer.alloc(0)
  const take = async (length: number): Promise<Buffer> => {
    const parts = [held]
    let heldBytes = held.length
    while (heldBytes < length) {
      const next = await pieces.next()
      if (next.done === true) throw new StoreError('truncated', file, 'it ends within its header')
      parts.push(next.value)
      heldBytes += next.value.length
    }
    if (parts.length > 1) held = Buffer.concat(parts)
    const taken = held.subarray(0, length)
    held = held.subarray(length)
    return taken
  }
  try {
    const head = await take(8)
    if (head.toString('latin1', 0, 4) !== 'BAM\u0001') throw new StoreError('corrupt', file, 'not a BAM file')
    await take(head.readUInt32LE(4))
    const count = (await take(4)).readUInt32LE(0)
    if (count > maxSequences) throw new StoreError('corrupt', file, 'its header cannot be read')
    const sequences: TrackSequence[] = []
    for (let number = 0; number < count; number++) {
      const nameBytes = (await take(4)).readUInt32LE(0)
      if (nameBytes === 0 || nameBytes > 65_535) throw new StoreError('corrupt', file, 'its header cannot be read')
      const name = (await take(nameBytes)).toString('utf8', 0, nameBytes - 1)
      sequences.push({ name, lengthBp: (await take(4)).readUInt32LE(0) })
    }
    return sequences
  } finally {
    await pieces.return(undefined)
  }
}

/**
 * Sequences of a CRAM file of version 3 (CRAMv3, sections 6 to 8): the `@SQ` lines of the SAM header in its first container.
 * Null when the header is packed in a way that is not read here (neither plain nor gzip).
 */
export async function listCramSequences(file: string): Promise<TrackSequence[] | null> {
  const header = await readCramHeader(file)
  return header === null ? null : sequencesOfHeader(header)
}

/** Whether the header of a CRAM file says that its reads are in the order of the genome; null where it is not read here. */
export async function isCramSortedByPosition(file: string): Promise<boolean | null> {
  const header = await readCramHeader(file)
  return header === null ? null : sortedByPosition.test(header)
}

const sortedByPosition = /^@HD\t.*\bSO:coordinate/m

/** The SAM header of a CRAM file. */
async function readCramHeader(file: string): Promise<string | null> {
  const handle = await open(file)
  try {
    const { size } = await handle.stat()
    // The file definition is 26 bytes; the first container begins with its length and holds nothing but the header.
    const start = Buffer.alloc(30)
    await handle.read(start, 0, 30, 0)
    const lengthBytes = start.readInt32LE(26)
    if (start[4] !== 3 || lengthBytes <= 0) return null
    const bytes = Buffer.alloc(Math.min(size - 26, lengthBytes + 1024))
    await handle.read(bytes, 0, bytes.length, 26)
    let at = 4
    // ITF8: the leading ones of the first byte count the bytes that follow (CRAMv3, section 2.3); LTF8 likewise.
    const skipNumber = (): void => {
      let ones = 0
      while (ones < 8 && bytes[at]! & (0x80 >> ones)) ones++
      at += 1 + ones
    }
    const readItf8 = (): number => {
      const first = bytes[at]!
      const from = at
      if (first < 0x80) at += 1
      else if (first < 0xc0) at += 2
      else if (first < 0xe0) at += 3
      else if (first < 0xf0) at += 4
      else at += 5
      const follow = [...bytes.subarray(from + 1, at)]
      if (follow.length === 4)
        return ((first & 15) << 28) | (follow[0]! << 20) | (follow[1]! << 12) | (follow[2]! << 4) | (follow[3]! & 15)
      return follow.reduce((value, byte) => (value << 8) | byte, first & (0xff >> (follow.length + 1)))
    }
    // Reference, start, span, records, record counter, bases, blocks.
    for (const isLong of [false, false, false, false, true, true, false]) isLong ? skipNumber() : readItf8()
    const landmarks = readItf8()
    for (let landmark = 0; landmark < landmarks; landmark++) readItf8()
    at += 4
    const method = bytes[at]!
    at += 2
    readItf8()
    const packedBytes = readItf8()
    readItf8()
    const content = bytes.subarray(at, at + packedBytes)
    const plain = method === 0 ? content : method === 1 ? gunzipSync(content) : null
    if (plain === null || plain.length < 4) return null
    return plain.toString('utf8', 4, 4 + plain.readInt32LE(0))
  } catch (error) {
    if (
      error instanceof RangeError ||
      (error instanceof Error && 'code' in error && String(error.code).startsWith('Z_'))
    )
      throw new StoreError('corrupt', file, 'its header cannot be read', { cause: error })
    throw error
  } finally {
    await handle.close()
  }
}
