import { arc } from 'd3'
import type { ReactNode } from 'react'
import { useNavigate } from 'react-router'
import { FigureFrame } from '../../kit/ui/figures/figure-frame.tsx'
import { spreadLabels } from '../../kit/ui/figures/spread-labels.ts'
import { geneAddress } from '../../kit/ui/gene/gene-link.tsx'
import { useRegionLabel, useSequenceLabel } from '../../kit/ui/gene/sequence-name.tsx'
import { useFormat, useText } from '../../kit/ui/language.tsx'
import { circleScale, joinWindows, type MapFigureProps, middleOf } from './map-parts.ts'
import messages from './messages.ts'

/** Half of the figure's height; of a side with more labels than it has room for, the larger. */
const halves = { usual: 280, crowded: 384 }
const radiiOf = (half: number) => ({
  labels: half - 42,
  names: half - 68,
  ticks: half - 85,
  outer: half - 98,
  inner: half - 114,
  densityTop: half - 120,
  density: half - 152,
  links: half - 158,
  marks: half - 94,
  marksEnd: half - 118,
})
/** Sequences of a shorter arc have no scale. */
const shortestScalePx = 90
const maxLabels = 120
const labelGap = 13
const gapAngle = 0.012

const point = (angle: number, radius: number): string =>
  `${(Math.sin(angle) * radius).toFixed(2)},${(-Math.cos(angle) * radius).toFixed(2)}`

/** Chromosomes around a circle: density, marks, labels, and pairs joined through the middle. */
export const CircleFigure = ({
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
  const { sequences, features, links, assembly } = result
  const labelOf = useSequenceLabel()
  const regionOf = useRegionLabel()
  const total = sequences.reduce((sum, { lengthBp }) => sum + lengthBp, 0)
  const gap = Math.min(gapAngle, 0.9 / Math.max(1, sequences.length))
  const room = 2 * Math.PI - gap * sequences.length
  const starts = new Map<string, { from: number; to: number; lengthBp: number }>()
  let at = gap / 2
  for (const { name, lengthBp } of sequences) {
    const to = at + (lengthBp / Math.max(1, total)) * room
    starts.set(name, { from: at, to, lengthBp })
    at = to + gap
  }
  const angle = (sequence: string, position: number): number => {
    const place = starts.get(sequence)!
    return place.from + (position / place.lengthBp) * (place.to - place.from)
  }
  const labelled = labels && features.length <= maxLabels ? features : []
  const isRight = (feature: (typeof features)[number]): boolean => angle(feature.sequence, middleOf(feature)) < Math.PI
  const ofRight = labelled.filter(isRight).length
  const mostLabels = Math.floor((2 * (halves.usual - 16)) / labelGap)
  const half = Math.max(ofRight, labelled.length - ofRight) > mostLabels ? halves.crowded : halves.usual
  const radii = radiiOf(half)
  const ring = arc<{ from: number; to: number }>()
    .innerRadius(radii.inner)
    .outerRadius(radii.outer)
    .startAngle(({ from }) => from)
    .endAngle(({ to }) => to)
  // Labels of each half stand one below another on its side.
  const sides = [true, false].map((right) => {
    const own = labelled
      .map((feature) => ({ feature, angle: angle(feature.sequence, middleOf(feature)) }))
      .filter((one) => one.angle < Math.PI === right)
      .map((one) => ({ ...one, y: -Math.cos(one.angle) * radii.labels }))
      .sort((a, b) => a.y - b.y)
    const indexes = spreadLabels(
      own.map(({ y }) => y),
      labelGap,
      -half + 16,
      half - 16,
    )
    return own.map((one, number) => ({ ...one, right, index: indexes[number]! }))
  })
  const alone = sequences.length === 1 ? sequences[0] : undefined
  const arcPx = (name: string): number => {
    const place = starts.get(name)!
    return (place.to - place.from) * radii.outer
  }
  const { unit, bases, digits, ticksOf } = circleScale(
    sequences.map(({ lengthBp }) => lengthBp),
    room * radii.outer,
  )
  const nameStep = Math.max(1, Math.ceil(sequences.length / 60))
  return (
    <FigureFrame
      title={t('circle.title')}
      name={`${assembly}-gene-circle`}
      receipt={receipt}
      numbers={numbers}
      method={t('circle.method', { window: windows === null ? 'none' : format.basePairs(windows.windowBp) })}
    >
      {legend}
      <div className="map-figure">
        {/* biome-ignore lint/a11y/useSemanticElements: an SVG has no fieldset. */}
        <svg
          data-figure
          viewBox={`${-half * 1.3} ${-half} ${half * 2.6} ${half * 2}`}
          className="map-circle"
          style={{ maxBlockSize: 2 * half }}
          role="group"
          aria-label={t('circle.title')}
        >
          {windows === null ? null : (
            <g className="nv-axis" transform={`translate(${-half * 1.3 + 8},${-half + 10})`}>
              <text y={4}>{t('density.unit', { window: format.basePairs(windows.windowBp) })}</text>
              <path d={`M8,16h-5v${radii.densityTop - radii.density}h5`} />
              <text x={12} y={16} dominantBaseline="central">
                {format.number(windows.max)}
              </text>
              <text x={12} y={16 + radii.densityTop - radii.density} dominantBaseline="central">
                0
              </text>
            </g>
          )}
          {links.map((link, number) => {
            const a = angle(link.from.sequence, middleOf(link.from))
            const b = angle(link.to.sequence, middleOf(link.to))
            return (
              <path
                // biome-ignore lint/suspicious/noArrayIndexKey: pairs keep their order.
                key={number}
                d={`M${point(a, radii.links)}Q0,0 ${point(b, radii.links)}`}
                fill="none"
                stroke={colours.get(link.group) ?? 'var(--figure-axis)'}
                strokeOpacity={links.length > 300 ? 0.35 : 0.75}
                strokeWidth={links.length > 300 ? 0.8 : 1.5}
                className="map-pair"
              >
                <title>{`${link.from.name} – ${link.to.name}${link.group === '' ? '' : ` (${link.group})`}`}</title>
              </path>
            )
          })}
          {sequences.map(({ name, lengthBp, count }, number) => {
            const place = starts.get(name)!
            const middle = (place.from + place.to) / 2
            const turned = middle > Math.PI / 2 && middle < 1.5 * Math.PI
            const counts = joinWindows(windows?.of.get(name) ?? [], (place.to - place.from) * radii.density)
            const max = (windows?.max ?? 1) * counts.joined
            const step =
              windows === null ? 0 : ((windows.windowBp * counts.joined) / lengthBp) * (place.to - place.from)
            return (
              <g key={name}>
                <path d={ring(place) ?? ''} className="map-arc">
                  <title>{`${labelOf(assembly, name)}: ${format.basePairs(lengthBp)}, ${t('count.features', { count })}`}</title>
                </path>
                <path
                  d={counts.counts
                    .map((genes, window) => {
                      if (genes === 0) return ''
                      const from = place.from + window * step
                      const to = Math.min(place.to, from + step)
                      const top = radii.density + (radii.densityTop - radii.density) * Math.min(1, genes / max)
                      return `M${point(from, radii.density)}L${point(from, top)}L${point(to, top)}L${point(to, radii.density)}Z`
                    })
                    .join('')}
                  fill="var(--gene-fill)"
                  fillOpacity={0.75}
                />
                {arcPx(name) < shortestScalePx
                  ? null
                  : ticksOf(lengthBp).map((tick) => {
                      const spot = angle(name, tick)
                      const below = spot > Math.PI / 2 && spot < 1.5 * Math.PI
                      return (
                        <g key={tick}>
                          <path
                            d={`M${point(spot, radii.outer)}L${point(spot, radii.outer + 6)}`}
                            stroke="var(--figure-axis)"
                          />
                          <text
                            transform={`translate(${point(spot, radii.ticks - (below ? -7 : 0))}) rotate(${((spot * 180) / Math.PI + (below ? 180 : 0)).toFixed(1)})`}
                            textAnchor="middle"
                            fontSize={10.5}
                            fill="var(--figure-axis)"
                          >
                            {`${format.fixed(tick / bases, digits)} ${unit}`}
                          </text>
                        </g>
                      )
                    })}
                {alone !== undefined ? (
                  <text textAnchor="middle" fill="var(--figure-ink)" className="map-middle">
                    <tspan x={0} dy={-4} fontSize={15} fontWeight={600}>
                      {name}
                    </tspan>
                    <tspan x={0} dy={20} fontSize={12}>
                      {format.basePairs(lengthBp)}
                    </tspan>
                  </text>
                ) : number % nameStep !== 0 ? null : (
                  <text
                    transform={`translate(${point(middle, radii.names - (turned ? -6 : 0))}) rotate(${((middle * 180) / Math.PI + (turned ? 180 : 0)).toFixed(1)})`}
                    textAnchor="middle"
                    fontSize={12}
                    fontWeight={600}
                    fill="var(--figure-ink)"
                  >
                    {(place.to - place.from) * radii.names < name.length * 6
                      ? name.replace(/^(chromosome|chr)_?/i, '')
                      : name}
                  </text>
                )}
              </g>
            )
          })}
          {[...colours].map(([group, colour]) => {
            const own = features.filter((feature) => feature.group === group)
            return own.length === 0 ? null : (
              <path
                key={group}
                d={own
                  .map((feature) => {
                    const middle = angle(feature.sequence, middleOf(feature))
                    return `M${point(middle, radii.marksEnd)}L${point(middle, radii.marks)}`
                  })
                  .join('')}
                stroke={colour}
                strokeWidth={own.length > 500 ? 1 : 2}
                fill="none"
              />
            )
          })}
          {sides.flat().map(({ feature, angle: middle, right, index: y }, number) => {
            const x = (right ? 1 : -1) * Math.max(60, Math.sqrt(Math.max(0, radii.labels ** 2 - y ** 2)) + 14)
            const open = (): void => void navigate(geneAddress(feature.gene!, assembly))
            const text = (
              <text
                x={x + (right ? 4 : -4)}
                y={y}
                textAnchor={right ? 'start' : 'end'}
                dominantBaseline="central"
                fontSize={11}
                fontStyle={feature.symbol === null ? 'normal' : 'italic'}
                fill="var(--figure-ink)"
              >
                {feature.name.slice(0, 20)}
                <title>{`${feature.name} ${regionOf(assembly, feature)} ${feature.description ?? ''}`}</title>
              </text>
            )
            return (
              // biome-ignore lint/suspicious/noArrayIndexKey: a list may hold a feature twice.
              <g key={number}>
                <path
                  d={`M${point(middle, radii.marks)}L${point(middle, radii.names + 12)}L${x.toFixed(1)},${y.toFixed(1)}`}
                  stroke={colours.get(feature.group) ?? 'var(--figure-axis)'}
                  strokeWidth={0.7}
                  fill="none"
                />
                {feature.gene === null ? (
                  text
                ) : (
                  // biome-ignore lint/a11y/useSemanticElements: an SVG has no anchor that the router knows.
                  <g
                    role="link"
                    tabIndex={0}
                    className="map-link"
                    onClick={open}
                    onKeyDown={(event) => {
                      if (event.key === 'Enter') open()
                    }}
                  >
                    {text}
                  </g>
                )}
              </g>
            )
          })}
        </svg>
        {labels && features.length > maxLabels ? (
          <p className="nv-quiet">{t('circle.noLabels', { max: maxLabels })}</p>
        ) : null}
      </div>
    </FigureFrame>
  )
}
