import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { PortalError } from '../../contracts/errors.ts'
import { jobIdSchema } from '../../contracts/tools/jobs.ts'
import { receiptNote } from '../../contracts/tools/receipt.ts'
import { defineRoute, type ToolRoute, type ToolRouteContext } from '../../kit/engine.ts'
import { readFasta } from './read-sequences.ts'
import { resultSchema } from './tool.ts'

/** The whole alignment, and the columns of it that the tree was made from, under the leaves' names. */
export const alignmentFile = 'alignment.fa'
export const columnsFile = 'trimmed.fa'

const openTree = async (job: string, context: ToolRouteContext) => {
  const { directory, result, receipt } = await context.openJob(job)
  const parsed = resultSchema.safeParse(result)
  // A job of another tool has an address of this form too.
  if (!parsed.success) throw new PortalError('NOT_FOUND')
  /** How the tree was made, for the description of a sequence. */
  const describe = async (): Promise<string> =>
    receiptNote(await context.describeReceipt({ job: receipt, parameters: {}, assemblies: [], steps: [] }))
  return { directory, result: parsed.data, describe }
}

const input = z.object({ job: jobIdSchema })

const readAlignment = async (job: string, file: string, context: ToolRouteContext) => {
  const { directory, result, describe } = await openTree(job, context)
  if (result.alignment === null) throw new PortalError('NOT_FOUND')
  return { text: await readFile(join(directory, result.source === 'tree' ? alignmentFile : file), 'utf8'), describe }
}

export const routes: ToolRoute[] = [
  defineRoute({
    path: 'jobs/{job}/alignment/',
    summary: 'The alignment of a tree that is done, one text a row',
    input,
    handle: async ({ job }, context) => {
      const records = readFasta((await readAlignment(job, alignmentFile, context)).text, 'alignment')
      return { json: { names: records.map(({ name }) => name), rows: records.map(({ sequence }) => sequence) } }
    },
  }),
  ...[alignmentFile, columnsFile].map((file) =>
    defineRoute({
      path: `jobs/{job}/${file}`,
      summary:
        file === alignmentFile ? 'The whole alignment as FASTA' : 'The columns that the tree was made from, as FASTA',
      input,
      handle: async ({ job }, context) => {
        const { text, describe } = await readAlignment(job, file, context)
        const note = await describe()
        return {
          body: text.replaceAll(/^>.*$/gm, (header) => `${header} ${note}`),
          contentType: 'text/x-fasta; charset=utf-8',
          fileName: file,
        }
      },
    }),
  ),
  defineRoute({
    path: 'jobs/{job}/tree.nwk',
    summary: 'The tree as Newick, as the program made it',
    input,
    handle: async ({ job }, context) => {
      const { result } = await openTree(job, context)
      return {
        // The tree alone, as in every file of Newick; how it was made is in the receipt of the job's result.
        body: `${result.newick}\n`,
        contentType: 'text/x-newick; charset=utf-8',
        fileName: 'tree.nwk',
      }
    },
  }),
]
