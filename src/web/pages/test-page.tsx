import { type ReactNode, useState } from 'react'
import { Button } from '../../kit/ui/controls/button.tsx'
import { Card, Facts, Tag } from '../../kit/ui/controls/card.tsx'
import { useLanguage, useText } from '../../kit/ui/language.tsx'
import { useSpecies, useToolStatuses } from '../../kit/ui/portal-data.ts'
import { RequestError, showRequestError } from '../../kit/ui/request.ts'
import { useToolList } from '../../kit/ui/tool/tool-list.ts'
import { messages } from '../messages/admin.ts'
import { offerUpdate } from '../service-worker/client.ts'
import { ErrorBoundary } from '../shell/error-boundary.tsx'
import { PageTitle } from '../shell/page-title.tsx'

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

/** What the portal can say of itself without an account: the server, what is loaded, which tools can run. */
const SelfCheck = (): ReactNode => {
  const t = useText(messages)
  const language = useLanguage()
  const species = useSpecies()
  const statuses = useToolStatuses()
  const tools = useToolList()
  const verdict = (good: boolean, text: string): ReactNode => (
    <>
      <Tag tone={good ? 'green' : 'amber'}>{t(good ? 'test.good' : 'test.bad')}</Tag> {text}
    </>
  )
  const assemblies = species.data?.species.flatMap((one) => one.assemblies) ?? []
  return (
    <Card title={t('test.selfCheck')}>
      <Facts
        facts={[
          {
            name: t('test.data'),
            value: species.isPending ? '…' : verdict(assemblies.length > 0, assemblies.map((one) => one.id).join(', ')),
            wide: true,
          },
          ...(statuses.data ?? []).map((status) => ({
            name: tools.find((one) => one.id === status.id)?.title[language] ?? status.id,
            value: verdict(status.available, status.unavailable.join(' ')),
            wide: true,
          })),
          ...(statuses.isError
            ? [{ name: t('test.server'), value: verdict(false, statuses.error.message), wide: true }]
            : []),
        ]}
      />
    </Card>
  )
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
      <Card title={t('test.notices')}>
        <div className="nv-page-actions">
          <Button onClick={() => dispatchEvent(new Event('offline'))}>{t('test.offline')}</Button>
          <Button onClick={() => dispatchEvent(new Event('online'))}>{t('test.online')}</Button>
          <Button onClick={() => offerUpdate(() => location.reload())}>{t('test.update')}</Button>
        </div>
      </Card>
      <SelfCheck />
    </main>
  )
}

export default TestPage
