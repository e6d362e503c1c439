import { isUtf8 } from 'node:buffer'
import { mkdtemp, rename, rm } from 'node:fs/promises'
import path from 'node:path'
import { bedBlocksFit } from '../bio/annotation/bed.ts'
import { trackDefects } from '../bio/annotation/track-defects.ts'
import type { DefectLog } from '../bio/text/defects.ts'
import { refuseLeftOut } from '../bio/text/left-out.ts'
import { NameTable } from '../bio/text/name-table.ts'
import { textDefects } from '../bio/text/text-defects.ts'
import { TextDecoding, Utf16Unpacking } from '../bio/text/text-encoding.ts'
import { inspectFileStart } from '../bio/text/text-lines.ts'
import { readVcfHeader } from '../bio/variation/vcf-header.ts'
import { BgzfWriter, writeBgzfFile } from './bgzf.ts'
import { readDecompressed } from './decompressed.ts'
import { getIndexDepth, type IndexedColumns, IntervalIndexBuilder } from './interval-index.ts'
import { compareLines, type KeyedLine, type LineRun, LineSorter } from './sorted-lines.ts'
import { asStoreError } from './store-error.ts'
import {
  carriageReturn,
  emptyFields,
  hash,
  lineFeed,
  parseFields,
  presets,
  type TabixFormat,
  tab,
} from './tabix-lines.ts'

const headerBatch = 10_000

export interface BakeTabixOptions {
  /** A file (plain, gzip or bgzip), its bytes, or lines without their ends; comment and header lines first. */
  source:
    | { file: string }
    | { lines: Iterable<string> | AsyncIterable<string>; name: string }
    | { pieces: AsyncIterable<Buffer>; name: string }
  format: TabixFormat
  /** Written here as BGZF; the indexes beside it as `.csi` and, where it can hold the sequences, `.tbi`. */
  outFile: string
  /** The genome's sequences in the order in which the file is to be sorted. */
  sequences: readonly { name: string; lengthBp: number }[]
  /** The genome's name for a name of the file, or null; without it names must be equal. */
  findSequence?: (name: string) => string | null
  /** Takes what is wrong with the lines. When it `hasErrors` afterwards, the result must not be used. */
  log: DefectLog
  /** Lines are sorted in memory up to this size, through the disk beyond it. */
  sortMemoryBytes?: number
  /** Counts bytes of the file as it is; for pieces and lines, their bytes and characters. */
  onProgress?: (progress: { bytesRead: number }) => void
  signal?: AbortSignal
}

export interface BakedTabix {
  csiFile: string
  /** Null when a sequence is longer than the 512 Mb that a .tbi can hold. */
  tbiFile: string | null
  records: number
  /** Lines left out: on unknown sequences, or not to be read. Each is in the log. */
  leftOut: number
  /** Comments between records and `###`, which mean nothing after sorting. */
  commentsLeftOut: number
  /** Whether the lines came in order. */
  wasSorted: boolean
  /** Sequences that have records, in the order of the file. */
  sequences: { name: string; records: number }[]
}

const defaultSortMemoryBytes = 256 << 20

/**
 * Writes lines of GFF3, BED or VCF sorted by sequence and start into a BGZF file with its CSI and tabix indexes, readable by
 * tabix, bcftools and JBrowse. Header lines are kept before the records; lines that begin together keep their order, in GFF3
 * the longer first. Lines that cannot be read or lie on no sequence of the genome are left out and told to `log`.
 *
 * Sorted input passes through with little memory; other input is sorted in `sortMemoryBytes` (256 MiB), with runs beside
 * `outFile` when that does not suffice. Throws StoreError for files that cannot be read or written.
 */
export async function bakeTabix(options: BakeTabixOptions): Promise<BakedTabix> {
  const folder = await mkdtemp(`${options.outFile}.sort-`).catch((thrown: unknown) =>
    Promise.reject(asStoreError(thrown, options.outFile)),
  )
  const baker = new TabixBaker(options, folder)
  try {
    for await (const piece of readPieces(options)) {
      options.signal?.throwIfAborted()
      baker.push(piece)
      await baker.settle()
      if (baker.ended) break
    }
    return await baker.finish()
  } finally {
    await baker.close()
    await rm(folder, { recursive: true, force: true })
  }
}

async function* readPieces({ source, onProgress }: BakeTabixOptions): AsyncGenerator<Buffer> {
  if ('file' in source) {
    yield* readDecompressed(source.file, (bytesRead) => onProgress?.({ bytesRead }))
    return
  }
  if ('pieces' in source) {
    let bytesRead = 0
    for await (const piece of source.pieces) {
      bytesRead += piece.length
      onProgress?.({ bytesRead })
      yield piece
    }
    return
  }
  let batch: string[] = []
  let characters = 0
  let bytesRead = 0
  const takeBatch = (): Buffer => {
    const piece = Buffer.from(batch.join(''))
    bytesRead += characters
    onProgress?.({ bytesRead })
    batch = []
    characters = 0
    return piece
  }
  for await (const line of source.lines) {
    batch.push(`${line}\n`)
    characters += line.length + 1
    if (characters >= 1 << 20) yield takeBatch()
  }
  yield takeBatch()
}

/** What is known of a name in the file: its number in the genome and the genome's name where it differs; null: unknown. */
interface NameUse {
  number: number
  lengthBp: number
  renamed: Buffer | null
}

class TabixBaker {
  readonly #options: BakeTabixOptions
  readonly #shownName: string
  readonly #columns: (typeof presets)[TabixFormat]
  readonly #sorter: LineSorter
  readonly #folder: string
  readonly #sortMemoryBytes: number
  readonly #depth: number
  readonly #numbers: NameTable
  readonly #names = new Map<string, NameUse | null>()
  /** Names that the genome lacks, with the line that was first and how many there are. */
  readonly #unknown = new Map<string, { line: number; count: number }>()
  readonly #fields = emptyFields()
  readonly #header: string[] = []
  #headerOpen = true
  #headerChecked = false
  #output: TabixOutput | null = null
  /** A line came out of order after `#output` had begun: it is a run now. */
  #outputBroken = false
  #last: KeyedLine | null = null
  #rest: Buffer[] = []
  readonly #decoding: TextDecoding
  readonly #utf16: Utf16Unpacking
  /** Lines were met that are no UTF-8. */
  #isOtherText = false
  #started = false
  #line = 0
  #ended = false
  #leftOut = 0
  #comments = 0
  #wasSorted = true

  constructor(options: BakeTabixOptions, folder: string) {
    this.#options = options
    this.#folder = folder
    this.#shownName = 'file' in options.source ? path.basename(options.source.file) : options.source.name
    this.#columns = presets[options.format]
    this.#sorter = new LineSorter(this.#columns.order, path.join(folder, 'runs'))
    this.#sortMemoryBytes = options.sortMemoryBytes ?? defaultSortMemoryBytes
    this.#numbers = new NameTable()
    for (const { name } of options.sequences) this.#numbers.add(name)
    this.#decoding = new TextDecoding(this.#shownName, options.log)
    this.#utf16 = new Utf16Unpacking(this.#shownName, options.log)
    this.#depth = getIndexDepth(options.sequences.reduce((longest, { lengthBp }) => Math.max(longest, lengthBp), 0))
  }

  /** True when nothing that follows belongs to the records: `##FASTA`, or a file that is none of text. */
  get ended(): boolean {
    return this.#ended
  }

  push(given: Buffer): void {
    let at = 0
    if (!this.#started && given.length > 0) this.#utf16.begin(given)
    const plain = this.#utf16.take(given)
    const piece = plain === given ? given : Buffer.from(plain.buffer, plain.byteOffset, plain.length)
    if (!this.#started && piece.length > 0) {
      this.#started = true
      const problem = inspectFileStart(piece)
      if (problem) {
        this.#options.log.report(textDefects, problem.code, this.#shownName, 1, problem.params)
        this.#ended = true
        return
      }
      if (piece[0] === 0xef && piece[1] === 0xbb && piece[2] === 0xbf) {
        this.#options.log.report(textDefects, 'text-byte-order-mark', this.#shownName, 1)
        at = 3
      }
    }
    while (!this.#ended) {
      const end = piece.indexOf(lineFeed, at)
      if (end < 0) break
      if (this.#rest.length > 0) {
        const whole = Buffer.concat([...this.#rest, piece.subarray(at, end + 1)])
        this.#rest = []
        this.#takeLine(whole, 0, whole.length)
      } else this.#takeLine(piece, at, end + 1)
      at = end + 1
    }
    if (at < piece.length) this.#rest.push(piece.subarray(at))
  }

  /** Does what needs the disk after a piece. */
  async settle(): Promise<void> {
    if (this.#outputBroken && this.#output) {
      this.#sorter.addRun(await this.#output.turnIntoRun(path.join(this.#folder, 'sorted-part')))
      this.#output = null
    }
    if (this.#output) await this.#output.writer.drain()
    if (this.#sorter.bytes < this.#sortMemoryBytes) return
    if (!this.#sorter.inOrder || this.#outputBroken) {
      await this.#sorter.spill()
      return
    }
    // As much as memory holds came in order: the rest probably will.
    this.#output = await this.#openOutput()
    for (const line of this.#sorter.takeSorted()) {
      this.#last = { ...line, line: new Uint8Array(0) }
      if (!this.#output.push(line)) await this.#output.writer.drain()
    }
  }

  /** A line `[from, to)` with its line feed. */
  #takeLine(bytes: Buffer, from: number, to: number): void {
    this.#line++
    let end = to - 1
    while (end > from && bytes[end - 1] === carriageReturn) end--
    if (end === from) return
    if (this.#isAside(bytes, from, end)) return
    this.#headerOpen = false
    const fields = this.#fields
    parseFields(bytes, from, end, this.#columns, fields)
    if (this.#isUnreadable(bytes, from, end)) {
      this.#leftOut++
      return
    }
    const use = this.#findName(bytes.toString('utf8', fields.nameStart, fields.nameEnd))
    if (!use) {
      this.#leftOut++
      return
    }
    const { start0 } = fields
    // A feature over the origin of a circular sequence ends beyond it (GFF3 specification, "Circular Genomes"). Its own line
    // says so; the index takes the part that a region can ask for.
    const end0 = this.#options.format === 'gff3' ? Math.min(fields.end0, use.lengthBp) : fields.end0
    if (end0 > use.lengthBp || start0 >= use.lengthBp) {
      const sequence = this.#options.sequences[use.number]!.name
      this.#report('track-beyond-sequence', { end: fields.end0, sequence, length: use.lengthBp })
      this.#leftOut++
      return
    }
    this.#keep({ sequence: use.number, start0, end0, line: this.#renderLine(bytes, from, end, to, use.renamed) })
  }

  #report(code: keyof typeof trackDefects, params: Record<string, string | number> = {}): void {
    this.#options.log.report(trackDefects, code, this.#shownName, this.#line, params)
  }

  /** Header and comment lines, which are dealt with here. */
  #isAside(bytes: Buffer, from: number, end: number): boolean {
    const { format } = this.#options
    const first = bytes[from]!
    if (first === hash) {
      const text = this.#textOf(bytes.subarray(from, end)) ?? bytes.toString('utf8', from, end)
      if (format === 'gff3' && text.startsWith('##FASTA')) this.#ended = true
      else if (!this.#headerOpen || (format === 'gff3' && text.startsWith('###'))) this.#comments++
      else this.#header.push(text)
      return true
    }
    if (format === 'gff3' && first === 62) {
      // A FASTA part without its ##FASTA (GFF3 specification, "##FASTA").
      this.#ended = true
      return true
    }
    if (format === 'bed' && (first === 116 || first === 98)) {
      const text = bytes.toString('utf8', from, end)
      // Lines for the UCSC browser; tabix knows comments only.
      if (/^(track|browser)(\s|$)/.test(text)) {
        if (this.#headerOpen) this.#header.push(`#${text}`)
        else this.#comments++
        return true
      }
    }
    return false
  }

  #isUnreadable(bytes: Buffer, from: number, end: number): boolean {
    const { wrong } = this.#fields
    const { format } = this.#options
    const { minColumns, start, end: endColumn } = this.#columns
    const cells = (): string[] => bytes.toString('utf8', from, end).split('\t')
    let found = 1
    for (let at = bytes.indexOf(tab, from); at >= 0 && at < end && found < minColumns; at = bytes.indexOf(tab, at + 1))
      found++
    if (found < minColumns) {
      this.#report('track-column-count', { found, format: format.toUpperCase(), expected: minColumns })
      return true
    }
    if (wrong === null) {
      if (format !== 'bed') return false
      const columns = cells()
      if (bedBlocksFit(columns)) return false
      this.#report('track-bad-blocks', { value: columns.slice(9).join(' ').slice(0, 200) })
      return true
    }
    const min = format === 'gff3' ? 1 : 0
    const value = (column: number): string => cells()[column - 1] ?? ''
    if (wrong === 'end' && /^\d{1,15}$/.test(value(endColumn)))
      this.#report('track-start-after-end', { start: value(start), end: value(endColumn) })
    else if (wrong === 'end') this.#report('track-bad-coordinate', { column: 'end', value: value(endColumn), min })
    else this.#report('track-bad-coordinate', { column: format === 'vcf' ? 'POS' : 'start', value: value(start), min })
    return true
  }

  #findName(name: string): NameUse | null {
    const known = this.#names.get(name)
    if (known !== undefined) {
      if (known === null) this.#unknown.get(name)!.count++
      return known
    }
    const inGenome = this.#genomeName(name)
    const number = inGenome === null ? null : this.#numbers.find(inGenome)
    let use: NameUse | null = null
    if (inGenome === null || number === null) this.#unknown.set(name, { line: this.#line, count: 1 })
    else {
      if (inGenome !== name) this.#report('track-sequence-renamed', { from: name, to: inGenome })
      const { lengthBp } = this.#options.sequences[number]!
      use = { number, lengthBp, renamed: inGenome === name ? null : Buffer.from(inGenome) }
    }
    this.#names.set(name, use)
    return use
  }

  #genomeName(name: string): string | null {
    const { findSequence } = this.#options
    return findSequence ? findSequence(name) : name
  }

  /** A line of another encoding than UTF-8 as text; null for one of UTF-8, whose bytes stay as they are. */
  #textOf(line: Buffer): string | null {
    if (!this.#isOtherText && isUtf8(line)) return null
    this.#isOtherText = true
    const text = this.#decoding.decode(line, this.#line)
    if (this.#decoding.refused) this.#ended = true
    return text
  }

  /** The line as it is written: the genome's name, UTF-8, a plain line feed. Shares the bytes when nothing changes. */
  #renderLine(bytes: Buffer, from: number, end: number, to: number, renamed: Buffer | null): Uint8Array {
    const asItIs = bytes.subarray(from, end)
    const text = this.#textOf(asItIs)
    if (text === null && renamed === null && end === to - 1) return bytes.subarray(from, to)
    if (renamed === null) return Buffer.concat([text === null ? asItIs : Buffer.from(text), Buffer.from('\n')])
    const { nameStart, nameEnd } = this.#fields
    const before = bytes.subarray(from, nameStart)
    if (text === null) return Buffer.concat([before, renamed, bytes.subarray(nameEnd, end), Buffer.from('\n')])
    // Names of sequences lie in front and are of ASCII, so that a place in the bytes is one in the text.
    return Buffer.concat([before, renamed, Buffer.from(`${text.slice(nameEnd - from)}\n`)])
  }

  #keep(line: KeyedLine): void {
    if (this.#output && !this.#outputBroken) {
      if (compareLines(this.#columns.order, this.#last!, line) <= 0) {
        this.#last = line
        // Room for more is waited for after the piece.
        this.#output.push(line)
        return
      }
      this.#outputBroken = true
    }
    if (this.#outputBroken) this.#wasSorted = false
    this.#sorter.add(line.sequence, line.start0, line.end0, line.line)
    if (!this.#sorter.inOrder) this.#wasSorted = false
  }

  async #openOutput(): Promise<TabixOutput> {
    const { outFile, sequences, log, format } = this.#options
    if (format === 'vcf' && !this.#headerChecked) {
      this.#headerChecked = true
      this.#reportLengths(readVcfHeader(this.#header, this.#shownName, log))
    }
    if (format === 'gff3' && !this.#header.some((line) => line.startsWith('##gff-version')))
      this.#header.unshift('##gff-version 3')
    const header = this.#header
    for (const [at, line] of header.entries()) header[at] = this.#renameInHeader(line)
    return TabixOutput.open(outFile, header, sequences, this.#columns, this.#depth)
  }

  /** Contigs of other lengths than the genome's are of another release; when all are, of another assembly. */
  #reportLengths(contigs: ReadonlyMap<string, number>): void {
    const lengths = new Map(this.#options.sequences.map(({ name, lengthBp }) => [name, lengthBp]))
    const known = [...contigs].flatMap(([name, found]) => {
      const expected = lengths.get(this.#genomeName(name) ?? '')
      return expected === undefined ? [] : [{ name, found, expected }]
    })
    const others = known.filter(({ found, expected }) => found !== expected)
    if (others.length === 0) return
    const code = others.length === known.length ? 'track-lengths-all-differ' : 'track-lengths-differ'
    const names = others.slice(0, 5).map(({ name, found, expected }) => `${name} ${found}/${expected}`)
    this.#options.log.report(trackDefects, code, this.#shownName, null, {
      count: others.length,
      total: known.length,
      names: `${names.join(', ')}${others.length > 5 ? ', …' : ''}`,
    })
  }

  /** Sequence names in header lines follow those of the records. */
  #renameInHeader(line: string): string {
    const match = /^(##contig=<(?:.*,)?ID=|##sequence-region\s+)([^,>\s]+)(.*)$/.exec(line)
    const renamed = match ? this.#genomeName(match[2]!) : null
    return match && renamed !== null ? `${match[1]}${renamed}${match[3]}` : line
  }

  async finish(): Promise<BakedTabix> {
    const { log, outFile } = this.#options
    if (!this.#started) log.report(textDefects, 'text-empty', this.#shownName, null)
    // Half a character at the end of UTF-16 is an error, which is told.
    if (!this.#ended) this.#utf16.take(new Uint8Array(0), true)
    if (!this.#ended && this.#rest.length > 0) {
      // The last line had no line feed.
      const last = Buffer.concat([...this.#rest, Buffer.from('\n')])
      this.#rest = []
      this.#takeLine(last, 0, last.length)
    }
    if (this.#outputBroken) await this.settle()
    let output = this.#output
    if (!output) {
      output = await this.#openOutput()
      this.#output = output
      const opened = output
      await this.#sorter.merge((line) => (opened.push(line) ? undefined : opened.writer.drain()))
    }
    await output.finish()
    this.#output = null
    const sequences = output.index.counts
    const records = sequences.reduce((sum, { records: count }) => sum + count, 0)
    this.#reportUnknown(records)
    if (records === 0 && this.#unknown.size === 0) log.report(trackDefects, 'track-no-rows', this.#shownName, null)
    const { writer, index } = output
    const csiFile = `${outFile}.csi`
    const tbiFile = this.#depth === 5 ? `${outFile}.tbi` : null
    const virtualOffset = (offset: number): number => writer.virtualOffset(offset)
    await writeBgzfFile(csiFile, index.render('csi', this.#columns, virtualOffset))
    if (tbiFile) await writeBgzfFile(tbiFile, index.render('tbi', this.#columns, virtualOffset))
    return {
      csiFile,
      tbiFile,
      records,
      leftOut: this.#leftOut,
      commentsLeftOut: this.#comments,
      wasSorted: this.#wasSorted,
      sequences,
    }
  }

  /** A file of which no sequence is known belongs to another assembly; of one that is known in part, each unknown name is told. */
  #reportUnknown(records: number): void {
    const { log, sequences } = this.#options
    const unknown = [...this.#unknown]
    if (unknown.length > 0 && unknown.length === this.#names.size) {
      log.report(trackDefects, 'track-sequences-all-unknown', this.#shownName, null, {
        found: unknown
          .slice(0, 5)
          .map(([name]) => name)
          .join(', '),
        expected: sequences
          .slice(0, 5)
          .map(({ name }) => name)
          .join(', '),
      })
      return
    }
    if (unknown.length === 0) return
    const count = unknown.reduce((sum, [, { count: own }]) => sum + own, 0)
    const [[example, { line: first }]] = unknown as [(typeof unknown)[number]]
    refuseLeftOut(log, this.#shownName, { why: 'unknown', count, total: records + count, line: first, example })
    for (const [name, { line, count: own }] of unknown)
      log.report(trackDefects, 'track-sequence-unknown', this.#shownName, line, { name, count: own })
  }

  async close(): Promise<void> {
    await this.#output?.writer.abort()
    await this.#sorter.close()
  }
}

/** The file being written, with its index. */
class TabixOutput {
  readonly writer: BgzfWriter
  readonly index: IntervalIndexBuilder
  readonly #sequences: readonly { name: string }[]
  readonly #columns: IndexedColumns

  private constructor(
    writer: BgzfWriter,
    sequences: readonly { name: string }[],
    columns: IndexedColumns,
    depth: number,
  ) {
    this.writer = writer
    this.index = new IntervalIndexBuilder(depth)
    this.#sequences = sequences
    this.#columns = columns
  }

  static async open(
    file: string,
    header: string[],
    sequences: readonly { name: string }[],
    columns: IndexedColumns,
    depth: number,
  ): Promise<TabixOutput> {
    const writer = await BgzfWriter.create(file)
    // A line for each sequence of a draft is a long header.
    for (let at = 0; at < header.length; at += headerBatch)
      await writer.write(Buffer.from(`${header.slice(at, at + headerBatch).join('\n')}\n`))
    return new TabixOutput(writer, sequences, columns, depth)
  }

  /** False when `writer.drain()` should be awaited before the next line. */
  push({ sequence, start0, end0, line }: KeyedLine): boolean {
    const begin = this.writer.uncompressedBytes
    this.index.add(this.#sequences[sequence]!.name, start0, end0, begin, begin + line.length)
    return this.writer.push(line)
  }

  async finish(): Promise<void> {
    await this.writer.finish()
  }

  /** What has been written becomes a run of the sort: it is moved to `file` and read from there. */
  async turnIntoRun(file: string): Promise<LineRun> {
    await this.finish()
    await rename(this.writer.file, file)
    return new BakedRun(file, new Map(this.#sequences.map(({ name }, number) => [name, number])), this.#columns)
  }
}

/** Reads the lines of a file that was written here, in its order. */
class BakedRun implements LineRun {
  current: KeyedLine | null = null
  readonly #pieces: AsyncGenerator<Buffer>
  readonly #numbers: Map<string, number>
  readonly #columns: IndexedColumns
  readonly #fields = emptyFields()
  #piece: Buffer = Buffer.alloc(0)
  #at = 0

  constructor(file: string, numbers: Map<string, number>, columns: IndexedColumns) {
    this.#pieces = readDecompressed(file)
    this.#numbers = numbers
    this.#columns = columns
  }

  advance(): Promise<void> | undefined {
    return this.#take() ? undefined : this.#refill()
  }

  #take(): boolean {
    for (;;) {
      const at = this.#at
      const end = this.#piece.indexOf(lineFeed, at)
      if (end < 0) return false
      this.#at = end + 1
      if (this.#piece[at] === hash) continue
      const fields = this.#fields
      parseFields(this.#piece, at, end, this.#columns, fields)
      this.current = {
        sequence: this.#numbers.get(this.#piece.toString('utf8', fields.nameStart, fields.nameEnd))!,
        start0: fields.start0,
        end0: fields.end0,
        line: this.#piece.subarray(at, end + 1),
      }
      return true
    }
  }

  async #refill(): Promise<void> {
    do {
      const next = await this.#pieces.next()
      if (next.done) {
        this.current = null
        return
      }
      this.#piece = Buffer.concat([this.#piece.subarray(this.#at), next.value])
      this.#at = 0
    } while (!this.#take())
  }

  async close(): Promise<void> {
    await this.#pieces.return(undefined)
  }
}
