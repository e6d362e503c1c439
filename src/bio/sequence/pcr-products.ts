// What a pair of primers amplifies, from the places where either primes.

import type { PrimingSite } from './priming-sites.ts'

/** A predicted product; first and last base counted from 1. On a circular sequence `end1` may lie beyond the length. */
export interface PredictedProduct {
  start1: number
  end1: number
  lengthBp: number
  /** The primer that extends along the sequence, and the one that extends against it. */
  forward: 'left' | 'right'
  reverse: 'left' | 'right'
  forwardMismatches: number
  reverseMismatches: number
  forwardThreePrimeMismatches: number
  reverseThreePrimeMismatches: number
}

export interface ProductSearch {
  /** Places of the left and of the right primer on one sequence. */
  left: readonly PrimingSite[]
  right: readonly PrimingSite[]
  sequence: { lengthBp: number; circular: boolean }
  maxProductBp: number
  /** Called for each product. */
  onProduct(product: PredictedProduct): void
}

/** First index whose place is at or after `from0`. */
const firstFrom = (ends: readonly { end0: number }[], from0: number): number => {
  let low = 0
  let high = ends.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if (ends[middle]!.end0 < from0) low = middle + 1
    else high = middle
  }
  return low
}

/**
 * Products of a pair on one sequence: a primer on `+` and, downstream of it, a primer on `-`, also the same primer twice; at
 * least as long as the longer of both primers and at most `maxProductBp`, primers included. On a circular sequence also across
 * its origin, never more than once around. A product is given for each two places.
 *
 * Example: left at 0..20 on `+`, right at 80..100 on `-` give one product, 1 to 100.
 */
export const findProducts = ({ left, right, sequence, maxProductBp, onProduct }: ProductSearch): void => {
  const { lengthBp, circular } = sequence
  const named = [
    ...left.map((site) => ({ ...site, name: 'left' as const })),
    ...right.map((site) => ({ ...site, name: 'right' as const })),
  ]
  const forward = named.filter((site) => site.strand === '+').sort((a, b) => a.start0 - b.start0)
  const once = named.filter((site) => site.strand === '-')
  const reverse = (
    circular
      ? [...once, ...once.map((site) => ({ ...site, start0: site.start0 + lengthBp, end0: site.end0 + lengthBp }))]
      : once
  ).sort((a, b) => a.end0 - b.end0)
  const max = circular ? Math.min(maxProductBp, lengthBp) : maxProductBp
  for (const from of forward) {
    const primerBp = from.end0 - from.start0
    for (let at = firstFrom(reverse, from.start0 + primerBp); at < reverse.length; at += 1) {
      const to = reverse[at]!
      const productBp = to.end0 - from.start0
      if (productBp > max) break
      if (to.start0 < from.start0) continue
      onProduct({
        start1: from.start0 + 1,
        end1: to.end0,
        lengthBp: productBp,
        forward: from.name,
        reverse: to.name,
        forwardMismatches: from.mismatches,
        reverseMismatches: to.mismatches,
        forwardThreePrimeMismatches: from.threePrimeMismatches,
        reverseThreePrimeMismatches: to.threePrimeMismatches,
      })
    }
  }
}
