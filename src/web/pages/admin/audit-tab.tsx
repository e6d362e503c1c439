import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { listAudit } from '../../../contracts/accounts/admin.ts'
import { auditActions } from '../../../contracts/accounts/audit-actions.ts'
import { Card } from '../../../kit/ui/controls/card.tsx'
import { EmptyState, Unanswered, Waiting } from '../../../kit/ui/controls/empty-state.tsx'
import { Select } from '../../../kit/ui/controls/field.tsx'
import { useFormat, useLocale, useText } from '../../../kit/ui/language.tsx'
import { messages as kit } from '../../../kit/ui/messages.ts'
import { call } from '../../../kit/ui/request.ts'
import { messages } from '../../messages/admin.ts'
import { PagedTable } from '../../paged-table.tsx'
import { renderAuditDetail } from './audit-detail.ts'
import { orUndefined, pageSize, SearchWords, usePaged } from './paged-rows.tsx'

export const AuditTab = (): ReactNode => {
  const t = useText(messages)
  const k = useText(kit)
  const locale = useLocale()
  const actionName = (action: string): string => {
    const known = auditActions.find((one) => one === action)
    return known === undefined ? action : t(`audit.${known}`)
  }
  const format = useFormat()
  const paged = usePaged({ q: '', action: '' })
  const { q, action } = paged.choices
  const answer = useQuery({
    queryKey: ['admin-audit', paged.page, q, action],
    queryFn: (context) => call(listAudit, { page: paged.page, pageSize, q, action: orUndefined(action) }, context),
    placeholderData: (before) => before,
  })
  if (answer.isPending) return <Waiting />
  if (answer.isError) return <Unanswered of={answer} />
  const { entries, total, actions } = answer.data
  return (
    <Card flush>
      <PagedTable
        label={t('info.audit')}
        rows={entries}
        rowKey={(entry) => String(entry.id)}
        none={<EmptyState title={t('info.none')} />}
        pages={paged.pages(total)}
        busy={answer.isPlaceholderData}
        bar={
          <>
            <SearchWords value={q} onWords={(words) => paged.choose({ q: words })} />
            <Select
              aria-label={t('info.action')}
              value={action}
              options={[
                { value: '', label: t('info.allActions') },
                ...actions.map((one) => ({ value: one, label: actionName(one) })),
              ]}
              onChoose={(value) => paged.choose({ action: value })}
            />
            <span className="nv-table-count">{k('table.rows', { count: total })}</span>
          </>
        }
        columns={[
          {
            key: 'at',
            title: t('info.date'),
            value: (entry) => entry.at,
            render: (entry) => format.dateTime(entry.at),
          },
          {
            key: 'actor',
            title: t('info.actor'),
            value: (entry) => (entry.actor === 'command line' ? t('info.commandLine') : entry.actor),
          },
          { key: 'action', title: t('info.action'), value: (entry) => actionName(entry.action) },
          { key: 'target', title: t('info.target'), value: (entry) => entry.target },
          {
            key: 'detail',
            title: t('info.detail'),
            value: (entry) => renderAuditDetail(entry.detail, locale).join('; ') || null,
            render: (entry) => (
              <ul className="account-list">
                {renderAuditDetail(entry.detail, locale).map((text) => (
                  <li key={text} className="account-detail">
                    {text}
                  </li>
                ))}
              </ul>
            ),
          },
        ]}
      />
    </Card>
  )
}
