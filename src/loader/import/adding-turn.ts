import { setTimeout as sleep } from 'node:timers/promises'
import type { Database, Sql } from '../../database/connect.ts'

/** Only one addition is written and loaded in a portal at a time; the number is of this product, chosen once. */
const addingLock = 73_061_932
const askAgainMs = 500

/** The turn of an addition, of a command or of the page: from the writing of a manifest until its load has ended. */
export interface AddingTurn {
  /** Waits until nobody else adds anything, and holds others up until the work has ended. */
  take(): Promise<void>
}

/** Of what writes nothing. */
export const noTurn: AddingTurn = { take: () => Promise.resolve() }

/** Calls `work`, whose turn ends with it, and with the process, however that dies. */
export const inAddingTurn = async <T>(
  { database, signal, onWaiting }: { database: Database; signal: AbortSignal; onWaiting(): void },
  work: (turn: AddingTurn) => Promise<T>,
): Promise<T> => {
  let connection: Sql | null = null
  const take = async (): Promise<void> => {
    if (connection !== null) return
    connection = database.connect({ max: 1, lasting: true, applicationName: 'novodb addition' })
    for (;;) {
      const [state] = await connection<{ taken: boolean }[]>`select pg_try_advisory_lock(${addingLock}) as taken`
      if (state?.taken === true) return
      onWaiting()
      await sleep(askAgainMs, undefined, { signal })
    }
  }
  try {
    return await work({ take })
  } finally {
    await (connection as Sql | null)?.end({ timeout: 5 })
  }
}
