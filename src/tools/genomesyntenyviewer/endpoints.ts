import { z } from 'zod'
import { defineEndpoint } from '../../contracts/endpoint.ts'

const twoSchema = z.object({ first: z.string().max(64), second: z.string().max(64) })

const genesSchema = z.object({
  sequences: z.array(z.string()),
  id: z.array(z.string()),
  symbol: z.array(z.string().nullable()),
  /** Place of each gene's sequence in `sequences`. */
  sequence: z.array(z.number()),
  start: z.array(z.number()),
  end: z.array(z.number()),
  /** 1, -1 or 0. */
  strand: z.array(z.number()),
})

export const getGenePairs = defineEndpoint({
  method: 'GET',
  path: '/api/tools/genomesyntenyviewer/pairs/',
  summary: 'Coding genes of two assemblies and the pairs of them that are in collinear blocks',
  tag: 'tools',
  input: twoSchema,
  output: z.object({
    genesA: genesSchema,
    genesB: genesSchema,
    /** Of each pair: number of its block, and the genes by their place in `genesA` and `genesB`. */
    block: z.array(z.number()),
    a: z.array(z.number()),
    b: z.array(z.number()),
  }),
})
export type GenePairs = z.output<(typeof getGenePairs)['output']>

const pairRowSchema = z.object({
  geneA: z.string(),
  symbolA: z.string().nullable(),
  startA: z.number(),
  endA: z.number(),
  strandA: z.number(),
  geneB: z.string(),
  symbolB: z.string().nullable(),
  startB: z.number(),
  endB: z.number(),
  strandB: z.number(),
  /** Codons compared; null where a coding sequence is missing or was not compared. */
  codons: z.number().nullable(),
  ka: z.number().nullable(),
  ks: z.number().nullable(),
  omega: z.number().nullable(),
})
export type PairRow = z.infer<typeof pairRowSchema>

export const getBlock = defineEndpoint({
  method: 'GET',
  path: '/api/tools/genomesyntenyviewer/block/',
  summary: 'Pairs of genes of a collinear block, with Ka and Ks (Nei and Gojobori)',
  tag: 'tools',
  input: twoSchema.extend({ number: z.coerce.number().int().min(0) }),
  output: z.object({
    /** The block's pairs; `rows` may be cut. */
    total: z.number(),
    rows: z.array(pairRowSchema),
    medianKs: z.number().nullable(),
    medianKa: z.number().nullable(),
    /** Pairs whose Ks is saturated or could not be told. */
    without: z.number(),
  }),
})
export type BlockDetail = z.output<(typeof getBlock)['output']>
