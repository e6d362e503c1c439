import { expect, test } from 'vitest'
import { distinctColours, otherColour } from '../../kit/ui/figures/palette.ts'
import { levelColour } from './cell-colours.ts'

test('no cluster has the colour of another; further ones are grey', () => {
  const colours = Array.from({ length: 60 }, (_, level) => levelColour(level))
  expect(new Set(colours.slice(0, distinctColours)).size).toBe(distinctColours)
  expect(new Set(colours.slice(distinctColours))).toEqual(new Set([otherColour]))
})
