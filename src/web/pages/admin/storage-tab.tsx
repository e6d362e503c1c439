import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { getStorage } from '../../../contracts/accounts/admin.ts'
import { Card, Facts, Tag } from '../../../kit/ui/controls/card.tsx'
import { EmptyState, Unanswered, Waiting } from '../../../kit/ui/controls/empty-state.tsx'
import { useAssemblyNames, useSpeciesNames } from '../../../kit/ui/gene/species-names.tsx'
import { useFormat, useText } from '../../../kit/ui/language.tsx'
import { call } from '../../../kit/ui/request.ts'
import { ResultTable } from '../../../kit/ui/table/result-table.tsx'
import { messages } from '../../messages/admin.ts'
import { refreshMs } from './paged-rows.tsx'

export const StorageTab = (): ReactNode => {
  const t = useText(messages)
  const format = useFormat()
  const speciesName = useSpeciesNames()
  const assemblyName = useAssemblyNames()
  const answer = useQuery({
    queryKey: ['admin-storage'],
    queryFn: (context) => call(getStorage, {}, context),
    refetchInterval: (query) =>
      query.state.data?.databaseFull || query.state.data?.disks.some((disk) => disk.full) ? refreshMs : false,
  })
  if (answer.isPending) return <Waiting />
  if (answer.isError) return <Unanswered of={answer} />
  const { disks, databaseFull, databaseBytes, jobBytes, jobCount, bundles } = answer.data
  const full = disks.filter((disk) => disk.full)
  return (
    <div className="account-stack">
      {full.length === 0 && !databaseFull ? null : (
        <div className="nv-banner nv-banner-warn" role="status">
          {full.map((disk) => (
            <p key={disk.folder}>
              <strong>
                {t('info.diskFull', {
                  folder: disk.folder,
                  free: format.bytes(disk.freeBytes),
                  reserve: format.bytes(disk.reserveBytes),
                })}
              </strong>
            </p>
          ))}
          {databaseFull ? (
            <p>
              <strong>{t('info.databaseFull')}</strong>
            </p>
          ) : null}
          <p>{t('info.diskFullToDo')}</p>
        </div>
      )}
      <Card title={t('info.storageTab')}>
        <Facts
          facts={[
            ...disks.map((disk) => ({
              name: t('info.disk'),
              wide: true,
              value: (
                <>
                  {t('info.diskFree', { free: format.bytes(disk.freeBytes), total: format.bytes(disk.totalBytes) })}{' '}
                  <code className="nv-quiet">{disk.folder}</code>
                </>
              ),
            })),
            { name: t('info.databaseSize'), value: format.bytes(databaseBytes) },
            {
              name: t('info.jobResults', { count: jobCount }),
              value: jobBytes === null ? t('info.notCounted') : format.bytes(jobBytes),
            },
          ]}
        />
      </Card>
      <Card title={t('info.bundles')} flush>
        <ResultTable
          label={t('info.bundles')}
          name="novodb-bundles"
          rows={bundles}
          rowKey={(bundle) => bundle.uid}
          empty={<EmptyState title={t('info.none')} />}
          columns={[
            { key: 'species', title: t('info.species'), value: (bundle) => speciesName(bundle.species) },
            {
              key: 'assembly',
              title: t('info.assembly'),
              value: (bundle) =>
                bundle.assembly !== null
                  ? assemblyName(bundle.assembly)
                  : t(bundle.species === '' ? 'info.overAll' : 'info.wholeSpecies'),
            },
            { key: 'uid', title: t('info.bundle'), kind: 'id', hidden: true, value: (bundle) => bundle.uid },
            {
              key: 'active',
              title: t('info.state'),
              value: (bundle) => bundle.active,
              render: (bundle) => (
                <Tag tone={bundle.active ? 'green' : 'grey'}>{t(bundle.active ? 'info.active' : 'info.kept')}</Tag>
              ),
            },
            {
              key: 'bytes',
              title: t('info.size'),
              kind: 'number',
              value: (bundle) => bundle.bytes,
              render: (bundle) => format.bytes(bundle.bytes),
            },
            { key: 'files', title: t('info.files'), kind: 'number', value: (bundle) => bundle.fileCount },
            {
              key: 'created',
              title: t('info.created'),
              value: (bundle) => bundle.createdAt,
              render: (bundle) => format.dateTime(bundle.createdAt),
            },
            {
              key: 'checksum',
              title: t('info.checksum'),
              kind: 'id',
              hidden: true,
              value: (bundle) => bundle.checksum,
            },
          ]}
        />
      </Card>
    </div>
  )
}
