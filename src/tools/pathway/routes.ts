import { PortalError } from '../../contracts/errors.ts'
import type { ToolRoute } from '../../kit/engine.ts'
import { expressionRoute } from '../../kit/expression-route.ts'
import { answerEndpoint } from '../../kit/tool-endpoint.ts'
import { getExpressionValues, getPathway, listGenePathways } from './endpoints.ts'
import { readExpressionValues } from './expression-values.ts'
import {
  choosePathwayAssembly,
  describePathway,
  listPathwayGenes,
  plainPathway,
  readPathways,
} from './find-pathways.ts'
import tool from './tool.ts'

export const routes: ToolRoute[] = [
  answerEndpoint(getPathway, async ({ assembly: given, source, id }, { data }) => {
    const assembly = await choosePathwayAssembly(data, given)
    if (assembly === null) throw new PortalError('NOT_FOUND', { message: 'map.unknown', params: { id, assembly: '' } })
    return describePathway(data, assembly, { source, id })
  }),
  expressionRoute(tool.id),
  answerEndpoint(getExpressionValues, async ({ assembly, source, id, ...asked }, { data }) => {
    const genes = await listPathwayGenes(data, (await data.getAssembly(assembly)).id, { source, id })
    return readExpressionValues(data, assembly, genes, asked)
  }),
  answerEndpoint(listGenePathways, async ({ assembly, gene }, { data }) => {
    const { pathways } = await readPathways(data, (await data.getAssembly(assembly)).id)
    return {
      pathways: [...pathways.values()]
        .filter(({ genes }) => genes.has(gene))
        .map(plainPathway)
        .sort((a, b) => Number(b.drawn) - Number(a.drawn) || a.geneCount - b.geneCount || (a.id < b.id ? -1 : 1)),
    }
  }),
]
