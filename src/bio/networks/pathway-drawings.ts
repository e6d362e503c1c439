// Drawn pathways: KGML (KEGG Markup Language 0.7.2) and GPML (Graphical Pathway Markup Language of 2013 and 2021, WikiPathways).

import { parseXml, type XmlElement, XmlTextError } from '../text/xml.ts'

export type PathwayNodeKind = 'gene' | 'compound' | 'pathway' | 'group' | 'label' | 'shape'

export interface PathwayNode {
  id: string
  kind: PathwayNodeKind
  label: string
  /** What the node stands for: `sce:YCR012W`, `ko:K00927`, `YBR145W` …; genes are looked up by them. */
  names: string[]
  /** Centre and size, in the units of the file (pixels). */
  x: number
  y: number
  width: number
  height: number
  round: boolean
}

export type PathwayArrow = 'none' | 'arrow' | 'inhibition'

export interface PathwayEdge {
  points: [x: number, y: number][]
  arrow: PathwayArrow
  /** An arrow at the beginning too: reversible. */
  backArrow: PathwayArrow
  dashed: boolean
}

export interface PathwayDrawing {
  format: 'kgml' | 'gpml'
  /** As the file has it: `sce00010`, `WP515`; null where it has none. */
  id: string | null
  name: string | null
  organism: string | null
  description: string | null
  width: number
  height: number
  nodes: PathwayNode[]
  edges: PathwayEdge[]
}

const number = (text: string | undefined): number => {
  const value = Number(text)
  return text === undefined || text === '' || !Number.isFinite(value) ? Number.NaN : value
}
const named = (element: XmlElement, name: string): XmlElement[] =>
  element.children.filter((child) => child.name.toLowerCase() === name)
const given = (text: string | undefined): string | null =>
  text === undefined || text.trim() === '' ? null : text.trim()
const placed = (node: Pick<PathwayNode, 'x' | 'y' | 'width' | 'height'>): boolean =>
  [node.x, node.y, node.width, node.height].every(Number.isFinite) && node.width > 0 && node.height > 0

/** Room around what is drawn, where the file gives no board. */
const margin = 20

/**
 * Reads a pathway's drawing, KGML or GPML by its root element and attributes. Throws XmlTextError for what is neither, or broken.
 *
 * Example: of a KGML file with `<entry name="sce:YCR012W" type="gene">` a node has the names `['sce:YCR012W']`.
 */
export const parsePathwayDrawing = (text: string): PathwayDrawing => {
  const root = parseXml(text.replace(/^\uFEFF/, ''))
  if (root.name.toLowerCase() !== 'pathway') throw new XmlTextError(`<${root.name}>`, text, 0)
  const isKegg = root.children.some(({ name }) => name === 'entry')
  const drawing = isKegg ? readKgml(root) : readGpml(root)
  if (drawing.nodes.length === 0) throw new XmlTextError('no nodes', text, 0)
  return drawing
}

const readKgml = (root: XmlElement): PathwayDrawing => {
  const nodes: PathwayNode[] = []
  const edges: PathwayEdge[] = []
  const byId = new Map<string, PathwayNode>()
  const byName = new Map<string, PathwayNode[]>()
  for (const entry of named(root, 'entry')) {
    const id = entry.attributes.get('id') ?? ''
    const type = entry.attributes.get('type') ?? ''
    const names = (entry.attributes.get('name') ?? '')
      .split(/\s+/)
      .filter((name) => name !== '' && name !== 'undefined')
    const kind: PathwayNodeKind =
      type === 'compound' ? 'compound' : type === 'map' ? 'pathway' : type === 'group' ? 'group' : 'gene'
    for (const [at, graphics] of named(entry, 'graphics').entries()) {
      const { attributes } = graphics
      if (attributes.get('type') === 'line') {
        const coords = (attributes.get('coords') ?? '').split(',').map(Number)
        const points = coords.flatMap((x, index): [number, number][] =>
          index % 2 === 0 && Number.isFinite(x) && Number.isFinite(coords[index + 1]) ? [[x, coords[index + 1]!]] : [],
        )
        if (points.length > 1) edges.push({ points, arrow: 'none', backArrow: 'none', dashed: false })
        continue
      }
      const node: PathwayNode = {
        id: at === 0 ? id : `${id}.${at}`,
        kind,
        label: (attributes.get('name') ?? names[0] ?? '').replace(/\.\.\.$/, '…').replace(/^TITLE:/, ''),
        names,
        x: number(attributes.get('x')),
        y: number(attributes.get('y')),
        width: number(attributes.get('width')),
        height: number(attributes.get('height')),
        round: attributes.get('type') === 'circle' || attributes.get('type') === 'roundrectangle',
      }
      if (!placed(node)) continue
      nodes.push(node)
      if (!byId.has(id)) byId.set(id, node)
      for (const name of names) byName.set(name, [...(byName.get(name) ?? []), node])
    }
  }
  const between = (from: PathwayNode, to: PathwayNode, more: Partial<PathwayEdge>): void => {
    if (from === to) return
    edges.push({
      arrow: 'arrow',
      backArrow: 'none',
      dashed: false,
      ...more,
      points: [borderPoint(from, to), borderPoint(to, from)],
    })
  }
  for (const relation of named(root, 'relation')) {
    const from = byId.get(relation.attributes.get('entry1') ?? '')
    const to = byId.get(relation.attributes.get('entry2') ?? '')
    if (from === undefined || to === undefined) continue
    const kinds = named(relation, 'subtype').map((subtype) => subtype.attributes.get('name') ?? '')
    // Enzymes that follow each other are joined by the reactions through their compound.
    if (relation.attributes.get('type') === 'ECrel') continue
    const directed = kinds.some((kind) => /activation|expression|phosphorylation|indirect|state/.test(kind))
    between(from, to, {
      arrow: kinds.some((kind) => /inhibition|repression/.test(kind)) ? 'inhibition' : directed ? 'arrow' : 'none',
      dashed: kinds.some((kind) => /indirect|missing/.test(kind)) || relation.attributes.get('type') === 'maplink',
    })
  }
  for (const reaction of named(root, 'reaction')) {
    const enzyme = byId.get(reaction.attributes.get('id') ?? '')
    if (enzyme === undefined) continue
    const ends = (kind: string): PathwayNode[] =>
      named(reaction, kind).flatMap(
        (one) =>
          byId.get(one.attributes.get('id') ?? '') ??
          nearest(byName.get(one.attributes.get('name') ?? '') ?? [], enzyme),
      )
    const backArrow: PathwayArrow = reaction.attributes.get('type') === 'reversible' ? 'arrow' : 'none'
    for (const substrate of ends('substrate')) between(enzyme, substrate, { arrow: backArrow })
    for (const product of ends('product')) between(enzyme, product, {})
  }
  const right = Math.max(
    0,
    ...nodes.map((node) => node.x + node.width / 2),
    ...edges.flatMap((edge) => edge.points.map(([x]) => x)),
  )
  const bottom = Math.max(
    0,
    ...nodes.map((node) => node.y + node.height / 2),
    ...edges.flatMap((edge) => edge.points.map(([, y]) => y)),
  )
  return {
    format: 'kgml',
    id: given(root.attributes.get('name')?.replace(/^path:/, '')),
    name: given(root.attributes.get('title')),
    organism: given(root.attributes.get('org')),
    description: null,
    width: right + margin,
    height: bottom + margin,
    nodes,
    edges,
  }
}

const nearest = (nodes: PathwayNode[], to: PathwayNode): PathwayNode[] =>
  nodes.length === 0 ? [] : [nodes.reduce((best, node) => (distance(node, to) < distance(best, to) ? node : best))]
const distance = (a: PathwayNode, b: PathwayNode): number => (a.x - b.x) ** 2 + (a.y - b.y) ** 2

/** Where the line from one node's centre to another's leaves its box. */
const borderPoint = (from: PathwayNode, to: PathwayNode): [number, number] => {
  const dx = to.x - from.x
  const dy = to.y - from.y
  const scale = Math.min(
    dx === 0 ? Number.POSITIVE_INFINITY : from.width / 2 / Math.abs(dx),
    dy === 0 ? Number.POSITIVE_INFINITY : from.height / 2 / Math.abs(dy),
  )
  return Number.isFinite(scale) && scale < 1 ? [from.x + dx * scale, from.y + dy * scale] : [from.x, from.y]
}

const gpmlKinds: Record<string, PathwayNodeKind> = {
  geneproduct: 'gene',
  protein: 'gene',
  rna: 'gene',
  complex: 'gene',
  metabolite: 'compound',
  pathway: 'pathway',
}

const arrowOf = (text: string | undefined): PathwayArrow =>
  text === undefined || text === '' || /^(line|undirected)$/i.test(text)
    ? 'none'
    : /inhibition|tbar/i.test(text)
      ? 'inhibition'
      : 'arrow'

const readGpml = (root: XmlElement): PathwayDrawing => {
  const nodes: PathwayNode[] = []
  const edges: PathwayEdge[] = []
  // 2021 wraps each kind in a list of it; 2013 has them side by side.
  const all = (kind: string): XmlElement[] => [
    ...named(root, kind),
    ...named(root, `${kind}s`).flatMap((list) => named(list, kind)),
  ]
  const add = (element: XmlElement, kind: PathwayNodeKind): void => {
    const [graphics] = named(element, 'graphics')
    if (graphics === undefined) return
    const [reference] = named(element, 'xref')
    const of = (name: string): string | undefined => element.attributes.get(name)
    const label = (of('textlabel') ?? '').trim()
    const identifier = given(reference?.attributes.get('id') ?? reference?.attributes.get('identifier'))
    const node: PathwayNode = {
      id: of('graphid') ?? of('elementid') ?? `n${nodes.length}`,
      kind,
      label,
      names:
        kind === 'gene'
          ? [identifier, given(label)].filter((one) => one !== null)
          : identifier === null
            ? []
            : [identifier],
      x: number(graphics.attributes.get('centerx')),
      y: number(graphics.attributes.get('centery')),
      width: number(graphics.attributes.get('width')),
      height: number(graphics.attributes.get('height')),
      round: /round|oval|ellipse/i.test(graphics.attributes.get('shapetype') ?? ''),
    }
    if (placed(node)) nodes.push(node)
  }
  for (const one of all('shape')) add(one, 'shape')
  for (const one of all('datanode')) add(one, gpmlKinds[(one.attributes.get('type') ?? '').toLowerCase()] ?? 'gene')
  for (const one of all('label')) add(one, 'label')
  for (const kind of ['interaction', 'graphicalline'])
    for (const one of all(kind)) {
      const [graphics] = named(one, 'graphics')
      const [waypoints] = named(one, 'waypoints')
      const ends = [
        ...(waypoints === undefined ? [] : named(waypoints, 'point')),
        ...(graphics === undefined ? [] : named(graphics, 'point')),
      ]
      const points = ends.flatMap((point): [number, number][] => {
        const [x, y] = [number(point.attributes.get('x')), number(point.attributes.get('y'))]
        return Number.isFinite(x) && Number.isFinite(y) ? [[x, y]] : []
      })
      if (points.length < 2) continue
      edges.push({
        points: bend(points, graphics?.attributes.get('connectortype')),
        arrow: arrowOf(ends.at(-1)!.attributes.get('arrowhead')),
        backArrow: arrowOf(ends[0]!.attributes.get('arrowhead')),
        dashed: /broken|dash/i.test(graphics?.attributes.get('linestyle') ?? ''),
      })
    }
  const [board] = named(root, 'graphics')
  const right = Math.max(0, ...nodes.map((node) => node.x + node.width / 2))
  const bottom = Math.max(0, ...nodes.map((node) => node.y + node.height / 2))
  const version = root.attributes.get('version') ?? ''
  const comment = named(root, 'comment').find((one) => /description/i.test(one.attributes.get('source') ?? ''))
  const reference = named(root, 'xref')[0]?.attributes.get('identifier')
  return {
    format: 'gpml',
    id: given(reference) ?? /^(WP\d+)/.exec(version)?.[1] ?? null,
    name: given(root.attributes.get('name') ?? root.attributes.get('title')),
    organism: given(root.attributes.get('organism')),
    description: given(comment?.text ?? named(root, 'description')[0]?.text),
    width: Math.max(right + margin, number(board?.attributes.get('boardwidth')) || 0),
    height: Math.max(bottom + margin, number(board?.attributes.get('boardheight')) || 0),
    nodes,
    edges,
  }
}

/** An elbow whose corners the file leaves to the program goes along, across, and along again. */
const bend = (points: [number, number][], type: string | undefined): [number, number][] => {
  const [[x1, y1], [x2, y2]] = [points[0]!, points.at(-1)!]
  if (type?.toLowerCase() !== 'elbow' || points.length > 2 || x1 === x2 || y1 === y2) return points
  const middle = (y1 + y2) / 2
  return [points[0]!, [x1, middle], [x2, middle], points[1]!]
}
