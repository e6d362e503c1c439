import type { AlignmentPiece } from '../../bio/alignment/lift.ts'
import { cigarOperation } from '../../bio/alignment/paf.ts'
import { type AlignedSegment, type AlignedSequence, buildAlignmentGraph } from '../../bio/graph/alignment-graph.ts'
import { alignStrands } from '../../bio/graph/variation-graph.ts'
import { reverseComplement } from '../../bio/sequence/sequence.ts'
import { fieldError } from '../../contracts/errors.ts'
import type { PortalData } from '../../kit/data/portal-data.ts'
import type { ReadRegion } from './read-graph.ts'
import { type GraphAbout, limits } from './tool.ts'

/** The graph that is made of the alignments of a species' assemblies when it is asked for. */
const alignedGraphId = 'alignments'

/** Alignments that have fewer bases of the region say nothing of it that can be drawn. */
const minBp = 100
/** A longer unaligned segment between two alignments is no way through the region. */
const longestGapBp = 50_000

/** What may be asked for: null where nothing is aligned to the assembly. */
export const describeAlignedGraph = async (data: PortalData, assembly: string): Promise<GraphAbout | null> => {
  const state = await data.alignments.getState(assembly)
  if (state === null || state.reference !== assembly) return null
  return {
    id: alignedGraphId,
    name: {
      en: 'Made of the alignments between assemblies',
      zh: '由各基因组之间的比对构建',
    },
    description: {
      en: `Whole-genome alignments by ${state.program}; whatever differs from ${assembly} in the same place is one node.`,
      zh: `由 ${state.program} 进行全基因组比对；同一位置与 ${assembly} 不同的相同序列合为一个节点。`,
    },
    licence: null,
    simulated: false,
    nodes: null,
    links: null,
    totalBp: null,
    samples: state.assemblies.map(({ id }) => id),
    loci: null,
  }
}

/** Pieces of one chain that follow each other on both sides, in the reference's order. */
const chainRuns = (pieces: readonly AlignmentPiece[]): AlignmentPiece[][] => {
  const runs: AlignmentPiece[][] = []
  const byChain = new Map<number, AlignmentPiece[]>()
  for (const piece of pieces) byChain.set(piece.chain, [...(byChain.get(piece.chain) ?? []), piece])
  for (const chain of byChain.values()) {
    chain.sort((a, b) => a.sourceStart0 - b.sourceStart0 || a.sourceEnd0 - b.sourceEnd0)
    let run: AlignmentPiece[] = []
    for (const piece of chain) {
      const last = run.at(-1)
      const follows =
        last !== undefined &&
        last.sourceEnd0 === piece.sourceStart0 &&
        last.strand === piece.strand &&
        (piece.strand === '+' ? last.otherEnd0 === piece.otherStart0 : last.otherStart0 === piece.otherEnd0)
      const passable =
        !piece.gap ||
        Math.max(piece.sourceEnd0 - piece.sourceStart0, piece.otherEnd0 - piece.otherStart0) <= longestGapBp
      if (!(follows && passable) && run.length > 0) {
        runs.push(run)
        run = []
      }
      if (passable) run.push(piece)
    }
    if (run.length > 0) runs.push(run)
  }
  // Who begins or ends with a gap has nothing to show for it.
  return runs.flatMap((run) => {
    const first = run.findIndex(({ gap }) => !gap)
    const last = run.findLastIndex(({ gap }) => !gap)
    return first === -1 ? [] : [run.slice(first, last + 1)]
  })
}

/** Runs of operations over a segment of the reference: what stands in the other sequence, in the direction of the alignment. */
interface Passed {
  referenceBp: number
  /** Along the other sequence in the direction of the alignment; of equal bases too. */
  from: number
  to: number
  equal: boolean
}

/** The operations of a run within `[start0, end0)`; `walked` counts along the other sequence from where the run begins. */
const passOperations = (run: readonly AlignmentPiece[], start0: number, end0: number): Passed[] => {
  const passed: Passed[] = []
  let walked = 0
  let source = run[0]!.sourceStart0
  const take = (referenceBp: number, otherBp: number, equal: boolean): void => {
    const from = Math.max(source, start0)
    const to = Math.min(source + referenceBp, end0)
    const within = referenceBp === 0 ? source > start0 && source < end0 : from < to
    if (within) {
      // Of equal bases and mismatches as many as of the reference; a deletion or gap across the edge is cut with it.
      const cut = referenceBp === otherBp
      const ahead = cut ? from - source : 0
      const last = passed.at(-1)
      const one = {
        referenceBp: referenceBp === 0 ? 0 : to - from,
        from: walked + ahead,
        to: walked + (cut ? ahead + to - from : otherBp),
        equal,
      }
      if (last !== undefined && last.equal === equal && last.to === one.from) {
        last.referenceBp += one.referenceBp
        last.to = one.to
      } else passed.push(one)
    }
    source += referenceBp
    walked += otherBp
  }
  for (const piece of run) {
    if (piece.gap) {
      take(piece.sourceEnd0 - piece.sourceStart0, piece.otherEnd0 - piece.otherStart0, false)
      continue
    }
    for (const entry of piece.cigar) {
      const length = Math.floor(entry / 16)
      const operation = entry & 15
      if (operation === cigarOperation.insertion) take(0, length, false)
      else if (operation === cigarOperation.deletion) take(length, 0, false)
      else take(length, length, operation === cigarOperation.equal)
    }
  }
  return passed
}

/**
 * The variation graph of a region of the reference from the alignments of the other assemblies to it. Rejects with a field's error
 * when the region is too long.
 */
export const readAlignedRegion = async (
  data: PortalData,
  assembly: string,
  sequence: string,
  [start0, end0]: [number, number],
): Promise<ReadRegion> => {
  if (end0 - start0 > limits.alignedBp) throw fieldError(['locus'], 'problem.tooLongAligned', { max: limits.alignedBp })
  const found = await data.alignments.listPieces({ assembly, sequence, start1: start0 + 1, end1: end0 })
  const bases = await data.fetchSequence(assembly, sequence, start0 + 1, end0)
  const aligned: AlignedSequence[] = []
  for (const { assembly: other, pieces } of found)
    for (const run of chainRuns(pieces)) {
      const passed = passOperations(run, start0, end0)
      while (passed.at(-1)?.equal === false) passed.pop()
      let referenceStart0 = Math.max(start0, run[0]!.sourceStart0)
      while (passed[0]?.equal === false) referenceStart0 += passed.shift()!.referenceBp
      if (passed.reduce((sum, one) => sum + (one.equal ? one.referenceBp : 0), 0) < minBp) continue
      const [first, last] = [run[0]!, run.at(-1)!]
      const forward = first.strand === '+'
      const [from, to] = [passed[0]!.from, passed.at(-1)!.to]
      const [otherFrom, otherTo] = forward
        ? [first.otherStart0 + from, first.otherStart0 + to]
        : [first.otherEnd0 - to, first.otherEnd0 - from]
      const letters = await data.fetchSequence(other, last.other, otherFrom + 1, otherTo)
      const read = forward ? letters : reverseComplement(letters)
      aligned.push({
        name: `${other}#${last.other}`,
        sample: other,
        assembly: other,
        sequence: last.other,
        start0: otherFrom,
        turned: !forward,
        referenceStart0,
        segments: passed.map(
          (one): AlignedSegment => ({
            referenceBp: one.referenceBp,
            bases: one.equal ? null : read.slice(one.from - from, one.to - from),
          }),
        ),
      })
    }
  const region = buildAlignmentGraph(
    { name: assembly, sample: assembly, assembly, sequence, start0, turned: false, bases },
    aligned,
  )
  if (region.nodes.length > limits.readNodes)
    throw fieldError(['locus'], 'problem.tooManyNodes', { max: limits.readNodes })
  return { region: alignStrands(region), start0, end0 }
}
