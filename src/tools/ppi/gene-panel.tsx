import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { Gene } from '../../contracts/genes.ts'
import { runTool } from '../../contracts/tools/jobs.ts'
import { ButtonLink } from '../../kit/ui/controls/button.tsx'
import { Unanswered, Waiting } from '../../kit/ui/controls/empty-state.tsx'
import { SimulatedTag } from '../../kit/ui/controls/expression-fields.tsx'
import { FoldActions } from '../../kit/ui/controls/folding-card.tsx'
import { defineGenePanel, type GeneGist } from '../../kit/ui/gene/define-gene-panel.ts'
import { useFormat, useText } from '../../kit/ui/language.tsx'
import { call } from '../../kit/ui/request.ts'
import messages from './messages.ts'
import { countsRecords } from './network-tables.tsx'
import { NetworkView } from './network-view.tsx'
import { PartnerTable } from './partner-table.tsx'
import { interactionData } from './stored.ts'
import tool, { type NetworkResult, usualPartners, usualScore } from './tool.ts'
import './screen.css'

const useInteractions = ({ assembly, id }: Gene) =>
  useQuery({
    queryKey: ['ppi-panel', assembly, id],
    queryFn: async (context) => {
      const got = await call(runTool, { tool: tool.id, assembly, genes: [id] }, context)
      return 'result' in got ? { result: got.result as NetworkResult, receipt: got.receipt } : null
    },
    staleTime: 5 * 60_000,
    retry: false,
  })

const Panel = ({ gene }: { gene: Gene }): ReactNode => {
  const t = useText(messages)
  const format = useFormat()
  const { assembly, id } = gene
  const answer = useInteractions(gene)
  if (answer.isError) return <Unanswered of={answer} />
  if (answer.data === undefined || answer.data === null) return <Waiting />
  const { result, receipt } = answer.data
  const dataset = result.dataset ?? result.interologSource!.dataset
  const open = new URLSearchParams({ assembly, genes: id, run: '1' })
  if (result.edges.length === 0)
    return (
      <p className="nv-quiet">
        {format.text(dataset.name)}: {t('panel.none', { score: format.number(usualScore, 2) })}
      </p>
    )
  return (
    <div className="ppi-panel">
      <div className="nv-figure-bar">
        <strong>{format.text(dataset.name)}</strong>
        <SimulatedTag simulated={dataset.simulated} />
        {result.partnerTotal > usualPartners ? (
          <span className="nv-quiet">{t('panel.more', { shown: usualPartners, total: result.partnerTotal })}</span>
        ) : null}
        <FoldActions>
          <ButtonLink size="small" look="quiet" to={`${tool.route}?${open}`}>
            {t('panel.open')}
          </ButtonLink>
        </FoldActions>
      </div>
      <NetworkView
        result={result}
        receipt={receipt}
        name={`${id}-ppi`}
        height={380}
        asked={countsRecords(result) ? 1 : usualScore}
      />
      <PartnerTable result={result} receipt={receipt} gene={id} />
    </div>
  )
}

const useGist = (gene: Gene): GeneGist | undefined => {
  const t = useText(messages)
  const format = useFormat()
  const result = useInteractions(gene).data?.result
  if (result === undefined) return undefined
  const dataset = format.text((result.dataset ?? result.interologSource!.dataset).name)
  return {
    count: result.partnerTotal,
    text:
      result.edges.length === 0
        ? t('panel.none', { score: format.number(usualScore, 2) })
        : t('panel.gist', { count: result.partnerTotal, dataset }),
  }
}

export default defineGenePanel({
  id: tool.id,
  messages,
  needs: interactionData,
  section: { topic: 'interactions', order: 10, heightPx: 900, useGist, Panel },
})
