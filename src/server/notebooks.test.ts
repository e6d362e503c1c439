import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Notebook, notebookLimits } from '../contracts/notebooks.ts'
import { deleteExpired } from '../database/sessions.ts'
import { runWorker } from '../jobs/worker.ts'
import { openTestApp, type TestApp } from '../testing/app.ts'
import { emptyReceipt } from '../testing/contexts.ts'
import { settleNotebooks } from './routes/notebooks.ts'

let bed: TestApp
let token: string
const stopped = new AbortController()
let working: Promise<void>
/** What the next job gives: the worker here is no tool's, for what is tested is what becomes of results. */
let answer: unknown = { hits: [{ id: 'g1' }] }

beforeAll(async () => {
  bed = await openTestApp({ species: true })
  token = await bed.signUp('keeper', 'user')
  working = runWorker({
    database: { sql: bed.portal.database.sql },
    files: bed.portal.files,
    concurrency: 1,
    signal: stopped.signal,
    log: { info() {}, warn() {}, error() {} },
    pollMs: 100,
    runTool: async () => ({ result: answer, receipt: emptyReceipt }),
  })
})
afterAll(async () => {
  stopped.abort()
  await working
  await bed.close()
})

const ask = async (method: string, url: string, payload?: object, as?: string) => {
  const response = await bed.app.inject({
    method: method as 'GET',
    url,
    headers: { ...(as === undefined ? {} : { authorization: `Bearer ${as}` }), prefer: 'respond-async' },
    ...(payload === undefined ? {} : { payload }),
  })
  return { status: response.statusCode, body: response.json() }
}

const make = async (as?: string): Promise<{ notebook: Notebook; key: string | null; url: string }> => {
  const { body } = await ask('POST', '/api/notebooks/', { title: 'RD1' }, as)
  return { ...body.data, url: `/api/notebooks/${body.data.notebook.id}/` }
}

let seed = 0
const runJob = async (): Promise<string> => {
  seed += 1
  const { body } = await ask('POST', '/api/tools/sequencefetch/', {
    assembly: 'Tiny1',
    regions: `chr1:1..${seed + 10}`,
  })
  const { id } = body.data.job
  await bed.app.inject({ method: 'GET', url: `/api/jobs/${id}/events` })
  return id
}

describe('a notebook', () => {
  test('is read by whoever has its address and changed by who has its key; the key is in no answer but the first', async () => {
    const { key, url } = await make()
    expect(key).toMatch(/^[\w-]{43}$/)
    const read = await ask('GET', url)
    expect(read.body.data).toMatchObject({ title: 'RD1', steps: [], own: false })
    expect(JSON.stringify(read.body)).not.toContain(key)
    const change = { version: 1, title: 'Mine', steps: [] }
    expect((await ask('PUT', url, change)).status).toBe(403)
    expect((await ask('PUT', url, { ...change, key: 'x'.repeat(43) })).status).toBe(403)
    expect((await ask('PUT', url, change, token)).status).toBe(403)
    expect((await ask('PUT', url, { ...change, key })).body.data).toMatchObject({ title: 'Mine', version: 2 })
    expect((await ask('POST', `${url}delete/`, {})).status).toBe(403)
    expect((await ask('POST', `${url}delete/`, { key })).status).toBe(200)
    expect((await ask('GET', url)).status).toBe(404)
  })

  test('of a visitor is listed to whoever knows its id, with its steps counted; one that is gone is left out', async () => {
    const { key, url, notebook } = await make()
    await ask('POST', `${url}steps/`, { key, title: 'a', set: { assembly: 'Tiny1', genes: ['a'], made: null } })
    const { body } = await ask('POST', '/api/notebooks/known/', { ids: [notebook.id, 'f'.repeat(32)] })
    const { updatedAt } = (await ask('GET', url)).body.data as Notebook
    expect(body.data.notebooks).toMatchObject([{ id: notebook.id, title: 'RD1', stepCount: 1, updatedAt }])
    expect(JSON.stringify(body)).not.toContain(key)
  })

  test('of an account is changed by the account alone, and is in its list and its export', async () => {
    const { key, url, notebook } = await make(token)
    expect(key).toBeNull()
    expect((await ask('PUT', url, { version: 1, title: 'x', steps: [] })).status).toBe(403)
    expect((await ask('GET', url, undefined, token)).body.data.own).toBe(true)
    const { body } = await ask('GET', '/api/notebooks/', undefined, token)
    expect(body.data.notebooks.map(({ id }: { id: string }) => id)).toEqual([notebook.id])
    const exported = await ask('GET', '/api/account/export/', undefined, token)
    expect(exported.body.data.notebooks).toMatchObject([{ id: notebook.id, title: 'RD1' }])
  })

  test('a visitor’s becomes the account’s that hands in its key, which opens nothing afterwards', async () => {
    const { key, url } = await make()
    const { id } = (await ask('GET', url)).body.data
    const wrong = { notebooks: [{ id, key: 'x'.repeat(43) }] }
    expect((await ask('POST', '/api/notebooks/adopt/', wrong, token)).body.data.adopted).toEqual([])
    const adopted = await ask('POST', '/api/notebooks/adopt/', { notebooks: [{ id, key }] }, token)
    expect(adopted.body.data.adopted).toEqual([id])
    expect((await ask('GET', url, undefined, token)).body.data.own).toBe(true)
    // The key opens nothing any more.
    expect((await ask('PUT', url, { version: 1, title: 'x', steps: [], key })).status).toBe(403)
  })

  test('keeps the result of a job as it was, also when the job is gone; the same result has the same digest', async () => {
    const { key, url } = await make()
    answer = { hits: [{ id: 'g1', score: 1 }], n: 1 }
    const first = await runJob()
    answer = { n: 1, hits: [{ score: 1, id: 'g1' }] }
    const second = await runJob()
    answer = { n: 2, hits: [] }
    const third = await runJob()
    for (const job of [first, second, third]) await ask('POST', `${url}steps/`, { key, title: `of ${job}`, job })
    const { steps } = (await ask('GET', url)).body.data as Notebook
    expect(steps.map(({ run }) => run?.state)).toEqual(['done', 'done', 'done'])
    expect(steps[0]!.run).toMatchObject({ tool: 'sequencefetch', input: { assembly: 'Tiny1' }, receipt: emptyReceipt })
    expect(steps[1]!.run!.digest).toBe(steps[0]!.run!.digest)
    expect(steps[2]!.run!.digest).not.toBe(steps[0]!.run!.digest)
    await bed.portal.database.sql`delete from jobs`
    expect((await ask('GET', `${url}steps/${steps[0]!.id}/result/`)).body.data).toEqual({
      result: { hits: [{ id: 'g1', score: 1 }], n: 1 },
      receipt: emptyReceipt,
    })
  })

  test('is put in order, noted and shortened in one change; what was not seen is not overwritten', async () => {
    const { key, url } = await make()
    const set = (genes: string[]) => ({ key, title: genes.join(), set: { assembly: 'Tiny1', genes, made: null } })
    await ask('POST', `${url}steps/`, set(['a', 'b']))
    await ask('POST', `${url}steps/`, set(['b']))
    const { steps, version } = (await ask('POST', `${url}steps/`, set(['c']))).body.data as Notebook
    const [a, b, c] = steps
    const made = { operation: 'minus', of: [a!.id, b!.id] }
    const combined = await ask('POST', `${url}steps/`, {
      key,
      title: 'a − b',
      set: { assembly: 'Tiny1', genes: ['a'], made },
    })
    expect(combined.body.data.steps[3].set.made).toEqual(made)
    const wrong = {
      key,
      title: '?',
      set: { assembly: null, genes: [], made: { ...made, of: [a!.id, 'f'.repeat(16)] } },
    }
    expect((await ask('POST', `${url}steps/`, wrong)).body.errorCode).toBe('INVALID_INPUT')
    const order = [
      { id: c!.id, title: 'C', note: 'first now' },
      { id: a!.id, title: 'A', note: '' },
    ]
    expect((await ask('PUT', url, { key, version, title: 'RD1', steps: order })).body.errorCode).toBe('CONFLICT')
    // What is not listed was added elsewhere meanwhile, and stays; only what is named is taken out.
    const changed = await ask('PUT', url, { key, version: version + 1, title: 'RD1', steps: order, removed: [b!.id] })
    expect(changed.body.data.steps.map(({ title, note }: { title: string; note: string }) => [title, note])).toEqual([
      ['C', 'first now'],
      ['A', ''],
      ['a − b', ''],
    ])
  })

  test('a step that is run again takes the place, the title and the note of the one before', async () => {
    const { key, url } = await make()
    answer = { n: 1 }
    const added = await ask('POST', `${url}steps/`, { key, title: 'first', job: await runJob() })
    const { steps, version } = added.body.data as Notebook
    await ask('PUT', url, { key, version, title: '', steps: [{ id: steps[0]!.id, title: 'mine', note: 'because' }] })
    answer = { n: 2 }
    const again = await ask('POST', `${url}steps/`, { key, title: 'x', job: await runJob(), replaces: steps[0]!.id })
    expect(again.body.data.steps).toMatchObject([{ title: 'mine', note: 'because' }])
    // Sets that are made of a step go on by its id.
    expect(again.body.data.steps[0].id).toBe(steps[0]!.id)
    const gone = await ask('POST', `${url}steps/`, { key, title: 'x', job: await runJob(), replaces: 'f'.repeat(16) })
    expect(gone.body.errorCode).toBe('CONFLICT')
  })

  test('keeps results also where nobody opens it before the job is gone', async () => {
    const { key, url } = await make()
    answer = { n: 7 }
    const job = await runJob()
    await ask('POST', `${url}steps/`, { key, title: 'late', job })
    await bed.portal.database.sql`update notebook_steps set state = 'waiting', result = null where job = ${job}`
    await settleNotebooks(bed.portal)
    await bed.portal.database.sql`delete from jobs`
    expect(((await ask('GET', url)).body.data as Notebook).steps[0]!.run!.state).toBe('done')
  })

  test('has room for so many bytes of results', async () => {
    const { key, url, notebook } = await make()
    const job = await runJob()
    await ask('POST', `${url}steps/`, { key, title: 'one', job })
    await bed.portal.database.sql`
      update notebook_steps set result = decode(repeat('00', ${notebookLimits.visitorBytes + 1}), 'hex') where notebook = ${notebook.id}`
    expect((await ask('POST', `${url}steps/`, { key, title: 'two', job })).body.errorCode).toBe('CONFLICT')
  })

  test('a visitor’s that nobody opens for a year is deleted, an account’s is not', async () => {
    const [visitors, own] = [await make(), await make(token)]
    await bed.portal.database.sql`
      update notebooks set read_at = read_at - interval '366 days', updated_at = updated_at - interval '366 days'
      where id in (${visitors.notebook.id}, ${own.notebook.id})`
    await deleteExpired(bed.portal.database.sql)
    expect((await ask('GET', visitors.url)).status).toBe(404)
    expect((await ask('GET', own.url)).status).toBe(200)
  })
})
