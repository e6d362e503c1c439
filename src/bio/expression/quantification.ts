// What programs write of one sample: a row a gene or a transcript, several columns of values.

import type { GeneMatches } from '../annotation/gene-matches.ts'
import type { DefectLog } from '../text/defects.ts'
import { isStarCount } from '../text/other-tables.ts'
import { readNumber, splitCells } from '../text/table-cells.ts'
import { expressionDefects } from './expression-defects.ts'
import type { ExpressionMatrix } from './expression-matrix.ts'
import { type Strandedness, strands } from './strandedness.ts'

export type QuantifiedUnit = 'counts' | 'TPM' | 'FPKM'

export interface QuantificationLayout {
  program: string
  /** Transcripts are summed to genes. */
  ofTranscripts: boolean
  /** Column of each unit, by position; STAR has three of counts from there. */
  columns: Partial<Record<QuantifiedUnit, number>>
  /** Cells of a row; null where these differ between runs of the program. */
  width: number | null
  hasHeading: boolean
  isStar: boolean
}

interface KnownLayout {
  program: string
  ofTranscripts: boolean
  name: RegExp
  columns: Partial<Record<QuantifiedUnit, string>>
  others: readonly string[]
}

/** By headings: salmon and kallisto documentation of their output, RSEM's rsem-calculate-expression, StringTie -A, Cufflinks' fpkm_tracking. */
const known: readonly KnownLayout[] = [
  {
    program: 'Salmon',
    ofTranscripts: true,
    name: /^Name$/,
    columns: { TPM: 'TPM', counts: 'NumReads' },
    others: ['Length', 'EffectiveLength'],
  },
  {
    program: 'Sailfish',
    ofTranscripts: true,
    name: /^Name$/,
    columns: { TPM: 'TPM', counts: 'NumReads' },
    others: ['Length'],
  },
  {
    program: 'kallisto',
    ofTranscripts: true,
    name: /^target_id$/,
    columns: { TPM: 'tpm', counts: 'est_counts' },
    others: ['eff_length'],
  },
  {
    program: 'RSEM',
    ofTranscripts: false,
    name: /^gene_id$/,
    columns: { TPM: 'TPM', FPKM: 'FPKM', counts: 'expected_count' },
    others: ['effective_length'],
  },
  {
    program: 'RSEM',
    ofTranscripts: true,
    name: /^transcript_id$/,
    columns: { TPM: 'TPM', FPKM: 'FPKM', counts: 'expected_count' },
    others: ['effective_length'],
  },
  {
    program: 'StringTie',
    ofTranscripts: false,
    name: /^Gene ID$/,
    columns: { TPM: 'TPM', FPKM: 'FPKM' },
    others: ['Coverage'],
  },
  {
    program: 'Cufflinks',
    ofTranscripts: false,
    name: /^tracking_id$/,
    columns: { FPKM: 'FPKM' },
    others: ['FPKM_conf_lo'],
  },
]

const isNumber = (cell: string | undefined): boolean =>
  cell !== undefined && cell.trim() !== '' && Number.isFinite(Number(cell))

/** Rows of htseq-count and STAR that are no genes. */
const summaryRow = /^(N_(unmapped|multimapping|noFeature|ambiguous)|__\w+)$/

/**
 * What program wrote a file of one sample, by its first lines; null when it is no such file. Tables of several samples are none:
 * featureCounts' is one only where it has a single BAM file.
 */
export const detectQuantification = (lines: readonly string[]): QuantificationLayout | null => {
  const rows = lines.filter((line) => line.trim() !== '' && !line.startsWith('#'))
  const cells = rows[0]?.split('\t').map((cell) => cell.trim())
  if (cells === undefined || cells.length < 2) return null
  for (const { program, ofTranscripts, name, columns, others } of known) {
    const wanted = [...Object.values(columns), ...others]
    if (!name.test(cells[0]!) || !wanted.every((heading) => cells.includes(heading))) continue
    const places = Object.fromEntries(Object.entries(columns).map(([unit, heading]) => [unit, cells.indexOf(heading)]))
    return { program, ofTranscripts, columns: places, width: cells.length, hasHeading: true, isStar: false }
  }
  const found = { ofTranscripts: false, width: cells.length, isStar: false }
  if (/^Geneid$/i.test(cells[0]!) && /^Length$/i.test(cells[5] ?? '') && cells.length === 7)
    return { ...found, program: 'featureCounts', columns: { counts: 6 }, hasHeading: true }
  const numbers = cells.slice(1).filter(isNumber).length
  if (cells.length === 4 && isStarCount(cells[0]!) && numbers === 3)
    return { ...found, program: 'STAR', columns: { counts: 1 }, hasHeading: false, isStar: true }
  // htseq-count writes a gene, with --additional-attr a name or more, and the count.
  if (numbers === 1 && isNumber(cells.at(-1)) && !isNumber(cells[0]))
    return { ...found, program: 'htseq-count', columns: { counts: cells.length - 1 }, hasHeading: false }
  return null
}

const quantificationNames: readonly RegExp[] = [
  /(^|\/)quant\.sf(\.gz)?$/,
  /(^|\/)abundance\.tsv(\.gz)?$/,
  /ReadsPerGene\.out\.tab(\.gz)?$/,
  /\.genes\.results(\.gz)?$/,
  /gene[_.]abund(ance)?s?\.(tab|tsv|txt)(\.gz)?$/,
  /(^|\/)genes\.fpkm_tracking(\.gz)?$/,
  /\.featureCounts\.(txt|tsv)(\.gz)?$/i,
  /\.wig(\.gz)?$/i,
]
const tables = /\.(txt|tsv|tab|counts?|out)(\.gz)?$/i
const noTables = /(^|[/._-])(summary|log|final|versions|multiqc)[^/]*$/i

/**
 * Files of a folder that are to be read as one sample each: those that have the names that programs give such files, of the first such
 * program; where there are none, every text table.
 */
export const chooseQuantifications = (files: readonly string[]): string[] => {
  for (const name of quantificationNames) {
    const named = files.filter((file) => name.test(file))
    if (named.length > 0) return named
  }
  return files.filter((file) => tables.test(file) && !noTables.test(file))
}

/** Of the reads whose strand is told, so many on one strand tell a stranded library; so few more than half tell one that is not. */
const minStranded = 0.75
const maxUnstranded = 0.6

/**
 * Reads files of one sample each into one matrix. The names of all files are matched together; transcripts are summed to their genes.
 */
export class QuantificationTable {
  readonly #matches: GeneMatches
  readonly #log: DefectLog
  readonly #unit: QuantifiedUnit
  readonly #rows = new Map<string, number>()
  readonly #samples: { id: string; values: Float64Array[]; sums: number[] }[] = []
  #transcripts = 0
  #ofTranscripts = new Set<string>()

  constructor(options: { matches: GeneMatches; log: DefectLog; unit: QuantifiedUnit }) {
    this.#matches = options.matches
    this.#log = options.log
    this.#unit = options.unit
  }

  /** What takes the lines of the next file; `null` where the program does not give the unit (reported). */
  open(id: string, file: string, layout: QuantificationLayout): ((line: string, number: number) => void) | null {
    const first = layout.columns[this.#unit]
    if (first === undefined) {
      this.#log.report(expressionDefects, 'expression-unit-absent', file, null, {
        program: layout.program,
        unit: this.#unit,
        units: Object.keys(layout.columns).join(', '),
      })
      return null
    }
    const columns = layout.isStar ? [first, first + 1, first + 2] : [first]
    const sample = {
      id,
      values: columns.map(() => new Float64Array(this.#rows.size).fill(Number.NaN)),
      sums: columns.map(() => 0),
    }
    this.#samples.push(sample)
    const isFirst = this.#samples.length === 1
    let headings = layout.hasHeading ? 1 : 0
    return (line, number) => {
      if (line.trim() === '' || line.startsWith('#')) return
      if (headings > 0) {
        headings -= 1
        return
      }
      const cells = splitCells(line, '\t')
      if (layout.width !== null && cells.length !== layout.width) {
        this.#log.report(expressionDefects, 'expression-columns', file, number, {
          found: cells.length,
          expected: layout.width,
        })
        return
      }
      const name = cells[0]!.trim()
      if (summaryRow.test(name)) return
      const values = columns.map((column) => readNumber(cells[column] ?? ''))
      const wrong = values.findIndex((value) => value === null || value < 0)
      if (wrong >= 0) {
        this.#log.report(expressionDefects, 'expression-value', file, number, {
          value: (cells[columns[wrong]!] ?? '').slice(0, 40),
          gene: name,
          sample: id,
        })
        return
      }
      for (const [at, value] of values.entries()) if (!Number.isNaN(value)) sample.sums[at]! += value!
      const found = this.#matches.match(name)
      if (found === null) return
      const isTranscript = layout.ofTranscripts || found.isProduct
      if (isTranscript && isFirst) {
        this.#transcripts += 1
        this.#ofTranscripts.add(found.gene)
      }
      const row = this.#rowOf(found.gene, sample.values)
      const before = sample.values[0]![row]!
      // StringTie writes a gene of several places once for each.
      if (!Number.isNaN(before) && !isTranscript && layout.program !== 'StringTie') {
        if (isFirst)
          this.#log.report(expressionDefects, 'expression-gene-repeated', file, number, {
            name,
            gene: found.gene,
            before: found.gene,
          })
        return
      }
      for (const [at, value] of values.entries())
        sample.values[at]![row] = Number.isNaN(before) ? value! : sample.values[at]![row]! + value!
    }
  }

  #rowOf(gene: string, values: Float64Array[]): number {
    const known = this.#rows.get(gene)
    const row = known ?? this.#rows.size
    if (known === undefined) this.#rows.set(gene, row)
    if (row >= values[0]!.length)
      for (const [at, own] of values.entries()) {
        const grown = new Float64Array(Math.max(4096, row * 2)).fill(Number.NaN)
        grown.set(own)
        values[at] = grown
      }
    return row
  }

  /**
   * The matrix of all samples; null where it is of no use (reported). `strandOf`: what is told of a sample's library, by its number; where
   * nothing is, the counts of STAR tell it.
   */
  finish(file: string, strandOf: (sample: number) => Strandedness | null): ExpressionMatrix | null {
    const log = this.#log
    if (!this.#matches.report(log)) return null
    if (this.#transcripts > this.#ofTranscripts.size)
      log.report(expressionDefects, 'expression-transcripts-summed', file, null, {
        count: this.#transcripts,
        genes: this.#ofTranscripts.size,
      })
    const chosen = this.#chooseStrands(file, strandOf)
    const width = this.#samples.length
    const genes = [...this.#rows.keys()]
    const values = new Float64Array(genes.length * width).fill(Number.NaN)
    let missing = 0
    for (const [at, sample] of this.#samples.entries()) {
      const own = sample.values[chosen[at]!]!
      for (let row = 0; row < genes.length; row += 1) {
        const value = row < own.length ? own[row]! : Number.NaN
        values[row * width + at] = value
        if (Number.isNaN(value)) missing += 1
      }
    }
    return {
      samples: this.#samples.map(({ id }) => id),
      genes,
      values,
      missing,
      sums: Float64Array.from(this.#samples, ({ sums }, at) => sums[chosen[at]!]!),
    }
  }

  /** Which of its columns each sample is read from; said for each kind of library. */
  #chooseStrands(file: string, strandOf: (sample: number) => Strandedness | null): number[] {
    const told = new Map<Strandedness, { samples: string[]; shares: number[] }>()
    const chosen = this.#samples.map(({ id, sums }, number) => {
      if (sums.length === 1) return 0
      const [, forward, reverse] = sums as [number, number, number]
      const share = forward + reverse === 0 ? 0.5 : forward / (forward + reverse)
      const counted: Strandedness =
        share >= minStranded ? 'forward' : share <= 1 - minStranded ? 'reverse' : 'unstranded'
      const strand = strandOf(number) ?? counted
      const percent = Math.round(100 * share)
      if (strand !== counted)
        this.#log.report(expressionDefects, 'expression-strand-differs', file, null, {
          sample: id,
          given: `@${strand}`,
          counted: `@${counted}`,
          percent,
        })
      else if (counted === 'unstranded' && (share > maxUnstranded || share < 1 - maxUnstranded))
        this.#log.report(expressionDefects, 'expression-strand-unclear', file, null, { sample: id, percent })
      const group = told.get(strand) ?? { samples: [], shares: [] }
      group.samples.push(id)
      group.shares.push(percent)
      told.set(strand, group)
      return strands.indexOf(strand)
    })
    for (const [strand, { samples, shares }] of told)
      this.#log.report(expressionDefects, 'expression-strand', file, null, {
        count: samples.length,
        strand: `@${strand}`,
        min: Math.min(...shares),
        max: Math.max(...shares),
        names: samples.slice(0, 5).join(', '),
      })
    return chosen
  }
}
