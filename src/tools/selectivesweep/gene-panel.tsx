import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { Gene } from '../../contracts/genes.ts'
import { viewPrefix } from '../../kit/ui/address-values.ts'
import { ButtonLink } from '../../kit/ui/controls/button.tsx'
import { Unanswered, Waiting } from '../../kit/ui/controls/empty-state.tsx'
import { SimulatedTag } from '../../kit/ui/controls/expression-fields.tsx'
import { defineGenePanel, type GeneGist } from '../../kit/ui/gene/define-gene-panel.ts'
import { useFormat, useText } from '../../kit/ui/language.tsx'
import { call } from '../../kit/ui/request.ts'
import { ResultTable } from '../../kit/ui/table/result-table.tsx'
import { windowsOfLocus } from './endpoints.ts'
import messages from './messages.ts'
import { useSeriesName, writeValue } from './series-name.ts'
import tool from './tool.ts'

const useWindows = ({ assembly, sequence, start, end }: Gene) =>
  useQuery({
    queryKey: ['sweep-locus', assembly, sequence, start, end],
    queryFn: (context) => call(windowsOfLocus, { assembly, sequence, start, end }, context),
    staleTime: 5 * 60_000,
    retry: false,
  })

const Panel = ({ gene }: { gene: Gene }): ReactNode => {
  const t = useText(messages)
  const format = useFormat()
  const seriesName = useSeriesName()
  const { assembly, sequence } = gene
  const answer = useWindows(gene)
  if (answer.isError) return <Unanswered of={answer} />
  if (answer.data === undefined) return <Waiting />
  return (
    <>
      <p className="nv-quiet">{t('panel.lead')}</p>
      {answer.data.tables.map((table) => (
        <div key={table.id}>
          <div className="nv-figure-bar">
            <strong>{format.text(table.name)}</strong>
            <SimulatedTag simulated={table.simulated} />
            <ButtonLink
              size="small"
              to={`${tool.route}?${new URLSearchParams({ assembly, [`${viewPrefix}table`]: table.id })}`}
            >
              {t('panel.open')}
            </ButtonLink>
          </div>
          {table.found.length === 0 ? (
            <p className="nv-quiet">{t('panel.none')}</p>
          ) : (
            <ResultTable
              plain
              label={format.text(table.name)}
              name={`${gene.id}-${table.id}`}
              rows={table.found}
              rowKey={({ key }) => key}
              columns={[
                {
                  key: 'series',
                  title: t('panel.series'),
                  value: ({ key }) => {
                    const about = table.series.find((one) => one.key === key)
                    return about === undefined ? key : seriesName(about)
                  },
                },
                {
                  key: 'value',
                  title: t('panel.value'),
                  kind: 'number',
                  value: ({ value }) => value,
                  render: ({ value }) => writeValue(format, value),
                },
                {
                  key: 'share',
                  title: t('panel.share'),
                  kind: 'number',
                  value: ({ share }) => share,
                  render: ({ share }) => t('panel.top', { share: format.percent(share, share < 0.01 ? 2 : 1) }),
                },
                {
                  key: 'window',
                  title: t('panel.window'),
                  kind: 'region',
                  value: (row) => `${sequence}:${row.start}..${row.end}`,
                  on: () => ({ assembly, sequence }),
                },
              ]}
            />
          )}
        </div>
      ))}
    </>
  )
}

const useGist = (gene: Gene): GeneGist | undefined => {
  const t = useText(messages)
  const format = useFormat()
  const seriesName = useSeriesName()
  const tables = useWindows(gene).data?.tables
  if (tables === undefined) return undefined
  const all = tables.flatMap(({ found, series }) =>
    found.map((one) => ({ ...one, about: series.find(({ key }) => key === one.key) })),
  )
  const best = all.reduce<(typeof all)[number] | null>(
    (min, one) => (min === null || one.share < min.share ? one : min),
    null,
  )
  return {
    count: all.length,
    text:
      best === null
        ? t('panel.none')
        : `${best.about === undefined ? best.key : seriesName(best.about)}: ${t('panel.top', { share: format.percent(best.share, best.share < 0.01 ? 2 : 1) })}`,
  }
}

export default defineGenePanel({
  id: 'selectivesweep',
  messages,
  needs: 'sweeps',
  section: { topic: 'variants', order: 30, heightPx: 280, useGist, Panel },
})
