// In which encoding a text is, told from its own bytes: UTF-8, UTF-16, GB18030 (with GBK and GB2312, its parts) or Windows-1252 (with
// Latin-1). What is not surely one of them is refused: a text read wrongly looks like data.

import type { DefectLog } from './defects.ts'
import { textDefects } from './text-defects.ts'

/** Where defects are told; all that a reader of text needs of a log. */
export type TextLog = Pick<DefectLog, 'report'>

const newline = 10

/**
 * Whether text without a byte order mark is UTF-16, by its first bytes: ASCII letters have a zero on one side, always the same.
 *
 * Example: `detectUtf16(Uint8Array.of(35, 0, 35, 0, 103, 0, 102, 0))` is `utf-16le`.
 */
function detectUtf16(bytes: Uint8Array): 'utf-16le' | 'utf-16be' | null {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return bytes[2] === 0 && bytes[3] === 0 ? null : 'utf-16le'
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be'
  const looked = Math.min(bytes.length & ~1, 64)
  if (looked < 8) return null
  let even = 0
  let odd = 0
  for (let at = 0; at < looked; at += 2) {
    if (bytes[at] === 0) even++
    if (bytes[at + 1] === 0) odd++
  }
  if (odd > looked / 4 && even === 0) return 'utf-16le'
  if (even > looked / 4 && odd === 0) return 'utf-16be'
  return null
}

/** What a line that is not UTF-8 can be. */
type LineKind = 'gb18030' | 'windows-1252' | 'damaged' | 'unclear'

// Windows-1252 leaves these unassigned.
const unassigned1252 = new Set([0x81, 0x8d, 0x8f, 0x90, 0x9d])

const isLetter = (byte: number | undefined): boolean =>
  byte !== undefined && ((byte >= 65 && byte <= 90) || (byte >= 97 && byte <= 122))

/**
 * Tells the encoding of a line that is not valid UTF-8. Chinese text in GB18030 is made of pairs of GB2312 (GB/T 2312-1980: both bytes
 * from A1 up, ideographs from B0 to F7), now and then one of the wider table beside them; in Windows-1252 text letters beyond ASCII
 * stand alone between ASCII ones. A line that holds whole characters of UTF-8 beside broken ones is damaged UTF-8.
 */
function judgeLine(bytes: Uint8Array): LineKind {
  let high = 0
  let utf8 = 0
  for (let at = 0; at < bytes.length; at++) {
    if (bytes[at]! < 0x80) continue
    high++
    const length = utf8Length(bytes, at)
    // Pairs of two high bytes are common in every encoding; three in the form of UTF-8 are not.
    if (length >= 3) {
      utf8 += length
      high += length - 1
      at += length - 1
    }
  }
  if (isCutUtf8(bytes)) return 'damaged'
  const gb = countPairs(bytes)
  const isGb = gb !== null && gb.ideographs > 0 && gb.alone === 0
  if (utf8 > 0 && (utf8 * 3 >= high * 2 || !isGb)) return 'damaged'
  if (isGb && (gb.ideographs > 1 || !gb.besideLetter)) return 'gb18030'
  if (gb !== null && gb.ideographs > 0) return 'unclear'
  for (let at = 0; at < bytes.length; at++) if (unassigned1252.has(bytes[at]!)) return 'unclear'
  // A whole character of two bytes beside a broken one.
  for (let at = 0; at < bytes.length; at++) if (bytes[at]! >= 0x80 && utf8Length(bytes, at) === 2) return 'damaged'
  return longestHighRun(bytes) > 3 ? 'unclear' : 'windows-1252'
}

// UTF-8 but for an unfinished character at its end. One lone byte there is a letter of Windows-1252, unless others are UTF-8.
function isCutUtf8(bytes: Uint8Array): boolean {
  try {
    const whole = new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: true })
    let rest = 0
    while (rest < 3 && (bytes[bytes.length - 1 - rest]! & 0xc0) === 0x80) rest++
    return rest > 0 || /[^\0-\x7f]/.test(whole)
  } catch {
    return false
  }
}

// What Windows-1252 has where Latin-1 has control characters, from 80 on. Node.js decodes it as Latin-1 up to 22 (nodejs/node#56542).
const letters1252 = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ'

/** Text of bytes in Windows-1252. Example: `decodeWindows1252(Uint8Array.of(0xb5, 0x4d))` is `µM`. */
export function decodeWindows1252(bytes: Uint8Array): string {
  const controls = /[\x80-\x9f]/g
  const text = Array.from({ length: Math.ceil(bytes.length / 4096) }, (_, part) =>
    String.fromCharCode(...bytes.subarray(part * 4096, (part + 1) * 4096)),
  ).join('')
  return text.replace(controls, (control) => letters1252[control.charCodeAt(0) - 0x80]!)
}

function longestHighRun(bytes: Uint8Array): number {
  let longest = 0
  let run = 0
  for (const byte of bytes) {
    run = byte >= 0x80 ? run + 1 : 0
    if (run > longest) longest = run
  }
  return longest
}

/** Bytes of the UTF-8 character beyond ASCII that begins here, 0 when none does. */
function utf8Length(bytes: Uint8Array, at: number): number {
  const lead = bytes[at]!
  const length = lead >= 0xc2 && lead <= 0xdf ? 2 : (lead & 0xf0) === 0xe0 ? 3 : lead >= 0xf0 && lead <= 0xf4 ? 4 : 0
  for (let next = 1; next < length; next++) if (((bytes[at + next] ?? 0) & 0xc0) !== 0x80) return 0
  return length
}

/** Pairs of GB18030 in a line; null when it cannot be one. `alone` are pairs outside GB2312 without an ideograph of it beside them. */
function countPairs(bytes: Uint8Array): { ideographs: number; alone: number; besideLetter: boolean } | null {
  const kinds: { at: number; end: number; ideograph: boolean; rare: boolean }[] = []
  let besideLetter = false
  for (let at = 0; at < bytes.length; ) {
    const lead = bytes[at]!
    if (lead < 0x80) {
      at++
      continue
    }
    const trail = bytes[at + 1]
    if (lead === 0x80 || lead === 0xff || trail === undefined || trail === 0x7f || trail === 0xff) return null
    if (trail >= 0x30 && trail <= 0x39) {
      const third = bytes[at + 2] ?? 0
      const fourth = bytes[at + 3] ?? 0
      if (third < 0x81 || third > 0xfe || fourth < 0x30 || fourth > 0x39) return null
      kinds.push({ at, end: at + 4, ideograph: false, rare: true })
      at += 4
      continue
    }
    if (trail < 0x40) return null
    const inGb2312 = trail >= 0xa1 && ((lead >= 0xa1 && lead <= 0xa9) || (lead >= 0xb0 && lead <= 0xf7))
    const ideograph = inGb2312 && lead >= 0xb0
    if (ideograph && (isLetter(bytes[at - 1]) || isLetter(bytes[at + 2]))) besideLetter = true
    kinds.push({ at, end: at + 2, ideograph, rare: !inGb2312 })
    at += 2
  }
  const isCommon = (index: number, end: number): boolean => {
    const kind = kinds[index]
    return kind !== undefined && !kind.rare && (kind.end === end || kind.at === end)
  }
  const alone = kinds.filter(
    (kind, index) => kind.rare && !isCommon(index - 1, kind.at) && !isCommon(index + 1, kind.end),
  ).length
  return { ideographs: kinds.filter((kind) => kind.ideograph).length, alone, besideLetter }
}

const isAscii = (bytes: Uint8Array): boolean => {
  for (let at = 0; at < bytes.length; at++) if (bytes[at]! >= 0x80) return false
  return true
}

const hasThreeBytes = (bytes: Uint8Array): boolean => {
  for (let at = 0; at < bytes.length; at++) if (bytes[at]! >= 0xe0 && utf8Length(bytes, at) >= 3) return true
  return false
}

/**
 * Decodes the lines of one file as they come. UTF-8 is tried first. The first segment that is none tells what the file is, by all its
 * lines; later lines that contradict it refuse the file, and so do lines that may be either. What was read in another
 * encoding is said in the log: GB18030 once a file, Windows-1252 with every line.
 *
 * Example: the bytes `C3 BA D0 CD` (酶型 in GB18030) give `酶型`.
 */
export class TextDecoding {
  readonly #file: string
  readonly #log: TextLog
  readonly #utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
  #gb18030: TextDecoder | null = null
  #encoding: 'utf-8' | 'gb18030' | 'windows-1252' = 'utf-8'
  /** A line beyond ASCII was read as UTF-8. */
  #hasUtf8 = false
  #refused = false

  constructor(file: string, log: TextLog) {
    this.#file = file
    this.#log = log
  }

  /** Whether the file was refused: what follows is ignored. */
  get refused(): boolean {
    return this.#refused
  }

  /** Decodes whole lines, the first of which has this number; null when the file is refused. `lineEnd` parts them. */
  decode(bytes: Uint8Array, firstLine: number, lineEnd: number = newline): string | null {
    if (this.#refused) return null
    if (this.#encoding !== 'gb18030') {
      try {
        const text = this.#utf8.decode(bytes)
        if (text.length !== bytes.length) this.#hasUtf8 = true
        return text
      } catch {}
    } else if (isAscii(bytes)) return this.#utf8.decode(bytes)
    return this.#decodeLines(bytes, firstLine, lineEnd)
  }

  #decodeLines(bytes: Uint8Array, firstLine: number, lineEnd: number): string | null {
    const lines: Uint8Array[] = []
    for (let start = 0; start <= bytes.length; ) {
      let end = bytes.indexOf(lineEnd, start)
      if (end < 0) end = bytes.length
      lines.push(bytes.subarray(start, end))
      start = end + 1
    }
    if (this.#encoding === 'utf-8' && !this.#choose(lines, firstLine)) return null
    const texts: string[] = []
    for (const [number, line] of lines.entries()) {
      const text = this.#decodeLine(line, firstLine + number)
      if (text === null) return null
      texts.push(text)
    }
    return texts.join(String.fromCharCode(lineEnd))
  }

  /** What the lines of this segment say that the file is; false when they do not agree. */
  #choose(lines: readonly Uint8Array[], firstLine: number): boolean {
    const firsts = new Map<LineKind, number>()
    for (const [number, line] of lines.entries()) {
      if (this.#isUtf8(line)) continue
      const kind = judgeLine(line)
      if (!firsts.has(kind)) firsts.set(kind, firstLine + number)
    }
    const gb = firsts.get('gb18030')
    const western = firsts.get('windows-1252')
    const damaged = firsts.get('damaged')
    if (damaged !== undefined) return this.#refuse('text-utf8-damaged', damaged)
    if (gb !== undefined && western !== undefined) {
      return this.#refuse('text-encoding-mixed', Math.max(gb, western), gb > western ? 'Windows-1252' : 'GB18030')
    }
    if (gb === undefined && western === undefined) return this.#refuse('text-encoding-unclear', firsts.get('unclear')!)
    if (gb !== undefined && this.#hasUtf8) return this.#refuse('text-encoding-mixed', gb, 'UTF-8')
    this.#encoding = gb === undefined ? 'windows-1252' : 'gb18030'
    if (gb !== undefined) {
      this.#gb18030 = new TextDecoder('gb18030', { fatal: true })
      this.#log.report(textDefects, 'text-other-encoding', this.#file, gb, { encoding: 'GB18030 (GBK)' })
    }
    return true
  }

  #decodeLine(line: Uint8Array, number: number): string | null {
    if (isAscii(line)) return this.#utf8.decode(line)
    if (this.#encoding === 'windows-1252') {
      if (this.#isUtf8(line)) {
        this.#hasUtf8 = true
        return this.#utf8.decode(line)
      }
      const kind = judgeLine(line)
      if (kind === 'windows-1252') {
        this.#log.report(textDefects, 'text-not-utf8', this.#file, number)
        return decodeWindows1252(line)
      }
      if (kind === 'gb18030') this.#refuse('text-encoding-mixed', number, 'Windows-1252')
      else this.#refuse(kind === 'damaged' ? 'text-utf8-damaged' : 'text-encoding-unclear', number)
      return null
    }
    // Some pairs of GB18030 are UTF-8 of two bytes by chance; ideographs of UTF-8 have three.
    const kind = this.#isUtf8(line) ? (hasThreeBytes(line) ? 'utf-8' : 'gb18030') : judgeLine(line)
    if (kind === 'utf-8' || kind === 'windows-1252' || kind === 'damaged') {
      this.#refuse('text-encoding-mixed', number, 'GB18030')
      return null
    }
    try {
      return this.#gb18030!.decode(line)
    } catch {
      this.#refuse('text-encoding-unclear', number)
      return null
    }
  }

  #isUtf8(line: Uint8Array): boolean {
    try {
      this.#utf8.decode(line)
      return true
    } catch {
      return false
    }
  }

  #refuse(
    code: 'text-encoding-mixed' | 'text-encoding-unclear' | 'text-utf8-damaged',
    line: number,
    before = '',
  ): false {
    this.#refused = true
    this.#log.report(textDefects, code, this.#file, line, before === '' ? {} : { before })
    return false
  }
}

/**
 * Makes UTF-8 of a UTF-16 stream, in pieces of any size; other bytes are given back as they are. The first piece should hold some
 * bytes, or be all there is. A broken character is an error in the log.
 */
export class Utf16Unpacking {
  readonly #file: string
  readonly #log: TextLog
  readonly #encoder = new TextEncoder()
  #decoder: TextDecoder | null = null
  #refused = false

  constructor(file: string, log: TextLog) {
    this.#file = file
    this.#log = log
  }

  get refused(): boolean {
    return this.#refused
  }

  /** Looks at the first bytes; true when the text is UTF-16, which is logged. */
  begin(bytes: Uint8Array): boolean {
    const encoding = detectUtf16(bytes)
    if (encoding === null) return false
    this.#decoder = new TextDecoder(encoding, { fatal: true })
    this.#log.report(textDefects, 'text-other-encoding', this.#file, 1, { encoding: 'UTF-16' })
    return true
  }

  /** The next bytes as UTF-8; `last` ends the text. */
  take(bytes: Uint8Array, last = false): Uint8Array {
    if (this.#decoder === null || this.#refused) return bytes
    try {
      return this.#encoder.encode(this.#decoder.decode(bytes, { stream: !last }))
    } catch {
      this.#refused = true
      this.#log.report(textDefects, 'text-utf16-damaged', this.#file, null)
      return new Uint8Array(0)
    }
  }
}
