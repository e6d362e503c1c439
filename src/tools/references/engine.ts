import { defineEngine } from '../../kit/engine.ts'
import { describePublications, findPublications, searchStep } from './find-publications.ts'
import { routes } from './routes.ts'
import tool from './tool.ts'

export default defineEngine({
  tool,
  programs: [],
  run: async (input, { data, receipt }) => {
    const { library, found, loaded, corrections, gene, facets } = await findPublications(input, data)
    const shown = found.slice((input.page - 1) * input.pageSize, input.page * input.pageSize)
    receipt.addStep(searchStep)
    for (const { id, species } of library.assemblies) {
      const chosen = input.assembly !== '' ? id === input.assembly : input.species === '' || species === input.species
      if (chosen) receipt.addData(id)
    }
    return {
      publications: await describePublications(shown, library, data),
      total: found.length,
      loaded,
      page: input.page,
      pageSize: input.pageSize,
      facets,
      corrections,
      gene,
    }
  },
  routes,
})
