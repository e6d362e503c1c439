import { defineGenePanel } from '../../kit/ui/gene/define-gene-panel.ts'
import { call } from '../../kit/ui/request.ts'
import { listCollections } from './endpoints.ts'
import { exampleConsensus } from './example-motifs.ts'
import messages from './messages.ts'
import tool from './tool.ts'

export default defineGenePanel({
  id: tool.id,
  messages,
  analyses: async ({ gene, t, format, request }) => {
    const { collections } = await call(listCollections, {}, request)
    const address = (more: Record<string, string>): string =>
      `${tool.route}?${new URLSearchParams({ genes: gene.id, assembly: gene.assembly, enrichment: 'false', run: '1', ...more })}`
    return [
      ...collections
        .filter(({ species }) => species === gene.species)
        .map(({ id, title, motifCount }) => ({
          key: id,
          label: t('panel.collection', { title: format.text(title), count: motifCount }),
          address: address({ motifSource: 'collection', collection: id }),
        })),
      {
        key: 'words',
        label: t('panel.words'),
        address: address({ motifSource: 'consensus', consensus: exampleConsensus(gene.speciesName) }),
      },
    ]
  },
})
