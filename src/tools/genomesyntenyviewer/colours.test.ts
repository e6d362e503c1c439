import { expect, test } from 'vitest'
import { distinctColours, otherColour } from '../../kit/ui/figures/palette.ts'
import { colourSequences, createBlockColour, usualColouring } from './colours.ts'
import type { Block, Genome, SyntenyResult } from './tool.ts'

const genome = (id: string, count: number): Genome => ({
  id,
  name: id,
  speciesName: '',
  partial: false,
  codingGenes: 10,
  omitted: 0,
  sequences: Array.from({ length: count }, (_, at) => ({ name: `chr${at + 1}`, lengthBp: 1000, genes: 5 })),
})
const block = (first: number, sequenceA: string): Block => ({
  first,
  second: first + 1,
  number: 0,
  kind: 'syntenic',
  orientation: 1,
  score: 500,
  evalue: 0,
  pairs: 9,
  sequenceA,
  startA: 1,
  endA: 100,
  sequenceB: 'chr1',
  startB: 1,
  endB: 100,
})

test('each sequence of the first genome has a colour of its own, beyond the palette grey; of the others each that of its counterpart', () => {
  const genomes = [genome('A', distinctColours + 2), genome('B', 2), genome('C', 2)]
  const own = genomes[0]!.sequences.map(({ name }) => block(0, name))
  const others = [
    { ...block(0, 'chr3'), sequenceB: 'chr2', pairs: 40 },
    { ...block(1, 'chr2'), sequenceB: 'chr1', pairs: 20 },
    { ...block(1, 'chr1'), sequenceB: 'chr1', pairs: 5 },
  ]
  const colours = colourSequences({ genomes, blocks: [...own, ...others] })
  const first = colours.filter(({ genome: number }) => number === 0).map(({ colour }) => colour)
  expect(new Set(first.slice(0, distinctColours)).size).toBe(distinctColours)
  expect(first.slice(0, distinctColours)).not.toContain(otherColour)
  expect(first.slice(distinctColours)).toEqual([otherColour, otherColour])
  const colourOf = (number: number, name: string) =>
    colours.find((one) => one.genome === number && one.name === name)?.colour
  expect(colourOf(1, 'chr2')).toBe(first[2])
  expect(colourOf(2, 'chr1')).toBe(first[2])
  expect(colourOf(2, 'chr2')).toBeUndefined()
  expect(createBlockColour({ genomes, blocks: [...own, ...others] }, 'sequence')(others[1]!)).toBe(first[2])
})

test('blocks of distant genomes have colours of chromosomes, of a single chromosome those of places on it; of close ones kinds', () => {
  const comparison = { first: 0, second: 1, file: null, blocks: 1, pairs: 9, genesA: 9, genesB: 9 }
  const resultOf = (count: number, differences: object | null) =>
    ({
      genomes: [genome('A', count), genome('B', 3)],
      blocks: genome('A', count).sequences.map(({ name }) => block(0, name)),
      comparisons: [{ ...comparison, differences }],
    }) as unknown as SyntenyResult
  expect(usualColouring(resultOf(4, null))).toBe('sequence')
  expect(usualColouring(resultOf(1, null))).toBe('position')
  expect(usualColouring(resultOf(4, { counts: {}, truncated: false }))).toBe('kind')
  const places = createBlockColour(resultOf(1, null), 'position')
  const early = block(0, 'chr1')
  expect(places(early)).not.toBe(places({ ...early, startA: 801, endA: 900 }))
})
