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
  const siblings = useAssemblies().filter(({ species }) => species === gene.species)
  const alone = siblings.length < 2
  const outgroup = siblings.some(({ id, outgroup: is }) => id === gene.assembly && is)
  const answer = useQuery({
    queryKey: ['gene-presence', gene.assembly, gene.id],
    queryFn: (context) => call(getGenePresence, { assembly: gene.assembly, gene: gene.id }, context),
    enabled: !alone && !outgroup,
    staleTime: 5 * 60_000,
    retry: false,
  })
  /** Why there is nothing, which the section's head says and its content does not repeat. */
  const why: 'alone' | 'outgroup' | 'none' | null = alone
    ? 'alone'
    : outgroup
      ? 'outgroup'
      : answer.data?.known === false
        ? 'none'
        : null
  return { answer, why }
}

const Panel = ({ gene }: { gene: Gene }): ReactNode => {
  const t = useText(messages)
  const { answer, why } = usePresence(gene)
  if (why !== null) return null
  if (answer.isError) return <Unanswered of={answer} />
  if (answer.data === undefined) return <Waiting />
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
  const { answer, why } = usePresence(gene)
  if (why !== null) return { text: t(`panel.${why}`) }
  if (answer.data === undefined) return undefined
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
