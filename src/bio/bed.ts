// Checks of BED files before they become tracks. Source: BED v1 specification (GA4GH, 2021).

import type { DefectLog } from './defects.ts'
import { resolveTrackSequences, TrackOrder } from './track-order.ts'

export interface TrackCheckOptions {
  /** Name of the file, for defects. */
  file: string
  log: DefectLog
  /** Names and lengths of the genome's sequences; without it names and bounds are not checked. */
  sequences?: ReadonlyMap<string, number>
}

export interface TrackSummary {
  featureCount: number
  /** Columns of its lines; 0 without lines. */
  columnCount: number
  /** Whether the lines of each sequence stand together in the order of their starts, as an index needs. */
  sorted: boolean
  /** Sequences in the order of the file. */
  sequenceNames: string[]
  /** The genome's name of each sequence that it knows. */
  sequenceMap: Map<string, string>
}

const wholeNumber = /^\d+$/

/**
 * Checks BED (3 to 12 columns and more, bedGraph included) line by line: columns, coordinates, strand, blocks, order, and that
 * sequences and ends exist in the genome.
 *
 * Example: after the line "chrI\t10\t5", `log` has the error `track-start-after-end`.
 */
export class BedChecker {
  readonly #options: TrackCheckOptions
  readonly #order: TrackOrder
  #columnCount = 0
  #featureCount = 0

  constructor(options: TrackCheckOptions) {
    this.#options = options
    this.#order = new TrackOrder(options)
  }

  addLine(line: string, lineNumber: number): void {
    const { file, log } = this.#options
    if (line.trim() === '' || /^(#|track\b|browser\b)/.test(line)) return
    let columns = line.split('\t')
    if (columns.length < 3) {
      columns = line.trim().split(/\s+/)
      if (columns.length < 3) {
        log.report('track-column-count', file, lineNumber, { found: columns.length, format: 'BED', expected: 3 })
        return
      }
      log.report('track-spaces-for-tabs', file, lineNumber)
    }
    if (this.#columnCount === 0) this.#columnCount = columns.length
    else if (columns.length !== this.#columnCount) {
      log.report('track-column-count-varies', file, lineNumber, { found: columns.length, expected: this.#columnCount })
      return
    }
    for (const [index, column] of [
      [1, 'chromStart'],
      [2, 'chromEnd'],
    ] as const) {
      if (wholeNumber.test(columns[index]!)) continue
      log.report('track-bad-coordinate', file, lineNumber, { column, value: columns[index]!, least: 0 })
      return
    }
    const start0 = Number(columns[1])
    const end0 = Number(columns[2])
    if (start0 > end0) {
      log.report('track-start-after-end', file, lineNumber, { start: start0, end: end0 })
      return
    }
    if (columns.length >= 6 && !/^[-+.]$/.test(columns[5]!)) {
      log.report('track-bad-field', file, lineNumber, {
        column: 'strand',
        value: columns[5]!,
        expected: '@strand-sign',
      })
      return
    }
    if (columns.length === 12 && !this.#checkBlocks(columns, start0, end0, lineNumber)) return
    this.#featureCount++
    this.#order.add(columns[0]!, start0 + 1, end0, lineNumber)
  }

  // Blocks count from chromStart; the first begins there and the last ends at chromEnd.
  #checkBlocks(columns: readonly string[], start0: number, end0: number, lineNumber: number): boolean {
    const { file, log } = this.#options
    const read = (text: string) => text.replace(/,$/, '').split(',').map(Number)
    const count = Number(columns[9])
    const sizes = read(columns[10]!)
    const starts = read(columns[11]!)
    const fits =
      sizes.length === count &&
      starts.length === count &&
      sizes.every((size) => Number.isInteger(size) && size >= 0) &&
      starts.every(
        (start, index) => Number.isInteger(start) && (index === 0 || start >= starts[index - 1]! + sizes[index - 1]!),
      ) &&
      starts[0] === 0 &&
      starts.at(-1)! + sizes.at(-1)! === end0 - start0
    if (!fits) {
      const value = `${columns[9]} ${columns[10]} ${columns[11]}`
      log.report('track-bad-field', file, lineNumber, { column: 'blocks', value, expected: '@blocks-within' })
    }
    return fits
  }

  /** The file is at its end; what was found, with sequences looked up in the genome. */
  end(): TrackSummary {
    const { file, log } = this.#options
    if (this.#featureCount === 0 && !log.hasErrors) log.report('track-no-rows', file, null)
    return {
      featureCount: this.#featureCount,
      columnCount: this.#columnCount,
      sorted: this.#order.sorted,
      sequenceNames: this.#order.sequenceNames,
      sequenceMap: resolveTrackSequences(this.#order, this.#options),
    }
  }
}
