import { createContext, useContext } from 'react'
import { useText } from '../kit/ui/language.tsx'
import type { RouteTitle } from './messages/routes.ts'
import { messages } from './messages/routes.ts'

/** Paths whose page is part of this installation; links ask it rather than lead to a page that says "not installed". */
export const KnownPathsContext = createContext<ReadonlySet<string>>(new Set())

export const useKnownPaths = (): ReadonlySet<string> => useContext(KnownPathsContext)

/** Titles of addresses in the reader's language: `useRouteTitle()('search')` is "Search". */
export const useRouteTitle = (): ((title: RouteTitle) => string) => {
  const t = useText(messages)
  return (title) => t(`route.${title}`)
}
