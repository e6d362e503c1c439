import { scaleLinear } from 'd3'
import type { ReactNode } from 'react'
import { useNavigate } from 'react-router'
import { Axis } from '../../kit/ui/figures/axis.tsx'
import { ColourScale, Drawing } from '../../kit/ui/figures/drawing.tsx'
import { FigureFrame } from '../../kit/ui/figures/figure-frame.tsx'
import { viridis } from '../../kit/ui/figures/palette.ts'
import { spreadLabels } from '../../kit/ui/figures/spread-labels.ts'
import { useWidth } from '../../kit/ui/figures/use-width.ts'
import { geneAddress } from '../../kit/ui/gene/gene-link.tsx'
import { RoleNote, useRegionLabel, useRoleStyle, useSequenceLabel } from '../../kit/ui/gene/sequence-name.tsx'
import { useFormat, useText } from '../../kit/ui/language.tsx'
import { joinWindows, type MapFigureProps, middleOf } from './map-parts.ts'
import messages from './messages.ts'
import type { MappedFeature } from './tool.ts'

const barPx = 16
const leaderPx = 22
const letterPx = 6.3
const labelGap = 12
const nameHeight = 22
const footHeight = 18
const legendHeight = 46
const scalePx = 58
const shortest = 320
const tallest = 1100
const longestLabel = 16
/** Columns of so many pixels have descriptions behind the names, at most as wide; shorter ones than so many letters are left out. */
const [describedPx, widestPx, fewestLetters] = [220, 460, 12]

/** Colour of a density: dark on light and light on dark stay told apart from the marks. */
const densityColour = (share: number): string => viridis(0.1 + 0.85 * share)

const shorten = (text: string): string => (text.length > longestLabel ? `${text.slice(0, longestLabel - 1)}…` : text)

/** Chromosomes to scale, standing, with density, marks, and labels that do not touch. */
export const ChromosomeFigure = ({
  result,
  windows,
  colours,
  labels,
  legend,
  numbers,
  receipt,
}: MapFigureProps): ReactNode => {
  const t = useText(messages)
  const format = useFormat()
  const navigate = useNavigate()
  const [root, given] = useWidth<HTMLDivElement>()
  const width = Math.max(320, given)
  const { sequences, features, assembly } = result
  const styleOf = useRoleStyle()
  const regionOf = useRegionLabel()
  const labelOf = useSequenceLabel()
  const of = new Map<string, MappedFeature[]>(sequences.map(({ name }) => [name, []]))
  for (const feature of features) of.get(feature.sequence)?.push(feature)
  const longest = Math.max(1, ...sequences.map(({ lengthBp }) => lengthBp))
  const busiest = Math.max(1, ...[...of.values()].map((list) => list.length))
  const height = labels ? Math.max(shortest, Math.min(tallest, busiest * labelGap)) : shortest
  const capacity = Math.floor(height / labelGap)
  const labelPx = labels
    ? Math.min(longestLabel, Math.max(4, ...features.map(({ name }) => name.length))) * letterPx + 4
    : 0
  const leastPx = Math.max(
    ...[barPx + 14 + (labels ? leaderPx + labelPx : 14), 40],
    Math.min(90, Math.max(...sequences.map(({ name }) => name.length)) * letterPx + 10),
  )
  const perRow = Math.max(1, Math.floor((width - scalePx) / leastPx))
  // Where few stand beside each other, what they share is the room for what a gene is, behind its name.
  const sharePx = (width - scalePx) / Math.max(1, sequences.length)
  const isDescribed = labels && sharePx >= describedPx
  const columnPx = isDescribed ? Math.min(sharePx, widestPx) : leastPx
  const describe = ({ name, description }: MappedFeature): string => {
    const letters = Math.floor((columnPx - barPx - leaderPx - 20) / letterPx) - shorten(name).length - 2
    const text = description ?? ''
    return letters < fewestLetters ? '' : text.length > letters ? `${text.slice(0, letters - 1).trimEnd()}…` : text
  }
  const rows = Math.ceil(sequences.length / perRow)
  const rowHeight = nameHeight + height + footHeight + 14
  let dropped = 0
  return (
    <FigureFrame
      title={t('chromosomes.title')}
      name={`${assembly}-gene-map`}
      receipt={receipt}
      numbers={numbers}
      method={t('chromosomes.method', { window: windows === null ? 'none' : format.basePairs(windows.windowBp) })}
    >
      {legend}
      <RoleNote sequences={sequences.map(({ name }) => ({ assembly, sequence: name }))} />
      <div ref={root} className="map-figure">
        <Drawing width={width} height={legendHeight + rows * rowHeight} label={t('chromosomes.title')}>
          {windows === null ? null : (
            <ColourScale
              x={8}
              y={10}
              colour={densityColour}
              ends={['0', format.number(windows.max)]}
              title={t('density.unit', { window: format.basePairs(windows.windowBp) })}
            />
          )}
          {Array.from({ length: rows }, (_, row) => {
            const top = legendHeight + row * rowHeight + nameHeight
            return (
              <Axis
                // biome-ignore lint/suspicious/noArrayIndexKey: rows keep their order.
                key={row}
                side="left"
                scale={scaleLinear([0, longest], [top, top + height])}
                at={scalePx - 6}
                positions
              />
            )
          })}
          {sequences.map((sequence, at) => {
            const x = scalePx + (at % perRow) * columnPx + 6
            const top = legendHeight + Math.floor(at / perRow) * rowHeight + nameHeight
            const px = Math.max(2, (sequence.lengthBp / longest) * height)
            const y = (position: number): number => top + (position / sequence.lengthBp) * px
            const own = of.get(sequence.name)!
            const counts = joinWindows(windows?.of.get(sequence.name) ?? [], px)
            const windowPx = windows === null ? 0 : ((windows.windowBp * counts.joined) / sequence.lengthBp) * px
            const max = (windows?.max ?? 1) * counts.joined
            const step = Math.max(1, Math.ceil(own.length / capacity))
            const labelled = labels ? own.filter((_, number) => number % step === 0) : []
            dropped += labels ? own.length - labelled.length : 0
            const indexes = spreadLabels(
              labelled.map((feature) => y(middleOf(feature))),
              labelGap,
              top + 2,
              top + height - 2,
            )
            const clip = `map-clip-${at}`
            return (
              <g key={sequence.name}>
                <text
                  x={x + barPx / 2}
                  y={top - 8}
                  textAnchor={labels ? 'start' : 'middle'}
                  dx={labels ? -barPx / 2 : 0}
                  fontSize={12}
                  fontWeight={600}
                  fontStyle={styleOf(assembly, sequence.name)}
                  fill="var(--figure-ink)"
                >
                  {sequence.name.length * letterPx > columnPx - 4
                    ? `${sequence.name.slice(0, Math.floor(columnPx / letterPx) - 2)}…`
                    : sequence.name}
                  <title>{`${labelOf(assembly, sequence.name)}: ${format.basePairs(sequence.lengthBp)}, ${t('count.features', { count: own.length })}`}</title>
                </text>
                <clipPath id={clip}>
                  <rect x={x} y={top} width={barPx} height={px} rx={Math.min(barPx / 2, px / 2)} />
                </clipPath>
                <g clipPath={`url(#${clip})`}>
                  <rect x={x} y={top} width={barPx} height={px} fill="var(--figure-grid)" />
                  {counts.counts.map((count, number) => (
                    <rect
                      // biome-ignore lint/suspicious/noArrayIndexKey: windows keep their places.
                      key={number}
                      x={x}
                      width={barPx}
                      y={top + number * windowPx}
                      height={Math.max(0, Math.min(windowPx + 0.4, px - number * windowPx))}
                      fill={densityColour(Math.min(1, count / max))}
                    />
                  ))}
                </g>
                <rect
                  x={x}
                  y={top}
                  width={barPx}
                  height={px}
                  rx={Math.min(barPx / 2, px / 2)}
                  fill="none"
                  stroke="var(--figure-axis)"
                />
                {[...colours].map(([group, colour]) => {
                  const marks = own.filter((feature) => feature.group === group)
                  return marks.length === 0 ? null : (
                    <path
                      key={group}
                      d={marks
                        .map((feature) => {
                          const [from, to] = [y(feature.start - 1), y(feature.end)]
                          return `M${x - 4},${from.toFixed(1)}H${x + barPx + 4}V${Math.max(from + 1.4, to).toFixed(1)}H${x - 4}Z`
                        })
                        .join('')}
                      fill={colour}
                    />
                  )
                })}
                {labelled.map((feature, number) => {
                  const from = y(middleOf(feature))
                  const to = indexes[number]!
                  const right = x + barPx + leaderPx
                  const text = (
                    <text
                      x={right + 2}
                      y={to}
                      dominantBaseline="central"
                      fontSize={10.5}
                      fontStyle={feature.symbol === null ? 'normal' : 'italic'}
                      fill="var(--figure-ink)"
                    >
                      {shorten(feature.name)}
                      {isDescribed ? (
                        <tspan dx={6} fontStyle="normal" fill="var(--figure-axis)">
                          {describe(feature)}
                        </tspan>
                      ) : null}
                      <title>{`${feature.name} ${regionOf(assembly, feature)} ${feature.description ?? ''}`}</title>
                    </text>
                  )
                  return (
                    // biome-ignore lint/suspicious/noArrayIndexKey: a list may hold a feature twice.
                    <g key={number}>
                      <path
                        d={`M${x + barPx + 4},${from.toFixed(1)}h3L${right - 3},${to.toFixed(1)}h3`}
                        fill="none"
                        stroke={colours.get(feature.group) ?? 'var(--figure-axis)'}
                        strokeWidth={0.8}
                      />
                      {feature.gene === null ? (
                        text
                      ) : (
                        // biome-ignore lint/a11y/useSemanticElements: an SVG has no anchor that the router knows.
                        <g
                          role="link"
                          tabIndex={0}
                          className="map-link"
                          onClick={() => void navigate(geneAddress(feature.gene!, assembly))}
                          onKeyDown={(event) => {
                            if (event.key === 'Enter') void navigate(geneAddress(feature.gene!, assembly))
                          }}
                        >
                          {text}
                        </g>
                      )}
                    </g>
                  )
                })}
              </g>
            )
          })}
        </Drawing>
        {dropped === 0 ? null : <p className="nv-quiet">{t('chromosomes.dropped', { count: dropped })}</p>}
      </div>
    </FigureFrame>
  )
}
