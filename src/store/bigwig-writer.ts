import { mkdir, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { deflateSync } from 'node:zlib'

// BigWig, version 4: W. J. Kent et al., "BigWig and BigBed: enabling browsing of large distributed datasets",
// Bioinformatics 26:2204-2207 (2010), supplementary tables 5 to 19. Little-endian throughout.

const bigWigMagic = 0x888ffc26
const nameTreeMagic = 0x78ca8c91
const indexMagic = 0x2468ace0
const headerBytes = 64
const zoomHeaderBytes = 24
const summaryBytes = 40
const maxZoomLevels = 10
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
 * Writes a BigWig file with zoom levels. Values are kept as 32-bit floats, the format's own. Throws RangeError, naming the
 * sequence, where intervals overlap, are out of order or beyond the sequence's end, or where values are not finite.
 */
export async function writeBigWig(file: string, sequences: readonly SignalSequence[]): Promise<void> {
  for (const sequence of sequences) checkIntervals(sequence)
  // Sequence numbers follow the order of names, as the name tree needs them sorted.
  const sorted = [...sequences].sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0))

  const parts: Buffer[] = []
  let offset = 0
  const append = (part: Buffer): void => {
    parts.push(part)
    offset += part.length
  }

  const zoomLevels = summarizeAtLevels(sorted)
  const header = Buffer.alloc(headerBytes + maxZoomLevels * zoomHeaderBytes)
  append(header)
  const summaryOffset = offset
  append(totalSummary(sorted))
  const nameTreeOffset = offset
  append(nameTree(sorted))

  let maxUncompressed = 0
  const appendCompressed = (data: Buffer): { offset: number; size: number } => {
    maxUncompressed = Math.max(maxUncompressed, data.length)
    const place = { offset, size: 0 }
    const compressed = deflateSync(data)
    place.size = compressed.length
    append(compressed)
    return place
  }

  const dataOffset = offset
  const blocks: Block[] = []
  const sections = sorted.reduce((sum, { values }) => sum + Math.ceil(values.length / itemsPerSection), 0)
  append(uint64(sections))
  for (const [number, sequence] of sorted.entries())
    for (let first = 0; first < sequence.values.length; first += itemsPerSection) {
      const after = Math.min(first + itemsPerSection, sequence.values.length)
      const start0 = sequence.starts0[first]!
      const end0 = sequence.ends0[after - 1]!
      const place = appendCompressed(bedGraphData(number, sequence, first, after))
      blocks.push({ firstSequence: number, start0, lastSequence: number, end0, ...place })
    }
  const indexOffset = offset
  append(spatialIndex(blocks, offset, itemsPerSection))

  zoomLevels.forEach(({ reduction, summaries }, level) => {
    const zoomDataOffset = offset
    append(uint32(summaries.length))
    const zoomBlocks: Block[] = []
    for (let first = 0; first < summaries.length; ) {
      const { sequence } = summaries[first]!
      let after = first
      while (after < summaries.length && after - first < itemsPerSection && summaries[after]!.sequence === sequence)
        after++
      const chosen = summaries.slice(first, after)
      const place = appendCompressed(zoomData(chosen))
      const start0 = chosen[0]!.start0
      const end0 = chosen.at(-1)!.end0
      zoomBlocks.push({ firstSequence: sequence, start0, lastSequence: sequence, end0, ...place })
      first = after
    }
    const zoomIndexOffset = offset
    append(spatialIndex(zoomBlocks, offset, itemsPerSection))
    const at = headerBytes + level * zoomHeaderBytes
    header.writeUInt32LE(reduction, at)
    header.writeBigUInt64LE(BigInt(zoomDataOffset), at + 8)
    header.writeBigUInt64LE(BigInt(zoomIndexOffset), at + 16)
  })
  // The format ends with its magic number, by which readers know that the file is whole.
  append(uint32(bigWigMagic))

  header.writeUInt32LE(bigWigMagic, 0)
  header.writeUInt16LE(4, 4)
  header.writeUInt16LE(zoomLevels.length, 6)
  header.writeBigUInt64LE(BigInt(nameTreeOffset), 8)
  header.writeBigUInt64LE(BigInt(dataOffset), 16)
  header.writeBigUInt64LE(BigInt(indexOffset), 24)
  header.writeBigUInt64LE(BigInt(summaryOffset), 44)
  header.writeUInt32LE(maxUncompressed, 52)
  await mkdir(dirname(file), { recursive: true })
  await writeFile(file, Buffer.concat(parts))
}

function checkIntervals({ name, lengthBp, starts0, ends0, values }: SignalSequence): void {
  let reached = 0
  for (let i = 0; i < values.length; i++) {
    const start0 = starts0[i]!
    const end0 = ends0[i]!
    if (start0 < reached || end0 <= start0 || end0 > lengthBp)
      throw new RangeError(`${name}: interval ${start0}-${end0} overlaps, is out of order or beyond ${lengthBp}`)
    if (!Number.isFinite(values[i]!)) throw new RangeError(`${name}: value at ${start0} is not a finite number`)
    reached = end0
  }
}

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

function totalSummary(sequences: readonly SignalSequence[]): Buffer {
  let bases = 0
  let min = Number.POSITIVE_INFINITY
  let max = Number.NEGATIVE_INFINITY
  let sum = 0
  let sumOfSquares = 0
  for (const { starts0, ends0, values } of sequences)
    for (let i = 0; i < values.length; i++) {
      const width = ends0[i]! - starts0[i]!
      const value = values[i]!
      bases += width
      min = Math.min(min, value)
      max = Math.max(max, value)
      sum += value * width
      sumOfSquares += value * value * width
    }
  const data = Buffer.alloc(summaryBytes)
  data.writeBigUInt64LE(BigInt(bases), 0)
  data.writeDoubleLE(bases ? min : 0, 8)
  data.writeDoubleLE(bases ? max : 0, 16)
  data.writeDoubleLE(sum, 24)
  data.writeDoubleLE(sumOfSquares, 32)
  return data
}

/** The tree of names as one leaf, which holds 65,535 sequences. */
function nameTree(sequences: readonly SignalSequence[]): Buffer {
  if (sequences.length > 0xffff) throw new RangeError('more than 65,535 sequences')
  const names = sequences.map(({ name }) => Buffer.from(name, 'utf8'))
  const keyBytes = Math.max(1, ...names.map((name) => name.length))
  const data = Buffer.alloc(32 + 4 + sequences.length * (keyBytes + 8))
  data.writeUInt32LE(nameTreeMagic, 0)
  data.writeUInt32LE(Math.max(1, sequences.length), 4)
  data.writeUInt32LE(keyBytes, 8)
  data.writeUInt32LE(8, 12)
  data.writeBigUInt64LE(BigInt(sequences.length), 16)
  data.writeUInt8(1, 32)
  data.writeUInt16LE(sequences.length, 34)
  for (const [number, name] of names.entries()) {
    const at = 36 + number * (keyBytes + 8)
    name.copy(data, at)
    data.writeUInt32LE(number, at + keyBytes)
    data.writeUInt32LE(sequences[number]!.lengthBp, at + keyBytes + 4)
  }
  return data
}

function bedGraphData(number: number, sequence: SignalSequence, first: number, after: number): Buffer {
  const data = Buffer.alloc(24 + (after - first) * 12)
  data.writeUInt32LE(number, 0)
  data.writeUInt32LE(sequence.starts0[first]!, 4)
  data.writeUInt32LE(sequence.ends0[after - 1]!, 8)
  data.writeUInt8(bedGraphSection, 20)
  data.writeUInt16LE(after - first, 22)
  for (let i = first; i < after; i++) {
    const at = 24 + (i - first) * 12
    data.writeUInt32LE(sequence.starts0[i]!, at)
    data.writeUInt32LE(sequence.ends0[i]!, at + 4)
    data.writeFloatLE(sequence.values[i]!, at + 8)
  }
  return data
}

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

/** Levels in which a summary stands for about 4, 16, 64 … of the file's own intervals, while that leaves some dozens. */
function summarizeAtLevels(sequences: readonly SignalSequence[]): { reduction: number; summaries: Summary[] }[] {
  const items = sequences.reduce((sum, { values }) => sum + values.length, 0)
  const totalBp = sequences.reduce((sum, { lengthBp }) => sum + lengthBp, 0)
  if (!items) return []
  const levels: { reduction: number; summaries: Summary[] }[] = []
  let reduction = Math.max(4, Math.round((4 * totalBp) / items))
  let previous = items
  while (levels.length < maxZoomLevels && previous > 64) {
    const summaries = summarize(sequences, reduction)
    if (summaries.length < previous) levels.push({ reduction, summaries })
    previous = Math.min(previous, summaries.length)
    reduction *= 4
    if (reduction > 0xffffffff) break
  }
  return levels
}

/** One summary for each window of `reduction` bases that holds a value. */
function summarize(sequences: readonly SignalSequence[], reduction: number): Summary[] {
  const summaries: Summary[] = []
  for (const [sequence, { lengthBp, starts0, ends0, values }] of sequences.entries()) {
    let current: Summary | null = null
    for (let i = 0; i < values.length; i++) {
      const value = values[i]!
      // An interval may reach over several windows.
      for (let at = starts0[i]!; at < ends0[i]!; ) {
        const windowStart0: number = Math.floor(at / reduction) * reduction
        const windowEnd0: number = Math.min(windowStart0 + reduction, lengthBp)
        if (!current || current.start0 !== windowStart0) {
          current = {
            sequence,
            start0: windowStart0,
            end0: windowEnd0,
            bases: 0,
            min: value,
            max: value,
            sum: 0,
            sumOfSquares: 0,
          }
          summaries.push(current)
        }
        const width: number = Math.min(ends0[i]!, windowEnd0) - at
        current.bases += width
        current.min = Math.min(current.min, value)
        current.max = Math.max(current.max, value)
        current.sum += value * width
        current.sumOfSquares += value * value * width
        at += width
      }
    }
  }
  return summaries
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
