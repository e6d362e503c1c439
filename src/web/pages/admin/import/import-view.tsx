import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useEffect, useRef, useState, useSyncExternalStore } from 'react'
import type { z } from 'zod'
import {
  deleteImport,
  getImport,
  type ImportAction,
  type ImportQuestion,
  stopImport,
  workOnImport,
} from '../../../../contracts/accounts/imports.ts'
import { Button } from '../../../../kit/ui/controls/button.tsx'
import { Card } from '../../../../kit/ui/controls/card.tsx'
import { Unanswered, Waiting } from '../../../../kit/ui/controls/empty-state.tsx'
import { Field, Select, TextArea, TextInput } from '../../../../kit/ui/controls/field.tsx'
import { useFormat, useLanguage, useText } from '../../../../kit/ui/language.tsx'
import { call } from '../../../../kit/ui/request.ts'
import { useOutcomeFocus } from '../../../../kit/ui/tool/use-outcome-focus.ts'
import { attempt } from '../../../attempt.ts'
import { messages } from '../../../messages/import.ts'
import { ConfirmDialog } from '../confirm-dialog.tsx'
import { LoadView } from '../load-view.tsx'
import { FileDrop } from './file-drop.tsx'
import { ImportStateTag } from './import-state-tag.tsx'
import { LoadDone } from './load-done.tsx'
import { DefectTable, SurveyView } from './survey-view.tsx'
import { type UploadState, uploadsOf } from './uploader.ts'

type Import = z.infer<(typeof getImport)['output']>

const workMs = 1000
const restMs = 5000

const useUploads = (id: string): UploadState => {
  const uploads = uploadsOf(id)
  return useSyncExternalStore(uploads.subscribe, () => uploads.state)
}

/** Files on their way, those that are here, and a place for further ones. */
const Uploads = ({ of, onLook }: { of: Import; onLook: () => void }): ReactNode => {
  const t = useText(messages)
  const format = useFormat()
  const { id, address } = of.summary
  const source = of.summary.source ?? address
  const uploads = uploadsOf(id)
  const { items, paused } = useUploads(id)
  if (source !== null)
    return (
      <Card title={t('import.uploads')}>
        <div className="account-actions">
          <code className="import-path">{source}</code>
          {of.work === null ? (
            <Button size="small" onClick={onLook}>
              {t(of.survey === null ? 'import.recognise' : 'import.again')}
            </Button>
          ) : null}
        </div>
      </Card>
    )
  const total = items.reduce((sum, { bytes }) => sum + bytes, 0)
  const sent = items.reduce((sum, item) => sum + item.sent, 0)
  const failed = items.filter(({ state }) => state === 'failed')
  const here = new Set(items.map(({ path }) => path))
  const broken = of.pending.filter(({ path, offset, bytes }) => !here.has(path) && offset < bytes)
  return (
    <Card title={t('import.uploads')}>
      <div className="import-uploads">
        {items.length === 0 ? null : (
          <>
            <div className="account-actions" role="status">
              <span>
                {t('import.sent', { sent: format.bytes(sent), total: format.bytes(total), files: items.length })}
              </span>
              <Button size="small" onClick={() => (paused || failed.length > 0 ? uploads.resume() : uploads.pause())}>
                {t(paused || failed.length > 0 ? 'import.resume' : 'import.pause')}
              </Button>
            </div>
            <progress
              className="nv-progress"
              max={Math.max(1, total)}
              value={total === 0 ? 1 : sent}
              aria-label={t('import.uploads')}
            />
            {items.some(({ state }) => state === 'broken') ? <p>{t('import.lineBroken')}</p> : null}
            {failed.slice(0, 20).map(({ path, reason }) => (
              <p key={path} className="nv-field-problem" role="alert">
                {t('import.fileFailed', { path, reason })}
              </p>
            ))}
          </>
        )}
        {broken.length === 0 ? null : (
          <div className="nv-banner nv-banner-warn" role="status">
            {t('import.broken', { count: broken.length })}
            <ul>
              {broken.slice(0, 20).map((one) => (
                <li key={one.id}>
                  {t('import.brokenFile', {
                    path: one.path,
                    sent: format.bytes(one.offset),
                    total: format.bytes(one.bytes),
                  })}
                </li>
              ))}
            </ul>
          </div>
        )}
        {of.uploaded.length === 0 ? null : (
          <details>
            <summary>
              {t('import.uploadedFiles', { files: of.uploaded.length, bytes: format.bytes(of.summary.bytes) })}
            </summary>
            <ul className="account-list import-entries">
              {of.uploaded.map((file) => (
                <li key={file.path}>
                  {file.path} <span className="nv-quiet">{format.bytes(file.bytes)}</span>
                  {file.sha256 === null ? null : (
                    <div className="nv-quiet import-path">
                      SHA-256 <code>{file.sha256}</code>
                    </div>
                  )}
                </li>
              ))}
            </ul>
          </details>
        )}
        {of.work !== null || of.summary.state === 'loading' ? null : (
          <>
            <FileDrop isFirst={false} text={t('import.dropMore')} onFiles={(files) => uploads.add(files, of)} />
            {of.uploaded.length + of.pending.length === broken.length || items.length > 0 ? null : (
              <div className="account-actions">
                <Button onClick={onLook}>{t(of.survey === null ? 'import.recognise' : 'import.again')}</Button>
              </div>
            )}
          </>
        )}
      </div>
    </Card>
  )
}

const Questions = ({
  questions,
  answers,
  onAnswer,
  onApply,
}: {
  questions: readonly ImportQuestion[]
  answers: Readonly<Record<string, string>>
  onAnswer: (id: string, answer: string) => void
  onApply: () => void
}): ReactNode => {
  const t = useText(messages)
  return (
    <Card title={t('import.questions')}>
      <form
        className="account-stack"
        onSubmit={(event) => {
          event.preventDefault()
          onApply()
        }}
      >
        <p className="nv-quiet">{t('import.questionsLead')}</p>
        <div className="import-questions">
          {questions.map((question) => (
            <Field key={question.id} label={question.text}>
              {(control) =>
                question.choices === null ? (
                  <TextInput
                    {...control}
                    value={answers[question.id] ?? ''}
                    onChange={(event) => onAnswer(question.id, event.target.value)}
                  />
                ) : (
                  <Select
                    {...control}
                    value={answers[question.id] ?? ''}
                    options={question.choices.map(({ value, text }) => ({ value, label: text }))}
                    onChoose={(value) => onAnswer(question.id, value)}
                  />
                )
              }
            </Field>
          ))}
        </div>
        <div className="account-actions">
          <Button type="submit">{t('import.apply')}</Button>
        </div>
      </form>
    </Card>
  )
}

/** One import, from its files to what was loaded of them. */
export const ImportView = ({ id, onBack }: { id: string; onBack: () => void }): ReactNode => {
  const t = useText(messages)
  const language = useLanguage()
  const client = useQueryClient()
  const { items } = useUploads(id)
  const [given, setGiven] = useState<Record<string, string>>({})
  const [edited, setEdited] = useState<Record<string, string>>({})
  const [deleting, setDeleting] = useState(false)
  const answer = useQuery({
    queryKey: ['admin-import', id, language],
    queryFn: (context) => call(getImport, { id }, context),
    refetchInterval: (query) => {
      const state = query.state.data?.summary.state
      return state === 'working' || state === 'loading' || items.length > 0 ? workMs : restMs
    },
  })
  const { refetch } = answer
  const page = useRef<HTMLDivElement>(null)
  const progressHead = useRef<HTMLElement>(null)
  const checkedHead = useRef<HTMLDivElement>(null)
  const [begun, setBegun] = useState<{ action: ImportAction } | null>(null)
  const isAtWork = answer.data !== undefined && (answer.data.work !== null || answer.data.summary.state === 'loading')
  // What is checked is told beside the buttons; all else stands where the progress did.
  const { follow } = useOutcomeFocus(
    { address: id, stage: isAtWork ? 'progress' : begun === null || begun.action === 'look' ? 'nothing' : 'result' },
    page,
    !isAtWork && begun?.action === 'check' && answer.data?.checked != null ? checkedHead : progressHead,
    () => undefined,
  )
  // What the last file has led to is begun with it.
  const isSending = items.length > 0
  useEffect(() => {
    if (!isSending) void refetch()
  }, [isSending, refetch])
  if (answer.isPending) return <Waiting />
  if (answer.isError) return <Unanswered of={answer} />
  const one = answer.data
  const { survey, work, failure, checked, loads, waiting, summary } = one
  const questions = survey?.questions ?? []
  const answers = Object.fromEntries(
    questions.map((question) => [question.id, given[question.id] ?? question.answer ?? question.fallback ?? '']),
  )
  const manifests = Object.entries(edited).map(([folder, text]) => ({ folder, text }))
  const start = (action: ImportAction): Promise<void> =>
    attempt(async () => {
      await call(workOnImport, { id, action, answers, manifests: action === 'look' ? [] : manifests })
      if (action === 'look') setEdited({})
      await answer.refetch()
      // What stood there before is no outcome of this.
      follow(null)
      setBegun({ action })
    })
  const stop = (): Promise<void> =>
    attempt(async () => {
      await call(stopImport, { id })
      await answer.refetch()
    })
  const reason =
    failure === null
      ? null
      : failure === 'stopped'
        ? t('import.stopped')
        : failure === 'interrupted'
          ? t('import.interrupted')
          : t('import.failed', { reason: failure })
  const addition = survey?.addition ?? null
  const isAdding = addition !== null && work?.action === 'write'
  // What the check said holds until something of it is another: a text, or an answer.
  const isChanged =
    survey !== null &&
    (survey.manifests.some(({ folder, text }) => (edited[folder] ?? text) !== text) ||
      questions.some((question) => answers[question.id] !== (question.answer ?? question.fallback ?? '')))
  const locked =
    survey === null || summary.state === 'working'
      ? null
      : addition?.removes === false && summary.loaded
        ? 'import.locked.added'
        : !survey.ok
          ? 'import.locked.problems'
          : checked?.ok === false && !isChanged
            ? 'import.locked.checked'
            : null
  const isBusy = work !== null || summary.state === 'loading' || items.length > 0
  return (
    <div className="account-stack" ref={page}>
      <div className="account-actions">
        <Button size="small" onClick={onBack}>
          {t('import.back')}
        </Button>
        <strong className="import-path">{id}</strong>
        <ImportStateTag of={summary} />
        {isBusy || summary.loaded ? null : (
          <Button size="small" look="quiet" onClick={() => setDeleting(true)}>
            {t('import.delete')}
          </Button>
        )}
      </div>
      {summary.removes ? null : <Uploads of={one} onLook={() => void start('look')} />}
      <section
        ref={progressHead}
        tabIndex={-1}
        className="import-progress account-stack"
        aria-label={t('import.progress')}
      >
        {work === null ? null : (
          <Card title={t(isAdding ? 'import.working.add' : `import.working.${work.action}`)}>
            <div className="account-stack">
              <div className="account-actions" role="status">
                <span>{work.step}</span>
                <Button size="small" onClick={() => void stop()}>
                  {t('import.stop')}
                </Button>
              </div>
              <progress
                className="nv-progress"
                max={1}
                value={work.fraction === 0 ? undefined : work.fraction}
                aria-label={t(`import.working.${work.action}`)}
              />
            </div>
          </Card>
        )}
        {reason === null || work !== null ? null : (
          <div className="nv-banner nv-banner-warn" role="status">
            {reason}
          </div>
        )}
        {survey === null || (loads.length === 0 && waiting === 0) ? null : (
          <Card title={t('import.loads')}>
            <div className="account-stack">
              {waiting === 0 ? null : (
                <div className="account-actions" role="status">
                  <span>{t('import.waiting', { count: waiting })}</span>
                  <Button size="small" onClick={() => void stop()}>
                    {t('import.stop')}
                  </Button>
                </div>
              )}
              {loads.map((load) => (
                <div key={load} className="account-stack">
                  <LoadDone
                    load={load}
                    survey={survey}
                    matched={load === loads[0] ? one.matched : []}
                    way={one.undo.find((way) => way.load === load)}
                    onUndone={() => void answer.refetch()}
                  />
                  <LoadView id={load} />
                </div>
              ))}
            </div>
          </Card>
        )}
      </section>
      {survey === null ? null : (
        <>
          {questions.length === 0 ? null : (
            <Questions
              questions={questions}
              answers={answers}
              onAnswer={(question, value) => setGiven((before) => ({ ...before, [question]: value }))}
              onApply={() => void start('look')}
            />
          )}
          <SurveyView survey={survey} loaded={summary.loaded} />
          {survey.manifests.length === 0 ? null : (
            <Card title={t('import.load')}>
              <div className="account-stack">
                <p>{t(addition === null ? 'import.loadLead' : 'import.addLead')}</p>
                <details>
                  <summary>{t('import.manifest')}</summary>
                  <div className="account-stack">
                    <p className="nv-quiet">{t(addition === null ? 'import.manifestLead' : 'import.manifestAdds')}</p>
                    {survey.manifests.map((manifest) => {
                      const isThere = manifest.folder.startsWith('/')
                      return (
                        <Field
                          key={manifest.folder}
                          label={
                            manifest.folder === ''
                              ? 'species.yaml'
                              : t('import.manifestOf', { folder: manifest.folder })
                          }
                          help={isThere ? t('import.manifestThere') : undefined}
                        >
                          {(control) => (
                            <TextArea
                              {...control}
                              className="import-manifest"
                              rows={18}
                              readOnly={isThere}
                              value={edited[manifest.folder] ?? manifest.text}
                              onChange={(event) =>
                                setEdited((before) => ({ ...before, [manifest.folder]: event.target.value }))
                              }
                            />
                          )}
                        </Field>
                      )
                    })}
                    {manifests.length === 0 ? null : (
                      <div className="account-actions">
                        <Button size="small" onClick={() => setEdited({})}>
                          {t('import.manifestReset')}
                        </Button>
                      </div>
                    )}
                  </div>
                </details>
                {checked === null || work !== null ? null : (
                  <div
                    ref={checkedHead}
                    tabIndex={-1}
                    role="status"
                    className={checked.ok ? undefined : 'nv-banner nv-banner-warn'}
                  >
                    {checked.ok
                      ? t('import.checkedOk')
                      : t('import.checkedErrors', { count: checked.totals.error ?? 0 })}
                  </div>
                )}
                {checked === null || checked.defects.length === 0 ? null : (
                  <DefectTable defects={checked.defects} totals={checked.totals} name="novodb-import-checked" />
                )}
                <div className="account-actions">
                  <Button
                    look="primary"
                    busy={isBusy}
                    disabled={locked !== null}
                    aria-describedby={locked === null ? undefined : 'import-locked'}
                    onClick={() => void start('write')}
                  >
                    {t(addition === null ? 'import.load' : addition.removes ? 'import.removeLoad' : 'import.addLoad')}
                  </Button>
                  {locked === null ? null : <span id="import-locked">{t(locked)}</span>}
                  {addition !== null ? null : (
                    <>
                      <Button
                        busy={isBusy}
                        disabled={!survey.ok}
                        title={t('import.checkLead')}
                        onClick={() => void start('check')}
                      >
                        {t('import.check')}
                      </Button>
                      <span className="nv-quiet">{t('import.checkLead')}</span>
                    </>
                  )}
                </div>
              </div>
            </Card>
          )}
        </>
      )}
      {deleting ? (
        <ConfirmDialog
          title={t('import.deleteTitle', { id })}
          why={t('import.deleteWhy')}
          action={t('import.delete')}
          danger
          onNo={() => setDeleting(false)}
          onYes={() =>
            void attempt(async () => {
              await call(deleteImport, { id })
              await client.invalidateQueries({ queryKey: ['admin-imports'] })
              onBack()
            })
          }
        />
      ) : null}
    </div>
  )
}
