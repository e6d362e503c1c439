import type { FastifyInstance } from 'fastify'
import { listAdminData, listAdminJobs, listEngines, rollbackSpecies } from '../contracts/admin.ts'
import { PortalError } from '../contracts/errors.ts'
import { addAuditEntry, findAccount, listUsernames } from '../database/accounts.ts'
import { listLoads, listReleases, rollbackRelease } from '../database/catalogue.ts'
import { renderJob } from '../jobs/job-record.ts'
import { getDiskSpace } from '../store/disk-space.ts'
import { implement } from './implement.ts'
import { formatText } from './language.ts'
import type { Portal } from './portal.ts'

/** What the keeper sees and does: data, loads, jobs, engines. */
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
    const messagesOf = (id: string) => portal.tools.find((entry) => entry.id === id)?.messages
    return {
      total,
      jobs: jobs.map((job) => ({
        ...renderJob(job, (message, params) =>
          formatText(language, message, { requestId: job.id, ...params }, messagesOf(job.tool)),
        ),
        owner: job.owner === null ? null : (names.get(job.owner) ?? null),
      })),
    }
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
