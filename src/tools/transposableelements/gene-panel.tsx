import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { Gene } from '../../contracts/genes.ts'
import { ButtonLink } from '../../kit/ui/controls/button.tsx'
import { Unanswered, Waiting } from '../../kit/ui/controls/empty-state.tsx'
import { FoldActions } from '../../kit/ui/controls/folding-card.tsx'
import { defineGenePanel, type GeneGist } from '../../kit/ui/gene/define-gene-panel.ts'
import { useFormat, useText } from '../../kit/ui/language.tsx'
import { callToolRoute } from '../../kit/ui/tool/tool-route.ts'
import { geneAnswer } from './endpoints.ts'
import messages from './messages.ts'
import { NearTable } from './near-view.tsx'
import tool from './tool.ts'
import './screen.css'

const aroundBp = 5000

const useNear = (gene: Gene) =>
  useQuery({
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

const useNearText = (): ((count: number) => string) => {
  const t = useText(messages)
  const distance = useFormat().basePairs(aroundBp)
  return (count) => (count === 0 ? t('panel.none', { distance }) : t('panel.lead', { count, distance }))
}

const Panel = ({ gene }: { gene: Gene }): ReactNode => {
  const t = useText(messages)
  const nearText = useNearText()
  const answer = useNear(gene)
  if (answer.isError) return <Unanswered of={answer} />
  if (answer.data === undefined) return <Waiting />
  const address = new URLSearchParams({
    task: 'genes',
    genes: gene.id,
    assembly: gene.assembly,
    flankBp: String(aroundBp),
    run: '1',
  })
  return (
    <div className="te-panel">
      <p className="nv-quiet">{nearText(answer.data.rows.length)}</p>
      {answer.data.rows.length === 0 ? null : (
        <NearTable rows={answer.data.rows} name={`${gene.id}-transposons`} rate={answer.data.rate} pageSize={10} />
      )}
      <FoldActions>
        <ButtonLink size="small" look="quiet" to={`${tool.route}?${address}`}>
          {t('panel.open')}
        </ButtonLink>
      </FoldActions>
    </div>
  )
}

const useGist = (gene: Gene): GeneGist | undefined => {
  const nearText = useNearText()
  const count = useNear(gene).data?.rows.length
  return count === undefined ? undefined : { count, text: nearText(count) }
}

export default defineGenePanel({
  id: 'transposableelements',
  messages,
  needs: 'transposableElements',
  section: { topic: 'genome', order: 40, heightPx: 300, useGist, Panel },
})
