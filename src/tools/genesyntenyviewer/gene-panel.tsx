import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { Gene } from '../../contracts/genes.ts'
import { runTool } from '../../contracts/tools/jobs.ts'
import { ButtonLink } from '../../kit/ui/controls/button.tsx'
import { Unanswered, Waiting } from '../../kit/ui/controls/empty-state.tsx'
import { FoldActions } from '../../kit/ui/controls/folding-card.tsx'
import { NeighbourhoodFigure } from '../../kit/ui/figures/neighbourhood-figure.tsx'
import { defineGenePanel, type GeneGist } from '../../kit/ui/gene/define-gene-panel.ts'
import { useAssemblyNames } from '../../kit/ui/gene/species-names.tsx'
import { StaleHomology } from '../../kit/ui/gene/stale-homology.tsx'
import { useText } from '../../kit/ui/language.tsx'
import { useAssemblies, useComparison } from '../../kit/ui/portal-data.ts'
import { call } from '../../kit/ui/request.ts'
import { BlockTable } from './block-table.tsx'
import messages from './messages.ts'
import tool, { limits } from './tool.ts'
import './screen.css'

/** Neighbours on each side; the tool shows more. */
const besides = Math.min(5, limits.besides)

const useNeighbours = (gene: Gene) => {
  const { ready, lacking } = useComparison()
  const answer = useQuery({
    queryKey: ['gene-synteny-panel', gene.assembly, gene.id],
    queryFn: async (context) => {
      const input = { genes: [gene.id], assembly: gene.assembly, besides }
      const got = await call(runTool, { ...input, tool: tool.id }, context)
      return 'result' in got ? { result: tool.result.parse(got.result), receipt: got.receipt } : null
    },
    enabled: ready,
    staleTime: 5 * 60_000,
    retry: false,
  })
  return { answer, lacking }
}

/** The neighbours in every genome; where there is nothing to compare, those in its own. */
const Panel = ({ gene, own }: { gene: Gene; own: ReactNode }): ReactNode => {
  const t = useText(messages)
  const { answer, lacking } = useNeighbours(gene)
  const result = answer.data?.result
  const assemblies = useAssemblies()
  const isPartial = assemblies.some(({ id, partial }) => partial !== null && result?.without.includes(id))
  if (lacking !== null) return own
  if (answer.isError)
    return (
      <>
        {own}
        <Unanswered of={answer} />
      </>
    )
  if (answer.isPending) return <Waiting />
  if (answer.data === null || result === undefined) return own
  // That other species lack it is no news on the page of a gene.
  const speciesOf = new Map(assemblies.map(({ id, species }) => [id, species]))
  const uncompared = result.missing.includes(gene.assembly)
  const address = new URLSearchParams({ genes: gene.id, assembly: gene.assembly, run: '1' })
  return (
    <div className="gys-panel">
      <StaleHomology state={result} own={[gene.assembly]} chosen={[]} />
      {result.tracks.length > 1 || result.gaps.length > 0 ? (
        <NeighbourhoodFigure
          loci={result.tracks}
          gaps={result.gaps}
          without={result.without.filter((id) => speciesOf.get(id) === speciesOf.get(gene.assembly))}
          receipt={answer.data.receipt}
        />
      ) : (
        <>
          {own}
          {isPartial && !uncompared ? <p className="nv-quiet">{t('panel.aloneUnaligned')}</p> : null}
        </>
      )}
      {uncompared || result.blocks.length === 0 ? null : (
        <details className="nv-advanced">
          <summary>{t('panel.blocks', { count: result.totalBlocks })}</summary>
          <BlockTable
            blocks={result.blocks}
            gene={gene.id}
            assembly={gene.assembly}
            receipt={answer.data.receipt}
            pageSize={10}
          />
        </details>
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
  const t = useText(messages)
  const nameOf = useAssemblyNames()
  const { answer } = useNeighbours(gene)
  const result = answer.data?.result
  if (result === undefined) return undefined
  if (result.missing.includes(gene.assembly))
    return { text: t('panel.uncompared', { assembly: nameOf(gene.assembly) }) }
  return result.tracks.length > 1
    ? { count: result.tracks.length, text: t('panel.gist', { count: result.tracks.length }) }
    : {}
}

export default defineGenePanel({
  id: tool.id,
  messages,
  needs: 'proteins',
  section: {
    topic: 'neighbours',
    order: 10,
    // Of one genome its own neighbours are drawn.
    heightPx: (genomes) => (genomes < 2 ? 290 : 90 + 80 * Math.min(genomes, limits.tracks)),
    opened: true,
    standsFor: 'neighbourhood',
    useGist,
    Panel,
  },
})
