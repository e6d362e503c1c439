import { PortalError } from '../contracts/errors.ts'

export interface FairTurnLimits {
  /** Works at the same time. */
  atOnce: number
  /** Waiting of one client, beyond those at work. */
  waitingOfClient: number
  /** Waiting in all. */
  waiting: number
}

export interface FairTurns {
  /**
   * Does `work` when it is the client's turn. Rejects with TOO_MANY_REQUESTS (`tool.clientLimit`) when the client has as many
   * waiting as it may, with BUSY when all have, and with the signal's reason when it fires before the turn has come.
   */
  take<Result>(client: string, signal: AbortSignal, work: () => Promise<Result>): Promise<Result>
}

/**
 * Turns for work that is short but can pile up: of the clients that wait each has one turn, then each the next, so that whoever
 * asks for one thing waits for one of everybody's and not for hundreds of somebody's.
 */
export const createFairTurns = ({ atOnce, waitingOfClient, waiting: mostWaiting }: FairTurnLimits): FairTurns => {
  /** Of each client that waits, the starts of its works; the client whose turn is next is the first of the map. */
  const waiting = new Map<string, (() => void)[]>()
  let waitingInAll = 0
  let atWork = 0

  const startNext = (): void => {
    for (const [client, starts] of waiting) {
      if (atWork >= atOnce) return
      const start = starts.shift()!
      waitingInAll -= 1
      // To the end of the round, if it has more.
      waiting.delete(client)
      if (starts.length > 0) waiting.set(client, starts)
      atWork += 1
      start()
    }
  }

  const waitForTurn = (client: string, signal: AbortSignal): Promise<void> =>
    new Promise((resolve, reject) => {
      const starts = waiting.get(client) ?? []
      const start = (): void => {
        signal.removeEventListener('abort', onAbort)
        resolve()
      }
      const onAbort = (): void => {
        starts.splice(starts.indexOf(start), 1)
        waitingInAll -= 1
        if (starts.length === 0 && waiting.get(client) === starts) waiting.delete(client)
        reject(signal.reason)
      }
      signal.addEventListener('abort', onAbort, { once: true })
      starts.push(start)
      waiting.set(client, starts)
      waitingInAll += 1
      startNext()
    })

  return {
    async take(client, signal, work) {
      signal.throwIfAborted()
      if (atWork >= atOnce) {
        if ((waiting.get(client)?.length ?? 0) >= waitingOfClient)
          throw new PortalError('TOO_MANY_REQUESTS', {
            message: 'tool.clientLimit',
            params: { limit: waitingOfClient, seconds: 2 },
          })
        if (waitingInAll >= mostWaiting) throw new PortalError('BUSY')
      }
      await waitForTurn(client, signal)
      try {
        return await work()
      } finally {
        atWork -= 1
        startNext()
      }
    },
  }
}
