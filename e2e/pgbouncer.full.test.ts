import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openDatabase } from '../src/database/connect.ts'
import { hasPgbouncer, type PooledDatabase, startPooledDatabase } from '../src/testing/peers/pgbouncer.ts'
import { makeBases } from '../src/testing/random.ts'
import { runCommand, startServer } from './portal-command.ts'

// A portal all of whose connections go through PgBouncer, which hands out sessions.

describe.runIf(hasPgbouncer)('a portal behind PgBouncer', () => {
  const folder = mkdtempSync(join(tmpdir(), 'novodb-e2e-pgbouncer-'))
  const dataDir = join(folder, 'data')
  const genome = makeBases(20_000, 8)
  let database: PooledDatabase
  let server: Awaited<ReturnType<typeof startServer>>

  const load = async (symbol: string): Promise<void> => {
    writeFileSync(
      join(folder, 'genes.gff3'),
      `##gff-version 3\nchr1\t.\tgene\t1\t300\t.\t+\t.\tID=pbA;Name=${symbol};description=zinc kinase\nchr1\t.\tCDS\t1\t300\t.\t+\t0\tID=pbA.c;Parent=pbA\n`,
    )
    await runCommand(['load', folder], dataDir, { DATABASE_URL: database.url })
  }
  const read = async <T>(path: string): Promise<T> => {
    const answer = await fetch(`${server.url}${path}`, { signal: AbortSignal.timeout(20_000) })
    expect(answer.status, path).toBe(200)
    return ((await answer.json()) as { data: T }).data
  }
  const startJob = async (from: number): Promise<string> => {
    const answer = await fetch(`${server.url}/api/tools/blast/`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Prefer: 'respond-async' },
      body: JSON.stringify({
        query: `>q\n${genome.slice(from, from + 200)}`,
        program: 'blastn',
        databases: ['PGB1/genome'],
      }),
    })
    expect(answer.status).toBe(202)
    return ((await answer.json()) as { data: { job: { id: string } } }).data.job.id
  }

  beforeAll(async () => {
    chmodSync(folder, 0o755)
    database = await startPooledDatabase()
    writeFileSync(join(folder, 'genome.fa'), `>chr1\n${genome}\n`)
    writeFileSync(
      join(folder, 'species.yaml'),
      'novodb: 1\nspecies: pooled\nname: Behind a pooler\nassemblies:\n  - { id: PGB1, genome: genome.fa, genes: genes.gff3 }\n',
    )
    await load('firstName')
    server = await startServer(dataDir, {
      DATABASE_URL: database.url,
      NOVODB_WORKERS: '1',
      NOVODB_ANSWER_PROCESSES: '1',
    })
  }, 240_000)
  afterAll(async () => {
    const ended = new Promise((done) => server?.child.once('exit', done))
    server?.child.kill('SIGTERM')
    if (server !== undefined) await ended
    await database?.close()
    rmSync(folder, { recursive: true, force: true })
  }, 60_000)

  it('has the settings of its sessions', async () => {
    const opened = await openDatabase({
      databaseUrl: `${database.url}?work_mem=3MB`,
      dataDir,
      applicationName: 'novodb test',
      max: 1,
      statementTimeoutMs: 7_000,
      log: console,
    })
    const once = opened.connect({ max: 1, planOnce: true })
    const [row] = await once`
      select current_setting('statement_timeout') as limit, current_setting('plan_cache_mode') as plans,
        current_setting('work_mem') as memory, current_setting('application_name') as name`
    expect(row).toEqual({ limit: '7s', plans: 'force_generic_plan', memory: '3MB', name: 'novodb test' })
    await once.end({ timeout: 1 })
    await opened.close()
  })

  it('looks up, searches and runs jobs whose progress is told', async () => {
    expect(await read('/api/genes/pbA/')).toMatchObject({ gene: { symbol: 'firstName' } })
    expect(await read('/api/search/?q=zinc+kinase')).toMatchObject({ total: 1 })
    expect(await read('/api/search/suggest/?q=firstn')).toMatchObject({ entries: [{ id: 'pbA' }] })
    // Many at once: statements that are planned once a connection stay with it.
    await Promise.all(Array.from({ length: 200 }, (_, turn) => read(`/api/search/?q=zinc+kinase&page=${1 + turn}`)))
    const id = await startJob(100)
    const events = await (await fetch(`${server.url}/api/jobs/${id}/events`)).text()
    expect(events).toMatch(/"state":"done"/)
  }, 60_000)

  it('serves a new release within a second, by the word of another process', async () => {
    await load('secondName')
    await expect
      .poll(() => read<{ gene: { symbol: string } }>('/api/genes/pbA/').then(({ gene }) => gene.symbol), {
        timeout: 1_500,
      })
      .toBe('secondName')
  }, 60_000)

  it('finds back when PgBouncer was restarted, and hears of releases and jobs again', async () => {
    await database.restartPgbouncer()
    await expect
      .poll(() => fetch(`${server.url}/api/genes/pbA/`).then(({ status }) => status), { timeout: 15_000 })
      .toBe(200)
    const id = await startJob(900)
    await expect
      .poll(() => read<{ job: { state: string } }>(`/api/jobs/${id}/`).then(({ job }) => job.state), {
        timeout: 30_000,
      })
      .toBe('done')
    await load('thirdName')
    await expect
      .poll(() => read<{ gene: { symbol: string } }>('/api/genes/pbA/').then(({ gene }) => gene.symbol), {
        timeout: 5_000,
      })
      .toBe('thirdName')
  }, 120_000)
})
