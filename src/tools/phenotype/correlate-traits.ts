import { clusterRows } from '../../bio/statistics/clustering.ts'
import { correlateRows, prepareQuery, rankRow } from '../../bio/statistics/correlation.ts'
import { correlationPValue } from '../../bio/statistics/distributions.ts'
import { adjustByBenjaminiHochberg } from '../../bio/statistics/multiple-testing.ts'
import type { TraitData } from '../../kit/data/phenotype-data.ts'
import type { TraitPair } from './endpoints.ts'
import type { TraitCorrelation } from './tool.ts'

/** Fewer accessions than this with both traits tell nothing. */
const minPairs = 3

const orNull = (value: number): number | null => (Number.isNaN(value) ? null : value)

/** Values of traits as rows over the accessions of them all; NaN where there is none. */
const asRows = (traits: readonly TraitData[]): { accessions: string[]; rows: Float64Array[] } => {
  const indexes = new Map<string, number>()
  for (const { values } of traits)
    for (const { accession } of values) if (!indexes.has(accession)) indexes.set(accession, indexes.size)
  const rows = traits.map(({ values }) => {
    const row = new Float64Array(indexes.size).fill(Number.NaN)
    for (const { accession, value } of values) if (value !== null) row[indexes.get(accession)!] = value
    return row
  })
  return { accessions: [...indexes.keys()], rows }
}

const correlatePair = (
  one: Float64Array,
  others: readonly Float64Array[],
  method: 'pearson' | 'spearman',
): { r: Float64Array; n: Uint32Array } => {
  const width = one.length
  const columns = Uint32Array.from({ length: width }, (_, at) => at)
  const r = new Float64Array(others.length)
  const n = new Uint32Array(others.length)
  const block = method === 'spearman' ? new Uint16Array(width * others.length) : new Float64Array(width * others.length)
  for (const [at, other] of others.entries()) {
    if (block instanceof Uint16Array) rankRow(other, block.subarray(at * width, (at + 1) * width))
    else block.set(other, at * width)
  }
  const query = prepareQuery(method === 'spearman' ? rankRow(one) : one, columns, method)
  correlateRows(query, block, others.length, width, r, n)
  return { r, n }
}

/** All pairs of traits, each by the accessions that have both. */
export const correlateTraits = (
  traits: readonly TraitData[],
  method: 'pearson' | 'spearman',
): Omit<TraitCorrelation, 'traits' | 'leftOut'> => {
  const { rows } = asRows(traits)
  const r: number[] = []
  const n: number[] = []
  for (const [at, row] of rows.entries()) {
    const found = correlatePair(row, rows.slice(at + 1), method)
    for (const [index, value] of found.r.entries()) {
      r.push(found.n[index]! < minPairs ? Number.NaN : value)
      n.push(found.n[index]!)
    }
  }
  const p = r.map((value, at) => correlationPValue(value, n[at]!))
  const known = [...p.keys()].filter((at) => !Number.isNaN(p[at]!))
  const adjusted = adjustByBenjaminiHochberg(known.map((at) => p[at]!))
  const adjustedByPair = new Map(known.map((at, index) => [at, adjusted[index]!]))
  const distances = Float64Array.from(r, (value) => (Number.isNaN(value) ? 1 : 1 - Math.abs(value)))
  return {
    method,
    order: clusterRows(distances, traits.length, 'average').order,
    r: r.map(orNull),
    n,
    pValue: p.map(orNull),
    adjustedPValue: p.map((_, at) => adjustedByPair.get(at) ?? null),
  }
}

/** Two traits against each other. */
export const pairTraits = (
  x: TraitData,
  y: TraitData,
  groups: ReadonlyMap<string, string>,
): Omit<TraitPair, 'grouping'> => {
  const { accessions, rows } = asRows([x, y])
  const [xs, ys] = [rows[0]!, rows[1]!]
  const points = accessions.flatMap((accession, at) =>
    Number.isNaN(xs[at]!) || Number.isNaN(ys[at]!)
      ? []
      : [{ accession, x: xs[at]!, y: ys[at]!, group: groups.get(accession) ?? null }],
  )
  const of = (method: 'pearson' | 'spearman'): number | null =>
    points.length < minPairs ? null : orNull(correlatePair(xs, [ys], method).r[0]!)
  const meanX = points.reduce((sum, one) => sum + one.x, 0) / points.length
  const meanY = points.reduce((sum, one) => sum + one.y, 0) / points.length
  const squares = points.reduce((sum, one) => sum + (one.x - meanX) ** 2, 0)
  const product = points.reduce((sum, one) => sum + (one.x - meanX) * (one.y - meanY), 0)
  const slope = squares > 0 && points.length >= minPairs ? product / squares : null
  return {
    points,
    pearson: of('pearson'),
    spearman: of('spearman'),
    slope,
    intercept: slope === null ? null : meanY - slope * meanX,
  }
}
