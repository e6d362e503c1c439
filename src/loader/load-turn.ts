import { failSilentLoads, getRunningLoad, othersWait, type RunningLoad, updateLoad } from '../database/catalogue.ts'
import type { Database } from '../database/connect.ts'

/** A load that was told to stop; what it had switched by then stays switched, and everything else is as it was. */
export class LoadStopped extends Error {
  readonly release: number | null
  readonly species: string | null
  constructor(species: string | null, release: number | null) {
    super(
      release === null
        ? 'Stopped: nothing was changed, the release before stays in service.'
        : `Stopped: release ${release} of ${species} is in service; the next load does the rest.`,
    )
    this.name = 'LoadStopped'
    this.species = species
    this.release = release
  }
}

/** Only one load runs in a portal at a time; the number is of this product, chosen once. */
const loadLock = 73_061_931
const askAgainMs = 1000

interface Turn {
  /** Whether further loads wait for this one: what is computed over all assemblies can be left to the last of them. */
  othersWait(): Promise<boolean>
}

/** Calls `work` where no load runs, and holds further ones up until it is done; false where one runs. */
export const whenNoneLoads = async (database: Database, work: () => Promise<void>): Promise<boolean> => {
  const connection = database.connect({ max: 1, lasting: true, applicationName: 'novodb load' })
  try {
    const [state] = await connection<{ taken: boolean }[]>`select pg_try_advisory_lock(${loadLock}) as taken`
    if (state?.taken !== true) return false
    await work()
    return true
  } finally {
    await connection.end({ timeout: 5 })
  }
}

/**
 * Waits for the loads before this one, and calls `work` while no other runs. `onWaiting` hears about every second which load is
 * waited for (null between two). A process that dies, however it does, loses its turn and its place. Rejects with LoadStopped when
 * the signal is given while it waits.
 */
export const takeTurn = async <T>(
  options: {
    database: Database
    signal: AbortSignal
    species: string
    /** Its row, which says that it waits. */
    load: number
    onWaiting?: ((running: RunningLoad | null) => void) | undefined
  },
  work: (turn: Turn) => Promise<T>,
): Promise<T> => {
  const { signal, load } = options
  const { sql } = options.database
  // A connection of its own holds the lock: it ends with the process, however that dies.
  const connection = options.database.connect({ max: 1, lasting: true, applicationName: 'novodb load' })
  let ticking: NodeJS.Timeout | undefined
  try {
    const [state] = await connection<{ pid: number; taken: boolean }[]>`
      select pg_backend_pid() as pid, pg_try_advisory_lock(${loadLock}) as taken`
    const { pid, taken } = state!
    if (!taken) {
      const stop = (): void => void sql`select pg_cancel_backend(${pid})`.catch(() => undefined)
      const showWaiting = async (): Promise<void> => {
        // Again, should the first have come before the statement that it is to end.
        if (signal.aborted) stop()
        await updateLoad(sql, load, 'waiting', 0)
        options.onWaiting?.(await getRunningLoad(sql))
      }
      await showWaiting()
      ticking = setInterval(() => void showWaiting().catch(() => undefined), askAgainMs)
      // A waiter is inside one statement, in which the server would not see that its client has died.
      await connection`set client_connection_check_interval = '2s'`.catch(() => undefined)
      signal.addEventListener('abort', stop, { once: true })
      try {
        if (signal.aborted) throw new LoadStopped(options.species, null)
        await connection`select pg_advisory_lock(${loadLock})`
      } catch (error) {
        throw signal.aborted ? new LoadStopped(options.species, null) : error
      } finally {
        signal.removeEventListener('abort', stop)
        clearInterval(ticking)
      }
    }
    // Who holds the lock is the only load: any other that counts as running has died.
    await failSilentLoads(sql, 0)
    return await work({ othersWait: () => othersWait(sql, load) })
  } finally {
    clearInterval(ticking)
    await connection.end({ timeout: 5 })
  }
}
