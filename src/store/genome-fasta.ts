import { createReadStream } from 'node:fs'
import { mkdir, stat, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { type FastaHeader, FastaReader } from '../bio/sequence/fasta.ts'
import { fastaDefects } from '../bio/sequence/fasta-defects.ts'
import type { DefectLog } from '../bio/text/defects.ts'
import { NameTable } from '../bio/text/name-table.ts'
import { type BgzfBlockCache, BgzfReader, BgzfWriter } from './bgzf.ts'
import type { ByteSource } from './byte-range.ts'
import { RefgetDigest } from './checksum.ts'
import { readGenomeText } from './genome-text.ts'
import { asStoreError, StoreError } from './store-error.ts'

/** Names of the files of a baked genome, inside its folder. */
export const genomeFiles = {
  fasta: 'genome.fa.gz',
  fai: 'genome.fa.gz.fai',
  gzi: 'genome.fa.gz.gzi',
  sequences: 'genome.sequences.tsv',
} as const

const lineBases = 60

/** One sequence of a genome: its counts and the names it has by its content. */
export interface GenomeSequence {
  name: string
  /** What follows the name in its FASTA header; empty when nothing does. */
  description: string
  lengthBp: number
  gcCount: number
  /** A, T and U. */
  atCount: number
  nCount: number
  /** Residues that are none of A, C, G, T, U, N: `lengthBp` less the three counts above. */
  ambiguousCount: number
  /** Runs of N, of any length. */
  gapCount: number
  /** Lower-case residues: the soft mask. */
  softMaskedCount: number
  /** MD5 of the upper-case residues: refget, and the M5 tag of SAM. */
  md5: string
  /** GA4GH refget v2 id, with its prefix `SQ.`. */
  sha512t24u: string
}

export interface BakeGenomeOptions {
  /** FASTA files (plain, gzip or bgzip) and 2bit; taken in this order as one genome. */
  inputs: string[]
  /** Made when absent; the four `genomeFiles` are written into it. */
  outDir: string
  /** Takes what is wrong with the inputs. When it `hasErrors` afterwards, the result must not be used. */
  log: DefectLog
  onProgress?: (progress: { bytesRead: number; bytesTotal: number; sequences: number }) => void
  signal?: AbortSignal
}

export interface BakedGenome {
  /** In the order of the file. */
  sequences: GenomeSequence[]
  totalBp: number
}

/**
 * Bakes FASTA or 2bit into `genome.fa.gz` (BGZF, 60 columns, case and description kept) with its .fai and .gzi, as
 * `samtools faidx` would index it, and a table of the sequences' counts and digests. Empty sequences and second ones of the
 * same name are left out; everything odd goes to `log` under the names of the input files. Memory does not grow with the
 * length of sequences.
 *
 * Throws StoreError when a file cannot be read (`missing`), is cut off or damaged (`truncated`, `corrupt`), or the disk is
 * full; an aborted `signal` throws its reason.
 */
export async function bakeGenomeFasta(options: BakeGenomeOptions): Promise<BakedGenome> {
  const { inputs, outDir, log, onProgress, signal } = options
  await mkdir(outDir, { recursive: true })
  const sizes = await Promise.all(
    inputs.map((file) =>
      stat(file).then(
        ({ size }) => size,
        (thrown: unknown) => Promise.reject(asStoreError(thrown, file)),
      ),
    ),
  )
  const bytesTotal = sizes.reduce((sum, size) => sum + size, 0)
  const writer = await BgzfWriter.create(path.join(outDir, genomeFiles.fasta), { profile: 'sequence' })
  try {
    const baker = new GenomeBaker(writer, log)
    let bytesBefore = 0
    for (const [number, file] of inputs.entries()) {
      const reader = baker.openReader(file)
      let bytesRead = 0
      const pieces = readGenomeText(file, (bytes) => {
        bytesRead = bytes
      })
      for await (const piece of pieces) {
        signal?.throwIfAborted()
        reader.push(piece)
        await writer.drain()
        onProgress?.({ bytesRead: bytesBefore + bytesRead, bytesTotal, sequences: baker.sequences.length })
      }
      reader.end()
      bytesBefore += sizes[number]!
    }
    await writer.finish({ gzi: path.join(outDir, genomeFiles.gzi) })
    const { sequences } = baker
    await writeFile(path.join(outDir, genomeFiles.fai), inBatches(renderFai(sequences, baker.offsets)))
    await writeFile(path.join(outDir, genomeFiles.sequences), inBatches(renderSequenceTable(sequences)))
    return { sequences, totalBp: sequences.reduce((sum, { lengthBp }) => sum + lengthBp, 0) }
  } catch (thrown) {
    throw asStoreError(thrown, outDir)
  } finally {
    await writer.abort()
  }
}

// What a residue counts as.
const countsAs = { ambiguous: 0, gc: 1, at: 2, n: 3 } as const
const kinds = new Uint8Array(256)
for (const letter of 'GCgc') kinds[letter.charCodeAt(0)] = countsAs.gc
for (const letter of 'ATUatu') kinds[letter.charCodeAt(0)] = countsAs.at
for (const letter of 'Nn') kinds[letter.charCodeAt(0)] = countsAs.n

class GenomeBaker {
  readonly sequences: GenomeSequence[] = []
  /** Uncompressed offset of the first residue of each sequence. */
  readonly offsets: number[] = []
  readonly #writer: BgzfWriter
  readonly #log: DefectLog
  /** Where each name stood first, over all files. */
  readonly #seen = new NameTable()
  readonly #seenIn: string[] = []
  readonly #seenAt: number[] = []
  #skipped = false
  #digest: RefgetDigest | null = null
  readonly #byteCounts = new Float64Array(256)
  #gapCount = 0
  #inGap = false
  #column = 0
  #upper: Buffer = Buffer.alloc(0)
  #lines: Buffer = Buffer.alloc(0)

  constructor(writer: BgzfWriter, log: DefectLog) {
    this.#writer = writer
    this.#log = log
  }

  /** A reader for the next file. */
  openReader(file: string): FastaReader {
    const shownName = path.basename(file)
    return new FastaReader({
      file: shownName,
      log: this.#log,
      alphabet: 'nucleotide',
      gaps: 'refuse',
      onRecord: (header) => this.#beginRecord(header, shownName),
      onResidues: (residues, header) => this.#takeResidues(residues, header),
      onRecordEnd: (header, count) => this.#endRecord(header, count),
    })
  }

  #beginRecord(header: FastaHeader, file: string): void {
    const position = this.#seen.add(header.name)
    const first = this.#seenIn[position]
    this.#skipped = first !== undefined
    if (first === undefined) {
      this.#seenIn.push(file)
      this.#seenAt.push(header.line)
      // Within one file the reader has said so already.
    } else if (first !== file)
      this.#log.report(fastaDefects, 'fasta-duplicate-name', file, header.line, {
        name: header.name,
        firstLine: `${first}:${this.#seenAt[position]}`,
      })
  }

  #takeResidues(residues: Uint8Array, header: FastaHeader): void {
    if (this.#skipped) return
    if (!this.#digest) {
      // Only now is it known that the sequence is not empty.
      this.#digest = new RefgetDigest()
      this.#byteCounts.fill(0)
      this.#gapCount = 0
      this.#inGap = false
      this.#column = 0
      const { name, description } = header
      this.#writer.push(Buffer.from(description === '' ? `>${name}\n` : `>${name} ${description}\n`))
      this.offsets.push(this.#writer.uncompressedBytes)
    }
    if (this.#upper.length < residues.length) {
      this.#upper = Buffer.allocUnsafe(residues.length)
      this.#lines = Buffer.allocUnsafe(residues.length + Math.ceil(residues.length / lineBases) + 1)
    }
    const counts = this.#byteCounts
    const upper = this.#upper
    const lines = this.#lines
    let column = this.#column
    let inGap = this.#inGap
    let written = 0
    for (let i = 0; i < residues.length; i++) {
      const residue = residues[i]!
      counts[residue] = counts[residue]! + 1
      // Letters only come here: bit 5 is their case.
      upper[i] = residue & 0xdf
      if ((residue & 0xdf) !== 0x4e) inGap = false
      else if (!inGap) {
        inGap = true
        this.#gapCount++
      }
      lines[written++] = residue
      if (++column === lineBases) {
        lines[written++] = 10
        column = 0
      }
    }
    this.#column = column
    this.#inGap = inGap
    this.#digest.update(upper.subarray(0, residues.length))
    this.#writer.push(lines.subarray(0, written))
  }

  #endRecord(header: FastaHeader, lengthBp: number): void {
    if (!this.#digest) return
    if (this.#column > 0) this.#writer.push(Buffer.from('\n'))
    const totals = [0, 0, 0, 0]
    let softMaskedCount = 0
    for (let byte = 65; byte < 123; byte++) {
      const kind = kinds[byte]!
      totals[kind] = totals[kind]! + this.#byteCounts[byte]!
      if (byte >= 97) softMaskedCount += this.#byteCounts[byte]!
    }
    const { md5, sha512t24u } = this.#digest.digest()
    this.#digest = null
    this.sequences.push({
      name: flat(header.name),
      description: flat(header.description),
      lengthBp,
      gcCount: totals[countsAs.gc]!,
      atCount: totals[countsAs.at]!,
      nCount: totals[countsAs.n]!,
      ambiguousCount: totals[countsAs.ambiguous]!,
      gapCount: this.#gapCount,
      softMaskedCount,
      md5,
      sha512t24u: flat(sha512t24u),
    })
  }
}

/** A text of its own: what was cut from another text, or joined from two, keeps those as well. */
function flat(text: string): string {
  return text === '' ? '' : Buffer.from(text).toString()
}

/** Lines joined by the thousand: each piece is a write of its own, and a draft genome has a million lines. */
function* inBatches(lines: Iterable<string>): Generator<string> {
  let batch: string[] = []
  for (const line of lines) {
    if (batch.push(line) < 1000) continue
    yield batch.join('')
    batch = []
  }
  yield batch.join('')
}

// .fai (samtools faidx, manual page faidx(5)): name, length, offset of the first base in the uncompressed file, bases a
// line, bytes a line. A sequence of one short line has its own length there, as samtools writes it.
function* renderFai(sequences: GenomeSequence[], offsets: number[]): Generator<string> {
  for (const [number, { name, lengthBp }] of sequences.entries()) {
    const bases = Math.min(lengthBp, lineBases)
    yield `${name}\t${lengthBp}\t${offsets[number]}\t${bases}\t${bases + 1}\n`
  }
}

const tableColumns = [
  'name',
  'lengthBp',
  'gcCount',
  'atCount',
  'nCount',
  'ambiguousCount',
  'gapCount',
  'softMaskedCount',
  'md5',
  'sha512t24u',
  'description',
] as const satisfies (keyof GenomeSequence)[]

function* renderSequenceTable(sequences: GenomeSequence[]): Generator<string> {
  yield `${tableColumns.join('\t')}\n`
  // A tab in a description would look like a column.
  for (const sequence of sequences)
    yield `${tableColumns.map((column) => String(sequence[column]).replaceAll('\t', ' ')).join('\t')}\n`
}

async function* readLines(file: string): AsyncGenerator<string> {
  let rest = ''
  try {
    for await (const piece of createReadStream(file, {
      encoding: 'utf8',
      highWaterMark: 1 << 18,
    }) as AsyncIterable<string>) {
      const lines = (rest + piece).split('\n')
      rest = lines.pop()!
      yield* lines
    }
  } catch (thrown) {
    throw asStoreError(thrown, file)
  }
  // A file that is not cut off ends with a line end.
  if (rest !== '') yield `${rest}${cutOff}`
}

/** Stands at the end of a last line without line end. */
const cutOff = '\r'

/** The sequences of a genome that was baked into a folder before. */
export const readGenomeSequences = async (folder: string): Promise<BakedGenome> => {
  const sequences: GenomeSequence[] = []
  for await (const sequence of readSequenceTable(path.join(folder, genomeFiles.sequences))) sequences.push(sequence)
  return { sequences, totalBp: sequences.reduce((sum, { lengthBp }) => sum + lengthBp, 0) }
}

async function* readSequenceTable(file: string): AsyncGenerator<GenomeSequence> {
  let number = 0
  for await (const row of readLines(file)) {
    number += 1
    if (number === 1 ? row !== tableColumns.join('\t') : row.endsWith(cutOff))
      throw new StoreError('bad-index', file, 'is not a table of sequences, or was cut off')
    if (number === 1) continue
    const [name, length, gc, at, n, ambiguous, gaps, masked, md5, sha512t24u, description] = row.split('\t')
    if (name === undefined || sha512t24u === undefined || description === undefined)
      throw new StoreError('bad-index', file, `line ${number} is not whole`)
    yield {
      name,
      description,
      lengthBp: Number(length),
      gcCount: Number(gc),
      atCount: Number(at),
      nCount: Number(n),
      ambiguousCount: Number(ambiguous),
      gapCount: Number(gaps),
      softMaskedCount: Number(masked),
      md5: md5!,
      sha512t24u,
    }
  }
  if (number === 0) throw new StoreError('bad-index', file, 'is not a table of sequences, or was cut off')
}

interface LineLayout {
  lengthBp: number
  offset: number
  lineBases: number
  lineBytes: number
}

/** What a .fai index says, four numbers a sequence: an object for each of a million scaffolds would take ten times the memory. */
class GenomeLayout {
  readonly #names = new NameTable()
  #numbers = new Float64Array(64)

  static async read(file: string): Promise<GenomeLayout> {
    const layout = new GenomeLayout()
    let number = 0
    for await (const row of readLines(file)) {
      number += 1
      if (row === '') continue
      const columns = row.replace(cutOff, '').split('\t')
      const numbers = columns.slice(1, 5).map(Number)
      if (
        columns.length !== 5 ||
        !numbers.every((value) => Number.isSafeInteger(value)) ||
        numbers[2]! < 1 ||
        numbers[3]! <= numbers[2]!
      )
        throw new StoreError('bad-index', file, `line ${number} is not one of a .fai index`)
      layout.#add(flat(columns[0]!), numbers)
    }
    return layout
  }

  #add(name: string, numbers: number[]): void {
    const at = this.#names.add(name) * 4
    if (at === this.#numbers.length) {
      const larger = new Float64Array(at * 2)
      larger.set(this.#numbers)
      this.#numbers = larger
    }
    this.#numbers.set(numbers, at)
  }

  find(name: string): LineLayout | null {
    const position = this.#names.find(name)
    if (position === null) return null
    const [lengthBp, offset, bases, bytes] = this.#numbers.subarray(position * 4, position * 4 + 4)
    return { lengthBp: lengthBp!, offset: offset!, lineBases: bases!, lineBytes: bytes! }
  }
}

/** A baked genome open for reading. Coordinates count from 0, half-open; residues come in the case they were loaded in. */
export interface Genome {
  /** Length of the sequence of that name, or null. */
  lengthOf(name: string): number | null
  /** All sequences with their counts, in the order of the file; read anew at every call. */
  sequences(): AsyncIterable<GenomeSequence>
  /**
   * Residues `[start0, end0)`. Throws StoreError `unknown-sequence`, or `out-of-range` unless 0 <= start0 <= end0 <= length:
   * clipping, and saying so, is the caller's.
   */
  fetch(name: string, start0: number, end0: number): Promise<string>
  /** The same in pieces, for what is too long for one string; the next piece is read while one is used. */
  stream(name: string, start0: number, end0: number): AsyncIterable<string>
  close(): Promise<void>
}

const streamPieceBp = lineBases * 4096

/**
 * Opens a genome that `bakeGenomeFasta` wrote into `dir`, or whose FASTA is read elsewhere (`fasta`) and only the small files are in
 * `dir`. A `cache` may be shared by many genomes.
 *
 * The reader is our own: 5,000 random regions of 2 kb of the yeast genome took it 0.15 s, against 2 s with
 * @gmod/indexedfasta 5.0.2; it also reads any ByteSource, checks every block and shares one bounded cache.
 */
export async function openGenome(
  dir: string,
  options: { cache?: BgzfBlockCache; fasta?: ByteSource } = {},
): Promise<Genome> {
  const file = path.join(dir, genomeFiles.fasta)
  const layouts = await GenomeLayout.read(path.join(dir, genomeFiles.fai))
  const tableFile = path.join(dir, genomeFiles.sequences)
  for await (const { name, lengthBp } of readSequenceTable(tableFile))
    if (layouts.find(name)?.lengthBp !== lengthBp)
      throw new StoreError('bad-index', tableFile, `${name} is not in the .fai index with the same length`)
  const reader = await BgzfReader.open(options.fasta ?? file, {
    gzi: path.join(dir, genomeFiles.gzi),
    cache: options.cache,
  })

  const checkedLayout = (name: string, start0: number, end0: number): LineLayout => {
    const layout = layouts.find(name)
    if (!layout) throw new StoreError('unknown-sequence', file, `has no sequence ${JSON.stringify(name.slice(0, 100))}`)
    if (
      !(Number.isInteger(start0) && Number.isInteger(end0) && 0 <= start0 && start0 <= end0 && end0 <= layout.lengthBp)
    )
      throw new StoreError('out-of-range', file, `${name} has ${layout.lengthBp} bases, not ${start0}..${end0}`)
    return layout
  }

  const fetchLaidOut = async (layout: LineLayout, start0: number, end0: number): Promise<string> => {
    if (start0 === end0) return ''
    const { offset, lineBases: bases, lineBytes } = layout
    const firstColumn = start0 % bases
    const from = offset + ((start0 - firstColumn) / bases) * lineBytes + firstColumn
    const lastColumn = (end0 - 1) % bases
    const to = offset + ((end0 - 1 - lastColumn) / bases) * lineBytes + lastColumn + 1
    const raw = await reader.read(from, to)
    const residues = Buffer.allocUnsafe(end0 - start0)
    let written = 0
    // Whole lines at a time; the first and the last may be parts of one.
    for (let at = 0, left = bases - firstColumn; at < raw.length; at += left + lineBytes - bases, left = bases)
      written += raw.copy(residues, written, at, Math.min(raw.length, at + left))
    if (written !== residues.length)
      throw new StoreError('bad-index', file, 'its lines are not as the .fai index has them')
    return residues.toString('latin1')
  }

  return {
    lengthOf: (name) => layouts.find(name)?.lengthBp ?? null,
    sequences: () => readSequenceTable(tableFile),
    async fetch(name, start0, end0) {
      return fetchLaidOut(checkedLayout(name, start0, end0), start0, end0)
    },
    async *stream(name, start0, end0) {
      const layout = checkedLayout(name, start0, end0)
      const fetchPiece = (at: number): Promise<string> => {
        const piece = fetchLaidOut(layout, at, Math.min(end0, at + streamPieceBp))
        // Awaited below, unless the consumer stops before: then its failure is nobody's concern.
        piece.catch(() => {})
        return piece
      }
      let next: Promise<string> | null = start0 < end0 ? fetchPiece(start0) : null
      for (let at = start0; next; ) {
        const piece: string = await next
        at += streamPieceBp
        next = at < end0 ? fetchPiece(at) : null
        yield piece
      }
    },
    close: () => reader.close(),
  }
}
