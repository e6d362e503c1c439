import { PortalError } from '../../contracts/errors.ts'

export interface FairQueueLimits {
  /** Works at the same time: the places that there are. */
  atOnce: number
  /** Works of one client at the same time, however few others there are; `atOnce` where absent. */
  atOnceOfClient?: number
  /** Waiting of one client, beyond those at work. */
  waitingOfClient: number
  /** Waiting in all. */
  waiting: number
}

export interface FairQueue {
  /**
   * Does `work` when it is the client's turn; it is told its place, from 0, which nobody else has meanwhile. With `at` it waits for that
   * place and takes no other. Rejects with TOO_MANY_REQUESTS (`tool.clientLimit`) when the client has as many waiting as it may, with BUSY
   * when all have, and with the signal's reason when it fires before the turn has come.
   */
  take<Result>(
    client: string,
    signal: AbortSignal,
    work: (slot: number) => Promise<Result>,
    at?: number,
  ): Promise<Result>
}

interface Waiting {
  at: number | undefined
  start(slot: number): void
}

/**
 * Turns for work that is short but can pile up: of the clients that wait each has one turn, then each the next, so that whoever
 * asks for one thing waits for one of everybody's and not for hundreds of somebody's.
 */
export const createFairQueue = (limits: FairQueueLimits): FairQueue => {
  const { atOnce, atOnceOfClient = atOnce, waitingOfClient, waiting: maxWaiting } = limits
  /** Of each client that waits, its works; the client whose turn is next is the first of the map. */
  const waiting = new Map<string, Waiting[]>()
  let waitingInAll = 0
  const taken = Array.from({ length: atOnce }, () => false)
  /** Works that each client has at work. */
  const atWork = new Map<string, number>()

  const placeFor = (client: string, at: number | undefined): number => {
    if ((atWork.get(client) ?? 0) >= atOnceOfClient) return -1
    if (at === undefined) return taken.indexOf(false)
    return taken[at] === false ? at : -1
  }

  const occupy = (client: string, slot: number): void => {
    taken[slot] = true
    atWork.set(client, (atWork.get(client) ?? 0) + 1)
  }

  const leave = (client: string, slot: number): void => {
    taken[slot] = false
    const left = atWork.get(client)! - 1
    if (left > 0) atWork.set(client, left)
    else atWork.delete(client)
    startNext()
  }

  const startNext = (): void => {
    for (const [client, works] of waiting) {
      if (!taken.includes(false)) return
      const number = works.findIndex(({ at }) => placeFor(client, at) >= 0)
      if (number < 0) continue
      const [work] = works.splice(number, 1)
      waitingInAll -= 1
      // To the end of the round, if it has more.
      waiting.delete(client)
      if (works.length > 0) waiting.set(client, works)
      const slot = placeFor(client, work!.at)
      occupy(client, slot)
      work!.start(slot)
    }
  }

  const waitForTurn = (client: string, signal: AbortSignal, at: number | undefined): Promise<number> =>
    new Promise((resolve, reject) => {
      const works = waiting.get(client) ?? []
      const work: Waiting = {
        at,
        start: (slot) => {
          signal.removeEventListener('abort', onAbort)
          resolve(slot)
        },
      }
      const onAbort = (): void => {
        works.splice(works.indexOf(work), 1)
        waitingInAll -= 1
        if (works.length === 0 && waiting.get(client) === works) waiting.delete(client)
        reject(signal.reason)
      }
      signal.addEventListener('abort', onAbort, { once: true })
      works.push(work)
      waiting.set(client, works)
      waitingInAll += 1
      startNext()
    })

  return {
    async take(client, signal, work, at) {
      signal.throwIfAborted()
      if (placeFor(client, at) < 0) {
        if ((waiting.get(client)?.length ?? 0) >= waitingOfClient)
          throw new PortalError('TOO_MANY_REQUESTS', {
            message: 'tool.clientLimit',
            params: { limit: waitingOfClient, seconds: 2 },
          })
        if (waitingInAll >= maxWaiting) throw new PortalError('BUSY')
      }
      const slot = await waitForTurn(client, signal, at)
      try {
        return await work(slot)
      } finally {
        leave(client, slot)
      }
    },
  }
}
