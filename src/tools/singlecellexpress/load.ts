import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { z } from 'zod'
import { cellDefects } from '../../bio/expression/cell-defects.ts'
import {
  type CellColumn,
  type CellCoordinates,
  CellFileError,
  type CellTable,
  noLevel,
} from '../../bio/expression/cell-table.ts'
import {
  findReplicateColumn,
  minCellsOfSample,
  planPseudoBulk,
  replicateLimits,
  sumPseudoBulk,
} from '../../bio/expression/pseudo-bulk.ts'
import { DefectLog } from '../../bio/text/defects.ts'
import { refuseLeftOut } from '../../bio/text/left-out.ts'
import { textDefects } from '../../bio/text/text-defects.ts'
import { type ExpressionDataset, expressionData } from '../../contracts/expression.ts'
import { entryIdSchema, filePathSchema, refuseEqualIds } from '../../contracts/manifest.ts'
import { localizedTextSchema, textIn } from '../../contracts/text.ts'
import { type BakeContext, defineLoader, describeEntry } from '../../kit/loader.ts'
import { addExpression, offerMatrix, writeExpression } from '../../kit/write-expression.ts'
import { openCellHdf5 } from '../../store/cells/cell-hdf5.ts'
import { type CellSheet, openCellText, openTenXMatrix, readCellSheet } from '../../store/cells/cell-text.ts'
import { writeMatrix } from '../../store/npy-matrix.ts'
import { openValues, type Survey, surveyValues, writeByGene } from './bake-values.ts'
import { computeFromValues, minComputedCells } from './compute-embedding.ts'
import toolDefects from './defects.ts'
import { type BakedColumn, type CellDataset, cellFiles, singleCellData } from './stored.ts'

const schema = z
  .array(
    z
      .object({
        id: entryIdSchema.describe('Name of the data set in addresses, unique in the assembly.'),
        name: localizedTextSchema.describe('Shown to readers.'),
        file: filePathSchema.describe(
          'AnnData .h5ad, 10x .h5, the matrix.mtx of a 10x folder, or a table of genes and cells.',
        ),
        metadata: filePathSchema
          .optional()
          .describe('Table of cells, TSV or CSV: the cell, then columns such as cell type, sample, cluster.'),
        geneColumn: z.string().optional().describe('Of a table: the heading of the column that names the genes.'),
        layer: z.string().optional().describe('Of .h5ad: a layer, or "raw", instead of X.'),
        values: z
          .enum(['counts', 'log'])
          .optional()
          .describe(
            'Told from the values when absent. Counts are made comparable between cells; logarithms are taken as they are.',
          ),
        group: z.string().optional().describe('Column by which cells are grouped at first.'),
        pseudobulk: z
          .union([
            z.literal(false),
            z
              .object({
                replicate: z
                  .string()
                  .optional()
                  .describe('Column of the biological replicates: donor, sample; told from its name when absent.'),
                group: z
                  .string()
                  .optional()
                  .describe('Column whose types are summed apart; the one by which cells are grouped when absent.'),
                minCells: z.number().int().min(1).max(100_000).optional().describe('Of a sample; 10 when absent.'),
              })
              .strict(),
          ])
          .optional()
          .describe(
            'Counts summed over the cells of each replicate and type, as a data set of expression. Made where a column of replicates is found; false for none.',
          ),
        description: localizedTextSchema.optional(),
        source: localizedTextSchema.optional(),
        licence: z.string().max(200).optional(),
        simulated: z.boolean().optional(),
      })
      .strict(),
  )
  .superRefine(refuseEqualIds)
  .describe('Single-cell expression: cells, genes, and maps of the cells.')
type Entry = z.output<typeof schema>[number]

const maxNamed = 5
/** Values that are not whole and at least this large are no logarithms. */
const minLinear = 50

const matrixName = /\.mtx(\.gz)?$/i
/** Names of the other files of a 10x folder, those of version 3 first. */
const matrixParts = { barcodes: ['barcodes.tsv'], features: ['features.tsv', 'genes.tsv'] }
const pathsBeside = (file: string, names: string[]): string[] =>
  names.flatMap((name) => ['.gz', ''].map((suffix) => join(dirname(file), name + suffix)))

const openTable = async (entry: Entry, sheet: CellSheet | null, context: BakeContext): Promise<CellTable> => {
  const path = await context.resolveFile(entry.file)
  if (/\.(h5ad|h5|hdf5)$/i.test(path)) return openCellHdf5(path, entry.layer)
  if (matrixName.test(path)) {
    const beside = async (names: string[]): Promise<string> => {
      for (const path of pathsBeside(entry.file, names)) {
        const found = await context.findFile(path)
        if (found !== null) return found
      }
      throw new CellFileError('cells-part-missing', { part: names[0]! })
    }
    return openTenXMatrix(path, {
      barcodes: await beside(matrixParts.barcodes),
      features: await beside(matrixParts.features),
    })
  }
  const log = new DefectLog()
  const table = await openCellText(path, entry.geneColumn, sheet === null ? null : new Set(sheet.names), log)
  for (const defect of log.defects) context.forward({ ...defect, file: entry.file })
  return table
}

/** Opens the file and goes through it once; where X holds scaled values and raw ones are there, the raw ones are taken. */
const openSurveyed = async (
  entry: Entry,
  sheet: CellSheet | null,
  context: BakeContext,
): Promise<{ table: CellTable; survey: Survey }> => {
  const table = await openTable(entry, sheet, context)
  try {
    if (table.cells.length === 0 || table.genes.length === 0) throw new CellFileError('cells-none')
    const survey = await surveyValues(table, context.signal)
    if (!survey.negative || entry.layer !== undefined || !table.layers.includes('raw')) return { table, survey }
  } catch (error) {
    table.close()
    throw error
  }
  table.close()
  const raw = await openTable({ ...entry, layer: 'raw' }, sheet, context)
  try {
    const survey = await surveyValues(raw, context.signal)
    context.report(toolDefects, { code: 'cells-raw-used', file: entry.file, line: null, params: {} })
    return { table: raw, survey }
  } catch (error) {
    raw.close()
    throw error
  }
}

interface PlacedGenes {
  /** Row of each gene of the file, -1 for those that the gene models do not have. */
  rows: Int32Array
  genes: string[]
  unknown: string[]
  /** Genes of an earlier row, in the file once more. */
  repeated: number
}

const findGenes = (table: CellTable, context: BakeContext): PlacedGenes => {
  const rows = new Int32Array(table.genes.length).fill(-1)
  const genes: string[] = []
  const seen = new Set<string>()
  const unknown: string[] = []
  let repeated = 0
  for (const [at, names] of table.genes.entries()) {
    let gene: string | null = null
    for (const name of names) {
      gene = name === '' ? null : context.findGene(name)
      if (gene !== null) break
    }
    if (gene === null) {
      if (names.length > 0) unknown.push(names[0]!)
    } else if (seen.has(gene)) repeated += 1
    else {
      seen.add(gene)
      rows[at] = genes.length
      genes.push(gene)
    }
  }
  return { rows, genes, unknown, repeated }
}

/** Genes of the file among those of the gene models; what is left out is reported, and too much of it refused. */
const placeGenes = (table: CellTable, entry: Entry, context: BakeContext): PlacedGenes => {
  const placed = findGenes(table, context)
  const { genes, unknown, repeated } = placed
  const about = { file: entry.file, line: null }
  const names = unknown.slice(0, maxNamed).join(', ')
  if (genes.length === 0) throw new CellFileError('cells-no-genes', { names })
  if (unknown.length > 0)
    context.report(toolDefects, {
      ...about,
      code: 'cells-genes-unknown',
      params: { count: unknown.length, total: table.genes.length, names },
    })
  const log = new DefectLog()
  const total = unknown.length + genes.length + repeated
  const facts = { why: 'unknown', count: unknown.length, total, line: null, example: unknown[0] ?? '' } as const
  if (refuseLeftOut(log, entry.file, facts)) throw new CellFileError('rows-unknown', log.defects[0]!.params)
  if (repeated > 0) context.report(toolDefects, { ...about, code: 'cells-genes-repeated', params: { count: repeated } })
  return placed
}

/** Columns of which one is a grouping into kinds of cells, best first. */
const typeNames = [/cell.?_?(type|class|ontology|state)|annotation/i, /cluster|louvain|leiden/i]

const bakeColumn = async (
  column: CellColumn,
  number: number,
  computedHere: boolean,
  dataset: string,
  context: BakeContext,
): Promise<BakedColumn> => {
  const path = cellFiles(dataset).column(number)
  const file = join(context.directory, path)
  let missing = 0
  let baked: Pick<BakedColumn, 'levels' | 'range'>
  if (column.kind === 'category') {
    const counts = new Float64Array(column.levels.length)
    for (const code of column.codes)
      if (code === noLevel) missing += 1
      else counts[code]! += 1
    // Levels without cells are left over from a larger data set.
    const kept = [...counts.keys()].filter((level) => counts[level]! > 0)
    const indexes = new Map(kept.map((level, at) => [level, at]))
    await writeMatrix(file, '<u2', column.codes.length, 1, (row, into) => {
      into[0] = indexes.get(column.codes[row]!) ?? noLevel
    })
    baked = { levels: kept.map((level) => ({ name: column.levels[level]!, cells: counts[level]! })), range: null }
  } else {
    let min = Number.POSITIVE_INFINITY
    let max = Number.NEGATIVE_INFINITY
    for (const value of column.values)
      if (Number.isFinite(value)) {
        min = Math.min(min, value)
        max = Math.max(max, value)
      } else missing += 1
    await writeMatrix(file, '<f4', column.values.length, 1, (row, into) => {
      into[0] = column.values[row]!
    })
    baked = { levels: null, range: min <= max ? [min, max] : null }
  }
  context.addFile(path, { kind: 'cell-column' })
  return { name: column.name, file: number, computed: computedHere, missing, ...baked }
}

const isMap = ({ name, width }: CellCoordinates): boolean => width <= 3 && !/pca|diffmap/i.test(name)
const mapOrder = ({ name }: { name: string }): number => [/umap/i, /tsne/i].findIndex((one) => one.test(name)) >>> 0

const readSheet = async (file: string, context: BakeContext): Promise<CellSheet> => {
  const log = new DefectLog()
  const sheet = await readCellSheet(await context.resolveFile(file), log)
  for (const defect of log.defects) context.forward({ ...defect, file })
  return sheet
}

/** Layers that hold counts where X holds something made of them. */
const countLayers = ['counts', 'raw_counts', 'raw']
/** Values of all genes and samples that are summed at once: 160 MB. */
const maxSummed = 20_000_000

/** Calls with counts of the cells: those of the table, or of a layer that has them; null where the file has none. */
const withCounts = async <T>(
  entry: Entry,
  sheet: CellSheet | null,
  table: CellTable,
  isCounts: boolean,
  context: BakeContext,
  use: (counts: CellTable) => Promise<T>,
): Promise<T | null> => {
  if (isCounts) return use(table)
  for (const layer of countLayers.filter((one) => one !== entry.layer && table.layers.includes(one))) {
    const other = await openTable({ ...entry, layer }, sheet, context)
    try {
      const { whole, negative } = await surveyValues(other, context.signal)
      if (whole && !negative) return await use(other)
    } finally {
      other.close()
    }
  }
  return null
}

/** A name of a sample can be typed in a list, which commas and the like part. */
const typedName = (text: string): string => text.replace(/[\s,;，；]+/g, ' ').trim()

/** Sums counts to a data set of expression where replicates are known; gives its name, null where none was made. */
const bakePseudoBulk = async (
  entry: Entry,
  sheet: CellSheet | null,
  {
    table,
    columns,
    group,
    isCounts,
  }: { table: CellTable; columns: CellColumn[]; group: string | null; isCounts: boolean },
  context: BakeContext,
): Promise<string | null> => {
  if (entry.pseudobulk === false) return null
  const about = { file: entry.file, line: null }
  const refuse = (reason: 'column' | 'counts' | 'few' | 'large', name = ''): null => {
    // Nobody asked for it: nothing is missing.
    if (entry.pseudobulk !== undefined)
      context.report(toolDefects, { ...about, code: `cells-pseudobulk-${reason}`, params: { name } })
    return null
  }
  const replicate = findReplicateColumn(columns, entry.pseudobulk?.replicate)
  if (replicate === null) return refuse('column', entry.pseudobulk?.replicate ?? 'donor, sample')
  const typeName = entry.pseudobulk?.group ?? (group === replicate.name ? null : group)
  const type = typeName === null ? null : columns.find(({ name }) => name === typeName)
  if (type === undefined || type?.kind === 'number') return refuse('column', typeName ?? '')
  const plan = planPseudoBulk(replicate, type, columns, entry.pseudobulk?.minCells)
  if (new Set(plan.samples.map((sample) => sample.replicate)).size < replicateLimits.min) return refuse('few')
  const made = await withCounts(entry, sheet, table, isCounts, context, async (counts) => {
    const { rows, genes } = findGenes(counts, context)
    if (genes.length * plan.samples.length > maxSummed) return 'large' as const
    return { genes, ...(await sumPseudoBulk(counts.scan(), plan, rows, genes.length, context.signal)) }
  })
  if (made === null) return refuse('counts')
  if (made === 'large') return refuse('large')
  const { genes, values, sums } = made
  const taken = new Set<string>()
  const ids = plan.samples.map((sample, at) => {
    const parts = [sample.replicate, ...(sample.group === null ? [] : [sample.group])]
    const name = parts.map(typedName).join(' / ')
    const id = taken.has(name) ? `${name} (${at + 1})` : name
    taken.add(id)
    return id
  })
  const factors = [...plan.factors, ...(plan.group === null ? [] : [plan.group]), plan.replicate]
  const samples = plan.samples.map((sample, at) => ({
    id: ids[at]!,
    label: ids[at]!,
    factors: {
      ...sample.factors,
      ...(plan.group === null ? {} : { [plan.group]: sample.group ?? '' }),
      [plan.replicate]: sample.replicate,
    },
    sum: sums[at]!,
  }))
  const each = plan.group === null ? plan.replicate : `${plan.replicate} × ${plan.group}`
  const dataset: ExpressionDataset = {
    ...describeEntry(entry, context),
    // No entry of expression can have this name.
    id: `${entry.id}+pseudobulk`,
    name: {
      en: `${textIn(entry.name, 'en')} (pseudo-bulk)`,
      zh: `${textIn(entry.name, 'zh')}（伪批量）`,
    },
    description: {
      en: `Counts summed over the cells of each ${each}; at least ${entry.pseudobulk?.minCells ?? minCellsOfSample} cells per sample.`,
      zh: `按 ${each} 将细胞计数求和；每个样本至少 ${entry.pseudobulk?.minCells ?? minCellsOfSample} 个细胞。`,
    },
    unit: 'counts',
    measure: null,
    geneCount: genes.length,
    missing: 0,
    sites: null,
    factors: factors.map((name) => ({
      name,
      levels: [...new Set(samples.map((sample) => sample.factors[name] ?? ''))],
    })),
    samples,
    group: plan.group ?? plan.factors[0] ?? plan.replicate,
    pictureFactor: null,
    contrasts: [],
  }
  await writeExpression(
    { id: dataset.id, unit: 'counts' },
    { genes, values, width: samples.length, sums, order: [...samples.keys()] },
    context,
  )
  await offerMatrix(dataset, { genes, samples: ids, values }, context)
  await addExpression(dataset, context)
  context.report(toolDefects, {
    ...about,
    code: 'cells-pseudobulk-made',
    params: { count: samples.length, each, left: plan.left.samples, leftCells: plan.left.cells },
  })
  return dataset.id
}

const bakeOne = async (entry: Entry, context: BakeContext): Promise<CellDataset> => {
  const about = { file: entry.file, line: null }
  const sheet = entry.metadata === undefined ? null : await readSheet(entry.metadata, context)
  const { table, survey } = await openSurveyed(entry, sheet, context)
  try {
    const cellCount = table.cells.length
    const { rows, genes } = placeGenes(table, entry, context)
    if (survey.unreadable > 0)
      context.report(toolDefects, { ...about, code: 'cells-values-missing', params: { count: survey.unreadable } })
    const kind = survey.negative
      ? 'scaled'
      : entry.values !== undefined
        ? entry.values === 'counts'
          ? 'normalised'
          : 'log'
        : survey.whole || survey.max >= minLinear
          ? 'normalised'
          : 'log'
    if (kind === 'scaled') context.report(toolDefects, { ...about, code: 'cells-scaled', params: {} })
    const files = cellFiles(entry.id)
    const at = (path: string): string => join(context.directory, path)
    await mkdir(at(files.folder), { recursive: true })
    const places = { values: at(files.values), cells: at(files.cells), starts: at(files.starts) }
    const valueCount = await writeByGene(
      table,
      survey,
      rows,
      genes.length,
      kind === 'normalised',
      places,
      context.signal,
    )
    await writeFile(at(files.genes), genes.map((gene) => `${gene}\n`).join(''))
    await writeFile(at(files.names), table.cells.map((cell) => `${cell}\n`).join(''))
    for (const path of [files.values, files.cells, files.starts, files.genes, files.names])
      context.addFile(path, { kind: 'cells' })

    const columns = [...table.columns]
    const left = [...table.left]
    if (sheet !== null) {
      const reported = sheet.columnsFor(table.cells)
      const names = new Set(reported.columns.map(({ name }) => name))
      columns.splice(0, columns.length, ...reported.columns, ...columns.filter(({ name }) => !names.has(name)))
      left.push(...reported.left)
      if (reported.unknown > 0 || reported.without > 0)
        context.report(toolDefects, {
          code: 'cells-metadata',
          file: entry.metadata!,
          line: null,
          params: { unknown: reported.unknown, without: reported.without, total: cellCount },
        })
      if (reported.without === cellCount) throw new CellFileError('cells-metadata-other', { cell: table.cells[0]! })
    }
    if (left.length > 0)
      context.report(toolDefects, {
        ...about,
        code: 'cells-columns-left',
        params: { count: left.length, names: left.slice(0, maxNamed).join(', ') },
      })

    const maps = table.coordinates.filter(isMap).sort((a, b) => mapOrder(a) - mapOrder(b))
    const grouped = columns.some(
      ({ name, kind: one }) => one === 'category' && typeNames.some((type) => type.test(name)),
    )
    const computedColumns = new Set<CellColumn>()
    const computedMaps = new Set<CellCoordinates>()
    let computedOf: number | null = null
    if (maps.length === 0 || !grouped) {
      if (cellCount < minComputedCells) {
        if (maps.length === 0)
          throw new CellFileError('cells-no-map', {
            count: cellCount,
            min: minComputedCells,
          })
      } else {
        const values = await openValues(places)
        try {
          const made = await computeFromValues(
            values,
            cellCount,
            table.coordinates.find(({ name }) => /pca/i.test(name)) ?? null,
            { embedding: maps.length === 0, clusters: !grouped },
            context.progress,
            context.signal,
          )
          if (made === null) throw new CellFileError('cells-none')
          if (made.sampled < cellCount) {
            computedOf = made.sampled
            context.report(toolDefects, {
              ...about,
              code: 'cells-sampled',
              params: { sampled: made.sampled, count: cellCount },
            })
          }
          if (made.embedding !== null) {
            const map = { name: 'UMAP', width: 2, values: made.embedding }
            maps.push(map)
            computedMaps.add(map)
            context.report(toolDefects, { ...about, code: 'cells-map-computed', params: { count: cellCount } })
          }
          if (made.clusters !== null) {
            const max = made.clusters.reduce((one, other) => Math.max(one, other), 0) + 1
            const column: CellColumn = {
              name: 'Louvain',
              kind: 'category',
              levels: Array.from({ length: max }, (_, cluster) => String(cluster + 1)),
              codes: Uint16Array.from(made.clusters),
            }
            columns.push(column)
            computedColumns.add(column)
            context.report(toolDefects, { ...about, code: 'cells-clusters-computed', params: { count: max } })
          }
        } finally {
          await values.close()
        }
      }
    }
    for (const [number, { width, values }] of maps.entries()) {
      await writeMatrix(at(files.embedding(number)), '<f4', cellCount, 2, (row, into) => {
        into[0] = values[row * width]!
        into[1] = values[row * width + 1]!
      })
      context.addFile(files.embedding(number), { kind: 'cell-map' })
    }
    const baked: BakedColumn[] = []
    for (const [number, column] of columns.entries())
      baked.push(await bakeColumn(column, number, computedColumns.has(column), entry.id, context))
    const groups = baked.filter(({ levels }) => levels !== null && levels.length > 0)
    const group =
      groups.find(({ name }) => name === entry.group) ??
      typeNames.map((type) => groups.find(({ name }) => type.test(name))).find((one) => one !== undefined) ??
      groups.find(({ name }) => name === 'Louvain') ??
      groups[0]
    const isCounts = kind === 'normalised' && (survey.whole || entry.values === 'counts')
    const pseudobulk = await bakePseudoBulk(
      entry,
      sheet,
      { table, columns, group: group?.name ?? null, isCounts },
      context,
    )
    return {
      ...describeEntry(entry, context),
      layout: table.layout,
      cellCount,
      geneCount: genes.length,
      valueCount,
      values: kind,
      embeddings: maps.map((map, file) => ({
        name: map.name.replace(/^X_/, '').replace(/^(umap|tsne)$/i, (one) => (/umap/i.test(one) ? 'UMAP' : 't-SNE')),
        file,
        computed: computedMaps.has(map),
        sampled: computedMaps.has(map) ? computedOf : null,
      })),
      columns: baked,
      group: group?.name ?? null,
      pseudobulk,
    }
  } finally {
    table.close()
  }
}

const bake = async (value: Entry[] | null, context: BakeContext): Promise<Record<string, number>> => {
  let sets = 0
  let summed = 0
  for (const entry of value ?? []) {
    try {
      const dataset = await bakeOne(entry, context)
      await context.addRecord({ kind: singleCellData, id: entry.id, data: dataset })
      sets += 1
      if (dataset.pseudobulk !== null) summed += 1
    } catch (error) {
      if (!(error instanceof CellFileError)) throw error
      const file = error.code === 'cells-metadata-other' ? entry.metadata! : entry.file
      context.report({ ...cellDefects, ...textDefects }, { code: error.code, file, line: null, params: error.params })
    }
  }
  return {
    ...(sets > 0 ? { [singleCellData]: sets } : {}),
    ...(summed > 0 ? { [expressionData]: summed } : {}),
  }
}

/** Cells and genes with what is told of the cells; a map and clusters are computed where the file has none. */
export default defineLoader({
  entry: 'singleCell',
  scope: 'assembly',
  schema,
  version: 3,
  beside: (entries) =>
    entries.flatMap(({ file }) =>
      matrixName.test(file) ? Object.values(matrixParts).flatMap((names) => pathsBeside(file, names)) : [],
    ),
  bake,
})
