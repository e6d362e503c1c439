import { useQuery } from '@tanstack/react-query'
import { CircleCheck, Mail } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { getContact, sendContactMessage } from '../../contracts/accounts/contact.ts'
import { Button } from '../../kit/ui/controls/button.tsx'
import { Card } from '../../kit/ui/controls/card.tsx'
import { EmptyState, Unanswered, Waiting } from '../../kit/ui/controls/empty-state.tsx'
import { Field, TextArea } from '../../kit/ui/controls/field.tsx'
import { TextField } from '../../kit/ui/controls/text-field.tsx'
import { useLanguage, useText } from '../../kit/ui/language.tsx'
import { call } from '../../kit/ui/request.ts'
import { FormFailure } from '../form-failure.tsx'
import { messages } from '../messages/account.ts'
import { PageTitle } from '../shell/page-title.tsx'
import { SubmitForm } from '../submit-form.tsx'
import { useForm } from '../use-form.ts'
import { Markdown } from './documents/markdown.tsx'
import './account/account.css'

const Admin = (): ReactNode => {
  const t = useText(messages)
  const language = useLanguage()
  const answer = useQuery({
    queryKey: ['contact'],
    queryFn: (context) => call(getContact, {}, context),
  })
  if (answer.isPending) return <Waiting />
  if (answer.isError) return <Unanswered of={answer} />
  const { email } = answer.data
  const text = answer.data[language] || answer.data[language === 'en' ? 'zh' : 'en']
  return (
    <div className="account-stack">
      {text === '' && email === '' ? <p className="nv-quiet">{t('contact.noAdmin')}</p> : null}
      {text === '' ? null : <Markdown text={text} section="contact" />}
      {email === '' ? null : (
        <p className="account-actions">
          <Mail size={16} aria-hidden />
          <a href={`mailto:${email}`}>{email}</a>
        </p>
      )}
    </div>
  )
}

const empty = { name: '', email: '', subject: '', message: '', website: '' }

const MessageForm = (): ReactNode => {
  const t = useText(messages)
  const [sent, setSent] = useState<'mail' | 'outbox' | null>(null)
  const form = useForm(sendContactMessage, empty, {
    onDone: ({ delivered }) => {
      form.reset()
      setSent(delivered)
    },
  })
  if (sent !== null)
    return (
      <div role="status">
        <EmptyState
          icon={<CircleCheck size={22} aria-hidden />}
          title={t(sent === 'mail' ? 'contact.sent' : 'contact.sentOutbox')}
          action={<Button onClick={() => setSent(null)}>{t('contact.another')}</Button>}
        />
      </div>
    )
  return (
    <SubmitForm columns onSubmit={() => void form.submit()}>
      <TextField {...form.field('name')} label={t('contact.name')} autoComplete="name" maxLength={100} />
      <TextField
        {...form.field('email')}
        label={t('contact.email')}
        type="email"
        autoComplete="email"
        maxLength={254}
      />
      <div className="account-wide">
        <TextField {...form.field('subject')} label={t('contact.subject')} maxLength={200} />
      </div>
      <div className="account-wide">
        <Field label={t('contact.message')} help={t('contact.messageHelp')} problems={form.problems.message ?? []}>
          {(ids) => (
            <TextArea
              {...ids}
              name="message"
              rows={7}
              maxLength={10_000}
              spellCheck
              value={form.values.message}
              onChange={(event) => form.set({ message: event.target.value })}
            />
          )}
        </Field>
      </div>
      <label className="account-trap" aria-hidden="true">
        {t('contact.website')}
        <input
          name="website"
          tabIndex={-1}
          autoComplete="off"
          value={form.values.website}
          onChange={(event) => form.set({ website: event.target.value })}
        />
      </label>
      <div className="account-wide account-stack">
        <FormFailure failure={form.failure} />
        <div className="account-actions">
          <Button type="submit" look="primary" busy={form.busy}>
            {t('contact.send')}
          </Button>
        </div>
      </div>
    </SubmitForm>
  )
}

const ContactPage = (): ReactNode => {
  const t = useText(messages)
  return (
    <main className="nv-page">
      <PageTitle>{t('contact.title')}</PageTitle>
      <header className="nv-page-head">
        <div>
          <h1>{t('contact.title')}</h1>
          <p className="nv-lead">{t('contact.lead')}</p>
        </div>
      </header>
      <div className="account-contact">
        <Card title={t('contact.write')}>
          <MessageForm />
        </Card>
        <Card title={t('contact.admin')}>
          <Admin />
        </Card>
      </div>
    </main>
  )
}

export default ContactPage
