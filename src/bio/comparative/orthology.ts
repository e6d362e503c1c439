/**
 * From similarities of proteins to orthologs, in the steps of the methods that the field compares by: scores freed of length and
 * of the distance between genomes and cut-offs by reciprocal best hits (OrthoFinder: Emms & Kelly 2015, Genome Biology 16:157),
 * in-paralogs (InParanoid: Remm, Storm & Sonnhammer 2001, J Mol Biol 314:1041), and gene order to tell copies apart that sequence
 * cannot (PoFF: Lechner et al. 2014, PLoS ONE 9:e105015). Genes are numbers within their assembly, from 0 in genome order.
 */

/** Whether a homolog by its relation is the counterpart of the gene, or one of its copies that arose since: of both an ortholog is spoken. */
export const isOrtholog = ({ relation }: { relation?: string | null | undefined }): boolean =>
  relation === 'ortholog' || relation === 'coortholog'

/** Hits between two proteomes, or of one with itself; arrays of one length, one entry a pair of genes. */
export interface PairHits {
  a: Int32Array
  b: Int32Array
  /** Bits as the search program gives them. */
  bits: Float64Array
}

/** Order and place of an assembly's coding genes. */
export interface GeneOrder {
  /** Number of the sequence of each gene; genes of one sequence stand together, in order of start. */
  sequence: Int32Array
  /** 1 or -1; 0 where unknown. */
  strand: Int8Array
}

/** Share of the best hits by which the relation of score and length is fitted, in bins of hits of like lengths (Emms & Kelly 2015). */
const fittedShare = 0.05
const hitsABin = 1000
/**
 * With fewer hits a slope cannot be told; scores of like proteins grow with length, that is with the root of the product of two lengths.
 */
const minFittedHits = 40
const lengthExponent = 0.5

/**
 * Bit scores freed of protein length and of the distance between the two genomes, to be compared between pairs of genomes: 1 is what the
 * best hits of such lengths have between these two. They do not rank the hits of one gene within a pair: the lengths are those of whole
 * proteins, so where an alignment covers little, a fragment would come before a longer protein of a higher score. Fits log10(bits) to
 * log10(length × length) over the best 5 % of hits of like length, and divides by the fit.
 *
 * @param bits bit scores; @param products products of the two proteins' lengths, in residues squared, in the same order.
 * @example normaliseScores(Float64Array.of(200, 100), Float64Array.of(10_000, 10_000)) // about [1, 0.5] relative to each other
 */
export const normaliseScores = (bits: Float64Array, products: Float64Array): Float64Array => {
  const order = Uint32Array.from(bits, (_, at) => at).sort((x, y) => products[x]! - products[y]! || bits[y]! - bits[x]!)
  const xs: number[] = []
  const ys: number[] = []
  for (let from = 0; from < order.length; from += hitsABin) {
    const bin = Array.from(order.subarray(from, from + hitsABin)).sort((x, y) => bits[y]! - bits[x]!)
    for (const at of bin.slice(0, Math.max(1, Math.round(bin.length * fittedShare)))) {
      xs.push(Math.log10(products[at]!))
      ys.push(Math.log10(bits[at]!))
    }
  }
  const n = xs.length
  if (n === 0) return new Float64Array(0)
  const meanX = xs.reduce((sum, x) => sum + x, 0) / n
  const meanY = ys.reduce((sum, y) => sum + y, 0) / n
  let covariance = 0
  let variance = 0
  for (const [at, x] of xs.entries()) {
    covariance += (x - meanX) * (ys[at]! - meanY)
    variance += (x - meanX) ** 2
  }
  const slope = n < minFittedHits || variance === 0 ? lengthExponent : covariance / variance
  const intercept = meanY - slope * meanX
  return bits.map((value, at) => value / 10 ** (intercept + slope * Math.log10(products[at]!)))
}

/** Scores this close count as equal: identical proteins must not be told apart by rounding. */
const equalWithin = 1e-9

/** Highest score of each gene on either side; 0 where it has no hit. Hits of a gene with itself are left out. */
const bestScores = (hits: PairHits, scores: Float64Array, counts: [number, number], within: boolean) => {
  const a = new Float64Array(counts[0])
  const b = within ? a : new Float64Array(counts[1])
  for (const [at, score] of scores.entries()) {
    const x = hits.a[at]!
    const y = hits.b[at]!
    if (within && x === y) continue
    if (score > a[x]!) a[x] = score
    if (score > b[y]!) b[y] = score
  }
  return { a, b }
}

/**
 * Marks (1) the hits that are the best of both their genes, equals included. `within` is for hits of one proteome with itself, where
 * the hit of a gene with itself is never marked.
 *
 * @example a has scores 5 and 3 with c and d, b has 4 with c: a–c is reciprocal, b–c is not, for c's best is a.
 */
export const markReciprocalBest = (
  hits: PairHits,
  scores: Float64Array,
  counts: [number, number],
  within = false,
): Uint8Array => {
  const best = bestScores(hits, scores, counts, within)
  return Uint8Array.from(scores, (score, at) => {
    const x = hits.a[at]!
    const y = hits.b[at]!
    if (within && x === y) return 0
    const floor = score * (1 + equalWithin)
    return floor >= best.a[x]! && floor >= best.b[y]! ? 1 : 0
  })
}

/** The one reciprocal best partner of each gene of the first side; -1 where it has none or several equals. */
export const onlyPartners = (hits: PairHits, reciprocal: Uint8Array, counts: [number, number]) => {
  const a = new Int32Array(counts[0]).fill(-1)
  const b = new Int32Array(counts[1]).fill(-1)
  const several = -2
  for (const [at, mark] of reciprocal.entries()) {
    if (mark === 0) continue
    const x = hits.a[at]!
    const y = hits.b[at]!
    a[x] = a[x] === -1 ? y : several
    b[y] = b[y] === -1 ? x : several
  }
  for (const side of [a, b]) for (const [gene, partner] of side.entries()) if (partner === several) side[gene] = -1
  return { a, b }
}

/** Genes on each side of a gene that tell of gene order: the window of the synteny support. */
const syntenyWindow = 10

/** First and last gene of the window around a gene on its sequence, itself within. */
const windowOf = (order: GeneOrder, gene: number): [number, number] => {
  const sequence = order.sequence[gene]!
  let from = gene
  let to = gene
  while (from > 0 && gene - from < syntenyWindow && order.sequence[from - 1] === sequence) from -= 1
  while (to + 1 < order.sequence.length && to - gene < syntenyWindow && order.sequence[to + 1] === sequence) to += 1
  return [from, to]
}

/**
 * How well the neighbours of `a` and `b` stand in the same order, 0 to 1: each neighbour whose only reciprocal best partner lies near
 * `b` counts 1 when it is as many genes away on the right side, less the further off its place it is. Symmetric up to window ends.
 *
 * @example the neighbours of a all have partners at the same distances from b: 1; a's tandem copy one gene on: about 1/2.
 */
export const collinearity = (
  a: number,
  b: number,
  orderA: GeneOrder,
  orderB: GeneOrder,
  partners: Int32Array,
): number => {
  const [from, to] = windowOf(orderA, a)
  const turn = orderA.strand[a]! * orderB.strand[b]! < 0 ? -1 : 1
  let sum = 0
  let neighbours = 0
  for (let gene = from; gene <= to; gene += 1) {
    if (gene === a) continue
    neighbours += 1
    const partner = partners[gene]!
    if (partner < 0 || partner === b || orderB.sequence[partner] !== orderB.sequence[b]) continue
    const offset = partner - b
    if (Math.abs(offset) > 2 * syntenyWindow) continue
    sum += 1 / (1 + Math.abs(gene - a - turn * offset))
  }
  return neighbours === 0 ? 0 : sum / neighbours
}

/**
 * Hits below this share of a gene's best are never its ortholog, whatever the order says: gene order decides between copies of like
 * sequence, it does not make an ortholog of an unlike one.
 */
const candidateShare = 0.6
/** What full agreement of gene order adds to a score, as a share of it. */
const orderWeight = 0.5

/**
 * Why a hit is told as ortholog: no other candidate for either gene; the highest score of all candidates of both; gene order, where
 * scores are equal or another's is higher; or nothing, where score and order together leave several equal.
 */
export const orthologReasons = ['only', 'score', 'order', 'equal'] as const
export type OrthologReason = (typeof orthologReasons)[number]

/**
 * The orthologs among hits between two assemblies, each with the reason why it was taken, null for the other hits: reciprocal best by
 * score and gene order together, equals included. Gene order is read from the reciprocal best hits that have no equal (`partners`).
 * `scores` rank hits within these two assemblies: bits.
 *
 * @example Scores 100 and 95 of a gene with two others: the first is taken for its score ('score'), unless all neighbours of the second
 * have their partners beside the gene ('order').
 */
export const findOrthologs = (
  hits: PairHits,
  scores: Float64Array,
  orders: [GeneOrder, GeneOrder],
  partners: { a: Int32Array; b: Int32Array },
): (OrthologReason | null)[] => {
  const counts: [number, number] = [orders[0].sequence.length, orders[1].sequence.length]
  const best = bestScores(hits, scores, counts, false)
  const joint = scores.map((score, at) => {
    const a = hits.a[at]!
    const b = hits.b[at]!
    if (score < candidateShare * best.a[a]! || score < candidateShare * best.b[b]!) return 0
    const order =
      (collinearity(a, b, orders[0], orders[1], partners.a) + collinearity(b, a, orders[1], orders[0], partners.b)) / 2
    return score * (1 + orderWeight * order)
  })
  const marks = markReciprocalBest(hits, joint, counts).map((mark, at) => (joint[at] === 0 ? 0 : mark))
  const tops = markReciprocalBest(hits, scores, counts)
  const count = (counted: (at: number) => boolean): [Uint32Array, Uint32Array] => {
    const sides: [Uint32Array, Uint32Array] = [new Uint32Array(counts[0]), new Uint32Array(counts[1])]
    for (const at of scores.keys()) {
      if (!counted(at)) continue
      sides[0][hits.a[at]!]! += 1
      sides[1][hits.b[at]!]! += 1
    }
    return sides
  }
  const candidates = count((at) => joint[at]! > 0)
  const marked = count((at) => marks[at] === 1)
  const topped = count((at) => tops[at] === 1)
  const isAlone = (sides: [Uint32Array, Uint32Array], at: number): boolean =>
    sides[0][hits.a[at]!] === 1 && sides[1][hits.b[at]!] === 1
  return Array.from(marks, (mark, at) => {
    if (mark === 0) return null
    if (isAlone(candidates, at)) return 'only'
    if (!isAlone(marked, at)) return 'equal'
    return tops[at] === 1 && isAlone(topped, at) ? 'score' : 'order'
  })
}

/** How many genes of either genome are orthologs of each other: one and many, of the query's genome first (Ensembl's names). */
export const orthologyTypes = ['one2one', 'one2many', 'many2one', 'many2many'] as const
export type OrthologyType = (typeof orthologyTypes)[number]

/**
 * The type of a gene's orthology with another genome, from the gene's own hits. Copies that arose after the genomes parted are
 * co-orthologs (InParanoid: a paralog that scores at least as high with the gene as its ortholog does); a gene that is but a co-ortholog
 * is itself such a copy. Null where there is no ortholog.
 *
 * @param there bits of the orthologs and co-orthologs in the other genome; @param paralogs bits of the gene's paralogs in its own.
 * @example orthologyType([{ ortholog: true, bits: 400 }], [120]) // 'one2one'
 * orthologyType([{ ortholog: true, bits: 400 }, { ortholog: false, bits: 380 }], [450]) // 'many2many'
 */
export const orthologyType = (
  there: readonly { ortholog: boolean; bits: number }[],
  paralogs: readonly number[],
): OrthologyType | null => {
  if (there.length === 0) return null
  const best = Math.max(...there.filter(({ ortholog }) => ortholog).map(({ bits }) => bits))
  // Without an ortholog of its own `best` is -Infinity, and any paralog is one that has it.
  const isCopied = !Number.isFinite(best) || paralogs.some((bits) => bits >= best)
  if (there.length === 1) return isCopied ? 'many2one' : 'one2one'
  return isCopied ? 'many2many' : 'one2many'
}

/**
 * Neighbours of `a` (the window to both sides) and how many of them have a member of their orthogroup in the window around `b`. Those of
 * the pair's own orthogroups do not count: copies beside each other are no evidence of a common place.
 */
export const countSyntenicNeighbours = (
  a: number,
  b: number,
  orders: [GeneOrder, GeneOrder],
  groups: [Int32Array, Int32Array],
): { shared: number; neighbours: number } => {
  const own = groups[0][a]!
  const [fromB, toB] = windowOf(orders[1], b)
  const around = new Set<number>()
  for (let gene = fromB; gene <= toB; gene += 1) if (gene !== b) around.add(groups[1][gene]!)
  const [fromA, toA] = windowOf(orders[0], a)
  let shared = 0
  let neighbours = 0
  for (let gene = fromA; gene <= toA; gene += 1) {
    const group = groups[0][gene]!
    if (gene === a || group === own || group === groups[1][b]) continue
    neighbours += 1
    if (around.has(group)) shared += 1
  }
  return { shared, neighbours }
}

/** Whether a hit belongs into the graph that is clustered: as good as the worst reciprocal best hit of either of its genes. */
export const isEdge = (score: number, cutoffA: number, cutoffB: number): boolean =>
  score * (1 + equalWithin) >= Math.min(cutoffA, cutoffB)

/** Notes the reciprocal best hits of genes as their cut-off: the lowest score of any. Start from arrays of Infinity. */
export const lowerCutoffs = (
  hits: PairHits,
  scores: Float64Array,
  reciprocal: Uint8Array,
  cutoffs: { a: Float64Array; b: Float64Array },
): void => {
  for (const [at, mark] of reciprocal.entries()) {
    if (mark === 0) continue
    const score = scores[at]!
    const a = hits.a[at]!
    const b = hits.b[at]!
    if (score < cutoffs.a[a]!) cutoffs.a[a] = score
    if (score < cutoffs.b[b]!) cutoffs.b[b] = score
  }
}

const groupPrefix = 'OG-'

/**
 * Ids of orthogroups by their first gene: a number by size would be another after every load, and a gene is found again whatever the
 * groups have become. The assembly stands with it where an earlier group has a gene of that id from another assembly.
 *
 * @example nameOrthogroups([{ gene: 'Rv3875', assembly: 'H37Rv' }, { gene: 'Rv3875', assembly: 'MA2' }])
 * // ['OG-Rv3875', 'OG-Rv3875@MA2']
 */
export const nameOrthogroups = (firstGenes: readonly { gene: string; assembly: string }[]): string[] => {
  const taken = new Set<string>()
  return firstGenes.map(({ gene, assembly }) => {
    let id = `${groupPrefix}${gene}`
    while (taken.has(id)) id += `@${assembly}`
    taken.add(id)
    return id
  })
}

/** Genes that an orthogroup of this id may be named after, the likelier first. */
export const genesOfGroupId = (id: string): { gene: string; assembly: string | null }[] => {
  if (!id.startsWith(groupPrefix)) return []
  const gene = id.slice(groupPrefix.length)
  const at = gene.lastIndexOf('@')
  return [{ gene, assembly: null }, ...(at < 1 ? [] : [{ gene: gene.slice(0, at), assembly: gene.slice(at + 1) }])]
}
