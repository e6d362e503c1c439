import { CircleAlert, Inbox, LoaderCircle } from 'lucide-react'
import { type ReactNode, useSyncExternalStore } from 'react'
import { useIsAdministrator } from '../administrator.ts'
import { checkConnection } from '../connection.ts'
import { isConnected, subscribeConnection } from '../connection-state.ts'
import { useText } from '../language.tsx'
import { messages } from '../messages.ts'
import { useReported } from '../reported-failures.ts'
import { failureText } from '../request.ts'

/** Why there is nothing to show, and what to do next: an empty place without a reason is a defect. */
export const EmptyState = ({
  title,
  why,
  action,
  icon,
  failed = false,
}: {
  title: ReactNode
  why?: ReactNode
  action?: ReactNode
  icon?: ReactNode
  /** Something went wrong, which is not the same as that there is nothing. */
  failed?: boolean
}): ReactNode => (
  <div className="nv-empty">
    <span className={failed ? 'nv-empty-icon nv-empty-icon-failed' : 'nv-empty-icon'}>
      {icon ?? <Inbox size={22} aria-hidden />}
    </span>
    <div>
      <p className="nv-empty-title">{title}</p>
      {why === undefined ? null : <div className="nv-empty-why">{why}</div>}
      {action === undefined ? null : <div className="nv-empty-action">{action}</div>}
    </div>
  </div>
)

/** Data of a kind are not loaded: the administrator is told how they are, everybody else whom to ask. */
export const NoDataState = ({
  title,
  how,
  meanwhile,
  action,
}: {
  title: ReactNode
  /** How they are loaded. */
  how: ReactNode
  /** What can be done without them, told to everybody. */
  meanwhile?: ReactNode
  action?: ReactNode
}): ReactNode => {
  const t = useText(messages)
  const isAdministrator = useIsAdministrator()
  const why = isAdministrator ? how : t('nodata.ask')
  return (
    <EmptyState
      title={title}
      why={
        meanwhile === undefined ? (
          why
        ) : (
          <>
            <p>{why}</p>
            <p>{meanwhile}</p>
          </>
        )
      }
      action={action}
    />
  )
}

/** A calm account of a failure with the next step; no stack trace. */
export const FailureState = ({
  title,
  why,
  onRetry,
}: {
  title?: ReactNode
  why?: ReactNode
  onRetry?: () => void
}): ReactNode => {
  const t = useText(messages)
  return (
    <div role="alert">
      <EmptyState
        failed
        icon={<CircleAlert size={22} aria-hidden />}
        title={title ?? t('failure.title')}
        why={why ?? t('request.default')}
        action={
          onRetry === undefined ? undefined : (
            <button type="button" className="nv-button nv-button-default nv-button-normal" onClick={onRetry}>
              {t('failure.retry')}
            </button>
          )
        }
      />
    </div>
  )
}

/** A question to the server, as a query gives it: what a part of a page needs to say how it stands. */
export interface Asked {
  error: Error | null
  refetch: () => unknown
}

/**
 * Stands where something would that could not be asked: says so, and asks again at a press; as a line, in the place of a single field.
 */
export const Unanswered = ({
  of,
  title,
  line = false,
}: {
  of: Asked
  title?: ReactNode
  line?: boolean
}): ReactNode => {
  const t = useText(messages)
  useReported(of.error)
  const why = failureText(of.error, t)
  const retry = (): void => void of.refetch()
  if (!line) return <FailureState title={title} why={why} onRetry={retry} />
  return (
    <p className="nv-unanswered" role="alert">
      {t('failure.notAsked', { why })}{' '}
      <button type="button" className="nv-button nv-button-default nv-button-small" onClick={retry}>
        {t('failure.retry')}
      </button>
    </p>
  )
}

/**
 * Something is being fetched; shown only after a moment (by style), so that fast answers do not flicker. While the connection is lost
 * nothing is being fetched: that is said then, and by itself or at a press it goes on once the server answers.
 */
export const Waiting = ({ label }: { label?: string }): ReactNode => {
  const t = useText(messages)
  const connected = useSyncExternalStore(subscribeConnection, isConnected)
  if (!connected) return <FailureState why={t('request.network')} onRetry={() => void checkConnection()} />
  return (
    <p className="nv-waiting" role="status">
      <LoaderCircle size={18} aria-hidden className="nv-spin" />
      <span>{label ?? t('waiting')}</span>
    </p>
  )
}

/** What is drawn of an answer: until it is there, that it is waited for, or that it could not be had. */
export const Answered = <Data,>({
  of,
  children,
}: {
  of: Asked & { data: Data | undefined }
  children: (data: Data) => ReactNode
}): ReactNode => (of.data !== undefined ? children(of.data) : of.error === null ? <Waiting /> : <Unanswered of={of} />)
