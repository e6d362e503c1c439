import { createHash, randomBytes } from 'node:crypto'
import { promisify } from 'node:util'
import { gunzip, gzip } from 'node:zlib'
import type { FastifyInstance } from 'fastify'
import { PortalError } from '../../contracts/errors.ts'
import {
  addNotebookStep,
  createNotebook,
  deleteNotebook,
  getNotebook,
  getNotebookResult,
  listNotebooks,
  type Notebook,
  notebookLimits,
  updateNotebook,
} from '../../contracts/notebooks.ts'
import {
  addNotebookStep as addStepRow,
  createNotebook as createRow,
  deleteNotebook as deleteRow,
  getNotebookResult as getResultRow,
  getNotebook as getRow,
  listNotebookSteps,
  listNotebooks as listRows,
  type NotebookRow,
  type NotebookStepRow,
  noteNotebookRead,
  settleNotebookStep,
  updateNotebook as updateRow,
} from '../../database/notebooks.ts'
import { renderCanonicalJson } from '../../jobs/cache-key.ts'
import { createToken, hashToken } from '../accounts/credentials.ts'
import { limitEvents } from '../accounts/sessions.ts'
import { accountOf, type Caller, implement } from '../answers/implement.ts'
import type { Portal } from '../portal.ts'

const pack = promisify(gzip)
const unpack = promisify(gunzip)

/** New notebooks of the visitors at one address in a day. */
const perAddress = { max: 50, windowMs: 24 * 3_600_000 } as const

const requireNotebook = async ({ database: { sql } }: Portal, id: string): Promise<NotebookRow> => {
  const row = await getRow(sql, id)
  if (row === null) throw new PortalError('NOT_FOUND', { message: 'notebook.unknown' })
  return row
}

const isOf = (row: NotebookRow, account: number | null): boolean => row.account !== null && row.account === account

/** Takes over what jobs of waiting steps have come to. */
const settle = async (
  { database: { sql }, queue }: Portal,
  notebook: string,
  steps: NotebookStepRow[],
): Promise<void> => {
  for (const step of steps) {
    if (step.state !== 'waiting' || step.job === null) continue
    const job = await queue.getJob(step.job)
    if (job !== null && job.endedAt === null) continue
    if (job === null || job.state !== 'done') {
      await settleNotebookStep(sql, notebook, step.id, { state: 'failed', receipt: null, digest: null, result: null })
      continue
    }
    const { result, receipt } = await queue.readJobResult(step.job)
    // The order of the fields is no part of what came out.
    const digest = createHash('sha256').update(renderCanonicalJson(result)).digest('hex')
    const text = JSON.stringify(result)
    const large = Buffer.byteLength(text) > notebookLimits.resultBytes
    await settleNotebookStep(sql, notebook, step.id, {
      state: large ? 'large' : 'done',
      receipt,
      digest,
      result: large ? null : await pack(text),
    })
  }
}

/** A notebook as the account, or a visitor (null), sees it. Rejects with NOT_FOUND. */
export const renderNotebook = async (portal: Portal, id: string, account: number | null): Promise<Notebook> => {
  const { sql } = portal.database
  const waiting = await listNotebookSteps(sql, id)
  await settle(portal, id, waiting)
  const row = await requireNotebook(portal, id)
  const steps = waiting.some(({ state }) => state === 'waiting') ? await listNotebookSteps(sql, id) : waiting
  return {
    id: row.id,
    title: row.title,
    version: row.version,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
    own: isOf(row, account),
    steps: steps.map((step) => ({
      id: step.id,
      title: step.title,
      note: step.note,
      createdAt: step.createdAt.toISOString(),
      run:
        step.tool === null || step.job === null
          ? null
          : {
              tool: step.tool,
              job: step.job,
              input: step.input,
              state: step.state,
              receipt: step.receipt,
              digest: step.digest,
            },
      set: step.set,
    })),
  }
}

/** Notebooks: reading by whoever has the address, changing by the account or by the visitor's key. */
export const mountNotebooks = (app: FastifyInstance, portal: Portal): void => {
  const { sql } = portal.database
  const { queue } = portal

  const requireOwn = async (id: string, key: string | undefined, caller: Caller): Promise<NotebookRow> => {
    const row = await requireNotebook(portal, id)
    const holdsKey = key !== undefined && row.keyHash !== null && hashToken(key) === row.keyHash
    if (!isOf(row, caller.account) && !holdsKey) throw new PortalError('FORBIDDEN', { message: 'notebook.notYours' })
    return row
  }

  const render = (id: string, caller: Caller): Promise<Notebook> => renderNotebook(portal, id, caller.account)

  implement(app, listNotebooks, async (_, { caller }) => ({
    notebooks: (await listRows(sql, accountOf(caller))).map(({ createdAt, updatedAt, ...row }) => ({
      ...row,
      createdAt: createdAt.toISOString(),
      updatedAt: updatedAt.toISOString(),
    })),
  }))

  implement(app, createNotebook, async ({ title }, { caller }) => {
    if (caller.account === null)
      await limitEvents(sql, `notebook:${caller.client}`, perAddress.max, perAddress.windowMs)
    const key = caller.account === null ? createToken() : null
    const row = await createRow(
      sql,
      {
        id: randomBytes(16).toString('hex'),
        account: caller.account,
        keyHash: key === null ? null : hashToken(key),
        title,
      },
      notebookLimits.notebooks,
    )
    if (row === null)
      throw new PortalError('CONFLICT', { message: 'notebook.tooMany', params: { limit: notebookLimits.notebooks } })
    return { notebook: await render(row.id, caller), key }
  })

  implement(app, getNotebook, async ({ id }, { caller }) => {
    await requireNotebook(portal, id)
    await noteNotebookRead(sql, id)
    return render(id, caller)
  })

  implement(app, updateNotebook, async ({ id, key, version, title, steps }, { caller }) => {
    await requireOwn(id, key, caller)
    if ((await updateRow(sql, id, { version, title, steps, account: caller.account })) === 'conflict')
      throw new PortalError('CONFLICT', { message: 'notebook.changedElsewhere' })
    return render(id, caller)
  })

  implement(app, addNotebookStep, async ({ id, key, title, job: jobId, set, replaces }, { caller }) => {
    await requireOwn(id, key, caller)
    const step = { id: randomBytes(8).toString('hex'), title }
    let added: Awaited<ReturnType<typeof addStepRow>>
    const place = { replaces: replaces ?? null, max: notebookLimits.steps }
    if (jobId !== undefined) {
      const [job, given] = [await queue.getJob(jobId), await queue.getJobInput(jobId)]
      if (job === null || given === null) throw new PortalError('NOT_FOUND', { message: 'job.unknown' })
      added = await addStepRow(
        sql,
        id,
        { ...step, kind: 'tool', tool: job.tool, job: jobId, input: given.input, set: null, state: 'waiting' },
        place,
      )
    } else if (set !== undefined) {
      const known = new Set((await listNotebookSteps(sql, id)).flatMap((one) => (one.set === null ? [] : [one.id])))
      if (set.made !== null && !set.made.of.every((one) => known.has(one)))
        throw new PortalError('INVALID_INPUT', {
          message: 'notebook.unknownSet',
          problems: [{ path: ['set', 'made', 'of'], message: 'notebook.unknownSet' }],
        })
      added = await addStepRow(
        sql,
        id,
        { ...step, kind: 'set', tool: null, job: null, input: null, set, state: 'done' },
        place,
      )
    } else
      throw new PortalError('INVALID_INPUT', {
        message: 'notebook.nothingGiven',
        problems: [{ path: ['job'], message: 'notebook.nothingGiven' }],
      })
    if (added === 'full')
      throw new PortalError('CONFLICT', { message: 'notebook.full', params: { limit: notebookLimits.steps } })
    if (added === 'gone') throw new PortalError('CONFLICT', { message: 'notebook.changedElsewhere' })
    return render(id, caller)
  })

  implement(app, getNotebookResult, async ({ id, step }, { caller }) => {
    // A step that nobody has looked at since its job ended.
    await render(id, caller)
    const row = await getResultRow(sql, id, step)
    if (row === null) throw new PortalError('NOT_FOUND', { message: 'notebook.unknown' })
    if (row.result !== null && row.receipt !== null)
      return { result: JSON.parse((await unpack(row.result)).toString('utf8')) as unknown, receipt: row.receipt }
    if (row.job === null) throw new PortalError('NOT_FOUND')
    return queue.readJobResult(row.job)
  })

  implement(app, deleteNotebook, async ({ id, key }, { caller }) => {
    await requireOwn(id, key, caller)
    await deleteRow(sql, id)
    return {}
  })
}
