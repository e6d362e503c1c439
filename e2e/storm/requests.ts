import { Agent, request } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'

export interface Answer {
  /** 0: none came. */
  status: number
  text: string
}

export interface Asked {
  path: string
  /** JSON of a POST; without it, it is a GET. */
  body?: unknown
  headers?: Record<string, string>
}

/** Somebody at an address of their own, which the proxy passes on. */
export interface Visitor {
  ask(asked: Asked): Promise<Answer>
  /**
   * As a page of the portal asks: again after one second, two, four …, where no answer comes or the server cannot answer now (502, 503).
   * Gives up a minute after the first.
   */
  askPatiently(asked: Asked): Promise<{ answer: Answer; tries: number; ms: number }>
  leave(): void
}

const answerMs = 20_000
const patienceMs = 60_000
const longestPauseMs = 8_000

const mayPass = ({ status }: Answer): boolean => [0, 502, 503].includes(status)

/** A visitor of the portal at a host and port, from an address of this machine. */
export const openVisitor = ({ host, port }: { host: string; port: number }, localAddress: string): Visitor => {
  const agent = new Agent({ keepAlive: true, localAddress })
  const ask = ({ path, body, headers = {} }: Asked): Promise<Answer> =>
    new Promise((resolve) => {
      const none = (): void => resolve({ status: 0, text: '' })
      const asked = request(
        {
          host,
          port,
          path,
          agent,
          method: body === undefined ? 'GET' : 'POST',
          headers: { ...(body === undefined ? {} : { 'Content-Type': 'application/json' }), ...headers },
          signal: AbortSignal.timeout(answerMs),
        },
        (answer) => {
          let text = ''
          answer.setEncoding('utf8')
          answer.on('data', (piece: string) => {
            text += piece
          })
          answer.on('end', () => (answer.complete ? resolve({ status: answer.statusCode ?? 0, text }) : none()))
          answer.on('error', none)
        },
      )
      asked.on('error', none)
      asked.end(body === undefined ? undefined : JSON.stringify(body))
    })
  return {
    ask,
    async askPatiently(asked) {
      const began = performance.now()
      for (let tries = 1; ; tries += 1) {
        const answer = await ask(asked)
        const ms = performance.now() - began
        if (!mayPass(answer) || ms > patienceMs) return { answer, tries, ms }
        await pause(Math.min(1_000 * 2 ** (tries - 1), longestPauseMs))
      }
    },
    leave: () => agent.destroy(),
  }
}
