import { type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query'
import { Ban, Clock, LoaderCircle } from 'lucide-react'
import { type ReactNode, useEffect, useState } from 'react'
import type { z } from 'zod'
import { remainingMs } from '../../../contracts/remaining-time.ts'
import { cancelJob, getJob, getJobResult, type Job, jobSchema, type runTool } from '../../../contracts/tools/jobs.ts'
import { Button } from '../controls/button.tsx'
import type { ToolText } from '../controls/schema-form.tsx'
import { useFormat, useText } from '../language.tsx'
import { messages } from '../messages.ts'
import { addressOf, call, RequestError } from '../request.ts'

const ended = (job: Job): boolean => job.state === 'done' || job.state === 'failed' || job.state === 'cancelled'

/** Asked again this often while no events come; slower when they do, in case one is lost. */
const pollMs = 2000
const pollWithEventsMs = 15_000

interface FollowedJob {
  job: Job | undefined
  input: unknown
  /** The server cannot be reached just now; it is asked again. */
  retrying: boolean
  unknown: boolean
}

/** Follows a job to its end: by server-sent events, and by asking when they do not come. Server errors (5xx) are waited out. */
export const useJob = (id: string | null): FollowedJob => {
  const client = useQueryClient()
  const [live, setLive] = useState(false)
  const query = useQuery({
    queryKey: ['job', id],
    enabled: id !== null,
    // That it is not known, or no longer, stands in the place of its result.
    queryFn: (context) =>
      call(getJob, { id: id ?? '' }, { ...context, skipErrorHandler: ({ status }) => status === 404 }),
    retry: false,
    staleTime: 0,
    refetchInterval: ({ state }) => {
      if (state.error instanceof RequestError && state.error.status >= 400 && state.error.status < 500) return false
      if (state.data !== undefined && ended(state.data.job)) return false
      return live ? pollWithEventsMs : pollMs
    },
  })
  const over = query.data !== undefined && ended(query.data.job)
  const known = query.data !== undefined

  useEffect(() => {
    if (id === null || over || !known) return
    const source = new EventSource(addressOf(`/api/jobs/${id}/events`))
    const take = (event: MessageEvent<string>): void => {
      try {
        const value: unknown = JSON.parse(event.data)
        const parsed = jobSchema.safeParse(
          typeof value === 'object' && value !== null && 'job' in value ? value.job : value,
        )
        if (!parsed.success) return
        setLive(true)
        // How it ended is asked for: a stream cannot say which language its reader chose, and what failed is told in words.
        if (ended(parsed.data)) {
          void client.invalidateQueries({ queryKey: ['job', id] })
          return
        }
        client.setQueryData(['job', id], (before: { job: Job; input: unknown } | undefined) =>
          before === undefined ? before : { ...before, job: parsed.data },
        )
      } catch {
        // Not one of ours (a keep-alive): the next one tells.
      }
    }
    source.addEventListener('message', take)
    source.addEventListener('job', take)
    source.addEventListener('error', () => setLive(false))
    return () => source.close()
  }, [id, over, known, client])

  const error = query.error
  const refused = error instanceof RequestError && error.status >= 400 && error.status < 500
  return {
    job: query.data?.job,
    input: query.data?.input,
    retrying: error !== null && !refused,
    unknown: refused && query.data === undefined,
  }
}

/** Lets `useJob` and `useJobResult` begin with what the answer to the run says of its job: how it stands, and its result if it has one. */
export const keepJob = (client: QueryClient, input: unknown, answer: z.output<(typeof runTool)['output']>): void => {
  const { job } = answer
  if (job === undefined) return
  client.setQueryData(['job', job.id], { job, input })
  if ('result' in answer)
    client.setQueryData(['job-result', job.id], { result: answer.result, receipt: answer.receipt })
}

/** Result and receipt of a job that is done. */
export const useJobResult = (job: Job | undefined) =>
  useQuery({
    queryKey: ['job-result', job?.id],
    enabled: job?.state === 'done',
    queryFn: (context) => call(getJobResult, { id: job?.id ?? '' }, context),
    staleTime: Number.POSITIVE_INFINITY,
    retry: 2,
  })

const useNow = (running: boolean): number => {
  const [now, setNow] = useState(() => Date.now())
  useEffect(() => {
    if (!running) return
    const timer = setInterval(() => setNow(Date.now()), 500)
    return () => clearInterval(timer)
  }, [running])
  return now
}

/** What a job is doing now: place in the queue, step, progress, elapsed time and what is left; and a way to cancel it. */
export const JobView = ({ job, retrying, text }: { job: Job; retrying: boolean; text: ToolText }): ReactNode => {
  const t = useText(messages)
  const format = useFormat()
  const client = useQueryClient()
  const now = useNow(!ended(job))
  const [cancelling, setCancelling] = useState(false)
  const since = Date.parse(job.startedAt ?? job.submittedAt)
  const left = job.state === 'running' ? remainingMs(now - since, job.progress) : null
  return (
    <div className="nv-job" role="status" aria-live="polite">
      <div className="nv-job-head">
        {job.state === 'queued' ? (
          <Clock size={20} aria-hidden />
        ) : (
          <LoaderCircle size={20} aria-hidden className="nv-spin" />
        )}
        <div>
          <strong>{t(job.state === 'queued' ? 'job.queued' : 'job.running')}</strong>
          <p>
            {job.state === 'queued'
              ? job.waiting === null
                ? t('job.position', { count: job.position })
                : t(`job.waiting.${job.waiting.reason}`, { word: job.waiting.word })
              : job.step === null
                ? null
                : (text(job.step) ?? text(`step.${job.step}`))}
          </p>
        </div>
        <span className="nv-grow" />
        {/* A timer is not announced: what reads the page aloud would else say the time twice a second. */}
        <span className="nv-tabular" role="timer">
          {t('job.elapsed', { time: format.duration(Math.max(0, now - since)) })}
        </span>
        <Button
          size="small"
          icon={<Ban size={14} aria-hidden />}
          busy={cancelling}
          disabled={ended(job)}
          onClick={async () => {
            setCancelling(true)
            try {
              const answer = await call(cancelJob, { id: job.id })
              client.setQueryData(['job', job.id], (before: { job: Job; input: unknown } | undefined) =>
                before === undefined ? before : { ...before, job: answer.job },
              )
            } catch {
              // Said by the request layer.
            } finally {
              setCancelling(false)
            }
          }}
        >
          {t('job.cancel')}
        </Button>
      </div>
      <progress
        className="nv-progress"
        max={1}
        value={job.progress ?? undefined}
        aria-label={t(job.state === 'queued' ? 'job.queued' : 'job.running')}
      />
      {job.progress === null ? null : (
        // Not announced either: it changes with the time.
        <p className="nv-quiet nv-tabular" aria-live="off">
          {format.percent(job.progress, 0)}
          {left === null ? null : ` · ${t('job.left', { time: format.roughDuration(left) })}`}
        </p>
      )}
      {retrying ? <p className="nv-warn">{t('job.retrying')}</p> : null}
      <p className="nv-quiet">{t('job.keep', { date: format.date(job.expiresAt) })}</p>
    </div>
  )
}
