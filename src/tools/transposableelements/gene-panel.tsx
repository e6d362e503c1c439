import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useEffect } from 'react'
import type { Gene } from '../../contracts/genes.ts'
import { ButtonLink } from '../../kit/ui/controls/button.tsx'
import { Unanswered, Waiting } from '../../kit/ui/controls/empty-state.tsx'
import { defineGenePanel } from '../../kit/ui/gene/define-gene-panel.ts'
import { useFormat, useText } from '../../kit/ui/language.tsx'
import { callToolRoute } from '../../kit/ui/tool/tool-route.ts'
import { geneAnswer } from './endpoints.ts'
import messages from './messages.ts'
import { NearTable } from './near-view.tsx'
import tool from './tool.ts'
import './screen.css'

const aroundBp = 5000

const Panel = ({ gene, report }: { gene: Gene; report: (count: number) => void }): ReactNode => {
  const t = useText(messages)
  const format = useFormat()
  const answer = useQuery({
    queryKey: ['te-gene', gene.assembly, gene.id],
    queryFn: (context) =>
      callToolRoute(
        'GET',
        tool.id,
        'gene/',
        { assembly: gene.assembly, gene: gene.id, flankBp: aroundBp },
        geneAnswer,
        context,
      ),
    staleTime: 5 * 60_000,
    retry: false,
  })
  const count = answer.data?.rows.length
  useEffect(() => {
    if (count !== undefined) report(count)
  }, [count, report])
  if (answer.isError) return <Unanswered of={answer} />
  if (answer.data === undefined) return <Waiting />
  const distance = format.basePairs(aroundBp)
  const address = new URLSearchParams({
    task: 'genes',
    genes: gene.id,
    assembly: gene.assembly,
    flankBp: String(aroundBp),
    run: '1',
  })
  return (
    <div className="te-panel">
      <p className="nv-quiet">
        {answer.data.rows.length === 0
          ? t('panel.none', { distance })
          : t('panel.lead', { count: answer.data.rows.length, distance })}
      </p>
      {answer.data.rows.length === 0 ? null : (
        <NearTable rows={answer.data.rows} name={`${gene.id}-transposons`} rate={answer.data.rate} pageSize={25} />
      )}
      <p>
        <ButtonLink to={`${tool.route}?${address}`}>{t('panel.open')}</ButtonLink>
      </p>
    </div>
  )
}

export default defineGenePanel({
  id: 'transposableelements',
  order: 150,
  messages,
  needs: 'transposableElements',
  Panel,
})
