import { type PlacedRun, residueOfNumber } from '../../bio/structure/structure-places.ts'
import { impactOf, impacts } from '../../bio/variation/consequences.ts'
import { colourAlone, otherColour } from '../../kit/ui/figures/palette.ts'
import { consequenceColour } from '../../kit/ui/gene/consequence-mark.tsx'
import { featureCategory } from './feature-mark.tsx'
import { colourGroups, groupOf, isColoured, summarizeFeatures } from './lay-features.ts'
import type { CanvasResidue, ResidueColour } from './structure-canvas.ts'
import type { Protein } from './tool.ts'

export const colourings = ['domains', 'variants', 'confidence'] as const
export type Colouring = (typeof colourings)[number]

/**
 * Confidence of predicted places in four steps, as AlphaFold's database draws it: very high above 90, confident above 70, low above 50,
 * very low. Source: Jumper et al. 2021, doi:10.1038/s41586-021-03819-2, and the database's legend.
 */
export const confidenceSteps = [
  { key: 'veryHigh', above: 90, colour: '#0053d6' },
  { key: 'high', above: 70, colour: '#65cbf3' },
  { key: 'low', above: 50, colour: '#ffdb13' },
  { key: 'veryLow', above: -1, colour: '#ff7d45' },
] as const

export const confidenceColour = (value: number): string =>
  (confidenceSteps.find(({ above }) => value > above) ?? confidenceSteps[3]).colour

/** Colours of the residues of a protein by what lies there, from residue 1 on; grey where nothing does. */
export const residueColours = (protein: Pick<Protein, 'features' | 'variants' | 'length'>, by: Colouring): string[] => {
  const colours = new Array<string>(protein.length).fill(otherColour)
  if (by === 'domains') {
    // The same colours as the figure beside it.
    const groups = new Map(colourGroups(protein.features).map(({ group }, at) => [group, at]))
    for (const feature of summarizeFeatures(protein.features).filter(isColoured)) {
      const colour = colourAlone(featureCategory(groups.get(groupOf(feature)) ?? -1))
      for (let residue = feature.start; residue <= Math.min(feature.end, protein.length); residue += 1)
        colours[residue - 1] = colour
    }
  }
  if (by === 'variants')
    for (const impact of impacts.toReversed())
      for (const { residue, consequence } of protein.variants)
        if (impactOf(consequence) === impact && residue <= protein.length)
          colours[residue - 1] = consequenceColour(consequence)
  return colours
}

/** The chains of a structure that are this protein, by their ids. */
export const colourResidues = (
  chains: ReadonlyMap<string, readonly PlacedRun[]>,
  protein: Pick<Protein, 'features' | 'variants' | 'length'>,
  by: Colouring,
): ResidueColour => {
  const colours = residueColours(protein, by)
  return ({ chain, number }: CanvasResidue, confidence) => {
    if (by === 'confidence') return confidenceColour(confidence)
    const runs = chains.get(chain)
    const residue = runs === undefined ? null : residueOfNumber(runs, number)
    return residue === null ? otherColour : (colours[residue - 1] ?? otherColour)
  }
}

/** Residues of the protein as the chains number them. */
export const chainRanges = (
  chains: ReadonlyMap<string, readonly PlacedRun[]>,
  start: number,
  end: number,
): { chain: string; from: number; to: number }[] =>
  [...chains].flatMap(([chain, runs]) =>
    runs.flatMap(({ number, residue, length }) => {
      const from = Math.max(start, residue)
      const to = Math.min(end, residue + length - 1)
      return from > to ? [] : [{ chain, from: number + from - residue, to: number + to - residue }]
    }),
  )
