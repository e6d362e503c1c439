import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { endOtherSessions, listSessions } from '../../../../contracts/accounts/account.ts'
import { Button } from '../../../../kit/ui/controls/button.tsx'
import { Tag } from '../../../../kit/ui/controls/card.tsx'
import { Unanswered, Waiting } from '../../../../kit/ui/controls/empty-state.tsx'
import { useFormat, useText } from '../../../../kit/ui/language.tsx'
import { call } from '../../../../kit/ui/request.ts'
import { attempt, notifySuccess } from '../../../attempt.ts'
import { messages } from '../../../messages/account.ts'
import { PagedTable } from '../../../paged-table.tsx'

export const Sessions = (): ReactNode => {
  const t = useText(messages)
  const format = useFormat()
  const answer = useQuery({
    queryKey: ['sessions'],
    queryFn: (context) => call(listSessions, {}, context),
  })
  if (answer.isPending) return <Waiting />
  if (answer.isError) return <Unanswered of={answer} />
  return (
    <div className="account-stack">
      <PagedTable
        label={t('settings.sessions')}
        rows={answer.data.sessions}
        rowKey={(session) => session.id}
        none={null}
        columns={[
          {
            key: 'which',
            title: t('settings.session'),
            value: (session) => session.id,
            render: (session) =>
              session.current ? <Tag>{t('settings.thisSession')}</Tag> : t('settings.otherSession'),
          },
          {
            key: 'seen',
            title: t('settings.lastSeen'),
            value: (session) => session.lastSeenAt,
            render: (session) => format.dateTime(session.lastSeenAt),
          },
          {
            key: 'expires',
            title: t('settings.sessionExpires'),
            value: (session) => session.expiresAt,
            render: (session) => format.dateTime(session.expiresAt),
          },
        ]}
      />
      <div className="account-actions">
        <Button
          onClick={() =>
            void attempt(async () => {
              const { ended } = await call(endOtherSessions, {})
              notifySuccess(t('settings.endedOthers', { count: ended }))
              await answer.refetch()
            })
          }
        >
          {t('settings.endOthers')}
        </Button>
      </div>
    </div>
  )
}
