import { useQuery } from '@tanstack/react-query'
import { scaleLinear } from 'd3'
import { type ReactNode, useMemo, useState } from 'react'
import { useAddressValues } from '../../kit/ui/address-values.ts'
import { Unanswered, Waiting } from '../../kit/ui/controls/empty-state.tsx'
import { Segmented } from '../../kit/ui/controls/field.tsx'
import { ScrollBox } from '../../kit/ui/controls/scroll-box.tsx'
import { Axis } from '../../kit/ui/figures/axis.tsx'
import { FigureFrame } from '../../kit/ui/figures/figure-frame.tsx'
import { viridis } from '../../kit/ui/figures/palette.ts'
import { useFormat, useText } from '../../kit/ui/language.tsx'
import { call } from '../../kit/ui/request.ts'
import { getOverview, type OverviewAnswer } from './endpoints.ts'
import messages from './messages.ts'
import type { GraphResult } from './tool.ts'

const rowPx = 15
const labelPx = 150
const plotPx = 820
/** Levels of the colour scale: bins of equal level side by side are one mark. */
const levels = 10

type Segment = OverviewAnswer['segments'][number]
type Measure = 'present' | 'inserted'

interface Mark {
  from: number
  to: number
  level: number
}

/** Runs of bins of one level; -1 where nothing is known of the sample. */
const marksOf = (values: readonly number[], levelOf: (value: number) => number): Mark[] => {
  const marks: Mark[] = []
  for (const [bin, value] of values.entries()) {
    const level = levelOf(value)
    const last = marks.at(-1)
    if (last !== undefined && last.level === level) last.to = bin + 1
    else marks.push({ from: bin, to: bin + 1, level })
  }
  return marks
}

const levelColour = (level: number): string => (level < 0 ? 'var(--figure-grid)' : viridis(level / levels))

/** Who has how much of the whole sequence; a click opens the place. */
export const OverviewFigure = ({ result }: { result: GraphResult }): ReactNode => {
  const t = useText(messages)
  const format = useFormat()
  const [, change] = useAddressValues()
  const [measure, setMeasure] = useState<Measure>('present')
  const { assembly, graph, sequence } = result
  const answer = useQuery({
    queryKey: ['graph-overview', assembly, graph.id, sequence],
    queryFn: (context) => call(getOverview, { assembly, graph: graph.id, sequence }, context),
    staleTime: 300_000,
  })
  const segment = answer.data?.segments.find(
    ({ start0, binBp, samples }) =>
      result.end > start0 && result.start - 1 < start0 + binBp * (samples[0]?.present.length ?? 0),
  )
  const rows = useMemo(() => (segment === undefined ? [] : measured(segment, measure)), [segment, measure])
  if (answer.isError) return <Unanswered of={answer} />
  if (answer.data === undefined) return <Waiting />
  if (segment === undefined || rows.length === 0) return null
  const bins = segment.samples[0]!.present.length
  const x = (bin: number): number => labelPx + (bin / bins) * plotPx
  const lengthBp = bins * segment.binBp
  const binAt = (position: number): number => (position - segment.start0) / segment.binBp
  const height = 24 + rows.length * rowPx + 44
  const width = labelPx + plotPx + 24
  const open = (event: React.MouseEvent<SVGSVGElement>): void => {
    const box = event.currentTarget.getBoundingClientRect()
    const at = ((event.clientX - box.left) / box.width) * width
    const bin = Math.floor(((at - labelPx) / plotPx) * bins)
    if (bin < 0 || bin >= bins) return
    const start = segment.start0 + bin * segment.binBp + 1
    const end = Math.min(segment.start0 + lengthBp, start + Math.max(segment.binBp, 2000) - 1)
    change({ locus: `${sequence}:${start}-${end}`, graph: graph.id, run: '1' })
  }
  return (
    <FigureFrame
      title={t('overview.title', { sequence })}
      aside={t('overview.aside', { samples: rows.length, bin: format.basePairs(segment.binBp) })}
      name={`${assembly}-${sequence}-${graph.id}-overview`}
      method={t(measure === 'present' ? 'overview.methodPresent' : 'overview.methodInserted')}
      actions={
        <Segmented
          label={t('overview.measure')}
          value={measure}
          onChoose={(value) => setMeasure(value as Measure)}
          options={[
            { value: 'present', label: t('overview.present') },
            { value: 'inserted', label: t('overview.inserted') },
          ]}
        />
      }
      numbers={{
        rows: rows.flatMap(({ name, values }) =>
          values.map((value, bin) => ({ name, value, start: segment.start0 + bin * segment.binBp + 1 })),
        ),
        rowKey: ({ name, start }) => `${name} ${start}`,
        columns: [
          { key: 'sample', title: t('column.sample'), kind: 'id', value: ({ name }) => name },
          { key: 'start', title: t('column.start'), kind: 'number', value: ({ start }) => start },
          {
            key: 'value',
            title: t(measure === 'present' ? 'overview.present' : 'overview.inserted'),
            kind: 'number',
            value: ({ value }) => (value < 0 ? null : value),
          },
        ],
      }}
    >
      <ScrollBox className="pgb-scroll" label={t('overview.title', { sequence })}>
        {/* biome-ignore lint/a11y/useKeyWithClickEvents: the field above takes the same place by the keyboard. */}
        <svg
          data-figure
          role="img"
          aria-label={t('overview.title', { sequence })}
          viewBox={`0 0 ${width} ${height}`}
          className="pgb-overview"
          onClick={open}
        >
          <title>{t('overview.title', { sequence })}</title>
          {rows.map(({ name, marks }, row) => (
            <g key={name} transform={`translate(0,${20 + row * rowPx})`}>
              <text className="pgb-row" x={labelPx - 6} y={rowPx - 4} textAnchor="end">
                {name.length > 22 ? `${name.slice(0, 21)}…` : name}
              </text>
              {marks.map((mark) => (
                <rect
                  key={mark.from}
                  x={x(mark.from)}
                  width={x(mark.to) - x(mark.from) + 0.3}
                  height={rowPx - 2}
                  fill={levelColour(mark.level)}
                  className={mark.level < 0 ? 'pgb-unknown' : undefined}
                />
              ))}
            </g>
          ))}
          <rect
            className="pgb-here"
            x={x(Math.max(0, binAt(result.start - 1)))}
            y={16}
            width={Math.max(2, x(Math.min(bins, binAt(result.end))) - x(Math.max(0, binAt(result.start - 1))))}
            height={rows.length * rowPx + 6}
          />
          <Axis
            side="bottom"
            scale={scaleLinear([segment.start0 + 1, segment.start0 + lengthBp], [labelPx, labelPx + plotPx])}
            at={24 + rows.length * rowPx}
            positions
            name={(unit) => `${sequence} (${unit})`}
          />
          <g transform={`translate(${labelPx},2)`}>
            {Array.from({ length: levels + 1 }, (_, level) => (
              <rect
                // biome-ignore lint/suspicious/noArrayIndexKey: parts of a scale keep their order.
                key={level}
                x={level * 9}
                width={9.3}
                height={8}
                fill={levelColour(level)}
              />
            ))}
            <text className="pgb-row" x={(levels + 1) * 9 + 6} y={8}>
              {t(measure === 'present' ? 'overview.scalePresent' : 'overview.scaleInserted', {
                max: format.basePairs(Math.max(0, ...rows.flatMap(({ values }) => values))),
              })}
            </text>
          </g>
        </svg>
      </ScrollBox>
      <p className="nv-quiet">{t('overview.hint')}</p>
    </FigureFrame>
  )
}

const measured = ({ samples }: Segment, measure: Measure): { name: string; values: number[]; marks: Mark[] }[] => {
  const max = Math.max(1, ...samples.flatMap(({ insertedBp }) => insertedBp))
  return samples.map(({ name, present, insertedBp }) => {
    const values = measure === 'present' ? present : present.map((share, bin) => (share < 0 ? -1 : insertedBp[bin]!))
    const levelOf = (value: number): number =>
      value < 0
        ? -1
        : measure === 'present'
          ? Math.round((value / 100) * levels)
          : Math.round((Math.log1p(value) / Math.log1p(max)) * levels)
    return { name, values, marks: marksOf(values, levelOf) }
  })
}
