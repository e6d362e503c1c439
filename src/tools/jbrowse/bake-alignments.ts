import { createWriteStream } from 'node:fs'
import { copyFile, rm } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { inputDefects } from '../../kit/input-defects.ts'
import type { BakeContext } from '../../kit/loader.ts'
import { readDecompressed } from '../../store/decompressed.ts'
import { isCramSortedByPosition, isSortedByPosition } from '../../store/track-sequences.ts'

export interface AlignmentEntry {
  id: string
  file: string
  index?: string | undefined
}

const findFirst = async (candidates: string[], context: BakeContext): Promise<string | null> => {
  for (const candidate of candidates) {
    const found = await context.findFile(candidate)
    if (found !== null) return found
  }
  return null
}

const indexSuffixes = { bam: ['.bai', '.csi'], cram: ['.crai'] } as const

/** Longer sequences are not held by .bai (SAM specification, section 5.2). */
const longestOfBai = 2 ** 29

/** Where the index of an alignment file may stand, the likelier first. */
export const indexesBeside = (file: string, type: 'bam' | 'cram'): string[] => [
  ...indexSuffixes[type].map((suffix) => file + suffix),
  file.replace(/\.(bam|cram)$/, indexSuffixes[type][0]),
]

const reportMissing = (file: string, context: BakeContext): void =>
  context.report(inputDefects, {
    code: 'program-missing',
    file,
    line: null,
    params: { program: 'samtools', purpose: basename(file), package: 'samtools' },
  })

/** Whether samtools did what was asked; otherwise it is told why not. */
const runSamtools = async (entry: AlignmentEntry, args: string[], context: BakeContext): Promise<boolean> => {
  const outcome = await context.runProgram({ program: 'samtools', arguments: args, acceptedExitCodes: [0, 1] })
  if (outcome === null) reportMissing(entry.file, context)
  else if (outcome.exitCode !== 0) {
    const reason = outcome.errorText.trim().split('\n').slice(0, 3).join(' ').slice(0, 500)
    context.report(inputDefects, { code: 'file-damaged', file: entry.file, line: null, params: { reason } })
  }
  return outcome?.exitCode === 0
}

/**
 * Copies an alignment file with its index: the one named, the one beside it, or one that samtools makes. SAM, and BAM or CRAM that
 * do not say that their reads are in the order of the genome, are sorted by samtools: it would index such a CRAM without a word, and
 * most of its reads would not be found. Null after it was told why there is none.
 */
export const bakeAlignments = async (
  entry: AlignmentEntry,
  path: string,
  type: 'bam' | 'cram' | 'sam',
  context: BakeContext,
): Promise<{ file: string; index: string } | null> => {
  const bakedType = type === 'sam' ? 'bam' : type
  const file = `tracks/${entry.id}.${bakedType}`
  const absolute = join(context.directory, file)
  const suffixes = indexSuffixes[bakedType]
  const given =
    type === 'sam'
      ? null
      : entry.index === undefined
        ? await findFirst(indexesBeside(entry.file, type), context)
        : await context.resolveFile(entry.index)
  if (given !== null) {
    await copyFile(path, absolute)
    const index = `${file}${given.endsWith('.csi') ? '.csi' : suffixes[0]}`
    await copyFile(given, join(context.directory, index))
    return { file, index }
  }
  if (type === 'sam' || (type === 'bam' && !(await isSortedByPosition(path)))) {
    const pieces = join(context.scratch, `${entry.id}.sort`)
    const sort = ['sort', '-m', '256M', '-T', pieces, '-O', 'bam', '-o', absolute, path]
    if (!(await runSamtools(entry, sort, context))) return null
  } else if (type === 'cram' && (await isCramSortedByPosition(path)) === false) {
    if (!(await sortCram(entry, path, absolute, context))) return null
  } else await copyFile(path, absolute)
  const isLong = bakedType === 'bam' && context.sequences.some(({ lengthBp }) => lengthBp > longestOfBai)
  const indexed = await runSamtools(entry, ['index', ...(isLong ? ['-c'] : []), absolute], context)
  return indexed ? { file, index: `${file}${isLong ? '.csi' : suffixes[0]}` } : null
}

/** Its reads are written as differences from the genome, which samtools therefore reads. */
const sortCram = async (
  entry: AlignmentEntry,
  path: string,
  absolute: string,
  context: BakeContext,
): Promise<boolean> => {
  const baked = context.bakedFile('genome')
  // samtools writes an index beside the genome, which is no part of the bundle.
  const genome = join(context.scratch, `${entry.id}.genome.fa`)
  if (baked !== null) await pipeline(readDecompressed(baked), createWriteStream(genome))
  const pieces = join(context.scratch, `${entry.id}.sort`)
  const reference = baked === null ? [] : ['--reference', genome]
  const sort = ['sort', '-m', '256M', '-T', pieces, '-O', 'cram', ...reference, '-o', absolute, path]
  const isSorted = await runSamtools(entry, sort, context)
  await Promise.all([genome, `${genome}.fai`].map((file) => rm(file, { force: true })))
  return isSorted
}
