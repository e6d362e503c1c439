import { join } from 'node:path'
import { namesOfBits } from '../../../bio/variation/consequences.ts'
import { openMatrix } from '../../../store/npy-matrix.ts'
import { hashId, readVariantLines, typeBit, type VariantSet, variantFiles } from '../variant-data.ts'

/** Rows `[from, to)` of a set. */
export interface RowRange {
  from: number
  to: number
}

/** Conditions that the columns of a set tell by themselves. */
export interface RowFilter {
  /** Of consequences, any; 0 for all. */
  consequenceBits: number
  /** Of types, any; 0 for all. */
  typeBits: number
  /** Of the rarer allele. */
  minFrequency: number
  maxFrequency: number
  maxMissing: number
}

export const noFilter: RowFilter = {
  consequenceBits: 0,
  typeBits: 0,
  minFrequency: 0,
  maxFrequency: 0.5,
  maxMissing: 1,
}

/** Rounding of frequencies in four bytes must not exclude what stands at a bound. */
const slack = 1e-6
const pieceRows = 1 << 18

/** The columns of a set, opened for one question. */
export interface OpenSet {
  set: VariantSet
  /** Rows of records whose POS lies in the region. */
  findRange(region: { sequence: string; start1: number; end1: number }): Promise<RowRange>
  /** Rows that pass, ascending, in pieces. */
  scan(
    ranges: readonly RowRange[],
    filter: RowFilter,
    signal: AbortSignal,
  ): AsyncGenerator<{ row: number; bits: number; frequency: number; position: number }[]>
  /** Rows of records that have the id. */
  findIds(id: string): Promise<number[]>
  /** The lines of records by their rows, ascending. */
  readRows(rows: ArrayLike<number>, signal: AbortSignal): AsyncGenerator<{ row: number; line: string }>
  sequenceOf(row: number): string
  close(): Promise<void>
}

/** Rows that are read together though some between them are not asked for. */
const joinedGap = 40

export const openSet = async (set: VariantSet): Promise<OpenSet> => {
  const files = variantFiles(set.id)
  const directory = await set.fetchColumns()
  const at = (file: string): string => join(directory, file)
  const positions = await openMatrix(at(files.positions), '<u4')
  const bits = await openMatrix(at(files.bits), '<u4')
  const frequencies = await openMatrix(at(files.frequencies), '<f4')
  const missing = await openMatrix(at(files.missing), '<f4')
  const starts: { name: string; from: number; to: number }[] = []
  let from = 0
  for (const { name, records } of set.sequences) {
    starts.push({ name, from, to: from + records })
    from += records
  }
  const positionAt = async (row: number): Promise<number> => (await positions.readCells(row, 1))[0]!
  /** The first row of `[from, to)` at or behind a position. */
  const lowerBound = async ({ from: low0, to: high0 }: RowRange, position: number): Promise<number> => {
    let [low, high] = [low0, high0]
    while (high - low > 4096) {
      const middle = (low + high) >> 1
      if ((await positionAt(middle)) < position) low = middle + 1
      else high = middle
    }
    if (low === high) return low
    const cells = await positions.readCells(low, high - low)
    const found = cells.findIndex((cell) => cell >= position)
    return found < 0 ? high : low + found
  }
  const sequenceOf = (row: number): string => {
    const found = starts.find((one) => row >= one.from && row < one.to)
    if (found === undefined) throw new RangeError(`row ${row} of ${set.sites}`)
    return found.name
  }
  return {
    set,
    sequenceOf,
    findRange: async ({ sequence, start1, end1 }) => {
      const own = starts.find(({ name }) => name === sequence)
      if (own === undefined) return { from: 0, to: 0 }
      return { from: await lowerBound(own, start1), to: await lowerBound(own, end1 + 1) }
    },
    scan: async function* (ranges, filter, signal) {
      const filtersFrequency = filter.minFrequency > 0 || filter.maxFrequency < 0.5
      for (const range of ranges)
        for (let first = range.from; first < range.to; first += pieceRows) {
          signal.throwIfAborted()
          const count = Math.min(pieceRows, range.to - first)
          const indexes = await positions.readCells(first, count)
          const marks = await bits.readCells(first, count)
          const shares = await frequencies.readCells(first, count)
          const gaps = filter.maxMissing < 1 ? await missing.readCells(first, count) : null
          const found: { row: number; bits: number; frequency: number; position: number }[] = []
          for (let at0 = 0; at0 < count; at0 += 1) {
            const mark = marks[at0]!
            if (filter.consequenceBits !== 0 && (mark & filter.consequenceBits) === 0) continue
            if (filter.typeBits !== 0 && ((mark >>> typeBit) & filter.typeBits) === 0) continue
            const frequency = shares[at0]!
            if (filtersFrequency) {
              const minor = Math.min(frequency, 1 - frequency)
              if (!(minor >= filter.minFrequency - slack && minor <= filter.maxFrequency + slack)) continue
            }
            if (gaps !== null && gaps[at0]! > filter.maxMissing + slack) continue
            found.push({ row: first + at0, bits: mark, frequency, position: indexes[at0]! })
          }
          if (found.length > 0) yield found
        }
    },
    findIds: async (id) => {
      if (!set.hasIds) return []
      const ids = await openMatrix(at(files.ids), '<u4')
      try {
        const wanted = hashId(id)
        let [low, high] = [0, ids.rows]
        while (low < high) {
          const middle = (low + high) >> 1
          if ((await ids.readCells(2 * middle, 1))[0]! < wanted) low = middle + 1
          else high = middle
        }
        const rows: number[] = []
        for (; low < ids.rows; low += 1) {
          const [hash, row] = await ids.readCells(2 * low, 2)
          if (hash !== wanted) break
          rows.push(row!)
        }
        return rows
      } finally {
        await ids.close()
      }
    },
    readRows: async function* (rows, signal) {
      for (let first = 0; first < rows.length; ) {
        const sequence = sequenceOf(rows[first]!)
        let last = first
        while (
          last + 1 < rows.length &&
          rows[last + 1]! - rows[last]! <= joinedGap &&
          sequenceOf(rows[last + 1]!) === sequence
        )
          last += 1
        const start1 = await positionAt(rows[first]!)
        const end1 = await positionAt(rows[last]!)
        const own = starts.find(({ name }) => name === sequence)!
        let row = await lowerBound(own, start1)
        let next = first
        for await (const line of readVariantLines(set, { sequence, start1, end1 }, signal)) {
          // Records that begin before reach into the region: they have rows of their own before these.
          const tab = line.indexOf('\t')
          if (Number(line.slice(tab + 1, line.indexOf('\t', tab + 1))) < start1) continue
          if (row === rows[next]) {
            yield { row, line }
            next += 1
            if (next > last) break
          }
          row += 1
        }
        first = last + 1
      }
    },
    close: async () => {
      for (const column of [positions, bits, frequencies, missing]) await column.close()
    },
  }
}

/** The gravest consequence of the bits; `intergenic` where there is none and consequences are known. */
export const worstOf = (bits: number): string => namesOfBits(bits & ((1 << typeBit) - 1))[0] ?? 'intergenic'
