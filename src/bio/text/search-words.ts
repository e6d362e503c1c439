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

/** Every run of Chinese, Japanese or Korean signs of a text. */
export function cjkRuns(text: string): string[] {
  return text.match(cjkRun) ?? []
}

const cjkRun = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]+/gu
const maxWords = 12

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
  return [...new Set([...others, ...(pairs === '' ? [] : pairs.split(' '))])].slice(0, maxWords)
}

/**
 * What a name with hyphens may be written as elsewhere: as one word, or as several; first as one if it has a number.
 *
 * Example: `otherSpellings('cfp-10')` is `[['cfp10'], ['cfp', '10']]`, `otherSpellings('trna-leu')` is `[['trna', 'leu'], ['trnaleu']]`,
 * `otherSpellings('esat6')` is `[['esat-6']]`, `otherSpellings('rvbd3872')` is `[['rvbd_3872']]`.
 */
export function otherSpellings(word: string): string[][] {
  // ESAT6: what is written with a hyphen elsewhere. Only of short names: most of letters and digits are identifiers.
  const together = /^(\p{L}{2,5})(\d{1,3}\p{L}?)$/u.exec(word)
  // RVBD3872: a locus tag with an underscore before its number.
  const locusTag = /^([\p{L}\p{N}]*\p{L})(\d{3,8}\p{L}?)$/u.exec(word)
  if (together !== null || locusTag !== null)
    return [
      ...(together === null ? [] : [[`${together[1]}-${together[2]}`]]),
      ...(locusTag === null ? [] : [[`${locusTag[1]}_${locusTag[2]}`]]),
    ]
  const parts = word.split(/[-_]/u).filter((part) => part !== '')
  if (parts.length < 2) return []
  const joined = [parts.join('')]
  return /\p{N}/u.test(word) ? [joined, parts] : [parts, joined]
}

/** Whether a word looks like a symbol of a gene, as no word of a language does: by digits, or a capital within it (hsp65, DosR, vapBC). */
export function looksLikeSymbol(typed: string): boolean {
  return /\p{N}|\p{Ll}\p{Lu}/u.test(typed)
}

/** Names of Greek letters, as annotation writes them. */
const greekNames: Readonly<Record<string, string>> = Object.fromEntries(
  'α alpha β beta γ gamma δ delta ε epsilon ζ zeta η eta θ theta ι iota κ kappa λ lambda μ mu ν nu ξ xi ο omicron π pi ρ rho σ sigma ς sigma τ tau υ upsilon φ phi ϕ phi χ chi ψ psi ω omega'
    .split(/ (?=\P{Script=Latin})/u)
    .map((pair) => pair.split(' ') as [string, string]),
)
const greekLetter = /\p{Script=Greek}/u

/**
 * A word with the names of its Greek letters, parted from what stands beside them by hyphens; a word without such letters as it is.
 *
 * Example: `nameGreekLetters('σa')` is "sigma-a", `nameGreekLetters('tgf-β1')` is "tgf-beta-1".
 */
export function nameGreekLetters(word: string): string {
  if (!greekLetter.test(word)) return word
  return word
    .replace(/\p{Script=Greek}/gu, (letter) => `-${greekNames[letter] ?? letter}-`)
    .replace(/-{2,}/gu, '-')
    .replace(/^-|-$/gu, '')
}

/** Words of the language that are no first part of a name. */
const noHeads = new Set(
  'a an and are as at be by for from in is it no not of on or than that the to was with'.split(' '),
)
const greekWords = Object.values(greekNames).join('|')
/** First parts of names that people write apart from the rest: ESAT-6, CFP-10, PE 35, mce 1A, IL 2, sigma A. Longer words are words. */
const nameHead = /^\p{L}{2,5}$/u
const nameTail = new RegExp(`^(?:\\d{1,4}\\p{L}?|\\p{Script=Latin}\\d{0,2}|i{1,3}|i?v|vi{1,3}|${greekWords})$`, 'u')

/**
 * Symbols that the parts of a spoken name make: factors of RNA polymerase are sigma-A and sigA (Lonetto et al. 1992,
 * doi:10.1128/jb.174.12.3843-3849.1992).
 */
const symbolHeads: Readonly<Record<string, string>> = { sigma: 'sig' }

/** Words of a question, from number `at` on, that are one name, and how else it may be written: with a blank only as words side by side. */
export interface WrittenForms {
  at: number
  count: 1 | 2
  writtenForms: string[]
}

const writtenFormsOf = (head: string, tail: string): string[] => {
  const symbol = symbolHeads[head]
  const short = symbol !== undefined && /^\p{Script=Latin}$/u.test(tail) ? [symbol + tail] : []
  return [head + tail, `${head}-${tail}`, `${head} ${tail}`, ...short]
}

/**
 * Names in a question (words as `searchWords` gives them) whose parts may be written together, with a hyphen or apart, and those with
 * Greek letters. The way in which it is typed is left out.
 *
 * Example: `findNameWritings(['cfp', '10'])` is `[{at: 0, count: 2, writings: ['cfp10', 'cfp-10']}]`;
 * `findNameWritings(['σa'])[0].writings` is `['sigmaa', 'sigma-a', 'sigma a', 'siga']`.
 */
export function findWrittenForms(words: readonly string[]): WrittenForms[] {
  const found: WrittenForms[] = []
  for (let at = 0; at < words.length; at++) {
    const word = words[at]!
    const next = words[at + 1]
    const plain = nameGreekLetters(word)
    if (next !== undefined && nameHead.test(plain) && !noHeads.has(plain)) {
      const tail = nameGreekLetters(next)
      if (nameTail.test(tail)) {
        // Words side by side are met as words; a Greek letter is not typed as its name.
        const typed = plain === word && tail === next ? `${word} ${next}` : ''
        found.push({ at, count: 2, writtenForms: writtenFormsOf(plain, tail).filter((writing) => writing !== typed) })
        at++
        continue
      }
    }
    const parts = plain.split(/[-_]/u)
    if (parts.length === 2 && nameHead.test(parts[0]!) && nameTail.test(parts[1]!) && !noHeads.has(parts[0]!))
      found.push({
        at,
        count: 1,
        writtenForms: writtenFormsOf(parts[0]!, parts[1]!).filter((writing) => writing !== word),
      })
    else if (plain !== word)
      found.push({ at, count: 1, writtenForms: [...new Set([plain, plain.replaceAll('-', '')])] })
  }
  return found
}
