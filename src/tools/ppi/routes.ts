import type { ToolRoute } from '../../kit/engine.ts'
import { answerEndpoint } from '../../kit/tool-endpoint.ts'
import { listDatasets } from './endpoints.ts'
import { listInteractionSets, listSources } from './open-network.ts'

export const routes: ToolRoute[] = [
  answerEndpoint(listDatasets, async ({ assembly }, { data }) => {
    await data.getAssembly(assembly)
    return { datasets: await listInteractionSets(data, assembly), sources: await listSources(data, assembly) }
  }),
]
