import { useSyncExternalStore } from 'react'
import { flushSync } from 'react-dom'

let isPrinting = false
const listeners = new Set<() => void>()

/** All that prints otherwise is drawn anew together: what measures what another has drawn finds it as it goes to paper. */
const turn = (to: boolean): void => {
  isPrinting = to
  flushSync(() => {
    for (const listener of listeners) listener()
  })
}
const begin = (): void => turn(true)
const end = (): void => turn(false)

const subscribe = (listener: () => void): (() => void) => {
  if (listeners.size === 0) {
    addEventListener('beforeprint', begin)
    addEventListener('afterprint', end)
  }
  listeners.add(listener)
  return () => {
    listeners.delete(listener)
    if (listeners.size > 0) return
    removeEventListener('beforeprint', begin)
    removeEventListener('afterprint', end)
  }
}

/** Whether the page is being printed: what is drawn only as it is scrolled to must then be drawn whole, at once. */
export const usePrinting = (): boolean => useSyncExternalStore(subscribe, () => isPrinting)
