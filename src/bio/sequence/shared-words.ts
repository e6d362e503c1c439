import { reverseComplement } from './sequence.ts'

/** Of random sequences of 100 kb, both strands, one word in 300 is shared; of DNA that differs in one base of five, one in 18. */
const wordBp = 13

/**
 * Share of 1 of the words of a sequence that stand in another too, on either strand: whether it may be there, not where. 0 for a
 * sequence shorter than a word (13 bases). Upper and lower case are the same; words with other letters than A, C, G, T are not counted.
 */
export const sharedWordShare = (sequence: string, other: string): number => {
  const own = sequence.toUpperCase()
  const words = Array.from({ length: Math.max(0, own.length - wordBp + 1) }, (_, at) =>
    own.slice(at, at + wordBp),
  ).filter((word) => /^[ACGT]+$/.test(word))
  if (words.length === 0) return 0
  // The other may be much longer: it is gone through, and not kept in words.
  const wanted = new Set(words)
  const found = new Set<string>()
  const there = other.toUpperCase()
  for (const strand of [there, reverseComplement(there)])
    for (let at = 0; at + wordBp <= strand.length; at += 1) {
      const word = strand.slice(at, at + wordBp)
      if (wanted.has(word)) found.add(word)
    }
  return words.filter((word) => found.has(word)).length / words.length
}
