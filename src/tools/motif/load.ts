import { copyFile, mkdir } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { z } from 'zod'
import { parseMotifs } from '../../bio/motif/motif-formats.ts'
import { filePathSchema } from '../../contracts/manifest.ts'
import { localizedTextSchema } from '../../contracts/text.ts'
import { type BakeContext, type CheckContext, defineLoader } from '../../kit/loader.ts'
import { publicFileName } from '../../kit/public-file-name.ts'
import { readInputText } from '../../kit/read-input.ts'
import toolDefects from './defects.ts'
import { type Collection, collectionKind, matricesKind, type StoredMotif } from './stored.ts'

const fileSchema = filePathSchema.describe('Motifs as MEME text, JASPAR, TRANSFAC or plain frequency matrices.')

const entrySchema = z
  .object({
    file: fileSchema,
    id: z
      .string()
      .regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,60}$/)
      .optional()
      .describe('Short name of the collection; made of the file name when absent.'),
    title: localizedTextSchema.optional(),
    source: localizedTextSchema.optional(),
    licence: z.string().max(200).optional(),
  })
  .strict()

const motifsSchema = z
  .array(z.union([fileSchema, entrySchema]))
  .describe('Collections of transcription factor binding motifs of the species.')

type Entry = z.output<typeof entrySchema>

/** Figures that frequencies are kept with; files of the field have six. */
const keptDigits = 6

const idOf = ({ id, file }: Entry): string =>
  id ??
  (basename(file)
    .replace(/\.gz$/, '')
    .replace(/\.(meme|txt|pfm|jaspar|transfac|dat)$/i, '')
    .replace(/[^A-Za-z0-9._-]+/g, '-')
    .replace(/^[^A-Za-z0-9]+/, '')
    .slice(0, 60) ||
    'motifs')

const readMotifs = async (file: string, context: CheckContext): Promise<StoredMotif[]> => {
  const text = await readInputText(file, context)
  if (text === null) return []
  const { motifs, problems } = parseMotifs(text)
  if (motifs.length === 0) {
    const [first] = problems
    context.report(toolDefects, {
      code: 'motif-file',
      file,
      line: first === undefined || first.line === 0 ? null : first.line,
      params: { reason: first?.code ?? 'no-motifs' },
    })
    return []
  }
  for (const { code, line, text } of problems)
    context.report(toolDefects, {
      code: 'motif-matrix',
      file,
      line: line === 0 ? null : line,
      params: { reason: code, text },
    })
  return motifs.map(({ id, name, siteCount, frequencies }) => ({
    id,
    name,
    sites: siteCount,
    rows: frequencies.map((row) => row.map((value) => Number(value.toFixed(keptDigits)))),
  }))
}

const entriesOf = (value: z.output<typeof motifsSchema>): Entry[] =>
  value.map((entry) => (typeof entry === 'string' ? { file: entry } : entry))

const bake = async (entries: Entry[], context: BakeContext): Promise<Record<string, number>> => {
  const used = new Set<string>()
  const fileNames = new Set<string>()
  let count = 0
  for (const entry of entries) {
    const id = idOf(entry)
    if (used.has(id)) {
      context.report(toolDefects, {
        code: 'motif-collection-repeated',
        file: entry.file,
        line: null,
        params: { id },
      })
      continue
    }
    used.add(id)
    const motifs = await readMotifs(entry.file, context)
    if (motifs.length === 0) continue
    const collection: Collection = {
      title: entry.title ?? id,
      source: entry.source ?? null,
      licence: entry.licence ?? context.licence,
      motifCount: motifs.length,
    }
    await context.addRecord({ kind: collectionKind, id, data: collection })
    await context.addRecord({ kind: matricesKind, id, data: motifs })
    const name = `motifs/${publicFileName(entry.file, fileNames)}`
    await mkdir(join(context.directory, 'motifs'), { recursive: true })
    await copyFile(await context.resolveFile(entry.file), join(context.directory, name))
    context.addFile(name, { kind: 'motifs', download: { title: entry.title ?? id, licence: entry.licence ?? null } })
    count += motifs.length
    context.progress(used.size / entries.length)
  }
  return count === 0 ? {} : { motifs: count }
}

/** Collections of motifs, kept as records of the species; the files can be downloaded as they were given. */
export default defineLoader({
  entry: 'motifs',
  scope: 'species',
  schema: motifsSchema,
  version: 1,
  bake: async (value, context): Promise<Record<string, number>> =>
    value === null ? {} : bake(entriesOf(value), context),
})
