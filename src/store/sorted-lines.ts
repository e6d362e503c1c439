import { type FileHandle, mkdir, open, rm } from 'node:fs/promises'
import path from 'node:path'
import { asStoreError, StoreError } from './store-error.ts'

/** A line (with its line feed) and what it is sorted by. */
export interface KeyedLine {
  /** Number of the sequence in the genome's order. */
  sequence: number
  start0: number
  end0: number
  /** Valid until the next line is asked for. */
  line: Uint8Array
}

/** Which of two lines comes first; equal ones stay in the order in which they came. */
export type LineOrder = 'start' | 'start-then-longest'

/** A sorted run of lines, read forward. */
export interface LineRun {
  /** Null at the end of the run. */
  readonly current: KeyedLine | null
  /** Goes to the next line; a promise only when bytes must be read first. */
  advance(): Promise<void> | undefined
  close(): Promise<void>
}

export function compareLines(
  order: LineOrder,
  a: { sequence: number; start0: number; end0: number },
  b: { sequence: number; start0: number; end0: number },
): number {
  return a.sequence - b.sequence || a.start0 - b.start0 || (order === 'start-then-longest' ? b.end0 - a.end0 : 0)
}

const arenaBytes = 4 << 20
const runBufferBytes = 256 << 10
const recordHeaderBytes = 24

/**
 * Sorts lines by sequence and start in memory of a stated size, and beyond it through sorted runs in a temporary folder that
 * are merged at the end (external merge sort). The sort is stable.
 */
export class LineSorter {
  readonly #order: LineOrder
  readonly #folder: string
  #arenas: Buffer[] = []
  #arenaFilled = 0
  #sequences = new Int32Array(1024)
  #starts = new Float64Array(1024)
  #ends = new Float64Array(1024)
  /** Which arena, and where in it. */
  #arenaOf = new Int32Array(1024)
  #offsets = new Int32Array(1024)
  #lengths = new Int32Array(1024)
  #count = 0
  #bytes = 0
  #inOrder = true
  readonly #runs: LineRun[] = []
  #runFiles = 0

  /** `folder` need not exist: it is made when the first run is written, and `close` removes it. */
  constructor(order: LineOrder, folder: string) {
    this.#order = order
    this.#folder = folder
  }

  /** Bytes that the lines in memory take, their keys included. */
  get bytes(): number {
    return this.#bytes
  }

  /** True while every line that came was in order, and none has gone to the disk. */
  get inOrder(): boolean {
    return this.#inOrder && this.#runs.length === 0
  }

  /** Takes (copies) a line. */
  add(sequence: number, start0: number, end0: number, line: Uint8Array): void {
    const at = this.#count
    if (at === this.#sequences.length) this.#grow()
    if (this.#arenas.length === 0 || this.#arenaFilled + line.length > this.#arenas.at(-1)!.length) {
      this.#arenas.push(Buffer.allocUnsafe(Math.max(arenaBytes, line.length)))
      this.#arenaFilled = 0
    }
    this.#arenas.at(-1)!.set(line, this.#arenaFilled)
    this.#sequences[at] = sequence
    this.#starts[at] = start0
    this.#ends[at] = end0
    this.#arenaOf[at] = this.#arenas.length - 1
    this.#offsets[at] = this.#arenaFilled
    this.#lengths[at] = line.length
    this.#arenaFilled += line.length
    this.#bytes += line.length + 40
    this.#count++
    if (this.#inOrder && at > 0 && this.#compare(at - 1, at) > 0) this.#inOrder = false
  }

  #grow(): void {
    const larger = <T extends Int32Array | Float64Array>(old: T, made: T): T => {
      made.set(old)
      return made
    }
    const size = 2 * this.#sequences.length
    this.#sequences = larger(this.#sequences, new Int32Array(size))
    this.#starts = larger(this.#starts, new Float64Array(size))
    this.#ends = larger(this.#ends, new Float64Array(size))
    this.#arenaOf = larger(this.#arenaOf, new Int32Array(size))
    this.#offsets = larger(this.#offsets, new Int32Array(size))
    this.#lengths = larger(this.#lengths, new Int32Array(size))
  }

  #compare(a: number, b: number): number {
    return (
      this.#sequences[a]! - this.#sequences[b]! ||
      this.#starts[a]! - this.#starts[b]! ||
      (this.#order === 'start-then-longest' ? this.#ends[b]! - this.#ends[a]! : 0)
    )
  }

  #keyed(at: number): KeyedLine {
    const offset = this.#offsets[at]!
    return {
      sequence: this.#sequences[at]!,
      start0: this.#starts[at]!,
      end0: this.#ends[at]!,
      line: this.#arenas[this.#arenaOf[at]!]!.subarray(offset, offset + this.#lengths[at]!),
    }
  }

  /** Takes the lines in memory out, in order. */
  *takeSorted(): Generator<KeyedLine> {
    const order = new Uint32Array(this.#count)
    for (let i = 0; i < order.length; i++) order[i] = i
    if (!this.#inOrder) order.sort((a, b) => this.#compare(a, b) || a - b)
    for (const at of order) yield this.#keyed(at)
    this.#arenas = []
    this.#arenaFilled = 0
    this.#count = 0
    this.#bytes = 0
    this.#inOrder = true
  }

  /** Adds a run made elsewhere, of lines that came before all those that are in memory. */
  addRun(run: LineRun): void {
    this.#runs.push(run)
  }

  /** Writes the lines in memory to the disk as a run. */
  async spill(): Promise<void> {
    await mkdir(this.#folder, { recursive: true })
    const file = path.join(this.#folder, `run-${this.#runFiles++}`)
    try {
      const handle = await open(file, 'w')
      try {
        let parts: Uint8Array[] = []
        let bytes = 0
        for (const { sequence, start0, end0, line } of this.takeSorted()) {
          const header = Buffer.allocUnsafe(recordHeaderBytes)
          header.writeUInt32LE(line.length, 0)
          header.writeUInt32LE(sequence, 4)
          header.writeDoubleLE(start0, 8)
          header.writeDoubleLE(end0, 16)
          parts.push(header, line)
          bytes += recordHeaderBytes + line.length
          if (bytes < runBufferBytes) continue
          await writeAll(handle, file, Buffer.concat(parts, bytes))
          parts = []
          bytes = 0
        }
        await writeAll(handle, file, Buffer.concat(parts, bytes))
      } finally {
        await handle.close()
      }
      this.#runs.push(await FileRun.open(file))
    } catch (thrown) {
      throw asStoreError(thrown, file)
    }
  }

  /** Hands every line to `take` in order: those of the runs and those in memory. `take` may ask to be waited for. */
  async merge(take: (line: KeyedLine) => Promise<void> | undefined): Promise<void> {
    if (this.#runs.length === 0) {
      for (const line of this.takeSorted()) {
        const waiting = take(line)
        if (waiting) await waiting
      }
      return
    }
    const runs: LineRun[] = [...this.#runs, new MemoryRun(this.takeSorted())]
    // A binary heap of the runs by their current line; of equal lines that of the earlier run comes first.
    const before = (a: number, b: number): boolean =>
      (compareLines(this.#order, runs[a]!.current!, runs[b]!.current!) || a - b) < 0
    const heap: number[] = []
    for (const [number, run] of runs.entries()) {
      await run.advance()
      if (run.current) heap.push(number)
    }
    const sink = (from: number): void => {
      for (let at = from; ; ) {
        let min = at
        for (const child of [2 * at + 1, 2 * at + 2])
          if (child < heap.length && before(heap[child]!, heap[min]!)) min = child
        if (min === at) return
        const moved = heap[at]!
        heap[at] = heap[min]!
        heap[min] = moved
        at = min
      }
    }
    for (let at = heap.length >> 1; at >= 0; at--) sink(at)
    while (heap.length > 0) {
      const run = runs[heap[0]!]!
      const waiting = take(run.current!)
      if (waiting) await waiting
      const reading = run.advance()
      if (reading) await reading
      if (!run.current) {
        const last = heap.pop()!
        if (heap.length > 0) heap[0] = last
      }
      sink(0)
    }
  }

  /** Closes the runs and removes their folder. */
  async close(): Promise<void> {
    for (const run of this.#runs) await run.close()
    await rm(this.#folder, { recursive: true, force: true })
  }
}

async function writeAll(handle: FileHandle, file: string, data: Buffer): Promise<void> {
  const { bytesWritten } = await handle.write(data)
  if (bytesWritten !== data.length) throw new StoreError('disk-full', file, 'no space left on the disk')
}

class MemoryRun implements LineRun {
  current: KeyedLine | null = null
  readonly #lines: Iterator<KeyedLine>

  constructor(lines: Iterator<KeyedLine>) {
    this.#lines = lines
  }

  advance(): undefined {
    const next = this.#lines.next()
    this.current = next.done ? null : next.value
  }

  async close(): Promise<void> {}
}

class FileRun implements LineRun {
  current: KeyedLine | null = null
  readonly #handle: FileHandle
  #buffer: Buffer = Buffer.alloc(0)
  #at = 0

  private constructor(handle: FileHandle) {
    this.#handle = handle
  }

  static async open(file: string): Promise<FileRun> {
    return new FileRun(await open(file, 'r'))
  }

  advance(): Promise<void> | undefined {
    return this.#take() ? undefined : this.#refill()
  }

  /** False when the next record is not whole in the buffer. */
  #take(): boolean {
    const buffer = this.#buffer
    const at = this.#at
    if (buffer.length < at + recordHeaderBytes) return false
    const end = at + recordHeaderBytes + buffer.readUInt32LE(at)
    if (buffer.length < end) return false
    this.current = {
      sequence: buffer.readUInt32LE(at + 4),
      start0: buffer.readDoubleLE(at + 8),
      end0: buffer.readDoubleLE(at + 16),
      line: buffer.subarray(at + recordHeaderBytes, end),
    }
    this.#at = end
    return true
  }

  async #refill(): Promise<void> {
    do {
      const rest = this.#buffer.subarray(this.#at)
      // Twice what is left: a line longer than the buffer makes it grow.
      const larger = Buffer.allocUnsafe(Math.max(runBufferBytes, 2 * rest.length))
      rest.copy(larger)
      const { bytesRead } = await this.#handle.read(larger, rest.length, larger.length - rest.length, null)
      this.#buffer = larger.subarray(0, rest.length + bytesRead)
      this.#at = 0
      if (bytesRead === 0) {
        this.current = null
        return
      }
    } while (!this.#take())
  }

  close(): Promise<void> {
    return this.#handle.close()
  }
}
