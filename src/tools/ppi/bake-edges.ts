import { closeSync, openSync, readFileSync, rmSync, writeFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { writeMatrix } from '../../store/npy-matrix.ts'

/** Edges are gathered by their first gene in so many files, each of which is sorted by itself: memory stays small for any number. */
const bucketCount = 64
const bufferBytes = 128 * 1024
/** gene, partner, channel, publication as uint32, the value as float32. */
const lineBytes = 20

/** What stands in a line of a file of evidence, genes by their numbers. */
export interface Evidence {
  a: number
  b: number
  channel: number
  publication: number
  /** NaN where the file has no scores. */
  value: number
}

export interface EdgeWriter {
  /** All channels and the score of a pair, in thousandths. */
  addScores(a: number, b: number, cells: readonly number[]): void
  addEvidence(evidence: Evidence): void
}

export interface WrittenEdges {
  /** Genes with partners, by their numbers, ascending. */
  genes: number[]
  degrees: Uint32Array
  interactions: number
  max: number
}

class Bucket {
  readonly file: string
  readonly #descriptor: number
  readonly #buffer = Buffer.alloc(bufferBytes)
  #filled = 0

  constructor(file: string) {
    this.file = file
    this.#descriptor = openSync(file, 'w')
  }

  /** Room for a record, to be filled at once. */
  take(bytes: number): { view: Buffer; at: number } {
    if (this.#filled + bytes > bufferBytes) this.#flush()
    const at = this.#filled
    this.#filled += bytes
    return { view: this.#buffer, at }
  }

  #flush(): void {
    for (let done = 0; done < this.#filled; )
      done += writeSync(this.#descriptor, this.#buffer, done, this.#filled - done)
    this.#filled = 0
  }

  close(): void {
    this.#flush()
    closeSync(this.#descriptor)
  }
}

/** Rows of one bucket, sorted, each pair once. */
interface SortedRows {
  genes: Uint32Array
  partners: Uint32Array
  values: Uint16Array
  count: number
}

const sortedOrder = (genes: Uint32Array, partners: Uint32Array): Uint32Array =>
  Uint32Array.from(genes.keys()).sort((x, y) => genes[x]! - genes[y]! || partners[x]! - partners[y]! || x - y)

/** Of several lines of a pair (its other direction, other proteins of the genes) the strongest counts, channel by channel. */
const joinScores = (bytes: Buffer, columns: number): SortedRows => {
  const width = 8 + 2 * columns
  const count = bytes.length / width
  const [genes, partners] = [new Uint32Array(count), new Uint32Array(count)]
  for (let row = 0; row < count; row += 1) {
    genes[row] = bytes.readUInt32LE(row * width)
    partners[row] = bytes.readUInt32LE(row * width + 4)
  }
  const order = sortedOrder(genes, partners)
  const joined = emptyRows(count, columns)
  for (const row of order) {
    nextRow(joined, genes[row]!, partners[row]!)
    const into = (joined.count - 1) * columns
    for (let column = 0; column < columns; column += 1) {
      const value = bytes.readUInt16LE(row * width + 8 + 2 * column)
      if (value > joined.values[into + column]!) joined.values[into + column] = value
    }
  }
  return joined
}

const emptyRows = (count: number, columns: number): SortedRows => ({
  genes: new Uint32Array(count),
  partners: new Uint32Array(count),
  values: new Uint16Array(count * columns),
  count: 0,
})

/** Begins a row unless the last one is of the same pair. */
const nextRow = (rows: SortedRows, gene: number, partner: number): void => {
  const last = rows.count - 1
  if (last >= 0 && rows.genes[last] === gene && rows.partners[last] === partner) return
  rows.genes[rows.count] = gene
  rows.partners[rows.count] = partner
  rows.count += 1
}

const maxRecords = 65_535

/** Lines of evidence of each pair: scores by channel and the highest of them, or distinct publications by channel and their sum. */
const joinEvidence = (bytes: Buffer, columns: number, scale: number | null): SortedRows => {
  const count = bytes.length / lineBytes
  const [genes, partners] = [new Uint32Array(count), new Uint32Array(count)]
  for (let row = 0; row < count; row += 1) {
    genes[row] = bytes.readUInt32LE(row * lineBytes)
    partners[row] = bytes.readUInt32LE(row * lineBytes + 4)
  }
  const order = sortedOrder(genes, partners)
  const joined = emptyRows(count, columns)
  let seen = new Set<string>()
  for (const row of order) {
    const before = joined.count
    nextRow(joined, genes[row]!, partners[row]!)
    if (joined.count > before) seen = new Set()
    const into = (joined.count - 1) * columns
    const channel = bytes.readUInt32LE(row * lineBytes + 8)
    if (scale !== null) {
      const value = Math.round(bytes.readFloatLE(row * lineBytes + 16) * scale)
      for (const at of columns > 1 ? [0, channel + 1] : [0])
        if (value > joined.values[into + at]!) joined.values[into + at] = value
      continue
    }
    const publication = bytes.readUInt32LE(row * lineBytes + 12)
    const record = `${channel} ${publication}`
    if (seen.has(record)) continue
    seen.add(record)
    for (const at of columns > 1 ? [0, channel + 1] : [0])
      if (joined.values[into + at]! < maxRecords) joined.values[into + at]! += 1
  }
  return joined
}

/** Takes pairs of genes in any order, in one direction or both; `finish` writes them as a sparse matrix. */
export const openEdges = (
  scratch: string,
  geneCount: number,
): EdgeWriter & {
  finish(
    files: { starts: string; partners: string; values: string },
    about: {
      /** Columns of the values: the score, then the channels. */
      columns: number
      /** What a score is multiplied by to come to thousandths; null where records are counted. */
      scale: number | null
      scored: boolean
      signal: AbortSignal
    },
  ): Promise<WrittenEdges>
  discard(): void
} => {
  const buckets = Array.from({ length: bucketCount }, (_, at) => new Bucket(join(scratch, `edges-${at}.bin`)))
  const perBucket = Math.max(1, Math.ceil(geneCount / bucketCount))
  const bucketOf = (gene: number): Bucket => buckets[Math.floor(gene / perBucket)]!
  const addScore = (gene: number, partner: number, cells: readonly number[]): void => {
    const { view, at } = bucketOf(gene).take(8 + 2 * cells.length)
    view.writeUInt32LE(gene, at)
    view.writeUInt32LE(partner, at + 4)
    // The score first, as it is asked for most.
    view.writeUInt16LE(cells.at(-1)!, at + 8)
    for (let column = 0; column < cells.length - 1; column += 1)
      view.writeUInt16LE(cells[column]!, at + 10 + 2 * column)
  }
  const addLine = (gene: number, partner: number, { channel, publication, value }: Evidence): void => {
    const { view, at } = bucketOf(gene).take(lineBytes)
    view.writeUInt32LE(gene, at)
    view.writeUInt32LE(partner, at + 4)
    view.writeUInt32LE(channel, at + 8)
    view.writeUInt32LE(publication, at + 12)
    view.writeFloatLE(value, at + 16)
  }
  return {
    addScores: (a, b, cells) => {
      addScore(a, b, cells)
      addScore(b, a, cells)
    },
    addEvidence: (evidence) => {
      addLine(evidence.a, evidence.b, evidence)
      addLine(evidence.b, evidence.a, evidence)
    },
    finish: async (files, { columns, scale, scored, signal }) => {
      for (const bucket of buckets) bucket.close()
      const degrees = new Uint32Array(geneCount)
      let rows = 0
      let max = 0
      for (const { file } of buckets) {
        signal.throwIfAborted()
        const bytes = readFileSync(file)
        const joined = scored ? joinScores(bytes, columns) : joinEvidence(bytes, columns, scale)
        const pairs = new Uint32Array(2 * joined.count)
        for (let row = 0; row < joined.count; row += 1) {
          degrees[joined.genes[row]!]! += 1
          pairs[2 * row] = joined.genes[row]!
          pairs[2 * row + 1] = joined.partners[row]!
          max = Math.max(max, joined.values[row * columns]!)
        }
        rows += joined.count
        writeFileSync(file, new Uint8Array(pairs.buffer))
        writeFileSync(`${file}.values`, new Uint8Array(joined.values.buffer, 0, 2 * joined.count * columns))
      }
      const genes = [...degrees.keys()].filter((gene) => degrees[gene]! > 0)
      const place = new Uint32Array(geneCount)
      for (const [at, gene] of genes.entries()) place[gene] = at
      const starts = new Float64Array(genes.length + 1)
      for (const [at, gene] of genes.entries()) starts[at + 1] = starts[at]! + degrees[gene]!
      await writeMatrix(files.starts, '<f8', starts.length, 1, (row, into) => {
        into[0] = starts[row]!
      })
      const wholeBuffer = (bytes: Buffer): ArrayBuffer =>
        bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength) as ArrayBuffer
      let [bucket, within] = [-1, 0]
      let pairs = new Uint32Array(0)
      await writeMatrix(files.partners, '<u4', rows, 1, (_, into) => {
        while (within >= pairs.length) {
          bucket += 1
          within = 0
          pairs = new Uint32Array(wholeBuffer(readFileSync(buckets[bucket]!.file)))
        }
        into[0] = place[pairs[within + 1]!]!
        within += 2
      })
      let values = new Uint16Array(0)
      ;[bucket, within] = [-1, 0]
      await writeMatrix(files.values, '<u2', rows, columns, (_, into) => {
        while (within >= values.length) {
          bucket += 1
          within = 0
          values = new Uint16Array(wholeBuffer(readFileSync(`${buckets[bucket]!.file}.values`)))
        }
        into.set(values.subarray(within, within + columns))
        within += columns
      })
      return { genes, degrees, interactions: rows / 2, max }
    },
    discard: () => {
      for (const { file } of buckets) for (const name of [file, `${file}.values`]) rmSync(name, { force: true })
    },
  }
}
