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
import { bakeTabix } from '../../store/tabix-writer.ts'
import { listBamSequences, listBigWigSequences, listCramSequences } from '../../store/track-sequences.ts'
import toolDefects from './defects.ts'
import { featureEntries, maxNamedFeatures, type NamedFeature, readNamedFeature } from './named-features.ts'
import type { BakedTrack, TrackType } from './stored.ts'

const trackSchema = z
  .object({
    id: entryIdSchema.describe('Name of the track in addresses, unique in the assembly.'),
    name: localizedTextSchema.describe('Shown to readers.'),
    file: filePathSchema,
    type: z
      .enum(['bigwig', 'bam', 'cram', 'vcf', 'bed', 'gff3'])
      .optional()
      .describe('Told from the file name when absent.'),
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

const endings: [RegExp, TrackType][] = [
  [/\.(bw|bigwig)$/i, 'bigwig'],
  [/\.bam$/i, 'bam'],
  [/\.cram$/i, 'cram'],
  [/\.vcf(\.b?gz)?$/i, 'vcf'],
  [/\.bed(\.b?gz)?$/i, 'bed'],
  [/\.gff3?(\.b?gz)?$/i, 'gff3'],
]

const reportedType = (entry: TrackEntry): TrackType | null =>
  entry.type ?? endings.find(([pattern]) => pattern.test(entry.file))?.[1] ?? null

const typeOf = (entry: TrackEntry, context: CheckContext): TrackType | null => {
  const type = reportedType(entry)
  if (type === null) {
    context.report(toolDefects, {
      code: 'manifest-entry',
      file: entry.file,
      line: null,
      params: { entry: `tracks ${entry.id}`, reason: 'type: bigwig, bam, cram, vcf, bed, gff3' },
    })
  }
  return type
}

// First bytes: BigWig in either byte order (UCSC bigWig.h), BAM as the gzip of a BGZF block, CRAM by its name (CRAMv3, section 6).
const isOfType = async (path: string, type: TrackType): Promise<boolean> => {
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

const findFirst = async (candidates: string[], context: CheckContext): Promise<string | null> => {
  for (const candidate of candidates) {
    const found = await context.findFile(candidate)
    if (found !== null) return found
  }
  return null
}

const indexSuffixes = { bam: ['.bai', '.csi'], cram: ['.crai'] } as const

/** Where the index of an alignment file may stand, the likelier first. */
const indexesBeside = (file: string, type: 'bam' | 'cram'): string[] => [
  ...indexSuffixes[type].map((suffix) => file + suffix),
  file.replace(/\.(bam|cram)$/, indexSuffixes[type][0]),
]

/** Copies an alignment file with its index: the one named, the one beside it, or one that samtools makes. */
const bakeAlignments = async (
  entry: TrackEntry,
  path: string,
  type: 'bam' | 'cram',
  context: BakeContext,
): Promise<{ file: string; index: string } | null> => {
  const file = `tracks/${entry.id}.${type}`
  await copyFile(path, join(context.directory, file))
  const suffixes = indexSuffixes[type]
  const given =
    entry.index === undefined
      ? await findFirst(indexesBeside(entry.file, type), context)
      : await context.resolveFile(entry.index)
  if (given !== null) {
    const index = `${file}${given.endsWith('.csi') ? '.csi' : suffixes[0]}`
    await copyFile(given, join(context.directory, index))
    return { file, index }
  }
  const outcome = await context.runProgram({ program: 'samtools', arguments: ['index', join(context.directory, file)] })
  if (outcome === null) {
    context.report(inputDefects, {
      code: 'program-missing',
      file: entry.file,
      line: null,
      params: { program: 'samtools', purpose: basename(entry.file), package: 'samtools' },
    })
    return null
  }
  return { file, index: `${file}${suffixes[0]}` }
}

/**
 * Tells which sequences of a binary track the genome lacks, or has with another length; false, with an error, when it lacks them
 * all or none has the genome's length. A release that mends some chromosomes leaves the positions on the others true.
 */
const reportSequences = async (
  path: string,
  entry: TrackEntry,
  type: 'bigwig' | 'bam' | 'cram',
  context: BakeContext,
): Promise<boolean> => {
  const lists = { bigwig: listBigWigSequences, bam: listBamSequences, cram: listCramSequences }
  const listed = await lists[type](path)
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
  if (names.length === 0) return true
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
  if (!reported) return
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
    if (
      (type === 'bigwig' || type === 'bam' || type === 'cram') &&
      !(await reportSequences(path, entry, type, context))
    )
      continue
    if (type === 'bigwig') {
      baked = { file: `tracks/${entry.id}.bw`, index: null }
      await copyFile(path, join(context.directory, baked.file))
    } else if (type === 'bam' || type === 'cram') baked = await bakeAlignments(entry, path, type, context)
    else {
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
      type,
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
  version: 3,
  beside: (entries) =>
    entries.flatMap((entry) => {
      const type = reportedType(entry)
      return entry.index === undefined && (type === 'bam' || type === 'cram') ? indexesBeside(entry.file, type) : []
    }),
  bake,
})
