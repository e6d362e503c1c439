import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { Link, useSearchParams } from 'react-router'
import {
  type AdminUser,
  cancelAdminJob,
  deleteMessage,
  getLoad,
  getStorage,
  listAdminData,
  listAdminJobs,
  listAudit,
  listEngines,
  listLoadFolders,
  listMessages,
  listOutbox,
  listUsers,
  retryAdminJob,
  rollbackSpecies,
  signOutUser,
  startLoad,
  updateContact,
  updateMessage,
  updateUser,
} from '../../../contracts/accounts/admin.ts'
import { auditActions } from '../../../contracts/accounts/audit-actions.ts'
import { type ContactDetails, getContact } from '../../../contracts/accounts/contact.ts'
import type { LackingSpace } from '../../../contracts/species.ts'
import { jobStates } from '../../../contracts/tools/jobs.ts'
import { Button } from '../../../kit/ui/controls/button.tsx'
import { Card, Facts, Tag } from '../../../kit/ui/controls/card.tsx'
import { Dialog } from '../../../kit/ui/controls/dialog.tsx'
import { EmptyState, Unanswered, Waiting } from '../../../kit/ui/controls/empty-state.tsx'
import { Field, Select, TextArea, TextInput } from '../../../kit/ui/controls/field.tsx'
import { Tabs } from '../../../kit/ui/controls/tabs.tsx'
import { useFormat, useLanguage, useLocale, useText } from '../../../kit/ui/language.tsx'
import { showNotice } from '../../../kit/ui/notices.ts'
import { call, RequestError } from '../../../kit/ui/request.ts'
import { ResultTable } from '../../../kit/ui/table/result-table.tsx'
import { useToolList } from '../../../kit/ui/tool/tool-list.ts'
import { JobStateTag } from '../../job-state-tag.tsx'
import { messages } from '../../messages/admin.ts'
import { PagedTable } from '../../paged-table.tsx'
import { PageTitle } from '../../shell/page-title.tsx'
import { useForm } from '../../use-form.ts'
import { renderAuditDetail } from './audit-detail.ts'
import { useLoadStep } from './load-step.ts'
import '../account/account.css'

const refreshMs = 5000
const pageSize = 50

const said = (text: string): void => {
  showNotice({ kind: 'message', level: 'success', text })
}

/** Runs what a button asks for; a failure has been shown by the request layer. */
const attempt = async (work: () => Promise<void>): Promise<void> => {
  try {
    await work()
  } catch (error) {
    if (!(error instanceof RequestError)) throw error
  }
}

/** A page of rows under choices: a change of the choices leads back to the first page. */
const usePaged = <Choices extends Record<string, string>>(initial: Choices) => {
  const [choices, setChoices] = useState(initial)
  const [page, setPage] = useState(1)
  return {
    choices,
    page,
    choose: (change: Partial<Choices>): void => {
      setChoices((before) => ({ ...before, ...change }))
      setPage(1)
    },
    pages: (total: number) => ({ page, pages: Math.max(1, Math.ceil(total / pageSize)), onPage: setPage }),
  }
}

const orUndefined = (text: string): string | undefined => (text === '' ? undefined : text)

/** A question before something that is not easily taken back. */
const Question = ({
  title,
  why,
  action,
  danger = false,
  onYes,
  onNo,
}: {
  title: string
  why: string
  action: string
  danger?: boolean
  onYes: () => void
  onNo: () => void
}): ReactNode => {
  const t = useText(messages)
  return (
    <Dialog
      open
      onClose={onNo}
      title={title}
      actions={
        <>
          <Button onClick={onNo}>{t('info.back')}</Button>
          <Button
            look={danger ? 'danger' : 'primary'}
            onClick={() => {
              onNo()
              onYes()
            }}
          >
            {action}
          </Button>
        </>
      }
    >
      <p>{why}</p>
    </Dialog>
  )
}

const SearchWords = ({ value, onWords }: { value: string; onWords: (words: string) => void }): ReactNode => {
  const t = useText(messages)
  return (
    <TextInput
      type="search"
      className="nv-table-words"
      aria-label={t('info.search')}
      placeholder={t('info.search')}
      value={value}
      onChange={(event) => onWords(event.target.value)}
    />
  )
}

type Asked = { user: AdminUser; change: { disabled?: boolean; access?: 'user' | 'admin' } }

const UsersTab = (): ReactNode => {
  const t = useText(messages)
  const format = useFormat()
  const paged = usePaged({ q: '', access: '', disabled: '' })
  const { q, access, disabled } = paged.choices
  const [asked, setAsked] = useState<Asked | null>(null)
  const answer = useQuery({
    queryKey: ['admin-users', paged.page, q, access, disabled],
    queryFn: (context) =>
      call(
        listUsers,
        {
          page: paged.page,
          pageSize,
          q,
          access: access === 'admin' || access === 'user' ? access : undefined,
          disabled: orUndefined(disabled),
        },
        context,
      ),
    placeholderData: (before) => before,
  })
  const change = (user: AdminUser, fields: Asked['change']): Promise<void> =>
    attempt(async () => {
      await call(updateUser, { username: user.username, ...fields })
      said(t('info.changed', { username: user.username }))
      await answer.refetch()
    })
  if (answer.isPending) return <Waiting />
  if (answer.isError) return <Unanswered of={answer} />
  const { users, total } = answer.data
  return (
    <Card flush>
      <PagedTable
        label={t('info.users')}
        rows={users}
        rowKey={(user) => user.username}
        none={<EmptyState title={t('info.none')} />}
        pages={paged.pages(total)}
        busy={answer.isPlaceholderData}
        bar={
          <>
            <SearchWords value={q} onWords={(words) => paged.choose({ q: words })} />
            <Select
              aria-label={t('info.access')}
              value={access}
              options={[
                { value: '', label: t('info.access.all') },
                { value: 'user', label: t('info.access.user') },
                { value: 'admin', label: t('info.access.admin') },
              ]}
              onChoose={(value) => paged.choose({ access: value })}
            />
            <Select
              aria-label={t('info.state')}
              value={disabled}
              options={[
                { value: '', label: t('info.disabled.all') },
                { value: 'false', label: t('info.enabled') },
                { value: 'true', label: t('info.disabled') },
              ]}
              onChoose={(value) => paged.choose({ disabled: value })}
            />
            <span className="nv-table-count">{format.number(total)}</span>
          </>
        }
        columns={[
          {
            key: 'username',
            title: t('info.user'),
            value: (user) => user.username,
            render: (user) => (
              <>
                <strong>{user.username}</strong> {user.nickname}
                {[user.email, user.phone]
                  .filter((text) => text !== '')
                  .map((text) => (
                    <span key={text} className="account-beside">
                      {text}
                    </span>
                  ))}
              </>
            ),
          },
          {
            key: 'access',
            title: t('info.access'),
            value: (user) => user.access,
            render: (user) => (
              <>
                <Tag tone={user.access === 'admin' ? 'green' : 'grey'}>{t(`info.access.${user.access}`)}</Tag>{' '}
                {user.disabled ? <Tag tone="red">{t('info.disabled')}</Tag> : null}
              </>
            ),
          },
          {
            key: 'created',
            title: t('info.created'),
            value: (user) => user.createdAt,
            render: (user) => format.date(user.createdAt),
          },
          {
            key: 'seen',
            title: t('info.lastSeen'),
            value: (user) => user.lastSeenAt,
            render: (user) => (user.lastSeenAt === null ? t('info.never') : format.dateTime(user.lastSeenAt)),
          },
          { key: 'sessions', title: t('info.sessions'), kind: 'number', value: (user) => user.sessionCount },
          { key: 'tokens', title: t('info.tokens'), kind: 'number', value: (user) => user.apiTokenCount },
          { key: 'jobs', title: t('info.jobCount'), kind: 'number', value: (user) => user.jobCount },
          {
            key: 'actions',
            title: t('info.actions'),
            value: () => null,
            render: (user) => (
              <span className="account-actions">
                {user.username === 'admin' ? null : (
                  <>
                    <Button
                      size="small"
                      look="quiet"
                      onClick={() =>
                        user.access === 'admin'
                          ? void change(user, { access: 'user' })
                          : setAsked({ user, change: { access: 'admin' } })
                      }
                    >
                      {t(user.access === 'admin' ? 'info.makeUser' : 'info.makeAdmin')}
                    </Button>
                    <Button
                      size="small"
                      look="quiet"
                      onClick={() =>
                        user.disabled
                          ? void change(user, { disabled: false })
                          : setAsked({ user, change: { disabled: true } })
                      }
                    >
                      {t(user.disabled ? 'info.enable' : 'info.disable')}
                    </Button>
                  </>
                )}
                <Button
                  size="small"
                  look="quiet"
                  onClick={() =>
                    void attempt(async () => {
                      const { ended } = await call(signOutUser, { username: user.username })
                      said(t('info.signedOut', { count: ended, username: user.username }))
                      await answer.refetch()
                    })
                  }
                >
                  {t('info.signOut')}
                </Button>
              </span>
            ),
          },
        ]}
      />
      {asked === null ? null : (
        <Question
          title={t(asked.change.disabled === true ? 'info.disableTitle' : 'info.adminTitle', {
            username: asked.user.username,
          })}
          why={t(asked.change.disabled === true ? 'info.disableWhy' : 'info.adminWhy')}
          action={t(asked.change.disabled === true ? 'info.disable' : 'info.makeAdmin')}
          danger={asked.change.disabled === true}
          onNo={() => setAsked(null)}
          onYes={() => void change(asked.user, asked.change)}
        />
      )}
    </Card>
  )
}

const JobsTab = (): ReactNode => {
  const t = useText(messages)
  const format = useFormat()
  const language = useLanguage()
  const tools = useToolList()
  const paged = usePaged({ owner: '', state: '', tool: '' })
  const { owner, state, tool } = paged.choices
  const answer = useQuery({
    queryKey: ['admin-jobs', paged.page, owner, state, tool],
    queryFn: (context) =>
      call(
        listAdminJobs,
        {
          page: paged.page,
          pageSize,
          state: jobStates.find((one) => one === state),
          tool: orUndefined(tool),
          owner: orUndefined(owner.trim()),
        },
        context,
      ),
    placeholderData: (before) => before,
    refetchInterval: refreshMs,
  })
  if (answer.isPending) return <Waiting />
  if (answer.isError) return <Unanswered of={answer} />
  return (
    <Card flush>
      <PagedTable
        label={t('info.jobs')}
        rows={answer.data.jobs}
        rowKey={(job) => job.id}
        none={<EmptyState title={t('info.none')} />}
        pages={paged.pages(answer.data.total)}
        busy={answer.isPlaceholderData}
        bar={
          <>
            <TextInput
              type="search"
              className="nv-table-words"
              aria-label={t('info.owner')}
              placeholder={t('info.owner')}
              value={owner}
              onChange={(event) => paged.choose({ owner: event.target.value })}
            />
            <Select
              aria-label={t('info.state')}
              value={state}
              options={[
                { value: '', label: t('info.allStates') },
                ...jobStates.map((one) => ({ value: one, label: t(`state.${one}`) })),
              ]}
              onChoose={(value) => paged.choose({ state: value })}
            />
            <Select
              aria-label={t('info.tool')}
              value={tool}
              options={[
                { value: '', label: t('info.allTools') },
                ...tools.map((one) => ({ value: one.id, label: one.title[language] })),
              ]}
              onChoose={(value) => paged.choose({ tool: value })}
            />
            <span className="nv-table-count">{format.number(answer.data.total)}</span>
          </>
        }
        columns={[
          {
            key: 'id',
            title: t('info.job'),
            kind: 'id',
            value: (job) => job.id,
            render: (job) => {
              const own = tools.find((one) => one.id === job.tool)
              const short = job.id.slice(0, 8)
              return own === undefined ? short : <Link to={`${own.route}?job=${job.id}`}>{short}</Link>
            },
          },
          {
            key: 'tool',
            title: t('info.tool'),
            value: (job) => job.tool,
            render: (job) => tools.find((one) => one.id === job.tool)?.title[language] ?? job.tool,
          },
          { key: 'owner', title: t('info.owner'), value: (job) => job.owner ?? t('info.visitor') },
          {
            key: 'state',
            title: t('info.state'),
            value: (job) => job.state,
            render: (job) => <JobStateTag state={job.state} />,
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
          { key: 'error', title: t('info.report'), long: true, value: (job) => job.error?.errorMessage ?? null },
          {
            key: 'actions',
            title: t('info.actions'),
            value: () => null,
            render: (job) =>
              job.state === 'queued' || job.state === 'running' ? (
                <Button
                  size="small"
                  look="quiet"
                  onClick={() =>
                    void attempt(async () => {
                      await call(cancelAdminJob, { id: job.id })
                      await answer.refetch()
                    })
                  }
                >
                  {t('info.cancel')}
                </Button>
              ) : job.state === 'failed' || job.state === 'cancelled' ? (
                <Button
                  size="small"
                  look="quiet"
                  onClick={() =>
                    void attempt(async () => {
                      await call(retryAdminJob, { id: job.id })
                      said(t('info.requeued'))
                      await answer.refetch()
                    })
                  }
                >
                  {t('info.retry')}
                </Button>
              ) : null,
          },
        ]}
      />
    </Card>
  )
}

/** The progress, log and report of one load, as it goes. */
const LoadDialog = ({ id, onClose }: { id: number; onClose: () => void }): ReactNode => {
  const t = useText(messages)
  const format = useFormat()
  const answer = useQuery({
    queryKey: ['admin-load', id],
    queryFn: (context) => call(getLoad, { id }, context),
    refetchInterval: (query) => (query.state.data?.load.endedAt === null ? 1500 : false),
  })
  const load = answer.data?.load
  const stepOf = useLoadStep()
  return (
    <Dialog open wide onClose={onClose} title={t('info.logOf', { id, species: load?.species ?? '' })}>
      {answer.isError ? <Unanswered of={answer} /> : null}
      {answer.isError ? null : load === undefined ? (
        <Waiting />
      ) : (
        <div className="account-stack">
          <p className="account-actions">
            <JobStateTag state={load.state} />
            <span>{stepOf(load.step)}</span>
            <span>{format.percent(load.fraction, 0)}</span>
          </p>
          <progress className="nv-progress" max={1} value={load.fraction} aria-label={t('info.progress')} />
          {load.space === null ? null : (
            <div className="nv-banner nv-banner-warn" role="status">
              {load.spaceFolder === null || load.space.neededBytes === null || load.space.freeBytes === null
                ? t('info.waitsForSpaceThere')
                : t('info.waitsForSpaceAt', {
                    folder: load.spaceFolder,
                    needed: format.bytes(load.space.neededBytes),
                    free: format.bytes(load.space.freeBytes),
                  })}{' '}
              <Link to="/info?tab=storageTab">{t('info.storageTab')}</Link>
            </div>
          )}
          <ol className="account-log" aria-label={t('info.log')}>
            {answer.data?.log.map((line) => (
              <li key={`${line.at} ${line.text}`}>
                <time dateTime={line.at}>{format.dateTime(line.at)}</time> {stepOf(line.text)}
              </li>
            ))}
          </ol>
          {load.report === null || load.report === undefined ? null : (
            <details>
              <summary>{t('info.report')}</summary>
              <pre className="account-text">{JSON.stringify(load.report, null, 2)}</pre>
            </details>
          )}
        </div>
      )}
    </Dialog>
  )
}

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
        <p>{t('info.loadNone')}</p>
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
                said(t('info.loadStarted'))
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

const DataTab = (): ReactNode => {
  const stepOf = useLoadStep()
  const t = useText(messages)
  const format = useFormat()
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
      said(t('info.rolledBack', { species, number: served.number }))
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
              value: (release) => release.bundles.map((bundle) => bundle.assembly ?? bundle.uid).join(', '),
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
            { key: 'species', title: t('info.species'), value: (load) => load.species },
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
                const before = load.state === 'waiting' ? loads.find((one) => one.state === 'running') : undefined
                return before === undefined
                  ? stepOf(load.step)
                  : t('info.waitsFor', {
                      id: before.id,
                      species: before.species,
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
            {
              key: 'by',
              title: t('info.startedBy'),
              value: (load) => (load.startedBy === 'command line' ? t('info.commandLine') : load.startedBy),
            },
            { key: 'folder', title: t('info.folder'), kind: 'id', hidden: true, value: (load) => load.folder },
            {
              key: 'log',
              title: t('info.log'),
              value: (load) => JSON.stringify(load.report),
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
        <Question
          title={t('info.rollbackTitle', back)}
          why={t('info.rollbackWhy')}
          action={t('info.rollback')}
          onNo={() => setBack(null)}
          onYes={() => void rollback(back.species, back.number)}
        />
      )}
    </div>
  )
}

const EnginesTab = (): ReactNode => {
  const t = useText(messages)
  const format = useFormat()
  const answer = useQuery({
    queryKey: ['admin-engines'],
    queryFn: (context) => call(listEngines, {}, context),
  })
  if (answer.isPending) return <Waiting />
  if (answer.isError) return <Unanswered of={answer} />
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
          { key: 'version', title: t('info.version'), value: (engine) => engine.version },
          { key: 'package', title: t('info.package'), kind: 'id', value: (engine) => engine.package },
          { key: 'tools', title: t('info.usedBy'), value: (engine) => engine.tools.join(', ') },
        ]}
      />
    </Card>
  )
}

const ContactForm = ({ details }: { details: ContactDetails }): ReactNode => {
  const t = useText(messages)
  const client = useQueryClient()
  const form = useForm(
    updateContact,
    { ...details },
    {
      keepEmpty: ['en', 'zh', 'email'],
      onDone: async (saved) => {
        client.setQueryData(['contact'], saved)
        said(t('info.saved'))
      },
    },
  )
  return (
    <form
      className="nv-form account-columns"
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        void form.submit()
      }}
    >
      {(['en', 'zh'] as const).map((language) => (
        <Field
          key={language}
          label={t(language === 'en' ? 'info.contactEn' : 'info.contactZh')}
          problems={form.problems[language] ?? []}
        >
          {(ids) => (
            <TextArea
              {...ids}
              name={`contact-${language}`}
              lang={language === 'en' ? 'en-US' : 'zh-CN'}
              rows={5}
              maxLength={5000}
              value={form.values[language]}
              onChange={(event) => form.set({ [language]: event.target.value })}
            />
          )}
        </Field>
      ))}
      <Field label={t('info.contactEmail')} problems={form.problems.email ?? []}>
        {(ids) => (
          <TextInput
            {...ids}
            name="contact-email"
            type="email"
            maxLength={254}
            value={form.values.email}
            onChange={(event) => form.set({ email: event.target.value })}
          />
        )}
      </Field>
      <div className="account-wide account-actions">
        {form.failure === null ? null : (
          <p className="nv-field-problem" role="alert">
            {form.failure}
          </p>
        )}
        <Button type="submit" look="primary" busy={form.busy}>
          {t('info.save')}
        </Button>
      </div>
    </form>
  )
}

const MessagesTab = (): ReactNode => {
  const t = useText(messages)
  const format = useFormat()
  const paged = usePaged({ q: '', handled: '' })
  const { q, handled } = paged.choices
  const contact = useQuery({
    queryKey: ['contact'],
    queryFn: (context) => call(getContact, {}, context),
  })
  const answer = useQuery({
    queryKey: ['admin-messages', paged.page, q, handled],
    queryFn: (context) => call(listMessages, { page: paged.page, pageSize, q, handled: orUndefined(handled) }, context),
    placeholderData: (before) => before,
  })
  if (answer.isPending) return <Waiting />
  if (answer.isError) return <Unanswered of={answer} />
  return (
    <div className="account-stack">
      <Card flush>
        <PagedTable
          label={t('info.messages')}
          rows={answer.data.messages}
          rowKey={(message) => String(message.id)}
          none={<EmptyState title={t('info.none')} />}
          pages={paged.pages(answer.data.total)}
          busy={answer.isPlaceholderData}
          bar={
            <>
              <SearchWords value={q} onWords={(words) => paged.choose({ q: words })} />
              <Select
                aria-label={t('info.state')}
                value={handled}
                options={[
                  { value: '', label: t('info.handled.all') },
                  { value: 'false', label: t('info.open') },
                  { value: 'true', label: t('info.handled') },
                ]}
                onChoose={(value) => paged.choose({ handled: value })}
              />
              <span className="nv-table-count">{format.number(answer.data.total)}</span>
            </>
          }
          columns={[
            {
              key: 'date',
              title: t('info.date'),
              value: (message) => message.createdAt,
              render: (message) => format.dateTime(message.createdAt),
            },
            {
              key: 'from',
              title: t('info.from'),
              value: (message) => message.name,
              render: (message) => (
                <>
                  {message.name} <a href={`mailto:${message.email}`}>{message.email}</a>
                  {message.username === null ? null : <> ({message.username})</>}
                </>
              ),
            },
            { key: 'subject', title: t('info.subject'), value: (message) => message.subject },
            {
              key: 'message',
              title: t('info.message'),
              value: (message) => message.message,
              render: (message) => <span className="account-text">{message.message}</span>,
            },
            {
              key: 'handled',
              title: t('info.state'),
              value: (message) => message.handled,
              render: (message) => (
                <Tag tone={message.handled ? 'grey' : 'amber'}>{t(message.handled ? 'info.handled' : 'info.open')}</Tag>
              ),
            },
            {
              key: 'actions',
              title: t('info.actions'),
              value: () => null,
              render: (message) => (
                <span className="account-actions">
                  <Button
                    size="small"
                    look="quiet"
                    onClick={() =>
                      void attempt(async () => {
                        await call(updateMessage, { id: message.id, handled: !message.handled })
                        await answer.refetch()
                      })
                    }
                  >
                    {t(message.handled ? 'info.markOpen' : 'info.markHandled')}
                  </Button>
                  <Button
                    size="small"
                    look="quiet"
                    onClick={() =>
                      void attempt(async () => {
                        await call(deleteMessage, { id: message.id })
                        said(t('info.deleted'))
                        await answer.refetch()
                      })
                    }
                  >
                    {t('info.delete')}
                  </Button>
                </span>
              ),
            },
          ]}
        />
      </Card>
      {contact.data === undefined ? null : (
        <Card title={t('info.contact')}>
          <ContactForm details={contact.data} />
        </Card>
      )}
    </div>
  )
}

const StorageTab = (): ReactNode => {
  const t = useText(messages)
  const format = useFormat()
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
              name: t('info.diskOf', { folder: disk.folder }),
              value: t('info.diskFree', { free: format.bytes(disk.freeBytes), total: format.bytes(disk.totalBytes) }),
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
            { key: 'uid', title: t('info.bundle'), kind: 'id', value: (bundle) => bundle.uid },
            { key: 'species', title: t('info.species'), value: (bundle) => bundle.species },
            { key: 'assembly', title: t('info.assembly'), value: (bundle) => bundle.assembly },
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

const outboxStates = ['kept', 'waiting', 'sent', 'failed'] as const
const channels = ['mail', 'sms'] as const

const OutboxTab = (): ReactNode => {
  const t = useText(messages)
  const format = useFormat()
  const paged = usePaged({ channel: '', state: '' })
  const { channel, state } = paged.choices
  const answer = useQuery({
    queryKey: ['admin-outbox', paged.page, channel, state],
    queryFn: (context) =>
      call(
        listOutbox,
        {
          page: paged.page,
          pageSize,
          channel: channels.find((one) => one === channel),
          state: outboxStates.find((one) => one === state),
        },
        context,
      ),
    placeholderData: (before) => before,
    refetchInterval: refreshMs,
  })
  if (answer.isPending) return <Waiting />
  if (answer.isError) return <Unanswered of={answer} />
  const { mail, sms, total } = answer.data
  return (
    <Card flush title={t('info.outbox')} aside={`${t(`info.outboxMail.${mail}`)} ${t(`info.outboxSms.${sms}`)}`}>
      <PagedTable
        label={t('info.outbox')}
        rows={answer.data.messages}
        rowKey={(message) => String(message.id)}
        none={<EmptyState title={t('info.none')} />}
        pages={paged.pages(total)}
        busy={answer.isPlaceholderData}
        bar={
          <>
            <Select
              aria-label={t('info.channel')}
              value={channel}
              options={[
                { value: '', label: t('info.channel.all') },
                ...channels.map((one) => ({ value: one, label: t(`info.channel.${one}`) })),
              ]}
              onChoose={(value) => paged.choose({ channel: value })}
            />
            <Select
              aria-label={t('info.state')}
              value={state}
              options={[
                { value: '', label: t('info.outboxState.all') },
                ...outboxStates.map((one) => ({ value: one, label: t(`info.outboxState.${one}`) })),
              ]}
              onChoose={(value) => paged.choose({ state: value })}
            />
            <span className="nv-table-count">{format.number(total)}</span>
          </>
        }
        columns={[
          {
            key: 'date',
            title: t('info.date'),
            value: (message) => message.createdAt,
            render: (message) => format.dateTime(message.createdAt),
          },
          { key: 'channel', title: t('info.channel'), value: (message) => t(`info.channel.${message.channel}`) },
          { key: 'recipient', title: t('info.recipient'), value: (message) => message.recipient },
          {
            key: 'body',
            title: t('info.message'),
            long: true,
            value: (message) => message.body,
            // Text messages are short, and mails have a subject to know them by; texts of sent ones are erased.
            render: (message) =>
              message.subject === '' || message.body === '' ? (
                message.subject || message.body
              ) : (
                <details>
                  <summary>{message.subject}</summary>
                  <span className="account-text">{message.body}</span>
                </details>
              ),
          },
          { key: 'state', title: t('info.state'), value: (message) => t(`info.outboxState.${message.state}`) },
          { key: 'attempts', title: t('info.attempts'), kind: 'number', value: (message) => message.attempts },
          { key: 'error', title: t('info.report'), long: true, value: (message) => message.error },
        ]}
      />
    </Card>
  )
}

const AuditTab = (): ReactNode => {
  const t = useText(messages)
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
            <span className="nv-table-count">{format.number(total)}</span>
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

const tabs = {
  users: UsersTab,
  jobs: JobsTab,
  data: DataTab,
  engines: EnginesTab,
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
