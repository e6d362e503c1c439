import { useQueryClient } from '@tanstack/react-query'
import { RotateCcw } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import type { z } from 'zod'
import type { addNotebookStep, Notebook, NotebookStep } from '../../../contracts/notebooks.ts'
import { getJob, getJobResult, runTool } from '../../../contracts/tools/jobs.ts'
import type { Receipt } from '../../../contracts/tools/receipt.ts'
import { Button } from '../../../kit/ui/controls/button.tsx'
import { useFormat, useText } from '../../../kit/ui/language.tsx'
import { showNotice } from '../../../kit/ui/notices.ts'
import { call, RequestError } from '../../../kit/ui/request.ts'
import { messages } from '../../messages/notebook.ts'
import { compareResults } from './compare-results.ts'
import { RunHeadline, useStepResult } from './step-result.tsx'

const pollMs = 1500
const shownChanges = 12

/** Adds a step to the notebook, after all changes before it. */
export type AddStep = (step: Omit<z.input<(typeof addNotebookStep)['input']>, 'id' | 'key'>) => Promise<void>

interface Again {
  job: string
  result: unknown
  receipt: Receipt
}

/** Assemblies whose data are others than they were. */
const changedData = (before: Receipt | null, now: Receipt): string[] =>
  now.data
    .filter((one) => before?.data.find(({ assembly }) => assembly === one.assembly)?.checksum !== one.checksum)
    .map(({ assembly }) => assembly)

const Comparison = ({
  notebook,
  step,
  again,
  onKeep,
  onDrop,
}: {
  notebook: Notebook
  step: NotebookStep
  again: Again
  /** Absent for readers. */
  onKeep?: () => void
  onDrop: () => void
}): ReactNode => {
  const t = useText(messages)
  const format = useFormat()
  const before = useStepResult(notebook.id, step.id, true)
  if (before.data === undefined || step.run === null) return null
  const changes = compareResults(before.data.result, again.result)
  const date = format.dateTime(before.data.receipt.startedAt)
  const data = changedData(before.data.receipt, again.receipt)
  return (
    <div className="note-change" role="status">
      <p>
        {t(changes.length === 0 ? 'again.same' : 'again.changed', { date })}{' '}
        {data.length === 0 ? t('again.sameData') : t('again.newData', { names: format.names(data) })}
      </p>
      {changes.length === 0 ? null : (
        <>
          <p>
            <strong>{t('again.before')}</strong> <RunHeadline run={step.run} result={before.data.result} />
          </p>
          <p>
            <strong>{t('again.now')}</strong> <RunHeadline run={step.run} result={again.result} />
          </p>
          <ul>
            {changes.slice(0, shownChanges).map((change) => (
              <li key={change.name}>
                {change.kind === 'list' ? t('again.list', { ...change }) : t('again.value', { ...change })}
              </li>
            ))}
          </ul>
        </>
      )}
      <div className="note-actions">
        {onKeep === undefined || changes.length === 0 ? null : (
          <Button size="small" look="primary" onClick={onKeep}>
            {t('again.keep')}
          </Button>
        )}
        <Button size="small" onClick={onDrop}>
          {t('again.drop')}
        </Button>
      </div>
    </div>
  )
}

/** Asks a step's question of the data of today, and shows what is different. */
export const RunAgain = ({
  notebook,
  step,
  canEdit,
  onAdd,
}: {
  notebook: Notebook
  step: NotebookStep
  canEdit: boolean
  onAdd: AddStep
}): ReactNode => {
  const t = useText(messages)
  const client = useQueryClient()
  const [busy, setBusy] = useState(false)
  const [again, setAgain] = useState<Again | null>(null)
  if (step.run === null) return null
  const { tool, input } = step.run
  const run = async (): Promise<void> => {
    setBusy(true)
    setAgain(null)
    try {
      const started = await call(
        runTool,
        { ...(input as Record<string, unknown> | null), tool },
        { headers: { Prefer: 'respond-async' } },
      )
      const id = started.job?.id
      if (id === undefined) return
      for (;;) {
        const { job } = await call(getJob, { id })
        if (job.state === 'done') break
        if (job.state === 'failed' || job.state === 'cancelled') {
          showNotice({ kind: 'message', level: 'error', text: job.error?.errorMessage ?? t('step.failed') })
          return
        }
        await new Promise((resolve) => setTimeout(resolve, pollMs))
      }
      setAgain({ job: id, ...(await call(getJobResult, { id })) })
    } catch (error) {
      if (!(error instanceof RequestError)) throw error
    } finally {
      setBusy(false)
    }
  }
  const keep = async (): Promise<void> => {
    if (again === null) return
    await onAdd({ title: step.title, job: again.job, replaces: step.id })
    client.removeQueries({ queryKey: ['notebook-result', notebook.id, step.id] })
    setAgain(null)
  }
  return (
    <>
      <Button
        size="small"
        look="quiet"
        busy={busy}
        title={t('step.again.why')}
        icon={<RotateCcw size={14} aria-hidden />}
        onClick={() => void run()}
      >
        {busy ? t('again.running') : t('step.again')}
      </Button>
      {again === null ? null : (
        <Comparison
          notebook={notebook}
          step={step}
          again={again}
          {...(canEdit ? { onKeep: () => void keep() } : {})}
          onDrop={() => setAgain(null)}
        />
      )}
    </>
  )
}
