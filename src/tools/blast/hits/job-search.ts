import { PortalError } from '../../../contracts/errors.ts'
import type { Receipt } from '../../../contracts/tools/receipt.ts'
import type { ToolRouteContext } from '../../../kit/engine.ts'
import { alphabetOfKind } from '../programs.ts'
import { type BlastResult, resultSchema } from '../tool.ts'
import { type Hit, HspReader, type QueryRange, readQueryRanges, type StoredHit, streamHits } from './hit-store.ts'
import { parseRanks } from './ranks.ts'
import type { Hsp } from './tabular.ts'

/** A search that is done, as its files have it. */
export interface OpenSearch {
  directory: string
  result: BlastResult
  receipt: Receipt
  ranges: QueryRange[]
}

/** Opens the files of a job; rejects with NOT_FOUND for one that is no search or not done. */
export const openSearch = async (id: string, context: ToolRouteContext): Promise<OpenSearch> => {
  const { directory, result, receipt } = await context.openJob(id)
  const parsed = resultSchema.safeParse(result)
  // A job of another tool has an address of this form too.
  if (!parsed.success) throw new PortalError('NOT_FOUND')
  return { directory, result: parsed.data, receipt, ranges: await readQueryRanges(directory) }
}

/** Where the hits of a query are, the first query being 1; throws NOT_FOUND beyond the last. */
export const placeOf = (search: OpenSearch, query1: number): QueryRange => {
  const range = search.ranges[query1 - 1]
  if (range === undefined) throw new PortalError('NOT_FOUND')
  return range
}

/** Queries asked for: one, or all. */
const queriesOf = (search: OpenSearch, query1: number | undefined): number[] =>
  query1 === undefined ? search.ranges.map((_, at) => at + 1) : placeOf(search, query1) && [query1]

/** Hits of one query or of all, in the order of BLAST; `hits` has the ranks that are wanted, such as "1-40,52". */
export async function* selectHits(
  search: OpenSearch,
  options: { query?: number | undefined; hits?: string | undefined },
  signal: AbortSignal,
): AsyncGenerator<{ query1: number; hit: StoredHit }> {
  const isWanted = options.hits === undefined ? () => true : parseRanks(options.hits)
  for (const query1 of queriesOf(search, options.query))
    for await (const hit of streamHits(search.directory, placeOf(search, query1), signal))
      if (isWanted(hit.rank)) yield { query1, hit }
}

/** HSPs of one hit, best first. */
export async function* hspsOf(search: OpenSearch, hit: StoredHit, signal: AbortSignal): AsyncGenerator<Hsp> {
  const reader = await HspReader.open(search.directory, signal)
  try {
    yield* reader.read(hit)
  } finally {
    await reader.close()
  }
}

/** Whether what was hit is a nucleotide sequence: then it has strands. */
export const isNucleotide = (search: OpenSearch, hit: Hit): boolean =>
  hit.kind === null
    ? search.result.program === 'blastn' || search.result.program.startsWith('tblast')
    : alphabetOfKind(hit.kind) === 'nucleotide'
