import type { ReactNode } from 'react'
import type { z } from 'zod'
import { useAssemblyList } from '../../kit/ui/gene/species-names.tsx'
import { useText } from '../../kit/ui/language.tsx'
import { defineScreen, type ResultProps } from '../../kit/ui/tool/define-screen.ts'
import { FamilyFigure } from './family-figure.tsx'
import messages from './messages.ts'
import tool, { type ProteinResult } from './tool.ts'
import './screen.css'

type Props = ResultProps<z.output<(typeof tool)['input']>, ProteinResult>

const ResultView = ({ result, receipt }: Props): ReactNode => {
  const t = useText(messages)
  const listOf = useAssemblyList()
  const { unknown, noProtein, ambiguous, leftOut, missing, proteins } = result
  return (
    <>
      {missing.length === 0 ? null : <p className="nv-warn">{t('note.missing', { assemblies: listOf(missing) })}</p>}
      {unknown.length === 0 ? null : <p className="nv-warn">{t('note.unknown', { names: unknown.join(', ') })}</p>}
      {ambiguous.length === 0 ? null : (
        <p className="nv-warn">
          {t('note.ambiguous', { names: ambiguous.map(({ name, gene }) => `${name} → ${gene}`).join(', ') })}
        </p>
      )}
      {noProtein.length === 0 ? null : (
        <p className="nv-warn">{t('note.noProtein', { genes: noProtein.join(', ') })}</p>
      )}
      {leftOut === 0 ? null : <p className="nv-warn">{t('note.leftOut', { count: leftOut })}</p>}
      {proteins.some(({ features }) => features.length > 0) ? null : <p className="nv-warn">{t('note.noFeatures')}</p>}
      {proteins.length === 0 ? null : (
        <FamilyFigure result={result} name={`${proteins[0]!.gene}-proteins`} receipt={receipt} />
      )}
    </>
  )
}

export default defineScreen({
  tool,
  messages,
  pictures: import.meta.glob<string>('./preview.*.webp', { eager: true, query: '?url', import: 'default' }),
  Result: ResultView,
  layout: 'top',
  fields: { assembly: { needs: 'proteins' }, genes: { widget: 'genes', rows: 3 } },
  headline: ({ result, t }) =>
    t(result.columns === null ? 'head.plain' : 'head.family', {
      proteins: result.proteins.length,
      assemblies: new Set(result.proteins.map(({ assembly }) => assembly)).size,
      columns: result.columns ?? 0,
      features: result.proteins.reduce((sum, { features }) => sum + features.length, 0),
    }),
})
