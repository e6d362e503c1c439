import { expect, test } from 'vitest'
import { groupLegend } from './group-legend.ts'
import { markPath, maxMarks, noMark } from './mark-shapes.ts'
import { otherColour } from './palette.ts'

test('no two groups have one shape or one colour; those beyond the last share what is named other', () => {
  const groups = Array.from({ length: 30 }, (_, at) => `population ${at + 1}`)
  const legend = groupLegend(groups, 'other')
  expect(legend.length).toBe(maxMarks)
  expect(new Set([...legend.map(({ mark }) => markPath(mark!)), markPath(noMark)]).size).toBe(maxMarks + 1)
  expect(new Set(legend.map(({ colour }) => colour)).size).toBe(maxMarks)
  expect(legend.at(-1)).toMatchObject({ label: 'other', colour: otherColour })
  expect(markPath(29)).toBe(markPath(maxMarks - 1))
})
