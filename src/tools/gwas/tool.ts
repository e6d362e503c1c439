import { z } from 'zod'
import { localizedTextSchema } from '../../contracts/text.ts'
import { defineTool } from '../../contracts/tools/tool.ts'
import { defineLimits } from '../../contracts/tools/tool-limits.ts'

export const limits = defineLimits('gwas', {
  samples: 5000,
  sites: 5_000_000,
  genotypes: 2_000_000_000,
  characters: 2_000_000,
  covariates: 20,
  regionBp: 20_000_000,
  regionRows: 200_000,
  loci: 200,
  hits: 1000,
})

/** Kinds of data of an assembly: scans that are loaded, and variants that one can be made of. */
export const associationKind = 'gwas'
export const variantKind = 'variants'

/** Fewer samples than this tell nothing. */
export const minSamples = 10

export const associationSchema = z.object({
  sequence: z.string(),
  /** From 1. */
  position: z.number(),
  id: z.string(),
  effectAllele: z.string().nullable(),
  otherAllele: z.string().nullable(),
  /** -log10 of the p-value. */
  logP: z.number(),
  /** Of the effect allele; of a logistic model the logarithm of the odds ratio. */
  beta: z.number().nullable(),
  se: z.number().nullable(),
  frequency: z.number().nullable(),
  minorFrequency: z.number().nullable(),
  samples: z.number().nullable(),
  trait: z.string(),
})
export type AssociationHit = z.infer<typeof associationSchema>

const locusGeneSchema = z.object({
  id: z.string(),
  symbol: z.string().nullable(),
  description: z.string().nullable(),
  start: z.number(),
  end: z.number(),
  strand: z.string(),
  /** Bases from the gene to the lead; 0 when it lies within. */
  distanceBp: z.number(),
  /** What hits of the locus do to the gene, worst first, where the variants are loaded with their consequences. */
  consequences: z.array(z.string()),
})
export type LocusGene = z.infer<typeof locusGeneSchema>

export const locusSchema = z.object({
  lead: associationSchema,
  start: z.number(),
  end: z.number(),
  /** Significant tests in it, of those that are kept. */
  hitCount: z.number(),
  /** Best candidates first. */
  genes: z.array(locusGeneSchema),
  /** Of genes within reach; `genes` may be cut. */
  geneCount: z.number(),
})
export type LocusView = z.infer<typeof locusSchema>

export const models = ['lmm', 'linear', 'logistic'] as const
const lmmTests = ['wald', 'lrt', 'score'] as const

export const resultSchema = z.object({
  assembly: z.string(),
  variants: z.string(),
  trait: z.string(),
  /** As its set of phenotypes names it; absent of pasted values and in results before version 5. */
  traitName: localizedTextSchema.optional(),
  model: z.enum(models),
  samples: z.number(),
  /** Of the set of variants, without a value or covariate. */
  samplesLeftOut: z.number(),
  /** Names with a value that are no sample; the first of them, and how many. */
  unknown: z.array(z.string()),
  unknownCount: z.number(),
  /** Names with several values, which were averaged. */
  repeated: z.number(),
  covariates: z.array(z.string()),
  /** The same in all samples, or told by others; results before version 2 do not tell. */
  covariatesLeftOut: z.array(z.string()).optional(),
  ploidy: z.number(),
  tested: z.number(),
  /** Different genotype patterns among the alleles called in every sample: alleles inherited together are one test. Results before version 5 do not tell. */
  patterns: z.object({ count: z.number(), of: z.number() }).nullable().optional(),
  /** Alleles left out: rare, with too many missing, the same in all samples. */
  rare: z.number(),
  missing: z.number(),
  constant: z.number(),
  /** Alleles that the program gave no p-value. */
  untested: z.number(),
  /** Number of independent tests: all, or those left after pruning by linkage. */
  tests: z.number(),
  threshold: z.number(),
  thresholdBy: z.enum(['bonferroni', 'effective']),
  significant: z.number(),
  lambda: z.number().nullable(),
  /** Share of the variance that the kinship explains, with its standard error, as GEMMA estimates it. */
  heritability: z.object({ value: z.number(), se: z.number().nullable() }).nullable(),
  cases: z.number().nullable(),
  /** The genotypes or the values of the trait are; results before version 4 do not tell. */
  simulated: z.boolean().optional(),
  loci: z.array(locusSchema),
  lociCut: z.boolean(),
  windowBp: z.number(),
  best: associationSchema.nullable(),
})
export type AssociationRun = z.infer<typeof resultSchema>

export default defineTool({
  id: 'gwas',
  route: '/tools/gwas',
  category: 'vary',
  order: 30,
  icon: 'chart-scatter',
  mode: 'job',
  version: 5,
  input: z.object({
    assembly: z.string().max(64),
    /** Set of variants with genotypes; the first of the assembly when absent. */
    variants: z.string().max(100).optional(),
    source: z.enum(['pasted', 'loaded']).default('pasted'),
    /** One accession a line with its value. */
    values: z.string().max(limits.characters).optional(),
    /** Of the species: set of phenotypes and trait, as `set|trait`. */
    phenotype: z.string().max(300).optional(),
    transform: z.enum(['none', 'normal']).default('none'),
    model: z.enum(models).default('lmm'),
    test: z.enum(lmmTests).default('wald'),
    /** One accession a line, with its covariates; a heading names them. */
    covariates: z.string().max(limits.characters).optional(),
    components: z.coerce.number().int().min(0).max(10).default(0),
    minorFrequency: z.coerce.number().min(0).max(0.5).default(0.05),
    missing: z.coerce.number().min(0).max(1).default(0.1),
    significance: z.enum(['bonferroni', 'effective']).default('bonferroni'),
  }),
  result: resultSchema,
  limits,
  needs: [],
  opens: [
    { target: 'trait', query: { assembly: '{assembly}', source: 'loaded', phenotype: '{phenotype}' }, look: 'primary' },
  ],
  records: { 'gwas-trait': '/tools/gwas?assembly={assembly}&scan={id.0}&trait={id.1}' },
  example: ({ assemblies }) => {
    const tested = assemblies.filter((one) => (one.dataTypes[variantKind] ?? 0) > 0)
    const assembly = tested.find((one) => one.reference) ?? tested[0] ?? assemblies[0]
    if (assembly === undefined) return null
    return { assembly: assembly.id, source: tested.length > 0 ? ('loaded' as const) : ('pasted' as const) }
  },
})
