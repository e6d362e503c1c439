import { defineGenePanel } from '../../kit/ui/gene/define-gene-panel.ts'
import { call } from '../../kit/ui/request.ts'
import { listGraphs } from './endpoints.ts'
import messages from './messages.ts'
import tool from './tool.ts'

/** Graphs that have the gene. */
export default defineGenePanel({
  id: tool.id,
  messages,
  analyses: async ({ gene, t, format, request }) => {
    const { assembly } = gene
    const { graphs } = await call(listGraphs, { assembly }, request)
    return graphs
      .filter(
        ({ loci }) =>
          loci === null ||
          loci.some(({ sequence, start, end }) => sequence === gene.sequence && gene.end >= start && gene.start <= end),
      )
      .map((graph) => ({
        key: graph.id,
        label: t('panel.graph', { name: format.text(graph.name), count: graph.samples.length }),
        address: `${tool.route}?${new URLSearchParams({ assembly, graph: graph.id, locus: gene.id, run: '1' })}`,
      }))
  },
})
