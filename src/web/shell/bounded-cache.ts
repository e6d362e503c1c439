/** How many paths and path patterns are remembered at most (portal specification, section 9). */
export const patternCacheLimit = 10_000

/**
 * Remembers what `compute` gives for a key, for at most `limit` keys; what was made first is forgotten first.
 * For patterns and addresses, which a long session would otherwise gather without end. A library (`lru-cache`) adds 6 kB to the first
 * page for these lines.
 */
export const boundedCache = <T>(
  compute: (key: string) => T,
  limit: number = patternCacheLimit,
): { get: (key: string) => T; size: () => number } => {
  const kept = new Map<string, T>()
  return {
    get: (key) => {
      if (kept.has(key)) return kept.get(key) as T
      const value = compute(key)
      if (kept.size >= limit) kept.delete(kept.keys().next().value as string)
      kept.set(key, value)
      return value
    },
    size: () => kept.size,
  }
}
