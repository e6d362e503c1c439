import { z } from 'zod'
import { presenceStates } from '../../bio/comparative/gene-presence.ts'
import type { Impact } from '../../bio/variation/consequences.ts'
import { buscoSchema } from '../../contracts/busco.ts'
import { comparedDifferencesSchema, structuralDifferenceSchema } from '../../contracts/structural-differences.ts'
import { localizedTextSchema } from '../../contracts/text.ts'
import { defineTool } from '../../contracts/tools/tool.ts'
import { defineLimits } from '../../contracts/tools/tool-limits.ts'

export const limits = defineLimits('strainreport', {
  assemblies: 200,
  differences: 2000,
  differenceGenes: 500,
  breakpoints: 2000,
  genes: 20_000,
  variants: 10_000,
  sequences: 60,
  unpaired: 500,
  features: 5000,
  families: 500,
  searchedBp: 300_000_000,
})

const numbers = z.array(z.number())

const factsSchema = z.object({
  id: z.string(),
  lengthBp: z.number(),
  sequenceCount: z.number(),
  n50Bp: z.number(),
  gcFraction: z.number(),
  gapBp: z.number(),
  geneCount: z.number(),
  codingGeneCount: z.number(),
  partial: z.boolean(),
  outgroup: z.boolean(),
  busco: buscoSchema.nullable(),
})
export type AssemblyFacts = z.infer<typeof factsSchema>

const segmentSchema = z.object({
  source: z.string(),
  start: z.number(),
  end: z.number(),
  other: z.string(),
  otherStart: z.number(),
  otherEnd: z.number(),
  strand: z.enum(['+', '-']),
})

const breakpointSchema = z.object({
  /** Of the reference: the last or first base that is joined, as `side` says, and the place that it is joined to. */
  sequence: z.string(),
  position: z.number(),
  side: z.enum(['left', 'right']),
  mateSequence: z.string(),
  matePosition: z.number(),
  mateSide: z.enum(['left', 'right']),
  /** Where they meet in the strain. */
  ownSequence: z.string(),
  ownPosition: z.number(),
})
export type Breakpoint = z.infer<typeof breakpointSchema>

const drawnSequenceSchema = z.object({ name: z.string(), lengthBp: z.number(), circular: z.boolean() })

/** A sequence of which less than half is aligned to the other genome. */
const unpairedSchema = z.object({
  of: z.enum(['reference', 'strain']),
  name: z.string(),
  lengthBp: z.number(),
  alignedBp: z.number(),
  genes: z.number().nullable(),
})
export type UnpairedSequence = z.infer<typeof unpairedSchema>

const densitySchema = z.object({
  /** Along which windows lie: the one of the two that the other is aligned to. */
  assembly: z.string(),
  windowBp: z.number(),
  /** False where the alignment does not tell matches from mismatches: then only indels are counted. */
  toldApart: z.boolean(),
  comparedBp: z.number(),
  substitutions: z.number(),
  insertions: z.number(),
  deletions: z.number(),
  /** Sequences that are too many to be told one by one; numbers of all have them too. */
  omitted: z.number(),
  sequences: z.array(
    z.object({
      name: z.string(),
      lengthBp: z.number(),
      /** One number a window, from the start of the sequence. */
      comparedBp: numbers,
      substitutions: numbers,
      insertions: numbers,
      deletions: numbers,
    }),
  ),
})
export type Density = z.infer<typeof densitySchema>

/** In the order in which they are listed. */
export const geneChanges = ['lost', 'gained', 'truncated', 'split', 'disrupted', 'copies'] as const
export type GeneChange = (typeof geneChanges)[number]

const geneSchema = z.object({
  change: z.enum(geneChanges),
  /** Of the reference; of a gained gene, of the strain. */
  assembly: z.string(),
  id: z.string(),
  symbol: z.string().nullable(),
  description: z.string().nullable(),
  sequence: z.string(),
  start: z.number(),
  end: z.number(),
  strand: z.string(),
  state: z.enum(presenceStates),
  /** What breaks the reading frame first, and as HGVS writes it. */
  frame: z.enum(['frameshift', 'stop', 'start']).nullable(),
  hgvs: z.string().nullable(),
  /** Shares of 1: of its codons that are read, and of its bases that are there. */
  keptShare: z.number().nullable(),
  coverage: z.number(),
  place: z.string().nullable(),
  /** Further assemblies of the species in which it is so too, in how many it is not, and in how many that cannot be said. */
  alsoIn: z.number(),
  notIn: z.number(),
  unknownIn: z.number(),
})
export type ChangedGene = z.infer<typeof geneSchema>

const geneCountsSchema = z.object({
  compared: z.number(),
  lost: z.number(),
  truncated: z.number(),
  disrupted: z.number(),
  split: z.number(),
  copies: z.number(),
  gained: z.number(),
  unknown: z.number(),
})

/** Bases from 1, both included; of an insertion `start` is the base behind it, and `end` the one before. */
const changedBasesSchema = z.object({ start: z.number(), end: z.number(), from: z.string(), to: z.string() })
export type ChangedBases = z.infer<typeof changedBasesSchema>

const variantSchema = z.object({
  gene: z.string(),
  symbol: z.string().nullable(),
  description: z.string().nullable(),
  transcript: z.string(),
  /** The gravest first, in the words of bcftools csq. */
  consequences: z.array(z.string()),
  hgvs: z.string().nullable(),
  /** On the reference. Several changes are read together where they share a codon or a frame that is left and found again. */
  sequence: z.string(),
  changes: z.array(changedBasesSchema),
  /** In the strain; null of loaded variants. */
  own: z.object({ sequence: z.string(), start: z.number(), end: z.number() }).nullable(),
  /** Of a loaded variant: what it is called. */
  variant: z.string().nullable(),
  /** Share of 1 of the gene's codons that the strain reads in frame; null where that is not known. */
  keptShare: z.number().nullable(),
})
export type ProteinVariant = z.infer<typeof variantSchema>

/** Impacts of what is listed: a product that is broken, and one that is another. The first is shown first. */
export const listedImpacts = ['high', 'moderate'] as const satisfies readonly Impact[]
export type ListedImpact = (typeof listedImpacts)[number]

/** How many there are, and in how many genes. */
const variantCountSchema = z.object({ variants: z.number(), genes: z.number() })
export type VariantCount = z.infer<typeof variantCountSchema>

const proteinVariantsSchema = z.object({
  /** Loaded variants of a sample that is the strain, or what differs in the alignment of the two. */
  basis: z.enum(['variants', 'alignment']),
  set: z.object({ id: z.string(), name: localizedTextSchema, sample: z.string() }).nullable(),
  totals: z.object({ high: variantCountSchema, moderate: variantCountSchema }),
  /** By the gravest consequence of each. */
  counts: z.record(z.string(), z.number()),
  /** Those of high impact first. */
  rows: z.array(variantSchema),
})
export type ProteinVariants = z.infer<typeof proteinVariantsSchema>

const elementsSchema = z.object({
  /** From what is annotated of transposable elements, or by blastn of the insertion sequences that genes are named after. */
  basis: z.enum(['annotation', 'search']),
  assemblies: z.array(z.string()),
  /** Assemblies without such an annotation. */
  without: z.array(z.string()),
  families: z.array(
    z.object({
      family: z.string(),
      /** Wicker's code; null where none is known. */
      code: z.string().nullable(),
      /** Of what was searched for; null of annotations. */
      lengthBp: z.number().nullable(),
      from: z.string().nullable(),
      copies: numbers,
    }),
  ),
  total: z.number(),
  /** Copies of the strain that a search found. */
  places: z.array(
    z.object({
      family: z.string(),
      sequence: z.string(),
      start: z.number(),
      end: z.number(),
      strand: z.enum(['+', '-']),
      identity: z.number(),
      coverage: z.number(),
    }),
  ),
})
export type ElementCopies = z.infer<typeof elementsSchema>

const structureSchema = comparedDifferencesSchema.extend({
  basis: z.enum(['alignment', 'genes']),
  deletedBp: z.number(),
  insertedBp: z.number(),
  total: z.number(),
  /** The longest first; places of the reference are `a`, of the strain `b`. */
  differences: z.array(structuralDifferenceSchema),
  breakpoints: z.array(breakpointSchema),
})
export type Structure = z.infer<typeof structureSchema>

/** Of elements why there are none: nothing names them, or the genomes are too long together to be searched. */
export const whyNoElements = ['unnamed', 'long'] as const

/** Of structural differences why there are none. */
const whyNoStructure = ['distant', 'not-aligned'] as const

const reportSchema = z.object({
  strain: factsSchema,
  reference: factsSchema,
  /** Of the alignment of the two; null where there is none. */
  alignment: z
    .object({
      computedAt: z.string(),
      program: z.string(),
      alignedBp: z.number(),
      ownAlignedBp: z.number(),
      leftOut: z.number(),
    })
    .nullable(),
  structure: structureSchema.nullable(),
  why: z.enum(whyNoStructure).nullable(),
  /** The longest first, and how many there are; null where the two are not aligned. */
  unpaired: z.object({ total: z.number(), rows: z.array(unpairedSchema) }).nullable(),
  drawn: z
    .object({
      reference: z.array(drawnSequenceSchema),
      strain: z.array(drawnSequenceSchema),
      /** Sequences that are too many to be drawn. */
      omitted: z.number(),
      segments: z.array(segmentSchema),
    })
    .nullable(),
  density: densitySchema.nullable(),
  genes: z.object({ computedAt: z.string(), counts: geneCountsSchema, rows: z.array(geneSchema) }).nullable(),
  proteinVariants: proteinVariantsSchema.nullable(),
  elements: elementsSchema.nullable(),
  elementsWhy: z.enum(whyNoElements).nullable(),
  /** Further genomes of the species that are no outgroups. */
  others: z.number(),
})
export type StrainReport = z.infer<typeof reportSchema>

const rowSchema = z.object({
  id: z.string(),
  why: z.enum(whyNoStructure).nullable(),
  structure: comparedDifferencesSchema.extend({ deletedBp: z.number(), insertedBp: z.number() }).nullable(),
  breakpoints: z.number().nullable(),
  genes: geneCountsSchema.nullable(),
  highImpact: z.number().nullable(),
  substitutions: z.number().nullable(),
  indels: z.number().nullable(),
  comparedBp: z.number().nullable(),
  elements: z.number().nullable(),
})
export type SpeciesRow = z.infer<typeof rowSchema>

const resultSchema = z.object({
  species: z.string(),
  report: reportSchema.nullable(),
  all: z
    .object({
      reference: z.string(),
      basis: z.enum(['annotation', 'search']).nullable(),
      rows: z.array(rowSchema),
      /** Relatives outside of the species, which are left out. */
      outgroups: z.array(z.string()),
    })
    .nullable(),
})
export type StrainResult = z.infer<typeof resultSchema>

export default defineTool({
  id: 'strainreport',
  route: '/tools/strainreport',
  category: 'compare',
  order: 43,
  icon: 'file-diff',
  mode: 'job',
  version: 6,
  input: z.object({
    /** The strain, or all of the species against the reference. */
    task: z.enum(['strain', 'all']).default('strain'),
    assembly: z.string().max(64).optional(),
    /** What it is compared with; the reference of its species when absent. */
    reference: z.string().max(64).optional(),
    /** Of a structural difference; 50 bp is the least that is called. */
    minimumBp: z.coerce.number().int().min(50).max(10_000_000).default(50),
  }),
  result: resultSchema,
  limits,
  needs: [{ kind: 'program', program: 'blastn', package: 'ncbi-blast+' }],
  opens: [
    {
      target: 'comparedAssembly',
      query: { assembly: '{assembly}', reference: '{reference}' },
      run: true,
    },
    { target: 'comparedSpecies', query: { task: 'all', assembly: '{assembly}' }, run: true },
  ],
  example: ({ assemblies }) => {
    const strains = assemblies.filter(
      (one) =>
        !one.reference &&
        !one.outgroup &&
        assemblies.some((other) => other.species === one.species && other.reference && other.id !== one.id),
    )
    // One of which regions are named tells most.
    const strain = strains.find((one) => (one.dataTypes.tracks ?? 0) > 0) ?? strains[0]
    return strain === undefined ? null : { assembly: strain.id }
  },
})
