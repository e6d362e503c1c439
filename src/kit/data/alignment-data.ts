import {
  type Segment as AlignedSegment,
  type AlignmentPiece,
  type ChainPart,
  composeChains,
  type Lifted,
  liftInterval,
  readChains,
} from '../../bio/alignment/lift.ts'
import type { VariantClass } from '../../bio/alignment/structural-variants.ts'
import { fieldError, PortalError } from '../../contracts/errors.ts'
import { type AssemblyLift, type AssemblyLocus, liftLimitBp } from '../../contracts/lift.ts'
import { openTabix, type TabixFile } from '../../store/tabix-reader.ts'
import {
  type AlignmentsAbout,
  alignmentFiles,
  parsePiece,
  parseVariant,
  type SpanState,
  type StoredVariant,
  spanStates,
} from './alignment-files.ts'

/** How far what is aligned fits what is loaded now, of one species. */
export interface AlignmentState {
  species: string
  reference: string
  /** Assemblies other than the reference that are loaded as they were when they were aligned, in their order. */
  assemblies: AlignmentsAbout['species'][number]['assemblies']
  /** Assemblies of the species that are loaded and not aligned. */
  missing: string[]
  computedAt: string
  program: string
  variantCount: number
}

export interface LiftAnswer {
  assembly: string
  sequence: string
  start: number
  end: number
  state: AlignmentState
  lifts: AssemblyLift[]
}

/** A place with the bases that stand opposite each other there; segments count from 0. */
export interface TracedLocus extends AssemblyLocus {
  segments: readonly AlignedSegment[]
}
export interface AssemblyTrace extends AssemblyLift {
  loci: TracedLocus[]
}

/** Bases from 1, both included. */
export interface AlignedSpans {
  assembly: string
  spans: { start: number; end: number; state: SpanState }[]
}

/**
 * A structural variant against the reference; bases from 1, both included. A breakpoint is listed at each of its two places, with ids
 * that end in `_1` and `_2`.
 */
export interface AssemblyVariant {
  id: string
  class: VariantClass
  sequence: string
  /** Of an insertion and a breakpoint: the base before it. */
  start: number
  end: number
  lengthBp: number
  mate: { sequence: string; position: number; side: 'left' | 'right'; otherSide: 'left' | 'right' } | null
  carriers: { assembly: string; sequence: string; start: number; end: number; strand: '+' | '-' }[]
  /** Aligned here without the variant; assemblies in neither list are not aligned here. */
  without: string[]
}

export interface GenomeLocus {
  assembly: string
  sequence: string
  start1: number
  end1: number
}

export interface VariantFilter {
  classes?: readonly VariantClass[]
  minBp?: number
  /** Only variants that one of these has. */
  carriers?: readonly string[]
}

/**
 * What is aligned between the assemblies of each species. Where nothing is, or the region's species has one assembly, `getState` is
 * null and the others reject with TOOL_UNAVAILABLE. Names of sequences are taken as people write them.
 */
export interface AlignmentData {
  /** Of the species that the assembly belongs to; null when it is not aligned. */
  getState(assembly: string): Promise<AlignmentState | null>
  /** The same place in every other assembly of the species, or in those of `to`. Over the origin of a circle as in `fetchSequence`. */
  lift(locus: GenomeLocus, to?: readonly string[]): Promise<LiftAnswer>
  /** The same, base by base. */
  trace(locus: GenomeLocus, to?: readonly string[]): Promise<AssemblyTrace[]>
  /** What each assembly has of a region of the reference, in the order of the assemblies. */
  listSpans(locus: GenomeLocus): Promise<AlignedSpans[]>
  /** The alignments themselves that overlap a region of the reference, of each assembly in its order, or of those of `of`; whole pieces. */
  listPieces(locus: GenomeLocus, of?: readonly string[]): Promise<{ assembly: string; pieces: AlignmentPiece[] }[]>
  /** Variants that overlap a region of the reference, at most `limit`, with whether there are more. */
  listVariants(
    locus: GenomeLocus,
    limit: number,
    filter?: VariantFilter,
  ): Promise<{ variants: AssemblyVariant[]; truncated: boolean }>
  /** The VCF of all variants of the species, absolute path and name. */
  variantFile(assembly: string): Promise<{ path: string; name: string } | null>
}

/** What the portal knows of the bundle in which alignments are; assemblies that are loaded as they were then. */
export interface OpenAlignments {
  about: AlignmentsAbout
  computedAt: string
  /** Absolute path of one of its files, there with its index to be read now. */
  findFile(path: string): Promise<string>
  /** Names of loaded assemblies by the numbers of their bundles. */
  assemblies: ReadonlyMap<number, string>
}

interface AlignmentSources {
  open(): Promise<OpenAlignments | null>
  getSequence(assembly: string, name: string): Promise<{ name: string; lengthBp: number; circular: boolean }>
  /** Species of an assembly with all its assemblies; rejects with UNKNOWN_ASSEMBLY. */
  listSiblings(assembly: string): Promise<string[]>
  /** How alignments over a place are read: each time anew, where absent. */
  readPieces?: ReadPieces
}

interface ReadPiece {
  assembly: number
  piece: AlignmentPiece
}
type ReadPieces = (
  file: string,
  name: string,
  start0: number,
  end0: number,
  wanted: (assembly: number) => boolean,
) => Promise<ReadPiece[]>

interface OpenSpecies {
  state: AlignmentState
  findFile(path: string): Promise<string>
  referenceBundle: number
  names: Map<number, string>
  bundles: Map<string, number>
}

/** A segment of a sequence; `shift` is what its bases are more in the numbering of the region that was asked for. */
interface Segment {
  start0: number
  end0: number
  shift: number
}

const readLines = async <T>(file: string, read: (open: TabixFile) => Promise<T>): Promise<T> => {
  const open = await openTabix(file)
  try {
    return await read(open)
  } finally {
    await open.close()
  }
}

const readPiecesOnce: ReadPieces = (file, name, start0, end0, wanted) =>
  readLines(file, async (tabix) => {
    const pieces: ReadPiece[] = []
    for await (const line of tabix.lines(name, start0, end0)) {
      const found = parsePiece(line, wanted)
      if (found !== null) pieces.push(found)
    }
    return pieces
  })

/** Bases of a sequence whose alignments are kept together, and how many such places are. */
const windowBp = 200_000
const keptWindows = 48

/**
 * Reads alignments for who follows the genes of a whole genome in their order: those of a place are read once for all of its genes. What
 * is kept of a place is a few megabytes at most.
 */
export const createPieceWindows = (): { readPieces: ReadPieces; close(): Promise<void> } => {
  const files = new Map<string, Promise<TabixFile>>()
  const windows = new Map<string, Promise<{ line: string; start0: number; end0: number; read: ReadPiece | null }[]>>()
  const readWindow = async (file: string, name: string, number: number) => {
    const opening = files.get(file) ?? openTabix(file)
    files.set(file, opening)
    const lines: { line: string; start0: number; end0: number; read: ReadPiece | null }[] = []
    for await (const line of (await opening).lines(name, number * windowBp, (number + 1) * windowBp)) {
      const [, start0, end0] = line.split('\t', 3)
      lines.push({ line, start0: Number(start0), end0: Number(end0), read: null })
    }
    return lines
  }
  const openWindow = (file: string, name: string, number: number) => {
    const key = `${file}\t${name}\t${number}`
    const window = windows.get(key) ?? readWindow(file, name, number)
    // The latest used stands last.
    windows.delete(key)
    windows.set(key, window)
    for (const oldest of [...windows.keys()].slice(0, -keptWindows)) windows.delete(oldest)
    return window
  }
  return {
    readPieces: async (file, name, start0, end0, wanted) => {
      const pieces: ReadPiece[] = []
      const first = Math.floor(start0 / windowBp)
      for (let number = first; number * windowBp < end0; number += 1)
        for (const entry of await openWindow(file, name, number)) {
          if (entry.start0 >= end0 || entry.end0 <= start0) continue
          // What reaches over two windows was taken in the first.
          if (number > first && entry.start0 < number * windowBp) continue
          const read = entry.read ?? parsePiece(entry.line, wanted)
          if (read === null || !wanted(read.assembly)) continue
          entry.read = read
          pieces.push(read)
        }
      return pieces
    },
    close: async () => {
      for (const file of files.values()) await (await file).close()
      files.clear()
      windows.clear()
    },
  }
}

const shifted = (part: ChainPart, shift: number): ChainPart =>
  shift === 0
    ? part
    : { ...part, segments: part.segments.map((segment) => ({ ...segment, source0: segment.source0 + shift })) }

export const createAlignmentData = ({
  open,
  getSequence,
  listSiblings,
  readPieces = readPiecesOnce,
}: AlignmentSources): AlignmentData => {
  const openSpecies = async (assembly: string): Promise<OpenSpecies | null> => {
    const siblings = await listSiblings(assembly)
    const found = await open()
    if (found === null) return null
    for (const entry of found.about.species) {
      const reference = found.assemblies.get(entry.reference.bundle)
      if (reference === undefined || !siblings.includes(reference)) continue
      const assemblies = entry.assemblies.flatMap((one) => {
        const id = found.assemblies.get(one.bundle)
        return id === undefined ? [] : [{ ...one, id }]
      })
      const names = new Map(assemblies.map(({ bundle, id }) => [bundle, id]))
      if (assemblies.length === 0) return null
      const state: AlignmentState = {
        species: entry.species,
        reference,
        assemblies,
        missing: siblings.filter((id) => id !== reference && !assemblies.some((one) => one.id === id)),
        computedAt: found.computedAt,
        program: found.about.program,
        variantCount: entry.variantCount,
      }
      return {
        state,
        findFile: found.findFile,
        referenceBundle: entry.reference.bundle,
        names,
        bundles: new Map(assemblies.map(({ bundle, id }) => [id, bundle])),
      }
    }
    return null
  }

  const requireSpecies = async (assembly: string): Promise<OpenSpecies> => {
    const found = await openSpecies(assembly)
    if (found === null || (assembly !== found.state.reference && !found.bundles.has(assembly)))
      throw new PortalError('TOOL_UNAVAILABLE', { message: 'alignment.none', params: { assembly } })
    return found
  }

  const requireReference = async (assembly: string): Promise<OpenSpecies> => {
    const found = await requireSpecies(assembly)
    if (assembly !== found.state.reference)
      throw fieldError(['assembly'], 'alignment.notReference', { assembly, reference: found.state.reference })
    return found
  }

  /** The segments of a region, two over the origin of a circle. */
  const intervalsOf = async ({ assembly, sequence, start1, end1 }: GenomeLocus) => {
    const found = await getSequence(assembly, sequence)
    const { lengthBp, circular } = found
    const over = circular && end1 > lengthBp && start1 <= lengthBp && end1 - start1 < lengthBp
    if (start1 < 1 || start1 > end1 || (end1 > lengthBp && !over))
      throw fieldError([start1 > end1 || end1 > lengthBp ? 'end' : 'start'], 'alignment.regionOutside', {
        sequence: found.name,
        length: lengthBp,
      })
    const intervals: Segment[] = over
      ? [
          { start0: start1 - 1, end0: lengthBp, shift: 0 },
          { start0: 0, end0: end1 - lengthBp, shift: lengthBp },
        ]
      : [{ start0: start1 - 1, end0: end1, shift: 0 }]
    return { name: found.name, intervals }
  }

  /** Chains of the other assemblies over segments of a sequence, by the numbers of their bundles, in the numbering of the region. */
  const chainsOver = async (
    file: string,
    name: string,
    intervals: readonly Segment[],
    wanted: (assembly: number) => boolean,
  ): Promise<Map<number, ChainPart[]>> => {
    const chains = new Map<number, ChainPart[]>()
    for (const { start0, end0, shift } of intervals) {
      const pieces = new Map<number, AlignmentPiece[]>()
      for (const { assembly, piece } of await readPieces(file, name, start0, end0, wanted)) {
        const list = pieces.get(assembly)
        if (list === undefined) pieces.set(assembly, [piece])
        else list.push(piece)
      }
      for (const [assembly, list] of pieces)
        chains.set(assembly, [
          ...(chains.get(assembly) ?? []),
          ...readChains(list, start0, end0).map((part) => shifted(part, shift)),
        ])
    }
    return chains
  }

  const describe = (lifted: Lifted, assembly: string, through: string | null): AssemblyTrace => ({
    assembly,
    through,
    outcome: lifted.outcome,
    loci: lifted.loci.map(({ chain: _, start0, end0, sourceStart0, sourceEnd0, ...place }) => ({
      ...place,
      start: start0 + 1,
      end: end0,
      regionStart: sourceStart0 + 1,
      regionEnd: sourceEnd0,
    })),
    deletedAt:
      lifted.deletedAt === null
        ? null
        : {
            sequence: lifted.deletedAt.sequence,
            // The bases on both sides when nothing is there.
            start: lifted.deletedAt.start0 + (lifted.deletedAt.end0 > lifted.deletedAt.start0 ? 1 : 0),
            end: lifted.deletedAt.end0 + (lifted.deletedAt.end0 > lifted.deletedAt.start0 ? 0 : 1),
            strand: lifted.deletedAt.strand,
          },
  })

  /** From an assembly that is not the reference to others that are not, through the reference. */
  const liftThrough = async (
    species: OpenSpecies,
    own: readonly ChainPart[],
    toReference: Lifted,
    wanted: readonly string[],
    start0: number,
    end0: number,
  ): Promise<AssemblyTrace[]> => {
    const { reference } = species.state
    const bundles = new Set(wanted.map((id) => species.bundles.get(id)!))
    const found = new Map<number, ChainPart[]>()
    const used = own.filter((part) =>
      toReference.loci.some(
        ({ chain, role, sourceStart0 }) =>
          role !== 'copy' && chain === part.chain && part.segments[0]?.source0 === sourceStart0,
      ),
    )
    for (const part of used) {
      const from = Math.min(...part.segments.map(({ other0 }) => other0))
      const to = Math.max(...part.segments.map(({ other0, lengthBp }) => other0 + lengthBp))
      // A region that a chain passes with a long gap would read as much of the reference as the gap is long.
      const chains = await chainsOver(
        await species.findFile(alignmentFiles.byReference(species.referenceBundle)),
        part.sequence,
        [{ start0: from, end0: Math.min(to, from + 2 * liftLimitBp), shift: 0 }],
        (assembly) => bundles.has(assembly),
      )
      for (const [assembly, parts] of chains) {
        const composed = parts
          .map((next) => composeChains(part, next))
          .filter(({ segments, gapAt }) => segments.length > 0 || gapAt !== null)
        found.set(assembly, [...(found.get(assembly) ?? []), ...composed])
      }
    }
    return wanted.map((assembly) => {
      if (used.length === 0)
        return { assembly, through: reference, outcome: 'reference-lacks', loci: [], deletedAt: null }
      const lifted = liftInterval(found.get(species.bundles.get(assembly)!) ?? [], start0, end0)
      return describe(lifted, assembly, reference)
    })
  }

  const traceAll = async (locus: GenomeLocus, to: readonly string[] | undefined) => {
    const species = await requireSpecies(locus.assembly)
    const { reference, assemblies } = species.state
    if (locus.end1 - locus.start1 >= liftLimitBp)
      throw fieldError(['end'], 'alignment.regionLong', { limit: liftLimitBp })
    const { name, intervals } = await intervalsOf(locus)
    const others = [reference, ...assemblies.map(({ id }) => id)].filter(
      (id) => id !== locus.assembly && (to === undefined || to.includes(id)),
    )
    const [start0, end0] = [locus.start1 - 1, locus.end1]
    const answer = { state: species.state, sequence: name }
    if (locus.assembly === reference) {
      const bundles = new Set(others.map((id) => species.bundles.get(id)!))
      const file = await species.findFile(alignmentFiles.byReference(species.referenceBundle))
      const chains = await chainsOver(file, name, intervals, (assembly) => bundles.has(assembly))
      const traces = others.map((id) =>
        describe(liftInterval(chains.get(species.bundles.get(id)!) ?? [], start0, end0), id, null),
      )
      return { ...answer, traces }
    }
    const bundle = species.bundles.get(locus.assembly)!
    const file = await species.findFile(alignmentFiles.byAssembly(species.referenceBundle, bundle))
    const own = (await chainsOver(file, name, intervals, () => true)).get(species.referenceBundle) ?? []
    const toReference = liftInterval(own, start0, end0)
    const traces: AssemblyTrace[] = others.includes(reference) ? [describe(toReference, reference, null)] : []
    const further = others.filter((id) => id !== reference)
    if (further.length > 0) traces.push(...(await liftThrough(species, own, toReference, further, start0, end0)))
    return { ...answer, traces }
  }

  return {
    getState: async (assembly) => (await openSpecies(assembly))?.state ?? null,

    lift: async (locus, to) => {
      const { state, sequence, traces } = await traceAll(locus, to)
      const { assembly, start1: start, end1: end } = locus
      const lifts = traces.map((one) => ({ ...one, loci: one.loci.map(({ segments: _, ...place }) => place) }))
      return { assembly, sequence, start, end, state, lifts }
    },

    trace: async (locus, to) => (await traceAll(locus, to)).traces,

    listSpans: async (locus) => {
      const species = await requireReference(locus.assembly)
      const { name, intervals } = await intervalsOf(locus)
      const found = new Map<string, AlignedSpans['spans']>(species.state.assemblies.map(({ id }) => [id, []]))
      await readLines(await species.findFile(alignmentFiles.spans(species.referenceBundle)), async (tabix) => {
        for (const { start0, end0, shift } of intervals)
          for await (const line of tabix.lines(name, start0, end0)) {
            const [, from, to, bundle, state] = line.split('\t')
            const assembly = species.names.get(Number(bundle))
            if (assembly === undefined || !spanStates.includes(state as SpanState)) continue
            found.get(assembly)!.push({
              start: Math.max(start0, Number(from)) + 1 + shift,
              end: Math.min(end0, Number(to)) + shift,
              state: state as SpanState,
            })
          }
      })
      return [...found].map(([assembly, spans]) => ({ assembly, spans: spans.sort((a, b) => a.start - b.start) }))
    },

    listPieces: async (locus, of) => {
      const species = await requireReference(locus.assembly)
      const { name, intervals } = await intervalsOf(locus)
      const asked = (id: string): boolean => of === undefined || of.includes(id)
      const found = new Map<string, AlignmentPiece[]>(
        species.state.assemblies.flatMap(({ id }) => (asked(id) ? [[id, []]] : [])),
      )
      const file = await species.findFile(alignmentFiles.byReference(species.referenceBundle))
      await readLines(file, async (tabix) => {
        for (const { start0, end0 } of intervals)
          for await (const line of tabix.lines(name, start0, end0)) {
            const read = parsePiece(line, (bundle) => found.has(species.names.get(bundle) ?? ''))
            if (read !== null) found.get(species.names.get(read.assembly)!)!.push(read.piece)
          }
      })
      return [...found].map(([assembly, pieces]) => ({ assembly, pieces }))
    },

    listVariants: async (locus, limit, filter = {}) => {
      const species = await requireReference(locus.assembly)
      const { name, intervals } = await intervalsOf(locus)
      const variants: AssemblyVariant[] = []
      let truncated = false
      const file = alignmentFiles.variants(species.referenceBundle, species.state.reference)
      await readLines(await species.findFile(file), async (tabix) => {
        const samples = tabix.header.trimEnd().split('\n').at(-1)!.split('\t').slice(9)
        for (const { start0, end0 } of intervals)
          for await (const line of tabix.lines(name, start0, end0)) {
            const stored = parseVariant(line)
            if (stored === null) continue
            const variant = describeVariant(stored, samples, species)
            if (!passes(variant, filter)) continue
            if (variants.length >= limit) {
              truncated = true
              return
            }
            variants.push(variant)
          }
      })
      return { variants, truncated }
    },

    variantFile: async (assembly) => {
      const species = await openSpecies(assembly)
      if (species === null) return null
      const path = alignmentFiles.variants(species.referenceBundle, species.state.reference)
      return { path: await species.findFile(path), name: path.split('/').at(-1)! }
    },
  }
}

const describeVariant = (stored: StoredVariant, samples: readonly string[], species: OpenSpecies): AssemblyVariant => {
  const loaded = new Set(species.names.values())
  const carriers: AssemblyVariant['carriers'] = []
  const without: string[] = []
  for (const [number, assembly] of samples.entries()) {
    const sample = stored.samples[number]
    if (sample === null || sample === undefined || !loaded.has(assembly)) continue
    if (sample === true) without.push(assembly)
    else
      carriers.push({
        assembly,
        sequence: sample.sequence,
        start: sample.start1,
        end: sample.end1,
        strand: sample.strand,
      })
  }
  const point = stored.class === 'insertion' || stored.class === 'breakpoint'
  const { mate } = stored
  return {
    id: stored.id,
    class: stored.class,
    sequence: stored.sequence,
    start: point ? Math.max(1, stored.start0) : stored.start0 + 1,
    end: point ? Math.max(1, stored.start0) : stored.end0,
    lengthBp: stored.lengthBp,
    mate:
      mate === null
        ? null
        : {
            sequence: mate.target,
            position: mate.otherSide === 'left' ? mate.position0 : mate.position0 + 1,
            side: mate.side,
            otherSide: mate.otherSide,
          },
    carriers,
    without,
  }
}

const passes = ({ class: kind, lengthBp, carriers }: AssemblyVariant, filter: VariantFilter): boolean =>
  carriers.length > 0 &&
  (filter.classes === undefined || filter.classes.includes(kind)) &&
  (filter.minBp === undefined || kind === 'breakpoint' || Math.abs(lengthBp) >= filter.minBp) &&
  (filter.carriers === undefined || carriers.some(({ assembly }) => filter.carriers!.includes(assembly)))
