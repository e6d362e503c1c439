import { z } from 'zod'
import { presenceStates } from '../bio/comparative/gene-presence.ts'
import { defineEndpoint } from './endpoint.ts'
import { geneSummarySchema } from './genes.ts'

/**
 * What an assembly has of one gene of another, the gene itself and not its family: `ortholog`; `same-locus`, a gene annotated where the
 * gene's own DNA lies, though by its protein it is not called the ortholog; `unannotated`, the DNA without a gene; `paralogs`, its
 * DNA is gone and only other genes of its family, or other copies, are there; `gone`, DNA gone and no such gene; `unknown`, where
 * nothing is aligned, so that nobody can say that it is absent.
 */
export const geneStates = ['ortholog', 'same-locus', 'unannotated', 'paralogs', 'gone', 'unknown'] as const
export type GeneState = (typeof geneStates)[number]

const locusSchema = z.object({
  sequence: z.string(),
  start: z.number(),
  end: z.number(),
  strand: z.enum(['+', '-']),
})

const dnaSchema = z.object({
  /** `present`: at least half of the gene's bases; `gone`: alignments pass over at least half; `replaced`: other bases are there. */
  state: z.enum(['present', 'gone', 'replaced', 'unknown']),
  /**
   * Why `unknown`: `assembly` is not aligned, `unaligned` here or beyond the end of a contig, `reference` lacks it, so it cannot be
   * followed, the gene is too `long`, unknown bases are in its place (`gap`), or its place is beyond a `contig-end`.
   */
  reason: z.enum(['assembly', 'unaligned', 'reference', 'long', 'gap', 'contig-end']).nullable(),
  /** Share of 1 of the gene's bases that are aligned at its own place, and of these that are equal. */
  alignedShare: z.number(),
  identity: z.number().nullable(),
  /** Where it lies, on the strand of the gene there; or would lie: then the bases on both sides, or what is there instead. */
  locus: locusSchema.nullable(),
  /** The reference, when neither assembly is it. */
  through: z.string().nullable(),
})

const relativeSchema = z.object({
  gene: z.string(),
  symbol: z.string().nullable(),
  /** Of the proteins, in percent; null when they were not compared or there is no hit. */
  identity: z.number().nullable(),
  /** Whether it stands where the gene's own DNA lies; null when that is not known. */
  sameLocus: z.boolean().nullable(),
})

const stateSchema = z.object({
  assembly: z.string(),
  partial: z.boolean(),
  state: z.enum(geneStates),
  /** Its orthologs, or the genes at its place. */
  genes: z.array(relativeSchema),
  /** Other genes of its family, and genes at copies of its DNA. */
  paralogs: z.array(relativeSchema),
  dna: dnaSchema,
  /** The gene by its DNA alone: whether what is there is whole and can be read. */
  presence: z.object({
    state: z.enum(presenceStates),
    by: z.enum(['alignment', 'dna', 'protein']).nullable(),
    copies: z.number(),
    moved: z.boolean(),
    insertedBp: z.number(),
    frame: z
      .object({
        change: z.enum(['frameshift', 'stop', 'start']).nullable(),
        hgvs: z.string().nullable(),
        keptShare: z.number(),
      })
      .nullable(),
  }),
})
export type AssemblyGeneState = z.infer<typeof stateSchema>

/** A gene by its name, and where it is looked for. */
const geneElsewhereSchema = z.object({
  id: z.string().min(1).max(200),
  assembly: z.string().max(64).optional(),
  /** Only in this assembly. */
  to: z.string().max(64).optional(),
})

export const listGeneStates = defineEndpoint({
  method: 'GET',
  path: '/api/genes/{id}/states/',
  summary:
    'What every other assembly of the species has of one gene: ortholog, only paralogs, DNA without annotation, gone, not known',
  tag: 'genes',
  input: geneElsewhereSchema,
  output: z.object({
    gene: geneSummarySchema,
    /** Orthogroup of the gene; null for one without a protein, or that was not compared. */
    family: z.string().nullable(),
    /** When the proteins were compared, and whether with what is loaded now; null when they were not. */
    homology: z.object({ computedAt: z.string(), current: z.boolean() }).nullable(),
    alignment: z.object({ reference: z.string(), program: z.string(), computedAt: z.string() }).nullable(),
    states: z.array(stateSchema),
  }),
})
export type GeneStates = z.infer<typeof listGeneStates.output>

/** So many changes of one assembly are written out; the rest is counted. */
export const maxProteinChanges = 500

const proteinSchema = z.object({
  assembly: z.string(),
  /** Of the gene's protein, and those of which the bases there are aligned and known. */
  residues: z.number(),
  compared: z.number(),
  /** How many there are, and the first of them in the order of reading, as HGVS writes them. */
  total: z.number(),
  changes: z.array(z.string()),
})
export type AssemblyProtein = z.infer<typeof proteinSchema>

export const listProteinChanges = defineEndpoint({
  method: 'GET',
  path: '/api/genes/{id}/protein-changes/',
  summary:
    'What differs in the protein of one gene in every other assembly of the species that has the gene with its reading frame, from aligned bases',
  tag: 'genes',
  input: geneElsewhereSchema,
  output: z.object({
    /** The transcript of the longest protein, by which residues are counted; null of a gene without one. */
    transcript: z.string().nullable(),
    proteins: z.array(proteinSchema),
  }),
})
export type ProteinChanges = z.infer<typeof listProteinChanges.output>
