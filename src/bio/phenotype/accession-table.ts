// Tables of accessions: what a lab tells of the strains, lines or individuals of a species.

import type { DefectLog } from '../text/defects.ts'
import { hasDecimalComma, splitCells } from '../text/table-cells.ts'
import { textDefects } from '../text/text-defects.ts'
import { phenotypeDefects } from './phenotype-defects.ts'

export interface AccessionRow {
  id: string
  name: string | null
  population: string | null
  country: string | null
  latitude: number | null
  longitude: number | null
  attributes: Record<string, string | number>
}

export interface AccessionTable {
  accessions: AccessionRow[]
  /** Columns of few values, by which accessions can be grouped: population and country first, then in the order of the table. */
  groupings: string[]
}

/** Words for a value that is not known, in the tables of R, Excel and passport data; compared in lower case. */
const missingWords = new Set(['', 'na', 'nan', 'n/a', '#n/a', 'null', '.', '-', '#value!', '#div/0!', 'missing'])

/** Whether a cell says that nothing is known. `isMissing(' NA')` is true. */
export const isMissing = (cell: string): boolean => missingWords.has(cell.trim().toLowerCase())

/**
 * How the cells of a table are parted, by its heading: tab, else comma or semicolon, else blanks as PLINK and GEMMA write them.
 *
 * @example openSplitter('FID IID height')('a b 1') // ['a', 'b', '1']
 */
export const openSplitter = (heading: string): ((line: string) => string[]) => {
  if (!/[\t,;]/.test(heading) && /\S\s+\S/.test(heading)) return (line) => line.trim().split(/\s+/)
  const counts = ['\t', ';', ','].map((separator) => ({ separator, count: heading.split(separator).length }))
  const [first] = heading.includes('\t') ? counts : counts.sort((a, b) => b.count - a.count)
  return (line) => splitCells(line, first!.separator).map((cell) => cell.trim())
}

const roles: [keyof Omit<AccessionRow, 'attributes'>, RegExp][] = [
  ['id', /^(accession|accession[ _-]?id|sample|sample[ _-]?id|strain|line|isolate|individual|iid|taxa|id)$/i],
  ['name', /^(name|accession[ _-]?name|label|title)$/i],
  ['population', /^(population|pop|subpopulation|group|cluster|clade|lineage)$/i],
  ['country', /^(country|origin|country[ _-]of[ _-]origin)$/i],
  ['latitude', /^(latitude|lat|decimallatitude)$/i],
  ['longitude', /^(longitude|lon|long|lng|decimallongitude)$/i],
]

/** A column of more values than this tells accessions apart rather than groups. */
const maxGroups = 30

const readDegrees = (
  cell: string,
  max: number,
  column: string,
  { file, log, line }: { file: string; log: DefectLog; line: number },
): number | null => {
  if (isMissing(cell)) return null
  if (hasDecimalComma(cell)) {
    log.report(textDefects, 'phenotype-decimal-comma', file, line, { value: cell, column })
    return null
  }
  const value = Number(cell)
  if (!Number.isFinite(value)) {
    log.report(phenotypeDefects, 'accession-degrees', file, line, { value: cell, column })
    return null
  }
  if (Math.abs(value) <= max) return value
  log.report(phenotypeDefects, 'accession-place', file, line, { value: cell, column, max })
  return null
}

/**
 * Reads a table of accessions: a heading, then a row an accession. Columns may stand in any order under the usual names; without a
 * column called accession (sample, strain, line …) the first one has the ids. Every column that is none of those known is kept as an
 * attribute: as numbers where all its cells are. A second row of an accession is an error, as is a number with a decimal comma; a
 * place off the globe is told and left out.
 *
 * @example parseAccessions(['accession\tlat\thabitat', 'A1\t52.1\toak'], 'a.tsv', log).accessions[0]
 * // {id: 'A1', name: null, population: null, country: null, latitude: 52.1, longitude: null, attributes: {habitat: 'oak'}}
 */
export const parseAccessions = (lines: Iterable<string>, file: string, log: DefectLog): AccessionTable => {
  let split: ((line: string) => string[]) | null = null
  let headings: string[] = []
  const columns = new Map<keyof AccessionRow, number>()
  const texts: { column: number; name: string }[] = []
  const rows: { cells: string[]; row: AccessionRow }[] = []
  const lineOf = new Map<string, number>()
  let number = 0
  for (const line of lines) {
    number += 1
    if (line.trim() === '' || (split === null && line.startsWith('##'))) continue
    if (split === null) {
      const heading = line.replace(/^#\s*/, '')
      split = openSplitter(heading)
      headings = split(heading)
      for (const [role, pattern] of roles) {
        const at = headings.findIndex((name, column) => pattern.test(name) && ![...columns.values()].includes(column))
        if (at >= 0) columns.set(role, at)
      }
      if (!columns.has('id')) {
        for (const [role, at] of columns) if (at === 0) columns.delete(role)
        columns.set('id', 0)
      }
      const taken = new Set(columns.values())
      const seen = new Set<string>()
      for (const [column, name] of headings.entries()) {
        if (taken.has(column) || name === '') continue
        if (seen.has(name)) log.report(phenotypeDefects, 'phenotype-column-repeated', file, number, { column: name })
        else texts.push({ column, name })
        seen.add(name)
      }
      continue
    }
    const cells = split(line)
    if (cells.length > headings.length) {
      log.report(phenotypeDefects, 'accession-columns', file, number, {
        found: cells.length,
        expected: headings.length,
      })
      continue
    }
    const cell = (role: keyof AccessionRow): string => cells[columns.get(role) ?? -1] ?? ''
    const text = (role: keyof AccessionRow): string | null => (isMissing(cell(role)) ? null : cell(role))
    const id = cell('id')
    if (isMissing(id)) {
      log.report(phenotypeDefects, 'accession-no-name', file, number)
      continue
    }
    const before = lineOf.get(id)
    if (before !== undefined) {
      log.report(phenotypeDefects, 'accession-repeated', file, number, { accession: id, line: before })
      continue
    }
    lineOf.set(id, number)
    const about = { file, log, line: number }
    const latitude = readDegrees(cell('latitude'), 90, headings[columns.get('latitude') ?? -1] ?? '', about)
    const longitude = readDegrees(cell('longitude'), 180, headings[columns.get('longitude') ?? -1] ?? '', about)
    const whole = latitude !== null && longitude !== null
    rows.push({
      cells,
      row: {
        id,
        name: text('name'),
        population: text('population'),
        country: text('country'),
        // Half a place is none.
        latitude: whole ? latitude : null,
        longitude: whole ? longitude : null,
        attributes: {},
      },
    })
  }
  if (rows.length === 0) {
    log.report(phenotypeDefects, 'accession-none', file, null)
    return { accessions: [], groupings: [] }
  }
  const groups: string[] = []
  const few = (values: (string | number | null)[]): boolean => {
    const known = values.filter((value) => value !== null)
    const distinct = new Set(known).size
    return distinct >= 2 && distinct <= maxGroups && distinct <= Math.max(2, known.length / 2)
  }
  const accessions = rows.map(({ row }) => row)
  for (const role of ['population', 'country'] as const)
    if (role === 'population' ? accessions.some((one) => one[role] !== null) : few(accessions.map((one) => one[role])))
      groups.push(role)
  for (const { column, name } of texts) {
    const values = rows.map(({ cells }) => (isMissing(cells[column] ?? '') ? null : cells[column]!))
    const numeric = values.every((value) => value === null || Number.isFinite(Number(value)))
    for (const [at, value] of values.entries())
      if (value !== null) accessions[at]!.attributes[name] = numeric ? Number(value) : value
    const whole = values.every((value) => value === null || Number.isInteger(Number(value)))
    if ((!numeric || whole) && few(values)) groups.push(name)
  }
  return { accessions, groupings: groups }
}
