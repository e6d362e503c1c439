import { maxMarks } from '../../../kit/ui/figures/mark-shapes.ts'
import { categoryBeside, colourAlone, distinctColours, otherColour } from '../../../kit/ui/figures/palette.ts'
import { impactPlaces, populationCategory } from '../effect-parts.tsx'

/**
 * Colours of haplotypes by their places, none that stands for an impact or a population in the same figure while the palette has enough;
 * those beyond the last mark share the grey.
 */
export const haplotypeColour = (populations: number): ((rank: number) => string) => {
  const taken = [...impactPlaces, ...Array.from({ length: populations }, (_, at) => populationCategory(at))]
  const own = taken.length + maxMarks <= distinctColours ? taken : impactPlaces
  return (rank) => (rank >= maxMarks - 1 ? otherColour : colourAlone(categoryBeside(own, rank)))
}
