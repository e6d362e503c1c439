/**
 * Collinear blocks: runs of homologous genes that stand in the same order, or in the reverse one, on two chromosomes. The model and its
 * numbers are those of MCScanX as its paper states them (Wang et al. 2012, Nucleic Acids Research 40:e49): genes count by rank on
 * their chromosome, chains of matches are found by dynamic programming (after DAGchainer, Haas et al. 2004, Bioinformatics 20:3643,
 * and MCscan, Tang et al. 2008, Science 320:486), and their chance is told as ColinearScan does (Wang et al. 2006, BMC
 * Bioinformatics 7:447).
 */

export interface BlockModel {
  /** Score of a pair of genes. */
  matchScore: number
  /** Added for each gene between two pairs of a chain, on the side that has more of them; negative. */
  gapPenalty: number
  /** Fewest pairs of a block, which also must score as many matches. */
  matchSize: number
  /** Matches of one gene whose partners are this many genes apart, or nearer, are one: copies in tandem. */
  overlapWindow: number
  /** Most genes between two pairs of a chain, on either side. */
  maxGaps: number
  evalue: number
  /**
   * Which of the matches of an array in tandem stands for it: the one of the smallest e-value, as MCScanX's paper has it, or the first,
   * as its program does.
   */
  representative: 'best' | 'first'
}

/** MCScanX's own. */
export const defaultModel: BlockModel = {
  matchScore: 50,
  gapPenalty: -1,
  matchSize: 5,
  overlapWindow: 5,
  maxGaps: 25,
  evalue: 1e-5,
  representative: 'best',
}

/** Best hits of each gene in a genome that are matches: what the paper searches with. */
export const hitsAGene = 5

/** Where the genes of a genome stand, in order; arrays of one length. */
export interface GeneRanks {
  /** Number of the chromosome of each gene; genes of one stand together. */
  sequence: Int32Array
  /** Number of each gene on its chromosome, from 0. */
  rank: Int32Array
  /** First base of each gene on its chromosome. */
  start: ArrayLike<number>
}

/** Hits between the genes of two genomes, or of one with itself: each pair of genes at most once. */
export interface GeneMatches {
  a: ArrayLike<number>
  b: ArrayLike<number>
  evalue: ArrayLike<number>
}

interface CollinearBlock {
  /** Numbers of the chromosomes on either side. */
  sequenceA: number
  sequenceB: number
  /** 1 when both read alike, -1 when one is turned round. */
  orientation: 1 | -1
  score: number
  evalue: number
  /** Genes on either side by rising rank of the first. */
  a: number[]
  b: number[]
  /** Place of each pair among the matches given. */
  matches: number[]
}

/** Matches of one pair of chromosomes, by rising rank of the first gene. */
interface Points {
  x: Int32Array
  y: Int32Array
  match: Int32Array
}

/** Rank of every gene from the number of its chromosome; genes stand in order of place. */
export const rankGenes = (sequence: Int32Array, start: ArrayLike<number>): GeneRanks => {
  const rank = new Int32Array(sequence.length)
  for (let gene = 1; gene < sequence.length; gene += 1)
    if (sequence[gene] === sequence[gene - 1]) rank[gene] = rank[gene - 1]! + 1
  return { sequence, rank, start }
}

/**
 * Of matches that hang together (each shares a gene with the next, and the partners are at most `overlapWindow` apart) one stays:
 * arrays of copies in tandem are one match. The first of equals, by place on the first side.
 */
const collapse = (points: Points, evalue: ArrayLike<number>, model: BlockModel): Points => {
  const { overlapWindow: window, representative } = model
  const parent = Int32Array.from(points.x.keys())
  const rootOf = (at: number): number => {
    let root = at
    while (parent[root] !== root) root = parent[root]!
    parent[at] = root
    return root
  }
  const link = (own: Int32Array, other: Int32Array): void => {
    const order = Array.from(own.keys()).sort((p, q) => own[p]! - own[q]! || other[p]! - other[q]!)
    for (let at = 1; at < order.length; at += 1) {
      const p = order[at - 1]!
      const q = order[at]!
      if (own[p] === own[q] && other[q]! - other[p]! <= window) parent[rootOf(q)] = rootOf(p)
    }
  }
  link(points.x, points.y)
  link(points.y, points.x)
  const best = new Int32Array(points.x.length).fill(-1)
  const { x, y, match } = points
  for (const at of Array.from(x.keys()).sort((p, q) => x[p]! - x[q]! || y[p]! - y[q]!)) {
    const root = rootOf(at)
    const before = best[root]!
    if (before === -1 || (representative === 'best' && evalue[match[at]!]! < evalue[match[before]!]!)) best[root] = at
  }
  const kept = Array.from(best).filter((at) => at !== -1)
  return {
    x: Int32Array.from(kept, (at) => x[at]!),
    y: Int32Array.from(kept, (at) => y[at]!),
    match: Int32Array.from(kept, (at) => match[at]!),
  }
}

interface Chain {
  points: number[]
  score: number
}

/**
 * Chains that do not share a match, the best first: each round finds the best chain that ends at every match, takes those that touch
 * no better one, and goes on with what is left. `y` must rise along a chain.
 */
const findChains = ({ x, y }: Points, model: BlockModel): Chain[] => {
  const cutoff = model.matchScore * model.matchSize
  let left = Array.from(x.keys()).sort((p, q) => x[p]! - x[q]! || y[p]! - y[q]!)
  const found: Chain[] = []
  const score = new Float64Array(x.length)
  const from = new Int32Array(x.length)
  const used = new Uint8Array(x.length)
  while (left.length >= model.matchSize) {
    let start = 0
    for (const [j, at] of left.entries()) {
      score[at] = model.matchScore
      from[at] = -1
      while (x[at]! - x[left[start]!]! - 1 > model.maxGaps) start += 1
      for (let i = j - 1; i >= start; i -= 1) {
        const before = left[i]!
        const gapX = x[at]! - x[before]! - 1
        const gapY = y[at]! - y[before]! - 1
        if (gapX < 0 || gapY < 0 || gapY > model.maxGaps) continue
        const reached = score[before]! + model.matchScore + Math.max(gapX, gapY) * model.gapPenalty
        if (reached > score[at]!) {
          score[at] = reached
          from[at] = before
        }
      }
    }
    const ends = left.filter((at) => score[at]! >= cutoff).sort((p, q) => score[q]! - score[p]! || p - q)
    if (ends.length === 0) break
    let cut = false
    for (const end of ends) {
      if (used[end] === 1) continue
      const points: number[] = []
      let at = end
      while (at !== -1 && used[at] === 0) {
        points.push(at)
        at = from[at]!
      }
      // What a better chain has taken of it may leave less than it scored: told anew in the next round.
      if (at !== -1) {
        cut = true
        continue
      }
      for (const point of points) used[point] = 1
      if (points.length >= model.matchSize) found.push({ points: points.reverse(), score: score[end]! })
    }
    if (!cut) break
    left = left.filter((at) => used[at] === 0)
  }
  return found
}

/** ln of the number of ways to choose `m` of `n` in order. */
const lnPermutations = (n: number, m: number): number => {
  let sum = 0
  for (let i = n - m + 1; i <= n; i += 1) sum += Math.log(i)
  return sum
}

/**
 * How many such chains chance would bring between two segments with as many matches, all places alike (ColinearScan): twice, for
 * the two orientations, the ways to choose the pairs of the matches, times the shares of the segments between neighbouring pairs.
 */
const expectChains = (matchCount: number, along: [number[], number[]]): number => {
  const pairs = along[0].length
  let ln = Math.LN2 + lnPermutations(matchCount, pairs)
  for (const indexes of along) {
    const length = Math.abs(indexes.at(-1)! - indexes[0]!)
    for (let at = 1; at < pairs; at += 1) ln += Math.log(Math.abs(indexes[at]! - indexes[at - 1]!) / length)
  }
  return Math.exp(ln)
}

/**
 * Collinear blocks between two genomes; of one genome with itself when `genesB` is null, where each pair of genes counts once and
 * neighbours are copies in tandem, no matches. Blocks come by chromosome, the best first.
 *
 * @example five genes in a row with matches to five in a row elsewhere: one block of score 250, orientation 1.
 */
export const findCollinearBlocks = (
  matches: GeneMatches,
  genesA: GeneRanks,
  genesB: GeneRanks | null,
  model: BlockModel = defaultModel,
): CollinearBlock[] => {
  const other = genesB ?? genesA
  const within = genesB === null
  const byPair = new Map<number, number[]>()
  const width = 1 + other.sequence.reduce((max, one) => Math.max(max, one), 0)
  for (let at = 0; at < matches.a.length; at += 1) {
    if (matches.evalue[at]! > model.evalue) continue
    const a = matches.a[at]!
    const b = matches.b[at]!
    if (within && genesA.sequence[a] === other.sequence[b] && Math.abs(genesA.rank[a]! - other.rank[b]!) <= 1) continue
    const key = genesA.sequence[a]! * width + other.sequence[b]!
    const list = byPair.get(key)
    if (list === undefined) byPair.set(key, [at])
    else list.push(at)
  }
  const blocks: CollinearBlock[] = []
  for (const [key, list] of [...byPair].sort(([p], [q]) => p - q)) {
    if (list.length < model.matchSize) continue
    const sequenceA = Math.floor(key / width)
    const sequenceB = key % width
    const points = collapse(
      {
        x: Int32Array.from(list, (at) => genesA.rank[matches.a[at]!]!),
        y: Int32Array.from(list, (at) => other.rank[matches.b[at]!]!),
        match: Int32Array.from(list),
      },
      matches.evalue,
      model,
    )
    const pairBlocks: CollinearBlock[] = []
    for (const orientation of [1, -1] as const) {
      const turned = orientation === 1 ? points : { ...points, y: points.y.map((rank) => -rank) }
      for (const chain of findChains(turned, model)) {
        const of = chain.points.map((point) => points.match[point]!)
        const a = of.map((at) => matches.a[at]!)
        const b = of.map((at) => matches.b[at]!)
        const xs = chain.points.map((point) => points.x[point]!)
        const ys = chain.points.map((point) => points.y[point]!)
        const inside = countInside(points, xs, ys)
        const evalue = expectChains(inside, [a.map((gene) => genesA.start[gene]!), b.map((gene) => other.start[gene]!)])
        if (evalue > model.evalue) continue
        pairBlocks.push({ sequenceA, sequenceB, orientation, score: chain.score, evalue, a, b, matches: of })
      }
    }
    blocks.push(...pairBlocks.sort((p, q) => q.score - p.score))
  }
  return blocks
}

/** Matches in the rectangle that a chain spans. */
const countInside = ({ x, y }: Points, xs: number[], ys: number[]): number => {
  const lowX = xs[0]!
  const highX = xs.at(-1)!
  const lowY = Math.min(ys[0]!, ys.at(-1)!)
  const highY = Math.max(ys[0]!, ys.at(-1)!)
  let count = 0
  for (let at = 0; at < x.length; at += 1)
    if (x[at]! >= lowX && x[at]! <= highX && y[at]! >= lowY && y[at]! <= highY) count += 1
  return count
}
