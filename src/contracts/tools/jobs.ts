import { z } from 'zod'
import { defineEndpoint } from '../endpoint.ts'
import { receiptSchema } from './receipt.ts'
import { toolStatusSchema } from './tool.ts'

export const jobStates = ['queued', 'running', 'done', 'failed', 'cancelled'] as const
export type JobState = (typeof jobStates)[number]

/** Job ids are 128 random bits: who has the address has the result. */
export const jobIdSchema = z.string().regex(/^[0-9a-f]{32}$/)

/**
 * Why a cluster has not started a job yet: it waits for processors or memory, for jobs with a higher priority, for a limit of the
 * account, for nodes that are down, for whoever holds it, for a licence; `handed` when the cluster has not said.
 */
export const waitReasons = ['handed', 'resources', 'priority', 'limit', 'down', 'held', 'licence', 'other'] as const
export type WaitReason = (typeof waitReasons)[number]

export const jobSchema = z.object({
  id: jobIdSchema,
  tool: z.string(),
  /** What was asked about: genes, sequences or regions, then assembly or species, as a line; empty where the input names none, or of a server before it. */
  subject: z.string().default(''),
  state: z.enum(jobStates),
  /** How many jobs are before this one; 0 when it is next or running. */
  position: z.number(),
  /** Why it waits at a cluster's scheduler, which has its own word for it; null where it waits in the portal's queue alone. */
  waiting: z.object({ reason: z.enum(waitReasons), word: z.string() }).nullable(),
  /** 0 to 1, or null when the engine cannot tell. */
  progress: z.number().nullable(),
  /** Message id of what is happening now, in the tool's or the shell's messages. */
  step: z.string().nullable(),
  submittedAt: z.string(),
  startedAt: z.string().nullable(),
  endedAt: z.string().nullable(),
  expiresAt: z.string(),
  error: z
    .object({
      errorCode: z.string(),
      errorMessage: z.string(),
      problems: z.array(z.object({ path: z.array(z.union([z.string(), z.number()])), message: z.string() })),
    })
    .nullable(),
})
export type Job = z.infer<typeof jobSchema>

const job = { id: jobIdSchema }

export const getJob = defineEndpoint({
  method: 'GET',
  path: '/api/jobs/{id}/',
  summary: 'State of a job, with the input it was given',
  tag: 'jobs',
  input: z.object(job),
  output: z.object({ job: jobSchema, input: z.unknown() }),
})

export const getJobResult = defineEndpoint({
  method: 'GET',
  path: '/api/jobs/{id}/result/',
  summary: 'Result and receipt of a job that is done',
  tag: 'jobs',
  input: z.object(job),
  output: z.object({ result: z.unknown(), receipt: receiptSchema }),
})

export const cancelJob = defineEndpoint({
  method: 'DELETE',
  path: '/api/jobs/{id}/',
  summary: 'Cancels a job that is queued or running; its programs are killed',
  tag: 'jobs',
  input: z.object(job),
  output: z.object({ job: jobSchema }),
})

export const listTools = defineEndpoint({
  method: 'GET',
  path: '/api/tools/',
  summary: 'Every tool: availability, input as JSON Schema, an example of it that works here, limits',
  tag: 'tools',
  input: z.object({}),
  output: z.object({ tools: z.array(toolStatusSchema) }),
})

export const runTool = defineEndpoint({
  method: 'POST',
  path: '/api/tools/{tool}/',
  summary: 'Runs a tool: 200 with result and receipt, or 202 with a job (`Prefer: respond-async` forces a job)',
  tag: 'tools',
  bodyLimitBytes: 12 * 1024 * 1024,
  input: z.looseObject({ tool: z.string().max(64) }),
  output: z.union([
    /** With the job when one computed it: its address, and the further pages of its result, go by the job's id. */
    z.object({ result: z.unknown(), receipt: receiptSchema, job: jobSchema.optional() }),
    z.object({ job: jobSchema }),
  ]),
})
