/** What a job needs of the machine that runs it. */
export interface Resources {
  cores: number
  memoryBytes: number
}

/** One start of a job that is asked of a scheduler. */
export interface SchedulerTask {
  /** Unlike that of every other start, of this job and others: what the scheduler is asked about the task by. */
  name: string
  /** Id of the job. */
  job: string
  tool: string
  resources: Resources
  /** After this the scheduler may kill the task; longer than the job's own time limit, which is to end it first. */
  timeLimitMs: number
}

/** What a scheduler says of a task that waits or runs. */
export interface ListedTask {
  name: string
  /** The scheduler's own id, as the administrator knows it. */
  id: string
  state: 'waiting' | 'running' | 'ending'
  /** Why it waits, in the scheduler's own word; '' when it does not say. */
  reason: string
  /** Where it runs, by the scheduler's name for the machine; '' while it waits. */
  node: string
}

/**
 * A scheduler that other software runs: Slurm today. It is asked to start and to stop tasks, and what it lists is believed only as far
 * as it says that a task is there. How a job ended is never asked of it: the job's row and the lease of whoever runs it say so.
 *
 * Each of these may fail, and each may have done what it was asked for all the same.
 */
export interface Scheduler {
  /** Asks for a task to be started; resolves to the scheduler's id of it. */
  submitTask(task: SchedulerTask): Promise<string>
  /** The portal's tasks that wait or run. Rejects when the scheduler cannot be asked: then nothing is known. */
  listTasks(): Promise<ListedTask[]>
  /** Stops tasks by the scheduler's ids; those that are over already are passed over. */
  stopTasks(ids: string[]): Promise<void>
}

/** Name of one start of a job. Example: `taskName('novodb', 'ab…', 2)` is `novodb-ab…-2`. */
export const taskName = (prefix: string, job: string, number: number): string => `${prefix}-${job}-${number}`
