// What many pairs of primers amplify on a sequence, while it is read.

import { findProducts, type PredictedProduct } from './pcr-products.ts'
import { type PrimingRule, PrimingScanner, type PrimingSite } from './priming-sites.ts'

/** Places of one primer on one sequence that are followed; beyond that it is a repeat, and says nothing more by more of them. */
const maxSites = 20_000

/**
 * A product with at most so many mismatches, of both primers together, is likely to be seen on a gel. Beyond, amplification falls
 * off steeply (Kwok et al. 1990, Nucleic Acids Res 18:999-1005, for mismatches near the 3′ end); Primer-BLAST lists it all the same.
 */
export const likelyMismatches = 3

export const mismatchesOf = (product: Pick<PredictedProduct, 'forwardMismatches' | 'reverseMismatches'>): number =>
  product.forwardMismatches + product.reverseMismatches

/** The likelier of two products first: fewer mismatches, then the shorter, then the earlier. */
export const byLikelihood = (a: PredictedProduct, b: PredictedProduct): number =>
  mismatchesOf(a) - mismatchesOf(b) || a.lengthBp - b.lengthBp || a.start1 - b.start1

export interface PcrSequence {
  lengthBp: number
  circular: boolean
}

/**
 * Products of pairs of primers: every place where a primer may prime (see {@link PrimingScanner}), and every two that face each other
 * within `maxProductBp`. Primers that pairs share are looked for once.
 *
 * Example: `new PcrSearch([{ left: 'ACGTTGCAACGGTTACGT', right: 'GGCATTCAGGTTACCATG' }], rule, 3000).open(sequence, note)` gives the
 * function that takes the bases of a sequence in pieces and, called with null, ends it; then `note` was called for each product.
 */
export class PcrSearch {
  readonly #scanner: PrimingScanner
  readonly #primers: { left: number; right: number }[]
  readonly #pairsOf: number[][]
  readonly #maxProductBp: number

  constructor(pairs: readonly { left: string; right: string }[], rule: PrimingRule, maxProductBp: number) {
    const numbers = new Map<string, number>()
    const numberOf = (primer: string): number => {
      const key = primer.toUpperCase()
      const number = numbers.get(key) ?? numbers.size
      numbers.set(key, number)
      return number
    }
    this.#primers = pairs.map((pair) => ({ left: numberOf(pair.left), right: numberOf(pair.right) }))
    this.#pairsOf = Array.from({ length: numbers.size }, () => [])
    for (const [pair, { left, right }] of this.#primers.entries()) {
      this.#pairsOf[left]!.push(pair)
      if (right !== left) this.#pairsOf[right]!.push(pair)
    }
    this.#scanner = new PrimingScanner([...numbers.keys()], rule)
    this.#maxProductBp = maxProductBp
  }

  /**
   * Starts on a sequence. `onRepetitive` is called before the products of a pair of which a primer has so many places that not all were
   * followed.
   */
  open(
    sequence: PcrSequence,
    onProduct: (pair: number, product: PredictedProduct) => void,
    onRepetitive: (pair: number) => void = () => undefined,
  ): (bases: Uint8Array | null) => void {
    const sites = new Map<number, PrimingSite[]>()
    const take = this.#scanner.open(sequence, (site) => {
      const own = sites.get(site.primer)
      if (own === undefined) sites.set(site.primer, [site])
      else if (own.length < maxSites) own.push(site)
    })
    return (bases) => {
      take(bases)
      if (bases !== null) return
      for (const number of new Set([...sites.keys()].flatMap((primer) => this.#pairsOf[primer]!))) {
        const { left, right } = this.#primers[number]!
        const leftSites = sites.get(left) ?? []
        const rightSites = sites.get(right) ?? []
        if (leftSites.length >= maxSites || rightSites.length >= maxSites) onRepetitive(number)
        findProducts({
          left: leftSites,
          right: left === right ? [] : rightSites,
          sequence,
          maxProductBp: this.#maxProductBp,
          onProduct: (product) => onProduct(number, product),
        })
      }
    }
  }
}
