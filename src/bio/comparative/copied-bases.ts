import { reverseComplement } from '../sequence/sequence.ts'

/** A word of so many bases stands once in most genomes but for repeats. */
const wordBp = 31
/** Words that differ between the copies part no segment: a substitution takes 31 of them. */
const joinBp = 500
const placesOf = (text: string, word: string): number[] => {
  const places: number[] = []
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1)) places.push(at)
  return places
}

/** Where in the other sequence a copy of a segment that ends so is followed by one that starts so, and how many bases fit both. */
const seamsOf = (end: string, start: string, other: string): { at0: number; sharedBp: number }[] => {
  const starts = placesOf(other, start)
  return placesOf(other, end).flatMap((place) =>
    starts.flatMap((at0) => {
      const sharedBp = place + wordBp - at0
      return sharedBp >= 0 && sharedBp < wordBp ? [{ at0, sharedBp }] : []
    }),
  )
}

export interface CopiedBases {
  segments: { start0: number; end0: number }[]
  /** Of the other sequence the first base behind each place where two copies meet. */
  seams0: number[]
}

/**
 * Segments of a sequence that another, which is the same but for what was copied in it, has more often: runs of words (31 bases, on either
 * strand) that stand there more often than here, over places where copies differ. Bases that fit both segments where a copy of one ends and
 * one of another begins are given to the second. Places count from 0, ends excluded.
 *
 * Example: of ABC, in ABBC the segment B; of ABCDE, in ABCDBDE the segments B and D, to the base.
 */
export const findCopiedBases = (own: string, other: string): CopiedBases => {
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
  const seams0 = new Set<number>()
  const trimmed = segments.map(({ start0, end0 }) => {
    const end = here.slice(end0 - wordBp, end0)
    const seams = segments.flatMap((next) => seamsOf(end, here.slice(next.start0, next.start0 + wordBp), there))
    for (const { at0 } of seams) seams0.add(at0)
    return { start0, end0: end0 - Math.max(0, ...seams.map(({ sharedBp }) => sharedBp)) }
  })
  return { segments: trimmed, seams0: [...seams0].sort((p, q) => p - q) }
}
