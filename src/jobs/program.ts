import { spawn } from 'node:child_process'
import { closeSync, mkdirSync, openSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { readdir, stat } from 'node:fs/promises'
import path from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { PortalError } from '../contracts/errors.ts'
import { handSessionPriority } from './process-priority.ts'
import {
  createGroupMemoryMeter,
  engineMark,
  getMachineId,
  getProcessName,
  getProcessStartTime,
  isGroupAlive,
  signalGroup,
} from './processes.ts'
import { type FoundProgram, findOnPath } from './programs.ts'

/** A program of the machine that an engine may run, and how to get it. */
export interface ProgramRequirement {
  program: string
  /** Debian/Ubuntu package and Bioconda package that bring it; several with a space between. */
  package: string
  bioconda?: string
  /** Hundreds of megabytes for one tool: `npm start` does not install it by itself, and the tool says how to. */
  large?: true
  /** Arguments that make it print its version. */
  versionArguments: string[]
  /** Finds the version in what it printed (standard output and error together). */
  versionPattern: RegExp
}

/** One run of a program: never a shell, always an argument vector. */
export interface ProgramRun {
  program: string
  arguments: string[]
  /** Text or pieces for standard input; none when absent. */
  input?: string | AsyncIterable<string | Uint8Array>
  /** File name (in the run's directory) that standard input is read from, instead of `input`. */
  inputFile?: string
  /** File name (in the run's directory) that standard output goes to; kept in memory (bounded) when absent. */
  outputFile?: string
  /** Exit statuses that are not failures; [0] when absent. */
  acceptedExitCodes?: number[]
  /** Extra environment on top of the minimal one (PATH, LC_ALL=C, and TMPDIR and HOME, which are the run's directory). */
  environment?: Record<string, string>
  /** Called with each line of standard error, for programs that tell their progress. */
  onErrorLine?(line: string): void
  timeoutMs?: number
  memoryBytes?: number
  /** Bound on standard output and on the directory's size. */
  outputBytes?: number
  /** Turns an exit status and the end of standard error into an error of the user's input; null means it is our fault. */
  explainFailure?(exitCode: number, errorText: string): PortalError | null
}

export interface ProgramOutcome {
  exitCode: number
  /** Standard output when it was kept in memory. */
  output: string
  /** The last 64 KiB of standard error. */
  errorText: string
  elapsedMs: number
}

/** Bounds on one run of a tool; its programs share the time, each has the memory and the output to itself. */
export interface RunBounds {
  timeoutMs: number
  memoryBytes: number
  outputBytes: number
}

/** What a tool that states no bounds of its own gets: enough for a genome, not enough to take the machine down. */
const defaultBounds: RunBounds = {
  timeoutMs: 60 * 60 * 1000,
  memoryBytes: 4 * 1024 ** 3,
  outputBytes: 2 * 1024 ** 3,
}

/** One program that was run, for the receipt. */
export interface ProgramStep {
  program: string
  version: string
  command: string[]
  environment?: Record<string, string>
  input?: string
  output?: string
  elapsedMs: number
}

/** How a program ended, for logs: nothing of its arguments, which hold what people have entered. */
export interface ProgramEnd {
  program: string
  version: string | null
  /** Null when it was killed or did not start. */
  exitCode: number | null
  elapsedMs: number
}

export interface ProgramRunnerOptions {
  /** Of this run; created if absent. The programs' working, temporary and home directory. */
  directory: string
  /** Its firing kills what runs; a PortalError as its reason is what `run` then rejects with, JOB_CANCELLED otherwise. */
  signal: AbortSignal
  /** Counted from the creation of the runner; `defaultBounds` where absent. */
  bounds?: Partial<RunBounds>
  /** What was found at start of the programs that the tool declares; no other program is run. */
  programs: FoundProgram[]
  /** PATH of the programs. */
  searchPath: string
  onStep?(step: ProgramStep): void
  onEnd?(end: ProgramEnd): void
}

export type ProgramRunner = (run: ProgramRun) => Promise<ProgramOutcome>

/** One entry of `command.json`. `startTime` and `machine` make sure that the process number is still that program's. */
export interface RecordedCommand {
  program: string
  version: string | null
  command: string[]
  machine: string
  /** Null until the program has started, and when it has ended. */
  pid: number | null
  /** Process group, equal to the number of its first process. */
  group: number | null
  startTime: string | null
  startedAt: string
  exitCode?: number | null
}

/** Longest that a program may take over SIGTERM before SIGKILL. */
const termGraceMs = 2_000
/** How often memory and output are looked at; at first more often, for small limits are passed early. */
const watchIntervalMs = 250
const errorTailBytes = 64 * 1024
const errorFileBytes = 1024 * 1024
/** What fits memory beside the other runs of a worker; more belongs in an output file. */
const memoryOutputBytes = 64 * 1024 * 1024
const errorLineLimit = 64 * 1024

type Stop =
  | { kind: 'cancel' }
  | { kind: 'time'; limit: number }
  | { kind: 'memory'; limit: number }
  | { kind: 'output'; limit: number }
  | { kind: 'error'; error: unknown }

const megabytes = (bytes: number) => Math.max(1, Math.round(bytes / 1024 ** 2))

/**
 * Gives the function by which one run of a tool starts its programs: without a shell, in a process group of their own, in an
 * environment that says nothing of ours, within time, memory (Linux; elsewhere time and output only) and output. Resolves
 * with an accepted exit status. Rejects with PortalError: TOOL_UNAVAILABLE when the program is not installed, ENGINE_LIMIT
 * (`job.timeLimit`, `job.memoryLimit`, `job.outputLimit`), JOB_CANCELLED, what `explainFailure` makes of the exit status,
 * else ENGINE_FAILED (`job.programFailed`, `job.programKilled`); and with whatever the input or a callback throws.
 * Once it has settled, nothing of the program runs any more.
 */
export function createProgramRunner(options: ProgramRunnerOptions): ProgramRunner {
  const { directory, signal, searchPath } = options
  const bounds = { ...defaultBounds, ...withoutUndefined(options.bounds ?? {}) }
  const deadline = performance.now() + bounds.timeoutMs
  mkdirSync(directory, { recursive: true })
  const commands: RecordedCommand[] = []
  let errorFileRoom = errorFileBytes

  /** Written in one step, so that a sweep never reads half of it. */
  const recordCommands = () => {
    const file = path.join(directory, 'command.json')
    writeFileSync(`${file}.tmp`, `${JSON.stringify({ commands }, null, 2)}\n`)
    renameSync(`${file}.tmp`, file)
  }

  const noteErrorText = (part: Buffer) => {
    if (errorFileRoom <= 0) return
    const kept = part.subarray(0, errorFileRoom)
    errorFileRoom -= kept.length
    writeFileSync(path.join(directory, 'stderr'), kept, { flag: 'a' })
  }

  return async (run) => {
    const found = options.programs.find(({ program }) => program === run.program)
    if (!found) throw new TypeError(`The tool does not declare the program ${run.program}`)
    if (found.path === null) throw unavailable(found)
    throwIfCancelled(signal)

    const timeoutMs = Math.min(run.timeoutMs ?? bounds.timeoutMs, deadline - performance.now())
    const timeLimitMs = Math.min(run.timeoutMs ?? bounds.timeoutMs, bounds.timeoutMs)
    const memoryBytes = Math.min(run.memoryBytes ?? bounds.memoryBytes, bounds.memoryBytes)
    const outputBytes = Math.min(run.outputBytes ?? bounds.outputBytes, bounds.outputBytes)
    if (timeoutMs <= 0) throw stopError({ kind: 'time', limit: timeLimitMs }, run.program, signal)
    const keptBytes = Math.min(outputBytes, memoryOutputBytes)

    // The guard is put before the program where there is one: a worker that is killed takes its engine along.
    const guard = await findDeathGuard(searchPath)
    const argv = [...guard, found.path, ...run.arguments]
    const outputHandle = run.outputFile === undefined ? null : openSync(resolveInside(directory, run.outputFile), 'w')
    const inputHandle = run.inputFile === undefined ? null : openSync(resolveInside(directory, run.inputFile), 'r')
    const record: RecordedCommand = {
      program: run.program,
      version: found.version,
      command: [found.path, ...run.arguments],
      machine: getMachineId(),
      pid: null,
      group: null,
      startTime: null,
      startedAt: new Date().toISOString(),
    }
    commands.push(record)
    recordCommands()

    const startedMs = performance.now()
    let stop: Stop | null = null
    let ending: Promise<void> | null = null
    const output: Buffer[] = []
    let keptOutputBytes = 0
    let errorTail = Buffer.alloc(0)

    const child = spawn(argv[0]!, argv.slice(1), {
      cwd: directory,
      detached: true,
      env: {
        PATH: searchPath,
        LC_ALL: 'C',
        TMPDIR: directory,
        HOME: directory,
        ...run.environment,
        [engineMark]: getProcessName(),
      },
      stdio: [inputHandle ?? (run.input === undefined ? 'ignore' : 'pipe'), outputHandle ?? 'pipe', 'pipe'],
    })
    for (const handle of [inputHandle, outputHandle]) if (handle !== null) closeSync(handle)
    const group = child.pid
    if (group !== undefined) {
      handSessionPriority(group)
      Object.assign(record, { pid: group, group, startTime: getProcessStartTime(group) })
      recordCommands()
    }

    /** The first reason counts; later ones are its consequences. */
    const end = (reason: Stop) => {
      if (stop) return
      stop = reason
      if (group !== undefined) ending = endGroup(group)
    }

    const closed = new Promise<{ exitCode: number | null; spawnError: NodeJS.ErrnoException | null }>((resolve) => {
      child.on('error', (error) => {
        if (group === undefined) resolve({ exitCode: null, spawnError: error })
      })
      child.on('exit', () => {
        // What the program left behind in its group holds the pipes open; it has no business to go on.
        const timer = setTimeout(() => group !== undefined && signalGroup(group, 'SIGKILL'), termGraceMs)
        child.on('close', () => clearTimeout(timer))
      })
      child.on('close', (exitCode) => resolve({ exitCode, spawnError: null }))
    })

    const lines = run.onErrorLine
      ? createLineSplitter((line) => {
          try {
            run.onErrorLine?.(line)
          } catch (error) {
            end({ kind: 'error', error })
          }
        })
      : null
    child.stdout?.on('data', (part: Buffer) => {
      if (stop) return
      keptOutputBytes += part.length
      if (keptOutputBytes > keptBytes) end({ kind: 'output', limit: keptBytes })
      else output.push(part)
    })
    child.stderr?.on('data', (part: Buffer) => {
      errorTail = Buffer.concat([errorTail, part])
      if (errorTail.length > errorTailBytes) errorTail = Buffer.from(errorTail.subarray(-errorTailBytes))
      try {
        noteErrorText(part)
      } catch (error) {
        end({ kind: 'error', error })
      }
      lines?.push(part)
    })
    if (run.input !== undefined && child.stdin) {
      const source = typeof run.input === 'string' ? [run.input] : run.input
      pipeline(Readable.from(source, { objectMode: true }), child.stdin).catch((error: NodeJS.ErrnoException) => {
        // A program may stop reading when it has what it needs, or has failed: its exit status tells which.
        if (error.code !== 'EPIPE' && error.code !== 'ERR_STREAM_PREMATURE_CLOSE' && error.code !== 'ECONNRESET') {
          end({ kind: 'error', error })
        }
      })
    }

    const onAbort = () => end({ kind: 'cancel' })
    signal.addEventListener('abort', onAbort)
    if (signal.aborted) onAbort()
    const timer = setTimeout(() => end({ kind: 'time', limit: timeLimitMs }), Math.min(timeoutMs, 2 ** 31 - 1))
    const readMemoryBytes = group === undefined ? () => 0 : createGroupMemoryMeter(group)
    const watch = watchRegularly(async () => {
      if (readMemoryBytes() > memoryBytes) end({ kind: 'memory', limit: memoryBytes })
      if ((await getDirectoryBytes(directory)) > outputBytes) end({ kind: 'output', limit: outputBytes })
    })

    const { exitCode, spawnError } = await closed
    signal.removeEventListener('abort', onAbort)
    clearTimeout(timer)
    watch.stop()
    // `end` may have been called by any of the callbacks above, which the compiler cannot see.
    await (ending as Promise<void> | null)
    lines?.flush()
    if (!stop && outputHandle !== null && (await getDirectoryBytes(directory)) > outputBytes) {
      stop = { kind: 'output', limit: outputBytes }
    }

    const elapsedMs = Math.round(performance.now() - startedMs)
    Object.assign(record, { pid: null, group: null, startTime: null, exitCode })
    recordCommands()
    options.onEnd?.({ program: run.program, version: found.version, exitCode, elapsedMs })
    options.onStep?.({
      program: run.program,
      version: found.version ?? '',
      command: record.command,
      ...(run.environment === undefined ? {} : { environment: run.environment }),
      ...(run.inputFile === undefined ? {} : { input: run.inputFile }),
      ...(run.outputFile === undefined ? {} : { output: run.outputFile }),
      elapsedMs,
    })

    const reason = stop as Stop | null
    if (reason) throw stopError(reason, run.program, signal)
    if (spawnError) {
      if (spawnError.code === 'ENOENT' || spawnError.code === 'EACCES') throw unavailable(found)
      throw new PortalError('ENGINE_FAILED', {
        message: 'job.programFailed',
        params: { program: run.program, exitCode: -1 },
        cause: spawnError,
      })
    }
    const errorText = errorTail.toString('utf8')
    if (exitCode === null) {
      throw new PortalError('ENGINE_FAILED', {
        message: 'job.programKilled',
        params: { program: run.program, signal: child.signalCode ?? '' },
        cause: new Error(errorText),
      })
    }
    if (!(run.acceptedExitCodes ?? [0]).includes(exitCode)) {
      throw (
        run.explainFailure?.(exitCode, errorText) ??
        new PortalError('ENGINE_FAILED', {
          message: 'job.programFailed',
          params: { program: run.program, exitCode },
          cause: new Error(errorText),
        })
      )
    }
    return { exitCode, output: Buffer.concat(output).toString('utf8'), errorText, elapsedMs }
  }
}

const withoutUndefined = (bounds: Partial<RunBounds>): Partial<RunBounds> =>
  Object.fromEntries(Object.entries(bounds).filter(([, value]) => value !== undefined))

const unavailable = (found: FoundProgram): PortalError =>
  new PortalError('TOOL_UNAVAILABLE', {
    message: 'job.programMissing',
    params: { program: found.program, package: found.package },
  })

function throwIfCancelled(signal: AbortSignal): void {
  if (signal.aborted) throw cancelError(signal)
}

const cancelError = (signal: AbortSignal): PortalError =>
  signal.reason instanceof PortalError ? signal.reason : new PortalError('JOB_CANCELLED', { cause: signal.reason })

function stopError(stop: Stop, program: string, signal: AbortSignal): unknown {
  switch (stop.kind) {
    case 'cancel':
      return cancelError(signal)
    case 'error':
      return stop.error
    case 'time': {
      const params = { program, seconds: Math.max(1, Math.round(stop.limit / 1000)) }
      return new PortalError('ENGINE_LIMIT', { message: 'job.timeLimit', params })
    }
    case 'memory':
    case 'output':
      return new PortalError('ENGINE_LIMIT', {
        message: `job.${stop.kind}Limit`,
        params: { program, megabytes: megabytes(stop.limit) },
      })
  }
}

/** A file of the run's directory; a tool that names one outside has a defect. */
function resolveInside(directory: string, name: string): string {
  const file = path.resolve(directory, name)
  if (!file.startsWith(`${path.resolve(directory)}${path.sep}`)) throw new TypeError(`${name} is outside the run`)
  return file
}

/** Asks a group to end, and makes it after a while; returns when nothing of it is left. */
async function endGroup(group: number): Promise<void> {
  signalGroup(group, 'SIGTERM')
  const deadline = performance.now() + termGraceMs
  while (performance.now() < deadline) {
    await pause(20)
    if (!isGroupAlive(group)) return
  }
  signalGroup(group, 'SIGKILL')
}

const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms))

/** Runs a check again and again, one at a time; a failing check is a check that could not be made. */
function watchRegularly(check: () => Promise<void>): { stop(): void } {
  let intervalMs = 50
  let timer: NodeJS.Timeout
  let stopped = false
  const next = () => {
    timer = setTimeout(async () => {
      intervalMs = Math.min(intervalMs * 1.5, watchIntervalMs)
      await check().catch(() => undefined)
      if (!stopped) next()
    }, intervalMs)
  }
  next()
  return {
    stop() {
      stopped = true
      clearTimeout(timer)
    },
  }
}

/** Bytes of all files under a directory. */
async function getDirectoryBytes(directory: string): Promise<number> {
  let bytes = 0
  for (const entry of await readdir(directory, { withFileTypes: true, recursive: true })) {
    if (!entry.isFile()) continue
    bytes += await stat(path.join(entry.parentPath, entry.name)).then(
      ({ size }) => size,
      () => 0,
    )
  }
  return bytes
}

/** Lines of a stream; a carriage return ends one too, for that is how programs draw their progress. */
function createLineSplitter(onLine: (line: string) => void): { push(part: Buffer): void; flush(): void } {
  const decoder = new TextDecoder()
  let rest = ''
  return {
    push(part) {
      const pieces = (rest + decoder.decode(part, { stream: true })).split(/\r\n|\n|\r/)
      rest = pieces.pop() ?? ''
      for (const line of pieces) onLine(line)
      if (rest.length > errorLineLimit) {
        onLine(rest)
        rest = ''
      }
    },
    flush() {
      if (rest !== '') onLine(rest)
      rest = ''
    },
  }
}

const deathGuards = new Map<string, Promise<string[]>>()

/**
 * The words to put before a command so that the kernel kills it when we die (prctl PR_SET_PDEATHSIG, by util-linux's
 * setpriv); none where that is not to be had (macOS, BusyBox), where the sweep finds orphans a little later.
 */
export function findDeathGuard(searchPath: string): Promise<string[]> {
  let guard = deathGuards.get(searchPath)
  if (!guard) {
    guard = tryDeathGuard(searchPath)
    deathGuards.set(searchPath, guard)
  }
  return guard
}

async function tryDeathGuard(searchPath: string): Promise<string[]> {
  const setpriv = await findOnPath('setpriv', searchPath)
  const nothing = await findOnPath('true', searchPath)
  if (!setpriv || !nothing) return []
  const words = [setpriv, '--pdeathsig', 'KILL', '--']
  return new Promise((resolve) => {
    const child = spawn(words[0]!, [...words.slice(1), nothing], { stdio: 'ignore', env: {} })
    child.on('error', () => resolve([]))
    child.on('close', (exitCode) => resolve(exitCode === 0 ? words : []))
  })
}

/**
 * Kills the groups that a run's `command.json` names as running, if their first process is still the one that was started
 * (same machine, same start time). For what a dead worker left where `killOrphanEngines` cannot see it.
 */
export function killRecordedGroups(directory: string): void {
  let commands: RecordedCommand[]
  try {
    commands = (
      JSON.parse(readFileSync(path.join(directory, 'command.json'), 'utf8')) as { commands: RecordedCommand[] }
    ).commands
  } catch {
    return
  }
  for (const { machine, pid, group, startTime } of commands) {
    if (machine !== getMachineId() || pid === null || group === null || startTime === null) continue
    if (getProcessStartTime(pid) === startTime) signalGroup(group, 'SIGKILL')
  }
}
