import { parseRegion, type RegionError, readPosition, toAsciiSigns } from '../../bio/sequence/region.ts'
import { locusMessage } from '../../contracts/region.ts'

// Intervals of a template as people type them.

export interface TemplateInterval {
  start: number
  end: number
}

/** What is read, or the part of the text that cannot be, and why: a message and what it needs beside the text. */
type ReadIntervals =
  | { intervals: TemplateInterval[] }
  | { unreadable: string; message: string; params: Record<string, string | number> }

/** A genomic place on the template; null when it is not on it. */
export type TemplatePosition = (sequence: string, start1: number, end1: number) => TemplateInterval | null

/**
 * Reads intervals: `START-END` or `START..END` counted from 1 with both ends included, or a genomic place as `parseRegion` reads it,
 * where `place` finds it on the template; numbers and order are those of `parseRegion`. Several are parted by blanks, semicolons or
 * lines. primer3's own `START,LENGTH` is refused: 1,234 is a number everywhere else.
 *
 * Example: `readIntervals('101-150 1,201..1,220')` is `{intervals: [{start: 101, end: 150}, {start: 1201, end: 1220}]}`.
 */
export const readIntervals = (text: string, place?: TemplatePosition): ReadIntervals => {
  const intervals: TemplateInterval[] = []
  for (const part of text.split(/[\s;；]+/)) {
    if (part === '') continue
    const refuse = (message: string, params: Record<string, string | number> = {}): ReadIntervals => ({
      unreadable: part,
      message,
      params,
    })
    const sized = /^(\d{1,9}),(\d{1,9})$/.exec(toAsciiSigns(part))
    if (sized !== null) {
      const [start, length] = [Number(sized[1]), Number(sized[2])]
      return refuse('interval.comma', { range: start > 0 && length > 0 ? `${start}..${start + length - 1}` : 'none' })
    }
    const local = /^([\d,]+)(?:-|\.\.)([\d,]+)$/.exec(toAsciiSigns(part))
    if (local !== null) {
      const [from, to] = [readPosition(local[1]!), readPosition(local[2]!)]
      const wrong = from.ok ? to : from
      if (!from.ok || !to.ok) return wrong.ok ? refuse('interval.form') : refusePlace(wrong.error, refuse)
      intervals.push({ start: Math.min(from.value, to.value), end: Math.max(from.value, to.value) })
      continue
    }
    const genomic = parseRegion(part)
    if (!genomic.ok) return refusePlace(genomic.error, refuse)
    const { sequenceName, start1, end1 } = genomic.region
    const found = place?.(sequenceName, start1, end1) ?? null
    if (found === null) return refuse('interval.form')
    intervals.push(found)
  }
  return { intervals }
}

/** A number that is wrong is told in the words that every place has; anything else is no interval. */
const refusePlace = (
  { code, params }: RegionError,
  refuse: (message: string, params?: RegionError['params']) => ReadIntervals,
): ReadIntervals =>
  code === 'region-number-comma' || code === 'region-start-zero'
    ? refuse(locusMessage(code), params)
    : refuse('interval.form')

/**
 * Takes the signs of primer3web out of a sequence: `[target]`, `<excluded>`, `{included}` (its page of help, "Sequence input").
 *
 * Example: `readMarks('AC[GT]A')` is `{bases: 'ACGTA', targets: [{start: 3, end: 4}], excluded: [], included: null}`; null when a
 * sign has no partner.
 */
export const readMarks = (
  text: string,
): {
  bases: string
  targets: TemplateInterval[]
  excluded: TemplateInterval[]
  included: TemplateInterval | null
} | null => {
  const found: Record<string, TemplateInterval[]> = { '[': [], '<': [], '{': [] }
  const open: Record<string, number | undefined> = {}
  const partner: Record<string, string> = { ']': '[', '>': '<', '}': '{' }
  let bases = ''
  for (const letter of text) {
    if (letter in found) {
      if (open[letter] !== undefined) return null
      open[letter] = bases.length + 1
    } else if (letter in partner) {
      const begin = partner[letter]!
      const start = open[begin]
      if (start === undefined || bases.length < start) return null
      found[begin]!.push({ start, end: bases.length })
      open[begin] = undefined
    } else bases += letter
  }
  if (Object.values(open).some((one) => one !== undefined) || found['{']!.length > 1) return null
  return { bases, targets: found['[']!, excluded: found['<']!, included: found['{']![0] ?? null }
}
