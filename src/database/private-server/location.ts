import { spawnSync } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import fs from 'node:fs'
import net from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { DatabaseError, type DatabaseLog, reasonOf } from '../driver/database-error.ts'

/** Where the private PostgreSQL's files and sockets lie, and as whom it runs. */

export interface Account {
  uid: number
  gid: number
}

/** Where the cluster lives: the data directory, or a directory of the system when PostgreSQL's account cannot reach that. */
export interface ClusterLocation {
  base: string
  cluster: string
  account: Account | null
}

/** sun_path holds 104 bytes on macOS and 108 on Linux (unix(4), unix(7)), the closing zero byte included. */
const socketPathLimitBytes = 103
const systemLocation = '/var/lib/novodb'
const locationRecord = 'novodb-place.json'

export const isRoot = () => process.getuid?.() === 0

/** Makes the directory and what is missing above it, and returns its real path, by which all processes agree on its sockets. */
export function createDataDirectory(dataDir: string): string {
  try {
    const first = fs.mkdirSync(dataDir, { recursive: true })
    const real = fs.realpathSync(dataDir)
    // Parents that this call made are ours to open: under a strict umask the server's account could not pass them.
    if (first && isRoot()) {
      const top = fs.realpathSync(first)
      for (let parent = path.dirname(real); parent.length >= top.length; parent = path.dirname(parent)) {
        fs.chmodSync(parent, (fs.statSync(parent).mode & 0o777) | 0o011)
      }
    }
    return real
  } catch (error) {
    throw new DatabaseError('DATA_DIRECTORY', `The data directory ${dataDir} cannot be made: ${reasonOf(error)}`)
  }
}

/**
 * As an ordinary user everything is that user's, in the data directory. PostgreSQL refuses to run as root, so root's server
 * runs as the owner of an existing cluster, else as the data directory's owner, else as a system account of its own, and the
 * cluster moves to the system's directory when that account cannot reach the data directory (under a closed home).
 */
export function chooseLocation(dataDir: string, log: DatabaseLog): ClusterLocation {
  const recorded = readLocationRecord(dataDir)
  const base = recorded ?? dataDir
  const cluster = path.join(base, 'postgresql')
  const owner = statOrNull(cluster)
  if (!isRoot()) {
    const uid = process.getuid?.() ?? -1
    const holder = owner ?? statOrNull(dataDir)
    if (holder && holder.uid !== uid) {
      throw new DatabaseError(
        'DATA_DIRECTORY',
        `The data directory ${dataDir} belongs to user ${holder.uid}, this process runs as user ${uid}. Run as its owner or choose another directory.`,
      )
    }
    return { base, cluster, account: null }
  }

  const directoryOwner = fs.statSync(dataDir)
  let account: Account
  if (owner && owner.uid !== 0) account = { uid: owner.uid, gid: owner.gid }
  else if (directoryOwner.uid !== 0) account = { uid: directoryOwner.uid, gid: directoryOwner.gid }
  else account = findServiceAccount()
  if (owner && owner.uid === 0) {
    log.warn(`the cluster in ${cluster} belongs to root, as after a copy; giving it to user ${account.uid}`)
    giveTree(cluster, account)
  }
  if (recorded) return { base, cluster, account }

  if (!canEnter(dataDir, account) && directoryOwner.uid === 0) {
    // The group's right to pass, no more: what lies in the directory stays closed to everybody else.
    fs.chownSync(dataDir, 0, account.gid)
    fs.chmodSync(dataDir, (directoryOwner.mode & 0o777) | 0o010)
  }
  if (canEnter(dataDir, account)) return { base: dataDir, cluster, account }
  if (owner) {
    throw new DatabaseError(
      'DATA_DIRECTORY',
      `User ${account.uid}, who owns the database in ${cluster}, cannot enter that directory. Open its parents or run as that user.`,
    )
  }

  const hidden = path.join(systemLocation, hashOf(dataDir))
  fs.mkdirSync(hidden, { recursive: true, mode: 0o755 })
  for (const directory of [systemLocation, hidden]) fs.chmodSync(directory, 0o755)
  fs.writeFileSync(path.join(hidden, locationRecord), JSON.stringify({ dataDir }), { mode: 0o644 })
  fs.writeFileSync(path.join(dataDir, locationRecord), JSON.stringify({ base: hidden }), { mode: 0o644 })
  log.info(`PostgreSQL's account cannot enter ${dataDir}; its files are in ${hidden}`)
  return { base: hidden, cluster: path.join(hidden, 'postgresql'), account }
}

/** The directory that an earlier start recorded; follows a data directory that was moved, refuses one that was copied. */
function readLocationRecord(dataDir: string): string | null {
  const base = readJson(path.join(dataDir, locationRecord))?.base
  if (typeof base !== 'string') return null
  const home = readJson(path.join(base, locationRecord))?.dataDir
  if (typeof home !== 'string') {
    throw new DatabaseError(
      'DATA_DIRECTORY',
      `The database of ${dataDir} was in ${base}, which is gone or not readable to this user.`,
    )
  }
  if (home === dataDir) return base
  if (readJson(path.join(home, locationRecord))?.base === base) {
    throw new DatabaseError(
      'DATA_DIRECTORY',
      `${dataDir} is a copy of ${home}, whose database is in ${base}: two portals cannot share it. Delete ${path.join(dataDir, locationRecord)} to start empty, and restore a backup.`,
    )
  }
  fs.writeFileSync(path.join(base, locationRecord), JSON.stringify({ dataDir }))
  return base
}

/** A cluster of a temporary data directory that is gone is removed when nobody has used it for this long. */
const orphanAgeMs = 7 * 86_400_000

/**
 * Looks through the system's directory for clusters whose data directory is gone. One that was in a temporary directory, does not run
 * and has long not been used is removed; any other may belong to a data directory that was moved or is not mounted now, and is only
 * named. Returns what was removed and what was named.
 */
export function removeOrphanedClusters(
  log: DatabaseLog,
  options: { directory?: string; temporaryDirectories?: readonly string[]; nowMs?: number } = {},
): { removed: string[]; kept: string[] } {
  const {
    directory = systemLocation,
    temporaryDirectories = ['/tmp', '/var/tmp', os.tmpdir()],
    nowMs = Date.now(),
  } = options
  const removed: string[] = []
  const kept: string[] = []
  const names = fs.existsSync(directory) ? fs.readdirSync(directory) : []
  for (const name of names) {
    const base = path.join(directory, name)
    // Only what an earlier start made and recorded as its own.
    const dataDir = /^[0-9a-f]{16}$/.test(name) ? readJson(path.join(base, locationRecord))?.dataDir : undefined
    if (typeof dataDir !== 'string' || !path.isAbsolute(dataDir) || fs.existsSync(dataDir)) continue
    const isTemporary = temporaryDirectories.some((parent) => dataDir.startsWith(`${path.resolve(parent)}/`))
    // PostgreSQL writes this file at every checkpoint and when it stops.
    const used = statOrNull(path.join(base, 'postgresql', 'global', 'pg_control')) ?? fs.statSync(base)
    try {
      if (isTemporary && nowMs - used.mtimeMs >= orphanAgeMs && !isRunningIn(base)) {
        fs.rmSync(base, { recursive: true })
        removed.push(base)
        log.info(`removed the database in ${base}: its data directory ${dataDir} is gone`)
      } else kept.push(base)
    } catch (error) {
      log.warn(`the database of ${dataDir}, which is gone, cannot be removed from ${base}: ${reasonOf(error)}`)
    }
  }
  if (kept.length > 0) {
    const shown = `${kept.slice(0, 5).join(', ')}${kept.length > 5 ? ', …' : ''}`
    log.info(
      `${kept.length} databases have no data directory any more; delete those that no moved one will want: ${shown}`,
    )
  }
  return { removed, kept }
}

/** Whether the cluster's own file names a process that lives; a number that a stranger has got since only delays the removal. */
function isRunningIn(base: string): boolean {
  let pid: number
  try {
    pid = Number(fs.readFileSync(path.join(base, 'postgresql', 'postmaster.pid'), 'utf8').split('\n')[0])
  } catch {
    return false
  }
  try {
    if (pid > 1) process.kill(pid, 0)
    return pid > 1
  } catch (error) {
    return codeOf(error) !== 'ESRCH'
  }
}

/** One random password a data directory, made by whoever comes first. */
export function readOrCreatePassword(dataDir: string): string {
  const file = path.join(dataDir, 'postgresql-password')
  try {
    if (!fs.existsSync(file)) {
      const temporary = `${file}.${process.pid}-${randomBytes(4).toString('hex')}`
      fs.writeFileSync(temporary, `${randomBytes(32).toString('base64url')}\n`, { mode: 0o600, flag: 'wx' })
      try {
        const { uid, gid } = fs.statSync(dataDir)
        if (isRoot()) fs.chownSync(temporary, uid, gid)
        // A link appears whole or not at all, and never over another's.
        fs.linkSync(temporary, file)
      } catch (error) {
        if (codeOf(error) !== 'EEXIST') throw error
      } finally {
        fs.rmSync(temporary)
      }
    }
    const password = fs.readFileSync(file, 'utf8').trim()
    if (/^[\w-]{20,}$/.test(password)) return password
    throw new Error('it is damaged; delete it and a new one is made')
  } catch (error) {
    throw new DatabaseError('DATA_DIRECTORY', `The password file ${file} cannot be used: ${reasonOf(error)}`)
  }
}

/** Short paths in the data directory; else, or where that file system knows no sockets, one in /tmp named by the place. */
export function listSocketDirectories(location: ClusterLocation, port: number): string[] {
  const near = path.join(location.base, 'run')
  // Not os.tmpdir(): processes of one portal may differ in TMPDIR but must meet.
  const far = path.join('/tmp', `novodb-${hashOf(location.base)}`)
  return Buffer.byteLength(path.join(near, `.s.PGSQL.${port}`)) <= socketPathLimitBytes ? [near, far] : [far]
}

/** The first of the directories in which a socket can be made; owned by PostgreSQL's account and closed to all others. */
export async function createSocketDirectory(directories: string[], location: ClusterLocation): Promise<string> {
  const uid = location.account?.uid ?? process.getuid?.() ?? -1
  let reason = ''
  for (const directory of directories) {
    try {
      try {
        fs.mkdirSync(directory, { mode: 0o700 })
        if (location.account) fs.chownSync(directory, location.account.uid, location.account.gid)
      } catch (error) {
        if (codeOf(error) !== 'EEXIST') throw error
      }
      const found = fs.lstatSync(directory)
      // In /tmp anybody may have made it before us.
      if (!found.isDirectory() || found.uid !== uid || (found.mode & 0o077) !== 0) {
        throw new Error(`${directory} is not a directory of user ${uid} closed to others`)
      }
      await tryBinding(path.join(directory, `try-${process.pid}.sock`))
      return directory
    } catch (error) {
      reason = reasonOf(error)
    }
  }
  throw new DatabaseError('DATA_DIRECTORY', `No place for the sockets of PostgreSQL: ${reason}`)
}

function tryBinding(socketPath: string): Promise<void> {
  return new Promise((resolve, reject) => {
    fs.rmSync(socketPath, { force: true })
    const server = net.createServer()
    server.once('error', reject)
    server.listen(socketPath, () => server.close(() => resolve()))
  })
}

// --- accounts ----------------------------------------------------------------------------------------------------------

function findAccount(name: string): Account | null {
  const ask = (flag: string) => spawnSync('id', [flag, name], { encoding: 'utf8' })
  const uid = ask('-u')
  const gid = ask('-g')
  if (uid.status !== 0 || gid.status !== 0) return null
  return { uid: Number(uid.stdout), gid: Number(gid.stdout) }
}

/** The account `novodb`, made if this system lets us, else `nobody`. */
function findServiceAccount(): Account {
  const existing = findAccount('novodb')
  if (existing) return existing
  spawnSync('useradd', [
    '--system',
    '--user-group',
    '--no-create-home',
    '--home-dir',
    '/nonexistent',
    '--shell',
    '/bin/false',
    'novodb',
  ])
  const account = findAccount('novodb') ?? findAccount('nobody')
  if (account) return account
  throw new DatabaseError(
    'UNSUPPORTED_SYSTEM',
    'PostgreSQL cannot run as root, and there is neither an account novodb nor nobody. Start the portal as an ordinary user.',
  )
}

/** Asked of the system rather than computed: access lists and mount options count too. */
function canEnter(directory: string, account: Account): boolean {
  return spawnSync('/bin/sh', ['-c', 'cd -- "$1"', 'sh', directory], { ...account, env: {}, cwd: '/' }).status === 0
}

/** Makes a directory and all in it an account's. */
export function giveTree(directory: string, account: Account): void {
  fs.lchownSync(directory, account.uid, account.gid)
  for (const entry of fs.readdirSync(directory, { withFileTypes: true, recursive: true })) {
    fs.lchownSync(path.join(entry.parentPath, entry.name), account.uid, account.gid)
  }
}

/** 64 bits: enough to tell a machine's data directories apart, short enough for a socket's path. */
function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 16)
}

function statOrNull(file: string): fs.Stats | null {
  return fs.statSync(file, { throwIfNoEntry: false }) ?? null
}

function readJson(file: string): Record<string, unknown> | null {
  try {
    return JSON.parse(fs.readFileSync(file, 'utf8')) as Record<string, unknown>
  } catch {
    return null
  }
}

function codeOf(error: unknown): string | undefined {
  return (error as NodeJS.ErrnoException).code
}
