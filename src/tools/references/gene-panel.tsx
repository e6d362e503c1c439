import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useEffect } from 'react'
import type { Gene } from '../../contracts/genes.ts'
import { runTool } from '../../contracts/tools/jobs.ts'
import { ButtonLink } from '../../kit/ui/controls/button.tsx'
import { Unanswered, Waiting } from '../../kit/ui/controls/empty-state.tsx'
import { defineGenePanel } from '../../kit/ui/gene/define-gene-panel.ts'
import { useText } from '../../kit/ui/language.tsx'
import { call } from '../../kit/ui/request.ts'
import { ReceiptView } from '../../kit/ui/tool/receipt.tsx'
import messages from './messages.ts'
import { PublicationHead } from './publication-item.tsx'
import tool from './tool.ts'
import './screen.css'

const maxShown = 10

const Panel = ({ gene, report }: { gene: Gene; report: (count: number) => void }): ReactNode => {
  const t = useText(messages)
  const input = { gene: gene.id, geneAssembly: gene.assembly, pageSize: maxShown }
  const answer = useQuery({
    queryKey: ['run', tool.id, JSON.stringify(input)],
    queryFn: async (context) => {
      const got = await call(runTool, { ...input, tool: tool.id }, context)
      if (!('result' in got)) throw new Error('The list of publications is never a job.')
      return { result: tool.result.parse(got.result), receipt: got.receipt }
    },
    staleTime: Number.POSITIVE_INFINITY,
  })
  const total = answer.data?.result.total
  useEffect(() => {
    if (total !== undefined) report(total)
  }, [total, report])
  if (answer.isError) return <Unanswered of={answer} />
  if (answer.data === undefined) return <Waiting />
  const { result, receipt } = answer.data
  if (result.total === 0)
    return <p className="nv-quiet">{t(result.loaded === 0 ? 'panel.noneLoaded' : 'panel.none')}</p>
  const more = result.total - result.publications.length
  return (
    <div className="ref-panel">
      <p className="nv-quiet">{t('panel.lead')}</p>
      <ul>
        {result.publications.map((publication) => (
          <li key={publication.key}>
            <PublicationHead publication={publication} titleAs="h4" />
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

export default defineGenePanel({ id: 'references', order: 190, messages, Panel })
