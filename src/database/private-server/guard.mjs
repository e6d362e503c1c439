// @ts-check
/**
 * The guard of the private PostgreSQL server: a process of its own that outlives whoever started it. It starts PostgreSQL,
 * keeps it running while any client (portal server, worker, command line) holds a connection to the guard's socket, and
 * stops it when the last one has gone. A client that is killed needs no farewell: the kernel closes its socket.
 *
 * Plain JavaScript with checked types, because it is started as a program both from the sources and from the build.
 *
 * One guard a data directory, by election without locks (file locks do not exist in Node): a candidate binds
 * `guard-N.sock`, N one above the highest found, and then connects to every other guard socket; whoever meets a living
 * one gives way. Of two that start together, the later to look sees the other, since each listens before it looks; if both
 * see each other both give way and their clients try again. A dead guard's socket refuses connections and is removed only
 * by an elected guard. PostgreSQL's own lock on its data is never touched, so even a fault here cannot start two servers.
 *
 * Protocol: one JSON object a line. Guard to client: {state, reason, guardPid, postgresPid}, at once and at each change.
 * Client to guard: {leave: 'now'}, "if I was the last, stop at once, and close my connection when that is done".
 */
import { execFileSync, spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import fs from 'node:fs'
import net from 'node:net'
import path from 'node:path'

/**
 * @typedef {object} GuardPlan
 * @property {string} cluster PostgreSQL's data directory
 * @property {string} programs directory that holds bin/, lib/ and share/ of PostgreSQL
 * @property {string} socketDirectory
 * @property {number} port names PostgreSQL's socket; no TCP port is opened
 * @property {{uid: number, gid: number} | null} account whom PostgreSQL runs as, null: as the guard itself
 * @property {string} logFile
 * @property {string} settings text of novodb.conf
 * @property {string} role
 * @property {string} database
 * @property {string} password
 * @property {number} lingerMs how long PostgreSQL stays without clients
 */
/** @typedef {'starting' | 'ready' | 'down' | 'stopping' | 'failed'} GuardState */
/** @typedef {{pid: number, status: string}} Postmaster */

const logLimitBytes = 10_000_000
/** A start that meets the remains of a killed server is tried again this long before its clients are told that it failed. */
const firstStartTimeoutMs = 30_000
/** Failures that time or freed space mends: what a killed server leaves behind, a full disk, memory not yet given back. */
const passing =
  /pre-existing shared memory block|lock file ".*" (already exists|is empty)|No space left on device|could not (create|resize|map) .*shared memory|Cannot allocate memory/

/** @param {string} message */
function log(message) {
  try {
    fs.writeSync(2, `${new Date().toISOString()} [guard ${process.pid}] ${message}\n`)
  } catch {
    // The log is on the disk that may be full; the guard goes on without it.
  }
}

/** @param {number} ms */
const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms))

/** @returns {Promise<GuardPlan>} */
async function readPlan() {
  let text = ''
  for await (const part of process.stdin) text += part
  return JSON.parse(text)
}

/**
 * Tells the launcher how the start went; the launcher may be gone already.
 * @param {string} line
 */
function answerLauncher(line) {
  try {
    fs.writeSync(1, `${line}\n`)
  } catch {
    // Nobody listens any more.
  }
}

// --- election ------------------------------------------------------------------------------------------------------------

/**
 * @param {string} directory
 * @returns {string[]} guard sockets, newest first
 */
function listGuardSockets(directory) {
  return fs
    .readdirSync(directory)
    .filter((name) => /^guard-\d+\.sock$/.test(name))
    .sort((a, b) => guardNumber(b) - guardNumber(a))
    .map((name) => path.join(directory, name))
}

/** @param {string} socketPath */
function guardNumber(socketPath) {
  return Number(/guard-(\d+)\.sock$/.exec(socketPath)?.[1] ?? 0)
}

/**
 * @param {string} socketPath
 * @returns {Promise<boolean>}
 */
function isAlive(socketPath) {
  return new Promise((resolve) => {
    const socket = net.connect(socketPath)
    socket.once('connect', () => {
      socket.destroy()
      resolve(true)
    })
    socket.once('error', () => resolve(false))
  })
}

/**
 * @param {net.Server} server
 * @param {string} directory
 * @returns {Promise<string | null>} the socket's path, or null when another guard lives
 */
async function elect(server, directory) {
  for (;;) {
    const before = listGuardSockets(directory)
    for (const other of before) if (await isAlive(other)) return null
    const mine = path.join(directory, `guard-${before[0] ? guardNumber(before[0]) + 1 : 1}.sock`)
    try {
      await new Promise((resolve, reject) => {
        server.once('error', reject)
        server.listen(mine, () => {
          server.off('error', reject)
          resolve(undefined)
        })
      })
    } catch (error) {
      if (/** @type {NodeJS.ErrnoException} */ (error).code !== 'EADDRINUSE') throw error
      await pause(20 + Math.random() * 50)
      continue
    }
    const others = listGuardSockets(directory).filter((other) => other !== mine)
    for (const other of others) {
      if (await isAlive(other)) {
        server.close()
        return null
      }
    }
    // Somebody elected may have taken this socket for a dead one between its birth and its first breath.
    if (!fs.existsSync(mine)) {
      server.close()
      return null
    }
    for (const other of others) fs.rmSync(other, { force: true })
    return mine
  }
}

// --- PostgreSQL's processes ------------------------------------------------------------------------------------------------

/**
 * Whether the process is a living PostgreSQL server on this cluster. A number alone proves nothing: after a crash it may
 * belong to another program, and a zombie (in a container without an init) still answers to signals.
 * @param {number} pid
 * @param {string} cluster
 */
function isOurPostmaster(pid, cluster) {
  try {
    if (process.platform === 'linux') {
      const words = fs.readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0')
      return words[words.indexOf('-D') + 1] === cluster
    }
    return execFileSync('ps', ['-ww', '-o', 'args=', '-p', String(pid)], { encoding: 'utf8' }).includes(`-D ${cluster}`)
  } catch {
    return false
  }
}

/**
 * Lines of postmaster.pid, as src/include/utils/pidfile.h of PostgreSQL lays them out: 1 process, 2 data directory,
 * 3 start time, 4 port, 5 socket directory, 6 listen address, 7 shared memory key, 8 status.
 * @param {string} cluster
 * @returns {string[] | null}
 */
function readPidFile(cluster) {
  try {
    return fs.readFileSync(path.join(cluster, 'postmaster.pid'), 'utf8').split('\n')
  } catch {
    return null
  }
}

/**
 * @param {string} cluster
 * @returns {Postmaster | null}
 */
function findPostmaster(cluster) {
  const lines = readPidFile(cluster)
  const pid = Number(lines?.[0])
  if (!lines || !Number.isInteger(pid) || pid <= 1 || !isOurPostmaster(pid, cluster)) return null
  return { pid, status: (lines[7] ?? '').trim() }
}

/**
 * @param {number} pid
 * @param {NodeJS.Signals} name
 */
function signal(pid, name) {
  try {
    process.kill(pid, name)
  } catch {
    // It ended in the meantime.
  }
}

/** @param {number} pid */
function exists(pid) {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return /** @type {NodeJS.ErrnoException} */ (error).code === 'EPERM'
  }
}

/**
 * Clears the way for a start when no server of this cluster lives. After a crash the number in its lock files may have passed to a
 * stranger, or be a zombie's that nobody collects; PostgreSQL would then refuse to start for as long as that is so. With the
 * guard's own number in postmaster.pid it starts (a parent is never taken for a rival), and the file's shared memory key is kept,
 * by which PostgreSQL still finds backends that survived their server. The socket's lock guards only the socket.
 * @param {GuardPlan} plan
 */
function releaseStaleLocks(plan) {
  const socket = path.join(plan.socketDirectory, `.s.PGSQL.${plan.port}`)
  for (const file of [socket, `${socket}.lock`]) fs.rmSync(file, { force: true })
  const lines = readPidFile(plan.cluster)
  const pid = Number(lines?.[0])
  if (!lines || !Number.isInteger(pid) || pid <= 1 || !exists(pid)) return
  log(`process ${pid} in postmaster.pid is not our PostgreSQL any more: taking over`)
  lines[0] = String(process.pid)
  writeOwned(path.join(plan.cluster, 'postmaster.pid'), lines.join('\n'), plan)
}

/**
 * Writes a file of the cluster whole or not at all, readable by PostgreSQL's account only.
 * @param {string} file
 * @param {string} text
 * @param {GuardPlan} plan
 */
function writeOwned(file, text, plan) {
  const temporary = `${file}.${process.pid}`
  try {
    const handle = fs.openSync(temporary, 'wx', 0o600)
    try {
      fs.writeFileSync(handle, text)
      // By the handle: the directory is that account's, which could put a link in the name's place.
      if (plan.account) fs.fchownSync(handle, plan.account.uid, plan.account.gid)
    } finally {
      fs.closeSync(handle)
    }
    fs.renameSync(temporary, file)
  } catch (error) {
    fs.rmSync(temporary, { force: true })
    throw error
  }
}

/**
 * @param {GuardPlan} plan
 * @param {string} program
 * @param {string[]} words
 * @param {import('node:child_process').StdioOptions} stdio
 */
function startProgram(plan, program, words, stdio) {
  return spawn(path.join(plan.programs, 'bin', program), words, {
    cwd: '/',
    // The guard's own environment stays out: PGDATA, PGOPTIONS or a foreign locale would change what the server does.
    env: { PATH: '/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' },
    stdio,
    ...(plan.account ? { uid: plan.account.uid, gid: plan.account.gid } : {}),
  })
}

/**
 * @param {GuardPlan} plan
 * @param {string} program
 * @param {string[]} words
 * @param {string} input
 * @returns {Promise<{code: number | null, output: string}>}
 */
function runProgram(plan, program, words, input) {
  return new Promise((resolve) => {
    const child = startProgram(plan, program, words, ['pipe', 'pipe', 'pipe'])
    let output = ''
    const collect = (/** @type {Buffer} */ part) => {
      output = (output + part.toString()).slice(-20_000)
    }
    child.stdout?.on('data', collect)
    child.stderr?.on('data', collect)
    child.stdin?.on('error', () => {})
    child.stdin?.end(input)
    child.on('error', (error) => resolve({ code: -1, output: error.message }))
    child.on('close', (code) => resolve({ code, output }))
  })
}

/**
 * SQL in PostgreSQL's single-user mode: no server, no authentication, by right of owning the files. One statement a line.
 * @param {GuardPlan} plan
 * @param {string} cluster
 * @param {string[]} statements
 */
async function runSingleUser(plan, cluster, statements) {
  const { code, output } = await runProgram(
    plan,
    'postgres',
    ['--single', '-D', cluster, '-c', 'log_min_messages=warning', '-c', 'log_min_error_statement=panic', 'postgres'],
    `${statements.join('\n')}\n`,
  )
  const complaint = /^.*\b(ERROR|FATAL|PANIC):.*$/m.exec(output)?.[0]
  if (code !== 0 || complaint)
    throw new Error(complaint ?? `postgres --single ended with ${code}: ${output.slice(-500)}`)
}

/** @param {string} password */
const fingerprint = (password) => createHash('sha256').update(password).digest('hex')

/**
 * Makes the cluster beside its final place and moves it there whole, so that a start that is cut off leaves nothing half made.
 * @param {GuardPlan} plan
 */
async function createCluster(plan) {
  const parent = path.dirname(plan.cluster)
  for (const name of fs.readdirSync(parent)) {
    if (name.startsWith(`${path.basename(plan.cluster)}.new-`))
      fs.rmSync(path.join(parent, name), { recursive: true, force: true })
  }
  const cluster = `${plan.cluster}.new-${process.pid}`
  try {
    fs.mkdirSync(cluster, { mode: 0o700 })
    if (plan.account) fs.chownSync(cluster, plan.account.uid, plan.account.gid)
    // Characters are classed by the C library in pg_trgm and the text parser; in plain "C" it knows no letters beyond ASCII
    // and trigrams of Chinese text would be empty. Sorting and case are the built-in provider's in every case.
    for (const characterClasses of ['C.UTF-8', 'en_US.UTF-8', 'C']) {
      const { code, output } = await runProgram(
        plan,
        'initdb',
        [
          ...['-D', cluster, '-U', 'postgres', '--encoding=UTF8', '--locale=C', `--lc-ctype=${characterClasses}`],
          ...[
            '--locale-provider=builtin',
            '--builtin-locale=C.UTF-8',
            '--data-checksums',
            '--auth=reject',
            '--no-instructions',
          ],
        ],
        '',
      )
      if (code === 0) break
      const reason = /^initdb: error: .*$/m.exec(output)?.[0] ?? output.trim().split('\n').slice(-3).join(' ')
      if (!/invalid locale/.test(output) || characterClasses === 'C') throw new Error(reason)
      fs.rmSync(cluster, { recursive: true, force: true })
      fs.mkdirSync(cluster, { mode: 0o700 })
      if (plan.account) fs.chownSync(cluster, plan.account.uid, plan.account.gid)
    }
    writeOwned(path.join(cluster, 'pg_hba.conf'), `local all ${plan.role} scram-sha-256\n`, plan)
    writeOwned(path.join(cluster, 'novodb.conf'), plan.settings, plan)
    writeOwned(
      path.join(cluster, 'postgresql.conf'),
      "# NovoDB writes novodb.conf anew at every start. Settings below its line are yours and win.\ninclude 'novodb.conf'\n",
      plan,
    )
    await runSingleUser(plan, cluster, [
      `CREATE ROLE ${plan.role} LOGIN CREATEDB PASSWORD '${plan.password}' IN ROLE pg_monitor`,
      `CREATE DATABASE ${plan.database} OWNER ${plan.role}`,
    ])
    writeOwned(path.join(cluster, 'novodb-password.sha256'), fingerprint(plan.password), plan)
    fs.renameSync(cluster, plan.cluster)
  } catch (error) {
    fs.rmSync(cluster, { recursive: true, force: true })
    throw error
  }
}

/**
 * Brings an existing cluster in step with the code and with the password file.
 * @param {GuardPlan} plan
 */
async function prepareCluster(plan) {
  const settingsFile = path.join(plan.cluster, 'novodb.conf')
  const readOr = (/** @type {string} */ file) => {
    try {
      return fs.readFileSync(file, 'utf8')
    } catch {
      return null
    }
  }
  const settings = readOr(settingsFile)
  if (settings !== plan.settings) {
    try {
      writeOwned(settingsFile, plan.settings, plan)
    } catch (error) {
      // On a full disk the old settings are good enough to start with.
      if (settings === null) throw error
    }
  }
  const passwordMark = path.join(plan.cluster, 'novodb-password.sha256')
  if (readOr(passwordMark)?.trim() !== fingerprint(plan.password)) {
    log('the password file is not the one that this database was made with: setting its password anew')
    await runSingleUser(plan, plan.cluster, [`ALTER ROLE ${plan.role} PASSWORD '${plan.password}'`])
    writeOwned(passwordMark, fingerprint(plan.password), plan)
  }
}

/**
 * A guard that is killed cannot stop its PostgreSQL. This shell waits for the guard's end (its standard input closes), gives
 * clients time to bring a new guard, and if none has come stops the server: it is never left running for nobody.
 * @param {GuardPlan} plan
 * @param {number} postmaster
 */
function startWatch(plan, postmaster) {
  const guardFile = path.join(plan.socketDirectory, 'guard.pid')
  try {
    writeOwned(guardFile, `${process.pid}\n`, plan)
  } catch {
    // A full disk: the watch then finds the previous guard's number and leaves the server to the next start.
  }
  const script = `cat >/dev/null; sleep 10; [ "$(head -n 1 "$1/postmaster.pid" 2>/dev/null)" = "$2" ] || exit 0
[ "$(cat "$3" 2>/dev/null)" = "$4" ] || exit 0; kill -INT "$2"`
  const watch = spawn(
    '/bin/sh',
    ['-c', script, 'novodb-watch', plan.cluster, String(postmaster), guardFile, String(process.pid)],
    {
      cwd: '/',
      env: { PATH: '/usr/bin:/bin' },
      detached: true,
      stdio: ['pipe', 'ignore', 'ignore'],
      ...(plan.account ? { uid: plan.account.uid, gid: plan.account.gid } : {}),
    },
  )
  watch.on('error', (error) => log(`no watch beside the server: ${error.message}`))
  watch.stdin?.on('error', () => {})
  return () => {
    try {
      if (watch.pid) process.kill(-watch.pid, 'SIGKILL')
    } catch {
      // It has ended.
    }
  }
}

// --- the guard -----------------------------------------------------------------------------------------------------------

async function main() {
  process.umask(0o077)
  const plan = await readPlan()
  /** @type {Set<net.Socket>} */
  const clients = new Set()
  /** @type {GuardState} */
  let state = 'starting'
  let reason = ''
  let postgresPid = 0
  let stopRequested = false
  let terminating = false
  /** @type {NodeJS.Timeout | undefined} */
  let lingering
  /** Wakes the main loop before its pause is over. */
  let wake = () => {}

  const sleep = (/** @type {number} */ ms) =>
    new Promise((resolve) => {
      const timer = setTimeout(resolve, ms)
      wake = () => {
        clearTimeout(timer)
        resolve(undefined)
      }
    })
  const describe = () => `${JSON.stringify({ state, reason, guardPid: process.pid, postgresPid })}\n`
  const announce = (/** @type {GuardState} */ next, /** @type {string} */ why = '') => {
    state = next
    reason = why
    for (const client of clients) client.write(describe())
  }
  const requestStop = () => {
    stopRequested = true
    wake()
  }
  const lingerFor = (/** @type {number} */ ms) => {
    clearTimeout(lingering)
    lingering = setTimeout(() => {
      if (clients.size === 0) requestStop()
    }, ms)
  }

  const server = net.createServer((client) => {
    clients.add(client)
    clearTimeout(lingering)
    client.write(describe())
    let text = ''
    client.on('data', (part) => {
      text = (text + part.toString()).slice(-1000)
      if (!text.includes('"now"')) return
      text = ''
      // Held open until PostgreSQL has stopped (the guard's end closes it), unless others still need it.
      clients.delete(client)
      if (clients.size > 0) client.end()
      else requestStop()
    })
    client.on('error', () => {})
    client.on('close', () => {
      if (clients.delete(client) && clients.size === 0) lingerFor(plan.lingerMs)
    })
  })

  /** @type {string | null} */
  let socketPath
  try {
    socketPath = await elect(server, plan.socketDirectory)
  } catch (error) {
    answerLauncher(`error ${/** @type {Error} */ (error).message}`)
    return
  }
  if (!socketPath) {
    answerLauncher('lost')
    return
  }
  // The directory belongs to PostgreSQL's account, whose own clients must be able to connect to root's guard too.
  if (plan.account) fs.lchownSync(socketPath, plan.account.uid, plan.account.gid)
  lingerFor(15_000)
  answerLauncher('listening')

  for (const name of /** @type {const} */ (['SIGTERM', 'SIGINT'])) {
    process.on(name, () => {
      // A service manager stops everything together: clients get a moment to finish.
      terminating = true
      setTimeout(requestStop, clients.size === 0 ? 0 : 8_000)
    })
  }
  process.on('SIGHUP', () => {})
  process.on('uncaughtException', (error) => {
    log(`defect: ${error.stack}`)
    process.exit(1)
  })

  setInterval(() => trimLog(plan.logFile), 10_000)
  // Cleaners of /tmp go by age.
  setInterval(() => {
    for (const file of [socketPath, plan.socketDirectory]) {
      try {
        if (file) fs.utimesSync(file, new Date(), new Date())
      } catch {
        // Gone with its directory: clients that have it go on, the last of them ends the guard.
      }
    }
  }, 3_600_000)

  let everReady = false
  let failures = 0
  const startedAt = Date.now()
  for (;;) {
    const ended = await runPostgres()
    if (stopRequested) {
      stopRequested = false
      // Whoever came while it was stopping gets it started again.
      if (terminating || clients.size === 0) break
      failures = 0
      announce('starting')
      continue
    }
    if (ended === 'stopped elsewhere') continue
    failures += 1
    log(`PostgreSQL is not running: ${ended}`)
    if (!everReady && (passing.test(ended) ? Date.now() - startedAt > firstStartTimeoutMs : failures >= 3)) {
      announce('failed', ended)
      while (clients.size > 0) await sleep(200)
      break
    }
    announce(everReady ? 'down' : 'starting', ended)
    await sleep(Math.min(5_000, 100 * 2 ** failures))
    if (stopRequested && (terminating || clients.size === 0)) break
    stopRequested = false
  }
  server.close()
  // Connections of clients that asked to be told of the end close with the process.
  process.exit(0)

  /**
   * Starts PostgreSQL, or adopts one that a killed guard left running, and returns when it has ended.
   * @returns {Promise<string>} why it ended, for people
   */
  async function runPostgres() {
    const found = findPostmaster(plan.cluster)
    if (found?.status === 'stopping') {
      while (findPostmaster(plan.cluster)) await pause(50)
      return 'stopped elsewhere'
    }
    const logStart = sizeOf(plan.logFile)
    /** @type {{code: number | null, signal: string | null} | null} */
    let exit = null
    if (found) {
      log(`adopting PostgreSQL ${found.pid}`)
      postgresPid = found.pid
    } else {
      try {
        if (fs.existsSync(path.join(plan.cluster, 'PG_VERSION'))) await prepareCluster(plan)
        else await createCluster(plan)
        releaseStaleLocks(plan)
      } catch (error) {
        return /** @type {Error} */ (error).message
      }
      if (stopRequested) return 'not needed any more'
      const child = startProgram(
        plan,
        'postgres',
        [
          ...['-D', plan.cluster, '-p', String(plan.port), '-c', 'listen_addresses='],
          ...[
            '-c',
            `unix_socket_directories="${plan.socketDirectory.replaceAll('"', '""')}"`,
            '-c',
            'unix_socket_permissions=0700',
          ],
        ],
        ['ignore', 2, 2],
      )
      child.on('error', (error) => {
        exit = { code: -1, signal: error.message }
        wake()
      })
      child.on('exit', (code, signal) => {
        exit = { code, signal }
        wake()
      })
      postgresPid = child.pid ?? 0
    }

    let ready = false
    let stopWatch = () => {}
    let signalledAt = 0
    let harder = false
    for (;;) {
      if (exit || (found && !isOurPostmaster(postgresPid, plan.cluster))) break
      if (!ready) {
        const now = findPostmaster(plan.cluster)
        if (now?.pid === postgresPid && now.status === 'ready') {
          ready = true
          everReady = true
          failures = 0
          stopWatch = startWatch(plan, postgresPid)
          announce('ready')
        }
      }
      if (stopRequested && signalledAt === 0) {
        announce('stopping')
        // Fast shutdown: sessions are ended, a checkpoint is written, nothing needs recovery at the next start.
        signal(postgresPid, 'SIGINT')
        signalledAt = Date.now()
      }
      if (signalledAt && !harder && Date.now() - signalledAt > 60_000) {
        harder = true
        log('PostgreSQL did not stop within a minute: asking for immediate shutdown')
        signal(postgresPid, 'SIGQUIT')
      }
      await sleep(ready && !signalledAt ? 1_000 : 20)
    }
    stopWatch()
    postgresPid = 0
    if (signalledAt) return 'stopped'
    const tail = readTail(plan.logFile, logStart)
    const complaint = tail
      .match(/^.*\b(FATAL|PANIC):.*$/gm)
      ?.at(-1)
      ?.replace(/^.*?\b(FATAL|PANIC): */, '')
    // What comes before PostgreSQL can log (a cluster it does not recognise) has no level.
    const plain = tail.split('\n').filter((line) => line.trim() && !/^\d{4}-/.test(line))
    return complaint ?? (plain.slice(-2).join(' ').trim() || `PostgreSQL ended (${exitText(exit)})`)
  }
}

/** @param {{code: number | null, signal: string | null} | null} exit */
function exitText(exit) {
  if (!exit) return 'it was adopted, its end is not known'
  return exit.signal ? `by ${exit.signal}` : `with code ${exit.code}`
}

/** @param {string} file */
function sizeOf(file) {
  try {
    return fs.statSync(file).size
  } catch {
    return 0
  }
}

/**
 * @param {string} file
 * @param {number} from bytes
 */
function readTail(file, from) {
  try {
    const handle = fs.openSync(file, 'r')
    try {
      const size = fs.fstatSync(handle).size
      const start = Math.max(size < from ? 0 : from, size - 65_536)
      const buffer = Buffer.alloc(size - start)
      fs.readSync(handle, buffer, 0, buffer.length, start)
      return buffer.toString('utf8')
    } finally {
      fs.closeSync(handle)
    }
  } catch {
    return ''
  }
}

/**
 * Keeps the log and one older part. PostgreSQL holds the file open in append mode, so it is copied and emptied, not moved.
 * @param {string} file
 */
function trimLog(file) {
  try {
    if (sizeOf(file) < logLimitBytes) return
    try {
      // Never over what may be a link to somewhere else.
      fs.rmSync(`${file}.1`, { force: true })
      fs.copyFileSync(file, `${file}.1`, fs.constants.COPYFILE_EXCL)
    } catch {
      // A full disk: emptying the log is the best that can be done for it.
    }
    // The guard's own error output is this file.
    fs.ftruncateSync(2)
  } catch (error) {
    log(`cannot trim the log: ${/** @type {Error} */ (error).message}`)
  }
}

await main()
