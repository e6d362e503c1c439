import { z } from 'zod'
import { defineEndpoint } from './endpoint.ts'
import { localizedTextSchema } from './text.ts'

const sequenceRoleSchema = z.enum(['chromosome', 'accessory', 'organelle', 'plasmid', 'scaffold'])

/** Roles that a reader has to know of: what is said of such a sequence is not said of the genome. */
const shownRoleSchema = sequenceRoleSchema.extract(['accessory', 'organelle', 'plasmid'])
export type ShownRole = z.infer<typeof shownRoleSchema>

/** Roles of the sequences that have one that is told, by their names. Example: `{ chrMito: 'organelle' }`. */
export const shownRoles = (
  sequences: readonly { name: string; role: z.infer<typeof sequenceRoleSchema> }[],
): Record<string, ShownRole> =>
  Object.fromEntries(
    sequences.flatMap(({ name, role }) => {
      const reported = shownRoleSchema.safeParse(role)
      return reported.success ? [[name, reported.data]] : []
    }),
  )

const sequenceSummarySchema = z.object({
  name: z.string(),
  lengthBp: z.number(),
  role: sequenceRoleSchema,
  circular: z.boolean(),
  geneCount: z.number(),
  aliases: z.array(z.string()),
})

const exampleGeneSchema = z.object({
  id: z.string(),
  symbol: z.string().nullable(),
  description: z.string().nullable(),
  sequence: z.string(),
  start: z.number(),
  end: z.number(),
  strand: z.enum(['+', '-', '.']),
})

export const assemblySummarySchema = z.object({
  id: z.string(),
  species: z.string(),
  speciesName: z.string(),
  name: z.string(),
  strain: z.string().nullable(),
  accession: z.string().nullable(),
  description: localizedTextSchema.nullable(),
  reference: z.boolean(),
  partial: localizedTextSchema.nullable(),
  /** A relative outside of the species: counts over the species leave it out unless it is asked for. */
  outgroup: z.boolean(),
  simulated: z.boolean(),
  source: localizedTextSchema.nullable(),
  licence: z.string().nullable(),
  bundle: z.string(),
  checksum: z.string(),
  loadedAt: z.string(),
  lengthBp: z.number(),
  gcFraction: z.number(),
  n50Bp: z.number(),
  gapBp: z.number(),
  sequenceCount: z.number(),
  geneCount: z.number(),
  codingGeneCount: z.number(),
  transcriptCount: z.number(),
  /** Kinds of data loaded, e.g. `genes`, `proteins`, `annotation`, `tracks`, with how many. */
  dataTypes: z.record(z.string(), z.number()),
  /** Those kinds of which all that is loaded is simulated: a page of real data shows them after the real ones. */
  simulatedTypes: z.array(z.string()),
  /** The longest sequences, at most 60, in chromosome order. */
  sequences: z.array(sequenceSummarySchema),
  /** Of all sequences, however many there are, those that are no ordinary chromosome or scaffold; they are few. */
  sequenceRoles: z.record(z.string(), shownRoleSchema),
  /** A few well described genes of this assembly, from which tools make their examples. */
  exampleGenes: z.array(exampleGeneSchema),
  /** What the lab calls the vocabularies of its annotation, by source; those without a name are called by their source. */
  termTitles: z.record(z.string(), localizedTextSchema).optional(),
})
export type AssemblySummary = z.infer<typeof assemblySummarySchema>

const speciesSummarySchema = z.object({
  id: z.string(),
  name: z.string(),
  commonName: localizedTextSchema.nullable(),
  description: localizedTextSchema.nullable(),
  taxonId: z.number().nullable(),
  simulated: z.boolean(),
  source: localizedTextSchema.nullable(),
  licence: z.string().nullable(),
  release: z.number(),
  loadedAt: z.string(),
  assemblies: z.array(assemblySummarySchema),
})
export type SpeciesSummary = z.infer<typeof speciesSummarySchema>

/** Space that something waits for; nulls where the disk is that of a database server elsewhere, which nobody here can ask. */
export const lackingSpaceSchema = z.object({
  /** What must be free at least before it goes on. */
  neededBytes: z.number().nullable(),
  freeBytes: z.number().nullable(),
})
export type LackingSpace = z.infer<typeof lackingSpaceSchema>

/** What is being prepared of the demo, in words. */
export const demoStageSchema = z.object({ en: z.string(), zh: z.string() })

/** A load under way or lately ended, shown on Home and on the admin page. */
export const loadStatusSchema = z.object({
  id: z.number(),
  species: z.string(),
  /** `cancelled` before its species was in service; `undone` once it had been. */
  state: z.enum(['waiting', 'running', 'done', 'failed', 'cancelled', 'undone']),
  step: z.string(),
  fraction: z.number(),
  startedAt: z.string(),
  endedAt: z.string().nullable(),
  /** Since when a running load is in its step; steps that differ by the share done are one. */
  stepSince: z.string().nullable(),
  /** Since when a running load has its turn. */
  runningSince: z.string().nullable(),
  /** Why a waiting load waits when it is for space: it goes on by itself once there is enough. Null when it waits for its turn. */
  space: lackingSpaceSchema.nullable(),
})
export type LoadStatus = z.infer<typeof loadStatusSchema>

export const listSpecies = defineEndpoint({
  method: 'GET',
  path: '/api/species/',
  summary: 'Species and their assemblies, with the figures of what is loaded',
  tag: 'data',
  input: z.object({}),
  output: z.object({
    species: z.array(speciesSummarySchema),
    /** Assemblies whose genes were compared with each other: without any there are no homologs, families and collinear blocks. */
    compared: z.array(z.string()),
    loads: z.array(loadStatusSchema),
    /** What is being prepared of the demo (fetched, unpacked, written), before it is loaded; null when nothing is. */
    demoStage: demoStageSchema.nullable(),
    /** Space that the preparation of the demo waits for. */
    demoSpace: lackingSpaceSchema.nullable(),
    /** A disk of the portal is full: what is there is read, and nothing can be added until its administrator has made room. */
    diskFull: z.boolean(),
  }),
})

export const listSequences = defineEndpoint({
  method: 'GET',
  path: '/api/assemblies/{assembly}/sequences/',
  summary: 'Sequences (chromosomes, scaffolds) of an assembly, by name prefix',
  tag: 'data',
  input: z.object({
    assembly: z.string().max(64),
    q: z.string().max(200).default(''),
    limit: z.coerce.number().int().min(1).max(1000).default(100),
  }),
  output: z.object({ sequences: z.array(sequenceSummarySchema), total: z.number() }),
})

/** The rings on Home and the chromosome overview: genes by strand in windows, GC and GC skew. */
export const getAssemblyOverview = defineEndpoint({
  method: 'GET',
  path: '/api/assemblies/{assembly}/overview/',
  summary: 'Windows along the longest sequences: gene counts by strand, GC content, GC skew',
  tag: 'data',
  input: z.object({ assembly: z.string().max(64) }),
  output: z.object({
    windowBp: z.number(),
    sequences: z.array(
      z.object({
        name: z.string(),
        lengthBp: z.number(),
        circular: z.boolean(),
        role: z.string(),
        forward: z.array(z.number()),
        reverse: z.array(z.number()),
        gc: z.array(z.number()),
        skew: z.array(z.number()),
      }),
    ),
  }),
})
export type AssemblyOverview = z.infer<typeof getAssemblyOverview.output>
