import { isTransferred } from './interaction-scores.ts'

/** STRING's links files, BioGRID's tab files, or any table of two genes a line. */
export type InteractionLayout = 'string' | 'biogrid' | 'table'

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
}

/** A line that cannot be read; `reason` is shown to who loads the file. */
export class InteractionTextError extends Error {
  readonly line: number
  readonly reason: 'columns' | 'score' | 'layout'

  constructor(reason: InteractionTextError['reason'], line: number) {
    super(`line ${line}: ${reason}`)
    this.reason = reason
    this.line = line
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
      return { a: [parts[0]!], b: [parts[1]!], cells, channel: '', publication: '', value: null }
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
  return {
    layout: 'biogrid',
    channels: [],
    hasScores: false,
    read: (text, number) => {
      if (text.trim() === '') return null
      const parts = text.split('\t')
      if (parts.length < columns.length - 2) throw new InteractionTextError('columns', number)
      const names = (places: number[]): string[] =>
        places.flatMap((at) => (parts[at] ?? '').split('|')).filter((name) => name !== '' && name !== '-')
      const told = publication < 0 ? '' : (parts[publication] ?? '')
      return {
        ...{ a: names(namesA), b: names(namesB), cells: null, value: null },
        channel: parts[system] ?? '',
        publication: told === '-' ? '' : told,
      }
    },
  }
}

const openTable = (line: string): InteractionReader & { first: InteractionLine | null } => {
  const separator = line.includes('\t') ? '\t' : line.includes(',') ? ',' : /\s+/
  const split = (text: string): string[] =>
    (typeof separator === 'string' ? text : text.trim()).split(separator).map((part) => part.trim())
  const named = split(line).map(bare)
  const find = (which: keyof typeof headings): number =>
    named.findIndex((name) => (headings[which] as readonly string[]).includes(name))
  const known = find('a') >= 0 && find('b') >= 0
  if (split(line).length < 2) throw new InteractionTextError('layout', 1)
  const isNumber = (text: string | undefined): boolean =>
    text !== undefined && text !== '' && Number.isFinite(Number(text))
  // Without headings: two genes, then a score where the third column is a number, else how it was found.
  const third = split(line)[2]
  const places = known
    ? { a: find('a'), b: find('b'), score: find('score'), channel: find('channel'), publication: find('publication') }
    : {
        a: 0,
        b: 1,
        score: isNumber(third) ? 2 : -1,
        channel: third !== undefined && !isNumber(third) ? 2 : -1,
        publication: -1,
      }
  const read: InteractionReader['read'] = (text, number) => {
    if (text.trim() === '' || text.startsWith('#')) return null
    const parts = split(text)
    const [a, b] = [parts[places.a] ?? '', parts[places.b] ?? '']
    if (a === '' || b === '') throw new InteractionTextError('columns', number)
    let value: number | null = null
    if (places.score >= 0) {
      const cell = parts[places.score]
      if (!isNumber(cell) || Number(cell) < 0) throw new InteractionTextError('score', number)
      value = Number(cell)
    }
    return {
      ...{ a: [a], b: [b], cells: null, value },
      channel: places.channel < 0 ? '' : (parts[places.channel] ?? ''),
      publication: places.publication < 0 ? '' : (parts[places.publication] ?? ''),
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
  if (/^#?protein1\s+protein2\s/.test(line) && /\scombined_score\s*$/.test(line))
    return { reader: openString(line.replace(/^#/, '')), first: null }
  if (/^#?\s*BioGRID Interaction ID\t/i.test(line)) return { reader: openBiogrid(line), first: null }
  const { first, ...reader } = openTable(line)
  return { reader, first }
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
