import type { BlockKind } from '../../bio/comparative/block-kinds.ts'
import {
  type Difference,
  findCopied,
  findGaps,
  genesIn,
  type PairChain,
} from '../../bio/comparative/structural-differences.ts'
import type { AssemblyVariant } from '../../kit/data/alignment-data.ts'
import type { GeneTable, StoredBlock } from '../../kit/data/collinear-blocks.ts'
import type { GenomeSequence, PortalData } from '../../kit/data/portal-data.ts'
import { type ComparedDifferences, limits, type SyntenyDifference } from './tool.ts'

type Found = Omit<SyntenyDifference, 'first' | 'second'>
type Side = Found['a']
/** Before its genes are looked up; `copied` are the genes that an insertion repeats, where it repeats some. */
type DraftDifference = Omit<Found, 'genes' | 'lastGene' | 'genesOf' | 'geneCount' | 'partly'> & { copied?: number[] }

/** Alignments of the two parts of a copy over the origin of a circle end so near each other. */
const joinBp = 100
/** Genomes that have fewer of their genes in blocks in common differ nearly everywhere: deletions are no longer told from all else. */
const closeShare = 0.6
/** What is so many times as long as what stands in its place was lost, or gained, and not exchanged for it. */
const remnantShare = 3
/** Variants of one sequence that are read, from its start. */
const mostVariants = 20_000

/** A place of no bases by the two beside it. */
const pointAfter = (sequence: string, position: number): Side => ({
  sequence,
  start: position,
  end: position + 1,
  lengthBp: 0,
})
const segment = (sequence: string, start: number, end: number): Side => ({
  sequence,
  start,
  end,
  lengthBp: end - start + 1,
})

/** A variant of one assembly against the reference, the reference being the first genome. */
const readVariant = (variant: AssemblyVariant, assembly: string): DraftDifference | null => {
  const carrier = variant.carriers.find((one) => one.assembly === assembly)
  if (carrier === undefined || variant.class === 'breakpoint') return null
  const a = segment(variant.sequence, variant.start, variant.end)
  const b = segment(carrier.sequence, carrier.start, carrier.end)
  const basis = 'alignment' as const
  // Of what is not all gone, such as a deletion that leaves some bases, the length is that of the change.
  const sizeBp = Math.abs(variant.lengthBp)
  switch (variant.class) {
    case 'duplication':
    case 'tandem-duplication':
      return { kind: 'duplication', copyIn: 'second', basis, sizeBp, a, b }
    case 'deletion':
      return { kind: 'deletion', copyIn: null, basis, sizeBp, a, b: pointAfter(b.sequence, b.start) }
    case 'insertion':
      return { kind: 'insertion', copyIn: null, basis, sizeBp, a: pointAfter(a.sequence, a.start), b }
    case 'replacement': {
      // What one genome has of another's length there is a remnant of a loss, as an insertion sequence in the place of genes.
      const [short, long] = [Math.min(a.lengthBp, b.lengthBp), Math.max(a.lengthBp, b.lengthBp)]
      const isRemnant = short * remnantShare <= long
      const kind = !isRemnant ? 'replacement' : a.lengthBp > b.lengthBp ? 'deletion' : 'insertion'
      return { kind, copyIn: null, basis, sizeBp: isRemnant ? long - short : sizeBp, a, b }
    }
    default:
      return { kind: variant.class, copyIn: null, basis, sizeBp, a, b }
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
})

/** Chains of pairs whose neighbours are compared: syntenic blocks of two sequences that read alike are one, every other block its own. */
const chainsOf = (blocks: readonly StoredBlock[], kinds: readonly BlockKind[]): PairChain[] => {
  const syntenic = new Map<string, [number, number][]>()
  const chains: [number, number][][] = []
  for (const [number, block] of blocks.entries()) {
    const kind = kinds[number]!
    if (kind === 'duplicated') continue
    const pairs = block.a.map((gene, at): [number, number] => [gene, block.b[at]!])
    if (kind !== 'syntenic') chains.push(pairs)
    else {
      const key = JSON.stringify([block.sequenceA, block.sequenceB, block.orientation])
      syntenic.set(key, [...(syntenic.get(key) ?? []), ...pairs])
    }
  }
  return [...syntenic.values(), ...chains].map((pairs) => {
    pairs.sort((p, q) => p[0] - q[0])
    return { a: pairs.map(([a]) => a), b: pairs.map(([, b]) => b) }
  })
}

const draftOfGap = (gap: Difference): DraftDifference => {
  const { kind, copyIn, sizeBp } = gap
  const a = segment(gap.sequenceA, gap.startA, gap.endA)
  const b = segment(gap.sequenceB, gap.startB, gap.endB)
  return { kind, copyIn, basis: 'genes', sizeBp, a, b }
}

/** Blocks that read against the order of their two sequences. */
const draftsOfInversions = (blocks: readonly StoredBlock[], kinds: readonly BlockKind[]): DraftDifference[] =>
  blocks.flatMap((block, number) => {
    if (kinds[number] !== 'inverted') return []
    const a = segment(block.sequenceA, block.startA, block.endA)
    const b = segment(block.sequenceB, block.startB, block.endB)
    const sizeBp = Math.max(a.lengthBp, b.lengthBp)
    return [{ kind: 'inversion' as const, copyIn: null, basis: 'genes' as const, sizeBp, a, b }]
  })

/** An insertion that repeats what lies beside it is a duplication, and so is, the other way round, a deletion. */
const classifyDuplications = (
  one: DraftDifference,
  [first, second]: readonly [GeneTable, GeneTable],
): DraftDifference => {
  if (one.kind === 'insertion') {
    const copied = findCopied(one.b, second, { sequence: one.a.sequence, position: one.a.start }, first)
    if (copied === null) return one
    const a = segment(one.a.sequence, copied.start, copied.end)
    return { ...one, kind: 'duplication', copyIn: 'second', a, copied: copied.genes }
  }
  if (one.kind === 'deletion') {
    const copied = findCopied(one.a, first, { sequence: one.b.sequence, position: one.b.start }, second)
    if (copied === null) return one
    const b = segment(one.b.sequence, copied.start, copied.end)
    return { ...one, kind: 'duplication', copyIn: 'first', b, copied: copied.genes }
  }
  return one
}

const withGenes = (
  { copied, ...one }: DraftDifference,
  [first, second]: readonly [GeneTable, GeneTable],
  lengthsOf: Record<'first' | 'second', ReadonlyMap<string, number>>,
): Found => {
  const genesOf = one.kind === 'insertion' || one.copyIn === 'first' ? ('second' as const) : ('first' as const)
  const [table, side] = genesOf === 'first' ? ([first, one.a] as const) : ([second, one.b] as const)
  const length = lengthsOf[genesOf].get(side.sequence) ?? side.end
  const parts: [number, number][] =
    side.end > length
      ? [
          [side.start, length],
          [1, side.end - length],
        ]
      : [[side.start, side.end]]
  const genes =
    copied ?? (side.lengthBp === 0 ? [] : parts.flatMap(([from, to]) => genesIn(table, side.sequence, from, to)))
  const partly = genes.filter(
    (gene) => !parts.some(([from, to]) => table.start[gene]! >= from && table.end[gene]! <= to),
  )
  return {
    ...one,
    genes: genes.slice(0, limits.differenceGenes).map((gene) => table.id[gene]!),
    lastGene: genes.length === 0 ? null : table.id[genes.at(-1)!]!,
    genesOf,
    geneCount: genes.length,
    partly: partly.length,
  }
}

/** Of two genomes that are compared, their largest differences and how many there are. */
type ComparedPair = ComparedDifferences & { largest: Found[] }

/**
 * Finds what one genome has more, less, twice or the other way round against another of its species: from their alignment where one is the
 * reference that the other was aligned to, else from the order of their genes. Null where they are too distant to be compared.
 */
export const createDifferenceFinder = (
  data: PortalData,
  tables: ReadonlyMap<string, GeneTable>,
  minimumBp: number,
  signal: AbortSignal,
): ((
  first: string,
  second: string,
  blocks: readonly StoredBlock[],
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
    const circles = new Map(sequences.flatMap(({ name, lengthBp, circular }) => (circular ? [[name, lengthBp]] : [])))
    return { drafts: joinOverOrigins(drafts, circles), truncated }
  }
  return async (first, second, blocks, kinds) => {
    const [one, other] = [await data.getAssembly(first), await data.getAssembly(second)]
    if (one.species !== other.species) return null
    const genes = [tables.get(first)!, tables.get(second)!] as const
    const chains = chainsOf(blocks, kinds)
    const placed = [new Set(chains.flatMap(({ a }) => a)), new Set(chains.flatMap(({ b }) => b))] as const
    if (placed[0].size < closeShare * Math.min(...genes.map(({ id }) => id.length))) return null
    const [sequencesA, sequencesB] = [await data.listSequences(first), await data.listSequences(second)]
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
        return findGaps(chain, genes, placed, minimumBp)
      })
      return { drafts: [...gaps.map(draftOfGap), ...draftsOfInversions(blocks, kinds)], truncated: false }
    }
    const { drafts, truncated } = await findDrafts()
    const lengths = (sequences: readonly GenomeSequence[]) => new Map(sequences.map((s) => [s.name, s.lengthBp]))
    const lengthsOf = { first: lengths(sequencesA), second: lengths(sequencesB) }
    const found = drafts
      .filter(({ sizeBp }) => sizeBp >= minimumBp)
      .sort((p, q) => q.sizeBp - p.sizeBp)
      // What is shorter than so many others hardly holds the genes by which a copy is known.
      .map((draft, at) => (at < limits.differences ? classifyDuplications(draft, genes) : draft))
    const counts = { deletion: 0, insertion: 0, replacement: 0, duplication: 0, inversion: 0 }
    for (const { kind } of found) counts[kind] += 1
    const largest = found.slice(0, limits.differences).map((draft) => withGenes(draft, genes, lengthsOf))
    return { counts, truncated, largest }
  }
}
