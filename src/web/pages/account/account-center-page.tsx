import { useQuery } from '@tanstack/react-query'
import { RotateCcw } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { useNavigate, useSearchParams } from 'react-router'
import { getProfile, listOwnJobs } from '../../../contracts/accounts/account.ts'
import { cancelJob, getJob, type Job, jobStates, runTool } from '../../../contracts/tools/jobs.ts'
import { Button, ButtonLink } from '../../../kit/ui/controls/button.tsx'
import { Card, Facts, Tag } from '../../../kit/ui/controls/card.tsx'
import { EmptyState, Unanswered, Waiting } from '../../../kit/ui/controls/empty-state.tsx'
import { Select } from '../../../kit/ui/controls/field.tsx'
import { Tabs } from '../../../kit/ui/controls/tabs.tsx'
import { useFormat, useText } from '../../../kit/ui/language.tsx'
import { call, RequestError } from '../../../kit/ui/request.ts'
import { useToolList } from '../../../kit/ui/tool/tool-list.ts'
import { GeneSetsCard } from '../../account/gene-sets-card.tsx'
import { useSession } from '../../account/session.tsx'
import { JobName } from '../../job-name.tsx'
import { JobStateTag } from '../../job-state-tag.tsx'
import { messages } from '../../messages/account.ts'
import { messages as admin } from '../../messages/admin.ts'
import { PagedTable } from '../../paged-table.tsx'
import { PageTitle } from '../../shell/page-title.tsx'
import './account.css'

const refreshMs = 5000
const pageSize = 20

const JobsTab = (): ReactNode => {
  const t = useText(messages)
  const k = useText(admin)
  const format = useFormat()
  const tools = useToolList()
  const navigate = useNavigate()
  const [page, setPage] = useState(1)
  const [state, setState] = useState('')
  const [starting, setStarting] = useState<string | null>(null)
  const answer = useQuery({
    queryKey: ['own-jobs', page, state],
    queryFn: (context) => call(listOwnJobs, { page, pageSize, state: jobStates.find((one) => one === state) }, context),
    placeholderData: (before) => before,
    refetchInterval: (query) =>
      query.state.data?.jobs.some((job) => job.state === 'queued' || job.state === 'running') === true
        ? refreshMs
        : false,
  })
  if (answer.isPending) return <Waiting />
  if (answer.isError) return <Unanswered of={answer} />
  const { jobs, total } = answer.data
  const cancel = async (job: Job): Promise<void> => {
    try {
      await call(cancelJob, { id: job.id })
    } catch (error) {
      if (!(error instanceof RequestError)) throw error
    }
    await answer.refetch()
  }
  /** A new job with the input of `job`, opened on its tool's page; data that did not change give a result at once. */
  const runAgain = async (job: Job, route: string): Promise<void> => {
    setStarting(job.id)
    try {
      const { input } = await call(getJob, { id: job.id })
      const started = await call(
        runTool,
        { ...(input as Record<string, unknown> | null), tool: job.tool },
        { headers: { Prefer: 'respond-async' } },
      )
      if (started.job !== undefined) await navigate(`${route}?job=${started.job.id}`)
    } catch (error) {
      if (!(error instanceof RequestError)) throw error
    } finally {
      setStarting(null)
    }
  }
  return (
    <Card flush>
      <PagedTable
        label={t('center.jobs')}
        rows={jobs}
        rowKey={(job) => job.id}
        none={<EmptyState title={t('center.noJobs')} why={t('center.noJobsWhy')} />}
        bar={
          <Select
            aria-label={t('center.state')}
            value={state}
            options={[
              { value: '', label: t('center.allStates') },
              ...jobStates.map((one) => ({ value: one, label: k(`state.${one}`) })),
            ]}
            onChoose={(one) => {
              setState(one)
              setPage(1)
            }}
          />
        }
        pages={{ page, pages: Math.max(1, Math.ceil(total / pageSize)), onPage: setPage }}
        busy={answer.isPlaceholderData}
        columns={[
          {
            key: 'job',
            title: t('center.job'),
            value: (job) => job.subject,
            render: (job) => <JobName job={job} />,
          },
          {
            key: 'state',
            title: t('center.state'),
            value: (job) => job.state,
            render: (job) => <JobStateTag state={job.state} />,
          },
          {
            key: 'submitted',
            title: t('center.submitted'),
            value: (job) => job.submittedAt,
            render: (job) => format.dateTime(job.submittedAt),
          },
          {
            key: 'ended',
            title: t('center.ended'),
            value: (job) => job.endedAt,
            render: (job) => (job.endedAt === null ? '–' : format.dateTime(job.endedAt)),
          },
          {
            key: 'expires',
            title: t('center.expires'),
            value: (job) => job.expiresAt,
            render: (job) => format.date(job.expiresAt),
          },
          {
            key: 'actions',
            title: '',
            value: () => null,
            render: (job) => {
              const tool = tools.find((one) => one.id === job.tool)
              if (job.state === 'queued' || job.state === 'running')
                return (
                  <Button size="small" look="quiet" onClick={() => void cancel(job)}>
                    {t('center.cancel')}
                  </Button>
                )
              return tool === undefined ? null : (
                <Button
                  size="small"
                  look="quiet"
                  icon={<RotateCcw size={14} aria-hidden />}
                  busy={starting === job.id}
                  onClick={() => void runAgain(job, tool.route)}
                >
                  {t('center.again')}
                </Button>
              )
            },
          },
        ]}
      />
    </Card>
  )
}

const ProfileTab = (): ReactNode => {
  const t = useText(messages)
  const format = useFormat()
  const answer = useQuery({
    queryKey: ['profile'],
    queryFn: (context) => call(getProfile, {}, context),
  })
  if (answer.isPending) return <Waiting />
  if (answer.isError) return <Unanswered of={answer} />
  const profile = answer.data
  const given = (text: string): ReactNode =>
    text === '' ? (
      <span className="nv-quiet">{t('center.notGiven')}</span>
    ) : (
      <span className="account-text">{text}</span>
    )
  const proved = (text: string, confirmed: boolean): ReactNode =>
    text === '' ? (
      given(text)
    ) : (
      <>
        {text}{' '}
        <Tag tone={confirmed ? 'green' : 'amber'}>{t(confirmed ? 'center.confirmed' : 'center.unconfirmed')}</Tag>
      </>
    )
  return (
    <Card
      title={profile.nickname === '' ? profile.username : profile.nickname}
      actions={<ButtonLink to="/account/settings">{t('center.edit')}</ButtonLink>}
    >
      <Facts
        facts={[
          { name: t('field.username'), value: profile.username },
          { name: t('field.email'), value: proved(profile.email, profile.emailConfirmed) },
          { name: t('field.phoneNumber'), value: proved(profile.phone, profile.phoneConfirmed) },
          {
            name: t('field.workplace'),
            value: given(profile.workplace === null ? '' : t(`workplace.${profile.workplace}`)),
          },
          { name: t('field.jobType'), value: given(profile.jobType === null ? '' : t(`jobType.${profile.jobType}`)) },
          { name: t('field.country'), value: given(profile.country) },
          { name: t('field.province'), value: given(profile.province) },
          { name: t('field.address'), value: given(profile.address) },
          { name: t('center.since'), value: format.date(profile.createdAt) },
          { name: t('field.profile'), value: given(profile.profile), wide: true },
        ]}
      />
    </Card>
  )
}

const tabs = ['jobs', 'sets', 'profile'] as const

const AccountCenterPage = (): ReactNode => {
  const t = useText(messages)
  const { user } = useSession()
  const [query, setQuery] = useSearchParams()
  const tab = tabs.find((one) => one === query.get('tab')) ?? 'jobs'
  return (
    <main className="nv-page">
      <PageTitle>{t('center.title')}</PageTitle>
      <header className="nv-page-head">
        <div>
          <h1>{t('center.title')}</h1>
          <p className="nv-lead">{t('center.lead')}</p>
        </div>
        <div className="nv-page-actions">
          <Tag tone="grey">{user?.username}</Tag>
          <ButtonLink to="/account/settings">{t('settings.title')}</ButtonLink>
        </div>
      </header>
      <Tabs
        label={t('center.title')}
        chosen={tab}
        onChoose={(key) => setQuery({ tab: key }, { replace: true })}
        tabs={tabs.map((key) => ({ key, label: t(`center.${key}`) }))}
      >
        {tab === 'jobs' ? <JobsTab /> : tab === 'sets' ? <GeneSetsCard /> : <ProfileTab />}
      </Tabs>
    </main>
  )
}

export default AccountCenterPage
