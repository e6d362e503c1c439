import path from 'node:path'
import type { ErrorCode, FieldProblem } from '../contracts/errors.ts'
import { PortalError } from '../contracts/errors.ts'
import type { Job, JobState } from '../contracts/tools/jobs.ts'
import { readReason } from './scheduler/wait-reasons.ts'

/** A failure as the table keeps it: message ids, to be told in the language of whoever asks. */
export interface StoredError {
  code: ErrorCode
  message: string
  params: Record<string, string | number>
  problems: FieldProblem[]
}

/** A job as the portal knows it; the contract's `Job` plus what only server and administrator may see. */
/** The last start of a job that a scheduler was asked for. */
export interface JobTask {
  /** The scheduler's own id; null until it has answered. */
  id: string | null
  state: 'asked' | 'waiting' | 'running' | 'ending' | 'gone'
  reason: string
  failure: string | null
}

export interface JobRecord extends Omit<Job, 'error' | 'waiting'> {
  error: StoredError | null
  toolVersion: number
  owner: number | null
  client: string
  cacheKey: string
  bundles: number[]
  /** The job whose directory holds the result, when this one was answered by it. */
  resultOf: string | null
  attempt: number
  cancelRequested: boolean
  task: JobTask | null
}

export interface JobRow {
  id: string
  tool: string
  tool_version: number
  subject: string
  state: JobState
  owner: number | null
  client: string
  cache_key: string
  bundles: number[]
  result_of: string | null
  progress: number | null
  step: string | null
  error: StoredError | null
  attempt: number
  cancel_requested: boolean
  submitted_at: Date
  started_at: Date | null
  ended_at: Date | null
  expires_at: Date
  position: number
  task: JobTask | null
}

/** A row of table jobs, with its position, as a record. */
export const createJobRecord = (row: JobRow): JobRecord => ({
  id: row.id,
  tool: row.tool,
  subject: row.subject,
  state: row.state,
  position: row.state === 'queued' ? row.position : 0,
  progress: row.progress,
  step: row.step,
  submittedAt: row.submitted_at.toISOString(),
  startedAt: row.started_at?.toISOString() ?? null,
  endedAt: row.ended_at?.toISOString() ?? null,
  expiresAt: row.expires_at.toISOString(),
  error: row.error,
  toolVersion: row.tool_version,
  owner: row.owner,
  client: row.client,
  cacheKey: row.cache_key,
  bundles: row.bundles,
  resultOf: row.result_of,
  attempt: row.attempt,
  cancelRequested: row.cancel_requested,
  task: row.task,
})

/** The contract's form of a job: what anybody may see, its error in words. `translate` gets a message id and its values. */
export function renderJob(
  record: JobRecord,
  translate: (message: string, params: Record<string, string | number>) => string,
): Job {
  const {
    id,
    tool,
    subject,
    state,
    position,
    progress,
    step,
    submittedAt,
    startedAt,
    endedAt,
    expiresAt,
    error,
    task,
  } = record
  const waits = state === 'queued' && task !== null && (task.state === 'asked' || task.state === 'waiting')
  return {
    id,
    tool,
    subject,
    state,
    position,
    waiting: waits ? { reason: readReason(task.reason), word: task.reason } : null,
    progress,
    step,
    submittedAt,
    startedAt,
    endedAt,
    expiresAt,
    error: error && {
      errorCode: error.code,
      errorMessage: translate(error.message, error.params),
      problems: error.problems.map(({ path, message, params = {}, line }) => {
        const text = translate(message, params)
        return { path, message: line === undefined ? text : translate('input.line', { line, text }) }
      }),
    },
  }
}

/** What the table keeps of a failure; any other exception than a PortalError is ours, and its text is for the log alone. */
export function renderStoredError(error: unknown): StoredError {
  const known = error instanceof PortalError ? error : new PortalError('INTERNAL')
  const { code, messageId: message, params, problems } = known
  // People's input is quoted in it; U+0000 and lone surrogates cannot be kept in jsonb.
  const text = JSON.stringify({ code, message, params, problems })
  return JSON.parse(text, (_, value: unknown) =>
    typeof value === 'string' ? value.replaceAll(/[\0\p{Surrogate}]/gu, '\ufffd') : value,
  ) as StoredError
}

export const restoreError = (error: StoredError): PortalError =>
  new PortalError(error.code, { message: error.message, params: error.params, problems: error.problems })

/** A job's directory below the data directory; one level of two letters keeps each directory small. */
export const getJobDirectory = (dataDir: string, id: string): string => path.join(dataDir, 'jobs', id.slice(0, 2), id)

/**
 * The directory of one claim of a job: `jobs/ab/ab…/<claim>`. Each claim has its own, so that a worker that was thought dead
 * and wakes up writes where nobody looks any more. The claim is the last part of the worker's name in the table.
 */
export const getRunDirectory = (dataDir: string, id: string, worker: string): string =>
  path.join(getJobDirectory(dataDir, id), worker.slice(worker.lastIndexOf('/') + 1))
