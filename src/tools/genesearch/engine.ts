import { defineEngine } from '../../kit/engine.ts'
import { prepare, searchStep } from './open-search.ts'
import { routes } from './routes.ts'
import { addComparisons } from './search-expression.ts'
import { describeGenes, findPage, listAllGenes } from './search-genes.ts'
import tool from './tool.ts'

export default defineEngine({
  tool,
  programs: [],
  run: async (input, { data, receipt }) => {
    const { bundles, prepared } = await prepare(input, data)
    const offset = (input.page - 1) * input.pageSize
    const { rows, counts } =
      input.groups.length === 0 && input.sort === 'position'
        ? await listAllGenes(data.sql, bundles, input.descending, offset, input.pageSize)
        : await findPage(data.sql, bundles, prepared, input, offset, input.pageSize)
    const described = await describeGenes(data.sql, bundles, rows, input.annotations)
    const genes = await addComparisons(data, described, input.comparisons)
    const byAssembly = bundles.map(({ assembly, bundle }) => ({ assembly, count: counts.get(bundle) ?? 0 }))
    for (const { assembly } of bundles) receipt.addData(assembly)
    receipt.addStep(searchStep)
    return {
      genes,
      total: byAssembly.reduce((sum, { count }) => sum + count, 0),
      page: input.page,
      pageSize: input.pageSize,
      byAssembly,
      readings: prepared.readings,
    }
  },
  routes,
})
