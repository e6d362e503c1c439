import { z } from 'zod'
import { assemblyIdSchema } from '../../contracts/manifest.ts'
import { defineTool, identifiersSchema } from '../../contracts/tools/tool.ts'
import { defineLimits } from '../../contracts/tools/tool-limits.ts'
import { databaseKinds, matrices, programs, tasks } from './programs.ts'

export const limits = defineLimits('blast', {
  queries: 100,
  queryCharacters: 3_000_000,
  subjectCharacters: 3_000_000,
  databases: 24,
  targetSequences: 5000,
})

/** Subjects for each query where nothing else is asked: as many as the programs of BLAST+ give. */
export const usualTargets = Math.min(500, limits.targetSequences)

/** A database as "assembly/kind". */
export const databaseNamePattern = /^([A-Za-z0-9][A-Za-z0-9._-]{0,62})\/(genome|transcript|cds|protein)$/

const gapCostsSchema = z.string().regex(/^\d{1,2},\d{1,2}$/, 'gapCosts.form')
const scoresSchema = z.string().regex(/^[1-9],-[1-9]$/, 'scores.form')
const geneticCodeSchema = z.int().min(1).max(33)

export const inputSchema = z.object({
  query: z.string().max(limits.queryCharacters, 'query.tooLong').default(''),
  genes: identifiersSchema(limits.queries).optional(),
  /** Where genes without an assembly of their own are looked up. */
  assembly: assemblyIdSchema.optional(),
  geneSequence: z.enum(['auto', 'genomic', 'transcript', 'cds', 'protein']).default('auto'),
  program: z.enum(programs).default('blastn'),
  task: z.enum(tasks).optional(),
  /** Left out (and nothing pasted to search in): every assembly, or every one of `species`, up to the limit. */
  databases: identifiersSchema(limits.databases).optional(),
  species: z.string().min(1).max(64).optional(),
  subject: z.string().max(limits.subjectCharacters, 'subject.tooLong').default(''),
  evalue: z.number().gt(0).max(10_000).optional(),
  maxTargetSeqs: z.int().min(1).max(limits.targetSequences).default(usualTargets),
  wordSize: z.int().min(2).max(256).optional(),
  scores: scoresSchema.optional(),
  matrix: z.enum(matrices).optional(),
  gapCosts: gapCostsSchema.optional(),
  ungapped: z.boolean().default(false),
  compositionStatistics: z.enum(['0', '1', '2', '3']).optional(),
  lowComplexity: z.enum(['default', 'yes', 'no']).default('default'),
  softMasking: z.enum(['default', 'yes', 'no']).default('default'),
  maskLowerCase: z.boolean().default(false),
  strand: z.enum(['both', 'plus', 'minus']).default('both'),
  queryGeneticCode: geneticCodeSchema.optional(),
  databaseGeneticCode: geneticCodeSchema.optional(),
  percentIdentity: z.number().min(0).max(100).optional(),
  queryCoverage: z.number().min(0).max(100).optional(),
  maxHsps: z.int().min(1).max(100_000).optional(),
  advanced: z.string().max(2000).default(''),
})
export type BlastInput = z.output<typeof inputSchema>

const bestHitSchema = z.object({
  subject: z.string(),
  gene: z.string().nullable(),
  title: z.string(),
  assembly: z.string().nullable(),
  kind: z.enum(databaseKinds).nullable(),
  evalue: z.number(),
  bitScore: z.number(),
  identityPercent: z.number(),
  queryCoveragePercent: z.number(),
})

const queryResultSchema = z.object({
  id: z.string(),
  description: z.string(),
  lengthResidues: z.number(),
  /** The gene whose sequence it is, when it was asked for by a gene's name. */
  gene: z.string().nullable(),
  hits: z.number(),
  hsps: z.number(),
  /** As many hits as were asked for: there may be more. */
  full: z.boolean(),
  /** Assemblies with a hit, best first; absent in results of before version 2. */
  assemblies: z.array(z.string()).optional(),
  best: bestHitSchema.nullable(),
  /** Other hits equal to the best in score, identity and coverage, the first of them by name; absent in results of before. */
  equalToBest: z
    .object({
      count: z.number(),
      named: z.array(z.object({ subject: z.string(), assembly: z.string().nullable() })),
    })
    .optional(),
})
export type QueryResult = z.infer<typeof queryResultSchema>

export const resultSchema = z.object({
  program: z.enum(programs),
  task: z.enum(tasks).nullable(),
  databases: z.array(
    z.object({
      name: z.string(),
      assembly: z.string().nullable(),
      kind: z.enum(databaseKinds).nullable(),
      sequences: z.number(),
    }),
  ),
  /** How the databases came to be searched; absent in results of before version 2. */
  scope: z
    .object({
      chosenBy: z.enum(['reader', 'species', 'all']),
      /** Assemblies of the portal (`species`: of that species) that have such databases. */
      available: z.number(),
      /** Of these, those not searched since one search takes no more. */
      leftOut: z.array(z.string()),
    })
    .optional(),
  /** Parameters as they were used, defaults filled in. */
  settings: z.object({
    evalue: z.number(),
    maxTargetSeqs: z.number(),
    wordSize: z.number(),
    scores: z.string().nullable(),
    matrix: z.enum(matrices).nullable(),
    gapCosts: z.string().nullable(),
    queryGeneticCode: z.number().nullable(),
    databaseGeneticCode: z.number().nullable(),
  }),
  queries: z.array(queryResultSchema),
  hits: z.number(),
  hsps: z.number(),
  unknownGenes: z.array(z.string()),
  ambiguousGenes: z.array(z.object({ name: z.string(), interpretations: z.array(z.string()) })),
  /** Genes that have no sequence of the kind asked for, such as the protein of a tRNA gene. */
  genesWithoutSequence: z.array(z.string()),
  /** Sequences of the databases that have another genetic code than the one translated with. */
  otherGeneticCodes: z.array(z.object({ sequence: z.string(), assembly: z.string(), geneticCode: z.number() })),
  /** Warnings of the program, in its own words. */
  warnings: z.array(z.string()),
})
export type BlastResult = z.infer<typeof resultSchema>

export default defineTool({
  id: 'blast',
  route: '/tools/blast',
  category: 'find',
  order: 10,
  icon: 'scan-search',
  mode: 'job',
  version: 3,
  input: inputSchema,
  result: resultSchema,
  limits,
  needs: [
    { kind: 'program', program: 'blastn', package: 'ncbi-blast+' },
    { kind: 'program', program: 'blast_formatter', package: 'ncbi-blast+' },
    { kind: 'data', dataType: 'blast-genome', entry: 'genome' },
  ],
  opens: [{ target: 'gene', query: { genes: '{gene}', assembly: '{assembly}' } }],
  example: ({ assemblies }) => {
    const assembly = assemblies.find((one) => one.reference && hasExample(one)) ?? assemblies.find(hasExample)
    // A gene of ordinary length: one of a few bases or of many repeats shows a search at its worst.
    const gene = [...(assembly?.exampleGenes ?? [])].sort(
      (a, b) => Math.abs(a.end - a.start - ordinaryGeneBp) - Math.abs(b.end - b.start - ordinaryGeneBp),
    )[0]
    if (assembly === undefined || gene === undefined) return null
    // Every genome of the species: the answer then shows at a glance who has the gene.
    return {
      genes: [gene.id],
      assembly: assembly.id,
      program: 'blastn' as const,
      task: 'blastn' as const,
      species: assembly.species,
    }
  },
})

const ordinaryGeneBp = 1500

const hasExample = (assembly: { exampleGenes: unknown[]; dataTypes: Record<string, number> }): boolean =>
  assembly.exampleGenes.length > 0 && assembly.dataTypes['blast-genome'] !== undefined
