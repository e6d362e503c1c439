import { lazy, type ReactNode, Suspense, useMemo, useState } from 'react'
import type { z } from 'zod'
import type { HeatMapValues } from '../../contracts/expression.ts'
import { Card } from '../../kit/ui/controls/card.tsx'
import { Waiting } from '../../kit/ui/controls/empty-state.tsx'
import { Checkbox } from '../../kit/ui/controls/field.tsx'
import { ChangeFigure, useChanges } from '../../kit/ui/figures/change-figure.tsx'
import { useCollectionName } from '../../kit/ui/gene/collection-name.ts'
import { GeneLink } from '../../kit/ui/gene/gene-link.tsx'
import { NamesNote } from '../../kit/ui/gene/names-note.tsx'
import { useFormat, useText } from '../../kit/ui/language.tsx'
import { ResultTable } from '../../kit/ui/table/result-table.tsx'
import type { ResultProps } from '../../kit/ui/tool/define-screen.ts'
import messages from './messages.ts'
import { ComponentFigure, DistanceFigure, groupColours, SizeFigure } from './sample-figures.tsx'
import type tool from './tool.ts'
import { type ComparedGene, type ComparisonResult, smallestSet } from './tool.ts'

// The checks of the samples, which stand first, do not wait for it.
const HeatMap = lazy(async () => ({ default: (await import('../../kit/ui/expression/heat-map.tsx')).HeatMap }))

/** Beyond so many times the smallest library, sizes differ by more than sequencing usually does. */
const unevenSizes = 5

/** Figures with a row for each sample say nothing beyond so many; the table has them all. */
const mostDrawn = 100

/** Samples that lie nearer to the other group, and how many times the smallest library the largest is; null of values. */
const checkSamples = ({
  samples,
  dataset,
}: ComparisonResult): { nearerToOther: typeof samples; times: number | null } => {
  const totals = samples.map(({ total }) => total)
  return {
    nearerToOther: samples.filter((one) => one.nearerToOther),
    times: dataset.unit === 'counts' ? Math.max(...totals) / Math.max(1, Math.min(...totals)) : null,
  }
}

/** What a reader should know before believing the genes. */
const Notes = ({ result }: { result: ComparisonResult }): ReactNode => {
  const t = useText(messages)
  const format = useFormat()
  const { samples, dataset } = result
  const labelsOf = (chosen: typeof samples): string => format.names(chosen.map(({ at }) => dataset.samples[at]!.label))
  const { nearerToOther, times } = checkSamples(result)
  const smallest = Math.min(
    ...(['test', 'reference'] as const).map((group) => samples.filter((one) => one.group === group).length),
  )
  const said = [
    ...(nearerToOther.length > 0
      ? [t('note.nearerToOther', { count: nearerToOther.length, names: labelsOf(nearerToOther) })]
      : []),
    ...(times !== null && times > unevenSizes
      ? [
          t('note.uneven', {
            smallest: labelsOf(samples.filter(({ total }) => samples.every((other) => total <= other.total))),
            times: format.number(times, 1),
          }),
        ]
      : []),
    ...(smallest === 2 ? [t('note.few')] : []),
    ...(result.rounded ? [t('note.rounded', { method: result.method })] : []),
    ...result.notes.map((note) => t(`note.${note}`)),
    ...(result.incompleteGenes > 0 ? [t('note.incomplete', { count: result.incompleteGenes })] : []),
  ]
  return said.length === 0 ? null : (
    <Card title={t('note.title')}>
      <ul className="dif-notes">
        {said.map((one) => (
          <li key={one}>{one}</li>
        ))}
      </ul>
    </Card>
  )
}

const statisticTitles = {
  deseq2: 'column.wald',
  edger: 'column.f',
  voom: 'column.t',
  limma: 'column.t',
  resampling: 'column.difference',
} as const
const meanTitles = {
  deseq2: 'column.baseMean',
  edger: 'column.logCpm',
  voom: 'column.logCpm',
  limma: 'column.mean',
  resampling: 'column.siteMean',
} as const

const SampleTable = ({ result, receipt }: Pick<ResultProps<unknown, ComparisonResult>, 'result' | 'receipt'>) => {
  const t = useText(messages)
  const { samples, dataset, method } = result
  const counts = dataset.unit === 'counts'
  return (
    <Card title={t('samples.table')} flush>
      <ResultTable
        label={t('samples.table')}
        name={`${dataset.id}-samples`}
        receipt={receipt}
        rows={samples}
        rowKey={(one) => String(one.at)}
        columns={[
          { key: 'sample', title: t('column.sample'), value: ({ at }) => dataset.samples[at]!.label },
          { key: 'group', title: t('column.group'), main: true, value: ({ group }) => result[`${group}Name`] },
          ...result.covariates.map((name) => ({
            key: `factor-${name}`,
            title: name,
            value: ({ at }: (typeof samples)[number]) => dataset.samples[at]!.factors[name] ?? null,
          })),
          {
            key: 'total',
            title: t(counts ? 'column.librarySize' : 'column.total'),
            kind: 'number',
            digits: counts ? 0 : 1,
            main: true,
            value: ({ total }) => total,
          },
          { key: 'detected', title: t('column.detected'), kind: 'number', value: ({ detected }) => detected },
          {
            key: 'factor',
            title: t(
              method === 'deseq2'
                ? 'column.sizeFactor'
                : method === 'resampling'
                  ? 'column.ttrFactor'
                  : 'column.normFactor',
            ),
            kind: 'number',
            digits: 3,
            hidden: !counts,
            value: ({ factor }) => factor,
          },
          {
            key: 'outliers',
            title: t('column.outliers'),
            kind: 'number',
            hidden: method !== 'deseq2',
            value: ({ outliers }) => outliers,
          },
          {
            key: 'nearer',
            title: t('column.nearer'),
            value: ({ nearerToOther, group }) =>
              result[`${nearerToOther ? (group === 'test' ? 'reference' : 'test') : group}Name`],
          },
        ]}
      />
    </Card>
  )
}

/** The samples before the genes, which are no better than they: one line where nothing is wrong with them. */
const SampleChecks = ({ result, receipt }: Pick<ResultProps<unknown, ComparisonResult>, 'result' | 'receipt'>) => {
  const t = useText(messages)
  const format = useFormat()
  const { nearerToOther, times } = checkSamples(result)
  const isOff = nearerToOther.length > 0 || (times !== null && times > unevenSizes)
  const drawn = result.samples.length <= mostDrawn
  return (
    <details className="dif-fold" open={isOff || undefined}>
      <summary>
        <strong>{t('checks.title')}</strong>{' '}
        {t('checks.verdict', { off: isOff ? 'yes' : 'no', times: times === null ? 'none' : format.number(times, 1) })}
      </summary>
      <div className="dif-checks">
        <ComponentFigure result={result} receipt={receipt} />
        <div className="dif-stack">
          {drawn ? <DistanceFigure result={result} receipt={receipt} /> : null}
          {drawn && times !== null ? <SizeFigure result={result} receipt={receipt} /> : null}
        </div>
      </div>
      <SampleTable result={result} receipt={receipt} />
    </details>
  )
}

const SetTable = ({ result, receipt }: Pick<ResultProps<unknown, ComparisonResult>, 'result' | 'receipt'>) => {
  const t = useText(messages)
  const { assembly, sets, setCount, testName, referenceName } = result
  const collectionName = useCollectionName(assembly)
  return sets.length === 0 ? null : (
    <Card title={t('sets.title')} flush>
      <p className="nv-method dif-inset">
        {t('sets.method', { count: setCount, shown: sets.length < setCount ? sets.length : 0 })}
      </p>
      <ResultTable
        label={t('sets.title')}
        name={`${testName}-${referenceName}-sets`.replace(/[^\w.-]+/g, '_')}
        receipt={receipt}
        rows={sets}
        rowKey={({ collection, id }) => `${collection} ${id}`}
        columns={[
          { key: 'id', title: t('column.set'), kind: 'id', value: ({ id }) => id },
          { key: 'name', title: t('column.name'), main: true, long: true, value: ({ name }) => name },
          {
            key: 'collection',
            title: t('column.collection'),
            value: collectionName,
          },
          {
            key: 'direction',
            title: t('column.direction'),
            main: true,
            value: ({ direction }) => t(`direction.${direction}`),
          },
          { key: 'padj', title: t('column.padj'), kind: 'pValue', main: true, value: (row) => row.adjustedPValue },
          { key: 'p', title: t('column.p'), kind: 'pValue', value: (row) => row.pValue },
          { key: 'size', title: t('column.genes'), kind: 'number', value: ({ size }) => size },
        ]}
      />
    </Card>
  )
}

/** The surest genes by samples, with the two groups above, however the samples were chosen. */
const SurestGenes = ({
  result,
  heatMap,
  file,
  receipt,
}: Pick<ResultProps<unknown, ComparisonResult>, 'result' | 'receipt'> & {
  heatMap: HeatMapValues
  file: string
}): ReactNode => {
  const t = useText(messages)
  const format = useFormat()
  const { dataset, assembly, genes, samples, covariates, alpha } = result
  const groupOf = new Map(samples.map(({ at, group }) => [at, result[`${group}Name`]]))
  const within = genes.filter(({ adjustedPValue }) => adjustedPValue !== null && adjustedPValue <= alpha).length
  return (
    <Suspense
      fallback={
        <div className="dif-map-waiting">
          <Waiting />
        </div>
      }
    >
      <HeatMap
        dataset={dataset}
        expression={heatMap}
        assembly={assembly}
        scale="zscore"
        groups={{
          name: t('column.group'),
          ofSamples: heatMap.samples.map((at) => groupOf.get(at)!),
          colours: { [result.testName]: groupColours.test, [result.referenceName]: groupColours.reference },
        }}
        about={t('map.method', {
          which: heatMap.genes.length < within ? 'some' : 'all',
          count: heatMap.genes.length,
          within,
          alpha: format.statistic(alpha),
          covariates: covariates.length,
        })}
        name={`${file}-heat-map`}
        receipt={receipt}
      />
    </Suspense>
  )
}

/** What became of the genes that were asked for, one by one and together. */
const ChosenGenes = ({
  result,
  tested,
}: {
  result: ComparisonResult & { chosen: NonNullable<ComparisonResult['chosen']> }
  tested: readonly ComparedGene[]
}): ReactNode => {
  const t = useText(messages)
  const format = useFormat()
  const { assembly, dataset, chosen, testName } = result
  return (
    <Card title={t('chosen.title')} aside={format.number(chosen.genes.length)}>
      <p>
        {t('chosen.counts', {
          count: chosen.genes.length,
          tested: tested.length,
          low: chosen.genes.length - tested.length,
        })}
      </p>
      {chosen.set !== null ? (
        <p>
          {t('chosen.set', {
            direction: chosen.set.direction,
            test: testName,
            p: format.pValue(chosen.set.pValue),
            size: chosen.set.size,
          })}
        </p>
      ) : tested.length < smallestSet ? (
        <p>{t('chosen.noSet', { least: smallestSet })}</p>
      ) : null}
      <NamesNote
        assembly={assembly}
        unknown={chosen.unknown}
        ambiguous={chosen.ambiguous}
        absent={chosen.absent}
        dataset={format.text(dataset.name)}
      />
    </Card>
  )
}

/** What was compared: checks of the samples first, for the genes are no better than they. */
export const ResultView = ({
  result,
  receipt,
}: ResultProps<z.output<(typeof tool)['input']>, ComparisonResult>): ReactNode => {
  const t = useText(messages)
  const format = useFormat()
  const { dataset, assembly, genes, method, testName, referenceName, chosen } = result
  const marked = useMemo(() => new Set(chosen?.genes ?? []), [chosen])
  const ofInterest = useMemo(() => genes.filter(({ id }) => marked.has(id)), [genes, marked])
  const [only, setOnly] = useState(chosen !== null)
  const changes = useChanges(genes)
  const title = t('change.title', { test: testName, reference: referenceName, dataset: format.text(dataset.name) })
  const file = `${testName}-${referenceName}`.replace(/[^\w.-]+/g, '_')
  return (
    <>
      <Notes result={result} />
      <SampleChecks result={result} receipt={receipt} />
      {chosen === null ? null : <ChosenGenes result={{ ...result, chosen }} tested={ofInterest} />}
      <ChangeFigure
        points={genes}
        marked={marked}
        changes={changes}
        title={title}
        file={file}
        means={method === 'deseq2' || method === 'resampling' ? 'linear' : 'log'}
        method={t('change.method', {
          method,
          version: result.versions.at(method === 'edger' ? 1 : -1)?.version ?? '',
          design: result.design,
          low: result.lowGenes,
        })}
        assembly={assembly}
        receipt={receipt}
      />
      <Card title={t('genes.title')} flush>
        {chosen === null ? null : (
          <div className="nv-figure-bar dif-inset">
            <Checkbox checked={only} onCheck={setOnly}>
              {t('chosen.only')}
            </Checkbox>
          </div>
        )}
        <ResultTable
          key={String(only)}
          label={t('genes.title')}
          name={file}
          receipt={receipt}
          rows={only ? ofInterest : genes}
          rowKey={({ id }) => id}
          gene={({ id }) => ({ id, assembly })}
          initialSort={{ key: 'p', descending: false }}
          columns={[
            {
              key: 'gene',
              title: t('column.gene'),
              kind: 'id',
              value: ({ id }) => id,
              render: ({ id }) => <GeneLink id={id} assembly={assembly} />,
            },
            { key: 'symbol', title: t('column.symbol'), kind: 'symbol', value: ({ symbol }) => symbol },
            {
              key: 'lfc',
              title: t('column.log2FoldChange'),
              kind: 'number',
              digits: 3,
              main: true,
              value: (row) => row.log2FoldChange,
            },
            {
              key: 'shrunken',
              title: t('column.shrunken'),
              kind: 'number',
              digits: 3,
              hidden: genes.every(({ shrunken }) => shrunken === null),
              value: (row) => row.shrunken,
            },
            {
              key: 'padj',
              title: t('column.padj'),
              kind: 'pValue',
              main: true,
              value: (row) => row.adjustedPValue,
            },
            { key: 'p', title: t('column.p'), kind: 'pValue', value: (row) => row.pValue },
            {
              key: 'statistic',
              title: t(statisticTitles[method]),
              kind: 'number',
              digits: 2,
              hidden: true,
              value: (row) => row.statistic,
            },
            {
              key: 'se',
              title: t('column.standardError'),
              kind: 'number',
              digits: 3,
              hidden: true,
              value: (row) => row.standardError,
            },
            {
              key: 'mean',
              title: t(meanTitles[method]),
              kind: 'number',
              digits: 2,
              value: (row) => row.mean,
            },
            {
              key: 'sites',
              title: t('column.sites'),
              kind: 'number',
              hidden: method !== 'resampling',
              value: (row) => row.sites,
            },
            {
              key: 'sitesHit',
              title: t('column.sitesHit'),
              kind: 'number',
              hidden: method !== 'resampling',
              value: (row) => row.sitesHit,
            },
            { key: 'description', title: t('column.description'), long: true, value: (row) => row.description },
          ]}
        />
      </Card>
      {result.heatMap === null ? null : (
        <SurestGenes result={result} heatMap={result.heatMap} file={file} receipt={receipt} />
      )}
      <SetTable result={result} receipt={receipt} />
    </>
  )
}
