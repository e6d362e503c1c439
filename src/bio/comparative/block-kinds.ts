/** What a collinear block says of the structure of two genomes. */
export const blockKinds = ['syntenic', 'inverted', 'moved', 'translocated', 'duplicated'] as const
export type BlockKind = (typeof blockKinds)[number]

export interface KindBlock {
  sequenceA: string
  startA: number
  endA: number
  sequenceB: string
  startB: number
  endB: number
  orientation: 1 | -1
  pairs: number
  /** Numbers of the genes of both sides; empty where they are not known. */
  a: readonly number[]
  b: readonly number[]
}

/** A side is taken when better blocks hold more than this share of it. */
const takenShare = 0.5

interface Side {
  sequence: string
  start: number
  end: number
  genes: readonly number[]
}

/** Notes what blocks hold of one genome, by genes where they are known and else by bases. */
const createCover = () => {
  const genes = new Set<number>()
  const segments = new Map<string, [number, number][]>()
  return {
    share: ({ sequence, start, end, genes: own }: Side): number => {
      if (own.length > 0) return own.filter((gene) => genes.has(gene)).length / own.length
      let held = 0
      for (const [from, to] of segments.get(sequence) ?? [])
        held += Math.max(0, Math.min(end, to) - Math.max(start, from) + 1)
      return held / (end - start + 1)
    },
    add: ({ sequence, start, end, genes: own }: Side): void => {
      for (const gene of own) genes.add(gene)
      if (own.length > 0) return
      const list = segments.get(sequence)
      if (list === undefined) segments.set(sequence, [[start, end]])
      else list.push([start, end])
    },
  }
}

const sideA = ({ sequenceA, startA, endA, a }: KindBlock): Side => ({
  sequence: sequenceA,
  start: startA,
  end: endA,
  genes: a,
})
const sideB = ({ sequenceB, startB, endB, b }: KindBlock): Side => ({
  sequence: sequenceB,
  start: startB,
  end: endB,
  genes: b,
})

/**
 * Names every block between two genomes, the largest first. `duplicated`: better blocks already hold most of one of its sides, so that it
 * joins copies, as a doubling of the genome leaves them. Of the others, where one of the two sequences is the other's main partner (the one
 * with which it has most pairs of genes, or bases where no genes are known; either way round, for a genome in pieces has many for one
 * chromosome): `syntenic`; `inverted` where it reads against what most of the pair does; `moved` where it lies out of the order of the
 * larger blocks of the pair. `translocated`: between sequences that are main partners of others. A genome against itself has duplicated
 * blocks only.
 *
 * Example: chrI-chrI with 90 pairs is syntenic; 10 pairs of other genes of chrI to chrV, whose main partner is chrV, are translocated.
 */
export const nameBlocks = (blocks: readonly KindBlock[], within: boolean): BlockKind[] => {
  if (within) return blocks.map(() => 'duplicated')
  const kinds: BlockKind[] = blocks.map(() => 'duplicated')
  const weight = (block: KindBlock): number => (block.a.length > 0 ? block.pairs : block.endA - block.startA + 1)
  const order = [...blocks.keys()].sort((p, q) => weight(blocks[q]!) - weight(blocks[p]!) || p - q)
  const [coverA, coverB] = [createCover(), createCover()]
  const single: number[] = []
  for (const at of order) {
    const block = blocks[at]!
    if (coverA.share(sideA(block)) > takenShare || coverB.share(sideB(block)) > takenShare) continue
    coverA.add(sideA(block))
    coverB.add(sideB(block))
    single.push(at)
  }
  const together = new Map<string, { weight: number; forward: number }>()
  const keyOf = (block: KindBlock): string => `${block.sequenceA}\t${block.sequenceB}`
  const [partnersA, partnersB] = [new Map<string, KindBlock>(), new Map<string, KindBlock>()]
  for (const at of single) {
    const block = blocks[at]!
    const sum = together.get(keyOf(block)) ?? { weight: 0, forward: 0 }
    sum.weight += weight(block)
    if (block.orientation === 1) sum.forward += weight(block)
    together.set(keyOf(block), sum)
  }
  for (const at of single) {
    const block = blocks[at]!
    const own = together.get(keyOf(block))!.weight
    for (const [map, name] of [
      [partnersA, block.sequenceA],
      [partnersB, block.sequenceB],
    ] as const) {
      const known = map.get(name)
      if (known === undefined || together.get(keyOf(known))!.weight < own) map.set(name, block)
    }
  }
  /** Middles of the blocks of each pair of main partners that are in order so far, the largest blocks first. */
  const placed = new Map<string, { a: number; b: number }[]>()
  for (const at of single) {
    const block = blocks[at]!
    const key = keyOf(block)
    const main = keyOf(partnersA.get(block.sequenceA)!) === key || keyOf(partnersB.get(block.sequenceB)!) === key
    if (!main) {
      kinds[at] = 'translocated'
      continue
    }
    const { weight: all, forward } = together.get(key)!
    const direction = 2 * forward >= all ? 1 : -1
    const middle = { a: (block.startA + block.endA) / 2, b: (block.startB + block.endB) / 2 }
    const others = placed.get(key) ?? []
    const inOrder = others.every((other) => (middle.a - other.a) * (middle.b - other.b) * direction >= 0)
    kinds[at] = block.orientation !== direction ? 'inverted' : inOrder ? 'syntenic' : 'moved'
    if (kinds[at] === 'syntenic') placed.set(key, [...others, middle])
  }
  return kinds
}
