import type { ReactNode } from 'react'
import { useSearchParams } from 'react-router'
import { Tabs } from '../../../kit/ui/controls/tabs.tsx'
import { useText } from '../../../kit/ui/language.tsx'
import { messages } from '../../messages/admin.ts'
import { PageTitle } from '../../shell/page-title.tsx'
import { AuditTab } from './audit-tab.tsx'
import { DataTab } from './data-tab.tsx'
import { EnginesTab } from './engines-tab.tsx'
import { ImportTab } from './import/import-tab.tsx'
import { JobsTab } from './jobs-tab.tsx'
import { MessagesTab } from './messages-tab.tsx'
import { OutboxTab } from './outbox-tab.tsx'
import { StorageTab } from './storage-tab.tsx'
import { SystemTab } from './system-tab.tsx'
import { UsersTab } from './users-tab.tsx'
import '../account/account.css'

const tabs = {
  users: UsersTab,
  jobs: JobsTab,
  data: DataTab,
  import: ImportTab,
  engines: EnginesTab,
  system: SystemTab,
  messages: MessagesTab,
  storageTab: StorageTab,
  outbox: OutboxTab,
  audit: AuditTab,
} as const
type TabKey = keyof typeof tabs

/** What the administrator of the portal sees and does; the server lets nobody else. */
const InfoPage = (): ReactNode => {
  const t = useText(messages)
  const [query, setQuery] = useSearchParams()
  const wanted = query.get('tab') ?? ''
  const tab: TabKey = Object.hasOwn(tabs, wanted) ? (wanted as TabKey) : 'data'
  const Tab = tabs[tab]
  return (
    <main className="nv-page">
      <PageTitle>{t('info.title')}</PageTitle>
      <header className="nv-page-head">
        <div>
          <h1>{t('info.title')}</h1>
          <p className="nv-lead">{t('info.lead')}</p>
        </div>
      </header>
      <Tabs
        label={t('info.title')}
        chosen={tab}
        onChoose={(key) => setQuery({ tab: key }, { replace: true })}
        tabs={(Object.keys(tabs) as TabKey[]).map((key) => ({ key, label: t(`info.${key}`) }))}
      >
        <Tab />
      </Tabs>
    </main>
  )
}

export default InfoPage
