import { useQueryClient } from '@tanstack/react-query'
import { NotebookPen, Plus } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { useNavigate } from 'react-router'
import { addNotebookStep, notebookLimits } from '../../../contracts/notebooks.ts'
import { runTool } from '../../../contracts/tools/jobs.ts'
import { Menu } from '../controls/menu.tsx'
import { useText } from '../language.tsx'
import { messages } from '../messages.ts'
import { showNotice } from '../notices.ts'
import { call, RequestError } from '../request.ts'
import { keepNotebook, keyOfNotebook, useKnownNotebooks } from './notebooks.ts'
import { startNotebook } from './start-notebook.ts'

const shownNotebooks = 12

/** Puts a run into a notebook: its job, or for an answer given at once a job of the same question, which gives the same. */
export const AddToNotebook = ({
  tool,
  job,
  inputOf,
  titleOf,
}: {
  tool: string
  job: string | null
  inputOf: () => Record<string, unknown>
  /** What was found, in the reader's words. */
  titleOf: () => string
}): ReactNode => {
  const t = useText(messages)
  const known = useKnownNotebooks()
  const navigate = useNavigate()
  const client = useQueryClient()
  const [busy, setBusy] = useState(false)

  const add = async (notebook: string | null): Promise<void> => {
    setBusy(true)
    try {
      const id = notebook ?? (await startNotebook()).id
      const started =
        job ?? (await call(runTool, { ...inputOf(), tool }, { headers: { Prefer: 'respond-async' } })).job?.id
      if (started === undefined) return
      const { title } = await call(addNotebookStep, {
        id,
        key: keyOfNotebook(id),
        title: titleOf().slice(0, notebookLimits.titleCharacters),
        job: started,
      })
      keepNotebook({ id, title, key: null })
      await client.invalidateQueries({ queryKey: ['notebook', id] })
      showNotice({
        kind: 'message',
        level: 'success',
        text: t('notebook.added'),
        action: { label: t('notebook.open'), run: () => void navigate(`/notebook?id=${id}`) },
      })
    } catch (error) {
      // Told by the error handler.
      if (!(error instanceof RequestError)) throw error
    } finally {
      setBusy(false)
    }
  }
  return (
    <Menu
      size="small"
      look="quiet"
      disabled={busy}
      icon={<NotebookPen size={14} aria-hidden />}
      label={t('notebook.add')}
      items={[
        ...known.slice(0, shownNotebooks).map(({ id, title }) => ({
          key: id,
          label: title === '' ? t('notebook.untitled') : title,
          run: () => void add(id),
        })),
        {
          key: 'new',
          icon: <Plus size={14} aria-hidden />,
          label: t('notebook.new'),
          run: () => void add(null),
        },
      ]}
    />
  )
}
