import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query'
import { ArrowDown, ArrowUp, Download, ExternalLink, Link2, NotebookPen, Plus, Trash2 } from 'lucide-react'
import { type ComponentProps, type ReactNode, useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { Link, useNavigate, useSearchParams } from 'react-router'
import {
  addNotebookStep,
  deleteNotebook,
  getNotebook,
  listKnownNotebooks,
  listNotebooks,
  type Notebook,
  type NotebookStep,
  notebookLimits,
  updateNotebook,
} from '../../../contracts/notebooks.ts'
import type { Language } from '../../../contracts/text.ts'
import { Button } from '../../../kit/ui/controls/button.tsx'
import { Card } from '../../../kit/ui/controls/card.tsx'
import { copyText } from '../../../kit/ui/controls/copy-text.ts'
import { Dialog } from '../../../kit/ui/controls/dialog.tsx'
import { EmptyState, Unanswered, Waiting } from '../../../kit/ui/controls/empty-state.tsx'
import { TextArea, TextInput } from '../../../kit/ui/controls/field.tsx'
import { addressLimit, schemaFields, type Values, writeQuery } from '../../../kit/ui/controls/schema-fields.ts'
import { createGeneSet, geneSetsAddress } from '../../../kit/ui/gene/gene-sets.ts'
import { useAssemblyNames } from '../../../kit/ui/gene/species-names.tsx'
import { useFormat, useLanguage, useText } from '../../../kit/ui/language.tsx'
import { showNotice } from '../../../kit/ui/notices.ts'
import { addressOf, call, RequestError } from '../../../kit/ui/request.ts'
import { downloadBlob, fileName } from '../../../kit/ui/table/export.ts'
import { forgetNotebook, keepNotebook, keyOfNotebook, useKnownNotebooks } from '../../../kit/ui/tool/notebooks.ts'
import { startNotebook } from '../../../kit/ui/tool/start-notebook.ts'
import { useToolList } from '../../../kit/ui/tool/tool-list.ts'
import { GeneSetsCard } from '../../account/gene-sets-card.tsx'
import { useSession } from '../../account/session.tsx'
import { messages } from '../../messages/notebook.ts'
import { PagedTable } from '../../paged-table.tsx'
import { PageTitle } from '../../shell/page-title.tsx'
import { loadScreen } from '../../shell/tool-screens.ts'
import { type LiveSet, liveSets } from './combine-sets.ts'
import { notebookFiles, type StepFile, type StepResult } from './notebook-files.ts'
import { SetFigure, SetTools } from './notebook-sets.tsx'
import { type AddStep, RunAgain } from './run-again.tsx'
import { StepFigures } from './step-figures.tsx'
import { StepResultView, stepResultQuery } from './step-result.tsx'
import './notebook.css'

/** After so long without a key pressed what was typed is saved. */
const saveMs = 700

/** A step's result as its tool's screen words it; undefined where that says nothing, or the result is of another release. */
const tellInWords = async (tool: string, result: unknown, language: Language): Promise<unknown> => {
  const screen = await loadScreen(tool)
  if (screen === null || !('inWords' in screen)) return undefined
  const parsed = screen.tool.result.safeParse(result)
  return parsed.success ? screen.inWords?.({ result: parsed.data, language }) : undefined
}

const ListPage = (): ReactNode => {
  const t = useText(messages)
  const format = useFormat()
  const navigate = useNavigate()
  const { user } = useSession()
  const known = useKnownNotebooks()
  const signedIn = user !== null && user.access !== 'visitor'
  const answer = useQuery({
    queryKey: ['notebooks'],
    enabled: signedIn,
    queryFn: async (context) => (await call(listNotebooks, {}, context)).notebooks,
  })
  useEffect(() => {
    for (const { id, title } of [...(answer.data ?? [])].reverse()) keepNotebook({ id, title, key: null })
  }, [answer.data])
  const own = new Set((answer.data ?? []).map(({ id }) => id))
  const others = known.filter(({ id }) => !own.has(id))
  const ids = others.map(({ id }) => id).sort()
  // Of a visitor, and those of others that were opened here.
  const told = useQuery({
    queryKey: ['notebooks', 'known', ids],
    enabled: ids.length > 0 && (!signedIn || answer.data !== undefined),
    placeholderData: keepPreviousData,
    queryFn: async (context) => (await call(listKnownNotebooks, { ids }, context)).notebooks,
  })
  const about = new Map([...(answer.data ?? []), ...(told.data ?? [])].map((one) => [one.id, one]))
  const rows = [
    ...(answer.data ?? []).map(({ id, title }) => ({ id, title })),
    ...others.map(({ id, title }) => ({ id, title: about.get(id)?.title ?? title })),
  ]
  const create = async (): Promise<void> => {
    try {
      const { id } = await startNotebook()
      await navigate(`/notebook?id=${id}`)
    } catch (error) {
      if (!(error instanceof RequestError)) throw error
    }
  }
  return (
    <Card
      flush
      title={t('list.title')}
      actions={
        <Button look="primary" size="small" icon={<Plus size={14} aria-hidden />} onClick={() => void create()}>
          {t('list.create')}
        </Button>
      }
      {...(signedIn ? {} : { foot: <p className="note-quiet">{t('list.visitor')}</p> })}
    >
      {answer.isError ? (
        <Unanswered of={answer} />
      ) : (
        <PagedTable
          label={t('list.title')}
          rows={rows}
          rowKey={({ id }) => id}
          none={
            <EmptyState icon={<NotebookPen size={22} aria-hidden />} title={t('list.none')} why={t('list.noneWhy')} />
          }
          columns={[
            {
              key: 'title',
              title: t('list.name'),
              value: ({ title }) => title,
              render: ({ id, title }) => <Link to={`/notebook?id=${id}`}>{title === '' ? t('untitled') : title}</Link>,
            },
            {
              key: 'steps',
              title: t('list.steps'),
              kind: 'number',
              value: ({ id }) => about.get(id)?.stepCount ?? null,
            },
            {
              key: 'updated',
              title: t('list.updated'),
              value: ({ id }) => about.get(id)?.updatedAt ?? '',
              render: ({ id }) => {
                const at = about.get(id)?.updatedAt
                return at === undefined ? '–' : format.dateTime(at)
              },
            },
          ]}
        />
      )}
    </Card>
  )
}

/** Opens a step's question on the tool's page: by its form, or for a long one by its job. */
const useOpenStep = () => {
  const tools = useToolList()
  const navigate = useNavigate()
  return async ({ tool, input, job }: NonNullable<NotebookStep['run']>): Promise<void> => {
    const route = tools.find(({ id }) => id === tool)?.route
    if (route === undefined) return
    const screen = await loadScreen(tool)
    const pairs =
      screen === null || 'Page' in screen ? [] : writeQuery(schemaFields(screen.tool.input), (input ?? {}) as Values)
    const length = pairs.reduce((sum, [name, value]) => sum + name.length + value.length, 0)
    await navigate(
      length === 0 || length > addressLimit
        ? `${route}?job=${job}`
        : `${route}?${new URLSearchParams([...pairs, ['run', '1']])}`,
    )
  }
}

interface StepText {
  title: string
  note: string
}

const StepCard = ({
  notebook,
  step,
  at,
  live,
  canEdit,
  text,
  onText,
  onMove,
  onRemove,
  onAdd,
  opened,
  onOpen,
}: {
  notebook: Notebook
  step: NotebookStep
  at: number
  live: LiveSet | undefined
  canEdit: boolean
  text: StepText
  onText: (change: Partial<StepText>) => void
  onMove: (by: -1 | 1) => void
  onRemove: () => void
  onAdd: AddStep
  opened: boolean
  onOpen: (open: boolean) => void
}): ReactNode => {
  const t = useText(messages)
  const format = useFormat()
  const assemblyName = useAssemblyNames()
  const language = useLanguage()
  const tools = useToolList()
  const open = useOpenStep()
  const navigate = useNavigate()
  const { run } = step
  const number = at + 1
  const tool = tools.find(({ id }) => id === run?.tool)
  const toolTitle = tool?.title[language] ?? run?.tool ?? ''
  return (
    <li>
      <Card>
        <div className="note-stack">
          <div className="note-step-head">
            <span className="note-number">{number}</span>
            {run === null ? null : <strong>{toolTitle}</strong>}
            {canEdit ? (
              <TextInput
                aria-label={t('step.title', { number })}
                value={text.title}
                maxLength={notebookLimits.titleCharacters}
                onChange={(event) => onText({ title: event.target.value })}
              />
            ) : (
              <h2 className="note-text">{step.title}</h2>
            )}
          </div>
          {canEdit ? (
            <TextArea
              aria-label={t('step.note', { number })}
              placeholder={t('step.notePlace')}
              rows={text.note === '' ? 1 : 3}
              value={text.note}
              maxLength={notebookLimits.noteCharacters}
              onChange={(event) => onText({ note: event.target.value })}
            />
          ) : step.note === '' ? null : (
            <p className="note-text">{step.note}</p>
          )}
          {run === null ? null : (
            <>
              {run.receipt === null || run.receipt.data.length === 0 ? null : (
                <p className="note-quiet">
                  {t('step.data')}: {format.names(run.receipt.data.map(({ assembly }) => assemblyName(assembly)))} ·{' '}
                  <code>{run.receipt.data[0]!.checksum.slice(0, 12)}</code>
                </p>
              )}
              {run.state === 'waiting' ? (
                <p className="note-quiet">{t('step.waiting')}</p>
              ) : run.state === 'failed' ? (
                <p className="note-quiet">{t('step.failed')}</p>
              ) : (
                <>
                  {run.state === 'large' ? <p className="note-quiet">{t('step.large')}</p> : null}
                  <details
                    className="note-result"
                    open={opened}
                    onToggle={(event) => {
                      if (event.currentTarget.open !== opened) onOpen(event.currentTarget.open)
                    }}
                  >
                    <summary>
                      {t('step.result', { date: format.dateTime(run.receipt?.startedAt ?? step.createdAt) })}
                    </summary>
                    {opened ? <StepResultView notebook={notebook.id} step={step.id} run={run} /> : null}
                  </details>
                </>
              )}
            </>
          )}
          {live === undefined ? null : (
            <>
              <p className="note-quiet">
                {t('sets.genes', { count: live.genes.length })}
                {live.assembly === null ? '' : ` · ${live.assembly}`}
              </p>
              {live.genes.length > 0 || live.made === null ? null : (
                <p>{t(`sets.none.${live.made.operation}`, { count: live.made.of.length })}</p>
              )}
              {live.broken ? <p className="note-quiet">{t('sets.gone')}</p> : null}
              {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls is reached by the keyboard. */}
              <p className="note-genes" tabIndex={0}>
                {live.genes.join(' ')}
              </p>
            </>
          )}
          <section className="note-actions" aria-label={t('step.actions', { number })}>
            {run === null || tool === undefined ? null : (
              <Button
                size="small"
                look="quiet"
                icon={<ExternalLink size={14} aria-hidden />}
                onClick={() => void open(run)}
              >
                {t('step.open', { tool: toolTitle })}
              </Button>
            )}
            {run === null || run.state === 'waiting' ? null : <RunAgain {...{ notebook, step, canEdit, onAdd }} />}
            {live === undefined ? null : (
              <Button
                size="small"
                look="quiet"
                onClick={() => {
                  createGeneSet({ name: step.title, assembly: live.assembly, genes: live.genes })
                  showNotice({
                    kind: 'message',
                    level: 'success',
                    text: t('sets.saved'),
                    action: { label: t('sets.title'), run: () => void navigate(geneSetsAddress) },
                  })
                }}
              >
                {t('sets.save')}
              </Button>
            )}
            {canEdit ? (
              <>
                <Button
                  size="small"
                  look="quiet"
                  aria-label={t('step.up')}
                  title={t('step.up')}
                  disabled={at === 0}
                  icon={<ArrowUp size={14} aria-hidden />}
                  onClick={() => onMove(-1)}
                />
                <Button
                  size="small"
                  look="quiet"
                  aria-label={t('step.down')}
                  title={t('step.down')}
                  disabled={at === notebook.steps.length - 1}
                  icon={<ArrowDown size={14} aria-hidden />}
                  onClick={() => onMove(1)}
                />
                <Button
                  size="small"
                  look="quiet"
                  aria-label={t('step.remove')}
                  title={t('step.remove')}
                  icon={<Trash2 size={14} aria-hidden />}
                  onClick={onRemove}
                />
              </>
            ) : null}
          </section>
        </div>
      </Card>
    </li>
  )
}

const textsOf = ({ title, steps }: Notebook) => ({
  title,
  steps: steps.map((step) => ({ id: step.id, title: step.title, note: step.note })),
})
type Texts = ReturnType<typeof textsOf>

const NotebookView = ({ given }: { given: Notebook }): ReactNode => {
  const t = useText(messages)
  const navigate = useNavigate()
  const client = useQueryClient()
  const language = useLanguage()
  const tools = useToolList()
  const known = useKnownNotebooks()
  const [notebook, setNotebook] = useState(given)
  const [texts, setTexts] = useState<Texts>(() => textsOf(given))
  const [saving, setSaving] = useState<'no' | 'saving' | 'saved'>('no')
  const [exporting, setExporting] = useState(false)
  const [drawing, setDrawing] = useState<Omit<ComponentProps<typeof StepFigures>, 'notebook'> | null>(null)
  const [leaving, setLeaving] = useState(false)
  const [opened, setOpened] = useState<string | null>(null)
  const { id } = notebook
  const canEdit = notebook.own || known.some((one) => one.id === id && one.key !== null)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const version = useRef(given.version)
  const queue = useRef<Promise<void>>(Promise.resolve())
  /** As they are now: what is sent is what is true when its turn has come, and not when a key was pressed. */
  const now = useRef(texts)
  const unsaved = useRef(false)
  const removed = useRef<string[]>([])

  const sets = useMemo(() => liveSets(notebook.steps), [notebook])

  const show = useCallback((next: Texts): void => {
    now.current = next
    setTexts(next)
  }, [])
  const take = useCallback(
    (next: Notebook): void => {
      version.current = next.version
      setNotebook(next)
      // What was typed meanwhile is newer than what the server has.
      const kept = unsaved.current ? now.current : textsOf(next)
      show({
        title: kept.title,
        steps: next.steps.map(
          (step) => kept.steps.find((one) => one.id === step.id) ?? { id: step.id, title: step.title, note: step.note },
        ),
      })
      client.setQueryData(['notebook', next.id], next)
      keepNotebook({ id: next.id, title: next.title, key: null })
    },
    [client, show],
  )

  // Another that comes from the server: a step's job has ended, or a step was added on a tool's page.
  useEffect(() => {
    if (given.version > version.current && !unsaved.current) take(given)
    else if (given.version === version.current) setNotebook(given)
  }, [given, take])

  /** One change after the other, each on the version that the one before gave. */
  const enqueue = (work: () => Promise<void>): Promise<void> => {
    queue.current = queue.current.then(async () => {
      try {
        await work()
      } catch (error) {
        setSaving('no')
        if (!(error instanceof RequestError)) throw error
      }
    })
    return queue.current
  }
  const save = (): void => {
    clearTimeout(timer.current)
    void enqueue(async () => {
      if (!unsaved.current) return
      unsaved.current = false
      const sent = { ...now.current, removed: removed.current }
      removed.current = []
      try {
        take(await call(updateNotebook, { id, key: keyOfNotebook(id), version: version.current, ...sent }))
        setSaving(unsaved.current ? 'saving' : 'saved')
      } catch (error) {
        unsaved.current = true
        removed.current = [...sent.removed, ...removed.current]
        throw error
      }
    })
  }
  const change = (next: Texts, at: 'once' | 'later'): void => {
    show(next)
    unsaved.current = true
    setSaving('saving')
    clearTimeout(timer.current)
    if (at === 'once') save()
    else timer.current = setTimeout(save, saveMs)
  }
  const add: AddStep = (step) =>
    enqueue(async () => take(await call(addNotebookStep, { id, key: keyOfNotebook(id), ...step })))
  // What was typed a moment ago is saved when the page is left.
  const latest = useRef(save)
  latest.current = save
  useEffect(() => () => latest.current(), [])

  const exportAll = async (): Promise<void> => {
    setExporting(true)
    try {
      const results = new Map<string, StepResult>()
      const drawn = new Map<string, StepFile[]>()
      for (const step of notebook.steps)
        if (step.run !== null && (step.run.state === 'done' || step.run.state === 'large')) {
          const { run } = step
          const came = await client.fetchQuery(stepResultQuery(id, step.id))
          results.set(step.id, { ...came, inWords: await tellInWords(run.tool, came.result, language) })
          // One after the other: each is drawn whole beside the page, and gone before the next.
          drawn.set(
            step.id,
            await new Promise<StepFile[]>((onDrawn) => setDrawing({ step: step.id, run, onDrawn })).finally(() =>
              setDrawing(null),
            ),
          )
        }
      const files = notebookFiles({
        notebook: { ...notebook, title: texts.title },
        results,
        drawn,
        sets,
        portal: `${location.origin}${addressOf('')}`,
        toolTitle: (tool) => tools.find((one) => one.id === tool)?.title[language] ?? tool,
        exportedAt: new Date().toISOString(),
      })
      const { strToU8, zipSync } = await import('fflate')
      const zipped = zipSync(
        Object.fromEntries(
          Object.entries(files).map(([path, content]) => [
            path,
            typeof content === 'string' ? strToU8(content) : content,
          ]),
        ),
      )
      downloadBlob(
        new Blob([new Uint8Array(zipped)], { type: 'application/zip' }),
        `${fileName(texts.title || 'notebook')}.zip`,
      )
    } catch (error) {
      if (!(error instanceof RequestError)) throw error
    } finally {
      setExporting(false)
    }
  }

  const remove = async (): Promise<void> => {
    try {
      await call(deleteNotebook, { id, key: keyOfNotebook(id) })
      forgetNotebook(id)
      client.removeQueries({ queryKey: ['notebook', id] })
      await client.invalidateQueries({ queryKey: ['notebooks'] })
      await navigate('/notebook')
    } catch (error) {
      if (!(error instanceof RequestError)) throw error
    }
  }

  return (
    <div className="note-stack">
      <PageTitle>{texts.title === '' ? t('untitled') : texts.title}</PageTitle>
      {canEdit ? null : <p className="note-quiet">{t('reading')}</p>}
      <div className="note-head">
        {canEdit ? <h1 className="note-heading">{t('one')}</h1> : null}
        {canEdit ? (
          <TextInput
            className="note-title"
            aria-label={t('title.edit')}
            placeholder={t('untitled')}
            value={texts.title}
            maxLength={notebookLimits.titleCharacters}
            onChange={(event) => change({ ...texts, title: event.target.value }, 'later')}
          />
        ) : (
          <h1 className="note-title">{notebook.title === '' ? t('untitled') : notebook.title}</h1>
        )}
        <span className="note-state" role="status">
          {saving === 'no' ? '' : t(saving)}
        </span>
        <div className="note-actions">
          <Button
            icon={<Link2 size={15} aria-hidden />}
            onClick={() => void copyText(`${location.origin}${addressOf(`/notebook?id=${id}`)}`, t('copy.done'))}
          >
            {t('copy')}
          </Button>
          <Button
            icon={<Download size={15} aria-hidden />}
            busy={exporting}
            disabled={notebook.steps.length === 0}
            onClick={() => void exportAll()}
          >
            {exporting ? t('export.busy') : t('export')}
          </Button>
          {canEdit ? (
            <Button look="quiet" icon={<Trash2 size={15} aria-hidden />} onClick={() => setLeaving(true)}>
              {t('delete')}
            </Button>
          ) : null}
        </div>
      </div>
      {notebook.steps.length === 0 ? (
        <Card>
          <EmptyState icon={<NotebookPen size={22} aria-hidden />} title={t('step.none')} why={t('step.noneWhy')} />
        </Card>
      ) : (
        <ol className="note-steps">
          {notebook.steps.map((step, at) => (
            <StepCard
              key={step.id}
              {...{ notebook, step, at, canEdit }}
              live={sets.find((set) => set.step === step.id)}
              text={texts.steps.find((one) => one.id === step.id) ?? step}
              onText={(part) =>
                change(
                  { ...texts, steps: texts.steps.map((one) => (one.id === step.id ? { ...one, ...part } : one)) },
                  'later',
                )
              }
              onMove={(by) => {
                const steps = [...texts.steps]
                const [moved] = steps.splice(at, 1)
                steps.splice(at + by, 0, moved!)
                change({ ...texts, steps }, 'once')
              }}
              onRemove={() => {
                removed.current = [...removed.current, step.id]
                change({ ...texts, steps: texts.steps.filter((one) => one.id !== step.id) }, 'once')
              }}
              onAdd={add}
              opened={opened === step.id}
              onOpen={(open) => setOpened(open ? step.id : null)}
            />
          ))}
        </ol>
      )}
      <SetFigure notebook={notebook} sets={sets} />
      {drawing === null ? null : <StepFigures key={drawing.step} notebook={id} {...drawing} />}
      {canEdit ? <SetTools notebook={notebook} sets={sets} onAdd={add} /> : null}
      <Dialog
        open={leaving}
        onClose={() => setLeaving(false)}
        title={t('delete')}
        actions={
          <>
            <Button onClick={() => setLeaving(false)}>{t('cancel')}</Button>
            <Button look="danger" onClick={() => void remove()}>
              {t('delete')}
            </Button>
          </>
        }
      >
        <p>{t('delete.why')}</p>
      </Dialog>
    </div>
  )
}

const waitingMs = 3000

const OneNotebook = ({ id }: { id: string }): ReactNode => {
  const answer = useQuery({
    queryKey: ['notebook', id],
    queryFn: (context) => call(getNotebook, { id }, context),
    retry: false,
    refetchInterval: ({ state }) =>
      state.data?.steps.some(({ run }) => run?.state === 'waiting') === true ? waitingMs : false,
  })
  if (answer.data !== undefined) return <NotebookView key={id} given={answer.data} />
  return answer.isError ? <Unanswered of={answer} /> : <Waiting />
}

/** Notebooks: the list of them, or one by its address. */
const NotebookPage = (): ReactNode => {
  const t = useText(messages)
  const [query] = useSearchParams()
  const id = query.get('id')
  return (
    <main className="nv-page">
      {id === null ? (
        <>
          <PageTitle>{t('list.title')}</PageTitle>
          <header className="nv-page-head">
            <div>
              <h1>{t('list.title')}</h1>
              <p className="nv-lead">{t('lead')}</p>
            </div>
          </header>
          <div className="note-stack">
            <ListPage />
            <GeneSetsCard />
          </div>
        </>
      ) : (
        <OneNotebook id={id} />
      )}
    </main>
  )
}

export default NotebookPage
