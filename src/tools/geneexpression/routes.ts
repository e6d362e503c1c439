import { profileTau } from '../../bio/expression/expression-profile.ts'
import { exactly, listExpression, openExpression, readContrastRow } from '../../kit/data/expression-data.ts'
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
      const comparisons = []
      for (const contrast of dataset.contrasts) {
        const found = await readContrastRow(data, assembly, id, contrast.id, gene)
        if (found === null) continue
        const [log2FoldChange, pValue, adjustedPValue] = Array.from(found, (value) =>
          Number.isFinite(value) ? value : null,
        )
        comparisons.push({
          contrast: contrast.id,
          log2FoldChange: log2FoldChange!,
          pValue: pValue!,
          adjustedPValue: adjustedPValue!,
        })
      }
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
          comparisons,
        })
      } finally {
        await matrix.close()
      }
    }
    return { profiles }
  }),
]
