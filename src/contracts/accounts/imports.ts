import { z } from 'zod'
import { defineEndpoint } from '../endpoint.ts'

/** Where the browser sends files to by the tus protocol (tus.io), version 1.0.0; `{id}` of an upload follows. */
export const uploadsPath = '/api/admin/uploads'

/** What an upload says of its file, as tus metadata: the import it is of, its path as it was dropped, when it was changed. */
export const uploadMetadataSchema = z.object({
  import: z.string().regex(/^[a-z0-9-]{1,60}$/),
  path: z.string().min(1).max(1000),
  modified: z.string().max(30).default(''),
})

/** `looked` is recognised, `unrecognised` is of no file that can be; the last three are how the last work or load ended. */
export const importStates = [
  'collecting',
  'working',
  'looked',
  'unrecognised',
  'loading',
  'failed',
  'cancelled',
  'undone',
] as const
export const importActions = ['look', 'check', 'write'] as const
export type ImportAction = (typeof importActions)[number]

const importId = z.string().regex(/^[a-z0-9-]{1,60}$/)

const importSummarySchema = z.object({
  id: z.string(),
  createdAt: z.string(),
  createdBy: z.string(),
  state: z.enum(importStates),
  /** Folder of the server that is imported where it lies; null where files are uploaded. */
  source: z.string().nullable(),
  /** Where the server fetches its file from; null where it fetches none. */
  address: z.string().nullable(),
  /** It takes data out of a species, and has no files. */
  removes: z.boolean(),
  files: z.number(),
  bytes: z.number(),
  /** Something of it was loaded. */
  loaded: z.boolean(),
})
export type ImportSummary = z.infer<typeof importSummarySchema>

export const listImports = defineEndpoint({
  method: 'GET',
  path: '/api/admin/imports/',
  summary: 'Imports that were begun on the page, newest first, and what may be imported',
  tag: 'admin',
  access: 'admin',
  input: z.object({}),
  output: z.object({
    imports: z.array(importSummarySchema),
    /** Folders of the server whose folders and files can be imported. */
    roots: z.array(z.string()),
    /** What one import may upload; 0: nothing. */
    maxBytes: z.number(),
    /** What can still be uploaded: the reserve of the disk is taken off. */
    freeBytes: z.number(),
    /** Days after which what was uploaded and not loaded is deleted. */
    keptDays: z.number(),
    /** Why nothing can be uploaded, or null: the folder of the species cannot be written to. */
    unwritable: z.string().nullable(),
  }),
})

export const listServerFiles = defineEndpoint({
  method: 'GET',
  path: '/api/admin/imports/server-files/',
  summary: 'Folders and files of a folder of the server that can be imported',
  tag: 'admin',
  access: 'admin',
  input: z.object({ folder: z.string().min(1).max(4096) }),
  output: z.object({
    folder: z.string(),
    /** Null at a root. */
    parent: z.string().nullable(),
    entries: z.array(z.object({ name: z.string(), path: z.string(), folder: z.boolean(), bytes: z.number() })),
    /** There are more than are listed. */
    more: z.boolean(),
  }),
})

/** Data of a species in service, as its species.yaml names them. */
const entrySchema = z.object({
  /** Null of what is of the species. */
  assembly: z.string().nullable(),
  entry: z.string(),
  /** Of an item of a list. */
  id: z.string().nullable(),
})
export type SpeciesEntry = z.infer<typeof entrySchema>

export const createImport = defineEndpoint({
  method: 'POST',
  path: '/api/admin/imports/',
  summary: 'Begins an import: of files that are then uploaded, of a folder or file of the server, or of an address',
  tag: 'admin',
  access: 'admin',
  input: z.object({
    /** Names of the files and folders, of which one that says something names the import. */
    names: z.array(z.string().min(1).max(200)).min(1).max(100),
    source: z.string().min(1).max(4096).optional(),
    /** An entry of a species in service that is taken out of it again. */
    remove: entrySchema.extend({ species: z.string().min(1).max(200) }).optional(),
    /** What is going to be uploaded: refused at once where that is too much. */
    bytes: z.number().int().min(0).optional(),
    /** An address (http, https) that the server fetches the file from. */
    address: z.string().min(1).max(4096).optional(),
    /** MD5 or SHA-256 that this file must have. */
    checksum: z
      .string()
      .regex(/^([0-9a-fA-F]{32}|[0-9a-fA-F]{64})?$/)
      .optional(),
  }),
  output: z.object({ id: z.string() }),
})

export const listSpeciesEntries = defineEndpoint({
  method: 'GET',
  path: '/api/admin/imports/entries/',
  summary: 'Data of a species in service that can be taken out of it',
  tag: 'admin',
  access: 'admin',
  input: z.object({ species: z.string().min(1).max(200) }),
  output: z.object({
    /** Null where the folder that it was loaded from is not there. */
    folder: z.string().nullable(),
    entries: z.array(entrySchema),
  }),
})

const importFileSchema = z.object({
  path: z.string(),
  format: z.string(),
  bytes: z.number(),
  state: z.enum(['taken', 'read', 'none', 'not-placed', 'unknown']),
  what: z.string(),
  why: z.string().nullable(),
  /** Entry of species.yaml, and the assembly that it stands under. */
  entry: z.string().nullable(),
  assembly: z.string().nullable(),
})
export type ImportFile = z.infer<typeof importFileSchema>

const previewGeneSchema = z.object({
  id: z.string(),
  symbol: z.string().nullable(),
  sequence: z.string(),
  /** 1-based, inclusive. */
  start: z.number(),
  end: z.number(),
  strand: z.enum(['+', '-', '.']),
  exons: z.array(z.object({ start: z.number(), end: z.number() })),
  cds: z.array(z.object({ start: z.number(), end: z.number() })),
})
export type PreviewGene = z.infer<typeof previewGeneSchema>

const importQuestionSchema = z.object({
  id: z.string(),
  text: z.string(),
  choices: z.array(z.object({ value: z.string(), text: z.string() })).nullable(),
  fallback: z.string().nullable(),
  answer: z.string().nullable(),
})
export type ImportQuestion = z.infer<typeof importQuestionSchema>

export const importDefectSchema = z.object({
  severity: z.enum(['error', 'repair', 'warning']),
  file: z.string(),
  line: z.number().nullable(),
  text: z.string(),
})
export type ImportDefect = z.infer<typeof importDefectSchema>

const surveySchema = z.object({
  /** What becomes of a species in service; null of an import that makes species of its own. */
  addition: z
    .object({
      /** Null where the files fit none, or several. */
      species: z.string().nullable(),
      removes: z.boolean(),
      entries: z.array(entrySchema.extend({ replaces: z.boolean() })),
    })
    .nullable(),
  sources: z.array(z.object({ title: z.string(), files: z.number() })),
  files: z.array(importFileSchema),
  /** Files of each state, also those that are not listed. */
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
          /** The first sequences, as the files have them. */
          first: z.array(z.object({ name: z.string(), lengthBp: z.number() })),
          genes: z.array(previewGeneSchema),
        }),
      ),
    }),
  ),
  tables: z.array(z.object({ path: z.string(), rows: z.array(z.array(z.string())) })),
  questions: z.array(importQuestionSchema),
  /** `folder` is "" or the folder of one of several species. */
  manifests: z.array(z.object({ folder: z.string(), text: z.string(), edited: z.boolean() })),
  defects: z.array(importDefectSchema),
  /** Defects of each severity, also those that are not listed. */
  totals: z.record(z.string(), z.number()),
  ok: z.boolean(),
})
export type ImportSurvey = z.infer<typeof surveySchema>

/** What undoing a load leads to: release `before` is served again instead of `number`; null where the species goes. */
const loadUndoSchema = z.object({ number: z.number().int(), before: z.number().int().nullable() })

export const getImport = defineEndpoint({
  method: 'GET',
  path: '/api/admin/imports/{id}/',
  summary: 'An import: its files, what was recognised of them, and its loads',
  tag: 'admin',
  access: 'admin',
  input: z.object({ id: importId }),
  output: z.object({
    summary: importSummarySchema,
    /** Of what works on it: what it does, and the fraction done. */
    work: z.object({ action: z.enum(importActions), step: z.string(), fraction: z.number() }).nullable(),
    /** Why the last work ended before its end. */
    failure: z.string().nullable(),
    /** SHA-256 once it was computed. */
    uploaded: z.array(z.object({ path: z.string(), bytes: z.number(), sha256: z.string().nullable() })),
    /** Uploads under way or broken off: `offset` bytes of them are here. */
    pending: z.array(
      z.object({ id: z.string(), path: z.string(), bytes: z.number(), offset: z.number(), modified: z.string() }),
    ),
    survey: surveySchema.nullable(),
    /** What `check` said of the manifests; null where they were not checked since they were changed. */
    checked: z
      .object({ defects: z.array(importDefectSchema), totals: z.record(z.string(), z.number()), ok: z.boolean() })
      .nullable(),
    /** Of the last order, newest first, and those before it that can still be undone. */
    loads: z.array(z.number()),
    /** Species that wait for the load of another. */
    waiting: z.number(),
    /** Of data added to a species in service: the samples and genes of each table that matched, where it has such. */
    matched: z.array(entrySchema.extend({ samples: z.number(), genes: z.number() })),
    /** Of these loads, those that can be undone. */
    undo: z.array(loadUndoSchema.extend({ load: z.number() })),
  }),
})

const answers = z.record(z.string().max(2000), z.string().max(500)).default({})
const manifests = z.array(z.object({ folder: z.string().max(200), text: z.string().max(900_000) })).max(200)

export const workOnImport = defineEndpoint({
  method: 'POST',
  path: '/api/admin/imports/{id}/work/',
  summary: 'Looks at the files of an import, checks it as `novodb check` does, or writes its species.yaml and loads it',
  tag: 'admin',
  access: 'admin',
  bodyLimitBytes: 8 * 1024 * 1024,
  input: z.object({
    id: importId,
    action: z.enum(importActions),
    answers,
    /** Texts that a person has changed; the others are written from the answers. */
    manifests: manifests.default([]),
  }),
  output: z.object({}),
})

export const stopImport = defineEndpoint({
  method: 'POST',
  path: '/api/admin/imports/{id}/stop/',
  summary: 'Stops what works on an import; nothing of it is loaded then',
  tag: 'admin',
  access: 'admin',
  input: z.object({ id: importId }),
  output: z.object({}),
})

export const deleteImport = defineEndpoint({
  method: 'DELETE',
  path: '/api/admin/imports/{id}/',
  summary: 'Deletes an import of which nothing is loaded, with what was uploaded',
  tag: 'admin',
  access: 'admin',
  input: z.object({ id: importId }),
  output: z.object({}),
})

export const undoLoad = defineEndpoint({
  method: 'POST',
  path: '/api/admin/data/loads/{id}/undo/',
  summary: 'Takes back what a load put into service; refused where that is no longer what the caller was told',
  tag: 'admin',
  access: 'admin',
  input: loadUndoSchema.extend({ id: z.coerce.number().int().min(1).max(2_147_483_647) }),
  /** A species.yaml that somebody changed since: it still names what was undone. */
  output: z.object({ leftManifest: z.string().nullable() }),
})

export const cancelLoad = defineEndpoint({
  method: 'POST',
  path: '/api/admin/data/loads/{id}/cancel/',
  summary:
    'Stops a load that was started on the page; the release before stays in service, or, once the new one is, only the comparison with other genomes ends',
  tag: 'admin',
  access: 'admin',
  input: z.object({ id: z.coerce.number().int().min(1).max(2_147_483_647) }),
  /** Whether what it loads was in service already, and stays so. */
  output: z.object({ inService: z.boolean() }),
})
