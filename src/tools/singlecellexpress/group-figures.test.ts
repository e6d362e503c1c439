import { expect, it } from 'vitest'
import { type GroupedGene, groupRows } from './group-figures.tsx'

const part = (cells: number, mean: number) => ({ cells, mean, percent: 50, histogram: [] })
const gene = {
  id: 'Rv0710',
  symbol: 'rpsQ',
  description: null,
  groups: [{ mean: 2, percent: 50, histogram: [], parts: [part(30, 1), part(30, 3)] }],
} as unknown as GroupedGene
const levels = [{ name: 'growing', cells: 60 }]

it('genes of a run with divided violins stand whole in the dot plot and the heat map', () => {
  expect(groupRows([gene], levels, null).map(({ part: name, cells, mean }) => [name, cells, mean])).toEqual([
    [null, 60, 2],
  ])
})

it('violins have a row for each part beside the whole group', () => {
  const split = { name: 'sample', total: 2, levels: ['a', 'b'].map((name) => ({ name, cells: 30 })) }
  expect(groupRows([gene], levels, split).map(({ part: name, cells, mean }) => [name, cells, mean])).toEqual([
    [null, 60, 2],
    ['a', 30, 1],
    ['b', 30, 3],
  ])
})
