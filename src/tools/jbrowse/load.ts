import { copyFile, mkdir, open } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { z } from 'zod'
import { trackDefects } from '../../bio/annotation/track-defects.ts'
import { type Defect, type DefectCatalogue, DefectLog } from '../../bio/text/defects.ts'
import { entryIdSchema, filePathSchema, refuseEqualIds } from '../../contracts/manifest.ts'
import { localizedTextSchema } from '../../contracts/text.ts'
import { openTrueReferences } from '../../kit/data/reference-alleles.ts'
import { inputDefects } from '../../kit/input-defects.ts'
import { type BakeContext, type CheckContext, defineLoader } from '../../kit/loader.ts'
import { readInputLines } from '../../kit/read-input.ts'
import { StoreError } from '../../store/store-error.ts'
import { bakeTabix } from '../../store/tabix-writer.ts'
import {
  listBamSequences,
  listBigWigSequences,
  listCramSequences,
  listSamSequences,
} from '../../store/track-sequences.ts'
import { bakeAlignments, indexesBeside } from './bake-alignments.ts'
import { bakeSignal } from './bake-signal.ts'
import { readBigBedLines } from './big-bed-lines.ts'
import toolDefects from './defects.ts'
import { featureEntries, maxNamedFeatures, type NamedFeature, readNamedFeature } from './named-features.ts'
import type { BakedTrack, TrackType } from './stored.ts'

/** Types of files; some become another in the bundle. */
const inputTypes = ['bigwig', 'bedgraph', 'wig', 'bigbed', 'bam', 'cram', 'sam', 'vcf', 'bed', 'gff3'] as const
type InputType = (typeof inputTypes)[number]
const bakedTypes = { bedgraph: 'bigwig', wig: 'bigwig', sam: 'bam' } as const
const bakedTypeOf = (type: InputType): TrackType =>
  type === 'bedgraph' || type === 'wig' || type === 'sam' ? bakedTypes[type] : type

const trackSchema = z
  .object({
    id: entryIdSchema.describe('Name of the track in addresses, unique in the assembly.'),
    name: localizedTextSchema.describe('Shown to readers.'),
    file: filePathSchema,
    type: z.enum(inputTypes).optional().describe('Told from the file name when absent.'),
    index: filePathSchema
      .optional()
      .describe('Index of a BAM or CRAM file; looked for beside it, else made by samtools.'),
    description: localizedTextSchema.optional(),
    category: localizedTextSchema.optional(),
    simulated: z.boolean().optional(),
  })
  .strict()

const tracksSchema = z.array(trackSchema).superRefine(refuseEqualIds)
type Tracks = z.output<typeof tracksSchema>
type TrackEntry = Tracks[number]

const endings: [RegExp, InputType][] = [
  [/\.(bw|bigwig)$/i, 'bigwig'],
  [/\.(bedgraph|bdg|bg)(\.b?gz)?$/i, 'bedgraph'],
  [/\.wig(\.b?gz)?$/i, 'wig'],
  [/\.(bb|bigbed)$/i, 'bigbed'],
  [/\.sam(\.b?gz)?$/i, 'sam'],
  [/\.bam$/i, 'bam'],
  [/\.cram$/i, 'cram'],
  [/\.vcf(\.b?gz)?$/i, 'vcf'],
  [/\.bed(\.b?gz)?$/i, 'bed'],
  [/\.gff3?(\.b?gz)?$/i, 'gff3'],
]

const reportedType = (entry: TrackEntry): InputType | null =>
  entry.type ?? endings.find(([pattern]) => pattern.test(entry.file))?.[1] ?? null

const typeOf = (entry: TrackEntry, context: CheckContext): InputType | null => {
  const type = reportedType(entry)
  if (type === null) {
    context.report(toolDefects, {
      code: 'manifest-entry',
      file: entry.file,
      line: null,
      params: { entry: `tracks ${entry.id}`, reason: `type: ${inputTypes.join(', ')}` },
    })
  }
  return type
}

// First bytes: BigWig and BigBed in either byte order (UCSC bigWig.h, bigBed.h), BAM as the gzip of a BGZF block, CRAM by its name (CRAMv3, section 6).
const isOfType = async (path: string, type: InputType): Promise<boolean> => {
  const handle = await open(path)
  const start = Buffer.alloc(4)
  try {
    await handle.read(start, 0, 4, 0)
  } finally {
    await handle.close()
  }
  switch (type) {
    case 'bigwig':
      return start.readUInt32LE(0) === 0x888ffc26 || start.readUInt32BE(0) === 0x888ffc26
    case 'bigbed':
      return start.readUInt32LE(0) === 0x8789f2eb || start.readUInt32BE(0) === 0x8789f2eb
    case 'bam':
      return start.readUInt16BE(0) === 0x1f8b
    case 'cram':
      return start.toString('latin1') === 'CRAM'
    default:
      return true
  }
}

const reportDamaged = (context: CheckContext, file: string, reason: string): void =>
  context.report(inputDefects, { code: 'file-damaged', file, line: null, params: { reason } })

const sequenceLists = {
  bigwig: listBigWigSequences,
  bigbed: listBigWigSequences,
  bam: listBamSequences,
  cram: listCramSequences,
  sam: listSamSequences,
}
const hasSequenceList = (type: InputType): type is keyof typeof sequenceLists => type in sequenceLists

/**
 * Tells which sequences of a track the genome lacks, or has with another length; false, with an error, when it lacks them
 * all or none has the genome's length. A release that mends some chromosomes leaves the positions on the others true.
 */
const reportSequences = async (
  path: string,
  entry: TrackEntry,
  type: keyof typeof sequenceLists,
  context: BakeContext,
): Promise<boolean> => {
  const listed = await sequenceLists[type](path)
  if (listed === null) return true
  const names = listed.map(({ name }) => name)
  const unknown = names.filter((name) => context.findSequence(name) === null)
  const shown = (all: readonly string[]): string => `${all.slice(0, 5).join(', ')}${all.length > 5 ? ', …' : ''}`
  const report = <Catalogue extends DefectCatalogue>(
    catalogue: Catalogue,
    code: keyof Catalogue & string,
    params: Defect['params'],
  ): void => context.report(catalogue, { code, file: entry.file, line: null, params })
  const lengths = new Map(context.sequences.map((sequence) => [sequence.name, sequence.lengthBp]))
  const lengthOf = (name: string): number | undefined => lengths.get(context.findSequence(name) ?? '')
  const known = listed.filter(({ name }) => lengthOf(name) !== undefined)
  const otherLengths = known.filter(({ name, lengthBp }) => !Number.isNaN(lengthBp) && lengthOf(name) !== lengthBp)
  if (unknown.length > 0 && known.length > 0)
    report(toolDefects, 'track-sequences-unknown', {
      count: unknown.length,
      total: names.length,
      names: shown(unknown),
    })
  if (otherLengths.length > 0) {
    report(trackDefects, otherLengths.length === known.length ? 'track-lengths-all-differ' : 'track-lengths-differ', {
      count: otherLengths.length,
      total: known.length,
      names: shown(otherLengths.map(({ name, lengthBp }) => `${name} ${lengthBp}/${lengthOf(name)}`)),
    })
  }
  if (known.length > 0) return otherLengths.length < known.length
  // A file without sequences (reads that were not aligned) is of no assembly, so of no other one either.
  if (names.length === 0 && type !== 'sam') return true
  if (names.length === 0) {
    report(toolDefects, 'track-sam-header', {})
    return false
  }
  const expected = shown(context.sequences.map((sequence) => sequence.name))
  report(trackDefects, 'track-sequences-all-unknown', { found: shown(names), expected })
  return false
}

/** Enters the named features of a track into the search, where they are found and taken as places. */
const enterFeatures = async (
  entry: TrackEntry,
  format: 'gff3' | 'bed',
  context: BakeContext,
  ids: Set<string>,
): Promise<void> => {
  const features: NamedFeature[] = []
  let sequencesFollow = false
  // What is wrong with a line was told when the track was baked.
  const reported = await readInputLines(entry.file, context, new DefectLog(), (line) => {
    sequencesFollow ||= line.startsWith('##FASTA') || line.startsWith('>')
    if (sequencesFollow || features.length > maxNamedFeatures) return
    const feature = readNamedFeature(line, format, context.findSequence)
    if (feature !== null) features.push(feature)
  })
  if (reported) await enterNames(entry, features, context, ids)
}

/** The same of a BigBed, whose features are read by its own index. */
const enterBigBedFeatures = async (
  entry: TrackEntry,
  path: string,
  context: BakeContext,
  ids: Set<string>,
): Promise<void> => {
  const features: NamedFeature[] = []
  try {
    for await (const line of readBigBedLines(path)) {
      const feature = readNamedFeature(line, 'bed', context.findSequence)
      if (feature !== null) features.push(feature)
      if (features.length > maxNamedFeatures) break
    }
  } catch (error) {
    if (error instanceof StoreError) throw error
    reportDamaged(context, entry.file, error instanceof Error ? error.message : String(error))
    return
  }
  await enterNames(entry, features, context, ids)
}

const enterNames = async (
  entry: TrackEntry,
  features: readonly NamedFeature[],
  context: BakeContext,
  ids: Set<string>,
): Promise<void> => {
  if (features.length > maxNamedFeatures) {
    const params = { limit: maxNamedFeatures }
    context.report(toolDefects, { code: 'track-names-too-many', file: entry.file, line: null, params })
    return
  }
  const names = typeof entry.name === 'string' ? entry.name : `${entry.name.en} ${entry.name.zh}`
  for (const found of featureEntries(features, context.findSequence, names, ids)) await context.addSearchEntry(found)
}

const bake = async (value: Tracks | null, context: BakeContext): Promise<Record<string, number>> => {
  await mkdir(join(context.directory, 'tracks'), { recursive: true })
  let count = 0
  const featureIds = new Set<string>()
  for (const [number, entry] of (value ?? []).entries()) {
    const type = typeOf(entry, context)
    const path = await context.resolveFile(entry.file)
    if (type === null) continue
    if (!(await isOfType(path, type))) {
      reportDamaged(context, entry.file, `not a ${type} file`)
      continue
    }
    const simulated = entry.simulated ?? context.simulated
    const download = { title: entry.name, description: entry.description, licence: context.licence, simulated }
    let baked: { file: string; index: string | null } | null = null
    if (hasSequenceList(type) && !(await reportSequences(path, entry, type, context))) continue
    if (type === 'bigwig' || type === 'bigbed') {
      baked = { file: `tracks/${entry.id}.${type === 'bigwig' ? 'bw' : 'bb'}`, index: null }
      await copyFile(path, join(context.directory, baked.file))
      if (type === 'bigbed') await enterBigBedFeatures(entry, path, context, featureIds)
    } else if (type === 'bedgraph' || type === 'wig') {
      const file = `tracks/${entry.id}.bw`
      if (await bakeSignal(entry.file, path, join(context.directory, file), context)) baked = { file, index: null }
    } else if (type === 'bam' || type === 'cram' || type === 'sam') {
      baked = await bakeAlignments(entry, path, type, context)
    } else {
      const file = `tracks/${entry.id}.${type}.gz`
      const log = new DefectLog()
      const trueReferences = type === 'vcf' ? await openTrueReferences(path, entry.file, context, log) : null
      const written = await bakeTabix({
        source: trueReferences === null ? { file: path } : { name: entry.file, pieces: trueReferences.pieces },
        format: type,
        outFile: join(context.directory, file),
        sequences: context.sequences,
        findSequence: context.findSequence,
        log,
        signal: context.signal,
      }).finally(() => trueReferences?.close())
      for (const defect of log.defects) context.forward({ ...defect, file: entry.file })
      if (type === 'gff3' || type === 'bed') await enterFeatures(entry, type, context, featureIds)
      const index = `tracks/${basename(written.csiFile)}`
      if (written.tbiFile !== null) context.addFile(`tracks/${basename(written.tbiFile)}`, { kind: 'track-index' })
      baked = { file, index }
    }
    if (baked === null) continue
    context.addFile(baked.file, { kind: 'track', download })
    if (baked.index !== null) context.addFile(baked.index, { kind: 'track-index' })
    const track: BakedTrack = {
      id: entry.id,
      name: entry.name,
      description: entry.description ?? null,
      category: entry.category ?? null,
      type: bakedTypeOf(type),
      file: baked.file,
      index: baked.index,
      simulated,
    }
    await context.addRecord({ kind: 'track', id: entry.id, data: track })
    count += 1
    context.progress((number + 1) / (value?.length ?? 1))
  }
  return count > 0 ? { tracks: count } : {}
}

/** Tracks of the genome browser: signals, alignments, variants and features, with their indexes. */
export default defineLoader({
  entry: 'tracks',
  scope: 'assembly',
  schema: tracksSchema,
  version: 4,
  beside: (entries) =>
    entries.flatMap((entry) => {
      const type = reportedType(entry)
      return entry.index === undefined && (type === 'bam' || type === 'cram') ? indexesBeside(entry.file, type) : []
    }),
  bake,
})
