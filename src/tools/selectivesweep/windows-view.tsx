import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Download } from 'lucide-react'
import { type ReactNode, useCallback, useMemo } from 'react'
import { Link } from 'react-router'
import { isBeyond, type Tail } from '../../bio/population/sweep-regions.ts'
import type { Receipt } from '../../contracts/tools/receipt.ts'
import { useAddressValues, viewPrefix } from '../../kit/ui/address-values.ts'
import { Button, ButtonLink } from '../../kit/ui/controls/button.tsx'
import { Card } from '../../kit/ui/controls/card.tsx'
import { EmptyState, Unanswered, Waiting } from '../../kit/ui/controls/empty-state.tsx'
import { Field, NumberInput, Segmented, SelectField } from '../../kit/ui/controls/field.tsx'
import { GeneSetMenu } from '../../kit/ui/controls/gene-set-picker.tsx'
import { FigureFrame } from '../../kit/ui/figures/figure-frame.tsx'
import { GeneLink } from '../../kit/ui/gene/gene-link.tsx'
import { useSequenceLabel } from '../../kit/ui/gene/sequence-name.tsx'
import { useFormat, useText } from '../../kit/ui/language.tsx'
import { addressOf, call, queryOf } from '../../kit/ui/request.ts'
import { ResultTable, type TableColumn } from '../../kit/ui/table/result-table.tsx'
import { useOpenings } from '../../kit/ui/tool/tool-openings.ts'
import { type FoundRegions, findRegions, getWindows, type Region } from './endpoints.ts'
import { GenomeFigure } from './genome-figure.tsx'
import { layGenome } from './genome-scale.ts'
import { JointFigure } from './joint-figure.tsx'
import messages from './messages.ts'
import { type Series, usualTail } from './series.ts'
import { useSeriesName, useShortName, writeValue } from './series-name.ts'
import tool from './tool.ts'

export type WindowSource = { job: string } | { assembly: string; table: string }

const key = (name: string): string => `${viewPrefix}${name}`
const usualPercent = 5
const maxSequencesListed = 60
const shownGenes = 3

interface DrawnWindow {
  sequence: string
  start: number
  end: number
  value: number
  /** Among all windows. */
  at: number
}

/** How windows are looked at: which series, what stands out, which part of the genome. It stands in the address. */
const useView = (series: readonly Series[]) => {
  const [query, change] = useAddressValues()
  const withValues = series.filter(({ windows }) => windows > 0)
  const first = withValues.find((one) => one.key === query.get(key('series'))) ?? withValues[0] ?? series[0]
  const second = withValues.find((one) => one.key === query.get(key('second')) && one.key !== first?.key) ?? null
  const askedTail = query.get(key('tail'))
  const tail: Tail = askedTail === 'high' || askedTail === 'low' ? askedTail : usualTail(first?.statistic ?? 'other')
  const percentText = query.get(key('percent'))
  const percent = percentText === null ? usualPercent : Number(percentText)
  const gapBp = Number(query.get(key('gap')) ?? 0)
  const place = /^(\d+)-(\d+)$/.exec(query.get(key('place')) ?? '')
  return {
    first,
    second,
    tail,
    percentText: percentText ?? String(usualPercent),
    share: Number.isFinite(percent) && percent > 0 && percent <= 50 ? percent / 100 : usualPercent / 100,
    gapBp: Number.isFinite(gapBp) && gapBp >= 0 ? Math.floor(gapBp) : 0,
    place: place === null ? null : ([Number(place[1]), Number(place[2])] as const),
    change,
  }
}

export const WindowsView = ({
  source,
  assembly,
  series,
  name,
  receipt,
}: {
  source: WindowSource
  assembly: string
  series: readonly Series[]
  /** Base of file names. */
  name: string
  receipt?: Receipt | undefined
}): ReactNode => {
  const t = useText(messages)
  const format = useFormat()
  const labelOf = useSequenceLabel()
  const seriesName = useSeriesName()
  const shortName = useShortName()
  const { first, second, tail, percentText, share, gapBp, place, change } = useView(series)
  const keys = [first?.key, second?.key].filter((one) => one !== undefined).join(',')
  const windows = useQuery({
    queryKey: ['sweep-windows', source, keys],
    enabled: first !== undefined,
    queryFn: (context) => call(getWindows, { ...source, series: keys }, context),
    staleTime: Number.POSITIVE_INFINITY,
    placeholderData: keepPreviousData,
    retry: false,
  })
  const question = {
    ...source,
    series: first?.key ?? '',
    tail,
    share,
    gapBp,
    ...(second === null ? {} : { second: second.key, secondShare: share }),
  }
  const regions = useQuery({
    queryKey: ['sweep-regions', question],
    enabled: first !== undefined,
    queryFn: (context) => call(findRegions, question, context),
    staleTime: Number.POSITIVE_INFINITY,
    placeholderData: keepPreviousData,
    retry: false,
  })
  const data = windows.data
  const found = regions.data
  const scale = useMemo(() => (data === undefined ? null : layGenome(data)), [data])
  const firstValues = first === undefined ? undefined : data?.values[first.key]
  const secondValues = second === null ? undefined : data?.values[second.key]
  const secondTail = usualTail(second?.statistic ?? 'other')
  const isOutlier = useCallback(
    (at: number): boolean => {
      const value = firstValues?.[at]
      if (value === null || value === undefined || found?.cutoff === null || found === undefined) return false
      if (!isBeyond(value, found.cutoff, tail)) return false
      if (second === null) return true
      const other = secondValues?.[at]
      return (
        other !== null &&
        other !== undefined &&
        found.secondCutoff !== null &&
        isBeyond(other, found.secondCutoff, secondTail)
      )
    },
    [firstValues, secondValues, found, tail, second, secondTail],
  )
  if (first === undefined) return <EmptyState title={t('regions.none')} why={t('regions.noneWhy')} />
  if (windows.isError) return <Unanswered of={windows} />
  if (data === undefined || scale === null || firstValues === undefined)
    return (
      <div className="sweep-waiting">
        <Waiting />
      </div>
    )
  const whole: readonly [number, number] = [0, scale.total]
  const shown = place ?? whole
  const show = (next: readonly [number, number] | null): void =>
    change({ [key('place')]: next === null ? null : `${Math.max(0, Math.floor(next[0]))}-${Math.ceil(next[1])}` })
  const alone = scale.sequences.find(({ offset, lengthBp }) => shown[0] === offset && shown[1] === offset + lengthBp)
  // The windows that a figure draws: with a value, in the part of the genome that is shown.
  const drawnWindows = (values: readonly (number | null)[]): DrawnWindow[] =>
    scale.sequences.flatMap(({ name: sequence, from, until }) =>
      values.slice(from, until).flatMap((value, number) => {
        const middle = scale.middle[from + number]!
        return value === null || middle < shown[0] || middle > shown[1]
          ? []
          : [{ sequence, value, start: data.start[from + number]!, end: data.end[from + number]!, at: from + number }]
      }),
    )
  const files = queryOf(question)
  const file = (path: string, query: string): string => addressOf(`/api/tools/${tool.id}/${path}${query}`)
  const figures = [
    { about: first, values: firstValues, cutoff: found?.cutoff ?? null },
    ...(second === null || secondValues === undefined
      ? []
      : [{ about: second, values: secondValues, cutoff: found?.secondCutoff ?? null }]),
  ]
  return (
    <>
      <Card>
        <div className="nv-figure-fields sweep-view">
          <SelectField
            label={t('view.series')}
            value={first.key}
            onChoose={(next) => change({ [key('series')]: next, [key('tail')]: null })}
            options={series.filter((one) => one.windows > 0).map((one) => ({ value: one.key, label: seriesName(one) }))}
          />
          <SelectField
            label={t('view.second')}
            value={second?.key ?? ''}
            onChoose={(next) => change({ [key('second')]: next === '' ? null : next })}
            options={[
              { value: '', label: t('view.noSecond') },
              ...series
                .filter((one) => one.windows > 0 && one.key !== first.key)
                .map((one) => ({ value: one.key, label: seriesName(one) })),
            ]}
          />
          <Field label={t('view.tail')}>
            {() => (
              <Segmented
                label={t('view.tail')}
                value={tail}
                onChoose={(next) => change({ [key('tail')]: next })}
                options={[
                  { value: 'high', label: t('tail.high') },
                  { value: 'low', label: t('tail.low') },
                ]}
              />
            )}
          </Field>
          <Field label={t('view.share')}>
            {(control) => (
              <NumberInput
                {...control}
                value={percentText}
                min={0.001}
                max={50}
                step={1}
                onNumber={(next) => change({ [key('percent')]: next === undefined ? null : String(next) }, true)}
              />
            )}
          </Field>
          <Field label={t('view.gap')}>
            {(control) => (
              <NumberInput
                {...control}
                value={gapBp}
                min={0}
                step={1000}
                onNumber={(next) =>
                  change({ [key('gap')]: next === undefined || next === 0 ? null : String(next) }, true)
                }
              />
            )}
          </Field>
          {scale.sequences.length < 2 ? null : (
            <SelectField
              label={t('view.sequence')}
              value={alone?.name ?? ''}
              onChoose={(next) => {
                const one = scale.sequences.find((sequence) => sequence.name === next)
                show(one === undefined ? null : [one.offset, one.offset + one.lengthBp])
              }}
              options={[
                { value: '', label: t('view.allSequences') },
                ...scale.sequences
                  .slice(0, maxSequencesListed)
                  .map((one) => ({ value: one.name, label: labelOf(assembly, one.name) })),
              ]}
            />
          )}
        </div>
      </Card>
      {figures.map(({ about, values, cutoff }) => (
        <FigureFrame
          key={about.key}
          title={t('figure.title', { series: seriesName(about) })}
          name={`${name}-${about.key}`}
          {...(receipt === undefined ? {} : { receipt })}
          numbers={{
            rows: drawnWindows(values),
            rowKey: ({ at }) => String(at),
            columns: [
              {
                key: 'sequence',
                title: t('column.sequence'),
                kind: 'id',
                value: ({ sequence }) => sequence,
                on: ({ sequence }) => ({ assembly, sequence }),
              },
              { key: 'start', title: t('column.start'), kind: 'number', value: ({ start }) => start },
              { key: 'end', title: t('column.end'), kind: 'number', value: ({ end }) => end },
              {
                key: 'value',
                title: shortName(about),
                kind: 'number',
                value: ({ value }) => value,
                render: ({ value }) => writeValue(format, value),
              },
              ...(data.sites === null
                ? []
                : [
                    {
                      key: 'sites',
                      title: t('column.sites'),
                      kind: 'number' as const,
                      value: ({ at }: DrawnWindow) => data.sites?.[at],
                    },
                  ]),
            ],
          }}
          actions={
            place === null ? undefined : (
              <Button size="small" look="quiet" onClick={() => show(null)}>
                {t('view.whole')}
              </Button>
            )
          }
          method={
            <>
              {t('figure.method', { share: format.percent(share, 3) })}
              {data.total > data.start.length
                ? ` ${t('figure.thinned', { shown: data.start.length, total: data.total })}`
                : ''}
            </>
          }
        >
          <GenomeFigure
            assembly={assembly}
            windows={data}
            scale={scale}
            values={values}
            name={shortName(about)}
            cutoff={cutoff}
            isOutlier={isOutlier}
            shown={shown}
            onShow={show}
          />
        </FigureFrame>
      ))}
      {second === null || secondValues === undefined ? null : (
        <FigureFrame
          title={t('joint.title', { first: seriesName(first), second: seriesName(second) })}
          name={`${name}-joint`}
          {...(receipt === undefined ? {} : { receipt })}
          method={t('joint.method')}
        >
          <JointFigure
            first={firstValues}
            second={secondValues}
            names={[shortName(first), shortName(second)]}
            cutoffs={[found?.cutoff ?? null, found?.secondCutoff ?? null]}
            isOutlier={isOutlier}
            title={t('joint.title', { first: seriesName(first), second: seriesName(second) })}
          />
        </FigureFrame>
      )}
      {regions.isError ? (
        <Unanswered of={regions} />
      ) : found === undefined ? (
        <Waiting />
      ) : (
        <div className="sweep-regions">
          <RegionCard
            found={found}
            assembly={assembly}
            first={first}
            tail={tail}
            second={second}
            gapBp={gapBp}
            name={name}
            receipt={receipt}
            files={
              <p className="sweep-files">
                <ButtonLink
                  external
                  size="small"
                  icon={<Download size={14} aria-hidden />}
                  to={file('windows.tsv', queryOf(source))}
                >
                  {t('files.windows')}
                </ButtonLink>
                <ButtonLink
                  external
                  size="small"
                  icon={<Download size={14} aria-hidden />}
                  to={file('regions.tsv', files)}
                >
                  {t('files.regions')}
                </ButtonLink>
                <ButtonLink
                  external
                  size="small"
                  icon={<Download size={14} aria-hidden />}
                  to={file('regions.bed', files)}
                >
                  {t('files.bed')}
                </ButtonLink>
              </p>
            }
          />
        </div>
      )}
    </>
  )
}

const RegionCard = ({
  found,
  assembly,
  first,
  tail,
  second,
  gapBp,
  name,
  receipt,
  files,
}: {
  found: FoundRegions
  assembly: string
  first: Series
  tail: Tail
  second: Series | null
  gapBp: number
  name: string
  receipt: Receipt | undefined
  files: ReactNode
}): ReactNode => {
  const t = useText(messages)
  const format = useFormat()
  const shortName = useShortName()
  const openings = useOpenings('region', assembly)
  const columns: TableColumn<Region>[] = [
    {
      key: 'region',
      title: t('column.region'),
      kind: 'region',
      value: ({ sequence, start, end }) => `${sequence}:${start}..${end}`,
      on: ({ sequence }) => ({ assembly, sequence }),
    },
    {
      key: 'sequence',
      title: t('column.sequence'),
      kind: 'id',
      value: ({ sequence }) => sequence,
      on: ({ sequence }) => ({ assembly, sequence }),
      hidden: true,
    },
    { key: 'start', title: t('column.start'), kind: 'number', value: ({ start }) => start, hidden: true },
    { key: 'end', title: t('column.end'), kind: 'number', value: ({ end }) => end, hidden: true },
    {
      key: 'length',
      title: t('column.length'),
      kind: 'number',
      value: ({ start, end }) => end - start + 1,
      hidden: true,
    },
    { key: 'windows', title: t('column.windows'), kind: 'number', value: ({ windows }) => windows },
    {
      key: 'peak',
      title: t('column.peak', { series: shortName(first) }),
      kind: 'number',
      main: true,
      value: ({ peakValue }) => peakValue,
      render: ({ peakValue }) => writeValue(format, peakValue),
    },
    ...(second === null
      ? []
      : ([
          {
            key: 'peakSecond',
            title: t('column.peak', { series: shortName(second) }),
            kind: 'number',
            value: ({ peakSecond }) => peakSecond,
            render: ({ peakSecond }) => (peakSecond === null ? '–' : writeValue(format, peakSecond)),
          },
        ] satisfies TableColumn<Region>[])),
    {
      key: 'peakStart',
      title: t('column.peakStart'),
      kind: 'number',
      value: ({ peakStart }) => peakStart,
      hidden: true,
    },
    { key: 'peakEnd', title: t('column.peakEnd'), kind: 'number', value: ({ peakEnd }) => peakEnd, hidden: true },
    { key: 'geneCount', title: t('column.geneCount'), kind: 'number', value: ({ geneCount }) => geneCount },
    {
      key: 'genes',
      title: t('column.genes'),
      main: true,
      value: ({ genes }) => genes.map(({ id }) => id).join(' '),
      render: ({ genes, geneCount }) => (
        <span className="sweep-genes">
          {genes.slice(0, shownGenes).map(({ id, symbol }) => (
            <GeneLink key={id} id={id} assembly={assembly} symbol={symbol} />
          ))}
          {geneCount > shownGenes ? `+${format.number(geneCount - shownGenes)}` : null}
        </span>
      ),
    },
    {
      key: 'links',
      title: t('column.links'),
      value: () => null,
      render: ({ sequence, start, end }) => (
        <span className="sweep-genes">
          {openings.map((opening) => (
            <Link key={opening.tool.id} to={opening.address({ assembly, sequence, start, end }, { run: true })}>
              {opening.label}
            </Link>
          ))}
        </span>
      ),
    },
  ]
  return (
    <Card
      title={t('regions.title')}
      aside={t('regions.count', { regions: found.regionCount, outliers: found.outliers })}
      flush
      actions={
        found.genes.length === 0 ? undefined : (
          <>
            <span className="nv-quiet">{`${t('regions.genes')}: ${format.number(found.genes.length)}`}</span>
            <GeneSetMenu genes={found.genes.map((id) => ({ id, assembly }))} look="primary" />
          </>
        )
      }
      foot={
        <>
          {found.cutoff === null ? null : (
            <p className="nv-quiet">
              {t('regions.method', {
                cutoff: [found.cutoff, found.secondCutoff]
                  .filter((cutoff) => cutoff !== null)
                  .map((cutoff) => writeValue(format, cutoff))
                  .join(' / '),
                gap: format.basePairs(gapBp),
              })}
            </p>
          )}
          {found.regions.length < found.regionCount ? (
            <p className="nv-warn">{t('regions.cut', { shown: found.regions.length, total: found.regionCount })}</p>
          ) : null}
          {files}
        </>
      }
    >
      <ResultTable
        // What stands out most is first, also when another statistic or the other end is looked at.
        key={`${first.key} ${tail}`}
        label={t('regions.title')}
        name={`${name}-regions`}
        {...(receipt === undefined ? {} : { receipt })}
        rows={found.regions}
        rowKey={({ sequence, start }) => `${sequence}:${start}`}
        columns={columns}
        total={found.regionCount}
        initialSort={{ key: 'peak', descending: tail === 'high' }}
        empty={<EmptyState title={t('regions.none')} why={t('regions.noneWhy')} />}
      />
    </Card>
  )
}
