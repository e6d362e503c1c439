import { z } from 'zod'
import { defineEndpoint } from '../../contracts/endpoint.ts'
import { geneSummarySchema } from '../../contracts/genes.ts'
import { ruleSchema, verdictSchema } from './tool.ts'

// What was found at load, a part at a time: the server answers these endpoints, the screen and the gene page call them.

const sourceSchema = z.enum(['profiles', 'annotation'])
const assemblySchema = z.string().max(64)

const storedGeneSchema = verdictSchema.extend({ transcript: z.string().nullable(), length: z.number() })

const provenanceSchema = z.object({
  source: sourceSchema,
  /** hmmsearch as it was run at load. */
  commands: z.array(z.array(z.string())),
  evalue: z.number(),
  searched: z.number(),
  withDomains: z.number(),
  /** Short names of the domains that rules name. */
  labels: z.record(z.string(), z.string()),
  profiles: z.array(
    z.object({
      name: z.string(),
      accession: z.string().nullable(),
      description: z.string().nullable(),
      domain: z.string(),
      length: z.number(),
      gathering: z.tuple([z.number(), z.number()]).nullable(),
    }),
  ),
})
export type Provenance = z.infer<typeof provenanceSchema>

export const listFamilies = defineEndpoint({
  method: 'GET',
  path: '/api/tools/transcriptionfactors/families/',
  summary: 'Families of transcription factors of an assembly with their rules, and counts in every assembly',
  tag: 'tools',
  input: z.object({ assembly: assemblySchema.optional() }),
  output: z.object({
    /** The assembly told of; null when none has families. */
    assembly: z.string().nullable(),
    about: provenanceSchema.nullable(),
    rules: z.array(ruleSchema),
    assemblies: z.array(
      z.object({
        assembly: z.string(),
        name: z.string(),
        species: z.string(),
        speciesName: z.string(),
        partial: z.boolean(),
        source: sourceSchema,
        searched: z.number(),
        total: z.number(),
        counts: z.record(z.string(), z.number()),
      }),
    ),
  }),
})
export type FamiliesAnswer = z.infer<typeof listFamilies.output>

export const listFamilyGenes = defineEndpoint({
  method: 'GET',
  path: '/api/tools/transcriptionfactors/family/',
  summary: 'Genes of a family in an assembly with their domains; all factors when no family is named',
  tag: 'tools',
  input: z.object({ assembly: assemblySchema, family: z.string().max(200).optional() }),
  output: z.object({
    assembly: z.string(),
    family: z.string().nullable(),
    about: provenanceSchema,
    rules: z.array(ruleSchema),
    genes: z.array(storedGeneSchema.extend({ gene: geneSummarySchema })),
  }),
})

export const getGeneDomains = defineEndpoint({
  method: 'GET',
  path: '/api/tools/transcriptionfactors/gene/',
  summary: 'Family and domains of one gene, as found when its assembly was loaded',
  tag: 'tools',
  input: z.object({ assembly: assemblySchema, gene: z.string().max(200) }),
  output: z.object({
    about: provenanceSchema.nullable(),
    /** Null when no domain of the rules was found in the gene's protein. */
    found: storedGeneSchema.nullable(),
    rules: z.array(ruleSchema),
  }),
})

export const getRuleFile = defineEndpoint({
  method: 'GET',
  path: '/api/tools/transcriptionfactors/rules/',
  summary: 'The rule file that was used for an assembly',
  tag: 'tools',
  input: z.object({ assembly: assemblySchema }),
  output: z.object({ text: z.string() }),
})
