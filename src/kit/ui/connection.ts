import { isConnected, setConnected } from './connection-state.ts'
import { addressOf, onAnswer } from './request.ts'

/**
 * Whether the server can be reached. The browser's own word (`navigator.onLine`) tells of a network card, not of a server: it says
 * "online" in a network without a way on, and again after a reload of a kept page. So the server itself is asked: a connection is lost
 * when a request got no answer and a question to the server's health gets none either, and it is back with the first answer.
 */

/** How often a lost connection is tried; a reader sees for this long at least that the browser called it off. */
export const probeEveryMs = 5000
/** A question that has no answer by then is given up: in a network that swallows it, it would wait for minutes. */
export const probeTimeoutMs = 5000

interface Probe {
  /** Resolves once it is known whether there is an answer, or nobody cares any more. */
  done: Promise<void>
  end: () => void
}

let watched = false
/** The page is being left: what the browser cuts off then says nothing of the connection. */
let leaving = false
let probe: Probe | null = null
let next: ReturnType<typeof setTimeout> | undefined

const endProbe = (): void => {
  probe?.end()
  probe = null
  clearTimeout(next)
}

const settle = (isLost: boolean): void => {
  endProbe()
  if (isLost) next = setTimeout(() => void checkConnection(), probeEveryMs)
  setConnected(!isLost)
}

const beginProbe = (): Probe => {
  const controller = new AbortController()
  const late = setTimeout(() => controller.abort(), probeTimeoutMs)
  const ask = async (): Promise<void> => {
    // Not by `call`: its own failure would ask for the next probe.
    const answered = await fetch(addressOf('/api/health/'), { cache: 'no-store', signal: controller.signal }).then(
      () => true,
      () => false,
    )
    clearTimeout(late)
    if (probe !== one) return
    probe = null
    if (!leaving) settle(!answered)
  }
  const one: Probe = { done: Promise.resolve(), end: () => controller.abort() }
  one.done = ask()
  return one
}

/** Asks the server now, unless it is being asked; resolves once {@link isConnected} says what came of it. */
export const checkConnection = (): Promise<void> => {
  if (!watched || leaving) return Promise.resolve()
  probe ??= beginProbe()
  return probe.done
}

const onOffline = (): void => settle(true)

/** A network is there again; whether the server is, only the server can say. What was asked before is not waited for. */
const onOnline = (): void => {
  if (isConnected()) return
  endProbe()
  void checkConnection()
}

const onPageHide = (): void => {
  leaving = true
  endProbe()
}

/** The page was kept by the browser and is shown again. */
const onPageShow = (): void => {
  leaving = false
  if (!isConnected()) void checkConnection()
}

/** Begins to watch the connection; gives back how to end it. */
export const watchConnection = (): (() => void) => {
  watched = true
  leaving = false
  const stopAnswers = onAnswer((came) => {
    if (!came) return checkConnection()
    if (!isConnected() || probe !== null) settle(false)
    return Promise.resolve()
  })
  addEventListener('offline', onOffline)
  addEventListener('online', onOnline)
  addEventListener('pagehide', onPageHide)
  addEventListener('pageshow', onPageShow)
  // That there is no network is a reason to look, not yet a loss: a portal on the reader's own machine needs none.
  if (!navigator.onLine) void checkConnection()
  return () => {
    watched = false
    stopAnswers()
    removeEventListener('offline', onOffline)
    removeEventListener('online', onOnline)
    removeEventListener('pagehide', onPageHide)
    removeEventListener('pageshow', onPageShow)
    settle(false)
  }
}
