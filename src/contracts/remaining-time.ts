/** A rate of less than this says too little. */
const leastElapsedMs = 5000
const leastFraction = 0.02

/**
 * What is left of something that has taken `elapsedMs` for `fraction` of it, in milliseconds if it goes on as it has; null where that
 * cannot be said: at its beginning, at its end, and where the share done is not known.
 *
 * Example: `remainingMs(60_000, 0.25)` is 180000.
 */
export const remainingMs = (elapsedMs: number, fraction: number | null): number | null =>
  fraction === null || fraction < leastFraction || fraction >= 1 || elapsedMs < leastElapsedMs
    ? null
    : (elapsedMs * (1 - fraction)) / fraction
