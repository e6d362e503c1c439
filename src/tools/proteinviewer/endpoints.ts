import { z } from 'zod'
import { defineEndpoint } from '../../contracts/endpoint.ts'
import { localizedTextSchema } from '../../contracts/text.ts'
import { proteinSchema } from './tool.ts'

const structureSchema = z.object({
  /** By which its file is asked for. */
  name: z.string(),
  format: z.enum(['mmcif', 'pdb']),
  title: z.string().nullable(),
  residues: z.number(),
  /** Mean pLDDT of a prediction, 0 to 100; null of an experiment. */
  confidence: z.number().nullable(),
  source: localizedTextSchema.nullable(),
  licence: z.string().nullable(),
  /** Chains that are a protein of the gene. */
  chains: z.array(
    z.object({
      id: z.string(),
      transcript: z.string(),
      /** Equal residues among those placed, of 1. */
      identity: z.number(),
      pairs: z.number(),
      /** Residues by the chain's own number and the protein's, from 1, so many one for one. */
      runs: z.array(z.object({ number: z.number(), residue: z.number(), length: z.number() })),
    }),
  ),
})
export type ShownStructure = z.infer<typeof structureSchema>

export const getGeneProteins = defineEndpoint({
  method: 'GET',
  path: '/api/tools/proteinviewer/gene/',
  summary: 'Proteins of a gene with their domains and other features, variants by residue, and structures',
  tag: 'tools',
  input: z.object({ assembly: z.string().max(64), gene: z.string().min(1).max(200) }),
  output: z.object({
    proteins: z.array(proteinSchema),
    structures: z.array(structureSchema),
    /** What the assembly has at all. */
    loaded: z.object({ features: z.boolean(), structures: z.boolean() }),
    /** Features that end behind the protein that they are said to be of: they are of another release of it, and left out. */
    beyond: z.number(),
    /** Sets of variants. */
    sets: z.array(z.object({ id: z.string(), name: localizedTextSchema, simulated: z.boolean() })),
  }),
})
export type GeneProteins = z.infer<typeof getGeneProteins.output>

export const structureInput = z.object({
  assembly: z.string().max(64),
  gene: z.string().min(1).max(200),
  name: z.string().min(1).max(300),
})
