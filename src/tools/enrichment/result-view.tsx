import { type ReactNode, useMemo, useState } from 'react'
import { Link } from 'react-router'
import { useAddressValues, viewPrefix } from '../../kit/ui/address-values.ts'
import { Card } from '../../kit/ui/controls/card.tsx'
import { EmptyState } from '../../kit/ui/controls/empty-state.tsx'
import { Checkbox, SelectField } from '../../kit/ui/controls/field.tsx'
import { GeneSetMenu } from '../../kit/ui/controls/gene-set-picker.tsx'
import { Tabs } from '../../kit/ui/controls/tabs.tsx'
import type { GeneChoice } from '../../kit/ui/gene/chosen-genes.ts'
import { useCollectionName } from '../../kit/ui/gene/collection-name.ts'
import { GeneLink } from '../../kit/ui/gene/gene-link.tsx'
import { useFormat, useText } from '../../kit/ui/language.tsx'
import { ResultTable } from '../../kit/ui/table/result-table.tsx'
import type { ResultProps } from '../../kit/ui/tool/define-screen.ts'
import { termKey, termName, useTermColumns } from './figure-terms.tsx'
import { listGeneChoices } from './gene-choices.ts'
import { GraphFigure } from './graph-figure.tsx'
import { MapFigure } from './map-figure.tsx'
import messages from './messages.ts'
import { RowFigure } from './row-figure.tsx'
import { listRepresentatives, redundantFrom } from './term-network.ts'
import type { EnrichmentInput, EnrichmentResult, TermResult } from './tool.ts'
import { UpsetFigure } from './upset-figure.tsx'

const figures = ['bubble', 'bar', 'graph', 'map', 'upset'] as const
type Figure = (typeof figures)[number]
const figureKey = `${viewPrefix}figure`
const collectionKey = `${viewPrefix}collection`
const redundantKey = `${viewPrefix}redundant`
const topKey = `${viewPrefix}top`
const tops = ['10', '20', '30', '50']

/** Significant terms that a more significant one of their collection stands for. */
type Represented = ReadonlyMap<TermResult, TermResult>

const useRepresented = ({ terms }: EnrichmentResult, threshold: number): Represented =>
  useMemo(() => {
    const enriched = terms.filter((term) => term.adjustedPValue <= threshold).sort((a, b) => a.pValue - b.pValue)
    return new Map(
      listRepresentatives(enriched).flatMap((by, at) => (by === at ? [] : [[enriched[at]!, enriched[by]!] as const])),
    )
  }, [terms, threshold])

type Props = ResultProps<EnrichmentInput, EnrichmentResult>

/** What a test was made of, and what was left out of it. */
const Summary = ({ input, result, receipt }: Pick<Props, 'input' | 'result' | 'receipt'>): ReactNode => {
  const t = useText(messages)
  const nameOf = useCollectionName(result.assembly)
  const { annotation, background } = result
  const list = (names: string[], count: number): string => names.slice(0, 12).join(', ') + (count > 12 ? ' …' : '')
  const lines = [
    t('summary.test', {
      direction: input.direction,
      correction: t(`option.correction.${input.correction}`),
      over: input.correctedOver,
    }),
    background.kind === 'annotated'
      ? t('summary.annotated')
      : background.kind === 'all'
        ? t('summary.all', { count: result.collections[0]?.backgroundGenes ?? 0 })
        : t('summary.own', {
            found: background.found ?? 0,
            given: background.given ?? 0,
            annotatedOnly: String(input.annotatedOnly),
          }),
    ...(background.unknown.length > 0
      ? [t('summary.unknownBackground', { names: list(background.unknown, background.unknown.length) })]
      : []),
    ...(annotation.alternative > 0 ? [t('summary.alternative', { count: annotation.alternative })] : []),
    ...(annotation.replaced > 0 ? [t('summary.replaced', { count: annotation.replaced })] : []),
    ...(annotation.obsoleteCount > 0
      ? [
          t('summary.obsolete', {
            count: annotation.obsoleteCount,
            names: list(annotation.obsolete, annotation.obsoleteCount),
          }),
        ]
      : []),
    ...(annotation.missing > 0 ? [t('summary.missing', { count: annotation.missing })] : []),
    ...(annotation.unknownGeneCount > 0
      ? [
          t('summary.ownUnknown', {
            count: annotation.unknownGeneCount,
            names: list(annotation.unknownGenes, annotation.unknownGeneCount),
          }),
        ]
      : []),
  ]
  return (
    <Card
      title={t('summary.title')}
      flush
      foot={lines.map((line) => (
        <p key={line} className="nv-quiet">
          {line}
        </p>
      ))}
    >
      <ResultTable
        plain
        label={t('summary.title')}
        name="enrichment-tests"
        receipt={receipt}
        rows={result.collections}
        rowKey={({ id }) => id}
        columns={[
          { key: 'collection', title: t('summary.collection'), value: nameOf },
          { key: 'background', title: t('summary.background'), kind: 'number', value: (one) => one.backgroundGenes },
          { key: 'set', title: t('summary.set'), kind: 'number', value: (one) => one.setGenes },
          { key: 'tests', title: t('summary.tests'), kind: 'number', value: (one) => one.tests },
          {
            key: 'corrected',
            title: t('summary.corrected'),
            kind: 'number',
            value: (one) => one.correctedTests,
            hidden: input.correctedOver === 'collection',
          },
          {
            key: 'significant',
            title: t(`summary.significant.${input.direction}`),
            kind: 'number',
            value: (one) => one.significant,
          },
          { key: 'small', title: t('summary.small'), kind: 'number', value: (one) => one.small, hidden: true },
          { key: 'large', title: t('summary.large'), kind: 'number', value: (one) => one.large, hidden: true },
          { key: 'unhit', title: t('summary.unhit'), kind: 'number', value: (one) => one.unhit, hidden: true },
          {
            key: 'outside',
            title: t('summary.outside'),
            long: true,
            value: (one) => one.outside.map((at) => result.genes[at]!.symbol ?? result.genes[at]!.id).join(' '),
            render: (one) => (
              <span
                className="nv-cell-lines"
                title={one.outside.map((at) => result.genes[at]!.symbol ?? result.genes[at]!.id).join(' ')}
              >
                {one.outside.length === 0
                  ? 0
                  : `${one.outside.length}: ${one.outside.map((at) => result.genes[at]!.symbol ?? result.genes[at]!.id).join(', ')}`}
              </span>
            ),
          },
        ]}
      />
    </Card>
  )
}

const Figures = ({
  input,
  result,
  receipt,
  representedBy,
}: Pick<Props, 'input' | 'result' | 'receipt'> & { representedBy: Represented }): ReactNode => {
  const t = useText(messages)
  const format = useFormat()
  const nameOf = useCollectionName(result.assembly)
  const [query, change] = useAddressValues()
  const figure = figures.find((one) => one === query.get(figureKey)) ?? 'bubble'
  const asked = query.get(collectionKey)
  const [firstEnriched] = [...result.collections.entries()]
    .filter(([, one]) => one.significant > 0)
    .sort(([, a], [, b]) => Number(b.hierarchical) - Number(a.hierarchical))
    .map(([at]) => at)
  const known = result.collections.findIndex(({ id }) => id === asked)
  // Enriched terms of several collections do not lie above each other: the graph has one of them.
  const collection =
    known >= 0
      ? known
      : figure === 'graph'
        ? (result.graphs[0]?.collection ?? -1)
        : asked === 'all'
          ? -1
          : (firstEnriched ?? -1)
  const top = Number(tops.find((one) => one === query.get(topKey)) ?? '20')
  const enriched = useMemo(
    () =>
      result.terms
        .filter((term) => term.adjustedPValue <= input.threshold && (collection < 0 || term.collection === collection))
        .sort((a, b) => a.pValue - b.pValue),
    [result, input.threshold, collection],
  )
  const withRedundant = query.get(redundantKey) === '1'
  const telling = useMemo(() => enriched.filter((term) => !representedBy.has(term)), [enriched, representedBy])
  const listed = withRedundant ? enriched : telling
  const shown = useMemo(() => listed.slice(0, top), [listed, top])
  const graph = result.graphs.find((one) => one.collection === collection)
  const props = { result, terms: shown, of: listed.length, receipt }
  const draw = (): ReactNode => {
    if (figure === 'graph')
      return graph === undefined ? (
        <Card>
          <EmptyState title={t('figure.none')} why={t('graph.none')} />
        </Card>
      ) : (
        <GraphFigure
          graph={graph}
          threshold={input.threshold}
          receipt={receipt}
          aside={nameOf(result.collections[graph.collection]!)}
        />
      )
    if (shown.length === 0)
      return (
        <Card>
          <EmptyState
            title={t('figure.none')}
            why={t('figure.noneWhy', { threshold: format.statistic(input.threshold) })}
          />
        </Card>
      )
    if (figure === 'map') return <MapFigure {...props} />
    if (figure === 'upset') return <UpsetFigure {...props} />
    return <RowFigure kind={figure} {...props} />
  }
  return (
    <>
      <div className="enr-views">
        <Tabs
          label={t('view.label')}
          chosen={figure}
          onChoose={(key) => change({ [figureKey]: key === 'bubble' ? null : key }, true)}
          tabs={figures.map((key: Figure) => ({ key, label: t(`view.${key}`) }))}
        />
        <div className="enr-choices">
          <SelectField
            label={t('view.collection')}
            value={collection < 0 ? 'all' : result.collections[collection]!.id}
            onChoose={(id) => change({ [collectionKey]: id }, true)}
            options={[
              ...(figure === 'graph' ? [] : [{ value: 'all', label: t('view.every') }]),
              ...result.collections.map((one) => ({
                value: one.id,
                label: `${nameOf(one)} (${format.number(one.significant)})`,
              })),
            ]}
          />
          {figure === 'graph' || figure === 'upset' ? null : (
            <SelectField
              label={t('view.top')}
              value={String(top)}
              onChoose={(value) => change({ [topKey]: value === '20' ? null : value }, true)}
              options={tops.map((value) => ({ value, label: value }))}
            />
          )}
          {figure === 'graph' || telling.length === enriched.length ? null : (
            <Checkbox
              checked={!withRedundant}
              onCheck={(checked) => change({ [redundantKey]: checked ? null : '1' }, true)}
            >
              <span title={t('view.telling.help', { from: redundantFrom })}>
                {t('view.telling', { hidden: enriched.length - telling.length })}
              </span>
            </Checkbox>
          )}
        </div>
      </div>
      {draw()}
    </>
  )
}

/** The genes of one term, to be chosen from and taken along. */
const ChosenTerm = ({
  term,
  result,
  receipt,
}: {
  term: TermResult
  result: EnrichmentResult
  receipt: Props['receipt']
}): ReactNode => {
  const t = useText(messages)
  const { assembly } = result
  const rows = term.genes.map((at) => result.genes[at]!)
  return (
    <Card
      title={t('chosen.title', { term: termName(term) })}
      id="term-genes"
      flush
      actions={
        <>
          {result.collections[term.collection]!.source === null ? null : (
            <Link
              to={`/detail?${new URLSearchParams({ type: 'term', id: term.id, ...(assembly === null ? {} : { assembly }) })}`}
            >
              {t('chosen.open')}
            </Link>
          )}
          {assembly === null ? null : (
            <GeneSetMenu genes={rows.map(({ id }) => ({ id, assembly }))} name={termName(term)} />
          )}
        </>
      }
    >
      <ResultTable
        label={t('chosen.title', { term: termName(term) })}
        name={`genes-${term.id}`}
        receipt={receipt}
        rows={rows}
        rowKey={({ id }) => id}
        gene={assembly === null ? undefined : ({ id }) => ({ id, assembly })}
        columns={[
          {
            key: 'gene',
            title: t('column.gene'),
            kind: 'id',
            value: ({ id }) => id,
            render: ({ id }) => (assembly === null ? <code>{id}</code> : <GeneLink id={id} assembly={assembly} />),
          },
          { key: 'symbol', title: t('column.symbol'), kind: 'symbol', value: ({ symbol }) => symbol },
          {
            key: 'terms',
            title: t('column.terms'),
            long: true,
            value: ({ id }) =>
              result.terms
                .filter((one) => one.genes.some((at) => result.genes[at]!.id === id))
                .slice(0, 6)
                .map(termName)
                .join('; '),
          },
        ]}
      />
    </Card>
  )
}

export const EnrichmentResultView = ({ input, result, receipt }: Props): ReactNode => {
  const t = useText(messages)
  const format = useFormat()
  const [query, change] = useAddressValues()
  const [selected, setSelected] = useState<TermResult[]>([])
  const representedBy = useRepresented(result, input.threshold)
  const termColumns = useTermColumns(result)
  const columns =
    representedBy.size === 0
      ? termColumns
      : [
          ...termColumns.slice(0, -1),
          {
            key: 'represented',
            title: t('column.represented'),
            help: t('view.telling.help', { from: redundantFrom }),
            long: true,
            value: (term: TermResult) => {
              const by = representedBy.get(term)
              return by === undefined ? null : termName(by)
            },
          },
          ...termColumns.slice(-1),
        ]
  const chosen = result.terms.find(({ id }) => id === query.get(termKey))
  const { assembly } = result
  const choices = useMemo(
    () =>
      listGeneChoices(result, input.threshold, selected).map(
        ({ kind, ids }): GeneChoice => ({
          key: kind,
          label: t(`set.${kind}`, { count: ids.length, direction: input.direction }),
          name:
            kind === 'selected'
              ? format.names(selected.map(termName))
              : t(`set.name.${kind}`, { direction: input.direction }),
          genes: assembly === null ? [] : ids.map((id) => ({ id, assembly })),
        }),
      ),
    [result, input, selected, assembly, t, format],
  )
  const [first, ...others] = choices
  const rows = useMemo(() => [...result.terms].sort((a, b) => a.pValue - b.pValue), [result])
  const keyOf = ({ collection, id }: TermResult): string => `${collection} ${id}`
  return (
    <>
      <Figures {...{ input, result, receipt, representedBy }} />
      {chosen === undefined ? null : <ChosenTerm term={chosen} result={result} receipt={receipt} />}
      <Card
        title={t('table.title')}
        flush
        actions={
          // Of an own annotation the names are of no assembly, and no tool could look them up.
          assembly === null || first === undefined ? undefined : (
            <GeneSetMenu choices={[first, ...others]} look={selected.length === 0 ? 'default' : 'primary'} />
          )
        }
      >
        <ResultTable
          label={t('table.title')}
          name="enrichment"
          receipt={receipt}
          rows={rows}
          total={result.termCount}
          rowKey={keyOf}
          columns={columns}
          marked={chosen === undefined ? null : keyOf(chosen)}
          onRow={({ id }) => change({ [termKey]: id }, true)}
          onSelect={setSelected}
          initialSort={{ key: 'adjusted', descending: false }}
        />
      </Card>
      <Summary input={input} result={result} receipt={receipt} />
      {result.problemCount === 0 ? null : (
        <Card title={t('problems.title')} flush>
          <ResultTable
            plain
            label={t('problems.title')}
            name="enrichment-problems"
            rows={result.problems}
            total={result.problemCount}
            rowKey={({ query: name }) => name}
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
