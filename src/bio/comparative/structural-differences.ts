/**
 * What is more or less in one of two genomes between genes that are neighbours in both: deletions and insertions as SyRI names them (Goel
 * et al. 2019, Genome Biology 20:277), told from the order of genes where the sequences themselves were not aligned.
 */

export const differenceKinds = ['deletion', 'insertion', 'replacement', 'duplication', 'inversion'] as const
/**
 * Of the second genome, against the first. `duplication`: bases that one of them has once more, `copyIn` says which;
 * `replacement`: other bases in the place.
 */
export type DifferenceKind = (typeof differenceKinds)[number]

/** Genes of a genome in their order; places are 1-based, inclusive. */
export interface OrderedGenes {
  sequences: readonly string[]
  sequence: readonly number[]
  start: readonly number[]
  end: readonly number[]
  /** Number of the orthogroup. */
  group: readonly number[]
}

/** A chain of genes of the first genome, by rising place, each with its counterpart. */
export interface PairChain {
  a: readonly number[]
  b: readonly number[]
}

export interface Difference {
  kind: DifferenceKind
  sequenceA: string
  startA: number
  endA: number
  sequenceB: string
  startB: number
  endB: number
  /** Of what is more or less. */
  sizeBp: number
  /** Which genome has the bases once more; null but of duplications. */
  copyIn: 'first' | 'second' | null
}

/** An end that a pair of genes has in both genomes; those of the second are negative where it reads backwards, so that both rise. */
interface AnchorEnd {
  a: number
  b: number
  /** Number of the pair in the chain. */
  pair: number
}

/** Ends of neighbours that are further apart in one genome than in the other by no more than this lie on one level: short variants. */
const levelBp = 100
/** Of the genes of a gap, those of which more than this share have their counterparts elsewhere in order were moved. */
const movedShare = 0.5

const offsetOf = ({ a, b }: AnchorEnd): number => b - a

/**
 * Stretches of ends whose distance is the same in both genomes, at least two each. An end that agrees with no neighbour is where two
 * annotations differ: the gene begins elsewhere, is longer, split or merged in one of them. A pair of genes that is out of line between
 * two stretches that are in line with each other is of two copies of a family.
 */
const findLevels = (chain: PairChain, [first, second]: readonly [OrderedGenes, OrderedGenes]): AnchorEnd[][] => {
  const backwards = chain.b[0]! > chain.b.at(-1)!
  const ends = chain.a.flatMap((geneA, pair): AnchorEnd[] => {
    const geneB = chain.b[pair]!
    const [left, right] = [second.start[geneB]!, second.end[geneB]!]
    return [
      { a: first.start[geneA]!, b: backwards ? -right : left, pair },
      { a: first.end[geneA]!, b: backwards ? -left : right, pair },
    ]
  })
  const levels: AnchorEnd[][] = []
  for (const end of ends) {
    const level = levels.at(-1)
    if (level !== undefined && Math.abs(offsetOf(level.at(-1)!) - offsetOf(end)) <= levelBp) level.push(end)
    else levels.push([end])
  }
  const agreed = levels.filter((level) => level.length > 1)
  return agreed.filter((level, at) => {
    const [before, after] = [agreed[at - 1]?.at(-1), agreed[at + 1]?.[0]]
    const isOnePair = level[0]!.pair === level.at(-1)!.pair
    return !isOnePair || !before || !after || Math.abs(offsetOf(before) - offsetOf(after)) > levelBp
  })
}

/** Bases between two ends; where these touch or overlap, the bases beside. Over the origin of a circle the end is beyond its length. */
const placeBetween = (from: number, to: number, lengthBp: number | undefined): { start: number; end: number } => {
  const [low, high] = [Math.min(Math.abs(from), Math.abs(to)), Math.max(Math.abs(from), Math.abs(to))]
  // Of what reads backwards over an origin one end has been moved below zero.
  const [left, right] = from < 0 && to > 0 && lengthBp !== undefined ? [lengthBp - to, lengthBp - from] : [low, high]
  return right - left > 1 ? { start: left + 1, end: right - 1 } : { start: left, end: right }
}

/**
 * Places between pairs of genes of a chain that are longer in one genome than in the other by at least `minimumBp`. Distances are taken
 * between ends of genes that both genomes have alike, so that what differs in their annotations only is no difference. What lies there and
 * has its counterpart elsewhere in order (`placedA`, `placedB`) is no loss: it is passed over. Of two circles, of which the chain holds the
 * most, `circles` are the lengths: the last pair is beside the first.
 *
 * Example: two genes 200 bp apart in one genome and 9.7 kb apart in the other are a deletion of 9.5 kb.
 */
export const findGaps = (
  chain: PairChain,
  genes: readonly [OrderedGenes, OrderedGenes],
  [placedA, placedB]: readonly [ReadonlySet<number>, ReadonlySet<number>],
  minimumBp: number,
  circles: readonly [number, number] | null = null,
): Difference[] => {
  const [first, second] = genes
  const levels = findLevels(chain, genes)
  if (circles !== null && levels.length > 0)
    levels.push(levels[0]!.map(({ a, b, pair }) => ({ a: a + circles[0], b: b + circles[1], pair })))
  const own = [new Set(chain.a), new Set(chain.b)] as const
  const found: Difference[] = []
  for (const [at, level] of levels.entries()) {
    const [left, right] = [levels[at - 1]?.at(-1), level[0]!]
    if (left === undefined) continue
    const more = offsetOf(right) - offsetOf(left)
    if (Math.abs(more) < minimumBp) continue
    const sequenceA = first.sequences[first.sequence[chain.a[left.pair]!]!]!
    const sequenceB = second.sequences[second.sequence[chain.b[left.pair]!]!]!
    const a = placeBetween(left.a, right.a, circles?.[0])
    const b = placeBetween(left.b, right.b, circles?.[1])
    const inside =
      more < 0
        ? genesIn(first, sequenceA, a.start, a.end, circles?.[0]).filter((gene) => !own[0].has(gene))
        : genesIn(second, sequenceB, b.start, b.end, circles?.[1]).filter((gene) => !own[1].has(gene))
    const moved = inside.filter((gene) => (more < 0 ? placedA : placedB).has(gene))
    if (moved.length > movedShare * inside.length) continue
    found.push({
      kind: more < 0 ? 'deletion' : 'insertion',
      sequenceA,
      startA: a.start,
      endA: a.end,
      sequenceB,
      startB: b.start,
      endB: b.end,
      sizeBp: Math.abs(more),
      copyIn: null,
    })
  }
  return found
}

/** The most pairs that rise in both genomes, or rise in the first and fall in the second: of a doubled place, one copy each. */
export const longestChain = (pairs: readonly (readonly [number, number])[], direction: 1 | -1): PairChain => {
  // Of one gene of the first genome the last counterpart comes first, so that no two of them follow one another.
  const sorted = [...pairs].sort((p, q) => p[0] - q[0] || (q[1] - p[1]) * direction)
  /** Of chains of each length, the number of the last pair that leaves the most room. */
  const tails: number[] = []
  const before: number[] = []
  for (const [at, [, b]] of sorted.entries()) {
    let [low, high] = [0, tails.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if (sorted[tails[middle]!]![1] * direction < b * direction) low = middle + 1
      else high = middle
    }
    before.push(low === 0 ? -1 : tails[low - 1]!)
    tails[low] = at
  }
  const chain: (readonly [number, number])[] = []
  for (let at = tails.at(-1) ?? -1; at !== -1; at = before[at]!) chain.push(sorted[at]!)
  chain.reverse()
  return { a: chain.map(([a]) => a), b: chain.map(([, b]) => b) }
}

/**
 * Numbers of the genes that lie in a place, wholly or in part, in their order. Where the place is over the origin of a circle of
 * `lengthBp`, its end is beyond that, and what lies at the start of the circle comes last.
 */
export const genesIn = (
  genes: OrderedGenes,
  sequence: string,
  start: number,
  end: number,
  lengthBp?: number,
): number[] => {
  const number = genes.sequences.indexOf(sequence)
  const found: number[] = []
  for (const [gene, own] of genes.sequence.entries())
    if (own === number && genes.start[gene]! <= end && genes.end[gene]! >= start) found.push(gene)
  if (lengthBp === undefined || end <= lengthBp) return found
  return [...found, ...genesIn(genes, sequence, 1, end - lengthBp).filter((gene) => !found.includes(gene))]
}

/** A copy lies so near to what it is of, or is a jump and not a doubling of the place. */
const copyNearBp = 200_000
/** Fewer genes than this are as likely a transposable element. */
const minCopyGenes = 3
const minCopyShare = 0.8
/** Copied genes further apart than this are of two places that were copied. */
const copyPartsBp = 10_000

/** A place whose genes a longer segment of another genome has once more, or several such places that were copied together. */
export interface CopiedPlace {
  /** Over the origin of a circle the end is beyond its length. */
  parts: { start: number; end: number }[]
  genes: number[]
}

/**
 * The place of the bases of which a longer segment of `other` is a further copy: at least three of its genes, and four in five, have a
 * member of their family near the place in `own`, each another one. Null when it is none. The lengths are those of circles.
 */
export const findCopied = (
  { sequence, start, end, circle }: { sequence: string; start: number; end: number; circle?: number | undefined },
  other: OrderedGenes,
  place: { sequence: string; position: number; circle?: number | undefined },
  own: OrderedGenes,
): CopiedPlace | null => {
  const inside = genesIn(other, sequence, start, end, circle)
  if (inside.length < minCopyGenes) return null
  const length = place.circle
  const from = place.position - copyNearBp
  const to = place.position + copyNearBp
  // Around the place, from a circle's end on into its start.
  const near = [
    ...(length === undefined || from > 0 ? [] : genesIn(own, place.sequence, from + length, length)),
    ...genesIn(own, place.sequence, from, to, length),
  ]
  const byGroup = new Map<number, number[]>()
  for (const [at, gene] of near.entries()) {
    const list = byGroup.get(own.group[gene]!)
    if (list === undefined) byGroup.set(own.group[gene]!, [at])
    else list.push(at)
  }
  /** Places in `near`. */
  const copied: number[] = []
  for (const gene of inside) {
    const members = byGroup.get(other.group[gene]!) ?? []
    if (members.length === 0) continue
    // Of several members of the family the one beside the last.
    const last = copied.at(-1) ?? -1
    const apart = (at: number): number => Math.abs(at - last - 1)
    const chosen = members.reduce((best, at) => (apart(at) < apart(best) ? at : best))
    copied.push(chosen)
    members.splice(members.indexOf(chosen), 1)
  }
  if (copied.length < minCopyGenes || copied.length < minCopyShare * inside.length) return null
  copied.sort((p, q) => p - q)
  const parts: { start: number; end: number; genes: number[] }[] = []
  for (const at of copied) {
    const gene = near[at]!
    const part = parts.at(-1)
    const over = part !== undefined && length !== undefined && own.start[gene]! < part.start ? length : 0
    const [geneStart, geneEnd] = [own.start[gene]! + over, own.end[gene]! + over]
    if (part !== undefined && geneStart - part.end <= copyPartsBp) {
      part.end = Math.max(part.end, geneEnd)
      part.genes.push(gene)
    } else parts.push({ start: own.start[gene]!, end: own.end[gene]!, genes: [gene] })
  }
  // A gene by itself is another member of its family.
  const held = parts.filter(({ genes }) => genes.length > 1)
  if (held.length === 0) return null
  return { parts: held.map(({ start, end }) => ({ start, end })), genes: held.flatMap(({ genes }) => genes) }
}
