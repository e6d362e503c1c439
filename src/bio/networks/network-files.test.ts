import { expect, test } from 'vitest'
import { type NetworkFile, renderCytoscape, renderGraphMl } from './network-files.ts'

const network: NetworkFile = {
  nodes: [
    { id: 'YAL001C', values: { name: 'TFC3', cluster: 1 } },
    { id: 'A<B', values: { name: '"odd" & ends', cluster: null } },
  ],
  edges: [{ a: 0, b: 1, values: { score: 0.9, transferred: false } }],
}

test('GraphML says the types of its values, leaves out what is not known, and escapes', () => {
  const text = renderGraphMl(network)
  expect(text).toContain('<key id="node.cluster" for="node" attr.name="cluster" attr.type="int"/>')
  expect(text).toContain('attr.name="score" attr.type="double"')
  expect(text).toContain('attr.name="transferred" attr.type="boolean"')
  expect(text).toContain('<node id="A&#60;B"><data key="node.name">&#34;odd&#34; &#38; ends</data></node>')
  expect(text).toContain('<edge source="YAL001C" target="A&#60;B"><data key="edge.score">0.9</data>')
})

test('Cytoscape’s JSON has nodes and edges with their values', () => {
  const { elements } = JSON.parse(renderCytoscape(network))
  expect(elements.nodes[0].data).toEqual({ id: 'YAL001C', name: 'TFC3', cluster: 1 })
  expect(elements.edges[0].data).toMatchObject({ source: 'YAL001C', target: 'A<B', score: 0.9 })
})
