import { expect, test } from 'vitest'
import { distinctColours, otherColour } from '../../kit/ui/figures/palette.ts'
import { circleScale, groupColours } from './map-parts.ts'
import type { GeneMap, MappedFeature } from './tool.ts'

const feature = (group: string): MappedFeature => ({
  name: 'g',
  gene: null,
  symbol: null,
  description: null,
  sequence: 'chr1',
  start: 1,
  end: 9,
  strand: '+',
  group,
})
const link = (group: string): GeneMap['links'][number] => {
  const end = { name: 'g', gene: null, sequence: 'chr1', start: 1, end: 9 }
  return { from: end, to: end, group }
}
const groups = (word: string, count: number): string[] => Array.from({ length: count }, (_, at) => `${word}${at}`)

test('no two groups have one colour, families of links among them; the smallest families are grey', () => {
  const families = groups('OG', 40)
  const links = families.flatMap((family, at) => Array.from({ length: at + 1 }, () => link(family)))
  for (const named of [groups('group', 5), ['']]) {
    const colours = groupColours(named.map(feature), links)
    expect(colours.size).toBe(named.length + families.length)
    const own = [...colours.values()].filter((colour) => colour !== otherColour)
    expect(own.length).toBe(distinctColours)
    expect(new Set(own).size).toBe(distinctColours)
    expect(colours.get('OG39')).not.toBe(otherColour)
    expect(colours.get('OG0')).toBe(otherColour)
  }
  expect(groupColours(['', 'red'].map(feature), []).get('')).toBe(otherColour)
})

test.each([
  [
    [1_000_000, 400_000],
    ['0.1', '0.2', '0.3'],
  ],
  [[9_000_000, 1_700_000], ['1']],
])('sequences of a circle have ticks of one step, each told apart by its digits: %j', (lengths, short) => {
  const { unit, bases, digits, ticksOf } = circleScale(lengths, 1780)
  const written = lengths.map((length) => ticksOf(length).map((tick) => (tick / bases).toFixed(digits)))
  expect(unit).toBe('Mb')
  expect(written[1]).toEqual(short)
  // As on the longest, of which they are the first.
  expect(written[0]!.slice(0, short.length)).toEqual(short)
  expect(new Set(written[0]).size).toBe(written[0]!.length)
  // What is written is where the tick stands.
  for (const length of lengths)
    for (const tick of ticksOf(length)) expect(Number((tick / bases).toFixed(digits)) * bases).toBeCloseTo(tick)
})
