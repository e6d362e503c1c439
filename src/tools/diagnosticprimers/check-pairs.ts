import { byLikelihood, likelyMismatches, mismatchesOf, PcrSearch } from '../../bio/sequence/in-silico-pcr.ts'
import type { PredictedProduct } from '../../bio/sequence/pcr-products.ts'
import type { PrimingRule } from '../../bio/sequence/priming-sites.ts'
import { findCuts, fragmentsOf, restrictionEnzymes } from '../../bio/sequence/restriction-sites.ts'
import { reverseComplement } from '../../bio/sequence/sequence.ts'
import type { PortalData } from '../../kit/data/portal-data.ts'
import type { Candidate } from './design-pairs.ts'
import type { Band, DiagnosticPair, Group, Outcome } from './tool.ts'

/** Primer-BLAST's own rule (Ye et al. 2012, BMC Bioinformatics 13:134): see PrimingRule. */
export const primingRule: PrimingRule = {
  minMismatches: 2,
  minThreePrimeMismatches: 2,
  threePrimeBp: 5,
  ignoreMismatches: 6,
}

/** Products of a pair in one genome that are kept: more are a smear. */
const keptBands = 12

type Data = Pick<PortalData, 'getAssembly' | 'listSequences' | 'streamSequence' | 'fetchSequence'>

interface Found extends PredictedProduct {
  sequence: string
  sequenceLengthBp: number
}

interface Products {
  likely: Found[]
  likelyCount: number
  weak: number
}

const nothing = (): Products => ({ likely: [], likelyCount: 0, weak: 0 })

/** What every pair amplifies in a genome, pair by pair. */
const searchGenome = async (
  data: Data,
  assembly: string,
  search: PcrSearch,
  count: number,
  signal: AbortSignal,
  onBases: (bases: number) => void,
): Promise<Products[]> => {
  const found = Array.from({ length: count }, nothing)
  for (const sequence of await data.listSequences(assembly)) {
    const take = search.open(sequence, (pair, product) => {
      const own = found[pair]!
      if (mismatchesOf(product) > likelyMismatches) {
        own.weak += 1
        return
      }
      own.likelyCount += 1
      own.likely.push({ ...product, sequence: sequence.name, sequenceLengthBp: sequence.lengthBp })
      if (own.likely.length > 4 * keptBands) own.likely = own.likely.sort(byLikelihood).slice(0, keptBands)
    })
    if (sequence.lengthBp > 0)
      for await (const piece of data.streamSequence(assembly, sequence.name, 1, sequence.lengthBp)) {
        signal.throwIfAborted()
        const bytes = Buffer.from(piece, 'latin1')
        onBases(bytes.length)
        take(bytes)
      }
    take(null)
  }
  for (const one of found) one.likely = one.likely.sort(byLikelihood).slice(0, keptBands)
  return found
}

const bandOf = (product: Found): Band => ({
  sequence: product.sequence,
  start: ((product.start1 - 1) % product.sequenceLengthBp) + 1,
  end: ((product.end1 - 1) % product.sequenceLengthBp) + 1,
  lengthBp: product.lengthBp,
  mismatches: mismatchesOf(product),
  threePrimeMismatches: product.forwardThreePrimeMismatches + product.reverseThreePrimeMismatches,
})

const outcomeOf = (assembly: string, group: Outcome['group'], products: Products): Outcome => ({
  assembly,
  group,
  bands: products.likely.map(bandOf),
  bandCount: products.likelyCount,
  weak: products.weak,
  fragments: [],
  allele: null,
  asAsked: null,
})

const alleles = (fam: Products, hex: Products): NonNullable<Outcome['allele']> => {
  const best = ({ likely }: Products): number => Math.min(Number.POSITIVE_INFINITY, ...likely.map(mismatchesOf))
  const [one, other] = [best(fam), best(hex)]
  if (one === Number.POSITIVE_INFINITY && other === Number.POSITIVE_INFINITY) return 'none'
  // At one place the primers differ by their last base alone: the better one is extended. Two places give both.
  return one === other ? 'both' : one < other ? 'fam' : 'hex'
}

/** Pieces of a product once an enzyme has cut it; the primers' own bases stand at its ends, also where they changed one. */
const digest = async (data: Data, assembly: string, product: Found, candidate: Candidate): Promise<number[]> => {
  const enzyme = restrictionEnzymes.find(({ name }) => name === candidate.enzyme?.name)
  if (enzyme === undefined) return []
  const { start1, lengthBp, forward } = product
  const read = await data.fetchSequence(assembly, product.sequence, start1, start1 + lengthBp - 1)
  const along = (forward === 'left' ? read : reverseComplement(read)).toUpperCase()
  const [left, right] = candidate.oligos
  const amplified =
    left!.sequence +
    along.slice(left!.sequence.length, lengthBp - right!.sequence.length) +
    reverseComplement(right!.sequence)
  return fragmentsOf(amplified.length, findCuts(amplified, enzyme))
}

/** Pairs of primers that a candidate is searched by: the two allele-specific primers of KASP are two. */
const searchedPairs = ({ kind, oligos }: Candidate): { left: string; right: string }[] =>
  kind === 'kasp'
    ? [
        { left: oligos[0]!.sequence, right: oligos[2]!.sequence },
        { left: oligos[1]!.sequence, right: oligos[2]!.sequence },
      ]
    : [{ left: oligos[0]!.sequence, right: oligos[1]!.sequence }]

export interface CheckedGenome {
  assembly: string
  group: Outcome['group']
}

/** Searches every genome for what every candidate amplifies; outcomes in the order of the candidates, then of the genomes. */
export const searchCandidates = async (
  candidates: readonly Candidate[],
  genomes: readonly CheckedGenome[],
  options: { amplifiedBp: number; data: Data; signal: AbortSignal; onProgress(fraction: number): void },
): Promise<{ outcomes: Outcome[][]; searchedBp: number }> => {
  const { data, signal } = options
  const outcomes: Outcome[][] = candidates.map(() => [])
  if (candidates.length === 0) return { outcomes, searchedBp: 0 }
  const numbers: number[] = []
  const pairs = candidates.flatMap((candidate) => {
    const own = searchedPairs(candidate)
    numbers.push(numbers.length === 0 ? 0 : numbers.at(-1)! + searchedPairs(candidates[numbers.length - 1]!).length)
    return own
  })
  const search = new PcrSearch(pairs, primingRule, options.amplifiedBp)
  let searchedBp = 0
  for (const [at, { assembly, group }] of genomes.entries()) {
    const { lengthBp } = await data.getAssembly(assembly)
    let ownBp = 0
    const found = await searchGenome(data, assembly, search, pairs.length, signal, (bases) => {
      ownBp += bases
      options.onProgress((at + Math.min(1, ownBp / Math.max(1, lengthBp))) / genomes.length)
    })
    searchedBp += ownBp
    for (const [number, candidate] of candidates.entries()) {
      const first = found[numbers[number]!]!
      const outcome = outcomeOf(assembly, group, first)
      if (candidate.kind === 'kasp') {
        const second = found[numbers[number]! + 1]!
        outcome.allele = alleles(first, second)
        if (outcome.allele === 'hex') outcome.bands = second.likely.map(bandOf)
        outcome.bandCount = outcome.bands.length
      }
      const [band] = first.likely
      if (candidate.kind === 'caps' && band !== undefined)
        outcome.fragments = await digest(data, assembly, band, candidate)
      outcomes[number]!.push(outcome)
    }
  }
  return { outcomes, searchedBp }
}

/** Whether two sizes are one band on a gel that parts what differs by `minDifferenceBp`. */
const isOneBand = (a: number, b: number, minDifferenceBp: number): boolean => Math.abs(a - b) < minDifferenceBp

/** Whether two digests look alike: as many pieces, each as long as its counterpart to within `minDifferenceBp`. */
const isOnePattern = (a: readonly number[], b: readonly number[], minDifferenceBp: number): boolean => {
  const shown = (pieces: readonly number[]): number[] =>
    [...pieces].sort((x, y) => x - y).filter((piece) => piece >= minDifferenceBp)
  const [one, other] = [shown(a), shown(b)]
  return one.length === other.length && one.every((piece, at) => isOneBand(piece, other[at]!, minDifferenceBp))
}

/** The outcome with whether it is what its group asks for. `pattern` is the first target's digest. */
const judgeOutcome = (
  outcome: Outcome,
  candidate: Candidate,
  minDifferenceBp: number,
  sizeMethod: boolean,
  pattern: readonly number[],
): boolean | null => {
  const { group, bands, fragments, allele } = outcome
  const hasExpected = bands.some(({ lengthBp }) => isOneBand(lengthBp, candidate.productBp, minDifferenceBp))
  if (group === 'other') return null
  if (candidate.kind === 'control') return hasExpected && bands.length === 1
  if (candidate.kind === 'kasp') return allele === (group === 'target' ? 'fam' : 'hex')
  if (candidate.kind === 'caps')
    return bands.length === 1 && isOnePattern(fragments, pattern, minDifferenceBp) === (group === 'target')
  const asked: Group = sizeMethod && group === 'spare' ? 'sized' : group
  if (asked === 'target') return hasExpected
  return asked === 'spare' ? bands.length === 0 : bands.length > 0 && !hasExpected
}

/** Of a candidate what its outcomes say: whether it discriminates, and how surely. */
export const judgeCandidate = (
  candidate: Candidate,
  outcomes: readonly Outcome[],
  { minDifferenceBp, sizeMethod }: { minDifferenceBp: number; sizeMethod: boolean },
): Pick<DiagnosticPair, 'outcomes' | 'discriminates' | 'sure'> => {
  const pattern = outcomes.find(({ group }) => group === 'target')?.fragments ?? []
  const judged = outcomes.map((one) => ({
    ...one,
    asAsked: judgeOutcome(one, candidate, minDifferenceBp, sizeMethod, pattern),
  }))
  const asked = judged.filter(({ asAsked }) => asAsked !== null)
  const discriminates = asked.every(({ asAsked }) => asAsked === true)
  const sure =
    discriminates &&
    asked.every(
      ({ group, bands, bandCount, weak }) =>
        (group !== 'target' || (bandCount === 1 && bands[0]?.mismatches === 0)) && (group !== 'spare' || weak === 0),
    )
  return { outcomes: judged, discriminates, sure }
}

/** The surest first: discriminating, sure, fewest bands that were not meant, fewest mismatches, then primer3's penalty. */
export const compareCandidates = (
  a: Candidate & Pick<DiagnosticPair, 'outcomes' | 'discriminates' | 'sure'>,
  b: Candidate & Pick<DiagnosticPair, 'outcomes' | 'discriminates' | 'sure'>,
): number => {
  const key = ({ outcomes, discriminates, sure, penalty }: typeof a): number[] => [
    discriminates ? 0 : 1,
    outcomes.filter(({ asAsked }) => asAsked === false).length,
    sure ? 0 : 1,
    outcomes.reduce((sum, { bandCount }) => sum + Math.max(0, bandCount - 1), 0),
    outcomes.reduce((sum, { bands, group }) => sum + (group === 'target' ? (bands[0]?.mismatches ?? 0) : 0), 0),
    outcomes.reduce((sum, { weak, group }) => sum + (group === 'spare' ? weak : 0), 0),
    penalty,
  ]
  const [one, other] = [key(a), key(b)]
  for (const [at, value] of one.entries()) if (value !== other[at]) return value - other[at]!
  return 0
}
