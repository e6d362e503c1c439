import type { ReactNode } from 'react'
import { useSearchParams } from 'react-router'
import type { z } from 'zod'
import { useText } from '../../kit/ui/language.tsx'
import { definePage, defineScreen, type ResultProps, type Screen } from '../../kit/ui/tool/define-screen.ts'
import { ToolScreen } from '../../kit/ui/tool/tool-screen.tsx'
import { RateField, TransposonNav, useRate } from './element-parts.tsx'
import { FoundView } from './found-view.tsx'
import messages from './messages.ts'
import { NearTable, RelationFigure } from './near-view.tsx'
import { StartView } from './start-view.tsx'
import tool, { limits, type TransposonResult } from './tool.ts'
import './screen.css'

type Input = z.output<(typeof tool)['input']>

const ResultView = ({ input, result, receipt, job }: ResultProps<Input, TransposonResult>): ReactNode => {
  const t = useText(messages)
  const rate = useRate(result.near?.statedRate ?? null)
  if (result.identify !== null)
    return <FoundView input={input} identify={result.identify} receipt={receipt} job={job} />
  const { near } = result
  if (near === null) return null
  return (
    <>
      {near.unknown.length > 0 ? (
        <p className="nv-warn">{t('near.unknown', { assembly: near.assembly, names: near.unknown.join(', ') })}</p>
      ) : null}
      {near.ambiguous.length > 0 ? (
        <p className="nv-quiet">{t('near.ambiguous', { names: near.ambiguous.join(', ') })}</p>
      ) : null}
      {near.cut ? <p className="nv-warn">{t('near.cut', { limit: limits.rows })}</p> : null}
      {near.rows.length === 0 ? null : <RelationFigure rows={near.rows} name={near.assembly} receipt={receipt} />}
      {near.rows.some(({ element }) => element.ltrDivergence !== null) ? <RateField stated={near.statedRate} /> : null}
      <NearTable rows={near.rows} name={`${near.assembly}-genes-transposons`} rate={rate} receipt={receipt} />
    </>
  )
}

const identifies = (values: Record<string, unknown>): boolean => values.task !== 'genes'
const looksFor = (values: Record<string, unknown>, what: string): boolean =>
  identifies(values) && (!Array.isArray(values.methods) || values.methods.length === 0 || values.methods.includes(what))

const searchScreen = defineScreen({
  tool,
  messages,
  pictures: import.meta.glob<string>('./preview.*.webp', { eager: true, query: '?url', import: 'default' }),
  Start: StartView,
  Result: ResultView,
  example: ({ assemblies }, values) => {
    if (identifies(values)) return null
    const own = tool.example({ assemblies })
    return own === null
      ? null
      : { task: 'genes' as const, ...(own.assembly === undefined ? {} : { assembly: own.assembly }) }
  },
  fields: {
    source: { when: identifies },
    assembly: { allowAll: true },
    region: { when: (values) => identifies(values) && values.source !== 'sequence' },
    sequence: { widget: 'sequence', rows: 8, when: (values) => identifies(values) && values.source === 'sequence' },
    methods: { when: identifies },
    genes: { widget: 'genes', when: (values) => !identifies(values) },
    flankBp: { when: (values) => !identifies(values) },
    orders: { when: (values) => !identifies(values), advanced: true },
    overlaps: { advanced: true, when: (values) => looksFor(values, 'ltr') },
    similarity: { advanced: true, when: identifies },
    minLtrBp: { advanced: true, when: (values) => looksFor(values, 'ltr') },
    maxLtrBp: { advanced: true, when: (values) => looksFor(values, 'ltr') },
    minDistanceBp: { advanced: true, when: (values) => looksFor(values, 'ltr') },
    maxDistanceBp: { advanced: true, when: (values) => looksFor(values, 'ltr') },
    minTsdBp: { advanced: true, when: (values) => looksFor(values, 'ltr') },
    maxTsdBp: { advanced: true, when: (values) => looksFor(values, 'ltr') },
    seedBp: { advanced: true, when: (values) => looksFor(values, 'ltr') },
    minTirBp: { advanced: true, when: (values) => looksFor(values, 'tir') },
    tirSeedBp: { advanced: true, when: (values) => looksFor(values, 'tir') },
    maxTirDistanceBp: { advanced: true, when: (values) => looksFor(values, 'tir') },
    profiles: { advanced: true, rows: 5, widget: 'sequence', when: identifies },
    domainEvalue: { advanced: true, when: identifies },
  },
  headline: ({ result, t, format }) => {
    const { identify, near } = result
    if (identify !== null)
      return t('head.identify', {
        locus: identify.assembly === null ? 'pasted' : 'loaded',
        assembly: identify.assembly ?? '',
        count: identify.elements.length,
        length: format.basePairs(identify.searchedBp),
        classified: identify.elements.filter(({ code }) => !code.endsWith('X')).length,
        annotated:
          identify.annotatedFull === null ? -1 : identify.elements.filter(({ annotated }) => annotated !== null).length,
      })
    return t('head.near', {
      assembly: near?.assembly ?? '',
      rows: near?.rows.length ?? 0,
      genes: near?.geneCount ?? 0,
      elements: near?.elementCount ?? 0,
    })
  },
})

const Page = (): ReactNode => {
  const [query] = useSearchParams()
  return (
    <ToolScreen
      key={tool.id}
      screen={searchScreen as unknown as Screen}
      pages={
        <TransposonNav
          now={query.get('task') === 'genes' ? 'genes' : 'overview'}
          assembly={query.get('assembly') ?? ''}
        />
      }
    />
  )
}

export default definePage({ Page })
