import { z } from 'zod'
import { primer3webSettings } from '../../bio/sequence/primer3web-settings.ts'
import { assemblyIdSchema } from '../../contracts/manifest.ts'
import type { AssemblySummary } from '../../contracts/species.ts'
import { defineTool, splitIdentifiers } from '../../contracts/tools/tool.ts'
import { defineLimits } from '../../contracts/tools/tool-limits.ts'

export const limits = defineLimits('diagnosticprimers', {
  assemblies: 60,
  sites: 60,
  snps: 40,
  pairs: 20,
  productBp: 5000,
  scannedBp: 100_000_000,
})

export const methods = ['presence', 'size', 'snp'] as const
export type Method = (typeof methods)[number]
export const groups = ['target', 'spare', 'sized'] as const
export type Group = (typeof groups)[number]

/** Ids of genomes, which an address has as a text. */
const ids = z
  .union([z.string(), z.array(z.string().max(64)).meta({ maxItems: limits.assemblies })])
  .transform((value) => (typeof value === 'string' ? splitIdentifiers(value) : [...new Set(value)]))
  .pipe(z.array(z.string().max(64)).max(limits.assemblies))
  .default([])
const setting = (tag: keyof typeof primer3webSettings): number => Number(primer3webSettings[tag])
const celsius = (tag: keyof typeof primer3webSettings) => z.coerce.number().min(40).max(80).default(setting(tag))
const size = (usual: number) =>
  z.coerce.number().int().min(50).max(limits.productBp).default(Math.min(usual, limits.productBp))

export const inputSchema = z.object({
  /** Genomes in which a product of the expected size is wanted; with none of them and a gene, those that have it by their DNA. */
  target: ids,
  /** Genomes in which no product is wanted; of the method `snp` those that have the other allele. */
  spare: ids,
  /** Genomes in which a product of another size is wanted. */
  sized: ids,
  method: z.enum(methods).default('presence'),
  /** A gene, a sequence or a region of `assembly` to which primers are restricted. */
  region: z.string().max(200).default(''),
  /** Whose gene or region it is; the reference when absent. */
  assembly: assemblyIdSchema.optional(),
  productMin: size(100),
  productMax: size(800),
  /** Sizes that differ by less are one band. */
  minDifference: z.coerce.number().int().min(5).max(1000).default(30),
  tmMin: celsius('PRIMER_MIN_TM'),
  tmOpt: celsius('PRIMER_OPT_TM'),
  tmMax: celsius('PRIMER_MAX_TM'),
  /** Of the method `snp` so many of each type. */
  pairs: z.coerce.number().int().min(1).max(limits.pairs).default(Math.min(5, limits.pairs)),
  /** Pairs of a multiplex, the control among them; 0 for none. */
  multiplex: z.coerce.number().int().min(0).max(6).default(3),
  /** A pair that amplifies every genome, for telling "absent" from "failed". */
  control: z.boolean().default(true),
  /** Products longer than this are not amplified by the chosen polymerase and time. */
  amplifiedBp: z.coerce.number().int().min(500).max(limits.productBp).default(Math.min(3000, limits.productBp)),
})
export type DiagnosticInput = z.output<typeof inputSchema>

/** Bases from 1 on `assembly`'s sequence, both included. */
const oligoSchema = z.object({
  /** `fam` and `hex` are the allele-specific primers of KASP, for the amplified and for the spared genomes. */
  role: z.enum(['forward', 'reverse', 'fam', 'hex', 'common']),
  sequence: z.string(),
  start: z.number(),
  end: z.number(),
  strand: z.enum(['+', '-']),
  tm: z.number(),
  gcPercent: z.number(),
})
export type Oligo = z.infer<typeof oligoSchema>

const bandSchema = z.object({
  sequence: z.string(),
  start: z.number(),
  end: z.number(),
  lengthBp: z.number(),
  mismatches: z.number(),
  threePrimeMismatches: z.number(),
})
export type Band = z.infer<typeof bandSchema>

const outcomeSchema = z.object({
  assembly: z.string(),
  /** `other`: of the species and in no group; checked and told all the same. */
  group: z.enum([...groups, 'other']),
  /** Products that are likely to be seen, the likeliest first; at most a few, `bandCount` says how many. */
  bands: z.array(bandSchema),
  bandCount: z.number(),
  /** Products with so many mismatches that they are not expected. */
  weak: z.number(),
  /** CAPS: lengths of the pieces after digestion, of the first band. */
  fragments: z.array(z.number()),
  /** KASP: which allele-specific primer gives the product. */
  allele: z.enum(['fam', 'hex', 'both', 'none']).nullable(),
  /** It is as its group is asked to be. Null of those in no group. */
  asAsked: z.boolean().nullable(),
})
export type Outcome = z.infer<typeof outcomeSchema>

const pairSchema = z.object({
  rank: z.number(),
  kind: z.enum(['pcr', 'kasp', 'caps', 'control']),
  oligos: z.array(oligoSchema),
  /** Genome that they were designed on, and where the product lies there. */
  assembly: z.string(),
  sequence: z.string(),
  start: z.number(),
  end: z.number(),
  productBp: z.number(),
  penalty: z.number(),
  /** Melting temperatures of the dimers of the pair, °C; null where they were not computed. */
  complAny: z.number().nullable(),
  complEnd: z.number().nullable(),
  /** What it rests on; bases of `assembly`, `lengthBp` those that the amplified genomes have more (negative: less). */
  site: z.object({
    kind: z.enum(['unique', 'lost', 'junction', 'longer', 'shorter', 'snp', 'conserved']),
    start: z.number(),
    end: z.number(),
    lengthBp: z.number(),
    /** Genes there, or of a deletion those of the reference that it takes away; of `genesOf`. */
    genes: z.array(z.object({ id: z.string(), symbol: z.string().nullable() })),
    /** There are more genes than those. */
    moreGenes: z.boolean(),
    genesOf: z.string(),
    /** Of the amplified and of the spared genomes. */
    alleles: z.object({ target: z.string(), spare: z.string() }).nullable(),
  }),
  enzyme: z
    .object({
      name: z.string(),
      site: z.string(),
      cuts: z.enum(['target', 'spare']),
      /** dCAPS: the base that the forward primer changes. */
      derived: z.object({ distance: z.number(), from: z.string(), to: z.string() }).nullable(),
    })
    .nullable(),
  outcomes: z.array(outcomeSchema),
  /** Every genome of a group is as asked. */
  discriminates: z.boolean(),
  /** And that without a mismatch in those to be amplified, nor an unlikely product in those to be spared. */
  sure: z.boolean(),
})
export type DiagnosticPair = z.infer<typeof pairSchema>

const dimerSchema = z.object({ first: z.string(), second: z.string(), anyTm: z.number(), endTm: z.number() })
export type Dimer = z.infer<typeof dimerSchema>

const multiplexSchema = z.object({
  /** Ranks of its pairs; 0 is the control. */
  ranks: z.array(z.number()),
  tmMin: z.number(),
  tmMax: z.number(),
  /** The most stable dimers of primers of different pairs. */
  dimers: z.array(dimerSchema),
})
export type Multiplex = z.infer<typeof multiplexSchema>

export const resultSchema = z.object({
  method: z.enum(methods),
  species: z.string(),
  reference: z.string(),
  groups: z.object({ target: z.array(z.string()), spare: z.array(z.string()), sized: z.array(z.string()) }),
  /** Of the species, in no group, and searched too. */
  others: z.array(z.string()),
  /** Of the species, and not searched since one run takes no more. */
  leftOut: z.array(z.string()),
  region: z.object({ assembly: z.string(), sequence: z.string(), start: z.number(), end: z.number() }).nullable(),
  /** Places that differ, of which primers were designed; pairs designed and found to discriminate. */
  siteCount: z.number(),
  usedSites: z.number(),
  designed: z.number(),
  discriminating: z.number(),
  /** Bases of the reference that were looked at for SNPs. */
  scannedBp: z.number().nullable(),
  pairs: z.array(pairSchema),
  control: pairSchema.nullable(),
  /** Null where fewer than two pairs fit together. */
  multiplex: multiplexSchema.nullable(),
  searchedBp: z.number(),
  minDifference: z.number(),
  amplifiedBp: z.number(),
})
export type DiagnosticResult = z.infer<typeof resultSchema>

export default defineTool({
  id: 'diagnosticprimers',
  route: '/tools/diagnosticprimers',
  category: 'find',
  order: 55,
  icon: 'test-tubes',
  mode: 'job',
  version: 3,
  input: inputSchema,
  result: resultSchema,
  limits,
  needs: [
    { kind: 'program', program: 'primer3_core', package: 'primer3' },
    { kind: 'data', dataType: 'genome', entry: 'genome' },
  ],
  opens: [
    {
      target: 'changedGene',
      query: {
        method: 'snp',
        target: '{assembly}',
        spare: '{otherAssembly}',
        region: '{gene}',
        assembly: '{assembly}',
      },
      run: true,
    },
    {
      target: 'distinctRegion',
      query: { target: '{genomes}', spare: '{otherGenomes}', region: '{region}', assembly: '{assembly}' },
    },
  ],
  example: ({ assemblies }) => vaccineExample(assemblies) ?? firstExample(assemblies),
})

/** BCG lacks what strains of *M. tuberculosis* have: which strain is at hand is the first question asked of an isolate. */
const vaccineExample = (assemblies: readonly AssemblySummary[]) => {
  const isVaccine = ({ name, strain, id }: AssemblySummary): boolean => /\bBCG\b/.test(`${name} ${strain ?? ''} ${id}`)
  const species = assemblies.find((one) => one.speciesName.startsWith('Mycobacterium') && isVaccine(one))?.species
  const own = assemblies.filter((one) => one.species === species && !one.outgroup && one.partial === null)
  const target = own.filter(isVaccine).map(({ id }) => id)
  const spare = own.filter((one) => !isVaccine(one) && /tuberculosis/.test(one.speciesName)).map(({ id }) => id)
  if (species === undefined || target.length === 0 || spare.length === 0) return null
  return { target, spare: spare.slice(0, limits.assemblies - target.length) }
}

/** The reference of the first species with several genomes against the others. */
const firstExample = (assemblies: readonly AssemblySummary[]) => {
  for (const one of assemblies) {
    const others = assemblies.filter(
      ({ id, species, outgroup }) => species === one.species && id !== one.id && !outgroup,
    )
    if (!one.reference || others.length === 0) continue
    const [first] = others
    return { target: [one.id], spare: [first!.id] }
  }
  return null
}
