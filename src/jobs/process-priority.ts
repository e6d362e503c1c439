import { readdirSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { getPriority, setPriority } from 'node:os'

/**
 * What may wait where there are not processors enough for all: answers of tools, jobs and loads, and what works for them, behind the
 * process that answers look-ups and its connections. Linux alone: there each thread has a priority.
 */
const behind = Math.min(19, getPriority() + 10)
/**
 * Whoever is not root may set one session's priority in a tenth of a second, on the whole machine (kernel/sched/autogroup.c). A connection lasts
 * and is worth waiting for; a program may be over before.
 */
const attempts = { connection: 100, program: 10 }
/** The mean of the pauses, which are not all alike: many try. */
const pauseMs = 200

/** Puts this process behind with all its threads, V8's among them, and what it starts from now on. */
export const stepBehind = (): void => {
  if (process.platform !== 'linux') return
  for (const thread of readdirSync('/proc/self/task'))
    try {
      setPriority(Number(thread), behind)
    } catch {
      // It has ended.
    }
}

/** Puts a process behind that leads a session of its own, as those of PostgreSQL that serve a connection do. */
export const putBehind = async (pid: number): Promise<void> => {
  if (process.platform !== 'linux') return
  try {
    setPriority(pid, behind)
  } catch {
    // It has ended, or is somebody else's.
    return
  }
  await setSessionPriority(pid, behind, attempts.connection)
}

/**
 * Gives the session that a process leads the priority of the process that calls. Where the kernel shares processors out by sessions (man 7 sched,
 * "The autogroup feature"; on in most distributions), a session gets as much as any other, however low the priority of its processes.
 */
export const handSessionPriority = (pid: number): void => {
  if (process.platform !== 'linux') return
  const priority = getPriority(0)
  if (priority > 0) void setSessionPriority(pid, priority, attempts.program)
}

const setSessionPriority = async (pid: number, priority: number, maxAttempts: number): Promise<void> => {
  for (let attempt = 0; attempt < maxAttempts; attempt += 1)
    try {
      await writeFile(`/proc/${pid}/autogroup`, String(priority))
      return
    } catch (error) {
      // Another kernel, another's process, or none any more.
      if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') return
      await new Promise((resolve) => setTimeout(resolve, 2 * pauseMs * Math.random()).unref())
    }
}
