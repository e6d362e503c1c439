import { z } from 'zod'
import { featureKinds } from '../../bio/annotation/protein-hits.ts'
import { defineTool, identifiersSchema } from '../../contracts/tools/tool.ts'
import { defineLimits } from '../../contracts/tools/tool-limits.ts'
import { proteinFeatureData } from '../../kit/data/feature-data.ts'

export const limits = defineLimits('proteinviewer', {
  genes: 60,
  proteins: 200,
  residues: 300_000,
  variants: 3000,
})

export const featureSchema = z.object({
  kind: z.enum(featureKinds),
  /** Program or database: Pfam, SMART, SignalP_EUK … */
  analysis: z.string(),
  accession: z.string().nullable(),
  name: z.string().nullable(),
  /** InterPro entry. */
  entry: z.string().nullable(),
  entryName: z.string().nullable(),
  /** Residues, from 1, both included. */
  start: z.number(),
  end: z.number(),
  evalue: z.number().nullable(),
})
export type Feature = z.infer<typeof featureSchema>

export const proteinVariantSchema = z.object({
  /** Id of the set of variants. */
  set: z.string(),
  sequence: z.string(),
  /** Of the record, on the sequence; from 1. */
  position: z.number(),
  reference: z.string(),
  alternates: z.array(z.string()),
  /** The first residue that changes, from 1. */
  residue: z.number(),
  /** The gravest, by the Sequence Ontology's term. */
  consequence: z.string(),
  /** As HGVS writes it. */
  change: z.string(),
})
export type ProteinVariant = z.infer<typeof proteinVariantSchema>

export const proteinSchema = z.object({
  assembly: z.string(),
  gene: z.string(),
  symbol: z.string().nullable(),
  transcript: z.string(),
  protein: z.string().nullable(),
  /** Residues, without the stop codon. */
  length: z.number(),
  features: z.array(featureSchema),
  variants: z.array(proteinVariantSchema),
  /** More variants than are told. */
  variantsCut: z.boolean(),
})
export type Protein = z.infer<typeof proteinSchema>

const resultSchema = z.object({
  /** Of a family with `row`, the protein as it stands in the alignment. */
  proteins: z.array(proteinSchema.extend({ row: z.string().nullable() })),
  /** Columns of the alignment; null where the proteins were not aligned. */
  columns: z.number().nullable(),
  orthogroups: z.array(z.string()),
  unknown: z.array(z.string()),
  /** Genes that code for no protein. */
  noProtein: z.array(z.string()),
  /** Names that several genes have, read as the first. */
  ambiguous: z.array(z.object({ name: z.string(), gene: z.string() })),
  /** Members of the family that were left out, beyond the limit. */
  leftOut: z.number(),
  /** Assemblies that were not compared yet, whose members are not known. */
  missing: z.array(z.string()),
})
export type ProteinResult = z.infer<typeof resultSchema>

export default defineTool({
  id: 'proteinviewer',
  route: '/tools/proteinviewer',
  category: 'find',
  order: 57,
  icon: 'dna',
  mode: 'answer',
  version: 1,
  input: z.object({
    /** Where names of genes are looked up; the first reference when absent. */
    assembly: z.string().max(64).optional(),
    genes: identifiersSchema(limits.genes),
    /** With all members of their orthogroups, aligned. */
    family: z.boolean().default(false),
  }),
  result: resultSchema,
  limits,
  needs: [{ kind: 'data', dataType: 'proteins', entry: 'genes' }],
  opens: [
    {
      target: 'geneFamily',
      query: { genes: '{gene}', assembly: '{assembly}', family: 'true' },
      run: true,
    },
  ],
  example: ({ assemblies }) => {
    const coding = assemblies.filter((one) => (one.dataTypes.proteins ?? 0) > 0 && one.exampleGenes.length > 0)
    const best =
      coding.find((one) => (one.dataTypes[proteinFeatureData] ?? 0) > 0) ??
      coding.find(({ dataTypes }) => (dataTypes.variants ?? 0) > 0) ??
      coding.find(({ reference }) => reference) ??
      coding[0]
    if (best === undefined) return null
    // Without features a family shows lengths alone, and its genes the variants that are there.
    const isOfVariants = (best.dataTypes[proteinFeatureData] ?? 0) === 0 && (best.dataTypes.variants ?? 0) > 0
    const genes = best.exampleGenes.slice(0, isOfVariants ? 4 : 1).map(({ id }) => id)
    return { assembly: best.id, genes, family: !isOfVariants }
  },
})
