/**
 * Overlapping pairs of signs of every Chinese, Japanese or Korean run, separated by spaces: text indexes find words by the
 * spaces between them, which these scripts do not write.
 *
 * Example: `cjkPairs('转录因子 MYB')` is "转录 录因 因子".
 */
export function cjkPairs(text: string): string {
  const pairs: string[] = []
  for (const run of text.match(cjkRun) ?? []) {
    const signs = [...run]
    if (signs.length === 1) pairs.push(run)
    for (let at = 0; at + 1 < signs.length; at += 1) pairs.push(signs[at]! + signs[at + 1]!)
  }
  return pairs.join(' ')
}

const cjkRun = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]+/gu
const mostWords = 12

/**
 * Words of a query as people type it: letters and digits of any script with the inner marks of identifiers, in lower case;
 * Chinese runs as pairs; at most twelve.
 *
 * Example: `searchWords('ESX-1 secretion, 转录因子')` is `['esx-1', 'secretion', '转录', '录因', '因子']`.
 */
export function searchWords(query: string): string[] {
  const text = query.normalize('NFKC').toLowerCase()
  const pairs = cjkPairs(text)
  const others = text.replace(cjkRun, ' ').match(/[\p{L}\p{N}]+(?:[._:'’-]?[\p{L}\p{N}]+)*/gu) ?? []
  return [...new Set([...others, ...(pairs === '' ? [] : pairs.split(' '))])].slice(0, mostWords)
}
