import { CircleAlert, Inbox, LoaderCircle } from 'lucide-react'
import type { ReactNode } from 'react'
import { useText } from './language.tsx'
import { messages } from './messages.ts'

/** Why there is nothing to show, and what to do next: an empty place without a reason is a defect. */
export const EmptyState = ({
  title,
  why,
  action,
  icon,
}: {
  title: ReactNode
  why?: ReactNode
  action?: ReactNode
  icon?: ReactNode
}): ReactNode => (
  <div className="nv-empty">
    <span className="nv-empty-icon">{icon ?? <Inbox size={22} aria-hidden />}</span>
    <div>
      <p className="nv-empty-title">{title}</p>
      {why === undefined ? null : <div className="nv-empty-why">{why}</div>}
      {action === undefined ? null : <div className="nv-empty-action">{action}</div>}
    </div>
  </div>
)

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

/** Something is being fetched; shown only after a moment (by style), so that fast answers do not flicker. */
export const Waiting = ({ label }: { label?: string }): ReactNode => {
  const t = useText(messages)
  return (
    <p className="nv-waiting" role="status">
      <LoaderCircle size={18} aria-hidden className="nv-spin" />
      <span>{label ?? t('waiting')}</span>
    </p>
  )
}
