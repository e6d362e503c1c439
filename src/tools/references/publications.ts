import { countSlips, rankSpellings } from '../../bio/text/spelling.ts'
import type { ExpressionDataset } from '../../contracts/expression.ts'
import type { CitedDataSet } from '../../contracts/publication.ts'
import type { AssemblySummary } from '../../contracts/species.ts'
import type { LocalizedText } from '../../contracts/text.ts'
import type { BakedReference } from './stored.ts'

/** A publication with its text taken apart for searching. */
export interface Publication {
  species: string
  reference: BakedReference
  /** Fields by weight, folded. */
  fields: { weight: number; text: string; words: string[] }[]
  /** Names that may be genes, with how the publication brings them; the surest first. */
  geneNames: { name: string; by: 'entry' | 'keyword' | 'text' }[]
}

/** Lower case without accents and ligatures: `fold('Médigue')` is `medigue`. */
export const fold = (text: string): string =>
  text
    .normalize('NFKD')
    .replace(/\p{Mn}/gu, '')
    .toLowerCase()

/**
 * By what a publication is the same one in the files of several species: its DOI, else its PubMed id, else its title and year; by itself
 * where it has none of them.
 */
export const identityOf = ({ species, reference }: Publication): string => {
  const { doi, pubmedId, title, year, key } = reference
  if (doi !== null) return `doi ${doi.replace(/^(?:https?:\/\/(?:dx\.)?doi\.org\/|doi:)/i, '').toLowerCase()}`
  if (pubmedId !== null) return `pubmed ${pubmedId}`
  return title === null || year === null ? `key ${species} ${key}` : `title ${year} ${wordsOf(fold(title)).join(' ')}`
}

const wordsOf = (folded: string): string[] => folded.match(/[\p{L}\p{N}]+/gu) ?? []

// Where a word stands tells how much the publication is about it; a title is chosen with most care.
const weights = { title: 8, keyword: 6, name: 6, author: 5, journal: 2, abstract: 1 }

/** Words of a text that are written as genes are: a digit among the letters, or a capital after a small letter (esxA, Rv3875). */
const geneLikeWord = /[A-Za-z][A-Za-z0-9]*(?:[-_.][A-Za-z0-9]+)*/g
const looksLikeGene = (word: string): boolean =>
  word.length >= 4 && word.length <= 24 && (/\d/.test(word) || /[a-z][A-Z]/.test(word))
/** Most names that are looked up for the text of one publication. */
const textNames = 80

export const readPublication = (species: string, given: BakedReference): Publication => {
  // What an older loader baked has neither genes nor assemblies.
  const reference: BakedReference = { ...given, genes: given.genes ?? [], assemblies: given.assemblies ?? null }
  const fields = (
    [
      [weights.title, reference.title],
      [weights.keyword, [...reference.keywords, ...reference.genes].join(' | ')],
      [
        weights.name,
        [reference.key, reference.doi, reference.pubmedId, reference.year].filter((part) => part !== null).join(' | '),
      ],
      [weights.author, reference.authors.join(' | ')],
      [weights.journal, [reference.journal, reference.publisher].filter((part) => part !== null).join(' | ')],
      [weights.abstract, reference.abstract],
    ] as const
  ).flatMap(([weight, text]) => {
    if (text === null || text === '') return []
    const folded = fold(text)
    return [{ weight, text: folded, words: wordsOf(folded) }]
  })
  const geneNames = new Map<string, 'entry' | 'keyword' | 'text'>()
  for (const name of reference.genes) geneNames.set(name, 'entry')
  for (const name of reference.keywords) if (!/\s/.test(name) && !geneNames.has(name)) geneNames.set(name, 'keyword')
  let fromText = 0
  for (const [word] of `${reference.title ?? ''}\n${reference.abstract ?? ''}`.matchAll(geneLikeWord)) {
    if (fromText >= textNames || geneNames.has(word) || !looksLikeGene(word)) continue
    geneNames.set(word, 'text')
    fromText += 1
  }
  return { species, reference, fields, geneNames: [...geneNames].map(([name, by]) => ({ name, by })) }
}

/** A name, and the gene that it was resolved to: is it meant? Keywords and texts hold ordinary words that some alias happens to be. */
export const meansGene = (
  { name, by }: { name: string; by: 'entry' | 'keyword' | 'text' },
  gene: { id: string; symbol: string | null },
): boolean => {
  if (by === 'entry' || gene.symbol === name || gene.id === name) return true
  const sameId = gene.id.toLowerCase() === name.toLowerCase()
  return by === 'keyword' ? sameId || /[A-Za-z].*\d/.test(name) : sameId
}

export interface Term {
  typed: string
  /** Folded; several words for a phrase. */
  text: string
  phrase: boolean
}

/** Words and quoted phrases of a query. `readTerms('RD1 "esat 6"')` has `rd1` and the phrase `esat 6`. */
export const readTerms = (query: string): Term[] => {
  const terms: Term[] = []
  for (const [, quoted, plain] of query.matchAll(/["“]([^"”]*)["”]|([^\s"“”]+)/g)) {
    const typed = (quoted ?? plain ?? '').trim()
    const words = wordsOf(fold(typed))
    if (words.length === 0) continue
    // A DOI or a hyphenated name holds together as a quoted phrase does.
    terms.push({ typed, text: words.join(' '), phrase: words.length > 1 })
  }
  return terms
}

const cjk = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u

/** How well the publication fits one term; 0 when not at all. A whole word counts twice a beginning of one. */
const weighTerm = ({ fields }: Publication, { text, phrase }: Term): number => {
  let best = 0
  for (const field of fields) {
    if (field.weight * 2 <= best) continue
    if (phrase || cjk.test(text)) {
      // Chinese has no blanks between words: anywhere in the field.
      const at = phrase ? field.words.join(' ').indexOf(text) >= 0 : field.text.includes(text)
      if (at) best = Math.max(best, field.weight * 2)
      continue
    }
    for (const word of field.words) {
      if (word === text) best = Math.max(best, field.weight * 2)
      else if (word.startsWith(text)) best = Math.max(best, field.weight)
    }
  }
  return best
}

/** The sum over all terms; null when one of them is not found. */
export const weighPublication = (publication: Publication, terms: readonly Term[]): number | null => {
  let sum = 0
  for (const term of terms) {
    const weight = weighTerm(publication, term)
    if (weight === 0) return null
    sum += weight
  }
  return sum
}

// A slip in a short word makes another word; two are looked for only where eight letters leave no doubt.
const slipsFor = (word: string): number => (word.length >= 8 ? 2 : word.length >= 4 ? 1 : 0)

/** Terms that no publication has, read as the nearest word that some have; the others as they are. */
export const correctTerms = (
  publications: readonly Publication[],
  terms: readonly Term[],
): { terms: Term[]; corrections: { typed: string; read: string }[] } => {
  const corrections: { typed: string; read: string }[] = []
  let vocabulary: Map<string, number> | null = null
  const corrected = terms.map((term): Term => {
    const allowed = term.phrase || cjk.test(term.text) ? 0 : slipsFor(term.text)
    if (allowed === 0 || publications.some((publication) => weighTerm(publication, term) > 0)) return term
    if (vocabulary === null) {
      vocabulary = new Map()
      for (const { fields } of publications)
        for (const word of new Set(fields.flatMap((field) => field.words)))
          vocabulary.set(word, (vocabulary.get(word) ?? 0) + 1)
    }
    const near = [...vocabulary]
      .filter(([word]) => Math.abs(word.length - term.text.length) <= allowed && countSlips(term.text, word) <= allowed)
      .map(([word, count]) => ({ word, count }))
    const [read] = rankSpellings(term.text, near)
    if (read === undefined) return term
    corrections.push({ typed: term.typed, read })
    return { ...term, text: read }
  })
  return { terms: corrected, corrections }
}

/** A data set that a publication may be behind: texts in which it may be named, and names that a keyword may give it. */
export interface DataSet {
  kind: CitedDataSet['kind']
  species: string
  assembly: string
  id: string
  name: LocalizedText
  names: string[]
  /** Folded texts about its origin. */
  sources: string[]
  simulated: boolean
}

const texts = (...given: (LocalizedText | null | undefined)[]): string[] =>
  given
    .flatMap((text) =>
      text === null || text === undefined ? [] : typeof text === 'string' ? [text] : [text.en, text.zh],
    )
    .map(fold)

export const assemblyDataSet = (assembly: AssemblySummary): DataSet => ({
  kind: 'assembly',
  species: assembly.species,
  assembly: assembly.id,
  id: assembly.id,
  name: assembly.name,
  names: [assembly.id, assembly.name, assembly.strain, assembly.accession].flatMap((name) =>
    name === null ? [] : [fold(name)],
  ),
  sources: texts(assembly.source, assembly.description),
  simulated: assembly.simulated,
})

export const trackDataSet = (
  species: string,
  assembly: string,
  track: {
    id: string
    name: LocalizedText
    description: LocalizedText | null
    category: LocalizedText | null
    simulated: boolean
  },
): DataSet => ({
  kind: 'track',
  species,
  assembly,
  id: track.id,
  name: track.name,
  names: [],
  sources: texts(track.name, track.description, track.category),
  simulated: track.simulated,
})

export const expressionDataSet = (
  species: string,
  assembly: string,
  { id, name, source, description, simulated }: ExpressionDataset,
): DataSet => ({
  kind: 'expression',
  species,
  assembly,
  id,
  name,
  names: [],
  sources: texts(source, description),
  simulated,
})

/** "Griffin et al. 2011" of a source: the family name, not many letters, the year. */
const citesAuthorYear = (source: string, family: string, year: number): boolean => {
  for (let at = source.indexOf(family); at >= 0; at = source.indexOf(family, at + 1)) {
    const before = source[at - 1]
    if (before !== undefined && /\p{L}/u.test(before)) continue
    const rest = source.slice(at + family.length, at + family.length + 48)
    // Neither a longer name nor another year or work may stand between.
    if (new RegExp(`^(?!\\p{L})[^;\\d]*\\b${year}(?!\\d)`, 'u').test(rest)) return true
  }
  return false
}

/** Whether and how the publication is behind the data set; null when nothing says so. */
export const touchesDataSet = (
  { species, reference }: Publication,
  set: DataSet,
): 'entry' | 'keyword' | 'source' | null => {
  if (species !== set.species) return null
  if (set.kind === 'assembly') {
    if (reference.assemblies?.includes(set.id) === true) return 'entry'
    if (reference.keywords.some((keyword) => set.names.includes(fold(keyword)))) return 'keyword'
  }
  const doi = reference.doi === null ? null : fold(reference.doi)
  const family = fold(reference.authors[0]?.split(',')[0] ?? '')
  for (const source of set.sources) {
    if (doi !== null && source.includes(doi)) return 'source'
    if (family.length >= 2 && reference.year !== null && citesAuthorYear(source, family, reference.year))
      return 'source'
  }
  return null
}
