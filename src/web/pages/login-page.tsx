import { type ReactNode, useState } from 'react'
import { Link, useNavigate, useSearchParams } from 'react-router'
import { login } from '../../contracts/auth.ts'
import { Button } from '../../kit/ui/button.tsx'
import { Checkbox, Field, TextInput } from '../../kit/ui/field.tsx'
import { useText } from '../../kit/ui/language.tsx'
import { showNotice } from '../../kit/ui/notices.ts'
import { call, RequestError } from '../../kit/ui/request.ts'
import { Tabs } from '../../kit/ui/tabs.tsx'
import { messages } from '../messages/pages.ts'
import { PageTitle } from '../page-title.tsx'
import { portalTitle } from '../portal-settings.ts'
import { startSession, useSession } from '../session.tsx'
import './login-page.css'

/** A way back within the portal; an address of another site is not followed. */
export const safeRedirect = (redirect: string | null): string =>
  redirect !== null && /^\/(?![/\\])/.test(redirect) && !redirect.startsWith('/user/login') ? redirect : '/home'

const LoginPage = (): ReactNode => {
  const t = useText(messages)
  const navigate = useNavigate()
  const { refresh } = useSession()
  const [query] = useSearchParams()
  const [type, setType] = useState<'account' | 'admin'>('account')
  const [username, setUsername] = useState('')
  const [password, setPassword] = useState('')
  const [remember, setRemember] = useState(true)
  const [problems, setProblems] = useState<{ username?: string; password?: string; form?: string }>({})
  const [busy, setBusy] = useState(false)
  const target = safeRedirect(query.get('redirect'))

  const submit = async (): Promise<void> => {
    const missing = {
      ...(username.trim() === '' ? { username: t('login.needUsername') } : {}),
      ...(password === '' ? { password: t('login.needPassword') } : {}),
    }
    setProblems(missing)
    if (Object.keys(missing).length > 0) return
    setBusy(true)
    try {
      const { token } = await call(login, { type, username: username.trim(), password }, { skipErrorHandler: true })
      startSession(token, remember)
      await refresh()
      showNotice({ kind: 'message', level: 'success', text: t('login.success') })
      navigate(target, { replace: true })
    } catch (error) {
      const wrong = error instanceof RequestError && error.errorCode === 'WRONG_CREDENTIALS'
      const told = error instanceof RequestError && error.errorCode === 'TOO_MANY_REQUESTS' ? error.message : null
      setProblems({ form: wrong ? t('login.wrong') : (told ?? t('login.failed')) })
    } finally {
      setBusy(false)
    }
  }

  return (
    <main className="login">
      <PageTitle>{t('login.title')}</PageTitle>
      <div className="login-card nv-card">
        <p className="login-brand">{portalTitle()}</p>
        <h1>{t('login.title')}</h1>
        <p className="nv-quiet">{t('login.lead')}</p>
        <Tabs
          label={t('login.title')}
          chosen={type}
          onChoose={(key) => {
            setType(key === 'admin' ? 'admin' : 'account')
            setProblems({})
          }}
          tabs={[
            { key: 'account', label: t('login.account') },
            { key: 'admin', label: t('login.admin') },
          ]}
        >
          <form
            className="nv-form"
            noValidate
            onSubmit={(event) => {
              event.preventDefault()
              void submit()
            }}
          >
            <Field label={t('login.username')} problems={problems.username === undefined ? [] : [problems.username]}>
              {(ids) => (
                <TextInput
                  {...ids}
                  name="username"
                  autoComplete="username"
                  maxLength={100}
                  value={username}
                  onChange={(event) => setUsername(event.target.value)}
                />
              )}
            </Field>
            <Field label={t('login.password')} problems={problems.password === undefined ? [] : [problems.password]}>
              {(ids) => (
                <TextInput
                  {...ids}
                  name="password"
                  type="password"
                  autoComplete="current-password"
                  maxLength={200}
                  value={password}
                  onChange={(event) => setPassword(event.target.value)}
                />
              )}
            </Field>
            {problems.form === undefined ? null : (
              <p className="nv-field-problem" role="alert">
                {problems.form}
              </p>
            )}
            <Checkbox checked={remember} onCheck={setRemember}>
              {t('login.remember')}
            </Checkbox>
            <Button type="submit" look="primary" size="large" busy={busy}>
              {t('login.submit')}
            </Button>
          </form>
        </Tabs>
        <Link to={target === '/info' ? '/home' : target}>{t('login.back')}</Link>
      </div>
    </main>
  )
}

export default LoginPage
