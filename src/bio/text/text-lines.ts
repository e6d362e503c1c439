// Lines of text files as they come from labs: any line end, any of the usual encodings, in pieces of any size.

import { textDefects } from './text-defects.ts'
import { TextDecoding, type TextLog, Utf16Unpacking } from './text-encoding.ts'

/**
 * What the first bytes of a file say against its being text, as a defect code with its parameters, or null.
 *
 * Example: `inspectFileStart(Uint8Array.of(0x1f, 0x8b))` is `{code: 'text-compressed', params: {kind: 'gzip'}}`.
 */
export function inspectFileStart(
  bytes: Uint8Array,
): { code: 'text-compressed' | 'text-archive' | 'text-html'; params: Record<string, string> } | null {
  const starts = (...magic: number[]) => magic.every((byte, index) => bytes[index] === byte)
  // Magic numbers: RFC 1952 (gzip), bzip2, xz, zstd (RFC 8878), ZIP.
  if (starts(0x1f, 0x8b)) return { code: 'text-compressed', params: { kind: 'gzip' } }
  if (starts(0x42, 0x5a, 0x68)) return { code: 'text-compressed', params: { kind: 'bzip2' } }
  if (starts(0xfd, 0x37, 0x7a, 0x58, 0x5a)) return { code: 'text-compressed', params: { kind: 'xz' } }
  if (starts(0x28, 0xb5, 0x2f, 0xfd)) return { code: 'text-compressed', params: { kind: 'zstd' } }
  if (starts(0x50, 0x4b, 0x03, 0x04)) return { code: 'text-compressed', params: { kind: 'zip' } }
  // The name of the first member, its mode in octal digits, then at 257 the magic of POSIX tar ("ustar").
  if (bytes.length > 262 && new TextDecoder('latin1').decode(bytes.subarray(257, 262)) === 'ustar')
    return { code: 'text-archive', params: { kind: 'tar' } }
  const start = new TextDecoder('latin1').decode(bytes.subarray(0, 64)).trimStart().toLowerCase()
  if (start.startsWith('<!doctype html') || start.startsWith('<html')) return { code: 'text-html', params: {} }
  return null
}

const newline = 10
const carriageReturn = 13

export interface LineReaderOptions {
  /** Name of the file, for defects. */
  file: string
  log: TextLog
  /** Called with every line, without its end, and its number counted from 1. */
  onLine(line: string, lineNumber: number): void
}

/** Bytes that are enough to know a file by: those of the head of a tar archive. */
const knownBytes = 512

/**
 * Cuts bytes into lines. LF, CRLF and CR alone end a line. UTF-8 is expected, with or without a byte order mark; UTF-16, GB18030
 * and Windows-1252 are told from the bytes (see `TextDecoding`) and logged. Compressed files, archives, web pages, texts of
 * several encodings or with NUL bytes are logged as errors and give no further line.
 *
 * Example: `push` of the bytes of "a\r\nb" and `end()` call `onLine('a', 1)`, `onLine('b', 2)`.
 */
export class LineReader {
  readonly #options: LineReaderOptions
  readonly #decoding: TextDecoding
  readonly #utf16: Utf16Unpacking
  // The beginning of a line whose end has not come. Pieces are joined only then: a chromosome on one line comes in
  // thousands of pieces, and joining at each would take the square of its length.
  #rest: Uint8Array[] = []
  #lineNumber = 0
  #started = false
  #refused = false
  #oldMac = false

  constructor(options: LineReaderOptions) {
    this.#options = options
    this.#decoding = new TextDecoding(options.file, options.log)
    this.#utf16 = new Utf16Unpacking(options.file, options.log)
  }

  /** Whether the file was refused as no text that can be read; all that follows is ignored. */
  get refused(): boolean {
    return this.#refused
  }

  /** Takes the next bytes; they may be reused by the caller afterwards. */
  push(chunk: Uint8Array): void {
    if (this.#refused || chunk.length === 0) return
    let bytes = this.#started ? this.#utf16.take(chunk) : chunk
    if (!this.#started) {
      bytes = this.#takeRest(chunk)
      // Wait for enough bytes to know the file by.
      if (bytes.length < knownBytes) {
        this.#rest.push(bytes.slice())
        return
      }
      bytes = this.#start(bytes)
      if (this.#refused) return
    }
    const lastEnd = bytes.lastIndexOf(this.#oldMac ? carriageReturn : newline)
    if (lastEnd < 0) {
      this.#rest.push(bytes.slice())
      return
    }
    const whole = this.#takeRest(bytes.subarray(0, lastEnd))
    if (lastEnd + 1 < bytes.length) this.#rest.push(bytes.slice(lastEnd + 1))
    this.#decode(whole)
  }

  /** The file is at its end: the last line, which may lack its newline, is given out. Logs a file without any byte. */
  end(): void {
    if (this.#refused) return
    let last = this.#takeRest(new Uint8Array(0))
    if (!this.#started) {
      if (last.length === 0) {
        this.#options.log.report(textDefects, 'text-empty', this.#options.file, null)
        return
      }
      last = this.#start(last)
      if (this.#refused) return
    }
    // Half a character at the end of UTF-16 is an error.
    this.#utf16.take(new Uint8Array(0), true)
    if (this.#utf16.refused) this.#refused = true
    if (last.length === 0 || this.#refused) return
    // Nothing but the ends themselves is left when the file ends with one.
    this.#decode(last.at(-1) === newline || last.at(-1) === carriageReturn ? last.subarray(0, -1) : last)
  }

  #takeRest(bytes: Uint8Array): Uint8Array {
    if (this.#rest.length === 0) return bytes
    let length = bytes.length
    for (const part of this.#rest) length += part.length
    const joined = new Uint8Array(length)
    let offset = 0
    for (const part of this.#rest) {
      joined.set(part, offset)
      offset += part.length
    }
    joined.set(bytes, offset)
    this.#rest = []
    return joined
  }

  #start(given: Uint8Array): Uint8Array {
    const { file, log } = this.#options
    this.#started = true
    const bytes = this.#utf16.begin(given) ? this.#utf16.take(given) : given
    const problem = inspectFileStart(bytes)
    if (problem) {
      log.report(textDefects, problem.code, file, 1, problem.params)
      this.#refused = true
      return bytes
    }
    // Files of the old Macintosh have no LF at all; a first line longer than this piece would be none of ours anyway.
    const firstReturn = bytes.indexOf(carriageReturn)
    if (firstReturn >= 0 && firstReturn < bytes.length - 1 && !bytes.includes(newline)) {
      this.#oldMac = true
      log.report(textDefects, 'text-old-mac-newlines', file, 1)
    }
    if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) {
      log.report(textDefects, 'text-byte-order-mark', file, 1)
      return bytes.subarray(3)
    }
    return bytes
  }

  #decode(bytes: Uint8Array): void {
    const text = this.#decoding.decode(bytes, this.#lineNumber + 1, this.#oldMac ? carriageReturn : newline)
    if (text === null) this.#refused = true
    else this.#split(text)
  }

  #split(text: string): void {
    const lineEnd = this.#oldMac ? '\r' : '\n'
    const nul = text.indexOf('\0')
    let start = 0
    while (true) {
      const end = text.indexOf(lineEnd, start)
      if (nul >= start && (end < 0 || nul < end)) {
        this.#refused = true
        this.#options.log.report(textDefects, 'text-binary', this.#options.file, this.#lineNumber + 1)
        return
      }
      if (end < 0) break
      this.#emit(text.slice(start, end))
      start = end + 1
    }
    this.#emit(text.slice(start))
  }

  #emit(line: string): void {
    const { onLine, file, log } = this.#options
    const text = line.charCodeAt(line.length - 1) === carriageReturn ? line.slice(0, -1) : line
    if (text.includes('\r')) {
      log.report(textDefects, 'text-old-mac-newlines', file, this.#lineNumber + 1)
      for (const part of text.split('\r')) onLine(part, ++this.#lineNumber)
      return
    }
    onLine(text, ++this.#lineNumber)
  }
}

/**
 * The lines of a text held in memory, by the same rules as `LineReader`; for pasted input and tests.
 *
 * Example: `readLines('a\nb\n', 'x', log)` is `['a', 'b']`.
 */
export function readLines(text: string, file: string, log: TextLog): string[] {
  return readByteLines(new TextEncoder().encode(text), file, log)
}

/** The lines of the bytes of a whole file, by the same rules as `LineReader`. */
export function readByteLines(bytes: Uint8Array, file: string, log: TextLog): string[] {
  const lines: string[] = []
  const reader = new LineReader({ file, log, onLine: (line) => void lines.push(line) })
  reader.push(bytes)
  reader.end()
  return lines
}
