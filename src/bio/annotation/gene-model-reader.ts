// From the bytes of an annotation file, whatever its format, to gene models.

import { DefectLog } from '../text/defects.ts'
import { LineReader } from '../text/text-lines.ts'
import { readAsGenBank } from './embl.ts'
import type { Feature } from './feature.ts'
import { type FeaturePlan, FeatureSurvey, type Together } from './feature-survey.ts'
import { GenBankReader, type GenBankRecord } from './genbank.ts'
import { GeneModelBuilder } from './gene-models/gene-model-builder.ts'
import type { GeneModel, GeneModels } from './gene-models.ts'
import { Gff3Reader } from './gff3.ts'
import { gff3Defects } from './gff3-defects.ts'
import { GtfReader } from './gtf.ts'

export type AnnotationFileFormat = 'gff3' | 'gtf' | 'genbank' | 'embl'

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
  if (/^ID {3}\S/.test(line)) return 'embl'
  if (line.startsWith('>') || /^@|^\{|^%/.test(line)) return null
  const attributes = line.split('\t')[8]?.trim() ?? ''
  // GFF2 writes no "=" either, and Augustus nothing but a name in the first lines of its GTF.
  const gtf = /^(gene_id|transcript_id)\s/.test(attributes) || (!/[=]/.test(attributes) && !/^\.?$/.test(attributes))
  return gtf ? 'gtf' : 'gff3'
}

const otherFormats: readonly [RegExp, string][] = [
  [/^>/, 'FASTA'],
  [/^@/, 'SAM or FASTQ'],
  [/^\{/, 'JSON'],
]

const isFlatFile = (format: AnnotationFileFormat): boolean => format === 'genbank' || format === 'embl'

type Reader = { addLine(line: string, lineNumber: number): void; end(): void }

/** What the features of a file are given to. */
interface FeatureTaker {
  addSequence(name: string, circular?: boolean): void
  add(feature: Feature): void
}

/** How a file ended: with features, without a reading of any, or refused as no annotation that can be read. */
type FileEnd = 'read' | 'empty' | 'refused'

/** The features of an annotation file of any format, from its bytes. */
class FeatureFile {
  readonly #options: GeneModelReaderOptions
  readonly #open: (format: AnnotationFileFormat) => FeatureTaker
  readonly #lines: LineReader
  #reader: Reader | null = null
  #held: [line: string, lineNumber: number][] = []
  #otherFormat = false
  #circular: Set<string> | null = null

  constructor(options: GeneModelReaderOptions, open: (format: AnnotationFileFormat) => FeatureTaker) {
    this.#options = options
    this.#open = open
    this.#lines = new LineReader({
      file: options.file,
      log: options.log,
      onLine: (line, lineNumber) => this.addLine(line, lineNumber),
    })
    if (options.format) this.#openReader(options.format)
  }

  push(chunk: Uint8Array): void {
    this.#lines.push(chunk)
  }

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
      this.#options.log.report(gff3Defects, 'gff-other-format', this.#options.file, lineNumber, {
        found,
        expected: 'GFF3, GTF, GenBank',
      })
      return
    }
    this.#openReader(format)
    for (const [held, heldNumber] of this.#held) this.#reader!.addLine(held, heldNumber)
    this.#held = []
  }

  end(): FileEnd {
    this.#lines.end()
    if (this.#otherFormat || this.#lines.refused) return 'refused'
    if (!this.#reader) {
      const { file, log } = this.#options
      if (log.count('text-empty') === 0) log.report(gff3Defects, 'gff-no-features', file, null)
      return 'empty'
    }
    this.#reader.end()
    return 'read'
  }

  #isCircular(names: readonly (string | null)[]): boolean {
    const { circular, sequenceAliases } = this.#options
    this.#circular ??= new Set(circular)
    const known = this.#circular
    return names.some(
      (name) => name !== null && (known.has(name) || known.has(sequenceAliases?.get(name.toLowerCase()) ?? name)),
    )
  }

  #openReader(format: AnnotationFileFormat): void {
    const { file, log, onSequence } = this.#options
    const taker = this.#open(format)
    if (isFlatFile(format)) {
      const reader = new GenBankReader({
        file,
        log,
        isCircular: (record) => this.#isCircular([record.name, record.accession, record.locus]),
        onRecord: (record) => taker.addSequence(record.name, record.circular),
        onFeature: (feature) => taker.add(feature),
        onSequence,
      })
      const addLine = reader.addLine.bind(reader)
      this.#reader = format === 'embl' ? { addLine: readAsGenBank(addLine), end: reader.end.bind(reader) } : reader
      return
    }
    const options = {
      file,
      log,
      onSequenceRegion: (name: string) => taker.addSequence(name),
      onFeature: taker.add.bind(taker),
    }
    this.#reader = format === 'gtf' ? new GtfReader(options) : new Gff3Reader(options)
  }
}

/**
 * Reads GFF3, GTF (GFF2), GenBank or EMBL from bytes and builds gene models, all of them at the end. `push` takes pieces of any size,
 * unpacked; `finish` gives the models. Everything that was mended or left out is in the log; the result is to be used only when it
 * has no error. For a file that may be large, see `readGeneModelsInParts`.
 *
 * Example: fed with a GFF3 of one gene, `finish().genes.length` is 1.
 */
export class GeneModelReader {
  readonly #file: FeatureFile
  #builder: GeneModelBuilder | null = null

  constructor(options: GeneModelReaderOptions) {
    this.#file = new FeatureFile(options, (format) => {
      this.#builder = new GeneModelBuilder({ ...options, flatFile: isFlatFile(format) })
      return this.#builder
    })
  }

  /** Takes the next bytes; they may be reused by the caller afterwards. */
  push(chunk: Uint8Array): void {
    this.#file.push(chunk)
  }

  /** Takes the next line instead of bytes, its number counted from 1. */
  addLine(line: string, lineNumber: number): void {
    this.#file.addLine(line, lineNumber)
  }

  /** Ends the file and builds the models; to be called once. */
  finish(): GeneModels {
    const end = this.#file.end()
    return end === 'read' && this.#builder ? this.#builder.finish() : { genes: [], features: [], circular: [] }
  }
}

/**
 * Reads gene models as `GeneModelReader` does, with the same result, in memory for some of them: the file is read once for which of its
 * lines belong together, then once more (several times, where they stand far apart) to build genes as soon as all their lines are in.
 * `read` gives the bytes of the file from its start at every call, with its own defects to the log that it is given. Genes come by
 * sequence and start among those of neighbouring lines, not in all.
 */
export async function readGeneModelsInParts(
  options: Omit<GeneModelReaderOptions, 'onSequence'> & { onGene(gene: GeneModel): void; together?: Together },
  read: (onBytes: (bytes: Uint8Array) => void, log: DefectLog) => Promise<void>,
): Promise<{ circular: string[]; plan: FeaturePlan }> {
  const readAll = async (log: DefectLog, open: (format: AnnotationFileFormat) => FeatureTaker): Promise<FileEnd> => {
    const file = new FeatureFile({ ...options, log }, open)
    await read((bytes) => file.push(bytes), log)
    return file.end()
  }
  const survey = new FeatureSurvey()
  // What is wrong with the lines is told when they are read to be used.
  const end = await readAll(new DefectLog(0), () => survey)
  const plan = survey.plan(options.together)
  let builder: GeneModelBuilder | null = null
  for (let round = 0; round < Math.max(1, plan.rounds); round += 1) {
    await readAll(round === 0 ? options.log : new DefectLog(0), (format) => {
      if (end !== 'read') return { addSequence: () => undefined, add: () => undefined }
      builder ??= new GeneModelBuilder({ ...options, flatFile: isFlatFile(format), plan })
      return builder
    })
    ;(builder as GeneModelBuilder | null)?.nextRound()
  }
  return { circular: (builder as GeneModelBuilder | null)?.finish().circular ?? [], plan }
}
