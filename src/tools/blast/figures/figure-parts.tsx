import type { ScaleLinear } from 'd3'
import type { KeyboardEvent, ReactNode } from 'react'
import { useFormat } from '../../../kit/ui/language.tsx'

/** Ticks of an axis above a drawing, with lines down through it; `digits` for positions that are no whole numbers. */
export const TickGrid = ({
  scale,
  y,
  bottom,
  digits = 0,
}: {
  scale: ScaleLinear<number, number>
  y: number
  bottom: number
  digits?: number
}): ReactNode => {
  const format = useFormat()
  return scale.ticks(8).map((tick) => (
    <g key={tick} transform={`translate(${scale(tick)} 0)`}>
      <line y1={y} y2={bottom} className="blast-grid" />
      <text y={y - 5} textAnchor="middle">
        {format.number(tick, digits)}
      </text>
    </g>
  ))
}

/** What makes a part of a drawing a button, to the pointer and to the keyboard. */
export const pressable = (press: () => void) => ({
  role: 'button',
  tabIndex: 0,
  onClick: press,
  onKeyDown: (event: KeyboardEvent): void => {
    if (event.key !== 'Enter' && event.key !== ' ') return
    event.preventDefault()
    press()
  },
})

/** A name cut to what a drawing has room for. */
export const shortName = (name: string, max: number): string =>
  name.length > max ? `${name.slice(0, max - 1)}…` : name

/** The sequence of an assembly that a hit is; null of a gene, a protein or what was pasted. */
export const sequenceOf = (hit: {
  subject: string
  assembly: string | null
  kind: string | null
}): { assembly: string; sequence: string } | null =>
  hit.kind === 'genome' && hit.assembly !== null ? { assembly: hit.assembly, sequence: hit.subject } : null

/** Name of a hit beside its drawing: the gene's symbol or the subject, and the assembly when there is one. */
export const hitLabel = (hit: { subject: string; symbol: string | null; assembly: string | null }): string =>
  `${shortName(hit.symbol ?? hit.subject, 18)}${hit.assembly === null ? '' : ` · ${shortName(hit.assembly, 14)}`}`
