import type { ReactNode } from 'react'
import { type Impact, impactOf } from '../../bio/variation/consequences.ts'
import { Tag } from '../../kit/ui/controls/card.tsx'
import { useText } from '../../kit/ui/language.tsx'
import messages from './messages.ts'
import type { ShownVariant } from './tool.ts'

/** Okabe and Ito's colours by impact. */
const colours: Record<Impact, string> = { high: '#d55e00', moderate: '#e69f00', low: '#009e73', modifier: '#999999' }
const tones: Record<Impact, 'red' | 'amber' | 'green' | 'grey'> = {
  high: 'red',
  moderate: 'amber',
  low: 'green',
  modifier: 'grey',
}

export const consequenceColour = (name: string): string => colours[impactOf(name)]
export const impactColour = (impact: Impact): string => colours[impact]

/** Names of consequences in the reader's language. */
export const useConsequenceName = (): ((name: string) => string) => {
  const t = useText(messages)
  return (name) => t(`option.consequences.${name}` as 'option.consequences.missense')
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

/** The gravest effect of a variant; null where consequences are not known, `intergenic` where there is none. */
export const gravest = (variant: ShownVariant, known: boolean): string | null => {
  const order: Impact[] = ['high', 'moderate', 'low', 'modifier']
  const names = variant.effects.flatMap(({ consequences }) => consequences)
  for (const impact of order) {
    const found = names.find((name) => impactOf(name) === impact)
    if (found !== undefined) return found
  }
  return known ? 'intergenic' : null
}

/** Share of called copies that are not REF. */
export const frequencyOf = (counts: { counts: number[]; called: number } | null | undefined): number | null =>
  counts === null || counts === undefined || counts.called === 0 ? null : 1 - counts.counts[0]! / counts.called

export const alleleText = ({ reference, alternates }: { reference: string; alternates: string[] }): string =>
  `${short(reference)} > ${alternates.map(short).join(', ') || '.'}`

const short = (allele: string): string => (allele.length > 16 ? `${allele.slice(0, 12)}…(${allele.length})` : allele)

/** Address of the tool with these values, to be run at once. */
export const variationAddress = (values: Record<string, string | number>): string =>
  `/tools/variation?${new URLSearchParams({ ...Object.fromEntries(Object.entries(values).map(([name, value]) => [name, String(value)])), run: '1' })}`
