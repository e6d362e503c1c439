import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { filePathSchema } from '../../contracts/manifest.ts'
import { type CheckContext, defineLoader } from '../../kit/loader.ts'
import { readInputText } from '../../kit/read-input.ts'
import toolDefects from './defects.ts'
import { type OrthogroupTable, parseOrthogroupTable } from './orthogroup-table.ts'
import { tableFile } from './stored.ts'

const parse = async (file: string, context: CheckContext): Promise<{ table: OrthogroupTable; text: string } | null> => {
  const text = await readInputText(file, context)
  if (text === null) return null
  const table = parseOrthogroupTable(text)
  if ('columns' in table) return { table, text }
  context.report(toolDefects, {
    code: 'orthogroup-table',
    file,
    line: null,
    params: { reason: table.reason },
  })
  return null
}

/** Orthogroups of a lab's own run of OrthoFinder, Panaroo or Roary, in place of those that the portal would cluster. */
export default defineLoader({
  entry: 'orthogroups',
  scope: 'species',
  schema: filePathSchema.describe(
    'Orthogroups.tsv or N0.tsv of OrthoFinder, or gene_presence_absence.csv of Panaroo or Roary: taken in place of the portal’s own clustering. Its columns are assemblies, by their ids, the names of their files, or their genes.',
  ),
  version: 2,
  bake: async (file, context): Promise<Record<string, number>> => {
    if (file === null) return {}
    const read = await parse(file, context)
    if (read === null) return {}
    await writeFile(join(context.directory, tableFile), read.text)
    context.addFile(tableFile, { kind: 'orthogroups' })
    return { orthogroups: read.table.groups.length }
  },
})
