import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { isPresent, isWhole } from '../../bio/comparative/gene-presence.ts'
import type { Gene } from '../../contracts/genes.ts'
import { ButtonLink } from '../../kit/ui/controls/button.tsx'
import { Unanswered, Waiting } from '../../kit/ui/controls/empty-state.tsx'
import { FoldActions } from '../../kit/ui/controls/folding-card.tsx'
import { defineGenePanel, type GeneGist } from '../../kit/ui/gene/define-gene-panel.ts'
import { useText } from '../../kit/ui/language.tsx'
import { useAssemblies } from '../../kit/ui/portal-data.ts'
import { call } from '../../kit/ui/request.ts'
import { getGenePresence } from './endpoints.ts'
import { EvidenceTable } from './evidence-table.tsx'
import messages from './messages.ts'
import tool from './tool.ts'

const usePresence = (gene: Gene) => {
  const alone = useAssemblies().filter(({ species }) => species === gene.species).length < 2
  const answer = useQuery({
    queryKey: ['gene-presence', gene.assembly, gene.id],
    queryFn: (context) => call(getGenePresence, { assembly: gene.assembly, gene: gene.id }, context),
    enabled: !alone,
    staleTime: 5 * 60_000,
    retry: false,
  })
  return { answer, alone }
}

const Panel = ({ gene }: { gene: Gene }): ReactNode => {
  const t = useText(messages)
  const { answer, alone } = usePresence(gene)
  if (alone) return <p className="nv-quiet">{t('panel.alone')}</p>
  if (answer.isError) return <Unanswered of={answer} />
  if (answer.data === undefined) return <Waiting />
  if (!answer.data.known) return <p className="nv-quiet">{t('panel.none')}</p>
  const address = new URLSearchParams({ assembly: gene.assembly, genes: gene.id, run: '1' })
  return (
    <>
      <EvidenceTable gene={gene.id} evidence={answer.data.evidence} />
      <FoldActions>
        <ButtonLink size="small" look="quiet" to={`${tool.route}?${address}`}>
          {t('panel.open')}
        </ButtonLink>
      </FoldActions>
    </>
  )
}

const useGist = (gene: Gene): GeneGist | undefined => {
  const t = useText(messages)
  const { answer, alone } = usePresence(gene)
  if (alone) return { text: t('panel.alone') }
  if (answer.data === undefined) return undefined
  if (!answer.data.known) return { text: t('panel.none') }
  const { evidence } = answer.data
  const present = evidence.filter(({ state }) => isPresent(state)).length
  const whole = evidence.filter(({ state }) => isWhole(state)).length
  return { count: present, text: t('panel.gist', { present, whole, all: evidence.length }) }
}

export default defineGenePanel({
  id: tool.id,
  messages,
  section: { topic: 'homology', order: 5, heightPx: 300, useGist, Panel },
})
