import { useInfiniteQuery, useMutation, useQuery } from '@tanstack/react-query'
import { Download, X } from 'lucide-react'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { useSearchParams } from 'react-router'
import type { z } from 'zod'
import { Button, ButtonLink } from '../../kit/ui/button.tsx'
import { Card } from '../../kit/ui/card.tsx'
import type { ResultProps } from '../../kit/ui/define-screen.ts'
import { EmptyState, FailureState, Waiting } from '../../kit/ui/empty-state.tsx'
import { fileName } from '../../kit/ui/export.ts'
import { TextInput } from '../../kit/ui/field.tsx'
import { GeneLink, geneAddress } from '../../kit/ui/gene-link.tsx'
import { GeneSetMenu } from '../../kit/ui/gene-set-picker.tsx'
import { useFormat, useText } from '../../kit/ui/language.tsx'
import { addressOf } from '../../kit/ui/request.ts'
import { ResultTable, type TableColumn } from '../../kit/ui/result-table.tsx'
import { Tabs } from '../../kit/ui/tabs.tsx'
import { callToolRoute } from '../../kit/ui/tool-route.ts'
import { AlignmentView } from './alignment-view.tsx'
import { ChromosomeFigure } from './chromosome-figure.tsx'
import { CircleFigure } from './circle-figure.tsx'
import {
  genesAnswerSchema,
  type HitAnswer,
  hitsAnswerSchema,
  hspsAnswerSchema,
  overviewAnswerSchema,
} from './hit-answers.ts'
import { HspFigure } from './hsp-figure.tsx'
import messages from './messages.ts'
import { OverviewFigure } from './overview-figure.tsx'
import { programFacts } from './programs.ts'
import { renderBitScore, renderEvalue, shortNumber } from './tabular.ts'
import tool from './tool.ts'

type Input = z.output<(typeof tool)['input']>
type Result = z.output<(typeof tool)['result']>

const routeOf = (job: string, path: string): string => `jobs/${job}/${path}`

/** Address of a file of a job, for links: the browser streams it to disk. */
const fileAddress = (job: string, path: string, query: Record<string, string | number | undefined> = {}): string => {
  const given = Object.entries(query).flatMap(([name, value]): [string, string][] =>
    value === undefined ? [] : [[name, String(value)]],
  )
  const text = new URLSearchParams(given).toString()
  return addressOf(`/api/tools/${tool.id}/${routeOf(job, path)}${text === '' ? '' : `?${text}`}`)
}

/** The genome browser at a hit, with the hits of the search as a track. */
const browserAddress = (job: string, hit: HitAnswer): string => {
  const [from, to] = [Math.min(hit.subjectStart1, hit.subjectEnd1), Math.max(hit.subjectStart1, hit.subjectEnd1)]
  const margin = Math.max(500, Math.round((to - from) * 0.3))
  const query = new URLSearchParams({
    assembly: hit.assembly ?? '',
    loc: `${hit.subject}:${Math.max(1, from - margin)}..${Math.min(hit.subjectLength, to + margin)}`,
    tracks: 'genes,hits',
    hits: job,
  })
  return `/jbrowse/?${query}`
}

const pageAlignments = 5

/** An opened hit: its links, its HSPs as ribbons, its alignments. */
const OpenHit = ({
  job,
  query1,
  rank,
  result,
  receipt,
  drawn,
  follow,
  onClose,
}: {
  job: string
  query1: number
  rank: number
  result: Result
  receipt: ResultProps<Input, Result>['receipt']
  drawn: HitAnswer | undefined
  follow: boolean
  onClose: () => void
}): ReactNode => {
  const t = useText(messages)
  const about = result.queries[query1 - 1]!
  const pages = useInfiniteQuery({
    queryKey: ['blast', job, 'hsps', query1, rank],
    initialPageParam: 1,
    queryFn: ({ signal, pageParam }) =>
      callToolRoute(
        'GET',
        tool.id,
        routeOf(job, 'hsps'),
        { query: query1, hit: rank, page: pageParam, pageSize: pageAlignments },
        hspsAnswerSchema,
        signal,
      ),
    getNextPageParam: (last, all) => (all.length * pageAlignments < last.total ? all.length + 1 : undefined),
    staleTime: Number.POSITIVE_INFINITY,
  })
  const place = useRef<HTMLElement>(null)
  const ready = pages.data !== undefined
  useEffect(() => {
    if (ready && follow) place.current?.scrollIntoView({ block: 'start' })
  }, [ready, follow])
  if (pages.error !== null) return <FailureState why={pages.error.message} onRetry={() => void pages.refetch()} />
  const first = pages.data?.pages[0]
  if (first === undefined) return <Waiting label={t('result.loading')} />
  const hit = drawn ?? first.hit
  const hsps = pages.data?.pages.flatMap((page) => page.hsps) ?? []
  const name = fileName('blast', about.id, hit.subject)
  return (
    <section ref={place} className="blast-hit" aria-label={t('hit.open', { subject: hit.subject })}>
      {first.hit.hsps.length === 0 ? null : (
        <HspFigure
          hit={first.hit}
          queryLength={about.lengthResidues}
          queryName={about.id}
          receipt={receipt}
          name={name}
        />
      )}
      <Card
        title={
          <>
            <code>{hit.subject}</code> {hit.symbol === null ? null : <i>{hit.symbol}</i>}
          </>
        }
        aside={[hit.assembly, hit.kind === null ? t('option.kind.pasted') : t(`option.kind.${hit.kind}`)]
          .filter((part) => part !== null)
          .join(' · ')}
        actions={
          <>
            {hit.gene === null || hit.assembly === null ? null : (
              <ButtonLink size="small" look="quiet" to={geneAddress(hit.gene, hit.assembly)}>
                {t('hit.gene')}
              </ButtonLink>
            )}
            {hit.kind === 'genome' ? (
              <>
                <ButtonLink size="small" look="quiet" to={browserAddress(job, hit)}>
                  {t('hit.jbrowse')}
                </ButtonLink>
                <ButtonLink
                  size="small"
                  look="quiet"
                  external
                  to={fileAddress(job, 'sequences', { query: query1, hits: rank, what: 'region' })}
                >
                  {t('hit.region')}
                </ButtonLink>
              </>
            ) : hit.kind === null ? null : (
              <ButtonLink
                size="small"
                look="quiet"
                external
                to={fileAddress(job, 'sequences', { query: query1, hits: rank, what: 'subject' })}
              >
                {t('hit.subject')}
              </ButtonLink>
            )}
            <ButtonLink
              size="small"
              look="quiet"
              external
              to={fileAddress(job, 'sequences', { query: query1, hits: rank, what: 'aligned' })}
            >
              {t('hit.aligned')}
            </ButtonLink>
            <Button
              size="small"
              look="quiet"
              aria-label={t('hit.close')}
              icon={<X size={15} aria-hidden />}
              onClick={onClose}
            />
          </>
        }
      >
        {hit.title === '' ? null : <p className="nv-quiet">{hit.title}</p>}
        {hsps.map((hsp) => (
          <AlignmentView key={hsp.number} hit={hit} hsp={hsp} total={first.total} program={result.program} />
        ))}
        {pages.hasNextPage ? (
          <Button busy={pages.isFetchingNextPage} onClick={() => void pages.fetchNextPage()}>
            {t('alignment.more')}
          </Button>
        ) : null}
      </Card>
    </section>
  )
}

const formatsShown = [
  'pairwise',
  'anchored',
  'tabular',
  'commented',
  'csv',
  'json',
  'xml',
  'xml2',
  'sam',
  'archive',
] as const

const Downloads = ({ job, result }: { job: string; result: Result }): ReactNode => {
  const t = useText(messages)
  const icon = <Download size={14} aria-hidden />
  return (
    <Card title={t('downloads.formats')}>
      <p className="nv-quiet">{t('downloads.formatsWhy')}</p>
      <div className="blast-files">
        {formatsShown
          .filter((format) => format !== 'sam' || result.program === 'blastn')
          .map((format) => (
            <ButtonLink key={format} external size="small" icon={icon} to={fileAddress(job, `formats/${format}`)}>
              {t(`downloads.${format}`)}
            </ButtonLink>
          ))}
      </div>
      <h3>{t('downloads.hits')}</h3>
      <div className="blast-files">
        <ButtonLink external size="small" icon={icon} to={fileAddress(job, 'hits.tsv')}>
          {t('downloads.tsv')}
        </ButtonLink>
        {result.databases.some((database) => database.kind === 'genome') ? (
          <ButtonLink external size="small" icon={icon} to={fileAddress(job, 'hits.gff3')}>
            {t('downloads.gff3')}
          </ButtonLink>
        ) : null}
        <ButtonLink external size="small" icon={icon} to={fileAddress(job, 'sequences', { what: 'aligned' })}>
          {t('downloads.fasta')}
        </ButtonLink>
      </div>
    </Card>
  )
}

/** Why there is no hit, with searches that may find one. */
const NoHits = ({ input, result, name }: { input: Input; result: Result; name: string }): ReactNode => {
  const t = useText(messages)
  const address = (change: Record<string, string>): string => {
    const query = new URLSearchParams()
    if (input.genes !== undefined) query.set('genes', input.genes.join(','))
    else if (input.query.length < 1200) query.set('query', input.query)
    if (input.assembly !== undefined) query.set('assembly', input.assembly)
    if (input.databases !== undefined) query.set('databases', input.databases.join(','))
    query.set('program', input.program)
    if (input.task !== undefined) query.set('task', input.task)
    for (const [key, value] of Object.entries(change)) query.set(key, value)
    return `${tool.route}?${query}`
  }
  const short = input.genes !== undefined || input.query.length < 1200
  const tries: { key: string; text: string; to?: string }[] = []
  if (result.program === 'blastn' && result.task === 'megablast')
    tries.push({ key: 'task', text: t('result.tryTask'), to: address({ task: 'blastn' }) })
  if (result.program === 'blastn') tries.push({ key: 'translated', text: t('result.tryTranslated') })
  if (result.settings.evalue < 10)
    tries.push({ key: 'evalue', text: t('result.tryEvalue'), to: address({ evalue: '10' }) })
  if (input.lowComplexity !== 'no')
    tries.push({ key: 'filter', text: t('result.tryFilter'), to: address({ lowComplexity: 'no' }) })
  if ((input.percentIdentity ?? 0) > 0 || (input.queryCoverage ?? 0) > 0)
    tries.push({ key: 'limits', text: t('result.tryLimits') })
  tries.push({ key: 'databases', text: t('result.tryDatabases') })
  return (
    <EmptyState
      title={t('result.noHits', { query: name })}
      why={
        <>
          <p>
            {t('result.noHitsWhy', {
              databases: result.databases
                .map((database) => (database.kind === null ? t('option.kind.pasted') : database.name))
                .join(', '),
              evalue: shortNumber(result.settings.evalue),
              program: result.task ?? result.program,
            })}
          </p>
          <ul>
            {tries.map((one) => (
              <li key={one.key}>
                {one.text}{' '}
                {one.to === undefined || !short ? null : (
                  <ButtonLink size="small" look="quiet" to={one.to}>
                    {t('result.rerun')}
                  </ButtonLink>
                )}
              </li>
            ))}
          </ul>
        </>
      }
    />
  )
}

/** What was found with one query. */
const QueryResult = ({
  input,
  result,
  receipt,
  job,
  query1,
}: {
  input: Input
  result: Result
  receipt: ResultProps<Input, Result>['receipt']
  job: string
  query1: number
}): ReactNode => {
  const t = useText(messages)
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
    queryFn: ({ signal }) =>
      callToolRoute(
        'GET',
        tool.id,
        routeOf(job, 'hits'),
        { query: query1, pageSize: tool.limits.targetSequences },
        hitsAnswerSchema,
        signal,
      ),
  })
  const overview = useQuery({
    ...ask,
    queryKey: ['blast', job, 'overview', query1],
    queryFn: ({ signal }) =>
      callToolRoute('GET', tool.id, routeOf(job, 'overview'), { query: query1 }, overviewAnswerSchema, signal),
  })
  const genes = useMutation({
    mutationFn: (ranks: number[]) =>
      callToolRoute(
        'GET',
        tool.id,
        routeOf(job, 'genes'),
        { query: query1, hits: ranks.length === 0 ? undefined : ranks.join(',') },
        genesAnswerSchema,
      ),
  })
  const protein = programFacts[result.program].query === 'protein'
  const genomic = result.databases.some((database) => database.kind === 'genome')

  const makeColumns = (): TableColumn<HitAnswer>[] => {
    const best = t('help.bestHsp')
    const number = (
      key: string,
      title: string,
      value: (hit: HitAnswer) => number,
      more: Partial<TableColumn<HitAnswer>> = {},
    ): TableColumn<HitAnswer> => ({ key, title, value, kind: 'number', ...more })
    return [
      number('rank', t('column.rank'), (hit) => hit.rank),
      {
        key: 'subject',
        title: t('column.subject'),
        kind: 'id',
        value: (hit) => hit.subject,
        render: (hit) => (
          <button type="button" className="blast-open-link" onClick={() => openHit(hit.rank)}>
            {hit.subject}
          </button>
        ),
      },
      {
        key: 'gene',
        title: t('column.gene'),
        kind: 'id',
        value: (hit) => hit.gene,
        hidden: !result.databases.some((database) => database.kind !== null && database.kind !== 'genome'),
        render: (hit) =>
          hit.gene === null ? (
            <span className="nv-none">–</span>
          ) : (
            <GeneLink id={hit.gene} assembly={hit.assembly} symbol={hit.symbol} />
          ),
      },
      { key: 'symbol', title: t('column.symbol'), kind: 'symbol', value: (hit) => hit.symbol, hidden: true },
      {
        key: 'description',
        title: t('column.description'),
        value: (hit) => hit.title,
        render: (hit) =>
          hit.title === '' ? (
            <span className="nv-none">–</span>
          ) : (
            <span className="blast-description" title={hit.title}>
              {hit.title}
            </span>
          ),
        hidden: !result.databases.some((database) => database.kind !== 'genome'),
      },
      {
        key: 'assembly',
        title: t('column.assembly'),
        value: (hit) => hit.assembly ?? t('option.kind.pasted'),
        render: (hit) => <span className="blast-nowrap">{hit.assembly ?? t('option.kind.pasted')}</span>,
        hidden: result.databases.length === 1,
      },
      {
        key: 'kind',
        title: t('column.kind'),
        value: (hit) => (hit.kind === null ? t('option.kind.pasted') : t(`option.kind.${hit.kind}`)),
        hidden: new Set(result.databases.map((database) => database.kind)).size === 1,
      },
      {
        key: 'evalue',
        title: t('column.evalue'),
        kind: 'statistic',
        value: (hit) => hit.evalue,
        render: (hit) => renderEvalue(hit.evalue),
        help: best,
      },
      number('bitScore', t('column.bitScore'), (hit) => hit.bitScore, {
        render: (hit) => renderBitScore(hit.bitScore),
        help: best,
      }),
      number('identity', t('column.identity'), (hit) => hit.identityPercent, { digits: 3, help: best }),
      number('coverage', t('column.coverage'), (hit) => hit.queryCoveragePercent, { help: t('help.coverage') }),
      number('length', t('column.length'), (hit) => hit.lengthColumns, { help: best }),
      number('hspCount', t('column.hspCount'), (hit) => hit.hspCount),
      number('subjectStart', t('column.subjectStart'), (hit) => hit.subjectStart1, { help: best }),
      number('subjectEnd', t('column.subjectEnd'), (hit) => hit.subjectEnd1, { help: best }),
      { key: 'strand', title: t('column.strand'), value: (hit) => hit.strand, help: best },
      number('queryStart', t('column.queryStart'), (hit) => hit.queryStart1, { hidden: true, help: best }),
      number('queryEnd', t('column.queryEnd'), (hit) => hit.queryEnd1, { hidden: true, help: best }),
      number('subjectLength', t('column.subjectLength'), (hit) => hit.subjectLength, { hidden: true }),
      number('totalBitScore', t('column.totalBitScore'), (hit) => hit.totalBitScore, { digits: 1, hidden: true }),
      number('score', t('column.score'), (hit) => hit.score, { hidden: true, help: best }),
      number('identical', t('column.identical'), (hit) => hit.identical, { hidden: true, help: best }),
      number('mismatches', t('column.mismatches'), (hit) => hit.mismatches, { hidden: true, help: best }),
      number('positives', t('column.positives'), (hit) => hit.positives, { hidden: true, help: best }),
      number('positivesPercent', t('column.positivesPercent'), (hit) => hit.positivesPercent, {
        digits: 2,
        hidden: true,
        help: best,
      }),
      number('gapOpens', t('column.gapOpens'), (hit) => hit.gapOpens, { hidden: true, help: best }),
      number('gaps', t('column.gaps'), (hit) => hit.gaps, { hidden: true, help: best }),
      number('queryFrame', t('column.queryFrame'), (hit) => hit.queryFrame, { hidden: true, help: best }),
      number('subjectFrame', t('column.subjectFrame'), (hit) => hit.subjectFrame, { hidden: true, help: best }),
    ]
  }

  if (about.hits === 0) return <NoHits input={input} result={result} name={about.id} />
  const failed = hits.error ?? overview.error
  if (failed !== null)
    return (
      <FailureState
        why={failed.message}
        onRetry={() => {
          void hits.refetch()
          void overview.refetch()
        }}
      />
    )
  if (hits.data === undefined || overview.data === undefined) return <Waiting label={t('result.loading')} />
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
          columns={makeColumns()}
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
            to={fileAddress(job, 'sequences', { query: query1, hits: ranks.join(',') || undefined, what: 'aligned' })}
          >
            {t('hit.aligned')}
          </ButtonLink>
          {genomic ? (
            <ButtonLink
              size="small"
              look="quiet"
              external
              to={fileAddress(job, 'hits.gff3', { query: query1, hits: ranks.join(',') || undefined })}
            >
              {t('hit.track')}
            </ButtonLink>
          ) : (
            <ButtonLink
              size="small"
              look="quiet"
              external
              to={fileAddress(job, 'sequences', { query: query1, hits: ranks.join(',') || undefined, what: 'subject' })}
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

/** The result of a search: queries at the left when there are several, and what was found with the chosen one. */
export const BlastResultView = ({ input, result, receipt, job }: ResultProps<Input, Result>): ReactNode => {
  const t = useText(messages)
  const [query, setQuery] = useSearchParams()
  const [words, setWords] = useState('')
  const firstFound = result.queries.findIndex((one) => one.hits > 0)
  const asked = Number(query.get('q') ?? 0)
  const query1 = asked >= 1 && asked <= result.queries.length ? asked : Math.max(0, firstFound) + 1
  const protein = programFacts[result.program].query === 'protein'
  const notes = [
    result.unknownGenes.length === 0 ? null : t('result.unknownGenes', { names: result.unknownGenes.join(', ') }),
    result.ambiguousGenes.length === 0
      ? null
      : t('result.ambiguousGenes', {
          names: result.ambiguousGenes.map(({ name, meanings }) => `${name} (${meanings.join('; ')})`).join(', '),
        }),
    result.genesWithoutSequence.length === 0
      ? null
      : t('result.genesWithoutSequence', { names: result.genesWithoutSequence.join(', ') }),
    result.otherGeneticCodes.length === 0
      ? null
      : t('result.otherCodes', {
          code: String(result.settings.databaseGeneticCode),
          names: result.otherGeneticCodes
            .map((one) => `${one.assembly} ${one.sequence} (${one.geneticCode})`)
            .join(', '),
        }),
  ].filter((note) => note !== null)
  if (job === null) return null
  return (
    <div className={`blast-result${result.queries.length > 1 ? ' blast-result-many' : ''}`}>
      {notes.length === 0 ? null : (
        <div className="nv-banner nv-banner-warn" role="status">
          <ul>
            {notes.map((note) => (
              <li key={note}>{note}</li>
            ))}
          </ul>
        </div>
      )}
      {result.warnings.length === 0 ? null : (
        <details className="nv-advanced">
          <summary>
            {t('result.warnings')} <small>{result.warnings.length}</small>
          </summary>
          <ul className="nv-mono">
            {result.warnings.map((warning) => (
              <li key={warning}>{warning}</li>
            ))}
          </ul>
        </details>
      )}
      {result.queries.length > 1 ? (
        <nav className="nv-card blast-queries" aria-label={t('result.queries')}>
          {result.queries.length > 8 ? (
            <TextInput
              type="search"
              placeholder={t('result.queryFilter')}
              aria-label={t('result.queryFilter')}
              value={words}
              onChange={(event) => setWords(event.target.value)}
            />
          ) : null}
          <ol>
            {result.queries.map((one, at) =>
              `${one.id} ${one.description}`.toLowerCase().includes(words.trim().toLowerCase()) ? (
                // biome-ignore lint/suspicious/noArrayIndexKey: the queries of a search keep their order, and their names may repeat.
                <li key={at}>
                  <button
                    type="button"
                    aria-current={query1 === at + 1}
                    onClick={() =>
                      setQuery(
                        (before) => {
                          const next = new URLSearchParams(before)
                          next.set('q', String(at + 1))
                          next.delete('hit')
                          return next
                        },
                        { replace: true, preventScrollReset: true },
                      )
                    }
                  >
                    <code>{one.id}</code>
                    <span>{t('result.hitsOf', { hits: one.hits })}</span>
                    <small>
                      {t('result.length', { length: one.lengthResidues, alphabet: protein ? 'protein' : 'nucleotide' })}
                      {one.best === null ? '' : ` · E ${renderEvalue(one.best.evalue)}`}
                    </small>
                  </button>
                </li>
              ) : null,
            )}
          </ol>
        </nav>
      ) : null}
      <div className="blast-main">
        <QueryResult key={query1} input={input} result={result} receipt={receipt} job={job} query1={query1} />
      </div>
    </div>
  )
}
