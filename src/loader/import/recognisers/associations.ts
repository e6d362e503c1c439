import {
  type AssociationReader,
  AssociationTableError,
  openAssociations,
} from '../../../bio/association/association-table.ts'
import { detectOtherTable } from '../../../bio/text/other-tables.ts'
import { findSeparator, splitCells } from '../../../bio/text/table-cells.ts'
import { says } from '../annotator.ts'
import { listed } from '../entries.ts'
import { stemOf } from '../names.ts'
import { defineRecogniser, type EntryFinding, type Finding, type InputFile, type Text } from '../recogniser.ts'
import { linesOf } from '../table-file.ts'

const kinds = {
  scan: { en: 'association scan', zh: '关联分析结果' },
  places: { en: 'places of the variants', zh: '变异位点的位置' },
  groups: { en: 'set-based association tests', zh: '基于变异集合的关联检验' },
} satisfies Record<string, Text>
const noPlaces: Text = {
  en: 'it has no positions of the variants: give the .bim or .map file beside it',
  zh: '其中没有变异位点的位置：请同时给出其 .bim 或 .map 文件',
}

const singleVariants: Text = {
  en: 'results of single variants are loaded',
  zh: '仅加载单个变异位点的结果',
}

const open = (heading: string): AssociationReader | null => {
  try {
    return openAssociations(heading)
  } catch (error) {
    if (error instanceof AssociationTableError) return null
    throw error
  }
}

const intervalEnd = /^(end|stop|chrom_?end)$/i

/** A table with p-values of variants: by the heading of a program that is known, or with a column of the place. */
const readScan = (file: InputFile): { reader: AssociationReader; rows: readonly string[] } | null => {
  const [heading, ...rows] = linesOf(file).filter((line) => !line.startsWith('##'))
  if (heading === undefined || rows.length === 0) return null
  // Genes and peaks have places and p-values too, but are intervals, and results of genes are known by their columns.
  const cells = splitCells(heading, findSeparator(heading)).map((cell) => cell.trim())
  if (detectOtherTable(cells) !== null || cells.some((cell) => intervalEnd.test(cell))) return null
  const reader = open(heading)
  if (reader === null) return null
  const { chromosome, position, id } = reader.columns
  // Of a table of no known program the columns must say that its rows are variants.
  const isPlaced = chromosome !== undefined && position !== undefined
  return isPlaced || (reader.format !== 'table' && id !== undefined) ? { reader, rows } : null
}

/** SAIGE-GENE's, which have a gene or region a line. */
const isOfGroups = (file: InputFile): boolean => says(file, /^(Region\tGroup\tmax_MAF\t|Gene Pvalue Nmarker_MACCate_)/)

/** Words of programs and of statistics in the names of files: what is left is the trait. */
const programWords =
  /(^|[._-])((?:single)?assoc|glm|linear|logistic|firth|hybrid|qassoc|mlma|loco|fastgwa|regenie|saige|bolt|stats|gemma|gwas|results?|output|plink2?)(?=[._-]|$)/gi

const describe = (file: InputFile, places: readonly InputFile[]): Finding | null => {
  if (isOfGroups(file)) return { file, what: kinds.groups, take: 'none', why: singleVariants }
  const found = readScan(file)
  if (found === null) return null
  const rows = found.rows.map((line) => found.reader.read(line)).filter((row) => typeof row === 'object')
  const sequences = new Set(rows.flatMap(({ chromosome, position1 }) => (position1 === null ? [] : (chromosome ?? []))))
  const trait = stemOf(stemOf(file.name).replace(programWords, '')).replace(/^[._-]+|[._-]+$/g, '')
  const name = trait || stemOf(file.name)
  const finding = listed(file, 'gwas', kinds.scan, { id: name, name }) as EntryFinding
  if (sequences.size > 0) return { ...finding, sequences: [...sequences] }
  // GEMMA writes -9 where it was given no places.
  const beside = places.filter(({ folder }) => folder === file.folder)
  const [only, ...more] = beside.length > 0 ? beside : places
  if (only === undefined || more.length > 0) return { file, what: kinds.scan, take: 'none', why: noPlaces }
  const names = new Set(linesOf(only).map((line) => line.trim().split(/\s+/)[0]!))
  return {
    ...finding,
    value: { ...(finding.value as object), positions: only },
    also: [{ file: only, what: kinds.places }],
    sequences: [...names],
  }
}

/** Results of genome-wide association: tables of variants with their p-values. */
export default defineRecogniser({
  id: 'associations',
  title: { en: 'Association scans', zh: '全基因组关联分析' },
  order: 340,
  recognise: async (files, { each }) => {
    const places = files.filter(({ name }) => /\.(bim|map)$/i.test(name))
    const findings: Finding[] = []
    for await (const file of each(files)) findings.push(...[describe(file, places) ?? []].flat())
    return { findings }
  },
})
