import { z } from 'zod'
import { usualBounds } from '../../bio/comparative/pan-genome.ts'
import { defineEndpoint } from '../../contracts/endpoint.ts'
import { limits } from './tool.ts'

/** Families that one answer names; the largest ones. */
export const maxNamed = 100_000

const compared = z.array(z.string().max(64)).max(limits.assemblies)

export const listFamilies = defineEndpoint({
  method: 'POST',
  path: '/api/tools/pangenome/families/',
  summary: 'Gene families of these assemblies, each with a gene that stands for it, largest first',
  tag: 'tools',
  input: z.object({ assemblies: compared }),
  output: z.object({
    /** In all, of which the first are told. */
    total: z.number(),
    /** Numbers of the families, and their ids. */
    families: z.array(z.number()),
    ids: z.array(z.string()),
    /** Genes of the family in these assemblies, most in one of them, and how many of them it is in. */
    genes: z.array(z.number()),
    max: z.array(z.number()),
    present: z.array(z.number()),
    /** A gene of the first assembly that has one; places in `assemblies` as asked. */
    assembly: z.array(z.number()),
    gene: z.array(z.string()),
    symbol: z.array(z.string().nullable()),
    description: z.array(z.string().nullable()),
  }),
})

export const listFamilyGenes = defineEndpoint({
  method: 'POST',
  path: '/api/tools/pangenome/genes/',
  summary: 'Genes of an assembly with their families: of these families, or of all',
  tag: 'tools',
  input: z.object({ assembly: z.string().max(64), families: z.array(z.string().max(400)).max(1_000_000).optional() }),
  output: z.object({
    /** Each with the id of its family, and the number that it has at present. */
    genes: z.array(z.object({ id: z.string(), family: z.string(), number: z.number() })),
  }),
  bodyLimitBytes: 12_000_000,
})

export const getGeneFamily = defineEndpoint({
  method: 'GET',
  path: '/api/tools/pangenome/family/',
  summary: 'Family of a gene, the assemblies it is in, and how many assemblies other families are in',
  tag: 'tools',
  input: z.object({ assembly: z.string().max(64), gene: z.string().min(1).max(200) }),
  output: z.object({
    /** False while the families do not know the assembly: they are computed after a load. */
    known: z.boolean(),
    /** Null for a gene without a protein. */
    family: z.string().nullable(),
    current: z.boolean(),
    assemblies: z.array(z.object({ id: z.string(), partial: z.boolean(), genes: z.array(z.string()) })),
    /** Outgroups of the species, which are not counted. */
    outgroups: z.array(z.object({ id: z.string(), genes: z.array(z.string()) })),
    frequencies: z.array(z.number()),
  }),
})

const share = z.coerce.number().min(0).max(1)
export const fileInput = z.object({
  assemblies: compared,
  /** Gene ids with commas between, or their number. */
  cells: z.enum(['genes', 'counts']).default('genes'),
  core: share.default(usualBounds.core),
  softCore: share.default(usualBounds.softCore),
  private: z.coerce.number().int().min(0).max(limits.assemblies).default(usualBounds.private),
})
