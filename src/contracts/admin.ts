import { z } from 'zod'
import { defineEndpoint } from './endpoint.ts'
import { jobSchema, jobStates } from './jobs.ts'
import { loadStatusSchema } from './species.ts'

const page = {
  page: z.coerce.number().int().min(1).default(1),
  pageSize: z.coerce.number().int().min(1).max(200).default(50),
}

export const listAdminJobs = defineEndpoint({
  method: 'GET',
  path: '/api/admin/jobs/',
  summary: 'All jobs, newest first',
  tag: 'admin',
  access: 'admin',
  input: z.object({ ...page, state: z.enum(jobStates).optional(), tool: z.string().max(64).optional() }),
  output: z.object({ jobs: z.array(jobSchema), total: z.number() }),
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
    loads: z.array(loadStatusSchema.extend({ folder: z.string(), startedBy: z.string(), report: z.unknown() })),
  }),
})

export const rollbackSpecies = defineEndpoint({
  method: 'POST',
  path: '/api/admin/data/{species}/rollback/',
  summary: 'Points a species back at an earlier release',
  tag: 'admin',
  access: 'admin',
  input: z.object({ species: z.string().max(64), number: z.number().int().min(1).optional() }),
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
