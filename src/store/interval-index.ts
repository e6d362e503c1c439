import { blockOffsetOf } from './bgzf.ts'
import { StoreError } from './store-error.ts'

// Bins and chunks of tabix (.tbi, "The Tabix index file format") and CSI (.csi, CSIv1): a record lies in the smallest bin that
// holds it whole; bins are eight times finer from level to level, the finest 2^minShift bases wide. A .tbi is the case
// of 14 and five levels, with the linear index of its own.

/** Columns (from 1) and signs that an index states about its file. `format`: 0 generic, 2 VCF; 0x10000 added when starts count from 0. */
export interface IndexedColumns {
  format: number
  sequence: number
  start: number
  /** 0: the format has none. */
  end: number
  /** Byte that begins lines to be passed over. */
  comment: number
  /** Lines to pass over at the beginning. */
  skip: number
}

const minShift = 14

// "Pseudo-bin" of htslib beside the real ones: where the sequence's records lie, and how many there are (SAMv1, section 5.2).
const countsBinOf = (depth: number): number => firstBinAt(depth + 1) + 1

/** Number of the first bin of a level; level 0 is the one bin over everything. */
function firstBinAt(level: number): number {
  return (8 ** level - 1) / 7
}

/** The largest sequence that an index of that depth can hold. */
function longestIndexable(depth: number): number {
  return 2 ** (minShift + 3 * depth)
}

/** Levels needed for a sequence of that length; never fewer than the five of .tbi. */
export function getIndexDepth(longestSequenceBp: number): number {
  let depth = 5
  while (longestIndexable(depth) < longestSequenceBp) depth++
  return depth
}

/** The smallest bin that holds `[start0, end0)`; an empty interval counts as the base at its start. */
function getBin(start0: number, end0: number, shift: number, depth: number): number {
  const last = Math.max(start0, end0 - 1)
  for (let level = depth; level > 0; level--) {
    const width = 2 ** (shift + 3 * (depth - level))
    const bin = Math.floor(start0 / width)
    if (bin === Math.floor(last / width)) return firstBinAt(level) + bin
  }
  return 0
}

interface SequenceBins {
  name: string
  /** Uncompressed offsets, begin and end by turns, of every bin's chunks. */
  bins: Map<number, number[]>
  /** By window of 2^minShift bases: uncompressed offset of the first record that overlaps it, or -1. */
  windows: number[]
  first: number
  end: number
  records: number
}

/**
 * Gathers the bins of a sorted file while it is written. Offsets are uncompressed ones, because what a block will take
 * compressed is not known then; `render` turns them into virtual offsets.
 */
export class IntervalIndexBuilder {
  readonly depth: number
  readonly #sequences: SequenceBins[] = []

  constructor(depth: number) {
    this.depth = depth
  }

  /** Adds the next record, its bytes being `[begin, end)` of the uncompressed file. Records of one sequence must come together. */
  add(name: string, start0: number, end0: number, begin: number, end: number): void {
    let sequence = this.#sequences.at(-1)
    if (sequence?.name !== name) {
      sequence = { name, bins: new Map(), windows: [], first: begin, end: begin, records: 0 }
      this.#sequences.push(sequence)
    }
    sequence.end = end
    sequence.records++
    const bin = getBin(start0, end0, minShift, this.depth)
    const chunks = sequence.bins.get(bin)
    if (!chunks) sequence.bins.set(bin, [begin, end])
    else if (chunks.at(-1) === begin) chunks[chunks.length - 1] = end
    else chunks.push(begin, end)
    const { windows } = sequence
    const lastWindow = Math.floor(Math.max(start0, end0 - 1) / 2 ** minShift)
    for (let window = Math.floor(start0 / 2 ** minShift); window <= lastWindow; window++) {
      while (windows.length <= window) windows.push(-1)
      if (windows[window] === -1) windows[window] = begin
    }
  }

  /** Names in the order of the file, with their numbers of records. */
  get counts(): { name: string; records: number }[] {
    return this.#sequences.map(({ name, records }) => ({ name, records }))
  }

  /** The uncompressed bytes of the index file. A .tbi can hold `depth` 5 only. */
  render(kind: 'tbi' | 'csi', columns: IndexedColumns, virtualOffset: (uncompressed: number) => number): Buffer {
    if (kind === 'tbi' && this.depth !== 5) throw new RangeError('a sequence beyond 512 Mb has no place in a .tbi')
    const names = Buffer.from(this.#sequences.map(({ name }) => `${name}\0`).join(''))
    const described = new ByteWriter()
    const { format, sequence, start, end, comment, skip } = columns
    for (const value of [format, sequence, start, end, comment, skip, names.length]) described.int32(value)
    described.bytes(names)
    const out = new ByteWriter()
    if (kind === 'tbi') {
      out.bytes(Buffer.from('TBI\x01'))
      out.int32(this.#sequences.length)
      out.bytes(described.taken())
    } else {
      const auxiliary = described.taken()
      out.bytes(Buffer.from('CSI\x01'))
      for (const value of [minShift, this.depth, auxiliary.length]) out.int32(value)
      out.bytes(auxiliary)
      out.int32(this.#sequences.length)
    }
    for (const bins of this.#sequences) this.#renderSequence(out, kind, bins, virtualOffset)
    // Records without coordinates: none, the field is for alignments.
    out.uint64(0)
    return out.taken()
  }

  #renderSequence(
    out: ByteWriter,
    kind: 'tbi' | 'csi',
    { bins, windows, first, end, records }: SequenceBins,
    virtualOffset: (uncompressed: number) => number,
  ): void {
    // A window that no record overlaps takes the offset of the next: what overlaps a query that begins in it comes no earlier.
    const firstOffsets = new Array<number>(windows.length)
    for (let window = windows.length - 1, next = 0; window >= 0; window--) {
      if (windows[window] !== -1) next = virtualOffset(windows[window]!)
      firstOffsets[window] = next
    }
    const countsBin = countsBinOf(this.depth)
    out.int32(bins.size + 1)
    for (const [bin, offsets] of bins) {
      const chunks: number[] = []
      for (let i = 0; i < offsets.length; i += 2) {
        const begin = virtualOffset(offsets[i]!)
        const chunkEnd = virtualOffset(offsets[i + 1]!)
        // Chunks in one block are read together anyway.
        if (chunks.length > 0 && blockOffsetOf(chunks.at(-1)!) === blockOffsetOf(begin))
          chunks[chunks.length - 1] = chunkEnd
        else chunks.push(begin, chunkEnd)
      }
      out.uint32(bin)
      if (kind === 'csi') out.uint64(firstOffsets[firstWindowOf(bin, this.depth)]!)
      out.int32(chunks.length / 2)
      for (const offset of chunks) out.uint64(offset)
    }
    out.uint32(countsBin)
    if (kind === 'csi') out.uint64(0)
    out.int32(2)
    out.uint64(virtualOffset(first))
    out.uint64(virtualOffset(end))
    out.uint64(records)
    out.uint64(0)
    if (kind === 'csi') return
    out.int32(firstOffsets.length)
    for (const offset of firstOffsets) out.uint64(offset)
  }
}

/** Number of the finest window at the start of a bin. */
function firstWindowOf(bin: number, depth: number): number {
  let level = depth
  while (firstBinAt(level) > bin) level--
  return (bin - firstBinAt(level)) * 8 ** (depth - level)
}

/** Bytes of a file that grows, integers little-endian. */
class ByteWriter {
  #buffer = Buffer.allocUnsafe(1 << 16)
  #length = 0

  #reserve(bytes: number): number {
    const at = this.#length
    this.#length += bytes
    if (this.#length > this.#buffer.length) {
      const larger = Buffer.allocUnsafe(Math.max(this.#length, 2 * this.#buffer.length))
      this.#buffer.copy(larger, 0, 0, at)
      this.#buffer = larger
    }
    return at
  }

  int32(value: number): void {
    const at = this.#reserve(4)
    this.#buffer.writeInt32LE(value, at)
  }

  uint32(value: number): void {
    const at = this.#reserve(4)
    this.#buffer.writeUInt32LE(value, at)
  }

  uint64(value: number): void {
    const at = this.#reserve(8)
    this.#buffer.writeUInt32LE(value % 2 ** 32, at)
    this.#buffer.writeUInt32LE(Math.floor(value / 2 ** 32), at + 4)
  }

  bytes(value: Uint8Array): void {
    const at = this.#reserve(value.length)
    this.#buffer.set(value, at)
  }

  taken(): Buffer {
    return this.#buffer.subarray(0, this.#length)
  }
}

/** A segment of the file between two virtual offsets. */
export interface VirtualChunk {
  begin: number
  end: number
}

// Parsed bins of so many sequences are kept; the others are parsed again from the index' bytes when asked for.
const keptSequences = 256

interface ParsedSequence {
  bins: Map<number, { firstOffset: number; chunks: Float64Array }>
  /** .tbi only. */
  windows: Float64Array | null
}

/** An index read into memory: which segments of the file to read for a region. Takes .tbi and .csi of any writer. */
export class IntervalIndex {
  readonly columns: IndexedColumns
  /** In the order of the index. */
  readonly names: readonly string[]
  readonly #raw: Buffer
  readonly #minShift: number
  readonly #depth: number
  readonly #hasWindows: boolean
  readonly #positions: Map<string, number>
  readonly #parsed = new Map<string, ParsedSequence>()

  /** `raw`: the decompressed index. Throws StoreError `bad-index` naming `file`. */
  constructor(raw: Buffer, file: string) {
    const magic = raw.subarray(0, 4).toString('latin1')
    if (magic !== 'TBI\x01' && magic !== 'CSI\x01')
      throw new StoreError('bad-index', file, 'is neither a .tbi nor a .csi index')
    this.#hasWindows = magic === 'TBI\x01'
    try {
      let at = 4
      let sequences = 0
      if (this.#hasWindows) {
        this.#minShift = minShift
        this.#depth = 5
        sequences = raw.readInt32LE(at)
        at += 4
      } else {
        this.#minShift = raw.readInt32LE(at)
        this.#depth = raw.readInt32LE(at + 4)
        // The columns and names stand in the auxiliary data; a .csi of BAM or BCF has none.
        if (raw.readInt32LE(at + 8) < 28) throw new StoreError('bad-index', file, 'is not an index of a text file')
        at += 12
      }
      const field = (number: number): number => raw.readInt32LE(at + 4 * number)
      this.columns = {
        format: field(0),
        sequence: field(1),
        start: field(2),
        end: field(3),
        comment: field(4),
        skip: field(5),
      }
      const namesEnd = at + 28 + field(6)
      this.names = raw
        .subarray(at + 28, namesEnd)
        .toString()
        .split('\0')
        .slice(0, -1)
      at = namesEnd
      if (!this.#hasWindows) {
        sequences = raw.readInt32LE(at)
        at += 4
      }
      this.#raw = raw
      this.#positions = new Map()
      if (sequences > this.names.length) throw new RangeError('fewer names than sequences')
      for (let i = 0; i < sequences; i++) {
        this.#positions.set(this.names[i]!, at)
        at = this.#skipSequence(at)
      }
      if (at > raw.length) throw new RangeError('beyond the end')
    } catch (thrown) {
      if (thrown instanceof RangeError)
        throw new StoreError('bad-index', file, 'is cut off or damaged', { cause: thrown })
      throw thrown
    }
  }

  #skipSequence(position: number): number {
    const raw = this.#raw
    const bins = raw.readInt32LE(position)
    let at = position + 4
    const chunksAt = this.#hasWindows ? 4 : 12
    for (let bin = 0; bin < bins; bin++) at += chunksAt + 4 + 16 * raw.readInt32LE(at + chunksAt)
    return this.#hasWindows ? at + 4 + 8 * raw.readInt32LE(at) : at
  }

  #findSequence(name: string): ParsedSequence | null {
    const kept = this.#parsed.get(name)
    if (kept) return kept
    const position = this.#positions.get(name)
    if (position === undefined) return null
    const parsed = this.#parseSequence(position)
    if (this.#parsed.size >= keptSequences) {
      const [oldest] = this.#parsed.keys()
      this.#parsed.delete(oldest!)
    }
    this.#parsed.set(name, parsed)
    return parsed
  }

  #parseSequence(position: number): ParsedSequence {
    const raw = this.#raw
    const uint64 = (at: number): number => raw.readUInt32LE(at) + raw.readUInt32LE(at + 4) * 2 ** 32
    const bins: ParsedSequence['bins'] = new Map()
    const binCount = raw.readInt32LE(position)
    const countsBin = countsBinOf(this.#depth)
    let at = position + 4
    for (let i = 0; i < binCount; i++) {
      const bin = raw.readUInt32LE(at)
      const firstOffset = this.#hasWindows ? 0 : uint64(at + 4)
      at += this.#hasWindows ? 4 : 12
      const offsets = 2 * raw.readInt32LE(at)
      at += 4
      const chunks = new Float64Array(offsets)
      for (let j = 0; j < offsets; j++, at += 8) chunks[j] = uint64(at)
      if (bin !== countsBin) bins.set(bin, { firstOffset, chunks })
    }
    if (!this.#hasWindows) return { bins, windows: null }
    const windows = new Float64Array(raw.readInt32LE(at))
    for (let window = 0; window < windows.length; window++) windows[window] = uint64(at + 4 + 8 * window)
    return { bins, windows }
  }

  /**
   * The segments that may hold records overlapping `[start0, end0)`, ascending and apart; they hold others too. Empty when
   * the index does not know the sequence.
   */
  findChunks(name: string, start0: number, end0: number): VirtualChunk[] {
    const sequence = this.#findSequence(name)
    const longest = 2 ** (this.#minShift + 3 * this.#depth)
    const last = Math.min(end0, longest) - 1
    if (!sequence || start0 > last) return []
    const earliest = this.#findEarliest(sequence, start0)
    const found: VirtualChunk[] = []
    for (let level = 0; level <= this.#depth; level++) {
      const width = 2 ** (this.#minShift + 3 * (this.#depth - level))
      const from = firstBinAt(level) + Math.floor(start0 / width)
      const to = firstBinAt(level) + Math.floor(last / width)
      // A region may span more bins than have records.
      const numbers = to - from < sequence.bins.size ? countUp(from, to) : sequence.bins.keys()
      for (const bin of numbers) {
        const chunks = bin < from || bin > to ? undefined : sequence.bins.get(bin)?.chunks
        if (!chunks) continue
        for (let i = 0; i < chunks.length; i += 2)
          if (chunks[i + 1]! > earliest) found.push({ begin: Math.max(chunks[i]!, earliest), end: chunks[i + 1]! })
      }
    }
    found.sort((a, b) => a.begin - b.begin)
    const apart: VirtualChunk[] = []
    for (const chunk of found) {
      const before = apart.at(-1)
      if (before && blockOffsetOf(chunk.begin) <= blockOffsetOf(before.end))
        before.end = Math.max(before.end, chunk.end)
      else apart.push(chunk)
    }
    return apart
  }

  /** No record that overlaps `start0` or what follows lies before this virtual offset. */
  #findEarliest({ bins, windows }: ParsedSequence, start0: number): number {
    if (windows) {
      const window = Math.floor(start0 / 2 ** this.#minShift)
      return windows[Math.min(window, windows.length - 1)] ?? 0
    }
    // The finest bin over the start that the index holds; one above it starts no later, so its offset is no later either.
    for (let level = this.#depth; level >= 0; level--) {
      const width = 2 ** (this.#minShift + 3 * (this.#depth - level))
      const bin = bins.get(firstBinAt(level) + Math.floor(start0 / width))
      if (bin) return bin.firstOffset
    }
    return 0
  }
}

function* countUp(from: number, to: number): Generator<number> {
  for (let number = from; number <= to; number++) yield number
}
