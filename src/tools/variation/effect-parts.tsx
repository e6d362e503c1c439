import type { ReactNode, SVGProps } from 'react'
import { type Impact, impactOf, impacts } from '../../bio/variation/consequences.ts'
import { proteinChange } from '../../bio/variation/protein-change.ts'
import { Tag } from '../../kit/ui/controls/card.tsx'
import type { LegendEntry } from '../../kit/ui/figures/legend.tsx'
import { markPath } from '../../kit/ui/figures/mark-shapes.ts'
import { categoryBeside } from '../../kit/ui/figures/palette.ts'
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

/** Places in the palette that impacts have colours of. */
export const impactPlaces = [1, 2, 5]

/** Category of the n-th population: none that has the colour of an impact, since both stand in one figure. */
export const populationCategory = (population: number): number => categoryBeside(impactPlaces, population)

/** Categories that textures are needed for, of so many populations. */
export const populationTextures = (count: number): number => populationCategory(count - 1) + 1

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

/** What these effects change in proteins, as HGVS writes it. */
export const changesOf = (
  effects: readonly { aminoAcids: string | null; proteinChange?: string | null | undefined; consequences: string[] }[],
): string =>
  [
    ...new Set(
      effects.flatMap(({ aminoAcids, proteinChange: told, consequences }) =>
        told === undefined ? (aminoAcids === null ? [] : proteinChange(aminoAcids, consequences, null)) : (told ?? []),
      ),
    ),
  ].join(', ')

/** Share of called copies that are not REF. */
export const frequencyOf = (counts: { counts: number[]; called: number } | null | undefined): number | null =>
  counts === null || counts === undefined || counts.called === 0 ? null : 1 - counts.counts[0]! / counts.called

export const alleleText = ({ reference, alternates }: { reference: string; alternates: string[] }): string =>
  `${short(reference)} > ${alternates.map(short).join(', ') || '.'}`

const short = (allele: string): string => (allele.length > 16 ? `${allele.slice(0, 12)}…(${allele.length})` : allele)

/** Address of the tool with these values, to be run at once. */
export const variationAddress = (values: Record<string, string | number>): string =>
  `/tools/variation?${new URLSearchParams({ ...Object.fromEntries(Object.entries(values).map(([name, value]) => [name, String(value)])), run: '1' })}`
