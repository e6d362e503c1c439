import { remnantShare } from '../../../bio/alignment/structural-variants.ts'
import type { BlockKind } from '../../../bio/comparative/block-kinds.ts'
import { findCopiedBases } from '../../../bio/comparative/copied-bases.ts'
import {
  type CopiedPlace,
  type Difference,
  findCopied,
  findGaps,
  genesIn,
  longestChain,
  type PairChain,
} from '../../../bio/comparative/structural-differences.ts'
import type {
  ComparedDifferences,
  DifferenceSide as Side,
  StructuralDifference,
} from '../../../contracts/structural-differences.ts'
import type { AssemblyVariant } from '../alignment-data.ts'
import type { GeneTable, StoredBlock } from '../collinear-blocks.ts'
import type { GenomeSequence, PortalData } from '../portal-data.ts'

/** A difference before its region is named. */
export type FoundDifference = Omit<StructuralDifference, 'regions'>
/** Before its genes are looked up; `copied` are the genes that an insertion repeats, where it repeats some. */
type DraftDifference = Omit<
  FoundDifference,
  'genes' | 'geneRuns' | 'genesOf' | 'geneCount' | 'partly' | 'junctions'
> & {
  junctions?: number[]
  copied?: number[]
}

/** Alignments of the two parts of a copy over the origin of a circle end so near each other. */
const joinBp = 100
/** Genomes that have fewer of their genes in blocks in common differ nearly everywhere: deletions are no longer told from all else. */
const closeShare = 0.6
/** Ends of copied segments, which gene order tells by genes, are looked for so far beyond these. */
const besideCopyBp = 10_000
/** Bases of each genome that are read for it. */
const mostReadBp = 600_000
/** Of a place that holds more than what was copied, such as one that gene order tells by its flanks, most is not the copy. */
const copyShare = 0.8
/** Variants of one sequence that are read, from its start. */
const mostVariants = 20_000

/** A place of no bases by the two beside it. */
const pointAfter = (sequence: string, position: number): Side => ({
  sequence,
  start: position,
  end: position + 1,
  lengthBp: 0,
  parts: [],
})
const segment = (sequence: string, start: number, end: number): Side => ({
  sequence,
  start,
  end,
  lengthBp: end - start + 1,
  parts: [],
})
/** The places of what was copied as one. */
const copiedSegment = (sequence: string, { parts }: CopiedPlace): Side => {
  const [first, last] = [parts[0]!, parts.at(-1)!]
  if (parts.length === 1) return segment(sequence, first.start, last.end)
  return {
    sequence,
    start: first.start,
    end: last.end,
    lengthBp: parts.reduce((sum, { start, end }) => sum + end - start + 1, 0),
    parts,
  }
}

/** A variant of one assembly against the reference, the reference being the first genome. */
const readVariant = (variant: AssemblyVariant, assembly: string): DraftDifference | null => {
  const carrier = variant.carriers.find((one) => one.assembly === assembly)
  if (carrier === undefined || variant.class === 'breakpoint') return null
  const a = segment(variant.sequence, variant.start, variant.end)
  const b = segment(carrier.sequence, carrier.start, carrier.end)
  const shared = {
    basis: 'alignment' as const,
    alsoIn: variant.carriers.flatMap((one) => (one.assembly === assembly ? [] : [one.assembly])),
    notIn: [...variant.without],
  }
  // Of what is not all gone, such as a deletion that leaves some bases, the length is that of the change.
  const sizeBp = Math.abs(variant.lengthBp)
  switch (variant.class) {
    case 'duplication':
    case 'tandem-duplication':
      return { kind: 'duplication', copyIn: 'second', ...shared, sizeBp, a, b }
    case 'deletion':
      return { kind: 'deletion', copyIn: null, ...shared, sizeBp, a, b: pointAfter(b.sequence, b.start) }
    case 'insertion':
      return { kind: 'insertion', copyIn: null, ...shared, sizeBp, a: pointAfter(a.sequence, a.start), b }
    case 'replacement': {
      // What one genome has of another's length there is a remnant of a loss, as an insertion sequence in the place of genes.
      const [short, long] = [Math.min(a.lengthBp, b.lengthBp), Math.max(a.lengthBp, b.lengthBp)]
      const isRemnant = short * remnantShare <= long
      const kind = !isRemnant ? 'replacement' : a.lengthBp > b.lengthBp ? 'deletion' : 'insertion'
      return { kind, copyIn: null, ...shared, sizeBp: isRemnant ? long - short : sizeBp, a, b }
    }
    default:
      return { kind: variant.class, copyIn: null, ...shared, sizeBp, a, b }
  }
}

/** Two further copies that are one beside the other, of what lies on both sides of the origin of a circle, are one. */
const joinOverOrigins = (
  drafts: readonly DraftDifference[],
  circles: ReadonlyMap<string, number>,
): DraftDifference[] => {
  const joined: DraftDifference[] = []
  const taken = new Set<DraftDifference>()
  for (const head of drafts) {
    const length = circles.get(head.a.sequence)
    if (head.kind !== 'duplication' || length === undefined || head.a.start > joinBp || taken.has(head)) continue
    const tail = drafts.find(
      (one) =>
        one !== head &&
        !taken.has(one) &&
        one.kind === 'duplication' &&
        one.a.sequence === head.a.sequence &&
        one.b.sequence === head.b.sequence &&
        length - one.a.end <= joinBp &&
        (Math.abs(one.b.start - head.b.end - 1) <= joinBp || Math.abs(head.b.start - one.b.end - 1) <= joinBp),
    )
    if (tail === undefined) continue
    taken.add(head).add(tail)
    const b = segment(head.b.sequence, Math.min(head.b.start, tail.b.start), Math.max(head.b.end, tail.b.end))
    joined.push({ ...head, sizeBp: b.lengthBp, a: segment(head.a.sequence, tail.a.start, length + head.a.end), b })
  }
  return [...drafts.filter((one) => !taken.has(one)), ...joined]
}

/** The same with the second genome as the first. */
const swapSides = (one: DraftDifference): DraftDifference => ({
  ...one,
  kind: one.kind === 'deletion' ? 'insertion' : one.kind === 'insertion' ? 'deletion' : one.kind,
  copyIn: one.copyIn === null ? null : one.copyIn === 'first' ? 'second' : 'first',
  a: one.b,
  b: one.a,
  // Who lacks what the reference's side carries is like the second genome now.
  alsoIn: one.notIn,
  notIn: one.alsoIn,
})

/**
 * Chains of pairs whose neighbours are compared: syntenic blocks of two sequences that read alike are one, every other block its own. Blocks
 * may hold both copies of what is doubled in one genome: the chain goes through one of them, and the other lies in a gap of it.
 */
const chainsOf = (blocks: readonly StoredBlock[], kinds: readonly BlockKind[]): (PairChain & { main: boolean })[] => {
  const syntenic = new Map<string, { orientation: 1 | -1; pairs: [number, number][] }>()
  const chains: (PairChain & { main: boolean })[] = []
  for (const [number, block] of blocks.entries()) {
    const kind = kinds[number]!
    if (kind === 'duplicated') continue
    const pairs = block.a.map((gene, at): [number, number] => [gene, block.b[at]!])
    if (kind !== 'syntenic') chains.push({ ...longestChain(pairs, block.orientation), main: false })
    else {
      const key = JSON.stringify([block.sequenceA, block.sequenceB, block.orientation])
      const held = syntenic.get(key)
      if (held === undefined) syntenic.set(key, { orientation: block.orientation, pairs })
      else held.pairs.push(...pairs)
    }
  }
  const main = [...syntenic.values()].map(({ orientation, pairs }) => longestChain(pairs, orientation))
  return [...main.map((chain) => ({ ...chain, main: true })), ...chains]
}

/** Lengths of the two sequences of a chain where both are circles and it holds most genes of both; null else. */
const circlesOf = (
  { a, b, main }: PairChain & { main: boolean },
  [first, second]: readonly [GeneTable, GeneTable],
  [circlesA, circlesB]: readonly [ReadonlyMap<string, number>, ReadonlyMap<string, number>],
): [number, number] | null => {
  if (!main || a.length === 0) return null
  const [numberA, numberB] = [first.sequence[a[0]!]!, second.sequence[b[0]!]!]
  const [lengthA, lengthB] = [circlesA.get(first.sequences[numberA]!), circlesB.get(second.sequences[numberB]!)]
  if (lengthA === undefined || lengthB === undefined) return null
  const genesOn = (table: GeneTable, number: number): number => table.sequence.filter((own) => own === number).length
  const most = Math.max(genesOn(first, numberA), genesOn(second, numberB))
  return a.length < closeShare * most ? null : [lengthA, lengthB]
}

const circularOf = (sequences: readonly GenomeSequence[]): Map<string, number> =>
  new Map(sequences.flatMap(({ name, lengthBp, circular }) => (circular ? [[name, lengthBp]] : [])))

const draftOfGap = (gap: Difference): DraftDifference => {
  const { kind, copyIn, sizeBp } = gap
  const a = segment(gap.sequenceA, gap.startA, gap.endA)
  const b = segment(gap.sequenceB, gap.startB, gap.endB)
  return { kind, copyIn, basis: 'genes', sizeBp, a, b, alsoIn: null, notIn: null }
}

/** Blocks that read against the order of their two sequences. */
const draftsOfInversions = (blocks: readonly StoredBlock[], kinds: readonly BlockKind[]): DraftDifference[] =>
  blocks.flatMap((block, number) => {
    if (kinds[number] !== 'inverted') return []
    const a = segment(block.sequenceA, block.startA, block.endA)
    const b = segment(block.sequenceB, block.startB, block.endB)
    const sizeBp = Math.max(a.lengthBp, b.lengthBp)
    return [
      { kind: 'inversion' as const, copyIn: null, basis: 'genes' as const, sizeBp, a, b, alsoIn: null, notIn: null },
    ]
  })

/** The places of what was copied, by the genes that gene order tells, to the base as far as the bases of both genomes tell. */
type RefineCopied = (
  copied: CopiedPlace,
  /** The genome that has it once, and the base beside which the other has it once more. */
  own: { side: 0 | 1; sequence: string; position: number },
  /** The further copy. */
  more: { sequence: string; start: number; end: number },
) => Promise<CopiedPlace & { junctions?: number[] }>

/**
 * Reads the bases around what gene order tells as copied, in the genome that has it once, and the same stretch of the other with the copy in
 * it. Words of 31 bases that the other has more often are of what was copied: each of its parts ends where they do, up to 10 kb beyond the
 * genes of the part or within them. So a gene that the copy only touches is one that it has in part. Parts stay as they are where the bases
 * do not tell: over the origin of a circle, where more would have to be read than is, or where they are a fifth more or less than the copy.
 */
const createCopyRefiner =
  (
    data: Pick<PortalData, 'fetchSequence'>,
    assemblies: readonly [string, string],
    tables: readonly [GeneTable, GeneTable],
    lengths: readonly [ReadonlyMap<string, number>, ReadonlyMap<string, number>],
  ): RefineCopied =>
  async (copied, { side, sequence, position }, more) => {
    const length = lengths[side].get(sequence)
    const otherSide = side === 0 ? 1 : 0
    const moreLength = lengths[otherSide].get(more.sequence)
    const [first, last] = [copied.parts[0]!, copied.parts.at(-1)!]
    if (length === undefined || moreLength === undefined || last.end > length || more.end > moreLength) return copied
    const from = Math.max(1, Math.min(first.start, position) - besideCopyBp)
    const to = Math.min(length, Math.max(last.end, position) + besideCopyBp)
    const moreFrom = Math.max(1, more.start - (position - from))
    const moreTo = Math.min(moreLength, more.end + (to - position))
    if (to - from > mostReadBp || moreTo - moreFrom > mostReadBp) return copied
    const { segments: bases, seams0 } = findCopiedBases(
      await data.fetchSequence(assemblies[side], sequence, from, to),
      await data.fetchSequence(assemblies[otherSide], more.sequence, moreFrom, moreTo),
    )
    const segments = bases.map(({ start0, end0 }) => ({ start: from + start0, end: from + end0 - 1 }))
    const shared = (a: { start: number; end: number }, b: { start: number; end: number }): number =>
      Math.min(a.end, b.end) - Math.max(a.start, b.start) + 1
    const parts = copied.parts.flatMap((part) => {
      const [best] = segments.toSorted((p, q) => shared(q, part) - shared(p, part))
      return best !== undefined && 2 * shared(best, part) > part.end - part.start ? [best] : []
    })
    const bp = new Set(parts).size < copied.parts.length ? 0 : parts.reduce((sum, one) => sum + shared(one, one), 0)
    const size = more.end - more.start + 1
    if (bp < copyShare * size || copyShare * bp > size) return copied
    const genes = parts.flatMap((part) => genesIn(tables[side], sequence, part.start, part.end))
    // Within the copy and at its ends: what lies beside it was not looked at for its own sake.
    const junctions = seams0.map((at0) => moreFrom + at0 - 1).filter((at) => at >= more.start - 1 && at <= more.end)
    return { parts, genes, junctions }
  }

/** An insertion that repeats what lies beside it is a duplication, and so is, the other way round, a deletion. */
const classifyDuplications = async (
  one: DraftDifference,
  [first, second]: readonly [GeneTable, GeneTable],
  [circlesA, circlesB]: readonly [ReadonlyMap<string, number>, ReadonlyMap<string, number>],
  refine: RefineCopied,
): Promise<DraftDifference> => {
  const a = { ...one.a, position: one.a.start, circle: circlesA.get(one.a.sequence) }
  const b = { ...one.b, position: one.b.start, circle: circlesB.get(one.b.sequence) }
  const more = one.kind === 'insertion' ? one.b : one.a
  if (one.sizeBp < copyShare * more.lengthBp) return one
  if (one.kind === 'insertion') {
    const byGenes = findCopied(b, second, a, first)
    if (byGenes === null) return one
    const copied = await refine(byGenes, { side: 0, ...a }, b)
    const source = copiedSegment(a.sequence, copied)
    return {
      ...one,
      kind: 'duplication',
      copyIn: 'second',
      a: source,
      copied: copied.genes,
      junctions: copied.junctions ?? [],
    }
  }
  if (one.kind === 'deletion') {
    const byGenes = findCopied(a, first, b, second)
    if (byGenes === null) return one
    const copied = await refine(byGenes, { side: 1, ...b }, a)
    const source = copiedSegment(b.sequence, copied)
    return {
      ...one,
      kind: 'duplication',
      copyIn: 'first',
      b: source,
      copied: copied.genes,
      junctions: copied.junctions ?? [],
    }
  }
  return one
}

const withGenes = (
  { copied, ...one }: DraftDifference,
  tables: readonly [GeneTable, GeneTable],
  placed: readonly [ReadonlySet<number>, ReadonlySet<number>],
  lengths: readonly [ReadonlyMap<string, number>, ReadonlyMap<string, number>],
  mostGenes: number,
): FoundDifference => {
  const own = one.kind === 'insertion' || one.copyIn === 'first' ? 1 : 0
  const [side, otherSide] = own === 1 ? [one.b, one.a] : [one.a, one.b]
  const genesAt = (number: 0 | 1, { sequence, start, end }: Side): number[] =>
    genesIn(tables[number], sequence, start, end, lengths[number].get(sequence))
  const findGenes = (): number[] => {
    if (copied !== undefined) return copied
    if (side.lengthBp === 0) return []
    const inside = genesAt(own, side)
    if (one.basis === 'alignment' || one.kind === 'inversion') return inside
    // Between the ends that gene order knows lie also genes that both genomes have, annotated unlike.
    const other = own === 1 ? 0 : 1
    const there = new Set(genesAt(other, otherSide).map((gene) => tables[other].group[gene]!))
    return inside.filter((gene) => !placed[own].has(gene) && !there.has(tables[own].group[gene]!))
  }
  const table = tables[own]
  const length = lengths[own].get(side.sequence) ?? side.end
  const within = (gene: number, { start, end }: { start: number; end: number }): boolean =>
    [0, end > length ? length : 0].some((over) => table.start[gene]! + over >= start && table.end[gene]! + over <= end)
  const genes = findGenes()
  const parts = side.parts.length === 0 ? [side] : side.parts
  const partly = genes.filter((gene) => !parts.some((part) => within(gene, part)))
  // In the order of the genes, of which each is of the first part that holds some of it.
  const left = new Set(genes)
  const runs = parts.flatMap((part) => {
    const run = side.parts.length === 0 ? genes : genesAt(own, { ...side, ...part }).filter((gene) => left.delete(gene))
    return run.length === 0 ? [] : [{ first: table.id[run[0]!]!, last: table.id[run.at(-1)!]! }]
  })
  return {
    ...one,
    genes: genes.slice(0, mostGenes).map((gene) => table.id[gene]!),
    geneRuns: runs,
    genesOf: own === 1 ? 'second' : 'first',
    geneCount: genes.length,
    partly: partly.length,
    junctions: one.junctions ?? [],
  }
}

/** Of two genomes that are compared, their largest differences and how many there are. */
type ComparedPair = ComparedDifferences & {
  largest: FoundDifference[]
  /** Bases of all deletions, and of all insertions. */
  deletedBp: number
  insertedBp: number
}

/** Of a difference that is listed the least bases; most differences that are listed, and most genes of one that are named. */
export interface DifferenceBounds {
  minimumBp: number
  most: number
  mostGenes: number
}

/**
 * Finds what one genome has more, less, twice or the other way round against another of its species: from their alignment where one is the
 * reference that the other was aligned to, else from the order of their genes. Null where they are too distant to be compared. Blocks are null
 * where the genes of the two were not compared, as of an assembly without annotation: then only an alignment tells.
 */
export const createDifferenceFinder = (
  data: PortalData,
  tables: ReadonlyMap<string, GeneTable>,
  { minimumBp, most, mostGenes }: DifferenceBounds,
  signal: AbortSignal,
): ((
  first: string,
  second: string,
  blocks: readonly StoredBlock[] | null,
  kinds: readonly BlockKind[],
) => Promise<ComparedPair | null>) => {
  const fromAlignment = async (reference: string, assembly: string, sequences: readonly GenomeSequence[]) => {
    const drafts: DraftDifference[] = []
    let truncated = false
    for (const { name, lengthBp, circular } of sequences) {
      signal.throwIfAborted()
      const locus = { assembly: reference, sequence: name, start1: 1, end1: lengthBp }
      // Short copies on both sides of the origin of a circle may be long together.
      const minBp = circular ? 0 : minimumBp
      const found = await data.alignments.listVariants(locus, mostVariants, { carriers: [assembly], minBp })
      drafts.push(...found.variants.flatMap((variant) => readVariant(variant, assembly) ?? []))
      truncated ||= found.truncated
    }
    return { drafts: joinOverOrigins(drafts, circularOf(sequences)), truncated }
  }
  return async (first, second, blocks, kinds) => {
    const [one, other] = [await data.getAssembly(first), await data.getAssembly(second)]
    if (one.species !== other.species) return null
    const genes = [tables.get(first)!, tables.get(second)!] as const
    const chains = chainsOf(blocks ?? [], kinds)
    const placed = [new Set(chains.flatMap(({ a }) => a)), new Set(chains.flatMap(({ b }) => b))] as const
    if (blocks !== null && placed[0].size < closeShare * Math.min(...genes.map(({ id }) => id.length))) return null
    const [sequencesA, sequencesB] = [await data.listSequences(first), await data.listSequences(second)]
    const circles = [circularOf(sequencesA), circularOf(sequencesB)] as const
    const state = await data.alignments.getState(first)
    const isAligned = (id: string): boolean => state?.assemblies.some((aligned) => aligned.id === id) ?? false
    const findDrafts = async (): Promise<{ drafts: DraftDifference[]; truncated: boolean }> => {
      if (state?.reference === first && isAligned(second)) return fromAlignment(first, second, sequencesA)
      if (state?.reference === second && isAligned(first)) {
        const { drafts, truncated } = await fromAlignment(second, first, sequencesB)
        return { drafts: drafts.map(swapSides), truncated }
      }
      const gaps = chains.flatMap((chain) => {
        signal.throwIfAborted()
        return findGaps(chain, genes, placed, minimumBp, circlesOf(chain, genes, circles))
      })
      return { drafts: [...gaps.map(draftOfGap), ...draftsOfInversions(blocks ?? [], kinds)], truncated: false }
    }
    const { drafts, truncated } = await findDrafts()
    const lengths = (sequences: readonly GenomeSequence[]) => new Map(sequences.map((s) => [s.name, s.lengthBp]))
    const lengthsOf = [lengths(sequencesA), lengths(sequencesB)] as const
    const found = drafts.filter(({ sizeBp }) => sizeBp >= minimumBp).sort((p, q) => q.sizeBp - p.sizeBp)
    const refine = createCopyRefiner(data, [first, second], genes, lengthsOf)
    // What is shorter than so many others hardly holds the genes by which a copy is known.
    for (const [at, draft] of found.slice(0, most).entries())
      found[at] = await classifyDuplications(draft, genes, circles, refine)
    const counts = { deletion: 0, insertion: 0, replacement: 0, duplication: 0, inversion: 0 }
    for (const { kind } of found) counts[kind] += 1
    const largest = found.slice(0, most).map((draft) => withGenes(draft, genes, placed, lengthsOf, mostGenes))
    const basesOf = (kind: DraftDifference['kind']): number =>
      found.reduce((sum, one) => sum + (one.kind === kind ? one.sizeBp : 0), 0)
    return { counts, truncated, largest, deletedBp: basesOf('deletion'), insertedBp: basesOf('insertion') }
  }
}
