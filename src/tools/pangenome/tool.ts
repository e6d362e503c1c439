import { z } from 'zod'
import { buscoSchema } from '../../contracts/busco.ts'
import type { AssemblySummary } from '../../contracts/species.ts'
import { defineTool, identifiersSchema } from '../../contracts/tools/tool.ts'
import { defineLimits } from '../../contracts/tools/tool-limits.ts'

export const limits = defineLimits('pangenome', { assemblies: 200, genes: 2000, orders: 1000, drawnCells: 20_000_000 })

/**
 * Of the assemblies of a species, those that are counted unless others are chosen: whole genomes of the species itself. Where that is a
 * single one, partial ones are counted too, and then outgroups.
 */
export const countedOf = <T extends Pick<AssemblySummary, 'partial' | 'outgroup'>>(species: readonly T[]): T[] => {
  const own = species.filter(({ outgroup }) => !outgroup)
  const whole = own.filter(({ partial }) => partial === null)
  return [...([whole, own].find((list) => list.length > 1) ?? species)]
}

const assemblySchema = z.object({
  id: z.string(),
  speciesName: z.string(),
  reference: z.boolean(),
  /** Only what aligns or was assembled is there: a family without a gene need not be absent. */
  partial: z.boolean(),
  outgroup: z.boolean(),
  simulated: z.boolean(),
  lengthBp: z.number(),
  gcFraction: z.number(),
  sequenceCount: z.number(),
  n50Bp: z.number(),
  l50: z.number(),
  gapBp: z.number(),
  geneCount: z.number(),
  codingGeneCount: z.number(),
  /** Families with a gene in it, and those of them that no other of these assemblies has. */
  families: z.number(),
  alone: z.number(),
  busco: buscoSchema.nullable(),
})
export type ComparedAssembly = z.infer<typeof assemblySchema>

const fitSchema = z
  .object({
    factor: z.number(),
    exponent: z.number(),
    factorMargin: z.number().nullable(),
    exponentMargin: z.number().nullable(),
    residual: z.number(),
    points: z.number(),
  })
  .nullable()

const numbers = z.array(z.number())
const spreadSchema = z.object({ low: numbers, high: numbers })

const setRowSchema = z.object({
  query: z.string(),
  assembly: z.string(),
  gene: z.string(),
  symbol: z.string().nullable(),
  description: z.string().nullable(),
  /** Id of the family; null for a gene without a protein. */
  family: z.string().nullable(),
  /** Genes of the family in each assembly, in the order of the assemblies. */
  members: z.array(z.array(z.string())),
})
export type SetRow = z.infer<typeof setRowSchema>

const resultSchema = z.object({
  computedAt: z.string(),
  /** False when assemblies were loaded or removed since the orthogroups were computed. */
  current: z.boolean(),
  /** Assemblies with coding genes that the orthogroups do not know. */
  missing: z.array(z.string()),
  /** Partial assemblies that were not taken because none was chosen. */
  leftOut: z.array(z.string()),
  /** Outgroups of the species compared, whether they are among the assemblies or not. */
  outgroups: z.array(z.string()),
  assemblies: z.array(assemblySchema),
  /** Families by the number of assemblies they are in, from 0 (in others alone) on. */
  frequencies: numbers,
  /**
   * Genes followed one by one instead of families, by the number of assemblies that have them: by their DNA, and by genes annotated on it. A
   * gene that k assemblies have is counted by each of them as a k-th. Null where genes of one of the assemblies were not followed.
   */
  genes: z.object({ dna: numbers, annotated: numbers }).nullable(),
  /** Means over all orders of the assemblies, after 1, 2 … of them. */
  growth: z.object({ pan: numbers, core: numbers, fresh: numbers }),
  spread: z.object({ orders: z.number(), complete: z.boolean(), pan: spreadSchema, core: spreadSchema }),
  /** kappa N ^ gamma through the means of the pan-genome. */
  heaps: fitSchema,
  /** kappa N ^ -alpha through the means of the new families, from the second assembly on; the exponent is -alpha. */
  fresh: fitSchema,
  /** Assemblies by the families they share. */
  tree: z.object({ order: numbers, merges: z.array(z.tuple([z.number(), z.number(), z.number()])) }),
  /** Families in the order of drawing. */
  matrix: z.object({
    /**
     * Numbers of the families: unsigned integers of 32 bits, lowest byte first, in base64. A family's number is its place among all, largest first, from 0, until anything is computed anew; its id stays. */
    families: z.string(),
    /** Genes of each family in each assembly (0, 1, 2, 3 for more), two bits each from the lowest on, family after family, in base64. */
    cells: z.string(),
    count: z.number(),
    /** Families of one assembly that are too many to be drawn. */
    notDrawn: z.number(),
  }),
  /** The genes asked for. */
  set: z.object({ rows: z.array(setRowSchema), unknown: z.array(z.string()) }).nullable(),
})
export type PanGenome = z.infer<typeof resultSchema>

const codes = (one: AssemblySummary): boolean => (one.dataTypes.proteins ?? 0) > 0

export default defineTool({
  id: 'pangenome',
  route: '/pangenome',
  category: 'compare',
  order: 45,
  icon: 'layers',
  mode: 'answer',
  version: 4,
  input: z.object({
    /** The whole species of the reference when empty, without its partial assemblies and outgroups. */
    assemblies: z.array(z.string().max(64)).max(limits.assemblies).default([]),
    /** Genes whose families are shown by themselves. */
    genes: identifiersSchema(limits.genes).optional(),
    /** Where their names are looked up; in all compared when absent. */
    assembly: z.string().max(64).optional(),
    /** Orders of the assemblies that are drawn for the spread of the curves. */
    orders: z.int().min(10).max(limits.orders).default(Math.min(200, limits.orders)),
    seed: z.int().min(1).max(2_147_483_647).default(1),
  }),
  result: resultSchema,
  limits,
  needs: [{ kind: 'data', dataType: 'proteins', entry: 'genes' }],
  opens: [
    { target: 'geneFamilies', query: { genes: '{genes}', assembly: '{assembly}' } },
    {
      target: 'absentGenes',
      query: { assemblies: '{assemblies}', 'view.present': '{reference}', 'view.absent': '{assembly}' },
      run: true,
    },
  ],
  example: ({ assemblies }) => {
    const first = assemblies.find((one) => one.reference && codes(one)) ?? assemblies.find(codes)
    if (first === undefined) return null
    const species = assemblies.filter((one) => one.species === first.species && codes(one))
    const chosen = species.length > 1 ? countedOf(species) : assemblies.filter(codes)
    if (chosen.length < 2) return null
    const genes = first.exampleGenes.map(({ id }) => id).slice(0, Math.min(8, limits.genes))
    return {
      assemblies: chosen.slice(0, limits.assemblies).map(({ id }) => id),
      ...(genes.length === 0 ? {} : { genes, assembly: first.id }),
    }
  },
})
