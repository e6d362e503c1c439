import { Download } from 'lucide-react'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { useAddressValues, viewPrefix } from '../../kit/ui/address-values.ts'
import { browserAddress } from '../../kit/ui/browser-address.ts'
import { ButtonLink } from '../../kit/ui/controls/button.tsx'
import { Card, Tag } from '../../kit/ui/controls/card.tsx'
import { EmptyState } from '../../kit/ui/controls/empty-state.tsx'
import { GeneSetMenu } from '../../kit/ui/controls/gene-set-picker.tsx'
import { FigureFrame } from '../../kit/ui/figures/figure-frame.tsx'
import { useWidth } from '../../kit/ui/figures/use-width.ts'
import { GeneLink } from '../../kit/ui/gene/gene-link.tsx'
import { otherRulesText } from '../../kit/ui/gene/promoter-rules-text.ts'
import { RegionText } from '../../kit/ui/gene/region-text.tsx'
import { useFormat, useText } from '../../kit/ui/language.tsx'
import { messages as sharedMessages } from '../../kit/ui/messages.ts'
import { addressOf } from '../../kit/ui/request.ts'
import { ResultTable, type TableColumn } from '../../kit/ui/table/result-table.tsx'
import type { ResultProps } from '../../kit/ui/tool/define-screen.ts'
import { EnrichmentFigure, isConsensusWord, motifLabel } from './enrichment-figure.tsx'
import messages from './messages.ts'
import { logoAxisPx, MotifLogo } from './motif-logo.tsx'
import { PromoterFigure } from './promoter-figure.tsx'
import tool, { type MotifInput, type MotifResult, type MotifSearchResult, type Site } from './tool.ts'

const motifKey = `${viewPrefix}motif`

/** Bases around a site where the genome browser opens. */
const browserMarginBp = 300

/** The logo with its axes, as wide as there is room for. */
const LargeLogo = ({ motif }: { motif: MotifResult }): ReactNode => {
  const t = useText(messages)
  const [root, width] = useWidth<HTMLDivElement>()
  return (
    <div ref={root}>
      <MotifLogo
        frequencies={motif.frequencies}
        siteCount={motif.siteCount}
        label={t('logo.label', { motif: motifLabel(motif), consensus: motif.consensus })}
        columnPx={Math.max(leastColumnPx, Math.min(motif.width > 24 ? 20 : 30, (width - logoAxisPx) / motif.width))}
        heightPx={110}
        axis
        bitsLabel={t('logo.bits')}
      />
    </div>
  )
}

/** A narrower letter is not read. */
const leastColumnPx = 9

const MotifTable = ({
  result,
  chosen,
  onChoose,
  receipt,
}: {
  result: MotifSearchResult
  chosen: MotifResult
  onChoose: (id: string) => void
  receipt: ResultProps<MotifInput, MotifSearchResult>['receipt']
}): ReactNode => {
  const t = useText(messages)
  const format = useFormat()
  const compared = result.backgroundCount !== null
  const noteOf = ({ state, pLimit }: MotifResult): string =>
    state === 'ok' ? '' : t(`state.${state}`, { limit: format.statistic(pLimit) })
  const columns: TableColumn<MotifResult>[] = [
    { key: 'motif', title: t('column.motif'), kind: 'id', main: false, value: ({ id }) => id },
    {
      key: 'name',
      main: true,
      title: t(
        result.motifs.every(({ name }) => name === null || isConsensusWord(name)) ? 'column.consensus' : 'column.name',
      ),
      value: ({ name }) => name,
      hidden: result.motifs.every(({ name }) => name === null),
    },
    {
      key: 'logo',
      title: t('column.logo'),
      value: ({ consensus }) => consensus,
      render: (motif) => (
        <MotifLogo
          frequencies={motif.frequencies}
          siteCount={motif.siteCount}
          label={t('logo.label', { motif: motifLabel(motif), consensus: motif.consensus })}
          columnPx={motif.width > 16 ? 6 : 8}
          heightPx={26}
        />
      ),
    },
    { key: 'sites', title: t('column.sites'), kind: 'number', main: true, value: ({ sites }) => sites },
    { key: 'sequences', title: t('column.sequences'), kind: 'number', value: ({ sequences }) => sequences },
    { key: 'bestPValue', title: t('column.bestPValue'), kind: 'pValue', value: ({ bestPValue }) => bestPValue },
    ...(compared
      ? ([
          {
            key: 'hyperAdjusted',
            main: true,
            title: t('column.hyperAdjusted'),
            kind: 'pValue',
            value: ({ enrichment }) => enrichment?.adjustedPValue ?? null,
          },
          {
            key: 'fold',
            title: t('column.fold'),
            kind: 'number',
            value: ({ enrichment }) => enrichment?.fold ?? null,
            render: ({ enrichment }) => (enrichment?.fold == null ? '–' : format.number(enrichment.fold, 1)),
          },
          {
            key: 'set',
            title: t('column.set'),
            kind: 'number',
            value: ({ enrichment }) => enrichment?.set.found ?? null,
            hidden: true,
          },
          {
            key: 'background',
            title: t('column.background'),
            kind: 'number',
            value: ({ enrichment }) => enrichment?.background.found ?? null,
            hidden: true,
          },
          {
            key: 'hyper',
            title: t('column.hyper'),
            kind: 'pValue',
            value: ({ enrichment }) => enrichment?.pValue ?? null,
            hidden: true,
          },
          {
            key: 'z',
            title: t('column.z'),
            kind: 'number',
            value: ({ enrichment }) => enrichment?.rankSum.z ?? null,
            render: ({ enrichment }) => (enrichment === null ? '–' : format.number(enrichment.rankSum.z, 2)),
            hidden: true,
          },
          {
            key: 'rankAdjusted',
            title: t('column.rankAdjusted'),
            kind: 'pValue',
            value: ({ enrichment }) => enrichment?.rankSum.adjustedPValue ?? null,
            hidden: true,
          },
          {
            key: 'rankP',
            title: t('column.rankP'),
            kind: 'pValue',
            value: ({ enrichment }) => enrichment?.rankSum.pValue ?? null,
            hidden: true,
          },
        ] satisfies TableColumn<MotifResult>[])
      : []),
    { key: 'width', title: t('column.width'), kind: 'number', value: ({ width }) => width, hidden: true },
    {
      key: 'siteCount',
      title: t('column.siteCount'),
      kind: 'number',
      value: ({ siteCount }) => siteCount,
      hidden: true,
    },
    {
      key: 'threshold',
      title: t('column.threshold'),
      kind: 'number',
      value: ({ threshold }) => threshold,
      hidden: true,
    },
    {
      key: 'min',
      title: t('column.min'),
      kind: 'pValue',
      value: ({ minPValue }) => minPValue,
      hidden: true,
    },
    {
      key: 'state',
      title: t('column.state'),
      value: noteOf,
      hidden: result.motifs.every(({ state }) => state === 'ok'),
      render: (motif) => (motif.state === 'ok' ? '' : <Tag tone="amber">{noteOf(motif)}</Tag>),
    },
  ]
  return (
    <Card title={t('motifs.title')} flush>
      <ResultTable
        label={t('motifs.title')}
        name="motifs"
        receipt={receipt}
        rows={result.motifs}
        rowKey={({ id }) => id}
        columns={columns}
        marked={chosen.id}
        onRow={({ id }) => onChoose(id)}
        initialSort={compared ? { key: 'hyperAdjusted', descending: false } : { key: 'bestPValue', descending: false }}
        pageSize={25}
      />
    </Card>
  )
}

export const MotifResultView = ({
  input,
  result,
  receipt,
  job,
}: ResultProps<MotifInput, MotifSearchResult>): ReactNode => {
  const t = useText(messages)
  const format = useFormat()
  const shared = useText(sharedMessages)
  const [query, change] = useAddressValues()
  const best = [...result.motifs].sort(
    (a, b) => (a.enrichment?.pValue ?? 1) - (b.enrichment?.pValue ?? 1) || (a.bestPValue ?? 1) - (b.bestPValue ?? 1),
  )[0]
  const chosen = result.motifs.find(({ id }) => id === query.get(motifKey)) ?? best
  const pasted = input.source === 'sequence'
  const anchor = t((result.anchor ?? input.from) === 'coding' ? 'promoters.startCodon' : 'promoters.tss')
  const { assembly } = result
  const file = (name: string): string => addressOf(`/api/tools/${tool.id}/jobs/${job ?? ''}/${name}`)
  const icon = <Download size={14} aria-hidden />
  const siteColumns: TableColumn<Site>[] = [
    { key: 'motif', title: t('column.motif'), kind: 'id', value: ({ motif }) => result.motifs[motif]!.id },
    {
      key: 'name',
      title: t('column.name'),
      main: false,
      value: ({ motif }) => result.motifs[motif]!.name,
      hidden: result.motifs.every(({ name }) => name === null) || input.motifSource === 'consensus',
    },
    {
      key: 'gene',
      main: true,
      title: pasted ? t('column.sequence') : t('column.gene'),
      kind: 'id',
      value: (site) => site.gene ?? site.sequence,
      render: (site) =>
        site.gene === null ? (
          <code>{site.sequence}</code>
        ) : (
          <GeneLink id={site.gene} assembly={assembly} symbol={site.symbol} />
        ),
    },
    { key: 'symbol', title: t('column.symbol'), kind: 'symbol', value: ({ symbol }) => symbol, hidden: true },
    // The name of what was searched: a promoter by its gene, or what was pasted.
    { key: 'sequence', title: t('column.sequence'), kind: 'id', value: ({ sequence }) => sequence, hidden: true },
    pasted
      ? { key: 'start', title: t('column.start'), kind: 'number', main: true, value: ({ start }) => start }
      : {
          key: 'relative',
          title: t('column.relative', { anchor }),
          kind: 'number',
          main: true,
          value: ({ relativeStart }) => relativeStart,
        },
    {
      key: 'end',
      title: t('column.end'),
      kind: 'number',
      value: (site) => site.relativeEnd ?? site.end,
      hidden: !pasted,
    },
    { key: 'strand', title: t('column.strand'), main: true, value: ({ strand }) => (strand === '-' ? '−' : '+') },
    {
      key: 'score',
      title: t('column.score'),
      kind: 'number',
      value: ({ score }) => score,
      render: ({ score }) => format.number(score, 2),
    },
    { key: 'pValue', title: t('column.pValue'), kind: 'pValue', main: true, value: ({ pValue }) => pValue },
    { key: 'qValue', title: t('column.qValue'), kind: 'pValue', value: ({ qValue }) => qValue },
    {
      key: 'motifQValue',
      title: t('column.motifQValue'),
      kind: 'pValue',
      value: ({ motifQValue }) => motifQValue,
      hidden: true,
    },
    { key: 'matched', title: t('column.matched'), kind: 'id', value: ({ matched }) => matched },
    ...(pasted
      ? []
      : ([
          {
            key: 'locus',
            title: t('column.locus'),
            kind: 'region',
            value: ({ locus }) =>
              locus === null ? null : `${locus.sequence}:${locus.start}..${locus.end}(${locus.strand})`,
            on: ({ locus }) => (locus === null ? null : { assembly, sequence: locus.sequence }),
            render: ({ locus }) =>
              locus === null || assembly === null ? null : (
                <Link to={browserAddress({ assembly, ...locus }, { marginBp: browserMarginBp })}>
                  <RegionText>{format.region(locus.sequence, locus.start, locus.end)}</RegionText>
                </Link>
              ),
          },
        ] satisfies TableColumn<Site>[])),
  ]
  const { background } = result
  const [a = 0, c = 0, g = 0, tShare = 0] = background.bases
  const share = (value: number): string => format.number(value, 3)
  return (
    <>
      {otherRulesText(result.otherRules, { shared, format }).map((text) => (
        <p key={text} className="nv-quiet">
          {text}
        </p>
      ))}
      {result.siteCount === 0 ? <EmptyState title={t('none.title')} why={t('none.why')} /> : null}
      {result.backgroundCount === null ? null : (
        <EnrichmentFigure motifs={result.motifs} backgroundCount={result.backgroundCount} receipt={receipt} />
      )}
      <PromoterFigure input={input} result={result} receipt={receipt} />
      {chosen === undefined ? null : (
        <>
          <FigureFrame
            title={t('logo.title', { motif: motifLabel(chosen) })}
            aside={chosen.consensus}
            name={`${chosen.id}-logo`}
            receipt={receipt}
            method={t('motifs.method')}
          >
            <div className="motif-logo-large">
              <LargeLogo motif={chosen} />
            </div>
          </FigureFrame>
          <MotifTable
            result={result}
            chosen={chosen}
            onChoose={(id) => change({ [motifKey]: id }, true)}
            receipt={receipt}
          />
        </>
      )}
      {result.siteCount === 0 ? null : (
        <Card
          title={t('sites.title')}
          flush
          actions={
            pasted || assembly === null ? undefined : (
              <GeneSetMenu genes={result.genesWithSites.map((id) => ({ id, assembly }))} />
            )
          }
          foot={
            <>
              <p className="nv-quiet">{t('sites.q', { tests: result.tests })}</p>
              <p className="nv-quiet">
                {t('background.label', {
                  kind: background.kind,
                  order: background.order,
                  a: share(a),
                  c: share(c),
                  g: share(g),
                  t: share(tShare),
                })}
              </p>
              {background.modelOrder === null || background.modelOrder === background.order ? null : (
                <p className="nv-quiet">
                  {t('background.cut', { order: background.modelOrder, used: background.order })}
                </p>
              )}
              {job === null ? null : (
                <p className="motif-files">
                  <ButtonLink external size="small" icon={icon} to={file('sites.tsv')}>
                    {t('files.tsv')}
                  </ButtonLink>
                  <ButtonLink external size="small" icon={icon} to={file('sites.gff3')}>
                    {t('files.gff3')}
                  </ButtonLink>
                  <ButtonLink external size="small" icon={icon} to={file('sites.bed')}>
                    {t('files.bed')}
                  </ButtonLink>
                  <ButtonLink external size="small" icon={icon} to={file('motifs.meme')}>
                    {t('files.meme')}
                  </ButtonLink>
                </p>
              )}
            </>
          }
        >
          <ResultTable
            label={t('sites.title')}
            name="sites"
            receipt={receipt}
            rows={result.sites}
            total={result.siteCount}
            rowKey={(site) => `${site.motif} ${site.sequence} ${site.start} ${site.strand}`}
            columns={siteColumns}
            gene={
              pasted
                ? undefined
                : (site) => (site.gene === null || assembly === null ? null : { id: site.gene, assembly })
            }
          />
        </Card>
      )}
      {result.problemCount === 0 ? null : (
        <Card title={t('problems.title')} flush>
          <ResultTable
            plain
            label={t('problems.title')}
            name="motif-problems"
            rows={result.problems}
            total={result.problemCount}
            rowKey={({ query: name, id }) => `${name} ${id}`}
            columns={[
              { key: 'query', title: t('column.query'), kind: 'id', value: ({ query: name }) => name },
              {
                key: 'reason',
                title: t('column.reason'),
                value: ({ id, params }) => t(id as Parameters<typeof t>[0], params),
              },
            ]}
          />
        </Card>
      )}
    </>
  )
}
