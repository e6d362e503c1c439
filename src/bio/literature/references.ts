// Publications in BibTeX and RIS.

import type { DefectLog } from '../text/defects.ts'
import { referenceDefects } from './reference-defects.ts'

export interface Reference {
  /** Unique in its file; the BibTeX key where there is one. */
  key: string
  /** BibTeX entry type in lower case: `article`, `book`, `inproceedings`, `phdthesis`, `misc` … */
  type: string
  title: string | null
  /** "Family, Given" where the file tells the two apart, else as written. */
  authors: string[]
  year: number | null
  /** Journal, or the book of a chapter. */
  journal: string | null
  volume: string | null
  issue: string | null
  /** "100-112", with a plain hyphen. */
  pages: string | null
  publisher: string | null
  /** Without "https://doi.org/". */
  doi: string | null
  pubmedId: string | null
  url: string | null
  abstract: string | null
  keywords: string[]
  /** Genes that the file says the publication is about: the BibTeX field `genes`, or keywords written `gene:NAME`. */
  genes: string[]
  /** Line of the entry, counted from 1. */
  line: number
}

export interface ReferenceOptions {
  /** Name of the file, for defects. */
  file: string
  log: DefectLog
}

function newReference(key: string, type: string, line: number): Reference {
  return {
    key,
    type,
    title: null,
    authors: [],
    year: null,
    journal: null,
    volume: null,
    issue: null,
    pages: null,
    publisher: null,
    doi: null,
    pubmedId: null,
    url: null,
    abstract: null,
    keywords: [],
    genes: [],
    line,
  }
}

function readYear(text: string): number | null {
  const year = /\b(1[5-9]|20|21)\d\d\b/.exec(text)?.[0]
  return year === undefined ? null : Number(year)
}

function cleanDoi(text: string): string | null {
  return /\b10\.\d{4,9}\/\S+/.exec(text)?.[0]?.replace(/[.,;]+$/, '') ?? null
}

function cleanPages(text: string): string {
  return text.replace(/\s*(?:-{1,3}|[–—−])\s*/g, '-').trim()
}

/** Checks what every reference should have, and gives second ones of a key another. */
function finishReferences(references: Reference[], { file, log }: ReferenceOptions): Reference[] {
  const taken = new Set<string>()
  for (const reference of references) {
    if (taken.has(reference.key)) {
      let number = 2
      while (taken.has(`${reference.key}_${number}`)) number++
      const renamed = `${reference.key}_${number}`
      log.report(referenceDefects, 'reference-duplicate-key', file, reference.line, { key: reference.key, renamed })
      reference.key = renamed
    }
    taken.add(reference.key)
    if (reference.title === null)
      log.report(referenceDefects, 'reference-no-title', file, reference.line, { key: reference.key })
  }
  if (references.length === 0 && !log.hasErrors) log.report(referenceDefects, 'reference-none', file, null)
  return references
}

// ---------------------------------------------------------------------------------------------------------------------
// BibTeX (Patashnik 1988, BibTeXing)

const accents: Record<string, string> = {
  '`': '\u0300',
  "'": '\u0301',
  '^': '\u0302',
  '~': '\u0303',
  '=': '\u0304',
  u: '\u0306',
  '.': '\u0307',
  '"': '\u0308',
  r: '\u030a',
  H: '\u030b',
  v: '\u030c',
  d: '\u0323',
  c: '\u0327',
  k: '\u0328',
  b: '\u0331',
}
const letters: Record<string, string> = {
  ss: 'ß',
  o: 'ø',
  O: 'Ø',
  l: 'ł',
  L: 'Ł',
  ae: 'æ',
  AE: 'Æ',
  oe: 'œ',
  OE: 'Œ',
  aa: 'å',
  AA: 'Å',
  i: 'ı',
  j: 'ȷ',
  dh: 'ð',
  DH: 'Ð',
  th: 'þ',
  TH: 'Þ',
  dj: 'đ',
  DJ: 'Đ',
  S: '§',
  P: '¶',
  pounds: '£',
  copyright: '©',
  textregistered: '®',
  texttrademark: '™',
  textendash: '–',
  textemdash: '—',
  textquoteright: '’',
  textquoteleft: '‘',
  textbackslash: '\\',
  textasciitilde: '~',
  textasciicircum: '^',
  textdegree: '°',
  degree: '°',
  times: '×',
  pm: '±',
  leq: '≤',
  geq: '≥',
  sim: '∼',
  rightarrow: '→',
  cdot: '·',
  infty: '∞',
  prime: '′',
  ldots: '…',
  dots: '…',
  LaTeX: 'LaTeX',
  TeX: 'TeX',
}
const greek =
  'alpha α beta β gamma γ delta δ epsilon ε varepsilon ε zeta ζ eta η theta θ iota ι kappa κ lambda λ mu μ nu ν xi ξ pi π rho ρ sigma σ tau τ upsilon υ phi φ varphi φ chi χ psi ψ omega ω Gamma Γ Delta Δ Theta Θ Lambda Λ Xi Ξ Pi Π Sigma Σ Phi Φ Psi Ψ Omega Ω'.split(
    ' ',
  )
for (let index = 0; index < greek.length; index += 2) letters[greek[index]!] = greek[index + 1]!
// Commands that set their argument in another face; only the argument is text.
const faces =
  /^(text(it|bf|rm|sc|tt|sl|sf|up|md|normal|superscript|subscript)|emph|mbox|url|href|it|bf|em|sc|rm|tt|sl|mathrm|mathit|mathbf|ensuremath|noopsort|uppercase|lowercase|protect|relax|small|cal)$/

/**
 * Turns LaTeX in a field into text: accents, special letters, Greek, dashes, quotes; font commands and braces fall away.
 *
 * Example: `latexToText("{\\'E}tude of {DNA} in \\textit{S.~cerevisiae}")` is "Étude of DNA in S. cerevisiae".
 */
export function latexToText(source: string): string {
  let text = ''
  let position = 0
  // The letter that an accent stands over: a letter, a command, or a group.
  const readArgument = (): string => {
    while (source[position] === ' ') position++
    if (source[position] === '{') {
      const close = findClosing(source, position)
      const inside = source.slice(position + 1, close)
      position = close + 1
      return latexToText(inside)
    }
    if (source[position] === '\\') {
      const command = /^\\([A-Za-z]+)\s*/.exec(source.slice(position, position + 12))
      if (command) {
        position += command[0].length
        return letters[command[1]!] ?? ''
      }
    }
    return source[position++] ?? ''
  }
  while (position < source.length) {
    const sign = source[position]!
    if (sign === '\\') {
      const word = /^\\([A-Za-z]+)(\s*)/.exec(source.slice(position, position + 40))
      const name = word?.[1] ?? source[position + 1] ?? ''
      if (accents[name] !== undefined && (word?.[2] !== '' || /[{\\]/.test(source[position + 1 + name.length] ?? ''))) {
        position += 1 + name.length
        const letter = readArgument().replace('ı', 'i').replace('ȷ', 'j')
        text += letter === '' ? '' : letter[0] + accents[name] + letter.slice(1)
        continue
      }
      if (word) {
        position += word[0].length
        if (letters[name] !== undefined) {
          text += letters[name]
          // "\alpha{}" ends the command; the empty group is no text.
          if (source.startsWith('{}', position)) position += 2
        } else if (!faces.test(name)) text += word[2] === '' ? '' : ' '
        continue
      }
      // "\&", "\%", "\_" and the like; "\ " and "\\" are blanks.
      text +=
        name === '\\' || name === ' ' || name === ',' || name === '/' || name === '-'
          ? /[\\ ,]/.test(name)
            ? ' '
            : ''
          : name
      position += 2
      continue
    }
    if (sign === '~') text += ' '
    else if (sign === '$' || sign === '{' || sign === '}') {
      // Groups and mathematics mark no text of their own.
    } else if (source.startsWith('---', position)) {
      text += '—'
      position += 2
    } else if (source.startsWith('--', position)) {
      text += '–'
      position += 1
    } else if (source.startsWith('``', position)) {
      text += '“'
      position += 1
    } else if (source.startsWith("''", position)) {
      text += '”'
      position += 1
    } else text += sign
    position++
  }
  return text.normalize('NFC').replace(/\s+/g, ' ').trim()
}

function findClosing(text: string, open: number): number {
  let depth = 0
  for (let index = open; index < text.length; index++) {
    if (text[index] === '\\') index++
    else if (text[index] === '{') depth++
    else if (text[index] === '}' && --depth === 0) return index
  }
  return text.length
}

const months = 'jan feb mar apr may jun jul aug sep oct nov dec'.split(' ')

/**
 * Reads BibTeX: nested braces, quotes, `#`, `@string`, parentheses for the outer braces; `@comment`, `@preamble` and what stands
 * between entries are skipped. An entry that does not end is an error that names its line; reading goes on at the next one.
 *
 * Example: `parseBibtex('@article{a, title = {X}, year = 2001}', options)` gives one reference with key `a`.
 */
export function parseBibtex(text: string, options: ReferenceOptions): Reference[] {
  const { file, log } = options
  const strings = new Map(months.map((month) => [month, month]))
  const references: Reference[] = []
  const lineStarts = findLineStarts(text)
  let position = 0
  let unnamed = 0
  while (true) {
    const at = text.indexOf('@', position)
    if (at < 0) break
    const head = /^@\s*([A-Za-z]+)\s*([{(])/.exec(text.slice(at, at + 60))
    if (!head) {
      position = at + 1
      continue
    }
    const line = lineOf(lineStarts, at)
    const type = head[1]!.toLowerCase()
    const bodyStart = at + head[0].length
    if (type === 'comment' || type === 'preamble') {
      const close = findClosing(text, bodyStart - 1)
      position = head[2] === '{' && close < text.length ? close + 1 : bodyStart
      continue
    }
    const entry = readEntry(text, bodyStart, head[2] === '{' ? '}' : ')', type === 'string')
    if (!entry.ended) {
      log.report(referenceDefects, 'reference-unfinished', file, line, { key: entry.key || '?' })
      // An unclosed brace swallows all that follows: go on where a line begins the next entry.
      const next = text.slice(bodyStart).search(/\n\s*@\s*[A-Za-z]+\s*[{(]/)
      if (next < 0) break
      position = bodyStart + next + 1
      continue
    }
    position = entry.end
    const expand = (pieces: readonly Piece[]) =>
      pieces
        .map((piece) => {
          if (!piece.name) return piece.text
          const known = strings.get(piece.text.toLowerCase())
          if (known === undefined && !/^\d+$/.test(piece.text)) {
            log.report(referenceDefects, 'reference-unknown-string', file, line, { name: piece.text })
          }
          return known ?? piece.text
        })
        .join('')
    if (type === 'string') {
      for (const [name, pieces] of entry.fields) strings.set(name, expand(pieces))
      continue
    }
    let key = entry.key
    if (key === '') {
      key = `reference_${++unnamed}`
      log.report(referenceDefects, 'reference-key-missing', file, line, { key })
    }
    const fields = new Map([...entry.fields].map(([name, pieces]) => [name, expand(pieces)]))
    references.push(referenceOfBibtex(key, type, line, fields))
  }
  return finishReferences(references, options)
}

interface Piece {
  text: string
  /** An abbreviation or number, not text in braces or quotes. */
  name: boolean
}

function readEntry(
  text: string,
  start: number,
  closing: string,
  isString: boolean,
): { key: string; fields: Map<string, Piece[]>; end: number; ended: boolean } {
  let position = start
  const fields = new Map<string, Piece[]>()
  const skipBlanks = () => {
    while (/\s/.test(text[position] ?? '')) position++
  }
  let key = ''
  if (!isString) {
    const keyEnd = /[,\s})=]/.exec(text.slice(position).trimStart())
    skipBlanks()
    const length = keyEnd?.index ?? 0
    const word = text.slice(position, position + length)
    // An entry that begins with its first field has no key.
    if (!/^\s*=/.test(text.slice(position + length, position + length + 20))) {
      key = word
      position += length
    }
  }
  while (position < text.length) {
    skipBlanks()
    if (text[position] === ',') {
      position++
      continue
    }
    if (text[position] === closing) return { key, fields, end: position + 1, ended: true }
    const name = /^([^\s=,{}()"#]+)\s*=\s*/.exec(text.slice(position, position + 200))
    if (!name) return { key, fields, end: position, ended: false }
    position += name[0].length
    const pieces: Piece[] = []
    while (true) {
      skipBlanks()
      if (text[position] === '{') {
        const close = findClosing(text, position)
        if (close >= text.length) return { key, fields, end: position, ended: false }
        pieces.push({ text: text.slice(position + 1, close), name: false })
        position = close + 1
      } else if (text[position] === '"') {
        const close = findQuote(text, position + 1)
        if (close < 0) return { key, fields, end: position, ended: false }
        pieces.push({ text: text.slice(position + 1, close), name: false })
        position = close + 1
      } else {
        const word = /^[^\s,#{}()"]+/.exec(text.slice(position, position + 200))
        if (!word) break
        pieces.push({ text: word[0], name: true })
        position += word[0].length
      }
      skipBlanks()
      if (text[position] !== '#') break
      position++
    }
    // The first of two fields of one name counts, as for BibTeX.
    const field = name[1]!.toLowerCase()
    if (!fields.has(field)) fields.set(field, pieces)
  }
  return { key, fields, end: position, ended: false }
}

/** The quote that ends a value: not one inside braces. */
function findQuote(text: string, start: number): number {
  let depth = 0
  for (let index = start; index < text.length; index++) {
    const sign = text[index]
    if (sign === '\\') index++
    else if (sign === '{') depth++
    else if (sign === '}') depth--
    else if (sign === '"' && depth === 0) return index
  }
  return -1
}

function referenceOfBibtex(key: string, type: string, line: number, fields: Map<string, string>): Reference {
  const reference = newReference(key, type, line)
  const read = (...names: string[]) => {
    for (const name of names) {
      const text = latexToText(fields.get(name) ?? '')
      if (text !== '') return text
    }
    return null
  }
  reference.title = read('title')
  reference.authors = splitAuthors(fields.get('author') ?? fields.get('editor') ?? '')
  reference.year = readYear(read('year', 'date') ?? '')
  reference.journal = read('journal', 'journaltitle', 'booktitle')
  reference.volume = read('volume')
  reference.issue = read('number', 'issue')
  const pages = read('pages')
  reference.pages = pages === null ? null : cleanPages(pages)
  reference.publisher = read('publisher', 'school', 'institution', 'organization')
  // DOIs and addresses hold underscores and tildes that LaTeX would read otherwise.
  const raw = (name: string) =>
    (fields.get(name) ?? '')
      .replace(/\\([_&%#])/g, '$1')
      .replace(/[{}]/g, '')
      .trim()
  reference.doi = cleanDoi(raw('doi')) ?? cleanDoi(raw('url'))
  reference.pubmedId = /\b\d{1,9}\b/.exec(raw('pmid') || raw('pubmedid'))?.[0] ?? null
  reference.url = /^\\?(?:url)?\s*(\S+)/.exec(raw('url'))?.[1] ?? null
  reference.abstract = read('abstract')
  setKeywords(reference, splitKeywords(read('keywords', 'keyword') ?? ''))
  const genes = splitGenes(read('genes', 'gene') ?? '')
  reference.genes = [...new Set([...genes, ...reference.genes])]
  return reference
}

/** Gene names have no blank in them: a list may be written with blanks, commas or semicolons. */
function splitGenes(text: string): string[] {
  return text.split(/[\s,;]+/).filter((name) => name !== '')
}

/** Keywords written `gene:NAME` are genes; RIS has no tag of its own for them. */
function setKeywords(reference: Reference, keywords: readonly string[]): void {
  for (const keyword of keywords) {
    const gene = /^gene:\s*(\S+)$/i.exec(keyword)?.[1]
    if (gene === undefined) reference.keywords.push(keyword)
    else if (!reference.genes.includes(gene)) reference.genes.push(gene)
  }
}

/** Splits at "and" outside of braces; the family name comes first in the result where it can be told. */
function splitAuthors(field: string): string[] {
  const names: string[] = []
  let depth = 0
  let name = ''
  for (const word of field.split(/(\s+)/)) {
    if (word === 'and' && depth === 0) {
      names.push(name)
      name = ''
      continue
    }
    for (const sign of word) {
      if (sign === '{') depth++
      else if (sign === '}') depth--
    }
    name += word
  }
  names.push(name)
  return names
    .map((one) => one.trim())
    .filter((one) => one !== '')
    .map((one) => {
      const text = latexToText(one)
      if (text === 'others') return 'et al.'
      // A name all in braces is that of a consortium.
      if (/^\{[^{}]*\}$/.test(one) || text.includes(',') || !text.includes(' ')) return text
      // First von Last: the family name begins at the last word, or at a particle in lower case.
      const words = text.split(' ')
      const particle = words.findIndex((word, index) => index > 0 && index < words.length - 1 && /^\p{Ll}/u.test(word))
      const family = particle > 0 ? particle : words.length - 1
      return `${words.slice(family).join(' ')}, ${words.slice(0, family).join(' ')}`
    })
}

function splitKeywords(text: string): string[] {
  return text
    .split(/\s*[;,]\s*/)
    .map((word) => word.trim())
    .filter((word) => word !== '')
}

function findLineStarts(text: string): number[] {
  const starts = [0]
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1)
  return starts
}

function lineOf(starts: readonly number[], position: number): number {
  let low = 0
  let high = starts.length - 1
  while (low < high) {
    const middle = (low + high + 1) >> 1
    if (starts[middle]! <= position) low = middle
    else high = middle - 1
  }
  return low + 1
}

const specialSigns: Record<string, string> = {
  '\\': '\\textbackslash{}',
  '&': '\\&',
  '%': '\\%',
  $: '\\$',
  '#': '\\#',
  _: '\\_',
  '{': '\\{',
  '}': '\\}',
  '~': '\\textasciitilde{}',
  '^': '\\textasciicircum{}',
}

function textToLatex(text: string): string {
  return text.replace(/[\\&%$#_{}~^]/g, (sign) => specialSigns[sign]!)
}

/**
 * Writes references as BibTeX in UTF-8, titles in double braces so that styles keep their capitals.
 *
 * Example: the reference with key `a` and year 2001 begins with "@article{a,".
 */
export function formatBibtex(references: readonly Reference[]): string {
  return references
    .map((reference) => {
      const field = (name: string, value: string | null) =>
        value === null || value === '' ? [] : [`  ${name} = {${value}}`]
      const text = (value: string | null) => (value === null ? null : textToLatex(value))
      const authors = reference.authors.map((author) =>
        author === 'et al.'
          ? 'others'
          : author.includes(',') || !author.includes(' ')
            ? textToLatex(author)
            : `{${textToLatex(author)}}`,
      )
      const inBook = reference.type.startsWith('in')
      const lines = [
        ...field('author', authors.join(' and ')),
        ...field('title', reference.title === null ? null : `{${textToLatex(reference.title)}}`),
        ...field(inBook ? 'booktitle' : 'journal', text(reference.journal)),
        ...field('year', reference.year === null ? null : String(reference.year)),
        ...field('volume', text(reference.volume)),
        ...field('number', text(reference.issue)),
        ...field('pages', text(reference.pages?.replace('-', '--') ?? null)),
        ...field(reference.type === 'phdthesis' ? 'school' : 'publisher', text(reference.publisher)),
        ...field('doi', reference.doi),
        ...field('pmid', reference.pubmedId),
        ...field('url', reference.url),
        ...field('abstract', text(reference.abstract)),
        ...field('keywords', text(reference.keywords.join(', '))),
        ...field('genes', text(reference.genes.join(', '))),
      ]
      return `@${reference.type}{${reference.key.replace(/[\s,{}()"#%~\\]/g, '_')},\n${lines.join(',\n')}\n}\n`
    })
    .join('\n')
}

// ---------------------------------------------------------------------------------------------------------------------
// RIS (Research Information Systems, 2001; the tags that EndNote, Zotero and PubMed write)

const risTypes: Record<string, string> = {
  JOUR: 'article',
  EJOUR: 'article',
  MGZN: 'article',
  ABST: 'article',
  BOOK: 'book',
  EBOOK: 'book',
  CHAP: 'incollection',
  ECHAP: 'incollection',
  CONF: 'inproceedings',
  CPAPER: 'inproceedings',
  THES: 'phdthesis',
  RPRT: 'techreport',
  UNPB: 'unpublished',
}
const risTypeOf: Record<string, string> = {
  article: 'JOUR',
  book: 'BOOK',
  incollection: 'CHAP',
  inbook: 'CHAP',
  inproceedings: 'CPAPER',
  phdthesis: 'THES',
  mastersthesis: 'THES',
  techreport: 'RPRT',
  unpublished: 'UNPB',
}

/**
 * Reads RIS: any line end, tags with one or two blanks around the dash, values that go on over further lines. A record without
 * its "ER" ends before the next "TY".
 *
 * Example: the lines "TY  - JOUR", "TI  - X", "ER  - " give one reference of type `article`.
 */
export function parseRis(text: string, options: ReferenceOptions): Reference[] {
  const { file, log } = options
  const references: Reference[] = []
  let tags: [tag: string, value: string][] | null = null
  let start = 0
  const close = () => {
    if (!tags) return
    references.push(referenceOfRis(tags, start, references.length + 1))
    tags = null
  }
  const lines = text.replace(/^\ufeff/, '').split(/\r\n|\r|\n/)
  for (const [index, line] of lines.entries()) {
    const tagged = /^([A-Z][A-Z0-9]) {1,2}-(?: (.*)|$)/.exec(line)
    if (!tagged) {
      if (line.trim() === '') continue
      const last = (tags as [string, string][] | null)?.at(-1)
      // Exporters begin with a heading or a number for each record.
      if (last) last[1] = `${last[1]} ${line.trim()}`.trim()
      else log.report(referenceDefects, 'reference-bad-line', file, index + 1)
      continue
    }
    const tag = tagged[1]!
    const value = (tagged[2] ?? '').trim()
    if (tag === 'TY') {
      if (tags) {
        log.report(referenceDefects, 'reference-no-end', file, start)
        close()
      }
      tags = [[tag, value]]
      start = index + 1
    } else if (!tags) {
      if (tag !== 'ER') log.report(referenceDefects, 'reference-bad-line', file, index + 1)
    } else if (tag === 'ER') close()
    else tags.push([tag, value])
  }
  if (tags) {
    log.report(referenceDefects, 'reference-no-end', file, start)
    close()
  }
  return finishReferences(references, options)
}

function referenceOfRis(tags: readonly [string, string][], line: number, number: number): Reference {
  const first = (...names: string[]) => {
    for (const name of names) {
      const value = tags.find(([tag, text]) => tag === name && text !== '')?.[1]
      if (value !== undefined) return value
    }
    return null
  }
  const all = (...names: string[]) =>
    tags.filter(([tag, text]) => names.includes(tag) && text !== '').map(([, text]) => text)
  const type = risTypes[first('TY') ?? ''] ?? 'misc'
  const reference = newReference('', type, line)
  reference.title = first('TI', 'T1', 'CT', 'BT')
  reference.authors = all('AU', 'A1')
  reference.year = readYear(first('PY', 'Y1', 'DA') ?? '')
  reference.journal = first('JO', 'JF', 'T2', 'JA', 'J2', 'J1', 'BT')
  if (reference.journal === reference.title && type === 'book') reference.journal = null
  reference.volume = first('VL')
  reference.issue = first('IS')
  const from = first('SP')
  const to = first('EP')
  if (from !== null) reference.pages = cleanPages(to === null || from.includes('-') ? from : `${from}-${to}`)
  reference.publisher = first('PB')
  const links = all('UR', 'L1', 'L2', 'LK')
  reference.doi = [first('DO') ?? '', first('M3') ?? '', ...links].map(cleanDoi).find((doi) => doi !== null) ?? null
  reference.url = links[0] ?? null
  const accession = first('AN') ?? ''
  reference.pubmedId =
    /^\d{1,9}$/.exec(accession)?.[0] ??
    [...all('N1', 'ID', 'C7'), ...links]
      .map((text) => /(?:PMID:?\s*|pubmed\/|pubmed\.ncbi\.nlm\.nih\.gov\/)(\d{1,9})/i.exec(text)?.[1])
      .find(Boolean) ??
    null
  reference.abstract = first('AB', 'N2')
  setKeywords(
    reference,
    all('KW').flatMap((words) => words.split(/\s*;\s*/)),
  )
  const family = reference.authors[0]
    ?.split(',')[0]
    ?.normalize('NFD')
    .replace(/[^A-Za-z]/g, '')
  reference.key = first('ID') ?? (family ? `${family}${reference.year ?? ''}` : `reference_${number}`)
  return reference
}

/**
 * Writes references as RIS with CRLF line ends, as the format asks for.
 *
 * Example: one reference of type `article` begins with "TY  - JOUR".
 */
export function formatRis(references: readonly Reference[]): string {
  return references
    .map((reference) => {
      const lines: string[] = []
      const add = (tag: string, value: string | number | null) => {
        if (value !== null && value !== '') lines.push(`${tag}  - ${String(value).replace(/\s+/g, ' ')}`)
      }
      add('TY', risTypeOf[reference.type] ?? 'GEN')
      add('ID', reference.key)
      for (const author of reference.authors) add('AU', author)
      add('TI', reference.title)
      add(risTypeOf[reference.type] === 'JOUR' ? 'JO' : 'T2', reference.journal)
      add('PY', reference.year)
      add('VL', reference.volume)
      add('IS', reference.issue)
      const [from, to] = reference.pages?.split('-') ?? []
      add('SP', from ?? null)
      add('EP', to ?? null)
      add('PB', reference.publisher)
      add('DO', reference.doi)
      add('AN', reference.pubmedId)
      add('UR', reference.url)
      add('AB', reference.abstract)
      for (const word of reference.keywords) add('KW', word)
      for (const gene of reference.genes) add('KW', `gene:${gene}`)
      lines.push('ER  - ')
      return `${lines.join('\r\n')}\r\n`
    })
    .join('\r\n')
}
