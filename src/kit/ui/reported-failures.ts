import { useLayoutEffect } from 'react'

/** Failures that stand on the page in words, with a way to ask again; counted, since one may stand in several places. */
const shownCounts = new Map<Error, number>()
const listeners = new Set<() => void>()

const count = (error: Error, step: 1 | -1): void => {
  const now = (shownCounts.get(error) ?? 0) + step
  if (now === 0) shownCounts.delete(error)
  else shownCounts.set(error, now)
  for (const listener of [...listeners]) listener()
}

/** For a part of the page that says in its own place that it could not be asked: it is then not told of a second time. */
export const useReported = (error: Error | null | undefined): void => {
  // Before the browser paints: the bar for what nothing tells of would flash, and be read out, for a moment.
  useLayoutEffect(() => {
    if (error === null || error === undefined) return
    count(error, 1)
    return () => count(error, -1)
  }, [error])
}

export const isReported = (error: Error): boolean => shownCounts.has(error)

/** Calls the listener whenever what is said on the page has changed; gives back how to end it. */
export const subscribeReported = (listener: () => void): (() => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
