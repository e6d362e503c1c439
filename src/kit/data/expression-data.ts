import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { PortalError } from '../../contracts/errors.ts'
import { type ExpressionDataset, expressionData } from '../../contracts/expression.ts'
import { type MatrixFile, openMatrix } from '../../store/npy-matrix.ts'
import { readGeneList } from './genes/gene-list.ts'
import type { PortalData } from './portal-data.ts'

/** Kind of the records that the loader of expression adds. */
export const expressionKind = 'expression'

/** Files of a data set within its assembly's bundle. */
export const expressionFiles = (dataset: string) => ({
  folder: `expression/${dataset}/`,
  /** float32: values as loaded. */
  values: `expression/${dataset}/values.npy`,
  /** float32: rows on a comparable scale (logarithms), standardised over all samples. */
  standard: `expression/${dataset}/standard.npy`,
  /** uint16: doubled ranks of the samples within each gene (bio/statistics/correlation.ts). */
  ranks: `expression/${dataset}/ranks.npy`,
  /** Gene ids, a line each, in the order of the rows. */
  genes: `expression/${dataset}/genes.txt`,
  picture: `expression/${dataset}/picture.svg`,
  /** float32, of Tn-seq: reads at each site, rows in the order of the genome. */
  sites: `expression/${dataset}/sites.npy`,
  /** uint32: the first site of each gene and how many it has. */
  geneSites: `expression/${dataset}/gene-sites.npy`,
})

export const contrastFiles = (dataset: string, contrast: string) => ({
  prefix: `expression/${dataset}/${contrast}.`,
  /** float64: log2 fold change, p-value, adjusted p-value, mean; NaN where there is none. */
  values: `expression/${dataset}/${contrast}.npy`,
  genes: `expression/${dataset}/${contrast}.genes.txt`,
})

/** Data sets of an assembly in the order of species.yaml. */
export const listExpression = async (data: PortalData, assembly: string): Promise<ExpressionDataset[]> =>
  (await data.listRecords<ExpressionDataset>(expressionKind, { assembly })).map((record) => record.data)

export interface ExpressionSites {
  /** Row after row of the sites, a column a sample. */
  counts: Float32Array
  /** The first site of each gene and how many it has, two numbers a gene. */
  geneSites: Uint32Array
}

export interface OpenExpression {
  dataset: ExpressionDataset
  genes: string[]
  /** Row of each gene. */
  rows: ReadonlyMap<string, number>
  openValues(): Promise<MatrixFile<'<f4'>>
  openStandard(): Promise<MatrixFile<'<f4'>>
  openRanks(): Promise<MatrixFile<'<u2'>>
  /** Counts at insertion sites and the sites of each gene; null of data that have none. */
  readSites(): Promise<ExpressionSites | null>
  picture(): Promise<string | null>
}

const readWhole = async <Type extends '<f4' | '<u4'>(path: string, type: Type) => {
  const matrix = await openMatrix(path, type)
  try {
    return await matrix.readCells(0, matrix.rows * matrix.columns)
  } finally {
    await matrix.close()
  }
}

/**
 * A data set of an assembly; the first with at least `minSamples` samples when none is named. Rejects with NOT_FOUND: message
 * `problem.noExpression` when the assembly has
 * none at all, `problem.unknownDataset` when it has none of that name. Both are the tool's own to say.
 */
export const openExpression = async (
  data: PortalData,
  assembly: string,
  dataset: string | undefined,
  minSamples = 1,
): Promise<OpenExpression> => {
  const summary = await data.getAssembly(assembly)
  const all = (summary.dataTypes[expressionData] ?? 0) === 0 ? [] : await listExpression(data, assembly)
  if (all.length === 0) throw new PortalError('NOT_FOUND', { message: 'problem.noExpression', params: { assembly } })
  const found =
    dataset === undefined
      ? (all.find(({ samples }) => samples.length >= minSamples) ?? all[0])
      : all.find(({ id }) => id === dataset)
  if (found === undefined)
    throw new PortalError('NOT_FOUND', {
      message: 'problem.unknownDataset',
      params: { dataset: dataset!, names: all.map(({ id }) => id).join(', ') },
      problems: [
        {
          path: ['dataset'],
          message: 'problem.unknownDataset',
          params: { dataset: dataset!, names: all.map(({ id }) => id).join(', ') },
        },
      ],
    })
  const files = expressionFiles(found.id)
  const directory = await data.bundleFiles(assembly, files.folder)
  const { genes, rows } = await readGeneList(join(directory, files.genes))
  return {
    dataset: found,
    genes,
    rows,
    openValues: () => openMatrix(join(directory, files.values), '<f4'),
    openStandard: () => openMatrix(join(directory, files.standard), '<f4'),
    openRanks: () => openMatrix(join(directory, files.ranks), '<u2'),
    readSites: async () =>
      found.sites === null
        ? null
        : {
            counts: await readWhole(join(directory, files.sites), '<f4'),
            geneSites: await readWhole(join(directory, files.geneSites), '<u4'),
          },
    picture: async () => (found.pictureFactor === null ? null : readFile(join(directory, files.picture), 'utf8')),
  }
}

/** A table of differential expression, gene by gene. NaN where the table says nothing. */
export const readContrast = async (
  data: PortalData,
  assembly: string,
  dataset: string,
  contrast: string,
): Promise<{ genes: string[]; rows: Float64Array[] }> => {
  const files = contrastFiles(dataset, contrast)
  const directory = await data.bundleFiles(assembly, files.prefix)
  const { genes } = await readGeneList(join(directory, files.genes))
  const matrix = await openMatrix(join(directory, files.values), '<f8')
  try {
    return { genes, rows: await matrix.readRows(genes.map((_, row) => row)) }
  } finally {
    await matrix.close()
  }
}

/** One gene of such a table: log2 fold change, p-value, adjusted p-value and mean; null where it is not in it. */
export const readContrastRow = async (
  data: PortalData,
  assembly: string,
  dataset: string,
  contrast: string,
  gene: string,
): Promise<Float64Array | null> => {
  const files = contrastFiles(dataset, contrast)
  const directory = await data.bundleFiles(assembly, files.prefix)
  const row = (await readGeneList(join(directory, files.genes))).rows.get(gene)
  if (row === undefined) return null
  const matrix = await openMatrix(join(directory, files.values), '<f8')
  try {
    return (await matrix.readRows([row]))[0]!
  } finally {
    await matrix.close()
  }
}

/** Values of float32 as the decimals that were written: 0.15 and not 0.15000000596. */
export const exactly = (value: number): number | null => (Number.isNaN(value) ? null : Number(value.toPrecision(7)))
