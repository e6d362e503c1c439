import { type Interval, placeInterval } from '../../bio/annotation/gene-geometry.ts'
import { indexSequenceNames, type SequenceNames } from '../../bio/sequence/chromosome-order.ts'
import { PortalError } from '../../contracts/errors.ts'
import type { ActiveBundle } from '../../database/catalogue.ts'
import type { Sql } from '../../database/connect.ts'
import {
  findSequenceRow,
  listPlainSequences,
  listSequenceNames,
  listSequenceRows,
  type SequenceRow,
} from '../../database/sequences.ts'
import { BgzfBlockCache } from '../../store/bgzf.ts'
import { type Genome, genomeFiles, openGenome } from '../../store/genome-fasta.ts'
import type { PortalFiles } from '../../store/portal-files.ts'
import type { Catalogue } from './catalogue.ts'
import type { GenomeSequence, PortalData } from './portal-data.ts'

/** Unpacked bases kept for all genomes together. */
const genomeCacheBytes = 64 * 1024 * 1024
/** Longer than any answer takes that began to read a genome before the catalogue changed. */
const retireGenomesMs = 3_600_000

/** Sequences of assemblies of up to so many are kept in memory; of others, which are drafts, only the names, once they are asked for. */
const heldSequences = 20_000

interface KnownSequences {
  /** Null of a draft. */
  rows: SequenceRow[] | null
  names: SequenceNames
}

/** The segments that are read for a region: two where it crosses the origin of a circular sequence, at most once around. */
const placeOnSequence = (sequence: GenomeSequence, start1: number, end1: number): Interval[] =>
  sequence.circular && end1 > sequence.lengthBp && end1 - start1 < sequence.lengthBp
    ? placeInterval({ start1, end1 }, sequence).pieces
    : [{ start1, end1 }]

const genomeSequence = (row: SequenceRow): GenomeSequence => ({
  name: row.name,
  lengthBp: row.lengthBp,
  circular: row.circular,
  geneticCode: row.geneticCode,
  aliases: row.aliases,
})

/** Sequences and bases of what is loaded. */
export interface SequenceData
  extends Pick<
    PortalData,
    'listSequences' | 'listAliasedSequences' | 'getSequence' | 'fetchSequence' | 'streamSequence'
  > {
  /** Lets go of what is kept of other bundles than these: an open file takes its space also when it is deleted. */
  keepOnly(bundles: readonly ActiveBundle[]): void
  /** How many bundles something is kept of. */
  readonly size: number
  close(): Promise<void>
}

export const createSequenceData = (options: {
  sql: Sql
  getEntry: Catalogue['getEntry']
  files: PortalFiles
  /** How long the genome of a bundle that is not active any more stays open for those who still read it. */
  retireMs?: number | undefined
}): SequenceData => {
  const { sql, getEntry, files, retireMs = retireGenomesMs } = options
  const genomes = new Map<string, Promise<Genome>>()
  const sequences = new Map<number, Promise<KnownSequences>>()
  const genomeCache = new BgzfBlockCache(genomeCacheBytes)
  const retired = new Map<NodeJS.Timeout, Promise<Genome>>()
  const closeGenome = async (genome: Promise<Genome>): Promise<void> => (await genome.catch(() => null))?.close()

  /** The bases are read where they are; a store sends those that are asked for before all of them are here. */
  const open = async ({ uid, summary }: ActiveBundle): Promise<Genome> => {
    const find = (name: string): ActiveBundle['summary']['files'] => summary.files.filter(({ path }) => path === name)
    const small = [genomeFiles.fai, genomeFiles.gzi, genomeFiles.sequences].flatMap(find)
    const directory = await files.fetch(uid, small)
    const [fasta] = find(genomeFiles.fasta)
    return openGenome(directory, {
      cache: genomeCache,
      ...(fasta === undefined ? {} : { fasta: await files.open(uid, fasta) }),
    })
  }

  const genomeOf = async (assembly: string): Promise<Genome> => {
    const { bundle } = await getEntry(assembly)
    let genome = genomes.get(bundle.uid)
    if (genome === undefined) {
      genome = open(bundle)
      genomes.set(bundle.uid, genome)
      genome.catch(() => genomes.delete(bundle.uid))
    }
    return genome
  }

  const sequencesOf = async (bundle: ActiveBundle): Promise<KnownSequences> => {
    let found = sequences.get(bundle.bundle)
    if (found === undefined) {
      found =
        bundle.summary.sequenceCount > heldSequences
          ? listSequenceNames(sql, bundle.bundle).then((names) => ({ rows: null, names: indexSequenceNames(names) }))
          : listSequenceRows(sql, bundle.bundle).then((rows) => ({ rows, names: indexSequenceNames(rows) }))
      sequences.set(bundle.bundle, found)
      found.catch(() => sequences.delete(bundle.bundle))
    }
    return found
  }

  const getSequence = async (assembly: string, name: string): Promise<GenomeSequence> => {
    const { bundle } = await getEntry(assembly)
    if (bundle.summary.sequenceCount > heldSequences) {
      // Most names are the very names, and the list of a draft is asked only for others.
      const row = await findSequenceRow(sql, bundle.bundle, name)
      if (row?.name === name) return genomeSequence(row)
    }
    const { rows, names } = await sequencesOf(bundle)
    const resolved = names.resolve(name)
    const position = resolved.name === null ? null : names.findPosition(resolved.name)
    const row =
      position === null
        ? null
        : rows === null
          ? await findSequenceRow(sql, bundle.bundle, resolved.name!)
          : rows[position]!
    if (row === null) {
      throw new PortalError('UNKNOWN_SEQUENCE', {
        params: { sequence: name, assembly, near: resolved.near.length > 0 ? resolved.near.join(', ') : 'none' },
      })
    }
    return genomeSequence(row)
  }

  return {
    listSequences: async (assembly, limit) => {
      const { bundle } = await getEntry(assembly)
      if (bundle.summary.sequenceCount > heldSequences)
        return [...(await listPlainSequences(sql, bundle.bundle, limit ?? null))]
      return (await sequencesOf(bundle)).rows!.slice(0, limit).map(genomeSequence)
    },
    listAliasedSequences: async (assembly) =>
      listSequenceNames(sql, (await getEntry(assembly)).bundle.bundle, { aliased: true }),
    getSequence,
    fetchSequence: async (assembly, sequence, start1, end1) => {
      const found = await getSequence(assembly, sequence)
      const genome = await genomeOf(assembly)
      const pieces = placeOnSequence(found, start1, end1)
      return (await Promise.all(pieces.map((piece) => genome.fetch(found.name, piece.start1 - 1, piece.end1)))).join('')
    },
    streamSequence: async function* (assembly, sequence, start1, end1) {
      const found = await getSequence(assembly, sequence)
      const genome = await genomeOf(assembly)
      for (const piece of placeOnSequence(found, start1, end1))
        yield* genome.stream(found.name, piece.start1 - 1, piece.end1)
    },

    keepOnly: (bundles) => {
      const uids = new Set(bundles.map((bundle) => bundle.uid))
      const numbers = new Set(bundles.map((bundle) => bundle.bundle))
      for (const number of sequences.keys()) if (!numbers.has(number)) sequences.delete(number)
      for (const [uid, genome] of genomes) {
        if (uids.has(uid)) continue
        genomes.delete(uid)
        const timer = setTimeout(() => {
          retired.delete(timer)
          void closeGenome(genome)
        }, retireMs)
        timer.unref()
        retired.set(timer, genome)
      }
    },
    get size() {
      return genomes.size + sequences.size
    },
    close: async () => {
      for (const timer of retired.keys()) clearTimeout(timer)
      await Promise.all([...genomes.values(), ...retired.values()].map(closeGenome))
      genomes.clear()
      retired.clear()
    },
  }
}
