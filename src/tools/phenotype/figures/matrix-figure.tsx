import type { ReactNode } from 'react'
import type { Receipt } from '../../../contracts/tools/receipt.ts'
import { ColourScale, Drawing } from '../../../kit/ui/figures/drawing.tsx'
import { FigureFrame } from '../../../kit/ui/figures/figure-frame.tsx'
import { inkOn } from '../../../kit/ui/figures/palette.ts'
import { labelWidth } from '../../../kit/ui/figures/text-width.ts'
import { useWidth } from '../../../kit/ui/figures/use-width.ts'
import { useFormat, useText } from '../../../kit/ui/language.tsx'
import messages from '../messages.ts'
import type { TraitCorrelation } from '../tool.ts'

/** Blue below zero, orange above, white at it: Okabe and Ito's pair that everyone tells apart. */
const diverging = (r: number): string => {
  const [red, green, blue] = r < 0 ? [0, 114, 178] : [213, 94, 0]
  const mix = (one: number): number => Math.round(255 + (one - 255) * Math.min(1, Math.abs(r)))
  return `rgb(${mix(red!)}, ${mix(green!)}, ${mix(blue!)})`
}

/** Place of a pair of traits in the lists of a correlation. `pairAt(4, 1, 3)` is 4. */
export const pairAt = (count: number, one: number, other: number): number => {
  const [i, j] = one < other ? [one, other] : [other, one]
  return i * count - (i * (i + 1)) / 2 + j - i - 1
}

const significant = 0.05
const max = 34
const longestName = 20

const shorten = (text: string): string => (text.length > longestName ? `${text.slice(0, longestName - 1)}…` : text)

/** Coefficients of all pairs as a square of colours. */
export const MatrixFigure = ({
  correlation,
  receipt,
  name,
  chosen,
  onChoose,
}: {
  correlation: TraitCorrelation
  receipt: Receipt
  name: string
  chosen: [number, number] | null
  onChoose: (pair: [number, number]) => void
}): ReactNode => {
  const t = useText(messages)
  const format = useFormat()
  const [root, given] = useWidth<HTMLDivElement>(720)
  const { traits, order, r, n, adjustedPValue, method } = correlation
  const count = traits.length
  const names = traits.map((trait) => format.text(trait.name))
  const room = Math.min(170, 14 + Math.max(...names.map((text) => labelWidth(shorten(text), 11))))
  const cell = Math.max(9, Math.min(max, (given - room - 20) / count))
  const width = Math.max(320, room + count * cell + 60)
  const above = room * 0.72
  const height = above + count * cell + 58
  const titleOf = (i: number, j: number): string => {
    const at = pairAt(count, i, j)
    return t('correlation.cell', {
      first: names[i]!,
      second: names[j]!,
      n: format.number(n[at]!),
      r: r[at] === null ? '–' : format.number(r[at]!, 3),
      p: adjustedPValue[at] === null ? '–' : format.pValue(adjustedPValue[at]!),
    })
  }
  return (
    <FigureFrame
      title={t('correlation.matrix')}
      name={`${name}-matrix`}
      method={t('correlation.matrixMethod', { method })}
      receipt={receipt}
      numbers={{
        rows: traits.map((_, at) => order[at]!),
        rowKey: (at) => traits[at]!.id,
        columns: [
          { key: 'trait', title: t('column.trait'), value: (at) => names[at]! },
          ...order.map((other) => ({
            key: traits[other]!.id,
            title: names[other]!,
            kind: 'number' as const,
            digits: 3,
            value: (at: number) => (at === other ? 1 : r[pairAt(count, at, other)]!),
          })),
        ],
      }}
    >
      <div ref={root}>
        <Drawing width={width} height={height} label={t('correlation.matrix')} scroll="phe-scroll">
          {order.map((i, row) => (
            <text
              key={traits[i]!.id}
              x={room - 6}
              y={above + (row + 0.5) * cell}
              textAnchor="end"
              dominantBaseline="central"
              fontSize={Math.min(11, cell + 1)}
            >
              {shorten(names[i]!)}
            </text>
          ))}
          {order.map((j, column) => (
            <text
              key={traits[j]!.id}
              transform={`translate(${room + (column + 0.5) * cell},${above - 5}) rotate(-45)`}
              fontSize={Math.min(11, cell + 1)}
            >
              {shorten(names[j]!)}
            </text>
          ))}
          {order.flatMap((i, row) =>
            order.map((j, column) => {
              const [x, y] = [room + column * cell, above + row * cell]
              if (i === j)
                return (
                  <rect key={`${i}/${j}`} x={x} y={y} width={cell - 1} height={cell - 1} fill="var(--figure-grid)" />
                )
              const at = pairAt(count, i, j)
              const value = r[at] ?? null
              const fill = value === null ? 'var(--figure-grid)' : diverging(value)
              const weak = value !== null && (adjustedPValue[at] ?? 1) >= significant
              const own = chosen !== null && pairAt(count, ...chosen) === at
              return (
                <g key={`${i}/${j}`}>
                  {/* biome-ignore lint/a11y/useSemanticElements: a drawing has no buttons of its own. */}
                  <g
                    className="phe-cell"
                    role="button"
                    tabIndex={row < column ? 0 : -1}
                    aria-label={titleOf(i, j)}
                    onClick={() => onChoose([i, j])}
                    onKeyDown={(event) => {
                      if (event.key === 'Enter' || event.key === ' ') {
                        event.preventDefault()
                        onChoose([i, j])
                      }
                    }}
                  >
                    <title>{titleOf(i, j)}</title>
                    <rect
                      x={x}
                      y={y}
                      width={cell - 1}
                      height={cell - 1}
                      fill={fill}
                      stroke={own ? 'var(--figure-ink)' : 'none'}
                      strokeWidth={2}
                    />
                    {weak && cell > 7 ? (
                      <path
                        d={`M${x + 2},${y + 2}l${cell - 5},${cell - 5}m0,${5 - cell}l${5 - cell},${cell - 5}`}
                        stroke="#999999"
                        strokeWidth={0.8}
                      />
                    ) : null}
                  </g>
                  {!weak && value !== null && cell >= 28 ? (
                    <text
                      x={x + cell / 2}
                      y={y + cell / 2}
                      textAnchor="middle"
                      dominantBaseline="central"
                      fontSize={10}
                      pointerEvents="none"
                      aria-hidden
                      style={{ fill: inkOn(fill) }}
                    >
                      {format.number(value, 2)}
                    </text>
                  ) : null}
                </g>
              )
            }),
          )}
          <ColourScale
            x={room}
            y={above + count * cell + 16}
            colour={(share) => diverging(2 * share - 1)}
            ends={['-1', '1']}
            middle="0"
            title={t('column.r')}
          />
        </Drawing>
      </div>
    </FigureFrame>
  )
}
