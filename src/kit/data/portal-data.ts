import type { Gene, GeneSummary, ResolvedGenes } from '../../contracts/genes.ts'
import type { AssemblySummary, SpeciesSummary } from '../../contracts/species.ts'
import type { StoredTranscript } from '../../database/genes.ts'
import type { HomologHit, OrthogroupSource } from '../../database/homologs.ts'
import type { ByteSource } from '../../store/byte-range.ts'
import type { AlignmentData } from './alignment-data.ts'
import type { PresenceData } from './presence-data.ts'

/** A gene with all its transcripts, without terms and neighbours. */
export interface CatalogueGene extends GeneSummary, Pick<Gene, 'name' | 'aliases' | 'attributes'> {
  transcripts: StoredTranscript[]
  proteinLength: number | null
}

/** A named feature of a track; coordinates 1-based inclusive. */
export interface NamedFeature {
  id: string
  label: string
  sequence: string
  start: number
  end: number
  strand: string | null
}

export interface GenomeSequence {
  name: string
  lengthBp: number
  circular: boolean
  geneticCode: number
  aliases: string[]
}

/** How far what was computed over all assemblies fits what is loaded now. */
export interface HomologyState {
  /** Number of its bundle in the partitioned tables. */
  bundle: number
  uid: string
  computedAt: string
  /** It was computed from exactly what is loaded. */
  current: boolean
  /** Assemblies of it that are loaded as they were then. */
  covered: string[]
  /** Assemblies with coding genes that it does not know, or knows in an earlier content. */
  missing: string[]
  orthogroupCount: number
  /** What the computation says of itself. */
  about: unknown
}

export interface Orthogroup {
  id: string
  /** 0 is the largest. */
  position: number
  source: OrthogroupSource
  /** Genes by assembly; only assemblies that are loaded as they were when it was computed. */
  members: Map<string, string[]>
}

/** A homolog as computed over all assemblies; shares are of 1, identity is in percent. */
export interface Homolog extends Omit<HomologHit, 'bundle'> {
  assembly: string
}

export interface GeneHomologs {
  gene: string
  orthogroup: string | null
  /** Orthologs first, then by falling score. */
  homologs: Homolog[]
}

/**
 * Everything loaded, as one reading face for engines and endpoints: the catalogue in the database and the files of the bundles.
 * Names of sequences are taken as people write them (aliases and usual schemes); unknown ones reject with UNKNOWN_SEQUENCE
 * and the nearest names. Unknown assemblies reject with UNKNOWN_ASSEMBLY.
 */
export interface PortalData {
  listSpecies(): Promise<SpeciesSummary[]>
  listAssemblies(): Promise<AssemblySummary[]>
  getAssembly(assembly: string): Promise<AssemblySummary>
  /** The first reference assembly, or the first of all; null when nothing is loaded. */
  defaultAssembly(): Promise<AssemblySummary | null>

  /** Sequences in order, the first `limit` of them: of a draft all are many. */
  listSequences(assembly: string, limit?: number): Promise<GenomeSequence[]>
  /** Those with other names, in order. */
  listAliasedSequences(assembly: string): Promise<{ name: string; aliases: string[] }[]>
  getSequence(assembly: string, name: string): Promise<GenomeSequence>
  /**
   * Bases from start1 to end1 inclusive, within the sequence; case as loaded. On a circular sequence end1 may lie beyond the length, at
   * most once around.
   */
  fetchSequence(assembly: string, sequence: string, start1: number, end1: number): Promise<string>
  /** The same in pieces, for long regions. */
  streamSequence(assembly: string, sequence: string, start1: number, end1: number): AsyncIterable<string>

  /** Full record; null when no such gene. `name` may be id, symbol, alias, transcript or protein id. */
  getGene(name: string, assembly?: string): Promise<{ gene: Gene; alternatives: GeneSummary[] } | null>
  resolveGenes(names: string[], assembly?: string): Promise<ResolvedGenes>
  /** Named features of the assembly's tracks (a centromere, an origin) of this name or id, case aside; at most a few dozen. */
  findFeatures(assembly: string, name: string): Promise<NamedFeature[]>
  /** All named features of the assembly's tracks that are at least so long, the longest first; at most `limit`. */
  listFeatures(assembly: string, minBp: number, limit: number): Promise<NamedFeature[]>
  /** Genes by exact id, in the order asked; unknown ids are left out. */
  getGenes(assembly: string, ids: string[]): Promise<CatalogueGene[]>
  /** Genes that overlap the region, in order of start; at most `limit`. Over the origin of a circular sequence as in `fetchSequence`. */
  listGenesInRegion(
    assembly: string,
    sequence: string,
    start1: number,
    end1: number,
    limit: number,
  ): Promise<GeneSummary[]>
  /** All genes in order, in batches, for whole-genome work. */
  streamGenes(assembly: string): AsyncIterable<CatalogueGene[]>

  /** Rows that a tool's loader added. */
  listRecords<T>(
    kind: string,
    scope: { assembly?: string; species?: string },
  ): Promise<{ id: string; assembly: string | null; data: T }[]>
  getRecord<T>(kind: string, id: string, scope: { assembly?: string; species?: string }): Promise<T | null>
  /** Absolute path of a bundle file by its kind or relative path, for reading now; null when the bundle has none. */
  bundleFile(assembly: string, kindOrPath: string): Promise<string | null>
  /** Directory of the assembly's bundle, in which all files whose paths begin so are there to be read now. */
  bundleFiles(assembly: string, prefix: string): Promise<string>
  /** A bundle file for reading at any place without having all of it; close it. Null when the bundle has none. */
  openBundleFile(assembly: string, path: string): Promise<ByteSource | null>
  /** Name of the directory of the assembly's bundle, to tell paths by; which files are in it is not said. */
  bundleDirectory(assembly: string): Promise<string>

  /** What was computed over all assemblies; null when nothing was. Says whether it still fits: whoever shows it shows that too. */
  getHomology(): Promise<HomologyState | null>
  /** Null when there is no such group. */
  getOrthogroup(id: string): Promise<Orthogroup | null>
  /** Groups by exact id, in one answer; unknown ids are left out. */
  getOrthogroups(ids: string[]): Promise<Map<string, Orthogroup>>
  /** All groups, largest first, in batches. */
  streamOrthogroups(): AsyncIterable<Orthogroup[]>
  /**
   * Homologs of genes of one assembly by exact id, in the order asked; genes without a protein, and all when nothing fits, are left out.
   */
  listHomologs(assembly: string, genes: string[]): Promise<GeneHomologs[]>
  /** Orthogroup of each of these genes; those without one are left out. */
  listOrthogroups(assembly: string, genes: string[]): Promise<Map<string, string>>
  /** Absolute path of a file of what was computed over all assemblies, by its kind; null when there is none. */
  homologyFile(kind: string): Promise<string | null>

  /** The same place in other assemblies, and structural variants between them. */
  alignments: AlignmentData
  /** What each gene is in other assemblies by its DNA, as it was computed after the load. */
  presence: PresenceData

  /** For a tool's own queries over its baked tables. */
  sql: import('../../database/connect.ts').Sql
  /** Number of the assembly's bundle in the partitioned tables. */
  bundleNumber(assembly: string): Promise<number>
  /** Number of the bundle of the species as a whole (ontologies, references). */
  speciesBundleNumber(species: string): Promise<number | null>
}
