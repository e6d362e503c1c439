import type { LegendEntry } from '../../../kit/ui/figures/legend.tsx'
import { maxMarks } from '../../../kit/ui/figures/mark-shapes.ts'
import { categoryColour, otherColour } from '../../../kit/ui/figures/palette.ts'

/** Groups with their colours and shapes, the largest first; those beyond the last colour share the grey. */
export const groupLegend = (groups: readonly string[], other: string): LegendEntry[] => [
  ...groups
    .slice(0, maxMarks - 1)
    .map((name, at) => ({ key: name, label: name, colour: categoryColour(at), mark: at })),
  ...(groups.length < maxMarks ? [] : [{ key: '~other', label: other, colour: otherColour, mark: maxMarks - 1 }]),
]
