import type { ReactNode } from 'react'
import { Link, useLocation, useSearchParams } from 'react-router'
import { Button, ButtonLink } from '../../kit/ui/controls/button.tsx'
import { useText } from '../../kit/ui/language.tsx'
import { loginAddress } from '../account/session.tsx'
import { messages } from '../messages/shell.ts'
import { PageTitle } from '../shell/page-title.tsx'
import { useRouteTitle } from '../shell/route-names.ts'
import { findNearRoute, findRoute } from '../shell/route-table.ts'
import { SearchBox } from '../shell/search-box.tsx'

const Status = ({
  code,
  title,
  why,
  below,
  children,
}: {
  code: string
  title: string
  why: string
  /** Between the reason and the ways on. */
  below?: ReactNode
  children?: ReactNode
}): ReactNode => {
  const t = useText(messages)
  return (
    <main className="nv-page">
      <PageTitle>{title}</PageTitle>
      <div className="shell-status">
        <span className="shell-status-code">{code}</span>
        <h1>{title}</h1>
        <p>{why}</p>
        {below}
        <div className="shell-status-actions">
          <ButtonLink to="/home" look="primary">
            {t('page.home')}
          </ButtonLink>
          {children}
        </div>
      </div>
    </main>
  )
}

export const Page403 = (): ReactNode => {
  const t = useText(messages)
  const location = useLocation()
  return (
    <Status code="403" title={t('page.403.title')} why={t('page.403.why')}>
      <ButtonLink to={loginAddress(location)}>{t('page.signIn')}</ButtonLink>
    </Status>
  )
}

export const Page404 = (): ReactNode => {
  const t = useText(messages)
  const title = useRouteTitle()
  const near = findNearRoute(useLocation().pathname)
  return (
    <Status
      code="404"
      title={t('page.404.title')}
      why={t('page.404.why')}
      below={
        <>
          {near === null ? null : (
            <p>
              {t('page.404.near')} <Link to={near.path}>{title(near.title)}</Link>
            </p>
          )}
          <SearchBox className="search-box shell-status-search" />
        </>
      }
    >
      {(['/tools', '/document', '/download'] as const).map((path) => (
        <ButtonLink key={path} to={path}>
          {title(findRoute(path)!.title)}
        </ButtonLink>
      ))}
    </Status>
  )
}

export const Page500 = (): ReactNode => {
  const t = useText(messages)
  return (
    <Status code="500" title={t('page.500.title')} why={t('page.500.why')}>
      <Button onClick={() => history.back()}>{t('page.reload')}</Button>
    </Status>
  )
}

export const DisablePage = (): ReactNode => {
  const t = useText(messages)
  return <Status code={t('page.disable')} title={t('page.disable.title')} why={t('page.disable.why')} />
}

/** Where failures of display type 9 lead: code and message come in the address and are shown as plain text. */
export const ExceptionPage = (): ReactNode => {
  const t = useText(messages)
  const [query] = useSearchParams()
  return (
    <Status
      code={query.get('errorCode') ?? t('page.exception')}
      title={t('page.exception.title')}
      why={query.get('errorMessage') ?? t('page.500.why')}
    />
  )
}
