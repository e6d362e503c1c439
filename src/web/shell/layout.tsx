import { type ReactNode, Suspense, useEffect, useRef, useState } from 'react'
import { Outlet, ScrollRestoration, useLocation } from 'react-router'
import { Waiting } from '../../kit/ui/controls/empty-state.tsx'
import { useText } from '../../kit/ui/language.tsx'
import { useAuthOptions } from '../account/auth-options.ts'
import { GeneSetSync } from '../account/gene-set-sync.tsx'
import { NotebookAdoption } from '../account/notebook-adoption.tsx'
import { SessionProvider } from '../account/session.tsx'
import { messages } from '../messages/shell.ts'
import { filingNotice } from '../portal-settings.ts'
import { BackToTop } from './back-to-top.tsx'
import { ErrorBoundary } from './error-boundary.tsx'
import { Header } from './header.tsx'
import { Notices } from './notices.tsx'
import { useRouteTitle } from './route-names.ts'
import { findRoute } from './route-table.ts'
import { UnaskedBar } from './unasked-bar.tsx'

/** Everything inside the router: the session, the notices, and the page itself. */
export const Root = (): ReactNode => (
  <SessionProvider>
    <GeneSetSync />
    <NotebookAdoption />
    <Outlet />
    <Notices />
    <ScrollRestoration getKey={(location) => location.pathname} />
  </SessionProvider>
)

/** The filing notice, and nothing else; where the deployment has none, nothing, but for a placeholder in the demo. */
const Footer = (): ReactNode => {
  const t = useText(messages)
  const filing = filingNotice()
  const demo = useAuthOptions()?.demo === true
  if (filing === '' && !demo) return null
  return (
    <footer className="shell-footer">
      {filing === '' ? (
        <span>{t('footer.filingOfDemo')}</span>
      ) : (
        <a href="https://beian.miit.gov.cn/" rel="noreferrer" target="_blank" lang="zh-CN">
          {filing}
        </a>
      )}
    </footer>
  )
}

/** Tells a screen reader which page came, and lets the keyboard go on from its content; not for the first page. */
const Arrival = (): ReactNode => {
  const { pathname } = useLocation()
  const title = useRouteTitle()
  const [announcement, setAnnouncement] = useState('')
  const before = useRef(pathname)
  useEffect(() => {
    if (before.current === pathname) return
    before.current = pathname
    const route = findRoute(pathname)
    setAnnouncement(title(route?.title ?? 'status404'))
    document.getElementById('content')?.focus({ preventScroll: true })
  }, [pathname, title])
  return (
    <p className="nv-said" role="status">
      {announcement}
    </p>
  )
}

/** The frame of all pages but the login: dark bar, content of fluid width, footer. */
export const Layout = (): ReactNode => {
  const location = useLocation()
  return (
    <div className="shell">
      <Header />
      <div className="shell-content" id="content" tabIndex={-1}>
        <UnaskedBar />
        <ErrorBoundary name={location.pathname} whole>
          {/* Another page's chunk is waited for in its own place: the page before must not take clicks under the new address. */}
          <Suspense
            key={location.pathname}
            fallback={
              <div className="nv-page">
                <Waiting />
              </div>
            }
          >
            <Outlet />
          </Suspense>
        </ErrorBoundary>
      </div>
      <Footer />
      <BackToTop />
      <Arrival />
    </div>
  )
}

/** The login page stands by itself. */
export const BareLayout = (): ReactNode => {
  const location = useLocation()
  return (
    <>
      <UnaskedBar />
      <ErrorBoundary name={location.pathname} whole>
        <Suspense fallback={<Waiting />}>
          <Outlet />
        </Suspense>
      </ErrorBoundary>
    </>
  )
}
