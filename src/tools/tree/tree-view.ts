// The tree as it is looked at: rooted, ordered, folded and laid out. Pure, so that drawing is all that is left to the canvas.

import {
  copyTree,
  countLeaves,
  drawnLength,
  ladderize,
  listNodes,
  type PhyloTree,
  rootAbove,
  rootAtMidpoint,
  type TreeNode,
} from '../../bio/phylogeny/phylogeny.ts'

export interface TreeViewState {
  /** `given`, `midpoint`, or the id of the node whose branch carries the root. */
  root: 'given' | 'midpoint' | number
  order: 'given' | 'up' | 'down'
  /** Nodes whose branches are in reverse order. */
  swapped: ReadonlySet<number>
  /** Clades drawn as one triangle. */
  collapsed: ReadonlySet<number>
  /** The clade that is shown alone. */
  only: number | null
  lengths: boolean
}

/** One node in its place. Depth is in units of the branch lengths, or in steps where these are not drawn. */
export interface PlacedNode {
  id: number
  node: TreeNode
  parent: PlacedNode | null
  children: PlacedNode[]
  depth: number
  /** Depth of the deepest leaf below; of interest for collapsed clades. */
  deepest: number
  /** Rows from 0; of an inner node the middle between its first and last child. */
  row: number
  leaves: number
  collapsed: boolean
  /** Steps down to the farthest leaf. */
  height: number
}

export interface PlacedTree {
  root: PlacedNode
  /** Parents before children. */
  nodes: PlacedNode[]
  /** Leaves and collapsed clades from top to bottom. */
  rows: PlacedNode[]
  deepest: number
  hasLengths: boolean
  /** As drawn: for files. */
  tree: PhyloTree
}

/** The tree rooted, ordered and cut as the view says, whole. */
const shapeTree = (tree: PhyloTree, view: TreeViewState): PhyloTree => {
  let shaped =
    view.root === 'given' ? tree : view.root === 'midpoint' ? rootAtMidpoint(tree) : rootAbove(tree, view.root)
  if (view.order !== 'given') shaped = ladderize(shaped, view.order)
  if (view.only !== null) {
    const top = listNodes(shaped.root).find(({ id }) => id === view.only)
    if (top !== undefined && top.children.length > 0)
      shaped = { root: { ...top, length: null, support: [] }, rooted: true }
  }
  if (view.swapped.size > 0) {
    // The shaped tree may share nodes with the one given, which must stay as it is.
    const root = copyTree(shaped.root)
    for (const node of listNodes(root)) if (view.swapped.has(node.id)) node.children.reverse()
    shaped = { ...shaped, root }
  }
  return shaped
}

/** Places every node that is to be drawn. */
export const placeTree = (given: PhyloTree, view: TreeViewState): PlacedTree => {
  const tree = shapeTree(given, view)
  const counts = countLeaves(tree.root)
  const all = listNodes(tree.root)
  const hasLengths = all.some((node) => drawnLength(node) > 0)
  const scaled = view.lengths && hasLengths
  const depths = new Map<TreeNode, number>([[tree.root, 0]])
  for (const node of all)
    for (const child of node.children) depths.set(child, depths.get(node)! + (scaled ? drawnLength(child) : 1))
  const deepestOf = new Map<TreeNode, number>()
  const heightOf = new Map<TreeNode, number>()
  for (let at = all.length - 1; at >= 0; at--) {
    const node = all[at]!
    let deepest = depths.get(node)!
    let height = 0
    for (const child of node.children) {
      deepest = Math.max(deepest, deepestOf.get(child)!)
      height = Math.max(height, heightOf.get(child)! + 1)
    }
    deepestOf.set(node, deepest)
    heightOf.set(node, height)
  }
  const nodes: PlacedNode[] = []
  const rows: PlacedNode[] = []
  const stack: { node: TreeNode; parent: PlacedNode | null }[] = [{ node: tree.root, parent: null }]
  for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
    const { node, parent } = next
    const collapsed = node.children.length > 0 && view.collapsed.has(node.id) && parent !== null
    const placed: PlacedNode = {
      id: node.id,
      node,
      parent,
      children: [],
      depth: depths.get(node)!,
      deepest: deepestOf.get(node)!,
      row: 0,
      leaves: counts.get(node.id)!,
      collapsed,
      height: heightOf.get(node)!,
    }
    parent?.children.push(placed)
    nodes.push(placed)
    if (collapsed || node.children.length === 0) {
      placed.row = rows.length
      rows.push(placed)
    } else
      for (let at = node.children.length - 1; at >= 0; at--) stack.push({ node: node.children[at]!, parent: placed })
  }
  const top = deepestOf.get(tree.root)!
  for (let at = nodes.length - 1; at >= 0; at--) {
    const placed = nodes[at]!
    if (placed.children.length > 0) placed.row = (placed.children[0]!.row + placed.children.at(-1)!.row) / 2
    // Without lengths all leaves stand in one line, and nodes by how many steps lie below them.
    if (!scaled) placed.depth = placed.parent === null ? 0 : heightOf.get(tree.root)! - placed.height
  }
  return {
    root: nodes[0]!,
    nodes,
    rows,
    deepest: scaled ? top : heightOf.get(tree.root)!,
    hasLengths: scaled,
    tree,
  }
}

export interface PolarPosition {
  x: number
  y: number
  /** Direction in which the node looks away from the middle, radians. */
  angle: number
  /** Distance from the middle: circular layout only. */
  radius: number
}

/** A gap at the left of the circle, where it begins and ends. */
const openAngle = 0.12

/** Places on a disc of radius 1 about 0, 0: leaves at even angles, depth outwards. */
export const placeOnCircle = (tree: PlacedTree): Map<PlacedNode, PolarPosition> => {
  const step = (2 * Math.PI - openAngle) / Math.max(1, tree.rows.length)
  const places = new Map<PlacedNode, PolarPosition>()
  for (const node of tree.nodes) {
    const angle = Math.PI + openAngle / 2 + (node.row + 0.5) * step
    const radius = tree.deepest === 0 ? 0 : node.depth / tree.deepest
    places.set(node, { x: radius * Math.cos(angle), y: radius * Math.sin(angle), angle, radius })
  }
  return places
}

/**
 * Places of the unrooted drawing, scaled into a disc of radius 1: every clade has a sector in proportion to its leaves (equal-angle
 * algorithm, Felsenstein 2004, Inferring Phylogenies, p. 578).
 */
export const placeUnrooted = (tree: PlacedTree): Map<PlacedNode, PolarPosition> => {
  const places = new Map<PlacedNode, PolarPosition>([[tree.root, { x: 0, y: 0, angle: 0, radius: 0 }]])
  const shown = new Map<PlacedNode, number>()
  for (let at = tree.nodes.length - 1; at >= 0; at--) {
    const node = tree.nodes[at]!
    shown.set(node, node.children.length === 0 ? 1 : node.children.reduce((sum, child) => sum + shown.get(child)!, 0))
  }
  const sectors = new Map<PlacedNode, [from: number, to: number]>([[tree.root, [-Math.PI / 2, 1.5 * Math.PI]]])
  for (const node of tree.nodes) {
    const [from, to] = sectors.get(node)!
    const { x, y } = places.get(node)!
    let at = from
    for (const child of node.children) {
      const end = at + ((to - from) * shown.get(child)!) / shown.get(node)!
      const angle = (at + end) / 2
      const length = tree.hasLengths ? drawnLength(child.node) : 1
      sectors.set(child, [at, end])
      places.set(child, { x: x + length * Math.cos(angle), y: y + length * Math.sin(angle), angle, radius: 0 })
      at = end
    }
  }
  let left = 0
  let right = 0
  let top = 0
  let bottom = 0
  for (const { x, y } of places.values()) {
    left = Math.min(left, x)
    right = Math.max(right, x)
    top = Math.min(top, y)
    bottom = Math.max(bottom, y)
  }
  const scale = 2 / (Math.max(right - left, bottom - top) || 1)
  for (const place of places.values()) {
    place.x = (place.x - (left + right) / 2) * scale
    place.y = (place.y - (top + bottom) / 2) * scale
  }
  return places
}

/** A round length for the scale bar, about a fifth of the tree: 1, 2 or 5 times a power of ten. */
export const scaleBarLength = (deepest: number): number => {
  if (!(deepest > 0)) return 0
  const rough = deepest / 5
  const power = 10 ** Math.floor(Math.log10(rough))
  const factor = rough / power
  return power * (factor < 1.5 ? 1 : factor < 3.5 ? 2 : factor < 7.5 ? 5 : 10)
}

/** The node that an arrow key leads to; the same when there is none that way. */
export const walkTree = (tree: PlacedTree, id: number | null, key: string): number => {
  const node = tree.nodes.find((one) => one.id === id)
  if (node === undefined) return tree.root.id
  switch (key) {
    case 'ArrowLeft':
      return (node.parent ?? node).id
    case 'ArrowRight':
      return (node.children[0] ?? node).id
    default: {
      const step = key === 'ArrowDown' ? 1 : -1
      if (node.children.length === 0)
        return (tree.rows[Math.min(tree.rows.length - 1, Math.max(0, node.row + step))] ?? node).id
      const sisters = node.parent?.children ?? [node]
      return (sisters[sisters.indexOf(node) + step] ?? node).id
    }
  }
}
