import { z } from 'zod'
import type { AssemblySummary } from '../species.ts'

/** The tasks by which Home and the tools list group the tools. */
export const toolCategories = ['find', 'compare', 'express', 'vary', 'regulate'] as const
export type ToolCategory = (typeof toolCategories)[number]

/** What a tool needs to be of use: a program on the machine, or data of a kind in at least one assembly. */
export type ToolNeed =
  | { kind: 'program'; program: string; package: string }
  | { kind: 'data'; dataType: DataType; entry: string }

/** Kinds of data an assembly can have; a tool's loader may declare further ones. */
export type DataType = 'genome' | 'genes' | 'proteins' | 'annotation' | (string & {})

/** Facts about what is loaded, from which a tool makes an example that works on this portal. */
export interface PortalFacts {
  assemblies: AssemblySummary[]
}

/**
 * What pages of the portal lead on to tools with, and the values that such a link can fill in. Coordinates are 1-based, inclusive;
 * several assemblies stand with commas between, none for all.
 */
export const openTargets = {
  /** One gene; `from` and `to` leave some room on its sides. */
  gene: ['gene', 'assembly', 'sequence', 'start', 'end', 'from', 'to'],
  /** The sequences of a gene. Who opens these also answers `geneSequencesSchema` (genes.ts) for an input of these fields and a `part`. */
  geneSequences: ['gene', 'assembly'],
  /**
   * A change of a gene as HGVS writes it behind the gene's name: p.Ser315Thr, c.944G>C. Who opens it also answers `geneChangeSchema`
   * (genes.ts) for the input that its query is.
   */
  geneChange: ['gene', 'assembly', 'change'],
  /** A gene whose sequence in another assembly of its species is another than in its own. */
  changedGene: ['gene', 'assembly', 'otherAssembly'],
  /** The gene with those of its orthogroup in every assembly. */
  geneFamily: ['gene', 'assembly'],
  /** The families of a list of genes in every assembly: what a tool for single genes leads on to with more than it takes. */
  geneFamilies: ['genes', 'assembly'],
  /** A segment of a sequence, and its strand; `{region}` in an address is all of it in one text (`writeRegion`). */
  region: ['assembly', 'sequence', 'start', 'end'],
  /** A segment of `assembly` that `genomes` have, of which it is one, and `otherGenomes` lack. */
  distinctRegion: ['assembly', 'sequence', 'start', 'end', 'genomes', 'otherGenomes'],
  /** A segment in which a product is wanted, over `place` where that is given: `a..b`, counted from 1 in the segment. */
  amplifiedRegion: ['assembly', 'sequence', 'start', 'end', 'place'],
  /** Two segments beside each other, as `sequence:start..end`. */
  regionPair: ['assembly', 'loc', 'otherAssembly', 'otherLoc'],
  /** The genes in such a segment, as a table. */
  genesInRegion: ['assembly', 'sequence', 'start', 'end'],
  /**
   * The genes of an ontology's term, or of one below it, as a table. Who opens them also answers `geneIdsSchema` (genes.ts) at its route
   * `ids/`, for an `assembly` and the rest of the input.
   */
  genesOfTerm: ['term', 'assemblies'],
  /** All genes of the assemblies, such as those of a species, as a table. */
  genesOfAssemblies: ['assemblies'],
  /** The genes that the reference of a species has and `assembly` lacks, as a table; `assemblies` are all that are compared. */
  absentGenes: ['assembly', 'reference', 'assemblies'],
  /** An assembly held against another of its species. */
  comparedAssembly: ['assembly', 'reference'],
  /** All assemblies of a species held against its reference, which is `assembly`. */
  comparedSpecies: ['assembly'],
  /** A trait of a set of phenotypes; `phenotype` is both as `set|trait`, the assembly one of the species. */
  trait: ['species', 'assembly', 'dataset', 'trait', 'phenotype'],
  /** A data set of expression: its genes, samples and comparisons. */
  expressionData: ['assembly', 'dataset'],
  /**
   * A publication among all of them. Who opens it also answers `publicationDataSchema` (publication.ts) for the input that its query is.
   */
  publication: ['id', 'species', 'title'],
} as const
export type OpenTarget = keyof typeof openTargets
export type OpenValues<Target extends OpenTarget> = Record<(typeof openTargets)[Target][number], string | number> & {
  /** Of a region: `-` where the reverse complement is meant. */
  strand?: '+' | '-'
}

/** Message `open.<target>` is what stands on the button. */
export interface ToolOpening {
  target: OpenTarget
  /**
   * The tool's address: `{name}` stands for a value. A string is filled in and left out when it comes out empty; anything else is
   * filled in within and written as the form's address writes structures.
   */
  query: Record<string, unknown>
  /** The form may be run at once. */
  run?: true
  /** The one that most readers look for. */
  look?: 'primary'
}

export interface ToolDefinition<Input extends z.ZodType = z.ZodType, Result extends z.ZodType = z.ZodType> {
  /** Equals the folder's name and the last segment of the route in lower case. */
  id: string
  route: string
  category: ToolCategory
  /** Position within its category. */
  order: number
  /** Name of a lucide icon. */
  icon: string
  /** `answer`: normally answers at once; `job`: goes to the queue. */
  mode: 'answer' | 'job'
  /** Raised when the same input gives another result than before, so that cached results are not served. */
  version: number
  input: Input
  result: Result
  /** Every bound the tool keeps, made by `defineLimits` and stated on its form. Message `limit.<name>` explains each. */
  limits: Readonly<Record<string, number>>
  needs: ToolNeed[]
  /** What pages of the portal lead on to it with, so that they need not know it by name. */
  opens?: ToolOpening[]
  /**
   * Pages of the entries that the tool's loader adds to the search, by their type: an address in which `{id}` and `{assembly}` stand for
   * the entry's own, `{id.0}` and `{id.1}` for what is before and behind the first `|` of its id.
   */
  records?: Record<string, string>
  /** What its load-portal.ts computes that other tools read through `PortalData`; one tool for each. */
  computes?: 'homology' | 'alignments' | 'presence'
  /** Input with identifiers that exist in the loaded data, or null when nothing fitting is loaded. */
  example(facts: PortalFacts): z.input<Input> | null
}

/** Declares a tool; plain data and pure functions only, so that server, browser and loader may import it. */
export const defineTool = <Input extends z.ZodType, Result extends z.ZodType>(
  tool: ToolDefinition<Input, Result>,
): ToolDefinition<Input, Result> => tool

/** An identifier list as people type it: any of space, comma, semicolon, tab or newline between; order kept, repeats dropped. */
export const splitIdentifiers = (text: string): string[] => [
  ...new Set(
    text
      .split(/[\s,;，；]+/)
      .map((id) => id.trim())
      .filter((id) => id !== ''),
  ),
]

/**
 * Identifiers given as text or as a list; the list is what the engine sees. Only the list is checked for its length: a check within
 * the union would be told as "wrong kind of input" instead of "too many". Its bound is in the JSON Schema all the same.
 */
export const identifiersSchema = (maximum: number) =>
  z
    .union([z.string(), z.array(z.string().max(200)).meta({ maxItems: maximum })])
    .transform((value) => (typeof value === 'string' ? splitIdentifiers(value) : splitIdentifiers(value.join('\n'))))
    .pipe(z.array(z.string().max(200)).min(1).max(maximum))

export const toolStatusSchema = z.object({
  id: z.string(),
  route: z.string(),
  category: z.enum(toolCategories),
  order: z.number(),
  icon: z.string(),
  mode: z.enum(['answer', 'job']),
  available: z.boolean(),
  /** Why not, and how to mend it; in the reader's language. */
  unavailable: z.array(z.string()),
  limits: z.record(z.string(), z.number()),
  inputSchema: z.unknown(),
  /** An input that works on this portal, to begin from; null where nothing fitting is loaded. */
  example: z.unknown().nullable(),
})
export type ToolStatus = z.infer<typeof toolStatusSchema>
