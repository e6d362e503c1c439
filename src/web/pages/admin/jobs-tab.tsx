import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { cancelAdminJob, listAdminJobs, retryAdminJob } from '../../../contracts/accounts/admin.ts'
import { jobStates } from '../../../contracts/tools/jobs.ts'
import { Button } from '../../../kit/ui/controls/button.tsx'
import { Card } from '../../../kit/ui/controls/card.tsx'
import { EmptyState, Unanswered, Waiting } from '../../../kit/ui/controls/empty-state.tsx'
import { Select, TextInput } from '../../../kit/ui/controls/field.tsx'
import { useFormat, useLanguage, useText } from '../../../kit/ui/language.tsx'
import { messages as kit } from '../../../kit/ui/messages.ts'
import { call } from '../../../kit/ui/request.ts'
import { useToolList } from '../../../kit/ui/tool/tool-list.ts'
import { attempt, notifySuccess } from '../../attempt.ts'
import { JobName } from '../../job-name.tsx'
import { JobStateTag } from '../../job-state-tag.tsx'
import { messages } from '../../messages/admin.ts'
import { PagedTable } from '../../paged-table.tsx'
import { orUndefined, pageSize, refreshMs, usePaged } from './paged-rows.tsx'

export const JobsTab = (): ReactNode => {
  const t = useText(messages)
  const k = useText(kit)
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
            <span className="nv-table-count">{k('table.rows', { count: answer.data.total })}</span>
          </>
        }
        columns={[
          {
            key: 'job',
            title: t('info.job'),
            value: (job) => job.subject,
            render: (job) => <JobName job={job} withId />,
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
          {
            key: 'task',
            title: t('info.clusterTask'),
            kind: 'id',
            hidden: !answer.data.jobs.some((job) => job.task !== null),
            value: (job) => job.task?.id ?? null,
          },
          {
            key: 'error',
            title: t('info.report'),
            long: true,
            value: (job) => job.error?.errorMessage ?? job.task?.failure ?? (job.waiting?.word || null),
          },
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
                      notifySuccess(t('info.requeued'))
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
