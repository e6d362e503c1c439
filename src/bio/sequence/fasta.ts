// FASTA as labs send it, in pieces of any size.

import { DefectLog } from '../text/defects.ts'
import { NameTable } from '../text/name-table.ts'
import { textDefects } from '../text/text-defects.ts'
import { TextDecoding, Utf16Unpacking } from '../text/text-encoding.ts'
import { inspectFileStart } from '../text/text-lines.ts'
import { fastaDefects } from './fasta-defects.ts'
import { type Alphabet, detectAlphabet } from './sequence.ts'

export interface FastaHeader {
  /** First word after ">". */
  name: string
  /** What follows the name; empty when nothing does. */
  description: string
  /** Line of the ">" sign, counted from 1. */
  line: number
}

export interface FastaReaderOptions {
  /** Name of the file, for defects. */
  file: string
  log: DefectLog
  alphabet: Alphabet
  /** What sequence before the first ">" line is: a defect (default) or a record of the name given here (pasted text). */
  headerlessName?: string
  /** What gap signs are: removed with a repair (default), or an error where places in the sequence are told by other files. */
  gaps?: 'remove' | 'refuse'
  onRecord?(header: FastaHeader): void
  /**
   * Residues of the record begun last: ASCII, case as written, without blanks and line ends. The bytes are overwritten after
   * the call.
   */
  onResidues?(residues: Uint8Array, header: FastaHeader): void
  onRecordEnd?(header: FastaHeader, residueCount: number): void
}

// What a byte inside a sequence line is.
const residue = 0
const lineFeed = 1
const carriageReturn = 2
const blankOrDigit = 3
const gap = 4
const stop = 5
const dot = 6
const illegal = 7

function makeByteKinds(alphabet: Alphabet): Uint8Array {
  const kinds = new Uint8Array(256).fill(illegal)
  // IUPAC nucleotide codes; X is what some maskers write for N. A protein may hold every letter.
  const letters = alphabet === 'nucleotide' ? 'ACGTURYSWKMBDHVNX' : 'ABCDEFGHIJKLMNOPQRSTUVWXYZ'
  for (const letter of letters + letters.toLowerCase()) kinds[letter.charCodeAt(0)] = residue
  for (const sign of ' \t\v\f0123456789') kinds[sign.charCodeAt(0)] = blankOrDigit
  kinds[10] = lineFeed
  kinds[13] = carriageReturn
  kinds['-'.charCodeAt(0)] = gap
  if (alphabet === 'protein') {
    kinds['*'.charCodeAt(0)] = stop
    kinds['.'.charCodeAt(0)] = dot
  }
  return kinds
}

const byteKinds: Record<Alphabet, Uint8Array> = {
  nucleotide: makeByteKinds('nucleotide'),
  protein: makeByteKinds('protein'),
}

/** What is given for a FASTA by mistake, by its beginning. */
const otherFormats: readonly [RegExp, string][] = [
  [/^LOCUS\s+\S/, 'GenBank'],
  [/^ID {3}\S/, 'EMBL'],
  [/^##gff-version/, 'GFF3'],
  [/^(#[^\n]*\r?\n)*[^\t\n>]+\t[^\t\n]*\t[^\t\n]+\t\d+\t\d+\t[^\t\n]*\t[-+.?]\t/, 'GFF3, GTF'],
  [/^##fileformat=VCF/, 'VCF'],
  [/^@[^\n]*\r?\n[A-Za-z.*]+\r?\n\+/, 'FASTQ'],
]

const greaterThan = 62
const semicolon = 59
const starSign = 42

type State = 'line-start' | 'sequence' | 'header' | 'comment'

/**
 * Reads FASTA from bytes. Any line end, width and case; blank lines, `;` comment lines and a byte order mark are skipped.
 * Blanks, digits and gap signs inside sequences are removed, `.` in proteins becomes `*` (gffread writes stops so), each
 * with a repair in the log; the final `*` of a protein is given out like the others. A character that belongs to no
 * alphabet, sequence before the first header and a name used twice are errors.
 *
 * Example: pushing the bytes of ">a first\nAC\nGT\n" calls `onRecord({name: 'a', description: 'first', line: 1})`,
 * `onResidues` with the bytes of ACGT, and at `end()` `onRecordEnd(…, 4)`.
 */
export class FastaReader {
  readonly #options: FastaReaderOptions
  readonly #kinds: Uint8Array
  readonly #decoding: TextDecoding
  readonly #utf16: Utf16Unpacking
  readonly #names = new NameTable()
  /** Line at which each name stood first. */
  readonly #firstLines: number[] = []
  #state: State = 'line-start'
  #line = 1
  #column = 0
  #afterReturn = false
  #oldMacTold = false
  #header: FastaHeader | null = null
  #headerBytes: Uint8Array[] = []
  #headerLine = 0
  #residueCount = 0
  #output = new Uint8Array(0)
  #outputLength = 0
  #start: Uint8Array | null = new Uint8Array(0)
  #refused = false
  #anyByte = false
  #skipResidues = false
  #unnamed = 0
  // Told once a record, or a wholly numbered file would fill the report.
  #blanksTold = false
  #gapsTold = false
  #dotTold = false
  #internalStopTold = false
  #stopOpen = false

  constructor(options: FastaReaderOptions) {
    this.#options = options
    this.#kinds = byteKinds[options.alphabet]
    this.#decoding = new TextDecoding(options.file, options.log)
    this.#utf16 = new Utf16Unpacking(options.file, options.log)
  }

  /** Takes the next bytes; they may be reused by the caller afterwards. */
  push(chunk: Uint8Array): void {
    if (this.#refused || chunk.length === 0) return
    this.#anyByte = true
    if (this.#start) {
      const joined = new Uint8Array(this.#start.length + chunk.length)
      joined.set(this.#start)
      joined.set(chunk, this.#start.length)
      this.#start = joined
      if (joined.length < 512) return
      this.#begin()
      return
    }
    this.#scan(this.#utf16.take(chunk))
  }

  /** The file is at its end: the last record is closed; a file without any record is an error in the log. */
  end(): void {
    const { file, log } = this.#options
    if (this.#refused) return
    if (this.#start) this.#begin()
    if (this.#refused) return
    // Half a character at the end of UTF-16 is an error, which is told.
    this.#utf16.take(new Uint8Array(0), true)
    if (this.#utf16.refused) {
      this.#refused = true
      return
    }
    if (this.#state === 'header') this.#closeHeader()
    if (this.#refused) return
    this.#flush()
    this.#closeRecord()
    if (!this.#anyByte) log.report(textDefects, 'text-empty', file, null)
    else if (this.#names.size === 0 && log.count('fasta-no-header') === 0) {
      log.report(fastaDefects, 'fasta-no-sequences', file, null)
    }
  }

  #begin(): void {
    let bytes = this.#start!
    this.#start = null
    if (this.#utf16.begin(bytes)) bytes = this.#utf16.take(bytes)
    const problem = inspectFileStart(bytes)
    if (problem) {
      this.#options.log.report(textDefects, problem.code, this.#options.file, 1, problem.params)
      this.#refused = true
      return
    }
    const start = new TextDecoder('latin1').decode(bytes.subarray(0, 1024))
    const other = otherFormats.find(([form]) => form.test(start))?.[1]
    if (other !== undefined) {
      this.#options.log.report(fastaDefects, 'fasta-other-format', this.#options.file, 1, { found: other })
      this.#refused = true
      return
    }
    if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) {
      this.#options.log.report(textDefects, 'text-byte-order-mark', this.#options.file, 1)
      bytes = bytes.subarray(3)
    }
    this.#scan(bytes)
  }

  #scan(chunk: Uint8Array): void {
    const end = chunk.length
    let position = 0
    while (position < end && !this.#refused) {
      if (this.#state === 'sequence') position = this.#scanSequence(chunk, position)
      else if (this.#state === 'line-start') position = this.#scanLineStart(chunk, position)
      else position = this.#scanHeader(chunk, position)
    }
    this.#flush()
  }

  #scanLineStart(chunk: Uint8Array, position: number): number {
    const byte = chunk[position]!
    if (byte === 10) {
      // The second half of CRLF was counted with its CR.
      if (this.#afterReturn) this.#afterReturn = false
      else this.#line++
      return position + 1
    }
    if (this.#afterReturn) {
      this.#afterReturn = false
      if (!this.#oldMacTold) {
        this.#oldMacTold = true
        this.#options.log.report(textDefects, 'text-old-mac-newlines', this.#options.file, this.#line - 1)
      }
    }
    if (byte === 13) {
      this.#afterReturn = true
      this.#line++
      return position + 1
    }
    if (byte === greaterThan) {
      this.#flush()
      this.#closeRecord()
      this.#state = 'header'
      this.#headerLine = this.#line
      return position + 1
    }
    if (byte === semicolon) {
      this.#state = 'comment'
      return position + 1
    }
    this.#state = 'sequence'
    this.#column = 0
    return position
  }

  #scanHeader(chunk: Uint8Array, start: number): number {
    let position = start
    while (position < chunk.length && chunk[position] !== 10 && chunk[position] !== 13) position++
    if (this.#state === 'header') this.#headerBytes.push(chunk.slice(start, position))
    if (position === chunk.length) return position
    if (this.#state === 'header') this.#closeHeader()
    this.#state = 'line-start'
    return position
  }

  #closeHeader(): void {
    const { file, log, onRecord } = this.#options
    const length = this.#headerBytes.reduce((sum, part) => sum + part.length, 0)
    const bytes = new Uint8Array(length)
    let offset = 0
    for (const part of this.#headerBytes) {
      bytes.set(part, offset)
      offset += part.length
    }
    this.#headerBytes = []
    const text = this.#decoding.decode(bytes, this.#headerLine)
    if (text === null) {
      this.#refused = true
      return
    }
    const trimmed = text.trim()
    const blank = trimmed.search(/\s/)
    let name = blank < 0 ? trimmed : trimmed.slice(0, blank)
    if (name === '') {
      do {
        this.#unnamed++
        name = `unnamed_${this.#unnamed}`
      } while (this.#names.find(name) !== null)
      log.report(fastaDefects, 'fasta-empty-name', file, this.#headerLine, { name })
    } else if (/^\s/.test(text)) {
      log.report(fastaDefects, 'fasta-space-before-name', file, this.#headerLine, { name })
    }
    this.#openRecord({ name, description: blank < 0 ? '' : trimmed.slice(blank).trim(), line: this.#headerLine })
    onRecord?.(this.#header!)
  }

  #openRecord(header: FastaHeader): void {
    const { file, log } = this.#options
    const position = this.#names.add(header.name)
    const firstLine = this.#firstLines[position]
    if (firstLine !== undefined)
      log.report(fastaDefects, 'fasta-duplicate-name', file, header.line, { name: header.name, firstLine })
    else this.#firstLines.push(header.line)
    this.#header = header
    this.#residueCount = 0
    this.#skipResidues = false
    this.#blanksTold = false
    this.#gapsTold = false
    this.#dotTold = false
    this.#internalStopTold = false
    this.#stopOpen = false
  }

  #closeRecord(): void {
    const { file, log, onRecordEnd } = this.#options
    if (!this.#header) return
    const header = this.#header
    if (this.#residueCount === 0)
      log.report(fastaDefects, 'fasta-empty-sequence', file, header.line, { name: header.name })
    onRecordEnd?.(header, this.#residueCount)
    this.#header = null
  }

  #scanSequence(chunk: Uint8Array, start: number): number {
    if (!this.#header && !this.#skipResidues) this.#openHeaderless()
    const kinds = this.#kinds
    const end = chunk.length
    if (this.#output.length < this.#outputLength + end - start) {
      const larger = new Uint8Array(this.#outputLength + end - start)
      larger.set(this.#output.subarray(0, this.#outputLength))
      this.#output = larger
    }
    const output = this.#output
    const lineOffset = start - this.#column
    let length = this.#outputLength
    let position = start
    while (position < end) {
      const byte = chunk[position]!
      const kind = kinds[byte]!
      if (kind === residue) {
        if (this.#stopOpen) this.#reportInternalStop()
        output[length++] = byte
        position++
        continue
      }
      if (kind === lineFeed || kind === carriageReturn) {
        this.#state = 'line-start'
        break
      }
      const kept = this.#handleUnusual(kind, byte, position - lineOffset + 1)
      if (kept >= 0) output[length++] = kept
      position++
    }
    this.#column = position - lineOffset
    this.#outputLength = this.#skipResidues ? 0 : length
    return position
  }

  #openHeaderless(): void {
    const { file, log, headerlessName, onRecord } = this.#options
    if (headerlessName === undefined) {
      log.report(fastaDefects, 'fasta-no-header', file, this.#line)
      this.#skipResidues = true
      return
    }
    this.#openRecord({ name: headerlessName, description: '', line: this.#line })
    onRecord?.(this.#header!)
  }

  /** Returns the byte to keep, or -1. */
  #handleUnusual(kind: number, byte: number, column: number): number {
    const { file, log, alphabet, gaps } = this.#options
    if (this.#skipResidues) return -1
    const name = this.#header!.name
    if (kind === blankOrDigit) {
      if (!this.#blanksTold) {
        this.#blanksTold = true
        // Trailing blanks are common and harmless, but the removal is said all the same.
        log.report(fastaDefects, 'fasta-blanks-or-digits', file, this.#line, { name })
      }
      return -1
    }
    if (kind === gap) {
      if (!this.#gapsTold) {
        this.#gapsTold = true
        log.report(fastaDefects, gaps === 'refuse' ? 'fasta-gaps' : 'fasta-gaps-removed', file, this.#line, { name })
      }
      return -1
    }
    if (kind === stop || kind === dot) {
      if (kind === dot && !this.#dotTold) {
        this.#dotTold = true
        log.report(fastaDefects, 'fasta-dot-as-stop', file, this.#line, { name })
      }
      if (this.#stopOpen) this.#reportInternalStop()
      this.#stopOpen = true
      return starSign
    }
    const character =
      byte > 32 && byte < 127 ? String.fromCharCode(byte) : `0x${byte.toString(16).toUpperCase().padStart(2, '0')}`
    log.report(fastaDefects, 'fasta-illegal-character', file, this.#line, {
      name,
      column,
      character,
      alphabet: `@${alphabet}`,
    })
    return -1
  }

  #reportInternalStop(): void {
    this.#stopOpen = false
    if (this.#internalStopTold) return
    this.#internalStopTold = true
    this.#options.log.report(fastaDefects, 'fasta-internal-stop', this.#options.file, this.#line, {
      name: this.#header!.name,
    })
  }

  #flush(): void {
    if (this.#outputLength === 0) return
    this.#residueCount += this.#outputLength
    const residues = this.#output.subarray(0, this.#outputLength)
    this.#outputLength = 0
    this.#options.onResidues?.(residues, this.#header!)
  }
}

export interface FastaRecord {
  name: string
  description: string
  sequence: string
}

export interface ParsedFasta {
  records: FastaRecord[]
  alphabet: Alphabet | null
  log: DefectLog
}

/**
 * Reads pasted or uploaded FASTA held in memory. Text without any ">" is one sequence named `sequence_1`. The alphabet is
 * guessed from all sequences together unless given; every defect is in `log`, with its line.
 *
 * Example: `parseFastaText('acgt acgt').records` is `[{name: 'sequence_1', description: '', sequence: 'acgtacgt'}]`.
 */
export function parseFastaText(text: string, options: { alphabet?: Alphabet; file?: string } = {}): ParsedFasta {
  const log = new DefectLog()
  const alphabet = options.alphabet ?? detectAlphabet(text.replace(/^[ \t]*[>;].*$/gm, ''))
  const records: FastaRecord[] = []
  const decoder = new TextDecoder('latin1')
  let pieces: string[] = []
  const reader = new FastaReader({
    file: options.file ?? 'text',
    log,
    alphabet: alphabet ?? 'nucleotide',
    headerlessName: 'sequence_1',
    onResidues: (residues) => void pieces.push(decoder.decode(residues)),
    onRecordEnd({ name, description }) {
      records.push({ name, description, sequence: pieces.join('') })
      pieces = []
    },
  })
  reader.push(new TextEncoder().encode(text))
  reader.end()
  return { records, alphabet, log }
}
