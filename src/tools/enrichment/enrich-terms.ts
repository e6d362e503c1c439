import { adjustByBonferroni, adjustByHolm, adjustPValues, hypergeometricTail } from '../../bio/set-tests.ts'
import type { AnnotatedTerm } from './propagate-terms.ts'
import type { EnrichmentInput } from './tool.ts'

export interface EnrichmentChoice extends Pick<EnrichmentInput, 'minSize' | 'maxSize' | 'correction' | 'tested'> {}

export interface CountedTerm {
  term: AnnotatedTerm
  setCount: number
  backgroundCount: number
}

export interface TestedTerm extends CountedTerm {
  fold: number
  oddsRatio: number | null
  pValue: number
  adjustedPValue: number
}

export interface TestedCollection {
  backgroundGenes: number
  setGenes: number
  /** Terms with genes of the background. */
  terms: number
  tests: number
  small: number
  large: number
  unhit: number
  /** Those with a gene of the set, best first. */
  tested: TestedTerm[]
  counted: CountedTerm[]
}

const adjust = { bh: adjustPValues, holm: adjustByHolm, bonferroni: adjustByBonferroni }

/**
 * Tests every term of one collection for more genes of the set than chance puts there: the one-sided hypergeometric test (Fisher's
 * exact test), the set drawn from the background. `set` and `background` are marks (1) by gene; genes of the set outside the
 * background do not count. The size of a term is that in the background. Corrections are over all tests of the collection.
 */
export const enrichTerms = (
  terms: readonly AnnotatedTerm[],
  set: Uint8Array,
  background: Uint8Array,
  choice: EnrichmentChoice,
): TestedCollection => {
  let backgroundGenes = 0
  let setGenes = 0
  for (let gene = 0; gene < background.length; gene++) {
    if (background[gene] === 0) continue
    backgroundGenes += 1
    setGenes += set[gene]!
  }
  const counted: CountedTerm[] = []
  const chosen: CountedTerm[] = []
  let small = 0
  let large = 0
  let unhit = 0
  for (const term of terms) {
    let backgroundCount = 0
    let setCount = 0
    for (const gene of term.genes) {
      if (background[gene] === 0) continue
      backgroundCount += 1
      setCount += set[gene]!
    }
    if (backgroundCount === 0) continue
    const one = { term, setCount, backgroundCount }
    counted.push(one)
    if (backgroundCount < choice.minSize) small += 1
    else if (backgroundCount > choice.maxSize) large += 1
    else {
      if (setCount === 0) unhit += 1
      if (setCount > 0 || choice.tested === 'all') chosen.push(one)
    }
  }
  const hit = chosen.filter(({ setCount }) => setCount > 0)
  const pValues = hit.map(({ setCount, backgroundCount }) =>
    hypergeometricTail({ found: setCount, drawn: setGenes, marked: backgroundCount, total: backgroundGenes }),
  )
  // Tests without a gene of the set have p = 1: the greatest, so that only their number matters.
  const adjusted = adjust[choice.correction](pValues, chosen.length)
  const tested = hit.map((one, at): TestedTerm => {
    const { setCount: k, backgroundCount: m } = one
    const others = (setGenes - k) * (m - k)
    return {
      ...one,
      fold: k / setGenes / (m / backgroundGenes),
      oddsRatio: others === 0 ? null : (k * (backgroundGenes - m - setGenes + k)) / others,
      pValue: pValues[at]!,
      adjustedPValue: adjusted[at]!,
    }
  })
  tested.sort((a, b) => a.pValue - b.pValue || b.fold - a.fold || (a.term.id < b.term.id ? -1 : 1))
  return {
    backgroundGenes,
    setGenes,
    terms: counted.length,
    tests: chosen.length,
    small,
    large,
    unhit,
    tested,
    counted,
  }
}
