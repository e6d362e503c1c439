let connected = true
const listeners = new Set<() => void>()

/** False from when the connection is known to be lost until it is back. */
export const isConnected = (): boolean => connected

/** Calls the listener whenever the connection is lost or back; gives back how to end it. */
export const subscribeConnection = (listener: () => void): (() => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** For whoever watches the connection. */
export const setConnected = (isNow: boolean): void => {
  if (connected === isNow) return
  connected = isNow
  for (const listener of [...listeners]) listener()
}
