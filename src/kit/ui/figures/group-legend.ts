import type { LegendEntry } from './legend.tsx'
import { maxMarks } from './mark-shapes.ts'
import { categoryColour, otherColour } from './palette.ts'

/** Groups with their colours and shapes, the largest first; those beyond the last colour share the grey. */
export const groupLegend = (
  groups: readonly string[],
  other: string,
  colours: (at: number) => string = categoryColour,
): LegendEntry[] => [
  ...groups.slice(0, maxMarks - 1).map((name, at) => ({ key: name, label: name, colour: colours(at), mark: at })),
  ...(groups.length < maxMarks ? [] : [{ key: '~other', label: other, colour: otherColour, mark: maxMarks - 1 }]),
]
