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

/** What is seen of a site at once. */
interface Overview {
  /** Highest number of an allele. */
  highest: number
  /** Every sample has all copies called. */
  isWhole: boolean
}

/** Looks over a site, and notes of each sample the most copies, and whether it is heterozygous without phase. */
const overlook = ({ ploidy, alleles, phased }: Genotypes, most: Int32Array, mixed: Uint8Array): Overview => {
  let highest = 0
  let isWhole = true
  for (let sample = 0; sample < most.length; sample += 1) {
    const from = sample * ploidy
    const to = from + ploidy
    let own = 0
    let first = missingAllele
    let differs = false
    let hasGap = false
    for (let copy = from; copy < to; copy += 1) {
      const allele = alleles[copy]!
      if (allele > highest) highest = allele
      if (allele < 0) {
        isWhole = false
        if (allele === absentCopy) continue
        hasGap = true
      }
      if (own === 0) first = allele
      else if (allele !== first) differs = true
      own += 1
    }
    // A half-called genotype is a missing one; a whole heterozygous one without phase has no haplotype.
    if (differs && !hasGap && phased[sample] !== 1) mixed[sample] = 1
    if (own > most[sample]!) most[sample] = own
  }
  return { highest, isWhole }
}

/**
 * The alleles of all copies at a site: those of `copy` at its place among `alleles`. `starts`: the first copy of each sample. What one site
 * answers holds until the next is asked for.
 */
const createAlleleReader = (sites: readonly Genotypes[], overviews: readonly Overview[], starts: Int32Array) => {
  const count = starts.length - 1
  const copyCount = starts[count]!
  const own = new Int16Array(copyCount)
  const ownPlaces = Int32Array.from(own, (_, copy) => copy)
  const placesByPloidy = new Map<number, Int32Array>()
  /** Where each copy stands among the genotypes. Fewer copies here than elsewhere: the last stands for the others. */
  const placesOf = (ploidy: number): Int32Array => {
    const known = placesByPloidy.get(ploidy)
    if (known !== undefined) return known
    const places = new Int32Array(copyCount)
    for (let sample = 0; sample < count; sample += 1)
      for (let copy = starts[sample]!; copy < starts[sample + 1]!; copy += 1)
        places[copy] = sample * ploidy + Math.min(copy - starts[sample]!, ploidy - 1)
    placesByPloidy.set(ploidy, places)
    return places
  }
  return (at: number): { alleles: Int16Array; places: Int32Array } => {
    const { ploidy, alleles } = sites[at]!
    if (overviews[at]!.isWhole) return { alleles, places: placesOf(ploidy) }
    for (let sample = 0; sample < count; sample += 1) {
      const [start, end] = [starts[sample]!, starts[sample + 1]!]
      if (start === end) continue
      const from = sample * ploidy
      let called = 0
      let hasGap = false
      while (called < ploidy && alleles[from + called] !== absentCopy) {
        if (alleles[from + called] === missingAllele) hasGap = true
        called += 1
      }
      for (let copy = start; copy < end; copy += 1)
        own[copy] = hasGap || called === 0 ? missingAllele : alleles[from + Math.min(copy - start, called - 1)]!
    }
    return { alleles: own, places: ownPlaces }
  }
}

/** Parts the kinds of copies by their alleles at a site, and answers how many kinds there are. `next` has -1 for each kind and allele. */
const splitKinds = (
  kindOf: Int32Array,
  copies: Int32Array,
  alleles: Int16Array,
  places: Int32Array,
  choices: number,
  next: Int32Array,
): number => {
  let found = 0
  for (let index = 0; index < copies.length; index += 1) {
    const copy = copies[index]!
    const cell = kindOf[copy]! * choices + alleles[places[copy]!]!
    let kind = next[cell]!
    if (kind === -1) {
      kind = found++
      next[cell] = kind
    }
    kindOf[copy] = kind
  }
  return found
}

/**
 * Groups `count` accessions by their alleles at sites. A haploid or phased accession has a haplotype a copy; one without phase has one where
 * it is homozygous at every site, and is `heterozygous` otherwise. A copy with sites that are not called is given to the one haplotype, of
 * those seen complete, that it does not contradict (`completed`); where there are several, or none, the accession is `missing`.
 *
 * Example: of haploid accessions 0-1, 0-1, 0-. and 1-0 there are the haplotypes 0-1 with three copies and 1-0 with one.
 */
export const groupHaplotypes = (sites: readonly Genotypes[], count: number): HaplotypeGrouping => {
  const width = sites.length
  // Copies of each accession, and whether it is heterozygous somewhere without phase.
  const most = new Int32Array(count).fill(1)
  const mixed = new Uint8Array(count)
  const overviews = sites.map((site) => overlook(site, most, mixed))
  const starts = new Int32Array(count + 1)
  for (let sample = 0; sample < count; sample += 1)
    starts[sample + 1] = starts[sample]! + (mixed[sample] === 1 ? 0 : most[sample]!)
  const copyCount = starts[count]!
  const readAlleles = createAlleleReader(sites, overviews, starts)
  // Copies are told apart site by site: those of one kind so far that have another allele are a kind of their own. No copy's row is
  // written down, which for thousands of accessions would not stay within the processor's caches.
  const kindOf = new Int32Array(copyCount)
  const gaps = new Int32Array(copyCount)
  /** Copies without a gap so far. */
  const complete = Int32Array.from(kindOf, (_, copy) => copy)
  let left = copyCount
  let kinds = copyCount === 0 ? 0 : 1
  let next = new Int32Array(1024)
  for (let at = 0; at < width; at += 1) {
    const { highest, isWhole } = overviews[at]!
    const { alleles, places } = readAlleles(at)
    if (!isWhole) {
      for (let copy = 0; copy < copyCount; copy += 1) if (alleles[places[copy]!] === missingAllele) gaps[copy]! += 1
      let kept = 0
      for (let index = 0; index < left; index += 1) {
        const copy = complete[index]!
        if (gaps[copy] === 0) complete[kept++] = copy
      }
      left = kept
    }
    const choices = highest + 1
    if (next.length < kinds * choices) next = new Int32Array(2 * kinds * choices)
    next.fill(-1, 0, kinds * choices)
    kinds = splitKinds(kindOf, complete.subarray(0, left), alleles, places, choices, next)
  }
  const found = Array.from({ length: kinds }, () => ({ alleles: new Int16Array(width), copies: 0 }))
  const rows: { copy: number; alleles: Int16Array }[] = []
  const gapped = new Map<number, Int16Array>()
  for (let copy = 0; copy < copyCount; copy += 1)
    if (gaps[copy]! > 0) {
      kindOf[copy] = -1
      if (gaps[copy] === width) continue
      const row = { copy, alleles: new Int16Array(width) }
      rows.push(row)
      gapped.set(copy, row.alleles)
    } else {
      const kind = found[kindOf[copy]!]!
      if (kind.copies === 0) rows.push({ copy, alleles: kind.alleles })
      kind.copies += 1
    }
  for (let at = 0; at < width; at += 1) {
    const { alleles, places } = readAlleles(at)
    for (const row of rows) row.alleles[at] = alleles[places[row.copy]!]!
  }
  const compareAlleles = (a: Int16Array, b: Int16Array): number => {
    for (let site = 0; site < width; site += 1) if (a[site] !== b[site]) return a[site]! - b[site]!
    return 0
  }
  const order = found.map((_, index) => index)
  order.sort((a, b) => found[b]!.copies - found[a]!.copies || compareAlleles(found[a]!.alleles, found[b]!.alleles))
  const known = order.map((index) => found[index]!.alleles)
  const ranks = new Int32Array(order.length)
  for (const [rank, index] of order.entries()) ranks[index] = rank
  /** The one complete haplotype that a copy with gaps does not contradict; -1 for none or several. */
  const findFitting = (copy: number): number => {
    const own = gapped.get(copy)
    if (own === undefined) return -1
    let fitting = -1
    for (const [rank, alleles] of known.entries()) {
      let site = 0
      while (site < width && (own[site] === missingAllele || own[site] === alleles[site])) site += 1
      if (site < width) continue
      if (fitting >= 0) return -1
      fitting = rank
    }
    return fitting
  }
  const assigned = Array.from({ length: count }, (_, sample): HaplotypeGrouping['assigned'][number] => {
    if (mixed[sample] === 1) return { haplotypes: [], state: 'heterozygous' }
    let state: HaplotypeState = 'complete'
    const own: number[] = []
    for (let copy = starts[sample]!; copy < starts[sample + 1]!; copy += 1) {
      const kind = kindOf[copy]!
      const rank = kind >= 0 ? ranks[kind]! : findFitting(copy)
      if (rank < 0) return { haplotypes: [], state: 'missing' }
      if (kind < 0) state = 'completed'
      own.push(rank)
    }
    return { haplotypes: own, state }
  })
  const counted = known.map((alleles): Haplotype => ({ alleles, copies: 0, accessions: [] }))
  for (const [sample, { haplotypes: own }] of assigned.entries()) {
    for (const rank of own) counted[rank]!.copies += 1
    if (own.length > 0 && own.every((rank) => rank === own[0])) counted[own[0]!]!.accessions.push(sample)
  }
  // Completed copies change the order.
  const final = counted.map((_, rank) => rank).sort((a, b) => counted[b]!.copies - counted[a]!.copies || a - b)
  const indexes = new Map(final.map((rank, index) => [rank, index]))
  for (const one of assigned) one.haplotypes = one.haplotypes.map((rank) => indexes.get(rank)!)
  const haplotypes = final.map((rank) => counted[rank]!)
  return { haplotypes, assigned }
}
