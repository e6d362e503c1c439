import type { ReactNode } from 'react'
import { Link, useNavigate } from 'react-router'
import { register } from '../../../contracts/accounts/auth.ts'
import { Button, ButtonLink } from '../../../kit/ui/controls/button.tsx'
import { Card } from '../../../kit/ui/controls/card.tsx'
import { EmptyState } from '../../../kit/ui/controls/empty-state.tsx'
import { TextField } from '../../../kit/ui/controls/text-field.tsx'
import { useText } from '../../../kit/ui/language.tsx'
import { useAuthOptions } from '../../account/auth-options.ts'
import { NewPasswordFields } from '../../account/password-fields.tsx'
import { PhoneCodeFields, usePhoneCode } from '../../account/phone-code-field.tsx'
import { FormFailure } from '../../form-failure.tsx'
import { messages } from '../../messages/account.ts'
import { PageTitle } from '../../shell/page-title.tsx'
import { SubmitForm } from '../../submit-form.tsx'
import { useForm } from '../../use-form.ts'
import { WorkFields } from '../../work-fields.tsx'
import './account.css'

/** What a registration came to, handed to the result page with the navigation: it holds an address, which no URL should. */
export interface RegisterResult {
  username: string
  email: string
  delivered: 'mail' | 'outbox'
}

const RegisterPage = (): ReactNode => {
  const t = useText(messages)
  const navigate = useNavigate()
  const options = useAuthOptions()
  const form = useForm(
    register,
    { username: '', email: '', phone: '', captcha: '', workplace: '', jobType: '', password: '', confirm: '' },
    {
      onDone: ({ username, email, delivered }) => {
        const state: RegisterResult = { username, email, delivered }
        navigate('/users/register-result', { replace: true, state })
      },
    },
  )
  const code = usePhoneCode('confirm')
  const { values, problems } = form
  return (
    <main className="nv-page">
      <PageTitle>{t('register.title')}</PageTitle>
      <header className="nv-page-head">
        <div>
          <h1>{t('register.title')}</h1>
          <p className="nv-lead">{t('register.lead')}</p>
        </div>
      </header>
      {options?.registration === false ? (
        <EmptyState
          title={t('register.closed')}
          why={t('register.closedWhy')}
          action={<ButtonLink to="/contact">{t('contact.title')}</ButtonLink>}
        />
      ) : (
        <div className="account-narrow">
          <Card>
            <SubmitForm columns onSubmit={() => void form.submit()}>
              <TextField
                {...form.field('username')}
                label={t('field.username')}
                autoComplete="username"
                autoCapitalize="none"
                maxLength={32}
              />
              <TextField
                {...form.field('email')}
                label={t('field.email')}
                type="email"
                autoComplete="email"
                maxLength={254}
              />
              <WorkFields
                workplace={values.workplace}
                jobType={values.jobType}
                problems={problems}
                onChange={form.set}
              />
              <NewPasswordFields
                password={values.password}
                confirm={values.confirm}
                about={[values.username, values.email, values.phone]}
                problems={problems}
                onChange={form.set}
              />
              <PhoneCodeFields
                phone={values.phone}
                captcha={values.captcha}
                code={code}
                problems={problems}
                onChange={form.set}
                phoneOptional
              />
              <div className="account-wide account-stack">
                <FormFailure failure={form.failure} />
                <div className="account-actions">
                  <Button type="submit" look="primary" size="large" busy={form.busy}>
                    {t('register.submit')}
                  </Button>
                  <Link to="/user/login">{t('register.signIn')}</Link>
                </div>
              </div>
            </SubmitForm>
          </Card>
        </div>
      )}
    </main>
  )
}

export default RegisterPage
