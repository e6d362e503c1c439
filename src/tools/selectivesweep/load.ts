import { mkdir } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { z } from 'zod'
import { type ReadWindows, WindowTableReader } from '../../bio/population/sweep-tables.ts'
import { DefectLog } from '../../bio/text/defects.ts'
import { refuseLeftOut } from '../../bio/text/left-out.ts'
import { entryIdSchema, filePathSchema, refuseEqualIds } from '../../contracts/manifest.ts'
import { localizedTextSchema } from '../../contracts/text.ts'
import { type BakeContext, type CheckContext, defineLoader, idsNamed } from '../../kit/loader.ts'
import { readTableRows } from '../../kit/read-input.ts'
import { bakeTabix } from '../../store/tabix-writer.ts'
import toolDefects from './defects.ts'
import { describeSeries, statistics } from './series.ts'
import { type BakedSweeps, tableKind } from './stored.ts'
import { limits } from './tool.ts'
import { paddingNames, renderWindowLines, type WindowTable } from './window-table.ts'

const populationsSchema = z.array(z.string().min(1).max(200)).min(1).max(2)

const sweepsSchema = z
  .array(
    z
      .object({
        id: entryIdSchema.describe('Name of the table in addresses, unique in the assembly.'),
        name: localizedTextSchema.describe('Shown to readers.'),
        description: localizedTextSchema.optional(),
        file: filePathSchema.describe(
          'Windows: vcftools .windowed.weir.fst, .windowed.pi or .Tajima.D, pixy, XP-CLR, BED, or a table with a heading.',
        ),
        columns: z
          .array(
            z
              .object({
                column: z.string().min(1).max(200),
                statistic: z.enum(statistics).optional(),
                populations: populationsSchema.optional(),
              })
              .strict(),
          )
          .min(1)
          .max(40)
          .optional()
          .describe('Columns of values; told from their headings when absent.'),
        populations: populationsSchema.optional().describe('Populations that the values are of, or compare.'),
        variants: z.string().max(100).optional().describe('Id of the set of variants that they were computed from.'),
        licence: z.string().max(200).optional(),
        simulated: z.boolean().optional(),
      })
      .strict(),
  )
  .superRefine(refuseEqualIds)
  .describe('Tables of windows of population statistics: Fst, pi, Tajima’s D, XP-CLR and others.')
type Sweeps = z.output<typeof sweepsSchema>
type Entry = Sweeps[number]

const readTable = async (entry: Entry, context: CheckContext): Promise<ReadWindows | null> => {
  const log = new DefectLog()
  const reader = new WindowTableReader({
    file: entry.file,
    log,
    maxRows: limits.windows,
    ...(entry.columns === undefined
      ? {}
      : {
          columns: entry.columns.map(({ column, statistic, populations }) => ({
            column,
            ...(statistic === undefined ? {} : { statistic }),
            ...(populations === undefined ? {} : { populations }),
          })),
        }),
    ...(entry.populations === undefined ? {} : { populations: entry.populations }),
  })
  const readable = await readTableRows(entry.file, context, log, (line, number) => reader.addLine(line, number))
  const table = readable ? reader.finish() : null
  for (const defect of log.defects) context.forward({ ...defect, file: entry.file })
  return log.hasErrors ? null : table
}

const maxNamed = 5

/** The windows on the genome's sequences, in its order; null when they are of another assembly. */
const placeWindows = (read: ReadWindows, entry: Entry, context: BakeContext): WindowTable | null => {
  const about = { file: entry.file, line: null }
  const order = new Map(context.sequences.map(({ name }, at) => [name, at]))
  const found = read.sequences.map((name) => context.findSequence(name))
  const listed = (names: string[]): string => names.slice(0, maxNamed).join(', ')
  if (found.every((name) => name === null)) {
    context.report(toolDefects, {
      ...about,
      code: 'windows-sequences-all-unknown',
      params: { found: listed(read.sequences), expected: listed(context.sequences.map(({ name }) => name)) },
    })
    return null
  }
  const counts = new Map<number, number>()
  for (const sequence of read.sequence) counts.set(sequence, (counts.get(sequence) ?? 0) + 1)
  for (const [at, name] of read.sequences.entries()) {
    const own = found[at]!
    if (own === null)
      context.report(toolDefects, {
        ...about,
        code: 'windows-sequence-unknown',
        params: { name, count: counts.get(at) ?? 0 },
      })
    else if (own !== name)
      context.report(toolDefects, { ...about, code: 'windows-sequence-renamed', params: { from: name, to: own } })
  }
  const position = found.map((name) => (name === null ? -1 : order.get(name)!))
  const rows = [...read.sequence.keys()]
    .filter((row) => position[read.sequence[row]!]! >= 0)
    .sort(
      (a, b) =>
        position[read.sequence[a]!]! - position[read.sequence[b]!]! ||
        read.start1[a]! - read.start1[b]! ||
        read.end1[a]! - read.end1[b]!,
    )
  const log = new DefectLog()
  refuseLeftOut(log, entry.file, {
    why: 'unknown',
    count: read.sequence.length - rows.length,
    total: read.sequence.length,
    line: null,
    example: read.sequences.find((_, at) => found[at] === null) ?? '',
  })
  for (const defect of log.defects) context.forward(defect)
  if (log.hasErrors) return null
  let cut = 0
  const sequences: string[] = []
  const sequence = new Uint32Array(rows.length)
  const start1 = new Uint32Array(rows.length)
  const end1 = new Uint32Array(rows.length)
  for (const [at, row] of rows.entries()) {
    const { name, lengthBp } = context.sequences[position[read.sequence[row]!]!]!
    if (sequences.at(-1) !== name) sequences.push(name)
    if (read.start1[row]! > lengthBp) {
      context.report(toolDefects, {
        ...about,
        code: 'windows-outside',
        params: { start: read.start1[row]!, name, length: lengthBp },
      })
      return null
    }
    if (read.end1[row]! > lengthBp) cut += 1
    sequence[at] = sequences.length - 1
    start1[at] = read.start1[row]!
    end1[at] = Math.min(lengthBp, read.end1[row]!)
  }
  if (cut > 0) context.report(toolDefects, { ...about, code: 'windows-beyond-end', params: { count: cut } })
  const taken = new Set<string>()
  const keyOf = (column: string, populations: readonly string[]): string => {
    // pi_wild of the population wild is not called pi_wild_wild.
    const base = [column, ...populations.filter((name) => !column.endsWith(`_${name}`))]
      .join('_')
      .replace(/[^\p{L}\p{N}._-]+/gu, '_')
    let key = base
    for (let number = 2; taken.has(key) || paddingNames.includes(key); number++) key = `${base}_${number}`
    taken.add(key)
    return key
  }
  return {
    sequences,
    sequence,
    start1,
    end1,
    sites: read.sites === null ? null : Uint32Array.from(rows, (row) => read.sites![row]!),
    keys: read.series.map(({ column, populations }) => keyOf(column, populations)),
    values: read.series.map(({ values }) => Float64Array.from(rows, (row) => values[row]!)),
  }
}

const commonestLength = ({ start1, end1 }: WindowTable): number => {
  const counts = new Map<number, number>()
  for (const [at, start] of start1.entries()) {
    const length = end1[at]! - start + 1
    counts.set(length, (counts.get(length) ?? 0) + 1)
  }
  return [...counts].sort((a, b) => b[1] - a[1])[0]?.[0] ?? 0
}

/** Lines of one series for the genome browser; windows without a value are none of them. */
function* renderTrackLines(table: WindowTable, values: Float64Array): Generator<string> {
  yield '#chrom\tchromStart\tchromEnd\tname\tscore'
  for (const [at, value] of values.entries())
    if (!Number.isNaN(value))
      yield `${table.sequences[table.sequence[at]!]}\t${table.start1[at]! - 1}\t${table.end1[at]}\t.\t${value}`
}

const bakeLines = async (
  lines: Iterable<string>,
  file: string,
  kind: string,
  context: BakeContext,
  download?: Parameters<BakeContext['addFile']>[1]['download'],
): Promise<string> => {
  const written = await bakeTabix({
    source: { lines, name: file },
    format: 'bed',
    outFile: join(context.directory, file),
    sequences: context.sequences,
    log: new DefectLog(),
    signal: context.signal,
  })
  context.addFile(file, { kind, ...(download === undefined ? {} : { download }) })
  const index = `sweeps/${basename(written.csiFile)}`
  context.addFile(index, { kind: `${kind}-index` })
  if (written.tbiFile !== null) context.addFile(`sweeps/${basename(written.tbiFile)}`, { kind: `${kind}-index` })
  return index
}

const trackCategory = { en: 'Selective sweeps', zh: '选择性清除' }

const bake = async (value: Sweeps | null, context: BakeContext): Promise<Record<string, number>> => {
  let count = 0
  for (const [number, entry] of (value ?? []).entries()) {
    const read = await readTable(entry, context)
    const table = read === null ? null : placeWindows(read, entry, context)
    if (read === null || table === null) continue
    await mkdir(join(context.directory, 'sweeps'), { recursive: true })
    const simulated = entry.simulated ?? context.simulated
    const licence = entry.licence ?? context.licence
    const file = `sweeps/${entry.id}.bed.gz`
    await bakeLines(renderWindowLines(table), file, 'sweeps', context, {
      title: entry.name,
      ...(entry.description === undefined ? {} : { description: entry.description }),
      licence,
      simulated,
    })
    const series = read.series.map(({ column, statistic, populations }, at) =>
      describeSeries({ key: table.keys[at]!, statistic, label: column, populations }, table.values[at]!),
    )
    for (const [at, { key, label, populations, windows }] of series.entries()) {
      if (windows === 0) continue
      const track = `sweeps/${entry.id}.track${at + 1}.bed.gz`
      const index = await bakeLines(renderTrackLines(table, table.values[at]!), track, 'track', context)
      const of = populations.length === 0 ? '' : ` (${populations.join(' – ')})`
      const named = (name: string): string => (series.length === 1 ? name : `${name}: ${label}${of}`)
      const { name } = entry
      // As the genome browser's own loader writes its tracks.
      await context.addRecord({
        kind: 'track',
        id: `sweeps-${entry.id}-${key}`,
        data: {
          id: `sweeps-${entry.id}-${key}`,
          name: typeof name === 'string' ? named(name) : { en: named(name.en), zh: named(name.zh) },
          description: entry.description ?? null,
          category: trackCategory,
          type: 'bed',
          scoreColumn: 'score',
          file: track,
          index,
          simulated,
        },
      })
    }
    const baked: BakedSweeps = {
      id: entry.id,
      name: entry.name,
      description: entry.description ?? null,
      licence,
      simulated,
      series,
      windowCount: table.start1.length,
      windowBp: commonestLength(table),
      file,
    }
    await context.addRecord({ kind: tableKind, id: entry.id, data: baked })
    count += 1
    context.progress((number + 1) / (value?.length ?? 1))
  }
  return count > 0 ? { sweeps: count } : {}
}

/** Windows of population statistics: one table of all series, and a track of the genome browser of each. */
export default defineLoader({
  entry: 'sweeps',
  scope: 'assembly',
  schema: sweepsSchema,
  version: 2,
  refers: (entries) => idsNamed(entries, ['variants']),
  bake,
})
