import { describe, expect, test } from 'vitest'
import { PortalError } from '../../contracts/errors.ts'
import type { ExpressionDataset } from '../../contracts/expression.ts'
import { chooseGroups, readCovariates } from './choose-groups.ts'
import { findNearerToOther } from './engine.ts'
import { exampleGroups } from './example-groups.ts'

const sheet: [id: string, treatment: string, batch: string, donor: string][] = [
  ['a 1', 'drug', '1', 'D1'],
  ['a 2', 'drug', '2', 'D2'],
  ['a 3', 'drug', '2', 'D3'],
  ['b 1', 'none', '1', 'D1'],
  ['b 2', 'none', '2', 'D2'],
  ['b 3', 'none', '2', 'D3'],
]
const dataset = {
  id: 'series',
  group: 'treatment',
  samples: sheet.map(([id, treatment, batch, donor]) => ({
    id,
    label: id.toUpperCase(),
    factors: {
      treatment,
      batch,
      donor,
      treatedOnly: treatment === 'drug' ? 'x' : 'y',
      age: '',
      weight: `${id.length}`,
    },
    sum: 10,
  })),
  factors: ['treatment', 'batch', 'donor', 'treatedOnly', 'age', 'weight'].map((name) => ({ name, levels: [] })),
} as unknown as ExpressionDataset

const drug = ['a 1', 'a 2', 'a 3']
const none = ['b 1', 'b 2', 'b 3']
const refusal = (work: () => unknown): { message: string; path: unknown } => {
  try {
    work()
  } catch (error) {
    if (error instanceof PortalError) return { message: error.problems[0]!.message, path: error.problems[0]!.path[0] }
    throw error
  }
  throw new Error('nothing was refused')
}

describe('two groups of samples', () => {
  test('are found by id or label, and named by the factor that parts them', () => {
    expect(chooseGroups({ test: ['A 1', 'a 2', 'A 3'], reference: none }, dataset)).toEqual({
      test: [0, 1, 2],
      reference: [3, 4, 5],
      testName: 'drug',
      referenceName: 'none',
    })
    expect(chooseGroups({ test: ['a 1', 'b 1'], reference: ['a 2', 'b 2'] }, dataset)).toMatchObject({
      testName: '1',
      referenceName: '2',
    })
    expect(chooseGroups({ test: ['a 1', 'b 2'], reference: ['a 2', 'b 1'], testName: ' odd ' }, dataset)).toMatchObject(
      {
        testName: 'odd',
        referenceName: 'reference',
      },
    )
  })

  test.each([
    ['a name that no sample has', { test: [...drug, 'c 9'], reference: none }, 'test', 'problem.unknownSamples'],
    ['no sample', { test: [], reference: none }, 'test', 'problem.noSamples'],
    ['one against one', { test: ['a 1'], reference: ['b 1'] }, 'test', 'problem.noReplicates'],
    ['a sample twice', { test: drug, reference: [...none, 'a 1'] }, 'reference', 'problem.bothGroups'],
  ])('%s is refused beside its field', (_, input, path, message) => {
    expect(refusal(() => chooseGroups(input, dataset))).toEqual({ path, message })
  })
})

describe('covariates', () => {
  const groups = chooseGroups({ test: drug, reference: none }, dataset)
  test('have levels, or are quantities, in the order reference then test', () => {
    expect(readCovariates(['donor'], dataset, groups)).toEqual([
      { name: 'donor', values: ['D1', 'D2', 'D3', 'D1', 'D2', 'D3'] },
    ])
    expect(readCovariates(['batch'], dataset, groups)[0]!.values).toEqual(['1', '2', '2', '1', '2', '2'])
  })
  test.each([
    ['a factor that there is not', ['colour'], 'problem.unknownFactor'],
    ['a factor without a value', ['age'], 'problem.missingCovariate'],
    ['what tells the groups apart', ['treatedOnly'], 'problem.confounded'],
    ['what is the same in all', ['weight'], 'problem.dependent'],
    ['what follows from another', ['donor', 'batch'], 'problem.dependent'],
  ])('%s is refused', (_, names, message) => {
    expect(refusal(() => readCovariates(names, dataset, groups))).toEqual({ path: 'covariates', message })
  })
  test('more coefficients than samples leave nothing for the variance', () => {
    const few = chooseGroups({ test: ['a 1', 'a 2'], reference: ['b 1', 'b 3'] }, dataset)
    expect(refusal(() => readCovariates(['donor'], dataset, few)).message).toBe('problem.noFreedom')
  })
})

test('a sample nearer to the other group than to its own is told', () => {
  // On a line: reference at 0, 1 and 10, test at 9 and 11.
  const places = [0, 1, 10, 9, 11]
  const distances = places.flatMap((a) => places.map((b) => Math.abs(a - b)))
  expect(findNearerToOther(distances, 3)).toEqual([false, false, true, false, false])
})

test('the example takes the first two levels that have replicates', () => {
  expect(exampleGroups(dataset)).toEqual({ test: drug, reference: none })
  // What is called a control is compared with, though it comes first.
  const controlFirst = dataset.samples.map((sample) => ({
    ...sample,
    factors: { treatment: sample.factors.treatment === 'drug' ? 'Control' : 'heat' },
  }))
  expect(exampleGroups({ ...dataset, samples: controlFirst })).toEqual({ test: none, reference: drug })
  expect(
    exampleGroups({ ...dataset, samples: dataset.samples.slice(0, 4), factors: dataset.factors.slice(0, 1) }),
  ).toBe(null)
})
