import { z } from 'zod'
import { entryIdSchema, filePathSchema, refuseEqualIds } from '../../contracts/manifest.ts'
import { localizedTextSchema } from '../../contracts/text.ts'
import { type BakeContext, defineLoader } from '../../kit/loader.ts'
import { openGenome } from '../../store/genome-fasta.ts'
import { bakeGraph } from './bake-graph.ts'
import { bakeGivenAlignment } from './given-alignment.ts'
import { graphKind, overviewKind, type StoredGraph } from './stored.ts'

const graphsSchema = z
  .array(
    z
      .object({
        id: entryIdSchema.describe('Name of the graph in addresses, unique in the assembly.'),
        name: localizedTextSchema.describe('Shown to readers.'),
        file: filePathSchema.describe('Graph in GFA 1.0 or 1.1 with P or W lines, or rGFA; plain or gzip.'),
        sample: z
          .string()
          .max(200)
          .optional()
          .describe(
            'Sample of the paths that are this assembly, as the graph names it; the id of the assembly when absent.',
          ),
        description: localizedTextSchema.optional(),
        licence: z.string().max(200).optional(),
        simulated: z.boolean().optional(),
      })
      .strict(),
  )
  .max(50)
  .superRefine(refuseEqualIds)
  .describe('Pan-genome graphs that the assembly has a path through.')
type Graphs = z.output<typeof graphsSchema>

const bake = async (value: Graphs | null, context: BakeContext): Promise<Record<string, number>> => {
  if (value === null || value.length === 0) return {}
  const genome = await openGenome(context.directory)
  let count = 0
  try {
    for (const entry of value) {
      const { id, file } = entry
      const sample = entry.sample ?? context.assembly ?? ''
      const baked = await bakeGraph({ id, file, sample }, context, (sequence, start0, end0) =>
        genome.fetch(sequence, start0, end0),
      )
      if (baked === null) continue
      const { overviews, ...about } = baked
      const stored: StoredGraph = {
        id,
        name: entry.name,
        ...about,
        description: entry.description ?? null,
        licence: entry.licence ?? context.licence,
        simulated: entry.simulated ?? context.simulated,
      }
      await context.addRecord({ kind: graphKind, id, data: stored })
      for (const [number, overview] of overviews.entries())
        await context.addRecord({ kind: overviewKind, id: `${id}/${number}`, data: overview })
      count += 1
    }
  } finally {
    await genome.close()
  }
  return { graphs: count }
}

const alignmentSchema = z
  .object({
    file: filePathSchema.describe(
      'PAF with operations (cg:Z or cs:Z; the assembly is the query, the reference the target), or a chain file of UCSC’s tools (the reference is its first sequence).',
    ),
  })
  .strict()
  .describe('Alignment of the assembly to the reference of its species, in place of the portal’s own by minimap2.')

export default [
  defineLoader({ entry: 'graphs', scope: 'assembly', schema: graphsSchema, version: 1, bake }),
  defineLoader({
    entry: 'alignment',
    scope: 'assembly',
    schema: alignmentSchema,
    version: 1,
    bake: async (value, context): Promise<Record<string, number>> =>
      value !== null && (await bakeGivenAlignment(value.file, context)) ? { givenAlignments: 1 } : {},
  }),
]
