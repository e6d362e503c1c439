import { scaleLinear } from 'd3'
import { type ReactNode, useMemo } from 'react'
import { listIntersections } from '../../../bio/statistics/set-intersections.ts'
import type { Receipt } from '../../../contracts/tools/receipt.ts'
import { useText } from '../language.tsx'
import { Axis } from './axis.tsx'
import { Drawing } from './drawing.tsx'
import { FigureFrame } from './figure-frame.tsx'
import { messages } from './figure-messages.ts'
import { shortenNames } from './shortened-names.ts'
import { useWidth } from './use-width.ts'

const maxColumns = 40
const rowHeight = 22
const barHeight = 130
const letterWidth = 6.4
const top = 18

export interface IntersectedSet {
  key: string
  name: string
  /** Positions of its members in `members`. */
  members: readonly number[]
}

/** How many members are in exactly which of some sets: an UpSet plot (Lex et al. 2014). */
export const IntersectionFigure = ({
  sets,
  members,
  title,
  aside,
  name,
  method,
  receipt,
  setsTitle,
  wrap = (_, label) => label,
}: {
  sets: readonly IntersectedSet[]
  /** Names of all members. */
  members: readonly string[]
  title: string
  aside?: ReactNode
  /** Of files. */
  name: string
  method?: ReactNode
  receipt?: Receipt
  /** What the sets are: "Terms". */
  setsTitle: string
  /** A link about the name of the n-th set, for one. */
  wrap?: (index: number, label: ReactNode) => ReactNode
}): ReactNode => {
  const t = useText(messages)
  const [root, width] = useWidth<HTMLDivElement>()
  const all = useMemo(() => listIntersections(sets.map((set) => set.members)), [sets])
  const left = Math.min(width * 0.4, Math.max(...sets.map((set) => set.name.length)) * letterWidth + 60)
  const columns = all.slice(0, Math.min(maxColumns, Math.max(4, Math.floor((width - left - 10) / 16))))
  const step = Math.min(34, (width - left - 10) / Math.max(1, columns.length))
  const max = Math.max(1, ...columns.map((column) => column.members.length))
  const y = (count: number): number => top + barHeight - (count / max) * barHeight
  const matrixTop = top + barHeight + 14
  const rowY = (at: number): number => matrixTop + rowHeight * (at + 0.5)
  const labels = shortenNames(
    sets.map((set) => set.name),
    Math.max(8, Math.floor((left - 14) / letterWidth)),
  )
  const namesOf = (at: readonly number[]): string => at.map((one) => sets[one]!.name).join(' + ')
  const membersOf = (list: readonly number[]): string => list.map((at) => members[at]!).join(' ')
  return (
    <FigureFrame
      title={title}
      aside={aside}
      name={name}
      receipt={receipt}
      method={method}
      numbers={{
        rows: all,
        rowKey: ({ at }) => at.join(' '),
        columns: [
          { key: 'sets', title: setsTitle, long: true, value: ({ at }) => namesOf(at) },
          { key: 'count', title: t('intersections.size'), kind: 'number', value: (one) => one.members.length },
          { key: 'genes', title: t('intersections.genes'), long: true, value: (one) => membersOf(one.members) },
        ],
      }}
    >
      <div ref={root} className="nv-intersections">
        <Drawing width={width} height={matrixTop + sets.length * rowHeight + 8} label={title}>
          <Axis
            side="left"
            scale={scaleLinear([0, max], [top + barHeight, top])}
            at={left - 4}
            grid={width - 8}
            name={t('intersections.size')}
            whole
          />
          {sets.map((set, at) => (
            <g key={set.key}>
              {wrap(
                at,
                <>
                  <title>{set.name}</title>
                  {at % 2 === 0 ? (
                    <rect fill="var(--sunken)" x={0} y={rowY(at) - rowHeight / 2} width={width} height={rowHeight} />
                  ) : null}
                  <text
                    x={left - 8}
                    y={rowY(at)}
                    textAnchor="end"
                    dominantBaseline="central"
                    fontSize={12}
                    fill="var(--figure-ink)"
                  >
                    {labels[at]}
                  </text>
                </>,
              )}
            </g>
          ))}
          {columns.map(({ at, members: list }, column) => {
            const x = left + step * (column + 0.5)
            return (
              <g key={at.join(' ')}>
                <title>{`${t('intersections.only', { count: list.length, sets: namesOf(at) })}\n${membersOf(list.slice(0, 40))}`}</title>
                <rect
                  fill="var(--figure-ink)"
                  x={x - step * 0.33}
                  y={y(list.length)}
                  width={step * 0.66}
                  height={top + barHeight - y(list.length)}
                />
                <text x={x} y={y(list.length) - 4} textAnchor="middle" fontSize={11} fill="var(--figure-ink)">
                  {list.length}
                </text>
                {sets.map((set, row) => (
                  <circle
                    key={set.key}
                    cx={x}
                    cy={rowY(row)}
                    r={4.5}
                    fill={at.includes(row) ? 'var(--figure-ink)' : 'var(--line)'}
                  />
                ))}
                <line
                  stroke="var(--figure-ink)"
                  strokeWidth={2}
                  x1={x}
                  x2={x}
                  y1={rowY(at[0]!)}
                  y2={rowY(at.at(-1)!)}
                />
              </g>
            )
          })}
        </Drawing>
      </div>
    </FigureFrame>
  )
}
