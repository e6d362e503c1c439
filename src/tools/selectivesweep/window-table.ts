import { stat } from 'node:fs/promises'
import { RecentAnswers } from '../../kit/recent-answers.ts'
import { readDecompressed } from '../../store/decompressed.ts'
import { openSink } from '../../store/file-sink.ts'

/** Windows in order, with the values of several series. */
export interface WindowTable {
  /** Names of the sequences; `sequence` has the number of each window's. */
  sequences: string[]
  sequence: Uint32Array
  start1: Uint32Array
  end1: Uint32Array
  /** Sites of each window; null where the table does not tell. */
  sites: Uint32Array | null
  keys: string[]
  /** By series; NaN where a window has no value. */
  values: Float64Array[]
}

/** File of a job's windows in its directory. */
export const windowFile = 'windows.bed'

const none = '.'

/** Columns before the series: as a BED, and the number of sites in the place of a name. */
const locusColumns = ['chrom', 'chromStart', 'chromEnd', 'sites']

/** Twelve columns would be taken for a BED with blocks. */
const blockColumns = 12

/** Names of an empty thirteenth column that keeps a table from being one of blocks; files of before say `end`. */
export const paddingNames: readonly string[] = ['padding', 'end']

const columnsOf = (table: WindowTable): string[] => {
  const columns = [...locusColumns, ...table.keys]
  return columns.length === blockColumns ? [...columns, paddingNames[0]!] : columns
}

const shortest = (value: number): string => (Number.isNaN(value) ? none : String(Number(value.toPrecision(7))))

/** Headings of the windows as a table for readers, where starts count from 1; no series takes the name of a place's column. */
export const windowHeadings = (table: WindowTable): string[] => ['chrom', 'start', 'end', 'sites', ...table.keys]

/** Cells of each window under `windowHeadings`; empty where a window has no value. */
export function* windowRows(table: WindowTable): Generator<(string | number | null)[]> {
  for (let at = 0; at < table.start1.length; at++)
    yield [
      table.sequences[table.sequence[at]!]!,
      table.start1[at]!,
      table.end1[at]!,
      table.sites === null ? null : table.sites[at]!,
      ...table.values.map((values) => (Number.isNaN(values[at]!) ? null : Number(values[at]!.toPrecision(7)))),
    ]
}

/** Lines of the table as a BED with a heading, starts from 0. */
export function* renderWindowLines(table: WindowTable): Generator<string> {
  const columns = columnsOf(table)
  yield `#${columns.join('\t')}`
  const padded = columns.length > locusColumns.length + table.keys.length
  for (let at = 0; at < table.start1.length; at++) {
    const cells = [
      table.sequences[table.sequence[at]!]!,
      table.start1[at]! - 1,
      table.end1[at]!,
      table.sites === null ? none : table.sites[at]!,
      ...table.values.map((values) => shortest(values[at]!)),
    ]
    if (padded) cells.push(none)
    yield cells.join('\t')
  }
}

const batchLines = 5000

export const writeWindowFile = async (path: string, table: WindowTable, signal: AbortSignal): Promise<void> => {
  const out = await openSink(path)
  try {
    let batch: string[] = []
    for (const line of renderWindowLines(table)) {
      batch.push(line)
      if (batch.length < batchLines) continue
      signal.throwIfAborted()
      await out.write(`${batch.join('\n')}\n`)
      batch = []
    }
    if (batch.length > 0) await out.write(`${batch.join('\n')}\n`)
    await out.end()
  } finally {
    await out.discard()
  }
}

class Grown {
  #values = new Float64Array(1024)
  #count = 0
  push(value: number): void {
    if (this.#count === this.#values.length) {
      const wider = new Float64Array(2 * this.#count)
      wider.set(this.#values)
      this.#values = wider
    }
    this.#values[this.#count] = value
    this.#count += 1
  }
  taken(): Float64Array {
    return this.#values.slice(0, this.#count)
  }
}

const read = async (path: string): Promise<WindowTable> => {
  const sequences: string[] = []
  let keys: string[] | null = null
  const columns: Grown[] = []
  let last = ''
  let hasSites = false
  const line = (text: string): void => {
    if (text === '') return
    const cells = text.split('\t')
    if (keys === null) {
      keys = cells.slice(locusColumns.length).filter((key) => !paddingNames.includes(key))
      for (let at = 0; at < locusColumns.length + keys.length; at++) columns.push(new Grown())
      return
    }
    if (cells[0] !== last) {
      last = cells[0]!
      sequences.push(last)
    }
    columns[0]!.push(sequences.length - 1)
    columns[1]!.push(Number(cells[1]) + 1)
    columns[2]!.push(Number(cells[2]))
    if (cells[3] !== none) hasSites = true
    for (let at = 3; at < columns.length; at++) columns[at]!.push(cells[at] === none ? Number.NaN : Number(cells[at]))
  }
  let rest = ''
  const decoder = new TextDecoder()
  for await (const piece of readDecompressed(path)) {
    const lines = (rest + decoder.decode(piece, { stream: true })).split('\n')
    rest = lines.pop()!
    for (const one of lines) line(one)
  }
  line(rest)
  const [sequence, start1, end1, sites, ...values] = columns.map((column) => column.taken())
  return {
    sequences,
    sequence: Uint32Array.from(sequence ?? []),
    start1: Uint32Array.from(start1 ?? []),
    end1: Uint32Array.from(end1 ?? []),
    sites: hasSites ? Uint32Array.from(sites!) : null,
    keys: keys ?? [],
    values,
  }
}

/** Tables that were asked last stay in memory: a threshold that is moved asks for the same again and again. */
const tables = new RecentAnswers<WindowTable>(4)

/** A table as it was written, plain or compressed. */
export const readWindowFile = async (path: string): Promise<WindowTable> => {
  const { mtimeMs, size } = await stat(path)
  return tables.get(`${path} ${mtimeMs} ${size}`, () => read(path))
}
