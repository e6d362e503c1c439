import { profileTau } from '../../bio/expression/expression-profile.ts'
import { exactly, listExpression, openExpression } from '../../kit/data/expression-data.ts'
import type { ToolRoute } from '../../kit/engine.ts'
import { expressionRoute } from '../../kit/expression-route.ts'
import { answerEndpoint } from '../../kit/tool-endpoint.ts'
import { getGeneExpression } from './endpoints.ts'
import tool from './tool.ts'

export const routes: ToolRoute[] = [
  expressionRoute(tool.id),

  answerEndpoint(getGeneExpression, async ({ assembly, gene }, { data }) => {
    await data.getAssembly(assembly)
    const profiles = []
    for (const { id } of await listExpression(data, assembly)) {
      const { dataset, rows, openValues } = await openExpression(data, assembly, id)
      const row = rows.get(gene)
      if (row === undefined) continue
      const matrix = await openValues()
      try {
        const [values] = await matrix.readRows([row])
        const sums = dataset.samples.map(({ sum }) => sum)
        const groups = dataset.samples.map((sample) =>
          dataset.group === null ? sample.id : (sample.factors[dataset.group] ?? ''),
        )
        profiles.push({
          dataset,
          values: Array.from(values!, exactly),
          tau: profileTau(values!, dataset.unit, sums, groups),
        })
      } finally {
        await matrix.close()
      }
    }
    return { profiles }
  }),
]
