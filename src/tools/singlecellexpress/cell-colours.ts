import { categoryColour } from '../../kit/ui/palette.ts'

/** Colour of a group of cells, another for each. */
export const levelColour = (level: number): string => categoryColour(level)
