import { useMutation, useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { useSearchParams } from 'react-router'
import type { Receipt } from '../../../contracts/tools/receipt.ts'
import { Button, ButtonLink } from '../../../kit/ui/controls/button.tsx'
import { Card } from '../../../kit/ui/controls/card.tsx'
import { EmptyState, Unanswered, Waiting } from '../../../kit/ui/controls/empty-state.tsx'
import { GeneSetMenu } from '../../../kit/ui/controls/gene-set-picker.tsx'
import { Tabs } from '../../../kit/ui/controls/tabs.tsx'
import { useAssemblyNames } from '../../../kit/ui/gene/species-names.tsx'
import { useFormat, useText } from '../../../kit/ui/language.tsx'
import { call } from '../../../kit/ui/request.ts'
import { fileName } from '../../../kit/ui/table/export.ts'
import { ResultTable } from '../../../kit/ui/table/result-table.tsx'
import { getJobOverview, type HitAnswer, listJobGenes, listJobHits } from '../endpoints.ts'
import { ChromosomeFigure } from '../figures/chromosome-figure.tsx'
import { CircleFigure } from '../figures/circle-figure.tsx'
import { OverviewFigure } from '../figures/overview-figure.tsx'
import { renderRanks } from '../hits/ranks.ts'
import { shortNumber } from '../hits/tabular.ts'
import messages from '../messages.ts'
import { assembliesWithoutHit } from '../presence-searches.ts'
import { programFacts } from '../programs.ts'
import { type BlastInput, type BlastResult, limits } from '../tool.ts'
import { Downloads } from './downloads.tsx'
import { hitColumns } from './hit-columns.tsx'
import { fileAddress } from './job-addresses.ts'
import { NoHits, OtherSearches } from './no-hits.tsx'
import { OpenHit } from './open-hit.tsx'

/** Assemblies without a hit that are named at once; more are counted, and named when opened. */
const namedWithout = 3

/** What was found with one query. */
export const QueryResult = ({
  input,
  result,
  receipt,
  job,
  query1,
}: {
  input: BlastInput
  result: BlastResult
  receipt: Receipt
  job: string
  query1: number
}): ReactNode => {
  const t = useText(messages)
  const assemblyName = useAssemblyNames()
  const format = useFormat()
  const [query, setQuery] = useSearchParams()
  const about = result.queries[query1 - 1]!
  const [chosen, setChosen] = useState<HitAnswer[]>([])
  // Opened by hand, not by an address: only then does the page move to it.
  const [opened, setOpened] = useState(0)
  const openRank = Number(query.get('hit') ?? 0)
  const tab = query.get('view') ?? 'overview'
  const change = (part: Record<string, string | null>): void =>
    setQuery(
      (before) => {
        const next = new URLSearchParams(before)
        for (const [key, value] of Object.entries(part)) {
          if (value === null) next.delete(key)
          else next.set(key, value)
        }
        return next
      },
      { replace: true, preventScrollReset: true },
    )
  const openHit = (rank: number): void => {
    change({ hit: String(rank) })
    setOpened(rank)
  }
  const ask = { enabled: about.hits > 0, staleTime: Number.POSITIVE_INFINITY }
  const hits = useQuery({
    ...ask,
    queryKey: ['blast', job, 'hits', query1],
    queryFn: (context) => call(listJobHits, { job, query: query1, pageSize: limits.targetSequences }, context),
  })
  const overview = useQuery({
    ...ask,
    queryKey: ['blast', job, 'overview', query1],
    queryFn: (context) => call(getJobOverview, { job, query: query1 }, context),
  })
  const genes = useMutation({
    mutationFn: (ranks: number[]) =>
      call(listJobGenes, { job, query: query1, hits: ranks.length === 0 ? undefined : renderRanks(ranks) }),
  })
  const protein = programFacts[result.program].query === 'protein'
  const genomic = result.databases.some((database) => database.kind === 'genome')

  if (about.hits === 0) return <NoHits input={input} result={result} name={about.id} />
  if (hits.isError) return <Unanswered of={hits} />
  if (overview.isError) return <Unanswered of={overview} />
  if (hits.data === undefined || overview.data === undefined) return <Waiting label={t('result.loading')} />
  const without =
    about.full || hits.data.hits.length < about.hits
      ? []
      : assembliesWithoutHit(result.databases, hits.data.hits).map(assemblyName)
  const name = fileName('blast', about.id)
  const ranks = chosen.map((hit) => hit.rank)
  const collected = genes.data
  const views = [
    { key: 'overview', label: t('result.tabOverview') },
    ...(genomic ? [{ key: 'map', label: t('result.tabMap') }] : []),
    { key: 'circle', label: t('result.tabCircle') },
    { key: 'downloads', label: t('result.tabDownloads') },
  ]
  return (
    <>
      {about.full ? (
        <p className="nv-banner nv-banner-info" role="status">
          {t('result.full', { count: about.hits })}
        </p>
      ) : null}
      {without.length === 0 ? null : (
        <div className="nv-banner nv-banner-info" role="status">
          {without.length <= namedWithout ? (
            <p>{t('result.without', { evalue: shortNumber(result.settings.evalue), names: format.list(without) })}</p>
          ) : (
            <details>
              <summary>
                {t('result.withoutMany', {
                  evalue: shortNumber(result.settings.evalue),
                  count: without.length,
                  searched: new Set(result.databases.flatMap((one) => one.assembly ?? [])).size,
                })}
              </summary>
              <p>{format.list(without)}</p>
            </details>
          )}
          {result.task === 'megablast' ? (
            <p>
              {t('result.megablast')} <OtherSearches input={input} result={result} />
            </p>
          ) : null}
        </div>
      )}
      <Tabs
        label={t('result.tabOverview')}
        tabs={views}
        chosen={views.some((view) => view.key === tab) ? tab : 'overview'}
        onChoose={(key) => change({ view: key === 'overview' ? null : key })}
      >
        {tab === 'map' && genomic ? (
          overview.data.assemblies.length === 0 ? (
            <EmptyState title={t('map.none')} why={t('map.noneWhy')} />
          ) : (
            <div className="blast-main">
              {overview.data.assemblies.map((assembly) => (
                <ChromosomeFigure
                  key={assembly.assembly}
                  assembly={assembly}
                  hits={overview.data.hits}
                  receipt={receipt}
                  name={name}
                  onHit={openHit}
                />
              ))}
            </div>
          )
        ) : tab === 'circle' ? (
          <CircleFigure
            hits={overview.data.hits}
            total={about.hits}
            queryLength={about.lengthResidues}
            queryName={about.id}
            receipt={receipt}
            name={name}
          />
        ) : tab === 'downloads' ? (
          <Downloads job={job} result={result} />
        ) : (
          <OverviewFigure
            overview={overview.data}
            queryLength={about.lengthResidues}
            protein={protein}
            receipt={receipt}
            name={name}
            onHit={openHit}
          />
        )}
      </Tabs>
      <Card title={t('result.tabHits')} flush>
        <ResultTable
          label={t('table.label', { query: about.id })}
          columns={hitColumns(result, t, openHit, assemblyName, format)}
          rows={hits.data.hits}
          rowKey={(hit) => String(hit.rank)}
          name={name}
          receipt={receipt}
          onSelect={setChosen}
          marked={openRank > 0 ? String(openRank) : null}
        />
        <div className="blast-actions">
          <span className="nv-quiet">
            {ranks.length === 0 ? t('hit.noSelection') : t('hit.selection', { count: ranks.length })}
          </span>
          <Button size="small" busy={genes.isPending} onClick={() => genes.mutate(ranks)}>
            {t('hit.collectGenes')}
          </Button>
          {collected === undefined ? null : collected.genes.length === 0 ? (
            <span role="status">{t('hit.genesNone')}</span>
          ) : (
            <>
              <GeneSetMenu genes={collected.genes} look="primary" />
              <span role="status" className="nv-quiet">
                {collected.cut
                  ? t('hit.genesCut', { count: collected.genes.length })
                  : `${t('hit.genes')}: ${format.number(collected.genes.length)}`}
              </span>
            </>
          )}
          <ButtonLink
            size="small"
            look="quiet"
            external
            to={fileAddress(job, 'sequences', { query: query1, hits: ranks, what: 'aligned' })}
          >
            {t('hit.aligned')}
          </ButtonLink>
          {genomic ? (
            <ButtonLink
              size="small"
              look="quiet"
              external
              to={fileAddress(job, 'hits.gff3', { query: query1, hits: ranks })}
            >
              {t('hit.track')}
            </ButtonLink>
          ) : (
            <ButtonLink
              size="small"
              look="quiet"
              external
              to={fileAddress(job, 'sequences', { query: query1, hits: ranks, what: 'subject' })}
            >
              {t('hit.subject')}
            </ButtonLink>
          )}
        </div>
      </Card>
      <div id="blast-open">
        {openRank > 0 && openRank <= about.hits ? (
          <OpenHit
            key={`${query1}.${openRank}`}
            job={job}
            query1={query1}
            rank={openRank}
            result={result}
            receipt={receipt}
            drawn={hits.data.hits.find((hit) => hit.rank === openRank)}
            follow={opened === openRank}
            onClose={() => change({ hit: null })}
          />
        ) : null}
      </div>
    </>
  )
}
