import { z } from 'zod'
import { carriages } from '../../bio/variation/carriers.ts'
import { consequences } from '../../bio/variation/consequences.ts'
import { blockRules } from '../../bio/variation/linkage-blocks.ts'
import { variantTypes } from '../../bio/variation/vcf.ts'
import { capsMarkerSchema, kaspAssaySchema } from '../../contracts/markers.ts'
import { localizedTextSchema } from '../../contracts/text.ts'
import { defineTool, identifiersSchema } from '../../contracts/tools/tool.ts'
import { defineLimits } from '../../contracts/tools/tool-limits.ts'

export const limits = defineLimits('variation', {
  genes: 200,
  rows: 200,
  /** Records that haplotypes are told from. */
  scanned: 50_000,
  /** Records whose genotypes are held against a condition on accessions; fewer where there are many accessions. */
  tested: 1_000_000,
  matrixSites: 400,
  matrixSamples: 2000,
  haplotypeSites: 2000,
  haplotypes: 200,
  /** Common sites from which haplotype blocks are told. */
  blockSites: 300,
  ldSites: 200,
  /** Variants whose carriers are listed together. */
  chosen: 20,
})

export const tasks = ['variants', 'accessions', 'haplotypes', 'ld', 'markers'] as const
export const haplotypeTests = ['kruskal', 'anova', 'welch'] as const
/** How blocks are told; `none` for without. */
export const blockChoices = [...blockRules, 'none'] as const
/** Whether accessions carry every one of several variants, at least one, or none of them. */
export const matches = ['all', 'any', 'none'] as const
export const siteKinds = ['changing', 'coding', 'all'] as const
export const consequenceNames = consequences.map(({ name }) => name)

const effectSchema = z.object({
  consequences: z.array(z.string()),
  gene: z.string(),
  symbol: z.string().nullable(),
  transcript: z.string(),
  biotype: z.string(),
  strand: z.string(),
  aminoAcids: z.string().nullable(),
  /** As HGVS writes it; results of before version 5 have none. */
  proteinChange: z.string().nullable().optional(),
  bases: z.string().nullable(),
  allele: z.number().nullable(),
})

const countsSchema = z.object({
  /** Of each allele, REF first. */
  counts: z.array(z.number()),
  called: z.number(),
  samples: z.number(),
  missing: z.number(),
})

export const variantSchema = z.object({
  /** Place of the record in its set; rows are numbered from 0. */
  row: z.number(),
  /** `sequence:position:REF:ALT`, or with the record's number at its position where alleles are long. */
  key: z.string(),
  ids: z.array(z.string()),
  sequence: z.string(),
  position: z.number(),
  end: z.number(),
  reference: z.string(),
  alternates: z.array(z.string()),
  type: z.string(),
  quality: z.number().nullable(),
  filters: z.array(z.string()),
  effects: z.array(effectSchema),
  /** Null without genotypes. */
  alleles: countsSchema.nullable(),
  /** In the order of `populations`. */
  byPopulation: z.array(countsSchema),
})
export type ShownVariant = z.infer<typeof variantSchema>

const locusSchema = z.object({ sequence: z.string(), start: z.number(), end: z.number() })

/** A gene as it is drawn: exons and CDS of its longest transcript. */
const geneModelSchema = z.object({
  id: z.string(),
  symbol: z.string().nullable(),
  sequence: z.string(),
  start: z.number(),
  end: z.number(),
  strand: z.string(),
  exons: z.array(z.tuple([z.number(), z.number()])),
  cds: z.array(z.tuple([z.number(), z.number()])),
})
export type GeneModel = z.infer<typeof geneModelSchema>

const variantsSchema = z.object({
  rows: z.array(variantSchema),
  /** Null where it is not known, because genotypes were not looked at in all that pass the other conditions. */
  total: z.number().nullable(),
  page: z.number(),
  pageSize: z.number(),
  /** By what rows are ordered; null by position, as of a server before it. */
  sort: z.object({ by: z.string(), descending: z.boolean() }).nullable().default(null),
  /** Records whose genotypes were looked at, of how many, and how many of them pass; null where that was not asked. */
  scanned: z.object({ looked: z.number(), of: z.number(), passed: z.number() }).nullable(),
  /** Records by consequence of all that pass; null as `total`. */
  counts: z.record(z.string(), z.number()).nullable(),
  populations: z.array(z.object({ name: z.string(), samples: z.number() })),
  /** With a single variant: each accession's alleles. */
  genotypes: z
    .array(
      z.object({
        accession: z.string(),
        name: z.string().nullable(),
        population: z.string().nullable(),
        alleles: z.array(z.number()),
        phased: z.boolean(),
      }),
    )
    .nullable(),
  /** Genes in the places, for the figure; empty for a whole genome. */
  genes: z.array(geneModelSchema),
  loci: z.array(locusSchema),
  /** Position, worst consequence and frequency of up to some thousands of those that pass, for the figure of one place. */
  marks: z.array(z.tuple([z.number(), z.string(), z.number().nullable()])),
  marksCut: z.boolean(),
  /**
   * Genes that the passing variants have an effect on, on all pages; with consequences asked for, those on which the effect is one of
   * them. Null where these are too many, and of a server before it.
   */
  affected: z.array(z.string()).nullable().default(null),
})
export type VariantsResult = z.infer<typeof variantsSchema>

const siteSchema = z.object({
  row: z.number(),
  key: z.string(),
  position: z.number(),
  reference: z.string(),
  alternates: z.array(z.string()),
  consequence: z.string(),
  /** All of the effect that `consequence` is the gravest of, whose change of the protein is told; none of a server before it. */
  consequences: z.array(z.string()).default([]),
  aminoAcids: z.string().nullable(),
  /** As HGVS writes it; results of before version 5 have none. */
  proteinChange: z.string().nullable().optional(),
  /** That the effect is on, null between genes; kept results may have none. */
  gene: z.string().nullable().optional(),
})
export type Site = z.infer<typeof siteSchema>

const figures = z.object({
  n: z.number(),
  mean: z.number(),
  deviation: z.number().nullable(),
  median: z.number(),
  lowerWhisker: z.number().optional(),
  lowerQuartile: z.number().optional(),
  upperQuartile: z.number().optional(),
  upperWhisker: z.number().optional(),
})
/** Test of all haplotypes together. */
const testSchema = z.object({
  statistic: z.number(),
  degrees: z.number(),
  residualDegrees: z.number().nullable(),
  pValue: z.number(),
  effect: z.number(),
})
const haplotypesSchema = z.object({
  gene: z.string(),
  symbol: z.string().nullable(),
  locus: locusSchema,
  /** Genes at the locus, to be drawn over the sites; results of before version 4 have none. */
  models: z.array(geneModelSchema).optional(),
  sites: z.array(siteSchema),
  /** Sites of the kind asked for, of which those with too many missing genotypes, and those in which nobody differs, are left out. */
  siteCount: z.number(),
  dropped: z.object({ missing: z.number(), invariant: z.number(), beyond: z.number() }),
  haplotypes: z.array(
    z.object({
      name: z.string(),
      alleles: z.array(z.number()),
      copies: z.number(),
      accessions: z.array(z.string()),
      /** Copies by population. */
      byPopulation: z.array(z.number()),
    }),
  ),
  /** All haplotypes; the rarest may be left out of those listed, and accessions then have places beyond them. Results of before version 7 have all. */
  haplotypeCount: z.number().optional(),
  /** Column of the accessions that populations are. */
  grouping: z.string().nullable().optional(),
  /** Whether haplotypes go with populations: chi-square of the table of accessions, all of whose copies are one; effect is Cramér's V. */
  structure: testSchema.extend({ fewExpected: z.number() }).nullable().optional(),
  /** Blocks of the common variants of the place; null where the genotypes do not tell them, or none was asked for. */
  blocks: z
    .object({
      rule: z.enum(blockRules),
      /** Common variants that blocks are told from, of how many. */
      sites: z.number(),
      of: z.number(),
      blocks: z.array(z.object({ start: z.number(), end: z.number(), sites: z.number() })),
    })
    .nullable()
    .optional(),
  populations: z.array(z.object({ name: z.string(), samples: z.number() })),
  /** The places or populations of the accessions are simulated. */
  simulatedAccessions: z.boolean().optional(),
  accessions: z.array(
    z.object({
      id: z.string(),
      population: z.string().nullable(),
      haplotypes: z.array(z.number()),
      state: z.enum(['complete', 'completed', 'heterozygous', 'missing']),
      value: z.number().nullable(),
      /** Of traits with levels. */
      level: z.string().nullable().optional(),
      name: z.string().nullable().optional(),
      country: z.string().nullable().optional(),
      latitude: z.number().nullable().optional(),
      longitude: z.number().nullable().optional(),
    }),
  ),
  phenotype: z
    .object({
      set: z.string(),
      trait: z.string(),
      name: localizedTextSchema,
      unit: z.string().nullable(),
      simulated: z.boolean(),
      /** `table`: of a trait with levels that are no numbers. */
      method: z.enum(['kruskal', 'anova', 'welch', 'table']),
      levels: z.array(z.string()).nullable().optional(),
      /** Haplotypes with enough accessions, by their places; figures of the trait in each. */
      groups: z.array(
        z.object({
          haplotype: z.number(),
          figures: figures.nullable(),
          levelCounts: z.array(z.number()).nullable().optional(),
          /** Haplotypes that share a letter do not differ at 5 %, pairs adjusted. */
          letters: z.string().optional(),
        }),
      ),
      test: testSchema.nullable(),
      /** Fisher's exact test of the table; null where there are too many tables to go through. */
      exactPValue: z.number().nullable().optional(),
      /** Haplotypes compared within populations: population first in a linear model; null where it cannot be told. */
      within: testSchema.extend({ accessions: z.number(), populations: z.number() }).nullable().optional(),
      pairs: z.array(
        z.object({
          a: z.number(),
          b: z.number(),
          difference: z.number().nullable(),
          pValue: z.number(),
          adjustedPValue: z.number(),
        }),
      ),
    })
    .nullable(),
})
export type HaplotypesResult = z.infer<typeof haplotypesSchema>

const ldSchema = z.object({
  loci: z.array(locusSchema),
  sites: z.array(siteSchema.extend({ frequency: z.number(), symbol: z.string().nullable().optional() })),
  /** Pairs (0, 1), (0, 2) … (1, 2) …; null where a pair cannot be told. */
  r2: z.array(z.number().nullable()),
  dPrime: z.array(z.number().nullable()),
  /** Variants that pass; the sites are taken evenly from them. */
  total: z.number(),
  /** How haplotypes are known. */
  phase: z.enum(['haploid', 'phased', 'estimated', 'none']),
})
export type LdResult = z.infer<typeof ldSchema>

const markersSchema = z.object({
  variant: siteSchema,
  sequence: z.string(),
  alternate: z.string(),
  /** Bases on both sides of the variant, N at neighbouring variants. */
  flanking: z.string(),
  /** Other variants within the template that primers were kept off. */
  neighbours: z.number(),
  kasp: z.array(kaspAssaySchema),
  kaspWhy: z.string().nullable(),
  caps: z.array(capsMarkerSchema),
  /** Enzymes that tell the alleles apart without a primer that fits, or by a changed base only. */
  enzymes: z.array(z.object({ name: z.string(), site: z.string(), cutAllele: z.enum(['reference', 'alternate']) })),
})
export type MarkersResult = z.infer<typeof markersSchema>

/** Accessions of a group: those that carry what is asked, those of which that is not known, and all. */
const groupCountsSchema = z.object({
  /** Null for those that have nothing in the column. */
  value: z.string().nullable(),
  carriers: z.number(),
  undetermined: z.number(),
  accessions: z.number(),
})

const accessionsSchema = z.object({
  match: z.enum(matches),
  /** In the order asked. */
  variants: z.array(
    z.object({
      asked: z.string(),
      /** Records that are it: several where its alleles, or substitutions that make the same change of a protein, have records of their own. */
      sites: z.array(
        siteSchema.extend({
          sequence: z.string(),
          symbol: z.string().nullable(),
          /** Alleles that count, numbered as in GT; null for every one but REF. */
          counted: z.array(z.number()).nullable(),
        }),
      ),
      /** Accessions by how many of their copies have it; `missing` for those that are not called. */
      carriages: z.object({ every: z.number(), some: z.number(), none: z.number(), missing: z.number() }),
    }),
  ),
  /** Of all accessions of the set. */
  counts: groupCountsSchema.omit({ value: true }),
  /** By each column by which accessions can be grouped, and by the levels of the phenotype, whose column is null. */
  groupings: z.array(z.object({ column: z.string().nullable(), groups: z.array(groupCountsSchema) })),
  /** Columns of the table of accessions beside name, population, country and coordinates, those of `groupings` first. */
  attributes: z.array(z.string()),
  simulatedAccessions: z.boolean(),
  phenotype: z
    .object({
      set: z.string(),
      trait: z.string(),
      name: localizedTextSchema,
      unit: z.string().nullable(),
      simulated: z.boolean(),
      /** Null of a trait that is measured. */
      levels: z.array(z.string()).nullable(),
    })
    .nullable(),
  /** Those that carry what is asked, in the order of the set. */
  accessions: z.array(
    z.object({
      id: z.string(),
      name: z.string().nullable(),
      population: z.string().nullable(),
      country: z.string().nullable(),
      latitude: z.number().nullable(),
      longitude: z.number().nullable(),
      attributes: z.record(z.string(), z.union([z.string(), z.number()])),
      value: z.number().nullable(),
      level: z.string().nullable(),
      /** In the order of `variants`: alleles, `.` where not called, and how many of the copies have it. */
      genotypes: z.array(z.object({ text: z.string(), carriage: z.enum(carriages) })),
    }),
  ),
})
export type AccessionsResult = z.infer<typeof accessionsSchema>

export const setSchema = z.object({
  id: z.string(),
  name: localizedTextSchema,
  description: localizedTextSchema.nullable(),
  sites: z.number(),
  samples: z.number(),
  ploidy: z.number(),
  phased: z.enum(['all', 'some', 'none']).nullable(),
  consequences: z
    .object({ program: z.string(), version: z.string(), counts: z.record(z.string(), z.number()) })
    .nullable(),
  types: z.record(z.string(), z.number()),
  hasIds: z.boolean(),
  simulated: z.boolean(),
  licence: z.string().nullable(),
  file: z.string(),
})
export type ShownSet = z.infer<typeof setSchema>

export const resultSchema = z.object({
  assembly: z.string(),
  set: setSchema,
  variants: variantsSchema.nullable(),
  /** Results of before version 8 have none. */
  accessions: accessionsSchema.nullable().default(null),
  haplotypes: haplotypesSchema.nullable(),
  ld: ldSchema.nullable(),
  markers: markersSchema.nullable(),
  unknown: z.array(z.string()),
})
export type VariationResult = z.infer<typeof resultSchema>

const share = (usual: number) => z.coerce.number().min(0).max(1).default(usual)
const accessions = z
  .union([z.string(), z.array(z.string().max(200))])
  .optional()
  .transform((value) =>
    value === undefined
      ? []
      : (typeof value === 'string' ? value : value.join('\n'))
          .split(/[\n,;，；\t]+/)
          .flatMap((one) => one.trim() || []),
  )

/** A thousands separator is no comma between two variants. */
const betweenVariants = /[\n;；\t]+|[,，](?!\d{3}(?!\d))/

/** Variants as text, with lines, commas or semicolons between them; each once. */
export const splitVariants = (typed: string): string[] => [
  ...new Map(
    typed
      .split(betweenVariants)
      .flatMap((text) => (text.trim() === '' ? [] : [[text.trim().toUpperCase(), text.trim()] as const])),
  ).values(),
]

const variantNames = z
  .union([z.string().max(20_000), z.array(z.string().max(300)).meta({ maxItems: limits.chosen })])
  .optional()
  .transform((value) => splitVariants(Array.isArray(value) ? value.join('\n') : (value ?? '')))
  .pipe(z.array(z.string().max(300)).max(limits.chosen))

/** What variants are looked for by; also the conditions of files. */
export const filterFields = {
  assembly: z.string().max(64),
  set: z.string().max(90).optional(),
  genes: identifiersSchema(limits.genes).optional(),
  /** Bases on each side of genes. */
  flankBp: z.coerce.number().int().min(0).max(100_000).default(0),
  /** Sequence, or region as chr1:1000-2000; the whole genome when neither gene nor region nor id is given. */
  region: z.string().trim().max(300).optional(),
  /** Id of the VCF, position as chr1:1000, chr1:1000:A:G, or a change of a gene as katG p.Ser315Thr, katG c.944G>C. */
  id: z.string().trim().max(300).optional(),
  consequences: z.array(z.enum(consequenceNames)).max(30).default([]),
  types: z.array(z.enum(variantTypes)).max(5).default([]),
  /** Of the rarer of reference and the others together. */
  minFrequency: z.coerce.number().min(0).max(0.5).default(0),
  maxFrequency: z.coerce.number().min(0).max(0.5).default(0.5),
  /** Share of accessions without a call. */
  maxMissing: share(1),
  /** Accessions that all have another allele than the reference. */
  carriers: accessions,
  /** Accessions that have no other allele than the reference. */
  without: accessions,
  /** Column of the accessions by which frequencies are told; that of populations when absent. */
  grouping: z.string().max(100).optional(),
  /** A population of that column in which an alternate allele occurs. */
  population: z.string().trim().max(200).optional(),
  /** Of that allele among the called copies of the population. */
  minInPopulation: share(0),
  /** Of that allele in each other population. 0: private to the population. */
  maxElsewhere: share(1),
}

/** Order of the variants by the frequency in all accessions; {@link populationSort} by that in a population. */
export const frequencySort = 'frequency'
/** Order of the variants by the frequency in the population of this name. */
export const populationSort = (name: string): string => `in:${name}`

export default defineTool({
  id: 'variation',
  route: '/tools/variation',
  category: 'vary',
  order: 10,
  icon: 'dna',
  mode: 'answer',
  version: 9,
  input: z.object({
    task: z.enum(tasks).default('variants'),
    ...filterFields,
    /** Whose carriers are listed; each as `id` names one. */
    variants: variantNames,
    match: z.enum(matches).default('all'),
    /** Of a haplotype: sites that change a protein, coding ones, or all. */
    sites: z.enum(siteKinds).default('changing'),
    /** Haplotype blocks drawn over the sites. */
    blocks: z.enum(blockChoices).default('gabriel'),
    /** `set|trait`. */
    trait: z.string().max(300).optional(),
    test: z.enum(haplotypeTests).default('kruskal'),
    /** Accessions that a haplotype needs to be tested. */
    minCount: z.coerce.number().int().min(2).max(1000).default(3),
    /** Sites of the LD figure at most. */
    ldSites: z.coerce.number().int().min(1).max(limits.ldSites).default(Math.min(80, limits.ldSites)),
    /** `frequency`, or `in:` and the name of a population; by position when absent. */
    sort: z.string().max(210).optional(),
    descending: z.boolean().default(true),
    page: z.coerce.number().int().min(1).max(1_000_000).default(1),
    pageSize: z.coerce.number().int().min(1).max(limits.rows).default(Math.min(50, limits.rows)),
  }),
  result: resultSchema,
  limits,
  needs: [{ kind: 'data', dataType: 'variants', entry: 'variants' }],
  opens: [
    { target: 'region', query: { assembly: '{assembly}', region: '{region}' }, run: true },
    { target: 'geneChange', query: { assembly: '{assembly}', id: '{gene} {change}' }, run: true },
  ],
  records: { variant: '/tools/variation?assembly={assembly}&id={id}&run=1' },
  example: ({ assemblies }) => {
    const loaded = assemblies.filter((one) => (one.dataTypes.variants ?? 0) > 0)
    const assembly = loaded.find((one) => one.reference) ?? loaded[0]
    const gene = assembly?.exampleGenes[0]
    if (assembly === undefined || gene === undefined) return null
    // Where variants are few, a gene alone may have none: about five on either side are shown with it.
    const apartBp = assembly.lengthBp / (assembly.dataTypes.variants ?? 1)
    const flankBp = apartBp < 200 ? 0 : Math.min(20_000, 1000 * Math.ceil(apartBp / 200))
    return { task: 'variants' as const, assembly: assembly.id, genes: [gene.id], flankBp }
  },
})
