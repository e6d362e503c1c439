import { readAnnotation } from '../../kit/data/annotation-index.ts'
import type { PortalData } from '../../kit/data/portal-data.ts'
import type { ToolRoute } from '../../kit/engine.ts'
import { answerEndpoint } from '../../kit/tool-endpoint.ts'
import { listCollections, listExamples } from './endpoints.ts'
import { experimentSets } from './experiment-sets.ts'
import { suggestSets } from './suggest-sets.ts'

const chooseAssembly = async (data: PortalData, assembly: string | undefined): Promise<string | undefined> =>
  assembly === undefined || assembly === '' ? (await data.defaultAssembly())?.id : (await data.getAssembly(assembly)).id

export const routes: ToolRoute[] = [
  answerEndpoint(listCollections, async ({ assembly }, { data }) => {
    const chosen = await chooseAssembly(data, assembly)
    if (chosen === undefined) return { assembly: null, collections: [] }
    const { collections } = await readAnnotation(data, chosen, true)
    return {
      assembly: chosen,
      collections: collections.map(({ id, source, namespace, annotatedGenes, terms }) => ({
        id,
        source,
        namespace,
        genes: annotatedGenes,
        terms: terms.length,
      })),
    }
  }),
  // By itself: experiments are read and tested for it, which neither the form nor the list of tools may wait for.
  answerEndpoint(listExamples, async ({ assembly }, { data }) => {
    const chosen = await chooseAssembly(data, assembly)
    if (chosen === undefined) return { assembly: null, examples: [] }
    const experiments = await experimentSets(data, chosen)
    if (experiments.length > 0)
      return {
        assembly: chosen,
        examples: experiments.map(
          ({ dataset: { name, measure, simulated }, genes, contrast, level, other, direction }) => ({
            genes,
            term: null,
            experiment: { name, measure, simulated, contrast, level, other, direction },
          }),
        ),
      }
    const { collections, geneIds } = await readAnnotation(data, chosen, true)
    return {
      assembly: chosen,
      examples: suggestSets(collections, geneIds).map(({ term, name, genes }) => ({
        genes,
        term: { id: term, name },
        experiment: null,
      })),
    }
  }),
]
