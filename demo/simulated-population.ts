import type { SeededRandom } from './seeded-random.ts'
import type { Genotypes, Site } from './simulated-genotypes.ts'

/** Real haplotypes that a population is put together from. */
export interface Founders {
  names: readonly string[]
  /** By sequence, ascending. */
  sites: readonly Site[]
  /** One byte a site and founder, all founders of a site together: 0 or 1. */
  alleles: Uint8Array
}

export interface PopulationPlan {
  name: string
  size: number
  /** Mean share of each founder in the population's genomes; they need not sum to 1. */
  shares: readonly number[]
}

export interface RecombinationPlan {
  populations: readonly PopulationPlan[]
  /** Mean number of changes from one founder to another in a million bases of one genome. */
  crossoversPerMb: number
  /** Within a segment of this length a population has one draw of its founders' shares: populations drift apart place by place. */
  driftBp: number
  /** The less, the more the shares of a segment differ from the mean: the sum of the Dirichlet distribution's parameters. */
  driftSize: number
  /** A founder's haplotype that is all but fixed in one population. */
  sweep: SweepPlan
}

export interface SweepPlan {
  sequence: string
  start1: number
  end1: number
  population: string
  founder: string
  /** Chance that a genome of the population has it. */
  share: number
  /** Mean length of the same haplotype on either side of the place. */
  flankBp: number
}

/**
 * Haploid genomes put together from pieces of the founders' haplotypes; the populations one after the other. `nameOf` names an accession
 * by its population and its number there, counted from 1. The same for the same state of `random`.
 */
export function recombine(
  founders: Founders,
  plan: RecombinationPlan,
  nameOf: (population: PopulationPlan, number: number) => string,
  random: SeededRandom,
): Genotypes {
  const { sites, names } = founders
  const accessions = plan.populations.flatMap((population) =>
    Array.from({ length: population.size }, (_, at) => nameOf(population, at + 1)),
  )
  const alleles = new Uint8Array(sites.length * accessions.length)
  let column = 0
  for (const population of plan.populations) {
    const drifted = new Map<string, number[]>()
    const drawFounder = ({ sequence, position1 }: Site): number => {
      const segment = `${sequence} ${Math.floor(position1 / plan.driftBp)}`
      let shares = drifted.get(segment)
      if (shares === undefined) {
        shares = drawShares(population.shares, plan.driftSize, random)
        drifted.set(segment, shares)
      }
      return random.pickWeighted([...names.keys()], shares)
    }
    for (let i = 0; i < population.size; i++) {
      const swept = drawSweep(plan.sweep, population, random)
      const sweptFounder = names.indexOf(plan.sweep.founder)
      let before: Site | null = null
      let founder = 0
      for (const [at, site] of sites.entries()) {
        const sameSequence = before !== null && before.sequence === site.sequence
        const distanceBp = sameSequence ? site.position1 - before!.position1 : Number.POSITIVE_INFINITY
        // No crossing over between two sites: P = exp(-rate x distance), as for a Poisson process.
        if (!random.chance(Math.exp((-plan.crossoversPerMb * distanceBp) / 1e6))) founder = drawFounder(site)
        const inSweep =
          swept !== null &&
          site.sequence === plan.sweep.sequence &&
          site.position1 >= swept.start1 &&
          site.position1 <= swept.end1
        if (inSweep) founder = sweptFounder
        alleles[at * accessions.length + column] = founders.alleles[at * names.length + founder]!
        before = site
      }
      column++
    }
  }
  return { accessions, sites, alleles }
}

/** Place of the swept haplotype in one genome; null where the genome has none. */
function drawSweep(
  sweep: SweepPlan,
  population: PopulationPlan,
  random: SeededRandom,
): { start1: number; end1: number } | null {
  if (population.name !== sweep.population || !random.chance(sweep.share)) return null
  const drawFlank = (): number => -Math.log(1 - random.fraction()) * sweep.flankBp
  return { start1: sweep.start1 - drawFlank(), end1: sweep.end1 + drawFlank() }
}

/** One draw of a Dirichlet distribution with these means, as gamma variates that are not scaled to sum 1. */
const drawShares = (means: readonly number[], size: number, random: SeededRandom): number[] => {
  const sum = means.reduce((total, mean) => total + mean, 0)
  return means.map((mean) => drawGamma((size * mean) / sum, random))
}

/** A gamma variate of scale 1 (G. Marsaglia, W. W. Tsang, ACM Transactions on Mathematical Software 26:363, 2000). */
function drawGamma(shape: number, random: SeededRandom): number {
  if (shape < 1) return drawGamma(shape + 1, random) * (1 - random.fraction()) ** (1 / shape)
  const d = shape - 1 / 3
  const c = 1 / Math.sqrt(9 * d)
  while (true) {
    const x = random.normal()
    const v = (1 + c * x) ** 3
    if (v <= 0) continue
    if (Math.log(1 - random.fraction()) < 0.5 * x * x + d - d * v + d * Math.log(v)) return d * v
  }
}
