/**
 * Structural variants of an assembly against a reference, told from alignments of whole sequences. Classes as SyRI (Goel et al. 2019,
 * Genome Biol 20:277) and MUMmer's dnadiff (Marçais et al. 2018, PLoS Comput Biol 14:e1005944) have them; adjacencies along the
 * assembly's sequences as VCF 4.3, section 5.4, writes them.
 */
import type { NetChain } from './alignment-chains.ts'
import { Coverage } from './alignment-chains.ts'
import { ambiguousMapq, cigarOperation, type PafRecord } from './paf.ts'

/**
 * `deletion`: bases of the reference that the assembly lacks; `insertion`: bases that it has more; `replacement`: other bases in place
 * of those of the reference, too different to align; `tandem-duplication`: an insertion that repeats the bases beside it;
 * `duplication`: a further copy elsewhere; `inversion`: bases that read the other way round; `breakpoint`: two places of the reference
 * that are far apart, or on two sequences, and neighbours in the assembly.
 */
export const variantClasses = [
  'deletion',
  'insertion',
  'replacement',
  'tandem-duplication',
  'duplication',
  'inversion',
  'breakpoint',
] as const
export type VariantClass = (typeof variantClasses)[number]

/** Places from 0, ends excluded. */
export interface StructuralVariant {
  class: VariantClass
  /** Of the reference; an insertion and a breakpoint lie before base `start0`, and `end0` equals it. */
  target: string
  start0: number
  end0: number
  /** Of the assembly; a deletion lies before base `queryStart0`. */
  query: string
  queryStart0: number
  queryEnd0: number
  /** Strand of the alignment around it. */
  strand: '+' | '-'
  /** Bases less or more, turned or copied; 0 of a breakpoint. */
  lengthBp: number
  /** Of a breakpoint: the other place, and which sides meet. */
  mate: Breakend | null
}

/** The side of a place that is joined: `left` means that the bases before `place0` are there, `right` those from it on. */
export interface Breakend {
  side: 'left' | 'right'
  target: string
  position0: number
  otherSide: 'left' | 'right'
}

/** The usual limit between small indels and structural variants (e.g. Mahmoud et al. 2019, Genome Biol 20:246). */
export const minVariantBp = 50
/** Gaps with fewer aligned bases between them are one variant: a few bases match by chance. */
export const chanceMatchBp = 20
/** What is so many times as long as what stands in its place was lost, or gained, and not exchanged for it. */
export const remnantShare = 3
/** A chain shorter than this is a moved repeat more often than a moved piece of a chromosome: no breakpoint is told from it. */
const minMovedBp = 10_000
/** A further copy shorter than this is a repeat unit. */
const minCopyBp = 1000
const ownShare = 0.5

const lengthOf = (entry: number): number => Math.floor(entry / 16)

interface Gap {
  target0: number
  targetBp: number
  queryStart0: number
  queryEnd0: number
}

const classOf = (targetBp: number, queryBp: number): VariantClass | null => {
  if (targetBp >= minVariantBp && queryBp >= minVariantBp) return 'replacement'
  if (targetBp - queryBp >= minVariantBp) return 'deletion'
  if (queryBp - targetBp >= minVariantBp) return 'insertion'
  return null
}

/** Gaps of an alignment that are long enough, with those beside them; places on the forward strand of either sequence. */
const readGaps = (record: PafRecord): Gap[] => {
  const gaps: Gap[] = []
  let target0 = record.targetStart0
  let walked = 0
  let open: { target0: number; walked: number; endTarget0: number; endWalked: number } | null = null
  const close = (): void => {
    if (open === null) return
    const targetBp = open.endTarget0 - open.target0
    const queryBp = open.endWalked - open.walked
    if (Math.max(targetBp, queryBp) >= minVariantBp) {
      const [from, to] =
        record.strand === '+'
          ? [record.queryStart0 + open.walked, record.queryStart0 + open.endWalked]
          : [record.queryEnd0 - open.endWalked, record.queryEnd0 - open.walked]
      gaps.push({ target0: open.target0, targetBp, queryStart0: from, queryEnd0: to })
    }
    open = null
  }
  for (const entry of record.cigar ?? []) {
    const length = lengthOf(entry)
    const operation = entry & 15
    const isGap = operation === cigarOperation.insertion || operation === cigarOperation.deletion
    // Only long gaps gather what is beside them: two small indels near each other are two small indels.
    if (isGap && (length >= minVariantBp || open !== null)) {
      open ??= { target0, walked, endTarget0: target0, endWalked: walked }
      if (operation === cigarOperation.deletion) target0 += length
      else walked += length
      open.endTarget0 = target0
      open.endWalked = walked
      continue
    }
    if (operation !== cigarOperation.insertion) target0 += length
    if (operation !== cigarOperation.deletion) walked += length
    if (open !== null && target0 - open.endTarget0 >= chanceMatchBp) close()
  }
  close()
  return gaps
}

/** Between an alignment and the next of its chain; null when nothing of size is there. */
const betweenAlignments = (before: PafRecord, after: PafRecord, chain: NetChain): StructuralVariant | null => {
  const forward = chain.strand === '+'
  const [first, second] = forward ? [before, after] : [after, before]
  const targetBp = after.targetStart0 - before.targetEnd0
  const queryBp = second.queryStart0 - first.queryEnd0
  const about = { target: chain.target, query: chain.query, strand: chain.strand, mate: null } as const
  const more = queryBp - targetBp
  if (targetBp < 0 && -targetBp >= minVariantBp && more >= minVariantBp) {
    // The end of one alignment and the beginning of the next have the same bases of the reference: the assembly has them twice.
    const start0 = after.targetStart0
    return {
      ...about,
      class: 'tandem-duplication',
      start0,
      end0: before.targetEnd0,
      // Of the copies the second one is counted as more, in the order of the assembly.
      queryStart0: second.queryStart0 - Math.max(0, queryBp),
      queryEnd0: second.queryStart0 + Math.max(0, -targetBp),
      lengthBp: more,
    }
  }
  if (targetBp < 0 || queryBp < 0) {
    if (Math.abs(more) < minVariantBp) return null
    // Bases of the repeat that both alignments have are given to the first: the variant lies as far left as it can.
    const kind = more > 0 ? 'insertion' : 'deletion'
    const start0 = Math.min(before.targetEnd0, after.targetStart0) + Math.min(0, queryBp)
    const position0 = Math.min(first.queryEnd0, second.queryStart0)
    return {
      ...about,
      class: kind,
      start0,
      end0: kind === 'deletion' ? start0 - more : start0,
      queryStart0: position0,
      queryEnd0: kind === 'insertion' ? position0 + more : position0,
      lengthBp: Math.abs(more),
    }
  }
  const found = classOf(targetBp, queryBp)
  if (found === null) return null
  return {
    ...about,
    class: found,
    start0: before.targetEnd0,
    end0: after.targetStart0,
    queryStart0: first.queryEnd0,
    queryEnd0: second.queryStart0,
    lengthBp: found === 'replacement' ? Math.max(targetBp, queryBp) : Math.abs(more),
  }
}

const isMain = (chain: NetChain): boolean =>
  chain.ownTarget >= ownShare && chain.ownQuery >= ownShare && chain.mapq >= ambiguousMapq

const targetSpan = (chain: NetChain): number => chain.targetEnd0 - chain.targetStart0

/** The gap of `around` that holds most of the chain on both sides; null when there is none. */
const enclosingGap = (chain: NetChain, around: NetChain): boolean => {
  const inside = (start0: number, end0: number, from: number, to: number): boolean =>
    Math.min(end0, to) - Math.max(start0, from) >= ownShare * (end0 - start0)
  return around.alignments.some((after, at) => {
    const before = around.alignments[at - 1]
    if (before === undefined) return false
    const [first, second] = around.strand === '+' ? [before, after] : [after, before]
    return (
      inside(chain.targetStart0, chain.targetEnd0, before.targetEnd0, after.targetStart0) &&
      inside(chain.queryStart0, chain.queryEnd0, first.queryEnd0, second.queryStart0)
    )
  })
}

/** Chains that lie turned round in a gap of a better one. */
const findInversions = (main: readonly NetChain[]): Map<NetChain, NetChain> => {
  const found = new Map<NetChain, NetChain>()
  const bySequences = new Map<string, NetChain[]>()
  for (const chain of main) {
    const key = `${chain.target}\t${chain.query}`
    const better = bySequences.get(key) ?? []
    bySequences.set(key, better)
    const around =
      targetSpan(chain) < minVariantBp
        ? undefined
        : better.find((other) => other.strand !== chain.strand && enclosingGap(chain, other))
    if (around !== undefined) found.set(chain, around)
    better.push(chain)
  }
  return found
}

/** What one alignment ends with and the next along the assembly begins with, seen from the reference. */
const joinOf = (from: PafRecord, to: PafRecord): StructuralVariant => {
  const [position0, side] =
    from.strand === '+' ? ([from.targetEnd0, 'left'] as const) : ([from.targetStart0, 'right'] as const)
  const [other0, otherSide] =
    to.strand === '+' ? ([to.targetStart0, 'right'] as const) : ([to.targetEnd0, 'left'] as const)
  return {
    class: 'breakpoint',
    target: from.target,
    start0: position0,
    end0: position0,
    query: from.query,
    queryStart0: Math.min(from.queryEnd0, to.queryStart0),
    queryEnd0: Math.max(from.queryEnd0, to.queryStart0),
    strand: from.strand,
    lengthBp: 0,
    mate: { side, target: to.target, position0: other0, otherSide },
  }
}

export interface VariantOptions {
  /** Sequences of the reference that are circles: their ends are neighbours. */
  circular?: ReadonlySet<string>
}

const findBreakpoints = (
  main: readonly NetChain[],
  inversions: ReadonlyMap<NetChain, NetChain>,
  circular: ReadonlySet<string>,
): StructuralVariant[] => {
  const walk: { record: PafRecord; chain: NetChain; at: number }[] = []
  for (const chain of main) {
    const alignedBp = chain.alignments.reduce((sum, { blockBp }) => sum + blockBp, 0)
    if (alignedBp < minMovedBp || inversions.has(chain)) continue
    for (const [at, record] of chain.alignments.entries()) walk.push({ record, chain, at })
  }
  walk.sort(
    (a, b) =>
      (a.record.query < b.record.query ? -1 : a.record.query > b.record.query ? 1 : 0) ||
      a.record.queryStart0 - b.record.queryStart0,
  )
  const found: StructuralVariant[] = []
  for (const [at, to] of walk.entries()) {
    const from = walk[at - 1]
    if (from === undefined || from.record.query !== to.record.query) continue
    if (from.chain === to.chain) continue
    const sameWay = from.record.target === to.record.target && from.record.strand === to.record.strand
    if (sameWay && circular.has(from.record.target)) {
      // Over the origin of a circle nothing is broken.
      const length = from.record.targetLengthBp
      const ahead =
        from.record.strand === '+'
          ? length - from.record.targetEnd0 + to.record.targetStart0
          : length - to.record.targetEnd0 + from.record.targetStart0
      if (ahead < minMovedBp) continue
    }
    found.push(joinOf(from.record, to.record))
  }
  return found
}

/**
 * Calls the variants of one assembly from its chains (`rankChains`), the reference being the target, in the order of the reference.
 *
 * Rules: (1) gaps of at least 50 bp within alignments, and between neighbours of a chain, are deletions, insertions, replacements and
 * tandem duplications; (2) a chain turned round within a gap of a better one is an inversion; (3) two alignments of at least 10 kb of
 * chain that follow each other along the assembly and belong to different chains are joined at a breakpoint; (4) a chain of at least
 * 1 kb whose reference bases a better chain has is a duplication. Chains whose best mapping quality is below 5, and segments of the
 * reference that a better chain has, are not called from. What no alignment reaches is not called at all: not aligned is not absent.
 */
export const callVariants = (chains: readonly NetChain[], options: VariantOptions = {}): StructuralVariant[] => {
  const main = chains.filter(isMain)
  const inversions = findInversions(main)
  const moved = new Coverage()
  const movedQuery = new Coverage()
  for (const chain of main)
    if (inversions.has(chain) || targetSpan(chain) >= minMovedBp)
      for (const record of chain.alignments) {
        moved.add(chain.target, record.targetStart0, record.targetEnd0)
        movedQuery.add(chain.query, record.queryStart0, record.queryEnd0)
      }
  const better = new Coverage()
  const found: StructuralVariant[] = []
  const isOwn = ({ target, start0, end0 }: StructuralVariant): boolean =>
    better.coveredBp(target, start0 - 1, end0 + 1) < ownShare * (end0 - start0 + 2)
  for (const chain of main) {
    for (const [at, record] of chain.alignments.entries()) {
      for (const gap of readGaps(record)) {
        const queryBp = gap.queryEnd0 - gap.queryStart0
        const variant = classOf(gap.targetBp, queryBp)
        if (variant === null) continue
        const called: StructuralVariant = {
          class: variant,
          target: chain.target,
          start0: gap.target0,
          end0: gap.target0 + gap.targetBp,
          query: chain.query,
          queryStart0: gap.queryStart0,
          queryEnd0: gap.queryEnd0,
          strand: chain.strand,
          lengthBp: variant === 'replacement' ? Math.max(gap.targetBp, queryBp) : Math.abs(gap.targetBp - queryBp),
          mate: null,
        }
        if (isOwn(called)) found.push(called)
      }
      const before = chain.alignments[at - 1]
      if (before === undefined) continue
      const between = betweenAlignments(before, record, chain)
      if (between === null || !isOwn(between)) continue
      // What lies there turned round or elsewhere is called as that. Bases that both neighbours have are theirs.
      const [first, second] = chain.strand === '+' ? [before, record] : [record, before]
      const apart = record.targetStart0 >= before.targetEnd0 && second.queryStart0 >= first.queryEnd0
      const elsewhere =
        moved.coveredBp(between.target, between.start0, between.end0) > ownShare * (between.end0 - between.start0) ||
        movedQuery.coveredBp(between.query, between.queryStart0, between.queryEnd0) >
          ownShare * (between.queryEnd0 - between.queryStart0)
      if (apart && elsewhere) continue
      found.push(between)
    }
    if (inversions.has(chain)) {
      const { target, query, strand, targetStart0, targetEnd0, queryStart0, queryEnd0 } = chain
      found.push({
        class: 'inversion',
        target,
        start0: targetStart0,
        end0: targetEnd0,
        query,
        queryStart0,
        queryEnd0,
        strand,
        lengthBp: targetEnd0 - targetStart0,
        mate: null,
      })
    }
    for (const record of chain.alignments) better.add(chain.target, record.targetStart0, record.targetEnd0)
  }
  for (const chain of chains) {
    const { target, query, strand, targetStart0, targetEnd0, queryStart0, queryEnd0 } = chain
    if (chain.ownTarget >= ownShare || chain.ownQuery < ownShare || targetSpan(chain) < minCopyBp) continue
    found.push({
      class: 'duplication',
      target,
      start0: targetStart0,
      end0: targetEnd0,
      query,
      queryStart0,
      queryEnd0,
      strand,
      lengthBp: queryEnd0 - queryStart0,
      mate: null,
    })
  }
  found.push(...findBreakpoints(main, inversions, options.circular ?? new Set()))
  return found.sort(
    (a, b) => (a.target < b.target ? -1 : a.target > b.target ? 1 : 0) || a.start0 - b.start0 || a.end0 - b.end0,
  )
}

/** A variant with the assemblies that have it, the first one's places being the variant's. */
export interface SharedVariant extends StructuralVariant {
  carriers: { assembly: number; query: string; queryStart0: number; queryEnd0: number; strand: '+' | '-' }[]
}

/** Ends of the same variant differ by where a repeat is said to begin; breakpoints lie between alignments that end in repeats. */
const tolerance = (variant: StructuralVariant): number =>
  variant.class === 'breakpoint' || variant.class === 'inversion' || variant.class === 'duplication'
    ? 500
    : minVariantBp
const lengthTolerance = 0.1

const isSame = (a: StructuralVariant, b: StructuralVariant): boolean => {
  const near = tolerance(a)
  if (a.class !== b.class || Math.abs(a.start0 - b.start0) > near || Math.abs(a.end0 - b.end0) > near) return false
  if (Math.abs(a.lengthBp - b.lengthBp) > Math.max(near, lengthTolerance * Math.max(a.lengthBp, b.lengthBp)))
    return false
  if (a.mate === null || b.mate === null) return a.mate === b.mate
  return (
    a.mate.side === b.mate.side &&
    a.mate.otherSide === b.mate.otherSide &&
    a.mate.target === b.mate.target &&
    Math.abs(a.mate.position0 - b.mate.position0) <= near
  )
}

/** A breakpoint told from its other place: both tell the same. The lower place comes first, so that assemblies agree. */
const orderBreakpoint = (variant: StructuralVariant): StructuralVariant => {
  const { mate } = variant
  if (
    mate === null ||
    variant.target < mate.target ||
    (variant.target === mate.target && variant.start0 <= mate.position0)
  )
    return variant
  return {
    ...variant,
    target: mate.target,
    start0: mate.position0,
    end0: mate.position0,
    mate: { side: mate.otherSide, target: variant.target, position0: variant.start0, otherSide: mate.side },
  }
}

/**
 * Takes together what several assemblies have at the same place: the same class, both ends within 50 bp (500 bp of inversions,
 * duplications and breakpoints), lengths within a tenth. `calls` by the number of the assembly.
 */
export const mergeVariants = (calls: readonly (readonly StructuralVariant[])[]): SharedVariant[] => {
  const all = calls
    .flatMap((list, assembly) => list.map((variant) => ({ variant: orderBreakpoint(variant), assembly })))
    .sort(
      (a, b) =>
        (a.variant.target < b.variant.target ? -1 : a.variant.target > b.variant.target ? 1 : 0) ||
        a.variant.start0 - b.variant.start0 ||
        a.assembly - b.assembly,
    )
  const shared: SharedVariant[] = []
  let open = 0
  for (const { variant, assembly } of all) {
    const { query, queryStart0, queryEnd0, strand } = variant
    const carrier = { assembly, query, queryStart0, queryEnd0, strand }
    while (
      open < shared.length &&
      (shared[open]!.target !== variant.target || shared[open]!.start0 < variant.start0 - 500)
    )
      open += 1
    const known = shared
      .slice(open)
      .find((other) => isSame(other, variant) && other.carriers.every((one) => one.assembly !== assembly))
    if (known === undefined) shared.push({ ...variant, carriers: [carrier] })
    else known.carriers.push(carrier)
  }
  return shared
}
