import { type ChildProcessByStdio, spawn } from 'node:child_process'
import fs from 'node:fs'
import net from 'node:net'
import os from 'node:os'
import path from 'node:path'
import type { Readable, Writable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { DatabaseError, type DatabaseLog, reasonOf } from '../driver/database-error.ts'
import {
  type ClusterLocation,
  chooseLocation,
  createDataDirectory,
  createSocketDirectory,
  isRoot,
  listSocketDirectories,
  readOrCreatePassword,
  removeOrphanedClusters,
} from './location.ts'
import { checkClusterVersion, copyPrograms, findPackagedPrograms, type PackagedPrograms } from './programs.ts'
import { findMemoryBytes, renderSettings } from './settings.ts'

/**
 * The private PostgreSQL: what a portal uses that was given no database of its own. This file is the client's side; the
 * process that owns PostgreSQL is guard.mjs.
 *
 * In the data directory: `postgresql/` the cluster, `postgresql-programs/<version>/` its programs, `run/` the sockets,
 * `postgresql-password`, `postgresql.log`. Nothing listens on TCP.
 */

/** Of this process before it stepped behind others, where it did (jobs/process-priority.ts). */
const priorityAtStart = os.getPriority()
const lowPriorityMs = 3_000

/** A place on the private server, held until `leave`; while it is held, PostgreSQL runs. */
export interface PrivateServer {
  /** Of the unix socket; PostgreSQL's own is `.s.PGSQL.<port>` in it. */
  socketDirectory: string
  port: number
  role: string
  database: string
  password: string
  /** What holds the cluster. */
  directory: string
  /** With `waitForStop`, the last to leave returns when PostgreSQL has stopped; else it stops a little later on its own. */
  leave(options?: { waitForStop?: boolean }): Promise<void>
}

interface GuardMessage {
  state: 'starting' | 'ready' | 'down' | 'stopping' | 'failed'
  reason: string
  guardPid: number
  postgresPid: number
}

const role = 'novodb'
const databaseName = 'novodb'
const port = 5432
/** Commands of a script follow each other faster than this, so that each need not start PostgreSQL anew. */
const lingerMs = 2_000

/**
 * Joins the private server of a data directory, starting it if nobody has; returns when it takes connections.
 * Throws DatabaseError: UNSUPPORTED_SYSTEM where no programs are packaged or they do not run, DATA_DIRECTORY when the
 * directory belongs to someone else, PRIVATE_SERVER_FAILED with PostgreSQL's own reason.
 */
export async function joinPrivateServer(options: {
  dataDir: string
  log: DatabaseLog
  durable?: boolean
}): Promise<PrivateServer> {
  const { log, durable = true } = options
  const dataDir = createDataDirectory(options.dataDir)
  const packaged = findPackagedPrograms()
  const location = chooseLocation(dataDir, log)
  if (isRoot()) removeOrphanedClusters(log)
  checkClusterVersion(location, packaged.version)
  const password = readOrCreatePassword(dataDir)
  const socketDirectories = listSocketDirectories(location, port)

  let left = false
  let socket: net.Socket | undefined
  const join = async () => {
    const reached = await reachGuard(socketDirectories, () =>
      startGuard({ dataDir, location, packaged, password, socketDirectories, durable }),
    )
    socket = reached.socket
    await waitUntilReady(reached.socket, path.join(dataDir, 'postgresql.log'), log)
    return reached
  }
  const joinPersistently = async () => {
    for (let attempt = 1; ; attempt++) {
      try {
        return await join()
      } catch (error) {
        // A guard that ended while we waited for it; another takes its place.
        if (!(error instanceof GuardGone) || attempt >= 20) throw error
        await pause(50 * attempt)
      }
    }
  }
  let rejoining: Promise<void> | undefined
  const rejoin = async () => {
    log.warn('the guard of the private PostgreSQL is gone; bringing another')
    // One of low priority would give it to the guard, and that to all of PostgreSQL: it waits for another process to come first.
    if (os.getPriority() > priorityAtStart) await pause(lowPriorityMs, { keepAlive: false })
    for (let attempt = 1; !left; attempt++) {
      try {
        const again = await joinPersistently()
        if (left) again.socket.destroy()
        else keepJoined(again.socket)
        return
      } catch (error) {
        if (!left) log.error(`no guard for the private PostgreSQL: ${reasonOf(error)}`)
        await pause(Math.min(5_000, 200 * 2 ** attempt), { keepAlive: false })
      }
    }
  }
  const keepJoined = (current: net.Socket) => {
    // The connection alone shall not keep a finished program alive.
    current.unref()
    current.once('close', () => {
      if (!left) rejoining = rejoin()
    })
  }
  const joined = await joinPersistently()
  keepJoined(joined.socket)

  return {
    socketDirectory: joined.directory,
    directory: location.base,
    port,
    role,
    database: databaseName,
    password,
    async leave({ waitForStop = false } = {}) {
      if (left) return
      // A guard that is being replaced has nobody yet whom to ask for the stop.
      if (waitForStop && rejoining) await Promise.race([rejoining, pause(10_000, { keepAlive: false })])
      left = true
      const current = socket
      if (!current || current.destroyed) return
      if (!waitForStop) {
        current.destroy()
        return
      }
      current.ref()
      await new Promise<void>((resolve) => {
        current.once('close', () => resolve())
        current.write(`${JSON.stringify({ leave: 'now' })}\n`)
      })
    },
  }
}

// --- the guard -----------------------------------------------------------------------------------------------------------

/** The guard ended before PostgreSQL was ready. */
class GuardGone extends Error {}

interface GuardStart {
  durable: boolean
  dataDir: string
  location: ClusterLocation
  packaged: PackagedPrograms
  password: string
  socketDirectories: string[]
}

/** Starts a guard of its own session, and returns when it listens or has found another. */
async function startGuard(start: GuardStart): Promise<void> {
  const { dataDir, location, password } = start
  const programs = copyPrograms(start.packaged, location)
  const socketDirectory = await createSocketDirectory(start.socketDirectories, location)
  const logFile = path.join(dataDir, 'postgresql.log')
  const logHandle = openLog(logFile, dataDir)
  const guard = spawn(process.execPath, [fileURLToPath(new URL('./guard.mjs', import.meta.url))], {
    cwd: '/',
    env: { PATH: '/usr/local/bin:/usr/bin:/bin' },
    detached: true,
    stdio: ['pipe', 'pipe', logHandle ?? 'ignore'],
  }) as ChildProcessByStdio<Writable, Readable, null>
  if (logHandle !== null) fs.closeSync(logHandle)
  guard.unref()
  try {
    const answer = await new Promise<string>((resolve, reject) => {
      guard.once('error', reject)
      let text = ''
      guard.stdout.on('data', (part: Buffer) => {
        text += part.toString()
        if (text.includes('\n')) resolve(text.trim())
      })
      guard.once('exit', (code, signal) => resolve(text.trim() || `error ended by ${signal ?? `code ${code}`}`))
      guard.stdin.on('error', () => {})
      // On standard input, since arguments and environments of processes can be read by others.
      guard.stdin.end(
        JSON.stringify({
          cluster: location.cluster,
          programs,
          socketDirectory,
          port,
          account: location.account,
          logFile,
          settings: renderSettings(findMemoryBytes(), start.durable),
          role,
          database: databaseName,
          password,
          lingerMs,
        }),
      )
    })
    if (answer.startsWith('error')) {
      throw new DatabaseError(
        'PRIVATE_SERVER_FAILED',
        `The guard of the private PostgreSQL did not start: ${answer.slice(6)}. See ${logFile}.`,
      )
    }
  } finally {
    guard.stdout.destroy()
    guard.removeAllListeners()
  }
}

function openLog(file: string, dataDir: string): number | null {
  try {
    // Never through a link: as root this would write wherever it points.
    const { O_APPEND, O_CREAT, O_NOFOLLOW, O_WRONLY } = fs.constants
    const handle = fs.openSync(file, O_APPEND | O_CREAT | O_NOFOLLOW | O_WRONLY, 0o600)
    const { uid, gid } = fs.statSync(dataDir)
    if (isRoot()) fs.fchownSync(handle, uid, gid)
    return handle
  } catch {
    // A full disk. PostgreSQL may still start and then has something to say that nobody will read.
    return null
  }
}

/** Connects to the living guard, having one started where there is none. */
async function reachGuard(
  directories: string[],
  start: () => Promise<void>,
): Promise<{ socket: net.Socket; directory: string }> {
  for (let attempt = 0; ; attempt++) {
    for (const directory of directories) {
      for (const socketPath of listGuardSockets(directory)) {
        const socket = await connectTo(socketPath)
        if (socket) return { socket, directory }
      }
    }
    if (attempt === 20)
      throw new DatabaseError('PRIVATE_SERVER_FAILED', 'No guard of the private PostgreSQL stays alive.')
    // Two that gave way to each other must not meet again.
    if (attempt > 0) await pause(Math.random() * 50 * attempt)
    await start()
  }
}

function listGuardSockets(directory: string): string[] {
  const numberOf = (name: string) => Number(/^guard-(\d+)\.sock$/.exec(name)?.[1] ?? -1)
  try {
    const names = fs.readdirSync(directory).filter((name) => numberOf(name) > 0)
    return names.sort((a, b) => numberOf(b) - numberOf(a)).map((name) => path.join(directory, name))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
    throw new DatabaseError(
      'DATA_DIRECTORY',
      `The directory of PostgreSQL's sockets cannot be read: ${reasonOf(error)}`,
    )
  }
}

function connectTo(socketPath: string): Promise<net.Socket | null> {
  return new Promise((resolve) => {
    const socket = net.connect(socketPath)
    socket.once('connect', () => {
      socket.removeAllListeners('error')
      // A killed guard shows as an error or a plain end; 'close' follows either.
      socket.on('error', () => {})
      resolve(socket)
    })
    socket.once('error', () => resolve(null))
  })
}

/** Waits for the guard's word that PostgreSQL is ready, and logs what becomes of it afterwards. */
function waitUntilReady(socket: net.Socket, logFile: string, log: DatabaseLog): Promise<void> {
  return new Promise((resolve, reject) => {
    let ready = false
    let text = ''
    socket.on('close', () => {
      if (!ready) reject(new GuardGone('the guard ended'))
    })
    socket.on('data', (part: Buffer) => {
      text += part.toString()
      const lines = text.split('\n')
      text = lines.pop() ?? ''
      for (const line of lines) {
        const message = JSON.parse(line) as GuardMessage
        if (message.state === 'ready') {
          if (ready) log.info('PostgreSQL runs again')
          ready = true
          resolve()
        } else if (message.state === 'failed') {
          reject(
            new DatabaseError('PRIVATE_SERVER_FAILED', `PostgreSQL does not start: ${message.reason}. See ${logFile}.`),
          )
          socket.destroy()
        } else if (message.state === 'down') {
          log.error(`PostgreSQL is down and is being started again: ${message.reason}`)
        } else if (message.state === 'starting' && message.reason) {
          log.warn(`PostgreSQL is not up yet: ${message.reason}`)
        }
      }
    })
  })
}

function pause(ms: number, { keepAlive = true } = {}): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms)
    if (!keepAlive) timer.unref()
  })
}
