import type { AnnotatedTerm } from '../../bio/annotation/propagate-terms.ts'
import { adjustByBenjaminiHochberg, adjustByBonferroni, adjustByHolm } from '../../bio/statistics/multiple-testing.ts'
import { hypergeometricLowerTail, hypergeometricTail, hypergeometricTwoSided } from '../../bio/statistics/set-tests.ts'
import type { EnrichmentInput } from './tool.ts'

export interface EnrichmentChoice extends Pick<EnrichmentInput, 'minSize' | 'maxSize' | 'direction' | 'tested'> {}

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
  /** Best first; those without a gene of the set only where fewer is tested for. */
  tested: TestedTerm[]
  counted: CountedTerm[]
}

const testFor = { more: hypergeometricTail, fewer: hypergeometricLowerTail, both: hypergeometricTwoSided }

const adjust = { bh: adjustByBenjaminiHochberg, holm: adjustByHolm, bonferroni: adjustByBonferroni }

/**
 * Tests every term of one collection for more genes of the set than chance puts there, for fewer or for either: the hypergeometric test
 * (Fisher's exact test), one-sided or two-sided, the set drawn from the background. `set` and `background` are marks (1) by gene; genes
 * of the set outside the
 * background do not count. The size of a term is that in the background. Adjusted p-values are NaN until `adjustTogether` has set them.
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
  // Tested for more, those without a gene of the set have p = 1: the greatest, so that only their number matters.
  const shown = chosen.filter(({ setCount }) => setCount > 0 || (choice.direction !== 'more' && setGenes > 0))
  const tested = shown.map((one): TestedTerm => {
    const { setCount: k, backgroundCount: m } = one
    const others = (setGenes - k) * (m - k)
    return {
      ...one,
      fold: k / setGenes / (m / backgroundGenes),
      oddsRatio: others === 0 ? null : (k * (backgroundGenes - m - setGenes + k)) / others,
      pValue: testFor[choice.direction]({ found: k, drawn: setGenes, marked: m, total: backgroundGenes }),
      adjustedPValue: Number.NaN,
    }
  })
  const best = choice.direction === 'fewer' ? -1 : 1
  tested.sort((a, b) => a.pValue - b.pValue || best * (b.fold - a.fold) || (a.term.id < b.term.id ? -1 : 1))
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

/** Corrects the tests of these collections together; gives the number of them. */
export const adjustTogether = (
  collections: readonly TestedCollection[],
  correction: EnrichmentInput['correction'],
): number => {
  const terms = collections.flatMap(({ tested }) => tested)
  const tests = collections.reduce((sum, one) => sum + one.tests, 0)
  const adjusted = adjust[correction](
    terms.map(({ pValue }) => pValue),
    tests,
  )
  for (const [at, term] of terms.entries()) term.adjustedPValue = adjusted[at]!
  return tests
}
