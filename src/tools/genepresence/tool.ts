import { z } from 'zod'
import { presenceStates } from '../../bio/comparative/gene-presence.ts'
import { defineTool, identifiersSchema, splitIdentifiers } from '../../contracts/tools/tool.ts'
import { defineLimits } from '../../contracts/tools/tool-limits.ts'

export const limits = defineLimits('genepresence', {
  assemblies: 200,
  genes: 20_000,
  drawnCells: 10_000_000,
  runs: 5000,
  features: 5000,
})

/** Ids of genomes, which an address has as a text. */
const ids = z
  .union([z.string(), z.array(z.string().max(64)).meta({ maxItems: limits.assemblies })])
  .transform((value) => (typeof value === 'string' ? splitIdentifiers(value) : value))
  .pipe(z.array(z.string().max(64)).max(limits.assemblies))
  .default([])
const numbers = z.array(z.number())

const genomeSchema = z.object({
  id: z.string(),
  partial: z.boolean(),
  /** Of the genes that were asked for, how many are in each state; in the order of `presenceStates`. */
  counts: numbers,
  /** Genes of the assembly itself that were followed. */
  genes: z.number(),
})
export type ComparedGenome = z.infer<typeof genomeSchema>

const runSchema = z.object({
  /** Numbers of the genomes that lack just these genes, in `genomes`. */
  genomes: numbers,
  /** Places of the first and the last gene among all of the assembly. */
  first: z.number(),
  last: z.number(),
  firstGene: z.string(),
  lastGene: z.string(),
  firstSymbol: z.string().nullable(),
  lastSymbol: z.string().nullable(),
  /** Features of the loaded tracks that it is the same place as, such as a published region of difference. */
  names: z.array(z.string()),
  /** Genes that are absent, and all that the missing bases overlap. */
  genes: z.number(),
  overlapping: z.number(),
  /** Whether every gene that is absent belongs to a mobile element, such as a transposase. */
  mobile: z.boolean(),
  sequence: z.string(),
  /** The bases that are missing; from 1, both included. */
  start: z.number(),
  end: z.number(),
  /** How many bases fewer the genomes have there; that of the genes where no alignment tells. */
  sizeBp: z.number(),
})
export type LostRegion = z.infer<typeof runSchema>

const growthSchema = z.object({ pan: numbers, core: numbers })

const resultSchema = z.object({
  assembly: z.string(),
  species: z.string(),
  /** The reference, through which pairs of others were followed. */
  reference: z.string(),
  computedAt: z.string(),
  programs: z.array(z.string()),
  /** Assemblies of the species that were loaded since. */
  missing: z.array(z.string()),
  /** Outgroups of the species, in which genes are not followed by their DNA: what is told of them is told by family. */
  outgroups: z.array(
    z.object({
      id: z.string(),
      basis: z.literal('orthogroup'),
      /** Genes of the outgroup in the orthogroup of each gene of `genes`; null of a gene without a protein. Null where none were compared. */
      counts: z.array(z.number().nullable()).nullable(),
    }),
  ),
  genomes: z.array(genomeSchema),
  /** Genes of the assembly in all, and those that meet what was asked. */
  total: z.number(),
  /** Columns of one length, in genome order. */
  genes: z.object({
    /** Place among all genes of the assembly. */
    number: numbers,
    id: z.array(z.string()),
    symbol: z.array(z.string().nullable()),
    description: z.array(z.string().nullable()),
    sequence: z.array(z.string()),
    start: numbers,
    end: numbers,
    strand: z.array(z.string()),
    /** Of each gene a letter a genome: place of the state among `presenceStates`, to the base 36. */
    states: z.array(z.string()),
  }),
  unknown: z.array(z.string()),
  /** Genes that are absent from all genomes in which they were asked to be, whatever the others have; of what was asked by name. */
  lost: z.number(),
  /** Neighbours that are lost together, of what was asked; the longest first. */
  regions: z.array(runSchema),
  /** Pan-genome and core of the genomes and the assembly, by DNA and by what is annotated; after 1, 2 … genomes. */
  growth: z.object({ dna: growthSchema, annotated: growthSchema }),
})
export type Presence = z.infer<typeof resultSchema>

export const stateOfLetter = (letter: string): (typeof presenceStates)[number] =>
  presenceStates[Number.parseInt(letter, 36)] ?? 'unknown'
export const letterOfState = (state: (typeof presenceStates)[number]): string =>
  presenceStates.indexOf(state).toString(36)

export default defineTool({
  id: 'genepresence',
  route: '/tools/genepresence',
  category: 'compare',
  order: 46,
  icon: 'list-checks',
  mode: 'answer',
  version: 3,
  input: z.object({
    /** Whose genes are followed; the reference of the first species when absent. */
    assembly: z.string().max(64).optional(),
    /** Genomes in which they are looked for; all others of the species when empty. */
    assemblies: ids,
    /** Only genes that these lack. */
    absent: ids,
    /** Only genes that are truncated, split or disrupted in these. */
    broken: ids,
    /** Only genes that are there as a whole in these. */
    intact: ids,
    /** And in all that are named in none of the three. */
    others: z.boolean().default(false),
    /** Only genes whose orthogroup has no gene in these outgroups, and only those whose orthogroup has one: by family, not by DNA. */
    familyAbsent: ids,
    familyPresent: ids,
    /** Only these genes. */
    genes: identifiersSchema(limits.genes).optional(),
  }),
  result: resultSchema,
  limits,
  needs: [
    { kind: 'program', program: 'blastn', package: 'ncbi-blast+' },
    { kind: 'program', program: 'tblastn', package: 'ncbi-blast+' },
    { kind: 'program', program: 'makeblastdb', package: 'ncbi-blast+' },
    { kind: 'data', dataType: 'genes', entry: 'genes' },
  ],
  computes: 'presence',
  example: ({ assemblies }) => {
    const with_ = (one: (typeof assemblies)[number]): boolean => one.geneCount > 0
    const first = assemblies.find(
      (one) =>
        one.reference &&
        with_(one) &&
        assemblies.filter((other) => other.species === one.species && with_(other)).length > 1,
    )
    if (first === undefined) return null
    const other = assemblies.filter((one) => one.species === first.species && one.id !== first.id && with_(one)).at(0)
    return other === undefined ? null : { assembly: first.id, absent: [other.id], others: true }
  },
})
