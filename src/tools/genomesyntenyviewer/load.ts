import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { collinearFormats, parseCollinearFile } from '../../bio/collinear-files.ts'
import { assemblyIdSchema, filePathSchema } from '../../contracts/manifest.ts'
import { type GivenBlocks, givenBlocksFile, givenBlocksType } from '../../kit/collinear-blocks.ts'
import { type CheckContext, defineLoader } from '../../kit/loader.ts'
import { readInputText } from '../../kit/read-input.ts'

const entrySchema = z
  .object({
    file: filePathSchema,
    format: z.enum(collinearFormats).optional().describe('Guessed from the first lines when absent.'),
    assemblies: z
      .tuple([assemblyIdSchema, assemblyIdSchema])
      .optional()
      .describe(
        'Assemblies of the first and the second side; needed by a PAF (query first), else told from the genes.',
      ),
  })
  .strict()
type Entry = z.infer<typeof entrySchema>

const read = async ({ file, format, assemblies }: Entry, context: CheckContext): Promise<GivenBlocks | null> => {
  const text = await readInputText(file, context)
  if (text === null) return null
  const parsed = parseCollinearFile(text, format)
  if (!('blocks' in parsed)) {
    context.report({ code: 'collinear-file', file, line: parsed.line, params: { reason: parsed.reason } })
    return null
  }
  if (parsed.format === 'paf' && assemblies === undefined) {
    context.report({ code: 'collinear-assemblies', file, line: null, params: {} })
    return null
  }
  return { file, ...parsed, assemblies: assemblies ?? null }
}

/** Collinear blocks of a lab's own run, in place of those that the portal would compute of the assemblies they are of. */
export default defineLoader({
  entry: 'synteny',
  scope: 'species',
  schema: z
    .array(entrySchema)
    .min(1)
    .describe(
      'Collinear blocks of MCScanX (.collinearity), JCVI (.anchors, .simple) or whole-genome alignment (PAF): taken in place of the portal’s own for the assemblies they are of.',
    ),
  version: 1,
  check: async (entries, context) => {
    for (const entry of entries) await read(entry, context)
  },
  bake: async (entries, context): Promise<Record<string, number>> => {
    const given: GivenBlocks[] = []
    for (const entry of entries ?? []) {
      const blocks = await read(entry, context)
      if (blocks !== null) given.push(blocks)
    }
    if (given.length === 0) return {}
    await writeFile(join(context.directory, givenBlocksFile), JSON.stringify(given))
    context.addFile(givenBlocksFile, { kind: givenBlocksType })
    return { [givenBlocksType]: given.reduce((sum, { blocks }) => sum + blocks.length, 0) }
  },
})
