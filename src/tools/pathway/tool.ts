import { z } from 'zod'
import { assemblyIdSchema } from '../../contracts/manifest.ts'
import { defineTool, identifiersSchema } from '../../contracts/tools/tool.ts'
import { defineLimits } from '../../contracts/tools/tool-limits.ts'
import { pathwayListSchema } from './endpoints.ts'

export const limits = defineLimits('pathway', { genes: 20_000, related: 12, values: 100_000 })

export default defineTool({
  id: 'pathway',
  route: '/pathway',
  category: 'find',
  order: 80,
  icon: 'workflow',
  mode: 'answer',
  version: 2,
  input: z.object({
    assembly: assemblyIdSchema.optional(),
    /** A set whose genes are counted in each pathway. */
    genes: identifiersSchema(limits.genes).optional(),
    /** A collection of pathways; all when empty. */
    source: z.string().max(60).default(''),
    /** A part of the name or id. */
    query: z.string().max(200).default(''),
  }),
  result: pathwayListSchema,
  limits,
  needs: [{ kind: 'data', dataType: 'pathways', entry: 'pathways' }],
  records: { pathway: '/path/map?assembly={assembly}&source={id.0}&id={id.1}' },
  example: ({ assemblies }) => {
    const able = assemblies.filter((one) => one.exampleGenes.length > 0)
    const assembly = able.find((one) => (one.dataTypes.pathways ?? 0) > 0) ?? able[0]
    return assembly === undefined
      ? null
      : { assembly: assembly.id, genes: assembly.exampleGenes.map((gene) => gene.id) }
  },
})
