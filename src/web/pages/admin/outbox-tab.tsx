import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { listOutbox } from '../../../contracts/accounts/admin.ts'
import { Card } from '../../../kit/ui/controls/card.tsx'
import { EmptyState, Unanswered, Waiting } from '../../../kit/ui/controls/empty-state.tsx'
import { Select } from '../../../kit/ui/controls/field.tsx'
import { useFormat, useText } from '../../../kit/ui/language.tsx'
import { messages as kit } from '../../../kit/ui/messages.ts'
import { call } from '../../../kit/ui/request.ts'
import { messages } from '../../messages/admin.ts'
import { PagedTable } from '../../paged-table.tsx'
import { pageSize, refreshMs, usePaged } from './paged-rows.tsx'

const outboxStates = ['kept', 'waiting', 'sent', 'failed'] as const
const channels = ['mail', 'sms'] as const

export const OutboxTab = (): ReactNode => {
  const t = useText(messages)
  const k = useText(kit)
  const format = useFormat()
  const paged = usePaged({ channel: '', state: '' })
  const { channel, state } = paged.choices
  const answer = useQuery({
    queryKey: ['admin-outbox', paged.page, channel, state],
    queryFn: (context) =>
      call(
        listOutbox,
        {
          page: paged.page,
          pageSize,
          channel: channels.find((one) => one === channel),
          state: outboxStates.find((one) => one === state),
        },
        context,
      ),
    placeholderData: (before) => before,
    refetchInterval: refreshMs,
  })
  if (answer.isPending) return <Waiting />
  if (answer.isError) return <Unanswered of={answer} />
  const { mail, sms, total } = answer.data
  return (
    <Card flush title={t('info.outbox')} aside={`${t(`info.outboxMail.${mail}`)} ${t(`info.outboxSms.${sms}`)}`}>
      <PagedTable
        label={t('info.outbox')}
        rows={answer.data.messages}
        rowKey={(message) => String(message.id)}
        none={<EmptyState title={t('info.none')} />}
        pages={paged.pages(total)}
        busy={answer.isPlaceholderData}
        bar={
          <>
            <Select
              aria-label={t('info.channel')}
              value={channel}
              options={[
                { value: '', label: t('info.channel.all') },
                ...channels.map((one) => ({ value: one, label: t(`info.channel.${one}`) })),
              ]}
              onChoose={(value) => paged.choose({ channel: value })}
            />
            <Select
              aria-label={t('info.state')}
              value={state}
              options={[
                { value: '', label: t('info.outboxState.all') },
                ...outboxStates.map((one) => ({ value: one, label: t(`info.outboxState.${one}`) })),
              ]}
              onChoose={(value) => paged.choose({ state: value })}
            />
            <span className="nv-table-count">{k('table.rows', { count: total })}</span>
          </>
        }
        columns={[
          {
            key: 'date',
            title: t('info.date'),
            value: (message) => message.createdAt,
            render: (message) => format.dateTime(message.createdAt),
          },
          { key: 'channel', title: t('info.channel'), value: (message) => t(`info.channel.${message.channel}`) },
          { key: 'recipient', title: t('info.recipient'), value: (message) => message.recipient },
          {
            key: 'body',
            title: t('info.message'),
            long: true,
            value: (message) => message.body,
            // Text messages are short, and mails have a subject to know them by; texts of sent ones are erased.
            render: (message) =>
              message.subject === '' || message.body === '' ? (
                message.subject || message.body
              ) : (
                <details>
                  <summary>{message.subject}</summary>
                  <span className="account-text">{message.body}</span>
                </details>
              ),
          },
          { key: 'state', title: t('info.state'), value: (message) => t(`info.outboxState.${message.state}`) },
          { key: 'attempts', title: t('info.attempts'), kind: 'number', value: (message) => message.attempts },
          { key: 'error', title: t('info.report'), long: true, value: (message) => message.error },
        ]}
      />
    </Card>
  )
}
