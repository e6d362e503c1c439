import { copyFile, stat, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { z } from 'zod'
import { DifferentialReader } from '../../bio/expression/differential-table.ts'
import { expressionDefects } from '../../bio/expression/expression-defects.ts'
import {
  type ExpressionMatrix,
  ExpressionMatrixReader,
  guessSampleSheet,
  parseSampleSheet,
  type SampleSheet,
} from '../../bio/expression/expression-matrix.ts'
import { type ExpressionUnit, expressionUnits, isLogarithmic } from '../../bio/expression/expression-statistics.ts'
import {
  InsertionReader,
  type InsertionSites,
  isInsertionWig,
  type SiteGene,
} from '../../bio/expression/insertion-sites.ts'
import {
  chooseQuantifications,
  detectQuantification,
  type QuantificationLayout,
  QuantificationTable,
} from '../../bio/expression/quantification.ts'
import { libraryFactors, minLibraries, type ResampledRow, resampleGenes } from '../../bio/expression/resampling.ts'
import { nameSamples, placeSamples } from '../../bio/expression/sample-names.ts'
import { type Strandedness, strands } from '../../bio/expression/strandedness.ts'
import { areaKey, inspectPicture } from '../../bio/expression/tissue-picture.ts'
import { maxColumns } from '../../bio/statistics/correlation.ts'
import { adjustByBenjaminiHochberg } from '../../bio/statistics/multiple-testing.ts'
import { DefectLog } from '../../bio/text/defects.ts'
import { type Contrast, differentialData, type ExpressionDataset, expressionData } from '../../contracts/expression.ts'
import { entryIdSchema, filePathSchema, folderPathSchema, oneOrMore, refuseEqualIds } from '../../contracts/manifest.ts'
import { localizedTextSchema } from '../../contracts/text.ts'
import { contrastFiles, expressionFiles } from '../../kit/data/expression-data.ts'
import { type BakeContext, defineLoader, describeEntry } from '../../kit/loader.ts'
import { readInputHead, readInputLines, readInputText, readTableRows } from '../../kit/read-input.ts'
import { addExpression, offerMatrix, writeExpression, writeSites } from '../../kit/write-expression.ts'
import { formatLine } from '../../kit/write-table.ts'
import { writeMatrix } from '../../store/npy-matrix.ts'
import toolDefects from './defects.ts'

const differentialSchema = z
  .object({
    id: entryIdSchema.describe('Name of the comparison in addresses, unique in the data set.'),
    name: localizedTextSchema.describe('What was compared, e.g. "mutant against wild type".'),
    file: filePathSchema.optional().describe('Table of DESeq2, edgeR or limma, or with the columns named below.'),
    test: z
      .string()
      .optional()
      .describe(
        'In place of file, for insertions (Tn-seq): the value of `group` whose libraries are compared, by resampling at load.',
      ),
    reference: z.string().optional().describe('With test: the value of `group` that it is compared with.'),
    description: localizedTextSchema.optional(),
    columns: z
      .object({
        log2FoldChange: z.string().optional(),
        pValue: z.string().optional(),
        adjustedPValue: z.string().optional(),
        baseMean: z.union([z.string(), z.array(z.string()).min(1)]).optional(),
      })
      .strict()
      .optional()
      .describe('Headings, where they are not those of these programs.'),
  })
  .strict()
  .refine(
    ({ file, test, reference }) =>
      file === undefined
        ? test !== undefined && reference !== undefined
        : test === undefined && reference === undefined,
    { message: 'either file, or test and reference', path: ['file'] },
  )

const schema = z
  .array(
    z
      .object({
        id: entryIdSchema.describe('Name of the data set in addresses, unique in the assembly.'),
        name: localizedTextSchema.describe('Shown to readers.'),
        file: oneOrMore(filePathSchema)
          .optional()
          .describe(
            'Matrix, TSV or CSV: a heading of samples, then a row a gene. Or files of one sample each, as STAR, Salmon, kallisto, RSEM, htseq-count, featureCounts, StringTie or Cufflinks write them, or WIGs of insertion counts at each site (Tn-seq).',
          ),
        folder: folderPathSchema
          .optional()
          .describe('In place of file: the folder in which the files of the samples are.'),
        unit: z.enum(expressionUnits).describe('Unit of the values.'),
        samples: filePathSchema
          .optional()
          .describe(
            'Sample sheet, TSV or CSV: sample, then factors such as tissue, stage, treatment, time, replicate; also the sample sheet of nf-core.',
          ),
        strand: z
          .enum(strands)
          .optional()
          .describe('Strandedness of the libraries, for counts of STAR; told from the counts when absent.'),
        group: z.string().optional().describe('Factor by which replicates are gathered; the first when absent.'),
        measure: localizedTextSchema.optional().describe('What was measured, where it is not transcripts.'),
        description: localizedTextSchema.optional(),
        source: localizedTextSchema.optional(),
        licence: z.string().max(200).optional(),
        simulated: z.boolean().optional(),
        picture: z
          .object({
            file: filePathSchema.describe('SVG whose areas have the ids of the factor’s values.'),
            factor: z.string().describe('Factor of the sample sheet.'),
          })
          .strict()
          .optional()
          .describe('Tissue picture that is coloured by expression.'),
        differential: z.array(differentialSchema).superRefine(refuseEqualIds).optional(),
      })
      .strict()
      .refine(({ file, folder }) => (file === undefined) !== (folder === undefined), {
        message: 'either file or folder',
        path: ['file'],
      }),
  )
  .superRefine(refuseEqualIds)
  .describe('Expression: matrices of genes and samples.')
type Entry = z.output<typeof schema>[number]

/** A factor with more values than this for its samples tells samples apart, not groups. */
const replicateFactor = /^(bio(logical)?[ _-]*)?(replicate|rep|repl|batch)$/i

const reportAll = (log: DefectLog, context: BakeContext): boolean => {
  for (const defect of log.defects) context.forward(defect)
  return !log.hasErrors
}

const readSheet = async (entry: Entry, context: BakeContext): Promise<SampleSheet | null | undefined> => {
  if (entry.samples === undefined) return undefined
  const log = new DefectLog()
  const lines: string[] = []
  await readTableRows(entry.samples, context, log, (line) => lines.push(line))
  const sheet = parseSampleSheet(lines, entry.samples, log)
  return reportAll(log, context) ? sheet : null
}

/** Units of which the values of a gene's transcripts can be summed. */
const additive = new Set<ExpressionUnit>(['counts', 'TPM', 'FPKM', 'RPKM', 'CPM'])
/** Lines by which a file of one sample is told: behind comments of Sailfish and featureCounts. */
const headLines = 12

/** What the report names in place of many files. */
const sourceOf = (entry: Entry): string => entry.folder ?? [entry.file!].flat()[0]!

/** A file of an entry with its first lines. */
interface Headed {
  file: string
  head: string[]
}

/** Files that the entry names, or those of its folder that are to be read; each is looked into once. */
const readHeads = async (entry: Entry, context: BakeContext): Promise<Headed[]> => {
  const files =
    entry.folder === undefined ? [entry.file!].flat() : chooseQuantifications(await context.listFolder(entry.folder))
  const headed: Headed[] = []
  for (const file of files) headed.push({ file, head: await readInputHead(file, context, headLines) })
  return headed
}

/** Files of one sample each, with what wrote them; null where the entry has a matrix, or its files are of no use (reported). */
const findQuantifications = (
  entry: Entry,
  headed: readonly Headed[],
  log: DefectLog,
): { file: string; layout: QuantificationLayout }[] | null => {
  if (headed.length === 0) log.report(expressionDefects, 'expression-folder-empty', sourceOf(entry), null)
  const found: { file: string; layout: QuantificationLayout }[] = []
  const others: string[] = []
  for (const { file, head } of headed) {
    const layout = detectQuantification(head)
    if (layout === null) others.push(file)
    else found.push({ file, layout })
  }
  if (entry.folder === undefined && headed.length === 1 && found.length === 0) return null
  for (const file of others)
    log.report(
      expressionDefects,
      entry.folder === undefined || found.length === 0
        ? 'expression-not-quantification'
        : 'expression-not-quantification-left',
      file,
      null,
    )
  const programs = new Set(found.map(({ layout }) => layout.program))
  if (programs.size > 1)
    log.report(expressionDefects, 'expression-programs-mixed', sourceOf(entry), null, {
      programs: [...programs].join(', '),
    })
  return found
}

/** Which sample of the sheet each file is; samples without a file and files without a sample are reported and left out. */
const placeFiles = (files: readonly string[], sheet: SampleSheet, entry: Entry, log: DefectLog): (string | null)[] => {
  const ids = sheet.samples.map(({ id }) => id)
  const byName = placeSamples(ids, files)
  const places = sheet.samples.map(({ file }, number) => {
    if (file === null) return byName[number]!
    const at = files.findIndex((one) => one === file || one.endsWith(`/${file}`) || file.endsWith(`/${one}`))
    return at < 0 ? byName[number]! : at
  })
  const absent = ids.filter((_, number) => places[number] === null)
  if (absent.length > 0)
    log.report(expressionDefects, 'expression-sample-absent', sourceOf(entry), null, {
      count: absent.length,
      names: absent.slice(0, maxNamed).join(', '),
    })
  const left = files.filter((_, at) => !places.includes(at))
  if (left.length > 0)
    log.report(expressionDefects, 'expression-column-left', sourceOf(entry), null, {
      count: left.length,
      names: left.slice(0, maxNamed).join(', '),
    })
  return files.map((_, at) => ids[places.indexOf(at)] ?? null)
}
const maxNamed = 5

const readQuantifications = async (
  entry: Entry,
  found: readonly { file: string; layout: QuantificationLayout }[],
  sheet: SampleSheet | undefined,
  log: DefectLog,
  context: BakeContext,
): Promise<ExpressionMatrix | null> => {
  const unit = entry.unit === 'RPKM' ? 'FPKM' : entry.unit
  if (unit !== 'counts' && unit !== 'TPM' && unit !== 'FPKM') {
    const { program, columns } = found[0]!.layout
    const units = Object.keys(columns).join(', ')
    log.report(expressionDefects, 'expression-unit-absent', found[0]!.file, null, { program, unit, units })
    return null
  }
  const files = found.map(({ file }) => file)
  const names = sheet === undefined ? nameSamples(files) : placeFiles(files, sheet, entry, log)
  const matches = context.matchGenes(sourceOf(entry))
  const table = new QuantificationTable({ matches, log, unit })
  const strandOf: (Strandedness | null)[] = []
  for (const [at, { file, layout }] of found.entries()) {
    const id = names[at]!
    if (id === null) continue
    const addLine = table.open(id, file, layout)
    if (addLine === null) return null
    strandOf.push(entry.strand ?? sheet?.samples.find((sample) => sample.id === id)?.strand ?? null)
    await readInputLines(file, context, log, addLine)
  }
  return strandOf.length === 0 ? null : table.finish(sourceOf(entry), (sample) => strandOf[sample]!)
}

/** Libraries of Tn-seq, where the entry has them: counts at each site, and their sums over genes. */
const readInsertions = async (
  entry: Entry,
  files: readonly string[],
  sheet: SampleSheet | undefined,
  log: DefectLog,
  context: BakeContext,
): Promise<InsertionSites | null> => {
  if (entry.unit !== 'counts') {
    log.report(expressionDefects, 'expression-unit-absent', files[0]!, null, {
      program: 'WIG',
      unit: entry.unit,
      units: 'counts',
    })
    return null
  }
  const names = sheet === undefined ? nameSamples([...files]) : placeFiles(files, sheet, entry, log)
  const { sequences } = context
  const reader = new InsertionReader({ log, sequences, findSequence: (name) => context.findSequence(name) })
  for (const [at, file] of files.entries())
    if (names[at] !== null) await readInputLines(file, context, log, reader.open(names[at]!, file))
  const genes: SiteGene[] = []
  for await (const { id, sequenceName, start1, end1, strand, transcripts } of context.genes())
    genes.push({
      id,
      sequence: sequenceName,
      start1,
      end1,
      strand,
      isCoding: transcripts.some(({ cds }) => cds.length > 0),
    })
  return reader.finish(sourceOf(entry), genes)
}

const readMatrix = async (
  entry: Entry,
  sheet: SampleSheet | undefined,
  context: BakeContext,
): Promise<{ matrix: ExpressionMatrix; sites: InsertionSites | null; isGathered: boolean } | null> => {
  const log = new DefectLog()
  const headed = await readHeads(entry, context)
  if (headed.length > 0 && headed.every(({ head }) => isInsertionWig(head))) {
    const files = headed.map(({ file }) => file)
    const sites = await readInsertions(entry, files, sheet, log, context)
    return reportAll(log, context) && sites !== null ? { matrix: sites, sites, isGathered: true } : null
  }
  const found = findQuantifications(entry, headed, log)
  let matrix: ExpressionMatrix | null = null
  if (found === null) {
    const file = sourceOf(entry)
    const { size } = await stat(await context.resolveFile(file))
    const reader = new ExpressionMatrixReader({
      file,
      log,
      textBytes: file.endsWith('.gz') ? size * 4 : size,
      ...(sheet === undefined ? {} : { samples: sheet.samples.map(({ id }) => id) }),
      matches: context.matchGenes(file),
      signed: isLogarithmic(entry.unit),
      additive: additive.has(entry.unit),
    })
    await readTableRows(file, context, log, (line, number) => reader.addLine(line, number))
    matrix = reader.finish()
  } else if (found.length > 0 && !log.hasErrors) matrix = await readQuantifications(entry, found, sheet, log, context)
  if (matrix !== null && matrix.samples.length > maxColumns)
    log.report(expressionDefects, 'expression-columns', sourceOf(entry), 1, {
      found: matrix.samples.length,
      expected: maxColumns,
    })
  return reportAll(log, context) && matrix !== null ? { matrix, sites: null, isGathered: found !== null } : null
}

/** The sheet of the lab, or what the samples' names tell where it has none or its sheet no factors; the latter is said. */
const completeSheet = (
  entry: Entry,
  given: SampleSheet | undefined,
  matrix: ExpressionMatrix,
  context: BakeContext,
): SampleSheet => {
  if (given !== undefined && given.factors.length > 0) return given
  const guessed = guessSampleSheet(matrix.samples, given)
  const groups = new Map<string, string[]>()
  for (const { id, factors } of guessed.samples)
    if (factors.group !== undefined) groups.set(factors.group, [...(groups.get(factors.group) ?? []), id])
  const [example] = groups
  if (example !== undefined)
    context.report(expressionDefects, {
      code: 'expression-replicates-by-name',
      file: sourceOf(entry),
      line: null,
      params: {
        count: guessed.samples.length,
        groups: groups.size,
        example: `${example[0]}: ${example[1].join(', ')}`,
      },
    })
  return guessed
}

const bakePicture = async (entry: Entry, dataset: ExpressionDataset, context: BakeContext): Promise<boolean> => {
  if (entry.picture === undefined) return true
  const { file, factor } = entry.picture
  const text = await readInputText(file, context)
  if (text === null) return false
  const about = { file, line: null }
  const levels = dataset.factors.find(({ name }) => name === factor)?.levels
  const found = inspectPicture(text)
  if (levels === undefined || 'refused' in found) {
    const reason = levels === undefined ? `${factor}: ${dataset.factors.map(({ name }) => name).join(', ')}` : ''
    context.report(toolDefects, {
      ...about,
      code: 'expression-picture',
      params: { reason: 'refused' in found ? found.refused : reason },
    })
    return false
  }
  const areas = new Set(found.ids.map(areaKey))
  const without = levels.filter((level) => !areas.has(areaKey(level)))
  if (without.length > 0)
    context.report(toolDefects, {
      ...about,
      code: 'expression-picture-areas',
      params: { count: without.length, total: levels.length, factor, names: without.slice(0, 5).join(', ') },
    })
  const path = expressionFiles(entry.id).picture
  await writeFile(join(context.directory, path), text)
  context.addFile(path, { kind: 'expression-picture' })
  dataset.pictureFactor = factor
  return true
}

type GivenContrast = NonNullable<Entry['differential']>[number]

/** What is looked up of a comparison: log2 fold change, p-value, adjusted p-value and mean of each gene. */
const writeContrast = async (
  files: ReturnType<typeof contrastFiles>,
  genes: readonly string[],
  columns: readonly (ArrayLike<number> | null)[],
  context: BakeContext,
): Promise<void> => {
  await writeMatrix(join(context.directory, files.values), '<f8', genes.length, columns.length, (row, into) => {
    for (const [at, column] of columns.entries()) into[at] = column?.[row] ?? Number.NaN
  })
  context.addFile(files.values, { kind: 'expression-contrast' })
  await writeFile(join(context.directory, files.genes), genes.map((gene) => `${gene}\n`).join(''))
  context.addFile(files.genes, { kind: 'expression-genes' })
}

const bakeContrast = async (
  entry: Entry,
  given: GivenContrast,
  file: string,
  context: BakeContext,
): Promise<Contrast | null> => {
  const log = new DefectLog()
  const reader = new DifferentialReader({
    file,
    log,
    matches: context.matchGenes(file),
    ...(given.columns === undefined ? {} : { columns: given.columns }),
  })
  await readTableRows(file, context, log, (line, number) => reader.addLine(line, number))
  const table = reader.finish()
  let adjusted = table?.adjustedPValue ?? null
  const adjustedHere = table !== null && adjusted === null && table.pValue !== null
  if (adjustedHere) {
    log.report(toolDefects, 'expression-adjusted-here', file, null)
    const known = [...table.genes.keys()].filter((at) => !Number.isNaN(table.pValue![at]!))
    const values = adjustByBenjaminiHochberg(known.map((at) => table.pValue![at]!))
    adjusted = new Float64Array(table.genes.length).fill(Number.NaN)
    for (const [index, at] of known.entries()) adjusted[at] = values[index]!
  }
  if (!reportAll(log, context) || table === null) return null
  const columns = [table.log2FoldChange, table.pValue, adjusted, table.baseMean]
  await writeContrast(contrastFiles(entry.id, given.id), table.genes, columns, context)
  await offerFile(file, `${entry.id}.${given.id}`, given.name, given.description, entry, context)
  return {
    id: given.id,
    name: given.name,
    description: given.description ?? null,
    program: table.program,
    geneCount: table.genes.length,
    hasPValue: table.pValue !== null,
    hasBaseMean: table.baseMean !== null,
    baseMeanIsLog: table.baseMeanIsLog,
    adjustedHere,
    compared: null,
  }
}

/** Genes between two looks at whether the load was cancelled, and while nothing else of the process runs. */
const genesAtOnce = 20

/**
 * Two groups of Tn-seq libraries compared as the tool of differential expression compares them; null where they cannot be (reported),
 * and of a check, which does not compute.
 */
const compareLibraries = async (
  { test, reference, ...given }: GivenContrast & { test: string; reference: string },
  {
    entry,
    dataset,
    sites,
    order,
    computes,
  }: {
    entry: Entry
    dataset: ExpressionDataset
    sites: InsertionSites | null
    order: readonly number[]
    computes: boolean
  },
  context: BakeContext,
): Promise<Contrast | null> => {
  const about = { file: sourceOf(entry), line: null }
  const factor = dataset.group
  if (sites === null || factor === null) {
    context.report(toolDefects, { ...about, code: 'expression-compare-sites', params: { contrast: given.id } })
    return null
  }
  const columnsOf = (level: string): number[] =>
    dataset.samples.flatMap(({ factors }, at) => (factors[factor] === level ? [order[at]!] : []))
  const groups = { test: columnsOf(test), reference: columnsOf(reference) }
  for (const [side, level] of [
    ['test', test],
    ['reference', reference],
  ] as const)
    if (groups[side].length < minLibraries) {
      const levels = dataset.factors.find(({ name }) => name === factor)?.levels ?? []
      context.report(toolDefects, {
        ...about,
        code: 'expression-compare-group',
        params: { contrast: given.id, factor, level, count: groups[side].length, levels: levels.join(', ') },
      })
      return null
    }
  const counted = { ...sites, width: sites.samples.length }
  const factors = libraryFactors(counted, [...groups.reference, ...groups.test])
  const empty = factors.findIndex((one) => !Number.isFinite(one))
  if (empty >= 0) {
    const sample = sites.samples[[...groups.reference, ...groups.test][empty]!]!
    context.report(toolDefects, { ...about, code: 'expression-compare-empty', params: { contrast: given.id, sample } })
    return null
  }
  if (!computes) return null
  const rows: ResampledRow[] = []
  for (const row of resampleGenes(counted, groups, factors)) {
    rows.push(row)
    if (rows.length % genesAtOnce !== 0) continue
    await new Promise((resolve) => setImmediate(resolve))
    context.signal.throwIfAborted()
  }
  const genes = rows.map(({ row }) => sites.genes[row]!)
  const adjusted = adjustByBenjaminiHochberg(rows.map(({ pValue }) => pValue))
  const columns = [
    rows.map(({ log2FoldChange }) => log2FoldChange),
    rows.map(({ pValue }) => pValue),
    adjusted,
    rows.map(({ mean }) => mean),
  ]
  await writeContrast(contrastFiles(entry.id, given.id), genes, columns, context)
  const path = `expression/${entry.id}/${entry.id}.${given.id}.tsv`
  const head = ['gene', 'sites', 'sites_with_insertions', 'baseMean', 'log2FoldChange', 'pvalue', 'padj']
  const lines = rows.map(({ sites: found, sitesHit, mean, log2FoldChange, pValue }, at) =>
    formatLine([genes[at]!, found, sitesHit, mean, log2FoldChange, pValue, adjusted[at]!]),
  )
  await writeFile(join(context.directory, path), [formatLine(head), ...lines].join(''))
  context.addFile(path, {
    kind: 'expression-file',
    download: downloadOf(given.name, given.description, entry, context),
  })
  return {
    id: given.id,
    name: given.name,
    description: given.description ?? null,
    program: null,
    geneCount: genes.length,
    hasPValue: true,
    hasBaseMean: true,
    baseMeanIsLog: false,
    adjustedHere: true,
    compared: { factor, test, reference },
  }
}

const downloadOf = (title: Entry['name'], description: Entry['description'], entry: Entry, context: BakeContext) => ({
  title,
  ...(description === undefined ? {} : { description }),
  licence: entry.licence ?? context.licence,
  simulated: entry.simulated ?? context.simulated,
})

/** The lab's own file, offered as it is. */
const offerFile = async (
  file: string,
  name: string,
  title: Entry['name'],
  description: Entry['description'],
  entry: Entry,
  context: BakeContext,
): Promise<void> => {
  const path = `expression/${entry.id}/${name}.${basename(file)}`
  await copyFile(await context.resolveFile(file), join(context.directory, path))
  context.addFile(path, {
    kind: 'expression-file',
    download: downloadOf(title, description, entry, context),
  })
}

const describe = (
  entry: Entry,
  matrix: ExpressionMatrix,
  sheet: SampleSheet,
  context: BakeContext,
): { dataset: ExpressionDataset; order: number[] } => {
  const column = new Map(matrix.samples.map((id, at) => [id, at]))
  const known = sheet.samples.filter(({ id }) => column.has(id))
  const order = known.map(({ id }) => column.get(id)!)
  const factors = sheet.factors
    .map((name) => ({ name, levels: [...new Set(known.map((sample) => sample.factors[name] ?? ''))] }))
    .filter(({ levels }) => levels.some((level) => level !== ''))
  const groups = factors.filter(({ name }) => !replicateFactor.test(name))
  const group = entry.group !== undefined && factors.some(({ name }) => name === entry.group) ? entry.group : null
  return {
    order,
    dataset: {
      ...describeEntry(entry, context),
      unit: entry.unit,
      measure: entry.measure ?? null,
      geneCount: matrix.genes.length,
      missing: matrix.missing,
      sites: null,
      factors,
      samples: known.map(({ id, label, factors: own }, at) => ({
        id,
        label,
        factors: own,
        sum: matrix.sums[order[at]!]!,
      })),
      group: group ?? groups[0]?.name ?? null,
      pictureFactor: null,
      contrasts: [],
    },
  }
}

/** @param computes whether groups of libraries are compared, which takes seconds to a minute, and not only looked for */
const bake = async (
  value: Entry[] | null,
  context: BakeContext,
  computes: boolean,
): Promise<Record<string, number>> => {
  let sets = 0
  let contrasts = 0
  for (const [number, entry] of (value ?? []).entries()) {
    const given = await readSheet(entry, context)
    if (given === null) continue
    const read = await readMatrix(entry, given, context)
    if (read === null) continue
    const { matrix } = read
    const { dataset, order } = describe(entry, matrix, completeSheet(entry, given, matrix, context), context)
    const width = matrix.samples.length
    await writeExpression(entry, { ...matrix, width, order }, context)
    if (read.sites !== null) {
      await writeSites(entry.id, { ...read.sites, width, order }, context)
      dataset.sites = read.sites.siteCount
    }
    if (read.isGathered) await offerMatrix(dataset, matrix, context)
    else await offerFile(sourceOf(entry), 'matrix', entry.name, entry.description, entry, context)
    if (entry.samples !== undefined)
      await offerFile(entry.samples, 'samples', entry.name, { en: 'Sample sheet', zh: '样本信息表' }, entry, context)
    if (!(await bakePicture(entry, dataset, context))) continue
    for (const one of entry.differential ?? []) {
      const { file, test, reference } = one
      const contrast =
        file !== undefined
          ? await bakeContrast(entry, one, file, context)
          : await compareLibraries(
              // The schema has held that there is one or the other.
              { ...one, test: test!, reference: reference! },
              { entry, dataset, sites: read.sites, order, computes },
              context,
            )
      if (contrast !== null) dataset.contrasts.push(contrast)
    }
    await addExpression(dataset, context)
    sets += 1
    contrasts += dataset.contrasts.length
    context.progress((number + 1) / (value?.length ?? 1))
  }
  return {
    ...(sets > 0 ? { [expressionData]: sets } : {}),
    ...(contrasts > 0 ? { [differentialData]: contrasts } : {}),
  }
}

/** Matrices of genes and samples with what is told of the samples, and tables of differential expression. */
export default defineLoader({
  entry: 'expression',
  scope: 'assembly',
  schema,
  version: 3,
  inFolder: chooseQuantifications,
  check: async (value, context) => {
    await bake(value, context, false)
  },
  bake: (value, context) => bake(value, context, true),
})
