import { type ChildProcess, spawnSync } from 'node:child_process'
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { listOwnJobs } from '../src/contracts/accounts/account.ts'
import { getJob } from '../src/contracts/tools/jobs.ts'
import { makeBases } from '../src/testing/random.ts'
import { databaseUrlOf, portalRoot, runCommand, signInAsAdmin, startServer } from './portal-command.ts'

// A portal is brought from the version before the newest step of the schema to this one, with its data in place, and back.

const migrations = 'src/database/migrations'
const migrationNames = readdirSync(join(portalRoot, migrations))
  .filter((name) => /^\d{4}-/.test(name))
  .sort()
const newestMigration = migrationNames.at(-1)!

const git = (...args: string[]): string | null => {
  const { status, stdout } = spawnSync('git', args, { cwd: portalRoot, encoding: 'utf8' })
  return status === 0 ? stdout.trim() : null
}

/** The commit before the one that brought the newest migration; null where the history is not there. */
const findEarlier = (): string | null => {
  const brought = git('log', '--diff-filter=A', '--format=%H', '-1', '--', `${migrations}/${newestMigration}`)
  if (brought === null) return null
  // Not committed yet: what is committed is the version before.
  const earlier = git('rev-parse', '--verify', '--quiet', brought === '' ? 'HEAD^{commit}' : `${brought}^^{commit}`)
  // A clone of the newest commits alone has its oldest one bring everything.
  return earlier !== null && git('cat-file', '-e', `${earlier}:${migrations}`) !== null ? earlier : null
}
const earlier = findEarlier()
/** The first step of the schema that the version before does not know: those that were written side by side came together. */
const firstUnknown = (): string => {
  const known = new Set(git('ls-tree', '--name-only', `${earlier}:${migrations}`)!.split('\n'))
  return migrationNames.find((name) => !known.has(name))!
}

/** Builds the server of a commit, with the packages that are installed here, in a folder of its own. */
const buildAt = (commit: string, folder: string): void => {
  mkdirSync(folder)
  const archive = `${folder}.tar`
  const run = (program: string, ...args: string[]): void => {
    const { status, stdout, stderr } = spawnSync(program, args, { cwd: folder, encoding: 'utf8' })
    expect(status, `${program} ${args.join(' ')}\n${stdout}${stderr}`).toBe(0)
  }
  spawnSync('git', ['archive', '--output', archive, commit], { cwd: portalRoot })
  run('tar', '-xf', archive)
  rmSync(archive)
  symlinkSync(join(portalRoot, 'node_modules'), join(folder, 'node_modules'))
  run(process.execPath, 'node_modules/typescript-native/bin/tsc', '-p', 'tsconfig.node.json', '--noCheck')
  run(process.execPath, 'scripts/copy-files.mjs')
}

const stop = (child: ChildProcess): Promise<unknown> => {
  const ended = new Promise((done) => child.once('exit', done))
  child.kill('SIGTERM')
  return ended
}

type Server = Awaited<ReturnType<typeof startServer>>

const ask = async (
  server: Server,
  path: string,
  { token, body }: { token?: string; body?: object } = {},
): Promise<{ status: number; data: unknown }> => {
  const answer = await fetch(`${server.url}${path}`, {
    method: body === undefined ? 'GET' : 'POST',
    headers: {
      ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
      ...(token === undefined ? {} : { Authorization: `Bearer ${token}` }),
      ...(path.startsWith('/api/tools/') ? { Prefer: 'respond-async' } : {}),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  return { status: answer.status, data: ((await answer.json()) as { data?: unknown }).data }
}

const jobDone = async (server: Server, token: string, region: string): Promise<string> => {
  const started = await ask(server, '/api/tools/sequencefetch/', { token, body: { assembly: 'UPG1', regions: region } })
  expect(started.status).toBe(202)
  const { id } = (started.data as { job: { id: string } }).job
  const state = async () =>
    ((await ask(server, `/api/jobs/${id}/`, { token })).data as { job: { state: string } }).job.state
  await expect.poll(state, { timeout: 60_000 }).toBe('done')
  return id
}

const settings = { NOVODB_WORKERS: '1', NOVODB_ANSWER_PROCESSES: '1' }

describe.skipIf(earlier === null)('the version before (skipped in a clone without its history)', () => {
  const folder = mkdtempSync(join(tmpdir(), 'novodb-e2e-upgrade-'))
  const before = join(folder, 'before')
  const genome = makeBases(20_000, 12)
  const writeSpecies = (gene: string): void => {
    writeFileSync(join(folder, 'genome.fa'), `>chr1\n${genome}\n`)
    writeFileSync(join(folder, 'genes.gff3'), `##gff-version 3\nchr1\t.\tCDS\t1\t300\t.\t+\t0\tID=${gene}\n`)
    writeFileSync(
      join(folder, 'species.yaml'),
      'novodb: 1\nspecies: upgraded\nname: Upgraded\nassemblies:\n  - { id: UPG1, genome: genome.fa, genes: genes.gff3 }\n',
    )
  }
  const started: Server[] = []
  const serve = async (dataDir: string, installation: string, more: NodeJS.ProcessEnv = {}): Promise<Server> => {
    const server = await startServer(dataDir, { ...settings, ...more }, installation)
    started.push(server)
    return server
  }

  beforeAll(() => {
    chmodSync(folder, 0o755)
    buildAt(earlier!, before)
  }, 180_000)
  afterAll(async () => {
    await Promise.all(started.filter(({ child }) => child.exitCode === null).map(({ child }) => stop(child)))
    rmSync(folder, { recursive: true, force: true })
  }, 60_000)

  it('becomes this one with its data in place, and is there again after a restore', async () => {
    const dataDir = join(folder, 'data')
    const kept = join(folder, 'kept')
    const backup = join(kept, 'novodb.backup')
    writeSpecies('upgA')
    await runCommand(['load', folder], dataDir, {}, before)
    let server = await serve(dataDir, before)
    const login = { username: 'reader', password: 'Schizosaccharomyces 972h' }
    const about = { workplace: 'school', jobType: 'student', email: 'reader@example.org', phone: '+8613700000000' }
    await ask(server, '/api/auth/register/', { body: { ...login, ...about, confirm: login.password } })
    const signIn = async (): Promise<string> =>
      ((await ask(server, '/api/auth/login/', { body: login })).data as { token: string }).token
    const token = await signIn()
    const makeSet = async (name: string): Promise<void> => {
      const made = await ask(server, '/api/account/gene-sets/', {
        token,
        body: { name, assembly: 'UPG1', genes: ['upgA'] },
      })
      expect(made.status).toBe(200)
    }
    const listSets = async (): Promise<unknown> =>
      ((await ask(server, '/api/account/gene-sets/', { token })).data as { sets: { name: string }[] }).sets.map(
        ({ name }) => name,
      )
    await makeSet('of the version before')
    const job = await jobDone(server, token, 'chr1:1..60')
    const result = (await ask(server, `/api/jobs/${job}/result/`, { token })).data
    expect(JSON.stringify(result)).toContain(genome.slice(0, 60))
    const gene = (await ask(server, '/api/genes/upgA/')).data
    expect(gene).toMatchObject({ gene: { id: 'upgA' } })

    // What the document says to keep.
    mkdirSync(kept)
    await runCommand(['backup', backup], dataDir, {}, before)
    await stop(server.child)
    for (const part of ['bundles', 'jobs']) cpSync(join(dataDir, part), join(kept, part), { recursive: true })

    const isThere = async (): Promise<void> => {
      // Whoever was signed in still is, and the password holds.
      expect((await ask(server, '/api/auth/user/', { token })).data).toMatchObject({ username: 'reader' })
      expect(await signIn()).toMatch(/\w{20}/)
      expect((await ask(server, `/api/jobs/${job}/result/`, { token })).data).toEqual(result)
      expect((await ask(server, '/api/genes/upgA/')).status).toBe(200)
      expect(((await ask(server, '/api/search/?q=upgA')).data as { total: number }).total).toBe(1)
      await jobDone(server, token, 'chr1:61..120')
    }
    server = await serve(dataDir, portalRoot)
    await isThere()
    expect(await listSets()).toEqual(['of the version before'])
    await runCommand(['verify'], dataDir)
    await makeSet('of this version')
    writeSpecies('upgB')
    await runCommand(['load', folder], dataDir)
    await expect.poll(async () => (await ask(server, '/api/genes/upgB/')).status).toBe(200)
    await stop(server.child)

    // Not by itself: what it does not know it leaves alone.
    await expect(serve(dataDir, before)).rejects.toThrow(
      `The database has migration ${firstUnknown().replace(/\.ts$/, '')}, which this release does not know.`,
    )
    // It stops by itself when nobody uses it any more.
    await expect.poll(() => existsSync(join(dataDir, 'postgresql/postmaster.pid')), { timeout: 30_000 }).toBe(false)
    renameSync(join(dataDir, 'postgresql'), join(dataDir, 'postgresql.newer'))
    for (const part of ['bundles', 'jobs']) cpSync(join(kept, part), join(dataDir, part), { recursive: true })
    await runCommand(['restore', backup], dataDir, {}, before)
    server = await serve(dataDir, before)
    await isThere()
    // What was written after the backup is gone.
    expect(await listSets()).toEqual(['of the version before'])
    expect((await ask(server, '/api/genes/upgB/')).status).toBe(404)
    await runCommand(['verify'], dataDir, {}, before)
    await stop(server.child)
  }, 360_000)

  it('goes on answering while a server of this version changes the schema beside it', async () => {
    const dataDir = join(folder, 'shared')
    writeSpecies('upgA')
    await runCommand(['load', folder], dataDir, {}, before)
    const old = await serve(dataDir, before)
    const DATABASE_URL = databaseUrlOf(dataDir)
    const token = await signInAsAdmin(old.url)

    const failed: string[] = []
    let count = 0
    let over = false
    const reading = (async () => {
      for (let turn = 0; !over; turn += 1) {
        const paths = ['/api/genes/upgA/', '/api/search/?q=upgA', '/api/account/gene-sets/', '/api/health/']
        const path = paths[turn % paths.length]!
        const { status } = await ask(old, path, { token })
        count += 1
        if (status !== 200) failed.push(`${path} ${status}`)
        await new Promise((done) => setTimeout(done, 20))
      }
    })()
    const next = await serve(dataDir, portalRoot, { DATABASE_URL })
    // Jobs of either are done, by workers of either.
    const jobs = [await jobDone(old, token, 'chr1:1..60'), await jobDone(next, token, 'chr1:61..120')]
    for (const job of jobs)
      for (const server of [old, next]) {
        expect((await ask(server, `/api/jobs/${job}/result/`, { token })).status).toBe(200)
        // A page of this version reads what either answers.
        const state = getJob.output.parse((await ask(server, `/api/jobs/${job}/`, { token })).data)
        expect(state.job.id).toBe(job)
      }
    for (const server of [old, next]) {
      const { jobs: own } = listOwnJobs.output.parse((await ask(server, '/api/account/jobs/', { token })).data)
      expect(own.map(({ id }) => id).sort()).toEqual([...jobs].sort())
    }
    expect(await signInAsAdmin(next.url)).toMatch(/\w{20}/)
    over = true
    await reading
    expect(failed).toEqual([])
    expect(count).toBeGreaterThan(20)
    await stop(next.child)
    await stop(old.child)
  }, 180_000)
})
