import { reverseComplement } from '../sequence/sequence.ts'

/** A segment of sequence shared by all walks that pass it. */
export interface GraphNode {
  /** As the graph's file names it; several joined with their number where a chain was drawn together. */
  name: string
  /** On its forward strand; null where only the length is known. */
  sequence: string | null
  lengthBp: number
}

/** A node as passed by a walk. */
export interface GraphStep {
  /** Index among the nodes. */
  node: number
  reverse: boolean
}

/** A way of one sequence through the graph, whole within it or one of several pieces. */
export interface GraphWalk {
  /** Sample, haplotype and sequence as the graph names them. */
  name: string
  /** Who is shown once: the sample, with its haplotype where it has several. */
  sample: string
  /** Loaded assembly that it is, where one is of that name. */
  assembly: string | null
  sequence: string
  /** Where on the sequence it begins, from 0. */
  start0: number
  /** The steps are those of the sequence's other strand. */
  turned: boolean
  steps: GraphStep[]
}

/** Part of a variation graph around a segment of the reference, which is the first walk. */
export interface GraphRegion {
  nodes: GraphNode[]
  walks: GraphWalk[]
}

/** A difference of walks from the reference, between nodes that both pass. */
export interface GraphVariant {
  /** `chrI:123 A>G`, `chrI:100-150 del 51 bp`, `chrI:99^100 ins 320 bp`, `chrI:100-150 ins/del 51>320 bp`. */
  name: string
  type: 'substitution' | 'insertion' | 'deletion' | 'replacement' | 'inversion'
  /** Replaced bases of the reference, from 0, half open; equal for an insertion, which stands before it. */
  start0: number
  end0: number
  /** Null where a node's sequence is not known. */
  reference: string | null
  alternative: string | null
  referenceBp: number
  alternativeBp: number
  /** Walks, by index, that have it. */
  walks: number[]
}

const lengthOf = (nodes: readonly GraphNode[], steps: readonly GraphStep[]): number =>
  steps.reduce((sum, { node }) => sum + nodes[node]!.lengthBp, 0)

/** Sequence of a way through the graph; null where a node's is not known. */
export const spellSteps = (nodes: readonly GraphNode[], steps: readonly GraphStep[]): string | null => {
  const pieces: string[] = []
  for (const { node, reverse } of steps) {
    const { sequence } = nodes[node]!
    if (sequence === null) return null
    pieces.push(reverse ? reverseComplement(sequence) : sequence)
  }
  return pieces.join('')
}

/** The ways of walks, each once, and which of them each walk takes. */
export const listWays = (walks: readonly GraphWalk[]): { ways: GraphStep[][]; wayOf: number[] } => {
  const known = new Map<string, number>()
  const ways: GraphStep[][] = []
  const wayOf = walks.map(({ steps }) => {
    const key = wayKey(steps)
    const at = known.get(key) ?? ways.length
    if (at === ways.length) {
      known.set(key, at)
      ways.push(steps)
    }
    return at
  })
  return { ways, wayOf }
}

/** The other strand of a way. */
const turnAround = (steps: readonly GraphStep[]): GraphStep[] =>
  steps.map(({ node, reverse }) => ({ node, reverse: !reverse })).reverse()

/** Whether a walk passes most of what it shares with the reference backwards: a contig may be assembled on either strand. */
const runsBackwards = (
  nodes: readonly GraphNode[],
  reference: readonly GraphStep[],
  walk: readonly GraphStep[],
): boolean => {
  const strands = new Map(reference.map(({ node, reverse }) => [node, reverse]))
  let forwards = 0
  for (const { node, reverse } of walk) {
    const strand = strands.get(node)
    if (strand !== undefined) forwards += strand === reverse ? nodes[node]!.lengthBp : -nodes[node]!.lengthBp
  }
  return forwards < 0
}

const wayKey = (steps: readonly GraphStep[]): string =>
  steps.map(({ node, reverse }) => `${reverse ? '<' : '>'}${node}`).join('')

interface Detour {
  /** Positions in the reference's steps: those after `from` and before `to` are replaced by `steps`. */
  from: number
  to: number
  /** Positions in the walk. */
  walkFrom: number
  walkTo: number
}

/**
 * Where a walk leaves the reference and comes back: between two nodes that it passes in the reference's order and strand. A chain of
 * such nodes as long as can be had, by their length, is what both share; the rest are detours.
 */
const findDetours = (
  nodes: readonly GraphNode[],
  reference: readonly GraphStep[],
  walk: readonly GraphStep[],
): Detour[] => {
  const at = new Map<number, number>()
  const strands = new Map<number, boolean>()
  for (const [position, { node, reverse }] of reference.entries()) {
    if (at.has(node)) continue
    at.set(node, position)
    strands.set(node, reverse)
  }
  // Heaviest increasing chain of (position in walk, position in reference); patience by weight, with a Fenwick tree over positions.
  const best = new Float64Array(reference.length + 1)
  const bestAt = new Int32Array(reference.length + 1).fill(-1)
  const before = new Int32Array(walk.length).fill(-1)
  const weight = new Float64Array(walk.length)
  let last = -1
  for (const [position, { node, reverse }] of walk.entries()) {
    const on = strands.get(node) === reverse ? at.get(node) : undefined
    if (on === undefined) continue
    let max = 0
    let from = -1
    for (let index = on; index > 0; index -= index & -index)
      if (best[index]! > max) {
        max = best[index]!
        from = bestAt[index]!
      }
    before[position] = from
    weight[position] = max + Math.max(1, nodes[node]!.lengthBp)
    for (let index = on + 1; index <= reference.length; index += index & -index)
      if (weight[position]! > best[index]!) {
        best[index] = weight[position]!
        bestAt[index] = position
      }
    if (last === -1 || weight[position]! > weight[last]!) last = position
  }
  const chain: number[] = []
  for (let position = last; position !== -1; position = before[position]!) chain.push(position)
  chain.reverse()
  const detours: Detour[] = []
  for (let number = 1; number < chain.length; number += 1) {
    const [walkFrom, walkTo] = [chain[number - 1]!, chain[number]!]
    const [from, to] = [at.get(walk[walkFrom]!.node)!, at.get(walk[walkTo]!.node)!]
    if (walkTo - walkFrom > 1 || to - from > 1) detours.push({ from, to, walkFrom, walkTo })
  }
  return detours
}

const thousands = (value: number): string => value.toLocaleString('en-US')

const nameVariant = (
  sequence: string,
  { start0, end0, reference, alternative, referenceBp, alternativeBp, type }: Omit<GraphVariant, 'name' | 'walks'>,
): string => {
  const span = referenceBp === 1 ? `${start0 + 1}` : `${start0 + 1}-${end0}`
  if (type === 'substitution' && referenceBp <= 10 && reference !== null)
    return `${sequence}:${span} ${reference}>${alternative}`
  if (type === 'insertion') {
    const bases = alternativeBp <= 10 && alternative !== null ? alternative : `${thousands(alternativeBp)} bp`
    return `${sequence}:${start0}^${start0 + 1} ins ${bases}`
  }
  if (type === 'deletion') {
    const bases = referenceBp <= 10 && reference !== null ? reference : `${thousands(referenceBp)} bp`
    return `${sequence}:${span} del ${bases}`
  }
  if (type === 'inversion') return `${sequence}:${span} inv ${thousands(referenceBp)} bp`
  return `${sequence}:${span} ${thousands(referenceBp)}>${thousands(alternativeBp)} bp`
}

/** Bases that both alleles begin or end with are no part of the variant (VCF 4.3, section 1.6.1: as short as it can be said). */
const trimShared = (reference: string, alternative: string): { left: number; right: number } => {
  const max = Math.min(reference.length, alternative.length)
  let right = 0
  while (right < max && reference.at(-1 - right) === alternative.at(-1 - right)) right += 1
  let left = 0
  while (left < max - right && reference[left] === alternative[left]) left += 1
  return { left, right }
}

/**
 * Differences of the walks from the first, which is the reference, by place; equal ones of several walks are one. A walk that leaves the
 * region and comes back, or does not reach its ends, is not compared beyond what it passes. Walks are to be on the reference's strand
 * (`alignStrands`).
 */
export const findVariants = ({ nodes, walks }: GraphRegion): GraphVariant[] => {
  const [reference] = walks
  if (reference === undefined) return []
  const starts: number[] = []
  let position = reference.start0
  for (const { node } of reference.steps) {
    starts.push(position)
    position += nodes[node]!.lengthBp
  }
  const variants = new Map<string, GraphVariant>()
  const { ways, wayOf } = listWays(walks)
  const detours = ways.map((way, number) => (number === 0 ? [] : findDetours(nodes, reference.steps, way)))
  for (const [number, { steps }] of walks.entries()) {
    for (const { from, to, walkFrom, walkTo } of detours[wayOf[number]!]!) {
      const own = reference.steps.slice(from + 1, to)
      const other = steps.slice(walkFrom + 1, walkTo)
      const key = `${from}|${to}|${wayKey(other)}`
      const known = variants.get(key)
      if (known !== undefined) {
        if (!known.walks.includes(number)) known.walks.push(number)
        continue
      }
      variants.set(key, describeDetour(reference.sequence, nodes, own, other, starts[to]!, number))
    }
  }
  return [...variants.values()].sort((a, b) => a.start0 - b.start0 || a.end0 - b.end0 || (a.name < b.name ? -1 : 1))
}

const describeDetour = (
  sequence: string,
  nodes: readonly GraphNode[],
  own: readonly GraphStep[],
  other: readonly GraphStep[],
  end0: number,
  walk: number,
): GraphVariant => {
  let [reference, alternative] = [spellSteps(nodes, own), spellSteps(nodes, other)]
  let [referenceBp, alternativeBp] = [lengthOf(nodes, own), lengthOf(nodes, other)]
  let start0 = end0 - referenceBp
  let end = end0
  const turned =
    own.length > 0 &&
    own.length === other.length &&
    own.every(({ node }, number) => {
      const facing = other[other.length - 1 - number]!
      return facing.node === node && facing.reverse !== own[number]!.reverse
    })
  if (!turned && reference !== null && alternative !== null) {
    const { left, right } = trimShared(reference, alternative)
    reference = reference.slice(left, reference.length - right)
    alternative = alternative.slice(left, alternative.length - right)
    start0 += left
    end -= right
    referenceBp = reference.length
    alternativeBp = alternative.length
  }
  const type = turned
    ? 'inversion'
    : referenceBp === 0
      ? 'insertion'
      : alternativeBp === 0
        ? 'deletion'
        : referenceBp === alternativeBp
          ? 'substitution'
          : 'replacement'
  const about = { type, start0, end0: end, reference, alternative, referenceBp, alternativeBp } as const
  return { name: nameVariant(sequence, about), ...about, walks: [walk] }
}

/** Walks along which the others are straightened. */
const straightened = 8

/** A walk with its detours from another of fewer bases than `minBp` walked along that one; what was changed is added to `changed`. */
const straighten = (
  nodes: readonly GraphNode[],
  along: readonly GraphStep[],
  way: readonly GraphStep[],
  minBp: number,
  changed: Set<string>,
): GraphStep[] => {
  const steps: GraphStep[] = []
  let done = 0
  for (const { from, to, walkFrom, walkTo } of findDetours(nodes, along, way)) {
    const own = along.slice(from + 1, to)
    const other = way.slice(walkFrom + 1, walkTo)
    if (Math.max(lengthOf(nodes, own), lengthOf(nodes, other)) >= minBp) continue
    changed.add(`${from}|${to}|${wayKey(other)}`)
    steps.push(...way.slice(done, walkFrom + 1), ...own)
    done = walkTo
  }
  steps.push(...way.slice(done))
  return steps
}

/**
 * Detours of fewer bases than `minBp`, on either side, are walked along the reference instead (`hidden` of them), and those within what
 * the reference does not pass along the first walk that passes it.
 */
export const hideSmallVariants = (
  { nodes, walks }: GraphRegion,
  minBp: number,
): { region: GraphRegion; hidden: number } => {
  if (minBp <= 1) return { region: { nodes, walks }, hidden: 0 }
  const changed = new Set<string>()
  const { ways, wayOf } = listWays(walks)
  for (let along = 0; along < Math.min(straightened, ways.length); along += 1)
    for (let number = 0; number < ways.length; number += 1) {
      // The reference stays as it is, and so does what stands before.
      if (number <= along) continue
      const others = along === 0 ? changed : new Set<string>()
      ways[number] = straighten(nodes, ways[along]!, ways[number]!, minBp, others)
    }
  return {
    region: { nodes, walks: walks.map((walk, number) => ({ ...walk, steps: ways[wayOf[number]!]! })) },
    hidden: changed.size,
  }
}

/**
 * Draws chains together: nodes that all walks pass one after the other, in one direction, become one; nodes that no walk passes are
 * left out. Walks spell what they spelled before.
 */
export const joinChains = ({ nodes, walks }: GraphRegion): GraphRegion => {
  const end = -1
  const mixed = -2
  // Of each side of a node the only neighbour that walks have there: `node * 2 + reverse` of the neighbour as it is entered.
  const after = new Int32Array(nodes.length).fill(-3)
  const before = new Int32Array(nodes.length).fill(-3)
  const note = (side: Int32Array, node: number, value: number): void => {
    if (side[node] === -3) side[node] = value
    else if (side[node] !== value) side[node] = mixed
  }
  for (const { steps } of walks)
    for (const [number, { node, reverse }] of steps.entries()) {
      const previous = steps[number - 1]
      const next = steps[number + 1]
      const following = next === undefined ? end : next.node * 2 + Number(next.reverse)
      // Backwards the neighbour is entered from its other side.
      const preceding = previous === undefined ? end : previous.node * 2 + Number(!previous.reverse)
      note(after, node, reverse ? preceding : following)
      note(before, node, reverse ? following : preceding)
    }
  const leadsTo = (node: number): number => {
    const next = after[node]!
    if (next < 0 || next % 2 === 1) return -1
    const other = next >> 1
    // Seen from there, entered against its direction: this very node, reversed.
    return other !== node && before[other] === node * 2 + 1 ? other : -1
  }
  const follows = new Uint8Array(nodes.length)
  for (let node = 0; node < nodes.length; node += 1) {
    const next = after[node] === -3 ? -1 : leadsTo(node)
    if (next !== -1) follows[next] = 1
  }
  const joined: GraphNode[] = []
  const headOf = new Map<number, number>()
  const place = (first: number): void => {
    const chain = [first]
    for (let next = leadsTo(first); next !== -1 && next !== first; next = leadsTo(next)) chain.push(next)
    const parts = chain.map((node) => nodes[node]!)
    const sequence = parts.some((part) => part.sequence === null) ? null : parts.map((part) => part.sequence).join('')
    headOf.set(first, joined.length)
    joined.push({
      name: parts.length === 1 ? parts[0]!.name : `${parts[0]!.name}…${parts.at(-1)!.name} (${parts.length})`,
      sequence,
      lengthBp: parts.reduce((sum, part) => sum + part.lengthBp, 0),
    })
    // Walks name a chain by its first node, in either direction.
    for (const node of chain.slice(1)) headOf.set(node, -1)
  }
  for (let node = 0; node < nodes.length; node += 1) if (after[node] !== -3 && follows[node] === 0) place(node)
  // A ring of nodes that all walks go round has no first.
  for (let node = 0; node < nodes.length; node += 1) if (after[node] !== -3 && !headOf.has(node)) place(node)
  return {
    nodes: joined,
    walks: walks.map((walk) => ({
      ...walk,
      steps: walk.steps.flatMap(({ node, reverse }) => {
        const head = headOf.get(node)!
        return head === -1 ? [] : [{ node: head, reverse }]
      }),
    })),
  }
}

/** Walks that run backwards are told on the reference's strand. */
export const alignStrands = ({ nodes, walks }: GraphRegion): GraphRegion => {
  const [reference] = walks
  if (reference === undefined) return { nodes, walks }
  return {
    nodes,
    walks: walks.map((walk) =>
      runsBackwards(nodes, reference.steps, walk.steps)
        ? { ...walk, turned: !walk.turned, steps: turnAround(walk.steps) }
        : walk,
    ),
  }
}

/** The region as GFA 1.1, with a walk for each: `S`, `L` and `W` lines; `head` are lines of comment. */
export const renderGfa = ({ nodes, walks }: GraphRegion, head: readonly string[] = []): string => {
  const lines = ['H\tVN:Z:1.1', ...head.map((line) => `# ${line.replace(/\s+/g, ' ')}`)]
  const nameOf = (node: number): string => `s${node + 1}`
  for (const [number, { sequence, lengthBp }] of nodes.entries())
    lines.push(`S\t${nameOf(number)}\t${sequence ?? '*'}\tLN:i:${lengthBp}`)
  const links = new Set<string>()
  for (const { steps } of walks)
    for (const [number, step] of steps.entries()) {
      const next = steps[number + 1]
      if (next === undefined) continue
      const sign = (one: GraphStep): string => (one.reverse ? '-' : '+')
      links.add(`L\t${nameOf(step.node)}\t${sign(step)}\t${nameOf(next.node)}\t${sign(next)}\t0M`)
    }
  lines.push(...links)
  for (const walk of walks) {
    const steps = walk.turned ? turnAround(walk.steps) : walk.steps
    const way = steps.map(({ node, reverse }) => `${reverse ? '<' : '>'}${nameOf(node)}`).join('')
    const [sample, haplotype] = [walk.sample.split('#')[0]!, walk.sample.split('#')[1] ?? '0']
    lines.push(
      `W\t${sample.replaceAll(/\s/g, '_')}\t${/^\d+$/.test(haplotype) ? haplotype : 0}\t${walk.sequence}\t${walk.start0}\t${walk.start0 + lengthOf(nodes, walk.steps)}\t${way}`,
    )
  }
  return `${lines.join('\n')}\n`
}
