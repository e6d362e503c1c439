import type { DefectLog } from '../text/defects.ts'

/** What a text of sequences has that is no letter of them. */
export interface IllegalLetters {
  /** Characters, each with its places as line:column from 1, in the order met: `“!” 4:3, 4:9 · “é” 8:2`. */
  letters: string
  /** How many different ones are listed. */
  kinds: number
  /** Bytes met beyond those that the log keeps, thus not listed. */
  more: number
}

const maxPositions = 4

/** One byte as the reader of FASTA names it when it is not printable ASCII. */
const namedByte = /^0x([0-9A-F]{2})$/

/**
 * Everything that a reading of FASTA refused as no letter of its alphabet, in one line; null when there was nothing. Characters outside
 * ASCII, which are refused byte by byte, are put together again from their UTF-8.
 *
 * Example: of `AC!GT\nAÉ` the letters are `“!” 1:3 · “É” 2:2`.
 */
export function listIllegalLetters(log: DefectLog): IllegalLetters | null {
  const code = 'fasta-illegal-character'
  const defects = log.defects.filter((defect) => defect.code === code)
  if (defects.length === 0) return null
  const places = new Map<string, string[]>()
  const add = (character: string, line: number, column: number): void => {
    places.set(character, [...(places.get(character) ?? []), `${line}:${column}`])
  }
  let at = 0
  /** Bytes of the line so far that belong to a character counted already: columns are of characters. */
  let continued = { line: 0, bytes: 0 }
  while (at < defects.length) {
    const { line, params } = defects[at]!
    const place = { line: line ?? 0, column: Number(params.column) }
    if (continued.line !== place.line) continued = { line: place.line, bytes: 0 }
    const bytes: number[] = []
    for (let next = at; next < defects.length; next += 1) {
      const { line: itsLine, params: its } = defects[next]!
      const byte = namedByte.exec(String(its.character))
      if (byte === null || itsLine !== line || Number(its.column) !== place.column + bytes.length) break
      const value = Number.parseInt(byte[1]!, 16)
      // The first byte of the next character.
      if (bytes.length > 0 && (value & 0xc0) !== 0x80) break
      bytes.push(value)
    }
    const decoded = new TextDecoder().decode(Uint8Array.from(bytes))
    const whole = bytes.length > 1 && !decoded.includes('\u{fffd}')
    add(whole ? decoded : String(params.character), place.line, place.column - continued.bytes)
    at += whole ? bytes.length : 1
    if (whole) continued.bytes += bytes.length - 1
  }
  const letters = [...places]
    .map(
      ([character, all]) =>
        `“${character}” ${all.slice(0, maxPositions).join(', ')}${all.length > maxPositions ? ', …' : ''}`,
    )
    .join(' · ')
  return { letters, kinds: places.size, more: log.count(code) - defects.length }
}
