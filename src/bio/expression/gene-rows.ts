import type { GeneMatches } from '../annotation/gene-matches.ts'
import type { DefectLog } from '../text/defects.ts'
import { expressionDefects } from './expression-defects.ts'

export interface GeneRowsOptions {
  file: string
  log: DefectLog
  matches: GeneMatches
}

/** Where a row of a table belongs. */
export interface PlacedRow {
  /** Position of its gene among those of the table. */
  row: number
  /** A further transcript of a gene that has a row. */
  isFurther: boolean
}

/**
 * The genes of a table with one row per gene: rows of unknown genes and second rows of a gene are reported and left out. Where the table
 * is of transcripts, whose values can be `summed`, a second row is a further transcript of the gene.
 */
export class GeneRows {
  readonly #options: GeneRowsOptions & { summed: boolean }
  readonly #rows = new Map<string, { row: number; name: string; isProduct: boolean }>()
  #summed = 0

  constructor(options: GeneRowsOptions, summed = false) {
    this.#options = { ...options, summed }
  }

  get genes(): string[] {
    return [...this.#rows.keys()]
  }

  /** Where a row belongs, or null when it is left out. `line1`: for the report. */
  place(name: string, line1: number): PlacedRow | null {
    const { file, log, matches, summed } = this.#options
    const found = matches.match(name, [], line1)
    if (found === null) return null
    const { gene, isProduct } = found
    const before = this.#rows.get(gene)
    if (before === undefined) {
      const row = this.#rows.size
      this.#rows.set(gene, { row, name, isProduct })
      return { row, isFurther: false }
    }
    if (summed && isProduct && before.isProduct) {
      this.#summed += 1
      return { row: before.row, isFurther: true }
    }
    log.report(expressionDefects, 'expression-gene-repeated', file, line1, { name, gene, before: before.name })
    return null
  }

  /** Tells how the names were matched, and what was summed; false where the table is of no use. */
  report(): boolean {
    const { file, log, matches } = this.#options
    if (this.#summed > 0) {
      const genes = [...this.#rows.values()].filter(({ isProduct }) => isProduct).length
      log.report(expressionDefects, 'expression-transcripts-summed', file, null, {
        count: genes + this.#summed,
        genes,
      })
    }
    return matches.report(log) && this.#rows.size > 0
  }
}
