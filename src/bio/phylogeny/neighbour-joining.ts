// Trees from distances: neighbour joining, with distances of aligned sequences and the bootstrap.

import type { AlignedRows } from '../alignment/alignment-columns.ts'
import { jukesCantorDistance, kimuraDistance } from '../alignment/substitutions.ts'
import { seededRandom } from '../statistics/random.ts'
import { listNodes, listSplits, type PhyloTree, type TreeNode } from './phylogeny.ts'

const nucleotideDistances = ['p', 'jc69', 'k80'] as const
const proteinDistances = ['p', 'kimura'] as const
export type DistanceModel = (typeof nucleotideDistances)[number] | (typeof proteinDistances)[number]

/** Substitutions a site beyond which, and where no formula holds, a distance is set to this: such pairs say no more than "far". */
export const farthest = 3

const bases = 'ACGT'
const residues = 'ARNDCQEGHILKMFPSTWYV'

/** States of the alignment by column: 0 is a gap or an ambiguous sign. */
export const readStates = (rows: AlignedRows, protein: boolean): Uint8Array[] => {
  const code = new Uint8Array(256)
  ;[...(protein ? residues : bases)].forEach((letter, at) => {
    code[letter.charCodeAt(0)] = at + 1
    code[letter.toLowerCase().charCodeAt(0)] = at + 1
  })
  if (!protein) for (const letter of 'Uu') code[letter.charCodeAt(0)] = code['T'.charCodeAt(0)]!
  return rows.map((row) => Uint8Array.from(row, (letter) => code[letter.charCodeAt(0) & 255]!))
}

/** Substitutions a site; null where there is nothing to compare or the formula does not hold. */
const correct = (model: DistanceModel, sites: number, differences: number, transitions: number): number | null => {
  if (sites === 0) return null
  const p = differences / sites
  switch (model) {
    case 'p':
      return p
    case 'jc69':
      return jukesCantorDistance(p)
    case 'k80':
      return kimuraDistance({ compared: sites, transitions, transversions: differences - transitions })
    case 'kimura':
      // Kimura 1983, The Neutral Theory of Molecular Evolution, p. 75.
      return -Math.log(1 - p - 0.2 * p * p)
  }
}

export interface Distances {
  /** Row after row, symmetric, 0 on the diagonal; substitutions a site. */
  matrix: Float64Array
  count: number
  /** Pairs whose distance was above `farthest` or could not be computed, and was set to it. */
  far: number
}

/**
 * Distances of all pairs of aligned sequences, as `readStates` has them. A column counts for a pair where both have an unambiguous
 * residue (pairwise deletion). `weights` says how often each column counts; once each when absent. Yields after each row how much of
 * the pairs is done, 0 to 1.
 *
 * Example: of ACGT and ACGA by the model `p` the matrix is 0, 0.25, 0.25, 0.
 */
export function* measureDistances(
  states: Uint8Array[],
  model: DistanceModel,
  weights?: Uint32Array,
): Generator<number, Distances> {
  const count = states.length
  const matrix = new Float64Array(count * count)
  let far = 0
  for (let i = 0; i < count; i++) {
    const a = states[i]!
    for (let j = i + 1; j < count; j++) {
      const b = states[j]!
      let sites = 0
      let differences = 0
      let transitions = 0
      for (let column = 0; column < a.length; column++) {
        const x = a[column]!
        const y = b[column]!
        if (x === 0 || y === 0) continue
        const weight = weights === undefined ? 1 : weights[column]!
        sites += weight
        if (x === y) continue
        differences += weight
        // A and G are 1 and 3, C and T 2 and 4: transitions are the pairs that differ by two.
        if (((x - y) & 1) === 0) transitions += weight
      }
      let distance = correct(model, sites, differences, transitions) ?? Number.NaN
      if (!(distance <= farthest)) {
        distance = farthest
        far++
      }
      matrix[i * count + j] = distance
      matrix[j * count + i] = distance
    }
    const left = count - 1 - i
    yield 1 - (left * (left - 1)) / (count * (count - 1))
  }
  return { matrix, count, far }
}

/** An inner branch up to this long comes of rounding: its division is one of several that fit equally well. */
const tiedBranch = 1e-10

/**
 * Joins neighbours (Saitou & Nei 1987, doi:10.1093/oxfordjournals.molbev.a040454, with the criterion of Studier & Keppler 1988,
 * doi:10.1093/oxfordjournals.molbev.a040527) into an unrooted tree: its root has three children. Of equal pairs the first in order
 * of the names is joined. A branch that comes out negative is set to 0 and its sister takes the difference (Kuhner & Felsenstein
 * 1994, doi:10.1093/oxfordjournals.molbev.a040126). Time grows with the cube of the number. Throws a RangeError below three names.
 * Yields after each pair that is joined how much is done, 0 to 1. With `dissolveTies` inner branches without length are left out, so that
 * a tie makes a node with more children.
 *
 * Example: for additive distances of `((a:1,b:2):3,c:4,d:5)` it gives just this tree.
 */
export function* joinNeighbours(
  names: readonly string[],
  matrix: Float64Array,
  dissolveTies = false,
): Generator<number, PhyloTree> {
  const dissolve = (node: TreeNode, length: number): TreeNode[] =>
    dissolveTies && node.children.length > 0 && Math.abs(length) <= tiedBranch ? node.children : [node]
  const count = names.length
  if (count < 3) throw new RangeError('Neighbour joining needs three sequences')
  const d = Float64Array.from(matrix)
  let active = Array.from({ length: count }, (_, at) => at)
  const nodes: TreeNode[] = names.map((name) => ({ id: 0, name, length: null, support: [], children: [] }))
  const sums = new Float64Array(count)
  for (let i = 0; i < count; i++) for (let j = 0; j < count; j++) sums[i]! += d[i * count + j]!
  while (active.length > 3) {
    const left = active.length
    let best = Number.POSITIVE_INFINITY
    let first = 0
    let second = 1
    for (let x = 0; x < left; x++) {
      const i = active[x]!
      const row = i * count
      const sum = sums[i]!
      for (let y = x + 1; y < left; y++) {
        const j = active[y]!
        const q = (left - 2) * d[row + j]! - sum - sums[j]!
        if (q < best) {
          best = q
          first = i
          second = j
        }
      }
    }
    const between = d[first * count + second]!
    let a = between / 2 + (sums[first]! - sums[second]!) / (2 * (left - 2))
    let b = between - a
    const [computedA, computedB] = [a, b]
    if (a < 0) {
      a = 0
      b = Math.max(0, between)
    } else if (b < 0) {
      b = 0
      a = Math.max(0, between)
    }
    const one = nodes[first]!
    const other = nodes[second]!
    one.length = a
    other.length = b
    // The joined pair takes the place of its first member.
    nodes[first] = {
      id: 0,
      name: '',
      length: null,
      support: [],
      children: [...dissolve(one, computedA), ...dissolve(other, computedB)],
    }
    active = active.filter((index) => index !== second)
    sums[first] = 0
    for (const index of active) {
      if (index === first) continue
      const before = d[first * count + index]!
      const gone = d[second * count + index]!
      const distance = (before + gone - between) / 2
      d[first * count + index] = distance
      d[index * count + first] = distance
      sums[index] = sums[index]! - before - gone + distance
      sums[first]! += distance
    }
    yield 1 - (active.length / count) ** 3
  }
  const [i, j, k] = active as [number, number, number]
  const ij = d[i * count + j]!
  const ik = d[i * count + k]!
  const jk = d[j * count + k]!
  const last: [TreeNode, number][] = [
    [nodes[i]!, (ij + ik - jk) / 2],
    [nodes[j]!, (ij + jk - ik) / 2],
    [nodes[k]!, (ik + jk - ij) / 2],
  ]
  for (const [node, length] of last) node.length = Math.max(0, length)
  const root: TreeNode = {
    id: 0,
    name: '',
    length: null,
    support: [],
    children: last.flatMap(([node, length]) => dissolve(node, length)),
  }
  for (const [at, node] of listNodes(root).entries()) node.id = at
  return { root, rooted: false }
}

interface JoinOptions {
  model: DistanceModel
  protein: boolean
  /** Bootstrap replicates; none when 0. */
  replicates: number
  seed: number
}

/**
 * The neighbour-joining tree of an alignment; with `replicates` its inner branches carry the percentage of trees, made of columns drawn
 * anew with replacement, that have the same division (Felsenstein 1985, doi:10.2307/2408678). A division that a tie alone makes, a
 * branch without length, does not count: ties are broken by the order of the names, the same way every time, and would support it for
 * sure (Takezaki 1998, Mol Biol Evol 15:727). Names must be unique.
 *
 * It is computed in steps, for thousands of sequences take long: each yields how much is done, 0 to 1; the tree is what the last returns.
 *
 * Example: four rows of which the first two are alike and the last two are alike give one inner branch with support 100.
 */
export function* joinAlignment(
  names: readonly string[],
  rows: AlignedRows,
  options: JoinOptions,
): Generator<number, { tree: PhyloTree; far: number }> {
  const { model, protein, replicates, seed } = options
  const states = readStates(rows, protein)
  const compute = function* (
    number: number,
    weights?: Uint32Array,
  ): Generator<number, { tree: PhyloTree; far: number }> {
    const done = (share: number): number => (number + share) / (replicates + 1)
    const distances = measureDistances(states, model, weights)
    let step = distances.next()
    for (; !step.done; step = distances.next()) yield done(step.value / 2)
    const { matrix, far } = step.value
    const joining = joinNeighbours(names, matrix, number > 0)
    let joined = joining.next()
    for (; !joined.done; joined = joining.next()) yield done((1 + joined.value) / 2)
    return { tree: joined.value, far }
  }
  const { tree, far } = yield* compute(0)
  if (replicates === 0) return { tree, far }
  const columns = rows[0]!.length
  const random = seededRandom(seed)
  const seen = new Map<string, number>()
  const weights = new Uint32Array(columns)
  for (let replicate = 0; replicate < replicates; replicate++) {
    weights.fill(0)
    for (let draw = 0; draw < columns; draw++) weights[Math.floor(random() * columns)]! += 1
    const { tree: drawn } = yield* compute(replicate + 1, weights)
    for (const key of listSplits(drawn).keys()) seen.set(key, (seen.get(key) ?? 0) + 1)
  }
  // The same tree with its divisions counted: each inner branch of an unrooted tree is one.
  const shares = new Map<string, number>()
  for (const [key, split] of listSplits(tree)) {
    const percent = Math.round(((seen.get(key) ?? 0) / replicates) * 1000) / 10
    shares.set(JSON.stringify(split.names), percent)
  }
  markSupport(tree, shares)
  return { tree, far }
}

const markSupport = (tree: PhyloTree, shares: Map<string, number>): void => {
  const all: string[] = []
  const below = new Map<TreeNode, string[]>()
  const nodes = listNodes(tree.root)
  for (const node of nodes) if (node.children.length === 0) all.push(node.name)
  all.sort()
  for (let at = nodes.length - 1; at >= 0; at--) {
    const node = nodes[at]!
    const names = node.children.length === 0 ? [node.name] : node.children.flatMap((child) => below.get(child)!)
    for (const child of node.children) below.delete(child)
    below.set(node, names)
    if (node === tree.root || names.length < 2 || names.length > all.length - 2) continue
    const inside = new Set(names)
    const side = all.filter((name) => inside.has(name))
    const other = all.filter((name) => !inside.has(name))
    const share = shares.get(JSON.stringify(side)) ?? shares.get(JSON.stringify(other))
    if (share !== undefined) node.support = [share]
  }
}
