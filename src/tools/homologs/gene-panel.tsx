import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useEffect } from 'react'
import type { Gene } from '../../contracts/genes.ts'
import { runTool } from '../../contracts/tools/jobs.ts'
import { ButtonLink } from '../../kit/ui/controls/button.tsx'
import { Unanswered, Waiting } from '../../kit/ui/controls/empty-state.tsx'
import { defineGenePanel } from '../../kit/ui/gene/define-gene-panel.ts'
import { StaleHomology } from '../../kit/ui/gene/stale-homology.tsx'
import { useText } from '../../kit/ui/language.tsx'
import { useComparison } from '../../kit/ui/portal-data.ts'
import { call } from '../../kit/ui/request.ts'
import { HomologTable } from './homolog-table.tsx'
import messages from './messages.ts'
import { OrthogroupCard } from './orthogroup-card.tsx'
import tool from './tool.ts'
import './screen.css'

const Panel = ({ gene, report }: { gene: Gene; report: (count: number) => void }): ReactNode => {
  const t = useText(messages)
  const { ready, lacking } = useComparison()
  const answer = useQuery({
    queryKey: ['homologs-panel', gene.assembly, gene.id],
    queryFn: async (context) => {
      const input = { by: 'genes', genes: [gene.id], assembly: gene.assembly }
      const got = await call(runTool, { ...input, tool: tool.id }, context)
      return 'result' in got ? { result: tool.result.parse(got.result), receipt: got.receipt } : null
    },
    enabled: ready,
    staleTime: 5 * 60_000,
    retry: false,
  })
  const query = answer.data?.result.queries[0]
  const count = query?.total ?? (answer.isPending && lacking === null ? undefined : 0)
  useEffect(() => {
    if (count !== undefined) report(count)
  }, [count, report])
  if (lacking !== null) return <p className="nv-quiet">{t('problem.notComputed')}</p>
  if (answer.isError) return <Unanswered of={answer} />
  if (answer.isPending) return <Waiting />
  if (answer.data === null || query === undefined) return null
  const { result, receipt } = answer.data
  const address = new URLSearchParams({ by: 'genes', genes: gene.id, assembly: gene.assembly, run: '1' })
  return (
    <div className="hom-panel">
      <StaleHomology state={result} />
      {query.total === 0 ? <p className="nv-quiet">{t('panel.nothing')}</p> : null}
      <OrthogroupCard query={query} assemblies={result.assemblies} receipt={receipt} />
      {query.total === 0 ? null : (
        <HomologTable homologs={query.homologs} name={`${gene.id}-homologs`} receipt={receipt} pageSize={25} />
      )}
      <p>
        <ButtonLink to={`${tool.route}?${address}`}>{t('panel.open')}</ButtonLink>
      </p>
    </div>
  )
}

export default defineGenePanel({ id: 'homologs', order: 120, messages, needs: 'proteins', Panel })
