import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { getProfile } from '../../../contracts/accounts/account.ts'
import { Card } from '../../../kit/ui/controls/card.tsx'
import { Unanswered, Waiting } from '../../../kit/ui/controls/empty-state.tsx'
import { useText } from '../../../kit/ui/language.tsx'
import { call } from '../../../kit/ui/request.ts'
import { messages } from '../../messages/account.ts'
import { PageTitle } from '../../shell/page-title.tsx'
import { Tokens } from './settings/api-tokens.tsx'
import { LanguageChoice } from './settings/language-choice.tsx'
import { OwnData } from './settings/own-data.tsx'
import { PasswordForm } from './settings/password-form.tsx'
import { ProfileForm } from './settings/profile-form.tsx'
import { Sessions } from './settings/sessions.tsx'
import './account.css'

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
