import { copyFile, mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { parseAccessions } from '../../bio/phenotype/accession-table.ts'
import {
  type PhenotypeTable,
  parsePhenotypes,
  parseTraitDescriptions,
  type TraitDescription,
} from '../../bio/phenotype/phenotype-table.ts'
import { DefectLog } from '../../bio/text/defects.ts'
import { entryIdSchema, filePathSchema, refuseEqualIds } from '../../contracts/manifest.ts'
import { accessionData, type PhenotypeSet, phenotypeData } from '../../contracts/phenotypes.ts'
import { type LocalizedText, localizedTextSchema, textIn } from '../../contracts/text.ts'
import { type AccessionTable, accessionsKind } from '../../kit/data/accession-data.ts'
import { phenotypeSetKind, traitKind, traitRecord } from '../../kit/data/phenotype-data.ts'
import { type BakeContext, type CheckContext, defineLoader, describeEntry } from '../../kit/loader.ts'
import { publicFileName } from '../../kit/public-file-name.ts'
import { readTableRows } from '../../kit/read-input.ts'
import { readTextIfPresent } from '../../store/baked-text.ts'
import toolDefects from './defects.ts'
import { describeTrait } from './describe-trait.ts'

const accessionsSchema = z
  .object({
    file: filePathSchema.describe(
      'TSV or CSV, a row an accession: accession (the name of its sample and of its phenotypes), name, population, country, latitude, longitude, and whatever else is known of it.',
    ),
    licence: z.string().max(200).optional(),
    simulated: z.boolean().optional(),
  })
  .strict()
  .describe('Accessions (strains, lines, individuals) of the species, with population and origin.')

const setSchema = z
  .object({
    id: entryIdSchema.describe('Name of the set in addresses, unique in the species.'),
    name: localizedTextSchema.describe('Shown to readers.'),
    file: filePathSchema.describe(
      'Phenotypes, TSV or CSV: a column a trait, or columns accession, trait and value; replicates as repeated rows, with columns replicate and environment where there are.',
    ),
    traits: filePathSchema
      .optional()
      .describe(
        'Table of the traits: trait, name, name_zh, unit, description, description_zh, type (quantitative, ordinal, binary, categorical), levels. Only traits that it names are read.',
      ),
    missing: z
      .array(z.string().min(1).max(40))
      .max(20)
      .optional()
      .describe('Codes of values that were not measured, besides empty cells, NA and a dot: ["-9"].'),
    description: localizedTextSchema.optional(),
    source: localizedTextSchema.optional(),
    licence: z.string().max(200).optional(),
    simulated: z.boolean().optional(),
  })
  .strict()

const phenotypesSchema = z
  .array(setSchema)
  .superRefine(refuseEqualIds)
  .describe('Sets of phenotypes: traits measured in accessions.')
type SetEntry = z.output<typeof setSchema>

/** Accessions baked before, for the phenotypes that name them. */
const accessionNames = 'accessions/names.json'

const readLines = async (file: string, context: CheckContext, log: DefectLog): Promise<string[]> => {
  const lines: string[] = []
  await readTableRows(file, context, log, (line) => lines.push(line))
  return lines
}

const reportAll = (log: DefectLog, context: CheckContext): boolean => {
  for (const defect of log.defects) context.forward(defect)
  return !log.hasErrors
}

/** The lab's own file, offered as it is. */
const offerFile = async (
  file: string,
  folder: string,
  taken: Set<string>,
  about: {
    kind: string
    title: LocalizedText
    description?: LocalizedText
    licence: string | null
    simulated: boolean
  },
  context: BakeContext,
): Promise<void> => {
  const { kind, ...download } = about
  const path = `${folder}/${publicFileName(file, taken)}`
  await mkdir(join(context.directory, folder), { recursive: true })
  await copyFile(await context.resolveFile(file), join(context.directory, path))
  context.addFile(path, { kind, download })
}

const accessions = defineLoader({
  entry: 'accessions',
  scope: 'species',
  schema: accessionsSchema,
  version: 1,
  bake: async (entry, context): Promise<Record<string, number>> => {
    if (entry === null) return {}
    const log = new DefectLog()
    const table = parseAccessions(await readLines(entry.file, context, log), entry.file, log)
    if (!reportAll(log, context) || table.accessions.length === 0) return {}
    const simulated = entry.simulated ?? context.simulated
    const baked: AccessionTable = { ...table, licence: entry.licence ?? context.licence, simulated }
    await context.addRecord({ kind: accessionsKind, id: 'accessions', data: baked })
    for (const one of table.accessions)
      await context.addSearchEntry({
        type: 'accession',
        id: `${context.species}|${one.id}`,
        label: one.id,
        description: [one.name, one.population, one.country].filter((part) => part !== null).join(', '),
        names: one.name === null ? [one.id] : [one.id, one.name],
        extra: Object.values(one.attributes).join(' '),
        relevance: 2,
      })
    await offerFile(
      entry.file,
      'accessions',
      new Set(['names.json']),
      {
        kind: 'accessions',
        title: { en: 'Accessions', zh: '材料' },
        licence: baked.licence,
        simulated,
      },
      context,
    )
    await writeFile(join(context.directory, accessionNames), JSON.stringify(table.accessions.map(({ id }) => id)))
    context.addFile(accessionNames, { kind: 'accession-names' })
    return { [accessionData]: table.accessions.length }
  },
})

const readSet = async (
  entry: SetEntry,
  context: CheckContext,
): Promise<{ table: PhenotypeTable; described: Map<string, TraitDescription> } | null> => {
  const log = new DefectLog()
  const traits =
    entry.traits === undefined
      ? undefined
      : parseTraitDescriptions(await readLines(entry.traits, context, log), entry.traits, log)
  const table = parsePhenotypes(await readLines(entry.file, context, log), {
    file: entry.file,
    log,
    ...(traits === undefined ? {} : { traits }),
    ...(entry.missing === undefined ? {} : { missing: entry.missing }),
  })
  if (!reportAll(log, context) || table === null) return null
  return { table, described: new Map((traits ?? []).map((trait) => [trait.id, trait])) }
}

const readNames = async (context: BakeContext): Promise<Set<string> | null> => {
  const text = await readTextIfPresent(join(context.directory, accessionNames))
  return text === null ? null : new Set<string>(JSON.parse(text))
}

const namedUndescribed = 5

const bakeSet = async (entry: SetEntry, taken: Set<string>, context: BakeContext): Promise<PhenotypeSet | null> => {
  const read = await readSet(entry, context)
  if (read === null) return null
  const { table, described } = read
  const known = await readNames(context)
  const undescribed = known === null ? table.accessions : table.accessions.filter((id) => !known.has(id))
  if (known !== null && undescribed.length > 0)
    context.report(toolDefects, {
      code: 'phenotype-undescribed',
      file: entry.file,
      line: null,
      params: {
        count: undescribed.length,
        total: table.accessions.length,
        names: undescribed.slice(0, namedUndescribed).join(', '),
      },
    })
  const set: PhenotypeSet = {
    ...describeEntry(entry, context),
    accessionCount: table.accessions.length,
    undescribed: undescribed.length,
    traits: [],
  }
  for (const measured of table.traits) {
    context.signal.throwIfAborted()
    const { trait, stored } = describeTrait(measured, table, described.get(measured.id))
    if (trait.unconnected > 0)
      context.report(toolDefects, {
        code: 'phenotype-unconnected',
        file: entry.file,
        line: null,
        params: { trait: trait.id, count: trait.unconnected },
      })
    set.traits.push(trait)
    await context.addRecord({ kind: traitKind, id: traitRecord(entry.id, trait.id), data: stored })
    await context.addSearchEntry({
      type: 'trait',
      id: `${context.species}|${traitRecord(entry.id, trait.id)}`,
      label: textIn(trait.name, 'en'),
      description: trait.description === null ? textIn(entry.name, 'en') : textIn(trait.description, 'en'),
      names: [...new Set([trait.id, textIn(trait.name, 'en'), textIn(trait.name, 'zh')])],
      extra: [trait.unit ?? '', textIn(entry.name, 'en'), textIn(entry.name, 'zh')].join(' '),
      relevance: 3,
    })
  }
  await context.addRecord({ kind: phenotypeSetKind, id: entry.id, data: set })
  const about = { licence: set.licence, simulated: set.simulated }
  const more = entry.description === undefined ? {} : { description: entry.description }
  await offerFile(entry.file, 'phenotypes', taken, { kind: 'phenotypes', title: set.name, ...more, ...about }, context)
  if (entry.traits !== undefined)
    await offerFile(
      entry.traits,
      'phenotypes',
      taken,
      {
        kind: 'phenotypes',
        title: {
          en: `${textIn(set.name, 'en')}: descriptions of the traits`,
          zh: `${textIn(set.name, 'zh')}：性状说明`,
        },
        ...about,
      },
      context,
    )
  return set
}

const phenotypes = defineLoader({
  entry: 'phenotypes',
  scope: 'species',
  schema: phenotypesSchema,
  version: 2,
  bake: async (entries, context): Promise<Record<string, number>> => {
    const sets: PhenotypeSet[] = []
    const taken = new Set<string>()
    for (const [number, entry] of (entries ?? []).entries()) {
      const set = await bakeSet(entry, taken, context)
      if (set !== null) sets.push(set)
      context.progress((number + 1) / entries!.length)
    }
    if (sets.length === 0) return {}
    return {
      [phenotypeData]: sets.length,
      traits: sets.reduce((sum, { traits }) => sum + traits.length, 0),
    }
  },
})

/** Accessions, and the phenotypes that name them: in this order. */
export default [accessions, phenotypes]
