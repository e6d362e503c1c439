import { useText } from '../../kit/ui/language.tsx'
import type { RouteTitle } from '../messages/routes.ts'
import { messages } from '../messages/routes.ts'

/** Titles of addresses in the reader's language: `useRouteTitle()('search')` is "Search". */
export const useRouteTitle = (): ((title: RouteTitle) => string) => {
  const t = useText(messages)
  return (title) => t(`route.${title}`)
}
