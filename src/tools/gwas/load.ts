import { mkdir } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { z } from 'zod'
import { type AssociationField, associationFields } from '../../bio/association/association-table.ts'
import { DefectLog } from '../../bio/text/defects.ts'
import { entryIdSchema, filePathSchema, refuseEqualIds } from '../../contracts/manifest.ts'
import { localizedTextSchema, textIn } from '../../contracts/text.ts'
import { type BakeContext, defineLoader, idsNamed } from '../../kit/loader.ts'
import { bakeAssociations, readLoci } from './bake-associations.ts'
import { associationData, associationPlotKind, type BakedAssociationSet } from './stored.ts'

const columnFields = associationFields.filter((field) => field !== 'omitted')

const entrySchema = z
  .object({
    id: entryIdSchema.describe('Name of the table in addresses, unique in the assembly.'),
    name: localizedTextSchema.describe('Shown to readers.'),
    description: localizedTextSchema.optional(),
    file: filePathSchema.describe(
      'Associations, one variant a line: PLINK, GEMMA, GCTA, REGENIE, SAIGE, BOLT-LMM, PheWeb or any table with columns for the place and the p-value. A column of the trait makes it a table of many traits.',
    ),
    columns: z
      .partialRecord(z.enum(columnFields as [AssociationField, ...AssociationField[]]), z.string().max(200))
      .optional()
      .describe('Columns by what they hold, where the heading does not tell.'),
    positions: filePathSchema
      .optional()
      .describe(
        'Places of variants by name, for tables without: .bim, .map, VCF, or a table of id, chromosome and position.',
      ),
    trait: z.string().min(1).max(200).optional().describe('The trait, where the table has no column of it.'),
    unit: z.string().max(60).optional(),
    threshold: z
      .number()
      .positive()
      .max(1)
      .optional()
      .describe('The p-value of significance; 0.05 over the number of tests where absent.'),
    complete: z
      .boolean()
      .optional()
      .describe('False when only hits are in the table; told from the p-values where absent.'),
    phenotypes: z.string().max(100).optional().describe('Set of phenotypes that the scan was made of.'),
    variants: z
      .string()
      .max(100)
      .optional()
      .describe('Set of variants that the scan was made of: for linkage in figures.'),
    licence: z.string().max(200).optional(),
    simulated: z.boolean().optional(),
  })
  .strict()

const schema = z
  .array(entrySchema)
  .superRefine(refuseEqualIds)
  .describe('Genome-wide association scans: tables of p-values.')
type Entry = z.output<typeof schema>[number]

/** Traits that are found by the search. */
const maxSearchEntries = 20_000

const bakeEntry = async (entry: Entry, share: (fraction: number) => void, context: BakeContext): Promise<number> => {
  const path = await context.resolveFile(entry.file)
  const log = new DefectLog()
  const report = (file: string): void => {
    for (const defect of log.defects) context.forward({ ...defect, file })
  }
  const loci =
    entry.positions === undefined
      ? null
      : await readLoci(await context.resolveFile(entry.positions), context.findSequence, log)
  const file = `gwas/${entry.id}.bed.gz`
  const baked = await bakeAssociations({
    file: path,
    ...(entry.columns === undefined ? {} : { columns: entry.columns }),
    trait: entry.trait ?? textIn(entry.name, 'en'),
    ...(entry.threshold === undefined ? {} : { threshold: entry.threshold }),
    ...(entry.complete === undefined ? {} : { complete: entry.complete }),
    outFile: join(context.directory, file),
    sequences: context.sequences,
    findSequence: context.findSequence,
    ...(loci === null ? {} : { findLocus: (id: string) => loci.get(id) ?? null }),
    log,
    onProgress: share,
    signal: context.signal,
  })
  report(entry.file)
  if (baked === null) return 0
  const simulated = entry.simulated ?? context.simulated
  context.addFile(file, {
    kind: associationData,
    download: {
      title: entry.name,
      ...(entry.description === undefined ? {} : { description: entry.description }),
      licence: entry.licence ?? context.licence,
      simulated,
    },
  })
  const index = `gwas/${basename(baked.csiFile)}`
  context.addFile(index, { kind: 'track-index' })
  if (baked.tbiFile !== null) context.addFile(`gwas/${basename(baked.tbiFile)}`, { kind: 'track-index' })
  const set: BakedAssociationSet = {
    id: entry.id,
    name: entry.name,
    description: entry.description ?? null,
    file,
    format: baked.format,
    unit: entry.unit ?? null,
    phenotypes: entry.phenotypes ?? null,
    variants: entry.variants ?? null,
    licence: entry.licence ?? context.licence,
    simulated,
    rows: baked.rows,
    traits: baked.traits.map(({ trait }) => trait),
  }
  await context.addRecord({ kind: associationData, id: entry.id, data: set })
  for (const [number, { trait, plot }] of baked.traits.entries()) {
    await context.addRecord({ kind: associationPlotKind, id: `${entry.id}|${number}`, data: plot })
    if (number < maxSearchEntries)
      await context.addSearchEntry({
        type: 'gwas-trait',
        id: `${entry.id}|${trait.id}`,
        label: trait.id,
        description: textIn(entry.name, 'en'),
        relevance: 2,
      })
  }
  await context.addRecord({
    kind: 'track',
    id: `gwas-${entry.id}`,
    data: {
      id: `gwas-${entry.id}`,
      name: entry.name,
      description: entry.description ?? null,
      category: { en: 'Associations', zh: '关联分析' },
      type: 'bed',
      file,
      index,
      simulated,
    },
  })
  return baked.traits.length
}

const bake = async (entries: Entry[] | null, context: BakeContext): Promise<Record<string, number>> => {
  if (entries === null) return {}
  await mkdir(join(context.directory, 'gwas'), { recursive: true })
  let traits = 0
  for (const [number, entry] of entries.entries())
    traits += await bakeEntry(entry, (fraction) => context.progress((number + fraction) / entries.length), context)
  return traits > 0 ? { [associationData]: traits } : {}
}

/** Tables of genome-wide associations: sorted, indexed and thinned for figures. */
export default defineLoader({
  entry: 'gwas',
  scope: 'assembly',
  schema,
  version: 2,
  refers: (entries) => idsNamed(entries, ['variants', 'phenotypes']),
  bake,
})
