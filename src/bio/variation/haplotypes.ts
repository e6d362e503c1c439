// Haplotypes of accessions over the sites of a gene.

import { absentCopy, type Genotypes, missingAllele } from './vcf.ts'

/** How an accession came to its haplotypes. */
export type HaplotypeState = 'complete' | 'completed' | 'heterozygous' | 'missing'

export interface Haplotype {
  /** Allele of each site, 0 for REF. */
  alleles: number[]
  /** Copies, counted over all accessions that have it. */
  copies: number
  /** Places of accessions whose copies are all this one. */
  accessions: number[]
}

export interface HaplotypeGrouping {
  /** By falling number of copies; equal ones by their alleles. */
  haplotypes: Haplotype[]
  /** Of each accession: places among the haplotypes of its copies, and how it came to them. */
  assigned: { haplotypes: number[]; state: HaplotypeState }[]
}

/**
 * Groups accessions by their alleles at sites. A haploid or phased accession has a haplotype a copy; one without phase has one where it is
 * homozygous at every site, and is `heterozygous` otherwise. A copy with sites that are not called is given to the one haplotype, of those
 * seen complete, that it does not contradict (`completed`); where there are several, or none, the accession is `missing`.
 *
 * Example: of haploid accessions 0-1, 0-1, 0-. and 1-0 there are the haplotypes 0-1 with three copies and 1-0 with one.
 */
export const groupHaplotypes = (sites: readonly Genotypes[], samples: readonly number[]): HaplotypeGrouping => {
  const copiesOf = (sample: number): { copies: number[][]; mixed: boolean } => {
    let max = 0
    let isMixed = false
    const calls = sites.map(({ ploidy, alleles, phased }) => {
      const own: number[] = []
      for (let copy = 0; copy < ploidy; copy += 1) {
        const allele = alleles[sample * ploidy + copy]!
        if (allele !== absentCopy) own.push(allele)
      }
      // A half-called genotype is a missing one; a whole heterozygous one without phase has no haplotype.
      if (phased[sample] !== 1 && !own.includes(missingAllele) && own.some((allele) => allele !== own[0]))
        isMixed = true
      max = Math.max(max, own.length)
      return own
    })
    if (isMixed) return { copies: [], mixed: true }
    const alleleAt = (own: number[], copy: number): number =>
      own.includes(missingAllele) ? missingAllele : (own[Math.min(copy, own.length - 1)] ?? missingAllele)
    const copies = Array.from({ length: Math.max(1, max) }, (_, copy) => calls.map((own) => alleleAt(own, copy)))
    return { copies, mixed: false }
  }
  const read = samples.map(copiesOf)
  const byAlleles = new Map<string, number>()
  const found: { alleles: number[]; copies: number; accessions: number[] }[] = []
  for (const { copies } of read)
    for (const copy of copies) {
      if (copy.includes(missingAllele)) continue
      const key = copy.join()
      let index = byAlleles.get(key)
      if (index === undefined) {
        index = found.length
        byAlleles.set(key, index)
        found.push({ alleles: copy, copies: 0, accessions: [] })
      }
      found[index]!.copies += 1
    }
  const order = found.map((_, index) => index)
  order.sort(
    (a, b) => found[b]!.copies - found[a]!.copies || (found[a]!.alleles.join() < found[b]!.alleles.join() ? -1 : 1),
  )
  const complete = order.map((index) => found[index]!.alleles)
  const ranks = new Map(complete.map((alleles, rank) => [alleles.join(), rank]))
  const assigned = read.map(({ copies, mixed }): HaplotypeGrouping['assigned'][number] => {
    if (mixed) return { haplotypes: [], state: 'heterozygous' }
    let state: HaplotypeState = 'complete'
    const own: number[] = []
    for (const copy of copies) {
      const rank = ranks.get(copy.join())
      if (rank !== undefined) {
        own.push(rank)
        continue
      }
      const called = copy.filter((allele) => allele !== missingAllele).length
      const fitting =
        called === 0
          ? []
          : complete.flatMap((alleles, at) =>
              alleles.every((allele, site) => copy[site] === missingAllele || copy[site] === allele) ? [at] : [],
            )
      if (fitting.length !== 1) return { haplotypes: [], state: 'missing' }
      own.push(fitting[0]!)
      state = 'completed'
    }
    return { haplotypes: own, state }
  })
  const counted = complete.map((alleles): Haplotype => ({ alleles, copies: 0, accessions: [] }))
  for (const [number, { haplotypes: own }] of assigned.entries()) {
    for (const rank of own) counted[rank]!.copies += 1
    if (own.length > 0 && own.every((rank) => rank === own[0])) counted[own[0]!]!.accessions.push(samples[number]!)
  }
  // Completed copies change the order.
  const final = counted.map((_, rank) => rank).sort((a, b) => counted[b]!.copies - counted[a]!.copies || a - b)
  const indexes = new Map(final.map((rank, index) => [rank, index]))
  for (const one of assigned) one.haplotypes = one.haplotypes.map((rank) => indexes.get(rank)!)
  const haplotypes = final.map((rank) => counted[rank]!)
  return { haplotypes, assigned }
}
