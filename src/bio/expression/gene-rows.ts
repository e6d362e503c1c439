import type { DefectLog } from '../text/defects.ts'
import { refuseLeftOut } from '../text/left-out.ts'
import { expressionDefects } from './expression-defects.ts'

export interface GeneRowsOptions {
  file: string
  log: DefectLog
  /** The catalogue's name of a gene; null when it has none. */
  findGene(name: string): string | null
}

const maxNamed = 5

/** The genes of a table with one row per gene: rows of unknown genes and second rows of a gene are reported and left out. */
export class GeneRows {
  readonly #options: GeneRowsOptions
  /** Name in the table by gene, in the order of the rows. */
  readonly #nameByGene = new Map<string, string>()
  readonly #unknownNames: string[] = []
  #unknown = 0
  #repeated = 0

  constructor(options: GeneRowsOptions) {
    this.#options = options
  }

  get genes(): string[] {
    return [...this.#nameByGene.keys()]
  }

  get unknown(): number {
    return this.#unknown
  }

  get repeated(): number {
    return this.#repeated
  }

  /** The gene of a row, or null when the row is left out. `line1`: for the report. */
  add(name: string, line1: number): string | null {
    const { file, log, findGene } = this.#options
    const gene = findGene(name)
    if (gene === null) {
      this.#unknown += 1
      if (this.#unknownNames.length < maxNamed) this.#unknownNames.push(name)
      return null
    }
    const before = this.#nameByGene.get(gene)
    if (before !== undefined) {
      this.#repeated += 1
      log.report(expressionDefects, 'expression-gene-repeated', file, line1, { name, gene, before })
      return null
    }
    this.#nameByGene.set(gene, name)
    return gene
  }

  reportUnknown(): void {
    const { file, log } = this.#options
    if (this.#unknown === 0) return
    const total = this.#unknown + this.#nameByGene.size + this.#repeated
    log.report(expressionDefects, 'expression-genes-unknown', file, null, {
      count: this.#unknown,
      total,
      names: this.#unknownNames.join(', '),
    })
    refuseLeftOut(log, file, {
      why: 'unknown',
      count: this.#unknown,
      total,
      line: null,
      example: this.#unknownNames[0] ?? '',
    })
  }

  /** Whether any row is of a gene; reported where none is. */
  hasGenes(): boolean {
    if (this.#nameByGene.size > 0) return true
    const { file, log } = this.#options
    log.report(expressionDefects, 'expression-no-genes', file, null, { names: this.#unknownNames.join(', ') })
    return false
  }
}
