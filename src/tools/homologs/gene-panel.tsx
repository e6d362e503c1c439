import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { Gene } from '../../contracts/genes.ts'
import { runTool } from '../../contracts/tools/jobs.ts'
import { ButtonLink } from '../../kit/ui/controls/button.tsx'
import { Unanswered, Waiting } from '../../kit/ui/controls/empty-state.tsx'
import { FoldActions } from '../../kit/ui/controls/folding-card.tsx'
import { defineGenePanel, type GeneGist } from '../../kit/ui/gene/define-gene-panel.ts'
import { useAssemblyNames } from '../../kit/ui/gene/species-names.tsx'
import { StaleHomology } from '../../kit/ui/gene/stale-homology.tsx'
import { useFormat, useText } from '../../kit/ui/language.tsx'
import { useComparison } from '../../kit/ui/portal-data.ts'
import { call } from '../../kit/ui/request.ts'
import { useOpenings } from '../../kit/ui/tool/tool-openings.ts'
import { HomologTable, homologsAddress } from './homolog-table.tsx'
import messages from './messages.ts'
import { OrthogroupCard } from './orthogroup-card.tsx'
import tool from './tool.ts'
import './screen.css'

const useHomologs = (gene: Gene) => {
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
  return { answer, lacking }
}

/** That no homolog is known, and where none was looked for yet. */
const useNothing = (): ((missing: readonly string[]) => string) => {
  const t = useText(messages)
  const format = useFormat()
  const nameOf = useAssemblyNames()
  return (missing) =>
    missing.length === 0 ? t('panel.nothing') : t('panel.nothingYet', { names: format.names(missing.map(nameOf)) })
}

const Panel = ({ gene }: { gene: Gene }): ReactNode => {
  const t = useText(messages)
  const { answer, lacking } = useHomologs(gene)
  const openings = useOpenings('geneFamily', gene.assembly)
  const query = answer.data?.result.queries[0]
  if (lacking !== null) return <p className="nv-quiet">{t('problem.notComputed')}</p>
  if (answer.isError) return <Unanswered of={answer} />
  if (answer.isPending) return <Waiting />
  if (answer.data === null || query === undefined) return null
  const { result, receipt } = answer.data
  return (
    <div className="hom-panel">
      <StaleHomology state={result} own={[gene.assembly]} chosen={[]} />
      {/* Of a gene without homologs the section's head says so, and there is no more to say. */}
      {query.total === 0 ? null : (
        <>
          <OrthogroupCard query={query} assemblies={result.assemblies} receipt={receipt} />
          <HomologTable homologs={query.homologs} name={`${gene.id}-homologs`} receipt={receipt} pageSize={10} />
        </>
      )}
      <FoldActions>
        {openings.map((opening) => (
          <ButtonLink
            key={`${opening.tool.id} ${opening.label}`}
            size="small"
            look="quiet"
            to={opening.address({ gene: gene.id, assembly: gene.assembly }, { run: true })}
          >
            {opening.label}
          </ButtonLink>
        ))}
        <ButtonLink size="small" look="quiet" to={homologsAddress(gene)}>
          {t('panel.open')}
        </ButtonLink>
      </FoldActions>
    </div>
  )
}

const useGist = (gene: Gene): GeneGist | undefined => {
  const t = useText(messages)
  const nothing = useNothing()
  const { answer, lacking } = useHomologs(gene)
  const query = answer.data?.result.queries[0]
  // Nothing was looked for, so there is no count either.
  if (lacking !== null) return { text: t('problem.notComputed') }
  if (query === undefined) return undefined
  if (answer.data?.result.missing.includes(gene.assembly) === true)
    return { text: t('panel.uncompared', { assembly: gene.assembly }) }
  const assemblies = new Set(query.homologs.map(({ assembly }) => assembly)).size
  return {
    count: query.total,
    text:
      query.total === 0
        ? nothing(answer.data?.result.missing ?? [])
        : t('panel.gist', { count: query.total, assemblies }),
  }
}

export default defineGenePanel({
  id: 'homologs',
  messages,
  needs: 'proteins',
  section: { topic: 'homology', order: 10, heightPx: 640, useGist, Panel },
})
