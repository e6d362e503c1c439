import { listedTools } from 'virtual:tool-list'
import { type ComponentType, createElement, lazy, type ReactNode, useEffect } from 'react'
import { Navigate, type RouteObject, useLocation } from 'react-router'
import { Waiting } from '../../kit/ui/controls/empty-state.tsx'
import type { OwnPage } from '../../kit/ui/tool/define-screen.ts'
import { ToolListContext } from '../../kit/ui/tool/tool-list.ts'
import { allows } from '../account/access.ts'
import { loginAddress, useSession } from '../account/session.tsx'
import { switchedOffTools } from '../portal-settings.ts'
import { forgetChunkRetry, loadChunk } from './chunk.ts'
import { BareLayout, Layout, Root } from './layout.tsx'
import { type RouteEntry, redirects, routeTable } from './route-table.ts'
import { loadScreen } from './tool-screens.ts'

type LoadPage = () => Promise<{ default: ComponentType }>

const gene: LoadPage = () => import('../pages/gene/gene-page.tsx')

const document: LoadPage = () => import('../pages/documents/document-page.tsx')

const status = (name: 'Page403' | 'Page404' | 'Page500' | 'DisablePage' | 'ExceptionPage') => async () => ({
  default: (await import('../pages/status-page.tsx'))[name],
})

/** Pages of the portal itself, by their address in the route table. */
const ownPages: Record<string, LoadPage> = {
  '/user/login': () => import('../pages/account/login-page.tsx'),
  '/home': () => import('../pages/home-page.tsx'),
  '/document': document,
  '/document/:chapter': document,
  '/search': () => import('../pages/search-page.tsx'),
  '/tools': () => import('../pages/tools-page.tsx'),
  '/download': () => import('../pages/download-page.tsx'),
  '/gene': gene,
  '/map/gene': gene,
  '/reseq/gene': gene,
  '/detail': () => import('../pages/gene/detail-page.tsx'),
  '/contact': () => import('../pages/contact-page.tsx'),
  '/notebook': () => import('../pages/notebook/notebook-page.tsx'),
  '/users/register': () => import('../pages/account/register-page.tsx'),
  '/users/register-result': () => import('../pages/account/register-result-page.tsx'),
  '/account/center': () => import('../pages/account/account-center-page.tsx'),
  '/account/settings': () => import('../pages/account/account-settings-page.tsx'),
  '/info': () => import('../pages/admin/info-page.tsx'),
  '/xx': () => import('../pages/test-page.tsx'),
  '/disable': status('DisablePage'),
  '/exception': status('ExceptionPage'),
  '/403': status('Page403'),
  '/404': status('Page404'),
  '/500': status('Page500'),
}

/** Further pages of a tool, each `definePage` as the default export of `<page>-page.tsx`. */
const furtherPages = import.meta.glob<{ default: OwnPage }>('../../tools/*/*-page.tsx')

const off = switchedOffTools()
const tools = listedTools
  .filter((tool) => !off.has(tool.id))
  .sort((a, b) => a.order - b.order || a.id.localeCompare(b.id))

const toolPage =
  (id: string): LoadPage =>
  async () => {
    const [{ ToolScreen }, screen] = await Promise.all([import('../../kit/ui/tool/tool-screen.tsx'), loadScreen(id)])
    if (screen === null) throw new Error(`${id} has no screen`)
    if ('Page' in screen) return { default: screen.Page }
    return { default: () => createElement(ToolScreen, { key: id, screen }) }
  }

const absentPage =
  (entry: RouteEntry): LoadPage =>
  async () => {
    const { AbsentToolPage } = await import('../pages/absent-tool-page.tsx')
    return { default: () => createElement(AbsentToolPage, { title: entry.title }) }
  }

/** What draws an address here, or null when nothing installed does. */
const findPage = (entry: RouteEntry): LoadPage | null => {
  const own = ownPages[entry.path]
  if (own !== undefined) return own
  const route = entry.tool === true ? entry.path : entry.of
  const tool = tools.find((one) => one.route === route)
  if (tool === undefined) return null
  if (entry.page === undefined) return toolPage(tool.id)
  const load = furtherPages[`../../tools/${tool.id}/${entry.page}-page.tsx`]
  return load === undefined ? null : async () => ({ default: (await load()).default.Page })
}

/** A signed-in user who may not see a page is sent to /disable; a visitor to the login page first. */
const Guard = ({ access, children }: { access: string; children: ReactNode }): ReactNode => {
  const session = useSession()
  const location = useLocation()
  if (session.pending)
    return (
      <div className="nv-page">
        <Waiting />
      </div>
    )
  if (allows(session.access, access, { path: location.pathname })) return children
  return session.user !== null && session.user.access !== 'visitor' ? (
    <Navigate to="/disable" replace />
  ) : (
    <Navigate to={loginAddress(location)} replace />
  )
}

const ResetChunkRetry = ({ children }: { children: ReactNode }): ReactNode => {
  useEffect(forgetChunkRetry, [])
  return children
}

const draw = (load: LoadPage, access?: string): ReactNode => {
  const Lazy = lazy(() => loadChunk(load))
  const page = (
    <ResetChunkRetry>
      <Lazy />
    </ResetChunkRetry>
  )
  return access === undefined ? page : <Guard access={access}>{page}</Guard>
}

const route = (entry: RouteEntry): RouteObject => ({
  path: entry.path,
  caseSensitive: true,
  element: draw(findPage(entry) ?? absentPage(entry), entry.access),
})

const listed = new Set(routeTable.map((entry) => entry.path))
/** Tools that somebody added to this installation beside the product's own. */
const added = tools.filter((tool) => !listed.has(tool.route))
export const routes: RouteObject[] = [
  {
    element: (
      <ToolListContext value={tools}>
        <Root />
      </ToolListContext>
    ),
    children: [
      { element: <BareLayout />, children: routeTable.filter((entry) => entry.bare === true).map(route) },
      {
        element: <Layout />,
        children: [
          ...Object.entries(redirects).map(([path, to]) => ({ path, element: <Navigate to={to} replace /> })),
          ...routeTable.filter((entry) => entry.bare !== true).map(route),
          ...added.map((tool) => ({ path: tool.route, caseSensitive: true, element: draw(toolPage(tool.id)) })),
          { path: '*', element: draw(status('Page404')) },
        ],
      },
    ],
  },
]
