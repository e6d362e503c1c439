import { interpolateYlOrRd, scaleLinear } from 'd3'
import { type ReactNode, useMemo, useState } from 'react'
import { useNavigate } from 'react-router'
import type { Receipt } from '../../../contracts/tools/receipt.ts'
import { SelectField } from '../../../kit/ui/controls/field.tsx'
import { Axis } from '../../../kit/ui/figures/axis.tsx'
import { placedScale } from '../../../kit/ui/figures/axis-ticks.ts'
import { ColourScale, Drawing } from '../../../kit/ui/figures/drawing.tsx'
import { FigureFrame } from '../../../kit/ui/figures/figure-frame.tsx'
import { Legend, type LegendEntry, legendHeight } from '../../../kit/ui/figures/legend.tsx'
import { useWidth } from '../../../kit/ui/figures/use-width.ts'
import { useRegionLabel, useSequenceLabel } from '../../../kit/ui/gene/sequence-name.tsx'
import { useFormat, useText } from '../../../kit/ui/language.tsx'
import type { TableColumn } from '../../../kit/ui/table/result-table.tsx'
import messages from '../messages.ts'
import type { ContactRow, SearchResult } from '../tool.ts'
import { around, locusText, mapAddress } from './map-address.ts'

const maxArcs = 60
const left = 62
const right = 16
const arcsHeight = 150
const profileHeight = 150
/** What the scale of the colours takes up: on a narrow page below the lines' legend, else beside it. */
const scaleHeight = 46
const scaleWidth = 190
const widePx = 460
const bottom = 40

/** Bins away from the place from which a contact is more than nearness; of a map of coarse bins nearer. */
export const minDistanceBp = ({ resolution }: Pick<SearchResult, 'resolution'>): number => resolution * 3

/** Ends of the colours: the first that the strongest contact does not pass. */
const ratioEnds = [1.5, 2, 4, 8, 16] as const

/** Colour of observed over expected from 1 to `end`, by logarithm; the palest third of the scale would not show as a line. */
const ratioColour = (ratio: number, end: number): string =>
  interpolateYlOrRd(0.35 + 0.65 * Math.max(0, Math.min(1, Math.log(ratio) / Math.log(end))))

/** Contacts within the chromosome highest above expectation, away from the place itself. */
export const strongestRows = (result: SearchResult, max: number): ContactRow[] =>
  result.rows
    .filter(({ ratio, distance }) => ratio !== null && ratio > 1 && distance! >= minDistanceBp(result))
    .sort((a, b) => b.ratio! - a.ratio!)
    .slice(0, max)

/** The contacts of the place along its chromosome: their profile with what is expected, and the strongest as arcs. */
export const ArcsFigure = ({
  result,
  receipt,
  name,
  lengthBp,
  columns,
}: {
  result: SearchResult
  receipt: Receipt
  name: string
  lengthBp: number
  columns: TableColumn<ContactRow>[]
}): ReactNode => {
  const t = useText(messages)
  const format = useFormat()
  const regionOf = useRegionLabel()
  const labelOf = useSequenceLabel()
  const navigate = useNavigate()
  const [root, width] = useWidth<HTMLDivElement>()
  const { view, resolution, normalization, map, assembly, features } = result
  const middle = (view.start + view.end) / 2
  const cis = useMemo(
    () => result.rows.filter(({ distance }) => distance !== null).sort((a, b) => a.start - b.start),
    [result.rows],
  )
  const extents = [50, 200, 1000].map((bins) => bins * resolution).filter((bp) => bp < lengthBp / 2)
  const [extent, setExtent] = useState<number | null>(null)
  const from = extent === null ? 1 : Math.max(1, Math.round(middle - extent))
  const to = extent === null ? lengthBp : Math.min(lengthBp, Math.round(middle + extent))
  const inner = Math.max(120, width - left - right)
  const x = (position: number): number => left + ((position - from) / Math.max(1, to - from)) * inner
  const arcs = useMemo(() => strongestRows(result, maxArcs), [result])
  const ratioEnd = ratioEnds.find((end) => end >= (arcs[0]?.ratio ?? 1)) ?? ratioEnds.at(-1)!
  const measured = (row: ContactRow): number | null =>
    normalization === 'none' ? row.observed / view.bins : row.balanced
  const shown = cis.filter(({ start, end }) => end >= from && start <= to)
  const values = shown.flatMap((row) => [measured(row), row.expected]).filter((value) => value !== null && value > 0)
  const [low, high] = [Math.min(...(values as number[])), Math.max(...(values as number[]))]
  const measure = t(normalization === 'none' ? 'arcs.counts' : 'arcs.balanced')
  const lines: LegendEntry[] = [
    { key: 'profile', label: measure, colour: 'var(--primary)', dash: '' },
    { key: 'expected', label: t('arcs.expected'), colour: 'var(--figure-axis)', dash: '4 3' },
    { key: 'view', label: t('arcs.view'), colour: 'var(--primary)', opacity: 0.16 },
    ...(features.tads.length === 0 ? [] : [{ key: 'tads', label: t('tad.legend'), colour: '#e69f00', opacity: 0.75 }]),
  ]
  const isWide = inner >= widePx
  const legendWidth = isWide ? inner - scaleWidth : inner
  const legendRoom = legendHeight(lines, legendWidth)
  const top = isWide ? Math.max(scaleHeight, legendRoom + 6) : legendRoom + scaleHeight
  const base = top + arcsHeight
  const floor = base + profileHeight
  // By logarithm: contacts fall over several powers of ten with distance.
  const y = (value: number): number =>
    floor - (high <= low ? 0.5 : Math.log(Math.max(low, value) / low) / Math.log(high / low)) * (profileHeight - 12)
  const line = (of: (row: ContactRow) => number | null): string => {
    let path = ''
    let previous = Number.NEGATIVE_INFINITY
    for (const row of shown) {
      const value = of(row)
      if (value === null || value <= 0) continue
      // A gap in the bins is a gap in the line.
      path += `${row.start - previous > resolution * 1.5 ? 'M' : 'L'}${x((row.start + row.end) / 2).toFixed(1)},${y(value).toFixed(1)}`
      previous = row.start
    }
    return path
  }
  const levels =
    high > low
      ? Array.from({ length: 40 }, (_, at) => 10 ** (at - 20)).filter((level) => level >= low && level <= high)
      : []
  const height = floor + bottom
  const open = (row: ContactRow): void =>
    void navigate(
      mapAddress({
        assembly,
        map: map.id,
        resolution,
        normalization,
        locus: locusText({ sequence: row.sequence, ...around(view, row, lengthBp) }),
      }),
    )
  const title = t('arcs.title', { sequence: labelOf(assembly, view.sequence) })
  return (
    <FigureFrame
      title={title}
      name={`${name}-contacts`}
      receipt={receipt}
      numbers={{ columns, rows: cis, rowKey: (row) => locusText(row) }}
      method={t('arcs.method', {
        measure,
        count: arcs.length,
        min: format.basePairs(minDistanceBp(result)),
        expected: result.expectedFrom === null ? '' : t(`expected.${result.expectedFrom}`),
      })}
    >
      {extents.length === 0 ? null : (
        <div className="nv-figure-bar">
          <SelectField
            label={t('arcs.extent')}
            value={extent === null ? '' : String(extent)}
            onChoose={(chosen) => setExtent(chosen === '' ? null : Number(chosen))}
            options={[
              { value: '', label: t('arcs.whole') },
              ...extents.map((bp) => ({
                value: String(bp),
                label: t('arcs.near', { distance: format.basePairs(bp) }),
              })),
            ]}
          />
        </div>
      )}
      <div ref={root} className="hic-arcs">
        <Drawing width={width} height={height} label={title}>
          <Axis
            side="left"
            scale={placedScale(y, [low, high], [floor, base])}
            at={left}
            grid={left + inner}
            ticks={levels}
            text={format.statistic}
            name={measure}
          />
          <Axis
            side="bottom"
            scale={scaleLinear([from, to], [left, left + inner])}
            at={floor}
            grid={base}
            positions
            name={(unit) => `${labelOf(assembly, view.sequence)} (${unit})`}
          />
          {features.tads
            .filter(({ end, start }) => end >= from && start <= to)
            .map((tad) => (
              <rect
                key={`${tad.start}-${tad.end}`}
                className="hic-tad"
                x={Math.max(left, x(tad.start))}
                width={Math.max(1, Math.min(left + inner, x(tad.end)) - Math.max(left, x(tad.start)))}
                y={base - 3}
                height={6}
              >
                <title>{`${t('tad.legend')}: ${regionOf(assembly, tad)}`}</title>
              </rect>
            ))}
          <rect
            className="hic-view"
            x={x(view.start)}
            width={Math.max(2, x(view.end) - x(view.start))}
            y={top}
            height={floor - top}
          >
            <title>{t('arcs.view')}</title>
          </rect>
          <path className="hic-expected" d={line((row) => row.expected)} />
          <path className="hic-profile" d={line(measured)} />
          {[...arcs]
            .reverse()
            .filter(({ end, start }) => end >= from && start <= to)
            .map((row) => {
              const other = x((row.start + row.end) / 2)
              const own = x(middle)
              const rise = Math.min(arcsHeight - 8, 10 + (Math.abs(other - own) / inner) * arcsHeight * 1.6)
              const title = `${regionOf(assembly, row)}: ${format.number(row.ratio!, 2)}${row.genes.length > 0 ? `\n${row.genes.map(({ id, symbol }) => symbol ?? id).join(', ')}` : ''}`
              return (
                // biome-ignore lint/a11y/useSemanticElements: within a drawing there are no buttons.
                <path
                  key={row.start}
                  role="button"
                  tabIndex={0}
                  className="hic-arc"
                  d={`M${own},${base}C${own},${base - rise * 1.33} ${other},${base - rise * 1.33} ${other},${base}`}
                  stroke={ratioColour(row.ratio!, ratioEnd)}
                  aria-label={title}
                  onClick={() => open(row)}
                  onKeyDown={(event) => {
                    if (event.key === 'Enter' || event.key === ' ') {
                      event.preventDefault()
                      open(row)
                    }
                  }}
                >
                  <title>{title}</title>
                </path>
              )
            })}
          <Legend entries={lines} x={left} y={4} width={legendWidth} />
          {arcs.length === 0 ? (
            <text className="hic-axis" x={left + inner / 2} y={top + 40} textAnchor="middle">
              {t('arcs.none', { min: format.basePairs(minDistanceBp(result)) })}
            </text>
          ) : (
            <ColourScale
              x={left + inner - 150}
              y={isWide ? 14 : legendRoom + 14}
              colour={(fraction) => ratioColour(ratioEnd ** fraction, ratioEnd)}
              ends={['1', (arcs[0]?.ratio ?? 1) > ratioEnd ? `≥ ${ratioEnd}` : format.number(ratioEnd, 1)]}
              title={t('arcs.ratio')}
            />
          )}
        </Drawing>
      </div>
    </FigureFrame>
  )
}
