import { useQuery } from '@tanstack/react-query'
import { CircleCheck } from 'lucide-react'
import { type ReactNode, useEffect, useState } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { confirmEmail } from '../../../contracts/accounts/auth.ts'
import { ButtonLink } from '../../../kit/ui/controls/button.tsx'
import { EmptyState, Unanswered, Waiting } from '../../../kit/ui/controls/empty-state.tsx'
import { useText } from '../../../kit/ui/language.tsx'
import { call, RequestError, shownBesideFields } from '../../../kit/ui/request.ts'
import { messages } from '../../messages/account.ts'
import { messages as routes } from '../../messages/routes.ts'
import { PageTitle } from '../../shell/page-title.tsx'
import type { RegisterResult } from './register-page.tsx'
import './account.css'

const Actions = (): ReactNode => {
  const t = useText(messages)
  return (
    <div className="account-actions">
      <ButtonLink to="/user/login" look="primary">
        {t('result.signIn')}
      </ButtonLink>
      <ButtonLink to="/home">{t('result.home')}</ButtonLink>
    </div>
  )
}

/** An address that a link has confirmed, kept with the entry of the history: the page can be loaded anew without its token. */
interface Confirmed {
  confirmed: { username: string; email: string }
}

/** The link of a mail was opened: its token confirms the address. */
const Confirmation = ({ token }: { token: string }): ReactNode => {
  const t = useText(messages)
  const navigate = useNavigate()
  const answer = useQuery({
    queryKey: ['confirm-email', token],
    // What is wrong with the link is said in its place.
    queryFn: (context) =>
      call(confirmEmail, { token }, { queryKey: context.queryKey, skipErrorHandler: shownBesideFields }),
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnMount: false,
  })
  const confirmed = answer.data
  useEffect(() => {
    if (confirmed === undefined) return
    const state: Confirmed = { confirmed }
    navigate('/users/register-result', { replace: true, state })
  }, [confirmed, navigate])
  if (answer.isPending) return <Waiting label={t('result.confirming')} />
  // Not asked is not refused: the address may yet be confirmed.
  if (answer.isError && (!(answer.error instanceof RequestError) || answer.error.problems.length === 0))
    return <Unanswered of={answer} />
  if (answer.isError)
    return (
      <div role="alert">
        <EmptyState
          title={t('result.failed')}
          why={answer.error instanceof RequestError ? answer.error.problems[0]?.message : undefined}
          action={<Actions />}
        />
      </div>
    )
  return <ConfirmedAddress {...answer.data} />
}

const ConfirmedAddress = ({ username, email }: Confirmed['confirmed']): ReactNode => {
  const t = useText(messages)
  return (
    <EmptyState
      icon={<CircleCheck size={22} aria-hidden />}
      title={t('result.confirmed', { email })}
      why={t('result.confirmedWhy', { username })}
      action={<Actions />}
    />
  )
}

const RegisterResultPage = (): ReactNode => {
  const t = useText(messages)
  const r = useText(routes)
  const { hash, state } = useLocation()
  // The secret of a mailed link is taken out of the address at once, so that it stays in no history and on no screen.
  const mailed = /^#confirm=(.+)$/.exec(hash)?.[1]
  const [token, setToken] = useState(mailed)
  useEffect(() => {
    if (mailed === undefined) return
    setToken(mailed)
    history.replaceState(history.state, '', location.pathname + location.search)
  }, [mailed])
  const result = state as RegisterResult | Confirmed | null
  return (
    <main className="nv-page">
      <PageTitle>{r('route.registerResult')}</PageTitle>
      <h1>{r('route.registerResult')}</h1>
      {token !== undefined ? (
        <Confirmation token={token} />
      ) : result !== null && 'confirmed' in result ? (
        <ConfirmedAddress {...result.confirmed} />
      ) : result === null ? (
        <EmptyState title={t('result.nothing')} why={t('result.nothingWhy')} action={<Actions />} />
      ) : (
        <EmptyState
          icon={<CircleCheck size={22} aria-hidden />}
          title={t('result.done', { username: result.username })}
          why={t(result.delivered === 'mail' ? 'result.mail' : 'result.outbox', { email: result.email })}
          action={<Actions />}
        />
      )}
    </main>
  )
}

export default RegisterResultPage
