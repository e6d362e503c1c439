import { useCallback } from 'react'
import { useHref, useLocation, useSearchParams } from 'react-router'

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
 * Whether the reader has gone on to another page whose code is still being fetched. This one stays in view until then, and what it
 * writes late, after a pause in typing, would change the other page's address.
 */
export const useIsLeft = (): (() => boolean) => {
  const here = useHref(useLocation().pathname)
  return useCallback(() => window.location.pathname !== here, [here])
}

/**
 * Changes some parameters of the address and leaves the rest; null takes one out. Each change is a step that Back undoes,
 * unless `replace`.
 */
export const useAddressValues = (): [
  query: URLSearchParams,
  change: (values: Record<string, string | null>, replace?: boolean) => void,
] => {
  const [query, setQuery] = useSearchParams()
  const isLeft = useIsLeft()
  const change = useCallback(
    (values: Record<string, string | null>, replace = false): void => {
      if (isLeft()) return
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
      )
    },
    [setQuery, isLeft],
  )
  return [query, change]
}
