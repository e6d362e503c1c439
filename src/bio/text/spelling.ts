// What someone who mistyped a word meant, from the words there are.

/**
 * Letters to insert, leave out, replace or swap with their neighbour to make one word of the other (optimal string alignment;
 * Damerau 1964, doi:10.1145/363958.363994: such single slips are four of five misspellings).
 *
 * Example: `countSlips('kinsae', 'kinase')` is 1, `countSlips('polymerse', 'polymerase')` is 1.
 */
export function countSlips(a: string, b: string): number {
  let beforeLast: number[] = []
  let last = Array.from({ length: b.length + 1 }, (_, index) => index)
  for (let i = 1; i <= a.length; i++) {
    const row = [i]
    for (let j = 1; j <= b.length; j++) {
      const replaced = last[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1)
      let min = Math.min(last[j]! + 1, row[j - 1]! + 1, replaced)
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) min = Math.min(min, beforeLast[j - 2]! + 1)
      row.push(min)
    }
    beforeLast = last
    last = row
  }
  return last[b.length]!
}

/**
 * The word with each pair of neighbours swapped, and with each letter left out: the slips that leave a short word hardly a
 * trigram in common with what was meant, so that a search by trigrams must be given them.
 *
 * Example: `swapAndDrop('abc')` is `['bac', 'acb', 'bc', 'ac', 'ab']`.
 */
export function swapAndDrop(word: string): string[] {
  const letters = [...word]
  const made = new Set<string>()
  for (let at = 0; at + 1 < letters.length; at++)
    made.add([...letters.slice(0, at), letters[at + 1], letters[at], ...letters.slice(at + 2)].join(''))
  for (let at = 0; at < letters.length; at++) made.add([...letters.slice(0, at), ...letters.slice(at + 1)].join(''))
  made.delete(word)
  return [...made]
}

/** Slips that words of a length may have: one in a short word is a quarter of it. */
const slipsFor = (length: number): number => (length >= 8 ? 2 : length >= 3 ? 1 : 0)

/**
 * Whether someone who typed a word that nothing has may have meant another: by one slip, from eight letters on by two, and not where that
 * is another thing's name. Numbers are not mistyped into others (Rv3875, Rv3876; digits may be swapped), and another letter in a symbol is
 * another gene (sigA, sigB; icl1, icd1; Demerec et al. 1966, doi:10.1093/genetics/54.1.61).
 *
 * Example: `isLikelySlip('katgg', 'katg')` is true; `isLikelySlip('sigx', 'siga')` and `isLikelySlip('rv3876', 'rv3875')` are false.
 */
export function isLikelySlip(typed: string, meant: string): boolean {
  if (countSlips(typed, meant) > slipsFor(Math.max(typed.length, meant.length))) return false
  const digits = (word: string): string => [...word.replace(/\D/g, '')].sort().join('')
  if (digits(typed) !== digits(meant)) return false
  const letters = (word: string): string => [...word].sort().join('')
  return typed.length !== meant.length || typed.length > longestSymbol || letters(typed) === letters(meant)
}

/** Letters and digits of a gene's symbol: rpoB, mce1A, CDC28. */
const longestSymbol = 5

/**
 * Every word of letters and digits that is one slip away, for names so short that they hardly have a trigram in common.
 *
 * Example: of "ab", `oneSlipAway('ab')` has "ba", "a", "axb" and "xb".
 */
export function oneSlipAway(word: string): string[] {
  const made = new Set(swapAndDrop(word))
  for (let at = 0; at <= word.length; at++)
    for (const letter of 'abcdefghijklmnopqrstuvwxyz0123456789-') {
      made.add(word.slice(0, at) + letter + word.slice(at))
      if (at < word.length) made.add(word.slice(0, at) + letter + word.slice(at + 1))
    }
  made.delete(word)
  return [...made]
}

/**
 * The words that may have been meant, likeliest first: those of the fewest slips, and among these the commonest. "ribosoem" is one
 * slip from "ribosom", which one cut-off description has, and from "ribosome", which hundreds have.
 *
 * Example: `rankSpellings('ribosoem', [{word: 'ribosom', count: 1}, {word: 'ribosome', count: 529}])` is
 * `['ribosome', 'ribosom']`.
 */
export function rankSpellings(typed: string, candidates: readonly { word: string; count: number }[]): string[] {
  return candidates
    .map(({ word, count }) => ({ word, count, slips: countSlips(typed, word) }))
    .sort((a, b) => a.slips - b.slips || b.count - a.count || (a.word < b.word ? -1 : 1))
    .map(({ word }) => word)
}
