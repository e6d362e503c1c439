import type { ToolRoute } from '../../kit/engine.ts'
import { answerEndpoint } from '../../kit/tool-endpoint.ts'
import { listCollections } from './endpoints.ts'
import { experimentSets } from './experiment-sets.ts'
import { readAnnotation } from './read-annotation.ts'
import { suggestSets } from './suggest-sets.ts'

export const routes: ToolRoute[] = [
  answerEndpoint(listCollections, async ({ assembly }, { data }) => {
    const chosen =
      assembly === undefined || assembly === ''
        ? (await data.defaultAssembly())?.id
        : (await data.getAssembly(assembly)).id
    if (chosen === undefined) return { assembly: null, collections: [], examples: [] }
    const { collections, geneIds } = await readAnnotation(data, chosen, true)
    const experiments = await experimentSets(data, chosen)
    return {
      assembly: chosen,
      collections: collections.map(({ id, source, namespace, annotatedGenes, terms }) => ({
        id,
        source,
        namespace,
        genes: annotatedGenes,
        terms: terms.length,
      })),
      examples:
        experiments.length > 0
          ? experiments.map(({ dataset: { name, measure, simulated }, genes, contrast, level, other, direction }) => ({
              genes,
              term: null,
              experiment: { name, measure, simulated, contrast, level, other, direction },
            }))
          : suggestSets(collections, geneIds).map(({ term, name, genes }) => ({
              genes,
              term: { id: term, name },
              experiment: null,
            })),
    }
  }),
]
