import { expect, test } from 'vitest'
import { groupOrthologs } from './group-orthologs.ts'

const found = (id: string, assembly: string | null, orthologOf: number | null = null) => ({ id, assembly, orthologOf })

test('a gene of many strains is one answer, for which that of the reference stands', () => {
  const katG = found('BCG_1946c', 'BCG')
  const reference = found('Rv1908c', 'H37Rv', 0)
  const katE = found('MSMEG_6232', 'mc2-155')
  const term = found('GO:0004096', null)
  expect(groupOrthologs([katG, reference, katE, term], ['H37Rv', 'BCG', 'mc2-155'])).toEqual([
    { entry: reference, others: [katG] },
    { entry: katE, others: [] },
    { entry: term, others: [] },
  ])
})

test('where the reference is not among the answers the first genome stands for all, however they were ranked', () => {
  const answers = groupOrthologs(
    [found('b', 'B'), found('y', 'C'), found('a', 'A', 0), found('c', 'C', 0), found('x', 'B', 1)],
    ['H37Rv', 'A', 'B', 'C'],
  )
  expect(answers.map(({ entry, others }) => [entry.id, ...others.map(({ id }) => id)])).toEqual([
    ['a', 'b', 'c'],
    ['x', 'y'],
  ])
})

test('genomes that are not known keep the order of the answers', () => {
  const answers = groupOrthologs([found('a', 'A'), found('x', 'A'), found('b', 'B', 0), found('y', 'B', 1)], [])
  expect(answers.map(({ entry, others }) => [entry.id, ...others.map(({ id }) => id)])).toEqual([
    ['a', 'b'],
    ['x', 'y'],
  ])
})
