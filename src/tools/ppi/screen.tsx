import type { ReactNode } from 'react'
import type { z } from 'zod'
import { EmptyState } from '../../kit/ui/controls/empty-state.tsx'
import { SimulatedTag } from '../../kit/ui/controls/expression-fields.tsx'
import { NamesNote } from '../../kit/ui/gene/names-note.tsx'
import { WithSymbols } from '../../kit/ui/gene/with-symbols.tsx'
import { useFormat, useText } from '../../kit/ui/language.tsx'
import { call } from '../../kit/ui/request.ts'
import { defineScreen, type ResultProps } from '../../kit/ui/tool/define-screen.ts'
import { listDatasets } from './endpoints.ts'
import { PpiForm } from './form.tsx'
import messages from './messages.ts'
import { countsRecords, EdgeTable, GeneTable } from './network-tables.tsx'
import { NetworkView } from './network-view.tsx'
import { StartView } from './start-view.tsx'
import { interactionData } from './stored.ts'
import tool, { type NetworkResult } from './tool.ts'
import './screen.css'

type Input = z.output<(typeof tool)['input']>

const ResultView = ({ input, result, receipt }: ResultProps<Input, NetworkResult>): ReactNode => {
  const t = useText(messages)
  const format = useFormat()
  const { assembly, nodes, edges, unknown, ambiguous, alone, interologSource: other } = result
  const guides = nodes.filter(({ shell }) => shell === 0)
  const partners = nodes.filter(({ shell }) => shell === 1).length
  const symbols = new Map(nodes.map(({ id, symbol }) => [id, symbol ?? id]))
  const name = `${guides.length === 1 ? guides[0]!.id : `${assembly}-${guides.length}-genes`}-ppi`
  return (
    <>
      <NamesNote assembly={assembly} unknown={unknown} ambiguous={ambiguous} />
      {alone.length === 0 ? null : (
        <p className="nv-warn">{t('note.alone', { names: format.names(alone.map((id) => symbols.get(id) ?? id)) })}</p>
      )}
      {result.partnerTotal > partners ? (
        <p className="nv-quiet">{t('note.moreGenes', { total: result.partnerTotal, shown: partners })}</p>
      ) : null}
      {result.edgeTotal > edges.length ? (
        <p className="nv-warn">{t('note.cutEdges', { total: result.edgeTotal, shown: edges.length })}</p>
      ) : null}
      {other === null ? null : (
        <p className="nv-quiet">
          {t('note.interologs', { other: other.assembly, dataset: format.text(other.dataset.name) })}
        </p>
      )}
      {edges.length === 0 ? (
        <EmptyState title={t('table.none')} why={t('table.noneWhy')} />
      ) : (
        <>
          <NetworkView
            key={receipt.startedAt}
            result={result}
            receipt={receipt}
            name={name}
            asked={countsRecords(result) ? input.minimumRecords : input.minimumScore}
          />
          <GeneTable result={result} receipt={receipt} name={name} />
          <EdgeTable result={result} receipt={receipt} name={name} />
        </>
      )}
    </>
  )
}

const Headline = ({ result }: { result: NetworkResult }): ReactNode => {
  const t = useText(messages)
  const format = useFormat()
  const { nodes, edges, clustering, among, partnerTotal } = result
  const dataset = result.dataset ?? result.interologSource!.dataset
  const guides = nodes.filter(({ shell }) => shell === 0)
  return (
    <>
      <WithSymbols
        genes={guides}
        text={format.sentences([
          guides.length === 1
            ? t('head.partners', { gene: guides[0]!.symbol ?? guides[0]!.id, count: partnerTotal })
            : '',
          t('head.found', {
            genes: nodes.length,
            edges: edges.length,
            clusters: clustering.count,
            dataset: format.text(dataset.name),
          }),
          among === null
            ? ''
            : t('head.among', {
                observed: among.observed,
                expected: format.statistic(among.expected),
                p: format.pValue(among.pValue),
              }),
        ])}
      />{' '}
      <SimulatedTag simulated={dataset.simulated} beside={dataset.name} />
    </>
  )
}

export default defineScreen({
  tool,
  messages,
  pictures: import.meta.glob<string>('./preview.*.webp', { eager: true, query: '?url', import: 'default' }),
  Form: PpiForm,
  Start: StartView,
  Result: ResultView,
  loadExample: async ({ assembly }) => {
    if (typeof assembly !== 'string') return null
    const { datasets } = await call(listDatasets, { assembly })
    const gene = datasets[0]?.examples[0]
    return gene === undefined ? null : { assembly, genes: [gene] }
  },
  headline: ({ result }) => <Headline result={result} />,
  fields: { assembly: { needs: interactionData } },
})
