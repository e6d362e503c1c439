import type { Genotypes } from '../../bio/variation/vcf.ts'
import { fieldError } from '../../contracts/errors.ts'
import type { Panel } from './describe.ts'

/** Copies by population and allele: of population p and allele a at `p * alleles + a`. */
interface PopulationCounts {
  counts: Uint32Array
  alleles: number
}

/** Place of the population of each sample; -1 for samples of none. */
export const populationPlaces = ({ samples, populations }: Pick<Panel, 'samples' | 'populations'>): Int32Array => {
  const places = new Int32Array(samples.length).fill(-1)
  for (const [place, { indexes }] of populations.entries()) for (const index of indexes) places[index] = place
  return places
}

const countCopies = (
  { ploidy, alleles: called }: Genotypes,
  places: Int32Array,
  populations: number,
): PopulationCounts => {
  let alleles = 1
  for (const allele of called) if (allele >= alleles) alleles = allele + 1
  const counts = new Uint32Array(populations * alleles)
  for (const [sample, place] of places.entries()) {
    if (place < 0) continue
    for (let copy = 0; copy < ploidy; copy += 1) {
      const allele = called[sample * ploidy + copy]!
      if (allele >= 0) counts[place * alleles + allele]! += 1
    }
  }
  return { counts, alleles }
}

/** Frequencies are told from counts: what stands at a bound is not lost to rounding. */
const slack = 1e-9

/**
 * Whether an alternate allele occurs in the population, at `minimum` or more of its called copies, and in each other population at no more
 * than `maximumElsewhere`. A population without a called copy says nothing; where it is the one asked for, nothing passes.
 *
 * Private to it: 0 and 0. Fixed in it: 1 and 1. Fixed in it and absent from all others: 1 and 0.
 */
export const passesPopulation = (
  genotypes: Genotypes,
  places: Int32Array,
  populations: number,
  asked: { place: number; minimum: number; maximumElsewhere: number },
): boolean => {
  const { counts, alleles } = countCopies(genotypes, places, populations)
  const called = Array.from({ length: populations }, (_, place) =>
    counts.subarray(place * alleles, (place + 1) * alleles).reduce((sum, count) => sum + count, 0),
  )
  const own = called[asked.place]!
  for (let allele = 1; allele < alleles; allele += 1) {
    const copies = counts[asked.place * alleles + allele]!
    if (copies === 0 || copies / own < asked.minimum - slack) continue
    const isElsewhere = called.some(
      (of, place) =>
        place !== asked.place && of > 0 && counts[place * alleles + allele]! / of > asked.maximumElsewhere + slack,
    )
    if (!isElsewhere) return true
  }
  return false
}

/** Share of the called copies of a population, or of all samples (null), that are not the reference allele; null where none is called. */
export const alternateShare = (genotypes: Genotypes | null, indexes: readonly number[] | null): number | null => {
  if (genotypes === null) return null
  const { ploidy, alleles } = genotypes
  let [called, others] = [0, 0]
  const count = indexes?.length ?? Math.floor(alleles.length / ploidy)
  for (let at = 0; at < count; at += 1)
    for (let copy = 0; copy < ploidy; copy += 1) {
      const allele = alleles[(indexes === null ? at : indexes[at]!) * ploidy + copy]!
      if (allele < 0) continue
      called += 1
      if (allele > 0) others += 1
    }
  return called === 0 ? null : others / called
}

/** Place of a population by its name; rejects where the accessions have none of it. */
export const requirePopulation = (name: string, { populations }: Pick<Panel, 'populations'>): number => {
  const place = populations.findIndex((one) => one.name === name)
  if (place < 0)
    throw fieldError(['population'], 'problem.unknownPopulation', {
      name,
      names: populations.map((one) => one.name).join(', ') || '–',
    })
  return place
}
