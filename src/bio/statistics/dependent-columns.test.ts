import { expect, test } from 'vitest'
import { findInflated, leaveOutDependent } from './dependent-columns.ts'

const rows = (...columns: number[][]): number[][] => columns[0]!.map((_, at) => columns.map((column) => column[at]!))

const age = [1, 4, 2, 8, 5, 7, 3, 6]
const plot = [3, 1, 4, 1, 5, 9, 2, 6]

test('covariates that are the same everywhere or follow from others are left out', () => {
  const sum = age.map((value, at) => 3 * value - plot[at]! / 7 + 2)
  expect(
    leaveOutDependent(
      ['age', 'same', 'plot', 'sum'],
      rows(
        age,
        age.map(() => 7),
        plot,
        sum,
      ),
    ),
  ).toMatchObject({
    names: ['age', 'plot'],
    leftOut: ['same', 'sum'],
  })
})

test('covariates that tell nearly the same are named with their variance inflation factor, and the one they resemble', () => {
  expect(findInflated(['age', 'plot'], rows(age, plot))).toBeNull()
  expect(findInflated(['age'], rows(age))).toBeNull()
  const nearly = age.map((value, at) => value + [0.1, -0.2, 0.1, 0.2, -0.1, 0, -0.2, 0.1][at]!)
  const found = findInflated(['plot', 'age', 'nearly'], rows(plot, age, nearly))
  expect(found).toMatchObject({ name: 'nearly', nearest: 'age' })
  // numpy: the last of np.diag(np.linalg.inv(np.corrcoef([plot, age, nearly]))).
  expect(found!.factor).toBeCloseTo(288.0211154015149, 6)
})
