import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { Gene } from '../../contracts/genes.ts'
import { runTool } from '../../contracts/tools/jobs.ts'
import { ButtonLink } from '../../kit/ui/controls/button.tsx'
import { Unanswered, Waiting } from '../../kit/ui/controls/empty-state.tsx'
import { SimulatedTag } from '../../kit/ui/controls/expression-fields.tsx'
import { defineGenePanel, type GeneGist } from '../../kit/ui/gene/define-gene-panel.ts'
import { useFormat, useText } from '../../kit/ui/language.tsx'
import { call, RequestError } from '../../kit/ui/request.ts'
import { ResultTable } from '../../kit/ui/table/result-table.tsx'
import { useContactColumns } from './contact-columns.tsx'
import { minDistanceBp, strongestRows } from './map/arcs-figure.tsx'
import { around, locusText, mapAddress } from './map/map-address.ts'
import messages from './messages.ts'
import { contactsData } from './stored.ts'
import tool, { type SearchResult } from './tool.ts'
import { useBinSize } from './use-maps.ts'
import './screen.css'

const shownRows = 15

const Found = ({ gene, result }: { gene: Gene; result: SearchResult }): ReactNode => {
  const t = useText(messages)
  const format = useFormat()
  const binSize = useBinSize()
  const columns = useContactColumns(result)
  const { assembly, map, view, resolution } = result
  const lengthBp = map.chromosomes.find(({ sequence }) => sequence === view.sequence)?.lengthBp ?? view.end
  const rows = strongestRows(result, shownRows)
  const room = 20 * resolution
  const near = around(
    { start: Math.max(1, view.start - room), end: Math.min(lengthBp, view.end + room) },
    view,
    lengthBp,
  )
  return (
    <div className="hic-panel">
      <div className="nv-figure-bar">
        <strong>{format.text(map.name)}</strong>
        <SimulatedTag simulated={map.simulated} />
        <span className="nv-quiet">
          {t('panel.lead', { min: format.basePairs(minDistanceBp(result)), resolution: binSize(resolution) })}
        </span>
        <ButtonLink size="small" to={mapAddress({ assembly, locus: locusText({ sequence: view.sequence, ...near }) })}>
          {t('panel.map')}
        </ButtonLink>
        <ButtonLink size="small" to={`${tool.route}?${new URLSearchParams({ assembly, locus: gene.id, run: '1' })}`}>
          {t('panel.open')}
        </ButtonLink>
      </div>
      {rows.length === 0 ? (
        <p className="nv-quiet">
          {result.total === 0
            ? t('panel.none', { map: format.text(map.name) })
            : t('arcs.none', { min: format.basePairs(minDistanceBp(result)) })}
        </p>
      ) : (
        <ResultTable
          plain
          label={t('panel.title')}
          name={`${gene.id}-hic`}
          columns={columns}
          rows={rows}
          rowKey={locusText}
          initialSort={{ key: 'ratio', descending: true }}
        />
      )}
    </div>
  )
}

const isOffMap = (error: Error): boolean => error instanceof RequestError && error.status === 400

/** Within the chromosome: what lies on others says little of one gene, and takes longest to look through. */
const useContacts = (gene: Gene) => {
  const { assembly, id } = gene
  const answer = useQuery({
    queryKey: ['hic-panel', assembly, id],
    queryFn: async (context) => {
      const input = { tool: tool.id, assembly, locus: id, partners: 'cis' }
      // A gene that lies on no sequence of the map: the panel says so.
      const got = await call(runTool, input, { ...context, skipErrorHandler: isOffMap })
      return 'result' in got ? (got.result as SearchResult) : null
    },
    staleTime: 5 * 60_000,
    retry: false,
  })
  return { answer, absent: answer.error !== null && isOffMap(answer.error) }
}

const Panel = ({ gene }: { gene: Gene }): ReactNode => {
  const t = useText(messages)
  const { answer, absent } = useContacts(gene)
  if (absent) return <p className="nv-quiet">{t('panel.notOnMap')}</p>
  if (answer.isError) return <Unanswered of={answer} />
  if (answer.data === undefined || answer.data === null) return <Waiting />
  return <Found gene={gene} result={answer.data} />
}

const useGist = (gene: Gene): GeneGist | undefined => {
  const t = useText(messages)
  const format = useFormat()
  const { answer, absent } = useContacts(gene)
  if (absent) return { count: 0, text: t('panel.notOnMap') }
  if (answer.data === undefined || answer.data === null) return undefined
  const count = strongestRows(answer.data, shownRows).length
  return { count, text: t('panel.gist', { count, map: format.text(answer.data.map.name) }) }
}

export default defineGenePanel({
  id: tool.id,
  messages,
  needs: contactsData,
  section: { topic: 'genome', order: 30, heightPx: 620, useGist, Panel },
})
