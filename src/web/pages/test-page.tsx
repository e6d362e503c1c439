import { type ReactNode, useState } from 'react'
import { Button } from '../../kit/ui/button.tsx'
import { Card } from '../../kit/ui/card.tsx'
import { useText } from '../../kit/ui/language.tsx'
import { RequestError, showRequestError } from '../../kit/ui/request.ts'
import { ErrorBoundary } from '../error-boundary.tsx'
import { messages } from '../messages/keeper.ts'
import { PageTitle } from '../page-title.tsx'

const kinds = [
  ['test.silent', 0, 400],
  ['test.warning', 1, 400],
  ['test.error', 2, 400],
  ['test.notification', 4, 400],
  ['test.redirect', 9, 400],
  ['test.other', 99, 400],
  ['test.network', 2, 504],
] as const

const Broken = (): ReactNode => {
  throw new Error('broken on purpose by the test page')
}

const TestPage = (): ReactNode => {
  const t = useText(messages)
  const [broken, setBroken] = useState(false)
  return (
    <main className="nv-page">
      <PageTitle>{t('test.title')}</PageTitle>
      <header className="nv-page-head">
        <div>
          <h1>{t('test.title')}</h1>
          <p className="nv-lead">{t('test.lead')}</p>
        </div>
      </header>
      <Card title={t('test.errors')}>
        <div className="nv-page-actions">
          {kinds.map(([key, showType, status]) => (
            <Button
              key={key}
              onClick={() =>
                showRequestError(
                  new RequestError({ errorCode: 'TEST', errorMessage: t('test.message'), showType, status }),
                )
              }
            >
              {t('test.show', { type: t(key) })}
            </Button>
          ))}
          <Button look="danger" onClick={() => setBroken(true)}>
            {t('test.break')}
          </Button>
        </div>
        <ErrorBoundary name="test">{broken ? <Broken /> : null}</ErrorBoundary>
      </Card>
    </main>
  )
}

export default TestPage
