// Traits measured more than once: estimates of the accessions by least squares, and what part of the variance is theirs.

/** A measurement; places count from 0. A block is a replicate within an environment, or the environment where those are not told apart. */
export interface TrialObservation {
  accession: number
  environment: number
  block: number
  value: number
}

const trialModels = ['accession', 'accession + environment', 'accession + environment:replicate'] as const
export type TrialModel = (typeof trialModels)[number]

export interface TrialComponents {
  accession: number
  /** Accession by environment; null where accessions are not repeated within environments. */
  interaction: number | null
  residual: number
}

export interface TrialAnalysis {
  model: TrialModel
  /** By accession: the best linear unbiased estimate, NaN where there is none, and its standard error. */
  estimates: Float64Array
  errors: Float64Array
  /** Accessions that no common block joins to the largest group of accessions: they have no estimate. */
  unconnected: number
  residualDegrees: number
  /** As they come out, which may be below zero; null where the design does not tell them. */
  components: TrialComponents | null
  heritability: {
    value: number
    environmentsPerAccession: number
    observationsPerAccession: number
    truncated: boolean
  } | null
}

/** Solves S x = b for a positive definite S in place by Cholesky's factor; S is n by n, row after row. */
const factorise = (matrix: Float64Array, n: number): void => {
  for (let row = 0; row < n; row += 1)
    for (let column = 0; column <= row; column += 1) {
      let sum = matrix[row * n + column]!
      for (let at = 0; at < column; at += 1) sum -= matrix[row * n + at]! * matrix[column * n + at]!
      matrix[row * n + column] = row === column ? Math.sqrt(sum) : sum / matrix[column * n + column]!
    }
}
const solveFactor = (factor: Float64Array, n: number, right: Float64Array): Float64Array => {
  const x = Float64Array.from(right)
  for (let row = 0; row < n; row += 1) {
    let sum = x[row]!
    for (let at = 0; at < row; at += 1) sum -= factor[row * n + at]! * x[at]!
    x[row] = sum / factor[row * n + row]!
  }
  for (let row = n - 1; row >= 0; row -= 1) {
    let sum = x[row]!
    for (let at = row + 1; at < n; at += 1) sum -= factor[at * n + row]! * x[at]!
    x[row] = sum / factor[row * n + row]!
  }
  return x
}

/** Accessions and blocks joined by measurements, as sets: `find` of an accession, or of a block by `accessions + block`. */
const joinSets = (count: number): { find(at: number): number; join(a: number, b: number): void } => {
  const parent = Int32Array.from({ length: count }, (_, at) => at)
  const find = (at: number): number => {
    let root = at
    while (parent[root] !== root) root = parent[root]!
    let here = at
    while (parent[here] !== root) {
      const next = parent[here]!
      parent[here] = root
      here = next
    }
    return root
  }
  return {
    find,
    join: (a, b) => {
      parent[find(a)] = find(b)
    },
  }
}

/** Measurements of two crossed factors whose design is connected: rows (accessions) are eliminated, columns (blocks) solved for. */
class AdditiveFit {
  readonly columns: number
  readonly rowCounts: Float64Array
  readonly columnCounts: Float64Array
  /** Counts by row and column. */
  readonly cells: Float64Array
  readonly #factor: Float64Array
  readonly effects: Float64Array
  readonly rowEffects: Float64Array
  readonly squares: number

  constructor(rows: number, columns: number, at: { row: number; column: number; value: number }[]) {
    this.columns = columns
    this.rowCounts = new Float64Array(rows)
    this.columnCounts = new Float64Array(columns)
    this.cells = new Float64Array(rows * columns)
    const rowSums = new Float64Array(rows)
    const columnSums = new Float64Array(columns)
    for (const { row, column, value } of at) {
      this.rowCounts[row]! += 1
      this.columnCounts[column]! += 1
      this.cells[row * columns + column]! += 1
      rowSums[row]! += value
      columnSums[column]! += value
    }
    // The first column is the reference. What is left of the normal equations once the rows are eliminated:
    const n = columns - 1
    const matrix = new Float64Array(n * n)
    const right = new Float64Array(n)
    for (let a = 0; a < n; a += 1) {
      matrix[a * n + a]! += this.columnCounts[a + 1]!
      right[a] = columnSums[a + 1]!
    }
    for (let row = 0; row < rows; row += 1) {
      if (this.rowCounts[row] === 0) continue
      for (let a = 0; a < n; a += 1) {
        const inA = this.cells[row * columns + a + 1]!
        if (inA === 0) continue
        right[a]! -= (inA * rowSums[row]!) / this.rowCounts[row]!
        for (let b = 0; b < n; b += 1)
          matrix[a * n + b]! -= (inA * this.cells[row * columns + b + 1]!) / this.rowCounts[row]!
      }
    }
    factorise(matrix, n)
    this.#factor = matrix
    this.effects = new Float64Array(columns)
    this.effects.set(solveFactor(matrix, n, right), 1)
    this.rowEffects = new Float64Array(rows)
    for (let row = 0; row < rows; row += 1) {
      let sum = rowSums[row]!
      for (let column = 1; column < columns; column += 1)
        sum -= this.cells[row * columns + column]! * this.effects[column]!
      this.rowEffects[row] = sum / this.rowCounts[row]!
    }
    let squares = 0
    for (const { row, column, value } of at) squares += (value - this.rowEffects[row]! - this.effects[column]!) ** 2
    this.squares = squares
  }

  /** Of row `row` with weight `rowShare` and columns with `weights`: the quadratic form in the inverse of the normal equations. */
  quadratic(row: number, rowShare: number, weights: Float64Array): number {
    const n = this.columns - 1
    const u = new Float64Array(n)
    const count = this.rowCounts[row]!
    for (let a = 0; a < n; a += 1) u[a] = weights[a + 1]! - (rowShare * this.cells[row * this.columns + a + 1]!) / count
    const x = solveFactor(this.#factor, n, u)
    let sum = (rowShare * rowShare) / count
    for (let a = 0; a < n; a += 1) sum += u[a]! * x[a]!
    return sum
  }
}

/** Residual sum of squares and degrees of freedom of accession + block within one environment, connected or not. */
const fitWithin = (observations: readonly TrialObservation[]): { squares: number; degrees: number } => {
  const rows = new Map<number, number>()
  const columns = new Map<number, number>()
  for (const { accession, block } of observations) {
    if (!rows.has(accession)) rows.set(accession, rows.size)
    if (!columns.has(block)) columns.set(block, columns.size)
  }
  const sets = joinSets(rows.size + columns.size)
  for (const { accession, block } of observations) sets.join(rows.get(accession)!, rows.size + columns.get(block)!)
  const parts = new Map<number, TrialObservation[]>()
  for (const one of observations) {
    const root = sets.find(rows.get(one.accession)!)
    const part = parts.get(root)
    if (part === undefined) parts.set(root, [one])
    else part.push(one)
  }
  let squares = 0
  let rank = 0
  for (const part of parts.values()) {
    const own = new Map<number, number>()
    const ownBlocks = new Map<number, number>()
    const at = part.map(({ accession, block, value }) => {
      if (!own.has(accession)) own.set(accession, own.size)
      if (!ownBlocks.has(block)) ownBlocks.set(block, ownBlocks.size)
      return { row: own.get(accession)!, column: ownBlocks.get(block)!, value }
    })
    squares += new AdditiveFit(own.size, ownBlocks.size, at).squares
    rank += own.size + ownBlocks.size - 1
  }
  return { squares, degrees: observations.length - rank }
}

/** More blocks than this are none: the column tells something else. */
const maxBlocks = 400

/** Accessions that a replicate's name must stand for on average to be a block. */
const minShare = 2
/** Accessions times blocks: what a table of counts may take. */
const maxPairs = 20_000_000

/**
 * Analyses a trait that was measured more than once. Estimates: least squares of value = accession + block, both fixed, where an
 * accession's estimate is its effect and the mean of the blocks' effects, every environment counting alike and every block alike within
 * it (estimated marginal means; Searle, Speed and Milliken 1980, Am Stat 34:216). Variance components: Henderson's method 3 (1953,
 * Biometrics 9:226) with blocks fixed, accessions random and, where accessions are repeated within environments, accession by environment
 * random. Broad-sense heritability of entry means: s2(accession) / (s2(accession) + s2(interaction)/e + s2(residual)/n), with harmonic
 * means over accessions of the number of environments e and of observations n; components below zero count as zero.
 *
 * Replicates are blocks only where a replicate's name stands for at least two accessions on average in its environment: plants numbered
 * anew in each accession are none.
 */
export const analyseTrial = (
  measured: readonly { accession: number; environment: number; replicate: string | null; value: number }[],
  accessions: number,
): TrialAnalysis => {
  const estimates = new Float64Array(accessions).fill(Number.NaN)
  const errors = new Float64Array(accessions).fill(Number.NaN)
  const environmentOf = new Map<number, number>()
  const blockOf = new Map<string, number>()
  const byReplicate = measured.map(({ environment, replicate }) => `${environment}\t${replicate ?? ''}`)
  const cells = new Set(measured.map(({ accession }, at) => `${byReplicate[at]}\t${accession}`))
  const distinct = new Set(byReplicate)
  const environmentCount = new Set(measured.map(({ environment }) => environment)).size
  const blocked =
    measured.every(({ replicate }) => replicate !== null) &&
    distinct.size > environmentCount &&
    distinct.size <= maxBlocks &&
    cells.size / distinct.size >= minShare
  const middle = measured.length === 0 ? 0 : measured.reduce((sum, { value }) => sum + value, 0) / measured.length
  const all: TrialObservation[] = measured.map(({ accession, environment, value }, at) => {
    if (!environmentOf.has(environment)) environmentOf.set(environment, environmentOf.size)
    const name = blocked ? byReplicate[at]! : String(environment)
    if (!blockOf.has(name)) blockOf.set(name, blockOf.size)
    // About the mean, so that squares keep their figures.
    return { accession, environment: environmentOf.get(environment)!, block: blockOf.get(name)!, value: value - middle }
  })
  if (blockOf.size > maxBlocks || blockOf.size * accessions > maxPairs || all.length === 0)
    return {
      model: 'accession',
      estimates,
      errors,
      unconnected: 0,
      residualDegrees: 0,
      components: null,
      heritability: null,
    }
  const several = blocked ? 'accession + environment:replicate' : 'accession + environment'
  const model: TrialModel = blockOf.size <= 1 ? 'accession' : several

  // The largest connected part alone: nothing compares accessions that share no block with the others.
  const sets = joinSets(accessions + blockOf.size)
  for (const { accession, block } of all) sets.join(accession, accessions + block)
  const sizes = new Map<number, number>()
  const present = new Set(all.map(({ accession }) => accession))
  for (const accession of present) sizes.set(sets.find(accession), (sizes.get(sets.find(accession)) ?? 0) + 1)
  const [largest] = [...sizes].sort((a, b) => b[1] - a[1])
  const kept = all.filter(({ accession }) => sets.find(accession) === largest![0])
  const rowOf = new Map<number, number>()
  const columnOf = new Map<number, number>()
  const environmentByColumn: number[] = []
  const at = kept.map(({ accession, block, environment, value }) => {
    if (!rowOf.has(accession)) rowOf.set(accession, rowOf.size)
    if (!columnOf.has(block)) {
      columnOf.set(block, columnOf.size)
      environmentByColumn.push(environment)
    }
    return { row: rowOf.get(accession)!, column: columnOf.get(block)!, value, environment }
  })
  const rows = rowOf.size
  const columns = columnOf.size
  const fit = new AdditiveFit(rows, columns, at)
  const residualDegrees = at.length - (rows + columns - 1)
  const residual = residualDegrees > 0 ? fit.squares / residualDegrees : Number.NaN

  const perEnvironment = new Map<number, number>()
  for (const environment of environmentByColumn)
    perEnvironment.set(environment, (perEnvironment.get(environment) ?? 0) + 1)
  const weights = Float64Array.from(
    environmentByColumn,
    (environment) => 1 / perEnvironment.size / perEnvironment.get(environment)!,
  )
  let blocksMean = 0
  for (let column = 0; column < columns; column += 1) blocksMean += weights[column]! * fit.effects[column]!
  for (const [accession, row] of rowOf) {
    estimates[accession] = middle + fit.rowEffects[row]! + blocksMean
    errors[accession] = Math.sqrt(residual * fit.quadratic(row, 1, weights))
  }

  const { components, environmentsPerAccession, observationsPerAccession } = findComponents(fit, at, kept, {
    rows,
    columns,
    environments: perEnvironment.size,
  })
  let heritability: TrialAnalysis['heritability'] = null
  if (components !== null) {
    const accession = Math.max(0, components.accession)
    const interaction = Math.max(0, components.interaction ?? 0)
    const whole =
      accession + interaction / environmentsPerAccession + Math.max(0, components.residual) / observationsPerAccession
    if (whole > 0)
      heritability = {
        value: accession / whole,
        environmentsPerAccession,
        observationsPerAccession,
        truncated: components.accession < 0 || (components.interaction ?? 0) < 0,
      }
  }
  return {
    model,
    estimates,
    errors,
    unconnected: present.size - rows,
    residualDegrees,
    components,
    heritability,
  }
}

const findComponents = (
  fit: AdditiveFit,
  at: readonly { row: number; column: number; value: number; environment: number }[],
  kept: readonly TrialObservation[],
  { rows, columns, environments }: { rows: number; columns: number; environments: number },
): { components: TrialComponents | null; environmentsPerAccession: number; observationsPerAccession: number } => {
  const total = at.length
  // Cells of accession and environment, with their counts by column.
  const cells = new Map<string, { row: number; count: number; columns: Map<number, number> }>()
  for (const { row, column, environment } of at) {
    const key = `${row}\t${environment}`
    const cell = cells.get(key) ?? { row, count: 0, columns: new Map<number, number>() }
    cell.count += 1
    cell.columns.set(column, (cell.columns.get(column) ?? 0) + 1)
    cells.set(key, cell)
  }
  const environmentsOfRow = new Float64Array(rows)
  for (const { row } of cells.values()) environmentsOfRow[row]! += 1
  const harmonic = (counts: Float64Array): number => counts.length / counts.reduce((sum, one) => sum + 1 / one, 0)
  const means = {
    environmentsPerAccession: harmonic(environmentsOfRow),
    observationsPerAccession: harmonic(fit.rowCounts),
  }
  const degrees = total - (rows + columns - 1)
  if (rows < 2 || degrees < 1) return { components: null, ...means }

  // Sums of squares of the blocks alone, and the coefficient of the accessions' variance in what accessions add to them.
  const sums = new Float64Array(columns)
  for (const { column, value } of at) sums[column]! += value
  let blocksAlone = 0
  for (const { column, value } of at) blocksAlone += (value - sums[column]! / fit.columnCounts[column]!) ** 2
  const added = blocksAlone - fit.squares
  let ofAccessions = total
  for (let row = 0; row < rows; row += 1)
    for (let column = 0; column < columns; column += 1)
      ofAccessions -= fit.cells[row * columns + column]! ** 2 / fit.columnCounts[column]!

  const byEnvironment = new Map<number, TrialObservation[]>()
  for (const one of kept) {
    const list = byEnvironment.get(one.environment)
    if (list === undefined) byEnvironment.set(one.environment, [one])
    else list.push(one)
  }
  let withinSquares = 0
  let withinDegrees = 0
  if (environments > 1)
    for (const list of byEnvironment.values()) {
      const within = fitWithin(list)
      withinSquares += within.squares
      withinDegrees += within.degrees
    }
  const interactionDegrees = degrees - withinDegrees
  if (environments < 2 || withinDegrees < 1 || interactionDegrees < 1) {
    const residual = fit.squares / degrees
    return {
      components: { accession: (added - (rows - 1) * residual) / ofAccessions, interaction: null, residual },
      ...means,
    }
  }
  const residual = withinSquares / withinDegrees
  let projected = 0
  let inBlocks = 0
  for (const { row, count, columns: own } of cells.values()) {
    const weights = new Float64Array(columns)
    for (const [column, n] of own) {
      weights[column] = n
      inBlocks += n ** 2 / fit.columnCounts[column]!
    }
    projected += fit.quadratic(row, count, weights)
  }
  const interaction = (fit.squares - withinSquares - interactionDegrees * residual) / (total - projected)
  const accession = (added - (projected - inBlocks) * interaction - (rows - 1) * residual) / ofAccessions
  return { components: { accession, interaction, residual }, ...means }
}
