import { escapeXml } from '../text/xml.ts'

type Cell = string | number | boolean | null

/** A network whose nodes and edges carry values; the values of the first say which columns there are and of what type. */
export interface NetworkFile {
  /** How it was made, line by line. */
  about?: readonly string[]
  nodes: readonly { id: string; values: Readonly<Record<string, Cell>> }[]
  /** Ends by their places among the nodes. */
  edges: readonly { a: number; b: number; values: Readonly<Record<string, Cell>> }[]
}

const typeOf = (cells: readonly Cell[]): string => {
  const known = cells.filter((cell) => cell !== null)
  if (known.length > 0 && known.every((cell) => typeof cell === 'boolean')) return 'boolean'
  if (known.length === 0 || known.some((cell) => typeof cell !== 'number')) return 'string'
  return known.every((cell) => Number.isInteger(cell)) ? 'int' : 'double'
}

/** An undirected network as GraphML (graphml.graphdrawing.org), which Cytoscape, Gephi, igraph and NetworkX read. */
export const renderGraphMl = ({ about = [], nodes, edges }: NetworkFile): string => {
  const keys = (of: 'node' | 'edge', rows: NetworkFile['nodes'] | NetworkFile['edges']): string[] =>
    Object.keys(rows[0]?.values ?? {}).map(
      (name) =>
        `<key id="${of}.${escapeXml(name)}" for="${of}" attr.name="${escapeXml(name)}" attr.type="${typeOf(rows.map(({ values }) => values[name] ?? null))}"/>`,
    )
  const cells = (of: 'node' | 'edge', values: Readonly<Record<string, Cell>>): string =>
    Object.entries(values)
      .map(([name, cell]) =>
        cell === null ? '' : `<data key="${of}.${escapeXml(name)}">${escapeXml(String(cell))}</data>`,
      )
      .join('')
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<graphml xmlns="http://graphml.graphdrawing.org/xmlns">',
    ...keys('node', nodes),
    ...keys('edge', edges),
    '<graph edgedefault="undirected">',
    ...(about.length === 0 ? [] : [`<desc>${escapeXml(about.join('\n'))}</desc>`]),
    ...nodes.map(({ id, values }) => `<node id="${escapeXml(id)}">${cells('node', values)}</node>`),
    ...edges.map(
      ({ a, b, values }) =>
        `<edge source="${escapeXml(nodes[a]!.id)}" target="${escapeXml(nodes[b]!.id)}">${cells('edge', values)}</edge>`,
    ),
    '</graph>',
    '</graphml>',
    '',
  ].join('\n')
}

/** The network as Cytoscape and Cytoscape.js read it (CYJS). */
export const renderCytoscape = ({ about = [], nodes, edges }: NetworkFile): string =>
  `${JSON.stringify({
    data: { about },
    elements: {
      nodes: nodes.map(({ id, values }) => ({ data: { id, ...values } })),
      edges: edges.map(({ a, b, values }) => ({
        data: { id: `${a}-${b}`, source: nodes[a]!.id, target: nodes[b]!.id, ...values },
      })),
    },
  })}\n`
