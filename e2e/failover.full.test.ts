import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { hasPatroni, type PatroniCluster, startPatroni } from '../src/testing/peers/patroni-cluster.ts'
import { makeBases } from '../src/testing/random.ts'
import { runCommand, signInAsAdmin, startServer } from './portal-command.ts'

// A portal on three nodes of PostgreSQL under Patroni, whose primary is killed while readers read and jobs are asked for.

describe.runIf(hasPatroni)('a database whose primary dies', () => {
  const folder = mkdtempSync(join(tmpdir(), 'novodb-e2e-failover-'))
  const dataDir = join(folder, 'data')
  const genome = makeBases(20_000, 8)
  let cluster: PatroniCluster
  let server: Awaited<ReturnType<typeof startServer>>

  beforeAll(async () => {
    chmodSync(folder, 0o755)
    cluster = await startPatroni()
    writeFileSync(join(folder, 'genome.fa'), `>chr1\n${genome}\n`)
    writeFileSync(join(folder, 'genes.gff3'), '##gff-version 3\nchr1\t.\tCDS\t1\t300\t.\t+\t0\tID=ftA\n')
    writeFileSync(
      join(folder, 'species.yaml'),
      'novodb: 1\nspecies: failing\nname: On three nodes\nassemblies:\n  - { id: FAI1, genome: genome.fa, genes: genes.gff3 }\n',
    )
    await runCommand(['load', folder], dataDir, { DATABASE_URL: cluster.url })
    server = await startServer(dataDir, {
      DATABASE_URL: cluster.url,
      NOVODB_WORKERS: '1',
      NOVODB_ANSWER_PROCESSES: '1',
    })
  }, 240_000)
  afterAll(async () => {
    const ended = new Promise((done) => server?.child.once('exit', done))
    server?.child.kill('SIGTERM')
    await ended
    await cluster?.close()
    rmSync(folder, { recursive: true, force: true })
  }, 60_000)

  it('reads go on, writes come back within 45 s, and what was acknowledged is there', async () => {
    const read: [ms: number, what: string, status: number][] = []
    const began = performance.now()
    let over = false
    const reading = (async () => {
      const paths = [
        '/api/genes/ftA/',
        '/api/genes/?assembly=FAI1&sequence=chr1&start=1&end=500',
        '/api/search/suggest/?q=ft',
        '/home',
      ]
      for (let turn = 0; !over; turn += 1) {
        const path = paths[turn % paths.length]!
        const status = await fetch(`${server.url}${path}`, { signal: AbortSignal.timeout(20_000) }).then(
          (answer) => answer.status,
          () => 0,
        )
        read.push([performance.now() - began, path, status])
        await new Promise((done) => setTimeout(done, 100))
      }
    })()
    const accepted: string[] = []
    const written: number[] = []
    const register = async (number: number): Promise<void> => {
      const at = performance.now()
      const answer = await fetch(`${server.url}/api/tools/blast/`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', Prefer: 'respond-async' },
        body: JSON.stringify({
          query: `>q${number}\n${genome.slice(number * 40, number * 40 + 200)}`,
          program: 'blastn',
          databases: ['FAI1/genome'],
        }),
        signal: AbortSignal.timeout(20_000),
      }).catch(() => null)
      if (answer?.status !== 202) return
      accepted.push(((await answer.json()) as { data: { job: { id: string } } }).data.job.id)
      written.push(at)
    }
    for (let number = 0; number < 5; number += 1) await register(number)
    const primary = (await cluster.findPrimary())!
    const killed = performance.now()
    cluster.kill(primary)
    for (let number = 5; performance.now() - killed < 60_000; number += 1) {
      await register(number)
      await new Promise((done) => setTimeout(done, 300))
      if (accepted.length >= 9 && written.at(-1)! > killed + 2_000) break
    }
    const first = written.find((at) => at > killed + 500)
    console.log(`writes came back after ${((first! - killed) / 1000).toFixed(1)} s`)
    expect(first! - killed).toBeLessThan(45_000)
    over = true
    await reading
    const failed = read.filter(([, , status]) => status !== 200)
    console.log(`${read.length} reads, ${failed.length} failed: ${JSON.stringify(failed.slice(0, 12))}`)
    expect(failed).toEqual([])
    for (const id of accepted)
      await expect
        .poll(
          async () =>
            ((await (await fetch(`${server.url}/api/jobs/${id}/`)).json()) as { data?: { job: { state: string } } })
              .data?.job.state,
          { timeout: 60_000 },
        )
        .toBe('done')
    // The account that was made before is there, and the node comes back as a replica.
    await signInAsAdmin(server.url)
    expect(await cluster.findPrimary()).not.toBe(primary)
    cluster.start(primary)
  }, 240_000)
})
