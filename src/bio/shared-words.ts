import { reverseComplement } from './sequence.ts'

/** Of random sequences of 100 kb, both strands, one word in 300 is shared; of DNA that differs in one base of five, one in 18. */
const wordBp = 13

/**
 * Share of 1 of the words of a sequence that stand in another too, on either strand: whether it may be there, not where. 0 for a
 * sequence shorter than a word (13 bases). Upper and lower case are the same; words with other letters than A, C, G, T are not counted.
 */
export const sharedWordShare = (sequence: string, other: string): number => {
  const there = other.toUpperCase()
  const words = new Set<string>()
  for (const strand of [there, reverseComplement(there)])
    for (let at = 0; at + wordBp <= strand.length; at += 1) words.add(strand.slice(at, at + wordBp))
  const own = sequence.toUpperCase()
  let count = 0
  let shared = 0
  for (let at = 0; at + wordBp <= own.length; at += 1) {
    const word = own.slice(at, at + wordBp)
    if (!/^[ACGT]+$/.test(word)) continue
    count += 1
    if (words.has(word)) shared += 1
  }
  return count === 0 ? 0 : shared / count
}
