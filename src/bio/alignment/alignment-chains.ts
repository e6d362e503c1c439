/**
 * Chains of collinear alignments of two assemblies, and what of each assembly each chain has first: as UCSC's chains and nets are made
 * (Kent et al. 2003, PNAS 100:11484), with a simpler cost of gaps.
 */
import type { AlignmentPiece } from './lift.ts'
import { cigarOperation, type PafRecord } from './paf.ts'

/** Alignments of one strand between two sequences, in the order of the target; of strand '-' the query places fall. */
export interface AlignmentChain {
  target: string
  query: string
  strand: '+' | '-'
  alignments: PafRecord[]
  /** Scores of the alignments less the cost of the gaps between them. */
  score: number
  targetStart0: number
  targetEnd0: number
  queryStart0: number
  queryEnd0: number
  mapq: number
}

/**
 * Cost of a gap, a base of either sequence: a repeat of 6 kb does not join a chain from beyond 60 kb, two blocks of 300 kb do over
 * everything a chromosome arm may hold.
 */
const gapCost = 0.05
/** Two alignments of a chain may overlap by at most this share of the shorter: repeats that begin and end a variant are in both. */
const maxOverlap = 0.5
/** Alignments that one may follow are looked for among so many before it. */
const lookBack = 400

const joinCost = (before: PafRecord, after: PafRecord): number | null => {
  if (after.targetStart0 <= before.targetStart0 || after.targetEnd0 <= before.targetEnd0) return null
  const forward = before.strand === '+'
  const [first, second] = forward ? [before, after] : [after, before]
  if (second.queryStart0 <= first.queryStart0 || second.queryEnd0 <= first.queryEnd0) return null
  const targetGap = after.targetStart0 - before.targetEnd0
  const queryGap = second.queryStart0 - first.queryEnd0
  const room = (a: number, b: number): number => maxOverlap * Math.min(a, b)
  if (-targetGap > room(before.targetEnd0 - before.targetStart0, after.targetEnd0 - after.targetStart0)) return null
  if (-queryGap > room(before.queryEnd0 - before.queryStart0, after.queryEnd0 - after.queryStart0)) return null
  return gapCost * (Math.abs(targetGap) + Math.abs(queryGap))
}

const chainOf = (alignments: PafRecord[], score: number): AlignmentChain => ({
  target: alignments[0]!.target,
  query: alignments[0]!.query,
  strand: alignments[0]!.strand,
  alignments,
  score,
  targetStart0: alignments[0]!.targetStart0,
  targetEnd0: alignments.at(-1)!.targetEnd0,
  queryStart0: alignments.reduce((min, { queryStart0 }) => Math.min(min, queryStart0), Number.POSITIVE_INFINITY),
  queryEnd0: alignments.reduce((max, { queryEnd0 }) => Math.max(max, queryEnd0), 0),
  mapq: alignments.reduce((max, { mapq }) => Math.max(max, mapq), 0),
})

/**
 * Joins alignments into chains, each alignment in one, the best chain first. Secondary alignments are left out.
 *
 * Example: two alignments of one strand, 6 kb of the target apart and nothing of the query, are one chain with a deletion of 6 kb
 * between them.
 */
export const chainAlignments = (records: readonly PafRecord[]): AlignmentChain[] => {
  const groups = new Map<string, PafRecord[]>()
  for (const record of records) {
    if (record.kind === 'secondary') continue
    const key = `${record.target}\t${record.query}\t${record.strand}`
    const list = groups.get(key)
    if (list === undefined) groups.set(key, [record])
    else list.push(record)
  }
  const chains: AlignmentChain[] = []
  for (const list of groups.values()) {
    list.sort((a, b) => a.targetStart0 - b.targetStart0 || a.targetEnd0 - b.targetEnd0)
    const best = new Float64Array(list.length)
    const from = new Int32Array(list.length).fill(-1)
    for (const [at, record] of list.entries()) {
      best[at] = record.score
      for (let before = at - 1; before >= Math.max(0, at - lookBack); before -= 1) {
        const cost = joinCost(list[before]!, record)
        // A join that costs more than what comes before it is worth makes the chain no better.
        if (cost === null || cost >= record.score || best[before]! - cost <= 0) continue
        const score = best[before]! - cost + record.score
        if (score > best[at]!) {
          best[at] = score
          from[at] = before
        }
      }
    }
    const used = new Uint8Array(list.length)
    const ends = [...list.keys()].sort((a, b) => best[b]! - best[a]!)
    for (const end of ends) {
      if (used[end] === 1) continue
      const alignments: PafRecord[] = []
      let at = end
      while (at >= 0 && used[at] === 0) {
        used[at] = 1
        alignments.push(list[at]!)
        at = from[at]!
      }
      chains.push(chainOf(alignments.reverse(), at < 0 ? best[end]! : best[end]! - best[at]!))
    }
  }
  return chains.sort((a, b) => b.score - a.score)
}

/** The gaps between alignments of a chain as pieces without aligned bases; those without target bases are none. */
export const chainGaps = (chain: AlignmentChain, number: number): AlignmentPiece[] => {
  const gaps: AlignmentPiece[] = []
  for (const [at, after] of chain.alignments.entries()) {
    const before = chain.alignments[at - 1]
    if (before === undefined) continue
    const [first, second] = chain.strand === '+' ? [before, after] : [after, before]
    const targetBp = after.targetStart0 - before.targetEnd0
    if (targetBp <= 0) continue
    const otherStart0 = Math.min(first.queryEnd0, second.queryStart0)
    const queryBp = second.queryStart0 - otherStart0
    gaps.push({
      source: chain.target,
      sourceStart0: before.targetEnd0,
      sourceEnd0: after.targetStart0,
      other: chain.query,
      otherStart0,
      otherEnd0: otherStart0 + queryBp,
      strand: chain.strand,
      chain: number,
      chainScore: Math.round(chain.score),
      mapq: Math.min(before.mapq, after.mapq),
      gap: true,
      cigar: Uint32Array.from([
        targetBp * 16 + cigarOperation.deletion,
        ...(queryBp > 0 ? [queryBp * 16 + cigarOperation.insertion] : []),
      ]),
    })
  }
  return gaps
}

/** Disjoint intervals, by sequence. */
export class Coverage {
  readonly #bySequence = new Map<string, [number, number][]>()

  /** Bases of `[start0, end0)` that are covered. */
  coveredBp(sequence: string, start0: number, end0: number): number {
    let sum = 0
    for (const [from, to] of this.within(sequence, start0, end0)) sum += Math.min(end0, to) - Math.max(start0, from)
    return sum
  }

  add(sequence: string, start0: number, end0: number): void {
    if (end0 <= start0) return
    let list = this.#bySequence.get(sequence)
    if (list === undefined) {
      list = []
      this.#bySequence.set(sequence, list)
    }
    const first = this.#firstEndingAfter(list, start0 - 1)
    let last = first
    let [from, to] = [start0, end0]
    while (last < list.length && list[last]![0] <= end0) {
      from = Math.min(from, list[last]![0])
      to = Math.max(to, list[last]![1])
      last += 1
    }
    list.splice(first, last - first, [from, to])
  }

  intervals(sequence: string): readonly (readonly [number, number])[] {
    return this.#bySequence.get(sequence) ?? []
  }

  /** Those that overlap `[start0, end0)`. */
  within(sequence: string, start0: number, end0: number): (readonly [number, number])[] {
    const list = this.#bySequence.get(sequence) ?? []
    const first = this.#firstEndingAfter(list, start0)
    let last = first
    while (last < list.length && list[last]![0] < end0) last += 1
    return list.slice(first, last)
  }

  #firstEndingAfter(list: readonly [number, number][], position0: number): number {
    let low = 0
    let high = list.length
    while (low < high) {
      const middle = (low + high) >> 1
      if (list[middle]![1] > position0) high = middle
      else low = middle + 1
    }
    return low
  }
}

/** A chain as it stands among the others. */
export interface NetChain extends AlignmentChain {
  number: number
  /** Shares of 1 of its aligned segments that no better chain has, on each side. */
  ownTarget: number
  ownQuery: number
}

/**
 * Numbers the chains by falling score and tells of each how much of either assembly it is the first to have. A chain that is not first
 * on the target is a further copy of what lies there.
 */
export const rankChains = (chains: readonly AlignmentChain[]): NetChain[] => {
  const target = new Coverage()
  const query = new Coverage()
  return chains.map((chain, number) => {
    let [targetBp, targetCovered, queryBp, queryCovered] = [0, 0, 0, 0]
    for (const { targetStart0, targetEnd0, queryStart0, queryEnd0 } of chain.alignments) {
      targetBp += targetEnd0 - targetStart0
      queryBp += queryEnd0 - queryStart0
      targetCovered += target.coveredBp(chain.target, targetStart0, targetEnd0)
      queryCovered += query.coveredBp(chain.query, queryStart0, queryEnd0)
    }
    for (const { targetStart0, targetEnd0, queryStart0, queryEnd0 } of chain.alignments) {
      target.add(chain.target, targetStart0, targetEnd0)
      query.add(chain.query, queryStart0, queryEnd0)
    }
    return { ...chain, number, ownTarget: 1 - targetCovered / targetBp, ownQuery: 1 - queryCovered / queryBp }
  })
}
