import { execFile } from 'node:child_process'
import type { ListedTask, Scheduler, SchedulerTask } from './scheduler.ts'

export interface SlurmOptions {
  /** Begins the names of this portal's tasks: letters, digits and `-`. Other portals on the cluster have others. */
  prefix: string
  /** Options of sbatch for a tool's tasks, such as `--partition=long`. */
  optionsOf(tool: string): string[]
  /** The argument vector that takes a task's job on the node. */
  commandOf(task: SchedulerTask): string[]
  /** Folder for what tasks print; on the file system that the nodes share. */
  logFolder: string
  searchPath: string
  /** What each command of Slurm may take. */
  commandTimeoutMs?: number
}

/**
 * Slurm by its commands (sbatch, squeue, scancel; 22.05 and later): they are what every cluster has, while slurmrestd rarely runs.
 *
 * - `--no-requeue`: a job that was lost is asked for again by the dispatcher, not by Slurm beside it.
 * - `--export=NIL`: nothing of this process's environment, which holds secrets, is kept in Slurm's spool.
 * - `--signal=B:TERM@60`: a minute before the time limit the task is told, and gives its job back.
 */
export const createSlurm = (options: SlurmOptions): Scheduler => {
  const { prefix, optionsOf, commandOf, logFolder, searchPath, commandTimeoutMs = 30_000 } = options

  const run = (program: string, args: string[], input?: string): Promise<string> =>
    new Promise((resolve, reject) => {
      const child = execFile(
        program,
        args,
        {
          timeout: commandTimeoutMs,
          killSignal: 'SIGKILL',
          maxBuffer: 64 * 1024 * 1024,
          env: { PATH: searchPath, LC_ALL: 'C', ...slurmEnvironment() },
        },
        (error, stdout, stderr) => {
          if (error === null) resolve(stdout)
          else reject(new Error(`${program}: ${stderr.trim().slice(0, 500) || error.message}`))
        },
      )
      child.stdin?.on('error', () => undefined)
      child.stdin?.end(input)
    })

  return {
    async submitTask(task) {
      const { name, tool, resources, timeLimitMs } = task
      const { cores, memoryBytes } = resources
      const stdout = await run(
        'sbatch',
        [
          '--parsable',
          `--job-name=${name}`,
          '--nodes=1',
          '--ntasks=1',
          `--cpus-per-task=${cores}`,
          `--mem=${Math.ceil(memoryBytes / 2 ** 20)}M`,
          `--time=${Math.ceil(timeLimitMs / 60_000)}`,
          '--no-requeue',
          '--export=NIL',
          '--signal=B:TERM@60',
          '--open-mode=append',
          `--output=${logFolder}/%x.log`,
          ...optionsOf(tool),
        ],
        // The shell becomes the command, so that signals to the batch step reach it.
        `#!/bin/sh\nexec ${commandOf(task).map(quote).join(' ')}\n`,
      )
      // `id` or `id;cluster` (man sbatch, --parsable).
      const id = /^(\d+)(;\S+)?\s*$/m.exec(stdout)?.[1]
      if (id === undefined) throw new Error(`sbatch: no number of a job in its answer: ${stdout.trim().slice(0, 200)}`)
      return id
    },

    async listTasks() {
      // Not by --me: the administrator may submit by another account and change it.
      const stdout = await run('squeue', ['--noheader', '--states=all', '--format=%i|%T|%r|%N|%j'])
      return stdout.split('\n').flatMap((line) => {
        const [id, state = '', reason = '', node = '', name = ''] = line.split('|')
        const known = states.get(state)
        if (id === undefined || known === undefined || !name.startsWith(`${prefix}-`)) return []
        const word = reason === 'None' ? '' : reason
        return [{ id, name: name.trim(), state: known, reason: word, node } satisfies ListedTask]
      })
    },

    async stopTasks(ids) {
      if (ids.length > 0) await run('scancel', ['--quiet', ...ids])
    },
  }
}

/** Of squeue's states (man squeue, JOB STATE CODES) those of tasks that are not over. */
const states = new Map<string, ListedTask['state']>([
  ['PENDING', 'waiting'],
  ['CONFIGURING', 'waiting'],
  ['REQUEUED', 'waiting'],
  ['REQUEUE_HOLD', 'waiting'],
  ['RESV_DEL_HOLD', 'waiting'],
  ['SPECIAL_EXIT', 'waiting'],
  ['RUNNING', 'running'],
  ['SUSPENDED', 'running'],
  ['STOPPED', 'running'],
  ['RESIZING', 'running'],
  ['SIGNALING', 'running'],
  ['COMPLETING', 'ending'],
  ['STAGE_OUT', 'ending'],
])

/** Where a site keeps Slurm's configuration; no other variable of this process is Slurm's business. */
const slurmEnvironment = (): Record<string, string> => {
  const { SLURM_CONF, SLURM_CLUSTERS } = process.env
  return {
    ...(SLURM_CONF === undefined ? {} : { SLURM_CONF }),
    ...(SLURM_CLUSTERS === undefined ? {} : { SLURM_CLUSTERS }),
  }
}

/** A word of a shell's command (POSIX 2.2.2). */
const quote = (word: string): string => `'${word.replaceAll("'", "'\\''")}'`
