import { join } from 'node:path'
import type { z } from 'zod'
import type { Database } from '../database/connect.ts'
import type { OpenPortalData } from '../kit/data/create-portal-data.ts'
import type { EngineContext } from '../kit/engine.ts'
import { makeEngineContext } from './contexts.ts'
import { openEmptyPortal } from './empty-portal.ts'
import { loadTestSpecies, makeGff3, makeSpeciesFolder } from './species.ts'

// A portal with one made species of many short genes, for tools over values of genes: loaded by the loader, asked through the engines.

export interface GenesPortal {
  database: Database
  data: OpenPortalData
  assembly: string
  /** Where engines may write. */
  context(): EngineContext
  close(): Promise<void>
}

interface AnsweringTool<Input extends z.ZodType, Result extends z.ZodType> {
  input: Input
  result: Result
}

/** Runs an engine on an input of its tool; the answer as its schema has it. */
export const askEngine = async <Input extends z.ZodType, Result extends z.ZodType>(
  portal: GenesPortal,
  tool: AnsweringTool<Input, Result>,
  engine: { run: (input: z.output<Input>, context: EngineContext) => Promise<unknown> },
  input: object,
): Promise<z.output<Result>> =>
  tool.result.parse(
    await engine.run(tool.input.parse({ assembly: portal.assembly, ...input }) as z.output<Input>, portal.context()),
  ) as z.output<Result>

/** Loads a species whose genes are `geneIds`, with the given lines of its manifest and further files. Throws when the load fails. */
export const openGenesPortal = async (made: {
  species: string
  geneIds: readonly string[]
  manifest: string
  files: Record<string, string>
}): Promise<GenesPortal> => {
  const assembly = 'X1'
  const { database, root, dataDir, openData, hearChanges, close } = await openEmptyPortal('genes-portal')
  const data = await openData()
  const models = made.geneIds.flatMap((id, at) => {
    // Those beyond the sixtieth lie over the others: the genome is short.
    const start = 1000 + (at % 60) * 30 + Math.floor(at / 60)
    const end = start + 20
    return [
      `chr1\tx\tncRNA_gene\t${start}\t${end}\t.\t+\t.\tID=${id}`,
      `chr1\tx\tncRNA\t${start}\t${end}\t.\t+\t.\tID=${id}.1;Parent=${id}`,
      `chr1\tx\texon\t${start}\t${end}\t.\t+\t.\tParent=${id}.1`,
    ]
  })
  const folder = makeSpeciesFolder(join(root, 'folder'), {
    species: made.species,
    assembly,
    manifest: made.manifest,
    files: { 'genes.gff3': makeGff3(models), ...made.files },
  })
  const report = await loadTestSpecies(database, dataDir, folder)
  const errors = report.defects.filter(({ severity }) => severity === 'error')
  if (report.failure !== null || errors.length > 0) {
    await close()
    throw new Error(JSON.stringify(report.failure ?? errors))
  }
  // The catalogue tells its readers of a switch; a test must not be quicker than the message.
  await hearChanges()
  return {
    database,
    data,
    assembly,
    context: () => makeEngineContext({ data, directory: root }),
    close,
  }
}
