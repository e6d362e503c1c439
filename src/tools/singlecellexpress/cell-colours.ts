import { colourAlone } from '../../kit/ui/figures/palette.ts'

/** Colour of a group of cells, another for each that colours tell apart; further groups are grey, under their names. */
export const levelColour = (level: number): string => colourAlone(level)
