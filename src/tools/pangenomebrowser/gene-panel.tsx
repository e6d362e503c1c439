import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useEffect } from 'react'
import type { Gene } from '../../contracts/genes.ts'
import { ButtonLink } from '../../kit/ui/controls/button.tsx'
import { Unanswered, Waiting } from '../../kit/ui/controls/empty-state.tsx'
import { defineGenePanel } from '../../kit/ui/gene/define-gene-panel.ts'
import { useFormat, useText } from '../../kit/ui/language.tsx'
import { call } from '../../kit/ui/request.ts'
import { listGraphs } from './endpoints.ts'
import messages from './messages.ts'
import tool from './tool.ts'

/** Graphs that have the gene. */
const Panel = ({ gene, report }: { gene: Gene; report: (count: number) => void }): ReactNode => {
  const t = useText(messages)
  const format = useFormat()
  const { assembly } = gene
  const answer = useQuery({
    queryKey: ['graphs', assembly],
    queryFn: (context) => call(listGraphs, { assembly }, context),
    staleTime: 300_000,
  })
  const graphs = answer.data?.graphs.filter(
    ({ loci }) =>
      loci === null ||
      loci.some(({ sequence, start, end }) => sequence === gene.sequence && gene.end >= start && gene.start <= end),
  )
  const count = graphs?.length
  useEffect(() => {
    if (count !== undefined) report(count)
  }, [count, report])
  if (answer.isError) return <Unanswered of={answer} />
  if (graphs === undefined) return <Waiting />
  if (graphs.length === 0) return <p className="nv-quiet">{t('panel.none')}</p>
  return (
    <ul className="nv-plain">
      {graphs.map((graph) => (
        <li key={graph.id}>
          {format.text(graph.name)} – {t('panel.samples', { count: graph.samples.length })}{' '}
          <ButtonLink
            size="small"
            to={`${tool.route}?${new URLSearchParams({ assembly, graph: graph.id, locus: gene.id, run: '1' })}`}
          >
            {t('panel.open')}
          </ButtonLink>
        </li>
      ))}
    </ul>
  )
}

export default defineGenePanel({ id: tool.id, order: 126, messages, Panel })
