import { alignProteins } from '../alignment/protein-alignment.ts'
import { chainSequence, type StructureChain } from './structure-file.ts'

/** Residues of a chain beside those of the protein, one for one: from these numbers on, so many. */
export interface PlacedRun {
  /** As the chain numbers its residues. */
  number: number
  /** Of the protein, from 1. */
  residue: number
  length: number
}

export interface PlacedChain {
  /** Of 1: equal letters among the pairs. */
  identity: number
  /** Pairs of residues. */
  pairs: number
  runs: PlacedRun[]
}

/** A chain with fewer equal residues is another protein. */
export const minChainIdentity = 0.5
/** Shorter chains, such as peptides bound to a protein, stand in anything by chance. */
const minResidues = 10
/** Equal residues of an alignment at least, for the same reason: twenty residues among some hundreds have half as many. */
const minEqual = 15

const runsOf = (pairs: readonly (readonly [number: number, residue: number])[]): PlacedRun[] => {
  const runs: PlacedRun[] = []
  for (const [number, residue] of pairs) {
    const run = runs.at(-1)
    if (run !== undefined && number === run.number + run.length && residue === run.residue + run.length) run.length += 1
    else runs.push({ number, residue, length: 1 })
  }
  return runs
}

/**
 * Which residues of a protein those of a chain are: where the chain's letters stand in the protein as they are, else by a global
 * alignment (Gotoh, BLOSUM62). Null where the chain is of another protein or too short to tell, or the two are too long to be aligned.
 *
 * Example: the chain `KLVAEERTGK` numbered from 51 on `MKLVAEERTGKL` is residues 2 to 11: `runs: [{number: 51, residue: 2, length: 10}]`.
 */
export const placeChain = (chain: StructureChain, protein: string): PlacedChain | null => {
  const { residues } = chain
  const seen = chainSequence(chain)
  if (seen.length < minResidues) return null
  const whole = protein.toUpperCase()
  const at = whole.indexOf(seen)
  if (at >= 0) {
    const pairs = residues.map(({ number }, index) => [number, at + index + 1] as const)
    return { identity: 1, pairs: pairs.length, runs: runsOf(pairs) }
  }
  const aligned = alignProteins(seen, whole)
  if (aligned === null) return null
  const [first, second] = aligned
  const pairs: [number, number][] = []
  let equal = 0
  let index = 0
  let residue = 0
  for (let column = 0; column < first.length; column += 1) {
    const [a, b] = [first[column]!, second[column]!]
    if (b !== '-') residue += 1
    if (a === '-') continue
    if (b !== '-') {
      pairs.push([residues[index]!.number, residue])
      if (a === b) equal += 1
    }
    index += 1
  }
  const identity = pairs.length === 0 ? 0 : equal / pairs.length
  return equal < minEqual || identity < minChainIdentity ? null : { identity, pairs: pairs.length, runs: runsOf(pairs) }
}

/**
 * The one of several proteins, by their names, that most of a chain is; of equals the longest, which more of the structure could be. Null
 * where it is none.
 *
 * Example: a chain that is the first half of two isoforms is placed in the longer one.
 */
export const placeInBest = (
  chain: StructureChain,
  proteins: Iterable<readonly [name: string, sequence: string]>,
): (PlacedChain & { protein: string }) | null => {
  let best: { placed: PlacedChain & { protein: string }; equal: number; length: number } | null = null
  for (const [protein, sequence] of proteins) {
    const place = sequence === '' ? null : placeChain(chain, sequence)
    if (place === null) continue
    const equal = Math.round(place.identity * place.pairs)
    if (best === null || equal > best.equal || (equal === best.equal && sequence.length > best.length))
      best = { placed: { ...place, protein }, equal, length: sequence.length }
  }
  return best?.placed ?? null
}

/** The residue of the protein that a residue of the chain is, by the number that it has there; null where there is none. */
export const residueOfNumber = (runs: readonly PlacedRun[], number: number): number | null => {
  const run = runs.find((one) => number >= one.number && number < one.number + one.length)
  return run === undefined ? null : run.residue + number - run.number
}
