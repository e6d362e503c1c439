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

/** Between two genes of a genome; where they touch or overlap, the bases beside. */
const between = (genes: OrderedGenes, p: number, q: number) => {
  const [low, high] = genes.start[p]! <= genes.start[q]! ? [p, q] : [q, p]
  const [left, right] = [genes.end[low]!, genes.start[high]!]
  return {
    bp: right - left - 1,
    start: right - left > 1 ? left + 1 : Math.min(left, right),
    end: right - left > 1 ? right - 1 : Math.max(left, right),
    genes: Array.from({ length: Math.max(0, Math.abs(p - q) - 1) }, (_, at) => Math.min(p, q) + 1 + at),
  }
}

/**
 * Gaps between neighbours of a chain that are longer in one genome than in the other by at least `minimumBp`. What lies in a gap and has
 * its counterpart elsewhere in order (`placedA`, `placedB`) is no loss: such a gap is passed over.
 *
 * Example: two genes 200 bp apart in one genome and 9.7 kb apart in the other are a deletion of 9.5 kb.
 */
export const findGaps = (
  chain: PairChain,
  [first, second]: readonly [OrderedGenes, OrderedGenes],
  [placedA, placedB]: readonly [ReadonlySet<number>, ReadonlySet<number>],
  minimumBp: number,
): Difference[] => {
  const found: Difference[] = []
  for (let at = 1; at < chain.a.length; at += 1) {
    const a = between(first, chain.a[at - 1]!, chain.a[at]!)
    const b = between(second, chain.b[at - 1]!, chain.b[at]!)
    const more = b.bp - a.bp
    if (Math.abs(more) < minimumBp) continue
    if (a.genes.some((gene) => placedA.has(gene)) || b.genes.some((gene) => placedB.has(gene))) continue
    found.push({
      kind: more < 0 ? 'deletion' : 'insertion',
      sequenceA: first.sequences[first.sequence[chain.a[at]!]!]!,
      startA: a.start,
      endA: a.end,
      sequenceB: second.sequences[second.sequence[chain.b[at]!]!]!,
      startB: b.start,
      endB: b.end,
      sizeBp: Math.abs(more),
      copyIn: null,
    })
  }
  return found
}

/** Numbers of the genes that lie in a place, wholly or in part, in their order. */
export const genesIn = (genes: OrderedGenes, sequence: string, start: number, end: number): number[] => {
  const number = genes.sequences.indexOf(sequence)
  const found: number[] = []
  for (const [gene, own] of genes.sequence.entries())
    if (own === number && genes.start[gene]! <= end && genes.end[gene]! >= start) found.push(gene)
  return found
}

/** A copy lies so near to what it is of, or is a jump and not a doubling of the place. */
const copyNearBp = 200_000
/** Fewer genes than this are as likely a transposable element. */
const minCopyGenes = 3
const minCopyShare = 0.8

/**
 * The place of the bases of which a longer segment of `other` is a further copy: at least three of its genes, and four in five, have a
 * member of their family near the place in `own`, each another one. Null when it is none.
 */
export const findCopied = (
  { sequence, start, end }: { sequence: string; start: number; end: number },
  other: OrderedGenes,
  place: { sequence: string; position: number },
  own: OrderedGenes,
): { start: number; end: number; genes: number[] } | null => {
  const inside = genesIn(other, sequence, start, end)
  if (inside.length < minCopyGenes) return null
  const byGroup = new Map<number, number[]>()
  for (const gene of genesIn(own, place.sequence, place.position - copyNearBp, place.position + copyNearBp)) {
    const list = byGroup.get(own.group[gene]!)
    if (list === undefined) byGroup.set(own.group[gene]!, [gene])
    else list.push(gene)
  }
  const copied = inside.flatMap((gene) => byGroup.get(other.group[gene]!)?.shift() ?? [])
  if (copied.length < minCopyGenes || copied.length < minCopyShare * inside.length) return null
  return {
    start: Math.min(...copied.map((gene) => own.start[gene]!)),
    end: Math.max(...copied.map((gene) => own.end[gene]!)),
    genes: copied.sort((p, q) => p - q),
  }
}
