import { z } from 'zod'
import { transposonOrders } from '../../bio/repeats/transposon-classes.ts'
import { transposonForms, transposonPartTypes } from '../../bio/repeats/transposons.ts'
import { geneSummarySchema } from '../../contracts/genes.ts'
import { defineTool, identifiersSchema } from '../../contracts/tools/tool.ts'
import { defineLimits } from '../../contracts/tools/tool-limits.ts'

export const limits = defineLimits('transposableelements', {
  genes: 5000,
  pastedBp: 10_000_000,
  regionBp: 100_000_000,
  sequences: 5000,
  profilesBytes: 4_000_000,
  rows: 50_000,
})

/**
 * Substitutions a site and year in LTRs of rice: Ma & Bennetzen 2004, PNAS 101:12404. A choice that a reader makes, and no default: rates of
 * other kingdoms differ tenfold, and an age by the rate of another species would be read as one of this.
 */
export const riceRate = 1.3e-8

export const geneRelations = ['inside', 'coding', 'exon', 'intron', 'upstream', 'downstream'] as const

const partSchema = z.object({
  type: z.enum(transposonPartTypes),
  start: z.number(),
  end: z.number(),
  strand: z.string(),
  name: z.string().nullable(),
  evalue: z.number().nullable(),
})
export type ElementPart = z.infer<typeof partSchema>

/** A loaded element; coordinates 1-based inclusive. */
export const elementSchema = z.object({
  id: z.string(),
  assembly: z.string(),
  family: z.string().nullable(),
  /** Wicker's. */
  code: z.string(),
  sequence: z.string(),
  start: z.number(),
  end: z.number(),
  strand: z.string(),
  lengthBp: z.number(),
  form: z.enum(transposonForms),
  /** Substitutions per 100 sites from the consensus of the family. */
  divergence: z.number().nullable(),
  /** Percent of equal bases between the LTRs. */
  ltrIdentity: z.number().nullable(),
  /** Kimura's distance between the LTRs, per 100 sites. */
  ltrDivergence: z.number().nullable(),
})
export type Element = z.infer<typeof elementSchema>

const evidences = ['domains', 'library', 'structure'] as const

const foundSchema = z.object({
  /** Number within the result, from 1. */
  number: z.number(),
  sequence: z.string(),
  start: z.number(),
  end: z.number(),
  strand: z.string(),
  lengthBp: z.number(),
  kind: z.enum(['LTR', 'TIR']),
  code: z.string(),
  evidence: z.enum(evidences),
  family: z.string().nullable(),
  /** Percent of the element that the family of the library covers. */
  familyCoverage: z.number().nullable(),
  /** Likeness of the ends as the program gives it, in percent; null for pairs that were cut out of a longer one. */
  similarity: z.number().nullable(),
  ltrIdentity: z.number().nullable(),
  ltrDivergence: z.number().nullable(),
  targetSite: z.string().nullable(),
  parts: z.array(partSchema),
  /** Cut out of a pair of LTRs that held a further copy. */
  split: z.boolean(),
  /** Loaded element at the same place: four fifths of both in common. */
  annotated: z.string().nullable(),
  /** Genes of the assembly that overlap it. */
  genes: z.array(z.string()),
})
export type FoundElement = z.infer<typeof foundSchema>

export const geneElementSchema = z.object({
  gene: geneSummarySchema,
  element: elementSchema,
  relation: z.enum(geneRelations),
  /** Bases between gene and element; 0 where they overlap. */
  distanceBp: z.number(),
  /** Bases that both have. */
  overlapBp: z.number(),
})
export type GeneElement = z.infer<typeof geneElementSchema>

export const resultSchema = z.object({
  identify: z
    .object({
      assembly: z.string().nullable(),
      searchedBp: z.number(),
      sequences: z.array(z.object({ name: z.string(), lengthBp: z.number() })),
      elements: z.array(foundSchema),
      /** Candidates of LTRharvest and TIRvish before choosing. */
      candidates: z.number(),
      /** Bases of long tandem arrays, which are not searched; of results before version 2 it is not known. */
      tandemBp: z.number().optional(),
      profiles: z.number(),
      librarySize: z.number(),
      /** Substitutions a site and year, where the administrator states them for the assembly: without them nothing is dated. */
      statedRate: z.number().nullable().default(null),
      /** Loaded elements that are whole within what was searched; null where none are loaded. */
      annotatedFull: z.number().nullable(),
    })
    .nullable(),
  near: z
    .object({
      assembly: z.string(),
      rows: z.array(geneElementSchema),
      /** Pairs may be cut at the limit. */
      cut: z.boolean(),
      geneCount: z.number(),
      elementCount: z.number(),
      statedRate: z.number().nullable().default(null),
      /** Genes asked for; null for all. */
      asked: z.number().nullable(),
      unknown: z.array(z.string()),
      ambiguous: z.array(z.string()),
    })
    .nullable(),
})
export type TransposonResult = z.infer<typeof resultSchema>

/** As LTRharvest and TIRvish have them themselves (GenomeTools 1.6), but for `chosen`, which is the portal's (bio/repeats/ltr-pairs.ts). */
export const usualSettings = {
  methods: ['ltr' as const],
  overlaps: 'chosen' as const,
  similarity: 85,
  minLtrBp: 100,
  maxLtrBp: 1000,
  minDistanceBp: 1000,
  maxDistanceBp: 15_000,
  minTsdBp: 4,
  maxTsdBp: 20,
  seedBp: 30,
  minTirBp: 100,
  tirSeedBp: 20,
  maxTirDistanceBp: 10_000,
  domainEvalue: 1e-6,
}

/**
 * For insertion sequences, whose inverted repeats are of 10 to 40 bases with mismatches, and which are shorter than 3 kb (Siguier, Gourbeyre
 * & Chandler 2014, FEMS Microbiol Rev 38:865): a seed of TIRvish's 20 bases without a mismatch passes over most of them.
 */
export const insertionSequenceSettings = { similarity: 80, minTirBp: 25, tirSeedBp: 12, maxTirDistanceBp: 3000 }

const whole = (low: number, high: number, usual: number) => z.coerce.number().int().min(low).max(high).default(usual)

export default defineTool({
  id: 'transposableelements',
  route: '/tools/transposableelements',
  category: 'find',
  order: 70,
  icon: 'shuffle',
  mode: 'job',
  version: 3,
  input: z.object({
    task: z.enum(['identify', 'genes']).default('identify'),
    assembly: z.string().max(64).optional(),
    source: z.enum(['region', 'sequence']).default('region'),
    /** Whole sequence by name or a region of one; the whole assembly when empty. */
    region: z.string().trim().max(300).optional(),
    /** FASTA or bare bases. */
    sequence: z
      .string()
      .max(limits.pastedBp + 1_000_000)
      .optional(),
    methods: z
      .array(z.enum(['ltr', 'tir']))
      .min(1)
      .default(usualSettings.methods),
    /** Genes by id, symbol or alias; all genes of the assembly when there are none. */
    genes: identifiersSchema(limits.genes).optional(),
    /** Bases on each side of a gene within which an element is near it. */
    flankBp: whole(0, 100_000, 2000),
    /** Only elements of these orders; none chosen means all. */
    orders: z.array(z.enum(transposonOrders)).default([]),
    /** `chosen`: of all pairs those that are single elements, tandems cut; else `-overlaps` of LTRharvest as it is. */
    overlaps: z.enum(['chosen', 'best', 'all', 'no']).default(usualSettings.overlaps),
    similarity: z.coerce.number().min(50).max(100).default(usualSettings.similarity),
    minLtrBp: whole(20, 10_000, usualSettings.minLtrBp),
    maxLtrBp: whole(50, 20_000, usualSettings.maxLtrBp),
    minDistanceBp: whole(50, 50_000, usualSettings.minDistanceBp),
    maxDistanceBp: whole(100, 100_000, usualSettings.maxDistanceBp),
    minTsdBp: whole(0, 20, usualSettings.minTsdBp),
    maxTsdBp: whole(0, 40, usualSettings.maxTsdBp),
    seedBp: whole(10, 200, usualSettings.seedBp),
    minTirBp: whole(10, 2000, usualSettings.minTirBp),
    tirSeedBp: whole(10, 200, usualSettings.tirSeedBp),
    maxTirDistanceBp: whole(600, 100_000, usualSettings.maxTirDistanceBp),
    /** Profiles in HMMER3's format, besides those loaded with the assembly. */
    profiles: z.string().max(limits.profilesBytes).optional(),
    domainEvalue: z.coerce.number().positive().max(10).default(usualSettings.domainEvalue),
  }),
  result: resultSchema,
  limits,
  needs: [],
  records: {
    transposon: '/tools/transposableelements/te/info?assembly={assembly}&id={id}',
    'transposon-family': '/tools/transposableelements/te?assembly={assembly}&family={id}',
  },
  example: ({ assemblies }) => {
    const annotated = assemblies.filter((one) => (one.dataTypes.transposableElements ?? 0) > 0)
    const assembly =
      annotated.find((one) => one.reference) ?? annotated[0] ?? assemblies.find((one) => one.reference) ?? assemblies[0]
    const longest = [...(assembly?.sequences ?? [])].sort((a, b) => b.lengthBp - a.lengthBp)[0]
    if (assembly === undefined || longest === undefined) return null
    const end = Math.min(longest.lengthBp, 5_000_000, limits.regionBp)
    // A circular chromosome is one of bacteria or archaea: LTR elements are none of theirs, insertion sequences are.
    const prokaryote = longest.circular && longest.role === 'chromosome'
    return {
      ...(prokaryote && annotated.length === 0 ? { methods: ['tir' as const], ...insertionSequenceSettings } : {}),
      task: 'identify' as const,
      source: 'region' as const,
      assembly: assembly.id,
      region: `${longest.name}:1-${end}`,
    }
  },
})
