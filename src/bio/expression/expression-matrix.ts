// Matrices of genes and samples, and the sheets that tell of their samples, as labs write them.

import type { DefectLog } from '../text/defects.ts'
import { detectOtherTable } from '../text/other-tables.ts'
import { findSeparator, hasDecimalComma, readNumber, splitCells } from '../text/table-cells.ts'
import { textDefects } from '../text/text-defects.ts'
import { expressionDefects } from './expression-defects.ts'
import { GeneRows, type GeneRowsOptions } from './gene-rows.ts'
import { guessReplicates, looksLikePath, nameSamples, placeSamples } from './sample-names.ts'
import { type Strandedness, strands } from './strandedness.ts'

/** A sample and what its sheet says of it: factors (tissue, stage, treatment, time …) by name. */
export interface SheetSample {
  id: string
  /** Shown in figures; the id when the sheet has none. */
  label: string
  factors: Record<string, string>
  /** The file that it was counted in, where the sheet has a column of it. */
  file: string | null
  /** Of its library, where the sheet says it. */
  strand: Strandedness | null
}

export interface SampleSheet {
  /** Names of the factors, in the order of the columns. */
  factors: string[]
  samples: SheetSample[]
}

const labelHeading = /^(label|title|sample[ _-]?name|display[ _-]?name)$/i
/** Rows of htseq-count that are no genes: they begin with __, which joined tables often lose (HTSeq documentation, htseq-count). */
const summaryRow = /^(__)?(no_feature|ambiguous|too_low_aqual|not_aligned|alignment_not_unique)$/i
/** What stands above the names of genes: words, none of them a number. */
const geneHeading =
  /^(?=\D*$)(|.*基因.*|(.*[^a-z])?(genes?|orfs?|locus|loci|probes?|transcripts?|targets?|features?|names?|symbols?|identifiers?|ids?|accessions?|gid|tags?)(ids?|names?|sets?|symbols?|tags?)?([^a-z].*)?)$/i
/**
 * Columns beside the samples: names and places of genes as featureCounts and array software write them, and present/absent calls or
 * detection p-values of arrays.
 */
const otherHeading =
  /^(gene[ _-]?(name|symbol|id)?|symbol|name|description|length|chr|chrom|chromosome|start|end|strand|gweight|gid|probe|entrez(id)?|biotype|ta_sites)$|^(call|detection|abs_call)\b/i

/** Whether a column that is headed so may be a sample. */
export const isSampleHeading = (heading: string): boolean => !otherHeading.test(heading)

/** Columns of nf-core's sample sheets that say how a library was read, not what it is of. */
const sequencingHeading =
  /^(fastq_[12]|single_end|strandedness|(genome|transcriptome)_bam|seq_(platform|center)|percent_mapped)$/i
const fileHeading = /^(file|path|file[ _-]?name|quant|bam)$/i

/**
 * Reads a sample sheet: a heading, then a row a sample; the first column is the name that the matrix has. Every further column is a
 * factor, save one called label or title, and one that names the sample's file. Of nf-core's sheets, which have a row for each file of
 * reads, the columns about files are no factors. Other repeated samples are reported and left out.
 */
export const parseSampleSheet = (lines: Iterable<string>, file: string, log: DefectLog): SampleSheet => {
  let separator: string | null = null
  let headings: string[] = []
  let places = { label: -1, file: -1, strand: -1 }
  let factorsAt: number[] = []
  let isReads = false
  let isChecked = false
  const samples: SheetSample[] = []
  const seen = new Set<string>()
  let number = 0
  for (const line of lines) {
    number += 1
    if (line.trim() === '' || line.startsWith('#')) continue
    if (separator === null) {
      separator = findSeparator(line)
      headings = splitCells(line, separator).map((cell) => cell.trim())
      isReads = headings.some((heading) => /^fastq_1$/i.test(heading))
      isChecked = isReads && headings.includes('single_end')
      const find = (name: RegExp): number => headings.findIndex((heading, at) => at > 0 && name.test(heading))
      places = { label: find(labelHeading), file: find(fileHeading), strand: find(/^strandedness$/i) }
      factorsAt = [...headings.keys()].filter(
        (at) =>
          at > 0 &&
          headings[at] !== '' &&
          at !== places.label &&
          at !== places.file &&
          at !== places.strand &&
          !(isReads && sequencingHeading.test(headings[at]!)),
      )
      continue
    }
    const cells = splitCells(line, separator).map((cell) => cell.trim())
    // The sheet as nf-core has checked it (samplesheet.valid.csv) numbers the files of a sample: `leaf_T1`, `leaf_T2`.
    const id = (cells[0] ?? '').replace(isChecked ? /_T\d+$/ : /$/, '')
    // Further files of reads of a sample.
    if (isReads && seen.has(id)) continue
    if (id === '' || seen.has(id)) {
      log.report(expressionDefects, 'expression-sheet-repeated', file, number, { sample: id })
      continue
    }
    seen.add(id)
    const factors: Record<string, string> = {}
    for (const at of factorsAt) factors[headings[at]!] = cells[at] ?? ''
    const cellOf = (at: number): string => (at < 0 ? '' : (cells[at] ?? ''))
    const strand = strands.find((one) => one === cellOf(places.strand).toLowerCase()) ?? null
    samples.push({ id, label: cellOf(places.label) || id, factors, file: cellOf(places.file) || null, strand })
  }
  if (samples.length === 0) log.report(expressionDefects, 'expression-sheet-empty', file, null)
  return { factors: factorsAt.map((at) => headings[at]!), samples }
}

/**
 * A sheet made of the samples' names alone, or one that tells no factors with what its names tell: groups and replicates where all names
 * have them, else none.
 */
export const guessSampleSheet = (ids: readonly string[], given?: SampleSheet): SampleSheet => {
  const parts = guessReplicates(ids)
  return {
    factors: parts === null ? [] : ['group', 'replicate'],
    samples: ids.map((id, at) => {
      const own = given?.samples.find((sample) => sample.id === id)
      return {
        id,
        label: own?.label ?? id,
        factors: parts === null ? {} : { ...parts[at]! },
        file: own?.file ?? null,
        strand: own?.strand ?? null,
      }
    }),
  }
}

export interface MatrixReaderOptions extends GeneRowsOptions {
  /** Names of the samples to take; every column that is one when absent. */
  samples?: readonly string[]
  /** Values may be below zero (log ratios). */
  signed: boolean
  /** The values of a gene's transcripts may be summed: they are counts, or shares of one whole. */
  additive: boolean
  /** About how long the text is: room for its values is made once, where it would else be doubled and copied as they come. */
  textBytes?: number
}

export interface ExpressionMatrix {
  samples: string[]
  genes: string[]
  /** Row after row, a column a sample; NaN where nothing was measured. */
  values: Float64Array
  missing: number
  /** Sum of each sample over all rows of genes, those that the catalogue does not know among them. */
  sums: Float64Array
}

const maxNamed = 5
/** Room that is made at once: 2 GB, of which the system gives what is used. */
const maxAtOnce = 2 ** 28

/**
 * Reads a matrix line by line: a heading of samples, then a row a gene; comment lines (#) before it are passed over. Tables of R whose
 * heading lacks a name for the genes' column are understood. Reported and left out: columns without any value, rows of genes that the
 * catalogue does not know, second rows of a gene, summary rows of htseq-count. Rows of transcripts are summed to their genes where that
 * makes sense. Columns that are headed by paths of BAM files have the names that are left of these. Errors: values that are no numbers, rows of another
 * length, negative values where the unit allows none, no sample, no known gene.
 */
export class ExpressionMatrixReader {
  #refused = false
  #headingLine = 1
  readonly #options: MatrixReaderOptions
  #separator = ''
  #headings: string[] | null = null
  #columns: number[] = []
  /** Names of the samples, as the columns. */
  #names: string[] = []
  #first = 0
  readonly #genes: GeneRows
  #values = new Float64Array(0)
  #used = 0
  #sums = new Float64Array(0)
  #summaries: string[] = []

  constructor(options: MatrixReaderOptions) {
    this.#options = options
    this.#genes = new GeneRows(options, options.additive)
  }

  addLine(line: string, number: number): void {
    const { file, log, signed } = this.#options
    if (this.#headings === null) {
      if (line.trim() === '' || line.startsWith('#') || line.startsWith('!')) return
      this.#separator = findSeparator(line)
      this.#headings = splitCells(line, this.#separator).map((cell) => cell.trim())
      this.#headingLine = number
      const other = detectOtherTable(this.#headings)
      if (other?.kind === 'quantification') this.#refuse('expression-quantification', { program: other.program })
      // A table of results may have the samples behind them, where the lab names these.
      else if (other !== null && this.#options.samples === undefined)
        this.#refuse('expression-comparison', { program: other.program })
      return
    }
    if (this.#refused || line.trim() === '') return
    const cells = splitCells(line, this.#separator)
    if (this.#sums.length === 0) {
      if (this.#lacksHeading(cells.length)) {
        this.#refuse('expression-no-heading', { line: this.#headings.slice(0, 4).join(' ') })
        return
      }
      this.#chooseColumns(cells.length)
    }
    const expected = this.#headings.length + this.#first
    // Decimal commas in a table that commas part: every value is two cells.
    if (this.#separator === ',' && expected > 1 && cells.length === 2 * expected - 1) {
      log.report(textDefects, 'phenotype-decimal-comma', file, number, {
        value: `${cells[1]},${cells[2]}`,
        column: cells[0]!,
      })
      return
    }
    if (cells.length !== expected) {
      log.report(expressionDefects, 'expression-columns', file, number, { found: cells.length, expected })
      return
    }
    const name = cells[0]!.trim()
    if (name === '') {
      log.report(expressionDefects, 'expression-no-name', file, number)
      return
    }
    if (summaryRow.test(name)) {
      this.#summaries.push(name)
      return
    }
    const columns = this.#columns
    const row = new Float64Array(columns.length)
    for (let at = 0; at < columns.length; at += 1) {
      const cell = cells[columns[at]!]!
      const value = readNumber(cell)
      if (value === null && hasDecimalComma(cell)) {
        log.report(textDefects, 'phenotype-decimal-comma', file, number, {
          value: cell.trim(),
          column: this.#sampleOf(at),
        })
        return
      }
      if (value === null) {
        log.report(expressionDefects, 'expression-value', file, number, () => ({
          value: cell.slice(0, 40),
          gene: name,
          sample: this.#sampleOf(at),
        }))
        return
      }
      if (value < 0 && !signed) {
        log.report(expressionDefects, 'expression-negative', file, number, () => ({
          value,
          gene: name,
          sample: this.#sampleOf(at),
        }))
        return
      }
      row[at] = value
      if (!Number.isNaN(value)) this.#sums[at]! += value
    }
    const placed = this.#genes.place(name, number)
    if (placed === null) return
    if (placed.isFurther) {
      const start = placed.row * row.length
      for (const [at, value] of row.entries()) {
        const before = this.#values[start + at]!
        this.#values[start + at] = Number.isNaN(before) ? value : before + (Number.isNaN(value) ? 0 : value)
      }
      return
    }
    if (this.#used + row.length > this.#values.length) {
      const { textBytes = 0 } = this.#options
      const rows = Math.ceil((1.1 * textBytes) / (cells.length + cells.reduce((sum, cell) => sum + cell.length, 0)))
      const expected = this.#used > 0 ? 0 : Math.min(maxAtOnce, rows * row.length)
      const grown = new Float64Array(Math.max(4096, expected, this.#values.length * 2, this.#used + row.length))
      grown.set(this.#values)
      this.#values = grown
    }
    this.#values.set(row, this.#used)
    this.#used += row.length
  }

  #refuse(code: keyof typeof expressionDefects, params: Record<string, string | number>): void {
    this.#refused = true
    this.#options.log.report(expressionDefects, code, this.#options.file, this.#headingLine, params)
  }

  /**
   * Whether the first row is one of a gene: all its cells behind the first are numbers. Samples may have numbers for names, under a heading
   * for the genes, without one as R has it, or where the lab names them.
   */
  #lacksHeading(width: number): boolean {
    const { samples, matches } = this.#options
    const [first, ...others] = this.#headings! as [string, ...string[]]
    if (width === others.length + 2 || others.length === 0) return false
    if (!others.every((cell) => !Number.isNaN(readNumber(cell) ?? Number.NaN))) return false
    if (samples?.every((name) => others.includes(name))) return false
    return !geneHeading.test(first) || matches.knows(first)
  }

  #sampleOf(at: number): string {
    return this.#names[at] ?? ''
  }

  /** Which columns are samples; a heading one cell shorter than its rows has no name for the column of genes. */
  #chooseColumns(width: number): void {
    const { file, log, samples } = this.#options
    const headings = this.#headings!
    this.#first = width === headings.length + 1 ? 1 : 0
    const places = new Map<string, number[]>()
    for (const [at, heading] of headings.entries()) {
      if (at + this.#first === 0) continue
      const known = places.get(heading)
      if (known === undefined) places.set(heading, [at + this.#first])
      else known.push(at + this.#first)
    }
    const others = [...places.keys()].filter((name) => name !== '' && isSampleHeading(name))
    const headed = samples === undefined ? others.map((_, at) => at) : placeSamples(samples, others)
    const names = samples ?? (others.every(looksLikePath) ? nameSamples(others) : others)
    const absent: string[] = []
    const renamed: string[] = []
    const taken = new Set<string>()
    for (const [at, name] of names.entries()) {
      // A sheet may name a column that is none of the samples' by its heading.
      const heading = places.has(name) ? name : others[headed[at] ?? -1]
      const found = heading === undefined ? undefined : places.get(heading)
      if (heading === undefined || found === undefined) {
        absent.push(name)
        continue
      }
      taken.add(heading)
      if (heading !== name) renamed.push(`${heading}: ${name}`)
      if (found.length > 1)
        log.report(expressionDefects, 'expression-sample-repeated', file, 1, { sample: name, count: found.length })
      else {
        this.#columns.push(found[0]!)
        this.#names.push(name)
      }
    }
    if (renamed.length > 0)
      log.report(expressionDefects, 'expression-samples-renamed', file, this.#headingLine, {
        count: renamed.length,
        example: renamed[0]!,
      })
    if (absent.length > 0)
      log.report(expressionDefects, 'expression-sample-absent', file, 1, {
        count: absent.length,
        names: absent.slice(0, maxNamed).join(', '),
      })
    const left = others.filter((name) => !taken.has(name))
    if (left.length > 0)
      log.report(expressionDefects, 'expression-column-left', file, 1, {
        count: left.length,
        names: left.slice(0, maxNamed).join(', '),
      })
    if (this.#columns.length === 0) log.report(expressionDefects, 'expression-no-sample', file, 1)
    this.#sums = new Float64Array(Math.max(1, this.#columns.length))
  }

  /** What was read; null where it is of no use (reported). */
  finish(): ExpressionMatrix | null {
    const { file, log } = this.#options
    const width = this.#columns.length
    if (this.#refused) return null
    if (this.#headings === null || this.#sums.length === 0) {
      log.report(expressionDefects, 'expression-empty', file, null)
      return null
    }
    if (this.#summaries.length > 0)
      log.report(expressionDefects, 'expression-summary-rows', file, null, {
        names: [...new Set(this.#summaries)].join(', '),
      })
    if (!this.#genes.report() || width === 0) return null
    const { genes } = this.#genes
    const values = this.#values.subarray(0, this.#used)
    const rows = genes.length
    const filled = new Uint32Array(width)
    for (let at = 0; at < values.length; at += 1) if (!Number.isNaN(values[at]!)) filled[at % width]! += 1
    const empty = [...filled.keys()].filter((at) => filled[at] === 0)
    if (empty.length > 0)
      log.report(expressionDefects, 'expression-column-empty', file, null, {
        count: empty.length,
        names: empty
          .slice(0, maxNamed)
          .map((at) => this.#sampleOf(at))
          .join(', '),
      })
    const kept = [...filled.keys()].filter((at) => filled[at]! > 0)
    if (kept.length === 0) {
      log.report(expressionDefects, 'expression-no-sample', file, 1)
      return null
    }
    // In place: each value moves towards the start, where those before it are done with.
    const chosen = values.subarray(0, rows * kept.length)
    let missing = 0
    for (let row = 0; row < rows; row += 1)
      for (let at = 0; at < kept.length; at += 1) {
        const value = values[row * width + kept[at]!]!
        chosen[row * kept.length + at] = value
        if (Number.isNaN(value)) missing += 1
      }
    return {
      samples: kept.map((at) => this.#sampleOf(at)),
      genes,
      values: chosen,
      missing,
      sums: Float64Array.from(kept, (at) => this.#sums[at]!),
    }
  }
}
