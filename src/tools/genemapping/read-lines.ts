import { parseRegion, readPosition } from '../../bio/sequence/region.ts'
import { findSeparator, splitCells } from '../../bio/text/table-cells.ts'
import { joinTableLines } from '../../bio/text/table-lines.ts'
import type { TextLog } from '../../bio/text/text-encoding.ts'

/** A place as a line names it: a gene by name, or a segment of a sequence (1-based, inclusive). */
export type NamedLocus = { gene: string } | { sequence: string; start1: number; end1: number }

export interface FeatureLine {
  line: number
  locus: NamedLocus
  /** Null where the line has none: a gene is then called by its symbol. */
  name: string | null
  strand: '+' | '-' | '.'
  /** By which features are coloured; empty where none is said. */
  group: string
}

export interface LinkLine {
  line: number
  from: NamedLocus
  to: NamedLocus
  group: string
}

export interface LineProblem {
  line: number
  /** Message `reason.<id>`. */
  id: 'unreadable' | 'backwards' | 'gene' | 'sequence' | 'beyond' | 'pair' | 'quote'
  text: string
}

const numberOf = (text: string | undefined): number | null => {
  // BED counts from 0.
  if (text === '0') return 0
  const read = readPosition(text ?? '')
  return read.ok ? read.value : null
}
const isPosition = (text: string | undefined): boolean => numberOf(text) !== null
const position = (text: string): number => numberOf(text) ?? 0

/** The segment of a place and its strand: start above end is the reverse strand, as everywhere. */
const orient = (locus: NamedLocus): { locus: NamedLocus; reverse: boolean } =>
  'start1' in locus && locus.start1 > locus.end1
    ? { locus: { ...locus, start1: locus.end1, end1: locus.start1 }, reverse: true }
    : { locus, reverse: false }

const strandOf = (text: string | undefined): '+' | '-' | '.' => (text === '+' || text === '-' ? text : '.')

/** Headings of tables, in lower case, by what stands below them. */
const headings = {
  name: /^(name|id|gene|gene_?id|locus|marker|snp|feature|symbol)$/,
  sequence: /^(chr|chrom|chromosome|seqid|sequence|scaffold|contig|seqname)$/,
  start: /^(start|pos|position|bp|begin|from|chromstart)$/,
  end: /^(end|stop|to|chromend)$/,
  strand: /^strand$/,
  group: /^(group|type|class|category|family|trait|subgenome|colou?r)$/,
} as const
type Column = keyof typeof headings

const readHeading = (cells: string[]): Partial<Record<Column, number>> | null => {
  const found: Partial<Record<Column, number>> = {}
  for (const [at, cell] of cells.entries())
    for (const column of Object.keys(headings) as Column[])
      if (found[column] === undefined && headings[column].test(cell.trim().toLowerCase())) {
        found[column] = at
        break
      }
  const placed = found.sequence !== undefined && found.start !== undefined
  return placed || (found.name !== undefined && cells.length > 1 && Object.keys(found).length > 1) ? found : null
}

const decode = (text: string): string => {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** Cells of a line: tabs where there are any, else commas or semicolons of a table, else blanks. */
const cellsOf = (line: string, separator: string | null): string[] =>
  (separator === null
    ? line.includes('\t')
      ? line.split('\t')
      : line.trim().split(/\s+/)
    : splitCells(line, separator)
  ).map((cell) => cell.trim())

/** Rows of a table with a heading; one whose quotes are wrong ends it, and is told. */
const tableRows = (lines: readonly string[], problems: LineProblem[]): string[] => {
  const log: TextLog = {
    report: (_catalogue, code, _file, line) => {
      if (code === 'table-line-break') return
      problems.push({ line: line ?? 1, id: 'quote', text: (lines[(line ?? 1) - 1] ?? '').trim().slice(0, 80) })
    },
  }
  return joinTableLines(
    lines.map((line) => (isComment(line) ? '' : line)),
    'features',
    log,
  )
}

const isComment = (line: string): boolean => line.trim() === '' || /^\s*(#|track\b|browser\b)/.test(line)

/**
 * Reads a list of features, each line by itself: GFF3 (nine columns), BED (sequence, start from 0, end, name, score, strand), a name
 * with sequence, start, end, strand and group (1-based), a region as `chr1:100-200` with a name and a group, or a gene with a group.
 * A table whose heading names its columns (gene, chromosome, start, end, strand, group) is read by them, 1-based; its quoted cells may
 * hold line breaks.
 *
 * @example readFeatureLines('chrI\t99\t200\tARS1').features
 * // [{ line: 1, place: { sequence: 'chrI', start1: 100, end1: 200 }, name: 'ARS1', … }]
 */
export const readFeatureLines = (text: string): { features: FeatureLine[]; problems: LineProblem[] } => {
  const features: FeatureLine[] = []
  const problems: LineProblem[] = []
  const lines = text.split(/\r\n|\r|\n/)
  const first = lines.findIndex((line) => !isComment(line))
  const bom = first < 0 ? '' : lines[first]!.replace(/^\uFEFF/, '')
  if (first >= 0) lines[first] = bom
  const separator = /[\t,;]/.test(bom) ? findSeparator(bom) : null
  const heading = first < 0 ? null : readHeading(cellsOf(bom, separator))
  for (const [at, line] of (heading === null ? lines : tableRows(lines, problems)).entries()) {
    if (isComment(line) || (heading !== null && at === first)) continue
    const number = at + 1
    const cells = cellsOf(line, heading === null ? null : separator)
    const problem = (id: LineProblem['id']): void => {
      problems.push({ line: number, id, text: line.trim().slice(0, 80) })
    }
    const add = (
      given: NamedLocus,
      name: string | undefined,
      strand: string | undefined,
      group: string | undefined,
    ): void => {
      const { locus, reverse } = orient(given)
      // A start above its end is on the reverse strand; a line that says otherwise is wrong in one of the two.
      if (reverse && strand === '+') problem('backwards')
      else
        features.push({
          line: number,
          locus,
          name: name === undefined || name === '' || name === '.' ? null : name,
          strand: reverse ? '-' : strandOf(strand),
          group: group === undefined || group === '.' ? '' : group.slice(0, 100),
        })
    }
    if (heading !== null) {
      const cell = (column: Column): string | undefined =>
        heading[column] === undefined ? undefined : cells[heading[column]]
      const [sequence, start, end] = [cell('sequence'), cell('start'), cell('end')]
      if (heading.sequence === undefined || heading.start === undefined) {
        const name = cell('name') ?? ''
        if (name === '') problem('unreadable')
        else add({ gene: name }, undefined, undefined, cell('group'))
      } else if (sequence === undefined || sequence === '' || !isPosition(start)) problem('unreadable')
      else
        add(
          { sequence, start1: position(start!), end1: position(isPosition(end) ? end! : start!) },
          cell('name'),
          cell('strand'),
          cell('group'),
        )
    } else if (cells.length >= 8 && isPosition(cells[3]) && isPosition(cells[4])) {
      const attributes = cells[8] ?? ''
      const attribute = (key: string): string | undefined => {
        const value = new RegExp(`(?:^|;)\\s*${key}=([^;]*)`, 'i').exec(attributes)?.[1]
        return value === undefined ? undefined : decode(value)
      }
      add(
        { sequence: cells[0]!, start1: position(cells[3]!), end1: position(cells[4]!) },
        attribute('Name') ?? attribute('ID') ?? attribute('gene'),
        cells[6],
        cells[2],
      )
    } else if (cells.length >= 3 && isPosition(cells[1]) && isPosition(cells[2])) {
      const [start0, end0] = [position(cells[1]!), position(cells[2]!)]
      const [low0, high0] = [Math.min(start0, end0), Math.max(start0, end0)]
      // As BED leaves out the end, there is no base in it.
      if (start0 === end0) problem('backwards')
      else
        add(
          start0 < end0
            ? { sequence: cells[0]!, start1: low0 + 1, end1: high0 }
            : { sequence: cells[0]!, start1: high0, end1: low0 + 1 },
          cells[3],
          cells[5],
          cells.length > 6 && cells.length < 10 ? cells[6] : undefined,
        )
    } else if (cells.length >= 4 && isPosition(cells[2]) && isPosition(cells[3])) {
      const stranded = cells[4] === '+' || cells[4] === '-' || cells[4] === '.'
      add(
        { sequence: cells[1]!, start1: position(cells[2]!), end1: position(cells[3]!) },
        cells[0],
        stranded ? cells[4] : undefined,
        stranded ? cells[5] : cells[4],
      )
    } else if (cells.length >= 3 && isPosition(cells[2]))
      add(
        { sequence: cells[1]!, start1: position(cells[2]!), end1: position(cells[2]!) },
        cells[0],
        undefined,
        cells[3],
      )
    else {
      const region = cells[0]!.includes(':') ? readLocus(cells[0]!) : null
      if (region !== null && 'start1' in region) add(region, cells[1], undefined, cells[2])
      else if (cells[0] === '') problem('unreadable')
      else add({ gene: cells[0]! }, undefined, undefined, cells[1])
    }
  }
  return { features, problems }
}

const readLocus = (text: string): NamedLocus => {
  const parsed = parseRegion(text)
  if (!parsed.ok) return { gene: text }
  const { sequenceName, start1, end1, strand } = parsed.region
  return strand === '-'
    ? { sequence: sequenceName, start1: end1, end1: start1 }
    : { sequence: sequenceName, start1, end1 }
}

/**
 * Reads pairs to be joined, one a line: two genes or regions and a group, or the six columns of Circos (sequence, start, end, twice;
 * 1-based) and a group.
 *
 * @example readLinkLines('GAL1 chrII:1-500').links[0].to // { sequence: 'chrII', start1: 1, end1: 500 }
 */
export const readLinkLines = (text: string): { links: LinkLine[]; problems: LineProblem[] } => {
  const links: LinkLine[] = []
  const problems: LineProblem[] = []
  for (const [at, line] of text.split(/\r\n|\r|\n/).entries()) {
    if (isComment(line)) continue
    const cells = cellsOf(line, null)
    const six = cells.length >= 6 && [1, 2, 4, 5].every((column) => isPosition(cells[column]))
    const [from, to]: (NamedLocus | null)[] = six
      ? [0, 3].map((column) => ({
          sequence: cells[column]!,
          start1: position(cells[column + 1]!),
          end1: position(cells[column + 2]!),
        }))
      : cells.length < 2 || cells[1] === ''
        ? [null, null]
        : [readLocus(cells[0]!), readLocus(cells[1]!)]
    const group = cells[six ? 6 : 2] ?? ''
    if (from && to)
      links.push({ line: at + 1, from: orient(from).locus, to: orient(to).locus, group: group.slice(0, 100) })
    else problems.push({ line: at + 1, id: 'pair', text: line.trim().slice(0, 80) })
  }
  return { links, problems }
}
