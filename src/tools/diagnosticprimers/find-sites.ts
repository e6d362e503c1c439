import { cigarOperation } from '../../bio/alignment/paf.ts'
import { findGroupSegments } from '../../bio/comparative/discriminating-sites.ts'
import type { AssemblyVariant } from '../../kit/data/alignment-data.ts'
import type { PortalData } from '../../kit/data/portal-data.ts'
import { limits } from './tool.ts'

/** Bases from 1, both included. */
export interface Place {
  sequence: string
  start1: number
  end1: number
}

/** The groups as ids of assemblies, and what the alignments were made to. */
export interface Groups {
  reference: string
  target: readonly string[]
  /** Spared genomes and those with another size: what is not as in the target. */
  other: readonly string[]
}

/**
 * A place at which the groups differ, on the genome that primers are designed on. `unique`: bases that the targets have and the others
 * lack; `lost`: others have bases more between `start1` and `end1`, which are the bases on both sides, or what the targets have instead;
 * `junction`: two bases that are beside each other in the targets, at an end of what they have more, such as a further copy.
 */
export interface Site extends Place {
  kind: 'unique' | 'lost' | 'junction'
  /** Bases that the targets have more (negative: less). */
  lengthBp: number
  certain: boolean
  /** Bases of the reference that the targets lack, where it is these. */
  lost: Place | null
}

/** A difference that parts the groups, before its place on the genome of the primers is looked up: of many it never is. */
interface Draft {
  lengthBp: number
  certain: boolean
  place: () => Promise<Site | null>
}

type Data = Pick<PortalData, 'alignments' | 'getSequence'>

/** Shorter ones hold no primer whose 3′ end lies safely within. */
const minUniqueBp = 40
const joinBp = 20
/** Structural variants of a sequence that are read; more say that the genomes have little in common. */
const maxVariants = 100_000
/** A place in the other genome is looked for by the alignment around it. */
const aroundBp = 100
/** Pieces of the reference of which alignments are read at once. */
const windowBp = 2_000_000
/** Differences that are placed, the longest first: some times as many as are designed at, since one may be told twice. */
const mostPlaced = 10

/** The place of a point of the reference (the base before it, from 1) on another genome; null where it is not aligned. */
const placePoint = async (data: Data, reference: string, sequence: string, point1: number, home: string) => {
  if (home === reference) return { sequence, point1, strand: '+' as const }
  const { lengthBp } = await data.getSequence(reference, sequence)
  const [start1, end1] = [Math.max(1, point1 - aroundBp), Math.min(lengthBp, point1 + aroundBp)]
  const [trace] = await data.alignments.trace({ assembly: reference, sequence, start1, end1 }, [home])
  const locus = trace?.loci.find(({ role }) => role === 'best')
  const segment = locus?.segments.find(
    ({ source0, lengthBp: bases }) => source0 <= point1 - 1 && point1 - 1 < source0 + bases,
  )
  if (locus === undefined || segment === undefined) return null
  const offset = point1 - 1 - segment.source0
  return {
    sequence: locus.sequence,
    // On the other strand the base after the point comes before it.
    point1: locus.strand === '+' ? segment.other0 + offset + 1 : segment.other0 + segment.lengthBp - offset - 1,
    strand: locus.strand,
  }
}

/** The place of bases of a genome on another, as far as they are aligned there; itself on its own. */
export const placeSegment = async (data: Data, from: string, place: Place, home: string): Promise<Place | null> => {
  if (home === from) return place
  const { lifts } = await data.alignments.lift({ assembly: from, ...place }, [home])
  const locus = lifts[0]?.loci.find(({ role }) => role === 'best')
  return locus === undefined ? null : { sequence: locus.sequence, start1: locus.start, end1: locus.end }
}

const isIn = (carriers: readonly { assembly: string }[], ids: readonly string[]): boolean[] =>
  ids.map((id) => carriers.some(({ assembly }) => assembly === id))

interface ReadDifference {
  sequence: string
  /** On the reference: the bases that are deleted, or the base before an insertion. */
  start1: number
  end1: number
  /** Bases more (insertion) or less (deletion) of its carriers. */
  lengthBp: number
  kind: 'deletion' | 'insertion' | 'replacement'
  carriers: { assembly: string; sequence: string; start: number; end: number }[]
}

const kindOf = (variant: AssemblyVariant): ReadDifference['kind'] | null =>
  variant.class === 'deletion' || variant.class === 'replacement'
    ? variant.class
    : variant.class === 'insertion' || variant.class === 'tandem-duplication'
      ? 'insertion'
      : null

/** Insertions and deletions from `minBp` on that are too small for structural variants, from the alignments base by base. */
const readIndels = async (
  data: Data,
  { reference, target, other }: Groups,
  range: Place,
  minBp: number,
  maxBp: number,
  signal: AbortSignal,
): Promise<ReadDifference[]> => {
  const found = new Map<string, ReadDifference>()
  for (let from1 = range.start1; from1 <= range.end1; from1 += windowBp) {
    signal.throwIfAborted()
    const to1 = Math.min(range.end1, from1 + windowBp - 1)
    const window = { assembly: reference, sequence: range.sequence, start1: from1, end1: to1 }
    const aligned = await data.alignments.listPieces(window, [...target, ...other])
    for (const { assembly, pieces } of aligned)
      for (const piece of pieces) {
        // A piece over the border of two windows is read in the one that it begins in.
        if (piece.gap || (piece.sourceStart0 < from1 - 1 && from1 > range.start1)) continue
        let source0 = piece.sourceStart0
        let walked = 0
        for (const entry of piece.cigar) {
          const [operation, length] = [entry & 15, Math.floor(entry / 16)]
          const isInsertion = operation === cigarOperation.insertion
          const isIndel = isInsertion || operation === cigarOperation.deletion
          if (isIndel && length >= minBp && length <= maxBp && source0 >= range.start1 && source0 < range.end1) {
            const key = `${source0} ${operation} ${length}`
            const one = found.get(key) ?? {
              sequence: range.sequence,
              start1: isInsertion ? source0 : source0 + 1,
              end1: isInsertion ? source0 : source0 + length,
              lengthBp: length,
              kind: isInsertion ? ('insertion' as const) : ('deletion' as const),
              carriers: [],
            }
            const own0 =
              piece.strand === '+' ? piece.otherStart0 + walked : piece.otherEnd0 - walked - (isInsertion ? length : 0)
            one.carriers.push({
              assembly,
              sequence: piece.other,
              start: isInsertion ? own0 + 1 : own0,
              end: isInsertion ? own0 + length : own0 + 1,
            })
            found.set(key, one)
          }
          if (operation !== cigarOperation.insertion) source0 += length
          if (operation !== cigarOperation.deletion) walked += length
        }
      }
  }
  return [...found.values()]
}

/** Structural variants begin here (bio/alignment/structural-variants.ts); smaller ones are read from the alignments. */
const structuralBp = 50

const readDifferences = async (
  data: Data,
  groups: Groups,
  range: Place,
  minIndelBp: number | null,
  signal: AbortSignal,
): Promise<ReadDifference[]> => {
  const { variants } = await data.alignments.listVariants({ assembly: groups.reference, ...range }, maxVariants, {
    minBp: 1,
    carriers: [...groups.target, ...groups.other],
  })
  const structural = variants.flatMap((variant): ReadDifference[] => {
    const kind = kindOf(variant)
    return kind === null
      ? []
      : [
          {
            sequence: variant.sequence,
            start1: variant.start,
            end1: variant.end,
            lengthBp: Math.abs(variant.lengthBp),
            kind,
            carriers: variant.carriers,
          },
        ]
  })
  return minIndelBp === null || minIndelBp >= structuralBp
    ? structural
    : [...structural, ...(await readIndels(data, groups, range, minIndelBp, structuralBp - 1, signal))]
}

/** What differs between carriers of a variant and the rest, seen from the targets' home; null where it does not part the groups. */
const draftOf = (data: Data, groups: Groups, home: string, one: ReadDifference): Draft | null => {
  const targets = isIn(one.carriers, groups.target)
  const others = isIn(one.carriers, groups.other)
  const inTargets = targets.every(Boolean) && !others.some(Boolean)
  const inOthers = others.length > 0 && others.every(Boolean) && !targets.some(Boolean)
  if (!inTargets && !inOthers) return null
  return { lengthBp: one.lengthBp, certain: true, place: () => placeDifference(data, groups, home, one, inTargets) }
}

const placeDifference = async (
  data: Data,
  groups: Groups,
  home: string,
  one: ReadDifference,
  inTargets: boolean,
): Promise<Site | null> => {
  const point = { sequence: one.sequence, start1: one.start1, end1: one.end1 }
  if (inTargets) {
    const carrier = one.carriers.find(({ assembly }) => assembly === home)!
    const place = { sequence: carrier.sequence, start1: carrier.start, end1: carrier.end }
    if (one.kind === 'insertion') return { ...place, kind: 'unique', lengthBp: one.lengthBp, certain: true, lost: null }
    return one.kind === 'deletion'
      ? { ...place, kind: 'lost', lengthBp: -one.lengthBp, certain: true, lost: point }
      : {
          ...place,
          kind: 'unique',
          lengthBp: carrier.end - carrier.start - (one.end1 - one.start1),
          certain: true,
          lost: null,
        }
  }
  if (one.kind === 'insertion') {
    const at = await placePoint(data, groups.reference, one.sequence, one.start1, home)
    return at === null
      ? null
      : {
          sequence: at.sequence,
          start1: Math.max(1, at.point1),
          end1: at.point1 + 1,
          kind: 'lost',
          lengthBp: -one.lengthBp,
          certain: true,
          lost: null,
        }
  }
  const place = await placeSegment(data, groups.reference, point, home)
  return place === null ? null : { ...place, kind: 'unique', lengthBp: one.lengthBp, certain: true, lost: null }
}

/** Segments of the reference that one group has and the other lacks, whatever the ends of each deletion. */
const readSegments = async (data: Data, groups: Groups, home: string, range: Place): Promise<Draft[]> => {
  const { reference } = groups
  const { sequence, start1, end1 } = range
  const aligned = new Map(
    (await data.alignments.listSpans({ assembly: reference, ...range })).map(({ assembly, spans }) => [
      assembly,
      spans,
    ]),
  )
  const spansOf = (id: string) => ({
    spans: id === reference ? [{ start: start1, end: end1, state: 'aligned' as const }] : (aligned.get(id) ?? []),
  })
  const [targets, others] = [groups.target.map(spansOf), groups.other.map(spansOf)]
  const rule = { minBp: minUniqueBp, joinBp }
  const had = findGroupSegments(targets, others, { start1, end1 }, rule).map((one): Draft => {
    const lengthBp = one.end1 - one.start1 + 1
    const segment = { sequence, start1: one.start1, end1: one.end1 }
    return {
      lengthBp,
      certain: one.certain,
      place: async () => {
        const place = await placeSegment(data, reference, segment, home)
        return place === null ? null : { ...place, kind: 'unique', lengthBp, certain: one.certain, lost: null }
      },
    }
  })
  const lacked = findGroupSegments(others, targets, { start1, end1 }, rule)
    .filter(({ certain }) => certain)
    .map((one): Draft => {
      const lengthBp = one.end1 - one.start1 + 1
      const lost = { sequence, start1: one.start1, end1: one.end1 }
      return {
        lengthBp,
        certain: true,
        place: async () => {
          const { lifts } = await data.alignments.lift({ assembly: reference, ...lost }, [home])
          const at = lifts[0]?.deletedAt ?? null
          if (at === null) return null
          const place = { sequence: at.sequence, start1: at.start, end1: at.end }
          return { ...place, kind: 'lost', lengthBp: -lengthBp, certain: true, lost }
        },
      }
    })
  return [...had, ...lacked]
}

/** Classes of variants whose carriers have bases more, that the others may have elsewhere. */
const gaining: readonly AssemblyVariant['class'][] = ['insertion', 'tandem-duplication', 'duplication']

/**
 * Both ends of what the targets have more within a place of `home`. Of a further copy the bases are in every genome, and only there are
 * its end and what follows it beside each other. What the searches find of a pair across it decides.
 */
const readJunctions = async (
  data: Data,
  groups: Groups,
  home: string,
  range: Place,
  within: Place,
): Promise<Site[]> => {
  const { reference, target, other } = groups
  const { lengthBp } = await data.getSequence(reference, range.sequence)
  // An insertion at the edge of what is aligned of the place stands beside it.
  const [start1, end1] = [Math.max(1, range.start1 - 1), Math.min(lengthBp, range.end1 + 1)]
  const { variants } = await data.alignments.listVariants(
    { assembly: reference, sequence: range.sequence, start1, end1 },
    maxVariants,
    { minBp: structuralBp, carriers: [...target, ...other] },
  )
  const points: { sequence: string; start1: number }[] = []
  for (const { class: kind, sequence, start, end, carriers } of variants) {
    const [targets, others] = [isIn(carriers, target), isIn(carriers, other)]
    if (gaining.includes(kind) && targets.every(Boolean) && !others.some(Boolean)) {
      const own = carriers.find(({ assembly }) => assembly === home)!
      for (const point1 of [own.start - 1, own.end]) points.push({ sequence: own.sequence, start1: point1 })
    } else if (kind === 'deletion' && others.every(Boolean) && !targets.some(Boolean))
      for (const point1 of [start - 1, end]) {
        const at = point1 < 1 ? null : await placePoint(data, reference, sequence, point1, home)
        if (at !== null) points.push({ sequence: at.sequence, start1: at.strand === '+' ? at.point1 : at.point1 - 1 })
      }
  }
  return points
    .filter((one) => one.sequence === within.sequence && one.start1 >= within.start1 && one.start1 < within.end1)
    .map((one) => ({ ...one, end1: one.start1 + 1, kind: 'junction', lengthBp: 0, certain: true, lost: null }))
}

/** A site cut to a place, where enough of it is left for a primer; bases that others have more stay as they are. */
const cutTo = (site: Site, place: Place | null): Site => {
  if (place === null || site.kind !== 'unique' || site.sequence !== place.sequence) return site
  const [start1, end1] = [Math.max(site.start1, place.start1), Math.min(site.end1, place.end1)]
  return end1 - start1 + 1 < minUniqueBp ? site : { ...site, start1, end1, lengthBp: end1 - start1 + 1 }
}

const isSame = (a: Site, b: Site): boolean =>
  a.kind === b.kind && a.sequence === b.sequence && a.start1 <= b.end1 + joinBp && b.start1 <= a.end1 + joinBp

const surestFirst = (a: Pick<Draft, 'certain' | 'lengthBp'>, b: Pick<Draft, 'certain' | 'lengthBp'>): number =>
  Number(b.certain) - Number(a.certain) || Math.abs(b.lengthBp) - Math.abs(a.lengthBp)

/**
 * Places at which the targets differ from all others, on `home`, the likeliest to give primers first; `count` is how many there are, of
 * which the longest are placed. Within a place also the junctions there. With `minIndelBp` also insertions and deletions from so many bases on; `ranges` are of the reference.
 */
export const findSites = async (
  data: Data,
  groups: Groups,
  home: string,
  ranges: readonly Place[],
  options: {
    minIndelBp: number | null
    /** Where primers by presence are to lie, on `home`; anywhere where null. */
    within: Place | null
    signal: AbortSignal
    onProgress(fraction: number): void
  },
): Promise<{ sites: Site[]; count: number }> => {
  const drafts: Draft[] = []
  const junctions: Site[] = []
  for (const [at, range] of ranges.entries()) {
    options.signal.throwIfAborted()
    if (options.minIndelBp === null) drafts.push(...(await readSegments(data, groups, home, range)))
    for (const one of await readDifferences(data, groups, range, options.minIndelBp, options.signal)) {
      if (options.minIndelBp !== null && one.lengthBp < options.minIndelBp) continue
      const draft = draftOf(data, groups, home, one)
      if (draft !== null) drafts.push(draft)
    }
    if (options.minIndelBp === null && options.within !== null)
      junctions.push(...(await readJunctions(data, groups, home, range, options.within)))
    options.onProgress((at + 1) / ranges.length)
  }
  drafts.sort(surestFirst)
  const placed = drafts.slice(0, mostPlaced * limits.sites)
  const sites: Site[] = []
  for (const { place } of placed) {
    options.signal.throwIfAborted()
    const site = await place()
    if (site !== null) sites.push(site)
  }
  const kept: Site[] = []
  const usable = [...sites, ...junctions].filter(
    (one) => options.minIndelBp !== null || one.kind !== 'unique' || one.end1 - one.start1 + 1 >= minUniqueBp,
  )
  const cut = options.minIndelBp === null ? usable.map((one) => cutTo(one, options.within)) : usable
  for (const site of cut.sort(surestFirst)) if (!kept.some((other) => isSame(site, other))) kept.push(site)
  return { sites: kept, count: kept.length + drafts.length - placed.length }
}
