import { createReadStream } from 'node:fs'
import { type FileHandle, open, readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { HitOrder } from '../endpoints.ts'
import { alphabetOfKind, type DatabaseKind } from '../programs.ts'
import { type Hsp, parseHspLine, parseSubjectTitle, subjectStrand } from './tabular.ts'

// What a search found, in the job's directory:
//   hsps.tsv     the tabular output of blast_formatter, as it came
//   hits.jsonl   one line a hit (a subject with its HSPs), in BLAST's order, with the place of its lines in hsps.tsv
//   hits.json    for each query the place of its lines in hits.jsonl
// Pages are cut from them by byte ranges, so that a result of half a million hits costs no more memory than the page.

export const hspFile = 'hsps.tsv'
const hitFile = 'hits.jsonl'
const indexFile = 'hits.json'

/** HSPs of a hit whose places are kept with it, for drawings; the others are in its lines of hsps.tsv. */
const drawnHsps = 100

/**
 * Place of an HSP for drawings: query start, query end, subject start, subject end (as BLAST writes them), bit score, identity in
 * percent.
 */
export type HspRange = [number, number, number, number, number, number]

export interface Hit {
  /** Place among the query's hits, from 1. */
  rank: number
  subject: string
  gene: string | null
  symbol: string | null
  title: string
  assembly: string | null
  kind: DatabaseKind | null
  subjectLength: number
  hspCount: number
  /** Of the best HSP, which is the first. */
  evalue: number
  bitScore: number
  score: number
  totalBitScore: number
  identityPercent: number
  identical: number
  lengthColumns: number
  mismatches: number
  positives: number
  positivesPercent: number
  gapOpens: number
  gaps: number
  queryFrame: number
  subjectFrame: number
  strand: '+' | '-' | null
  queryStart1: number
  queryEnd1: number
  subjectStart1: number
  subjectEnd1: number
  /** Share of the query covered by all HSPs together. */
  queryCoveragePercent: number
  hsps: HspRange[]
}

interface StoredHit extends Hit {
  /** Bytes of its lines in hsps.tsv. */
  at: [start0: number, end0: number]
}

export interface QueryRange {
  hits: number
  hsps: number
  lengthResidues: number
  start0: number
  end0: number
}

interface OpenHit {
  first: Hsp
  ranges: HspRange[]
  count: number
  totalBitScore: number
  start0: number
}

const placeOf = (hsp: Hsp): HspRange => [
  hsp.queryStart1,
  hsp.queryEnd1,
  hsp.subjectStart1,
  hsp.subjectEnd1,
  hsp.bitScore,
  hsp.identityPercent,
]

const closeHit = (hit: OpenHit, rank: number, end0: number, pastedKind: DatabaseKind): StoredHit => {
  const { first } = hit
  const about = parseSubjectTitle(first.title)
  const nucleotide = alphabetOfKind(about.kind ?? pastedKind) === 'nucleotide'
  return {
    rank,
    subject: about.name,
    gene: about.gene,
    symbol: about.symbol,
    title: about.description,
    assembly: about.assembly,
    kind: about.kind,
    subjectLength: first.subjectLength,
    hspCount: hit.count,
    evalue: first.evalue,
    bitScore: first.bitScore,
    score: first.score,
    totalBitScore: Math.round(hit.totalBitScore * 10) / 10,
    identityPercent: first.identityPercent,
    identical: first.identical,
    lengthColumns: first.lengthColumns,
    mismatches: first.mismatches,
    positives: first.positives,
    positivesPercent: first.positivesPercent,
    gapOpens: first.gapOpens,
    gaps: first.gaps,
    queryFrame: first.queryFrame,
    subjectFrame: first.subjectFrame,
    strand: subjectStrand(first, nucleotide),
    queryStart1: first.queryStart1,
    queryEnd1: first.queryEnd1,
    subjectStart1: first.subjectStart1,
    subjectEnd1: first.subjectEnd1,
    queryCoveragePercent: first.subjectCoveragePercent,
    hsps: hit.ranges,
    at: [hit.start0, end0],
  }
}

/** Lines of a file with the bytes they take, in order; the file is read in pieces. */
async function* readLines(
  file: string,
  range: { start0: number; end0: number } | null,
  signal: AbortSignal | null,
): AsyncGenerator<{ text: string; start0: number; end0: number }> {
  if (range !== null && range.end0 <= range.start0) return
  let start0 = range?.start0 ?? 0
  const stream = createReadStream(file, {
    highWaterMark: 1 << 20,
    ...(range === null ? {} : { start: range.start0, end: range.end0 - 1 }),
    ...(signal === null ? {} : { signal }),
  })
  let rest: Buffer[] = []
  for await (const piece of stream as AsyncIterable<Buffer>) {
    let from = 0
    for (let end = piece.indexOf(10); end >= 0; end = piece.indexOf(10, from)) {
      const line = Buffer.concat([...rest, piece.subarray(from, end)])
      rest = []
      yield { text: line.toString('utf8'), start0, end0: start0 + line.length + 1 }
      start0 += line.length + 1
      from = end + 1
    }
    if (from < piece.length) rest.push(piece.subarray(from))
  }
  if (rest.length > 0) {
    const line = Buffer.concat(rest)
    yield { text: line.toString('utf8'), start0, end0: start0 + line.length }
  }
}

const isEqualHit = (one: Hit, other: Hit): boolean =>
  one.score === other.score &&
  one.identityPercent === other.identityPercent &&
  one.queryCoveragePercent === other.queryCoveragePercent

/** Hits as good as a query's best: equal in score, identity and coverage. */
export interface EqualHits {
  count: number
  /** Names of the first of them, with their assembly. */
  named: { subject: string; assembly: string | null }[]
}
const maxNamedEqual = 10

/**
 * Reads hsps.tsv once, in pieces, and writes hits.jsonl and hits.json beside it. Gives back the place, the best hit, those equal to it and
 * the assemblies with a hit (best first) of each query, in order. `pastedKind` says what pasted subjects are. Rejects when the file is not the whole of `queryCount` queries.
 */
export const indexHits = async (options: {
  directory: string
  queryCount: number
  pastedKind: DatabaseKind
  signal: AbortSignal
}): Promise<{ queries: QueryRange[]; best: (Hit | null)[]; equal: EqualHits[]; assemblies: string[][] }> => {
  const { directory, queryCount, pastedKind, signal } = options
  const output = await open(join(directory, `${hitFile}.tmp`), 'w')
  const queries: QueryRange[] = []
  const best: (Hit | null)[] = []
  const equal: EqualHits[] = []
  const assemblies: Set<string>[] = []
  let written = 0
  let pending: string[] = []
  let pendingBytes = 0
  let hit: OpenHit | null = null
  let readEnd0 = 0
  const flush = async (): Promise<void> => {
    if (pending.length === 0) return
    await output.write(pending.join(''))
    pending = []
    pendingBytes = 0
  }
  const finishHit = async (): Promise<void> => {
    const query = queries.at(-1)
    if (hit === null || query === undefined) return
    query.hits += 1
    const stored = closeHit(hit, query.hits, readEnd0, pastedKind)
    hit = null
    const first = best.at(-1)
    if (first === null) best[queries.length - 1] = stored
    else if (first !== undefined && isEqualHit(first, stored)) {
      const { named } = equal.at(-1)!
      equal.at(-1)!.count += 1
      if (named.length < maxNamedEqual) named.push({ subject: stored.subject, assembly: stored.assembly })
    }
    if (stored.assembly !== null) assemblies.at(-1)?.add(stored.assembly)
    const line = `${JSON.stringify(stored)}\n`
    const bytes = Buffer.byteLength(line)
    written += bytes
    query.end0 = written
    pending.push(line)
    pendingBytes += bytes
    if (pendingBytes > 1 << 20) await flush()
  }
  try {
    for await (const line of readLines(join(directory, hspFile), null, signal)) {
      if (line.text.startsWith('#')) {
        if (line.text.startsWith('# Query:')) {
          await finishHit()
          queries.push({ hits: 0, hsps: 0, lengthResidues: 0, start0: written, end0: written })
          best.push(null)
          equal.push({ count: 0, named: [] })
          assemblies.push(new Set())
        }
      } else if (line.text !== '') {
        const query = queries.at(-1)
        if (query === undefined) throw new Error('A hit stands before the first query')
        const hsp = parseHspLine(line.text)
        query.hsps += 1
        query.lengthResidues = hsp.queryLength
        if (hit !== null && (hit as OpenHit).first.title !== hsp.title) await finishHit()
        hit ??= { first: hsp, ranges: [], count: 0, totalBitScore: 0, start0: line.start0 } as OpenHit
        const open = hit as OpenHit
        open.count += 1
        open.totalBitScore += hsp.bitScore
        if (open.ranges.length < drawnHsps) open.ranges.push(placeOf(hsp))
        // Rows of long alignments are megabytes; only the first HSP's numbers are needed later.
        open.first.queryRow = ''
        open.first.subjectRow = ''
      }
      readEnd0 = line.end0
    }
    await finishHit()
    await flush()
    await output.sync()
  } finally {
    await output.close()
  }
  if (queries.length !== queryCount) throw new Error(`The program answered ${queries.length} of ${queryCount} queries`)
  await rename(join(directory, `${hitFile}.tmp`), join(directory, hitFile))
  await writeFile(join(directory, indexFile), JSON.stringify(queries))
  return { queries, best, equal, assemblies: assemblies.map((found) => [...found]) }
}

export const readQueryRanges = async (directory: string): Promise<QueryRange[]> =>
  JSON.parse(await readFile(join(directory, indexFile), 'utf8')) as QueryRange[]

/** Hits of one query in BLAST's order. */
export async function* streamHits(
  directory: string,
  locus: QueryRange,
  signal: AbortSignal,
): AsyncGenerator<StoredHit> {
  for await (const { text } of readLines(join(directory, hitFile), locus, signal)) yield JSON.parse(text) as StoredHit
}

/** Bytes of hsps.tsv read at once: hits asked for one after the other mostly lie in one such window. */
const windowBytes = 1 << 20

/** Reads the HSPs of many hits from one open file. */
export class HspReader {
  readonly #file: string
  readonly #handle: FileHandle
  readonly #signal: AbortSignal
  #window = Buffer.alloc(0)
  #windowStart0 = 0

  private constructor(file: string, handle: FileHandle, signal: AbortSignal) {
    this.#file = file
    this.#handle = handle
    this.#signal = signal
  }

  static async open(directory: string, signal: AbortSignal): Promise<HspReader> {
    const file = join(directory, hspFile)
    return new HspReader(file, await open(file), signal)
  }

  /** HSPs of a hit in BLAST's order, with the rows of their alignments. */
  async *read(hit: StoredHit): AsyncGenerator<Hsp> {
    const [start0, end0] = hit.at
    this.#signal.throwIfAborted()
    if (end0 - start0 > windowBytes) {
      for await (const { text } of readLines(this.#file, { start0, end0 }, this.#signal))
        if (text !== '' && !text.startsWith('#')) yield parseHspLine(text)
      return
    }
    if (start0 < this.#windowStart0 || end0 > this.#windowStart0 + this.#window.length) {
      const bytes = Buffer.alloc(windowBytes)
      const { bytesRead } = await this.#handle.read(bytes, 0, windowBytes, start0)
      this.#window = bytes.subarray(0, bytesRead)
      this.#windowStart0 = start0
    }
    const text = this.#window.toString('utf8', start0 - this.#windowStart0, end0 - this.#windowStart0)
    for (const line of text.split('\n')) if (line !== '' && !line.startsWith('#')) yield parseHspLine(line)
  }

  close(): Promise<void> {
    return this.#handle.close()
  }
}

export type { StoredHit }

export interface HitFilter {
  text?: string
  assembly?: string
  kind?: DatabaseKind
  maximumEvalue?: number
  minimumIdentity?: number
  minimumCoverage?: number
}

const hitPasses = (hit: Hit, filter: HitFilter): boolean => {
  if (filter.assembly !== undefined && hit.assembly !== filter.assembly) return false
  if (filter.kind !== undefined && hit.kind !== filter.kind) return false
  if (filter.maximumEvalue !== undefined && hit.evalue > filter.maximumEvalue) return false
  if (filter.minimumIdentity !== undefined && hit.identityPercent < filter.minimumIdentity) return false
  if (filter.minimumCoverage !== undefined && hit.queryCoveragePercent < filter.minimumCoverage) return false
  if (filter.text !== undefined && filter.text !== '') {
    const wanted = filter.text.toLowerCase()
    const words = [hit.subject, hit.gene ?? '', hit.symbol ?? '', hit.title, hit.assembly ?? '']
    if (!words.some((word) => word.toLowerCase().includes(wanted))) return false
  }
  return true
}

/**
 * Hits of a query that pass the filter, in the order asked; equal ones stay in BLAST's order. A query has at most as many as were asked
 * for in the search.
 */
export const listHits = async (
  directory: string,
  locus: QueryRange,
  options: { filter: HitFilter; order: HitOrder; descending: boolean; signal: AbortSignal },
): Promise<StoredHit[]> => {
  const hits: StoredHit[] = []
  for await (const hit of streamHits(directory, locus, options.signal))
    if (hitPasses(hit, options.filter)) hits.push(hit)
  if (options.order !== 'rank' || options.descending) {
    const sign = options.descending ? -1 : 1
    const { order } = options
    hits.sort((a, b) => {
      const x = a[order] ?? ''
      const y = b[order] ?? ''
      return sign * (x < y ? -1 : x > y ? 1 : 0)
    })
  }
  return hits
}
