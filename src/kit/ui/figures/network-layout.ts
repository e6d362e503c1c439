import {
  forceCollide,
  forceLink,
  forceManyBody,
  forceSimulation,
  forceX,
  forceY,
  packSiblings,
  type SimulationNodeDatum,
} from 'd3'

export const networkLayouts = ['force', 'groups', 'shells', 'circle'] as const
/**
 * `force`: by forces; `groups`: each group for itself, side by side; `shells`: rings around those of shell 0; `circle`: one ring, groups
 * together.
 */
export type NetworkLayout = (typeof networkLayouts)[number]

export interface LayoutRequest {
  count: number
  edges: readonly (readonly [a: number, b: number, weight: number])[]
  /** Group of each node; null for none. */
  groups: readonly (number | null)[]
  /** Ring of each node, from the middle. */
  shells: readonly number[]
  layout: NetworkLayout
  /** Width over height of the room there is. */
  aspect: number
}

const room = 9
const ringGap = 90

/** Nodes by forces: edges pull the more the greater their weight (0 to 1). The same network always lies the same. */
const placeByForce = (
  count: number,
  edges: LayoutRequest['edges'],
  aspect: number,
  ticks: number,
): { x: number; y: number }[] => {
  const nodes: SimulationNodeDatum[] = Array.from({ length: count }, () => ({}))
  forceSimulation(nodes)
    .force('charge', forceManyBody().strength(-120).distanceMax(420))
    .force(
      'link',
      forceLink(edges.map(([source, target, weight]) => ({ source, target, weight })))
        // Each edge pulls the less the more edges its ends have (d3's own rule), so that complexes do not fall into a point.
        .distance(({ weight }) => 30 + 90 * (1 - weight)),
    )
    .force('x', forceX(0).strength(0.05))
    .force('y', forceY(0).strength(0.05 * Math.max(1, aspect)))
    .force('collide', forceCollide(room))
    .stop()
    .tick(ticks)
  return nodes.map(({ x = 0, y = 0 }) => ({ x, y }))
}

const ring = (members: readonly number[], radius: number, into: Float32Array, aspect = 1): void => {
  for (const [at, node] of members.entries()) {
    const angle = (2 * Math.PI * at) / members.length - Math.PI / 2
    into[2 * node] = radius * Math.cos(angle) * aspect
    into[2 * node + 1] = radius * Math.sin(angle)
  }
}

const byGroup = (groups: LayoutRequest['groups']): Map<number, number[]> => {
  const members = new Map<number, number[]>()
  for (const [node, group] of groups.entries()) {
    const key = group ?? Number.POSITIVE_INFINITY
    members.set(key, [...(members.get(key) ?? []), node])
  }
  return new Map([...members].sort(([a], [b]) => a - b))
}

const ringRadius = (members: number): number => (members * 2.4 * room) / (2 * Math.PI)

/** Places of the nodes, x and y one after the other, around 0; the unit is about a pixel at full size. */
export const layOutNetwork = ({ count, edges, groups, shells, layout, aspect }: LayoutRequest): Float32Array => {
  const positions = new Float32Array(2 * count)
  if (layout === 'circle') {
    const order = [...byGroup(groups).values()].flat()
    ring(order, Math.max(60, ringRadius(count)), positions, Math.min(1.6, Math.max(1, aspect)))
    return positions
  }
  if (layout === 'shells') {
    const groupOf = (node: number): number => groups[node] ?? Number.POSITIVE_INFINITY
    let radius = 0
    for (const shell of [...new Set(shells)].sort((a, b) => a - b)) {
      const members = [...shells.keys()]
        .filter((node) => shells[node] === shell)
        .sort((a, b) => groupOf(a) - groupOf(b) || a - b)
      const alone = shell === 0 && members.length === 1
      radius = alone ? 0 : Math.max(radius + ringGap, ringRadius(members.length))
      ring(members, radius, positions)
    }
    return positions
  }
  if (layout === 'groups') {
    const circles = [...byGroup(groups).values()].flatMap((members, _at, all) => {
      // What is in no group stands in rows of its own, each node as a small circle.
      const loose = groups[members[0]!] === null
      return loose && all.length > 1 ? members.map((node) => [node]) : [members]
    })
    const packed = circles.map((members) => {
      const indexes = new Map(members.map((node, at) => [node, at]))
      const within = edges.flatMap(([a, b, weight]) => {
        const [from, to] = [indexes.get(a), indexes.get(b)]
        return from === undefined || to === undefined ? [] : [[from, to, weight] as const]
      })
      const own = placeByForce(members.length, within, 1, 160)
      const [cx, cy] = [
        own.reduce((sum, { x }) => sum + x, 0) / own.length,
        own.reduce((sum, { y }) => sum + y, 0) / own.length,
      ]
      const r =
        Math.max(...own.map(({ x, y }) => Math.hypot(x - cx, y - cy))) + (members.length === 1 ? room : 3 * room)
      return { members, own, cx, cy, r }
    })
    for (const { members, own, cx, cy, x, y } of packSiblings(packed))
      for (const [at, node] of members.entries()) {
        positions[2 * node] = x + own[at]!.x - cx
        positions[2 * node + 1] = y + own[at]!.y - cy
      }
    return positions
  }
  for (const [node, { x, y }] of placeByForce(count, edges, aspect, count > 500 ? 160 : 240).entries()) {
    positions[2 * node] = x
    positions[2 * node + 1] = y
  }
  return positions
}
