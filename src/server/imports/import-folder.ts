import { randomBytes } from 'node:crypto'
import { appendFile, mkdir, readdir, readFile, realpath, rename, rm, stat, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { z } from 'zod'
import { importActions } from '../../contracts/accounts/imports.ts'
import { tellingName } from '../../loader/import/names.ts'
import { pathFrom } from '../../loader/import/write-manifest.ts'
import { isInside } from '../../store/byte-range.ts'

/**
 * An import is a folder among those that can be loaded, with what was uploaded and its species.yaml. What the portal notes of it stands in
 * a folder within, each file written by one process alone, so that a server that ends or a second one loses nothing of it.
 */
const notesName = '.novodb-import'
/** Where uploads under way lie, beside the imports: a whole one gets its name by a link, which a file system makes at once. */
export const uploadsName = '.novodb-uploads'

const textSchema = z.object({ en: z.string(), zh: z.string() })
const nullableText = textSchema.nullable()

const originSchema = z.object({
  createdAt: z.string(),
  createdBy: z.string(),
  source: z.string().nullable(),
  address: z.string().nullable(),
  checksum: z.string(),
  /** An entry that is taken out of a species; nothing is uploaded then. */
  remove: z
    .object({
      species: z.string(),
      assembly: z.string().nullable(),
      entry: z.string(),
      id: z.string().nullable(),
    })
    .nullable()
    .default(null),
})
export type ImportOrigin = z.infer<typeof originSchema>

const uploadedSchema = z.object({ path: z.string(), bytes: z.number() })
const uploadedLineSchema = z.object({ upload: z.string(), file: uploadedSchema.nullable() })
const uploadedName = 'uploaded.jsonl'

const workSchema = z.object({
  action: z.enum(importActions),
  step: z.string(),
  fraction: z.number(),
  /** When it last said that it lives. */
  at: z.number(),
  ended: z.boolean(),
  failure: z.string().nullable(),
})
export type ImportWork = z.infer<typeof workSchema>

/** A process that lives says so every two seconds. */
const silentMs = 60_000

/** Whether something works on an import: a process that was killed with its server says nothing any more. */
export const isWorking = (work: ImportWork | null, now = Date.now()): boolean =>
  work !== null && !work.ended && now - work.at < silentMs

const orderSchema = z.object({
  startedBy: z.string().default(''),
  /** Of the remarks in the manifests. */
  language: z.enum(['en', 'zh']),
  answers: z.record(z.string(), z.string()),
  manifests: z.array(z.object({ folder: z.string(), text: z.string() })),
})
export type ImportOrder = z.infer<typeof orderSchema>

const defectSchema = z.object({
  severity: z.enum(['error', 'repair', 'warning']),
  file: z.string(),
  line: z.number().nullable(),
  text: textSchema,
})
const spanSchema = z.object({ start: z.number(), end: z.number() })
const surveySchema = z.object({
  /** What becomes of a species in service; null of an import that makes species of its own. */
  addition: z
    .object({
      species: z.string().nullable(),
      removes: z.boolean(),
      entries: z.array(
        z.object({
          assembly: z.string().nullable(),
          entry: z.string(),
          id: z.string().nullable(),
          replaces: z.boolean(),
        }),
      ),
    })
    .nullable()
    .default(null),
  sources: z.array(z.object({ title: textSchema, files: z.number() })),
  files: z.array(
    z.object({
      path: z.string(),
      format: z.string(),
      bytes: z.number(),
      state: z.enum(['taken', 'read', 'none', 'not-placed', 'unknown']),
      what: textSchema,
      why: nullableText,
      entry: z.string().nullable(),
      assembly: z.string().nullable(),
    }),
  ),
  counts: z.record(z.string(), z.number()),
  species: z.array(
    z.object({
      id: z.string(),
      name: z.string(),
      assemblies: z.array(
        z.object({
          id: z.string(),
          sequences: z.number().nullable(),
          totalBp: z.number().nullable(),
          first: z.array(z.object({ name: z.string(), lengthBp: z.number() })),
          genes: z.array(
            z.object({
              id: z.string(),
              symbol: z.string().nullable(),
              sequence: z.string(),
              start: z.number(),
              end: z.number(),
              strand: z.enum(['+', '-', '.']),
              exons: z.array(spanSchema),
              cds: z.array(spanSchema),
            }),
          ),
        }),
      ),
    }),
  ),
  tables: z.array(z.object({ path: z.string(), rows: z.array(z.array(z.string())) })),
  questions: z.array(
    z.object({
      id: z.string(),
      text: textSchema,
      choices: z.array(z.object({ value: z.string(), text: textSchema })).nullable(),
      fallback: z.string().nullable(),
      answer: z.string().nullable(),
    }),
  ),
  /** `folder` below that of the import; a whole path where the folder of the server has its own. */
  manifests: z.array(z.object({ folder: z.string(), text: z.string(), edited: z.boolean() })),
  defects: z.array(defectSchema),
  totals: z.record(z.string(), z.number()),
  ok: z.boolean(),
})
export type StoredSurvey = z.infer<typeof surveySchema>

const checkedSchema = z.object({
  defects: z.array(defectSchema),
  totals: z.record(z.string(), z.number()),
  ok: z.boolean(),
})
export type StoredCheck = z.infer<typeof checkedSchema>

/** A manifest of a species in service that was changed, until its load has ended: what was refused, or cut off, is put back. */
const additionSchema = z.object({
  species: z.string(),
  change: z.object({
    folder: z.string(),
    file: z.string(),
    before: z.string(),
    text: z.string(),
    kept: z.string().nullable(),
  }),
  /** Of the change, and of none before it; null until it has one. */
  load: z.number().nullable().default(null),
  settled: z.boolean(),
})

const loadsSchema = z.object({
  loads: z.array(z.number()),
  waiting: z.array(z.string()),
  /** How many of them are of orders before the last. */
  before: z.number().default(0),
})

/** SHA-256 of what was uploaded, by the path and as long as size and time of the file are the same. */
const sumsSchema = z.record(z.string(), z.object({ bytes: z.number(), modified: z.number(), sha256: z.string() }))

const schemas = {
  'import.json': originSchema,
  'work.json': workSchema,
  'order.json': orderSchema,
  'survey.json': surveySchema,
  'checked.json': checkedSchema,
  'loads.json': loadsSchema,
  'addition.json': additionSchema,
  'sums.json': sumsSchema,
} as const
type NoteName = keyof typeof schemas
type Note<Name extends NoteName> = z.infer<(typeof schemas)[Name]>

/** What a note says; null of one that was cut off. */
const readNote = <Schema extends z.ZodType>(text: string, schema: Schema): z.infer<Schema> | null => {
  try {
    return schema.safeParse(JSON.parse(text)).data ?? null
  } catch {
    return null
  }
}

const readJson = async <Schema extends z.ZodType>(file: string, schema: Schema): Promise<z.infer<Schema> | null> => {
  const text = await readFile(file, 'utf8').catch(() => null)
  return text === null ? null : readNote(text, schema)
}

const writeJson = async (file: string, value: unknown): Promise<void> => {
  const part = `${file}.${randomBytes(4).toString('hex')}.part`
  await writeFile(part, JSON.stringify(value))
  await rename(part, file)
}

/** A load that a species in service is of, with the folder where it lay at that time. */
export interface ServingLoad {
  id: number
  folder: string
}

/** Whether a manifest still has every line that a change brought, also where these name files of the server. */
const isInForce = ({ before, text }: { before: string; text: string }, present: string): boolean => {
  const old = new Set(before.split('\n'))
  const now = new Set(present.split('\n'))
  const brought = text.split('\n').filter((line) => !old.has(line) && !/^\s*(#|$)/.test(line))
  return brought.length > 0 && brought.every((line) => now.has(line))
}

export const isImportId = (id: string): boolean => /^[a-z0-9-]{1,60}$/.test(id)

export class ImportFolder {
  readonly id: string
  readonly folder: string
  readonly #notes: string

  constructor(foldersDir: string, id: string) {
    if (!isImportId(id)) throw new RangeError('no id of an import')
    this.id = id
    this.folder = join(foldersDir, id)
    this.#notes = join(this.folder, notesName)
  }

  read<Name extends NoteName>(name: Name): Promise<Note<Name> | null> {
    return readJson(join(this.#notes, name), schemas[name]) as Promise<Note<Name> | null>
  }

  write<Name extends NoteName>(name: Name, note: Note<Name>): Promise<void> {
    return writeJson(join(this.#notes, name), note)
  }

  async forget(name: NoteName): Promise<void> {
    await rm(join(this.#notes, name), { force: true })
  }

  /** Notes that a file has arrived whole, before it gets its name: what has a name is always known. A line each, for they may be thousands. */
  async noteUploaded(upload: string, file: z.infer<typeof uploadedSchema>): Promise<void> {
    await appendFile(join(this.#notes, uploadedName), `${JSON.stringify({ upload, file })}\n`)
  }

  async forgetUploaded(upload: string): Promise<void> {
    await appendFile(join(this.#notes, uploadedName), `${JSON.stringify({ upload, file: null })}\n`)
  }

  async listUploaded(): Promise<z.infer<typeof uploadedSchema>[]> {
    const text = await readFile(join(this.#notes, uploadedName), 'utf8').catch(() => '')
    const files = new Map<string, z.infer<typeof uploadedSchema>>()
    for (const line of text.split('\n')) {
      const note = readNote(line, uploadedLineSchema)
      if (note?.file) files.set(note.upload, note.file)
      else if (note !== null) files.delete(note.upload)
    }
    return [...files.values()].sort((a, b) => (a.path < b.path ? -1 : 1))
  }

  /**
   * Whether something of it is in service: by its own loads, for the folder of all imports may lie elsewhere now; as a folder; or named by
   * the manifest of a species that it was added to, which cannot be loaded again without it.
   */
  async isServed(serving: readonly ServingLoad[]): Promise<boolean> {
    const own = new Set((await this.read('loads.json'))?.loads)
    const real = await realpath(this.folder).catch(() => this.folder)
    const addition = await this.read('addition.json')
    if (addition !== null) {
      const { file, folder } = addition.change
      const text = await readFile(file, 'utf8').catch(() => '')
      if (isInForce(addition.change, text)) return true
      return [real, this.folder].some((place) => {
        const name = pathFrom(folder)({ absolute: place })
        return text.includes(`${name}/`)
      })
    }
    return serving.some(({ id, folder }) => own.has(id) || isInside(folder, real))
  }

  /** When something was last noted of it. */
  async changedAt(): Promise<number> {
    const places = [this.#notes, join(this.#notes, uploadedName)]
    const times = await Promise.all(
      places.map((place) =>
        stat(place).then(
          ({ mtimeMs }) => mtimeMs,
          () => 0,
        ),
      ),
    )
    return Math.max(...times)
  }
}

/** The folder of a new import: named after what is imported, as a person would name it, and unlike every other. */
export const createImportFolder = async (
  foldersDir: string,
  names: readonly string[],
  origin: ImportOrigin,
): Promise<ImportFolder> => {
  const stem = (tellingName(names) ?? '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 40)
    .replace(/-+$/, '')
  await mkdir(foldersDir, { recursive: true })
  for (let number = 1; ; number++) {
    const made = new ImportFolder(foldersDir, `${stem || 'import'}${number === 1 ? '' : `-${number}`}`)
    try {
      // Of two at once, one is first.
      await mkdir(made.folder)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'EEXIST') continue
      throw error
    }
    await mkdir(join(made.folder, notesName))
    await made.write('import.json', origin)
    return made
  }
}

/** The import with this id; null when there is none. */
export const findImportFolder = async (
  foldersDir: string,
  id: string,
): Promise<{ folder: ImportFolder; origin: ImportOrigin } | null> => {
  if (!isImportId(id)) return null
  const folder = new ImportFolder(foldersDir, id)
  const origin = await folder.read('import.json')
  return origin === null ? null : { folder, origin }
}

export const listImportFolders = async (
  foldersDir: string,
): Promise<{ folder: ImportFolder; origin: ImportOrigin }[]> => {
  const entries = await readdir(foldersDir, { withFileTypes: true }).catch(() => [])
  const found = await Promise.all(
    entries
      .filter((entry) => entry.isDirectory() && isImportId(entry.name))
      .map((entry) => findImportFolder(foldersDir, entry.name)),
  )
  return found
    .filter((one) => one !== null)
    .sort((a, b) => (a.origin.createdAt < b.origin.createdAt ? 1 : a.origin.createdAt > b.origin.createdAt ? -1 : 0))
}

/** The import's folder that a species folder is, or lies in; null when it is of no import. */
export const importFolderOf = async (speciesFolder: string): Promise<string | null> => {
  for (const folder of [speciesFolder, dirname(speciesFolder)]) {
    if (!isImportId(basename(folder))) continue
    const facts = await stat(join(folder, notesName)).catch(() => null)
    if (facts?.isDirectory()) return folder
  }
  return null
}
