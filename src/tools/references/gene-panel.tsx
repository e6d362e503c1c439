import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { Gene } from '../../contracts/genes.ts'
import { runTool } from '../../contracts/tools/jobs.ts'
import { ButtonLink } from '../../kit/ui/controls/button.tsx'
import { Unanswered, Waiting } from '../../kit/ui/controls/empty-state.tsx'
import { defineGenePanel, type GeneGist } from '../../kit/ui/gene/define-gene-panel.ts'
import { useText } from '../../kit/ui/language.tsx'
import { call } from '../../kit/ui/request.ts'
import { ReceiptView } from '../../kit/ui/tool/receipt.tsx'
import messages from './messages.ts'
import { PublicationHead } from './publication-item.tsx'
import tool from './tool.ts'
import './screen.css'

const maxShown = 10

const usePublications = (gene: Gene) => {
  const input = { gene: gene.id, geneAssembly: gene.assembly, pageSize: maxShown }
  return useQuery({
    queryKey: ['run', tool.id, JSON.stringify(input)],
    queryFn: async (context) => {
      const got = await call(runTool, { ...input, tool: tool.id }, context)
      if (!('result' in got)) throw new Error('The list of publications is never a job.')
      return { result: tool.result.parse(got.result), receipt: got.receipt }
    },
    staleTime: Number.POSITIVE_INFINITY,
  })
}

const Panel = ({ gene }: { gene: Gene }): ReactNode => {
  const t = useText(messages)
  const answer = usePublications(gene)
  if (answer.isError) return <Unanswered of={answer} />
  if (answer.data === undefined) return <Waiting />
  const { result, receipt } = answer.data
  // That nothing is loaded stands above, beside the section's name.
  if (result.total === 0) {
    const genus = gene.speciesName.split(' ')[0]!
    const term = gene.symbol === null ? gene.id : `"${gene.id}" OR ("${gene.symbol}" AND ${genus})`
    return (
      <p>
        <a
          href={`https://pubmed.ncbi.nlm.nih.gov/?${new URLSearchParams({ term })}`}
          target="_blank"
          rel="noopener noreferrer"
        >
          {t('panel.pubmed', { gene: gene.symbol ?? gene.id })}
        </a>
      </p>
    )
  }
  const more = result.total - result.publications.length
  return (
    <div className="ref-panel">
      <p className="nv-quiet">{t('panel.lead')}</p>
      <ul>
        {result.publications.map((publication) => (
          <li key={publication.key}>
            <PublicationHead publication={publication} />
          </li>
        ))}
      </ul>
      <p>
        <ButtonLink
          size="small"
          to={`/references?${new URLSearchParams({ gene: gene.id, geneAssembly: gene.assembly })}`}
        >
          {t('panel.all')}
        </ButtonLink>{' '}
        {more > 0 ? <span className="nv-quiet">{t('panel.more', { count: more })}</span> : null}
      </p>
      <ReceiptView receipt={receipt} />
    </div>
  )
}

const useGist = (gene: Gene): GeneGist | undefined => {
  const t = useText(messages)
  const result = usePublications(gene).data?.result
  if (result === undefined) return undefined
  const latest = Math.max(0, ...result.publications.map(({ year }) => year ?? 0))
  return {
    count: result.total,
    text:
      result.total === 0
        ? t(result.loaded === 0 ? 'panel.noneLoaded' : 'panel.none')
        : t('panel.gist', {
            count: result.total,
            year: latest === 0 ? '' : String(latest),
            dated: latest === 0 ? 'no' : 'yes',
          }),
  }
}

export default defineGenePanel({
  id: 'references',
  messages,
  section: { topic: 'literature', order: 10, heightPx: 360, useGist, Panel },
})
