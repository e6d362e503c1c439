import { z } from 'zod'
import { defineEndpoint } from './endpoint.ts'
import { jobIdSchema } from './tools/jobs.ts'
import { receiptSchema } from './tools/receipt.ts'

/**
 * A notebook: what a person did, step by step, kept with what came out then. Whoever has its address reads it; its account changes it, or
 * for a visitor the browser that has its key.
 */

export const notebookLimits = {
  notebooks: 200,
  /** That a browser knows, of its own and of others. */
  known: 500,
  steps: 100,
  titleCharacters: 200,
  noteCharacters: 20_000,
  genes: 50_000,
  /** After so many days in which nobody opens it a visitor's notebook is deleted. */
  visitorDays: 365,
  /** Of one result as JSON; a larger one stays with its job alone. */
  resultBytes: 24 * 1024 * 1024,
  /** Of all kept results, by gzip: of an account, and of one notebook of a visitor. */
  accountBytes: 1024 ** 3,
  visitorBytes: 64 * 1024 ** 2,
} as const

export const notebookIdSchema = z.string().regex(/^[0-9a-f]{32}$/)
const stepIdSchema = z.string().regex(/^[0-9a-f]{16}$/)
const titleSchema = z.string().trim().max(notebookLimits.titleCharacters)
const noteSchema = z.string().max(notebookLimits.noteCharacters)
/** Of a visitor's notebook; absent where the account says who may. */
const keySchema = z.string().max(100).optional()

export const setOperations = ['and', 'or', 'minus'] as const
export type SetOperation = (typeof setOperations)[number]

export const notebookSetSchema = z.object({
  /** Of its genes, where all are of one. */
  assembly: z.string().max(64).nullable(),
  genes: z.array(z.string().min(1).max(200)).max(notebookLimits.genes),
  /** Made of other sets of the notebook, in this order; its genes are then those as of now. */
  made: z.object({ operation: z.enum(setOperations), of: z.array(stepIdSchema).min(2).max(20) }).nullable(),
})
export type NotebookSet = z.infer<typeof notebookSetSchema>

export const stepStates = ['waiting', 'done', 'failed', 'large'] as const

export const notebookStepSchema = z.object({
  id: stepIdSchema,
  title: z.string(),
  note: z.string(),
  createdAt: z.string(),
  /** A run of a tool; null of a set. */
  run: z
    .object({
      tool: z.string(),
      job: jobIdSchema,
      input: z.unknown(),
      /** `large`: not kept here, and read from its job while that is kept. */
      state: z.enum(stepStates),
      receipt: receiptSchema.nullable(),
      /** SHA-256 of the result as JSON. */
      digest: z.string().nullable(),
    })
    .nullable(),
  set: notebookSetSchema.nullable(),
})
export type NotebookStep = z.infer<typeof notebookStepSchema>

export const notebookSchema = z.object({
  id: notebookIdSchema,
  title: z.string(),
  version: z.number(),
  createdAt: z.string(),
  updatedAt: z.string(),
  steps: z.array(notebookStepSchema),
  /** Whether the account that asks may change it; a visitor's key is not asked for here. */
  own: z.boolean(),
})
export type Notebook = z.infer<typeof notebookSchema>

const tag = 'notebooks'

/** A notebook as lists have it. */
const listedSchema = notebookSchema.omit({ steps: true, own: true, version: true }).extend({ stepCount: z.number() })

export const listNotebooks = defineEndpoint({
  method: 'GET',
  path: '/api/notebooks/',
  summary: 'Notebooks of the account, the one that was changed last first',
  tag,
  access: 'user',
  input: z.object({}),
  output: z.object({ notebooks: z.array(listedSchema) }),
})

export const listKnownNotebooks = defineEndpoint({
  method: 'POST',
  path: '/api/notebooks/known/',
  summary:
    'Notebooks whose ids are known, without their steps, the one that was changed last first; those that are gone are left out',
  tag,
  input: z.object({ ids: z.array(notebookIdSchema).max(notebookLimits.known) }),
  output: z.object({ notebooks: z.array(listedSchema) }),
})

export const createNotebook = defineEndpoint({
  method: 'POST',
  path: '/api/notebooks/',
  summary: 'A new notebook: of the account, or for a visitor with a key that changes it',
  tag,
  input: z.object({ title: titleSchema }),
  output: z.object({ notebook: notebookSchema, key: z.string().nullable() }),
})

export const adoptNotebooks = defineEndpoint({
  method: 'POST',
  path: '/api/notebooks/adopt/',
  summary: 'Makes notebooks that a visitor made the account’s, by their keys; gives back those that now are',
  tag,
  access: 'user',
  input: z.object({
    notebooks: z.array(z.object({ id: notebookIdSchema, key: z.string().max(100) })).max(notebookLimits.notebooks),
  }),
  output: z.object({ adopted: z.array(notebookIdSchema) }),
})

export const getNotebook = defineEndpoint({
  method: 'GET',
  path: '/api/notebooks/{id}/',
  summary: 'A notebook with its steps, without their results',
  tag,
  input: z.object({ id: notebookIdSchema }),
  output: notebookSchema,
})

export const updateNotebook = defineEndpoint({
  method: 'PUT',
  path: '/api/notebooks/{id}/',
  summary:
    'Names, notes and order of a notebook, steps that are not listed after the others. CONFLICT unless `version` is its own',
  tag,
  bodyLimitBytes: 10 * 1024 * 1024,
  input: z.object({
    id: notebookIdSchema,
    key: keySchema,
    version: z.int().min(1),
    title: titleSchema,
    steps: z.array(z.object({ id: stepIdSchema, title: titleSchema, note: noteSchema })).max(notebookLimits.steps),
    /** Steps to be taken out. */
    removed: z.array(stepIdSchema).max(notebookLimits.steps).default([]),
  }),
  output: notebookSchema,
})

export const addNotebookStep = defineEndpoint({
  method: 'POST',
  path: '/api/notebooks/{id}/steps/',
  summary:
    'Adds a job, whose result is kept with the notebook, or a set of genes; `replaces` puts it in the place of a step',
  tag,
  bodyLimitBytes: 12 * 1024 * 1024,
  input: z.object({
    id: notebookIdSchema,
    key: keySchema,
    title: titleSchema,
    job: jobIdSchema.optional(),
    set: notebookSetSchema.optional(),
    replaces: stepIdSchema.optional(),
  }),
  output: notebookSchema,
})

export const getNotebookResult = defineEndpoint({
  method: 'GET',
  path: '/api/notebooks/{id}/steps/{step}/result/',
  summary: 'Result and receipt of a step, as they were when it was added',
  tag,
  input: z.object({ id: notebookIdSchema, step: stepIdSchema }),
  output: z.object({ result: z.unknown(), receipt: receiptSchema }),
})

export const deleteNotebook = defineEndpoint({
  method: 'POST',
  path: '/api/notebooks/{id}/delete/',
  summary: 'Deletes a notebook and its results; its address leads nowhere any more',
  tag,
  input: z.object({ id: notebookIdSchema, key: keySchema }),
  output: z.object({}),
})
