import { isConnected, subscribeConnection } from '../../kit/ui/connection-state.ts'
import { currentLocale, translator } from '../../kit/ui/language.tsx'
import { closeNotice, showNotice } from '../../kit/ui/notices.ts'
import { addressOf } from '../../kit/ui/request.ts'
import { messages } from '../messages/shell.ts'
import { buildVersion } from '../portal-settings.ts'

/** How often an open page asks whether there is a newer build. */
const checkMs = 30 * 60_000

const versionOf = (worker: ServiceWorker): Promise<string> =>
  new Promise((resolve) => {
    const channel = new MessageChannel()
    channel.port1.onmessage = (event: MessageEvent<string>) => resolve(event.data)
    worker.postMessage('version', [channel.port2])
  })

let offered: number | null = null

/** Tells that there is a newer build; its button begins the change to it. */
export const offerUpdate = (refresh: () => void): void => {
  const t = translator(messages, currentLocale())
  if (offered !== null) closeNotice(offered)
  offered = showNotice({
    kind: 'notification',
    level: 'info',
    text: t('notice.update'),
    action: { label: t('notice.refresh'), run: refresh },
  })
}

/** A newer build waits: the reader is told, and decides when. One that this page is already of takes over unasked. */
const offer = async (waiting: ServiceWorker): Promise<void> => {
  if ((await versionOf(waiting)) === buildVersion()) {
    waiting.postMessage('activate')
    return
  }
  offerUpdate(() => {
    navigator.serviceWorker.addEventListener('controllerchange', () => location.reload(), { once: true })
    waiting.postMessage('activate')
  })
}

const watch = (registration: ServiceWorkerRegistration): void => {
  const look = (): void => {
    if (registration.waiting !== null && navigator.serviceWorker.controller !== null) void offer(registration.waiting)
  }
  registration.addEventListener('updatefound', () => {
    const worker = registration.installing
    worker?.addEventListener('statechange', () => {
      if (worker.state === 'installed') look()
    })
  })
  look()
  const check = (): void => void registration.update().catch(() => undefined)
  setInterval(check, checkMs)
  // A server that was away may have come back with a newer build.
  subscribeConnection(() => {
    if (isConnected()) check()
  })
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'visible') check()
  })
}

/** Registers the service worker once the first page is drawn; a page that no build made (development) has none. */
export const startServiceWorker = (): void => {
  if (buildVersion() === '' || !('serviceWorker' in navigator)) return
  const start = async (): Promise<void> => {
    try {
      watch(await navigator.serviceWorker.register(addressOf('/sw.js'), { scope: addressOf('/') }))
    } catch {
      // A browser may forbid it (private windows, no secure origin); the portal works without.
    }
  }
  if (document.readyState === 'complete') void start()
  else addEventListener('load', () => void start(), { once: true })
}
