/** An edge between two nodes counted from 0, with a weight above zero. */
export type WeightedEdge = readonly [a: number, b: number, weight: number]

/**
 * Modules of a weighted graph by greedy optimisation of modularity (Blondel et al. 2008, J Stat Mech P10008: "Louvain"), nodes taken in
 * their order, so that the same graph always gives the same modules. Gives the module of each node, largest first from 0; equal sizes by
 * their first node. Nodes without edges are modules of their own.
 *
 * @example findModules(4, [[0, 1, 1], [2, 3, 1]]) // [0, 0, 1, 1]
 */
export const findModules = (nodes: number, edges: readonly WeightedEdge[]): number[] => {
  let membership = Int32Array.from({ length: nodes }, (_, at) => at)
  let count = nodes
  let graph = new Map<number, Map<number, number>>()
  const join = (into: Map<number, Map<number, number>>, a: number, b: number, weight: number): void => {
    const row = into.get(a) ?? new Map<number, number>()
    row.set(b, (row.get(b) ?? 0) + weight)
    into.set(a, row)
  }
  for (const [a, b, weight] of edges) {
    join(graph, a, b, weight)
    if (a !== b) join(graph, b, a, weight)
    else join(graph, a, a, weight)
  }
  for (;;) {
    const moved = moveNodes(graph, count)
    const names = new Map<number, number>()
    for (let at = 0; at < count; at += 1) if (!names.has(moved[at]!)) names.set(moved[at]!, names.size)
    const next = moved.map((community) => names.get(community)!)
    membership = membership.map((community) => next[community]!)
    if (names.size === count) break
    const merged = new Map<number, Map<number, number>>()
    for (const [a, row] of graph) for (const [b, weight] of row) join(merged, next[a]!, next[b]!, weight)
    graph = merged
    count = names.size
  }
  const sizes = new Map<number, { size: number; first: number }>()
  for (const [node, community] of membership.entries()) {
    const known = sizes.get(community)
    if (known === undefined) sizes.set(community, { size: 1, first: node })
    else known.size += 1
  }
  const indexes = new Map(
    [...sizes]
      .sort(([, a], [, b]) => b.size - a.size || a.first - b.first)
      .map(([community], position) => [community, position]),
  )
  return Array.from(membership, (community) => indexes.get(community)!)
}

/** One level: each node goes to the neighbouring community that gains most, until none moves. */
const moveNodes = (graph: Map<number, Map<number, number>>, count: number): Int32Array => {
  const community = Int32Array.from({ length: count }, (_, at) => at)
  const degree = new Float64Array(count)
  for (const [a, row] of graph) for (const weight of row.values()) degree[a]! += weight
  const total = degree.reduce((sum, weight) => sum + weight, 0)
  if (total === 0) return community
  const inside = Float64Array.from(degree)
  for (let moves = 1, pass = 0; moves > 0 && pass < 100; pass += 1) {
    moves = 0
    for (let node = 0; node < count; node += 1) {
      const row = graph.get(node)
      if (row === undefined) continue
      const own = community[node]!
      const links = new Map<number, number>([[own, 0]])
      for (const [other, weight] of row)
        if (other !== node) links.set(community[other]!, (links.get(community[other]!) ?? 0) + weight)
      inside[own]! -= degree[node]!
      let best = own
      let gain = links.get(own)! - (inside[own]! * degree[node]!) / total
      for (const [other, weight] of links) {
        const here = weight - (inside[other]! * degree[node]!) / total
        if (here > gain + 1e-12) {
          gain = here
          best = other
        }
      }
      inside[best]! += degree[node]!
      if (best !== own) {
        community[node] = best
        moves += 1
      }
    }
  }
  return community
}
