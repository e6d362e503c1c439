import { z } from 'zod'
import { geneSummarySchema } from '../../contracts/genes.ts'
import { defineTool, identifiersSchema } from '../../contracts/tools/tool.ts'
import { defineLimits } from '../../contracts/tools/tool-limits.ts'

export const limits = defineLimits('transcriptionfactors', {
  sequences: 5000,
  genes: 5000,
  residues: 50_000,
  characters: 5_000_000,
})

/** Kinds of data that an assembly has: profiles to search with, and genes that are in a family. */
export const profileData = 'tfProfiles'
export const factorData = 'transcriptionFactors'

/** A domain of a protein; positions are residues counted from 1, both ends included. */
const domainSchema = z.object({
  /** The word that rules know it by: mostly an accession of Pfam. */
  domain: z.string(),
  /** Its short name. */
  label: z.string(),
  /** Profile or term of the annotation that found it. */
  profile: z.string(),
  accession: z.string().nullable(),
  /** Envelope; null where annotation does not tell the place. */
  start: z.number().nullable(),
  end: z.number().nullable(),
  /** All below are null for annotation. */
  alignmentStart: z.number().nullable(),
  alignmentEnd: z.number().nullable(),
  profileStart: z.number().nullable(),
  profileEnd: z.number().nullable(),
  profileLength: z.number().nullable(),
  /** Independent e-value, over as many comparisons as there are profiles. */
  evalue: z.number().nullable(),
  score: z.number().nullable(),
  /** Bits that the domain needed; null where the e-value decided. */
  threshold: z.number().nullable(),
})
export type Domain = z.infer<typeof domainSchema>

/** What the rules make of the domains of a protein. */
export const verdictSchema = z.object({
  family: z.string().nullable(),
  /** Families above it, outermost first. */
  within: z.array(z.string()),
  /** TF or TR, or what the rule file says. */
  type: z.string().nullable(),
  rule: z.string().nullable(),
  alsoFits: z.array(z.string()),
  refusals: z.array(z.object({ rule: z.string(), family: z.string(), forbidden: z.array(z.string()) })),
  incomplete: z.array(z.object({ rule: z.string(), family: z.string(), lacks: z.array(z.string()) })),
  /** Domains that count, in order of their place. */
  domains: z.array(domainSchema),
  /** Domains that lie over a better one and do not count. */
  covered: z.array(domainSchema),
})
export type Verdict = z.infer<typeof verdictSchema>

const proteinSchema = verdictSchema.extend({
  name: z.string(),
  /** The gene asked for; null for a pasted protein. */
  gene: geneSummarySchema.nullable(),
  /** Of the gene, whose longest protein was searched. */
  transcript: z.string().nullable(),
  length: z.number(),
})
export type Protein = z.infer<typeof proteinSchema>

export const ruleSchema = z.object({
  id: z.string(),
  family: z.string(),
  within: z.array(z.string()),
  type: z.string(),
  description: z.string().nullable(),
  group: z.string().nullable(),
  citation: z.string().nullable(),
  /** Expressions of the rule file. */
  required: z.string(),
  forbidden: z.string(),
  auxiliary: z.string(),
  /** Required domains without a profile: the family cannot be assigned. */
  missing: z.array(z.string()),
  missingAlternatives: z.array(z.string()),
  missingForbidden: z.array(z.string()),
})
export type StatedRule = z.infer<typeof ruleSchema>

export default defineTool({
  id: 'transcriptionfactors',
  route: '/tools/transcriptionfactors',
  category: 'regulate',
  order: 20,
  icon: 'toggle-right',
  mode: 'job',
  version: 1,
  input: z.object({
    by: z.enum(['genes', 'sequence']).default('genes'),
    /** Nothing means one gene of each family of the assembly. */
    genes: identifiersSchema(limits.genes).optional(),
    /** FASTA or bare residues. */
    sequence: z.string().max(limits.characters).optional(),
    /** Whose profiles and rules are used, and where names of genes are looked up. */
    assembly: z.string().max(64),
  }),
  result: z.object({
    assembly: z.string(),
    /** Profiles that were searched. */
    profileCount: z.number(),
    /** Of these, those without gathering thresholds. */
    withoutThreshold: z.number(),
    evalue: z.number(),
    proteins: z.array(proteinSchema),
    /** Names that mean no gene, and genes that code for no protein. */
    unknown: z.array(z.string()),
    noProtein: z.array(z.string()),
    /** Names read as one of several genes. */
    ambiguous: z.array(z.object({ name: z.string(), gene: z.string() })),
    rules: z.array(ruleSchema),
    /** Short names of the domains that rules name. */
    labels: z.record(z.string(), z.string()),
  }),
  limits,
  needs: [
    { kind: 'program', program: 'hmmscan', package: 'hmmer' },
    { kind: 'data', dataType: profileData, entry: 'transcriptionFactors' },
  ],
  example: ({ assemblies }) => {
    const assembly =
      assemblies.find((one) => (one.dataTypes[profileData] ?? 0) > 0) ??
      assemblies.find((one) => (one.dataTypes.proteins ?? 0) > 0)
    return assembly === undefined ? null : { by: 'genes' as const, assembly: assembly.id }
  },
})
