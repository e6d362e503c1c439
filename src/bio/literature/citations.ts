// Citations of publications: for reference managers (CSL-JSON) and as text.

import type { Reference } from './references.ts'

// Item types of the Citation Style Language 1.0.2, appendix III.
const cslTypes: Record<string, string> = {
  article: 'article-journal',
  book: 'book',
  incollection: 'chapter',
  inbook: 'chapter',
  inproceedings: 'paper-conference',
  phdthesis: 'thesis',
  mastersthesis: 'thesis',
  techreport: 'report',
  unpublished: 'manuscript',
}

interface Name {
  family: string
  /** Null for a consortium, and for a name that the file does not take apart. */
  given: string | null
}

const readName = (author: string): Name => {
  const comma = author.indexOf(',')
  return comma < 0
    ? { family: author, given: null }
    : { family: author.slice(0, comma).trim(), given: author.slice(comma + 1).trim() }
}

const cslName = (author: string): Record<string, string> => {
  // "and others" of BibTeX, as citeproc's own converters write it.
  if (author === 'et al.') return { literal: 'others' }
  const { family, given } = readName(author)
  return given === null ? { literal: family } : { family, given }
}

/**
 * References as an array of CSL-JSON items (Citation Style Language data schema 1.0.2), indented; absent fields are left out.
 *
 * Example: a reference of type `article` and year 2001 gives `"type": "article-journal"` and
 * `"issued": {"date-parts": [[2001]]}`.
 */
export function formatCslJson(references: readonly Reference[]): string {
  const items = references.map((reference) => {
    const fields: [string, unknown][] = [
      ['id', reference.key],
      ['type', cslTypes[reference.type] ?? 'document'],
      ['title', reference.title],
      ['author', reference.authors.length === 0 ? null : reference.authors.map(cslName)],
      ['issued', reference.year === null ? null : { 'date-parts': [[reference.year]] }],
      ['container-title', reference.journal],
      ['volume', reference.volume],
      ['issue', reference.issue],
      ['page', reference.pages],
      ['publisher', reference.publisher],
      ['DOI', reference.doi],
      ['PMID', reference.pubmedId],
      ['URL', reference.url],
      ['abstract', reference.abstract],
      ['keyword', reference.keywords.length === 0 ? null : reference.keywords.join(', ')],
    ]
    return Object.fromEntries(fields.filter(([, value]) => value !== null))
  })
  return `${JSON.stringify(items, null, 2)}\n`
}

/** First letters of given names: `initials('Jean-Christophe M.')` is `['J', 'C', 'M']`. */
const initials = (given: string): string[] =>
  given
    .split(/[\s.\-‐]+/)
    .filter((part) => part !== '')
    .map((part) => [...part][0]!.toUpperCase())

/** A sentence of a citation with exactly one end mark. */
const sentence = (text: string): string => (/[.?!。？！]$/.test(text) ? text : `${text}.`)

const isChinese = (text: string): boolean => /\p{Script=Han}/u.test(text)

// Most names that are written out before "et al.": six after the ICMJE's sample references (NLM, Citing Medicine, 2nd edition),
// three after GB/T 7714-2015, section 8.1.2.
const namesEnglish = 6
const namesChinese = 3

const nameList = (
  authors: readonly string[],
  max: number,
  write: (name: Name) => string,
  others: (first: string) => string,
): string => {
  const known = authors.filter((author) => author !== 'et al.')
  const shown = known.slice(0, max).map((author) => write(readName(author)))
  if (known.length > max || (known.length < authors.length && known.length > 0)) shown.push(others(known[0]!))
  return shown.join(', ')
}

const citeEnglish = (reference: Reference): string => {
  const authors = nameList(
    reference.authors,
    namesEnglish,
    ({ family, given }) => (given === null ? family : `${family} ${initials(given).join('')}`),
    () => 'et al',
  )
  const parts: string[] = []
  if (authors !== '') parts.push(sentence(authors))
  parts.push(sentence(reference.title ?? reference.key))
  const year = reference.year === null ? '' : String(reference.year)
  const issue = `${reference.volume ?? ''}${reference.issue === null ? '' : `(${reference.issue})`}`
  if (reference.type.startsWith('in') || reference.publisher !== null) {
    // A part of a book, or a book: the pages stand after the year.
    if (reference.journal !== null) parts.push(sentence(`In: ${reference.journal}`))
    const printed = [reference.publisher ?? '', year].filter((part) => part !== '').join('; ')
    if (printed !== '') parts.push(`${printed}.`)
    if (reference.pages !== null) parts.push(`p. ${reference.pages}.`)
  } else {
    if (reference.journal !== null) parts.push(sentence(reference.journal))
    const place = [issue, reference.pages ?? ''].filter((part) => part !== '').join(':')
    const when = [year, place].filter((part) => part !== '').join(';')
    if (when !== '') parts.push(`${when}.`)
  }
  if (reference.doi !== null) parts.push(`doi:${reference.doi}`)
  if (reference.pubmedId !== null) parts.push(`PMID: ${reference.pubmedId}`)
  if (reference.doi === null && reference.url !== null) parts.push(reference.url)
  return parts.join(' ')
}

// Marks of the kind of document (GB/T 7714-2015, appendix B).
const chineseMarks: Record<string, string> = {
  article: 'J',
  book: 'M',
  incollection: 'M',
  inbook: 'M',
  inproceedings: 'C',
  phdthesis: 'D',
  mastersthesis: 'D',
  techreport: 'R',
}

const citeChinese = (reference: Reference): string => {
  const authors = nameList(
    reference.authors,
    namesChinese,
    // Western family names in capitals, initials without points (8.1.1); a consortium as it is.
    ({ family, given }) =>
      given === null
        ? family
        : isChinese(family)
          ? `${family}${given}`
          : [family.toUpperCase(), ...initials(given)].join(' '),
    (first) => (isChinese(first) ? '等' : 'et al'),
  )
  const parts: string[] = []
  if (authors !== '') parts.push(`${authors}.`)
  const inside = reference.type.startsWith('in')
  const title = `${(reference.title ?? reference.key).replace(/[.。]$/, '')}[${chineseMarks[reference.type] ?? 'Z'}]`
  parts.push(inside && reference.journal !== null ? `${title}//${reference.journal}.` : `${title}.`)
  const issue = `${reference.volume ?? ''}${reference.issue === null ? '' : `(${reference.issue})`}`
  const source = [
    inside ? null : reference.journal,
    reference.publisher,
    reference.year === null ? null : String(reference.year),
    issue === '' ? null : issue,
  ].filter((part) => part !== null)
  const place = `${source.join(', ')}${reference.pages === null ? '' : `${source.length === 0 ? '' : ': '}${reference.pages}`}`
  if (place !== '') parts.push(`${place}.`)
  if (reference.doi !== null) parts.push(`DOI: ${reference.doi}.`)
  else if (reference.url !== null) parts.push(reference.url)
  return parts.join(' ')
}

/**
 * One publication as a line of text: in English as the NLM's Citing Medicine (2nd edition; "Vancouver") has it, in Chinese after
 * GB/T 7714-2015.
 *
 * Example: `Goffeau A, Barrell BG, et al. Life with 6000 genes. Science. 1996;274(5287):546-567. doi:10.1126/…` and
 * `GOFFEAU A, BARRELL B G, et al. Life with 6000 genes[J]. Science, 1996, 274(5287): 546-567. DOI: 10.1126/….`
 */
export function formatCitation(reference: Reference, language: 'en' | 'zh'): string {
  return language === 'en' ? citeEnglish(reference) : citeChinese(reference)
}
