import { createHash } from 'node:crypto'
import { readFile, rm, writeFile } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import type { PortalBakeContext } from '../../kit/loader.ts'
import { alignedAgainstResidues, alignmentEvalue, batchProduct, evalueLimit, keptAlignments } from './method.ts'
import { type AlignedPair, alignmentColumns, chooseAlignment, parseAlignment } from './pair-file.ts'
import type { Proteome } from './proteome.ts'

/** Numbers sequences: equal ones have equal numbers. Digests are kept, not sequences, since all proteomes pass through. */
export const createProteinNumbers = (): ((protein: string) => number) => {
  const numbers = new Map<string, number>()
  return (protein) => {
    const digest = createHash('sha256').update(protein).digest('base64').slice(0, 22)
    const known = numbers.get(digest)
    if (known !== undefined) return known
    numbers.set(digest, numbers.size)
    return numbers.size - 1
  }
}

/** What is to be aligned: genes of the query's proteome, each with genes of the target's. */
type Candidates = Map<number, number[]>

interface Batch {
  queries: number[]
  targets: Set<number>
}

/** Of a query's candidates those by which it is put beside others: enough to gather a family, few enough to stay linear. */
const linksAQuery = 5

/** Queries in an order in which those with common targets stand together. */
const orderQueries = (candidates: Candidates): number[] => {
  const byTarget = new Map<number, number[]>()
  for (const [query, targets] of candidates)
    for (const target of targets.slice(0, linksAQuery)) {
      const list = byTarget.get(target)
      if (list === undefined) byTarget.set(target, [query])
      else list.push(query)
    }
  const seen = new Set<number>()
  const order: number[] = []
  // The largest families first: they fill batches of their own.
  for (const first of [...candidates.keys()].sort(
    (a, b) => candidates.get(b)!.length - candidates.get(a)!.length || a - b,
  )) {
    if (seen.has(first)) continue
    seen.add(first)
    const waiting = [first]
    for (let at = 0; at < waiting.length; at += 1) {
      order.push(waiting[at]!)
      for (const target of candidates.get(waiting[at]!)!.slice(0, linksAQuery))
        for (const query of byTarget.get(target) ?? []) {
          if (seen.has(query)) continue
          seen.add(query)
          waiting.push(query)
        }
    }
  }
  return order
}

/**
 * Parts candidates into runs of BLASTP, each query with all its targets in one: a run compares all its queries with all its targets,
 * so families stand together and the product of a run's residues is bounded (one query with many targets may be more).
 */
export const partCandidates = (
  candidates: Candidates,
  queryLengths: ArrayLike<number>,
  targetLengths: ArrayLike<number>,
  product = batchProduct,
): Batch[] => {
  const batches: Batch[] = []
  let batch: Batch = { queries: [], targets: new Set() }
  let queryResidues = 0
  let targetResidues = 0
  for (const query of orderQueries(candidates)) {
    const targets = candidates.get(query)!
    const more = targets.reduce((sum, target) => sum + (batch.targets.has(target) ? 0 : targetLengths[target]!), 0)
    if (batch.queries.length > 0 && (queryResidues + queryLengths[query]!) * (targetResidues + more) > product) {
      batches.push(batch)
      batch = { queries: [], targets: new Set() }
      queryResidues = 0
      targetResidues = 0
    }
    batch.queries.push(query)
    queryResidues += queryLengths[query]!
    for (const target of targets) {
      if (batch.targets.has(target)) continue
      batch.targets.add(target)
      targetResidues += targetLengths[target]!
    }
  }
  if (batch.queries.length > 0) batches.push(batch)
  return batches
}

/** Key of two numbers of proteins; exact up to 67 million proteins. */
const pairKey = (query: number, target: number): number => query * 2 ** 26 + target

const turn = ({ a, b, coverageA, coverageB, ...rest }: AlignedPair): AlignedPair => ({
  ...{ a: b, b: a, coverageA: coverageB, coverageB: coverageA },
  ...rest,
})

/** Sequences of a proteome by the numbers of its genes, as `writeProteomes` wrote them. */
const readSequences = async (file: string): Promise<string[]> => {
  const sequences: string[] = []
  for (const record of (await readFile(file, 'latin1')).split('>')) {
    const end = record.indexOf('\n')
    if (end !== -1) sequences[Number(record.slice(0, end))] = record.slice(end + 1).trimEnd()
  }
  return sequences
}

/**
 * Aligns pairs of two proteomes that DIAMOND proposes, each with its own alignment of them; resolves to the pairs within the e-value
 * limit, to null when BLAST+ is not there.
 */
type PairAligner = (
  query: Proteome,
  target: Proteome,
  files: { query: string; target: string },
  proposals: Iterable<AlignedPair>,
) => Promise<AlignedPair[] | null>

/**
 * Aligns pairs by BLASTP: nothing masked, matrices adjusted for composition (its default), the best alignment of each pair, DIAMOND's
 * where that adjustment loses it (`chooseAlignment`). So identity,
 * coverage, score and e-value are those that a BLASTP search of the target's proteome gives. Two sequences are aligned once, in however
 * many assemblies they are and one way round: the later-numbered is the query, since adjusted matrices differ a little by direction.
 */
export const createPairAligner = (proteomes: Proteome[], context: PortalBakeContext): PairAligner => {
  const occurrences = new Map<number, number>()
  for (const { proteins } of proteomes)
    for (const protein of new Set(proteins)) occurrences.set(protein, (occurrences.get(protein) ?? 0) + 1)
  /** Alignments by the numbers of their proteins, null where there is none within the limits. */
  const known = new Map<number, AlignedPair | null>()
  const isShared = (query: number, target: number): boolean =>
    occurrences.get(query)! > 1 || occurrences.get(target)! > 1

  return async (query, target, files, proposals) => {
    const within = query === target
    const found: AlignedPair[] = []
    const take = (pair: AlignedPair): void => {
      // Aligned as if against a million residues; nothing else of the e-value depends on what was searched.
      const evalue = (pair.evalue * target.residues) / alignedAgainstResidues
      if (evalue > evalueLimit) return
      found.push({ ...pair, evalue })
      if (within && pair.a !== pair.b) found.push(turn({ ...pair, evalue }))
    }
    const straight: Candidates = new Map()
    const turned: Candidates = new Map()
    const asked = new Map<number, AlignedPair>()
    const placeOf = (a: number, b: number): number => a * target.genes.length + b
    for (const proposal of proposals) {
      const [own, other] = [query.proteins[proposal.a]!, target.proteins[proposal.b]!]
      // Within a genome a pair is proposed from both sides and taken once; genes of equal proteins go by their own numbers.
      const swap = within && (own < other || (own === other && proposal.a < proposal.b))
      const proposed = swap ? turn(proposal) : proposal
      const { a, b } = proposed
      if (asked.has(placeOf(a, b))) continue
      asked.set(placeOf(a, b), {
        ...proposed,
        evalue: (proposed.evalue * alignedAgainstResidues) / target.residues,
      })
      const [p, q] = [query.proteins[a]!, target.proteins[b]!]
      const pair = known.get(p >= q ? pairKey(p, q) : pairKey(q, p))
      if (pair === undefined) {
        if (p >= q) addCandidate(straight, a, b)
        else addCandidate(turned, b, a)
      } else if (pair !== null) take({ ...(p >= q ? pair : turn(pair)), a, b })
    }
    if (straight.size + turned.size === 0) return found
    const queries = await readSequences(join(context.scratch, files.query))
    const targets = within ? queries : await readSequences(join(context.scratch, files.target))
    const batches = [
      ...partCandidates(straight, query.lengths, target.lengths).map((batch) => ({ ...batch, isTurned: false })),
      ...partCandidates(turned, target.lengths, query.lengths).map((batch) => ({ ...batch, isTurned: true })),
    ]
    let next = 0
    let lacking = false
    const alignNext = async (): Promise<void> => {
      while (next < batches.length && !lacking) {
        const number = next
        next += 1
        const { isTurned, ...batch } = batches[number]!
        const sides: [string[], string[]] = isTurned ? [targets, queries] : [queries, targets]
        const aligned = await alignBatch(number, batch, sides, context)
        if (aligned === null) {
          lacking = true
          return
        }
        const [firsts, seconds] = isTurned ? [target.proteins, query.proteins] : [query.proteins, target.proteins]
        for (const first of batch.queries)
          for (const second of (isTurned ? turned : straight).get(first)!) {
            const proposed = isTurned ? turn(asked.get(placeOf(second, first))!) : asked.get(placeOf(first, second))!
            const pair = chooseAlignment(aligned.get(first)?.get(second) ?? null, proposed)
            if (pair !== null) take(isTurned ? turn(pair) : pair)
            const [p, q] = [firsts[first]!, seconds[second]!]
            if (known.size < keptAlignments && isShared(p, q)) known.set(pairKey(p, q), pair)
          }
      }
    }
    await Promise.all(Array.from({ length: availableParallelism() }, alignNext))
    return lacking ? null : found
  }
}

const addCandidate = (candidates: Candidates, query: number, target: number): void => {
  const list = candidates.get(query)
  if (list === undefined) candidates.set(query, [target])
  else list.push(target)
}

/** One run of BLASTP over a batch; the best alignment of each query with each target. Null when BLAST+ is not there. */
const alignBatch = async (
  number: number,
  { queries, targets }: Batch,
  [querySequences, targetSequences]: [string[], string[]],
  context: PortalBakeContext,
): Promise<Map<number, Map<number, AlignedPair>> | null> => {
  const [query, subject, table] = [`align-${number}-query.fa`, `align-${number}-subject.fa`, `align-${number}.tsv`]
  const write = (name: string, genes: Iterable<number>, sequences: string[]): Promise<void> =>
    writeFile(join(context.scratch, name), [...genes].map((gene) => `>${gene}\n${sequences[gene]}\n`).join(''))
  await write(query, queries, querySequences)
  await write(subject, targets, targetSequences)
  const outcome = await context.runProgram({
    program: 'blastp',
    arguments: [
      ...['-query', query, '-subject', subject, '-out', table, '-evalue', String(alignmentEvalue)],
      ...['-dbsize', String(alignedAgainstResidues), '-seg', 'no', '-max_hsps', '1'],
      ...['-max_target_seqs', String(Math.max(5, targets.size)), '-outfmt', `6 ${alignmentColumns.join(' ')}`],
    ],
  })
  if (outcome === null) return null
  const aligned = new Map<number, Map<number, AlignedPair>>()
  for (const line of (await readFile(join(context.scratch, table), 'latin1')).split('\n')) {
    const pair = parseAlignment(line)
    if (pair === null) continue
    const own = aligned.get(pair.a)
    if (own === undefined) aligned.set(pair.a, new Map([[pair.b, pair]]))
    else if (!own.has(pair.b)) own.set(pair.b, pair)
  }
  await Promise.all([query, subject, table].map((name) => rm(join(context.scratch, name))))
  return aligned
}
