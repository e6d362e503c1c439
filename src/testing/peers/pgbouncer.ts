import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { chmodSync, chownSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { binaries, findPorts, findUser, has } from './patroni-cluster.ts'

/** Whether PgBouncer and PostgreSQL's own programs are here (Debian's packages pgbouncer, postgresql). */
export const hasPgbouncer = has('pgbouncer') && binaries() !== null

export interface PooledDatabase {
  /** Through PgBouncer, which hands out sessions. */
  url: string
  /** Ends PgBouncer with all that go through it, and starts it anew. */
  restartPgbouncer(): Promise<void>
  close(): Promise<void>
}

/** One PostgreSQL behind PgBouncer, as docs/several-servers.en.md sets it up, on this machine. */
export const startPooledDatabase = async (): Promise<PooledDatabase> => {
  const folder = mkdtempSync(join(os.tmpdir(), 'novodb-pgbouncer-'))
  const user = findUser()
  const bin = binaries()!
  const [port, pooledPort] = (await findPorts(2)) as [number, number]
  const password = 'pgbouncer test'
  const own = (path: string): void => {
    if (user !== null) chownSync(path, user.uid, user.gid)
  }
  const write = (name: string, text: string): string => {
    const path = join(folder, name)
    writeFileSync(path, text, { mode: 0o600 })
    own(path)
    return path
  }
  chmodSync(folder, 0o755)
  own(folder)
  const options = { ...(user ?? {}), cwd: folder, env: { PATH: process.env.PATH, LC_ALL: 'C.UTF-8', HOME: folder } }
  const cluster = join(folder, 'data')
  execFileSync(
    join(bin, 'initdb'),
    [
      '-D',
      cluster,
      '-U',
      'novodb',
      '-E',
      'UTF8',
      '--no-sync',
      '-A',
      'scram-sha-256',
      '--pwfile',
      write('password', password),
    ],
    { ...options, stdio: 'ignore' },
  )
  const server = spawn(
    join(bin, 'postgres'),
    ['-D', cluster, '-k', folder, '-p', String(port), '-c', 'listen_addresses=127.0.0.1', '-c', 'fsync=off'],
    { ...options, stdio: 'ignore' },
  )
  const settings = write(
    'pgbouncer.ini',
    `[databases]
novodb = host=127.0.0.1 port=${port} dbname=postgres

[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${pooledPort}
unix_socket_dir =
auth_type = scram-sha-256
auth_file = ${write('userlist.txt', `"novodb" "${password}"\n`)}
pool_mode = session
default_pool_size = 90
max_client_conn = 200
`,
  )
  let pgbouncer: ChildProcess
  const url = `postgres://novodb:${encodeURIComponent(password)}@127.0.0.1:${pooledPort}/novodb`
  const start = (): void => {
    pgbouncer = spawn('pgbouncer', [settings], { ...options, stdio: 'ignore' })
  }
  const end = async (child: ChildProcess, signal: NodeJS.Signals): Promise<void> => {
    const ended = child.exitCode !== null || new Promise((done) => child.once('exit', done))
    child.kill(signal)
    await ended
  }
  // PgBouncer takes nobody before its server has answered once.
  for (let attempt = 1; ; attempt += 1) {
    try {
      execFileSync(join(bin, 'pg_isready'), ['-h', '127.0.0.1', '-p', String(port)], { ...options, stdio: 'ignore' })
      break
    } catch (error) {
      if (attempt === 100) throw error
      await pause(100)
    }
  }
  start()
  return {
    url,
    restartPgbouncer: async () => {
      await end(pgbouncer, 'SIGKILL')
      start()
    },
    close: async () => {
      await end(pgbouncer, 'SIGKILL')
      // At once, also of sessions that are left.
      await end(server, 'SIGINT')
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
