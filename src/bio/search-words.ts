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

/** A query with the signs that names are written with: word processors and papers have many kinds of letters and of hyphens. */
export function plainQuery(query: string): string {
  return query
    .normalize('NFKC')
    .replace(/[\u2010-\u2015\u2212]/gu, '-')
    .trim()
}

/**
 * Words of a query as people type it: letters and digits of any script with the inner marks of identifiers, in lower case;
 * Chinese runs as pairs; at most twelve.
 *
 * Example: `searchWords('ESX-1 secretion, 转录因子')` is `['esx-1', 'secretion', '转录', '录因', '因子']`.
 */
export function searchWords(query: string): string[] {
  // Word processors and papers write hyphens in many ways.
  const text = query
    .normalize('NFKC')
    .replace(/[\u2010-\u2015\u2212]/gu, '-')
    .toLowerCase()
  const pairs = cjkPairs(text)
  const others = text.replace(cjkRun, ' ').match(/[\p{L}\p{N}]+(?:[._:'’-]?[\p{L}\p{N}]+)*/gu) ?? []
  return [...new Set([...others, ...(pairs === '' ? [] : pairs.split(' '))])].slice(0, mostWords)
}

/**
 * What a name with hyphens may be written as elsewhere: as one word, or as several; first as one if it has a number.
 *
 * Example: `otherSpellings('cfp-10')` is `[['cfp10'], ['cfp', '10']]`, `otherSpellings('trna-leu')` is `[['trna', 'leu'], ['trnaleu']]`.
 */
export function otherSpellings(word: string): string[][] {
  const parts = word.split(/[-_]/u).filter((part) => part !== '')
  if (parts.length < 2) return []
  const joined = [parts.join('')]
  return /\p{N}/u.test(word) ? [joined, parts] : [parts, joined]
}

/** Whether a word looks like a symbol of a gene, as no word of a language does: by digits, or a capital within it (hsp65, DosR, vapBC). */
export function looksLikeSymbol(typed: string): boolean {
  return /\p{N}|\p{Ll}\p{Lu}/u.test(typed)
}
