import type { SeededRandom } from './seeded-random.ts'
import type { Genotypes } from './simulated-genotypes.ts'

/** A variant that a simulated trait depends on. */
export interface PlantedVariant {
  gene: string
  /** Index of the site. */
  site: number
  /** Difference between an accession with the alternative allele and one with the reference allele, in units of the trait. */
  effect: number
}

export interface TraitPlan {
  mean: number
  variants: readonly PlantedVariant[]
  /** Sites of small effect, drawn at random, and the standard deviation that they make together. */
  background: { sites: number; deviation: number }
  /** Standard deviation of one measurement about its accession's value. */
  residual: number
}

/** The genetic value of every accession: mean, planted variants, background. */
export function drawGeneticValues(genotypes: Genotypes, plan: TraitPlan, random: SeededRandom): number[] {
  const { accessions, sites, alleles } = genotypes
  const size = accessions.length
  const background = new Float64Array(size)
  for (let drawn = 0; drawn < plan.background.sites; drawn++) {
    const site = random.between(0, sites.length - 1)
    const effect = random.normal()
    for (let i = 0; i < size; i++) background[i]! += effect * alleles[site * size + i]!
  }
  const center = background.reduce((sum, value) => sum + value, 0) / size
  const deviation = Math.sqrt(background.reduce((sum, value) => sum + (value - center) ** 2, 0) / size)
  const scale = deviation === 0 ? 0 : plan.background.deviation / deviation
  return accessions.map((_, i) => {
    const planted = plan.variants.reduce((sum, { site, effect }) => sum + effect * alleles[site * size + i]!, 0)
    return plan.mean + planted + (background[i]! - center) * scale
  })
}

/** One measurement of each accession. */
export const measure = (values: readonly number[], residual: number, random: SeededRandom): number[] =>
  values.map((value) => value + residual * random.normal())
