import type { z } from 'zod'
import type { GeneMatches } from '../bio/annotation/gene-matches.ts'
import type { GeneModel } from '../bio/annotation/gene-models.ts'
import type { Defect, DefectCatalogue } from '../bio/text/defects.ts'
import type { LocalizedText } from '../contracts/text.ts'
import type { ToolDefinition } from '../contracts/tools/tool.ts'
import type { BakedTable, CopyValue } from '../database/baked-tables.ts'
import type { Sql } from '../database/connect.ts'
import type { ProgramOutcome, ProgramRun } from '../jobs/program.ts'
import type { ComputedBundle } from './data/find-computed.ts'

/**
 * A tool that brings data declares how: `load.ts` in its folder, default export (one, or a list). The loader finds it, merges its entry
 * into the
 * manifest's schema, and calls it for each assembly (or once for the species) while the bundle is being built.
 */
export interface ToolLoader<Schema extends z.ZodType = z.ZodType> {
  /** Key in species.yaml; null for a loader that only derives (indexes, databases) from what the assembly has. */
  entry: string | null
  /** Where the entry stands: beside each assembly's genome, or at the top. */
  scope: 'assembly' | 'species'
  schema: Schema | null
  /** Of scope `assembly`: the entry may also stand at the top, for every assembly that has none of its own. */
  inherited?: boolean
  /** Called with null for an assembly without the entry, too: it may have something to derive from what else there is. */
  always?: boolean
  /**
   * Other lists of the manifest that a value's entries name by id, with the place of each name within the value: told with their line,
   * before anything is read, where there is no such id.
   */
  refers?(value: z.output<Schema>): EntryReference[]
  /** Where files may stand beside those that a value names, which are baked with them: a change of one bakes anew. */
  beside?(value: z.output<Schema>): string[]
  /** Which files of a folder that a value names are read: those that are baked, and a change of which bakes anew. */
  inFolder?(files: readonly string[]): string[]
  /** It asks `termsOf`: what it bakes depends on the annotation of the genes, and is baked anew with it. */
  readsTerms?: boolean
  /** Raised when the baked form changes: bundles made by another version are baked anew. */
  version: number
  /** Tables of its own, for data too many or too much asked to be records; a migration makes what they are partitions of. */
  tables?: readonly BakedTable[]
  /**
   * Called by `novodb check` in place of `bake`: only for a loader whose `bake` computes for long or copies what is very large. It tells
   * all that `bake` tells of the entry's files.
   */
  check?(value: z.output<Schema>, context: BakeContext): Promise<void>
  /**
   * Of scope `species`: holds the entry's files to the genomes, once all assemblies are baked and before the release is switched; for
   * files that are about several of them.
   */
  checkAgainst?(value: z.output<Schema>, context: AgainstContext): Promise<void>
  /**
   * Writes files and rows of the bundle, and reports what is wrong with the entry's files. `novodb check` calls it too, without programs,
   * and throws away what it wrote; of a list, once more for the items behind one whose file cannot be read. Resolves to counts by data type (`{tracks: 3}`) shown as what is loaded.
   */
  bake(value: z.output<Schema> | null, context: BakeContext): Promise<Record<string, number>>
}

/** That `path` of a value names `id` of the list under the key `entry`, beside the same genome or at the top. */
export interface EntryReference {
  path: (string | number)[]
  entry: string
  id: string
}

/** References of a list of entries in which each key names an id of the list of that same name. */
export const idsNamed = <Key extends string>(
  entries: readonly { readonly [key in Key]?: string | undefined }[],
  keys: readonly Key[],
): EntryReference[] =>
  entries.flatMap((entry, number) =>
    keys.flatMap((key) => {
      const id = entry[key]
      return id === undefined ? [] : [{ path: [number, key], entry: key, id }]
    }),
  )

/** What every data set says of itself, as its entry or else the species does; null for what neither says. */
export const describeEntry = (
  entry: {
    id: string
    name: LocalizedText
    description?: LocalizedText | undefined
    source?: LocalizedText | undefined
    licence?: string | undefined
    simulated?: boolean | undefined
  },
  context: Pick<BakeContext, 'licence' | 'simulated'>,
) => ({
  id: entry.id,
  name: entry.name,
  description: entry.description ?? null,
  source: entry.source ?? null,
  licence: entry.licence ?? context.licence,
  simulated: entry.simulated ?? context.simulated,
})

/** What is wrong with a file; how grave that is says the catalogue. `line` from 1, null for the whole file. */
export type ReportedDefect<Code extends string = string> = Omit<Defect, 'code' | 'severity'> & { code: Code }

export interface CheckContext {
  species: string
  assembly: string | null
  /** Absolute path of a file named in the manifest; reports a defect and rejects when it cannot be read. */
  resolveFile(path: string): Promise<string>
  /** Absolute path of a file that may stand beside one that the manifest names, given as the manifest would; null when there is none. */
  findFile(path: string): Promise<string | null>
  /** Files within a folder named in the manifest, as the manifest would name them; reports a defect and rejects when there is no such. */
  listFolder(path: string): Promise<string[]>
  /** Tells a defect of a catalogue: the tool's own (`defects.ts` in its folder), a format's, or kit/input-defects.ts. */
  report<Catalogue extends DefectCatalogue>(
    catalogue: Catalogue,
    defect: ReportedDefect<keyof Catalogue & string>,
  ): void
  /** Tells a defect that a reader of a format noted in a log. */
  forward(defect: Defect): void
  signal: AbortSignal
}

/** Sequences of an assembly, by any of their names. */
export interface AssemblySequences {
  /** The sequence of this name, alias or usual naming scheme; null when unknown or ambiguous. */
  find(name: string): { name: string; lengthBp: number } | null
}

export interface AgainstContext extends CheckContext {
  /** Null for an assembly that is not of this species. */
  sequencesOf(assembly: string): AssemblySequences | null
}

export interface BakedSequence {
  name: string
  lengthBp: number
  aliases: string[]
  circular: boolean
  geneticCode: number
}

export interface BakeContext extends CheckContext {
  simulated: boolean
  licence: string | null
  /** Directory of the bundle under construction. */
  directory: string
  /** Notes a file that was written under `directory`; its checksum is taken when the bundle is sealed. */
  addFile(relativePath: string, about: { kind: string; download?: DownloadAbout }): void
  /** Sequences of the assembly in order; empty for the species scope. */
  sequences: BakedSequence[]
  /** Name of a sequence as this assembly has it, by its name or any alias or usual naming scheme; null when unknown or ambiguous. */
  findSequence(name: string): string | null
  /** Gene models of the assembly in order; empty for the species scope. */
  genes(): AsyncIterable<GeneModel>
  /** Gene id by any of its names, for a name that the manifest has; null when unknown or ambiguous. */
  findGene(name: string): string | null
  /** The same for the names of a file: the one way by which readers match them, which counts and reports. */
  matchGenes(file: string): GeneMatches
  /** What annotation says of a gene, for all of it or for residues of its protein; nothing that it denies. */
  termsOf(gene: string): readonly GeneTermSource[]
  /** A term of the tool's own vocabulary, for searches and term pages; ancestors are what stands above it, parents included. */
  addTerm(term: {
    source: string
    term: string
    name: string | null
    definition?: string | null
    parents?: string[]
    ancestors?: string[]
  }): Promise<void>
  /** Gives a gene a term, as annotation does. */
  addGeneTerm(assigned: { gene: string; source: string; term: string; evidence: string | null }): Promise<void>
  /**
   * Files baked so far by kind, e.g. `genome`, `proteins`, `cds`: absolute paths, plain or as their name says. Transcripts, coding
   * sequences and proteins stand in the order of the genes, so that a reader may walk both side by side.
   */
  bakedFile(kind: string): string | null
  addRecord(record: BakedRecord): Promise<void>
  /** A row of one of the loader's `tables`; values in the order of its columns. */
  addRow(table: BakedTable, values: readonly CopyValue[]): Promise<void>
  addSearchEntry(entry: BakedSearchEntry): Promise<void>
  /** 0 to 1 within this loader. */
  progress(fraction: number): void
  /** Where programs run and may leave what is not kept; removed when the bundle is sealed. */
  scratch: string
  /** Runs a program of the machine in `scratch`; null when it is not there (report a defect that says what to install). */
  runProgram(run: ProgramRun): Promise<ProgramOutcome | null>
}

/** A term as annotation gives it to a gene; residues of the protein counted from 1, null for the whole gene. */
export interface GeneTermSource {
  source: string
  term: string
  name: string | null
  start1: number | null
  end1: number | null
}

export interface DownloadAbout {
  title?: string | { en: string; zh: string }
  description?: string | { en: string; zh: string }
  licence?: string | null
  simulated?: boolean
}

/** A row of the tool's own data, found by kind and id, by kind and region, or listed by kind in order. */
export interface BakedRecord {
  kind: string
  id: string
  sequence?: string
  start1?: number
  end1?: number
  data: unknown
}

export interface BakedSearchEntry {
  type: string
  id: string
  label: string
  description?: string | null
  sequence?: string | null
  start1?: number | null
  end1?: number | null
  strand?: string | null
  /** Further names by which it is found. */
  names?: string[]
  /** Further text in which words are found. */
  extra?: string
  /** Better entries first among equals; genes with symbol and description have 1 to 3. */
  relevance?: number
}

/** An assembly as a loader over everything meets it. */
export interface PortalAssembly {
  /** Number of its bundle; what is baked names assemblies by it, so that it stays true of exactly this content. */
  bundle: number
  uid: string
  id: string
  species: string
  /** Directory of the sealed bundle, in which these of its files are there, as far as it has them. */
  fetchFiles(paths: readonly string[]): Promise<string>
  /** SHA-256 of a file of the bundle; null where it has none of that path. */
  checksumOf(path: string): string | null
  codingGeneCount: number
  /** Its species' reference: the one marked so, else the first. */
  reference: boolean
  /** Of another species, kept beside this one for comparison. */
  outgroup: boolean
}

/**
 * A tool may compute something over all assemblies of all species together: `load-portal.ts` in its folder, default export. The
 * loader calls it after the release has been switched, over what is then in service, and until it is done pages say which assemblies it
 * does not know; a load leaves it to the next one that waits. It makes a bundle of its own, recognised by the bundles it was made from.
 */
export interface PortalLoader {
  /** Raised when what is computed changes: it is then computed anew at the next load. */
  version: number
  /** Tables of its own; a migration makes what they are partitions of. */
  tables?: readonly BakedTable[]
  /** Which assemblies it computes over; those with coding genes when absent. */
  over?: 'coding' | 'genomes'
  /** What besides the bundles it depends on, such as which assembly is the reference: computed anew when the text changes. */
  basis?(assemblies: readonly PortalAssembly[]): string
  /** Whether a species' own bundle brings something to it (by its counts by data type), and so belongs to its inputs. */
  reads(dataTypes: Record<string, number>): boolean
  /** What another tool computes that it reads: it is computed after that, and anew with it. */
  uses?: NonNullable<ToolDefinition['computes']>
  /** What of it any process can compute by itself, part by part. */
  parts?: PortalParts
  /** Resolves to null when it could not be computed (a program is missing, reported), and then nothing is kept. */
  bake(context: PortalBakeContext): Promise<{ counts: Record<string, number>; about: unknown } | null>
}

/**
 * Parts of what a portal loader computes, each over two assemblies: workers of every host compute them beside the load, and what comes of
 * them is kept by content. So a part is a function of what its input names, of the version and of the programs, to the byte.
 */
export interface PortalParts {
  /** Raised when the same content gives other files than before. */
  version: number
  /** Programs that parts run; what is kept is of these versions alone. */
  programs: readonly string[]
  /** Prepares a process for the parts of one load. */
  open(context: PartsContext): PartsSession
}

export interface PartsContext {
  sql: Sql
  /** Directory for what one part leaves to the next; removed at the end. */
  scratch: string
  assemblyOf(bundle: number): Promise<PortalAssembly>
  /** What another tool computed, by the number of its bundle. */
  computedOf(bundle: number): Promise<ComputedBundle>
}

export interface PartsSession {
  /** Computes one part; several may be under way at a time. */
  compute(input: unknown, run: PartRun): Promise<void>
}

export interface PartRun {
  /** What is written here is kept: one level of files. */
  directory: string
  /** Where programs run; removed when the part is done. */
  scratch: string
  signal: AbortSignal
  runProgram(run: ProgramRun): Promise<ProgramOutcome | null>
}

/** Two assemblies by the numbers of their bundles, and what is computed of them. */
export interface PortalPart {
  of: readonly [number, number]
  input: unknown
}

export interface PortalBakeContext
  extends Pick<
    BakeContext,
    'directory' | 'addFile' | 'progress' | 'scratch' | 'runProgram' | 'report' | 'forward' | 'signal'
  > {
  /** Those that the loader computes over, by the number of their bundle: the order in which they came. */
  assemblies: PortalAssembly[]
  /** Bundles of species that the loader reads. */
  species: { bundle: number; species: string; fetchFiles: PortalAssembly['fetchFiles'] }[]
  /**
   * Computes parts that are not kept yet, in this process (by `session`) and by workers. `contents` has for each assembly the digest of
   * what its parts are computed from; a part is known by those of its two assemblies. Progress goes up to `share` of the loader's own.
   * Resolves to a function that gives the folder of a part's files, or to the program that is missing.
   */
  computeParts(
    session: PartsSession,
    given: { contents: ReadonlyMap<number, string>; parts: readonly PortalPart[]; share: number },
  ): Promise<ComputedParts | { missing: string }>
  /** What the loader `uses`, of just these assemblies; null where it could not be computed. */
  used: ComputedBundle | null
  sql: Sql
  /** A row of one of the loader's `tables`; values in the order of its columns. */
  addRow(table: BakedTable, values: readonly CopyValue[]): Promise<void>
}

export interface ComputedParts {
  /** Folder of a part's files, which are there. */
  folderOf(of: readonly [number, number]): Promise<string>
  /** Whether the part was kept before. */
  wasKept(of: readonly [number, number]): boolean
  keptCount: number
}

export const definePortalLoader = (loader: PortalLoader): PortalLoader => loader

export const defineLoader = <Schema extends z.ZodType>(loader: ToolLoader<Schema>): ToolLoader<Schema> => loader
