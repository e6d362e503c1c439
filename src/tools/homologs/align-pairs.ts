import { createHash } from 'node:crypto'
import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { usableCores } from '../../jobs/usable-cores.ts'
import type { PartRun } from '../../kit/loader.ts'
import { type ByGene, groupByGene, positionsOf } from './by-gene.ts'
import { alignedAgainstResidues, alignmentEvalue, batchProduct, evalueLimit, keptAlignments } from './method.ts'
import { type AlignedPair, alignmentColumns, chooseAlignment, PairTable, parseAlignment } from './pair-file.ts'
import type { Proteome } from './proteome.ts'

/** Proteins by number: equal ones have equal numbers. Digests are kept, not sequences, since all proteomes pass through. */
export interface ProteinNumbers {
  numberOf(protein: string): number
  /** Which of two is the query where both are aligned: it is a matter of their sequences, whatever was numbered before. */
  isQuery(one: number, other: number): boolean
  /** Counts a proteome that was read; -1 is no protein. */
  countProteome(proteins: Int32Array): void
  /** Whether several of the proteomes that were counted have it. */
  isShared(protein: number): boolean
}

export const createProteinNumbers = (): ProteinNumbers => {
  const numbers = new Map<string, number>()
  const digests: string[] = []
  const occurrences: number[] = []
  return {
    numberOf: (protein) => {
      const digest = createHash('sha256').update(protein).digest('base64').slice(0, 22)
      const known = numbers.get(digest)
      if (known !== undefined) return known
      numbers.set(digest, digests.length)
      return digests.push(digest) - 1
    },
    isQuery: (one, other) => digests[one]! >= digests[other]!,
    countProteome: (proteins) => {
      for (const protein of new Set(proteins))
        if (protein !== -1) occurrences[protein] = (occurrences[protein] ?? 0) + 1
    },
    isShared: (protein) => (occurrences[protein] ?? 0) > 1,
  }
}

/** What is to be aligned: pair by pair a gene of the query's proteome, one of the target's, and the proposal's number. */
export interface Candidates {
  queries: number[]
  targets: number[]
  proposals: number[]
}

/** Of a query's candidates those by which it is put beside others: enough to gather a family, few enough to stay linear. */
const linksAQuery = 5

/** Queries in an order in which those with common targets stand together. */
const orderQueries = ({ targets }: Candidates, byQuery: ByGene, queryCount: number, targetCount: number) => {
  const countOf = (query: number): number => byQuery.starts[query + 1]! - byQuery.starts[query]!
  const asked: number[] = []
  const links: { queries: number[]; targets: number[] } = { queries: [], targets: [] }
  for (let query = 0; query < queryCount; query += 1) {
    if (countOf(query) === 0) continue
    asked.push(query)
    for (const position of positionsOf(byQuery, query).subarray(0, linksAQuery)) {
      links.queries.push(query)
      links.targets.push(targets[position]!)
    }
  }
  const byTarget = groupByGene(links.targets, targetCount)
  const seen = new Uint8Array(queryCount)
  const order = new Uint32Array(asked.length)
  let [reached, looked] = [0, 0]
  const reach = (query: number): void => {
    if (seen[query] === 1) return
    seen[query] = 1
    order[reached++] = query
  }
  // The largest families first: they fill batches of their own.
  for (const first of asked.sort((a, b) => countOf(b) - countOf(a) || a - b)) {
    reach(first)
    while (looked < reached)
      for (const position of positionsOf(byQuery, order[looked++]!).subarray(0, linksAQuery))
        for (const link of positionsOf(byTarget, targets[position]!)) reach(links.queries[link]!)
  }
  return order
}

/** Queries of one run of BLASTP, and the positions of their candidates. */
interface Batch {
  queries: Uint32Array
  positionsOf: (query: number) => Uint32Array
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
  const { targets } = candidates
  const byQuery = groupByGene(candidates.queries, queryLengths.length)
  const ofQuery = (query: number): Uint32Array => positionsOf(byQuery, query)
  const order = orderQueries(candidates, byQuery, queryLengths.length, targetLengths.length)
  const batches: Batch[] = []
  /** Number of the last batch, from 1, that each target is in. */
  const batchOf = new Uint32Array(targetLengths.length)
  let from = 0
  let queryResidues = 0
  let targetResidues = 0
  for (const [at, query] of order.entries()) {
    let more = 0
    for (const position of ofQuery(query))
      if (batchOf[targets[position]!] !== batches.length + 1) more += targetLengths[targets[position]!]!
    if (at > from && (queryResidues + queryLengths[query]!) * (targetResidues + more) > product) {
      batches.push({ queries: order.subarray(from, at), positionsOf: ofQuery })
      from = at
      queryResidues = 0
      targetResidues = 0
    }
    queryResidues += queryLengths[query]!
    for (const position of ofQuery(query)) {
      const target = targets[position]!
      if (batchOf[target] === batches.length + 1) continue
      batchOf[target] = batches.length + 1
      targetResidues += targetLengths[target]!
    }
  }
  if (from < order.length) batches.push({ queries: order.subarray(from), positionsOf: ofQuery })
  return batches
}

/** Key of two numbers of proteins; exact up to 67 million proteins. */
const pairKey = (query: number, target: number): number => query * 2 ** 26 + target

const turn = ({ a, b, coverageA, coverageB, ...rest }: AlignedPair): AlignedPair => ({
  a: b,
  b: a,
  coverageA: coverageB,
  coverageB: coverageA,
  ...rest,
})

/** Gives the sequences of a proteome by the numbers of its genes, as `writeProteomes` wrote them: a line each, after that of its name. */
const readSequences = async (file: string, geneCount: number): Promise<(gene: number) => string> => {
  const bytes = await readFile(file)
  const [headerSign, lineEnd] = ['>'.charCodeAt(0), 10]
  const starts = new Float64Array(geneCount)
  for (let at = 0; at < bytes.length && bytes[at] === headerSign; ) {
    const start = bytes.indexOf(lineEnd, at) + 1
    starts[Number(bytes.toString('latin1', at + 1, start - 1))] = start
    at = bytes.indexOf(lineEnd, start) + 1
  }
  return (gene) => bytes.toString('latin1', starts[gene], bytes.indexOf(lineEnd, starts[gene]!))
}

/**
 * Aligns pairs of two proteomes that DIAMOND proposes, each with its own alignment of them; resolves to the pairs within the e-value
 * limit. Any number of calls may be under way.
 */
type PairAligner = (
  query: Proteome,
  target: Proteome,
  /** Absolute paths of the FASTA of both. */
  files: { query: string; target: string },
  proposals: PairTable,
  run: Pick<PartRun, 'scratch' | 'runProgram'>,
) => Promise<PairTable>

/**
 * Aligns pairs by BLASTP: nothing masked, matrices adjusted for composition (its default), the best alignment of each pair, DIAMOND's
 * where that adjustment loses it (`chooseAlignment`). So identity,
 * coverage, score and e-value are those that a BLASTP search of the target's proteome gives. Two sequences are aligned once, in however
 * many assemblies they are and one way round (`isQuery`), since adjusted matrices differ a little by direction. What is remembered spares
 * time and changes no result.
 */
export const createPairAligner = (sequences: ProteinNumbers): PairAligner => {
  /** BLASTP's alignments by the numbers of their proteins, the query first; null where there is none. */
  const known = new Map<number, AlignedPair | null>()
  const isShared = (query: number, target: number): boolean => sequences.isShared(query) || sequences.isShared(target)

  return async (query, target, files, proposals, run) => {
    const within = query === target
    const found = new PairTable()
    const take = (pair: AlignedPair): void => {
      // Aligned as if against a million residues; nothing else of the e-value depends on what was searched.
      const evalue = (pair.evalue * target.residues) / alignedAgainstResidues
      if (evalue > evalueLimit) return
      found.push({ ...pair, evalue })
      if (within && pair.a !== pair.b) found.push(turn({ ...pair, evalue }))
    }
    /** What DIAMOND has of a pair, the gene that is aligned as query first, as if against a million residues. */
    const readProposal = (proposal: number, first: number, isTurned: boolean): AlignedPair => {
      const pair = proposals.get(proposal)
      const isOther = isTurned || (within && pair.a !== first)
      const evalue = (pair.evalue * alignedAgainstResidues) / target.residues
      return { ...(isOther ? turn(pair) : pair), evalue }
    }
    /** Takes what is better of BLASTP's alignment, the query first, and DIAMOND's. */
    const choose = (
      aligned: AlignedPair | null,
      [first, second]: [number, number],
      proposal: number,
      isTurned: boolean,
    ) => {
      const pair = chooseAlignment(aligned, readProposal(proposal, first, isTurned))
      if (pair === null) return
      const own = { ...pair, a: first, b: second }
      take(isTurned ? turn(own) : own)
    }
    const straight: Candidates = { queries: [], targets: [], proposals: [] }
    const turned: Candidates = { queries: [], targets: [], proposals: [] }
    const asked = new Set<number>()
    for (let proposal = 0; proposal < proposals.length; proposal += 1) {
      const [from, to] = [proposals.a[proposal]!, proposals.b[proposal]!]
      const [own, other] = [query.proteins[from]!, target.proteins[to]!]
      // Within a genome a pair is proposed from both sides and taken once; genes of equal proteins go by their own numbers.
      const swap = within && (own === other ? from < to : !sequences.isQuery(own, other))
      const [a, b] = swap ? [to, from] : [from, to]
      if (within && a !== b) {
        const index = a * target.genes.length + b
        if (asked.has(index)) continue
        asked.add(index)
      }
      const [p, q] = [query.proteins[a]!, target.proteins[b]!]
      const isTurned = !sequences.isQuery(p, q)
      const pair = known.get(isTurned ? pairKey(q, p) : pairKey(p, q))
      if (pair !== undefined) choose(pair, isTurned ? [b, a] : [a, b], proposal, isTurned)
      else if (isTurned) addCandidate(turned, b, a, proposal)
      else addCandidate(straight, a, b, proposal)
    }
    asked.clear()
    if (straight.queries.length + turned.queries.length === 0) return found
    const queries = await readSequences(files.query, query.genes.length)
    const targets = within ? queries : await readSequences(files.target, target.genes.length)
    const batches = [
      ...partCandidates(straight, query.lengths, target.lengths).map((batch) => ({ ...batch, isTurned: false })),
      ...partCandidates(turned, target.lengths, query.lengths).map((batch) => ({ ...batch, isTurned: true })),
    ]
    let next = 0
    const alignNext = async (): Promise<void> => {
      while (next < batches.length) {
        const number = next
        next += 1
        const { isTurned, ...batch } = batches[number]!
        const candidates = isTurned ? turned : straight
        const aligned = await alignBatch(
          number,
          batch,
          candidates,
          isTurned ? [targets, queries] : [queries, targets],
          run,
        )
        const [firsts, seconds] = isTurned ? [target.proteins, query.proteins] : [query.proteins, target.proteins]
        for (const first of batch.queries)
          for (const position of batch.positionsOf(first)) {
            const second = candidates.targets[position]!
            const pair = aligned.get(first)?.get(second) ?? null
            choose(pair, [first, second], candidates.proposals[position]!, isTurned)
            const [p, q] = [firsts[first]!, seconds[second]!]
            if (known.size < keptAlignments && isShared(p, q)) known.set(pairKey(p, q), pair)
          }
      }
    }
    await Promise.all(Array.from({ length: usableCores() }, alignNext))
    return found
  }
}

const addCandidate = (candidates: Candidates, query: number, target: number, proposal: number): void => {
  candidates.queries.push(query)
  candidates.targets.push(target)
  candidates.proposals.push(proposal)
}

/** One run of BLASTP over a batch; the best alignment of each query with each target. */
const alignBatch = async (
  number: number,
  { queries, positionsOf }: Batch,
  candidates: Candidates,
  [queryOf, targetOf]: [(gene: number) => string, (gene: number) => string],
  { scratch, runProgram }: Pick<PartRun, 'scratch' | 'runProgram'>,
): Promise<Map<number, Map<number, AlignedPair>>> => {
  const [query, subject, table] = [`align-${number}-query.fa`, `align-${number}-subject.fa`, `align-${number}.tsv`]
  const targets = new Set<number>()
  for (const one of queries) for (const position of positionsOf(one)) targets.add(candidates.targets[position]!)
  const write = (name: string, genes: Iterable<number>, sequenceOf: (gene: number) => string): Promise<void> =>
    writeFile(join(scratch, name), Array.from(genes, (gene) => `>${gene}\n${sequenceOf(gene)}\n`).join(''))
  await write(query, queries, queryOf)
  await write(subject, targets, targetOf)
  await runProgram({
    program: 'blastp',
    arguments: [
      ...['-query', query, '-subject', subject, '-out', table, '-evalue', String(alignmentEvalue)],
      ...['-dbsize', String(alignedAgainstResidues), '-seg', 'no', '-max_hsps', '1'],
      ...['-max_target_seqs', String(Math.max(5, targets.size)), '-outfmt', `6 ${alignmentColumns.join(' ')}`],
    ],
  })
  const aligned = new Map<number, Map<number, AlignedPair>>()
  for (const line of (await readFile(join(scratch, table), 'latin1')).split('\n')) {
    const pair = parseAlignment(line)
    if (pair === null) continue
    const own = aligned.get(pair.a)
    if (own === undefined) aligned.set(pair.a, new Map([[pair.b, pair]]))
    else if (!own.has(pair.b)) own.set(pair.b, pair)
  }
  await Promise.all([query, subject, table].map((name) => rm(join(scratch, name))))
  return aligned
}
