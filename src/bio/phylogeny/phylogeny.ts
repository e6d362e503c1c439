// Trees of sequences: what is asked of them whatever file they came in. Nothing here recurses, so that a tree as deep as it has
// leaves (a ladder of ten thousand) is handled like any other.

/**
 * A node with the branch above it. Length and support belong to that branch, not to the node: they move when the tree is rooted
 * anew (Czech, Huerta-Cepas & Stamatakis 2017, doi:10.1093/molbev/msx055, on viewers that get this wrong).
 */
export interface TreeNode {
  /** Place in the file's own order, the root 0; stays when the tree is rooted or ordered anew. A root that was put in has -1. */
  id: number
  /** Empty where the file has none. */
  name: string
  /** Null where the file has none. */
  length: number | null
  /** As many values as the branch was given, such as SH-aLRT and ultrafast bootstrap; empty for none. */
  support: readonly number[]
  children: TreeNode[]
}

export interface PhyloTree {
  root: TreeNode
  /** Null where the file does not say. */
  rooted: boolean | null
}

/** Every node below and with this one, parents before their children, in order. */
export function listNodes(root: TreeNode): TreeNode[] {
  const nodes: TreeNode[] = []
  const stack = [root]
  for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
    nodes.push(node)
    for (let at = node.children.length - 1; at >= 0; at--) stack.push(node.children[at]!)
  }
  return nodes
}

/** The leaves below a node, from top to bottom. Example: of `((a,b),c)` a, b and c. */
export function listLeaves(root: TreeNode): TreeNode[] {
  return listNodes(root).filter((node) => node.children.length === 0)
}

/** How many leaves hang on each node, by id. */
export function countLeaves(root: TreeNode): Map<number, number> {
  const counts = new Map<number, number>()
  const nodes = listNodes(root)
  for (let at = nodes.length - 1; at >= 0; at--) {
    const { id, children } = nodes[at]!
    counts.set(id, children.length === 0 ? 1 : children.reduce((sum, child) => sum + counts.get(child.id)!, 0))
  }
  return counts
}

/** A tree that shares nothing with the one given. */
export function copyTree(root: TreeNode): TreeNode {
  const top: TreeNode = { ...root, children: [...root.children] }
  const stack = [top]
  for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
    node.children = node.children.map((child) => ({ ...child, children: [...child.children] }))
    stack.push(...node.children)
  }
  return top
}

const addLengths = (a: number | null, b: number | null): number | null =>
  a === null && b === null ? null : (a ?? 0) + (b ?? 0)

/**
 * Puts the root on the branch above the node `id`, at the share `fraction` of its length counted from that node. A root with two
 * children that is left behind disappears: its two branches are one, with the sum of their lengths and the support that either had.
 * The branches of the new root carry the support of the branch that it divides. Without such a node, and for the root itself, the
 * tree is given back as it was.
 *
 * Example: `((a:1,b:2)90:3,c:4)` rooted above b is `(b:1,(a:1,c:7):1)`.
 */
export function rootAbove(tree: PhyloTree, id: number, fraction = 0.5): PhyloTree {
  const root = copyTree(tree.root)
  const parents = new Map<TreeNode, TreeNode>()
  let chosen: TreeNode | undefined
  for (const node of listNodes(root)) {
    if (node.id === id) chosen = node
    for (const child of node.children) parents.set(child, node)
  }
  const first = chosen === undefined ? undefined : parents.get(chosen)
  if (chosen === undefined || first === undefined) return tree
  const top: TreeNode = { id: -1, name: '', length: null, support: [], children: [] }
  const { length, support } = chosen
  // From the divided branch up to the old root every branch is turned round: its lower node becomes the upper one.
  let below = chosen
  let node: TreeNode | undefined = first
  let turned = { length: length === null ? null : length * (1 - fraction), support }
  let above: TreeNode = top
  while (node !== undefined) {
    const parent: TreeNode | undefined = parents.get(node)
    const own = { length: node.length, support: node.support }
    const rest: TreeNode[] = node.children.filter((child) => child !== below)
    if (parent === undefined && rest.length === 1 && node.name === '') {
      const [only] = rest as [TreeNode]
      only.length = addLengths(only.length, turned.length)
      if (only.children.length > 0 && only.support.length === 0) only.support = turned.support
      // One division on both sides of a root: it stands on the branch that was chosen as well.
      if (above === top && chosen.children.length > 0 && chosen.support.length === 0) chosen.support = only.support
      above.children.push(only)
      break
    }
    node.children = rest
    node.length = turned.length
    node.support = node.children.length === 0 ? [] : turned.support
    above.children.push(node)
    above = node
    below = node
    turned = own
    node = parent
  }
  chosen.length = length === null ? null : length * fraction
  top.children.unshift(chosen)
  return { root: top, rooted: true }
}

/** Length of the branch above a node for measuring: a missing or negative one counts as nothing. */
export const drawnLength = (node: TreeNode): number => Math.max(0, node.length ?? 0)

/**
 * Puts the root midway between the two leaves that lie farthest apart (Farris 1972, doi:10.1086/282802). Of equally far pairs the
 * first counts. A tree without lengths is given back as it was.
 *
 * Example: `(a:1,b:2,c:6)` becomes `(c:4,(a:1,b:2):2)`.
 */
export function rootAtMidpoint(tree: PhyloTree): PhyloTree {
  const nodes = listNodes(tree.root)
  const reach = new Map<TreeNode, { distance: number; leaf: TreeNode }>()
  let best: { distance: number; from: TreeNode } = { distance: 0, from: tree.root }
  for (let at = nodes.length - 1; at >= 0; at--) {
    const node = nodes[at]!
    let first = { distance: 0, leaf: node }
    let second: { distance: number; leaf: TreeNode } | null = null
    for (const child of node.children) {
      const below = reach.get(child)!
      const one = { distance: below.distance + drawnLength(child), leaf: below.leaf }
      if (first.leaf === node || one.distance > first.distance) {
        second = first.leaf === node ? second : first
        first = one
      } else if (second === null || one.distance > second.distance) second = one
    }
    reach.set(node, first)
    if (second !== null && first.distance + second.distance > best.distance)
      best = { distance: first.distance + second.distance, from: first.leaf }
  }
  if (best.distance === 0) return tree
  // The longer arm of the pair holds the middle: up from its leaf until half the way is gone.
  const parents = new Map<TreeNode, TreeNode>()
  for (const node of nodes) for (const child of node.children) parents.set(child, node)
  let left = best.distance / 2
  let node: TreeNode = best.from
  while (left > drawnLength(node) && parents.has(node)) {
    left -= drawnLength(node)
    node = parents.get(node)!
  }
  const length = drawnLength(node)
  if (!parents.has(node)) return { ...tree, rooted: true }
  return rootAbove(tree, node.id, length === 0 ? 0.5 : Math.min(1, left / length))
}

/**
 * Orders the branches at each node by their number of leaves, smaller ones first (`up`) or last (`down`); equal ones keep their order.
 *
 * Example: `((a,b,c),d)` ordered up is `(d,(a,b,c))`.
 */
export function ladderize(tree: PhyloTree, direction: 'up' | 'down'): PhyloTree {
  const root = copyTree(tree.root)
  const counts = countLeaves(root)
  const sign = direction === 'up' ? 1 : -1
  for (const node of listNodes(root)) node.children.sort((a, b) => sign * (counts.get(a.id)! - counts.get(b.id)!))
  return { ...tree, root }
}

/** A branch as the division of the leaves that it makes, with what stands on it. */
export interface Split {
  support: readonly number[]
  length: number | null
  /** Leaves of the smaller side by name; of halves, the side without the first name. */
  names: string[]
}

/**
 * The divisions of the leaves that the inner branches make, whatever the root; those above single leaves are left out. The key is
 * the same in every tree over the same leaf names. The two branches at a root with two children are one division, which carries
 * both lengths and either's support. Leaf names must be unique.
 *
 * Example: `((a,b)90,c,d)` has one division, a and b with support 90.
 */
export function listSplits(tree: PhyloTree): Map<string, Split> {
  const leaves = listLeaves(tree.root)
  const names = leaves.map(({ name }) => name).sort()
  const indexes = new Map(names.map((name, at) => [name, at]))
  const words = Math.ceil(names.length / 16)
  const sets = new Map<TreeNode, Uint16Array>()
  const splits = new Map<string, Split>()
  const nodes = listNodes(tree.root)
  for (let at = nodes.length - 1; at >= 0; at--) {
    const node = nodes[at]!
    const set = new Uint16Array(words)
    if (node.children.length === 0) {
      const index = indexes.get(node.name)!
      set[index >> 4] = 1 << (index & 15)
    }
    for (const child of node.children) {
      const other = sets.get(child)!
      for (let word = 0; word < words; word++) set[word]! |= other[word]!
      sets.delete(child)
    }
    sets.set(node, set)
    if (node.children.length === 0 || node === tree.root) continue
    // The side without the first leaf stands for the division.
    let side = set
    if (set[0]! & 1) {
      side = new Uint16Array(words)
      for (let index = 0; index < names.length; index++)
        if ((set[index >> 4]! & (1 << (index & 15))) === 0) side[index >> 4]! |= 1 << (index & 15)
    }
    const members = names.filter((_, index) => (side[index >> 4]! & (1 << (index & 15))) !== 0)
    if (members.length < 2 || members.length > names.length - 2) continue
    const key = String.fromCharCode(...side)
    const before = splits.get(key)
    const inSide = new Set(members)
    splits.set(key, {
      support: before === undefined || before.support.length === 0 ? node.support : before.support,
      length: before === undefined ? node.length : addLengths(before.length, node.length),
      names: members.length * 2 <= names.length ? members : names.filter((name) => !inSide.has(name)),
    })
  }
  return splits
}

/**
 * How far two trees over the same leaves agree: the symmetric difference of their divisions (Robinson & Foulds 1981,
 * doi:10.1016/0025-5564(81)90043-2) and the greatest difference of support and of length on those they share. Throws a RangeError
 * when the leaves differ.
 *
 * Example: `((a,b),c,d)` and `((a,c),b,d)` differ by 2 of 2.
 */
export function compareTrees(
  a: PhyloTree,
  b: PhyloTree,
): { distance: number; splits: number; supportDifference: number; lengthDifference: number } {
  const names = (tree: PhyloTree): string =>
    JSON.stringify(
      listLeaves(tree.root)
        .map(({ name }) => name)
        .sort(),
    )
  if (names(a) !== names(b)) throw new RangeError('The trees have different leaves')
  const ours = listSplits(a)
  const theirs = listSplits(b)
  let shared = 0
  let supportDifference = 0
  let lengthDifference = 0
  for (const [key, split] of ours) {
    const other = theirs.get(key)
    if (other === undefined) continue
    shared++
    for (let at = 0; at < Math.max(split.support.length, other.support.length); at++)
      supportDifference = Math.max(
        supportDifference,
        Math.abs((split.support[at] ?? Number.POSITIVE_INFINITY) - (other.support[at] ?? Number.NEGATIVE_INFINITY)),
      )
    lengthDifference = Math.max(lengthDifference, Math.abs((split.length ?? 0) - (other.length ?? 0)))
  }
  const splits = ours.size + theirs.size
  return { distance: splits - 2 * shared, splits, supportDifference, lengthDifference }
}
