import { impactOf, impacts } from '../../bio/variation/consequences.ts'
import { proteinChange } from '../../bio/variation/protein-change.ts'
import { categoryBeside } from '../../kit/ui/figures/palette.ts'
import type { AccessionsResult, ShownVariant } from './tool.ts'

/** Places in the palette that impacts have colours of. */
export const impactPlaces = [1, 2, 5]

/** Category of the n-th population: none that has the colour of an impact, since both stand in one figure. */
export const populationCategory = (population: number): number => categoryBeside(impactPlaces, population)

/** Categories that textures are needed for, of so many populations. */
export const populationTextures = (count: number): number => populationCategory(count - 1) + 1

/** The gravest effect of a variant; null where consequences are not known, `intergenic` where there is none. */
export const gravest = (variant: ShownVariant, known: boolean): string | null => {
  const names = variant.effects.flatMap(({ consequences }) => consequences)
  for (const impact of impacts) {
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

/** What a variant of a list is called: by its gene and the change of its protein where all its records make the same, else as asked. */
export const variantLabel = ({ asked, sites }: AccessionsResult['variants'][number]): string => {
  const names = new Set(
    sites.map(({ gene, symbol, proteinChange: change }) =>
      gene == null || change == null ? asked : `${symbol ?? gene} ${change}`,
    ),
  )
  const [first] = names
  return names.size === 1 && first !== undefined ? first : asked
}

const short = (allele: string): string => (allele.length > 16 ? `${allele.slice(0, 12)}…(${allele.length})` : allele)

/** Address of the tool with these values, to be run at once. */
export const variationAddress = (values: Record<string, string | number>): string =>
  `/tools/variation?${new URLSearchParams({ ...Object.fromEntries(Object.entries(values).map(([name, value]) => [name, String(value)])), run: '1' })}`
