import { createContext, useContext } from 'react'

/** Entries of the main menu, in its order; one shows when its page is there. */
export const menuRoutes = [
  { path: '/home', title: 'menu.home' },
  { path: '/jbrowse/', title: 'menu.jbrowse' },
  { path: '/search', title: 'menu.search' },
  { path: '/pathway', title: 'menu.pathway' },
  { path: '/tools', title: 'menu.tools' },
  { path: '/download', title: 'menu.download' },
  { path: '/contact', title: 'menu.contact' },
] as const

/** Paths that have a page in this build; menus and links ask it rather than lead to a 404. */
export const KnownPathsContext = createContext<ReadonlySet<string>>(new Set())

export const useKnownPaths = (): ReadonlySet<string> => useContext(KnownPathsContext)
