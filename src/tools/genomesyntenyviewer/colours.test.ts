import { expect, test } from 'vitest'
import { distinctColours, otherColour } from '../../kit/ui/figures/palette.ts'
import { colourSequences, createBlockColour } from './colours.ts'
import type { Block, Genome } from './tool.ts'

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

test('no sequence has the colour of another, not of another genome either; those beyond the palette are grey', () => {
  const genomes = [genome('A', 14), genome('B', 14), genome('C', 14)]
  const blocks = genomes.slice(0, 2).flatMap(({ sequences }, first) => sequences.map(({ name }) => block(first, name)))
  const result = { genomes, blocks: blocks.filter(({ first, sequenceA }) => first === 1 || sequenceA !== 'chr3') }
  const colours = result.blocks.map(createBlockColour(result, 'sequence'))
  expect(colours.length).toBe(27)
  expect(new Set(colours.slice(0, distinctColours)).size).toBe(distinctColours)
  expect(colours.slice(0, distinctColours)).not.toContain(otherColour)
  expect(new Set(colours.slice(distinctColours))).toEqual(new Set([otherColour]))
  expect(colourSequences(result).slice(12, 14)).toMatchObject([
    { genome: 0, name: 'chr14' },
    { genome: 1, name: 'chr1' },
  ])
})
