import { Layers, Pencil, Trash2 } from 'lucide-react'
import { type ReactNode, useEffect, useState } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { addNotebookStep, notebookLimits } from '../../contracts/notebooks.ts'
import { Button } from '../../kit/ui/controls/button.tsx'
import { Card } from '../../kit/ui/controls/card.tsx'
import { Dialog } from '../../kit/ui/controls/dialog.tsx'
import { Answered, EmptyState } from '../../kit/ui/controls/empty-state.tsx'
import { FileButton, TextInput } from '../../kit/ui/controls/field.tsx'
import { Menu } from '../../kit/ui/controls/menu.tsx'
import {
  deleteGeneSet,
  type GeneSet,
  geneSetsAnchor,
  importGeneSets,
  renameGeneSet,
  useGeneSets,
} from '../../kit/ui/gene/gene-sets.ts'
import { useFormat, useLanguage, useText } from '../../kit/ui/language.tsx'
import { showNotice } from '../../kit/ui/notices.ts'
import { call, RequestError } from '../../kit/ui/request.ts'
import { downloadBlob } from '../../kit/ui/table/export.ts'
import { startNotebook } from '../../kit/ui/tool/start-notebook.ts'
import { useGeneTools } from '../../kit/ui/tool/tool-list.ts'
import { formatLine } from '../../kit/write-table.ts'
import { messages } from '../messages/account.ts'
import { PagedTable } from '../paged-table.tsx'
import { useAccountGeneSets } from './gene-set-sync.tsx'
import '../pages/account/account.css'

const asGmt = (sets: GeneSet[]): string =>
  sets.map((set) => formatLine([set.name, set.assembly ?? '', ...set.genes])).join('')

/** The reader's gene sets: renamed, sent to tools, combined, kept as files. Those of this browser; with an account they are its sets, too. */
export const GeneSetsCard = (): ReactNode => {
  const t = useText(messages)
  const format = useFormat()
  const language = useLanguage()
  const sets = useGeneSets()
  const { name: account, answer: held } = useAccountGeneSets()
  const tools = useGeneTools()
  const navigate = useNavigate()
  const [renaming, setRenaming] = useState<{ id: string; name: string } | null>(null)
  const [leaving, setLeaving] = useState<GeneSet | null>(null)
  const [chosen, setChosen] = useState<readonly string[]>([])
  const [busy, setBusy] = useState(false)
  const { hash } = useLocation()
  useEffect(() => {
    if (hash === `#${geneSetsAnchor}`) document.getElementById(geneSetsAnchor)?.scrollIntoView()
  }, [hash])
  const parts = chosen.flatMap((id) => sets.find((set) => set.id === id) ?? [])
  /** A combination follows its sets, which only a notebook keeps together. */
  const combine = async (): Promise<void> => {
    setBusy(true)
    try {
      const { id, key } = await startNotebook()
      for (const { name, assembly, genes } of parts)
        await call(addNotebookStep, {
          id,
          key: key ?? undefined,
          title: name.slice(0, notebookLimits.titleCharacters),
          set: { assembly, genes: genes.slice(0, notebookLimits.genes), made: null },
        })
      await navigate(`/notebook?id=${id}`)
    } catch (error) {
      // Told by the error handler.
      if (!(error instanceof RequestError)) throw error
    } finally {
      setBusy(false)
    }
  }
  const save = (text: string, name: string, type: string): void => downloadBlob(new Blob([text], { type }), name)
  return (
    <Card
      flush
      id={geneSetsAnchor}
      title={t('center.sets')}
      actions={
        <>
          {sets.length < 2 ? null : (
            <Button
              size="small"
              look={parts.length < 2 ? 'default' : 'primary'}
              icon={<Layers size={14} aria-hidden />}
              disabled={parts.length < 2}
              busy={busy}
              title={t('center.combineWhy')}
              onClick={() => void combine()}
            >
              {t('center.combine')}
            </Button>
          )}
          <FileButton
            accept=".json,.gmt,.txt"
            maximumBytes={50_000_000}
            onText={(text) => {
              const count = importGeneSets(text)
              showNotice(
                count === null
                  ? { kind: 'message', level: 'warning', text: t('center.importFailed') }
                  : { kind: 'message', level: 'success', text: t('center.imported', { count }) },
              )
            }}
          />
          {sets.length === 0 ? null : (
            <>
              <Button
                size="small"
                look="quiet"
                onClick={() => save(asGmt(sets), 'gene-sets.gmt', 'text/tab-separated-values')}
              >
                {t('center.export')}
              </Button>
              <Button
                size="small"
                look="quiet"
                onClick={() => save(JSON.stringify(sets, null, 2), 'gene-sets.json', 'application/json')}
              >
                {t('center.exportJson')}
              </Button>
            </>
          )}
        </>
      }
    >
      <PagedTable
        label={t('center.sets')}
        rows={sets}
        rowKey={(set) => set.id}
        {...(sets.length < 2
          ? {}
          : {
              selection: {
                selected: new Set(chosen),
                all: sets.every(({ id }) => chosen.includes(id)),
                allLabel: t('center.chooseAll'),
                onAll: (on: boolean) => setChosen(on ? sets.map(({ id }) => id) : []),
                onSelect: (id: string, on: boolean) =>
                  setChosen(on ? [...chosen, id] : chosen.filter((one) => one !== id)),
              },
            })}
        none={
          // A visitor's sets are this browser's: nothing is asked for.
          account === null ? (
            <EmptyState title={t('center.noSets')} why={t('center.noSetsWhy')} />
          ) : (
            <Answered of={held}>{() => <EmptyState title={t('center.noSets')} why={t('center.noSetsWhy')} />}</Answered>
          )
        }
        columns={[
          {
            key: 'name',
            title: t('center.setName'),
            value: (set) => set.name,
            render: (set) =>
              renaming?.id === set.id ? (
                <form
                  className="account-actions"
                  onSubmit={(event) => {
                    event.preventDefault()
                    if (renaming.name.trim() !== '') renameGeneSet(set.id, renaming.name.trim())
                    setRenaming(null)
                  }}
                >
                  <TextInput
                    aria-label={t('center.setName')}
                    value={renaming.name}
                    maxLength={200}
                    onChange={(event) => setRenaming({ id: set.id, name: event.target.value })}
                  />
                  <Button type="submit" size="small" look="primary">
                    {t('settings.save')}
                  </Button>
                </form>
              ) : (
                set.name
              ),
          },
          { key: 'genes', title: t('center.genes'), kind: 'number', value: (set) => set.genes.length },
          { key: 'assembly', title: t('center.assembly'), value: (set) => set.assembly ?? t('center.mixed') },
          {
            key: 'created',
            title: t('center.created'),
            value: (set) => set.created,
            render: (set) => format.dateTime(set.created),
          },
          {
            key: 'actions',
            title: '',
            value: () => null,
            render: (set) => (
              <span className="account-actions">
                <Menu
                  size="small"
                  look="quiet"
                  label={t('center.sendTo')}
                  items={tools.map((tool) => ({
                    key: tool.id,
                    icon: <tool.icon size={15} aria-hidden />,
                    label: tool.title[language],
                    run: () =>
                      void navigate(
                        `${tool.route}?${new URLSearchParams({ set: set.id, ...(set.assembly === null ? {} : { assembly: set.assembly }) })}`,
                      ),
                  }))}
                />
                <Button
                  size="small"
                  look="quiet"
                  aria-label={t('center.rename')}
                  title={t('center.rename')}
                  icon={<Pencil size={15} aria-hidden />}
                  onClick={() => setRenaming({ id: set.id, name: set.name })}
                />
                <Button
                  size="small"
                  look="quiet"
                  aria-label={t('center.delete')}
                  title={t('center.delete')}
                  icon={<Trash2 size={15} aria-hidden />}
                  onClick={() => setLeaving(set)}
                />
              </span>
            ),
          },
        ]}
      />
      <Dialog
        open={leaving !== null}
        onClose={() => setLeaving(null)}
        title={t('center.deleteSet', { name: leaving?.name })}
        actions={
          <>
            <Button onClick={() => setLeaving(null)}>{t('center.cancelAction')}</Button>
            <Button
              look="danger"
              onClick={() => {
                if (leaving !== null) deleteGeneSet(leaving.id)
                setLeaving(null)
              }}
            >
              {t('center.delete')}
            </Button>
          </>
        }
      >
        <p>{t('center.deleteSetWhy', { count: leaving?.genes.length ?? 0 })}</p>
      </Dialog>
    </Card>
  )
}
