import { connect } from 'node:net'
import { setImmediate as nextTurn } from 'node:timers/promises'

/** Longer than a lost packet of a connection's start takes to be sent again, twice (RFC 6298: after one second, then two). */
export const reachMs = 3_500

/**
 * Whether nothing comes from a host any more, not even that it refuses: a link that is cut, or a machine without power. TCP itself takes a
 * quarter of an hour to find that out of what was sent (Linux, tcp(7), tcp_retries2), and Node.js has no way to set that shorter.
 */
export const isHostSilent = (host: string, port: number, waitMs: number = reachMs): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect({ host, port })
    const end = (silent: boolean): void => {
      clearTimeout(timer)
      socket.destroy()
      resolve(silent)
    }
    // In a process that was busy all the while the answer may be there and wait to be looked at.
    const timer = setTimeout(() => void nextTurn().then(() => end(true)), waitMs)
    socket.once('connect', () => end(false))
    // One that refuses is there: what it knows nothing of it ends by itself.
    socket.once('error', ({ code }: NodeJS.ErrnoException) => end(code !== 'ECONNREFUSED' && code !== 'ECONNRESET'))
  })
