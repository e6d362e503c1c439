import type { ChildProcess } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { findPorts } from '../src/testing/peers/patroni-cluster.ts'
import { makeBases } from '../src/testing/random.ts'
import { databaseUrlOf, runCommand, startServer } from './portal-command.ts'
import { findProxies, startProxy } from './reverse-proxy.ts'

// Two servers behind a proxy, with the configurations that are shipped and shown, stopped and killed while readers read.

const proxies = findProxies()

describe.runIf(proxies.length > 0)('two servers', () => {
  const folder = mkdtempSync(join(tmpdir(), 'novodb-e2e-servers-'))
  const dataDir = join(folder, 'data')
  const genome = makeBases(20_000, 6)
  const writeSpecies = (name: string): void => {
    writeFileSync(join(folder, 'genome.fa'), `>chr1\n${genome}\n`)
    writeFileSync(join(folder, 'genes.gff3'), `##gff-version 3\nchr1\t.\tCDS\t1\t300\t.\t+\t0\tID=${name}\n`)
    writeFileSync(
      join(folder, 'species.yaml'),
      'novodb: 1\nspecies: served\nname: Served twice\nassemblies:\n  - { id: SRV1, genome: genome.fa, genes: genes.gff3 }\n',
    )
  }
  let database: Awaited<ReturnType<typeof startServer>>
  const servers: Awaited<ReturnType<typeof startServer>>[] = []
  const ports: number[] = []
  let settings: NodeJS.ProcessEnv
  const end = (child: ChildProcess, signal: NodeJS.Signals): Promise<unknown> => {
    // Not its close: what it started holds its output a moment longer.
    const ended = new Promise((done) => child.once('exit', done))
    child.kill(signal)
    return ended
  }
  const start = async (at: number): Promise<void> => {
    servers[at] = await startServer(dataDir, {
      ...settings,
      PORT: String(ports[at]),
      NOVODB_WORKERS: at === 0 ? '1' : '0',
    })
  }

  beforeAll(async () => {
    chmodSync(folder, 0o755)
    writeSpecies('srvA')
    await runCommand(['load', folder], dataDir)
    database = await startServer(dataDir, { NOVODB_WORKERS: '0' })
    // The fifth line of PostgreSQL's lock file is the directory of its socket (PostgreSQL, pidfile.h).
    // As a secret comes in a container, also for the workers and processes for answers that the servers start.
    const secret = join(folder, 'database-url')
    writeFileSync(secret, `${databaseUrlOf(dataDir)}\n`, { mode: 0o600 })
    settings = {
      DATABASE_URL_FILE: secret,
      NOVODB_ANSWER_PROCESSES: '1',
      NOVODB_DRAIN: '3',
      NOVODB_TRUST_PROXY: 'true',
    }
    ports.push(...(await findPorts(2)))
    await Promise.all([start(0), start(1)])
  }, 180_000)
  afterAll(async () => {
    await Promise.all(servers.map(({ child }) => end(child, 'SIGKILL')))
    if (database !== undefined) await end(database.child, 'SIGTERM')
    rmSync(folder, { recursive: true, force: true })
  })

  const post = (base: string, tool: string, body: object, headers: Record<string, string> = {}): Promise<Response> =>
    fetch(`${base}/api/tools/${tool}/`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', ...headers },
      body: JSON.stringify(body),
    })

  for (const proxy of proxies)
    describe(`behind ${proxy}`, () => {
      let base: string
      let child: ChildProcess
      beforeAll(async () => {
        ;({ child, url: base } = await startProxy(
          proxy,
          ports.map((port) => `127.0.0.1:${port}`),
          folder,
        ))
      })
      afterAll(() => end(child, 'SIGTERM'))

      /** Readers who read and compute until `work` is done; what failed. */
      const readDuring = async (
        work: () => Promise<void>,
        changing: boolean,
      ): Promise<{ failed: string[]; count: number }> => {
        const failed: string[] = []
        let count = 0
        let over = false
        const reader = async (number: number): Promise<void> => {
          for (let turn = number; !over; turn += 1) {
            const kinds: [string, () => Promise<Response>][] = [
              ['gene', () => fetch(`${base}/api/genes/srvA/`)],
              ['page', () => fetch(`${base}/home`)],
              ['search', () => fetch(`${base}/api/search/?q=srv${turn}`)],
              [
                'tool',
                () =>
                  post(base, 'sequencefetch', {
                    assembly: 'SRV1',
                    regions: `chr1:${1 + (turn % 9000)}..${100 + (turn % 9000)}`,
                  }),
              ],
            ]
            const [name, ask] = kinds[turn % (changing ? 4 : 3)]!
            try {
              const answer = await ask()
              await answer.arrayBuffer()
              count += 1
              if (answer.status !== 200) failed.push(`${name} ${answer.status}`)
            } catch (error) {
              failed.push(`${name} ${String((error as { cause?: unknown }).cause ?? error)}`)
            }
          }
        }
        const readers = Array.from({ length: 6 }, (_, number) => reader(number))
        await work()
        over = true
        await Promise.all(readers)
        return { failed, count }
      }

      it('are stopped and started in turn: no request fails, reading or computing', async () => {
        const { failed, count } = await readDuring(async () => {
          for (const at of [0, 1]) {
            await end(servers[at]!.child, 'SIGTERM')
            await start(at)
            await new Promise((done) => setTimeout(done, 4_000))
          }
        }, true)
        expect(failed).toEqual([])
        expect(count).toBeGreaterThan(200)
      }, 120_000)

      it('one is killed: no reader sees it', async () => {
        const { failed } = await readDuring(async () => {
          await new Promise((done) => setTimeout(done, 1_000))
          await end(servers[1]!.child, 'SIGKILL')
          await new Promise((done) => setTimeout(done, 3_000))
          await start(1)
          await new Promise((done) => setTimeout(done, 3_000))
        }, false)
        expect(failed).toEqual([])
      }, 120_000)

      it('a job is asked for, watched and cancelled at any', async () => {
        const query = `>q${proxy}\n${genome.slice(3_000, 3_300)}`
        const body = { query, program: 'blastn', databases: ['SRV1/genome'] }
        const answer = await post(servers[1]!.url, 'blast', body, { Prefer: 'respond-async' })
        const { id } = ((await answer.json()) as { data: { job: { id: string } } }).data.job
        // The other one tells of its progress, to its end.
        const events = await fetch(`${servers[0]!.url}/api/jobs/${id}/events`)
        expect(await events.text()).toMatch(/"state":"done"/)
        const slow = { ...body, query: `>${proxy}\n${makeBases(300_000, 3)}`, program: 'tblastx', evalue: 10 }
        const second = await post(servers[0]!.url, 'blast', slow, { Prefer: 'respond-async' })
        const other = ((await second.json()) as { data: { job: { id: string } } }).data.job.id
        await fetch(`${servers[1]!.url}/api/jobs/${other}/`, { method: 'DELETE' })
        await expect
          .poll(
            async () =>
              (
                (await (await fetch(`${servers[0]!.url}/api/jobs/${other}/`)).json()) as {
                  data: { job: { state: string } }
                }
              ).data.job.state,
            { timeout: 20_000 },
          )
          .toBe('cancelled')
      }, 120_000)

      it('a release that is loaded elsewhere is answered from by both within a second', async () => {
        const name = `srv${proxy}`
        writeSpecies(name)
        await runCommand(['load', folder], dataDir)
        for (const { url } of servers)
          await expect
            .poll(async () => (await fetch(`${url}/api/genes/${name}/`)).status, { timeout: 1_000, interval: 100 })
            .toBe(200)
        writeSpecies('srvA')
        await runCommand(['load', folder], dataDir)
        for (const { url } of servers)
          await expect
            .poll(async () => (await fetch(`${url}/api/genes/srvA/`)).status, { timeout: 1_000, interval: 100 })
            .toBe(200)
      }, 120_000)
    })
})
