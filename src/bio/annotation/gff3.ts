// GFF3 files, line by line. Source: GFF3 specification 1.26 (Sequence Ontology).

import type { DefectLog } from '../text/defects.ts'
import { textDefects } from '../text/text-defects.ts'
import { type AttributeDialect, type Feature, parseFeatureLine, StringPool } from './feature.ts'
import { gff3Defects } from './gff3-defects.ts'

export interface FeatureReaderOptions {
  /** Name of the file, for defects. */
  file: string
  log: DefectLog
  onFeature(feature: Feature): void
  /** A `##sequence-region` line: coordinates counted from 1, both included. */
  onSequenceRegion?(name: string, start1: number, end1: number): void
  /** A line of the `##FASTA` section, its ">" lines included. */
  onFastaLine?(line: string, lineNumber: number): void
}

/**
 * Reads feature lines of GFF3, and of GTF with the dialect `gtf`, which has the same columns. Comments, `###` and unknown
 * directives are skipped; all that follows `##FASTA` or a ">" line is sequence. See `parseFeatureLine` for what is mended.
 *
 * Example: `addLine('##sequence-region chrI 1 230218', 1)` calls `onSequenceRegion('chrI', 1, 230218)`.
 */
export class Gff3Reader {
  readonly #options: FeatureReaderOptions
  readonly #context: { file: string; log: DefectLog; dialect: AttributeDialect; pool: StringPool }
  #inFasta = false
  #featureLines = 0

  constructor(options: FeatureReaderOptions, dialect: AttributeDialect = 'gff3') {
    this.#options = options
    this.#context = { file: options.file, log: options.log, dialect, pool: new StringPool() }
  }

  /** Feature lines met so far, those that could not be read included. */
  get featureLines(): number {
    return this.#featureLines
  }

  addLine(line: string, lineNumber: number): void {
    if (this.#inFasta) {
      this.#options.onFastaLine?.(line, lineNumber)
      return
    }
    const first = line.charCodeAt(0)
    if (first === 35) {
      this.#readDirective(line)
      return
    }
    if (first === 62) {
      this.#inFasta = true
      this.#options.onFastaLine?.(line, lineNumber)
      return
    }
    if ((first === 32 || first === 9 || line === '') && line.trim() === '') return
    if (line.includes('\0')) {
      this.#options.log.report(textDefects, 'text-binary', this.#options.file, lineNumber)
      return
    }
    // Headings of UCSC's browser, which some exporters leave in.
    if (this.#featureLines === 0 && /^(track|browser)\s/.test(line)) return
    this.#featureLines++
    const feature = parseFeatureLine(line, lineNumber, this.#context)
    if (feature) this.#options.onFeature(feature)
  }

  /** The file is at its end; one without any feature line is an error in the log. */
  end(): void {
    const { file, log } = this.#options
    if (this.#featureLines === 0 && log.count('text-empty') === 0)
      log.report(gff3Defects, 'gff-no-features', file, null)
  }

  #readDirective(line: string): void {
    if (line.startsWith('##FASTA')) {
      this.#inFasta = true
      return
    }
    if (!line.startsWith('##sequence-region')) return
    const [, name, start, end] = line.trim().split(/\s+/)
    const start1 = Number(start)
    const end1 = Number(end)
    if (name !== undefined && Number.isSafeInteger(start1) && Number.isSafeInteger(end1) && start1 <= end1) {
      this.#options.onSequenceRegion?.(name, start1, end1)
    }
  }
}
