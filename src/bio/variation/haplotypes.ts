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
  const copyCount = starts[count]!
  // Copies are told apart site by site: those of one kind so far that have another allele are a kind of their own. No copy's row is
  // written down, which for thousands of accessions would not stay within the processor's caches.
  const kindOf = new Int32Array(copyCount)
  const alleleOf = new Int16Array(copyCount)
  const gaps = new Int32Array(copyCount)
  let kinds = copyCount === 0 ? 0 : 1
  /** The alleles of all copies at a site, with those that are not called. */
  const readSite = ({ ploidy, alleles }: Genotypes): void => {
    for (let number = 0; number < count; number += 1) {
      const [start, end] = [starts[number]!, starts[number + 1]!]
      if (start === end) continue
      const from = samples[number]! * ploidy
      let own = 0
      let hasGap = false
      while (own < ploidy && alleles[from + own] !== absentCopy) {
        if (alleles[from + own] === missingAllele) hasGap = true
        own += 1
      }
      for (let copy = start; copy < end; copy += 1)
        // Fewer copies here than elsewhere: the last stands for the others.
        alleleOf[copy] = hasGap || own === 0 ? missingAllele : alleles[from + Math.min(copy - start, own - 1)]!
    }
  }
  for (const site of sites) {
    readSite(site)
    let width = 0
    for (let copy = 0; copy < copyCount; copy += 1) if (alleleOf[copy]! >= width) width = alleleOf[copy]! + 1
    const next = new Int32Array(kinds * width).fill(-1)
    let found = 0
    for (let copy = 0; copy < copyCount; copy += 1) {
      const allele = alleleOf[copy]!
      if (allele === missingAllele) gaps[copy]! += 1
      if (gaps[copy]! > 0) continue
      const at = kindOf[copy]! * width + allele
      if (next[at] === -1) next[at] = found++
      kindOf[copy] = next[at]!
    }
    kinds = found
  }
  const found = Array.from({ length: kinds }, () => ({ alleles: new Int16Array(width), copies: 0 }))
  const rows = new Map<number, Int16Array>()
  for (let copy = 0; copy < copyCount; copy += 1)
    if (gaps[copy]! > 0) {
      kindOf[copy] = -1
      if (gaps[copy]! < width) rows.set(copy, new Int16Array(width))
    } else {
      const kind = found[kindOf[copy]!]!
      if (kind.copies === 0) rows.set(copy, kind.alleles)
      kind.copies += 1
    }
  for (const [at, site] of sites.entries()) {
    readSite(site)
    for (const [copy, row] of rows) row[at] = alleleOf[copy]!
  }
  const compareAlleles = (a: Int16Array, b: Int16Array): number => {
    for (let site = 0; site < width; site += 1) if (a[site] !== b[site]) return a[site]! - b[site]!
    return 0
  }
  const order = found.map((_, index) => index)
  order.sort((a, b) => found[b]!.copies - found[a]!.copies || compareAlleles(found[a]!.alleles, found[b]!.alleles))
  const complete = order.map((index) => found[index]!.alleles)
  const ranks = new Int32Array(order.length)
  for (const [rank, index] of order.entries()) ranks[index] = rank
  /** The one complete haplotype that a copy with gaps does not contradict; -1 for none or several. */
  const findFitting = (copy: number): number => {
    const own = rows.get(copy)
    if (own === undefined) return -1
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
