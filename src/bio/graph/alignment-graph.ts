import type { GraphNode, GraphRegion, GraphStep, GraphWalk } from './variation-graph.ts'

/** What an aligned sequence has in place of bases of the reference: `null` the same bases, '' none, else its own. */
export interface AlignedSegment {
  referenceBp: number
  bases: string | null
}

/** A sequence aligned to a segment of the reference, told on the reference's strand. */
export interface AlignedSequence extends Omit<GraphWalk, 'steps'> {
  /** Of the reference, from 0. */
  referenceStart0: number
  segments: readonly AlignedSegment[]
}

/**
 * The variation graph of sequences aligned to a reference: the reference is cut wherever an alignment begins, ends or differs, and what
 * others have instead becomes a node, one for all that have the same in the same place. Nothing is aligned anew: of several ways to place
 * a gap each aligned sequence keeps its own. Alignments reach at most from the reference's first to its last base.
 *
 * Example: a reference `ACGT` and a sequence aligned as 2 equal bases, `T` for the third and 1 equal base give nodes AC, G, T, T.
 */
export const buildAlignmentGraph = (
  reference: Omit<GraphWalk, 'steps'> & { bases: string },
  aligned: readonly AlignedSequence[],
): GraphRegion => {
  const from = reference.start0
  const cuts = new Set([0, reference.bases.length])
  for (const { referenceStart0, segments } of aligned) {
    let at = referenceStart0 - from
    cuts.add(at)
    for (const { referenceBp, bases } of segments) {
      if (bases !== null) cuts.add(at).add(at + referenceBp)
      at += referenceBp
    }
    cuts.add(at)
  }
  const starts = [...cuts].sort((a, b) => a - b)
  const nodes: GraphNode[] = []
  /** Node of the reference that begins at a cut. */
  const nodeAt = new Map<number, number>()
  const add = (sequence: string): number =>
    nodes.push({ name: String(nodes.length + 1), sequence, lengthBp: sequence.length }) - 1
  for (const [number, start] of starts.entries()) {
    const end = starts[number + 1]
    if (end !== undefined) nodeAt.set(start, add(reference.bases.slice(start, end)))
  }
  const others = new Map<string, number>()
  const { bases: _, ...about } = reference
  const walks: GraphWalk[] = [{ ...about, steps: [...nodeAt.values()].map((node) => ({ node, reverse: false })) }]
  for (const { referenceStart0, segments, ...own } of aligned) {
    const steps: GraphStep[] = []
    let at = referenceStart0 - from
    for (const { referenceBp, bases } of segments) {
      const end = at + referenceBp
      if (bases === null)
        while (at < end) {
          const node = nodeAt.get(at)!
          steps.push({ node, reverse: false })
          at += nodes[node]!.lengthBp
        }
      else if (bases !== '') {
        const key = `${at}|${end}|${bases.toUpperCase()}`
        const node = others.get(key) ?? add(bases)
        others.set(key, node)
        steps.push({ node, reverse: false })
      }
      at = end
    }
    if (steps.length > 0) walks.push({ ...own, steps })
  }
  return { nodes, walks }
}
