// Tables of phenotypes as labs write them: a column a trait (wide), or a row a measurement (long), with replicates and environments.

import type { DefectLog } from '../text/defects.ts'
import { detectOtherTable, isStarCount } from '../text/other-tables.ts'
import { hasDecimalComma } from '../text/table-cells.ts'
import { textDefects } from '../text/text-defects.ts'
import { isMissing, openSplitter } from './accession-table.ts'
import { phenotypeDefects } from './phenotype-defects.ts'

export const traitTypes = ['quantitative', 'ordinal', 'binary', 'categorical'] as const
export type TraitType = (typeof traitTypes)[number]

/** What a lab tells of a trait in a table of its own. */
export interface TraitDescription {
  id: string
  name: string | null
  nameZh: string | null
  unit: string | null
  description: string | null
  descriptionZh: string | null
  type: TraitType | null
  /** In their order, where the lab states them. */
  levels: string[] | null
}

export interface MeasuredTrait {
  id: string
  type: TraitType
  stated: boolean
  /** In order; null of a quantitative trait. */
  levels: string[] | null
  /** One for each row of the table's `observations`: the number, or the place of the level; NaN where nothing was measured. */
  values: Float64Array
}

export interface PhenotypeTable {
  /** In the order of the file. */
  accessions: string[]
  environments: string[]
  /** Accession and environment by their places (-1 without one), and the replicate as written. */
  observations: { accession: number; environment: number; replicate: string | null }[]
  traits: MeasuredTrait[]
}

const accessionHeading =
  /^(accession|accession[ _-]?id|sample|sample[ _-]?id|strains?|lines?|genotype|isolates?|individual|entry|iid|taxa|<trait>|id)$/i
const replicateHeading = /^(replicate|rep|repl|block|rep[ _-]?no|replication)$/i
const environmentHeading = /^(environment|env|location|loc|site|year|season|trial)$/i
/** Columns that tell of accessions and are no traits, unless the table of traits names them. */
const otherHeading =
  /^(fid|name|population|pop|subpopulation|country|origin|latitude|lat|longitude|lon|long|group|cluster|plot|row|column|range)$/i
const traitHeading = /^(trait|phenotype|variable|trait[ _-]?name|trait[ _-]?id)$/i
const valueHeading = /^(value|phenotype[ _-]?value|measurement|observation|observed)$/i

/** Whole numbers of at most so many different values are taken as grades (scores of disease and the like run to nine). */
const maxGrades = 10
/** Of fewer values than this nothing can be said of grades. */
const minForGrades = 20
/** A column is of numbers with mistakes in it, rather than of words, from this share of numbers on. */
const numberShare = 0.5
const maxTraits = 5000
const maxCells = 20_000_000

const byNumberOrWord = (a: string, b: string): number => {
  const [x, y] = [Number(a), Number(b)]
  if (!Number.isNaN(x) && !Number.isNaN(y)) return x - y
  return a < b ? -1 : a > b ? 1 : 0
}

/**
 * Reads the table of traits: headings trait, name, name_zh, unit, description, description_zh, type, levels (parted by ; or |), all but
 * the first optional.
 */
export const parseTraitDescriptions = (lines: Iterable<string>, file: string, log: DefectLog): TraitDescription[] => {
  let split: ((line: string) => string[]) | null = null
  let headings: string[] = []
  const found = new Map<string, TraitDescription>()
  let number = 0
  for (const line of lines) {
    number += 1
    if (line.trim() === '' || (split === null && line.startsWith('##'))) continue
    if (split === null) {
      split = openSplitter(line)
      headings = split(line.replace(/^#\s*/, '')).map((name) => name.toLowerCase())
      continue
    }
    const cells = split(line)
    const text = (name: string): string | null => {
      const cell = cells[headings.indexOf(name)]?.trim() ?? ''
      return cell === '' ? null : cell
    }
    const id = cells[0]?.trim() ?? ''
    if (id === '') continue
    if (found.has(id)) {
      log.report(phenotypeDefects, 'phenotype-trait-repeated', file, number, { trait: id })
      continue
    }
    const type = text('type')?.toLowerCase() ?? null
    if (type !== null && !traitTypes.some((one) => one === type))
      log.report(phenotypeDefects, 'phenotype-trait-type', file, number, {
        trait: id,
        type,
        types: traitTypes.join(', '),
      })
    found.set(id, {
      id,
      name: text('name'),
      nameZh: text('name_zh'),
      unit: text('unit'),
      description: text('description'),
      descriptionZh: text('description_zh'),
      type: traitTypes.find((one) => one === type) ?? null,
      levels:
        text('levels')
          ?.split(/[;|]/)
          .map((level) => level.trim())
          .filter((level) => level !== '') ?? null,
    })
  }
  if (found.size === 0) log.report(phenotypeDefects, 'phenotype-traits-empty', file, null)
  return [...found.values()]
}

export interface PhenotypeReaderOptions {
  file: string
  log: DefectLog
  /** Only these columns are traits, in this order; every other one that is not known as something else when absent. */
  traits?: readonly TraitDescription[]
  /** Codes that stand for a value that was not measured, besides the usual words: -9. */
  missing?: readonly string[]
}

interface Column {
  id: string
  cells: string[]
  lines: number[]
}

/**
 * Whether values stand where a heading should. Years may be names of traits; other numbers are not, where no heading says which column has
 * the accessions either. A table of which the lab names the traits (`free` is false) has numbers for names if the lab says so.
 */
const isWithoutHeading = (cells: readonly string[], free: boolean): boolean =>
  cells.every((cell) => isMissing(cell) || Number.isFinite(Number(cell))) ||
  (free &&
    !cells.some((cell) => accessionHeading.test(cell)) &&
    cells.some((cell) => cell !== '' && Number.isFinite(Number(cell)) && !/^(19|20)\d\d$/.test(cell)))

/**
 * Reads a table of phenotypes. Wide: a column a trait, an accession's second row is a replicate. Long: columns accession, trait, value.
 * Both
 * may have columns of replicates (replicate, rep, block) and of environments (environment, location, site, year, season, trial; several are
 * taken together). Numbers with a decimal comma and words in a column of numbers are errors, told with their lines. A trait whose type
 * is not stated is binary with two values, ordinal where it has at most ten different whole numbers, categorical where it has words, and
 * quantitative otherwise.
 *
 * @example parsePhenotypes(['line\theight', 'A\t1.5', 'B\tNA'], {file: 'p.tsv', log}).traits[0]
 * // {id: 'height', type: 'quantitative', stated: false, levels: null, values: [1.5, NaN]}
 */
export const parsePhenotypes = (
  lines: Iterable<string>,
  { file, log, traits: wanted, missing = [] }: PhenotypeReaderOptions,
): PhenotypeTable | null => {
  let split: ((line: string) => string[]) | null = null
  let headings: string[] = []
  let accessionAt = 0
  let replicateAt = -1
  let environmentAt: number[] = []
  let traitAt = -1
  let valueAt = -1
  const codes = new Set(missing)
  const accessions = new Map<string, number>()
  const environments = new Map<string, number>()
  const observations: PhenotypeTable['observations'] = []
  const observationAt = new Map<string, number>()
  const columns: { at: number; column: Column }[] = []
  const byTrait = new Map<string, Column>()
  const repeats = new Map<string, number>()
  let cellCount = 0

  const begin = (line: string): void => {
    const heading = line.replace(/^#\s*/, '')
    split = openSplitter(heading)
    headings = split(heading)
    const named = headings.findIndex((name) => accessionHeading.test(name))
    accessionAt = Math.max(0, named)
    const free = (pattern: RegExp): number[] =>
      [...headings.keys()].filter((at) => at !== accessionAt && pattern.test(headings[at]!))
    const isTrait = (at: number): boolean => wanted?.some(({ id }) => id === headings[at]) ?? false
    ;[replicateAt = -1] = free(replicateHeading).filter((at) => !isTrait(at))
    environmentAt = free(environmentHeading).filter((at) => !isTrait(at))
    ;[traitAt = -1] = free(traitHeading)
    ;[valueAt = -1] = free(valueHeading)
    if (traitAt >= 0 && valueAt >= 0) return
    traitAt = -1
    const taken = new Set([accessionAt, replicateAt, ...environmentAt])
    const seen = new Set<string>()
    const left: string[] = []
    for (const [at, name] of headings.entries()) {
      if (taken.has(at) || name === '') continue
      if (wanted === undefined ? otherHeading.test(name) : !isTrait(at)) {
        left.push(name)
        continue
      }
      if (seen.has(name)) {
        log.report(phenotypeDefects, 'phenotype-column-repeated', file, 1, { column: name })
        continue
      }
      seen.add(name)
      columns.push({ at, column: { id: name, cells: [], lines: [] } })
    }
    if (left.length > 0)
      log.report(phenotypeDefects, 'phenotype-columns-left', file, 1, {
        count: left.length,
        names: left.slice(0, 5).join(', '),
      })
  }

  const observe = (cells: string[]): { index: number; isNew: boolean } => {
    const id = cells[accessionAt]!
    const accession = accessions.get(id) ?? accessions.size
    accessions.set(id, accession)
    const parts = environmentAt.map((at) => cells[at] ?? '').filter((part) => !isMissing(part))
    let environment = -1
    if (parts.length > 0) {
      const name = parts.join(' / ')
      environment = environments.get(name) ?? environments.size
      environments.set(name, environment)
    }
    const written = cells[replicateAt] ?? ''
    const replicate = isMissing(written) ? null : written
    const key = `${accession}\t${environment}\t${replicate ?? ''}`
    if (traitAt < 0) {
      observations.push({ accession, environment, replicate })
      return { index: observations.length - 1, isNew: true }
    }
    // A trait measured again under the same names is a further observation.
    const turnKey = `${key}\t${cells[traitAt]!}`
    const turn = repeats.get(turnKey) ?? 0
    repeats.set(turnKey, turn + 1)
    const known = observationAt.get(`${key}\t${turn}`)
    if (known !== undefined) return { index: known, isNew: false }
    observations.push({ accession, environment, replicate })
    observationAt.set(`${key}\t${turn}`, observations.length - 1)
    return { index: observations.length - 1, isNew: true }
  }

  let number = 0
  for (const line of lines) {
    number += 1
    if (line.trim() === '' || (split === null && line.startsWith('##'))) continue
    if (split === null) {
      begin(line)
      const other = isStarCount(headings[0]!) ? 'STAR ReadsPerGene.out.tab' : detectOtherTable(headings)?.program
      if (other !== undefined) {
        log.report(phenotypeDefects, 'phenotype-other-table', file, number, { program: other })
        return null
      }
      if (isWithoutHeading(headings, wanted === undefined)) {
        log.report(phenotypeDefects, 'phenotype-no-heading', file, number, { line: line.slice(0, 60) })
        return null
      }
      continue
    }
    const cells = (split as (line: string) => string[])(line)
    if (cells.length > headings.length || cells.length <= accessionAt) {
      log.report(phenotypeDefects, 'phenotype-columns', file, number, {
        found: cells.length,
        expected: headings.length,
      })
      continue
    }
    if (isMissing(cells[accessionAt]!)) {
      log.report(phenotypeDefects, 'phenotype-no-accession', file, number)
      continue
    }
    cellCount += traitAt < 0 ? columns.length : 1
    if (cellCount > maxCells) {
      log.report(phenotypeDefects, 'phenotype-too-large', file, number, { max: maxCells })
      return null
    }
    if (traitAt < 0) {
      const { index } = observe(cells)
      for (const { at, column } of columns) {
        column.cells[index] = cells[at] ?? ''
        column.lines[index] = number
      }
      continue
    }
    const trait = cells[traitAt] ?? ''
    if (trait === '' || (wanted !== undefined && !wanted.some(({ id }) => id === trait))) continue
    const { index } = observe(cells)
    let column = byTrait.get(trait)
    if (column === undefined) {
      column = { id: trait, cells: [], lines: [] }
      byTrait.set(trait, column)
    }
    column.cells[index] = cells[valueAt] ?? ''
    column.lines[index] = number
  }

  let all = traitAt < 0 ? columns.map(({ column }) => column) : [...byTrait.values()]
  if (wanted !== undefined) {
    const known = new Map(all.map((column) => [column.id, column]))
    const absent = wanted.filter(({ id }) => !known.has(id)).map(({ id }) => id)
    if (absent.length > 0)
      log.report(phenotypeDefects, 'phenotype-traits-absent', file, null, {
        count: absent.length,
        names: absent.slice(0, 5).join(', '),
      })
    all = wanted.flatMap(({ id }) => known.get(id) ?? [])
  }
  if (observations.length === 0 || all.length === 0) {
    log.report(phenotypeDefects, 'phenotype-empty', file, null)
    return null
  }
  if (all.length > maxTraits) {
    log.report(phenotypeDefects, 'phenotype-too-many-traits', file, null, { found: all.length, max: maxTraits })
    return null
  }
  const described = new Map((wanted ?? []).map((one) => [one.id, one]))
  const traits: MeasuredTrait[] = []
  const empty: string[] = []
  for (const column of all) {
    const trait = readColumn(column, observations.length, described.get(column.id), codes, file, log)
    if (trait === null) empty.push(column.id)
    else traits.push(trait)
  }
  if (empty.length > 0)
    log.report(phenotypeDefects, 'phenotype-traits-blank', file, null, {
      count: empty.length,
      names: empty.slice(0, 5).join(', '),
    })
  if (traits.length === 0) {
    log.report(phenotypeDefects, 'phenotype-empty', file, null)
    return null
  }
  return { accessions: [...accessions.keys()], environments: [...environments.keys()], observations, traits }
}

/** A column with its type; null when it has no value at all. */
const readColumn = (
  { id, cells, lines }: Column,
  count: number,
  described: TraitDescription | undefined,
  codes: ReadonlySet<string>,
  file: string,
  log: DefectLog,
): MeasuredTrait | null => {
  // Where plus is written, minus is a value and not a gap.
  const hasPlus = cells.includes('+')
  const isGap = (cell: string | undefined): boolean =>
    cell === undefined || codes.has(cell) || (isMissing(cell) && !(cell === '-' && hasPlus))
  const values = new Float64Array(count).fill(Number.NaN)
  const words = new Map<string, number>()
  let known = 0
  let numbers = 0
  let whole = true
  let commas = 0
  for (let at = 0; at < count; at += 1) {
    const cell = cells[at]
    if (isGap(cell)) continue
    known += 1
    words.set(cell!, (words.get(cell!) ?? 0) + 1)
    const value = Number(cell)
    if (Number.isFinite(value)) {
      numbers += 1
      if (!Number.isInteger(value)) whole = false
    } else if (hasDecimalComma(cell!)) commas += 1
  }
  if (known === 0) return null
  const stated = described?.type ?? null
  const levels = described?.levels ?? null
  const numeric = (numbers + commas) / known >= numberShare && numbers + commas > 0
  let type: TraitType
  if (stated !== null) type = stated
  else if (levels !== null) type = levels.length === 2 ? 'binary' : 'ordinal'
  else if (!numeric) type = words.size === 2 ? 'binary' : 'categorical'
  else if (numbers < known) type = 'quantitative'
  else {
    const distinct = new Set([...words.keys()].map(Number)).size
    if (distinct === 2 && known > 2) type = 'binary'
    else type = whole && distinct <= maxGrades && known >= minForGrades && distinct > 1 ? 'ordinal' : 'quantitative'
  }
  if (type === 'quantitative') {
    for (let at = 0; at < count; at += 1) {
      const cell = cells[at]
      if (isGap(cell)) continue
      const value = Number(cell)
      if (Number.isFinite(value)) values[at] = value
      else if (hasDecimalComma(cell!))
        log.report(textDefects, 'phenotype-decimal-comma', file, lines[at]!, { value: cell!, column: id })
      else log.report(phenotypeDefects, 'phenotype-value', file, lines[at]!, { value: cell!, trait: id })
    }
    return { id, type, stated: stated !== null, levels: null, values }
  }
  // 1 and 1.0 are one level where all cells are numbers.
  const levelOf = (cell: string): string => (numbers === known ? String(Number(cell)) : cell)
  const order = levels ?? [...new Set([...words.keys()].map(levelOf))].sort(byNumberOrWord)
  if (type === 'binary' && order.length > 2) {
    log.report(phenotypeDefects, 'phenotype-binary', file, null, {
      trait: id,
      count: order.length,
      names: order.slice(0, 5).join(', '),
    })
    return { id, type, stated: true, levels: order, values }
  }
  const indexes = new Map(order.map((level, at) => [level, at]))
  for (let at = 0; at < count; at += 1) {
    const cell = cells[at]
    if (isGap(cell)) continue
    const index = indexes.get(levelOf(cell!)) ?? indexes.get(cell!)
    if (index === undefined)
      log.report(phenotypeDefects, 'phenotype-level', file, lines[at]!, {
        value: cell!,
        trait: id,
        levels: order.join(', '),
      })
    else values[at] = index
  }
  return { id, type, stated: stated !== null, levels: order, values }
}
