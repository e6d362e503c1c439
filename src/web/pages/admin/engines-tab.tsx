import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { listEngines } from '../../../contracts/accounts/admin.ts'
import { Card, Tag } from '../../../kit/ui/controls/card.tsx'
import { EmptyState, Unanswered, Waiting } from '../../../kit/ui/controls/empty-state.tsx'
import { useFormat, useLanguage, useText } from '../../../kit/ui/language.tsx'
import { call } from '../../../kit/ui/request.ts'
import { ResultTable } from '../../../kit/ui/table/result-table.tsx'
import { useToolList } from '../../../kit/ui/tool/tool-list.ts'
import { messages } from '../../messages/admin.ts'

export const EnginesTab = (): ReactNode => {
  const t = useText(messages)
  const format = useFormat()
  const language = useLanguage()
  const tools = useToolList()
  const answer = useQuery({
    queryKey: ['admin-engines'],
    queryFn: (context) => call(listEngines, {}, context),
  })
  if (answer.isPending) return <Waiting />
  if (answer.isError) return <Unanswered of={answer} />
  const { engines, storage, portalVersion, database } = answer.data
  const titleOf = (id: string): string => tools.find((tool) => tool.id === id)?.title[language] ?? id
  return (
    <Card
      flush
      title={t('info.engines')}
      aside={[
        t('info.portal', { version: portalVersion }),
        t('info.database', { version: database.version, kind: database.kind }),
        t('info.storage', { used: format.bytes(storage.dataBytes), free: format.bytes(storage.freeBytes) }),
      ].join(' · ')}
    >
      <ResultTable
        label={t('info.engines')}
        name="novodb-engines"
        rows={engines}
        rowKey={(engine) => engine.program}
        empty={<EmptyState title={t('info.none')} />}
        columns={[
          { key: 'program', title: t('info.program'), kind: 'id', value: (engine) => engine.program },
          {
            key: 'found',
            title: t('info.state'),
            value: (engine) => engine.found,
            render: (engine) => (
              <Tag tone={engine.found ? 'green' : 'amber'}>{t(engine.found ? 'info.found' : 'info.missing')}</Tag>
            ),
          },
          { key: 'version', title: t('info.version'), value: (engine) => engine.version },
          { key: 'package', title: t('info.package'), kind: 'id', value: (engine) => engine.package },
          { key: 'tools', title: t('info.usedBy'), value: (engine) => format.list(engine.tools.map(titleOf)) },
        ]}
      />
    </Card>
  )
}
