import { z } from 'zod'
import { primer3webSettings } from '../../bio/sequence/primer3web-settings.ts'
import { assemblyIdSchema } from '../../contracts/manifest.ts'
import type { AssemblySummary } from '../../contracts/species.ts'
import { defineTool, identifiersSchema } from '../../contracts/tools/tool.ts'
import { defineLimits } from '../../contracts/tools/tool-limits.ts'

export const limits = defineLimits('primerdesign', {
  templates: 500,
  templateBp: 50_000,
  characters: 3_000_000,
  pairs: 20,
  flankBp: 10_000,
  assemblies: 24,
  productBp: 10_000,
  shownProducts: 20,
  detailedTemplates: 20,
})

export const sources = ['genes', 'regions', 'sequence'] as const
export const purposes = ['pcr', 'qpcr'] as const
export const parts = ['gene', 'cdna', 'cds'] as const
const junctionRules = ['pair', 'primer', 'none'] as const
export const searchedKinds = ['genome', 'transcripts', 'none'] as const

const setting = (tag: keyof typeof primer3webSettings): number => Number(primer3webSettings[tag])
const bounded = (tag: keyof typeof primer3webSettings, minimum: number, maximum: number) =>
  z.coerce.number().min(minimum).max(maximum).default(setting(tag))
const whole = (tag: keyof typeof primer3webSettings, minimum: number, maximum: number) =>
  z.coerce.number().int().min(minimum).max(maximum).default(setting(tag))

const identifiers = identifiersSchema(limits.templates)

export const inputSchema = z.object({
  source: z.enum(sources).default('genes'),
  genes: identifiers.optional(),
  assembly: assemblyIdSchema.optional(),
  regions: z.string().max(limits.characters).default(''),
  sequence: z.string().max(limits.characters, 'sequence.tooLong').default(''),
  purpose: z.enum(purposes).default('pcr'),
  part: z.enum(parts).default('gene'),
  flankBp: z.coerce.number().int().min(0).max(limits.flankBp).default(0),
  junction: z.enum(junctionRules).default('pair'),
  target: z.string().max(400).default(''),
  excluded: z.string().max(400).default(''),
  included: z.string().max(60).default(''),
  productSizes: z.string().max(200).default(''),
  pairs: z.coerce
    .number()
    .int()
    .min(1)
    .max(limits.pairs)
    .default(Math.min(setting('PRIMER_NUM_RETURN'), limits.pairs)),
  probe: z.boolean().default(false),
  /** Left out or empty: every assembly of the template's species, up to the limit. */
  assemblies: z.array(assemblyIdSchema).max(limits.assemblies).optional(),
  searched: z.enum(searchedKinds).default('genome'),

  leftPrimer: z.string().max(60).default(''),
  rightPrimer: z.string().max(60).default(''),
  sizeMin: whole('PRIMER_MIN_SIZE', 12, 36),
  sizeOpt: whole('PRIMER_OPT_SIZE', 12, 36),
  sizeMax: whole('PRIMER_MAX_SIZE', 12, 36),
  tmMin: bounded('PRIMER_MIN_TM', 20, 95),
  tmOpt: bounded('PRIMER_OPT_TM', 20, 95),
  tmMax: bounded('PRIMER_MAX_TM', 20, 95),
  tmDifference: bounded('PRIMER_PAIR_MAX_DIFF_TM', 0, 40),
  gcMin: bounded('PRIMER_MIN_GC', 0, 100),
  gcMax: bounded('PRIMER_MAX_GC', 0, 100),
  gcClamp: whole('PRIMER_GC_CLAMP', 0, 5),
  polyX: whole('PRIMER_MAX_POLY_X', 0, 20),
  selfAny: bounded('PRIMER_MAX_SELF_ANY_TH', 0, 100),
  selfEnd: bounded('PRIMER_MAX_SELF_END_TH', 0, 100),
  hairpin: bounded('PRIMER_MAX_HAIRPIN_TH', 0, 100),
  pairAny: bounded('PRIMER_PAIR_MAX_COMPL_ANY_TH', 0, 100),
  pairEnd: bounded('PRIMER_PAIR_MAX_COMPL_END_TH', 0, 100),
  endStability: bounded('PRIMER_MAX_END_STABILITY', 0, 100),
  templateAlignment: z.boolean().default(false),
  maskLowerCase: z.boolean().default(false),
  monovalent: bounded('PRIMER_SALT_MONOVALENT', 0, 1000),
  divalent: bounded('PRIMER_SALT_DIVALENT', 0, 100),
  dntp: bounded('PRIMER_DNTP_CONC', 0, 100),
  oligo: bounded('PRIMER_DNA_CONC', 0.1, 10_000),
  advanced: z.string().max(4000).default(''),

  minMismatches: z.coerce.number().int().min(1).max(4).default(2),
  minThreePrimeMismatches: z.coerce.number().int().min(0).max(3).default(2),
  threePrimeBp: z.coerce.number().int().min(3).max(8).default(5),
  ignoreMismatches: z.coerce.number().int().min(1).max(9).default(6),
  maxProductBp: z.coerce.number().int().min(50).max(limits.productBp).default(Math.min(4000, limits.productBp)),
})
export type PrimerInput = z.output<typeof inputSchema>

const nullableNumber = z.number().nullable()
const structure = z.string().nullable()

/** 1-based inclusive on the template; `place` on the genome where the template has one. */
const oligoSchema = z.object({
  start: z.number(),
  end: z.number(),
  sequence: z.string(),
  tm: z.number(),
  gcPercent: z.number(),
  selfAny: nullableNumber,
  selfEnd: nullableNumber,
  hairpin: nullableNumber,
  endStability: nullableNumber,
  penalty: z.number(),
  problems: z.string().nullable(),
  structures: z.object({ selfAny: structure, selfEnd: structure, hairpin: structure }).nullable(),
  /** Genomic pieces, ascending, on the strand that the oligo reads; two where it lies on an exon junction. */
  loci: z.array(z.object({ start: z.number(), end: z.number(), strand: z.enum(['+', '-']) })),
})
export type Oligo = z.infer<typeof oligoSchema>

const productSchema = z.object({
  assembly: z.string(),
  searched: z.enum(searchedKinds),
  sequence: z.string(),
  start: z.number(),
  end: z.number(),
  lengthBp: z.number(),
  forward: z.enum(['left', 'right']),
  reverse: z.enum(['left', 'right']),
  forwardMismatches: z.number(),
  reverseMismatches: z.number(),
  forwardThreePrimeMismatches: z.number(),
  reverseThreePrimeMismatches: z.number(),
  /**
   * `intended`: at the place that the primers were designed for; `counterpart`: at the homologous place of another genome; `other`:
   * anything else.
   */
  kind: z.enum(['intended', 'counterpart', 'other']),
  genes: z.array(z.object({ id: z.string(), symbol: z.string().nullable() })),
})
export type Product = z.infer<typeof productSchema>

/** What a pair gives in one genome. */
const genomeVerdictSchema = z.object({
  assembly: z.string(),
  /**
   * `intended`: the product that was meant; `homologous`: a product at the homologous place; `elsewhere`: products, but none there;
   * `none`: no product at all.
   */
  verdict: z.enum(['intended', 'homologous', 'elsewhere', 'none']),
  /**
   * How the homologous place is known: the genomes are aligned, the gene has an ortholog, or (where neither was compared) the
   * bases between the primers are those of the template. Null at home.
   */
  judgedBy: z.enum(['alignment', 'gene', 'bases']).nullable(),
  /** Where genes tell the place: the orthologs there, none where the genes were compared and have none. Of results before version 4 unknown. */
  orthologs: z.array(z.string()).optional(),
  /** What the alignment says of the place; null where the genomes are not aligned. */
  outcome: z.enum(['whole', 'partial', 'split', 'deleted', 'replaced', 'unaligned', 'reference-lacks']).nullable(),
  product: productSchema.omit({ kind: true }).nullable(),
  /** Bases that it is longer than the one designed. */
  differenceBp: nullableNumber,
  /** Nonspecific products, how many of them are likely, and the best of them. */
  elsewhere: z.number(),
  elsewhereLikely: z.number(),
  bestElsewhere: productSchema.omit({ kind: true }).nullable(),
})
export type GenomeVerdict = z.infer<typeof genomeVerdictSchema>

const pairSchema = z.object({
  rank: z.number(),
  left: oligoSchema,
  right: oligoSchema,
  internal: oligoSchema.nullable(),
  penalty: z.number(),
  productBp: z.number(),
  productTm: nullableNumber,
  complAny: nullableNumber,
  complEnd: nullableNumber,
  structures: z.object({ complAny: structure, complEnd: structure }).nullable(),
  /** Exon junctions within the product, and whether a primer lies on one. */
  junctions: z.number(),
  primerOnJunction: z.boolean(),
  /** Length of the product from genomic DNA, introns included; null where it has none. */
  genomicBp: nullableNumber,
  specificity: z
    .object({
      intended: z.number(),
      counterparts: z.number(),
      others: z.number(),
      /** Others with few mismatches: to be seen on a gel. */
      likely: z.number(),
      /** A primer has so many places that not all were followed. */
      repetitive: z.boolean(),
      /** The best of them; `others` first after the intended ones. */
      products: z.array(productSchema),
      /** One entry for each genome searched, in their order. */
      genomes: z.array(genomeVerdictSchema),
    })
    .nullable(),
})
export type Pair = z.infer<typeof pairSchema>

const explainSchema = z.array(z.object({ reason: z.string(), count: z.number() }))
const intervalSchema = z.object({ start: z.number(), end: z.number() })

export const noteSchema = z.object({ id: z.string(), params: z.record(z.string(), z.union([z.string(), z.number()])) })
export type Note = z.infer<typeof noteSchema>

const designSchema = z.object({
  name: z.string(),
  source: z.enum(sources),
  assembly: z.string().nullable(),
  gene: z.string().nullable(),
  symbol: z.string().nullable(),
  transcript: z.string().nullable(),
  part: z.enum(parts).nullable(),
  lengthBp: z.number(),
  /** Bases of the template; null in large batches. */
  bases: z.string().nullable(),
  /** Pieces of the template in its reading direction, each with where it lies on the genome; empty for a pasted sequence. */
  blocks: z.array(
    z.object({
      start: z.number(),
      end: z.number(),
      sequence: z.string(),
      genomeStart: z.number(),
      genomeEnd: z.number(),
      strand: z.enum(['+', '-']),
    }),
  ),
  /** What the annotation has on it, in template coordinates. */
  features: z.array(intervalSchema.extend({ kind: z.enum(['cds', 'exon', 'gene']) })),
  /** Last base before each exon junction. */
  junctions: z.array(z.number()),
  targets: z.array(intervalSchema),
  excluded: z.array(intervalSchema),
  included: intervalSchema.nullable(),
  pairs: z.array(pairSchema),
  explain: z.object({ left: explainSchema, right: explainSchema, internal: explainSchema, pair: explainSchema }),
  notes: z.array(noteSchema),
  /** primer3's own words, where it refused or warned. */
  error: z.string().nullable(),
  warning: z.string().nullable(),
})
export type Design = z.infer<typeof designSchema>

export const resultSchema = z.object({
  designs: z.array(designSchema),
  /** Names that gave no template, one by one. */
  problems: z.array(noteSchema.extend({ query: z.string() })),
  pairCount: z.number(),
  /** Templates that have at least one pair. */
  solved: z.number(),
  /** Pairs without any, and without a likely, product that was not meant; null when nothing was searched. */
  cleanPairs: z.number().nullable(),
  specificPairs: z.number().nullable(),
  searchedBp: z.number(),
  searchedAssemblies: z.array(z.string()),
  /** Assemblies of the template's species that were not searched since one search takes no more. */
  leftOut: z.array(z.string()),
  /** The settings of the first template as primer3 was given them. */
  settings: z.record(z.string(), z.string()),
})
export type PrimerResult = z.infer<typeof resultSchema>

export default defineTool({
  id: 'primerdesign',
  route: '/tools/primerdesign',
  category: 'find',
  order: 50,
  icon: 'arrow-left-right',
  mode: 'job',
  version: 5,
  input: inputSchema,
  result: resultSchema,
  limits,
  needs: [
    { kind: 'program', program: 'primer3_core', package: 'primer3' },
    { kind: 'data', dataType: 'genome', entry: 'genome' },
  ],
  opens: [
    { target: 'gene', query: { genes: '{gene}', assembly: '{assembly}' } },
    {
      target: 'amplifiedRegion',
      query: { source: 'regions', regions: '{region}', target: '{place}', assembly: '{assembly}' },
    },
  ],
  example: ({ assemblies }) => {
    const candidates = [...assemblies].sort((a, b) => Number(b.reference) - Number(a.reference))
    const antigen = exampleOfAntigen(candidates)
    if (antigen !== null) return antigen
    for (const assembly of candidates) {
      const gene = assembly.exampleGenes.find((one) => {
        const lengthBp = one.end - one.start + 1
        return lengthBp >= shortestExampleBp && lengthBp <= limits.templateBp
      })
      if (gene !== undefined)
        return {
          source: 'genes' as const,
          genes: [gene.id],
          assembly: assembly.id,
          assemblies: [assembly.id],
        }
    }
    return null
  },
})

/**
 * ESAT-6 lies in RD1, which every BCG lacks (Mahairas et al. 1996, J Bacteriol 178:1274): primers on it give a product in strains of
 * *M. tuberculosis* and none in the vaccine, which tells infected from vaccinated. Null where other species are loaded.
 */
const exampleOfAntigen = (candidates: readonly AssemblySummary[]) => {
  for (const assembly of candidates) {
    const gene = assembly.exampleGenes.find(({ symbol }) => symbol === 'esxA')
    if (gene === undefined || !assembly.speciesName.startsWith('Mycobacterium')) continue
    const relatives = candidates.filter(({ id, species }) => id !== assembly.id && species === assembly.species)
    return {
      source: 'genes' as const,
      genes: [gene.id],
      assembly: assembly.id,
      // The neighbours on both sides are in RD1 as well.
      flankBp: exampleFlankBp,
      // Products of the whole gene: what lies beside it would be told present where the gene itself is broken.
      target: `${exampleFlankBp + 1}..${exampleFlankBp + gene.end - gene.start + 1}`,
      // Paralogs of the family have places with four mismatches in each primer, which no PCR amplifies: they would hide the answer.
      ignoreMismatches: 4,
      assemblies: [assembly, ...relatives].slice(0, limits.assemblies).map(({ id }) => id),
    }
  }
  return null
}

const exampleFlankBp = Math.min(300, limits.flankBp)

/** A template that leaves room for products of every size class. */
const shortestExampleBp = 600
