import { createHash, randomBytes } from 'node:crypto'
import { readFile, stat } from 'node:fs/promises'
import { promisify } from 'node:util'
import { gunzip, gzip } from 'node:zlib'
import type { FastifyInstance } from 'fastify'
import { renderCanonicalJson } from '../../contracts/canonical-json.ts'
import { fieldError, PortalError } from '../../contracts/errors.ts'
import {
  addNotebookStep,
  adoptNotebooks,
  createNotebook,
  deleteNotebook,
  getNotebook,
  getNotebookResult,
  listKnownNotebooks,
  listNotebooks,
  type Notebook,
  notebookLimits,
  updateNotebook,
} from '../../contracts/notebooks.ts'
import { receiptSchema } from '../../contracts/tools/receipt.ts'
import {
  addNotebookStep as addStepRow,
  adoptNotebook,
  countResultBytes,
  createNotebook as createRow,
  deleteNotebook as deleteRow,
  getNotebookResult as getResultRow,
  getNotebook as getRow,
  listNotebookSteps,
  listNotebooks as listRows,
  listWaitingNotebooks,
  type NotebookRow,
  type NotebookStepRow,
  noteNotebookRead,
  settleNotebookStep,
  updateNotebook as updateRow,
} from '../../database/notebooks.ts'
import { createToken, hashToken } from '../accounts/credentials.ts'
import { limitEvents } from '../accounts/sessions.ts'
import { accountOf, type Caller, implement, RenderedData } from '../answers/implement.ts'
import type { Portal } from '../portal.ts'

const pack = promisify(gzip)
const unpack = promisify(gunzip)

/** New notebooks of the visitors at one address in a day. */
const perAddress = { max: 20, windowMs: 24 * 3_600_000 } as const
/** Steps that one address adds in a day. */
const stepsPerAddress = { max: 500, windowMs: 24 * 3_600_000 } as const

const requireNotebook = async ({ database: { sql } }: Portal, id: string): Promise<NotebookRow> => {
  const row = await getRow(sql, id)
  if (row === null) throw new PortalError('NOT_FOUND', { message: 'notebook.unknown' })
  return row
}

const isOf = (row: NotebookRow, account: number | null): boolean => row.account !== null && row.account === account

/** Takes over what a waiting step's job has come to; what cannot be read now is left for the next time. */
const settleStep = async (
  { database: { sql }, queue }: Portal,
  notebook: string,
  { id, job: jobId }: NotebookStepRow & { job: string },
): Promise<void> => {
  const job = await queue.getJob(jobId)
  if (job !== null && job.endedAt === null) return
  const nothing = { receipt: null, digest: null, result: null }
  if (job === null || job.state !== 'done')
    return settleNotebookStep(sql, notebook, id, { state: 'failed', ...nothing })
  const { resultFile, receiptFile } = await queue.openJob(jobId)
  if ((await stat(resultFile)).size > notebookLimits.resultBytes) {
    const receipt = receiptSchema.parse(JSON.parse(await readFile(receiptFile, 'utf8')))
    return settleNotebookStep(sql, notebook, id, { state: 'large', ...nothing, receipt })
  }
  const { result, receipt } = await queue.readJobResult(jobId)
  // The order of the fields is no part of what came out.
  const digest = createHash('sha256').update(renderCanonicalJson(result)).digest('hex')
  await settleNotebookStep(sql, notebook, id, {
    state: 'done',
    receipt,
    digest,
    result: await pack(JSON.stringify(result)),
  })
}

const settle = async (portal: Portal, notebook: string, steps: NotebookStepRow[]): Promise<void> => {
  for (const step of steps)
    if (step.state === 'waiting' && step.job !== null)
      await settleStep(portal, notebook, { ...step, job: step.job }).catch(() => undefined)
}

/** Keeps the results of notebooks that nobody has opened since their jobs ended, before the jobs are taken away. */
export const settleNotebooks = async (portal: Portal): Promise<void> => {
  const { sql } = portal.database
  for (const id of await listWaitingNotebooks(sql)) await settle(portal, id, await listNotebookSteps(sql, id))
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

  const list = async (which: Parameters<typeof listRows>[1]) => ({
    notebooks: (await listRows(sql, which)).map(({ createdAt, updatedAt, ...row }) => ({
      ...row,
      createdAt: createdAt.toISOString(),
      updatedAt: updatedAt.toISOString(),
    })),
  })
  implement(app, listNotebooks, (_, { caller }) => list({ account: accountOf(caller) }))
  implement(app, listKnownNotebooks, ({ ids }) => list({ ids }))

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

  implement(app, updateNotebook, async ({ id, key, version, title, steps, removed }, { caller }) => {
    await requireOwn(id, key, caller)
    if ((await updateRow(sql, id, { version, title, steps, removed })) === 'conflict')
      throw new PortalError('CONFLICT', { message: 'notebook.changedElsewhere' })
    return render(id, caller)
  })

  implement(app, addNotebookStep, async ({ id, key, title, job: jobId, set, replaces }, { caller }) => {
    const notebook = await requireOwn(id, key, caller)
    await limitEvents(sql, `notebook-step:${caller.client}`, stepsPerAddress.max, stepsPerAddress.windowMs)
    const room = notebook.account === null ? notebookLimits.visitorBytes : notebookLimits.accountBytes
    if ((await countResultBytes(sql, notebook)) > room)
      throw new PortalError('CONFLICT', { message: 'notebook.noRoom' })
    if (jobId !== undefined && set !== undefined) throw fieldError(['set'], 'notebook.nothingGiven')
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
        throw fieldError(['set', 'made', 'of'], 'notebook.unknownSet')
      added = await addStepRow(
        sql,
        id,
        { ...step, kind: 'set', tool: null, job: null, input: null, set, state: 'done' },
        place,
      )
    } else throw fieldError(['job'], 'notebook.nothingGiven')
    if (added === 'full')
      throw new PortalError('CONFLICT', { message: 'notebook.full', params: { limit: notebookLimits.steps } })
    if (added === 'gone') throw new PortalError('CONFLICT', { message: 'notebook.changedElsewhere' })
    return render(id, caller)
  })

  implement(app, getNotebookResult, async ({ id, step }) => {
    const read = () => getResultRow(sql, id, step)
    let row = await read()
    if (row === null) throw new PortalError('NOT_FOUND', { message: 'notebook.unknown' })
    if (row.result === null) {
      // A step that nobody has looked at since its job ended.
      await settle(
        portal,
        id,
        (await listNotebookSteps(sql, id)).filter((one) => one.id === step),
      )
      row = (await read()) ?? row
    }
    if (row.result !== null && row.receipt !== null)
      // As it was written, without being read: it may be megabytes.
      return new RenderedData(
        `{"result":${(await unpack(row.result)).toString('utf8')},"receipt":${JSON.stringify(row.receipt)}}`,
      )
    if (row.job === null) throw new PortalError('NOT_FOUND')
    return queue.readJobResult(row.job)
  })

  implement(app, adoptNotebooks, async ({ notebooks }, { caller }) => {
    const account = accountOf(caller)
    const adopted: string[] = []
    for (const { id, key } of notebooks)
      if (await adoptNotebook(sql, { id, keyHash: hashToken(key), account }, notebookLimits.notebooks)) adopted.push(id)
    return { adopted }
  })

  implement(app, deleteNotebook, async ({ id, key }, { caller }) => {
    await requireOwn(id, key, caller)
    await deleteRow(sql, id)
    return {}
  })
}
