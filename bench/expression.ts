import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { standardise } from '../src/bio/expression/expression-statistics.ts'
import { clusterRows, pairDistances } from '../src/bio/statistics/clustering.ts'
import { rankRow } from '../src/bio/statistics/correlation.ts'
import { correlationPValue } from '../src/bio/statistics/distributions.ts'
import { adjustByBenjaminiHochberg } from '../src/bio/statistics/multiple-testing.ts'
import { openMatrix, writeMatrix } from '../src/store/npy-matrix.ts'
import { correlateAmong, correlateWithAll, indexByRow } from '../src/tools/coexpression/correlate.ts'

// Co-expression over a made matrix of the size of a large atlas, and clustering of the largest heat map: run after npm run build:node by
// node dist/node/bench/expression.js

const genes = 50_000
const samples = 500
const top = 100
const heatMap = { genes: 2000, samples: 200 }

/** Numbers that look like chance and are the same in every run (Numerical Recipes' linear congruential generator). */
let state = 20_261_121
const random = (): number => {
  state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
  return state / 2 ** 32
}
const median = (values: number[]): number => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)]!
const say = (what: string, ms: number, more = ''): void =>
  console.log(`${what.padEnd(58)} ${ms.toFixed(0).padStart(7)} ms ${more}`)

const folder = await mkdtemp(join(tmpdir(), 'novodb-bench-expression-'))
try {
  const factors = Array.from({ length: 20 }, () => Float64Array.from({ length: samples }, random))
  const value = new Float64Array(samples)
  const fill = (row: number): Float64Array => {
    const factor = factors[row % factors.length]!
    for (let at = 0; at < samples; at += 1) value[at] = factor[at]! + 1.5 * random()
    return value
  }
  const seed = state
  await writeMatrix(join(folder, 'standard.npy'), '<f4', genes, samples, (row, into) =>
    into.set(standardise(fill(row))),
  )
  state = seed
  await writeMatrix(join(folder, 'ranks.npy'), '<u2', genes, samples, (row, into) => {
    rankRow(fill(row), into)
  })
  const { signal } = new AbortController()
  const all = Uint32Array.from({ length: samples }, (_, at) => at)
  const half = all.filter((at) => at % 2 === 0)
  const ask = async (method: 'pearson' | 'spearman', columns: Uint32Array, row: number): Promise<number[]> => {
    const matrix = await openMatrix(
      join(folder, method === 'pearson' ? 'standard.npy' : 'ranks.npy'),
      method === 'pearson' ? '<f4' : '<u2',
    )
    try {
      const [found] = await correlateWithAll(matrix, [row], columns, method, signal)
      const order = [...found!.r.keys()].filter((one) => one !== row).sort((a, b) => found!.r[b]! - found!.r[a]!)
      adjustByBenjaminiHochberg(
        Float64Array.from(order, (one) => correlationPValue(found!.r[one]!, found!.pairs[one]!)),
      )
      const first = order.slice(0, top)
      await correlateAmong(matrix, [row, ...first], columns, method, 6)
      return first
    } finally {
      await matrix.close()
    }
  }
  console.log(`co-expression, ${genes} genes x ${samples} samples, top ${top} of one gene with p-values and network`)
  for (const method of ['pearson', 'spearman'] as const)
    for (const [columns, name] of [
      [all, 'all samples'],
      [half, 'half of them'],
    ] as const) {
      const times: number[] = []
      for (let turn = 0; turn < 8; turn += 1) {
        const start = performance.now()
        await ask(method, columns, turn * 997)
        times.push(performance.now() - start)
      }
      say(`${method}, ${name}: first / median of the others`, times[0]!, `/ ${median(times.slice(1)).toFixed(0)} ms`)
    }
  const matrix = await openMatrix(join(folder, 'standard.npy'), '<f4')
  const start = performance.now()
  const [found] = await correlateWithAll(matrix, [0], all, 'pearson', signal)
  const candidates = [...found!.r.keys()]
    .filter((one) => one !== 0)
    .sort((a, b) => found!.r[b]! - found!.r[a]!)
    .slice(0, 300)
  const settings = { columns: all, direction: 'positive', minimumPairs: 6 } as const
  await indexByRow(matrix, candidates, [0], [found!.r], settings, signal)
  say('mutual rank of one gene, 300 candidates', performance.now() - start)
  await matrix.close()

  const cells = Float64Array.from({ length: heatMap.genes * heatMap.samples }, random)
  for (const linkage of ['average', 'ward'] as const) {
    const from = performance.now()
    clusterRows(pairDistances(cells, heatMap.genes, heatMap.samples, 'correlation'), heatMap.genes, linkage)
    say(`clustering ${heatMap.genes} genes x ${heatMap.samples} samples, ${linkage}`, performance.now() - from)
  }
} finally {
  await rm(folder, { recursive: true, force: true })
}
