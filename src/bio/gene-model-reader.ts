// From the bytes of an annotation file, whatever its format, to gene models.

import type { DefectLog } from './defects.ts'
import { GenBankReader, type GenBankRecord } from './genbank.ts'
import { GeneModelBuilder, type GeneModels } from './gene-models.ts'
import { Gff3Reader } from './gff3.ts'
import { GtfReader } from './gtf.ts'
import { LineReader } from './text-lines.ts'

export type AnnotationFileFormat = 'gff3' | 'gtf' | 'genbank'

export interface GeneModelReaderOptions {
  /** Name of the file, for defects. */
  file: string
  log: DefectLog
  /** Unless given, the first line that is no comment tells. */
  format?: AnnotationFileFormat
  /** Names and lengths of the genome's sequences, in the order wanted; without it names and bounds are not checked. */
  sequences?: ReadonlyMap<string, number>
  /** Other names of the genome's sequences, in lower case, to the names. */
  sequenceAliases?: ReadonlyMap<string, string>
  circular?: Iterable<string>
  /** Names of sequences that are linear whatever the file says. */
  linear?: ReadonlySet<string>
  /** Sequence that the file itself holds: the bases of a GenBank record. */
  onSequence?(bases: string, record: GenBankRecord): void
}

/**
 * The format of an annotation by one line that is no comment, or null when it is none of them.
 *
 * Example: `guessAnnotationFileFormat('LOCUS       NC_001416  48502 bp')` is `genbank`.
 */
function guessAnnotationFileFormat(line: string): AnnotationFileFormat | null {
  if (/^LOCUS\s/.test(line)) return 'genbank'
  if (line.startsWith('>') || /^ID {3}|^@|^\{|^%/.test(line)) return null
  const attributes = line.split('\t')[8]?.trim() ?? ''
  // GFF2 writes no "=" either, and Augustus nothing but a name in the first lines of its GTF.
  const gtf = /^(gene_id|transcript_id)\s/.test(attributes) || (!/[=]/.test(attributes) && !/^\.?$/.test(attributes))
  return gtf ? 'gtf' : 'gff3'
}

const otherFormats: readonly [RegExp, string][] = [
  [/^>/, 'FASTA'],
  [/^ID {3}/, 'EMBL'],
  [/^@/, 'SAM or FASTQ'],
  [/^\{/, 'JSON'],
]

type Reader = { addLine(line: string, lineNumber: number): void; end(): void }

/**
 * Reads GFF3, GTF (GFF2) or GenBank from bytes and builds gene models. `push` takes pieces of any size, unpacked; `finish` gives
 * the models. Everything that was mended or left out is in the log; the result is to be used only when it has no error.
 *
 * Example: fed with a GFF3 of one gene, `finish().genes.length` is 1.
 */
export class GeneModelReader {
  readonly #options: GeneModelReaderOptions
  readonly #lines: LineReader
  #builder: GeneModelBuilder | null = null
  #reader: Reader | null = null
  #held: [line: string, lineNumber: number][] = []
  #otherFormat = false

  constructor(options: GeneModelReaderOptions) {
    this.#options = options
    this.#lines = new LineReader({
      file: options.file,
      log: options.log,
      onLine: (line, lineNumber) => this.addLine(line, lineNumber),
    })
    if (options.format) this.#open(options.format)
  }

  /** Takes the next bytes; they may be reused by the caller afterwards. */
  push(chunk: Uint8Array): void {
    this.#lines.push(chunk)
  }

  /** Takes the next line instead of bytes, its number counted from 1. */
  addLine(line: string, lineNumber: number): void {
    if (this.#otherFormat) return
    if (this.#reader) {
      this.#reader.addLine(line, lineNumber)
      return
    }
    this.#held.push([line, lineNumber])
    if (line.trim() === '' || line.startsWith('#') || /^(track|browser)\s/.test(line)) return
    const format = guessAnnotationFileFormat(line)
    if (format === null) {
      const found = otherFormats.find(([form]) => form.test(line))?.[1] ?? '?'
      this.#otherFormat = true
      this.#options.log.report('gff-other-format', this.#options.file, lineNumber, {
        found,
        expected: 'GFF3, GTF, GenBank',
      })
      return
    }
    this.#open(format)
    for (const [held, heldNumber] of this.#held) this.#reader!.addLine(held, heldNumber)
    this.#held = []
  }

  /** Ends the file and builds the models; to be called once. */
  finish(): GeneModels {
    this.#lines.end()
    if (this.#otherFormat || this.#lines.refused) return { genes: [], features: [], circular: [] }
    if (!this.#reader || !this.#builder) {
      const { file, log } = this.#options
      if (log.count('text-empty') === 0) log.report('gff-no-features', file, null)
      return { genes: [], features: [], circular: [] }
    }
    this.#reader.end()
    return this.#builder.finish()
  }

  #isCircular(names: readonly (string | null)[]): boolean {
    const { circular, sequenceAliases } = this.#options
    const known = new Set(circular)
    return names.some(
      (name) => name !== null && (known.has(name) || known.has(sequenceAliases?.get(name.toLowerCase()) ?? name)),
    )
  }

  #open(format: AnnotationFileFormat): void {
    const { file, log, onSequence } = this.#options
    const builder = new GeneModelBuilder({ ...this.#options, flatFile: format === 'genbank' })
    this.#builder = builder
    if (format === 'genbank') {
      this.#reader = new GenBankReader({
        file,
        log,
        isCircular: (record) => this.#isCircular([record.name, record.accession, record.locus]),
        onRecord: (record) => builder.addSequence(record.name, record.circular),
        onFeature: (feature) => builder.add(feature),
        onSequence,
      })
      return
    }
    const options = {
      file,
      log,
      onSequenceRegion: (name: string) => builder.addSequence(name),
      onFeature: builder.add.bind(builder),
    }
    this.#reader = format === 'gtf' ? new GtfReader(options) : new Gff3Reader(options)
  }
}
