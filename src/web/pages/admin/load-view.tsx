import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { Link } from 'react-router'
import type { z } from 'zod'
import { getLoad } from '../../../contracts/accounts/admin.ts'
import { cancelLoad } from '../../../contracts/accounts/imports.ts'
import { isServing, loadProgress, portalStageFraction } from '../../../contracts/load-steps.ts'
import { Button } from '../../../kit/ui/controls/button.tsx'
import { Dialog } from '../../../kit/ui/controls/dialog.tsx'
import { Unanswered, Waiting } from '../../../kit/ui/controls/empty-state.tsx'
import { useSpeciesNames } from '../../../kit/ui/gene/species-names.tsx'
import { useFormat, useText } from '../../../kit/ui/language.tsx'
import { messages as kit } from '../../../kit/ui/messages.ts'
import { call } from '../../../kit/ui/request.ts'
import { attempt, notifySuccess } from '../../attempt.ts'
import { JobStateTag } from '../../job-state-tag.tsx'
import { messages } from '../../messages/admin.ts'
import { DefectTable } from './import/survey-view.tsx'
import { useLoadStep } from './load-step.ts'

/** A load with its log, asked for again until it has ended. */
export const useLoad = (id: number) =>
  useQuery({
    queryKey: ['admin-load', id],
    queryFn: (context) => call(getLoad, { id }, context),
    refetchInterval: (query) => (query.state.data?.load.endedAt === null ? 1500 : false),
  })

type Load = z.infer<(typeof getLoad)['output']>

/** How a load ended, in words, and what was wrong with its files. */
const LoadOutcome = ({ load, report }: Pick<Load, 'load' | 'report'>): ReactNode => {
  const t = useText(messages)
  const { state } = load
  const words =
    state === 'cancelled'
      ? t('info.loadCancelled')
      : state === 'undone'
        ? t('info.loadUndone')
        : state === 'done'
          ? report?.interrupted === true
            ? t('info.comparisonStopped')
            : null
          : state !== 'failed'
            ? null
            : report?.failure != null
              ? t('info.loadFailure', { reason: report.failure })
              : report?.interrupted === true
                ? t('info.loadInterrupted')
                : null
  return (
    <>
      {words === null ? null : <p>{words}</p>}
      {report === null || report.defects.length === 0 ? null : (
        <details open={state === 'failed'}>
          <summary>{t('info.report')}</summary>
          <DefectTable defects={report.defects} totals={report.totals} name="novodb-load-report" />
        </details>
      )}
    </>
  )
}

/** The progress, log and report of one load, as it goes, and a way to stop it. */
export const LoadView = ({ id }: { id: number }): ReactNode => {
  const t = useText(messages)
  const k = useText(kit)
  const format = useFormat()
  const stepOf = useLoadStep()
  const speciesName = useSpeciesNames()
  const answer = useLoad(id)
  const [stopping, setStopping] = useState(false)
  const load = answer.data?.load
  if (answer.isError) return <Unanswered of={answer} />
  if (load === undefined) return <Waiting />
  const progress = loadProgress(load, Date.now())
  const stop = (): Promise<void> =>
    attempt(async () => {
      const { inService } = await call(cancelLoad, { id })
      setStopping(true)
      notifySuccess(
        inService ? t('info.comparisonStopping', { species: speciesName(load.species) }) : t('info.loadStopping'),
      )
    })
  return (
    <div className="account-stack">
      <div className="account-actions">
        <JobStateTag state={load.state} />
        {load.endedAt === null ? <span>{stepOf(load.step)}</span> : null}
        {load.endedAt !== null || load.fraction >= portalStageFraction ? null : (
          <span>{format.percent(load.fraction, 0)}</span>
        )}
        {progress.leftMs === null ? null : (
          <span>{k('job.left', { time: format.roughDuration(progress.leftMs) })}</span>
        )}
        {load.endedAt === null && load.startedBy !== 'command line' ? (
          <Button size="small" busy={stopping} onClick={() => void stop()}>
            {t(isServing(load) ? 'info.comparisonStop' : 'info.loadStop')}
          </Button>
        ) : null}
      </div>
      {load.endedAt !== null ? null : (
        <progress
          className="nv-progress"
          max={1}
          value={progress.fraction ?? undefined}
          aria-label={t('info.progress')}
        />
      )}
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
      {load.endedAt === null ? null : <LoadOutcome load={load} report={answer.data?.report ?? null} />}
    </div>
  )
}

export const LoadDialog = ({ id, onClose }: { id: number; onClose: () => void }): ReactNode => {
  const t = useText(messages)
  const speciesName = useSpeciesNames()
  const load = useLoad(id).data?.load
  return (
    <Dialog
      open
      wide
      onClose={onClose}
      title={t('info.logOf', { id, species: load === undefined ? '' : speciesName(load.species) })}
    >
      <LoadView id={id} />
    </Dialog>
  )
}
