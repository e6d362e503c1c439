import { type Moments, rankSumTest, welchTest } from '../../bio/expression/cell-statistics.ts'
import { describeGroup, type GroupFigures } from '../../bio/expression/expression-statistics.ts'
import { analyseVariance, kruskalWallis, shapiroWilk, testTable } from '../../bio/statistics/group-tests.ts'
import { adjustByBenjaminiHochberg } from '../../bio/statistics/multiple-testing.ts'
import type { AccessionTable } from '../../kit/data/accession-data.ts'
import type { TraitData } from '../../kit/data/phenotype-data.ts'
import { byId, groupsOf, percentiles } from './find-traits.ts'
import tool, { type GroupPair, limits, type TraitGroup, type TraitReport, type TraitRow } from './tool.ts'

const skewnessOf = (values: readonly number[]): number | null => {
  const n = values.length
  if (n < 3) return null
  const mean = values.reduce((sum, value) => sum + value, 0) / n
  let second = 0
  let third = 0
  for (const value of values) {
    second += (value - mean) ** 2
    third += (value - mean) ** 3
  }
  return second === 0 ? null : third / n / (second / n) ** 1.5
}

const emptyFigures = {
  mean: null,
  deviation: null,
  lowerWhisker: null,
  lowerQuartile: null,
  median: null,
  upperQuartile: null,
  upperWhisker: null,
}

const boxOf = (figures: GroupFigures) => ({
  mean: figures.mean,
  deviation: figures.deviation,
  lowerWhisker: figures.lowerWhisker,
  lowerQuartile: figures.lowerQuartile,
  median: figures.median,
  upperQuartile: figures.upperQuartile,
  upperWhisker: figures.upperWhisker,
})

const momentsOf = (figures: GroupFigures): Moments => ({
  mean: figures.mean,
  variance: figures.deviation === null ? 0 : figures.deviation ** 2,
  fraction: 1,
})

/** The kit's rank test takes values without their zeros. */
const withoutZeros = (values: readonly number[]) => ({
  values: values.filter((value) => value !== 0),
  cells: values.length,
})

const comparePairs = (groups: { name: string; values: number[] }[]): GroupPair[] => {
  const described = groups.map(({ name, values }) => ({ name, values, figures: describeGroup(values)! }))
  const pairs = described.flatMap((first, at) =>
    described.slice(at + 1).map((second) => ({
      first,
      second,
      welch: welchTest(momentsOf(first.figures), first.values.length, momentsOf(second.figures), second.values.length),
      ranks: rankSumTest(withoutZeros(first.values), withoutZeros(second.values)),
    })),
  )
  const adjust = (of: 'welch' | 'ranks'): Map<number, number> => {
    const known = [...pairs.keys()].filter((at) => pairs[at]![of] !== null)
    const adjusted = adjustByBenjaminiHochberg(known.map((at) => pairs[at]![of]!.pValue))
    return new Map(known.map((at, index) => [at, adjusted[index]!]))
  }
  const welchAdjusted = adjust('welch')
  const ranksAdjusted = adjust('ranks')
  return pairs.map(({ first, second, welch, ranks }, at) => ({
    first: first.name,
    second: second.name,
    difference: first.figures.mean - second.figures.mean,
    welch: welch === null ? null : { ...welch, adjustedPValue: welchAdjusted.get(at)! },
    ranks: ranks === null ? null : { auc: ranks.auc, pValue: ranks.pValue, adjustedPValue: ranksAdjusted.get(at)! },
  }))
}

/** Everything that is told of one trait. */
export const reportTrait = (
  { trait, values, observations }: TraitData,
  table: AccessionTable,
  grouping: string | null,
): TraitReport => {
  const accessions = byId(table)
  const groupById = groupsOf(table, grouping)
  const counts = new Map<string, number>()
  for (const { accession } of observations) counts.set(accession, (counts.get(accession) ?? 0) + 1)
  const numbers = values.map(({ value }) => value)
  const hasNumbers = numbers.every((value) => value !== null)
  const ranked = hasNumbers ? percentiles(numbers as number[]) : null
  const quantitative = trait.type === 'quantitative'
  const box = quantitative ? describeGroup(numbers as number[]) : null
  const outlierOf = (value: number | null): TraitRow['outlier'] => {
    if (box === null || value === null) return 'none'
    const reach = box.upperQuartile - box.lowerQuartile
    const beyond = Math.max(box.lowerQuartile - value, value - box.upperQuartile)
    return reach > 0 && beyond > 3 * reach ? 'far' : reach > 0 && beyond > 1.5 * reach ? 'mild' : 'none'
  }
  const rows: TraitRow[] = values.map(({ accession, value, level, error }, at) => {
    const about = accessions.get(accession)
    return {
      accession,
      value,
      level,
      error,
      name: about?.name ?? null,
      count: counts.get(accession) ?? 1,
      group: groupById.get(accession) ?? null,
      country: about?.country ?? null,
      latitude: about?.latitude ?? null,
      longitude: about?.longitude ?? null,
      percentile: ranked?.[at] ?? null,
      outlier: outlierOf(value),
    }
  })

  const members = new Map<string, TraitRow[]>()
  for (const row of rows)
    if (row.group !== null) {
      const own = members.get(row.group)
      if (own === undefined) members.set(row.group, [row])
      else own.push(row)
    }
  const named = [...members]
    .map(([name, own]) => ({ name, own }))
    .sort((a, b) => b.own.length - a.own.length || (a.name < b.name ? -1 : 1))
    .slice(0, limits.groups)
  const levelCounts = (own: readonly TraitRow[]): number[] | null =>
    trait.levels?.map((level) => own.filter((row) => row.level === level).length) ?? null
  const numbersOf = (own: readonly TraitRow[]): number[] => own.flatMap(({ value }) => value ?? [])
  const groups: TraitGroup[] = named.map(({ name, own }) => {
    const figures = trait.type === 'categorical' ? null : describeGroup(numbersOf(own))
    return {
      name,
      count: own.length,
      levelCounts: levelCounts(own),
      ...(figures === null ? emptyFigures : boxOf(figures)),
    }
  })
  const ordered = trait.type === 'quantitative' || trait.type === 'ordinal'
  const samples = named
    .map(({ name, own }) => ({ name, values: numbersOf(own) }))
    .filter((one) => one.values.length > 0)

  const byEnvironment = new Map<string, { values: number[]; accessions: Set<string> }>()
  if (quantitative)
    for (const { environment, value, accession } of observations) {
      if (environment === null || value === null) continue
      const own = byEnvironment.get(environment) ?? { values: [], accessions: new Set<string>() }
      own.values.push(value)
      own.accessions.add(accession)
      byEnvironment.set(environment, own)
    }
  return {
    trait,
    groupings: table.groupings,
    grouping,
    rows: rows.slice(0, limits.rows),
    total: rows.length,
    groups,
    ungrouped: rows.filter(({ group }) => group === null).length,
    variance: quantitative ? analyseVariance(samples.map((one) => one.values)) : null,
    ranks: ordered ? kruskalWallis(samples.map((one) => one.values)) : null,
    table: quantitative || trait.levels === null ? null : testTable(groups.map((group) => group.levelCounts ?? [])),
    pairs: ordered ? comparePairs(samples) : [],
    normality: quantitative ? shapiroWilk(numbers as number[]) : null,
    skewness: quantitative ? skewnessOf(numbers as number[]) : null,
    environments: [...byEnvironment].map(([name, own]) => {
      const figures = describeGroup(own.values)!
      return { name, count: own.values.length, accessions: own.accessions.size, ...boxOf(figures) }
    }),
  }
}

export const estimateStep = {
  program: 'NovoDB phenotype, estimates',
  version: String(tool.version),
  formula:
    'least squares of value = accession + environment (replicates as blocks within it); the estimate of an accession is its effect and the mean over environments; variance components by Henderson’s method 3; H² = s²G / (s²G + s²GE/e + s²/n)',
}
