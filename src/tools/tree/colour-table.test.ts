import { expect, test } from 'vitest'
import { categoryColour, distinctColours, otherColour } from '../../kit/ui/figures/palette.ts'
import { groupLeaves, parseColourTable } from './colour-table.ts'
import type { Leaf } from './tool.ts'

const leaves: Leaf[] = Array.from({ length: 40 }, (_, at) => ({
  name: `leaf${at}`,
  gene: null,
  symbol: null,
  assembly: `A${at}`,
  species: null,
  description: null,
}))

test('no two groups of leaves have one colour; those beyond the palette are grey', () => {
  const { colours, grey } = groupLeaves(leaves, 'assembly')
  const given = [...colours.values()]
  expect(new Set(given.slice(0, distinctColours)).size).toBe(distinctColours)
  expect(given.slice(0, distinctColours)).not.toContain(otherColour)
  expect(new Set(given.slice(distinctColours))).toEqual(new Set([otherColour]))
  expect([...grey]).toEqual([...colours.keys()].slice(distinctColours))
})

test('a colour that a table gives goes to no other group, grey among them', () => {
  const own = new Map([
    ['leaf1', categoryColour(0)],
    ['leaf2', otherColour],
  ])
  const { colours, grey } = parseColourTable(
    leaves.map(({ name }) => `${name}\tgroup ${name}\t${own.get(name) ?? ''}`).join('\n'),
    leaves,
  )
  const given = [...colours].filter(([group]) => !grey.has(group)).map(([, colour]) => colour)
  expect(new Set(given).size).toBe(given.length)
  expect(given.length).toBe(distinctColours + 1)
  expect(colours.get('group leaf2')).toBe(otherColour)
  expect(grey.has('group leaf2')).toBe(false)
})
