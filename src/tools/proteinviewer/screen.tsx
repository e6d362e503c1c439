import { type ReactNode, useState } from 'react'
import type { z } from 'zod'
import { useAssemblyList } from '../../kit/ui/gene/species-names.tsx'
import { useText } from '../../kit/ui/language.tsx'
import { defineScreen, type ResultProps } from '../../kit/ui/tool/define-screen.ts'
import { FamilyFigure } from './family-figure.tsx'
import messages from './messages.ts'
import { ProteinFigure, type Selection } from './protein-figure.tsx'
import tool, { type Protein, type ProteinResult } from './tool.ts'
import './screen.css'

type Props = ResultProps<z.output<(typeof tool)['input']>, ProteinResult>

/** Proteins that have a figure each, with their variants; more stand beneath each other in one. */
const mostApart = 8

const ProteinPart = ({ protein, receipt }: { protein: Protein; receipt: Props['receipt'] }): ReactNode => {
  const [selection, setSelection] = useState<Selection | null>(null)
  return (
    <ProteinFigure protein={protein} isOneOfSeveral selection={selection} onSelect={setSelection} receipt={receipt} />
  )
}

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
      {proteins.some(({ features }) => features.length > 0) ? null : <p className="nv-quiet">{t('note.noFeatures')}</p>}
      {result.columns === null && proteins.length <= mostApart ? (
        proteins.map((protein) => (
          <ProteinPart key={`${protein.assembly} ${protein.transcript}`} protein={protein} receipt={receipt} />
        ))
      ) : (
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
      variants: result.proteins.reduce((sum, { variants }) => sum + variants.length, 0),
    }),
})
