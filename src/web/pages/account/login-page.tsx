import { type ReactNode, useEffect, useState } from 'react'
import { Link, useLocation, useNavigate, useSearchParams } from 'react-router'
import { login, loginTypes, requestPasswordReset, resetPassword } from '../../../contracts/accounts/auth.ts'
import { Button } from '../../../kit/ui/controls/button.tsx'
import { Checkbox } from '../../../kit/ui/controls/field.tsx'
import { Tabs } from '../../../kit/ui/controls/tabs.tsx'
import { TextField } from '../../../kit/ui/controls/text-field.tsx'
import { chooseLocale, locales, useLocale, useText } from '../../../kit/ui/language.tsx'
import { showNotice } from '../../../kit/ui/notices.ts'
import { useAuthOptions } from '../../account/auth-options.ts'
import { NewPasswordFields } from '../../account/password-fields.tsx'
import { PhoneCodeFields, usePhoneCode } from '../../account/phone-code-field.tsx'
import { startSession, useSession } from '../../account/session.tsx'
import { FormFailure } from '../../form-failure.tsx'
import { messages } from '../../messages/account.ts'
import { listedLocales, portalTitle } from '../../portal-settings.ts'
import { listLocaleRecords } from '../../shell/locale-records.ts'
import { PageTitle } from '../../shell/page-title.tsx'
import { safeRedirect } from '../../shell/redirect.ts'
import { SubmitForm } from '../../submit-form.tsx'
import { useForm } from '../../use-form.ts'
import './account.css'

type LoginType = (typeof loginTypes)[number]

const Login = (): ReactNode => {
  const t = useText(messages)
  const navigate = useNavigate()
  const { refresh } = useSession()
  const [query] = useSearchParams()
  const [type, setType] = useState<LoginType>('account')
  const target = safeRedirect(query.get('redirect'), location.origin)
  const options = useAuthOptions()
  const form = useForm(
    login,
    { username: '', password: '', phone: '', captcha: '', remember: true },
    {
      onDone: async ({ token }) => {
        startSession(token, form.values.remember)
        await refresh()
        showNotice({ kind: 'message', level: 'success', text: t('login.success') })
        navigate(target, { replace: true })
      },
      failureText: (error) =>
        error.errorCode === 'WRONG_CREDENTIALS'
          ? t(type === 'phone' ? 'login.codeWrong' : 'login.wrong')
          : error.errorCode === 'TOO_MANY_REQUESTS' || error.errorCode === 'FORBIDDEN'
            ? error.message
            : t('login.failed'),
    },
  )
  const code = usePhoneCode('login')
  const { values, problems } = form
  return (
    <>
      <h1>{t('login.title')}</h1>
      <p className="nv-quiet">{t(options?.requireLogin === true ? 'login.leadRequired' : 'login.lead')}</p>
      <Tabs
        label={t('login.title')}
        chosen={type}
        onChoose={(key) => {
          setType(loginTypes.find((one) => one === key) ?? 'account')
          // Names, numbers and codes stay as typed; what was wrong in one tab says nothing of another.
          form.set({ username: values.username, password: '', phone: values.phone, captcha: values.captcha })
          form.setFailure(null)
        }}
        tabs={loginTypes.map((key) => ({ key, label: t(`login.${key}`) }))}
      >
        <SubmitForm
          onSubmit={() => {
            void form.submit({
              type,
              ...(type === 'phone' ? { username: '', password: '' } : { phone: '', captcha: '' }),
            })
          }}
        >
          {type === 'phone' ? (
            <PhoneCodeFields
              phone={values.phone}
              captcha={values.captcha}
              code={code}
              problems={problems}
              onChange={form.set}
            />
          ) : (
            <>
              <TextField
                {...form.field('username')}
                label={t(type === 'account' ? 'field.nameOrEmail' : 'field.username')}
                autoComplete="username"
                autoCapitalize="none"
                maxLength={254}
              />
              <TextField
                {...form.field('password')}
                label={t('field.password')}
                type="password"
                autoComplete="current-password"
                maxLength={200}
              />
            </>
          )}
          <FormFailure failure={form.failure} />
          <Checkbox checked={values.remember} onCheck={(remember) => form.set({ remember })}>
            {t('login.remember')}
          </Checkbox>
          <Button type="submit" look="primary" size="large" busy={form.busy}>
            {t('login.submit')}
          </Button>
        </SubmitForm>
      </Tabs>
      <div className="account-links">
        <Link to="#forgot">{t('login.forgot')}</Link>
        {options?.registration === false ? null : <Link to="/users/register">{t('login.register')}</Link>}
        {options?.requireLogin === true ? null : (
          <Link to={/^\/(info|account)\b/.test(target) ? '/home' : target}>{t('login.back')}</Link>
        )}
      </div>
    </>
  )
}

const Forgot = (): ReactNode => {
  const t = useText(messages)
  const [delivered, setDelivered] = useState<'mail' | 'outbox' | null>(null)
  const form = useForm(
    requestPasswordReset,
    { email: '' },
    {
      onDone: (answer) => setDelivered(answer.delivered),
    },
  )
  return (
    <>
      <h1>{t('forgot.title')}</h1>
      {delivered === null ? (
        <>
          <p className="nv-quiet">{t('forgot.lead')}</p>
          <SubmitForm onSubmit={() => void form.submit()}>
            <TextField
              {...form.field('email')}
              label={t('field.email')}
              type="email"
              autoComplete="email"
              maxLength={254}
            />
            <FormFailure failure={form.failure} />
            <Button type="submit" look="primary" size="large" busy={form.busy}>
              {t('forgot.submit')}
            </Button>
          </SubmitForm>
        </>
      ) : (
        <p role="status">{t(delivered === 'mail' ? 'forgot.sent' : 'forgot.outbox')}</p>
      )}
      <div className="account-links">
        <Link to="/user/login">{t('forgot.back')}</Link>
      </div>
    </>
  )
}

const Reset = ({ token, onDone }: { token: string; onDone: () => void }): ReactNode => {
  const t = useText(messages)
  const form = useForm(
    resetPassword,
    { password: '', confirm: '' },
    {
      onDone: () => {
        showNotice({ kind: 'message', level: 'success', text: t('reset.done') })
        onDone()
      },
    },
  )
  return (
    <>
      <h1>{t('reset.title')}</h1>
      <p className="nv-quiet">{t('reset.lead')}</p>
      <SubmitForm onSubmit={() => void form.submit({ token })}>
        <NewPasswordFields
          password={form.values.password}
          confirm={form.values.confirm}
          about={[]}
          replacing
          problems={form.problems}
          onChange={form.set}
        />
        <FormFailure failure={form.failure ?? form.problems.token?.[0] ?? null} />
        <Button type="submit" look="primary" size="large" busy={form.busy}>
          {t('reset.submit')}
        </Button>
      </SubmitForm>
      <div className="account-links">
        <Button look="quiet" size="small" onClick={onDone}>
          {t('forgot.back')}
        </Button>
      </div>
    </>
  )
}

/** Login by account, as admin, or by phone; and by the fragment of the address: a forgotten password, or a new one by a mailed link. */
const LoginPage = (): ReactNode => {
  const t = useText(messages)
  const locale = useLocale()
  const { hash } = useLocation()
  // The secret of a mailed link is taken out of the address at once, so that it stays in no history and on no screen.
  const mailed = /^#reset=(.+)$/.exec(hash)?.[1]
  const [token, setToken] = useState(mailed)
  useEffect(() => {
    if (mailed === undefined) return
    setToken(mailed)
    history.replaceState(history.state, '', location.pathname + location.search)
  }, [mailed])
  return (
    <main className="login">
      <PageTitle>
        {t(token !== undefined ? 'reset.title' : hash === '#forgot' ? 'forgot.title' : 'login.title')}
      </PageTitle>
      <div className="login-card nv-card">
        <div className="login-head">
          <Link to="/home" className="login-brand">
            {portalTitle()}
          </Link>
          <span>
            {listLocaleRecords(Object.keys(locales), listedLocales())
              .filter((one) => one.lang !== locale)
              .map((one) => (
                <Button key={one.lang} size="small" look="quiet" lang={one.lang} onClick={() => chooseLocale(one.lang)}>
                  {one.label}
                </Button>
              ))}
          </span>
        </div>
        {token !== undefined ? (
          <Reset token={token} onDone={() => setToken(undefined)} />
        ) : hash === '#forgot' ? (
          <Forgot />
        ) : (
          <Login />
        )}
      </div>
    </main>
  )
}

export default LoginPage
