import type { ReactNode, SVGProps } from 'react'
import { type Impact, impactOf, impacts } from '../../../bio/variation/consequences.ts'
import { Tag } from '../controls/card.tsx'
import type { LegendEntry } from '../figures/legend.tsx'
import { markPath } from '../figures/mark-shapes.ts'
import { useText } from '../language.tsx'
import { messages } from './consequence-messages.ts'

/** Okabe and Ito's colours by impact. */
const colours: Record<Impact, string> = { high: '#d55e00', moderate: '#e69f00', low: '#009e73', modifier: '#999999' }
const tones: Record<Impact, 'red' | 'amber' | 'green' | 'grey'> = {
  high: 'red',
  moderate: 'amber',
  low: 'green',
  modifier: 'grey',
}

export const consequenceColour = (name: string): string => colours[impactOf(name)]

/** Shapes beside the colours, so that impacts are told apart without them: diamond, triangle, square, circle. */
const marks: Record<Impact, number> = { high: 3, moderate: 1, low: 2, modifier: 0 }
const areas: Record<Impact, number> = { high: 72, moderate: 58, low: 40, modifier: 32 }

/** Mark of a consequence about its place, larger the graver it is. */
export const ConsequenceMark = ({
  name,
  x,
  y,
  ...rest
}: { name: string; x: number; y: number } & Omit<SVGProps<SVGPathElement>, 'name' | 'x' | 'y'>): ReactNode => {
  const impact = impactOf(name)
  return (
    <path
      transform={`translate(${x},${y})`}
      d={markPath(marks[impact], areas[impact])}
      fill={colours[impact]}
      {...rest}
    />
  )
}

/** Of the impacts that these consequences have, the gravest first. */
export const useImpactLegend = (): ((consequences: Iterable<string>) => LegendEntry[]) => {
  const t = useText(messages)
  return (consequences) => {
    const present = new Set([...consequences].map(impactOf))
    return impacts
      .filter((impact) => present.has(impact))
      .map((impact) => ({ key: impact, label: t(`impact.${impact}`), colour: colours[impact], mark: marks[impact] }))
  }
}

/** Names of consequences in the reader's language. */
export const useConsequenceName = (): ((name: string) => string) => {
  const t = useText(messages)
  return (name) => t(`consequence.${name}` as 'consequence.missense')
}

export const EffectTag = ({ name }: { name: string }): ReactNode => {
  const t = useText(messages)
  const nameOf = useConsequenceName()
  const impact = impactOf(name)
  return (
    <Tag tone={tones[impact]} title={t(`impact.${impact}`)}>
      {nameOf(name)}
    </Tag>
  )
}
