import type { NotebookSet } from '../contracts/notebooks.ts'
import type { Receipt } from '../contracts/tools/receipt.ts'
import type { Sql, TransactionSql } from './connect.ts'

export interface NotebookRow {
  id: string
  account: number | null
  keyHash: string | null
  title: string
  version: number
  createdAt: Date
  updatedAt: Date
}

export interface NotebookStepRow {
  id: string
  title: string
  note: string
  kind: 'tool' | 'set'
  tool: string | null
  job: string | null
  input: unknown
  receipt: Receipt | null
  digest: string | null
  state: 'waiting' | 'done' | 'failed' | 'large'
  set: NotebookSet | null
  createdAt: Date
}

const columns = (sql: Sql | TransactionSql) => sql`
  id, account, key_hash as "keyHash", title, version, created_at as "createdAt", updated_at as "updatedAt"`

/** Null when the account, or the visitors, have `max` already. */
export const createNotebook = async (
  sql: Sql,
  made: { id: string; account: number | null; keyHash: string | null; title: string },
  max: number,
): Promise<NotebookRow | null> => {
  const [row] = await sql<NotebookRow[]>`
    insert into notebooks (id, account, key_hash, title)
    select ${made.id}, ${made.account}::integer, ${made.keyHash}::text, ${made.title}
    where ${made.account}::integer is null or (select count(*) from notebooks where account = ${made.account}::integer) < ${max}
    returning ${columns(sql)}`
  return row ?? null
}

/** The one that was changed last first. */
type ListedRow = Omit<NotebookRow, 'account' | 'keyHash' | 'version'> & { stepCount: number }

/** Of an account, or those of the ids that are there; the one that was changed last first. */
export const listNotebooks = async (sql: Sql, which: { account: number } | { ids: string[] }): Promise<ListedRow[]> =>
  sql<ListedRow[]>`
    select id, title, created_at as "createdAt", updated_at as "updatedAt",
      (select count(*)::integer from notebook_steps where notebook = notebooks.id) as "stepCount"
    from notebooks where ${'account' in which ? sql`account = ${which.account}` : sql`id = any(${which.ids})`}
    order by updated_at desc, id`

export const getNotebook = async (sql: Sql, id: string): Promise<NotebookRow | null> => {
  const [row] = await sql<NotebookRow[]>`select ${columns(sql)} from notebooks where id = ${id}`
  return row ?? null
}

/** Notes that it was read, by which visitors' notebooks that nobody opens are found; at most once a day. */
export const noteNotebookRead = async (sql: Sql, id: string): Promise<void> => {
  await sql`
    update notebooks set read_at = clock_timestamp()
    where id = ${id} and read_at < clock_timestamp() - interval '1 day'`
}

export const listNotebookSteps = async (sql: Sql, notebook: string): Promise<NotebookStepRow[]> =>
  sql<NotebookStepRow[]>`
    select id, title, note, kind, tool, job, input, receipt, digest, state, gene_set as "set", created_at as "createdAt"
    from notebook_steps where notebook = ${notebook} order by position, id`

/** The result by gzip; null where it is not kept. */
export const getNotebookResult = async (
  sql: Sql,
  notebook: string,
  step: string,
): Promise<{ result: Uint8Array | null; receipt: Receipt | null; job: string | null } | null> => {
  const [row] = await sql<{ result: Uint8Array | null; receipt: Receipt | null; job: string | null }[]>`
    select result, receipt, job from notebook_steps where notebook = ${notebook} and id = ${step}`
  return row ?? null
}

/** Keeps what a waiting step came to; another that did so meanwhile stays. */
export const settleNotebookStep = async (
  sql: Sql,
  notebook: string,
  step: string,
  came: {
    state: 'done' | 'failed' | 'large'
    receipt: Receipt | null
    digest: string | null
    result: Uint8Array | null
  },
): Promise<void> => {
  await sql`
    update notebook_steps set state = ${came.state}, receipt = ${came.receipt === null ? null : sql.json(came.receipt)},
      digest = ${came.digest}, result = ${came.result}
    where notebook = ${notebook} and id = ${step} and state = 'waiting'`
}

const touch = async (transaction: TransactionSql, id: string): Promise<void> => {
  await transaction`update notebooks set version = version + 1, updated_at = clock_timestamp() where id = ${id}`
}

/**
 * Adds a step at the end, or in the place of `replaces` with its id, title and note, so that sets made of it go on. 'full' when there are `max` steps, 'gone' when the
 * notebook, or the step to be replaced, is not there any more.
 */
export const addNotebookStep = async (
  sql: Sql,
  notebook: string,
  step: Pick<NotebookStepRow, 'id' | 'title' | 'kind' | 'tool' | 'job' | 'input' | 'set' | 'state'>,
  { replaces, max }: { replaces: string | null; max: number },
): Promise<'added' | 'full' | 'gone'> =>
  sql.begin(async (transaction) => {
    // Steps of one notebook come one after the other.
    const held = await transaction`select 1 from notebooks where id = ${notebook} for update`
    if (held.length === 0) return 'gone'
    const [before] =
      replaces === null
        ? []
        : await transaction<{ position: number; title: string; note: string }[]>`
            delete from notebook_steps where notebook = ${notebook} and id = ${replaces} returning position, title, note`
    if (replaces !== null && before === undefined) return 'gone'
    const [{ count, last } = { count: 0, last: 0 }] = await transaction<{ count: number; last: number }[]>`
      select count(*)::integer as count, coalesce(max(position), 0) as last from notebook_steps where notebook = ${notebook}`
    if (count >= max) return 'full'
    await transaction`
      insert into notebook_steps (notebook, id, position, title, note, kind, tool, job, input, gene_set, state)
      values (${notebook}, ${replaces ?? step.id}, ${before?.position ?? last + 1}, ${before?.title ?? step.title}, ${before?.note ?? ''},
        ${step.kind}, ${step.tool}, ${step.job}, ${step.input === null ? null : transaction.json(step.input)},
        ${step.set === null ? null : transaction.json(step.set)}, ${step.state})`
    await touch(transaction, notebook)
    return 'added'
  })

/**
 * Sets title, notes and order; steps that are not listed come after the others. 'conflict' when it has changed since `version`. Steps that
 * are not there any more are passed over.
 */
export const updateNotebook = async (
  sql: Sql,
  id: string,
  change: {
    version: number
    title: string
    steps: { id: string; title: string; note: string }[]
    removed: string[]
  },
): Promise<'updated' | 'conflict'> =>
  sql.begin(async (transaction) => {
    const held = await transaction`
      update notebooks set title = ${change.title}, version = version + 1, updated_at = clock_timestamp()
      where id = ${id} and version = ${change.version} returning 1`
    if (held.length === 0) return 'conflict'
    await transaction`delete from notebook_steps where notebook = ${id} and id = any(${change.removed}::text[])`
    await transaction`update notebook_steps set position = position + ${change.steps.length} where notebook = ${id}`
    for (const [index, step] of change.steps.entries())
      await transaction`
        update notebook_steps set position = ${index + 1}, title = ${step.title}, note = ${step.note}
        where notebook = ${id} and id = ${step.id}`
    return 'updated'
  })

export const deleteNotebook = async (sql: Sql, id: string): Promise<void> => {
  await sql`delete from notebooks where id = ${id}`
}

/** Makes a visitor's notebook the account's, whose key then opens nothing any more; not beyond `max` of the account. */
export const adoptNotebook = async (
  sql: Sql,
  { id, keyHash, account }: { id: string; keyHash: string; account: number },
  max: number,
): Promise<boolean> =>
  (
    await sql`
      update notebooks set account = ${account}, key_hash = null
      where id = ${id} and account is null and key_hash = ${keyHash}
        and (select count(*) from notebooks where account = ${account}) < ${max} returning 1`
  ).length > 0

/** Bytes of the results that are kept with the notebooks of the account, or with this one of a visitor. */
export const countResultBytes = async (
  sql: Sql,
  { id, account }: Pick<NotebookRow, 'id' | 'account'>,
): Promise<number> => {
  const [row] = await sql<{ bytes: number }[]>`
    select coalesce(sum(octet_length(s.result)), 0)::float8 as bytes from notebook_steps s
    join notebooks n on n.id = s.notebook
    where case when ${account}::integer is null then n.id = ${id} else n.account = ${account}::integer end`
  return row?.bytes ?? 0
}

/** Notebooks with steps whose jobs had not ended when they were last looked at. */
export const listWaitingNotebooks = async (sql: Sql): Promise<string[]> =>
  (await sql<{ notebook: string }[]>`select distinct notebook from notebook_steps where state = 'waiting'`).map(
    ({ notebook }) => notebook,
  )
