import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { alignmentDefects } from '../../bio/alignment/alignment-defects.ts'
import { collinearDefects } from '../../bio/comparative/collinear-defects.ts'
import { collinearFormats, parseCollinearFile } from '../../bio/comparative/collinear-files.ts'
import { DefectLog } from '../../bio/text/defects.ts'
import { refuseLeftOut } from '../../bio/text/left-out.ts'
import { assemblyIdSchema, filePathSchema } from '../../contracts/manifest.ts'
import { type GivenBlocks, givenBlocksFile, givenBlocksType } from '../../kit/data/collinear-blocks.ts'
import { type AssemblySequences, type CheckContext, defineLoader } from '../../kit/loader.ts'
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
    context.report(collinearDefects, {
      code: 'collinear-file',
      file,
      line: parsed.line,
      params: { reason: parsed.reason },
    })
    return null
  }
  if (parsed.format === 'paf' && assemblies === undefined) {
    context.report(collinearDefects, { code: 'collinear-assemblies', file, line: null, params: {} })
    return null
  }
  return { file, ...parsed, assemblies: assemblies ?? null }
}

/**
 * Holds the blocks of a PAF to the two genomes: another length of a sequence is another assembly; names that are not known are told by
 * the first of their lines, and refuse the file when they are nearly all.
 */
const checkSequences = (
  { file, assemblies, blocks }: GivenBlocks,
  sequencesOf: (assembly: string) => AssemblySequences | null,
  log: DefectLog,
): void => {
  if (assemblies === null) return
  const unknown = new Map<string, number>()
  const reported = new Set<string>()
  let unplaced = 0
  for (const block of blocks) {
    let isPlaced = true
    for (const [side, assembly] of [
      [block.a, assemblies[0]],
      [block.b, assemblies[1]],
    ] as const) {
      const sequences = sequencesOf(assembly)
      if (sequences === null || side.sequence === null) continue
      const found = sequences.find(side.sequence)
      if (found === null) {
        isPlaced = false
        if (!unknown.has(side.sequence)) unknown.set(side.sequence, block.line)
      } else if (side.lengthBp !== undefined && side.lengthBp !== found.lengthBp && !reported.has(side.sequence)) {
        reported.add(side.sequence)
        const params = { name: side.sequence, found: side.lengthBp, expected: found.lengthBp }
        log.report(alignmentDefects, 'alignment-other-length', file, block.line, params)
      }
    }
    if (!isPlaced) unplaced += 1
  }
  const [first] = unknown
  if (first === undefined) return
  const [example, line] = first
  log.report(collinearDefects, 'collinear-name', file, line, { count: unknown.size, example })
  refuseLeftOut(log, file, { why: 'unknown', count: unplaced, total: blocks.length, line, example })
  if (unplaced === blocks.length)
    log.report(collinearDefects, 'collinear-file', file, line, { reason: `no sequence ${example}` })
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
  version: 2,
  checkAgainst: async (entries, context) => {
    for (const entry of entries) {
      if (entry.assemblies === undefined) continue
      // What cannot be read was told when it was read first.
      const given = await read(entry, { ...context, report: () => undefined, forward: () => undefined })
      if (given === null) continue
      const log = new DefectLog()
      checkSequences(given, context.sequencesOf, log)
      for (const defect of log.defects) context.forward(defect)
    }
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
