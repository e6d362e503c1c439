import { expect, test } from 'vitest'
import { groupOrthologs } from './group-orthologs.ts'

const found = (id: string, assembly: string | null, orthologOf: number | null = null) => ({ id, assembly, orthologOf })

test('a gene of many strains is one answer, for which that of the reference stands', () => {
  const katG = found('BCG_1946c', 'BCG')
  const reference = found('Rv1908c', 'H37Rv', 0)
  const katE = found('MSMEG_6232', 'mc2-155')
  const term = found('GO:0004096', null)
  expect(groupOrthologs([katG, reference, katE, term], new Set(['H37Rv']))).toEqual([
    { entry: reference, others: [katG] },
    { entry: katE, others: [] },
    { entry: term, others: [] },
  ])
})

test('without a reference the first stands for all, and what follows its own lead keeps the order', () => {
  const answers = groupOrthologs(
    [found('a', 'A'), found('x', 'A'), found('b', 'B', 0), found('y', 'B', 1)],
    new Set<string>(),
  )
  expect(answers.map(({ entry, others }) => [entry.id, ...others.map(({ id }) => id)])).toEqual([
    ['a', 'b'],
    ['x', 'y'],
  ])
})
