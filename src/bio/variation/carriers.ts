import { type Genotypes, missingAllele } from './vcf.ts'

/** How many copies of an accession have an allele: every one, some, none as far as all are called, or none with some not called. */
export const carriages = ['every', 'some', 'none', 'missing'] as const
export type Carriage = (typeof carriages)[number]

/**
 * Whether a sample carries one of these alleles of a record (numbered as in GT), or any other than REF where `alleles` is null. One copy
 * that has it is enough, also beside one that is not called; a sample without any such copy is `missing` where a copy is not called.
 *
 * Example: with `0/1` and `alleles` null it is `some`, with `1/2` and `[2]` `some`, with `1` `every`, with `./1` `some`, with `./0` `missing`.
 */
export const carriageOf = (
  { ploidy, alleles: all }: Genotypes,
  sample: number,
  alleles: readonly number[] | null,
): Carriage => {
  let [has, lacks, missing] = [0, 0, 0]
  for (let copy = 0; copy < ploidy; copy += 1) {
    const allele = all[sample * ploidy + copy]!
    if (allele === missingAllele) missing += 1
    else if (alleles === null ? allele > 0 : alleles.includes(allele)) has += 1
    else if (allele >= 0) lacks += 1
  }
  if (has > 0) return lacks + missing === 0 ? 'every' : 'some'
  return missing > 0 ? 'missing' : 'none'
}

/**
 * Of several records that are one change, such as two substitutions with the same new residue: the accession carries it where it carries
 * any of them.
 *
 * Example: `mergeCarriages(['none', 'some'])` is `some`, `mergeCarriages(['none', 'missing'])` is `missing`.
 */
export const mergeCarriages = (own: readonly Carriage[]): Carriage => {
  for (const carriage of ['every', 'some', 'missing'] as const) if (own.includes(carriage)) return carriage
  return 'none'
}

/**
 * Whether an accession carries all, any or none of several changes; null where that depends on genotypes that are not called.
 *
 * Example: `carriesSet(['every', 'missing'], 'any')` is true, with `all` it is null, with `none` false; `carriesSet(['none', 'missing'],
 * 'all')` is false, with `none` it is null.
 */
export const carriesSet = (own: readonly Carriage[], match: 'all' | 'any' | 'none'): boolean | null => {
  if (match === 'none') {
    const any = carriesSet(own, 'any')
    return any === null ? null : !any
  }
  const isCarried = (one: Carriage): boolean => one === 'every' || one === 'some'
  if (match === 'any' ? own.some(isCarried) : own.every(isCarried)) return true
  const isLost = match === 'any' ? own.every((one) => one === 'none') : own.includes('none')
  return isLost ? false : null
}
