import { createWriteStream } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { type AlignmentPiece, cutAlignment, liftInterval, readChains } from '../../bio/alignment/lift.ts'
import { ambiguousMapq, type PafRecord } from '../../bio/alignment/paf.ts'
import { isPresent, isWholeCopy, presenceRules } from '../../bio/comparative/gene-presence.ts'
import type { GeneSummary } from '../../contracts/genes.ts'
import { usableCores } from '../../jobs/usable-cores.ts'
import type { AlignmentData, TracedLocus } from '../../kit/data/alignment-data.ts'
import {
  type FoundDna,
  filledPlaces,
  type GeneDnaFinder,
  type GenePresence,
  overlapOn,
  type Place,
  presenceOf,
} from '../../kit/data/genes/gene-dna.ts'
import type { PartRun } from '../../kit/loader.ts'
import { readPafFile } from '../../store/paf-file.ts'
import { fastaOf, genesOver, type OpenedAssembly } from './open-genomes.ts'

/** So much of a genome is followed into the other at once. */
const windowBp = 200_000
/** Shorter stretches hold no copy that an aligner would find. */
const minStretchBp = 200
/** Where a copy lies beside what it is of, an aligner may end in either: so much on both sides is looked at too. */
const besideBp = 5000

/** Of a copy that is whole as much may be missing, or inserted, at once. */
const bandBp = 200

/** Bases of a genome, from 1, both included. */
export interface Stretch {
  sequence: string
  start: number
  end: number
}

/** What is left of a sequence by what is aligned on it, which may overlap; the ends of both count from 0, ends excluded. */
export const leftBetween = (
  aligned: readonly (readonly [number, number])[],
  lengthBp: number,
  minBp: number,
): [number, number][] => {
  const left: [number, number][] = []
  let reached = 0
  for (const [from, to] of [...[...aligned].sort((a, b) => a[0] - b[0]), [lengthBp, lengthBp] as const]) {
    if (from - reached >= minBp) left.push([reached, from])
    reached = Math.max(reached, to)
  }
  return left
}

/** Stretches of a genome that are aligned to nothing of the other: insertions, and what is too different or new. */
const findUnaligned = async (
  into: OpenedAssembly,
  other: string,
  alignments: Pick<AlignmentData, 'trace'>,
  signal: AbortSignal,
): Promise<Stretch[]> => {
  const stretches: Stretch[] = []
  for (const [sequence, { lengthBp }] of into.sequences) {
    const aligned: [number, number][] = []
    for (let start1 = 1; start1 <= lengthBp; start1 += windowBp) {
      signal.throwIfAborted()
      const end1 = Math.min(lengthBp, start1 + windowBp - 1)
      const [trace] = await alignments.trace({ assembly: into.assembly.id, sequence, start1, end1 }, [other])
      for (const { segments } of trace?.loci ?? [])
        for (const { source0, lengthBp: bp } of segments) aligned.push([source0, source0 + bp])
    }
    for (const [from, to] of leftBetween(aligned, lengthBp, minStretchBp))
      stretches.push({ sequence, start: from + 1, end: to })
  }
  return stretches
}

/** Places of genes in a stretch's alignment to their genome: those that it holds as a whole. On the strand of the alignment. */
const wholeIn = (
  record: PafRecord,
  stretch: Stretch,
  from: OpenedAssembly,
): { gene: GeneSummary; place: TracedLocus }[] => {
  const on = from.sequences.get(record.target)
  if (on === undefined) return []
  const before = stretch.start - 1
  const pieces = cutAlignment(record, 0, record.score).map(
    (piece): AlignmentPiece => ({
      ...piece,
      otherStart0: piece.otherStart0 + before,
      otherEnd0: piece.otherEnd0 + before,
    }),
  )
  return genesOver(on, record.targetStart0 + 1, record.targetEnd0).flatMap((gene) => {
    const parts = readChains(pieces, gene.start - 1, gene.end)
    const [place] = liftInterval(parts, gene.start - 1, gene.end).loci
    if (place === undefined || !isWholeCopy({ ...place, lengthBp: gene.end - gene.start + 1 })) return []
    // Other DNA among its bases: it is a copy that is split.
    if (place.insertedBp >= presenceRules.splitBp) return []
    const { chain: _, start0, end0, sourceStart0, sourceEnd0, ...own } = place
    const traced = { start: start0 + 1, end: end0, regionStart: sourceStart0 + 1, regionEnd: sourceEnd0 }
    return [{ gene, place: { ...own, ...traced, sequence: stretch.sequence } }]
  })
}

/** Genes, by their numbers, with their places in what is aligned to nothing of their genome, and beside it. */
const findWhole = async (
  from: OpenedAssembly,
  into: OpenedAssembly,
  alignments: Pick<AlignmentData, 'trace'>,
  run: PartRun,
): Promise<Map<number, TracedLocus[]>> => {
  const found = new Map<number, TracedLocus[]>()
  const stretches = (await findUnaligned(into, from.assembly.id, alignments, run.signal)).map((stretch): Stretch => {
    const { lengthBp } = into.sequences.get(stretch.sequence)!
    const [start, end] = [Math.max(1, stretch.start - besideBp), Math.min(lengthBp, stretch.end + besideBp)]
    return { ...stretch, start, end }
  })
  if (stretches.length === 0) return found
  const records = async function* (): AsyncGenerator<string> {
    for (const [number, { sequence, start, end }] of stretches.entries())
      yield `>${number}\n${await into.readBases(sequence, start, end)}\n`
  }
  await pipeline(Readable.from(records()), createWriteStream(join(run.scratch, 'unaligned.fa')))
  await run.runProgram({
    program: 'minimap2',
    arguments: [
      // Alignments end at longer gaps: one that went on behind an insertion would take what lies in it for its own.
      ...['-c', '--eqx', '--secondary=no', '-x', 'asm20', '-r', `${bandBp},${bandBp}`, '-t', String(usableCores())],
      ...['-o', 'unaligned.paf', await fastaOf(from.assembly), 'unaligned.fa'],
    ],
  })
  run.signal.throwIfAborted()
  const numbers = new Map(from.genes.map(({ summary }, number) => [summary, number]))
  for await (const record of readPafFile(join(run.scratch, 'unaligned.paf'))) {
    if (record.kind !== 'primary' || record.mapq < ambiguousMapq) continue
    for (const { gene, place } of wholeIn(record, stretches[Number(record.query)]!, from)) {
      const number = numbers.get(gene)!
      found.set(number, [...(found.get(number) ?? []), place])
    }
  }
  return found
}

/**
 * Adds to genes that are there the further copies that alignments of whole genomes pass over: an aligner puts what one genome has twice in
 * a row against what the other has once, and the second copy is an insertion. What a genome has that is aligned to nothing of the other is
 * aligned to the other by itself, each segment where it fits best: so a gene of a segment that was doubled is told from its like elsewhere by
 * what lies beside it. What fits two places alike (a mapping quality that is ambiguous, as of insertion sequences) is no copy of either. An
 * aligner may cut a gene where it puts such an insertion: of two copies it has the start of one and the end of the other, and the gene looks
 * split; its place is the copy that is whole.
 */
export const addCopies = async (
  found: GenePresence[],
  from: OpenedAssembly,
  into: OpenedAssembly,
  alignments: Pick<AlignmentData, 'trace'>,
  finderOf: (gene: number) => GeneDnaFinder,
  run: PartRun,
): Promise<void> => {
  const whole = await findWhole(from, into, alignments, run)
  const overlapBp = (a: Place, b: Place): number =>
    a.sequence !== b.sequence ? 0 : overlapOn(into.sequences.get(a.sequence)!.lengthBp, a, b)
  for (const [gene, places] of whole) {
    const before = found[gene]!
    const [own] = before.places
    if (before.state !== 'split' || before.evidence.parts > 1 || own === undefined) continue
    // Of a gene whose start or end is lost in what was inserted there, less is whole than is split.
    const place = places.find((one) => overlapBp(one, own) > 0 && one.alignedBp >= before.evidence.alignedBp)
    if (place === undefined) continue
    const { lengthBp } = before.evidence
    const dna: FoundDna = {
      bases: { lengthBp, alignedBp: Math.min(lengthBp, place.alignedBp), goneBp: 0, replacedBp: 0 },
      reason: null,
      identity: place.identity,
      locus: null,
      own: [place],
      copies: [],
      moved: false,
      through: before.through,
    }
    const described = await finderOf(gene).describe(into.assembly.id, dna, from.genes[gene]!.coding, 'alignment')
    const { copies, paralogs, searched } = before.evidence
    found[gene] = presenceOf(
      { ...described.evidence, copies, paralogs, searched },
      { ...described, copies: before.copies, paralogs: before.paralogs },
    )
  }

  /** Where genes that are there lie: no place of a further copy of another. */
  const taken = new Map<string, Place[]>()
  for (const presence of found)
    for (const place of filledPlaces(presence)) {
      const list = taken.get(place.sequence)
      if (list === undefined) taken.set(place.sequence, [place])
      else list.push(place)
    }
  const isOneOf = (place: Place, places: readonly Place[]): boolean =>
    places.some((one) => 2 * overlapBp(one, place) >= Math.min(one.end - one.start, place.end - place.start) + 1)
  for (const [gene, places] of whole)
    for (const one of places) {
      const presence = found[gene]!
      const { sequence, start, end, strand } = one
      const place = finderOf(gene).stranded({ sequence, start, end, strand })
      // Of a gene that is split, where it lies with what is between its parts.
      const others = [...(taken.get(sequence) ?? []), ...presence.places, ...presence.copies]
      if (!isPresent(presence.state) || isOneOf(place, others)) continue
      found[gene] = presenceOf(
        { ...presence.evidence, copies: presence.evidence.copies + 1 },
        { ...presence, copies: [...presence.copies, place] },
      )
    }
}
