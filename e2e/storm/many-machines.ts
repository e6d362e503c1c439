import { spawnSync } from 'node:child_process'
import { appendFileSync, chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { type Database, openDatabase } from '../../src/database/connect.ts'
import { hasCeph, startCeph } from '../../src/testing/ceph.ts'
import { openLine, startTestStore } from '../../src/testing/object-store.ts'
import { findPorts, hasPatroni, startPatroni } from '../../src/testing/patroni-cluster.ts'
import { makeBases } from '../../src/testing/random.ts'
import { hasSlurm, startSlurm } from '../../src/testing/slurm-cluster.ts'
import { runCommand, startServer } from '../portal-command.ts'
import { findProxies, startProxy } from '../reverse-proxy.ts'

/** Tasks that Slurm runs at a time: a node has one processor. */
export const nodeCount = 4
/** Handed over at one time: those that run, and as many that wait. */
const taskCount = 2 * nodeCount
const downMs = 20_000

export const geneNames = Array.from({ length: 60 }, (_, at) => `storm${at + 1}`)
const geneSpacingBp = 1_500

/** What is broken, and mended again when `run` resolves. */
export interface Break {
  name: string
  /** Slots for jobs that are left meanwhile. */
  slots: number
  /** Calls `begins` when the time of the break begins. */
  run(begins: () => void): Promise<void>
}

export interface ManyMachines {
  /** Of the proxy, on 127.0.0.1. */
  port: number
  database: Database
  genome: string
  /** The store that was started, by name. */
  store: string
  /** One round of breaks; the servers take turns. */
  breaksOf(round: number): Break[]
  /** Ends everything; files are left where they are for whoever looks for the reason of a failure. */
  close(keepFiles?: boolean): Promise<void>
  folder: string
}

/** Packages that are missing on this machine; none: the storm can be had. */
export const missingForStorm = (): string[] => [
  ...(hasSlurm ? [] : ['slurm-wlm', 'munge']),
  ...(hasPatroni ? [] : ['patroni', 'etcd-server', 'postgresql']),
  ...(findProxies().includes('haproxy') ? [] : ['haproxy']),
  ...(spawnSync('blastn', ['-version']).error === undefined ? [] : ['ncbi-blast+']),
]

const writeSpecies = (folder: string, genome: string): void => {
  mkdirSync(folder)
  writeFileSync(join(folder, 'genome.fa'), `>chr1\n${genome.match(/.{1,60}/g)!.join('\n')}\n`)
  const genes = geneNames.map(
    (name, at) => `chr1\t.\tCDS\t${1 + at * geneSpacingBp}\t${300 + at * geneSpacingBp}\t.\t+\t0\tID=${name}`,
  )
  writeFileSync(join(folder, 'genes.gff3'), `##gff-version 3\n${genes.join('\n')}\n`)
  writeFileSync(
    join(folder, 'species.yaml'),
    'novodb: 1\nspecies: stormy\nname: In a storm\nassemblies:\n  - { id: STO1, genome: genome.fa, genes: genes.gff3 }\n',
  )
}

/**
 * All of a deployment on this machine: three nodes of PostgreSQL under Patroni, a store behind a line that can be cut, a Slurm of four
 * nodes, and two servers behind HAProxy. Each server and each node has a data directory of its own.
 */
export const startManyMachines = async (): Promise<ManyMachines> => {
  const folder = mkdtempSync(join(tmpdir(), 'novodb-storm-'))
  chmodSync(folder, 0o755)
  const closers: (() => unknown)[] = []
  const close = async (keepFiles = false): Promise<void> => {
    for (const one of closers.splice(0).reverse()) await Promise.resolve(one()).catch(() => undefined)
    if (!keepFiles) rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 })
  }
  try {
    const store = hasCeph() ? await startCeph() : await startTestStore()
    closers.push(() => store.close())
    const line = await openLine(store.port)
    closers.push(() => line.close())
    const postgres = await startPatroni({ maxConnections: 400 })
    closers.push(() => postgres.close())
    const slurm = await startSlurm({ nodes: nodeCount, cores: 1, dataDirectoriesIn: join(folder, 'nodes') })
    closers.push(() => slurm.close())

    const { bucket, prefix, credentials } = store.settingsAt(line.port)
    const settings: NodeJS.ProcessEnv = {
      ...slurm.environment,
      DATABASE_URL: postgres.url,
      NOVODB_S3_BUCKET: bucket,
      NOVODB_S3_PREFIX: prefix,
      NOVODB_S3_ENDPOINT: `http://127.0.0.1:${line.port}`,
      NOVODB_S3_ACCESS_KEY_ID: credentials!.accessKeyId,
      NOVODB_S3_SECRET_ACCESS_KEY: credentials!.secretAccessKey,
      NOVODB_SLURM: `partition=main tasks=${taskCount} blast.cores=1 blast.memory=1`,
      NOVODB_WORKERS: '0',
      NOVODB_ANSWER_PROCESSES: '1',
      NOVODB_TRUST_PROXY: 'true',
      NOVODB_DRAIN: '3',
      NOVODB_LOG_LEVEL: 'info',
    }
    const genome = makeBases(geneNames.length * geneSpacingBp, 9)
    writeSpecies(join(folder, 'species'), genome)
    await runCommand(['load', join(folder, 'species')], join(folder, 'loader'), settings)

    const ports = await findPorts(2)
    const servers: Awaited<ReturnType<typeof startServer>>[] = []
    const end = async (at: number, signal: NodeJS.Signals): Promise<void> => {
      const { child } = servers[at] ?? {}
      if (child === undefined || child.exitCode !== null || child.signalCode !== null) return
      const ended = new Promise((done) => child.once('exit', done))
      child.kill(signal)
      const timer = setTimeout(() => child.kill('SIGKILL'), 20_000)
      await ended
      clearTimeout(timer)
    }
    const start = async (at: number): Promise<void> => {
      const name = `server-${at + 1}`
      const server = await startServer(join(folder, name), { ...settings, PORT: String(ports[at]) })
      for (const stream of [server.child.stdout, server.child.stderr])
        stream.on('data', (text: Buffer) => appendFileSync(join(folder, `${name}.log`), text))
      servers[at] = server
    }
    closers.push(() => Promise.all([end(0, 'SIGTERM'), end(1, 'SIGTERM')]))
    await start(0)
    await start(1)
    const proxy = await startProxy('haproxy', ports, folder)
    closers.push(() => proxy.child.kill('SIGKILL'))
    const silent = { info: () => undefined, warn: () => undefined, error: () => undefined }
    const database = await openDatabase({
      databaseUrl: postgres.url,
      dataDir: folder,
      applicationName: 'storm',
      max: 2,
      statementTimeoutMs: 20_000,
      log: silent,
    })
    closers.push(() => database.close())

    /** A node on which a job runs at this moment, other than that of the last time. */
    const findBusyNode = async (): Promise<string> => {
      const deadline = performance.now() + 60_000
      while (performance.now() < deadline) {
        const running = await database.sql<{ id: string }[]>`select id from jobs where state = 'running'`
        const tasks = (await slurm.ask('squeue', '--noheader', '--format=%N|%j')).split('\n')
        const nodes = running.flatMap(({ id }) => tasks.find((task) => task.includes(id))?.split('|')[0] ?? [])
        const node = nodes.find((name) => name !== '' && name !== lastNode)
        if (node !== undefined) return node
        await pause(100)
      }
      throw new Error('no job has run on a node for a minute')
    }
    let lastNode = ''
    const breakNode = (name: string): Break => ({
      name,
      slots: nodeCount - 1,
      async run(begins) {
        lastNode = await findBusyNode()
        begins()
        const node = lastNode
        slurm.killNode(node)
        await pause(downMs)
        await slurm.startNode(node)
      },
    })
    const breakServer = (at: number): Break => ({
      name: `server ${at + 1}`,
      slots: nodeCount,
      async run(begins) {
        begins()
        await end(at, 'SIGKILL')
        await pause(5_000)
        await start(at)
      },
    })
    const breaksOf = (round: number): Break[] => [
      breakNode('a node with its job'),
      breakNode('another node with its job'),
      {
        name: 'slurmctld',
        slots: 0,
        async run(begins) {
          begins()
          slurm.killController()
          await pause(downMs)
          await slurm.startController()
        },
      },
      breakServer((round + 1) % 2),
      {
        name: 'primary database',
        slots: 0,
        async run(begins) {
          const primary = await postgres.findPrimary()
          if (primary === null) throw new Error('there is no primary to be killed')
          begins()
          postgres.kill(primary)
          const deadline = performance.now() + 90_000
          for (let now: string | null = primary; now === null || now === primary; now = await postgres.findPrimary()) {
            if (performance.now() > deadline) throw new Error('no other node has become the primary')
            await pause(250)
          }
          postgres.start(primary)
        },
      },
      {
        name: 'line to the store',
        slots: nodeCount,
        async run(begins) {
          begins()
          line.cut()
          await pause(downMs)
          line.restore()
        },
      },
    ]
    return {
      port: proxy.port,
      database,
      genome,
      store: hasCeph() ? "Ceph's radosgw" : 's3rver',
      breaksOf,
      close,
      folder,
    }
  } catch (error) {
    await close()
    throw error
  }
}
