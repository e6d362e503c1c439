import { randomBytes } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import {
  type AccountGeneSet,
  type ApiToken,
  accountLanguages,
  changePassword,
  createAccountGeneSet,
  createApiToken,
  deleteAccount,
  deleteAccountGeneSet,
  deleteApiToken,
  endOtherSessions,
  exportAccount,
  geneSetLimits,
  getAccountGeneSet,
  getProfile,
  listAccountGeneSets,
  listApiTokens,
  listOwnJobs,
  listSessions,
  type Profile,
  resendConfirmation,
  updateAccountGeneSet,
  updateProfile,
} from '../../contracts/accounts/account.ts'
import { jobTypes, workplaces } from '../../contracts/accounts/auth.ts'
import { fieldError, PortalError } from '../../contracts/errors.ts'
import type { Notebook } from '../../contracts/notebooks.ts'
import {
  type AccountRow,
  deleteAccount as deleteAccountRow,
  emailKey,
  getAccount,
  profileTexts,
  updateAccount,
  updatePassword,
} from '../../database/accounts.ts'
import { addAuditEntry, listAuditEntries } from '../../database/audit.ts'
import { listContactMessages } from '../../database/contact-messages.ts'
import {
  createGeneSet,
  deleteGeneSet,
  type GeneSetRow,
  getGeneSet,
  listGeneSets,
  updateGeneSet,
} from '../../database/gene-sets.ts'
import { listNotebooks } from '../../database/notebooks.ts'
import {
  type ApiTokenRow,
  createApiToken as createApiTokenRow,
  deleteApiToken as deleteApiTokenRow,
  deleteSessionsOf,
  listApiTokensOf,
  listSessionsOf,
  sessionIdOf,
} from '../../database/sessions.ts'
import {
  apiTokenStart,
  createToken,
  hashPassword,
  hashToken,
  requireGoodPassword,
  verifySecret,
} from '../accounts/credentials.ts'
import { sendConfirmation, sendPasswordChanged } from '../accounts/mails.ts'
import { checkPhoneCode, limitEvents, setReadCookie } from '../accounts/sessions.ts'
import { accountOf, type Caller, implement, RenderedData } from '../answers/implement.ts'
import { renderJsonPieces } from '../answers/json-pieces.ts'
import { renderPortalJob } from '../jobs/render-job.ts'
import type { Portal } from '../portal.ts'
import { renderNotebook } from './notebooks.ts'

const maxApiTokens = 50
const hourMs = 3_600_000
/** Guesses of the present password by whoever sits at an open session, and mails that one account can have sent. */
const passwordTries = { max: 10, windowMs: hourMs / 4 } as const
const confirmationMails = { max: 5, windowMs: hourMs } as const
/** Rows that an export reads at a time. */
const exportPage = 100

const oneOf = <T extends string>(values: readonly T[], value: string | null): T | null =>
  values.find((known) => known === value) ?? null

/** The account centre and settings of whoever is signed in. */
export const mountAccount = (app: FastifyInstance, portal: Portal): void => {
  const { sql } = portal.database
  const { messenger } = portal

  const requireAccount = async (caller: Caller): Promise<AccountRow> => {
    const account = await getAccount(sql, accountOf(caller))
    if (account === null) throw new PortalError('NOT_SIGNED_IN')
    return account
  }
  /** The password once more, for what must not be done at an unattended screen. */
  const requirePassword = async (account: AccountRow, password: string, field: string): Promise<void> => {
    await limitEvents(sql, `password:${account.id}`, passwordTries.max, passwordTries.windowMs)
    if (!(await verifySecret(account.passwordHash, password))) throw fieldError([field], 'account.currentPasswordWrong')
  }

  implement(app, getProfile, async (_, { caller }) => renderProfile(await requireAccount(caller)))

  implement(app, updateProfile, async (input, { caller, language }) => {
    const { email, phone, captcha, workplace, jobType } = input
    const before = await requireAccount(caller)
    const newEmail =
      email === undefined || emailKey(email) === emailKey(before.newEmail ?? before.email) ? undefined : email
    if (newEmail !== undefined)
      await limitEvents(sql, `confirm:${before.id}`, confirmationMails.max, confirmationMails.windowMs)
    const number = phone === null ? '' : phone
    let phoneConfirmed = number !== undefined && number !== before.phone ? false : undefined
    if (captcha !== undefined) {
      const target = number ?? before.phone
      if (target === '' || !(await checkPhoneCode(sql, target, 'confirm', captcha)))
        throw fieldError(['captcha'], 'account.codeWrong')
      phoneConfirmed = true
    }
    const after = await updateAccount(sql, before.id, {
      texts: Object.fromEntries(
        profileTexts.flatMap((name) => (input[name] === undefined ? [] : [[name, input[name]]])),
      ),
      // Back to the confirmed address: what waited is given up.
      ...(newEmail === undefined
        ? {}
        : { newEmail: emailKey(newEmail) === emailKey(before.email) && before.emailConfirmed ? null : newEmail }),
      ...(number === undefined ? {} : { phone: number }),
      ...(phoneConfirmed === undefined ? {} : { phoneConfirmed }),
      ...(workplace === undefined ? {} : { workplace }),
      ...(jobType === undefined ? {} : { jobType }),
      ...(input.language === undefined ? {} : { language: input.language }),
    })
    if (after === null) throw fieldError(['phone'], 'account.phoneTaken')
    await addAuditEntry(sql, {
      actor: before.username,
      action: 'profile',
      // Which fields, not what they say.
      detail: { fields: Object.keys(input).filter((name) => name !== 'captcha') },
    })
    const mails = newEmail !== undefined && after.newEmail !== null
    if (mails) {
      messenger.later(() =>
        sendConfirmation(portal, { id: before.id, username: before.username, email: newEmail, language }),
      )
    }
    return { profile: renderProfile(after), delivered: mails ? messenger.mail : null }
  })

  implement(app, resendConfirmation, async (_, { caller, language }) => {
    const account = await requireAccount(caller)
    const email = account.newEmail ?? account.email
    if (email === '') throw fieldError(['email'], 'account.needEmail')
    if (account.newEmail === null && account.emailConfirmed)
      throw new PortalError('CONFLICT', { message: 'account.emailConfirmedAlready' })
    await limitEvents(sql, `confirm:${account.id}`, confirmationMails.max, confirmationMails.windowMs)
    await sendConfirmation(portal, { id: account.id, username: account.username, email, language })
    return { delivered: messenger.mail }
  })

  implement(app, changePassword, async ({ currentPassword, password }, { caller, language }) => {
    const account = await requireAccount(caller)
    requireGoodPassword(password, [account.username, account.email, account.phone])
    await requirePassword(account, currentPassword, 'currentPassword')
    await updatePassword(sql, account.username, await hashPassword(password), {
      session: caller.tokenHash,
      // Whoever knows the password may keep scripts running; a reset, when others may have got in, ends them.
      apiTokens: true,
    })
    await addAuditEntry(sql, { actor: account.username, action: 'password' })
    sendPasswordChanged(portal, account, language, 'passwordChanged')
    return {}
  })

  const sessionsOf = async (caller: Caller) =>
    (await listSessionsOf(sql, accountOf(caller))).map((session) => ({
      id: session.id,
      current: caller.tokenHash !== null && session.id === sessionIdOf(caller.tokenHash),
      remember: session.remember,
      createdAt: session.createdAt.toISOString(),
      lastSeenAt: session.lastSeenAt.toISOString(),
      expiresAt: session.expiresAt.toISOString(),
    }))

  implement(app, listSessions, async (_, { caller }) => ({ sessions: await sessionsOf(caller) }))
  implement(app, endOtherSessions, async (_, { caller }) => {
    const ended = await deleteSessionsOf(sql, accountOf(caller), caller.tokenHash)
    await addAuditEntry(sql, { actor: caller.username, action: 'sign out elsewhere', detail: { ended } })
    return { ended }
  })

  implement(app, listApiTokens, async (_, { caller }) => ({
    tokens: (await listApiTokensOf(sql, accountOf(caller))).map(renderApiToken),
  }))
  implement(app, createApiToken, async ({ name, expiresDays }, { caller }) => {
    const token = `${apiTokenStart}${createToken()}`
    const row = await createApiTokenRow(sql, {
      account: accountOf(caller),
      name,
      tokenHash: hashToken(token),
      start: token.slice(0, apiTokenStart.length + 4),
      expiresDays,
      max: maxApiTokens,
    })
    if (row === null)
      throw new PortalError('CONFLICT', { message: 'account.tooManyTokens', params: { limit: maxApiTokens } })
    await addAuditEntry(sql, { actor: caller.username, action: 'token created', target: name })
    return { token, about: renderApiToken(row) }
  })
  implement(app, deleteApiToken, async ({ id }, { caller }) => {
    if (!(await deleteApiTokenRow(sql, accountOf(caller), id))) throw new PortalError('NOT_FOUND')
    await addAuditEntry(sql, { actor: caller.username, action: 'token revoked', target: String(id) })
    return {}
  })

  implement(app, deleteAccount, async ({ password }, { caller, reply }) => {
    const account = await requireAccount(caller)
    if (account.username === 'admin') throw new PortalError('FORBIDDEN', { message: 'account.adminCannotLeave' })
    await requirePassword(account, password, 'password')
    for (const state of ['queued', 'running'] as const) {
      const { jobs } = await portal.queue.listJobs({ owner: account.id, states: [state], limit: 1000 })
      for (const job of jobs) await portal.queue.cancelJob(job.id)
    }
    await deleteAccountRow(sql, account.id)
    await addAuditEntry(sql, { actor: account.username, action: 'account deleted' })
    if (portal.config.requireLogin) setReadCookie(reply, null, portal.config)
    return {}
  })

  implement(app, listOwnJobs, async ({ page, pageSize, state, tool }, { caller, language }) => {
    const { jobs, total } = await portal.queue.listJobs({
      owner: accountOf(caller),
      limit: pageSize,
      offset: (page - 1) * pageSize,
      ...(state === undefined ? {} : { states: [state] }),
      ...(tool === undefined ? {} : { tool }),
    })
    return { total, jobs: jobs.map((job) => renderPortalJob(portal, job, language)) }
  })

  implement(app, listAccountGeneSets, async (_, { caller }) => ({
    sets: (await listGeneSets(sql, accountOf(caller))).map(({ createdAt, updatedAt, ...set }) => ({
      ...set,
      created: createdAt.toISOString(),
      updated: updatedAt.toISOString(),
    })),
  }))
  implement(app, getAccountGeneSet, async ({ id }, { caller }) => {
    const set = await getGeneSet(sql, accountOf(caller), id)
    if (set === null) throw new PortalError('NOT_FOUND')
    return renderGeneSet(set)
  })
  implement(app, createAccountGeneSet, async ({ id, name, assembly, genes }, { caller }) => {
    const set = await createGeneSet(
      sql,
      accountOf(caller),
      { id: id ?? randomBytes(8).toString('hex'), name, assembly, genes: [...new Set(genes)] },
      geneSetLimits.sets,
    )
    if (set === 'full')
      throw new PortalError('CONFLICT', { message: 'account.tooManySets', params: { limit: geneSetLimits.sets } })
    if (set === 'taken') throw new PortalError('CONFLICT')
    return renderGeneSet(set)
  })
  implement(app, updateAccountGeneSet, async ({ id, name, assembly, genes }, { caller }) => {
    const set = await updateGeneSet(sql, accountOf(caller), id, {
      name,
      assembly,
      genes: genes === undefined ? undefined : [...new Set(genes)],
    })
    if (set === null) throw new PortalError('NOT_FOUND')
    return renderGeneSet(set)
  })
  implement(app, deleteAccountGeneSet, async ({ id }, { caller }) => {
    if (!(await deleteGeneSet(sql, accountOf(caller), id))) throw new PortalError('NOT_FOUND')
    return {}
  })

  // A job's input or a gene set can be megabytes, and an account can have thousands: one of them is in memory at a time.
  implement(app, exportAccount, async (_, { caller, language }) => {
    const account = await requireAccount(caller)
    await addAuditEntry(sql, { actor: account.username, action: 'data exported' })
    async function* geneSets(): AsyncGenerator<AccountGeneSet> {
      for (const { id } of await listGeneSets(sql, account.id)) {
        const set = await getGeneSet(sql, account.id, id)
        if (set !== null) yield renderGeneSet(set)
      }
    }
    async function* notebooks(): AsyncGenerator<Notebook> {
      for (const { id } of await listNotebooks(sql, { account: account.id }))
        yield renderNotebook(portal, id, account.id)
    }
    async function* jobs(): AsyncGenerator<unknown> {
      const page = async (offset: number) =>
        (await portal.queue.listJobs({ owner: account.id, limit: exportPage, offset })).jobs
      for await (const job of eachOnce(page)) {
        const input = (await portal.queue.getJobInput(job.id))?.input ?? null
        yield { ...renderPortalJob(portal, job, language), input }
      }
    }
    async function* messages(): AsyncGenerator<unknown> {
      const page = async (offset: number) =>
        (await listContactMessages(sql, { account: account.id, limit: exportPage, offset })).messages
      for await (const { subject, message, createdAt } of eachOnce(page))
        yield { subject, message, createdAt: createdAt.toISOString() }
    }
    async function* activity(): AsyncGenerator<unknown> {
      const page = async (offset: number) =>
        (await listAuditEntries(sql, { actor: account.username, limit: exportPage, offset })).entries
      for await (const { at, action, target } of eachOnce(page)) yield { at: at.toISOString(), action, target }
    }
    return new RenderedData(
      renderJsonPieces({
        exportedAt: new Date().toISOString(),
        profile: renderProfile(account),
        geneSets: geneSets(),
        notebooks: notebooks(),
        jobs: jobs(),
        sessions: await sessionsOf(caller),
        apiTokens: (await listApiTokensOf(sql, account.id)).map(renderApiToken),
        messages: messages(),
        activity: activity(),
      }),
    )
  })
}

/** All rows of a list that is read by pages, newest first: one that comes in meanwhile moves the others on, and none is given twice. */
async function* eachOnce<Row extends { id: string | number }>(
  readPage: (offset: number) => Promise<Row[]>,
): AsyncGenerator<Row> {
  const given = new Set<string | number>()
  for (let offset = 0; ; offset += exportPage) {
    const rows = await readPage(offset)
    for (const row of rows) {
      if (given.has(row.id)) continue
      given.add(row.id)
      yield row
    }
    if (rows.length < exportPage) return
  }
}

const renderProfile = (account: AccountRow): Profile => ({
  username: account.username,
  access: account.access,
  email: account.email,
  emailConfirmed: account.emailConfirmed,
  newEmail: account.newEmail,
  nickname: account.profile.nickname ?? '',
  profile: account.profile.profile ?? '',
  country: account.profile.country ?? '',
  province: account.profile.province ?? '',
  address: account.profile.address ?? '',
  phone: account.phone,
  phoneConfirmed: account.phoneConfirmed,
  workplace: oneOf(workplaces, account.workplace),
  jobType: oneOf(jobTypes, account.jobType),
  language: oneOf(accountLanguages, account.language),
  createdAt: account.createdAt.toISOString(),
})

const renderApiToken = (row: ApiTokenRow): ApiToken => ({
  id: row.id,
  name: row.name,
  start: row.start,
  createdAt: row.createdAt.toISOString(),
  lastUsedAt: row.lastUsedAt?.toISOString() ?? null,
  expiresAt: row.expiresAt?.toISOString() ?? null,
})

const renderGeneSet = ({ createdAt, updatedAt, ...set }: GeneSetRow): AccountGeneSet => ({
  ...set,
  created: createdAt.toISOString(),
  updated: updatedAt.toISOString(),
})
