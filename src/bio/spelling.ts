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
      let least = Math.min(last[j]! + 1, row[j - 1]! + 1, replaced)
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        least = Math.min(least, beforeLast[j - 2]! + 1)
      row.push(least)
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
