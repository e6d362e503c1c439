import { reverseComplement } from '../sequence/sequence.ts'

/** A word of so many bases stands once in most genomes but for repeats. */
const wordBp = 31
/** Words that differ between the copies part no segment: a substitution takes 31 of them. */
const joinBp = 500
/** Bases that fit both segments at a seam: by chance, or since the copy came about by them. */
const seamBp = 50

const placesOf = (text: string, word: string): number[] => {
  const places: number[] = []
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1)) places.push(at)
  return places
}

const seamOf = (end: string, start: string, other: string): number => {
  const starts = placesOf(other, start)
  for (const place of placesOf(other, end))
    for (const at of starts) {
      const shared = place + wordBp - at
      if (shared > 0 && shared <= seamBp && shared < wordBp) return shared
    }
  return 0
}

/**
 * Segments of a sequence that another, which is the same but for what was copied in it, has more often: runs of words (31 bases, on either
 * strand) that stand there more often than here, over places where copies differ. Bases that fit both segments where a copy of one ends and
 * one of another begins are given to the second. Places count from 0, ends excluded.
 *
 * Example: of ABC, in ABBC the segment B; of ABCDE, in ABCDBDE the segments B and D, to the base.
 */
export const findCopiedBases = (own: string, other: string): { start0: number; end0: number }[] => {
  const [here, there] = [own.toUpperCase(), other.toUpperCase()]
  /** How many more there are; what is not here is not counted. */
  const more = new Map<string, number>()
  const isWord = /^[ACGT]+$/
  for (let at = 0; at + wordBp <= here.length; at += 1) {
    const word = here.slice(at, at + wordBp)
    if (isWord.test(word)) more.set(word, (more.get(word) ?? 0) - 1)
  }
  const count = (strand: string, one: 1 | -1): void => {
    for (let at = 0; at + wordBp <= strand.length; at += 1) {
      const word = strand.slice(at, at + wordBp)
      const before = more.get(word)
      if (before !== undefined) more.set(word, before + one)
    }
  }
  // Of both on both strands: what stands here turned round as well is no copy there.
  count(reverseComplement(here), -1)
  count(there, 1)
  count(reverseComplement(there), 1)
  const segments: { start0: number; end0: number }[] = []
  for (let at = 0; at + wordBp <= here.length; at += 1) {
    if ((more.get(here.slice(at, at + wordBp)) ?? 0) <= 0) continue
    const last = segments.at(-1)
    if (last !== undefined && at - last.end0 <= joinBp) last.end0 = at + wordBp
    else segments.push({ start0: at, end0: at + wordBp })
  }
  return segments.map(({ start0, end0 }) => {
    const end = here.slice(end0 - wordBp, end0)
    const seams = segments.map((next) => seamOf(end, here.slice(next.start0, next.start0 + wordBp), there))
    return { start0, end0: end0 - Math.max(...seams) }
  })
}
