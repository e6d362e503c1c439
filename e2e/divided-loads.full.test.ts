import { type ChildProcessByStdio, spawn } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import type { Readable } from 'node:stream'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openDatabase } from '../src/database/connect.ts'
import { findOnPath } from '../src/jobs/programs.ts'
import { startTestStore, type TestStore } from '../src/testing/peers/object-store.ts'
import { makeProtein, mutate, type TestGenome, writeSpecies } from '../src/testing/protein-genomes.ts'
import { databaseUrlOf, environmentOf, portalRoot, runCommand, startServer } from './portal-command.ts'

// Loads whose pairs of genomes are computed by workers of other hosts, each a process with a data directory of its own over one object
// store; and the same load by itself, with nothing but its own process.

const blastp = await findOnPath('blastp', process.env.PATH ?? '')
const ancestors = Array.from({ length: 30 }, (_, at) => makeProtein(at + 1, 300))
const makeGenome = (number: number): TestGenome => ({
  assembly: `D${number}`,
  genes: ancestors.map((protein, at) => ({
    id: `D${number}_${at}`,
    protein: at % 4 === 0 ? mutate(protein, 0.1, at) : mutate(protein, 0.3, 1000 * number + at),
  })),
})

type Process = ChildProcessByStdio<null, Readable, Readable>

describe.runIf(blastp !== null)('a load whose pairs are divided', () => {
  const root = mkdtempSync(join(tmpdir(), 'novodb-e2e-divided-'))
  const searchLog = join(root, 'searches.log')
  const programs = join(root, 'programs')
  const started: Process[] = []
  let store: TestStore
  let shared: NodeJS.ProcessEnv
  let server: Awaited<ReturnType<typeof startServer>>
  let databaseUrl: string

  const directoryOf = (host: string): string => join(root, host)
  const start = (host: string, args: string[], settings: NodeJS.ProcessEnv = shared): Process => {
    mkdirSync(directoryOf(host), { recursive: true })
    chmodSync(directoryOf(host), 0o755)
    const child = spawn(process.execPath, ['bin/novodb.mjs', ...args], {
      cwd: portalRoot,
      env: { ...environmentOf(directoryOf(host)), ...settings },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    started.push(child)
    return child
  }
  const startWorker = (host: string): Promise<Process> =>
    new Promise((resolve, reject) => {
      const child = start(host, ['worker'], { ...shared, NOVODB_WORKERS: '1' })
      let output = ''
      child.stderr.on('data', (text: Buffer) => {
        output += text
      })
      child.stdout.on('data', (text: Buffer) => {
        output += text
        if (output.includes('Takes jobs')) resolve(child)
      })
      child.once('exit', (code) => reject(new Error(`the worker ended with ${code}: ${output}`)))
    })
  const ended = (child: Process): Promise<{ code: number | null; output: string }> =>
    new Promise((resolve) => {
      let output = ''
      for (const stream of [child.stdout, child.stderr])
        stream.on('data', (text: Buffer) => {
          output += text
        })
      child.once('close', (code) => resolve({ code, output }))
    })
  const load = async (host: string, folder: string): Promise<string> => {
    const { code, output } = await ended(start(host, ['load', folder]))
    expect(code, output).toBe(0)
    return output
  }

  /** Searches so far, by the job that each was of: a job's directory has one for each time that it was taken. */
  const searches = (): Map<string, Set<string>> => {
    const found = new Map<string, Set<string>>()
    if (!existsSync(searchLog)) return found
    for (const place of readFileSync(searchLog, 'utf8').split('\n').filter(Boolean)) {
      const job = basename(dirname(place))
      found.set(job, (found.get(job) ?? new Set()).add(basename(place)))
    }
    return found
  }
  const filesBelow = (folder: string): Map<string, string> =>
    new Map(
      readdirSync(folder, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile() && entry.name !== 'files.json')
        .map((entry) => {
          const file = join(entry.parentPath, entry.name)
          return [file.slice(folder.length), readFileSync(file, 'base64')]
        }),
    )
  const hitsOf = (host: string): Map<string, string> => filesBelow(join(directoryOf(host), 'computed/homologs'))
  /** Checksums of the files of the newest bundle over all assemblies. */
  const bundleOf = (host: string): Map<string, string> => {
    const bundles = readdirSync(join(directoryOf(host), 'bundles'))
      .map((uid) => join(directoryOf(host), 'bundles', uid, 'bundle.json'))
      .filter(existsSync)
      .map((file) => JSON.parse(readFileSync(file, 'utf8')))
      .filter(({ files }) => files.some(({ path }: { path: string }) => path === 'proteins.dmnd'))
    expect(bundles).toHaveLength(1)
    return new Map(bundles[0].files.map(({ path, sha256 }: { path: string; sha256: string }) => [path, sha256]))
  }
  const askDatabase = async <Row extends object>(statement: string): Promise<Row[]> => {
    const database = await openDatabase({
      databaseUrl,
      dataDir: root,
      applicationName: 'test',
      max: 1,
      statementTimeoutMs: 0,
      log: { info() {}, warn() {}, error() {} },
    })
    try {
      return (await database.sql.unsafe(statement)) as unknown as Row[]
    } finally {
      await database.close()
    }
  }
  const folder = (name: string, genomes: number, genes: (genome: TestGenome) => TestGenome = (genome) => genome) =>
    writeSpecies(
      join(root, name),
      'divided',
      Array.from({ length: genomes }, (_, at) => genes(makeGenome(at + 1))),
    )

  beforeAll(async () => {
    // A database that root starts runs as another user, who must come as far as to its folder.
    chmodSync(root, 0o755)
    mkdirSync(programs)
    // Each search takes a second, in which its process can be killed, and says of which run it is.
    writeFileSync(
      join(programs, 'blastp'),
      `#!/bin/sh\ncase "$*" in *-query*) pwd >> '${searchLog}'; sleep 1;; esac\nexec ${blastp} "$@"\n`,
    )
    chmodSync(join(programs, 'blastp'), 0o755)
    mkdirSync(directoryOf('server'))
    chmodSync(directoryOf('server'), 0o755)
    store = await startTestStore()
    const { bucket, prefix, endpoint, region, credentials } = store.settingsAt(store.port)
    const objects = {
      NOVODB_S3_BUCKET: bucket,
      NOVODB_S3_PREFIX: prefix,
      NOVODB_S3_ENDPOINT: endpoint!,
      NOVODB_S3_REGION: region,
      NOVODB_S3_PATH_STYLE: 'true',
      NOVODB_S3_ACCESS_KEY_ID: credentials!.accessKeyId,
      NOVODB_S3_SECRET_ACCESS_KEY: credentials!.secretAccessKey,
      PATH: `${programs}:${process.env.PATH}`,
    }
    server = await startServer(directoryOf('server'), { ...objects, NOVODB_WORKERS: '0' })
    started.push(server.child)
    // The fifth line of PostgreSQL's lock file is the directory of its socket (PostgreSQL, pidfile.h).
    databaseUrl = databaseUrlOf(directoryOf('server'))
    shared = { ...objects, DATABASE_URL: databaseUrl }
    mkdirSync(directoryOf('alone'))
    chmodSync(directoryOf('alone'), 0o755)
    await runCommand(['load', folder('five', 5)], directoryOf('alone'))
  }, 400_000)
  afterAll(async () => {
    for (const child of started.reverse()) {
      if (child.exitCode !== null || child.signalCode !== null) continue
      const gone = new Promise((resolve) => child.once('exit', resolve))
      child.kill('SIGTERM')
      await gone
    }
    await store?.close()
    rmSync(root, { recursive: true, force: true })
  })

  let first: Process
  it('two workers help; one is killed in the midst of a pair, which another computes; all else is computed once', async () => {
    first = await startWorker('worker-1')
    const second = await startWorker('worker-2')
    const loading = load('loader', join(root, 'five'))
    const busy = async (): Promise<string[]> => {
      const rows = await askDatabase<{ worker: string }>(
        "select worker from jobs where load is not null and state = 'running'",
      )
      return rows.flatMap(({ worker }) => (worker.includes(`/${second.pid}/`) ? [worker] : []))
    }
    await expect.poll(async () => (await busy()).length, { timeout: 60_000 }).toBe(1)
    second.kill('SIGKILL')
    const lost = (await busy())[0]
    const output = await loading
    expect(output).toMatch(/\d+ of 15 pairs, [12] workers? helps?/)
    const times = Array.from(searches().values(), (claims) => claims.size).sort()
    expect(times).toHaveLength(15)
    // The pair that was lost may not have come as far as to its search.
    expect(times.filter((count) => count > 1).length).toBeLessThanOrEqual(lost === undefined ? 0 : 1)
    expect(Math.max(...times)).toBeLessThanOrEqual(2)
    expect(await askDatabase('select id from jobs where load is not null')).toEqual([])
  }, 400_000)

  it('what comes of it is to the byte what a load computes alone', async () => {
    const alone = hitsOf('alone')
    expect(alone.size).toBe(15)
    expect(hitsOf('loader')).toEqual(alone)
    const files = bundleOf('alone')
    expect(files.size).toBeGreaterThan(3)
    expect(bundleOf('loader')).toEqual(files)
  })

  it('a sixth genome is compared with the five and with itself, and nothing else is', async () => {
    const before = new Set(searches().keys())
    await load('loader', folder('six', 6))
    expect([...searches().keys()].filter((job) => !before.has(job))).toHaveLength(6)
    expect(hitsOf('loader').size).toBe(21)
  }, 300_000)

  it('another host, whose disk is empty, computes nothing that is kept, and neither does a genome whose proteins stay', async () => {
    const before = searches().size
    const renamed = folder('renamed', 6, (genome) => ({
      ...genome,
      genes: genome.genes.map((gene, at) => (at === 0 ? { ...gene, symbol: `sym${genome.assembly}` } : gene)),
    }))
    await load('elsewhere', renamed)
    expect(searches().size).toBe(before)
    expect(hitsOf('elsewhere')).toEqual(hitsOf('loader'))
  }, 300_000)

  it('what no assembly has any more is swept, for all hosts', async () => {
    await runCommand(['remove', 'divided'], directoryOf('loader'), shared)
    await load('loader', folder('two', 2))
    expect(readdirSync(join(store.folder, 'portal/computed/homologs'))).toHaveLength(3)
  }, 300_000)

  it('a load that is stopped takes its pairs along', async () => {
    const loading = start('loader', ['load', folder('eight', 8)])
    const end = ended(loading)
    const open = () => askDatabase<{ worker: string | null }>('select worker from jobs where load is not null')
    await expect
      .poll(async () => (await open()).some(({ worker }) => worker?.includes(`/${first.pid}/`)), { timeout: 60_000 })
      .toBe(true)
    loading.kill('SIGTERM')
    await end
    await expect
      .poll(async () => (await open()).filter(({ worker }) => worker !== null).length, { timeout: 60_000 })
      .toBe(0)
  }, 300_000)
})
