import { useCallback } from 'react'
import { useSearchParams } from 'react-router'

/** Parameters of the address that say how a result is looked at, not what was asked: kept while the form changes. */
export const viewPrefix = 'view.'

/**
 * A list in the address, with commas or by repeating its parameter: `tracks=a,b` and `tracks=a&tracks=b` are the same; null where the
 * address does not have it. Entries are trimmed, empty ones left out.
 */
export const readListValue = (query: URLSearchParams, name: string): string[] | null =>
  query.has(name)
    ? query
        .getAll(name)
        .flatMap((text) => text.split(','))
        .map((entry) => entry.trim())
        .filter((entry) => entry !== '')
    : null

/**
 * Changes some parameters of the address and leaves the rest; null takes one out. Each change is a step that Back undoes,
 * unless `replace`.
 */
export const useAddressValues = (): [
  query: URLSearchParams,
  change: (values: Record<string, string | null>, replace?: boolean) => void,
] => {
  const [query, setQuery] = useSearchParams()
  const change = useCallback(
    (values: Record<string, string | null>, replace = false): void =>
      setQuery(
        (before) => {
          const next = new URLSearchParams(before)
          for (const [name, value] of Object.entries(values)) {
            if (value === null) next.delete(name)
            else next.set(name, value)
          }
          return next
        },
        // At once: a box that waited for the address would first jump back.
        { replace, preventScrollReset: true, flushSync: true },
      ),
    [setQuery],
  )
  return [query, change]
}
