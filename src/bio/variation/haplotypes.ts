// Haplotypes of accessions over the sites of a gene.

import { absentCopy, type Genotypes, missingAllele } from './vcf.ts'

/** How an accession came to its haplotypes. */
export type HaplotypeState = 'complete' | 'completed' | 'heterozygous' | 'missing'

export interface Haplotype {
  /** Allele of each site, 0 for REF. */
  alleles: Int16Array
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
  const count = samples.length
  const width = sites.length
  // Copies of each accession, and whether it is heterozygous somewhere without phase.
  const most = new Int32Array(count).fill(1)
  const mixed = new Uint8Array(count)
  for (const { ploidy, alleles, phased } of sites)
    for (let number = 0; number < count; number += 1) {
      const sample = samples[number]!
      const from = sample * ploidy
      let own = 0
      let first = missingAllele
      let [differs, hasGap] = [false, false]
      for (let copy = from; copy < from + ploidy; copy += 1) {
        const allele = alleles[copy]!
        if (allele === absentCopy) continue
        if (allele === missingAllele) hasGap = true
        if (own === 0) first = allele
        else if (allele !== first) differs = true
        own += 1
      }
      // A half-called genotype is a missing one; a whole heterozygous one without phase has no haplotype.
      if (differs && !hasGap && phased[sample] !== 1) mixed[number] = 1
      if (own > most[number]!) most[number] = own
    }
  const starts = new Int32Array(count + 1)
  for (let number = 0; number < count; number += 1)
    starts[number + 1] = starts[number]! + (mixed[number] === 1 ? 0 : most[number]!)
  const read = new Int16Array(starts[count]! * width)
  const gaps = new Int32Array(starts[count]!)
  for (const [site, { ploidy, alleles }] of sites.entries())
    for (let number = 0; number < count; number += 1) {
      if (mixed[number] === 1) continue
      const from = samples[number]! * ploidy
      let own = 0
      let hasGap = false
      while (own < ploidy && alleles[from + own] !== absentCopy) {
        if (alleles[from + own] === missingAllele) hasGap = true
        own += 1
      }
      for (let copy = starts[number]!; copy < starts[number + 1]!; copy += 1) {
        // Fewer copies here than elsewhere: the last stands for the others.
        const allele = hasGap || own === 0 ? missingAllele : alleles[from + Math.min(copy - starts[number]!, own - 1)]!
        read[copy * width + site] = allele
        if (allele === missingAllele) gaps[copy]! += 1
      }
    }
  const rowOf = (copy: number): Int16Array => read.subarray(copy * width, (copy + 1) * width)
  const byAlleles = new Map<string, number>()
  const found: { key: string; alleles: Int16Array; copies: number }[] = []
  const kindOf = new Int32Array(starts[count]!).fill(-1)
  for (let copy = 0; copy < kindOf.length; copy += 1) {
    if (gaps[copy]! > 0) continue
    const alleles = rowOf(copy)
    const key = keyOf(alleles)
    let index = byAlleles.get(key)
    if (index === undefined) {
      index = found.length
      byAlleles.set(key, index)
      found.push({ key, alleles, copies: 0 })
    }
    found[index]!.copies += 1
    kindOf[copy] = index
  }
  const order = found.map((_, index) => index)
  order.sort((a, b) => found[b]!.copies - found[a]!.copies || (found[a]!.key < found[b]!.key ? -1 : 1))
  const complete = order.map((index) => found[index]!.alleles)
  const ranks = new Int32Array(order.length)
  for (const [rank, index] of order.entries()) ranks[index] = rank
  /** The one complete haplotype that a copy with gaps does not contradict; -1 for none or several. */
  const findFitting = (copy: number): number => {
    if (gaps[copy] === width) return -1
    const own = rowOf(copy)
    let fitting = -1
    for (const [rank, alleles] of complete.entries()) {
      let site = 0
      while (site < width && (own[site] === missingAllele || own[site] === alleles[site])) site += 1
      if (site < width) continue
      if (fitting >= 0) return -1
      fitting = rank
    }
    return fitting
  }
  const assigned = samples.map((_, number): HaplotypeGrouping['assigned'][number] => {
    if (mixed[number] === 1) return { haplotypes: [], state: 'heterozygous' }
    let state: HaplotypeState = 'complete'
    const own: number[] = []
    for (let copy = starts[number]!; copy < starts[number + 1]!; copy += 1) {
      const kind = kindOf[copy]!
      const rank = kind >= 0 ? ranks[kind]! : findFitting(copy)
      if (rank < 0) return { haplotypes: [], state: 'missing' }
      if (kind < 0) state = 'completed'
      own.push(rank)
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

/** Alleles as a text that only the same alleles have: a letter each, in pieces that a call can take. */
const keyOf = (alleles: Int16Array): string => {
  let key = ''
  for (let from = 0; from < alleles.length; from += 4096)
    key += String.fromCharCode(...alleles.subarray(from, from + 4096))
  return key
}
