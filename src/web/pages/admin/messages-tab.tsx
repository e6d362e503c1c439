import { useQuery, useQueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { deleteMessage, listMessages, updateContact, updateMessage } from '../../../contracts/accounts/admin.ts'
import { type ContactDetails, getContact } from '../../../contracts/accounts/contact.ts'
import { Button } from '../../../kit/ui/controls/button.tsx'
import { Card, Tag } from '../../../kit/ui/controls/card.tsx'
import { EmptyState, Unanswered, Waiting } from '../../../kit/ui/controls/empty-state.tsx'
import { Field, Select, TextArea } from '../../../kit/ui/controls/field.tsx'
import { TextField } from '../../../kit/ui/controls/text-field.tsx'
import { useFormat, useText } from '../../../kit/ui/language.tsx'
import { messages as kit } from '../../../kit/ui/messages.ts'
import { call } from '../../../kit/ui/request.ts'
import { attempt, notifySuccess } from '../../attempt.ts'
import { FormFailure } from '../../form-failure.tsx'
import { messages } from '../../messages/admin.ts'
import { PagedTable } from '../../paged-table.tsx'
import { SubmitForm } from '../../submit-form.tsx'
import { useForm } from '../../use-form.ts'
import { orUndefined, pageSize, SearchWords, usePaged } from './paged-rows.tsx'

const ContactForm = ({ details }: { details: ContactDetails }): ReactNode => {
  const t = useText(messages)
  const client = useQueryClient()
  const form = useForm(
    updateContact,
    { ...details },
    {
      keepEmpty: ['en', 'zh', 'email'],
      onDone: async (saved) => {
        client.setQueryData(['contact'], saved)
        notifySuccess(t('info.saved'))
      },
    },
  )
  return (
    <SubmitForm columns onSubmit={() => void form.submit()}>
      {(['en', 'zh'] as const).map((language) => (
        <Field
          key={language}
          label={t(language === 'en' ? 'info.contactEn' : 'info.contactZh')}
          problems={form.problems[language] ?? []}
        >
          {(ids) => (
            <TextArea
              {...ids}
              name={`contact-${language}`}
              lang={language === 'en' ? 'en-US' : 'zh-CN'}
              rows={5}
              maxLength={5000}
              value={form.values[language]}
              onChange={(event) => form.set({ [language]: event.target.value })}
            />
          )}
        </Field>
      ))}
      <TextField
        {...form.field('email')}
        label={t('info.contactEmail')}
        name="contact-email"
        type="email"
        maxLength={254}
      />
      <div className="account-wide account-actions">
        <FormFailure failure={form.failure} />
        <Button type="submit" look="primary" busy={form.busy}>
          {t('info.save')}
        </Button>
      </div>
    </SubmitForm>
  )
}

export const MessagesTab = (): ReactNode => {
  const t = useText(messages)
  const k = useText(kit)
  const format = useFormat()
  const paged = usePaged({ q: '', handled: '' })
  const { q, handled } = paged.choices
  const contact = useQuery({
    queryKey: ['contact'],
    queryFn: (context) => call(getContact, {}, context),
  })
  const answer = useQuery({
    queryKey: ['admin-messages', paged.page, q, handled],
    queryFn: (context) => call(listMessages, { page: paged.page, pageSize, q, handled: orUndefined(handled) }, context),
    placeholderData: (before) => before,
  })
  if (answer.isPending) return <Waiting />
  if (answer.isError) return <Unanswered of={answer} />
  return (
    <div className="account-stack">
      <Card flush>
        <PagedTable
          label={t('info.messages')}
          rows={answer.data.messages}
          rowKey={(message) => String(message.id)}
          none={<EmptyState title={t('info.none')} />}
          pages={paged.pages(answer.data.total)}
          busy={answer.isPlaceholderData}
          bar={
            <>
              <SearchWords value={q} onWords={(words) => paged.choose({ q: words })} />
              <Select
                aria-label={t('info.state')}
                value={handled}
                options={[
                  { value: '', label: t('info.handled.all') },
                  { value: 'false', label: t('info.open') },
                  { value: 'true', label: t('info.handled') },
                ]}
                onChoose={(value) => paged.choose({ handled: value })}
              />
              <span className="nv-table-count">{k('table.rows', { count: answer.data.total })}</span>
            </>
          }
          columns={[
            {
              key: 'date',
              title: t('info.date'),
              value: (message) => message.createdAt,
              render: (message) => format.dateTime(message.createdAt),
            },
            {
              key: 'from',
              title: t('info.from'),
              value: (message) => message.name,
              render: (message) => (
                <>
                  {message.name} <a href={`mailto:${message.email}`}>{message.email}</a>
                  {message.username === null ? null : <> ({message.username})</>}
                </>
              ),
            },
            { key: 'subject', title: t('info.subject'), value: (message) => message.subject },
            {
              key: 'message',
              title: t('info.message'),
              value: (message) => message.message,
              render: (message) => <span className="account-text">{message.message}</span>,
            },
            {
              key: 'handled',
              title: t('info.state'),
              value: (message) => message.handled,
              render: (message) => (
                <Tag tone={message.handled ? 'grey' : 'amber'}>{t(message.handled ? 'info.handled' : 'info.open')}</Tag>
              ),
            },
            {
              key: 'actions',
              title: t('info.actions'),
              value: () => null,
              render: (message) => (
                <span className="account-actions">
                  <Button
                    size="small"
                    look="quiet"
                    onClick={() =>
                      void attempt(async () => {
                        await call(updateMessage, { id: message.id, handled: !message.handled })
                        await answer.refetch()
                      })
                    }
                  >
                    {t(message.handled ? 'info.markOpen' : 'info.markHandled')}
                  </Button>
                  <Button
                    size="small"
                    look="quiet"
                    onClick={() =>
                      void attempt(async () => {
                        await call(deleteMessage, { id: message.id })
                        notifySuccess(t('info.deleted'))
                        await answer.refetch()
                      })
                    }
                  >
                    {t('info.delete')}
                  </Button>
                </span>
              ),
            },
          ]}
        />
      </Card>
      {contact.data === undefined ? null : (
        <Card title={t('info.contact')}>
          <ContactForm details={contact.data} />
        </Card>
      )}
    </div>
  )
}
