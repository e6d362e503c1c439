import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { Gene } from '../../contracts/genes.ts'
import { ButtonLink } from '../../kit/ui/controls/button.tsx'
import { Unanswered, Waiting } from '../../kit/ui/controls/empty-state.tsx'
import { FoldActions } from '../../kit/ui/controls/folding-card.tsx'
import { defineGenePanel, type GeneGist } from '../../kit/ui/gene/define-gene-panel.ts'
import { GeneStateList, geneStatesAnchor, useGeneStates } from '../../kit/ui/gene/gene-states.tsx'
import { useAssemblyList } from '../../kit/ui/gene/species-names.tsx'
import { useFormat, useText } from '../../kit/ui/language.tsx'
import { useComparison } from '../../kit/ui/portal-data.ts'
import { call } from '../../kit/ui/request.ts'
import { useOpenings } from '../../kit/ui/tool/tool-openings.ts'
import { getGeneFamily } from './endpoints.ts'
import { classesByCount, useClassBounds } from './families.ts'
import { FrequencyFigure } from './frequency-figure.tsx'
import messages from './messages.ts'
import tool from './tool.ts'
import './screen.css'

const useFamily = (gene: Gene) => {
  const { ready, lacking } = useComparison(2)
  const answer = useQuery({
    queryKey: ['pangenome-family', gene.assembly, gene.id],
    queryFn: (context) => call(getGeneFamily, { assembly: gene.assembly, gene: gene.id }, context),
    enabled: ready,
    staleTime: 5 * 60_000,
    retry: false,
  })
  const present = answer.data?.assemblies.filter(({ genes }) => genes.length > 0) ?? []
  return { answer, ready, lacking, present }
}

const Panel = ({ gene }: { gene: Gene }): ReactNode => {
  const t = useText(messages)
  const format = useFormat()
  const listOf = useAssemblyList()
  const openings = useOpenings('geneFamily')
  const [bounds] = useClassBounds()
  const { answer, ready, lacking, present } = useFamily(gene)
  const states = useGeneStates(gene, ready).data
  const found = answer.data
  if (lacking !== null) return <p className="nv-quiet">{t(`problem.${lacking}`)}</p>
  if (answer.isError) return <Unanswered of={answer} />
  if (found === undefined) return <Waiting />
  if (found.family === null) return <p className="nv-quiet">{t(found.known ? 'panel.none' : 'panel.unknown')}</p>
  const { assemblies, frequencies } = found
  const classes = classesByCount(assemblies.length, bounds)
  const names = (partial: boolean): string =>
    listOf(assemblies.filter((one) => one.genes.length === 0 && one.partial === partial).map(({ id }) => id))
  const [absent, unaligned] = [names(false), names(true)]
  // Where the family is counted as present and the gene itself is not there, or not annotated.
  const counted = new Set(present.map(({ id }) => id))
  const throughOthers = (states?.states ?? []).filter(
    ({ assembly, state }) => counted.has(assembly) && state !== 'ortholog' && state !== 'same-locus',
  )
  const families = frequencies.slice(1).reduce((sum, one) => sum + one, 0)
  const asWide = frequencies.slice(Math.max(1, present.length)).reduce((sum, one) => sum + one, 0)
  const address = new URLSearchParams({
    assemblies: assemblies.map(({ id }) => id).join(','),
    genes: gene.id,
    assembly: gene.assembly,
    run: '1',
  })
  return (
    <div className="pan-panel">
      <p>
        {t('panel.lead', {
          family: found.family,
          kind: t(`class.${classes[present.length] ?? 'private'}`),
          present: present.length,
          all: assemblies.length,
          genes: present.reduce((sum, { genes }) => sum + genes.length, 0),
        })}{' '}
        {t('panel.rank', { share: format.percent(families === 0 ? 0 : asWide / families) })}
      </p>
      <p>
        {t('panel.notTheGene')} <a href={`#${geneStatesAnchor}`}>{t('panel.gene')}</a>
      </p>
      {throughOthers.length === 0 || states === undefined ? null : (
        <div className="pan-own">
          <p>{t('panel.throughOthers')}</p>
          <GeneStateList answer={{ ...states, states: throughOthers }} />
        </div>
      )}
      {absent === '' ? null : <p>{t('panel.missing', { assemblies: absent })}</p>}
      {unaligned === '' ? null : <p className="nv-quiet">{t('panel.unaligned', { assemblies: unaligned })}</p>}
      {found.outgroups.map(({ id, genes }) => (
        <p key={id} className="nv-quiet">
          {t('panel.outgroup', { assemblies: listOf([id]), genes: genes.length })}
        </p>
      ))}
      <FrequencyFigure frequencies={frequencies} marked={present.length} height={200} />
      <div className="pan-bar">
        <FoldActions>
          <ButtonLink size="small" look="quiet" to={`${tool.route}?${address}`}>
            {t('panel.open')}
          </ButtonLink>
        </FoldActions>
        {openings.map((opening) => (
          <ButtonLink
            key={opening.tool.id}
            look="quiet"
            to={opening.address({ gene: gene.id, assembly: gene.assembly }, { run: true })}
          >
            {opening.label}
          </ButtonLink>
        ))}
      </div>
    </div>
  )
}

const useGist = (gene: Gene): GeneGist | undefined => {
  const t = useText(messages)
  const [bounds] = useClassBounds()
  const { answer, lacking, present } = useFamily(gene)
  const found = answer.data
  // Without a comparison nothing was counted, which is not 0.
  if (lacking !== null) return { text: t(`problem.${lacking}`) }
  if (found === undefined) return undefined
  if (found.family === null) return found.known ? { count: 0, text: t('panel.none') } : { text: t('panel.unknown') }
  const all = found.assemblies.length
  return {
    count: present.length,
    text: t('panel.gist', {
      kind: t(`class.${classesByCount(all, bounds)[present.length] ?? 'private'}`),
      present: present.length,
      all,
    }),
  }
}

export default defineGenePanel({
  id: tool.id,
  messages,
  needs: 'proteins',
  section: { topic: 'homology', order: 20, heightPx: 470, tellsFamily: true, useGist, Panel },
})
