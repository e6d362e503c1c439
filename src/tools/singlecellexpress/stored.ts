import { z } from 'zod'
import { localizedTextSchema } from '../../contracts/text.ts'

/** Kind of data of an assembly, and of the records that the loader adds. */
export const singleCellData = 'singleCell'

const cellColumnSchema = z.object({
  name: z.string(),
  /** Number of its file. */
  file: z.number(),
  /** The portal computed it. */
  computed: z.boolean(),
  /** Names of kinds with how many cells each has; null of a column of numbers. */
  levels: z.array(z.object({ name: z.string(), cells: z.number() })).nullable(),
  /** Least and greatest of a column of numbers. */
  range: z.tuple([z.number(), z.number()]).nullable(),
  /** Cells of which it says nothing. */
  missing: z.number(),
})
export type BakedColumn = z.infer<typeof cellColumnSchema>

export const cellDatasetSchema = z.object({
  id: z.string(),
  name: localizedTextSchema,
  description: localizedTextSchema.nullable(),
  source: localizedTextSchema.nullable(),
  licence: z.string().nullable(),
  simulated: z.boolean(),
  layout: z.string(),
  cellCount: z.number(),
  geneCount: z.number(),
  /** Values that are not zero. */
  valueCount: z.number(),
  /**
   * `log`: as given, logarithms; `normalised`: the portal made ln(1 + 10,000 x / sum of the cell) of counts; `scaled`: as given, with
   * values below zero.
   */
  values: z.enum(['log', 'normalised', 'scaled']),
  embeddings: z.array(
    z.object({
      name: z.string(),
      file: z.number(),
      computed: z.boolean(),
      /** Cells it was computed of, where the others were placed beside them. */
      sampled: z.number().nullable().default(null),
    }),
  ),
  columns: z.array(cellColumnSchema),
  /** The column by which cells are grouped at first; null when none has names. */
  group: z.string().nullable(),
  /** Expression data set of counts summed over the cells of each replicate; null where none was made. */
  pseudobulk: z.string().nullable().default(null),
})
export type CellDataset = z.infer<typeof cellDatasetSchema>

/** Files of a data set within its assembly's bundle: together the arrays of scipy.sparse.csc_matrix, cells by genes. */
export const cellFiles = (dataset: string) => ({
  folder: `cells/${dataset}`,
  values: `cells/${dataset}/values.npy`,
  cells: `cells/${dataset}/cells.npy`,
  starts: `cells/${dataset}/starts.npy`,
  genes: `cells/${dataset}/genes.txt`,
  names: `cells/${dataset}/names.txt`,
  embedding: (file: number): string => `cells/${dataset}/embedding-${file}.npy`,
  column: (file: number): string => `cells/${dataset}/column-${file}.npy`,
})
