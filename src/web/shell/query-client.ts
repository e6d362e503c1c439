import { type Query, QueryCache, QueryClient } from '@tanstack/react-query'
import { RequestError, showRequestError } from '../../kit/ui/request.ts'

/**
 * What may pass by itself: no answer, or a server behind its proxy that is restarting. What the reader asked wrongly stays wrong, and a
 * gateway that waited in vain (504) has waited long enough for the reader to be told.
 */
export const isPassing = (error: Error): boolean =>
  !(error instanceof RequestError) || [0, 502, 503].includes(error.status)

/** Whether a query asks again every few seconds: it is not told each time that it still fails. */
const isPolling = (query: Query<unknown, unknown>): boolean =>
  query.observers.some(({ options: { refetchInterval } }) =>
    typeof refetchInterval === 'function' ? refetchInterval(query as never) : refetchInterval,
  )

/** The questions of all pages, whose failures are shown by the error handler once a question gives up. */
export const makeQueryClient = (): QueryClient => {
  const reported = new Map<string, string>()
  return new QueryClient({
    queryCache: new QueryCache({
      onError: (error, query) => {
        if (!(error instanceof RequestError) || error.skipped) return
        if (reported.get(query.queryHash) === error.message && isPolling(query)) return
        reported.set(query.queryHash, error.message)
        showRequestError(error)
      },
      onSuccess: (_, query) => reported.delete(query.queryHash),
    }),
    defaultOptions: {
      queries: { refetchOnWindowFocus: false, retry: (count, error) => count < 2 && isPassing(error) },
      // What the reader asks to be done is tried at once, and refused if it cannot be: it is not kept for a time nobody knows.
      mutations: { networkMode: 'always' },
    },
  })
}
