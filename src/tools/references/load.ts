import { readFile } from 'node:fs/promises'
import { z } from 'zod'
import { DefectLog } from '../../bio/defects.ts'
import { parseBibtex, parseRis, type Reference } from '../../bio/references.ts'
import { filePathSchema } from '../../contracts/manifest.ts'
import { type BakeContext, type CheckContext, defineLoader } from '../../kit/loader.ts'

const referencesSchema = z
  .array(filePathSchema.describe('Publications as BibTeX (.bib) or RIS (.ris).'))
  .describe('Publications behind the data, searchable and cited with it.')

const readReferences = async (file: string, context: CheckContext): Promise<Reference[]> => {
  const text = await readFile(await context.resolveFile(file), 'utf8')
  const log = new DefectLog()
  // RIS records begin with a TY line, whatever the file is called.
  const references = /^\s*TY {2}-/m.test(text) ? parseRis(text, { file, log }) : parseBibtex(text, { file, log })
  for (const defect of log.defects) context.report(defect)
  return references
}

const bake = async (files: string[] | null, context: BakeContext): Promise<Record<string, number>> => {
  const seen = new Set<string>()
  for (const file of files ?? []) {
    for (const reference of await readReferences(file, context)) {
      if (seen.has(reference.key)) continue
      seen.add(reference.key)
      await context.addRecord({ kind: 'reference', id: reference.key, data: reference })
      await context.addSearchEntry({
        type: 'reference',
        id: reference.key,
        label: reference.title ?? reference.key,
        description: describe(reference),
        extra: [reference.abstract ?? '', ...reference.keywords].join(' '),
        worth: 3,
      })
    }
  }
  return seen.size > 0 ? { references: seen.size } : {}
}

/** Authors, year and journal on one line. */
const describe = (reference: Reference): string => {
  const authors = reference.authors.map((author) => author.split(',')[0]!)
  const names = authors.length > 3 ? `${authors.slice(0, 3).join(', ')} et al.` : authors.join(', ')
  return [names, reference.year, reference.journal].filter((part) => part !== null && part !== '').join(', ')
}

/** Publications of the species. */
export default defineLoader({
  entry: 'references',
  scope: 'species',
  schema: referencesSchema,
  version: 1,
  bake,
})
