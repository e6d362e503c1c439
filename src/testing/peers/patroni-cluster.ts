import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { chmodSync, chownSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import os from 'node:os'
import { join } from 'node:path'
import { type Host, thisMachine } from './hosts.ts'

/** Where the programs of the newest PostgreSQL of the system are; null where there is none. */
export const binaries = (): string | null => {
  try {
    const [latest] = readdirSync('/usr/lib/postgresql').sort((a, b) => Number(b) - Number(a))
    return latest === undefined ? null : `/usr/lib/postgresql/${latest}/bin`
  } catch {
    return null
  }
}
/** Whether a program is on the search path. */
export const has = (program: string): boolean => spawnSync('sh', ['-c', 'command -v "$0"', program]).status === 0

/** Whether Patroni, etcd and PostgreSQL's own programs are here (Debian's packages patroni, etcd-server, postgresql). */
export const hasPatroni = ['patroni', 'etcd'].every(has) && binaries() !== null

export interface PatroniCluster {
  /** Of all nodes, as DATABASE_URL takes it. */
  url: string
  /** The node that takes writes; null while none does. */
  findPrimary(): Promise<DatabaseName | null>
  /** Whether the node follows the primary. */
  isReplica(name: DatabaseName): Promise<boolean>
  /** Ends a node's PostgreSQL and Patroni at once, as a power cut does. */
  kill(name: DatabaseName): void
  start(name: DatabaseName): void
  close(): Promise<void>
}

/** Ports of this machine that nobody listens on. */
export const findPorts = async (count: number): Promise<number[]> => {
  const servers = await Promise.all(
    Array.from(
      { length: count },
      () =>
        new Promise<ReturnType<typeof createServer>>((resolve, reject) => {
          const server = createServer().once('error', reject)
          server.listen(0, '127.0.0.1', () => resolve(server))
        }),
    ),
  )
  const ports = servers.map((server) => (server.address() as { port: number }).port)
  await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))))
  return ports
}

/** The user that PostgreSQL runs as: it refuses root. */
export const findUser = (): { uid: number; gid: number } | null => {
  if (process.getuid?.() !== 0) return null
  const [, , uid, gid] = /^postgres:.*$/m.exec(readFileSync('/etc/passwd', 'utf8'))?.[0].split(':') ?? []
  if (uid === undefined) throw new Error('there is no user postgres')
  return { uid: Number(uid), gid: Number(gid) }
}

const databaseNames = ['a', 'b', 'c'] as const
export type DatabaseName = (typeof databaseNames)[number]

/** Three nodes of PostgreSQL under Patroni, with one etcd: what is acknowledged is on two of them. */
export const startPatroni = async ({
  maxConnections = 200,
  hostOf = () => thisMachine,
}: {
  maxConnections?: number
  hostOf?: (name: DatabaseName | 'etcd') => Host
} = {}): Promise<PatroniCluster> => {
  const folder = mkdtempSync(join(os.tmpdir(), 'novodb-patroni-'))
  const user = findUser()
  chmodSync(folder, 0o755)
  const names = databaseNames
  const etcdAddress = hostOf('etcd').address
  const ports = await findPorts(2 + 2 * names.length)
  const [etcdPort, peerPort] = ports as [number, number]
  const children = new Map<string, ChildProcess>()
  const password = 'patroni test'
  const etcd = spawn(
    ...hostOf('etcd').command('etcd', [
      `--data-dir=${folder}/etcd`,
      `--listen-client-urls=http://${etcdAddress}:${etcdPort}`,
      `--advertise-client-urls=http://${etcdAddress}:${etcdPort}`,
      `--listen-peer-urls=http://${etcdAddress}:${peerPort}`,
      `--initial-advertise-peer-urls=http://${etcdAddress}:${peerPort}`,
      `--initial-cluster=default=http://${etcdAddress}:${peerPort}`,
    ]),
    { stdio: 'ignore' },
  )
  const portOf = (name: DatabaseName): number => ports[2 + names.indexOf(name)]!
  const restPortOf = (name: DatabaseName): number => ports[2 + names.length + names.indexOf(name)]!
  const serverOf = (name: DatabaseName): string => `${hostOf(name).address}:${portOf(name)}`
  const restOf = (name: DatabaseName): string => `${hostOf(name).address}:${restPortOf(name)}`
  for (const name of names) {
    mkdirSync(join(folder, name))
    writeFileSync(
      join(folder, name, 'patroni.yml'),
      `scope: novodb
name: ${name}
restapi: { listen: "${restOf(name)}", connect_address: "${restOf(name)}" }
etcd3: { host: "${etcdAddress}:${etcdPort}" }
bootstrap:
  dcs:
    ttl: 20
    loop_wait: 5
    retry_timeout: 5
    synchronous_mode: true
    postgresql:
      use_pg_rewind: true
      parameters: { max_connections: ${maxConnections}, fsync: "off" }
  initdb: [ { encoding: UTF8 }, { locale: C.UTF-8 }, data-checksums ]
postgresql:
  listen: "${serverOf(name)}"
  connect_address: "${serverOf(name)}"
  data_dir: ${folder}/${name}/data
  bin_dir: ${binaries()}
  pgpass: ${folder}/${name}/pgpass
  parameters: { unix_socket_directories: "${folder}/${name}" }
  pg_hba: [ "host all all samenet scram-sha-256", "host replication all samenet scram-sha-256" ]
  authentication:
    superuser: { username: novodb, password: "${password}" }
    replication: { username: replicator, password: "${password}" }
    rewind: { username: rewinder, password: "${password}" }
`,
      { mode: 0o600 },
    )
    if (user !== null)
      for (const path of [join(folder, name), join(folder, name, 'patroni.yml')]) chownSync(path, user.uid, user.gid)
  }
  const start = (name: DatabaseName): void => {
    children.set(
      name,
      spawn(...hostOf(name).command('patroni', [join(folder, name, 'patroni.yml')], user), {
        stdio: 'ignore',
        detached: true,
        cwd: join(folder, name),
        env: { PATH: process.env.PATH, LC_ALL: 'C.UTF-8', HOME: join(folder, name) },
      }),
    )
  }
  const kill = (name: DatabaseName): void => {
    children.get(name)?.kill('SIGKILL')
    try {
      const [pid] = readFileSync(join(folder, name, 'data/postmaster.pid'), 'utf8').split('\n')
      // PostgreSQL's own processes find out by themselves that it is gone.
      process.kill(Number(pid), 'SIGKILL')
    } catch {
      // It is gone.
    }
  }
  const ask = (name: DatabaseName, what: string): Promise<Response | null> =>
    fetch(`http://${restOf(name)}/${what}`, { signal: AbortSignal.timeout(1_000) }).catch(() => null)
  const isPrimary = async (name: DatabaseName): Promise<boolean> => {
    const answer = await ask(name, 'primary')
    return answer?.status === 200
  }
  const findPrimary = async (): Promise<DatabaseName | null> => {
    for (const name of names) if (await isPrimary(name)) return name
    return null
  }
  const isReplica = async (name: DatabaseName): Promise<boolean> => {
    const answer = await ask(name, 'replica')
    return answer?.status === 200
  }
  const waitFor = async (what: string, check: () => Promise<boolean>): Promise<void> => {
    const deadline = performance.now() + 90_000
    while (!(await check())) {
      if (performance.now() > deadline) throw new Error(`Patroni: ${what} did not come up`)
      await new Promise((resolve) => setTimeout(resolve, 250))
    }
  }
  const cluster: PatroniCluster = {
    url: `postgresql://novodb:${encodeURIComponent(password)}@${names.map(serverOf).join(',')}/novodb`,
    findPrimary,
    isReplica,
    kill,
    start,
    async close() {
      for (const name of names) kill(name)
      etcd.kill('SIGKILL')
      await new Promise((resolve) => setTimeout(resolve, 500))
      rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 })
    },
  }
  start('a')
  await waitFor('the primary', async () => (await findPrimary()) === 'a')
  start('b')
  start('c')
  await waitFor('the replicas', async () => (await isReplica('b')) && (await isReplica('c')))
  const made = spawnSync(
    `${binaries()}/psql`,
    [
      '-h',
      hostOf('a').address,
      '-p',
      String(portOf('a')),
      '-U',
      'novodb',
      '-d',
      'postgres',
      '-c',
      "create database novodb encoding 'UTF8' template template0",
    ],
    { env: { PGPASSWORD: password }, encoding: 'utf8' },
  )
  if (made.status !== 0) throw new Error(made.stderr)
  return cluster
}
