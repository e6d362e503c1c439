import type { DifferenceKind } from '../../../bio/comparative/structural-differences.ts'
import { markPath } from './mark-shapes.ts'
import { categoryColour } from './palette.ts'

/** One colour a kind of structural difference, told apart by everyone; duplications and inversions have that of such collinear blocks. */
const differenceNumbers: Record<DifferenceKind, number> = {
  deletion: 15,
  insertion: 2,
  replacement: 7,
  duplication: 3,
  inversion: 5,
}

export const differenceColour = (kind: DifferenceKind): string => categoryColour(differenceNumbers[kind])

/** A shape beside the colour, for marks on a plane. */
const differenceShapes: Record<DifferenceKind, number> = {
  deletion: 7,
  insertion: 1,
  replacement: 3,
  duplication: 2,
  inversion: 4,
}

export const differenceShape = (kind: DifferenceKind): number => differenceShapes[kind]

export const differenceMark = (kind: DifferenceKind, area = 52): string => markPath(differenceShapes[kind], area)
