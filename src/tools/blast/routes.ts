import { createReadStream } from 'node:fs'
import { z } from 'zod'
import { PortalError } from '../../contracts/errors.ts'
import type { GeneSummary } from '../../contracts/genes.ts'
import { jobIdSchema } from '../../contracts/tools/jobs.ts'
import { receiptNote } from '../../contracts/tools/receipt.ts'
import { defineRoute, type ToolRoute, type ToolRouteContext } from '../../kit/engine.ts'
import { answerEndpoint } from '../../kit/tool-endpoint.ts'
import { commentLines, tableHead, tsvLine } from '../../kit/write-table.ts'
import {
  getJobOverview,
  type HitAnswer,
  type HspAnswer,
  listJobGenes,
  listJobHits,
  listJobHsps,
  querySchema,
  ranksSchema,
} from './endpoints.ts'
import { formatNames, formats, makeFormat } from './hits/formats.ts'
import { gff3Lines } from './hits/hit-features.ts'
import { hitSequences } from './hits/hit-sequences.ts'
import { type Hit, listHits, type StoredHit, streamHits } from './hits/hit-store.ts'
import { hitTableColumns } from './hits/hit-table.ts'
import { hspsOf, isNucleotide, type OpenSearch, openSearch, placeOf, selectHits } from './hits/job-search.ts'
import { renderMidline } from './hits/positives.ts'
import { type Hsp, subjectStrand } from './hits/tabular.ts'

/** Pieces joined to a size that is worth sending: one for each of 100,000 hits would take longer than making them. */
async function* joinPieces(pieces: AsyncIterable<string>): AsyncGenerator<string> {
  let batch = ''
  for await (const piece of pieces) {
    batch += piece
    if (batch.length < 1 << 16) continue
    yield batch
    batch = ''
  }
  if (batch !== '') yield batch
}

/** Receipt of the search and what of it is in the file, as the head of the file. */
const headOf = (
  { receipt }: OpenSearch,
  asked: { query?: number | undefined; assembly?: string | undefined; hits?: unknown },
  context: ToolRouteContext,
): Promise<string[]> =>
  context.describeReceipt({
    job: receipt,
    parameters: {
      ...(asked.query === undefined ? {} : { onlyQuery: asked.query }),
      ...(asked.assembly === undefined ? {} : { onlyAssembly: asked.assembly }),
      ...(asked.hits === undefined ? {} : { hits: 'those chosen' }),
    },
    assemblies: [],
    steps: [],
  })

/** The search whose hits are written to a file. That there is the query asked for is known before the file begins. */
const openForFile = async (
  asked: { job: string; query?: number | undefined },
  context: ToolRouteContext,
): Promise<OpenSearch> => {
  const search = await openSearch(asked.job, context)
  if (asked.query !== undefined) placeOf(search, asked.query)
  return search
}

const withoutLocus = ({ at: _, ...hit }: StoredHit): Hit => hit

/** Columns of one alignment sent at once; longer ones are in the pairwise format. */
const alignmentColumns = 30_000

const hspAnswer = (search: OpenSearch, hit: Hit, hsp: Hsp) => ({
  ...hsp,
  title: undefined,
  strand: subjectStrand(hsp, isNucleotide(search, hit)),
  queryRow: hsp.queryRow.slice(0, alignmentColumns),
  subjectRow: hsp.subjectRow.slice(0, alignmentColumns),
  middleRow: renderMidline(
    hsp.queryRow.slice(0, alignmentColumns),
    hsp.subjectRow.slice(0, alignmentColumns),
    search.result.settings.matrix,
  ),
  cut: hsp.queryRow.length > alignmentColumns,
})

/** Genes under an HSP of a genome hit: those that are looked up, and of these, the ones that are named. */
const countedUnder = 500
const namedUnder = 12

interface Span {
  subjectStart1: number
  subjectEnd1: number
}

/** Bases that a gene and an HSP share. */
const shared = (gene: { start: number; end: number }, hsp: Span): number =>
  Math.min(gene.end, Math.max(hsp.subjectStart1, hsp.subjectEnd1)) -
  Math.max(gene.start, Math.min(hsp.subjectStart1, hsp.subjectEnd1))

/** All genes under an HSP, up to the bound, those that it covers most first. */
const genesUnder = async (hit: Hit, hsp: Span, context: ToolRouteContext) =>
  hit.assembly === null || hit.kind !== 'genome'
    ? []
    : (
        await context.data.listGenesInRegion(
          hit.assembly,
          hit.subject,
          Math.min(hsp.subjectStart1, hsp.subjectEnd1),
          Math.max(hsp.subjectStart1, hsp.subjectEnd1),
          countedUnder,
        )
      )
        .map(({ id, symbol, description, start, end, strand }) => ({ id, symbol, description, start, end, strand }))
        .sort((one, other) => shared(other, hsp) - shared(one, hsp))

/** Hits of a page that are told with the genes they lie in: each is a look-up. */
const hitsWithGenes = 200
const lookUpsAtOnce = 8

/** The hits with the genes under them: what a reader of a genome's hit asks first. */
const withGenes = async (hits: readonly Hit[], context: ToolRouteContext): Promise<HitAnswer[]> => {
  const told: HitAnswer[] = [...hits]
  const last = Math.min(hits.length, hitsWithGenes)
  // Where no gene models are loaded, that there is no gene would be said of what nobody looked for.
  const annotated = new Set(
    (await context.data.listAssemblies()).flatMap(({ id, dataTypes }) => ((dataTypes.genes ?? 0) > 0 ? [id] : [])),
  )
  for (let from = 0; from < last; from += lookUpsAtOnce)
    await Promise.all(
      hits.slice(from, Math.min(last, from + lookUpsAtOnce)).map(async (hit, at) => {
        if (hit.kind !== 'genome' || hit.assembly === null || !annotated.has(hit.assembly)) return
        const genes = await genesUnder(hit, hit, context)
        told[from + at] = {
          ...hit,
          under: {
            genes: genes.slice(0, namedUnder).map(({ id, symbol }) => ({ id, symbol })),
            count: genes.length,
            countExact: genes.length < countedUnder,
          },
        }
      }),
    )
  return told
}

/** Hits and HSPs of an overview; more do not fit a drawing that one can still read. */
const overviewHits = 200

/** Genes given for a set; the same bound as the batch input of every tool. */
const maxGenes = 5000

const fileStem = (id: string): string => `blast-${id.slice(0, 8)}`

export const routes: ToolRoute[] = [
  answerEndpoint(listJobHits, async (input, context) => {
    const search = await openSearch(input.job, context)
    const locus = placeOf(search, input.query)
    const { order, descending } = input
    const found = await listHits(search.directory, locus, {
      filter: input,
      order,
      descending,
      signal: context.signal,
    })
    const from = (input.page - 1) * input.pageSize
    return {
      total: locus.hits,
      found: found.length,
      // Places of HSPs are for drawings, which ask for them by themselves.
      hits: await withGenes(
        found.slice(from, from + input.pageSize).map((hit) => ({ ...withoutLocus(hit), hsps: [] })),
        context,
      ),
    }
  }),
  answerEndpoint(listJobHsps, async (input, context) => {
    const search = await openSearch(input.job, context)
    for await (const { hit } of selectHits(search, { query: input.query, hits: String(input.hit) }, context.signal)) {
      const from = (input.page - 1) * input.pageSize
      const hsps: HspAnswer[] = []
      let number = 0
      for await (const hsp of hspsOf(search, hit, context.signal)) {
        number += 1
        if (number <= from) continue
        hsps.push({
          number,
          ...hspAnswer(search, hit, hsp),
          genes: (await genesUnder(hit, hsp, context)).slice(0, namedUnder),
        })
        if (hsps.length === input.pageSize) break
      }
      return { hit: withoutLocus(hit), total: hit.hspCount, hsps }
    }
    throw new PortalError('NOT_FOUND')
  }),
  answerEndpoint(getJobOverview, async (input, context) => {
    const search = await openSearch(input.job, context)
    const locus = placeOf(search, input.query)
    const hits: Hit[] = []
    for await (const hit of streamHits(search.directory, locus, context.signal)) {
      hits.push(withoutLocus(hit))
      if (hits.length === overviewHits) break
    }
    // Sequences of the assemblies that were hit, so that chromosomes without a hit show too.
    const assemblies = new Set(
      hits.flatMap((hit) => (hit.kind === 'genome' && hit.assembly !== null ? [hit.assembly] : [])),
    )
    const sequences = []
    for (const assembly of assemblies) {
      // One that has been taken out of service since is drawn by its hits alone.
      const summary = (await context.data.listAssemblies()).find(({ id }) => id === assembly)
      if (summary !== undefined)
        sequences.push({ assembly, sequences: summary.sequences.map(({ name, lengthBp }) => ({ name, lengthBp })) })
    }
    return { total: locus.hits, drawn: hits.length, hits, assemblies: sequences }
  }),
  answerEndpoint(listJobGenes, async (input, context) => {
    const search = await openSearch(input.job, context)
    const genes = new Map<string, { assembly: string; id: string }>()
    let cut = false
    const add = (assembly: string, id: string): void => {
      const key = `${assembly}\t${id}`
      if (genes.has(key)) return
      if (genes.size >= maxGenes) cut = true
      else genes.set(key, { assembly, id })
    }
    for await (const { hit } of selectHits(search, input, context.signal)) {
      if (hit.assembly === null) continue
      if (hit.gene !== null) add(hit.assembly, hit.gene)
      else if (hit.kind === 'genome')
        for (const [, , start, end] of hit.hsps) {
          const under: GeneSummary[] = await context.data.listGenesInRegion(
            hit.assembly,
            hit.subject,
            Math.min(start, end),
            Math.max(start, end),
            maxGenes,
          )
          for (const gene of under) add(hit.assembly, gene.id)
        }
      if (cut) break
    }
    return { genes: [...genes.values()], cut }
  }),
  defineRoute({
    path: 'jobs/{job}/hits.gff3',
    summary: 'Hits in genomes as GFF3 match features, one match_part an HSP',
    input: z.object({
      job: jobIdSchema,
      query: querySchema.optional(),
      hits: ranksSchema,
      assembly: z.string().max(64).optional(),
    }),
    handle: async (input, context) => {
      const search = await openForFile(input, context)
      const head = await headOf(search, input, context)
      const body = async function* () {
        yield `##gff-version 3\n${commentLines(head)}`
        for await (const { query1, hit } of selectHits(search, input, context.signal)) {
          if (hit.kind !== 'genome' || (input.assembly !== undefined && hit.assembly !== input.assembly)) continue
          const about = search.result.queries[query1 - 1]!
          const hsps = hspsOf(search, hit, context.signal)
          for await (const line of gff3Lines({ query1, query: about, hit, hsps, program: search.result.program }))
            yield `${line}\n`
        }
      }
      return {
        body: joinPieces(body()),
        contentType: 'text/plain; charset=utf-8',
        fileName: `${[fileStem(input.job), ...(input.assembly === undefined ? [] : [input.assembly])].join('.')}.gff3`,
      }
    },
  }),
  defineRoute({
    path: 'jobs/{job}/hits.tsv',
    summary: 'All hits of all queries, or of one, with every column',
    input: z.object({ job: jobIdSchema, query: querySchema.optional(), hits: ranksSchema }),
    handle: async (input, context) => {
      const search = await openForFile(input, context)
      const head = await headOf(search, input, context)
      const body = async function* () {
        const names = hitTableColumns.map(([name]) => name)
        yield tableHead(head, ['query', 'query length', ...names], 'tsv')
        for await (const { query1, hit } of selectHits(search, input, context.signal)) {
          const about = search.result.queries[query1 - 1]!
          yield tsvLine([about.id, about.lengthResidues, ...hitTableColumns.map(([, read]) => read(hit))])
        }
      }
      return {
        body: joinPieces(body()),
        contentType: 'text/tab-separated-values; charset=utf-8',
        fileName: `${fileStem(input.job)}-hits.tsv`,
      }
    },
  }),
  defineRoute({
    path: 'jobs/{job}/sequences',
    summary: 'Sequences of hits as FASTA: the aligned parts, the region hit with flanks, or whole subjects',
    input: z.object({
      job: jobIdSchema,
      query: querySchema.optional(),
      hits: ranksSchema,
      what: z.enum(['aligned', 'region', 'subject']).default('aligned'),
      flank: z.coerce.number().int().min(0).max(100_000).default(0),
    }),
    handle: async (input, context) => {
      const search = await openForFile(input, context)
      const head = await headOf(search, input, context)
      return {
        body: joinPieces(hitSequences(search, input, receiptNote(head), context)),
        contentType: 'text/x-fasta; charset=utf-8',
        fileName: `${fileStem(input.job)}-${input.what}.fa`,
      }
    },
  }),
  defineRoute({
    path: 'jobs/{job}/formats/{format}',
    summary: 'The whole result in one of the formats of BLAST+, made from its archive when first asked for',
    input: z.object({ job: jobIdSchema, format: z.enum(formatNames) }),
    handle: async (input, context) => {
      const search = await openSearch(input.job, context)
      const format = formats[input.format]
      const file = await makeFormat(input.format, search.directory, search.result, context.runProgram)
      const about = { contentType: format.contentType, fileName: `${fileStem(input.job)}.${format.extension}` }
      // Only the table of ours has room for a receipt that readers of BLAST's formats would not stumble over.
      if (input.format !== 'csv') return { file, ...about }
      const head = await headOf(search, {}, context)
      const body = async function* (): AsyncGenerator<Uint8Array | string> {
        yield `\ufeff${commentLines(head, 'csv')}`
        yield* createReadStream(file, { signal: context.signal }) as AsyncIterable<Uint8Array>
      }
      return { body: body(), ...about }
    },
  }),
]
