import { leaveOutDependent } from '../../bio/statistics/dependent-columns.ts'
import { fieldError } from '../../contracts/errors.ts'
import type { ExpressionDataset } from '../../contracts/expression.ts'
import { limits, minReplicates } from './tool.ts'

export interface Groups {
  /** Places of samples in the data set's list. */
  test: number[]
  reference: number[]
  testName: string
  referenceName: string
}

type Samples = ExpressionDataset['samples']

/** Places of samples by id, else by label; case counts unless nothing fits. */
const findSamples = (samples: Samples, names: readonly string[], field: 'test' | 'reference'): number[] => {
  const places = new Map<string, number>()
  for (const fold of [(name: string) => name.toLowerCase(), (name: string) => name])
    for (const key of ['label', 'id'] as const)
      for (const [at, sample] of samples.entries()) places.set(fold(sample[key]), at)
  const found = names.map((name) => ({ name, at: places.get(name) ?? places.get(name.toLowerCase()) }))
  const unknown = found.filter(({ at }) => at === undefined).map(({ name }) => name)
  if (unknown.length > 0)
    throw fieldError([field], 'problem.unknownSamples', { count: unknown.length, first: unknown[0]! })
  return [...new Set(found.map(({ at }) => at!))]
}

/** A factor that has one level in one group and one other level in the other. */
const partingLevels = (
  { factors, samples }: Pick<ExpressionDataset, 'factors' | 'samples'>,
  test: readonly number[],
  reference: readonly number[],
): [string, string] | null => {
  for (const { name } of factors) {
    const levelsOf = (group: readonly number[]) => [...new Set(group.map((at) => samples[at]!.factors[name] ?? ''))]
    const [tested, other] = [levelsOf(test), levelsOf(reference)]
    if (tested.length === 1 && other.length === 1 && tested[0] !== other[0] && tested[0] !== '' && other[0] !== '')
      return [tested[0]!, other[0]!]
  }
  return null
}

/** The two groups of samples. Rejects at the fields `test` and `reference` where they cannot be compared. */
export const chooseGroups = (
  input: { test: string[]; reference: string[]; testName?: string | undefined; referenceName?: string | undefined },
  dataset: ExpressionDataset,
): Groups => {
  const { samples } = dataset
  const [test, reference] = [
    findSamples(samples, input.test, 'test'),
    findSamples(samples, input.reference, 'reference'),
  ]
  for (const [field, group] of [
    ['test', test],
    ['reference', reference],
  ] as const) {
    if (group.length === 0) throw fieldError([field], 'problem.noSamples')
    if (group.length < minReplicates) throw fieldError([field], 'problem.noReplicates', { count: group.length })
  }
  if (test.length + reference.length > limits.samples)
    throw fieldError(['reference'], 'problem.tooManySamples', { limit: limits.samples })
  const both = test.filter((at) => reference.includes(at))
  if (both.length > 0) throw fieldError(['reference'], 'problem.bothGroups', { name: samples[both[0]!]!.label })
  const levels = partingLevels(dataset, test, reference)
  return {
    test,
    reference,
    testName: input.testName?.trim() || levels?.[0] || 'test',
    referenceName: input.referenceName?.trim() || levels?.[1] || 'reference',
  }
}

export interface Covariate {
  name: string
  /** In the order of the samples: numbers where all are, else levels. */
  values: number[] | string[]
}

/**
 * Values of factors for these samples. A factor whose values are all numbers, of more than two kinds, is a quantity; any other has
 * levels. Rejects at the field `covariates` where a value is missing or the effect of the groups cannot be told from the covariates
 * (a design matrix that is not of full rank, or that leaves no degree of freedom).
 */
export const readCovariates = (
  names: readonly string[],
  dataset: ExpressionDataset,
  { test, reference }: Groups,
): Covariate[] => {
  const at = [...reference, ...test]
  const covariates = names.map((name): Covariate => {
    if (!dataset.factors.some((factor) => factor.name === name))
      throw fieldError(['covariates'], 'problem.unknownFactor', { factor: name })
    const texts = at.map((place) => dataset.samples[place]!.factors[name]?.trim() ?? '')
    const missing = at[texts.indexOf('')]
    if (missing !== undefined)
      throw fieldError(['covariates'], 'problem.missingCovariate', {
        factor: name,
        sample: dataset.samples[missing]!.label,
      })
    const numbers = texts.map(Number)
    const quantity = new Set(texts).size > 2 && numbers.every(Number.isFinite) && new Set(texts).size > at.length / 2
    return { name, values: quantity ? numbers : texts }
  })
  const columns = covariates.flatMap(({ name, values }) => {
    if (typeof values[0] === 'number') return [{ name, cells: values as number[] }]
    const levels = [...new Set(values as string[])].sort()
    return (levels.length === 1 ? levels : levels.slice(1)).map((level) => ({
      name,
      cells: (values as string[]).map((value) => (value === level ? 1 : 0)),
    }))
  })
  columns.push({ name: '', cells: at.map((_, row) => (row < reference.length ? 0 : 1)) })
  const { leftOut, names: kept } = leaveOutDependent(
    columns.map((_, column) => String(column)),
    at.map((_, row) => columns.map(({ cells }) => cells[row]!)),
  )
  const dependent = leftOut.map((column) => columns[Number(column)]!.name)
  if (dependent.includes('')) throw fieldError(['covariates'], 'problem.confounded')
  if (dependent.length > 0) throw fieldError(['covariates'], 'problem.dependent', { factor: dependent[0]! })
  if (at.length - kept.length - 1 < 1)
    throw fieldError(['covariates'], 'problem.noFreedom', { samples: at.length, terms: kept.length + 1 })
  return covariates
}
