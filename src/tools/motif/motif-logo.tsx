import type { ReactNode } from 'react'
import { logoHeights } from '../../bio/motif/motif-formats.ts'

/** Letters in a box of 1 by 1, so that they scale exactly to their height: a font's letters have margins of their own. */
const letterPaths = [
  // A: two legs and a bar, the counter cut out.
  'M0 1L0.38 0H0.62L1 1H0.78L0.7 0.76H0.3L0.22 1ZM0.36 0.58H0.64L0.5 0.16Z',
  // C
  'M0.97 0.34H0.75C0.72 0.22 0.64 0.15 0.52 0.15C0.34 0.15 0.24 0.28 0.24 0.5C0.24 0.72 0.34 0.85 0.52 0.85C0.65 0.85 0.73 0.78 0.76 0.65H0.98C0.94 0.87 0.77 1 0.52 1C0.2 1 0 0.81 0 0.5C0 0.19 0.2 0 0.51 0C0.77 0 0.94 0.13 0.97 0.34Z',
  // G
  'M0.97 0.32H0.75C0.71 0.21 0.63 0.15 0.52 0.15C0.34 0.15 0.24 0.28 0.24 0.5C0.24 0.73 0.35 0.86 0.54 0.86C0.67 0.86 0.75 0.79 0.78 0.67H0.54V0.49H1V1H0.84L0.81 0.88C0.74 0.96 0.64 1 0.5 1C0.2 1 0 0.8 0 0.5C0 0.2 0.2 0 0.52 0C0.77 0 0.93 0.12 0.97 0.32Z',
  // T
  'M0 0H1V0.18H0.61V1H0.39V0.18H0Z',
] as const

/** A green, C blue, G ochre, T red: the colours of WebLogo (Crooks et al. 2004, Genome Res 14:1188), told apart by the letters as well. */
const letterColours = ['#00834a', '#1f5fbf', '#c47f00', '#c4261d'] as const

const maxBits = 2
/** Left of a logo with axes. */
export const logoAxisPx = 44
/** Narrower columns have every fifth number, so that the numbers stand apart. */
const numberedPx = 16

/** A sequence logo as a drawing of its own. Letters stand on each other, the most frequent on top; 2 bits are the whole height. */
export const MotifLogo = ({
  frequencies,
  siteCount,
  label,
  columnPx = 11,
  heightPx = 40,
  axis = false,
  bitsLabel,
}: {
  frequencies: readonly (readonly number[])[]
  siteCount: number
  label: string
  columnPx?: number
  heightPx?: number
  /** With bits at the left and positions below. */
  axis?: boolean
  /** Title of the axis of bits, in the reader's language. */
  bitsLabel?: string
}): ReactNode => {
  const heights = logoHeights(frequencies, siteCount)
  const left = axis ? logoAxisPx : 0
  const below = axis ? 18 : 0
  const numberStep = columnPx < numberedPx ? 5 : 1
  const above = axis ? 6 : 0
  const width = left + columnPx * heights.length
  const y = (bits: number): number => above + heightPx * (1 - bits / maxBits)
  return (
    <svg
      className="motif-logo"
      data-figure={axis ? true : undefined}
      width={width}
      height={above + heightPx + below}
      viewBox={`0 0 ${width} ${above + heightPx + below}`}
      role="img"
      aria-label={label}
    >
      <title>{label}</title>
      {axis ? (
        <g className="nv-axis">
          <line x1={left - 3} x2={left - 3} y1={y(maxBits)} y2={y(0)} />
          {[0, 1, 2].map((bits) => (
            <g key={bits} transform={`translate(${left - 3},${y(bits)})`}>
              <line x2={-4} />
              <text x={-7} textAnchor="end" dominantBaseline="central">
                {bits}
              </text>
            </g>
          ))}
          <text transform={`translate(10,${y(1)}) rotate(-90)`} textAnchor="middle">
            {bitsLabel}
          </text>
          {heights.map((_, position) =>
            position > 0 && (position + 1) % numberStep !== 0 ? null : (
              <text
                // biome-ignore lint/suspicious/noArrayIndexKey: positions of a motif are their numbers.
                key={position}
                x={left + columnPx * (position + 0.5)}
                y={above + heightPx + 13}
                textAnchor="middle"
              >
                {position + 1}
              </text>
            ),
          )}
        </g>
      ) : null}
      {heights.map((row, position) => {
        let from = 0
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: positions of a motif are their numbers.
          <g key={position}>
            {[0, 1, 2, 3]
              .sort((a, b) => row[a]! - row[b]!)
              .map((base) => {
                const bits = row[base]!
                if (bits < 0.01) return null
                from += bits
                return (
                  <path
                    key={base}
                    d={letterPaths[base]}
                    fill={letterColours[base]}
                    fillRule="evenodd"
                    transform={`translate(${left + columnPx * position + 0.4},${y(from)}) scale(${columnPx - 0.8},${(heightPx * bits) / maxBits})`}
                  />
                )
              })}
          </g>
        )
      })}
    </svg>
  )
}
