import { listedTools } from 'virtual:tool-list'
import { type ComponentType, createElement, lazy, type ReactNode } from 'react'
import { Navigate, type RouteObject } from 'react-router'
import type { OwnPage, Screen } from '../kit/ui/define-screen.ts'
import { ToolListContext } from '../kit/ui/tool-list.ts'
import { allows } from './access.ts'
import { BareLayout, Layout, Root } from './layout.tsx'
import { KnownPathsContext } from './route-names.ts'
import { useSession } from './session.tsx'

/**
 * The routes of the portal specification, section 2: exact, in its letters. A tool's route is there when its folder is.
 * Any other path is the 404 page.
 */
interface Page {
  path: string
  page: () => Promise<{ default: ComponentType }>
  /** Name in the access map; see access.ts. */
  access?: string
  /** Drawn without header and footer. */
  bare?: boolean
}

const gene = (): Promise<{ default: ComponentType }> => import('./pages/gene-page.tsx')

const pages: Page[] = [
  { path: '/user/login', page: () => import('./pages/login-page.tsx'), bare: true },
  { path: '/home', page: () => import('./pages/home-page.tsx') },
  { path: '/document', page: () => import('./pages/document-page.tsx') },
  { path: '/search', page: () => import('./pages/search-page.tsx') },
  { path: '/tools', page: () => import('./pages/tools-page.tsx') },
  { path: '/download', page: () => import('./pages/download-page.tsx') },
  { path: '/gene', page: gene },
  { path: '/map/gene', page: gene },
  { path: '/reseq/gene', page: gene },
  { path: '/info', page: () => import('./pages/info-page.tsx'), access: 'canAdmin' },
  { path: '/xx', page: () => import('./pages/test-page.tsx') },
  { path: '/disable', page: async () => ({ default: (await import('./pages/status-page.tsx')).DisablePage }) },
  { path: '/exception', page: async () => ({ default: (await import('./pages/status-page.tsx')).ExceptionPage }) },
  { path: '/403', page: async () => ({ default: (await import('./pages/status-page.tsx')).Page403 }) },
  { path: '/404', page: async () => ({ default: (await import('./pages/status-page.tsx')).Page404 }) },
  { path: '/500', page: async () => ({ default: (await import('./pages/status-page.tsx')).Page500 }) },
]

const screens = import.meta.glob<{ default: unknown }>('../tools/*/screen.tsx')

const toolPage = (id: string) => async (): Promise<{ default: ComponentType }> => {
  const load = screens[`../tools/${id}/screen.tsx`]
  const [{ ToolScreen }, module] = await Promise.all([import('../kit/ui/tool-screen.tsx'), load?.()])
  const screen = module?.default as Screen | OwnPage
  if ('Page' in screen) return { default: screen.Page }
  return { default: () => createElement(ToolScreen, { key: id, screen }) }
}

/** A signed-in user who may not see a page is sent to /disable; a visitor to the login page first. */
const Guard = ({ access, children }: { access: string; children: ReactNode }): ReactNode => {
  const session = useSession()
  if (session.pending) return null
  if (allows(session.access, access)) return children
  return session.user !== null && session.user.access !== 'visitor' ? (
    <Navigate to="/disable" replace />
  ) : (
    <Navigate to={`/user/login?${new URLSearchParams({ redirect: '/info' })}`} replace />
  )
}

const route = ({ path, page, access }: Page): RouteObject => {
  const Lazy = lazy(page)
  return {
    path,
    caseSensitive: true,
    element:
      access === undefined ? (
        <Lazy />
      ) : (
        <Guard access={access}>
          <Lazy />
        </Guard>
      ),
  }
}

const NotFound = lazy(async () => ({ default: (await import('./pages/status-page.tsx')).Page404 }))

const all: Page[] = [...pages, ...listedTools.map((tool) => ({ path: tool.route, page: toolPage(tool.id) }))]
const known = new Set(all.map((page) => page.path))
const tools = [...listedTools].sort((a, b) => a.order - b.order || a.id.localeCompare(b.id))

export const routes: RouteObject[] = [
  {
    element: (
      <KnownPathsContext value={known}>
        <ToolListContext value={tools}>
          <Root />
        </ToolListContext>
      </KnownPathsContext>
    ),
    children: [
      { element: <BareLayout />, children: all.filter((page) => page.bare === true).map(route) },
      {
        element: <Layout />,
        children: [
          { path: '/', element: <Navigate to="/home" replace /> },
          { path: '/index.html', element: <Navigate to="/home" replace /> },
          ...all.filter((page) => page.bare !== true).map(route),
          { path: '*', element: <NotFound /> },
        ],
      },
    ],
  },
]
