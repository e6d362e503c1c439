import { z } from 'zod'
import { parseBibtex, parseRis, type Reference } from '../../bio/literature/references.ts'
import { DefectLog } from '../../bio/text/defects.ts'
import { assemblyIdSchema, filePathSchema } from '../../contracts/manifest.ts'
import { type BakeContext, type CheckContext, defineLoader } from '../../kit/loader.ts'
import { readInputText } from '../../kit/read-input.ts'
import toolDefects from './defects.ts'
import { type BakedReference, referenceKind } from './stored.ts'

const fileSchema = filePathSchema.describe('Publications as BibTeX (.bib) or RIS (.ris).')

const referencesSchema = z
  .array(
    z.union([
      fileSchema,
      z
        .object({
          file: fileSchema,
          assemblies: z
            .array(assemblyIdSchema)
            .min(1)
            .optional()
            .describe(
              'Assemblies that these publications are about; else what their keywords and the sources of the data tell.',
            ),
          genes: z
            .record(z.string(), z.array(z.string().min(1).max(200)))
            .optional()
            .describe(
              'Genes of a publication by its key, for files that cannot be changed: { goffeau1996: [YAL001C] }.',
            ),
        })
        .strict(),
    ]),
  )
  .describe('Publications behind the data, searchable and cited with it.')

const readReferences = async (file: string, context: CheckContext): Promise<Reference[]> => {
  const text = await readInputText(file, context)
  if (text === null) return []
  const log = new DefectLog()
  // RIS records begin with a TY line, whatever the file is called.
  const references = /^\s*TY {2}-/m.test(text) ? parseRis(text, { file, log }) : parseBibtex(text, { file, log })
  for (const defect of log.defects) context.forward(defect)
  return references
}

const merge = <T>(one: readonly T[], other: readonly T[]): T[] => [...new Set([...one, ...other])]

const bake = async (
  entries: z.output<typeof referencesSchema> | null,
  context: BakeContext,
): Promise<Record<string, number>> => {
  const byKey = new Map<string, BakedReference>()
  for (const entry of entries ?? []) {
    const { file, assemblies = null, genes = {} } = typeof entry === 'string' ? { file: entry } : entry
    const references = await readReferences(file, context)
    const log = new DefectLog()
    for (const key of Object.keys(genes))
      if (!references.some((reference) => reference.key === key))
        log.report(toolDefects, 'reference-unknown-key', file, null, { key })
    for (const defect of log.defects) context.forward(defect)
    for (const reference of references) {
      const before = byKey.get(reference.key)
      const own = merge(reference.genes, genes[reference.key] ?? [])
      // The same publication in a second file adds to what it is about; its text stays the first one's.
      if (before === undefined) byKey.set(reference.key, { ...reference, genes: own, assemblies })
      else {
        before.genes = merge(before.genes, own)
        if (assemblies !== null) before.assemblies = merge(before.assemblies ?? [], assemblies)
      }
    }
  }
  for (const reference of byKey.values()) {
    await context.addRecord({ kind: referenceKind, id: reference.key, data: reference })
    await context.addSearchEntry({
      type: 'reference',
      id: reference.key,
      label: reference.title ?? reference.key,
      description: describe(reference),
      names: [reference.doi ?? '', reference.pubmedId ?? ''].filter((name) => name !== ''),
      extra: [reference.abstract ?? '', ...reference.authors, ...reference.keywords, ...reference.genes].join(' '),
      relevance: 3,
    })
  }
  return byKey.size > 0 ? { references: byKey.size } : {}
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
  version: 2,
  bake,
})
