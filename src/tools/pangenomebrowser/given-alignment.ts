import { access, open } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { alignmentDefects } from '../../bio/alignment/alignment-defects.ts'
import { ChainReader } from '../../bio/alignment/chain-file.ts'
import { PafError, type PafRecord, parsePafLine, renderPafLine } from '../../bio/alignment/paf.ts'
import { indexSequenceNames } from '../../bio/sequence/chromosome-order.ts'
import { DefectLog } from '../../bio/text/defects.ts'
import { LineReader } from '../../bio/text/text-lines.ts'
import { listSequenceRows } from '../../database/sequences.ts'
import type { BakeContext, CheckContext, PortalAssembly, PortalBakeContext } from '../../kit/loader.ts'
import { readDecompressed } from '../../store/decompressed.ts'
import { readPafFile } from '../../store/paf-file.ts'
import toolDefects from './defects.ts'

/** In the bundle of an assembly: its alignment to the reference as the lab has it, sequences of the assembly by their names here. */
const givenAlignmentFile = 'alignment-to-reference.paf.gz'

/** More alignments than this do not fit the memory that a load may take. */
const maxAlignments = 2_000_000

interface Numbered {
  record: PafRecord
  line: number
}

/** Alignments of a PAF or a chain file in their order; null after what is wrong was reported. */
const readGivenAlignment = async (file: string, context: CheckContext): Promise<Numbered[] | null> => {
  const log = new DefectLog()
  const found: Numbered[] = []
  const chains = new ChainReader()
  let isChain: boolean | null = null
  let failed = false
  let last = 0
  /** Line by which an alignment is found again: its own, or the heading of its chain. */
  let heading = 0
  const attempt = (line: number, take: () => void): void => {
    try {
      take()
    } catch (error) {
      if (!(error instanceof PafError)) throw error
      failed = true
      context.report(toolDefects, { code: 'alignment-line', file, line, params: { reason: error.message } })
    }
  }
  const reader = new LineReader({
    file,
    log,
    onLine: (text, line) => {
      if (failed || text.trim() === '' || text.startsWith('#')) return
      last = line
      if (/^chain\s/.test(text)) heading = line
      isChain ??= /^chain\s/.test(text)
      attempt(line, () => {
        for (const record of isChain ? chains.push(text) : [parsePafLine(text)]) {
          if (record.cigar === null) throw new PafError('it tells no operations: neither cg:Z nor cs:Z', 'cg')
          found.push({ record, line: isChain ? heading : line })
          if (found.length > maxAlignments) throw new PafError(`there are more than ${maxAlignments} alignments`, 1)
        }
      })
    },
  })
  for await (const piece of readDecompressed(await context.resolveFile(file))) {
    context.signal.throwIfAborted()
    reader.push(piece)
    if (failed) return null
  }
  reader.end()
  if (isChain && !failed) attempt(last, () => chains.end())
  for (const defect of log.defects) context.forward(defect)
  if (failed || log.hasErrors) return null
  if (found.length > 0) return found
  context.report(toolDefects, { code: 'alignment-empty', file, line: null, params: {} })
  return null
}

const writePaf = async (records: readonly PafRecord[], outFile: string): Promise<void> => {
  const out = await open(outFile, 'w')
  await pipeline(
    records.map((record) => `${renderPafLine(record)}\n`),
    createGzip({ level: 4 }),
    out.createWriteStream(),
  )
}

/** Writes the alignment into the bundle of the assembly; false when it is not of it (reported). */
export const bakeGivenAlignment = async (file: string, context: BakeContext): Promise<boolean> => {
  const given = await readGivenAlignment(file, context)
  if (given === null) return false
  const lengths = new Map(context.sequences.map(({ name, lengthBp }) => [name, lengthBp]))
  const own: PafRecord[] = []
  const unknown = new Map<string, number>()
  for (const { record, line } of given) {
    const query = context.findSequence(record.query)
    if (query === null) {
      if (!unknown.has(record.query)) unknown.set(record.query, line)
      continue
    }
    if (lengths.get(query) !== record.queryLengthBp) {
      const params = { name: record.query, found: record.queryLengthBp, expected: lengths.get(query)! }
      context.report(alignmentDefects, { code: 'alignment-other-length', file, line, params })
      return false
    }
    own.push({ ...record, query })
  }
  const [example] = unknown
  if (example !== undefined) {
    const code = own.length === 0 ? 'alignment-other-assembly' : 'alignment-sequence-unknown'
    context.report(toolDefects, { code, file, line: example[1], params: { count: unknown.size, example: example[0] } })
  }
  if (own.length === 0) return false
  await writePaf(own, join(context.directory, givenAlignmentFile))
  context.addFile(givenAlignmentFile, { kind: 'given-alignment' })
  return true
}

/**
 * Writes what the lab's alignment of an assembly says of the reference, by the reference's own names, into `outFile`; false where there
 * is none, or where it is to another reference (reported).
 */
export const takeGivenAlignment = async (
  reference: PortalAssembly,
  assembly: PortalAssembly,
  outFile: string,
  context: PortalBakeContext,
): Promise<boolean> => {
  const file = join(await assembly.fetchFiles([givenAlignmentFile]), givenAlignmentFile)
  const there = await access(file).then(
    () => true,
    () => false,
  )
  if (!there) return false
  const sequences = await listSequenceRows(context.sql, reference.bundle)
  const lengths = new Map(sequences.map(({ name, lengthBp }) => [name, lengthBp]))
  const names = indexSequenceNames(sequences)
  const records: PafRecord[] = []
  for await (const record of readPafFile(file)) {
    const target = names.resolve(record.target).name
    if (target === null || lengths.get(target) !== record.targetLengthBp) {
      context.report(toolDefects, {
        code: 'alignment-other-reference',
        file: 'species.yaml',
        line: null,
        params: { assembly: assembly.id, reference: reference.id, name: record.target, length: record.targetLengthBp },
      })
      return false
    }
    records.push({ ...record, target })
  }
  await writePaf(records, outFile)
  return true
}
