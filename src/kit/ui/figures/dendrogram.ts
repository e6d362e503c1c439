import type { Dendrogram } from '../../../bio/statistics/clustering.ts'

/** A segment of a drawing, in CSS pixels. */
export interface Box {
  x: number
  y: number
  width: number
  height: number
}

/** Nodes of a tree: place of its middle among the leaves, the leaves below it as first and last place, and its height. */
const placeNodes = (tree: Dendrogram): { at: number; first: number; last: number; height: number }[] => {
  const rows = tree.order.length
  const indexes = new Map(tree.order.map((row, at) => [row, at]))
  const nodes: { at: number; first: number; last: number; height: number }[] = []
  const of = (node: number): { at: number; first: number; last: number; height: number } => {
    if (node >= rows) return nodes[node - rows]!
    const at = indexes.get(node)!
    return { at: at + 0.5, first: at, last: at, height: 0 }
  }
  for (const [left, right, height] of tree.merges) {
    const [a, b] = [of(left), of(right)]
    nodes.push({ at: (a.at + b.at) / 2, first: Math.min(a.first, b.first), last: Math.max(a.last, b.last), height })
  }
  return nodes
}

/** A dendrogram as one path: leaves at the side of the cells. */
export const drawTree = (tree: Dendrogram, box: Box, from: number, to: number, side: 'left' | 'top'): string => {
  const rows = tree.order.length
  const nodes = placeNodes(tree)
  const indexes = new Map(tree.order.map((row, at) => [row, at + 0.5]))
  const tallest = Math.max(1e-12, ...nodes.map(({ height }) => height))
  const length = side === 'left' ? box.width : box.height
  const along = (at: number): number =>
    ((at - from) / (to - from)) * (side === 'left' ? box.height : box.width) + (side === 'left' ? box.y : box.x)
  const across = (height: number): number =>
    (side === 'left' ? box.x : box.y) + length - (height / tallest) * (length - 2)
  const round = (value: number): number => Math.round(value * 10) / 10
  const parts: string[] = []
  for (const [index, [left, right, height]] of tree.merges.entries()) {
    const node = nodes[index]!
    if (node.last + 1 < from || node.first > to) continue
    const h = round(across(height))
    for (const child of [left, right]) {
      const at = round(along(child < rows ? indexes.get(child)! : nodes[child - rows]!.at))
      const low = round(across(child < rows ? 0 : nodes[child - rows]!.height))
      parts.push(side === 'left' ? `M${low},${at}H${h}` : `M${at},${low}V${h}`)
    }
    const [a, b] = [left, right].map((child) =>
      round(along(child < rows ? indexes.get(child)! : nodes[child - rows]!.at)),
    )
    parts.push(side === 'left' ? `M${h},${a}V${b}` : `M${a},${h}H${b}`)
  }
  return parts.join('')
}

/** The leaves below the cut of a tree at this height that hold this place: what a click in the dendrogram chooses. */
export const clusterAt = (tree: Dendrogram, at: number, height: number): [first: number, last: number] => {
  let best: [number, number] = [Math.floor(at), Math.floor(at)]
  let tallest = -1
  for (const node of placeNodes(tree))
    if (node.height <= height && node.height > tallest && at >= node.first && at < node.last + 1) {
      tallest = node.height
      best = [node.first, node.last]
    }
  return best
}
