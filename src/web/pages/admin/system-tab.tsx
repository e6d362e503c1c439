import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import type { z } from 'zod'
import { getSystem, type SystemPart } from '../../../contracts/accounts/system.ts'
import { loadPartTool } from '../../../contracts/load-steps.ts'
import { Card, Facts, Tag } from '../../../kit/ui/controls/card.tsx'
import { EmptyState, FailureState, Unanswered, Waiting } from '../../../kit/ui/controls/empty-state.tsx'
import { useFormat, useLanguage, useText } from '../../../kit/ui/language.tsx'
import { messages as kitMessages } from '../../../kit/ui/messages.ts'
import { call } from '../../../kit/ui/request.ts'
import { ResultTable } from '../../../kit/ui/table/result-table.tsx'
import { useToolList } from '../../../kit/ui/tool/tool-list.ts'
import { messages } from '../../messages/admin.ts'
import { PagedTable } from '../../paged-table.tsx'

const refreshMs = 10_000
const seconds = refreshMs / 1000

type System = z.infer<typeof getSystem.output>
type Known<Part extends SystemPart> = NonNullable<System[Part]>

/** A tool's title by its id, and the address of a job at it; a tool that is no longer offered keeps its id. */
const useTools = () => {
  const t = useText(messages)
  const language = useLanguage()
  const tools = useToolList()
  const find = (id: string) => tools.find((one) => one.id === id)
  return {
    titleOf: (id: string): string => find(id)?.title[language] ?? (id === loadPartTool ? t('info.loadParts') : id),
    addressOf: (tool: string, job: string): string | null => {
      const known = find(tool)
      return known === undefined ? null : `${known.route}?job=${job}`
    },
  }
}

/** A time of today by its clock, to the second, of another day with its date. */
const useMoment = () => {
  const format = useFormat()
  return (iso: string, now: string): string =>
    format.date(iso) === format.date(now) ? format.time(iso) : format.dateTime(iso)
}

/**
 * Every server and worker, the cluster, the queue, the database and the disks of the portal, whichever server is asked; asked again by
 * itself, and what could not be asked says so in its place.
 */
export const SystemTab = (): ReactNode => {
  const t = useText(messages)
  const format = useFormat()
  const answer = useQuery({
    queryKey: ['admin-system'],
    queryFn: (context) => call(getSystem, {}, context),
    refetchInterval: refreshMs,
  })
  const { data } = answer
  if (data === undefined) return answer.isError ? <Unanswered of={answer} /> : <Waiting />
  const failed = (
    <FailureState
      title={t('info.partNotAsked')}
      why={t('info.partNotAskedWhy', { seconds })}
      onRetry={() => void answer.refetch()}
    />
  )
  const part = <Part extends SystemPart>(
    name: Part,
    title: string,
    draw: (known: Known<Part>) => ReactNode,
  ): ReactNode => {
    const known = data[name]
    if (known !== null) return draw(known as Known<Part>)
    return data.unanswered.includes(name) ? <Card title={title}>{failed}</Card> : null
  }
  return (
    <div className="account-stack">
      {answer.isError ? (
        <Unanswered of={answer} line />
      ) : (
        <p className="nv-quiet">{t('info.asOf', { time: format.time(data.at), seconds })}</p>
      )}
      {part('servers', t('info.servers'), (servers) => (
        <Servers servers={servers} at={data.at} />
      ))}
      {part('workers', t('info.workers'), (workers) => (
        <Workers workers={workers} at={data.at} />
      ))}
      {part('cluster', t('info.cluster'), (tasks) => (
        <Cluster tasks={tasks} at={data.at} />
      ))}
      {part('queue', t('info.queue'), (queue) => (
        <Queue queue={queue} />
      ))}
      {part('database', t('info.databasePart'), (database) => (
        <Database database={database} />
      ))}
      {part('storage', t('info.storageTab'), (storage) => (
        <Storage storage={storage} />
      ))}
    </div>
  )
}

const Servers = ({ servers, at }: { servers: Known<'servers'>; at: string }): ReactNode => {
  const t = useText(messages)
  const format = useFormat()
  const moment = useMoment()
  const stateOf = (server: Known<'servers'>[number]) =>
    server.silent ? 'info.silent' : server.draining ? 'info.server.draining' : 'info.server.serving'
  return (
    <Card title={t('info.servers')} flush>
      <PagedTable
        label={t('info.servers')}
        rows={servers}
        rowKey={(server) => `${server.host} ${server.pid} ${server.startedAt}`}
        none={<EmptyState title={t('info.noServers')} />}
        columns={[
          { key: 'host', title: t('info.host'), kind: 'id', value: (server) => server.host },
          {
            key: 'state',
            title: t('info.state'),
            value: (server) => t(stateOf(server)),
            render: (server) => (
              <Tag tone={server.silent ? 'red' : server.draining ? 'amber' : 'green'}>{t(stateOf(server))}</Tag>
            ),
          },
          { key: 'address', title: t('info.address'), kind: 'id', value: (server) => server.address },
          {
            key: 'pid',
            title: t('info.pid'),
            kind: 'number',
            value: (server) => server.pid,
            render: (server) => server.pid,
          },
          { key: 'version', title: t('info.version'), value: (server) => server.version },
          {
            key: 'started',
            title: t('info.runningSince'),
            value: (server) => server.startedAt,
            render: (server) => format.dateTime(server.startedAt),
          },
          {
            key: 'seen',
            title: t('info.heardFrom'),
            value: (server) => server.seenAt,
            render: (server) => moment(server.seenAt, at),
          },
        ]}
      />
    </Card>
  )
}

const Workers = ({ workers, at }: { workers: Known<'workers'>; at: string }): ReactNode => {
  const t = useText(messages)
  const format = useFormat()
  const moment = useMoment()
  const { titleOf, addressOf } = useTools()
  const stateOf = ({ silent, places, jobs }: Known<'workers'>[number]): string =>
    silent
      ? t('info.silent')
      : places === 0
        ? t('info.worker.hands')
        : jobs.length === 0
          ? t('info.worker.idle')
          : t('info.worker.busy', { used: format.number(jobs.length), places: format.number(places) })
  return (
    <Card title={t('info.workers')} flush>
      <PagedTable
        label={t('info.workers')}
        rows={workers}
        rowKey={(worker) => `${worker.host} ${worker.pid} ${worker.startedAt}`}
        none={<EmptyState title={t('info.noWorkers')} why={t('info.noWorkersWhy')} />}
        columns={[
          { key: 'host', title: t('info.host'), kind: 'id', value: (worker) => worker.host },
          {
            key: 'state',
            title: t('info.state'),
            value: stateOf,
            render: (worker) => (
              <Tag tone={worker.silent ? 'red' : worker.jobs.length > 0 ? 'blue' : 'grey'}>{stateOf(worker)}</Tag>
            ),
          },
          {
            key: 'jobs',
            title: t('info.runningJobs'),
            value: (worker) => worker.jobs.map(({ tool }) => titleOf(tool)).join(', ') || null,
            render: (worker) =>
              worker.jobs.length === 0 ? (
                <span className="nv-none">–</span>
              ) : (
                <ul className="account-list">
                  {worker.jobs.map((job) => {
                    const address = addressOf(job.tool, job.id)
                    const text = t('info.jobSince', { tool: titleOf(job.tool), time: moment(job.startedAt, at) })
                    return <li key={job.id}>{address === null ? text : <Link to={address}>{text}</Link>}</li>
                  })}
                </ul>
              ),
          },
          {
            key: 'pid',
            title: t('info.pid'),
            kind: 'number',
            value: (worker) => worker.pid,
            render: (worker) => worker.pid,
          },
          { key: 'version', title: t('info.version'), value: (worker) => worker.version },
          {
            key: 'started',
            title: t('info.runningSince'),
            value: (worker) => worker.startedAt,
            render: (worker) => format.dateTime(worker.startedAt),
          },
          {
            key: 'seen',
            title: t('info.heardFrom'),
            value: (worker) => worker.seenAt,
            render: (worker) => moment(worker.seenAt, at),
          },
        ]}
      />
    </Card>
  )
}

const taskTones = { asked: 'grey', waiting: 'amber', running: 'blue', ending: 'grey', gone: 'red' } as const

const Cluster = ({ tasks, at }: { tasks: Known<'cluster'>; at: string }): ReactNode => {
  const t = useText(messages)
  const k = useText(kitMessages)
  const format = useFormat()
  const moment = useMoment()
  const { titleOf, addressOf } = useTools()
  type Task = Known<'cluster'>[number]
  const states = Object.keys(taskTones) as Task['state'][]
  const reasonOf = ({ state, failure, reason, word }: Task): string | null =>
    failure ?? (state === 'waiting' ? k(`job.waiting.${reason}`, { word }) : null)
  return (
    <Card
      title={t('info.cluster')}
      flush
      aside={states
        .flatMap((state) => {
          const count = tasks.filter((task) => task.state === state).length
          return count === 0 ? [] : [`${t(`info.taskState.${state}`)} ${format.number(count)}`]
        })
        .join(' · ')}
    >
      <ResultTable
        label={t('info.cluster')}
        name="novodb-cluster"
        plain
        rows={tasks}
        rowKey={(task) => task.job}
        empty={<EmptyState title={t('info.clusterNone')} />}
        columns={[
          { key: 'id', title: t('info.clusterTask'), kind: 'id', value: (task) => task.id },
          {
            key: 'tool',
            title: t('info.tool'),
            value: (task) => titleOf(task.tool),
            render: (task) => {
              const address = addressOf(task.tool, task.job)
              return address === null ? task.tool : <Link to={address}>{titleOf(task.tool)}</Link>
            },
          },
          {
            key: 'state',
            title: t('info.state'),
            value: (task) => t(`info.taskState.${task.state}`),
            render: (task) => <Tag tone={taskTones[task.state]}>{t(`info.taskState.${task.state}`)}</Tag>,
          },
          { key: 'node', title: t('info.node'), kind: 'id', value: (task) => task.node || null },
          { key: 'reason', title: t('info.reason'), long: true, value: reasonOf },
          {
            key: 'asked',
            title: t('info.asked'),
            value: (task) => task.askedAt,
            render: (task) => moment(task.askedAt, at),
          },
          {
            key: 'running',
            title: t('info.runningSince'),
            value: (task) => task.runningAt,
            render: (task) => (task.runningAt === null ? '–' : moment(task.runningAt, at)),
          },
        ]}
      />
    </Card>
  )
}

const Queue = ({ queue }: { queue: Known<'queue'> }): ReactNode => {
  const t = useText(messages)
  const format = useFormat()
  const { titleOf } = useTools()
  const sum = (of: (row: Known<'queue'>[number]) => number): string =>
    format.number(queue.reduce((total, row) => total + of(row), 0))
  const longest = Math.max(0, ...queue.map(({ oldestWaitMs }) => oldestWaitMs ?? 0))
  return (
    <Card title={t('info.queue')} flush>
      <div className="nv-card-body">
        <Facts
          facts={[
            { name: t('info.waitingJobs'), value: sum(({ waiting }) => waiting) },
            { name: t('info.runningNow'), value: sum(({ running }) => running) },
            { name: t('info.oldestWait'), value: longest === 0 ? '–' : format.duration(roundSeconds(longest)) },
            {
              name: t('info.endedInHour'),
              value: t('info.endedCounts', {
                done: sum((row) => row.doneInHour),
                failed: sum((row) => row.failedInHour),
              }),
            },
            {
              name: t('info.endedInDay'),
              value: t('info.endedCounts', {
                done: sum((row) => row.doneInDay),
                failed: sum((row) => row.failedInDay),
              }),
            },
          ]}
        />
      </div>
      <PagedTable
        label={t('info.queueByTool')}
        rows={queue}
        rowKey={(row) => row.tool}
        none={<EmptyState title={t('info.queueNone')} />}
        columns={[
          {
            key: 'tool',
            title: t('info.tool'),
            value: (row) => titleOf(row.tool),
          },
          { key: 'waiting', title: t('info.waitingJobs'), kind: 'number', value: (row) => row.waiting },
          { key: 'running', title: t('info.runningNow'), kind: 'number', value: (row) => row.running },
          {
            key: 'oldest',
            title: t('info.oldestWait'),
            kind: 'number',
            value: (row) => row.oldestWaitMs,
            render: (row) => (row.oldestWaitMs === null ? '–' : format.duration(roundSeconds(row.oldestWaitMs))),
          },
          { key: 'doneInHour', title: t('info.doneInHour'), kind: 'number', value: (row) => row.doneInHour },
          { key: 'failedInHour', title: t('info.failedInHour'), kind: 'number', value: (row) => row.failedInHour },
          { key: 'doneInDay', title: t('info.doneInDay'), kind: 'number', value: (row) => row.doneInDay },
          { key: 'failedInDay', title: t('info.failedInDay'), kind: 'number', value: (row) => row.failedInDay },
        ]}
      />
    </Card>
  )
}

const roundSeconds = (ms: number): number => Math.max(1, Math.round(ms / 1000)) * 1000

const roles = ['server', 'answers', 'worker', 'task', 'load', 'demo', 'command', 'backup', 'restore'] as const
const purposes = ['look-ups', 'searches', 'reads', 'queue', 'claim'] as const

const Database = ({ database }: { database: Known<'database'> }): ReactNode => {
  const t = useText(messages)
  const format = useFormat()
  const { kind, version, address, bytes, limit, connectionCount, connections, standbys } = database
  const roleOf = (role: string): string => {
    const known = roles.find((one) => one === role)
    return known === undefined ? role : t(`info.role.${known}`)
  }
  const purposeOf = (purpose: string): string => {
    const known = purposes.find((one) => one === purpose)
    return known === undefined ? purpose || t('info.purpose.general') : t(`info.purpose.${known}`)
  }
  return (
    <Card title={t('info.databasePart')} flush>
      <div className="nv-card-body">
        <Facts
          facts={[
            { name: t('info.version'), value: `PostgreSQL ${version}` },
            {
              name: t('info.primary'),
              value: kind === 'private' ? t('info.databaseLocal') : (address ?? t('info.bySocket')),
            },
            { name: t('info.size'), value: format.bytes(bytes) },
            {
              name: t('info.connections'),
              value: t('info.connectionsUsed', {
                used: format.number(connectionCount),
                limit: format.number(limit),
                own: format.number(connections.reduce((sum, { count }) => sum + count, 0)),
              }),
            },
            ...(kind === 'private' ? [] : [{ name: t('info.standbys'), value: format.number(standbys.length) }]),
          ]}
        />
      </div>
      {standbys.length === 0 ? null : (
        <PagedTable
          label={t('info.standbys')}
          rows={standbys}
          rowKey={(standby) => `${standby.name} ${standby.address} ${standbys.indexOf(standby)}`}
          none={null}
          bar={
            standbys.some(({ state }) => state === null) ? (
              <span className="nv-quiet">{t('info.standbysHidden')}</span>
            ) : undefined
          }
          columns={[
            { key: 'name', title: t('info.standby'), kind: 'id', value: (standby) => standby.name },
            { key: 'address', title: t('info.address'), kind: 'id', value: (standby) => standby.address },
            {
              key: 'state',
              title: t('info.replication'),
              kind: 'id',
              value: ({ state, sync }) => [state, sync].filter((word) => word !== null).join(', ') || null,
            },
            {
              key: 'lag',
              title: t('info.lag'),
              kind: 'number',
              value: (standby) => standby.lagMs,
              render: ({ lagMs }) => (lagMs === null ? '–' : format.duration(Math.round(lagMs))),
            },
          ]}
        />
      )}
      <PagedTable
        label={t('info.connectionsBy')}
        rows={connections}
        rowKey={({ role, purpose }) => `${role} ${purpose}`}
        none={<EmptyState title={t('info.none')} />}
        columns={[
          { key: 'role', title: t('info.process'), value: ({ role }) => roleOf(role) },
          { key: 'purpose', title: t('info.purpose'), value: ({ purpose }) => purposeOf(purpose) },
          { key: 'count', title: t('info.connections'), kind: 'number', value: ({ count }) => count },
        ]}
      />
    </Card>
  )
}

const Storage = ({ storage }: { storage: Known<'storage'> }): ReactNode => {
  const t = useText(messages)
  const format = useFormat()
  const { disks, store, bundles, results } = storage
  return (
    <Card title={t('info.storageTab')}>
      <Facts
        facts={[
          ...disks.map((disk) => ({
            name: t('info.disk'),
            wide: true,
            value: (
              <>
                {t('info.diskFree', { free: format.bytes(disk.freeBytes), total: format.bytes(disk.totalBytes) })}{' '}
                <code className="nv-quiet">{disk.folder}</code>{' '}
                {disk.full ? <Tag tone="red">{t('info.full')}</Tag> : null}
              </>
            ),
          })),
          ...(store === null
            ? []
            : [
                {
                  name: t('info.objectStore'),
                  value: (
                    <>
                      <span className="nv-mono">{store.name}</span>{' '}
                      <Tag tone={store.answers ? 'green' : 'red'}>
                        {t(store.answers ? 'info.store.answers' : 'info.store.away')}
                      </Tag>
                    </>
                  ),
                },
                {
                  name: t('info.cache'),
                  value: t('info.cacheOf', {
                    used: store.cacheBytes === null ? '–' : format.bytes(store.cacheBytes),
                    max: format.bytes(store.cacheMaxBytes),
                  }),
                },
              ]),
          { name: t('info.bundleTotal', { count: bundles.count }), value: format.bytes(bundles.bytes) },
          { name: t('info.jobResults', { count: results.count }), value: format.bytes(results.bytes) },
        ]}
      />
    </Card>
  )
}
