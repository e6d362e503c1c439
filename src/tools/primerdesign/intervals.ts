import { parseRegion } from '../../bio/region.ts'

// Intervals of a template as people type them.

export interface TemplateInterval {
  start: number
  end: number
}

/** What is read, or the part of the text that cannot be. */
type ReadIntervals = { intervals: TemplateInterval[] } | { unreadable: string }

/** A genomic place on the template; null when it is not on it. */
export type PlaceOnTemplate = (sequence: string, start1: number, end1: number) => TemplateInterval | null

/**
 * Reads intervals: `START-END` or `START..END` counted from 1 with both ends included, `START,LENGTH` as primer3 has it, or a
 * genomic place as `parseRegion` reads it, of either strand, where `place` finds it on the template. Several are parted by blanks,
 * semicolons or lines.
 *
 * Example: `readIntervals('101-150 201,20')` is `{intervals: [{start: 101, end: 150}, {start: 201, end: 220}]}`.
 */
export const readIntervals = (text: string, place?: PlaceOnTemplate): ReadIntervals => {
  const intervals: TemplateInterval[] = []
  for (const part of text.split(/[\s;；]+/)) {
    if (part === '') continue
    const local = /^(\d{1,9})(?:-|\.\.|–|−)(\d{1,9})$/.exec(part)
    if (local !== null) {
      const start = Number(local[1])
      const end = Number(local[2])
      if (start < 1 || end < start) return { unreadable: part }
      intervals.push({ start, end })
      continue
    }
    const sized = /^(\d{1,9})[,，](\d{1,9})$/.exec(part)
    if (sized !== null) {
      const start = Number(sized[1])
      const length = Number(sized[2])
      if (start < 1 || length < 1) return { unreadable: part }
      intervals.push({ start, end: start + length - 1 })
      continue
    }
    const genomic = parseRegion(part)
    const found =
      !genomic.ok || place === undefined
        ? null
        : place(genomic.region.sequenceName, genomic.region.start1, genomic.region.end1)
    if (found === null) return { unreadable: part }
    intervals.push(found)
  }
  return { intervals }
}

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
