const dot = (a: readonly number[], b: readonly number[]): number =>
  a.reduce((sum, value, at) => sum + value * b[at]!, 0)

/** Values of a column less their mean. */
const centred = (values: readonly number[]): number[] => {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length
  return values.map((value) => value - mean)
}

/**
 * What is left of values when all that unit vectors at right angles tell of them is taken out (Gram and Schmidt): twice, for rounding
 * leaves a little behind (Giraud et al. 2005, Comput Math Appl 50:1069).
 */
const takeOut = (values: readonly number[], basis: readonly (readonly number[])[]): number[] => {
  let rest = [...values]
  for (let turn = 0; turn < 2; turn += 1)
    for (const one of basis) {
      const share = dot(rest, one)
      rest = rest.map((value, at) => value - share * one[at]!)
    }
  return rest
}

const lengthOf = (values: readonly number[]): number => Math.sqrt(dot(values, values))

/** Covariates, one row a sample with a number a name. */
interface Table {
  names: string[]
  rows: number[][]
}

/**
 * Covariates of which an effect can be told: a column that is the same in all samples, or follows from those before it, is left out.
 *
 * Example: of columns `1, 2, 4`, `7, 7, 7` and `2, 4, 8` the first is kept.
 */
export const leaveOutDependent = (
  names: readonly string[],
  rows: readonly (readonly number[])[],
): Table & { leftOut: string[] } => {
  const kept: number[] = []
  const basis: number[][] = []
  const leftOut: string[] = []
  for (const [column, name] of names.entries()) {
    const values = rows.map((row) => row[column]!)
    const rest = takeOut(centred(values), basis)
    const length = lengthOf(rest)
    if (length <= 1e-9 * lengthOf(values)) {
      leftOut.push(name)
      continue
    }
    kept.push(column)
    basis.push(rest.map((value) => value / length))
  }
  return { names: kept.map((at) => names[at]!), rows: rows.map((row) => kept.map((at) => row[at]!)), leftOut }
}

/** PLINK 2 refuses covariates beyond these (`--vif`, `--max-corr`): their own effects cannot be told apart. */
const maxInflation = 50
const maxCorrelation = 0.999

/**
 * The covariate that the others tell best, when they tell it so well that PLINK 2 refuses to compute: its variance inflation factor,
 * 1 / (1 - R2) of the regression on all others, and the one that it is correlated with most. Null when all can be used.
 */
export const findInflated = (
  names: readonly string[],
  rows: readonly (readonly number[])[],
): { name: string; nearest: string; factor: number } | null => {
  const columns = names.map((_, column) => {
    const values = centred(rows.map((row) => row[column]!))
    const length = lengthOf(values)
    return values.map((value) => value / length)
  })
  let worst: { at: number; factor: number } | null = null
  for (const [at, column] of columns.entries()) {
    const basis: number[][] = []
    for (const [other, values] of columns.entries()) {
      if (other === at) continue
      const rest = takeOut(values, basis)
      const length = lengthOf(rest)
      // What follows from the others tells no more.
      if (length > 1e-9) basis.push(rest.map((value) => value / length))
    }
    const factor = 1 / lengthOf(takeOut(column, basis)) ** 2
    if (worst === null || factor > worst.factor) worst = { at, factor }
  }
  if (worst === null) return null
  const correlations = columns.map((column, at) => (at === worst.at ? 0 : Math.abs(dot(column, columns[worst.at]!))))
  const nearest = correlations.indexOf(Math.max(...correlations))
  // Any pair correlated beyond the bound has a factor of 500 or more, so that one look at the worst is enough.
  return worst.factor > maxInflation || correlations[nearest]! > maxCorrelation
    ? { name: names[worst.at]!, nearest: names[nearest]!, factor: worst.factor }
    : null
}
