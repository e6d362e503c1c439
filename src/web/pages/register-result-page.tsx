import { useQuery } from '@tanstack/react-query'
import { CircleCheck } from 'lucide-react'
import type { ReactNode } from 'react'
import { useLocation } from 'react-router'
import { confirmEmail } from '../../contracts/auth.ts'
import { ButtonLink } from '../../kit/ui/button.tsx'
import { EmptyState, Unanswered, Waiting } from '../../kit/ui/empty-state.tsx'
import { useText } from '../../kit/ui/language.tsx'
import { call, RequestError, saidBesideFields } from '../../kit/ui/request.ts'
import { messages } from '../messages/account.ts'
import { messages as routes } from '../messages/routes.ts'
import { PageTitle } from '../page-title.tsx'
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

/** The link of a mail was opened: its token confirms the address, once. */
const Confirmation = ({ token }: { token: string }): ReactNode => {
  const t = useText(messages)
  const answer = useQuery({
    queryKey: ['confirm-email', token],
    // What is wrong with the link is said in its place.
    queryFn: (context) =>
      call(confirmEmail, { token }, { queryKey: context.queryKey, skipErrorHandler: saidBesideFields }),
    retry: false,
    // A link works once: asked again, it would say that it has been used.
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnMount: false,
  })
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
  return (
    <EmptyState
      icon={<CircleCheck size={22} aria-hidden />}
      title={t('result.confirmed', { email: answer.data.email })}
      why={t('result.confirmedWhy', { username: answer.data.username })}
      action={<Actions />}
    />
  )
}

const RegisterResultPage = (): ReactNode => {
  const t = useText(messages)
  const r = useText(routes)
  const { hash, state } = useLocation()
  const token = /^#confirm=(.+)$/.exec(hash)?.[1]
  const result = state as RegisterResult | null
  return (
    <main className="nv-page">
      <PageTitle>{r('route.registerResult')}</PageTitle>
      <h1>{r('route.registerResult')}</h1>
      {token !== undefined ? (
        <Confirmation token={token} />
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
