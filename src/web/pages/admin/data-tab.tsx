import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { Link } from 'react-router'
import { listAdminData, listLoadFolders, rollbackSpecies, startLoad } from '../../../contracts/accounts/admin.ts'
import { loadProgress } from '../../../contracts/load-steps.ts'
import type { LackingSpace } from '../../../contracts/species.ts'
import { Button } from '../../../kit/ui/controls/button.tsx'
import { Card, Tag } from '../../../kit/ui/controls/card.tsx'
import { EmptyState, Unanswered, Waiting } from '../../../kit/ui/controls/empty-state.tsx'
import { Select } from '../../../kit/ui/controls/field.tsx'
import { useAssemblyNames, useSpeciesNames } from '../../../kit/ui/gene/species-names.tsx'
import { useFormat, useText } from '../../../kit/ui/language.tsx'
import { messages as kit } from '../../../kit/ui/messages.ts'
import { call } from '../../../kit/ui/request.ts'
import { ResultTable } from '../../../kit/ui/table/result-table.tsx'
import { attempt, notifySuccess } from '../../attempt.ts'
import { JobStateTag } from '../../job-state-tag.tsx'
import { messages } from '../../messages/admin.ts'
import { ConfirmDialog } from './confirm-dialog.tsx'
import { useLoadStep } from './load-step.ts'
import { LoadDialog } from './load-view.tsx'
import { refreshMs } from './paged-rows.tsx'

/** Names of a release that are shown; a pointer shows all. */

const LoadForm = ({ onStarted }: { onStarted: (id: number) => void }): ReactNode => {
  const t = useText(messages)
  const [folder, setFolder] = useState('')
  const answer = useQuery({
    queryKey: ['admin-folders'],
    queryFn: (context) => call(listLoadFolders, {}, context),
  })
  if (answer.isPending) return <Waiting />
  if (answer.isError) return <Unanswered of={answer} />
  const { directory, folders } = answer.data
  const chosen = folder === '' ? (folders.find((one) => one.present)?.folder ?? '') : folder
  return (
    <div className="account-stack">
      <p className="nv-quiet">{t('info.loadHelp', { directory })}</p>
      {folders.length === 0 ? (
        <p>
          {t('info.loadNone')} <Link to="/document/data-formats">{t('info.loadHow')}</Link>
        </p>
      ) : (
        <div className="account-actions">
          <Select
            aria-label={t('info.loadFolder')}
            value={chosen}
            options={folders.map((one) => ({
              value: one.folder,
              label: one.present ? one.folder : `${one.folder} (${t('info.loadGone')})`,
            }))}
            onChoose={setFolder}
          />
          <Button
            look="primary"
            disabled={chosen === ''}
            onClick={() =>
              void attempt(async () => {
                const { load } = await call(startLoad, { folder: chosen })
                notifySuccess(t('info.loadStarted'))
                onStarted(load.id)
              })
            }
          >
            {t('info.loadStart')}
          </Button>
        </div>
      )}
    </div>
  )
}

export const DataTab = (): ReactNode => {
  const stepOf = useLoadStep()
  const t = useText(messages)
  const k = useText(kit)
  const format = useFormat()
  const speciesName = useSpeciesNames()
  const assemblyName = useAssemblyNames()
  const client = useQueryClient()
  const [watched, setWatched] = useState<number | null>(null)
  const [back, setBack] = useState<{ species: string; number: number } | null>(null)
  const answer = useQuery({
    queryKey: ['admin-data'],
    queryFn: (context) => call(listAdminData, {}, context),
    refetchInterval: refreshMs,
  })
  if (answer.isPending) return <Waiting />
  if (answer.isError) return <Unanswered of={answer} />
  const { releases, loads } = answer.data
  const spaceOf = ({ neededBytes, freeBytes }: LackingSpace): string =>
    neededBytes === null || freeBytes === null
      ? t('info.waitsForSpaceElsewhere')
      : t('info.waitsForSpace', { needed: format.bytes(neededBytes), free: format.bytes(freeBytes) })
  const rollback = (species: string, number: number): Promise<void> =>
    attempt(async () => {
      const served = await call(rollbackSpecies, { species, number })
      notifySuccess(t('info.rolledBack', { species: speciesName(species), number: served.number }))
      await client.invalidateQueries()
    })
  return (
    <div className="account-stack">
      <Card title={t('info.loadTitle')}>
        <LoadForm
          onStarted={(id) => {
            setWatched(id)
            void answer.refetch()
          }}
        />
      </Card>
      <Card title={t('info.data')} flush>
        <ResultTable
          label={t('info.data')}
          name="novodb-releases"
          rows={releases}
          rowKey={(release) => `${release.species}/${release.number}`}
          empty={<EmptyState title={t('info.none')} />}
          columns={[
            { key: 'species', title: t('info.species'), value: (release) => speciesName(release.species) },
            { key: 'number', title: t('info.release'), kind: 'number', value: (release) => release.number },
            {
              key: 'active',
              title: t('info.state'),
              value: (release) => release.active,
              render: (release) =>
                release.active ? (
                  <Tag>{t('info.active')}</Tag>
                ) : (
                  <Button
                    size="small"
                    look="quiet"
                    onClick={() => setBack({ species: release.species, number: release.number })}
                  >
                    {t('info.rollback')}
                  </Button>
                ),
            },
            {
              key: 'created',
              title: t('info.created'),
              value: (release) => release.createdAt,
              render: (release) => format.dateTime(release.createdAt),
            },
            {
              key: 'bundles',
              title: t('info.bundles'),
              value: (release) =>
                // What is of no single assembly belongs to the species, and needs no name of its own here.
                format.names(
                  release.bundles.flatMap(({ assembly }) => (assembly === null ? [] : [assemblyName(assembly)])),
                ),
              render: (release) => {
                const names = release.bundles.flatMap(({ assembly }) =>
                  assembly === null ? [] : [assemblyName(assembly)],
                )
                return <span title={format.series(names)}>{format.names(names)}</span>
              },
            },
          ]}
        />
      </Card>
      <Card title={t('info.loads')} flush>
        <ResultTable
          label={t('info.loads')}
          name="novodb-loads"
          rows={loads}
          rowKey={(load) => String(load.id)}
          empty={<EmptyState title={t('info.none')} />}
          columns={[
            { key: 'id', title: '#', kind: 'number', value: (load) => load.id },
            { key: 'species', title: t('info.species'), value: (load) => speciesName(load.species) },
            {
              key: 'state',
              title: t('info.state'),
              value: (load) => load.state,
              render: (load) => <JobStateTag state={load.state} />,
            },
            {
              key: 'step',
              title: t('info.step'),
              value: (load) => {
                if (load.space !== null) return spaceOf(load.space)
                // The last step of a load that has ended tells nothing any more.
                if (load.endedAt !== null) return null
                const before = load.state === 'waiting' ? loads.find((one) => one.state === 'running') : undefined
                return before === undefined
                  ? stepOf(load.step)
                  : t('info.waitsFor', {
                      id: before.id,
                      species: speciesName(before.species),
                      step: stepOf(before.step),
                      since: format.dateTime(before.stepSince ?? before.startedAt),
                    })
              },
            },
            {
              key: 'fraction',
              title: t('info.progress'),
              kind: 'number',
              value: (load) => load.fraction,
              render: (load) => {
                const { fraction, leftMs } = loadProgress(load, Date.now())
                const share = load.state === 'running' ? fraction : load.fraction
                return [
                  share === null ? '–' : format.percent(share, 0),
                  leftMs === null ? null : k('job.left', { time: format.roughDuration(leftMs) }),
                ]
                  .filter((part) => part !== null)
                  .join(' · ')
              },
            },
            {
              key: 'started',
              title: t('info.started'),
              value: (load) => load.startedAt,
              render: (load) => format.dateTime(load.startedAt),
            },
            {
              key: 'ended',
              title: t('info.ended'),
              value: (load) => load.endedAt,
              render: (load) => (load.endedAt === null ? '–' : format.dateTime(load.endedAt)),
            },
            {
              key: 'by',
              title: t('info.startedBy'),
              value: (load) => (load.startedBy === 'command line' ? t('info.commandLine') : load.startedBy),
            },
            { key: 'folder', title: t('info.folder'), kind: 'id', hidden: true, value: (load) => load.folder },
            {
              key: 'log',
              title: t('info.log'),
              value: () => null,
              render: (load) => (
                <Button size="small" look="quiet" onClick={() => setWatched(load.id)}>
                  {t('info.log')}
                </Button>
              ),
            },
          ]}
        />
      </Card>
      {watched === null ? null : (
        <LoadDialog
          id={watched}
          onClose={() => {
            setWatched(null)
            void client.invalidateQueries()
          }}
        />
      )}
      {back === null ? null : (
        <ConfirmDialog
          title={t('info.rollbackTitle', { ...back, species: speciesName(back.species) })}
          why={t('info.rollbackWhy')}
          action={t('info.rollback')}
          onNo={() => setBack(null)}
          onYes={() => void rollback(back.species, back.number)}
        />
      )}
    </div>
  )
}
