import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Copy } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { useNavigate } from 'react-router'
import {
  accountLanguages,
  changePassword,
  createApiToken,
  deleteAccount,
  deleteApiToken,
  endOtherSessions,
  exportAccount,
  getProfile,
  listApiTokens,
  listSessions,
  type Profile,
  resendConfirmation,
  updateProfile,
} from '../../../contracts/accounts/account.ts'
import { accountMessages } from '../../../contracts/accounts/account-messages.ts'
import { Button } from '../../../kit/ui/controls/button.tsx'
import { Card, Tag } from '../../../kit/ui/controls/card.tsx'
import { copyText } from '../../../kit/ui/controls/copy-text.ts'
import { Dialog } from '../../../kit/ui/controls/dialog.tsx'
import { EmptyState, Unanswered, Waiting } from '../../../kit/ui/controls/empty-state.tsx'
import { Field, Select, TextArea, TextInput } from '../../../kit/ui/controls/field.tsx'
import { chooseLocale, useFormat, useLocale, useText } from '../../../kit/ui/language.tsx'
import { showNotice } from '../../../kit/ui/notices.ts'
import { call, RequestError } from '../../../kit/ui/request.ts'
import { downloadBlob } from '../../../kit/ui/table/export.ts'
import { NewPasswordFields } from '../../account/password-fields.tsx'
import { PhoneCodeFields, usePhoneCode } from '../../account/phone-code-field.tsx'
import { useSession } from '../../account/session.tsx'
import { messages } from '../../messages/account.ts'
import { PagedTable } from '../../paged-table.tsx'
import { listLocaleRecords } from '../../shell/locale-records.ts'
import { PageTitle } from '../../shell/page-title.tsx'
import { useForm } from '../../use-form.ts'
import { WorkFields } from '../../work-fields.tsx'
import './account.css'

const done = (text: string): void => {
  showNotice({ kind: 'message', level: 'success', text })
}

/** Runs what a button asks for; a failure has been shown by the request layer. */
const attempt = async (work: () => Promise<void>): Promise<void> => {
  try {
    await work()
  } catch (error) {
    if (!(error instanceof RequestError)) throw error
  }
}

const FormFailure = ({ failure }: { failure: string | null }): ReactNode =>
  failure === null ? null : (
    <p className="nv-field-problem" role="alert">
      {failure}
    </p>
  )

const texts = ['nickname', 'country', 'province', 'address'] as const

/** What the specification asks for, each with its message where it is left empty. */
const asked = {
  email: 'account.needEmail',
  nickname: 'account.needNickname',
  profile: 'account.needProfile',
  country: 'account.needCountry',
  province: 'account.needProvince',
  address: 'account.needAddress',
} as const
const askedNames = [...(Object.keys(asked) as (keyof typeof asked)[]), 'phone' as const]

/** The profile: what is filled in is saved, and what is asked for and still empty is told beside its field. */
const ProfileForm = ({ profile }: { profile: Profile }): ReactNode => {
  const t = useText(messages)
  const a = useText(accountMessages)
  const client = useQueryClient()
  const [reported, setReported] = useState(false)
  const code = usePhoneCode('confirm')
  const form = useForm(
    updateProfile,
    {
      email: profile.newEmail ?? profile.email,
      nickname: profile.nickname,
      profile: profile.profile,
      country: profile.country,
      province: profile.province,
      address: profile.address,
      phone: profile.phone,
      captcha: '',
      workplace: profile.workplace ?? '',
      jobType: profile.jobType ?? '',
    },
    {
      onDone: async ({ profile: saved, delivered }) => {
        client.setQueryData(['profile'], saved)
        form.set({ captcha: '' })
        if (delivered !== null) done(t(delivered === 'mail' ? 'settings.savedMail' : 'settings.savedOutbox'))
        else if (empty.length === 0) done(t('settings.saved'))
        else done(t('settings.savedPart', { count: empty.length }))
      },
    },
  )
  const { values } = form
  const empty = askedNames.filter((name) => values[name].trim() === '')
  const problems = reported
    ? {
        ...form.problems,
        ...Object.fromEntries(
          empty.map((name) => [name, [name === 'phone' ? t('settings.needPhone') : a(asked[name])]]),
        ),
      }
    : form.problems
  return (
    <form
      className="nv-form account-columns"
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        setReported(true)
        if (empty.length === askedNames.length && values.workplace === '' && values.jobType === '') return
        // What has not been changed is not sent: an address or number that is confirmed stays so. What is empty is left as it was.
        void form.submit({
          ...(values.phone === profile.phone && values.captcha === '' ? { phone: undefined } : {}),
          ...(values.email === (profile.newEmail ?? profile.email) ? { email: undefined } : {}),
          ...Object.fromEntries(empty.map((name) => [name, undefined])),
        })
      }}
    >
      <Field
        label={t('field.email')}
        problems={problems.email ?? []}
        help={profile.newEmail === null ? undefined : t('settings.pending', { email: profile.newEmail })}
        aside={
          profile.email === '' ? undefined : (
            <Tag tone={profile.emailConfirmed ? 'green' : 'amber'}>
              {t(profile.emailConfirmed ? 'center.confirmed' : 'center.unconfirmed')}
            </Tag>
          )
        }
      >
        {(ids) => (
          <TextInput
            {...ids}
            name="email"
            type="email"
            autoComplete="email"
            maxLength={254}
            value={values.email}
            onChange={(event) => form.set({ email: event.target.value })}
          />
        )}
      </Field>
      {texts.map((name) => (
        <Field key={name} label={t(`field.${name}`)} problems={problems[name] ?? []}>
          {(ids) => (
            <TextInput
              {...ids}
              name={name}
              maxLength={name === 'address' ? 300 : name === 'nickname' ? 60 : 100}
              value={values[name]}
              onChange={(event) => form.set({ [name]: event.target.value })}
            />
          )}
        </Field>
      ))}
      <WorkFields workplace={values.workplace} jobType={values.jobType} problems={problems} onChange={form.set} />
      <PhoneCodeFields
        phone={values.phone}
        captcha={values.captcha}
        code={code}
        problems={problems}
        onChange={form.set}
      />
      <div className="account-wide">
        <Field label={t('field.profile')} problems={problems.profile ?? []}>
          {(ids) => (
            <TextArea
              {...ids}
              name="profile"
              rows={4}
              maxLength={2000}
              value={values.profile}
              onChange={(event) => form.set({ profile: event.target.value })}
            />
          )}
        </Field>
      </div>
      <div className="account-wide account-stack">
        <FormFailure failure={form.failure} />
        <div className="account-actions">
          <Button type="submit" look="primary" busy={form.busy}>
            {t('settings.save')}
          </Button>
          {profile.newEmail === null && (profile.email === '' || profile.emailConfirmed) ? null : (
            <Button
              look="quiet"
              onClick={() =>
                void attempt(async () => {
                  const { delivered } = await call(resendConfirmation, {})
                  done(t(delivered === 'mail' ? 'settings.resent' : 'settings.resentOutbox'))
                })
              }
            >
              {t('settings.resend')}
            </Button>
          )}
        </div>
      </div>
    </form>
  )
}

const PasswordForm = ({ profile }: { profile: Profile }): ReactNode => {
  const t = useText(messages)
  const form = useForm(
    changePassword,
    { currentPassword: '', password: '', confirm: '' },
    {
      onDone: () => {
        form.reset()
        done(t('settings.passwordChanged'))
      },
    },
  )
  return (
    <form
      className="nv-form"
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        void form.submit()
      }}
    >
      <Field label={t('field.currentPassword')} problems={form.problems.currentPassword ?? []}>
        {(ids) => (
          <TextInput
            {...ids}
            name="currentPassword"
            type="password"
            autoComplete="current-password"
            maxLength={200}
            value={form.values.currentPassword}
            onChange={(event) => form.set({ currentPassword: event.target.value })}
          />
        )}
      </Field>
      <NewPasswordFields
        password={form.values.password}
        confirm={form.values.confirm}
        about={[profile.username, profile.email, profile.phone]}
        problems={form.problems}
        onChange={form.set}
        replacing
      />
      <FormFailure failure={form.failure} />
      <div className="account-actions">
        <Button type="submit" look="primary" busy={form.busy}>
          {t('settings.changePassword')}
        </Button>
      </div>
    </form>
  )
}

const LanguageChoice = (): ReactNode => {
  const t = useText(messages)
  const locale = useLocale()
  return (
    <Field label={t('settings.language')} help={t('settings.languageHelp')}>
      {(ids) => (
        <Select
          {...ids}
          name="language"
          value={locale}
          options={listLocaleRecords([...accountLanguages], []).map((one) => ({ value: one.lang, label: one.label }))}
          onChoose={(language) =>
            void attempt(async () => {
              await call(updateProfile, { language: accountLanguages.find((one) => one === language) })
              chooseLocale(language)
            })
          }
        />
      )}
    </Field>
  )
}

const Sessions = (): ReactNode => {
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
              done(t('settings.endedOthers', { count: ended }))
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

const tokenDays = [30, 90, 365, null] as const

const Tokens = (): ReactNode => {
  const t = useText(messages)
  const format = useFormat()
  const [made, setMade] = useState<string | null>(null)
  const [days, setDays] = useState<number | null>(365)
  const answer = useQuery({
    queryKey: ['api-tokens'],
    queryFn: (context) => call(listApiTokens, {}, context),
  })
  const form = useForm(
    createApiToken,
    { name: '' },
    {
      onDone: async ({ token }) => {
        setMade(token)
        form.reset()
        await answer.refetch()
      },
    },
  )
  if (answer.isPending) return <Waiting />
  if (answer.isError) return <Unanswered of={answer} />
  return (
    <div className="account-stack">
      <p className="nv-quiet">{t('settings.tokensLead')}</p>
      {made === null ? null : (
        <div className="nv-banner" role="status">
          <p>{t('settings.tokenOnce')}</p>
          <p className="account-token">
            <code data-token>{made}</code>
            <Button
              size="small"
              icon={<Copy size={14} aria-hidden />}
              onClick={() => void copyText(made, t('settings.copied'))}
            >
              {t('settings.copy')}
            </Button>
          </p>
        </div>
      )}
      <PagedTable
        label={t('settings.tokens')}
        rows={answer.data.tokens}
        rowKey={(token) => String(token.id)}
        none={<EmptyState title={t('settings.noTokens')} />}
        columns={[
          { key: 'name', title: t('settings.tokenName'), value: (token) => token.name },
          { key: 'start', title: t('settings.tokenStart'), kind: 'id', value: (token) => token.start },
          {
            key: 'created',
            title: t('settings.tokenCreated'),
            value: (token) => token.createdAt,
            render: (token) => format.date(token.createdAt),
          },
          {
            key: 'used',
            title: t('settings.tokenUsed'),
            value: (token) => token.lastUsedAt,
            render: (token) => (token.lastUsedAt === null ? t('settings.never') : format.dateTime(token.lastUsedAt)),
          },
          {
            key: 'expires',
            title: t('settings.tokenExpires'),
            value: (token) => token.expiresAt,
            render: (token) => (token.expiresAt === null ? t('settings.never') : format.date(token.expiresAt)),
          },
          {
            key: 'revoke',
            title: '',
            value: () => null,
            render: (token) => (
              <Button
                size="small"
                look="quiet"
                onClick={() =>
                  void attempt(async () => {
                    await call(deleteApiToken, { id: token.id })
                    done(t('settings.revoked', { name: token.name }))
                    await answer.refetch()
                  })
                }
              >
                {t('settings.revoke')}
              </Button>
            ),
          },
        ]}
      />
      <form
        className="nv-form account-columns"
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          void form.submit({ expiresDays: days })
        }}
      >
        <Field label={t('settings.tokenName')} problems={form.problems.name ?? []}>
          {(ids) => (
            <TextInput
              {...ids}
              name="tokenName"
              maxLength={60}
              value={form.values.name}
              onChange={(event) => form.set({ name: event.target.value })}
            />
          )}
        </Field>
        <Field label={t('settings.tokenExpiry')} problems={form.problems.expiresDays ?? []}>
          {(ids) => (
            <Select
              {...ids}
              value={String(days)}
              options={tokenDays.map((one) => ({
                value: String(one),
                label: one === null ? t('settings.forever') : t('settings.days', { count: one }),
              }))}
              onChoose={(one) => setDays(one === 'null' ? null : Number(one))}
            />
          )}
        </Field>
        <div className="account-wide account-stack">
          <FormFailure failure={form.failure} />
          <div className="account-actions">
            <Button type="submit" look="primary" busy={form.busy}>
              {t('settings.createToken')}
            </Button>
          </div>
        </div>
      </form>
    </div>
  )
}

const OwnData = ({ profile }: { profile: Profile }): ReactNode => {
  const t = useText(messages)
  const navigate = useNavigate()
  const { forget } = useSession()
  const [open, setOpen] = useState(false)
  const form = useForm(
    deleteAccount,
    { password: '' },
    {
      onDone: () => {
        setOpen(false)
        forget()
        done(t('settings.deleted'))
        navigate('/home', { replace: true })
      },
    },
  )
  return (
    <div className="account-stack">
      <p>{t('settings.exportLead')}</p>
      <div className="account-actions">
        <Button
          onClick={() =>
            void attempt(async () => {
              const all = await call(exportAccount, {})
              downloadBlob(
                new Blob([JSON.stringify(all, null, 2)], { type: 'application/json' }),
                `novodb-${profile.username}.json`,
              )
            })
          }
        >
          {t('settings.export')}
        </Button>
      </div>
      {profile.username === 'admin' ? null : (
        <>
          <p>{t('settings.deleteLead')}</p>
          <div className="account-actions">
            <Button look="danger" onClick={() => setOpen(true)}>
              {t('settings.delete')}
            </Button>
          </div>
          <Dialog
            open={open}
            onClose={() => setOpen(false)}
            title={t('settings.deleteTitle', { username: profile.username })}
          >
            <form
              className="nv-form"
              noValidate
              onSubmit={(event) => {
                event.preventDefault()
                void form.submit()
              }}
            >
              <p>{t('settings.deleteWhy')}</p>
              <Field label={t('field.password')} problems={form.problems.password ?? []}>
                {(ids) => (
                  <TextInput
                    {...ids}
                    name="deletePassword"
                    type="password"
                    autoComplete="current-password"
                    maxLength={200}
                    value={form.values.password}
                    onChange={(event) => form.set({ password: event.target.value })}
                  />
                )}
              </Field>
              <FormFailure failure={form.failure} />
              <Button type="submit" look="danger" busy={form.busy}>
                {t('settings.delete')}
              </Button>
            </form>
          </Dialog>
        </>
      )}
    </div>
  )
}

const AccountSettingsPage = (): ReactNode => {
  const t = useText(messages)
  const answer = useQuery({
    queryKey: ['profile'],
    queryFn: (context) => call(getProfile, {}, context),
  })
  return (
    <main className="nv-page">
      <PageTitle>{t('settings.title')}</PageTitle>
      <header className="nv-page-head">
        <div>
          <h1>{t('settings.title')}</h1>
        </div>
      </header>
      {answer.isPending ? (
        <Waiting />
      ) : answer.isError ? (
        <Unanswered of={answer} />
      ) : (
        <div className="account-settings">
          <nav aria-label={t('settings.title')}>
            {(['profile', 'password', 'language', 'sessions', 'tokens', 'data'] as const).map((part) => (
              <a key={part} href={`#${part}`}>
                {t(`settings.${part}`)}
              </a>
            ))}
          </nav>
          <div className="account-stack">
            <Card id="profile" title={t('settings.profile')}>
              <ProfileForm profile={answer.data} />
            </Card>
            <Card id="password" title={t('settings.password')}>
              <PasswordForm profile={answer.data} />
            </Card>
            <Card id="language" title={t('settings.language')}>
              <LanguageChoice />
            </Card>
            <Card id="sessions" title={t('settings.sessions')}>
              <Sessions />
            </Card>
            <Card id="tokens" title={t('settings.tokens')}>
              <Tokens />
            </Card>
            <Card id="data" title={t('settings.data')}>
              <OwnData profile={answer.data} />
            </Card>
          </div>
        </div>
      )}
    </main>
  )
}

export default AccountSettingsPage
