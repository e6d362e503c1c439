import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { chmodSync, chownSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { makeBases } from '../src/testing/random.ts'
import { databaseUrlOf, portalRoot, startServer } from './portal-command.ts'

// A server, a worker and a load as containers have them: another user than root without capabilities, a file system that is read-only but
// for the data directory and a folder of temporary files, secrets in files. The settings are those of compose.many.yaml.

/** Mounts of its own are what only root may make, and not in every sandbox. */
const canMount =
  process.getuid?.() === 0 &&
  ['unshare', 'setpriv'].every((program) => spawnSync(program, ['--version']).status === 0) &&
  spawnSync('unshare', ['--mount', 'true']).status === 0

interface Service {
  environment: Record<string, string>
  command?: string[]
}
const { services } = parse(readFileSync(join(portalRoot, 'deploy/compose.many.yaml'), 'utf8'), { merge: true }) as {
  services: Record<string, Service>
}

/** $1 data, $2 temporary files, $3 the installation, $4 the user; then the command. */
const script = `
mount --make-rprivate /
for folder in "$1" "$2" "$3"; do mount --bind "$folder" "$folder"; done
for folder in "$3" /; do mount -o remount,bind,ro "$folder"; done
if touch "$3/written" 2>/dev/null; then exit 90; fi
user="$4"; shift 4
exec setpriv --reuid "$user" --regid "$user" --clear-groups --bounding-set=-all --inh-caps=-all --no-new-privs "$@"
`

describe.skipIf(!canMount)('on a read-only file system (skipped where no mounts can be made)', () => {
  const folder = mkdtempSync(join(tmpdir(), 'novodb-e2e-read-only-'))
  const place = (name: string): string => join(folder, name)
  const genome = makeBases(20_000, 14)
  let host: Awaited<ReturnType<typeof startServer>>
  /** The portal's own database lets no other user in: the user of the test is the one that it runs as. */
  let user: number
  const started: ChildProcess[] = []

  const start = (
    service: Service,
    words: string[],
  ): { child: ChildProcess; text(): string; ended: Promise<unknown> } => {
    const environment = Object.fromEntries(
      Object.entries(service.environment).map(([name, value]) => [
        name,
        value.startsWith('/run/secrets/') ? place(basename(value)) : value,
      ]),
    )
    const argv = [place('data'), place('tmp'), portalRoot, String(user), process.execPath, 'bin/novodb.mjs', ...words]
    const child = spawn('unshare', ['--mount', 'sh', '-ec', script, 'sh', ...argv], {
      cwd: portalRoot,
      env: {
        PATH: process.env.PATH,
        HOME: '/nonexistent',
        TMPDIR: place('tmp'),
        PORT: '0',
        NOVODB_DATA: place('data'),
        NOVODB_ANSWER_PROCESSES: '1',
        ...environment,
      },
    })
    started.push(child)
    let text = ''
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (piece: Buffer) => (text += piece))
    return { child, text: () => text, ended: new Promise((done) => child.once('exit', done)) }
  }

  beforeAll(async () => {
    chmodSync(folder, 0o755)
    host = await startServer(place('host'), { NOVODB_WORKERS: '0', NOVODB_ANSWER_PROCESSES: '1' })
    // The fifth line of PostgreSQL's lock file is the directory of its socket (PostgreSQL, pidfile.h).
    user = statSync(place('host/postgresql')).uid
    for (const name of ['data', 'tmp']) {
      mkdirSync(place(name))
      chownSync(place(name), user, user)
    }
    writeFileSync(place('database-url'), `${databaseUrlOf(place('host'))}\n`)
    writeFileSync(place('admin-password'), 'correct-horse-battery\n')
    mkdirSync(place('species'))
    writeFileSync(place('species/genome.fa'), `>chr1\n${genome}\n`)
    writeFileSync(place('species/genes.gff3'), '##gff-version 3\nchr1\t.\tCDS\t1\t300\t.\t+\t0\tID=roA\n')
    writeFileSync(
      place('species/species.yaml'),
      'novodb: 1\nspecies: contained\nname: Contained\nassemblies:\n  - { id: RO1, genome: genome.fa, genes: genes.gff3 }\n',
    )
  }, 120_000)
  afterAll(async () => {
    for (const child of started) if (child.exitCode === null) child.kill('SIGKILL')
    const ended = new Promise((done) => host?.child.once('exit', done))
    host?.child.kill('SIGTERM')
    await ended
    rmSync(folder, { recursive: true, force: true })
  })

  it('loads a species, answers and runs a job, as the user of a container', async () => {
    expect(user).not.toBe(0)
    const load = start(services['server-1']!, ['load', place('species')])
    expect(await load.ended, load.text()).toBe(0)
    const server = start(services['server-1']!, ['serve'])
    const worker = start(services['worker-1']!, services['worker-1']!.command!.slice(2))
    const address = () => /is ready: (http:\/\/\S+?)\/?\s/.exec(server.text())?.[1]
    await expect.poll(address, { timeout: 60_000 }).toBeDefined()
    await expect.poll(worker.text, { timeout: 60_000 }).toContain('Takes jobs')
    // The processes are that user's, and what was loaded is.
    expect(statSync(`/proc/${server.child.pid}`).uid).toBe(user)
    expect(statSync(place('data/bundles')).uid).toBe(user)

    const fetchData = async (path: string, init?: RequestInit): Promise<unknown> =>
      ((await (await fetch(`http://127.0.0.1:${new URL(address()!).port}${path}`, init)).json()) as { data: unknown })
        .data
    const asked = (body: object, headers: Record<string, string> = {}): RequestInit => ({
      method: 'POST',
      headers: { 'Content-Type': 'application/json', ...headers },
      body: JSON.stringify(body),
    })
    expect(await fetchData('/api/health/')).toMatchObject({ status: 'ok', loaded: 1 })
    expect(await fetchData('/api/genes/roA/')).toMatchObject({ gene: { id: 'roA' } })
    const region = { assembly: 'RO1', regions: 'chr1:1..60' }
    expect(JSON.stringify(await fetchData('/api/tools/sequencefetch/', asked(region)))).toContain(genome.slice(0, 60))
    const query = `>q\n${genome.slice(3_000, 3_300)}`
    const { job } = (await fetchData(
      '/api/tools/blast/',
      asked({ query, program: 'blastn', databases: ['RO1/genome'] }, { Prefer: 'respond-async' }),
    )) as { job: { id: string } }
    const state = async () =>
      ((await fetchData(`/api/jobs/${job.id}/`)) as { job: { state: string } } | undefined)?.job.state
    await expect.poll(state, { timeout: 60_000 }).toBe('done')

    for (const { child } of [server, worker]) child.kill('SIGTERM')
    expect(await Promise.all([server.ended, worker.ended]), `${server.text()}${worker.text()}`).toEqual([0, 0])
  }, 180_000)
})
