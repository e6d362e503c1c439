import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { type AdminUser, listUsers, signOutUser, updateUser } from '../../../contracts/accounts/admin.ts'
import { Button } from '../../../kit/ui/controls/button.tsx'
import { Card, Tag } from '../../../kit/ui/controls/card.tsx'
import { EmptyState, Unanswered, Waiting } from '../../../kit/ui/controls/empty-state.tsx'
import { Select } from '../../../kit/ui/controls/field.tsx'
import { useFormat, useText } from '../../../kit/ui/language.tsx'
import { messages as kit } from '../../../kit/ui/messages.ts'
import { call } from '../../../kit/ui/request.ts'
import { attempt, notifySuccess } from '../../attempt.ts'
import { messages } from '../../messages/admin.ts'
import { PagedTable } from '../../paged-table.tsx'
import { ConfirmDialog } from './confirm-dialog.tsx'
import { orUndefined, pageSize, SearchWords, usePaged } from './paged-rows.tsx'

type Asked = { user: AdminUser; change: { disabled?: boolean; access?: 'user' | 'admin' } }

export const UsersTab = (): ReactNode => {
  const t = useText(messages)
  const k = useText(kit)
  const format = useFormat()
  const paged = usePaged({ q: '', access: '', disabled: '' })
  const { q, access, disabled } = paged.choices
  const [asked, setAsked] = useState<Asked | null>(null)
  const answer = useQuery({
    queryKey: ['admin-users', paged.page, q, access, disabled],
    queryFn: (context) =>
      call(
        listUsers,
        {
          page: paged.page,
          pageSize,
          q,
          access: access === 'admin' || access === 'user' ? access : undefined,
          disabled: orUndefined(disabled),
        },
        context,
      ),
    placeholderData: (before) => before,
  })
  const change = (user: AdminUser, fields: Asked['change']): Promise<void> =>
    attempt(async () => {
      await call(updateUser, { username: user.username, ...fields })
      notifySuccess(t('info.changed', { username: user.username }))
      await answer.refetch()
    })
  if (answer.isPending) return <Waiting />
  if (answer.isError) return <Unanswered of={answer} />
  const { users, total } = answer.data
  return (
    <Card flush>
      <PagedTable
        label={t('info.users')}
        rows={users}
        rowKey={(user) => user.username}
        none={<EmptyState title={t('info.none')} />}
        pages={paged.pages(total)}
        busy={answer.isPlaceholderData}
        bar={
          <>
            <SearchWords value={q} onWords={(words) => paged.choose({ q: words })} />
            <Select
              aria-label={t('info.access')}
              value={access}
              options={[
                { value: '', label: t('info.access.all') },
                { value: 'user', label: t('info.access.user') },
                { value: 'admin', label: t('info.access.admin') },
              ]}
              onChoose={(value) => paged.choose({ access: value })}
            />
            <Select
              aria-label={t('info.state')}
              value={disabled}
              options={[
                { value: '', label: t('info.disabled.all') },
                { value: 'false', label: t('info.enabled') },
                { value: 'true', label: t('info.disabled') },
              ]}
              onChoose={(value) => paged.choose({ disabled: value })}
            />
            <span className="nv-table-count">{k('table.rows', { count: total })}</span>
          </>
        }
        columns={[
          {
            key: 'username',
            title: t('info.user'),
            value: (user) => user.username,
            render: (user) => (
              <>
                <strong>{user.username}</strong> {user.nickname}
                {[user.email, user.phone]
                  .filter((text) => text !== '')
                  .map((text) => (
                    <span key={text} className="account-beside">
                      {text}
                    </span>
                  ))}
              </>
            ),
          },
          {
            key: 'access',
            title: t('info.access'),
            value: (user) => user.access,
            render: (user) => (
              <>
                <Tag tone={user.access === 'admin' ? 'green' : 'grey'}>{t(`info.access.${user.access}`)}</Tag>{' '}
                {user.disabled ? <Tag tone="red">{t('info.disabled')}</Tag> : null}
              </>
            ),
          },
          {
            key: 'created',
            title: t('info.created'),
            value: (user) => user.createdAt,
            render: (user) => format.date(user.createdAt),
          },
          {
            key: 'seen',
            title: t('info.lastSeen'),
            value: (user) => user.lastSeenAt,
            render: (user) => (user.lastSeenAt === null ? t('info.never') : format.dateTime(user.lastSeenAt)),
          },
          { key: 'sessions', title: t('info.sessions'), kind: 'number', value: (user) => user.sessionCount },
          { key: 'tokens', title: t('info.tokens'), kind: 'number', value: (user) => user.apiTokenCount },
          { key: 'jobs', title: t('info.jobCount'), kind: 'number', value: (user) => user.jobCount },
          {
            key: 'actions',
            title: t('info.actions'),
            value: () => null,
            render: (user) => (
              <span className="account-actions">
                {user.username === 'admin' ? null : (
                  <>
                    <Button
                      size="small"
                      look="quiet"
                      onClick={() =>
                        user.access === 'admin'
                          ? void change(user, { access: 'user' })
                          : setAsked({ user, change: { access: 'admin' } })
                      }
                    >
                      {t(user.access === 'admin' ? 'info.makeUser' : 'info.makeAdmin')}
                    </Button>
                    <Button
                      size="small"
                      look="quiet"
                      onClick={() =>
                        user.disabled
                          ? void change(user, { disabled: false })
                          : setAsked({ user, change: { disabled: true } })
                      }
                    >
                      {t(user.disabled ? 'info.enable' : 'info.disable')}
                    </Button>
                  </>
                )}
                <Button
                  size="small"
                  look="quiet"
                  onClick={() =>
                    void attempt(async () => {
                      const { ended } = await call(signOutUser, { username: user.username })
                      notifySuccess(t('info.signedOut', { count: ended, username: user.username }))
                      await answer.refetch()
                    })
                  }
                >
                  {t('info.signOut')}
                </Button>
              </span>
            ),
          },
        ]}
      />
      {asked === null ? null : (
        <ConfirmDialog
          title={t(asked.change.disabled === true ? 'info.disableTitle' : 'info.adminTitle', {
            username: asked.user.username,
          })}
          why={t(asked.change.disabled === true ? 'info.disableWhy' : 'info.adminWhy')}
          action={t(asked.change.disabled === true ? 'info.disable' : 'info.makeAdmin')}
          danger={asked.change.disabled === true}
          onNo={() => setAsked(null)}
          onYes={() => void change(asked.user, asked.change)}
        />
      )}
    </Card>
  )
}
