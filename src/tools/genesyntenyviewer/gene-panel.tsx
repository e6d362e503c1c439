import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useEffect } from 'react'
import type { Gene } from '../../contracts/genes.ts'
import { runTool } from '../../contracts/tools/jobs.ts'
import { ButtonLink } from '../../kit/ui/controls/button.tsx'
import { Unanswered, Waiting } from '../../kit/ui/controls/empty-state.tsx'
import { NeighbourhoodFigure } from '../../kit/ui/figures/neighbourhood-figure.tsx'
import { defineGenePanel } from '../../kit/ui/gene/define-gene-panel.ts'
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

const Panel = ({ gene, report }: { gene: Gene; report: (count: number) => void }): ReactNode => {
  const t = useText(messages)
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
  const result = answer.data?.result
  const isPartial = useAssemblies().some(({ id, partial }) => partial !== null && result?.without.includes(id))
  const count = result?.totalBlocks ?? (answer.isPending && lacking === null ? undefined : 0)
  useEffect(() => {
    if (count !== undefined) report(count)
  }, [count, report])
  if (lacking !== null) return <p className="nv-quiet">{t('problem.notComputed')}</p>
  if (answer.isError) return <Unanswered of={answer} />
  if (answer.isPending) return <Waiting />
  if (answer.data === null || result === undefined) return null
  const address = new URLSearchParams({ genes: gene.id, assembly: gene.assembly, run: '1' })
  return (
    <div className="gys-panel">
      <StaleHomology state={result} />
      {result.tracks.length > 1 ? (
        <NeighbourhoodFigure loci={result.tracks} receipt={answer.data.receipt} />
      ) : (
        <p className="nv-quiet">{t(isPartial ? 'panel.aloneUnaligned' : 'panel.alone')}</p>
      )}
      {result.blocks.length === 0 ? (
        <p className="nv-quiet">{t('panel.noBlock')}</p>
      ) : (
        <BlockTable
          blocks={result.blocks}
          gene={gene.id}
          assembly={gene.assembly}
          receipt={answer.data.receipt}
          pageSize={25}
        />
      )}
      <p>
        <ButtonLink to={`${tool.route}?${address}`}>{t('panel.open')}</ButtonLink>
      </p>
    </div>
  )
}

export default defineGenePanel({ id: 'genesyntenyviewer', order: 125, messages, needs: 'proteins', Panel })
