import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Link, useSearchParams } from 'react-router'
import type { Gene } from '../../contracts/genes.ts'
import { Tag } from '../../kit/ui/controls/card.tsx'
import { Unanswered, Waiting } from '../../kit/ui/controls/empty-state.tsx'
import { defineGenePanel, type GeneGist } from '../../kit/ui/gene/define-gene-panel.ts'
import { useText } from '../../kit/ui/language.tsx'
import { call } from '../../kit/ui/request.ts'
import { ResultTable } from '../../kit/ui/table/result-table.tsx'
import { mapAddress } from './addresses.ts'
import { listGenePathways } from './endpoints.ts'
import messages from './messages.ts'
import './screen.css'

const usePathways = (gene: Gene) =>
  useQuery({
    queryKey: ['gene-pathways', gene.assembly, gene.id],
    queryFn: (context) => call(listGenePathways, { assembly: gene.assembly, gene: gene.id }, context),
    staleTime: 5 * 60_000,
    retry: false,
  })

const Panel = ({ gene }: { gene: Gene }): ReactNode => {
  const t = useText(messages)
  const [query] = useSearchParams()
  const answer = usePathways(gene)
  const pathways = answer.data?.pathways
  if (answer.isError) return <Unanswered of={answer} />
  if (pathways === undefined) return <Waiting />
  if (pathways.length === 0) return <p className="nv-quiet">{t('panel.none')}</p>
  const keyOf = (one: { source: string; id: string }): string => `${one.source}|${one.id}`
  const cameFrom = `${query.get('source') ?? ''}|${query.get('pathway') ?? ''}`
  const from = pathways.find((one) => keyOf(one) === cameFrom)
  const ordered = from === undefined ? pathways : [from, ...pathways.filter((one) => one !== from)]
  return (
    <>
      {from === undefined ? null : (
        <p>
          <Link to={mapAddress(from, gene.assembly, { gene: gene.id })}>
            {t('panel.from', { pathway: from.name ?? from.id })}
          </Link>
        </p>
      )}
      <ResultTable
        plain
        label={t('panel.title')}
        name={`${gene.id}-pathways`}
        rows={ordered}
        rowKey={keyOf}
        marked={from === undefined ? null : keyOf(from)}
        columns={[
          {
            key: 'name',
            title: t('column.name'),
            value: ({ name, id }) => name ?? id,
            render: (one) => <Link to={mapAddress(one, gene.assembly, { gene: gene.id })}>{one.name ?? one.id}</Link>,
          },
          { key: 'id', title: t('column.id'), kind: 'id', value: ({ id }) => id },
          { key: 'source', title: t('column.source'), value: ({ source }) => source },
          { key: 'genes', title: t('column.genes'), kind: 'number', value: ({ geneCount }) => geneCount },
          {
            key: 'map',
            title: t('column.map'),
            value: ({ drawn }) => (drawn ? t('column.drawn') : ''),
            render: ({ drawn }) => (drawn ? <Tag>{t('column.drawn')}</Tag> : ''),
          },
        ]}
      />
    </>
  )
}

const shownNames = 2

const useGist = (gene: Gene): GeneGist | undefined => {
  const t = useText(messages)
  const pathways = usePathways(gene).data?.pathways
  if (pathways === undefined) return undefined
  const names = pathways.slice(0, shownNames).map(({ name, id }) => name ?? id)
  return {
    count: pathways.length,
    text:
      pathways.length === 0
        ? t('panel.none')
        : t('panel.gist', { names: names.join(' · '), more: pathways.length - names.length }),
  }
}

export default defineGenePanel({
  id: 'pathway',
  messages,
  needs: 'pathways',
  section: { topic: 'function', order: 20, heightPx: 190, opensAt: '/map/gene', useGist, Panel },
})
