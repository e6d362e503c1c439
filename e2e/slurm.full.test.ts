import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { findOnPath } from '../src/jobs/programs.ts'
import { translator } from '../src/kit/ui/language.tsx'
import { messages } from '../src/kit/ui/messages.ts'
import { hasSlurm, type SlurmCluster, startSlurm } from '../src/testing/peers/slurm-cluster.ts'
import { makeProtein, mutate, writeSpecies } from '../src/testing/protein-genomes.ts'
import { makeBases } from '../src/testing/random.ts'
import { messages as admin } from '../src/web/messages/admin.ts'
import { visit } from './browser.ts'
import { databaseUrlOf, runCommand, signInAsAdmin, startServer } from './portal-command.ts'

// Two servers on one database and one folder; one of them hands BLAST and pairs of genomes to a Slurm of this machine.

const blastp = await findOnPath('blastp', process.env.PATH ?? '')

describe.runIf(hasSlurm && blastp !== null)('a portal with a cluster', () => {
  const folder = mkdtempSync(join(tmpdir(), 'novodb-e2e-slurm-'))
  const dataDir = join(folder, 'data')
  const genome = makeBases(20_000, 5)
  const programs = join(folder, 'programs')
  const searchLog = join(folder, 'searches.log')
  const servers: Awaited<ReturnType<typeof startServer>>[] = []
  let cluster: SlurmCluster
  let token: string

  beforeAll(async () => {
    // A database that root starts runs as another user, who must come as far as to its folder.
    chmodSync(folder, 0o755)
    cluster = await startSlurm({ nodes: 2, cores: 1 })
    writeFileSync(join(folder, 'genome.fa'), `>chr1\n${genome}\n`)
    writeFileSync(join(folder, 'genes.gff3'), '##gff-version 3\nchr1\t.\tCDS\t1\t300\t.\t+\t0\tID=slurmA\n')
    writeFileSync(
      join(folder, 'species.yaml'),
      'novodb: 1\nspecies: clustered\nname: On a cluster\nassemblies:\n  - { id: CLU1, genome: genome.fa, genes: genes.gff3 }\n',
    )
    mkdirSync(programs)
    // Each search takes two seconds, in which the nodes have time to start, and says which process asked for it.
    writeFileSync(
      join(programs, 'blastp'),
      `#!/bin/sh\ncase "$*" in *-query*) tr '\\0' ' ' < /proc/$PPID/cmdline >> '${searchLog}'; sleep 2;; esac\nexec ${blastp} "$@"\n`,
    )
    chmodSync(join(programs, 'blastp'), 0o755)
    await runCommand(['load', folder], dataDir)
    servers.push(await startServer(dataDir, { NOVODB_WORKERS: '0' }))
    // The fifth line of PostgreSQL's lock file is the directory of its socket (PostgreSQL, pidfile.h).
    servers.push(
      await startServer(dataDir, {
        ...cluster.environment,
        DATABASE_URL: databaseUrlOf(dataDir),
        PATH: `${programs}:${process.env.PATH}`,
        NOVODB_SLURM: 'partition=main tasks=4 blast.cores=1 blast.memory=1 load.cores=1 load.memory=1',
        NOVODB_WORKERS: '1',
      }),
    )
    token = await signInAsAdmin(servers[0]!.url)
  }, 180_000)
  afterAll(async () => {
    for (const { child } of servers.reverse()) {
      const ended = new Promise((done) => child.once('close', done))
      child.kill('SIGTERM')
      await ended
    }
    cluster?.close()
    rmSync(folder, { recursive: true, force: true })
  })

  const submit = async (query: string): Promise<string> => {
    const answer = await fetch(`${servers[1]!.url}/api/tools/blast/`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Prefer: 'respond-async' },
      body: JSON.stringify({ query, program: 'blastn', databases: ['CLU1/genome'] }),
    })
    expect(answer.status).toBe(202)
    return ((await answer.json()) as { data: { job: { id: string } } }).data.job.id
  }
  type Job = { state: string; waiting: { reason: string } | null }
  const jobOf = async (id: string, server = 0): Promise<Job> => {
    const answer = await fetch(`${servers[server]!.url}/api/jobs/${id}/`)
    return ((await answer.json()) as { data: { job: Job } }).data.job
  }

  it('runs a search on a node; any server has its result; nothing secret is known to Slurm', async () => {
    const id = await submit(`>q\n${genome.slice(5_000, 5_400)}`)
    await expect.poll(async () => (await jobOf(id)).state, { timeout: 60_000 }).toBe('done')
    const answer = await fetch(`${servers[0]!.url}/api/tools/blast/jobs/${id}/hits/?query=1`)
    const { data } = (await answer.json()) as { data: { hits: Record<string, unknown>[] } }
    expect(data.hits[0]).toMatchObject({ subject: 'chr1', subjectStart1: 5_001, subjectEnd1: 5_400, identical: 400 })
    const [name] = (await cluster.ask('squeue', '--states=all', '-h', '-o', '%j')).split('\n')
    expect(name).toContain(id)
    expect(await cluster.ask('scontrol', 'show', 'job', '--details')).not.toMatch(/postgresql:/)
  }, 120_000)

  it('has the pairs of a load computed by its nodes and by the load itself', async () => {
    const genomes = Array.from({ length: 4 }, (_, number) => ({
      assembly: `P${number}`,
      genes: Array.from({ length: 20 }, (_, at) => ({
        id: `P${number}_${at}`,
        protein: mutate(makeProtein(at + 1, 300), 0.2, 100 * number + at),
      })),
    }))
    await runCommand(['load', writeSpecies(join(folder, 'pairs'), 'paired', genomes)], dataDir, {
      DATABASE_URL: databaseUrlOf(dataDir),
      PATH: `${programs}:${process.env.PATH}`,
    })
    const askers = readFileSync(searchLog, 'utf8')
    expect(askers).toMatch(/worker --settings \S+ --one/)
    expect(askers).toMatch(/novodb.mjs load/)
    // What nodes computed is in the load: each gene has its counterpart in each other genome.
    const answer = await fetch(`${servers[0]!.url}/api/tools/homologs/`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ by: 'genes', genes: ['P0_3'], assembly: 'P0' }),
    })
    expect(answer.status).toBe(200)
    const related = JSON.stringify(await answer.json())
    for (const id of ['P1_3', 'P2_3', 'P3_3']) expect(related).toContain(id)
  }, 180_000)

  for (const language of ['en-US', 'zh-CN'] as const)
    it(`says why a job waits, and cancels it, in ${language}`, async () => {
      const k = translator(messages, language)
      for (const node of ['n1', 'n2'])
        await cluster.ask('scontrol', 'update', `NodeName=${node}`, 'State=DRAIN', 'Reason=test')
      const id = await submit(`>q${language}\n${genome.slice(7_000, 7_300)}`)
      await expect.poll(async () => (await jobOf(id)).waiting?.reason, { timeout: 60_000 }).toBe('down')
      const { page, context } = await visit(`${servers[0]!.url}/tools/blast?job=${id}`, { language })
      await page.getByText(k('job.waiting.down')).waitFor()
      // The administrator sees the same, also at the server that hands nothing over.
      const a = translator(admin, language)
      const info = await visit(`${servers[0]!.url}/info?tab=system`, { language, token })
      const tasks = info.page.getByRole('region', { name: a('info.cluster'), exact: true })
      await tasks.getByText(k('job.waiting.down')).waitFor()
      await tasks.getByText(a('info.taskState.waiting'), { exact: true }).waitFor()
      await info.context.close()
      await page.locator('.nv-job button', { hasText: k('job.cancel') }).click()
      await expect.poll(async () => (await jobOf(id)).state).toBe('cancelled')
      await expect
        .poll(async () => (await cluster.ask('squeue', '-h', '-o', '%j')).trim(), { timeout: 30_000 })
        .toBe('')
      for (const node of ['n1', 'n2']) await cluster.ask('scontrol', 'update', `NodeName=${node}`, 'State=RESUME')
      await context.close()
    }, 120_000)
})
