import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useEffect } from 'react'
import type { Gene } from '../../contracts/genes.ts'
import { runTool } from '../../contracts/tools/jobs.ts'
import { ButtonLink } from '../../kit/ui/controls/button.tsx'
import { Unanswered, Waiting } from '../../kit/ui/controls/empty-state.tsx'
import { SimulatedTag } from '../../kit/ui/controls/expression-fields.tsx'
import { defineGenePanel } from '../../kit/ui/gene/define-gene-panel.ts'
import { useFormat, useText } from '../../kit/ui/language.tsx'
import { call } from '../../kit/ui/request.ts'
import messages from './messages.ts'
import { countsRecords } from './network-tables.tsx'
import { NetworkView } from './network-view.tsx'
import { PartnerTable } from './partner-table.tsx'
import { interactionData } from './stored.ts'
import tool, { type NetworkResult, usualPartners, usualScore } from './tool.ts'
import './screen.css'

const Panel = ({ gene, report }: { gene: Gene; report: (count: number) => void }): ReactNode => {
  const t = useText(messages)
  const format = useFormat()
  const { assembly, id } = gene
  const answer = useQuery({
    queryKey: ['ppi-panel', assembly, id],
    queryFn: async (context) => {
      const got = await call(runTool, { tool: tool.id, assembly, genes: [id] }, context)
      return 'result' in got ? { result: got.result as NetworkResult, receipt: got.receipt } : null
    },
    staleTime: 5 * 60_000,
    retry: false,
  })
  const count = answer.data?.result.partnerTotal
  useEffect(() => {
    if (count !== undefined) report(count)
  }, [count, report])
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
        <ButtonLink size="small" to={`${tool.route}?${open}`}>
          {t('panel.open')}
        </ButtonLink>
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

export default defineGenePanel({ id: tool.id, order: 108, messages, needs: interactionData, Panel })
