import { line as lineOf, scaleBand, scaleLinear } from 'd3'
import { type ReactNode, useMemo, useState } from 'react'
import type { ExpressionDataset } from '../../contracts/expression.ts'
import type { Receipt } from '../../contracts/tools/receipt.ts'
import { useUnitName } from '../../kit/ui/controls/expression-fields.tsx'
import { Field, Segmented, Select, SelectField } from '../../kit/ui/controls/field.tsx'
import { unitOnScale } from '../../kit/ui/expression/expression-scale.ts'
import { Axis, CategoryAxis } from '../../kit/ui/figures/axis.tsx'
import { layCategoryLabels } from '../../kit/ui/figures/category-labels.ts'
import {
  CategorySwatch,
  CategoryTextures,
  categoryDash,
  categoryEdge,
  categoryFill,
  useTextureId,
} from '../../kit/ui/figures/category-marks.tsx'
import { FigureFrame } from '../../kit/ui/figures/figure-frame.tsx'
import { categoryColour } from '../../kit/ui/figures/palette.ts'
import { useWidth } from '../../kit/ui/figures/use-width.ts'
import { useFormat, useText } from '../../kit/ui/language.tsx'
import messages from './messages.ts'
import { asNumbers, groupProfiles, type ProfileGroup } from './profile-groups.ts'
import type { GeneRow } from './tool.ts'

const height = 320
const margin = { top: 12, right: 16, left: 62 }
const profileKinds = ['bar', 'line', 'box'] as const
type Kind = (typeof profileKinds)[number]
type Spread = 'error' | 'deviation'
/** Genes drawn together; colours beyond are hard to tell apart. */
const genesAtOnce = 8
const bySample = '~sample'
const none = '~none'

/** Factors of a time course: a time of several numbers, and what tells its series apart; null where the samples are none. */
const findCourse = (dataset: ExpressionDataset, group: string | null): { time: string; series: string } | null => {
  const time = dataset.factors.find(
    ({ name, levels }) =>
      /\b(time|min(ute)?s?|hours?|days?|weeks?|age|d[ap][ap]|[hd]pi)\b/i.test(name) &&
      levels.length > 3 &&
      asNumbers(levels.filter((level) => level !== '')) !== null,
  )?.name
  if (time === undefined) return null
  const fits = dataset.factors.filter(
    ({ name, levels }) => name !== time && !/^(rep|batch)/i.test(name) && levels.length <= genesAtOnce,
  )
  const series = fits.find(({ name }) => name === group) ?? fits[0]
  return series === undefined ? null : { time, series: series.name }
}

/** Levels as numbers, where a line is drawn along them; null where each is a name. */
const numbersOf = (kind: Kind, levels: readonly string[]): number[] | null =>
  kind === 'line' ? asNumbers(levels) : null

/** Bars, lines or boxes of genes over the groups of samples, with every replicate as a dot. */
export const ProfileFigure = ({
  genes,
  dataset,
  samples,
  factor: firstFactor,
  receipt,
  name,
  controls = true,
  aside,
}: {
  genes: GeneRow[]
  dataset: ExpressionDataset
  samples: ExpressionDataset['samples']
  factor: string | null
  receipt?: Receipt
  name: string
  controls?: boolean
  aside?: ReactNode
}): ReactNode => {
  const t = useText(messages)
  const format = useFormat()
  const unitName = useUnitName()
  const figure = useTextureId()
  const [root, given] = useWidth<HTMLDivElement>()
  // A time course is drawn as one: the time along the axis, a line for each series.
  const course = useMemo(() => findCourse(dataset, firstFactor), [dataset, firstFactor])
  const [kind, setKind] = useState<Kind>(course === null ? 'bar' : 'line')
  const [spread, setSpread] = useState<Spread>('error')
  const [factor, setFactor] = useState<string>(course?.time ?? firstFactor ?? bySample)
  const [split, setSplit] = useState<string>(course?.series ?? none)
  const [scale, setScale] = useState<'log' | 'loaded'>('loaded')
  const [page, setPage] = useState(0)
  const parts = split === none ? 1 : (dataset.factors.find((one) => one.name === split)?.levels.length ?? 1)
  const together = Math.max(1, Math.floor(genesAtOnce / parts))
  const pages = Math.ceil(genes.length / together)
  const shownPage = Math.min(page, pages - 1)
  const shownGenes = useMemo(
    () => genes.slice(shownPage * together, (shownPage + 1) * together),
    [genes, shownPage, together],
  )
  const { levels, splits, groups } = useMemo(
    () =>
      groupProfiles(shownGenes, dataset, samples, {
        factor: factor === bySample ? null : factor,
        split: split === none ? null : split,
        scale,
      }),
    [shownGenes, dataset, samples, factor, split, scale],
  )
  const nameOf = (one: { gene: string; symbol: string | null; split: string }): string =>
    [one.symbol ?? one.gene, one.split].filter((part) => part !== '').join(' · ')
  // Series without a value (samples without a time) have neither colour nor name.
  const filled = new Set(groups.map((one) => `${one.gene}\n${one.split}`))
  const series = shownGenes
    .flatMap(({ id, symbol }) => splits.map((part) => ({ gene: id, symbol, split: part })))
    .filter((one) => filled.has(`${one.gene}\n${one.split}`))
  const seriesOf = new Map(series.map((one, at) => [`${one.gene}\n${one.split}`, at]))
  const at = (one: ProfileGroup): number => seriesOf.get(`${one.gene}\n${one.split}`)!

  const narrowest =
    margin.left + margin.right + levels.length * Math.max(14, kind === 'line' ? 14 : series.length * 7 + 6)
  const width = Math.max(given, Math.min(narrowest, 4000))
  const levelNames = levels.map((level) => (level === '' ? '–' : level))
  const levelLabels = layCategoryLabels(levelNames, (width - margin.left - margin.right) / levels.length, {
    fontPx: 11,
    maxRoomPx: 120,
  })
  const below = numbersOf(kind, levels) === null ? levelLabels.roomPx + 12 : 44
  const inner = { width: width - margin.left - margin.right, height: height - margin.top - below }
  const reach = (one: ProfileGroup): [number, number] => {
    const more = (spread === 'error' ? one.figures.error : one.figures.deviation) ?? 0
    return [Math.min(one.figures.mean - more, ...one.values), Math.max(one.figures.mean + more, ...one.values)]
  }
  const least = Math.min(...groups.map((one) => reach(one)[0]))
  const most = Math.max(...groups.map((one) => reach(one)[1]))
  // Bars begin at 0, whatever they measure; boxes and lines far from it would be flat on an axis that holds it.
  const fromZero = kind === 'bar' || (least >= 0 && least < most * 0.4)
  const low = fromZero ? Math.min(0, least) : least
  const top = fromZero ? Math.max(0, most) : most
  // Where all are equal, as of a gene without an insertion in any sample.
  const high = top > low ? top : low + 1
  const y = scaleLinear([low, high], [margin.top + inner.height, margin.top]).nice()
  const band = scaleBand(levels, [margin.left, margin.left + inner.width])
    .paddingInner(0.18)
    .paddingOuter(0.1)
  const numbers = numbersOf(kind, levels)
  const along =
    numbers === null
      ? null
      : scaleLinear([numbers[0]!, numbers.at(-1)!], [margin.left + 12, margin.left + inner.width - 12])
  const middle = (level: string): number =>
    along === null ? band(level)! + band.bandwidth() / 2 : along(numbers![levels.indexOf(level)]!)
  const slot = band.bandwidth() / Math.max(1, series.length)
  const unit = unitOnScale(dataset.unit, scale, unitName)
  // What differs from sample to sample, such as the number of reads, gathers none.
  const gathering = dataset.factors.filter(
    ({ name, levels: own }) =>
      name === factor || name === split || (own.length > 1 && own.length < dataset.samples.length),
  )
  const factorOptions = [
    ...gathering.map((one) => ({ value: one.name, label: one.name })),
    { value: bySample, label: t('profile.sample') },
  ]
  const whisker = (one: ProfileGroup, x: number): ReactNode => {
    const more = (spread === 'error' ? one.figures.error : one.figures.deviation) ?? 0
    if (more === 0) return null
    const [top, bottom] = [y(one.figures.mean + more), y(one.figures.mean - more)]
    return (
      <path
        d={`M${x - 3},${top}H${x + 3}M${x},${top}V${bottom}M${x - 3},${bottom}H${x + 3}`}
        stroke="var(--figure-ink)"
        fill="none"
      />
    )
  }
  const dots = (one: ProfileGroup, x: number, spreadPx: number): ReactNode =>
    one.values.length < 2
      ? null
      : one.values.map((value, index) => (
          <circle
            // biome-ignore lint/suspicious/noArrayIndexKey: replicates keep their places.
            key={index}
            cx={x + ((((index * 7) % 11) - 5) / 11) * spreadPx}
            cy={y(value)}
            r={2.6}
            fill="var(--figure-ink)"
            opacity={0.6}
          >
            <title>{`${one.samples[index]}: ${format.number(value, 3)}`}</title>
          </circle>
        ))
  const titleOf = (one: ProfileGroup): string =>
    t('profile.tip', {
      name: nameOf(one),
      level: one.level,
      mean: format.number(one.figures.mean, 3),
      deviation: one.figures.deviation === null ? '–' : format.number(one.figures.deviation, 3),
      count: one.figures.count,
    })

  return (
    <FigureFrame
      title={t('profile.title')}
      aside={aside}
      name={name}
      {...(receipt === undefined ? {} : { receipt })}
      method={t('profile.method', { kind, spread, counts: dataset.unit === 'counts' ? 'yes' : 'no' })}
      numbers={{
        rows: groups,
        rowKey: (one) => `${one.gene}/${one.split}/${one.level}`,
        columns: [
          { key: 'gene', title: t('column.gene'), kind: 'id', value: (one) => one.gene },
          { key: 'symbol', title: t('column.symbol'), kind: 'symbol', value: (one) => one.symbol },
          { key: 'split', title: t('column.split'), hidden: splits.length < 2, value: (one) => one.split },
          { key: 'level', title: t('column.level'), value: (one) => one.level },
          { key: 'count', title: t('column.count'), kind: 'number', value: (one) => one.figures.count },
          { key: 'mean', title: t('column.mean'), kind: 'number', digits: 3, value: (one) => one.figures.mean },
          { key: 'sd', title: t('column.deviation'), kind: 'number', digits: 3, value: (one) => one.figures.deviation },
          { key: 'sem', title: t('column.error'), kind: 'number', digits: 3, value: (one) => one.figures.error },
          { key: 'median', title: t('column.median'), kind: 'number', digits: 3, value: (one) => one.figures.median },
          {
            key: 'q1',
            title: t('column.lowerQuartile'),
            kind: 'number',
            digits: 3,
            value: (one) => one.figures.lowerQuartile,
          },
          {
            key: 'q3',
            title: t('column.upperQuartile'),
            kind: 'number',
            digits: 3,
            value: (one) => one.figures.upperQuartile,
          },
          {
            key: 'values',
            title: t('column.values'),
            long: true,
            value: (one) =>
              one.values.map((value, index) => `${one.samples[index]}=${Number(value.toPrecision(7))}`).join('; '),
          },
        ],
      }}
    >
      <div className="nv-figure-bar">
        <Segmented
          label={t('profile.kind')}
          value={kind}
          onChoose={(value) => setKind(value as Kind)}
          options={profileKinds.map((value) => ({ value, label: t(`profile.${value}`) }))}
        />
        {kind === 'box' ? null : (
          <Segmented
            label={t('profile.spread')}
            value={spread}
            onChoose={(value) => setSpread(value as Spread)}
            options={[
              { value: 'error', label: t('profile.error') },
              { value: 'deviation', label: t('profile.deviation') },
            ]}
          />
        )}
        {dataset.unit.startsWith('log2') ? null : (
          <Segmented
            label={t('profile.scale')}
            value={scale}
            onChoose={(value) => setScale(value as 'log')}
            options={[
              { value: 'loaded', label: dataset.unit === 'counts' ? 'CPM' : unitName(dataset.unit) },
              { value: 'log', label: 'log2' },
            ]}
          />
        )}
        {controls ? (
          <div className="nv-figure-fields">
            <Field label={t('profile.factor')}>
              {(control) => <Select {...control} value={factor} onChoose={setFactor} options={factorOptions} />}
            </Field>
            {gathering.length < 2 ? null : (
              <SelectField
                label={t('profile.split')}
                value={split}
                onChoose={setSplit}
                options={[{ value: none, label: t('profile.noSplit') }, ...factorOptions.slice(0, -1)].filter(
                  ({ value }) => value !== factor,
                )}
              />
            )}
            {pages < 2 ? null : (
              <SelectField
                label={t('profile.genes')}
                value={String(shownPage)}
                onChoose={(value) => setPage(Number(value))}
                options={Array.from({ length: pages }, (_, number) => ({
                  value: String(number),
                  label: `${number * together + 1}${together === 1 ? '' : `–${Math.min(genes.length, (number + 1) * together)}`}: ${genes[number * together]!.symbol ?? genes[number * together]!.id}${together === 1 ? '' : ' …'}`,
                }))}
              />
            )}
          </div>
        ) : null}
      </div>
      <div ref={root} className="nv-layers">
        <svg width={width} height={height} role="img" aria-label={t('profile.title')} data-figure>
          <CategoryTextures figure={figure} count={series.length} />
          <Axis side="left" scale={y} at={margin.left} grid={margin.left + inner.width} name={unit} />
          {kind === 'line'
            ? series.map((one, number) => {
                const own = groups.filter((group) => at(group) === number)
                const path = lineOf<ProfileGroup>()
                  .x((group) => middle(group.level))
                  .y((group) => y(group.figures.mean))(own)
                return (
                  <g key={`${one.gene}/${one.split}`}>
                    <g fill="none" strokeDasharray={categoryDash(number)}>
                      <path d={path ?? ''} stroke={categoryEdge} strokeWidth={3} />
                      <path d={path ?? ''} stroke={categoryColour(number)} strokeWidth={2} />
                    </g>
                    {own.map((group) => (
                      <g key={group.level}>
                        {whisker(group, middle(group.level))}
                        <circle
                          cx={middle(group.level)}
                          cy={y(group.figures.mean)}
                          r={3.2}
                          fill={categoryColour(number)}
                          stroke={categoryEdge}
                          strokeWidth={0.5}
                        >
                          <title>{titleOf(group)}</title>
                        </circle>
                      </g>
                    ))}
                  </g>
                )
              })
            : groups.map((group) => {
                const x = band(group.level)! + at(group) * slot
                const centre = x + slot / 2
                const { figures } = group
                const wide = Math.max(1.5, slot - 1.5)
                return (
                  <g key={`${group.gene}/${group.split}/${group.level}`} className="exp-mark">
                    <title>{titleOf(group)}</title>
                    {kind === 'bar' ? (
                      <>
                        <rect
                          x={centre - wide / 2}
                          y={Math.min(y(0), y(figures.mean))}
                          width={wide}
                          height={Math.max(0.5, Math.abs(y(0) - y(figures.mean)))}
                          fill={categoryFill(figure, at(group))}
                          stroke={categoryEdge}
                          strokeWidth={0.5}
                        />
                        {whisker(group, centre)}
                      </>
                    ) : (
                      <>
                        <path
                          d={`M${centre},${y(figures.lowerWhisker)}V${y(figures.upperWhisker)}`}
                          stroke="var(--figure-ink)"
                        />
                        <rect
                          x={centre - wide / 2}
                          y={y(figures.upperQuartile)}
                          width={wide}
                          height={Math.max(0.5, y(figures.lowerQuartile) - y(figures.upperQuartile))}
                          fill={categoryFill(figure, at(group))}
                          stroke="var(--figure-ink)"
                        />
                        <path
                          d={`M${centre - wide / 2},${y(figures.median)}h${wide}`}
                          stroke="var(--figure-ink)"
                          strokeWidth={2}
                        />
                      </>
                    )}
                    {dots(group, centre, wide * 0.7)}
                  </g>
                )
              })}
          {y.domain()[0]! <= 0 && y.domain()[1]! >= 0 ? (
            <line x1={margin.left} x2={margin.left + inner.width} y1={y(0)} y2={y(0)} stroke="var(--figure-axis)" />
          ) : null}
          {along === null ? (
            <CategoryAxis
              labels={levelLabels}
              names={levelNames}
              place={(index) => middle(levels[index]!)}
              at={margin.top + inner.height}
            />
          ) : (
            <Axis
              side="bottom"
              scale={along}
              at={margin.top + inner.height}
              {...(factor === bySample ? {} : { name: factor })}
            />
          )}
        </svg>
      </div>
      <ul className="nv-legend" data-legend>
        {series.map((one, number) => (
          <li key={`${one.gene}/${one.split}`}>
            <CategorySwatch figure={figure} index={number} line={kind === 'line'} />
            <i>{nameOf(one)}</i>
          </li>
        ))}
      </ul>
    </FigureFrame>
  )
}
