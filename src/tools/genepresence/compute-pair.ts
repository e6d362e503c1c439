import {
  findLostRuns,
  findMissingBases,
  isAbsent,
  isPresent,
  isWhole,
  isWholeCopy,
  type MissingBases,
  type PresenceEvidence,
  presenceRules,
} from '../../bio/comparative/gene-presence.ts'
import { proteinChange } from '../../bio/variation/protein-change.ts'
import { liftLimitBp } from '../../contracts/lift.ts'
import type { Sql } from '../../database/connect.ts'
import { createAlignmentData, createPieceWindows, type TracedLocus } from '../../kit/data/alignment-data.ts'
import type { AlignmentsAbout } from '../../kit/data/alignment-files.ts'
import {
  type CodingParts,
  type FollowedGenomes,
  type FoundDna,
  filledPlaces,
  GeneDnaFinder,
  type GenePresence,
  presenceOf,
} from '../../kit/data/genes/gene-dna.ts'
import { type StoredPair, type StoredRun, storePresence } from '../../kit/data/presence-data.ts'
import type { PartRun, PortalAssembly } from '../../kit/loader.ts'
import type { ProteinPlace } from './blast-places.ts'
import { addCopies } from './find-copies.ts'
import { followedGenomes, type OpenedAssembly, openAssembly } from './open-genomes.ts'
import { searchGenes } from './search-genes.ts'

/** Neighbours are looked for among so many genes on either side. */
const neighbourGenes = 12
/** Neighbours that are further apart than in the gene's own genome by more than this are not beside each other. */
const besideBp = 10_000
/** Places of a gene that are judged. */
const judgedPlaces = 8

/** What aligning the genomes left, as far as following genes needs it. */
export interface UsedAlignments {
  about: AlignmentsAbout
  computedAt: string
  findFile(path: string): Promise<string>
}

interface Pair {
  from: OpenedAssembly
  into: OpenedAssembly
  genomes: FollowedGenomes
  finderOf(gene: number): GeneDnaFinder
  run: PartRun
}

interface Candidate {
  gene: number
  sequence: string
  start: number
  end: number
  bits: number
}

/** Of candidates that lie at one place the best one's gene has it. */
const ownsPlace = (one: Candidate, all: readonly Candidate[]): boolean =>
  !all.some(
    (other) =>
      other.gene !== one.gene &&
      other.bits > one.bits &&
      other.sequence === one.sequence &&
      Math.min(other.end, one.end) - Math.max(other.start, one.start) + 1 >= (one.end - one.start + 1) / 2,
  )

/** Bases of the gene beyond a place's ends that lie behind the end of a sequence. */
const beyondEnds = (place: TracedLocus, gene: { start: number; end: number }, lengthBp: number, circular: boolean) => {
  if (circular) return 0
  const before = place.regionStart - gene.start
  const after = gene.end - place.regionEnd
  const [left, right] = place.strand === '+' ? [before, after] : [after, before]
  return Math.max(0, left - (place.start - 1)) + Math.max(0, right - (lengthBp - place.end))
}

/** Genes that are not there by what is aligned are looked for in the whole genome. */
const takeSearch = async (found: GenePresence[], pair: Pair): Promise<void> => {
  const { from, into, finderOf } = pair
  const wanted = [...found.keys()].filter((gene) => !isPresent(found[gene]!.state))
  const searched = await searchGenes(wanted, from, into, pair.run)
  const id = into.assembly.id

  /** Where genes that are found lie: no place of another. */
  const taken = new Map<string, { start: number; end: number }[]>()
  for (const presence of found)
    for (const { sequence, start, end } of filledPlaces(presence)) {
      const list = taken.get(sequence)
      if (list === undefined) taken.set(sequence, [{ start, end }])
      else list.push({ start, end })
    }
  const isTaken = ({ sequence, start, end }: { sequence: string; start: number; end: number }): boolean =>
    (taken.get(sequence) ?? []).some(
      (one) => Math.min(one.end, end) - Math.max(one.start, start) + 1 >= (end - start + 1) / 2,
    )

  /** Places that lead nowhere in the gene's own genome: whose they are says the score. */
  const judge = async <P extends { sequence: string; start: number; end: number; bits: number }>(
    places: ReadonlyMap<number, readonly P[]>,
    isEnough: (place: P, gene: number) => boolean,
  ) => {
    const judged = new Map<number, { place: P; leads: boolean | null }[]>()
    const open: Candidate[] = []
    for (const [gene, list] of places) {
      const own: { place: P; leads: boolean | null }[] = []
      for (const place of list.filter((one) => isEnough(one, gene)).slice(0, judgedPlaces)) {
        const leads = isTaken(place) ? false : await finderOf(gene).leadsBack(id, place)
        own.push({ place, leads })
        if (leads === null) open.push({ gene, ...place })
      }
      judged.set(gene, own)
      pair.run.signal.throwIfAborted()
    }
    return { judged, isOwn: (gene: number, place: P): boolean => ownsPlace({ gene, ...place }, open) }
  }

  const dna = await judge(
    searched.dna,
    ({ alignedBp }, gene) => alignedBp >= presenceRules.minShare * found[gene]!.evidence.lengthBp,
  )
  const protein = await judge(searched.protein, ({ residues }, gene) => {
    const codons = codonsOf(from.genes[gene]!.coding)
    return residues >= presenceRules.minShare * codons
  })
  for (const gene of wanted) {
    const before = found[gene]!
    const wasGone = before.evidence.goneBp >= presenceRules.minShare * before.evidence.lengthBp
    const { summary, coding } = from.genes[gene]!
    const own = (dna.judged.get(gene) ?? []).filter(
      ({ place, leads }) => leads === true || (leads === null && dna.isOwn(gene, place)),
    )
    const others = (dna.judged.get(gene)?.length ?? 0) - own.length
    const flags = {
      searched: { dna: true, protein: searched.proteins.has(gene) },
      paralogs: Math.max(before.evidence.paralogs, others),
    }
    if (own.length > 0) {
      const [{ place }, ...copies] = own as [(typeof own)[number], ...typeof own]
      const { lengthBp } = before.evidence
      const on = into.sequences.get(place.sequence)!
      const unknownBp = beyondEnds(place, summary, on.lengthBp, on.circular)
      const described = await finderOf(gene).describe(
        id,
        {
          bases: {
            lengthBp,
            alignedBp: Math.min(lengthBp, place.alignedBp),
            goneBp: Math.max(0, lengthBp - place.alignedBp - unknownBp),
            replacedBp: 0,
          },
          reason: unknownBp > 0 ? 'contig-end' : null,
          identity: place.identity,
          locus: null,
          own: [place],
          copies: copies.map((one) => one.place),
          moved: wasGone,
          through: before.through,
        } satisfies FoundDna,
        coding,
        'dna',
      )
      const copied = copies.filter((one) => isWholeCopy({ ...one.place, lengthBp })).length
      found[gene] = presenceOf({ ...described.evidence, ...flags, copies: copied }, described)
      continue
    }
    const byProtein = protein.judged.get(gene) ?? []
    const ownProtein = byProtein.find(
      ({ place, leads }) =>
        leads === true ||
        // Where alignments pass over the gene, what is like its protein elsewhere is another gene's.
        (leads === null && !wasGone && protein.isOwn(gene, place)),
    )
    if (ownProtein !== undefined) {
      found[gene] = await describeProtein(gene, ownProtein.place, before, pair)
      continue
    }
    const evidence = { ...before.evidence, ...flags, paralogs: flags.paralogs + byProtein.length }
    const places = [...(dna.judged.get(gene) ?? []), ...byProtein].map(({ place }) => place)
    found[gene] = presenceOf(evidence, {
      ...before,
      paralogs:
        before.paralogs.length > 0
          ? before.paralogs
          : places.map(({ sequence, start, end, strand }) => ({ sequence, start, end, strand })),
    })
  }
}

const codonsOf = (coding: CodingParts | null): number =>
  coding === null
    ? 0
    : Math.max(1, Math.floor(coding.pieces.reduce((sum, { start1, end1 }) => sum + end1 - start1 + 1, 0) / 3) - 1)

const describeProtein = async (
  gene: number,
  place: ProteinPlace,
  before: GenePresence,
  { from, into, genomes, finderOf }: Pair,
): Promise<GenePresence> => {
  const { lengthBp } = before.evidence
  const codons = codonsOf(from.genes[gene]!.coding)
  const share = Math.min(1, place.residues / codons)
  const alignedBp = Math.round(share * lengthBp)
  const { sequence, start, end, strand, stop1 } = place
  const own = { sequence, start, end, strand }
  const genes = await finderOf(gene).genesAt(into.assembly.id, [own])
  await genomes.getSequence(into.assembly.id, sequence)
  const evidence: PresenceEvidence = {
    ...before.evidence,
    alignedBp,
    // What is too different to be aligned is not gone.
    goneBp: 0,
    replacedBp: lengthBp - alignedBp,
    reason: null,
    moved: false,
    parts: 1,
    insertedBp: 0,
    copies: 0,
    annotated: genes.length > 0,
    paralogs: 0,
    searched: { dna: true, protein: true },
    frame: {
      codons,
      keptShare: stop1 === null ? 1 : (stop1 - 1) / codons,
      change: stop1 === null ? null : 'stop',
      codon1: stop1,
      hgvs: stop1 === null ? null : proteinChange(`${stop1}X>${stop1}*`, ['stop_gained'], null),
    },
  }
  return presenceOf(evidence, {
    by: 'protein',
    identity: place.identity,
    places: [own],
    copies: [],
    paralogs: [],
    genes: genes.map(({ id }) => id),
    through: before.through,
  })
}

interface Neighbours {
  left: number | null
  right: number | null
}

/** The nearest genes on both sides that are there by what is aligned. */
const findNeighbours = (found: readonly GenePresence[], { from }: Pair): Neighbours[] => {
  const on = (gene: number): string => from.genes[gene]!.summary.sequence
  const isAnchor = (gene: number): boolean =>
    isPresent(found[gene]!.state) && found[gene]!.by === 'alignment' && found[gene]!.places.length === 1
  const find = (gene: number, step: 1 | -1): number | null => {
    for (let at = gene + step; Math.abs(at - gene) <= neighbourGenes; at += step) {
      if (at < 0 || at >= found.length || on(at) !== on(gene)) return null
      if (isAnchor(at)) return at
    }
    return null
  }
  return found.map((_, gene) => ({ left: find(gene, -1), right: find(gene, 1) }))
}

/** Bases between two places of one sequence; null where they are on two. */
const between = (
  a: { sequence: string; start: number; end: number },
  b: { sequence: string; start: number; end: number },
): number | null =>
  a.sequence === b.sequence ? Math.max(0, Math.max(a.start, b.start) - Math.min(a.end, b.end) - 1) : null

/** What a gene's neighbours say of it. */
const takeNeighbours = async (found: GenePresence[], pair: Pair): Promise<void> => {
  const { from, into, finderOf } = pair
  const neighbours = findNeighbours(found, pair)
  for (const [gene, presence] of found.entries()) {
    const { left, right } = neighbours[gene]!
    const own = from.genes[gene]!.summary
    const placeOf = (number: number | null) => (number === null ? null : found[number]!.places[0]!)
    const distance = (number: number | null): number =>
      number === null ? 0 : (between(own, from.genes[number]!.summary) ?? 0)
    const [leftPlace, rightPlace] = [placeOf(left), placeOf(right)]
    if (isPresent(presence.state)) continue
    if (presence.evidence.reason === 'gap') continue
    let evidence = presence.evidence
    const apart = leftPlace === null || rightPlace === null ? null : between(leftPlace, rightPlace)
    const expected = distance(left) + distance(right) + (own.end - own.start + 1)
    if (apart !== null && apart <= expected + besideBp) {
      const start = Math.min(leftPlace!.end, rightPlace!.end) + 1
      const isGap = await finderOf(gene).hasGap(into.assembly.id, {
        sequence: leftPlace!.sequence,
        start,
        end: Math.max(start, start + apart - 1),
      })
      evidence = isGap ? { ...evidence, reason: 'gap' } : { ...evidence, closed: true }
    } else if (evidence.goneBp === 0) {
      const ends = [
        [left, leftPlace],
        [right, rightPlace],
      ] as const
      const isAtEnd = ends.some(([number, place]) => {
        if (place === null) return false
        const { lengthBp, circular } = into.sequences.get(place.sequence)!
        const toEnd = Math.min(place.start - 1, lengthBp - place.end)
        return !circular && toEnd <= distance(number) + own.end - own.start + 1
      })
      if (isAtEnd) evidence = { ...evidence, reason: 'contig-end' }
    }
    if (evidence !== presence.evidence) found[gene] = presenceOf(evidence, presence)
  }
}

/** A gene that moved together with its neighbours lies in a stretch that lies elsewhere: it is at its place. */
const settleMoved = (found: GenePresence[], pair: Pair): void => {
  const neighbours = findNeighbours(found, pair)
  for (const [gene, presence] of found.entries()) {
    const [place] = presence.places
    if (!presence.evidence.moved || place === undefined) continue
    const { left, right } = neighbours[gene]!
    const isWith = [left, right].some((number) => {
      if (number === null) return false
      const bp = between(place, found[number]!.places[0]!)
      const own = between(pair.from.genes[gene]!.summary, pair.from.genes[number]!.summary)
      return bp !== null && bp <= (own ?? 0) + besideBp
    })
    if (isWith) found[gene] = presenceOf({ ...presence.evidence, moved: false }, presence)
  }
}

/**
 * Runs of neighbours that are not there, with the bases that are missing, where an alignment says which. Genes that one deletion takes are
 * one run, also where one between them is there in part.
 */
const describeRuns = async (found: readonly GenePresence[], pair: Pair): Promise<StoredRun[]> => {
  const { from } = pair
  const numbers = new Map([...from.sequences.keys()].map((name, number) => [name, number]))
  const runs = findLostRuns(
    found.map(({ state }) => state),
    from.genes.map(({ summary }) => numbers.get(summary.sequence)!),
  )
  const described: StoredRun[] = []
  for (const { first, last } of runs) {
    const [one, other] = [from.genes[first]!.summary, from.genes[last]!.summary]
    const gaps = await findGaps(first, last, found, pair)
    const whole: StoredRun = { first, last, start: one.start, end: other.end, lostBp: null }
    const parts = gaps.flatMap(({ start, end, lostBp }): StoredRun[] => {
      const own: number[] = []
      for (let gene = first; gene <= last; gene += 1) {
        const { summary } = from.genes[gene]!
        const bp = Math.min(summary.end, end) - Math.max(summary.start, start) + 1
        if (isAbsent(found[gene]!.state) && 2 * bp >= summary.end - summary.start + 1) own.push(gene)
      }
      return own.length === 0 ? [] : [{ first: own[0]!, last: own.at(-1)!, start, end, lostBp }]
    })
    for (const part of parts.length === 0 ? [whole] : parts) {
      const before = described.at(-1)
      const isSame =
        before !== undefined &&
        part.lostBp !== null &&
        before.start === part.start &&
        before.end === part.end &&
        from.genes[before.first]!.summary.sequence === one.sequence
      if (isSame) before.last = part.last
      else described.push(part)
    }
  }
  return described
}

/** Bases around genes that are missing, of the gene's own genome: deletions that lie beside each other are each its own. */
const findGaps = async (
  first: number,
  last: number,
  found: readonly GenePresence[],
  { from, into, genomes }: Pair,
): Promise<MissingBases[]> => {
  const [one, other] = [from.genes[first]!.summary, from.genes[last]!.summary]
  // A deletion that cuts the genes beside these reaches beyond them, to the nearest that are there as a whole.
  const side = (edge: number, step: 1 | -1): typeof one => {
    let reached = from.genes[edge]!.summary
    for (let gene = edge + step; Math.abs(gene - edge) <= neighbourGenes; gene += step) {
      const summary = from.genes[gene]?.summary
      if (summary === undefined || summary.sequence !== one.sequence) break
      reached = summary
      if (isWhole(found[gene]!.state) && found[gene]!.by === 'alignment') break
    }
    return reached
  }
  const { lengthBp } = from.sequences.get(one.sequence)!
  const start1 = Math.max(1, side(first, -1).start - 1000)
  const end1 = Math.min(lengthBp, side(last, 1).end + 1000)
  if (end1 - start1 >= liftLimitBp || end1 <= start1) return []
  const [trace] = await genomes.alignments
    .trace({ assembly: from.assembly.id, sequence: one.sequence, start1, end1 }, [into.assembly.id])
    // Assemblies that are not aligned.
    .catch(() => [])
  const best = trace?.loci.find(({ role }) => role === 'best')
  if (best === undefined) return []
  return findMissingBases(best.segments, best.strand).filter(({ start, end }) => start <= other.end && end >= one.start)
}

/** What every gene of an assembly is in another. */
export const computePair = async (
  { of, into: other }: { of: PortalAssembly; into: PortalAssembly },
  used: UsedAlignments,
  sql: Sql,
  run: PartRun,
): Promise<StoredPair> => {
  const from = await openAssembly(of, sql)
  const into = await openAssembly(other, sql)
  const windows = createPieceWindows()
  try {
    const entries = used.about.species.map(({ reference, assemblies }) => [reference, ...assemblies])
    const names = new Map(entries.flat().map(({ bundle, id }) => [bundle, id]))
    const alignments = createAlignmentData({
      open: async () => ({ ...used, assemblies: names }),
      getSequence: (assembly, name) => genomes.getSequence(assembly, name),
      listSiblings: async (assembly) =>
        entries.find((all) => all.some(({ id }) => id === assembly))?.map(({ id }) => id) ?? [],
      readPieces: windows.readPieces,
    })
    const genomes = followedGenomes([from, into], alignments)
    const state = await alignments.getState(of.id)
    const pair: Pair = {
      from,
      into,
      genomes,
      run,
      finderOf: (gene) => new GeneDnaFinder(genomes, from.genes[gene]!.summary, state),
    }
    const found: GenePresence[] = []
    for (const [gene, { coding }] of from.genes.entries()) {
      found.push(await pair.finderOf(gene).findPresence(other.id, coding))
      run.signal.throwIfAborted()
    }
    await takeNeighbours(found, pair)
    await takeSearch(found, pair)
    settleMoved(found, pair)
    await addCopies(found, from, into, alignments, pair.finderOf, run)
    return {
      rows: found.map(storePresence),
      runs: await describeRuns(found, pair),
      through: found.find(({ through }) => through !== null)?.through ?? null,
    }
  } finally {
    await windows.close()
    await from.close()
    await into.close()
  }
}
