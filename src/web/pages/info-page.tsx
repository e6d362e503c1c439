import { useQuery, useQueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Link, useSearchParams } from 'react-router'
import { listAdminData, listAdminJobs, listEngines, rollbackSpecies } from '../../contracts/admin.ts'
import { cancelJob } from '../../contracts/jobs.ts'
import { Button } from '../../kit/ui/button.tsx'
import { Card, Tag } from '../../kit/ui/card.tsx'
import { EmptyState, FailureState, Waiting } from '../../kit/ui/empty-state.tsx'
import { useFormat, useLanguage, useText } from '../../kit/ui/language.tsx'
import { showNotice } from '../../kit/ui/notices.ts'
import { call } from '../../kit/ui/request.ts'
import { ResultTable } from '../../kit/ui/result-table.tsx'
import { Tabs } from '../../kit/ui/tabs.tsx'
import { useToolList } from '../../kit/ui/tool-list.ts'
import { messages } from '../messages/pages.ts'
import { PageTitle } from '../page-title.tsx'

const tones: Record<string, 'green' | 'amber' | 'grey' | 'red' | 'blue'> = {
  waiting: 'grey',
  queued: 'grey',
  running: 'blue',
  done: 'green',
  failed: 'red',
  cancelled: 'amber',
}

const State = ({ state }: { state: string }): ReactNode => {
  const t = useText(messages)
  return (
    <Tag tone={tones[state] ?? 'grey'}>
      {`state.${state}` in messages.en ? t(`state.${state}` as 'state.done') : state}
    </Tag>
  )
}

const refreshMs = 5000

const DataTab = (): ReactNode => {
  const t = useText(messages)
  const format = useFormat()
  const client = useQueryClient()
  const answer = useQuery({
    queryKey: ['admin-data'],
    queryFn: ({ signal }) => call(listAdminData, {}, { signal, skipErrorHandler: true }),
    refetchInterval: refreshMs,
  })
  if (answer.isPending) return <Waiting />
  if (answer.isError) return <FailureState why={answer.error.message} onRetry={() => void answer.refetch()} />
  const { releases, loads } = answer.data
  return (
    <div style={{ display: 'grid', gap: 'var(--space-4)' }}>
      <Card title={t('info.loads')} flush>
        <ResultTable
          label={t('info.loads')}
          name="novodb-loads"
          rows={loads}
          rowKey={(load) => String(load.id)}
          empty={<EmptyState title={t('info.none')} />}
          columns={[
            { key: 'id', title: '#', kind: 'number', value: (load) => load.id },
            { key: 'species', title: t('info.species'), value: (load) => load.species },
            {
              key: 'state',
              title: t('info.state'),
              value: (load) => load.state,
              render: (load) => <State state={load.state} />,
            },
            { key: 'step', title: t('info.step'), value: (load) => load.step },
            {
              key: 'fraction',
              title: t('info.progress'),
              kind: 'number',
              value: (load) => load.fraction,
              render: (load) => format.percent(load.fraction, 0),
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
            { key: 'by', title: t('info.startedBy'), value: (load) => load.startedBy },
            { key: 'folder', title: t('info.folder'), kind: 'id', hidden: true, value: (load) => load.folder },
            {
              key: 'report',
              title: t('info.report'),
              value: (load) => JSON.stringify(load.report),
              render: (load) =>
                load.report === null || load.report === undefined ? (
                  '–'
                ) : (
                  <details>
                    <summary>{t('info.report')}</summary>
                    <pre style={{ whiteSpace: 'pre-wrap' }}>{JSON.stringify(load.report, null, 2)}</pre>
                  </details>
                ),
            },
          ]}
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
            { key: 'species', title: t('info.species'), value: (release) => release.species },
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
                    onClick={async () => {
                      try {
                        const { number } = await call(rollbackSpecies, {
                          species: release.species,
                          number: release.number,
                        })
                        showNotice({
                          kind: 'message',
                          level: 'success',
                          text: t('info.rolledBack', { species: release.species, number }),
                        })
                        await client.invalidateQueries()
                      } catch {
                        // Said by the request layer.
                      }
                    }}
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
              value: (release) => release.bundles.map((bundle) => bundle.assembly ?? bundle.uid).join(', '),
            },
          ]}
        />
      </Card>
    </div>
  )
}

const JobsTab = (): ReactNode => {
  const t = useText(messages)
  const format = useFormat()
  const language = useLanguage()
  const tools = useToolList()
  const answer = useQuery({
    queryKey: ['admin-jobs'],
    queryFn: ({ signal }) => call(listAdminJobs, { pageSize: 200 }, { signal, skipErrorHandler: true }),
    refetchInterval: refreshMs,
  })
  if (answer.isPending) return <Waiting />
  if (answer.isError) return <FailureState why={answer.error.message} onRetry={() => void answer.refetch()} />
  return (
    <Card flush>
      <ResultTable
        label={t('info.jobs')}
        name="novodb-jobs"
        rows={answer.data.jobs}
        total={answer.data.total}
        rowKey={(job) => job.id}
        empty={<EmptyState title={t('info.none')} />}
        columns={[
          {
            key: 'id',
            title: t('info.job'),
            kind: 'id',
            value: (job) => job.id,
            render: (job) => {
              const tool = tools.find((one) => one.id === job.tool)
              return tool === undefined ? (
                job.id.slice(0, 8)
              ) : (
                <Link to={`${tool.route}?job=${job.id}`}>{job.id.slice(0, 8)}</Link>
              )
            },
          },
          {
            key: 'tool',
            title: t('info.tool'),
            value: (job) => job.tool,
            render: (job) => tools.find((one) => one.id === job.tool)?.title[language] ?? job.tool,
          },
          {
            key: 'state',
            title: t('info.state'),
            value: (job) => job.state,
            render: (job) => <State state={job.state} />,
          },
          {
            key: 'submitted',
            title: t('info.submitted'),
            value: (job) => job.submittedAt,
            render: (job) => format.dateTime(job.submittedAt),
          },
          {
            key: 'ended',
            title: t('info.ended'),
            value: (job) => job.endedAt,
            render: (job) => (job.endedAt === null ? '–' : format.dateTime(job.endedAt)),
          },
          { key: 'error', title: t('info.report'), value: (job) => job.error?.errorMessage ?? null },
          {
            key: 'cancel',
            title: '',
            value: () => null,
            render: (job) =>
              job.state === 'queued' || job.state === 'running' ? (
                <Button
                  size="small"
                  look="quiet"
                  onClick={async () => {
                    try {
                      await call(cancelJob, { id: job.id })
                      await answer.refetch()
                    } catch {
                      // Said by the request layer.
                    }
                  }}
                >
                  {t('info.cancel')}
                </Button>
              ) : null,
          },
        ]}
      />
    </Card>
  )
}

const EnginesTab = (): ReactNode => {
  const t = useText(messages)
  const format = useFormat()
  const answer = useQuery({
    queryKey: ['admin-engines'],
    queryFn: ({ signal }) => call(listEngines, {}, { signal, skipErrorHandler: true }),
  })
  if (answer.isPending) return <Waiting />
  if (answer.isError) return <FailureState why={answer.error.message} onRetry={() => void answer.refetch()} />
  const { engines, storage, portalVersion, database } = answer.data
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
          { key: 'version', title: t('info.version'), kind: 'id', value: (engine) => engine.version },
          { key: 'package', title: t('info.package'), kind: 'id', value: (engine) => engine.package },
          { key: 'tools', title: t('info.usedBy'), value: (engine) => engine.tools.join(', ') },
        ]}
      />
    </Card>
  )
}

/** The administrator's page; the server checks the right on every call as well. */
const InfoPage = (): ReactNode => {
  const t = useText(messages)
  const [query, setQuery] = useSearchParams()
  const chosen = query.get('tab') ?? 'data'
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
        chosen={chosen}
        onChoose={(tab) => setQuery({ tab }, { replace: true })}
        tabs={[
          { key: 'data', label: t('info.data') },
          { key: 'jobs', label: t('info.jobs') },
          { key: 'engines', label: t('info.engines') },
        ]}
      >
        {chosen === 'jobs' ? <JobsTab /> : chosen === 'engines' ? <EnginesTab /> : <DataTab />}
      </Tabs>
    </main>
  )
}

export default InfoPage
