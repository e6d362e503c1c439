import { findSeparator, hasDecimalComma, splitCells } from '../text/table-cells.ts'
import { isTransferred } from './interaction-scores.ts'

/** STRING's links files, BioGRID's tab files, PSI-MI TAB, or any table of two genes a line. */
export type InteractionLayout = 'string' | 'biogrid' | 'mitab' | 'table'

/**
 * What a line says of two proteins. `a` and `b` are names by which each may be known, best first. Of STRING `cells` are the channels in
 * the layout's order and the combined score last, in thousandths. Otherwise `channel` is how it was found ('' where the table does not
 * say), `value` the score as written (null without one) and `publication` where it was told.
 */
export interface InteractionLine {
  a: string[]
  b: string[]
  cells: number[] | null
  channel: string
  publication: string
  value: number | null
  /** Organisms of the two as the file numbers them (NCBI Taxonomy); null where it does not tell. */
  organisms: [string, string] | null
}

/** A line that cannot be read; `reason` is shown to who loads the file. */
export class InteractionTextError extends Error {
  readonly line: number
  readonly reason: 'columns' | 'score' | 'layout' | 'comma'
  /** The cell of a score with a decimal comma, else ''. */
  readonly cell: string

  constructor(reason: InteractionTextError['reason'], line: number, cell = '') {
    super(`line ${line}: ${reason}`)
    this.reason = reason
    this.line = line
    this.cell = cell
  }
}

export interface InteractionReader {
  layout: InteractionLayout
  /** STRING's channels, the combined score left out; empty for other layouts, which name theirs line by line. */
  channels: string[]
  hasScores: boolean
  /** Null for a line without content. Throws InteractionTextError. */
  read(line: string, number: number): InteractionLine | null
}

const bare = (name: string): string =>
  name
    .trim()
    .toLowerCase()
    .replace(/^#/, '')
    .replace(/[\s._-]+/g, '')

const headings = {
  a: ['gene1', 'protein1', 'genea', 'proteina', 'interactora', 'node1', 'source', 'bait', 'from'],
  b: ['gene2', 'protein2', 'geneb', 'proteinb', 'interactorb', 'node2', 'target', 'prey', 'to'],
  score: ['score', 'combinedscore', 'confidence', 'weight', 'probability'],
  channel: ['evidence', 'method', 'type', 'detectionmethod', 'experimentalsystem', 'channel'],
  publication: ['publication', 'pubmed', 'pubmedid', 'pmid', 'reference', 'publicationsource', 'doi'],
} as const

const openString = (line: string): InteractionReader => {
  const columns = line.trim().split(/\s+/)
  // Older releases wrote "experimental" for what is now "experiments".
  const channels = columns.slice(2, -1).map((name) => name.replace(/^experimental(?=$|_)/, 'experiments'))
  return {
    layout: 'string',
    channels,
    hasScores: true,
    read: (text, number) => {
      if (text.trim() === '') return null
      const parts = text.trim().split(/\s+/)
      if (parts.length !== columns.length) throw new InteractionTextError('columns', number)
      const cells = parts.slice(2).map(Number)
      if (!cells.every((cell) => Number.isInteger(cell) && cell >= 0 && cell <= 1000))
        throw new InteractionTextError('score', number)
      return { a: [parts[0]!], b: [parts[1]!], cells, channel: '', publication: '', value: null, organisms: null }
    },
  }
}

/** Names of a BioGRID interactor, best first; "-" is none, synonyms are many with a bar between. */
const openBiogrid = (line: string): InteractionReader => {
  const columns = line.split('\t').map(bare)
  const place = (name: string): number => columns.indexOf(name)
  const nameColumns = (side: 'a' | 'b'): number[] =>
    [
      `systematicnameinteractor${side}`,
      `officialsymbolinteractor${side}`,
      `swissprotaccessionsinteractor${side}`,
      `entrezgeneinteractor${side}`,
      `synonymsinteractor${side}`,
    ]
      .map(place)
      .filter((at) => at >= 0)
  const [namesA, namesB] = [nameColumns('a'), nameColumns('b')]
  const system = place('experimentalsystem')
  const publication = Math.max(place('publicationsource'), place('pubmedid'))
  // tab2 has the numbers of organisms under the heading under which tab3 has none.
  const organism = (side: 'a' | 'b'): number =>
    Math.max(place(`organismidinteractor${side}`), place(`organisminteractor${side}`))
  const [organismA, organismB] = [organism('a'), organism('b')]
  return {
    layout: 'biogrid',
    channels: [],
    hasScores: false,
    read: (text, number) => {
      if (text.trim() === '') return null
      const parts = text.split('\t')
      if (parts.length < columns.length - 2) throw new InteractionTextError('columns', number)
      const names = (indexes: number[]): string[] =>
        indexes.flatMap((at) => (parts[at] ?? '').split('|')).filter((name) => name !== '' && name !== '-')
      const reported = (part: string | undefined): string => (part === undefined || part === '-' ? '' : part)
      return {
        a: names(namesA),
        b: names(namesB),
        cells: null,
        value: null,
        channel: parts[system] ?? '',
        publication: publication < 0 ? '' : reported(parts[publication]),
        organisms: organismA < 0 || organismB < 0 ? null : [reported(parts[organismA]), reported(parts[organismB])],
      }
    },
  }
}

/** Columns of PSI-MI TAB 2.5, which 2.6 (36 columns), 2.7 (42) and 2.8 continue; counted from 0 (HUPO-PSI, github.com/HUPO-PSI/miTab). */
const mitab = {
  a: [0, 2, 4],
  b: [1, 3, 5],
  method: 6,
  publication: 8,
  organismA: 9,
  organismB: 10,
  minColumns: 15,
  negative: 35,
} as const

/** One of the values of a field, `database:identifier(text)`; what holds a special letter stands in quotation marks. */
interface MitabValue {
  database: string
  id: string
  text: string
}

const unquote = (text: string): string => (/^".*"$/s.test(text) ? text.slice(1, -1).replace(/\\(["\\])/g, '$1') : text)

const readMitabField = (field: string | undefined): MitabValue[] =>
  (field ?? '').match(/(?:"(?:\\.|[^"\\])*"|[^|"])+/g)?.flatMap((part) => {
    const found = /^("(?:\\.|[^"\\])*"|[^:"]*):("(?:\\.|[^"\\])*"|.*?)(?:\(("(?:\\.|[^"\\])*"|[^()]*)\))?$/s.exec(
      part.trim(),
    )
    return found === null
      ? []
      : [{ database: unquote(found[1]!), id: unquote(found[2]!), text: unquote(found[3] ?? '') }]
  }) ?? []

/** Names of an interactor, identifiers first. Numbers are names only as Entrez genes: those of BioGRID would be taken for them. */
const mitabNames = (parts: readonly string[], columns: readonly number[]): string[] => {
  const names = columns.flatMap((at) =>
    readMitabField(parts[at]).flatMap(({ database, id }) => {
      if (/^\d+$/.test(id)) return /^entrez/i.test(database) ? [`GeneID:${id}`] : []
      // An isoform or a chain of UniProt is known to gene models by the entry.
      return /^uniprot/i.test(database) ? [id, id.replace(/-(\d+|PRO_\d+)$/, '')] : [id]
    }),
  )
  return [...new Set(names)]
}

const openMitab = (line: string): { reader: InteractionReader; first: InteractionLine | null } => {
  const read: InteractionReader['read'] = (text, number) => {
    if (text.trim() === '' || text.startsWith('#')) return null
    const parts = text.split('\t')
    if (parts.length < mitab.minColumns) throw new InteractionTextError('columns', number)
    // What was shown not to interact.
    if (/^true$/i.test(parts[mitab.negative]?.trim() ?? '')) return null
    const [method] = readMitabField(parts[mitab.method])
    const publications = readMitabField(parts[mitab.publication])
    const publication = publications.find(({ database }) => /^pubmed$/i.test(database)) ?? publications[0]
    const organism = (at: number): string => readMitabField(parts[at])[0]?.id ?? ''
    return {
      a: mitabNames(parts, mitab.a),
      b: mitabNames(parts, mitab.b),
      cells: null,
      value: null,
      channel: method === undefined ? '' : method.text === '' ? method.id : method.text,
      publication: publication === undefined ? '' : `${publication.database.toUpperCase()}:${publication.id}`,
      organisms: [organism(mitab.organismA), organism(mitab.organismB)],
    }
  }
  return { reader: { layout: 'mitab', channels: [], hasScores: false, read }, first: read(line, 1) }
}

/** A line of PSI-MI TAB: method and organisms of its form where the standard has them. */
const isMitab = (line: string): boolean => {
  const parts = line.split('\t')
  return (
    parts.length >= mitab.minColumns &&
    (parts[mitab.method] === '-' || /^psi-mi:/i.test(parts[mitab.method]!)) &&
    [mitab.organismA, mitab.organismB].every((at) => parts[at] === '-' || /^taxid:/i.test(parts[at]!))
  )
}

const openTable = (line: string): InteractionReader & { first: InteractionLine | null } => {
  const separator = /[\t,;]/.test(line) ? findSeparator(line) : null
  const split = (text: string): string[] =>
    (separator === null ? text.trim().split(/\s+/) : splitCells(text, separator)).map((part) => part.trim())
  const named = split(line).map(bare)
  const find = (which: keyof typeof headings): number =>
    named.findIndex((name) => (headings[which] as readonly string[]).includes(name))
  const known = find('a') >= 0 && find('b') >= 0
  if (split(line).length < 2) throw new InteractionTextError('layout', 1)
  const isNumber = (text: string | undefined): boolean =>
    text !== undefined && text !== '' && Number.isFinite(Number(text))
  // Without headings: two genes, then a score where the third column is a number, else how it was found.
  const third = split(line)[2]
  const isScore = isNumber(third) || (third !== undefined && hasDecimalComma(third))
  const places = known
    ? { a: find('a'), b: find('b'), score: find('score'), channel: find('channel'), publication: find('publication') }
    : {
        a: 0,
        b: 1,
        score: isScore ? 2 : -1,
        channel: third !== undefined && !isScore ? 2 : -1,
        publication: -1,
      }
  const read: InteractionReader['read'] = (text, number) => {
    if (text.trim() === '' || text.startsWith('#')) return null
    const parts = split(text)
    const [a, b] = [parts[places.a] ?? '', parts[places.b] ?? '']
    if (a === '' || b === '') throw new InteractionTextError('columns', number)
    // Of a table that commas part, a score with a decimal comma is two cells: without headings always, under them one too many.
    const cut = parts.slice(places.score, places.score + 2)
    const isCut = separator === ',' && places.score >= 0 && cut.length === 2 && cut.every((cell) => /^\d+$/.test(cell))
    if (isCut && parts.length === (known ? named.length + 1 : 4))
      throw new InteractionTextError('comma', number, cut.join())
    if (known && parts.slice(named.length).some((part) => part !== ''))
      throw new InteractionTextError('columns', number)
    // The first row has words where this one has a score.
    if (!known && places.channel >= 0 && isNumber(parts[places.channel]))
      throw new InteractionTextError('score', number)
    let value: number | null = null
    if (places.score >= 0) {
      const cell = parts[places.score]
      if (cell !== undefined && hasDecimalComma(cell)) throw new InteractionTextError('comma', number, cell)
      if (!isNumber(cell) || Number(cell) < 0) throw new InteractionTextError('score', number)
      value = Number(cell)
    }
    return {
      a: [a],
      b: [b],
      cells: null,
      value,
      channel: places.channel < 0 ? '' : (parts[places.channel] ?? ''),
      publication: places.publication < 0 ? '' : (parts[places.publication] ?? ''),
      organisms: null,
    }
  }
  return { layout: 'table', channels: [], hasScores: places.score >= 0, read, first: known ? null : read(line, 1) }
}

/**
 * A reader of the file that begins with this line, told by its headings. `first` is what the line itself says where it is none of headings.
 *
 * @example openInteractions('gene1\tgene2\tscore').reader.layout // 'table'
 */
export const openInteractions = (line: string): { reader: InteractionReader; first: InteractionLine | null } => {
  const layout = interactionLayout(line)
  if (layout === 'string') return { reader: openString(line.replace(/^#/, '')), first: null }
  if (layout === 'biogrid') return { reader: openBiogrid(line), first: null }
  if (layout === 'mitab') return openMitab(line)
  const { first, ...reader } = openTable(line)
  return { reader, first }
}

/** What a file is that begins with this line. Only a `table` has quotes as CSV has them; in the others they are letters. */
export const interactionLayout = (line: string): InteractionLayout => {
  if (/^#?protein1\s+protein2\s/.test(line) && /\scombined_score\s*$/.test(line)) return 'string'
  if (/^#?\s*BioGRID Interaction ID\t/i.test(line)) return 'biogrid'
  return isMitab(line) ? 'mitab' : 'table'
}

/**
 * Names under which a gene model may know a protein of STRING or BioGRID, best first: as written, without the taxon's number in front,
 * and without a version behind.
 *
 * @example proteinNames('3702.AT1G01010.1') // ['3702.AT1G01010.1', 'AT1G01010.1', 'AT1G01010']
 */
export const proteinNames = (name: string): string[] => {
  const plain = name.replace(/^\d+\./, '')
  return [...new Set([name, plain, plain.replace(/\.\d+$/, '')])].filter((one) => one !== '')
}

/** Channels worth showing: what STRING measures of likeness between the two proteins is none. */
export const evidenceChannels = (channels: readonly string[]): string[] => channels.filter((one) => one !== 'homology')

/** Whether all that speaks for a pair was transferred from other organisms. */
export const onlyTransferred = (channels: readonly string[], cells: ArrayLike<number>): boolean => {
  let any = false
  for (const [at, channel] of channels.entries()) {
    if (channel === 'homology' || !(cells[at]! > 0)) continue
    if (!isTransferred(channel)) return false
    any = true
  }
  return any
}

/** A second organism of a file needs so many names of genes here to be taken for a strain of the first. */
const minOfStrain = 20
/** And so large a share of its names as of the first's: names that species share by chance or descent are far fewer. */
const shareOfStrain = 0.5

/**
 * The organisms of a file whose proteins are those of the genome, by how many different names of each are names of its genes: the one
 * with most, and others such as a strain of it under a number of its own.
 *
 * @example chooseOrganisms(new Map([['559292', { names: 6000, matched: 5900 }], ['9606', { names: 900, matched: 80 }]]))
 * // Set { '559292' }
 */
export const chooseOrganisms = (
  counts: ReadonlyMap<string, { names: number; matched: number }>,
): ReadonlySet<string> => {
  const sorted = [...counts].sort(([, a], [, b]) => b.matched - a.matched || a.names - b.names)
  const [best] = sorted
  if (best === undefined) return new Set()
  const share = ({ names, matched }: { names: number; matched: number }): number => matched / Math.max(1, names)
  return new Set(
    sorted
      .filter(
        ([id, own]) => id === best[0] || (own.matched >= minOfStrain && share(own) >= shareOfStrain * share(best[1])),
      )
      .map(([id]) => id),
  )
}
