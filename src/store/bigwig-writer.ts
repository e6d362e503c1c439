import { mkdir, open, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { deflateSync } from 'node:zlib'
import { type FileSink, openSink } from './file-sink.ts'

// BigWig, version 4: W. J. Kent et al., "BigWig and BigBed: enabling browsing of large distributed datasets",
// Bioinformatics 26:2204-2207 (2010), supplementary tables 5 to 19. Little-endian throughout.

const bigWigMagic = 0x888ffc26
const nameTreeMagic = 0x78ca8c91
const indexMagic = 0x2468ace0
const headerBytes = 64
const zoomHeaderBytes = 24
const summaryBytes = 40
const maxZoomLevels = 10
/** A level is of use while the one below it has more summaries than a figure has pixels, or nearly. */
const minSummarized = 64
/** Items of one compressed section; the wig tools' default. */
const itemsPerSection = 1024
const childrenPerNode = 256
const bedGraphSection = 1

/** Values of one sequence: ascending, half-open, not overlapping. */
export interface SignalSequence {
  name: string
  lengthBp: number
  starts0: ArrayLike<number>
  ends0: ArrayLike<number>
  values: ArrayLike<number>
}

interface Summary {
  sequence: number
  start0: number
  end0: number
  /** Bases with a value. */
  bases: number
  min: number
  max: number
  sum: number
  sumOfSquares: number
}

interface Block {
  firstSequence: number
  start0: number
  lastSequence: number
  end0: number
  offset: number
  size: number
}

/**
 * Writes a BigWig file of values held in memory; see `BigWigWriter`, whose exceptions it throws. Sequences are numbered in the order of
 * their names.
 */
export async function writeBigWig(file: string, sequences: readonly SignalSequence[]): Promise<void> {
  const sorted = [...sequences].sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0))
  const items = sorted.reduce((sum, { values }) => sum + values.length, 0)
  await mkdir(dirname(file), { recursive: true })
  const writer = await BigWigWriter.create(file, { sequences: sorted, items })
  try {
    for (const [number, { starts0, ends0, values }] of sorted.entries())
      for (let item = 0; item < values.length; item++) {
        writer.add(number, starts0[item]!, ends0[item]!, values[item]!)
        if (writer.isFull) await writer.drain()
      }
    await writer.finish()
  } finally {
    await writer.abort()
  }
}

/** Compressed sections that come one after the other, with where each stands in them. */
class Sections {
  readonly blocks: Block[] = []
  readonly #sink: FileSink
  readonly #pending: Buffer[] = []
  #bytes = 0
  maxUncompressed = 0

  constructor(sink: FileSink) {
    this.#sink = sink
  }

  get bytes(): number {
    return this.#bytes
  }

  get pending(): number {
    return this.#pending.length
  }

  add(sequence: number, start0: number, end0: number, data: Buffer): void {
    const compressed = deflateSync(data)
    this.maxUncompressed = Math.max(this.maxUncompressed, data.length)
    const place = { offset: this.#bytes, size: compressed.length }
    this.blocks.push({ firstSequence: sequence, start0, lastSequence: sequence, end0, ...place })
    this.#bytes += compressed.length
    this.#pending.push(compressed)
  }

  async drain(): Promise<void> {
    for (const piece of this.#pending.splice(0)) await this.#sink.write(piece)
  }
}

/** Summaries of windows of one width, made of the values or of the summaries of narrower windows within them. */
class ZoomLevel {
  readonly reduction: number
  readonly sections: Sections
  readonly sink: FileSink
  count = 0
  readonly #onSummary: (summary: Summary) => void
  #current: Summary | null = null
  #gathered: Summary[] = []

  constructor(reduction: number, sink: FileSink, onSummary: (summary: Summary) => void) {
    this.reduction = reduction
    this.sink = sink
    this.sections = new Sections(sink)
    this.#onSummary = onSummary
  }

  /** Takes what lies within one window. */
  add(part: Summary, sequenceBp: number): void {
    const start0 = Math.floor(part.start0 / this.reduction) * this.reduction
    const current = this.#current
    if (current !== null && current.sequence === part.sequence && current.start0 === start0) {
      current.bases += part.bases
      current.min = Math.min(current.min, part.min)
      current.max = Math.max(current.max, part.max)
      current.sum += part.sum
      current.sumOfSquares += part.sumOfSquares
      return
    }
    this.#close()
    this.#current = { ...part, start0, end0: Math.min(start0 + this.reduction, sequenceBp) }
  }

  #close(): void {
    const current = this.#current
    if (current === null) return
    this.#current = null
    this.count += 1
    if (this.#gathered.length === itemsPerSection || this.#gathered[0]?.sequence !== current.sequence) this.#write()
    this.#gathered.push(current)
    this.#onSummary(current)
  }

  #write(): void {
    const chosen = this.#gathered
    if (chosen.length === 0) return
    this.sections.add(chosen[0]!.sequence, chosen[0]!.start0, chosen.at(-1)!.end0, zoomData(chosen))
    this.#gathered = []
  }

  /** All was given. */
  end(): void {
    this.#close()
    this.#write()
  }
}

/**
 * Writes a BigWig file with zoom levels from its start, in memory that does not grow with the values but for 50 bytes or so for each
 * thousand of them. Values are kept as 32-bit floats, the format's own. `add` throws RangeError, naming the sequence, where intervals
 * overlap, are out of order or beyond the sequence's end, or where values are not finite.
 */
export class BigWigWriter {
  readonly #file: string
  readonly #sequences: readonly { name: string; lengthBp: number }[]
  readonly #sink: FileSink
  readonly #sections: Sections
  readonly #levels: ZoomLevel[] = []
  readonly #dataOffset: number
  #sequence = 0
  #reached = 0
  #items = 0
  #starts0: number[] = []
  #ends0: number[] = []
  #values: number[] = []
  readonly #total = { bases: 0, min: Number.POSITIVE_INFINITY, max: Number.NEGATIVE_INFINITY, sum: 0, sumOfSquares: 0 }
  #isClosed = false

  private constructor(
    file: string,
    sink: FileSink,
    sequences: readonly { name: string; lengthBp: number }[],
    treeBytes: number,
  ) {
    this.#file = file
    this.#sink = sink
    this.#sequences = sequences
    this.#sections = new Sections(sink)
    this.#dataOffset = treeOffset + treeBytes
  }

  /** `items` is how many values will be given, at least nearly: by it the widths of the summaries are chosen. */
  static async create(
    file: string,
    { sequences, items }: { sequences: readonly { name: string; lengthBp: number }[]; items: number },
  ): Promise<BigWigWriter> {
    const tree = nameTree(sequences)
    const writer = new BigWigWriter(file, await openSink(file), sequences, tree.length)
    try {
      // What is not known yet is written at the end: header, summary, number of sections.
      await writer.#sink.write(Buffer.alloc(treeOffset))
      await writer.#sink.write(tree)
      await writer.#sink.write(uint64(0))
      const totalBp = sequences.reduce((sum, { lengthBp }) => sum + lengthBp, 0)
      // A summary stands for about 4, 16, 64 … of the file's own intervals.
      let reduction = Math.max(4, Math.round((4 * totalBp) / Math.max(1, items)))
      for (let level = 0; level < maxZoomLevels && reduction <= 0xffffffff; level++, reduction *= 4) {
        const above = level + 1
        const sink = await openSink(`${file}.zoom${level}`)
        writer.#levels.push(
          new ZoomLevel(reduction, sink, (summary) =>
            writer.#levels[above]?.add(summary, sequences[summary.sequence]!.lengthBp),
          ),
        )
      }
      return writer
    } catch (thrown) {
      await writer.abort()
      throw thrown
    }
  }

  /** Whether `drain` should be awaited before more is added. */
  get isFull(): boolean {
    // One interval over many bases is one value of the data, and many summaries.
    return this.#levels.reduce((sum, { sections }) => sum + sections.pending, this.#sections.pending) >= 64
  }

  /** An interval of a sequence, given by its place among the sequences. */
  add(sequence: number, start0: number, end0: number, value: number): void {
    const { name, lengthBp } = this.#sequences[sequence]!
    if (sequence !== this.#sequence) {
      if (sequence < this.#sequence) throw new RangeError(`${name}: its values are parted by those of another sequence`)
      this.#writeSection()
      this.#sequence = sequence
      this.#reached = 0
    }
    if (start0 < this.#reached || end0 <= start0 || end0 > lengthBp)
      throw new RangeError(`${name}: interval ${start0}-${end0} overlaps, is out of order or beyond ${lengthBp}`)
    if (!Number.isFinite(value)) throw new RangeError(`${name}: value at ${start0} is not a finite number`)
    this.#reached = end0
    this.#items += 1
    const bases = end0 - start0
    const total = this.#total
    total.bases += bases
    total.min = Math.min(total.min, value)
    total.max = Math.max(total.max, value)
    total.sum += value * bases
    total.sumOfSquares += value * value * bases
    this.#starts0.push(start0)
    this.#ends0.push(end0)
    this.#values.push(value)
    if (this.#values.length === itemsPerSection) this.#writeSection()
    const [first] = this.#levels
    if (first === undefined) return
    // An interval may reach over several windows.
    for (let at = start0; at < end0; ) {
      const partEnd0 = Math.min(end0, (Math.floor(at / first.reduction) + 1) * first.reduction)
      const width = partEnd0 - at
      const sum = value * width
      const part = { sequence, start0: at, end0: partEnd0, bases: width, min: value, max: value, sum }
      first.add({ ...part, sumOfSquares: value * sum }, lengthBp)
      at = partEnd0
    }
  }

  #writeSection(): void {
    const count = this.#values.length
    if (count === 0) return
    const data = Buffer.alloc(24 + count * 12)
    const start0 = this.#starts0[0]!
    const end0 = this.#ends0.at(-1)!
    data.writeUInt32LE(this.#sequence, 0)
    data.writeUInt32LE(start0, 4)
    data.writeUInt32LE(end0, 8)
    data.writeUInt8(bedGraphSection, 20)
    data.writeUInt16LE(count, 22)
    for (let item = 0; item < count; item++) {
      const at = 24 + item * 12
      data.writeUInt32LE(this.#starts0[item]!, at)
      data.writeUInt32LE(this.#ends0[item]!, at + 4)
      data.writeFloatLE(this.#values[item]!, at + 8)
    }
    this.#starts0 = []
    this.#ends0 = []
    this.#values = []
    this.#sections.add(this.#sequence, start0, end0, data)
  }

  async drain(): Promise<void> {
    await this.#sections.drain()
    for (const { sections } of this.#levels) await sections.drain()
  }

  /** Writes what is left: indexes, summaries, header. */
  async finish(): Promise<void> {
    this.#writeSection()
    for (const level of this.#levels) level.end()
    await this.drain()
    let offset = this.#dataOffset + 8 + this.#sections.bytes
    const append = async (bytes: Uint8Array): Promise<void> => {
      await this.#sink.write(bytes)
      offset += bytes.length
    }
    const header = Buffer.alloc(treeOffset)
    const indexOffset = offset
    await append(spatialIndex(placed(this.#sections.blocks, this.#dataOffset + 8), offset, itemsPerSection))
    let kept = 0
    let previous = this.#items
    let maxUncompressed = this.#sections.maxUncompressed
    for (const { reduction, count, sections, sink } of this.#levels) {
      await sink.end()
      if (previous <= minSummarized) continue
      if (count < previous) {
        const zoomDataOffset = offset
        await append(uint32(count))
        const blocks = placed(sections.blocks, offset)
        const summaries = await open(sink.file)
        try {
          for await (const piece of summaries.createReadStream({ autoClose: false })) await append(piece as Buffer)
        } finally {
          await summaries.close()
        }
        const at = headerBytes + kept * zoomHeaderBytes
        header.writeUInt32LE(reduction, at)
        header.writeBigUInt64LE(BigInt(zoomDataOffset), at + 8)
        header.writeBigUInt64LE(BigInt(offset), at + 16)
        await append(spatialIndex(blocks, offset, itemsPerSection))
        maxUncompressed = Math.max(maxUncompressed, sections.maxUncompressed)
        kept += 1
      }
      previous = Math.min(previous, count)
    }
    // The format ends with its magic number, by which readers know that the file is whole.
    await append(uint32(bigWigMagic))
    await this.#sink.end()

    header.writeUInt32LE(bigWigMagic, 0)
    header.writeUInt16LE(4, 4)
    header.writeUInt16LE(kept, 6)
    header.writeBigUInt64LE(BigInt(treeOffset), 8)
    header.writeBigUInt64LE(BigInt(this.#dataOffset), 16)
    header.writeBigUInt64LE(BigInt(indexOffset), 24)
    header.writeBigUInt64LE(BigInt(summaryOffset), 44)
    header.writeUInt32LE(maxUncompressed, 52)
    const { bases, min, max, sum, sumOfSquares } = this.#total
    header.writeBigUInt64LE(BigInt(bases), summaryOffset)
    header.writeDoubleLE(bases ? min : 0, summaryOffset + 8)
    header.writeDoubleLE(bases ? max : 0, summaryOffset + 16)
    header.writeDoubleLE(sum, summaryOffset + 24)
    header.writeDoubleLE(sumOfSquares, summaryOffset + 32)
    const whole = await open(this.#file, 'r+')
    try {
      await whole.write(header, 0, header.length, 0)
      await whole.write(uint64(this.#sections.blocks.length), 0, 8, this.#dataOffset)
    } finally {
      await whole.close()
    }
    await this.#removeLevels()
    this.#isClosed = true
  }

  /** Closes and removes what was written, after a failure; does nothing after `finish`. */
  async abort(): Promise<void> {
    if (this.#isClosed) return
    this.#isClosed = true
    await this.#sink.discard()
    await this.#removeLevels()
    await rm(this.#file, { force: true })
  }

  async #removeLevels(): Promise<void> {
    for (const { sink } of this.#levels) {
      await sink.discard()
      await rm(sink.file, { force: true })
    }
  }
}

const summaryOffset = headerBytes + maxZoomLevels * zoomHeaderBytes
const treeOffset = summaryOffset + summaryBytes

const placed = (blocks: readonly Block[], by: number): Block[] =>
  blocks.map((block) => ({ ...block, offset: block.offset + by }))

const uint32 = (value: number): Buffer => {
  const data = Buffer.alloc(4)
  data.writeUInt32LE(value)
  return data
}

const uint64 = (value: number): Buffer => {
  const data = Buffer.alloc(8)
  data.writeBigUInt64LE(BigInt(value))
  return data
}

/** The B+ tree of the names, which are sorted, each with its number and length: levels from the root down, then leaves. */
function nameTree(sequences: readonly { name: string; lengthBp: number }[]): Buffer {
  const named = sequences
    .map(({ name, lengthBp }, number) => ({ key: Buffer.from(name, 'utf8'), number, lengthBp }))
    .sort((a, b) => Buffer.compare(a.key, b.key))
  const keyBytes = Math.max(1, longest(named))
  const slots = Math.max(1, Math.min(namesPerNode, named.length))
  const nodeBytes = 4 + slots * (keyBytes + 8)
  // Of each level the position of the first name below each node.
  const levels: number[][] = [everyNth(named.length, slots)]
  while (levels[0]!.length > 1) levels.unshift(everyNth(levels[0]!.length, slots).map((at) => levels[0]![at]!))
  const data = Buffer.alloc(32 + nodeBytes * levels.reduce((sum, { length }) => sum + length, 0))
  data.writeUInt32LE(nameTreeMagic, 0)
  data.writeUInt32LE(slots, 4)
  data.writeUInt32LE(keyBytes, 8)
  data.writeUInt32LE(8, 12)
  data.writeBigUInt64LE(BigInt(named.length), 16)
  let at = 32
  for (const [depth, nodes] of levels.entries()) {
    const below = levels[depth + 1]
    const belowAt = at + nodes.length * nodeBytes
    for (const [node, first] of nodes.entries()) {
      const children = below?.slice(node * slots, (node + 1) * slots)
      const entries = children ?? named.slice(first, first + slots).map((_, place) => first + place)
      data.writeUInt8(children === undefined ? 1 : 0, at)
      data.writeUInt16LE(entries.length, at + 2)
      for (const [place, entry] of entries.entries()) {
        const to = at + 4 + place * (keyBytes + 8)
        const { key, number, lengthBp } = named[entry]!
        key.copy(data, to)
        if (children === undefined) {
          data.writeUInt32LE(number, to + keyBytes)
          data.writeUInt32LE(lengthBp, to + keyBytes + 4)
        } else data.writeBigUInt64LE(BigInt(treeOffset + belowAt + (node * slots + place) * nodeBytes), to + keyBytes)
      }
      at += nodeBytes
    }
  }
  return data
}

const namesPerNode = 256

const longest = (named: readonly { key: Buffer }[]): number => {
  let bytes = 0
  for (const { key } of named) bytes = Math.max(bytes, key.length)
  return bytes
}

/** 0, n, 2n …, below `count`; of nothing, one node that is empty. */
const everyNth = (count: number, n: number): number[] =>
  Array.from({ length: Math.max(1, Math.ceil(count / n)) }, (_, number) => number * n)

function zoomData(summaries: readonly Summary[]): Buffer {
  const data = Buffer.alloc(summaries.length * 32)
  for (const [i, summary] of summaries.entries()) {
    const at = i * 32
    data.writeUInt32LE(summary.sequence, at)
    data.writeUInt32LE(summary.start0, at + 4)
    data.writeUInt32LE(summary.end0, at + 8)
    data.writeUInt32LE(summary.bases, at + 12)
    data.writeFloatLE(summary.min, at + 16)
    data.writeFloatLE(summary.max, at + 20)
    data.writeFloatLE(summary.sum, at + 24)
    data.writeFloatLE(summary.sumOfSquares, at + 28)
  }
  return data
}

interface IndexNode {
  leaf: boolean
  entries: (Block | IndexNode)[]
  firstSequence: number
  start0: number
  lastSequence: number
  end0: number
}

/** The R-tree over blocks, root first, level by level; `fileOffset` is where it will stand. */
function spatialIndex(blocks: readonly Block[], fileOffset: number, itemsPerSlot: number): Buffer {
  const nodeOver = (entries: (Block | IndexNode)[], leaf: boolean): IndexNode => ({
    leaf,
    entries,
    firstSequence: entries[0]?.firstSequence ?? 0,
    start0: entries[0]?.start0 ?? 0,
    lastSequence: entries.at(-1)?.lastSequence ?? 0,
    end0: entries.at(-1)?.end0 ?? 0,
  })
  const grouped = (entries: (Block | IndexNode)[], leaf: boolean): IndexNode[] => {
    const nodes: IndexNode[] = []
    for (let first = 0; first < entries.length; first += childrenPerNode)
      nodes.push(nodeOver(entries.slice(first, first + childrenPerNode), leaf))
    return nodes.length ? nodes : [nodeOver([], leaf)]
  }
  const levels = [grouped([...blocks], true)]
  while (levels[0]!.length > 1) levels.unshift(grouped(levels[0]!, false))

  const nodeBytes = (node: IndexNode): number => 4 + node.entries.length * (node.leaf ? 32 : 24)
  const offsets = new Map<IndexNode, number>()
  let end = 48
  for (const node of levels.flat()) {
    offsets.set(node, end)
    end += nodeBytes(node)
  }
  const root = levels[0]![0]!
  const data = Buffer.alloc(end)
  data.writeUInt32LE(indexMagic, 0)
  data.writeUInt32LE(childrenPerNode, 4)
  data.writeBigUInt64LE(BigInt(blocks.length), 8)
  data.writeUInt32LE(root.firstSequence, 16)
  data.writeUInt32LE(root.start0, 20)
  data.writeUInt32LE(root.lastSequence, 24)
  data.writeUInt32LE(root.end0, 28)
  data.writeBigUInt64LE(BigInt(fileOffset), 32)
  data.writeUInt32LE(itemsPerSlot, 40)
  for (const [node, nodeOffset] of offsets) {
    data.writeUInt8(node.leaf ? 1 : 0, nodeOffset)
    data.writeUInt16LE(node.entries.length, nodeOffset + 2)
    let at = nodeOffset + 4
    for (const entry of node.entries) {
      data.writeUInt32LE(entry.firstSequence, at)
      data.writeUInt32LE(entry.start0, at + 4)
      data.writeUInt32LE(entry.lastSequence, at + 8)
      data.writeUInt32LE(entry.end0, at + 12)
      if ('offset' in entry) {
        data.writeBigUInt64LE(BigInt(entry.offset), at + 16)
        data.writeBigUInt64LE(BigInt(entry.size), at + 24)
        at += 32
      } else {
        data.writeBigUInt64LE(BigInt(fileOffset + offsets.get(entry)!), at + 16)
        at += 24
      }
    }
  }
  return data
}
