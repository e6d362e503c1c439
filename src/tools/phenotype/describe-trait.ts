import { describeGroup } from '../../bio/expression/expression-statistics.ts'
import { analyseTrial } from '../../bio/phenotype/field-trial.ts'
import type { MeasuredTrait, PhenotypeTable, TraitDescription } from '../../bio/phenotype/phenotype-table.ts'
import type { Trait } from '../../contracts/phenotypes.ts'
import type { LocalizedText } from '../../contracts/text.ts'
import type { StoredTrait } from '../../kit/data/phenotype-data.ts'

const localized = (en: string | null, zh: string | null): LocalizedText | null =>
  en !== null && zh !== null ? { en, zh } : (en ?? zh)

/** Significant figures of estimates: more than any measurement has, and short in the database. */
const keptFigures = 12
const shorten = (value: number): number => Number(value.toPrecision(keptFigures))

const figuresOf = (values: readonly number[]): Trait['figures'] => {
  const group = describeGroup(values)
  if (group === null) return null
  return {
    mean: group.mean,
    deviation: group.deviation,
    min: values.reduce((min, value) => Math.min(min, value)),
    lowerQuartile: group.lowerQuartile,
    median: group.median,
    upperQuartile: group.upperQuartile,
    max: values.reduce((max, value) => Math.max(max, value)),
  }
}

/** The commonest level of an accession; of levels equally common the first in order. */
const commonest = (indexes: readonly number[], levels: number): number => {
  const counts = new Uint32Array(levels)
  for (const index of indexes) counts[index]! += 1
  return counts.indexOf(Math.max(...counts))
}

/** Values by accession of a trait as it was measured, with what is to be said of them. */
export const describeTrait = (
  { id, type, stated, levels, values }: MeasuredTrait,
  { accessions, environments, observations }: PhenotypeTable,
  described: TraitDescription | undefined,
): { trait: Trait; stored: StoredTrait } => {
  const byAccession = new Map<number, number[]>()
  const measured: { accession: number; environment: number; replicate: string | null; value: number }[] = []
  const usedEnvironments = new Map<number, number>()
  for (const [at, one] of observations.entries()) {
    const value = values[at]!
    if (Number.isNaN(value)) continue
    measured.push({ ...one, value })
    const own = byAccession.get(one.accession)
    if (own === undefined) byAccession.set(one.accession, [value])
    else own.push(value)
    if (one.environment >= 0 && !usedEnvironments.has(one.environment))
      usedEnvironments.set(one.environment, usedEnvironments.size)
  }
  const named = [...usedEnvironments.keys()].map((index) => environments[index]!)
  const replicated = measured.length > byAccession.size
  const trial = type === 'quantitative' && replicated ? analyseTrial(measured, accessions.length) : null
  const modelled = trial !== null && trial.model !== 'accession'
  const kept: { accession: number; value: number; error: number | null }[] = []
  for (const [accession, own] of byAccession) {
    if (trial !== null && modelled) {
      const value = trial.estimates[accession]!
      const error = trial.errors[accession]!
      if (!Number.isNaN(value))
        kept.push({ accession, value: shorten(value), error: Number.isNaN(error) ? null : shorten(error) })
    } else if (levels !== null) kept.push({ accession, value: commonest(own, levels.length), error: null })
    else {
      const mean = own.reduce((sum, value) => sum + value, 0) / own.length
      kept.push({ accession, value: own.length === 1 ? mean : shorten(mean), error: null })
    }
  }
  kept.sort((a, b) => a.accession - b.accession)
  const keptValues = kept.map(({ value }) => value)
  const heritability = trial?.heritability ?? null
  const components = trial?.components ?? null
  const observed = [...byAccession.keys()].sort((a, b) => a - b)
  const placeOf = new Map(observed.map((accession, index) => [accession, index]))
  return {
    trait: {
      id,
      name: localized(described?.name ?? null, described?.nameZh ?? null) ?? id,
      unit: described?.unit ?? null,
      description: localized(described?.description ?? null, described?.descriptionZh ?? null),
      type,
      stated,
      levels,
      levelCounts: levels?.map((_, index) => keptValues.filter((value) => value === index).length) ?? null,
      accessions: kept.length,
      missing: accessions.length - kept.length,
      observations: measured.length,
      environments: named,
      method: modelled ? 'blue' : !replicated ? 'single' : levels === null ? 'mean' : 'majority',
      model: modelled ? `value ~ ${trial.model}` : null,
      unconnected: modelled ? trial.unconnected : 0,
      figures: levels === null ? figuresOf(keptValues) : null,
      heritability:
        heritability === null || components === null
          ? null
          : {
              value: heritability.value,
              accessionVariance: components.accession,
              interactionVariance: components.interaction,
              residualVariance: components.residual,
              environmentsPerAccession: heritability.environmentsPerAccession,
              observationsPerAccession: heritability.observationsPerAccession,
              truncated: heritability.truncated,
            },
    },
    stored: {
      accessions: kept.map(({ accession }) => accessions[accession]!),
      values: keptValues,
      ...(modelled ? { errors: kept.map(({ error }) => error) } : {}),
      ...(replicated
        ? {
            observed: observed.map((accession) => accessions[accession]!),
            observations: {
              accession: measured.map(({ accession }) => placeOf.get(accession)!),
              environment: measured.map(({ environment }) => usedEnvironments.get(environment) ?? -1),
              replicate: measured.map(({ replicate }) => replicate),
              value: measured.map(({ value }) => value),
            },
          }
        : {}),
    },
  }
}
