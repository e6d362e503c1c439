import { spawnSync } from 'node:child_process'
import { appendFileSync, chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { type Database, openDatabase } from '../../src/database/connect.ts'
import { hasCeph, startCeph } from '../../src/testing/peers/ceph.ts'
import { type Host, isInOwnNetwork, type Network, openNetwork, thisMachine } from '../../src/testing/peers/hosts.ts'
import { startTestStore } from '../../src/testing/peers/object-store.ts'
import { type DatabaseName, findPorts, hasPatroni, startPatroni } from '../../src/testing/peers/patroni-cluster.ts'
import { hasSlurm, startSlurm } from '../../src/testing/peers/slurm-cluster.ts'
import { makeBases } from '../../src/testing/random.ts'
import { portalRoot, runCommand, startServer } from '../portal-command.ts'
import { findProxies, startProxy } from '../reverse-proxy.ts'

/** Tasks that Slurm runs at a time: a node has one processor. */
export const nodeCount = 4
/** Handed over at one time: those that run, and as many that wait. */
const taskCount = 2 * nodeCount
const downMs = 20_000
/** Longer than the primary keeps its place without etcd. */
const partMs = 40_000

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
  /** Of the proxy. */
  address: { host: string; port: number }
  /** An address of this machine that a visitor may come from; `number` from 1 to 250 says which. */
  visitorAt(number: number): string
  /** How the machines are joined. */
  network: string
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

/** Of the cluster's controller, its nodes as Slurm calls them, and all that is no part of the cluster. */
const hostNames = [
  ...['database-a', 'database-b', 'database-c', 'etcd', 'store', 'controller'],
  ...Array.from({ length: nodeCount }, (_, at) => `n${at + 1}`),
  ...['server-1', 'server-2', 'proxy'],
]

/** As between machines of one building, and of another. */
const near = { delayMs: 1, lossPercent: 0, megabitsPerSecond: 1_000 }
const far = { delayMs: 20, lossPercent: 0.5, megabitsPerSecond: 20 }
const farHost = 'server-2'

/** Hosts with links of their own, or without a network of its own everything on this machine. */
const openHosts = () => {
  if (!isInOwnNetwork())
    return {
      hostOf: (): Host => thisMachine,
      visitorAt: (number: number) => `127.0.1.${number}`,
      links: null,
      network: 'all on one loopback, for network namespaces cannot be had (root, iproute2, util-linux): no link is cut',
    }
  const links = openNetwork(hostNames)
  for (const name of hostNames) links.slow(name, name === farHost ? far : near)
  const { delayMs, lossPercent, megabitsPerSecond } = far
  const slowness = links.canDelay
    ? `delayed by ${near.delayMs} ms, that of ${farHost} by ${delayMs} ms with ${lossPercent} % of packets lost`
    : `of ${near.megabitsPerSecond} Mbit/s, that of ${farHost} of ${megabitsPerSecond}, for this kernel has no netem: none is delayed or loses packets`
  return {
    hostOf: links.host,
    visitorAt: links.addressOf,
    links,
    network: `${hostNames.length} network namespaces, links ${slowness}`,
  }
}

/**
 * All of a deployment on this machine: three nodes of PostgreSQL under Patroni, a store, a Slurm of four nodes, and two servers behind
 * HAProxy. Each server and each node has a data directory of its own, and each is a host of its own where that can be had.
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
    const { hostOf, visitorAt, links, network } = openHosts()
    const storeHost = hostOf('store')
    const store = await (hasCeph() ? startCeph(storeHost) : startTestStore(storeHost))
    closers.push(() => store.close())
    const databaseHost = (name: DatabaseName | 'etcd'): string => (name === 'etcd' ? name : `database-${name}`)
    const postgres = await startPatroni({ maxConnections: 400, hostOf: (name) => hostOf(databaseHost(name)) })
    closers.push(() => postgres.close())
    const slurm = await startSlurm({ nodes: nodeCount, cores: 1, dataDirectoriesIn: join(folder, 'nodes'), hostOf })
    closers.push(() => slurm.close())

    const { bucket, prefix, endpoint, credentials } = store.settingsAt(store.port)
    const settings: NodeJS.ProcessEnv = {
      ...slurm.environment,
      DATABASE_URL: postgres.url,
      NOVODB_S3_BUCKET: bucket,
      NOVODB_S3_PREFIX: prefix,
      NOVODB_S3_ENDPOINT: endpoint!,
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
      const own = { ...settings, PORT: String(ports[at]) }
      const server = await startServer(join(folder, name), own, portalRoot, hostOf(name))
      for (const stream of [server.child.stdout, server.child.stderr])
        stream.on('data', (text: Buffer) => appendFileSync(join(folder, `${name}.log`), text))
      servers[at] = server
    }
    closers.push(() => Promise.all([end(0, 'SIGTERM'), end(1, 'SIGTERM')]))
    await start(0)
    await start(1)
    const addresses = ports.map((port, at) => `${hostOf(`server-${at + 1}`).address}:${port}`)
    const proxy = await startProxy('haproxy', addresses, folder, hostOf('proxy'))
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
    /** What is killed answers that it is gone; behind a link that is cut there is silence. */
    const cutsOf = ({ cut, join: rejoin }: Pick<Network, 'cut' | 'join'>, round: number): Break[] => {
      const cutFor = async (name: string, ms: number, begins: () => void): Promise<void> => {
        begins()
        cut(name)
        await pause(ms)
        rejoin(name)
      }
      return [
        {
          name: 'link of a node with its job',
          slots: nodeCount - 1,
          async run(begins) {
            lastNode = await findBusyNode()
            // Longer than the lease of its job: another node has run it when this one is back.
            await cutFor(lastNode, partMs, begins)
            await slurm.waitForNode(lastNode)
          },
        },
        {
          name: `link of server ${(round % 2) + 1}`,
          slots: nodeCount,
          run: (begins) => cutFor(`server-${(round % 2) + 1}`, downMs, begins),
        },
        {
          name: 'link of the primary database',
          slots: 0,
          async run(begins) {
            const primary = await postgres.findPrimary()
            if (primary === null) throw new Error('there is no primary to be cut off')
            await cutFor(databaseHost(primary), partMs, begins)
            const deadline = performance.now() + 90_000
            while (!(await postgres.isReplica(primary)) || (await postgres.findPrimary()) === primary) {
              if (performance.now() > deadline) throw new Error('the old primary does not follow another')
              await pause(250)
            }
          },
        },
        { name: 'link of the store', slots: nodeCount, run: (begins) => cutFor('store', downMs, begins) },
      ]
    }
    const breaksOf = (round: number): Break[] => [
      ...(links === null ? [] : cutsOf(links, round)),
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
        name: 'store',
        slots: nodeCount,
        async run(begins) {
          begins()
          store.kill()
          await pause(downMs)
          await store.start()
        },
      },
    ]
    return {
      address: { host: hostOf('proxy').address, port: proxy.port },
      visitorAt,
      network,
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
