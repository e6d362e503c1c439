import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { Link } from 'react-router'
import { getLoad } from '../../../contracts/accounts/admin.ts'
import { cancelLoad } from '../../../contracts/accounts/imports.ts'
import { loadProgress, portalStageFraction } from '../../../contracts/load-steps.ts'
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
import { useLoadStep } from './load-step.ts'

/** A load with its log, asked for again until it has ended. */
export const useLoad = (id: number) =>
  useQuery({
    queryKey: ['admin-load', id],
    queryFn: (context) => call(getLoad, { id }, context),
    refetchInterval: (query) => (query.state.data?.load.endedAt === null ? 1500 : false),
  })

/** The progress, log and report of one load, as it goes, and a way to stop it. */
export const LoadView = ({ id }: { id: number }): ReactNode => {
  const t = useText(messages)
  const k = useText(kit)
  const format = useFormat()
  const stepOf = useLoadStep()
  const answer = useLoad(id)
  const [stopping, setStopping] = useState(false)
  const load = answer.data?.load
  if (answer.isError) return <Unanswered of={answer} />
  if (load === undefined) return <Waiting />
  const progress = loadProgress(load, Date.now())
  const stop = (): Promise<void> =>
    attempt(async () => {
      await call(cancelLoad, { id })
      setStopping(true)
      notifySuccess(t('info.loadStopping'))
    })
  return (
    <div className="account-stack">
      <div className="account-actions">
        <JobStateTag state={load.state} />
        {load.endedAt === null ? <span>{stepOf(load.step)}</span> : null}
        {load.endedAt === null && load.fraction >= portalStageFraction ? null : (
          <span>{format.percent(load.fraction, 0)}</span>
        )}
        {progress.leftMs === null ? null : (
          <span>{k('job.left', { time: format.roughDuration(progress.leftMs) })}</span>
        )}
        {load.endedAt === null && load.startedBy !== 'command line' ? (
          <Button size="small" busy={stopping} onClick={() => void stop()}>
            {t('info.loadStop')}
          </Button>
        ) : null}
      </div>
      <progress
        className="nv-progress"
        max={1}
        value={load.endedAt === null ? (progress.fraction ?? undefined) : load.fraction}
        aria-label={t('info.progress')}
      />
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
