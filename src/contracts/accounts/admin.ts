import { z } from 'zod'
import { defineEndpoint } from '../endpoint.ts'
import { loadStatusSchema } from '../species.ts'
import { jobIdSchema, jobSchema, jobStates } from '../tools/jobs.ts'
import { contactDetailsSchema } from './contact.ts'
import { importDefectSchema } from './imports.ts'
import { diskSchema } from './system.ts'

const page = {
  page: z.coerce.number().int().min(1).max(100_000).default(1),
  pageSize: z.coerce.number().int().min(1).max(200).default(50),
}

export const listAdminJobs = defineEndpoint({
  method: 'GET',
  path: '/api/admin/jobs/',
  summary: 'All jobs, newest first',
  tag: 'admin',
  access: 'admin',
  input: z.object({
    ...page,
    state: z.enum(jobStates).optional(),
    tool: z.string().max(64).optional(),
    owner: z.string().max(100).optional(),
  }),
  output: z.object({
    jobs: z.array(
      jobSchema.extend({
        owner: z.string().nullable(),
        /** The last start that a cluster's scheduler was asked for: its own id, and what it refused the task for. */
        task: z.object({ id: z.string().nullable(), state: z.string(), failure: z.string().nullable() }).nullable(),
      }),
    ),
    total: z.number(),
  }),
})

const adminLoadSchema = loadStatusSchema.extend({
  folder: z.string(),
  startedBy: z.string(),
  /** Of the disk whose space the load waits for; null when it waits for none, or the disk is that of a database server elsewhere. */
  spaceFolder: z.string().nullable(),
})

export const listAdminData = defineEndpoint({
  method: 'GET',
  path: '/api/admin/data/',
  summary: 'Releases and loads with their reports',
  tag: 'admin',
  access: 'admin',
  input: z.object({}),
  output: z.object({
    releases: z.array(
      z.object({
        species: z.string(),
        number: z.number(),
        active: z.boolean(),
        createdAt: z.string(),
        bundles: z.array(z.object({ uid: z.string(), assembly: z.string().nullable() })),
      }),
    ),
    loads: z.array(adminLoadSchema),
  }),
})

export const rollbackSpecies = defineEndpoint({
  method: 'POST',
  path: '/api/admin/data/{species}/rollback/',
  summary: 'Points a species back at an earlier release',
  tag: 'admin',
  access: 'admin',
  input: z.object({ species: z.string().max(64), number: z.number().int().min(1).max(2_147_483_647).optional() }),
  output: z.object({ number: z.number() }),
})

export const listEngines = defineEndpoint({
  method: 'GET',
  path: '/api/admin/engines/',
  summary: 'Programs that the tools use: found where, which version, how to install',
  tag: 'admin',
  access: 'admin',
  input: z.object({}),
  output: z.object({
    engines: z.array(
      z.object({
        program: z.string(),
        version: z.string().nullable(),
        found: z.boolean(),
        package: z.string(),
        tools: z.array(z.string()),
      }),
    ),
    storage: z.object({ dataBytes: z.number(), freeBytes: z.number() }),
    portalVersion: z.string(),
    database: z.object({ kind: z.enum(['private', 'external']), version: z.string() }),
  }),
})

const adminUserSchema = z.object({
  username: z.string(),
  access: z.enum(['user', 'admin']),
  disabled: z.boolean(),
  email: z.string(),
  emailConfirmed: z.boolean(),
  phone: z.string(),
  phoneConfirmed: z.boolean(),
  nickname: z.string(),
  workplace: z.string().nullable(),
  jobType: z.string().nullable(),
  createdAt: z.string(),
  lastSeenAt: z.string().nullable(),
  sessionCount: z.number(),
  apiTokenCount: z.number(),
  jobCount: z.number(),
})
export type AdminUser = z.infer<typeof adminUserSchema>

const username = z.string().min(1).max(100)

export const listUsers = defineEndpoint({
  method: 'GET',
  path: '/api/admin/users/',
  summary: 'Accounts, by part of the name, nickname, e-mail or phone',
  tag: 'admin',
  access: 'admin',
  input: z.object({
    ...page,
    q: z.string().max(200).default(''),
    access: z.enum(['user', 'admin']).optional(),
    disabled: z.stringbool().optional(),
  }),
  output: z.object({ users: z.array(adminUserSchema), total: z.number() }),
})

export const getUser = defineEndpoint({
  method: 'GET',
  path: '/api/admin/users/{username}/',
  summary: 'An account by its name',
  tag: 'admin',
  access: 'admin',
  input: z.object({ username }),
  output: adminUserSchema,
})

export const updateUser = defineEndpoint({
  method: 'PUT',
  path: '/api/admin/users/{username}/',
  summary: 'Gives or takes the administrator’s role, disables (its sessions and API tokens end) or enables an account',
  tag: 'admin',
  access: 'admin',
  input: z.object({ username, access: z.enum(['user', 'admin']).optional(), disabled: z.boolean().optional() }),
  output: adminUserSchema,
})

export const signOutUser = defineEndpoint({
  method: 'POST',
  path: '/api/admin/users/{username}/sign-out/',
  summary: 'Ends every session of an account',
  tag: 'admin',
  access: 'admin',
  input: z.object({ username }),
  output: z.object({ ended: z.number() }),
})

const jobId = z.object({ id: jobIdSchema })

export const cancelAdminJob = defineEndpoint({
  method: 'POST',
  path: '/api/admin/jobs/{id}/cancel/',
  summary: 'Cancels any job',
  tag: 'admin',
  access: 'admin',
  input: jobId,
  output: z.object({ job: jobSchema }),
})

export const retryAdminJob = defineEndpoint({
  method: 'POST',
  path: '/api/admin/jobs/{id}/retry/',
  summary: 'Queues a job again that failed or was cancelled',
  tag: 'admin',
  access: 'admin',
  input: jobId,
  output: z.object({ job: jobSchema }),
})

export const listLoadFolders = defineEndpoint({
  method: 'GET',
  path: '/api/admin/data/folders/',
  summary: 'Species folders that can be loaded from the page: those in the directory for them, and those loaded before',
  tag: 'admin',
  access: 'admin',
  input: z.object({}),
  output: z.object({
    /** Directory in which the portal looks for species folders. */
    directory: z.string(),
    folders: z.array(z.object({ folder: z.string(), present: z.boolean(), loaded: z.boolean() })),
  }),
})

export const startLoad = defineEndpoint({
  method: 'POST',
  path: '/api/admin/data/load/',
  summary: 'Loads one of the folders listed, in the background',
  tag: 'admin',
  access: 'admin',
  input: z.object({ folder: z.string().min(1).max(4096) }),
  output: z.object({ load: loadStatusSchema }),
})

export const getLoad = defineEndpoint({
  method: 'GET',
  path: '/api/admin/data/loads/{id}/',
  summary: 'A load: its progress, report and log',
  tag: 'admin',
  access: 'admin',
  input: z.object({ id: z.coerce.number().int().min(1).max(2_147_483_647) }),
  output: z.object({
    load: adminLoadSchema,
    /** Steps as they began, oldest first. */
    log: z.array(z.object({ at: z.string(), text: z.string() })),
    /** Of one that has ended. */
    report: z
      .object({
        /** What went wrong that is not the input's fault, as the program says it. */
        failure: z.string().nullable(),
        /** It was cut off, by a person or with its process. */
        interrupted: z.boolean(),
        defects: z.array(importDefectSchema),
        /** Defects of each severity, also those that are not listed. */
        totals: z.record(z.string(), z.number()),
      })
      .nullable(),
  }),
})

export const getStorage = defineEndpoint({
  method: 'GET',
  path: '/api/admin/storage/',
  summary: 'What takes the room: bundles, database tables, job results',
  tag: 'admin',
  access: 'admin',
  input: z.object({}),
  output: z.object({
    /** Of the data directory and, where that is another file system, of the database. */
    disks: z.array(diskSchema),
    /** A database server elsewhere has refused to write for want of space within the last minute. */
    databaseFull: z.boolean(),
    databaseBytes: z.number(),
    /** Null: too many files to count at once. */
    jobBytes: z.number().nullable(),
    jobCount: z.number(),
    bundles: z.array(
      z.object({
        uid: z.string(),
        species: z.string(),
        assembly: z.string().nullable(),
        active: z.boolean(),
        bytes: z.number(),
        fileCount: z.number(),
        checksum: z.string(),
        createdAt: z.string(),
      }),
    ),
  }),
})

export const listMessages = defineEndpoint({
  method: 'GET',
  path: '/api/admin/messages/',
  summary: 'Messages from the contact page, newest first',
  tag: 'admin',
  access: 'admin',
  input: z.object({ ...page, q: z.string().max(200).default(''), handled: z.stringbool().optional() }),
  output: z.object({
    total: z.number(),
    messages: z.array(
      z.object({
        id: z.number(),
        name: z.string(),
        email: z.string(),
        username: z.string().nullable(),
        subject: z.string(),
        message: z.string(),
        handled: z.boolean(),
        createdAt: z.string(),
      }),
    ),
  }),
})

const rowId = z.coerce.number().int().min(1).max(2_147_483_647)

export const updateMessage = defineEndpoint({
  method: 'PUT',
  path: '/api/admin/messages/{id}/',
  summary: 'Marks a message as handled or not',
  tag: 'admin',
  access: 'admin',
  input: z.object({ id: rowId, handled: z.boolean() }),
  output: z.object({}),
})

export const deleteMessage = defineEndpoint({
  method: 'DELETE',
  path: '/api/admin/messages/{id}/',
  summary: 'Deletes a message',
  tag: 'admin',
  access: 'admin',
  input: z.object({ id: rowId }),
  output: z.object({}),
})

export const updateContact = defineEndpoint({
  method: 'PUT',
  path: '/api/admin/contact/',
  summary: 'Writes what the contact page says of the administrator',
  tag: 'admin',
  access: 'admin',
  input: contactDetailsSchema,
  output: contactDetailsSchema,
})

export const listOutbox = defineEndpoint({
  method: 'GET',
  path: '/api/admin/outbox/',
  summary: 'Mails and text messages of the portal: kept here where no service is set up, else waiting, sent or failed',
  tag: 'admin',
  access: 'admin',
  input: z.object({
    ...page,
    channel: z.enum(['mail', 'sms']).optional(),
    state: z.enum(['kept', 'waiting', 'sent', 'failed']).optional(),
  }),
  output: z.object({
    total: z.number(),
    mail: z.enum(['mail', 'outbox']),
    sms: z.enum(['sms', 'outbox']),
    messages: z.array(
      z.object({
        id: z.number(),
        channel: z.enum(['mail', 'sms']),
        recipient: z.string(),
        subject: z.string(),
        /** Emptied once a message is sent: it may hold a code or link. */
        body: z.string(),
        state: z.enum(['kept', 'waiting', 'sent', 'failed']),
        attempts: z.number(),
        error: z.string().nullable(),
        createdAt: z.string(),
        sentAt: z.string().nullable(),
      }),
    ),
  }),
})

export const listAudit = defineEndpoint({
  method: 'GET',
  path: '/api/admin/audit/',
  summary: 'Who did what, newest first',
  tag: 'admin',
  access: 'admin',
  input: z.object({
    ...page,
    /** Part of the actor's name or of what it was done to. */
    q: z.string().max(200).default(''),
    action: z.string().max(60).optional(),
  }),
  output: z.object({
    total: z.number(),
    /** Every action there is in the log. */
    actions: z.array(z.string()),
    entries: z.array(
      z.object({
        id: z.number(),
        at: z.string(),
        actor: z.string(),
        action: z.string(),
        target: z.string(),
        detail: z.record(z.string(), z.unknown()),
      }),
    ),
  }),
})
