import type { ReactNode } from 'react'
import type { z } from 'zod'
import { useText } from '../../kit/ui/language.tsx'
import { defineScreen, type ResultProps } from '../../kit/ui/tool/define-screen.ts'
import type { PathwayList } from './endpoints.ts'
import { hints, PathwayForm } from './form.tsx'
import messages from './messages.ts'
import { PathwayTable } from './pathway-table.tsx'
import { StartView } from './start-view.tsx'
import tool from './tool.ts'
import './screen.css'

/** Names not found that are told. */
const namesTold = 20

const ResultView = ({ input, result, receipt }: ResultProps<z.output<typeof tool.input>, PathwayList>): ReactNode => {
  const t = useText(messages)
  return (
    <>
      {result.unknown.length === 0 ? null : (
        <p className="nv-warn">{t('list.unknown', { names: result.unknown.slice(0, namesTold).join(', ') })}</p>
      )}
      <PathwayTable list={result} genes={input.genes ?? []} source={input.source} receipt={receipt} />
    </>
  )
}

export default defineScreen({
  tool,
  messages,
  pictures: import.meta.glob<string>('./preview.*.webp', { eager: true, query: '?url', import: 'default' }),
  Form: PathwayForm,
  fields: hints,
  Start: StartView,
  Result: ResultView,
  headline: ({ input, result, t }) => {
    const assembly = result.assembly ?? ''
    if (input.genes === undefined) return t('head.list', { assembly, count: result.pathways.length })
    const best = result.pathways[0]
    return t('head.set', {
      assembly,
      genes: result.setSize,
      count: result.pathways.filter(({ setGenes }) => setGenes.length > 0).length,
      best: best === undefined || best.setGenes.length === 0 ? 'none' : (best.name ?? best.id),
      shared: best?.setGenes.length ?? 0,
    })
  },
})
