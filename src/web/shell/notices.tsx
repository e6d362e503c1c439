import { CircleAlert, CircleCheck, Info, TriangleAlert, X } from 'lucide-react'
import { type ReactNode, useEffect, useSyncExternalStore } from 'react'
import { checkConnection } from '../../kit/ui/connection.ts'
import { isConnected, subscribeConnection } from '../../kit/ui/connection-state.ts'
import { Button } from '../../kit/ui/controls/button.tsx'
import { useText } from '../../kit/ui/language.tsx'
import { messages as kit } from '../../kit/ui/messages.ts'
import { closeNotice, currentNotices, type Notice, showNotice, subscribeNotices } from '../../kit/ui/notices.ts'
import { messages } from '../messages/shell.ts'

const icons = { info: Info, success: CircleCheck, warning: TriangleAlert, error: CircleAlert }

const NoticeItem = ({ notice }: { notice: Notice }): ReactNode => {
  const t = useText(messages)
  useEffect(() => {
    if (notice.stayMs === 0) return
    const timer = setTimeout(() => closeNotice(notice.id), notice.stayMs)
    return () => clearTimeout(timer)
  }, [notice])
  const Icon = icons[notice.level]
  return (
    <div
      className={`shell-notice shell-notice-${notice.level} shell-notice-${notice.kind}`}
      role={notice.level === 'error' || notice.level === 'warning' ? 'alert' : 'status'}
    >
      <Icon size={17} aria-hidden />
      <div>
        {notice.title === undefined ? null : <strong>{notice.title}</strong>}
        <p>{notice.text}</p>
        {notice.action === undefined ? null : (
          <Button size="small" look="primary" onClick={notice.action.run}>
            {notice.action.label}
          </Button>
        )}
      </div>
      <button type="button" aria-label={t('notice.close')} onClick={() => closeNotice(notice.id)}>
        <X size={15} aria-hidden />
      </button>
    </div>
  )
}

/** Messages at the top, notifications at the corner; and the word that the connection is gone. */
export const Notices = (): ReactNode => {
  const t = useText(messages)
  const k = useText(kit)
  const notices = useSyncExternalStore(subscribeNotices, currentNotices)
  const connected = useSyncExternalStore(subscribeConnection, isConnected)
  useEffect(() => {
    if (connected) return
    const action = { label: k('failure.retry'), run: () => void checkConnection() }
    const shown = showNotice({ kind: 'message', level: 'warning', text: t('notice.offline'), stayMs: 0, action })
    return () => closeNotice(shown)
  }, [connected, t, k])
  return (
    <>
      <div className="shell-messages">
        {notices
          .filter((notice) => notice.kind === 'message')
          .map((notice) => (
            <NoticeItem key={notice.id} notice={notice} />
          ))}
      </div>
      <div className="shell-notifications">
        {notices
          .filter((notice) => notice.kind === 'notification')
          .map((notice) => (
            <NoticeItem key={notice.id} notice={notice} />
          ))}
      </div>
    </>
  )
}
