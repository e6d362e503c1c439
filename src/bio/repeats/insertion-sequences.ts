/**
 * Insertion sequences of bacteria and archaea by the names that annotations give them (Siguier, Gourbeyre & Chandler 2014, FEMS Microbiol
 * Rev 38:865): where no transposable elements are annotated, genes of transposases name them.
 */

const namePattern = /\bIS(?:[A-Z][A-Za-z]{0,5})?\d+[A-Za-z]?\b(?! family)/
/** As NCBI's pipeline names a member of a family: `IS3-like element IS987 family transposase`. */
const memberPattern = /-like element (IS[A-Za-z]*\d+[A-Za-z]?)\b/
const contextPattern = /transpos|insertion|\bIS element/i

/**
 * The insertion sequence that a gene's product names; null where it names none, or a family alone, whose members are not one sequence.
 *
 * Example: `nameInsertionSequence('Putative transposase for insertion sequence element IS6110')` is `IS6110`.
 */
export const nameInsertionSequence = (product: string | null): string | null =>
  product === null || !contextPattern.test(product)
    ? null
    : (memberPattern.exec(product)?.[1] ?? namePattern.exec(product)?.[0] ?? null)

/** What annotations call genes that a mobile element brings: transposases, reading frames of insertion sequences and of retrotransposons. */
const mobilePattern = /transpos(?:ase|on\b)|retrotranspos|insertion (?:sequence|element)/i

/**
 * Whether a gene's product says that it is part of a mobile element.
 *
 * Example: `isMobileElementGene('Probable transposase')` is true, of `'PPE family protein'` false.
 */
export const isMobileElementGene = (product: string | null): boolean =>
  product !== null && (mobilePattern.test(product) || nameInsertionSequence(product) !== null)

/** Genes of one copy, such as the two reading frames of IS3's relatives, lie side by side. */
const joinBp = 300
/** The longest insertion sequences are shorter; a longer place is of copies side by side. */
const longestBp = 6000

export interface NamedGene {
  product: string | null
  sequence: string
  start: number
  end: number
  strand: string
}

/** A place from 1, both included. */
export interface ElementPlace {
  sequence: string
  start: number
  end: number
  strand: string
}

/**
 * Of each insertion sequence that genes of a genome are named after the longest place of such genes side by side: that of a whole copy
 * sooner than that of a fragment. Genes in genome order.
 */
export const representInsertionSequences = (genes: readonly NamedGene[]): Map<string, ElementPlace> => {
  const last = new Map<string, ElementPlace>()
  const longest = new Map<string, ElementPlace>()
  for (const { product, sequence, start, end, strand } of genes) {
    const name = nameInsertionSequence(product)
    if (name === null) continue
    const before = last.get(name)
    const joins =
      before !== undefined &&
      before.sequence === sequence &&
      before.strand === strand &&
      start - before.end <= joinBp &&
      end - before.start < longestBp
    const place = joins ? { ...before, end: Math.max(before.end, end) } : { sequence, start, end, strand }
    last.set(name, place)
    const best = longest.get(name)
    const lengthBp = place.end - place.start + 1
    if (lengthBp <= longestBp && (best === undefined || lengthBp > best.end - best.start + 1)) longest.set(name, place)
  }
  return longest
}

export interface ElementHit {
  family: string
  genome: string
  sequence: string
  start: number
  end: number
  strand: '+' | '-'
  identity: number
  coverage: number
  bits: number
}

export const copyRules = {
  /** Of a copy: shares of 1. */
  minIdentity: 0.9,
  minCoverage: 0.8,
  /** Of the shorter of two hits that are one copy. */
  sameShare: 0.5,
} as const

/** Hits that are copies, one of each place: that of the family that fits best. */
export const chooseCopies = (hits: readonly ElementHit[]): ElementHit[] => {
  const chosen: ElementHit[] = []
  const byPlace = new Map<string, ElementHit[]>()
  for (const hit of [...hits].sort((a, b) => b.bits - a.bits)) {
    if (hit.identity < copyRules.minIdentity || hit.coverage < copyRules.minCoverage) continue
    const key = JSON.stringify([hit.genome, hit.sequence])
    const near = byPlace.get(key) ?? []
    const isTaken = near.some((other) => {
      const shared = Math.min(hit.end, other.end) - Math.max(hit.start, other.start) + 1
      return shared >= copyRules.sameShare * Math.min(hit.end - hit.start + 1, other.end - other.start + 1)
    })
    if (isTaken) continue
    near.push(hit)
    byPlace.set(key, near)
    chosen.push(hit)
  }
  return chosen
}
