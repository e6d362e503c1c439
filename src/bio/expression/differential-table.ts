// Results of differential expression: tables of DESeq2, edgeR, limma and their like.

import { findSeparator, hasDecimalComma, readNumber, splitCells } from '../text/table-cells.ts'
import { textDefects } from '../text/text-defects.ts'
import { expressionDefects } from './expression-defects.ts'
import { GeneRows, type GeneRowsOptions } from './gene-rows.ts'

const differentialColumns = ['log2FoldChange', 'pValue', 'adjustedPValue', 'baseMean'] as const
export type DifferentialColumn = (typeof differentialColumns)[number]

/** Headings in lower case without signs: DESeq2 (results), edgeR (topTags), limma (topTable), and what labs make of them. */
const knownHeadings: Record<DifferentialColumn, readonly string[]> = {
  log2FoldChange: ['log2foldchange', 'logfc', 'log2fc', 'lfc', 'log2ratio'],
  pValue: ['pvalue', 'pval', 'p', 'rawp', 'praw'],
  adjustedPValue: ['padj', 'fdr', 'adjpval', 'adjustedpvalue', 'padjusted', 'qvalue', 'qval', 'adjp', 'bh'],
  baseMean: ['basemean', 'logcpm', 'aveexpr', 'meanexpression', 'avgexpr'],
}
/** Means that are logarithms already (edgeR's logCPM, limma's AveExpr). */
const logarithmicMeans = new Set(['logcpm', 'aveexpr'])

/** Columns of annotation that edgeR and limma carry along, and those of other names for genes; as `knownHeadings`. */
const nameHeadings = new Set([
  ...['gene', 'genes', 'geneid', 'geneids', 'genename', 'genesymbol', 'symbol', 'id', 'name', 'locustag', 'locus'],
  ...['ensembl', 'ensemblid', 'ensemblgeneid', 'externalgenename', 'transcriptid', 'targetid', 'featureid', 'orf'],
])
/** Rows that tell it. */
const rowsToTell = 300

/** Which program wrote the table, told by headings that only it has. */
const programs: [string, string][] = [
  ['DESeq2', 'basemean'],
  ['edgeR', 'logcpm'],
  ['limma', 'aveexpr'],
]

export interface DifferentialTable {
  genes: string[]
  log2FoldChange: Float64Array
  /** NaN where the program gave none (too few counts, outliers); null when the table has no such column. */
  pValue: Float64Array | null
  adjustedPValue: Float64Array | null
  baseMean: Float64Array | null
  baseMeanIsLog: boolean
  program: string | null
}

export interface DifferentialReaderOptions extends GeneRowsOptions {
  /** Headings that the lab names; `baseMean` may be several, whose mean is taken. */
  columns?: Partial<Record<Exclude<DifferentialColumn, 'baseMean'>, string>> & { baseMean?: string | readonly string[] }
}

const plain = (heading: string): string => heading.toLowerCase().replace(/[^a-z0-9]/g, '')

/** Reads such a table line by line; comments (#) are passed over, rows of unknown and repeated genes reported and left out. */
export class DifferentialReader {
  readonly #options: DifferentialReaderOptions
  #separator = ''
  #headings: string[] | null = null
  #places: Record<DifferentialColumn, number[]> | null = null
  readonly #genes: GeneRows
  /** As the genes. */
  readonly #rows: Record<DifferentialColumn, number>[] = []
  #refused = false
  /** The first rows, by which the column of the genes is told; null once it is. */
  #waiting: { cells: string[]; number: number }[] | null = []
  #nameAt = 0

  constructor(options: DifferentialReaderOptions) {
    this.#options = options
    this.#genes = new GeneRows(options)
  }

  addLine(line: string, number: number): void {
    if (this.#refused || line.trim() === '') return
    if (this.#headings === null) {
      if (line.startsWith('#')) return
      this.#separator = findSeparator(line)
      this.#headings = splitCells(line, this.#separator).map((cell) => cell.trim())
      return
    }
    const cells = splitCells(line, this.#separator)
    if (this.#places === null && !this.#findColumns(cells.length)) return
    if (this.#waiting === null) {
      this.#addRow(cells, number)
      return
    }
    this.#waiting.push({ cells, number })
    if (this.#waiting.length === rowsToTell) this.#addWaiting()
  }

  /**
   * Takes the first rows. Where the names of rows are no genes (numbers, or ids of another database), edgeR and limma may have these in a
   * column of their own.
   */
  #addWaiting(): void {
    const rows = this.#waiting ?? []
    this.#waiting = null
    const { file, log, matches } = this.#options
    const shift = (rows[0]?.cells.length ?? 0) - this.#headings!.length
    const count = (at: number): number => rows.filter(({ cells }) => matches.knows(cells[at]?.trim() ?? '')).length
    const first = count(0)
    if (first < rows.length / 2) {
      const columns = [...this.#headings!.keys()].filter((at) => nameHeadings.has(plain(this.#headings![at]!)))
      let most = first
      for (const at of columns) {
        const found = count(at + shift)
        if (found <= most) continue
        most = found
        this.#nameAt = at + shift
      }
      if (most > first)
        log.report(expressionDefects, 'expression-name-column', file, null, {
          column: this.#headings![this.#nameAt - shift]!,
        })
    }
    for (const { cells, number } of rows) this.#addRow(cells, number)
  }

  #addRow(cells: string[], number: number): void {
    const { file, log } = this.#options
    const name = (cells[this.#nameAt] ?? '').trim()
    const values = { log2FoldChange: 0, pValue: Number.NaN, adjustedPValue: Number.NaN, baseMean: Number.NaN }
    for (const column of differentialColumns) {
      const indexes = this.#places![column]
      if (indexes.length === 0) continue
      let sum = 0
      for (const index of indexes) {
        const value = readNumber(cells[index] ?? '')
        if (value === null && hasDecimalComma(cells[index] ?? '')) {
          log.report(textDefects, 'phenotype-decimal-comma', file, number, {
            value: cells[index]!.trim(),
            column: name,
          })
          return
        }
        if (value === null) {
          log.report(expressionDefects, 'expression-value', file, number, () => ({
            value: (cells[index] ?? '').slice(0, 40),
            gene: name,
            sample: this.#headings![index - (cells.length - this.#headings!.length)] ?? column,
          }))
          return
        }
        sum += value
      }
      values[column] = sum / indexes.length
    }
    if (this.#genes.place(name, number) !== null) this.#rows.push(values)
  }

  #findColumns(width: number): boolean {
    const { file, log, columns } = this.#options
    const headings = this.#headings!
    // R writes no name for the column of genes: the heading is then one cell short.
    const shift = width === headings.length + 1 ? 1 : 0
    const find = (column: DifferentialColumn): number[] => {
      const named = columns?.[column]
      if (named !== undefined) {
        const wanted = typeof named === 'string' ? [named] : named
        const indexes = wanted.map((one) => headings.indexOf(one) + shift)
        return indexes.every((index) => index >= shift) ? indexes : []
      }
      const index = headings.findIndex((heading) => knownHeadings[column].includes(plain(heading)))
      return index < 0 ? [] : [index + shift]
    }
    const places = {
      log2FoldChange: find('log2FoldChange'),
      pValue: find('pValue'),
      adjustedPValue: find('adjustedPValue'),
      baseMean: find('baseMean'),
    }
    if (places.log2FoldChange.length === 0 || places.pValue.length + places.adjustedPValue.length === 0) {
      log.report(expressionDefects, 'expression-differential-columns', file, 1, {
        headings: headings.slice(0, 20).join(', '),
      })
      this.#refused = true
      return false
    }
    this.#places = places
    return true
  }

  finish(): DifferentialTable | null {
    const { file, log } = this.#options
    if (this.#refused) return null
    if (this.#places === null) {
      log.report(expressionDefects, 'expression-empty', file, null)
      return null
    }
    if (this.#waiting !== null) this.#addWaiting()
    if (!this.#genes.report()) return null
    const take = (column: DifferentialColumn): Float64Array | null =>
      this.#places![column].length === 0 ? null : Float64Array.from(this.#rows, (values) => values[column])
    const headings = this.#headings!.map(plain)
    return {
      genes: this.#genes.genes,
      log2FoldChange: take('log2FoldChange')!,
      pValue: take('pValue'),
      adjustedPValue: take('adjustedPValue'),
      baseMean: take('baseMean'),
      baseMeanIsLog:
        this.#options.columns?.baseMean === undefined && headings.some((heading) => logarithmicMeans.has(heading)),
      program: programs.find(([, heading]) => headings.includes(heading))?.[0] ?? null,
    }
  }
}
