import { z } from 'zod'
import { entryIdSchema } from '../../contracts/manifest.ts'
import { localizedTextSchema } from '../../contracts/text.ts'

/** Kind of data of an assembly, and of the records that the loader adds. */
export const interactionData = 'interactions'

export const interactionSetSchema = z.object({
  id: entryIdSchema,
  name: localizedTextSchema,
  description: localizedTextSchema.nullable(),
  source: localizedTextSchema.nullable(),
  licence: z.string().nullable(),
  simulated: z.boolean(),
  layout: z.enum(['string', 'biogrid', 'mitab', 'table']),
  /** `score`: confidence in thousandths; `records`: publications times methods that found it. */
  measure: z.enum(['score', 'records']),
  /** Kinds of evidence, in the order of the columns of the values; STRING's `homology` among them. */
  channels: z.array(z.string()),
  geneCount: z.number(),
  interactionCount: z.number(),
  /** The most that the score or the records come to. */
  max: z.number(),
  /** Names of proteins in the file, and those that are no gene of the assembly; of these the first are listed. */
  proteinCount: z.number(),
  unmatchedCount: z.number(),
  unmatched: z.array(z.string()),
  /** Genes with a fair number of strong partners. */
  examples: z.array(z.string()),
})
export type InteractionSet = z.infer<typeof interactionSetSchema>

/** Files of a data set within its assembly's bundle: a sparse matrix of genes by genes, row after row (CSR). */
export const interactionFiles = (dataset: string) => ({
  folder: `ppi/${dataset}`,
  /** Gene ids, a line each. */
  genes: `ppi/${dataset}/genes.txt`,
  /** float64: where the partners of each gene begin, and the end of the last. */
  starts: `ppi/${dataset}/starts.npy`,
  /** uint32: partners by their place among the genes, ascending for each gene. */
  partners: `ppi/${dataset}/partners.npy`,
  /** uint16: for each partner the score (or the records), then the channels. */
  values: `ppi/${dataset}/values.npy`,
  /** Names of proteins that are no gene, a line each. */
  unmatched: `ppi/${dataset}/unmatched.txt`,
})
