import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import {
  type AdminUser,
  cancelAdminJob,
  deleteMessage,
  getLoad as getLoadEndpoint,
  getStorage,
  getUser,
  listAdminData,
  listAdminJobs,
  listAudit,
  listEngines,
  listLoadFolders as listLoadFoldersEndpoint,
  listMessages as listMessagesEndpoint,
  listOutbox,
  listUsers,
  retryAdminJob,
  rollbackSpecies,
  signOutUser,
  startLoad,
  updateContact,
  updateMessage,
  updateUser,
} from '../../contracts/accounts/admin.ts'
import { PortalError } from '../../contracts/errors.ts'
import {
  type AccountOverview,
  findAccount,
  listAccounts,
  listUsernames,
  updateAccountRights,
} from '../../database/accounts.ts'
import { addAuditEntry, listAuditEntries } from '../../database/audit.ts'
import {
  getLoad,
  listLoadSteps,
  listLoads,
  listReleases,
  listStoredBundles,
  rollbackRelease,
} from '../../database/catalogue.ts'
import { deleteContactMessage, listContactMessages, updateContactMessage } from '../../database/contact-messages.ts'
import { listMessages } from '../../database/outbox.ts'
import { deleteSessionsOf } from '../../database/sessions.ts'
import { getDiskSpace, measureFolder } from '../../store/disk-space.ts'
import { implement } from '../answers/implement.ts'
import { renderPortalJob } from '../jobs/render-job.ts'
import { reportIn } from '../loads/load-report.ts'
import type { Portal } from '../portal.ts'
import { readContact, writeContact } from './contact.ts'

/** What the administrator sees and does: users, jobs, data and loads, engines, storage, messages in and out, audit. */
export const mountAdmin = (app: FastifyInstance, portal: Portal): void => {
  const { sql } = portal.database

  implement(app, listAdminData, async () => ({
    releases: (await listReleases(sql)).map((release) => ({
      species: release.species,
      number: release.number,
      active: release.active,
      createdAt: release.createdAt.toISOString(),
      bundles: release.bundles ?? [],
    })),
    loads: await listLoads(sql, 100),
  }))

  implement(app, rollbackSpecies, async ({ species, number }, { caller }) => {
    const target = await rollbackRelease(sql, species, number)
    if (target === null) throw new PortalError('NOT_FOUND')
    await addAuditEntry(sql, {
      actor: caller.username,
      action: 'rollback',
      target: species,
      detail: { number: target },
    })
    return { number: target }
  })

  implement(app, listAdminJobs, async ({ page, pageSize, state, tool, owner }, { language }) => {
    const account = owner === undefined ? null : await findAccount(sql, owner)
    if (owner !== undefined && account === null) return { jobs: [], total: 0 }
    const { jobs, total } = await portal.queue.listJobs({
      ...(account === null ? {} : { owner: account.id }),
      limit: pageSize,
      offset: (page - 1) * pageSize,
      ...(state === undefined ? {} : { states: [state] }),
      ...(tool === undefined ? {} : { tool }),
    })
    const names = await listUsernames(
      sql,
      jobs.flatMap((job) => job.owner ?? []),
    )
    return {
      total,
      jobs: jobs.map((job) => ({
        ...renderPortalJob(portal, job, language),
        owner: job.owner === null ? null : (names.get(job.owner) ?? null),
        task: job.task && { id: job.task.id, state: job.task.state, failure: job.task.failure },
      })),
    }
  })

  implement(app, cancelAdminJob, async ({ id }, { caller, language }) => {
    if ((await portal.queue.getJob(id)) === null) throw new PortalError('NOT_FOUND', { message: 'job.unknown' })
    const job = await portal.queue.cancelJob(id)
    await addAuditEntry(sql, { actor: caller.username, action: 'job cancelled', target: id })
    return { job: renderPortalJob(portal, job, language) }
  })

  implement(app, retryAdminJob, async ({ id }, { caller, language }) => {
    if ((await portal.queue.getJob(id)) === null) throw new PortalError('NOT_FOUND', { message: 'job.unknown' })
    const job = await portal.queue.retryJob(id)
    await addAuditEntry(sql, { actor: caller.username, action: 'job retried', target: id })
    return { job: renderPortalJob(portal, job, language) }
  })

  implement(app, listUsers, async ({ page, pageSize, q, access, disabled }) => {
    const { accounts, total } = await listAccounts(sql, {
      q,
      access,
      disabled,
      limit: pageSize,
      offset: (page - 1) * pageSize,
    })
    return { total, users: accounts.map(renderUser) }
  })

  const requireUser = async (username: string): Promise<AdminUser> => {
    const { accounts } = await listAccounts(sql, { username, limit: 1, offset: 0 })
    if (accounts[0] === undefined) throw new PortalError('NOT_FOUND')
    return renderUser(accounts[0])
  }

  implement(app, getUser, async ({ username }) => requireUser(username))

  implement(app, updateUser, async ({ username, access, disabled }, { caller }) => {
    const user = await requireUser(username)
    const loses = (access === 'user' && user.access === 'admin') || disabled === true
    if (user.username === 'admin' && loses) throw new PortalError('FORBIDDEN', { message: 'account.adminCannotLeave' })
    if (user.username === caller.username && loses)
      throw new PortalError('FORBIDDEN', { message: 'account.notYourself' })
    if ((await updateAccountRights(sql, username, { access, disabled })) === null) throw new PortalError('NOT_FOUND')
    await addAuditEntry(sql, {
      actor: caller.username,
      action: 'rights',
      target: user.username,
      detail: { ...(access === undefined ? {} : { access }), ...(disabled === undefined ? {} : { disabled }) },
    })
    return requireUser(username)
  })

  implement(app, signOutUser, async ({ username }, { caller }) => {
    const account = await findAccount(sql, username)
    if (account === null) throw new PortalError('NOT_FOUND')
    const ended = await deleteSessionsOf(sql, account.id)
    await addAuditEntry(sql, {
      actor: caller.username,
      action: 'signed out',
      target: account.username,
      detail: { ended },
    })
    return { ended }
  })

  implement(app, listLoadFoldersEndpoint, async () => ({
    directory: portal.config.foldersDir,
    folders: await portal.loads.listFolders(),
  }))

  implement(app, startLoad, async ({ folder }, { caller, reply }) => {
    const load = await portal.loads.start(folder, caller.username)
    await addAuditEntry(sql, { actor: caller.username, action: 'load', target: folder, detail: { load: load.id } })
    reply.code(202)
    return { load }
  })

  implement(app, getLoadEndpoint, async ({ id }, { language }) => {
    const load = await getLoad(sql, id)
    if (load === null) throw new PortalError('NOT_FOUND')
    const steps = await listLoadSteps(sql, id)
    return {
      load,
      log: steps.map(({ at, step }) => ({ at: at.toISOString(), text: step })),
      report: await reportIn(load.report, language),
    }
  })

  implement(app, getStorage, async () => {
    const [[database], [jobs], bundles, disks] = await Promise.all([
      sql<{ bytes: number }[]>`select pg_database_size(current_database())::float8 as bytes`,
      sql<{ count: number }[]>`select count(*)::int as count from jobs where load is null`,
      listStoredBundles(sql),
      portal.disks.read(),
    ])
    return {
      disks,
      databaseFull: portal.disks.databaseFull(),
      databaseBytes: database?.bytes ?? 0,
      jobBytes: await measureFolder(join(portal.config.dataDir, 'jobs')),
      jobCount: jobs?.count ?? 0,
      bundles: bundles.map((bundle) => ({ ...bundle, createdAt: bundle.createdAt.toISOString() })),
    }
  })

  implement(app, listMessagesEndpoint, async ({ page, pageSize, q, handled }) => {
    const { messages, total } = await listContactMessages(sql, {
      q,
      handled,
      limit: pageSize,
      offset: (page - 1) * pageSize,
    })
    return {
      total,
      messages: messages.map((message) => ({ ...message, createdAt: message.createdAt.toISOString() })),
    }
  })
  implement(app, updateMessage, async ({ id, handled }) => {
    if (!(await updateContactMessage(sql, id, handled))) throw new PortalError('NOT_FOUND')
    return {}
  })
  implement(app, deleteMessage, async ({ id }, { caller }) => {
    if (!(await deleteContactMessage(sql, id))) throw new PortalError('NOT_FOUND')
    await addAuditEntry(sql, { actor: caller.username, action: 'message deleted', target: String(id) })
    return {}
  })

  implement(app, updateContact, async (details, { caller }) => {
    await writeContact(sql, details)
    await addAuditEntry(sql, { actor: caller.username, action: 'contact' })
    return readContact(sql)
  })

  implement(app, listOutbox, async ({ page, pageSize, channel, state }) => {
    const { messages, total } = await listMessages(sql, {
      channel,
      state,
      limit: pageSize,
      offset: (page - 1) * pageSize,
    })
    return {
      total,
      mail: portal.messenger.mail,
      sms: portal.messenger.sms,
      messages: messages.map((message) => ({
        ...message,
        createdAt: message.createdAt.toISOString(),
        sentAt: message.sentAt?.toISOString() ?? null,
      })),
    }
  })

  implement(app, listAudit, async ({ page, pageSize, q, action }) => {
    const { entries, total, actions } = await listAuditEntries(sql, {
      q,
      action,
      limit: pageSize,
      offset: (page - 1) * pageSize,
    })
    return { total, actions, entries: entries.map((entry) => ({ ...entry, at: entry.at.toISOString() })) }
  })

  implement(app, listEngines, async () => {
    const [row] = await sql<{ version: string; bytes: number }[]>`
      select current_setting('server_version') as version, pg_database_size(current_database()) as bytes`
    const { active } = await portal.data.snapshot()
    const bundleBytes = active
      .flatMap((species) => species.bundles)
      .flatMap((bundle) => bundle.summary.files)
      .reduce((sum, file) => sum + file.bytes, 0)
    return {
      engines: portal.programs.map((program) => ({
        program: program.program,
        version: program.version,
        found: program.path !== null,
        package: program.package,
        tools: program.tools,
      })),
      storage: {
        dataBytes: bundleBytes + (row?.bytes ?? 0),
        freeBytes: (await getDiskSpace(portal.config.dataDir)).freeBytes,
      },
      portalVersion: portal.version,
      database: { kind: portal.database.kind, version: row?.version ?? '' },
    }
  })
}

const renderUser = (account: AccountOverview): AdminUser => ({
  username: account.username,
  access: account.access,
  disabled: account.disabled,
  email: account.email,
  emailConfirmed: account.emailConfirmed,
  phone: account.phone,
  phoneConfirmed: account.phoneConfirmed,
  nickname: account.profile.nickname ?? '',
  workplace: account.workplace,
  jobType: account.jobType,
  createdAt: account.createdAt.toISOString(),
  lastSeenAt: account.lastSeenAt?.toISOString() ?? null,
  sessionCount: account.sessionCount,
  apiTokenCount: account.apiTokenCount,
  jobCount: account.jobCount,
})
