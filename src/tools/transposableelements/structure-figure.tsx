import { scaleLinear } from 'd3'
import type { ReactNode } from 'react'
import type { Receipt } from '../../contracts/tools/receipt.ts'
import { ScrollBox } from '../../kit/ui/controls/scroll-box.tsx'
import { Axis } from '../../kit/ui/figures/axis.tsx'
import { FigureFrame } from '../../kit/ui/figures/figure-frame.tsx'
import { Legend, legendHeight } from '../../kit/ui/figures/legend.tsx'
import { categoryColour, inkOn } from '../../kit/ui/figures/palette.ts'
import { labelWidth } from '../../kit/ui/figures/text-width.ts'
import { useWidth } from '../../kit/ui/figures/use-width.ts'
import { useFormat, useText } from '../../kit/ui/language.tsx'
import messages from './messages.ts'
import type { ElementPart } from './tool.ts'

const types: ElementPart['type'][] = ['LTR', 'TIR', 'domain', 'PBS', 'PPT', 'TSD', 'fragment']
const bodyHeight = 26
const narrowestPx = 300

/** An element to scale: its ends, inner domains and the duplicated target site. */
export const StructureFigure = ({
  name,
  title,
  start,
  end,
  strand,
  parts,
  colouredBefore = 0,
  receipt,
}: {
  name: string
  /** Which element of several it is. */
  title?: string
  start: number
  end: number
  strand: string
  parts: { type: string; start: number; end: number; strand: string; name: string | null }[]
  /** Categories that a figure in view has given colours to. */
  colouredBefore?: number
  receipt?: Receipt
}): ReactNode => {
  const t = useText(messages)
  const format = useFormat()
  const colourOf = (type: string): string => categoryColour(colouredBefore + types.indexOf(type as 'LTR'))
  const [root, given] = useWidth<HTMLElement>()
  const width = Math.max(narrowestPx, given)
  const from = Math.min(start, ...parts.map((part) => part.start))
  const to = Math.max(end, ...parts.map((part) => part.end))
  const x = (position: number): number => 12 + ((position - from) / (to - from + 1)) * (width - 24)
  const present = types.filter((type) => parts.some((part) => part.type === type))
  const legend = present.map((type) => ({ key: type, label: t(`part.${type}`), colour: colourOf(type) }))
  const bodyY = 22 + legendHeight(legend, width - 24)
  // Labels of domains in two rows, the second for those that would lie on the first.
  let lastEnd = 0
  const drawn = parts.map((part) => {
    const label = part.name ?? t(`part.${part.type as 'LTR'}`)
    const middle = (x(part.start) + x(part.end + 1)) / 2
    const half = labelWidth(label, 12) / 2
    const low = middle - half < lastEnd
    if (!low) lastEnd = middle + half + 6
    return { part, label, middle, low }
  })
  const height = bodyY + bodyHeight + 72
  return (
    <FigureFrame
      title={title ?? t('info.structure')}
      name={name}
      {...(receipt === undefined ? {} : { receipt })}
      method={t('info.structureMethod')}
      numbers={{
        rows: parts,
        rowKey: (part) => `${part.type}/${part.start}/${part.end}/${part.name}`,
        columns: [
          { key: 'part', title: t('column.part'), value: (part) => t(`part.${part.type as 'LTR'}`) },
          { key: 'name', title: t('column.name'), kind: 'id', value: (part) => part.name },
          { key: 'start', title: t('column.start'), kind: 'number', value: (part) => part.start },
          { key: 'end', title: t('column.end'), kind: 'number', value: (part) => part.end },
          { key: 'strand', title: t('column.strand'), kind: 'id', value: (part) => part.strand },
          { key: 'length', title: t('column.length'), kind: 'number', value: (part) => part.end - part.start + 1 },
        ],
      }}
    >
      <ScrollBox ref={root} className="te-figure" label={t('info.structure')}>
        <svg width={width} height={height} role="img" aria-label={t('info.structure')}>
          <Legend entries={legend} x={12} y={0} width={width - 24} />
          <rect
            x={x(start)}
            y={bodyY + 8}
            width={Math.max(1, x(end + 1) - x(start))}
            height={bodyHeight - 16}
            fill="var(--gene-muted)"
          />
          {drawn.map(({ part, label, middle, low }) => {
            const wide = Math.max(2, x(part.end + 1) - x(part.start))
            // What is drawn wider than it is grows away from the element, not under the LTR beside it.
            const left = part.end < start ? x(part.end + 1) - wide : x(part.start)
            const colour = colourOf(part.type)
            const inside = wide > labelWidth(label, 12) + 6
            const named = part.type === 'domain' || part.type === 'LTR' || part.type === 'TIR'
            return (
              <g key={`${part.type}/${part.start}/${part.end}/${part.name}`}>
                <title>{`${label} ${format.number(part.start)}–${format.number(part.end)} (${format.basePairs(part.end - part.start + 1)})`}</title>
                <rect x={left} y={bodyY} width={wide} height={bodyHeight} rx={2} fill={colour} />
                {named && inside ? (
                  <text
                    x={middle}
                    y={bodyY + bodyHeight / 2}
                    textAnchor="middle"
                    dominantBaseline="central"
                    fontSize={11}
                    style={{ fill: inkOn(colour) }}
                  >
                    {label}
                  </text>
                ) : named ? (
                  <text
                    x={middle}
                    y={low ? bodyY + bodyHeight + 13 : bodyY - 6}
                    textAnchor="middle"
                    fontSize={11}
                    fill="var(--figure-ink)"
                  >
                    {label}
                  </text>
                ) : null}
              </g>
            )
          })}
          {strand === '+' || strand === '-' ? (
            <text x={width / 2} y={bodyY + bodyHeight + 16} textAnchor="middle" fontSize={12} fill="var(--figure-axis)">
              {strand === '+' ? '5′ → 3′' : '3′ ← 5′'}
            </text>
          ) : null}
          <Axis
            side="bottom"
            scale={scaleLinear([from, to], [12, width - 12])}
            at={bodyY + bodyHeight + 30}
            within={[0, width]}
            positions
            name={(unit) => t('overview.axisPosition', { unit })}
          />
        </svg>
      </ScrollBox>
    </FigureFrame>
  )
}
