import type { ReactNode } from 'react'
import { categoryEdge, categoryFill, categoryInk } from '../../kit/ui/figures/category-marks.tsx'
import { categoryBeside } from '../../kit/ui/figures/palette.ts'
import { labelWidth } from '../../kit/ui/figures/text-width.ts'
import type { Feature } from './tool.ts'

export const barPx = 16
const fontPx = 11
/** Places in the palette that impacts of variants have colours of, which stand in the same figure. */
const impactPlaces = [1, 2, 5]

/** Category of the n-th group of features; -1 of what has no colour. */
export const featureCategory = (group: number): number => categoryBeside(impactPlaces, group)

/** Waves of a coil: half turns so wide. */
const wavePx = 5

const wave = (from: number, to: number, y: number): string => {
  const turns = Math.max(1, Math.round((to - from) / wavePx))
  const step = (to - from) / turns
  let path = `M${from},${y}`
  for (let turn = 0; turn < turns; turn += 1) path += `q${step / 2},${turn % 2 === 0 ? -9 : 9} ${step},0`
  return path
}

const textIn = (label: string, px: number): string | null => {
  if (labelWidth(label, fontPx) + 8 <= px) return label
  const letters = Math.floor((px - 14) / (labelWidth(label, fontPx) / Math.max(1, label.length)))
  return letters >= 4 ? `${label.slice(0, letters)}…` : null
}

/**
 * A feature between two places of a row: domains as boxes with their name, whole families as open boxes, sites as diamonds, signal
 * peptides as arrows, segments in the membrane as barred boxes, coils as waves, disorder as dashes, sides of a membrane as a line.
 */
export const FeatureMark = ({
  feature,
  label,
  category,
  figure,
  runs,
  y,
}: {
  feature: Feature
  label: string
  category: number
  /** Of the textures. */
  figure: string
  /** From and to in pixels, one for each piece without a gap. */
  runs: readonly (readonly [from: number, to: number])[]
  y: number
}): ReactNode => {
  const first = runs[0]
  const last = runs.at(-1)
  if (first === undefined || last === undefined) return null
  const [from, to] = [first[0], Math.max(first[0] + 2, last[1])]
  const top = y - barPx / 2
  const { kind } = feature
  const ink = 'var(--figure-ink)'
  if (kind === 'signal')
    return (
      <path
        d={`M${from},${top + 2}H${Math.max(from, to - 6)}L${to},${y}L${Math.max(from, to - 6)},${top + barPx - 2}H${from}Z`}
        fill={ink}
      />
    )
  if (kind === 'transmembrane')
    return (
      <g>
        <rect x={from} y={top} width={to - from} height={barPx} fill="var(--surface)" stroke={ink} strokeWidth={1.5} />
        {Array.from({ length: Math.max(0, Math.floor((to - from) / 5) - 1) }, (_, bar) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: bars keep their order.
          <path key={bar} d={`M${from + 5 * (bar + 1)},${top}v${barPx}`} stroke={ink} strokeWidth={1} />
        ))}
      </g>
    )
  if (kind === 'coil') return <path d={wave(from, to, y)} fill="none" stroke={ink} strokeWidth={1.6} />
  if (kind === 'disorder')
    return <path d={`M${from},${y}H${to}`} stroke={ink} strokeWidth={5} strokeDasharray="2 3" strokeOpacity={0.7} />
  if (kind === 'topology') {
    const text = textIn(label, to - from)
    return (
      <g>
        <path d={`M${from},${y}H${to}M${from},${y - 4}v8M${to},${y - 4}v8`} stroke={ink} strokeWidth={1} fill="none" />
        {text === null ? null : (
          <text x={(from + to) / 2} y={y - 3} textAnchor="middle" fontSize={9.5} fill={ink} pointerEvents="none">
            {text}
          </text>
        )}
      </g>
    )
  }
  if (kind === 'site' && to - from < 10)
    return (
      <path
        d={`M${(from + to) / 2},${top}l6,${barPx / 2}l-6,${barPx / 2}l-6,${-barPx / 2}Z`}
        fill={categoryFill(figure, category)}
        stroke={categoryEdge}
      />
    )
  const open = kind === 'family'
  const text = textIn(label, to - from)
  return (
    <g>
      {runs.length < 2 ? null : <path d={`M${from},${y}H${to}`} stroke={categoryEdge} strokeWidth={1} />}
      {runs.map(([start, end]) => (
        <rect
          key={start}
          x={start}
          y={top + (open ? 3 : 0)}
          width={Math.max(runs.length > 1 ? 1 : 2, end - start)}
          height={barPx - (open ? 6 : 0)}
          rx={runs.length > 1 ? 1 : Math.min(4, (end - start) / 3)}
          fill={categoryFill(figure, category)}
          stroke={categoryEdge}
          strokeWidth={runs.length > 4 ? 0 : 0.8}
        />
      ))}
      {text === null || (runs.length > 1 && runs.length > 12) ? null : (
        <text
          x={(from + to) / 2}
          y={y}
          textAnchor="middle"
          dominantBaseline="central"
          fontSize={open ? 10 : fontPx}
          style={categoryInk(category)}
          pointerEvents="none"
        >
          {text}
        </text>
      )}
    </g>
  )
}
