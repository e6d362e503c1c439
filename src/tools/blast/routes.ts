import { z } from 'zod'
import { reverseComplement, wrapFasta } from '../../bio/sequence.ts'
import { PortalError } from '../../contracts/errors.ts'
import type { GeneSummary } from '../../contracts/genes.ts'
import { jobIdSchema } from '../../contracts/jobs.ts'
import { defineRoute, type ToolRoute, type ToolRouteContext } from '../../kit/engine.ts'
import { formatNames, formats, makeFormat } from './formats.ts'
import { readFastaRecords } from './gene-sequences.ts'
import { gff3Lines } from './hit-features.ts'
import {
  type Hit,
  HspReader,
  hitOrders,
  listHits,
  type QueryPlace,
  readQueryPlaces,
  type StoredHit,
  streamHits,
} from './hit-store.ts'
import { renderMidline } from './positives.ts'
import { alphabetOfKind, databaseKinds } from './programs.ts'
import { type Hsp, subjectStrand } from './tabular.ts'
import tool, { type BlastResult, resultSchema } from './tool.ts'

const job = jobIdSchema
const query = z.coerce.number().int().min(1)
const ranks = z
  .string()
  .max(60_000)
  .regex(/^\d{1,6}(,\d{1,6})*$/)
  .transform((text) => new Set(text.split(',').map(Number)))
  .optional()

interface OpenSearch {
  directory: string
  result: BlastResult
  places: QueryPlace[]
}

const openSearch = async (id: string, context: ToolRouteContext): Promise<OpenSearch> => {
  const { directory, result } = await context.openJob(id)
  const parsed = resultSchema.safeParse(result)
  // A job of another tool has an address of this form too.
  if (!parsed.success) throw new PortalError('NOT_FOUND')
  return { directory, result: parsed.data, places: await readQueryPlaces(directory) }
}

const placeOf = (search: OpenSearch, query1: number): QueryPlace => {
  const place = search.places[query1 - 1]
  if (place === undefined) throw new PortalError('NOT_FOUND')
  return place
}

/** Queries asked for: one, or all. */
const queriesOf = (search: OpenSearch, query1: number | undefined): number[] =>
  query1 === undefined ? search.places.map((_, at) => at + 1) : placeOf(search, query1) && [query1]

async function* selectHits(
  search: OpenSearch,
  options: { query?: number; hits?: Set<number> },
  signal: AbortSignal,
): AsyncGenerator<{ query1: number; hit: StoredHit }> {
  for (const query1 of queriesOf(search, options.query))
    for await (const hit of streamHits(search.directory, placeOf(search, query1), signal))
      if (options.hits === undefined || options.hits.has(hit.rank)) yield { query1, hit }
}

async function* hspsOf(search: OpenSearch, hit: StoredHit, signal: AbortSignal): AsyncGenerator<Hsp> {
  const reader = await HspReader.open(search.directory, signal)
  try {
    yield* reader.read(hit)
  } finally {
    await reader.close()
  }
}

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

const withoutPlace = ({ at: _, ...hit }: StoredHit): Hit => hit

const isNucleotide = (search: OpenSearch, hit: Hit): boolean =>
  hit.kind === null
    ? search.result.program === 'blastn' || search.result.program.startsWith('tblast')
    : alphabetOfKind(hit.kind) === 'nucleotide'

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

/** Genes under an HSP of a genome hit, and how many more there are. */
const genesPerHsp = 12

const genesUnder = async (hit: Hit, hsp: Pick<Hsp, 'subjectStart1' | 'subjectEnd1'>, context: ToolRouteContext) =>
  hit.assembly === null || hit.kind !== 'genome'
    ? []
    : (
        await context.data.listGenesInRegion(
          hit.assembly,
          hit.subject,
          Math.min(hsp.subjectStart1, hsp.subjectEnd1),
          Math.max(hsp.subjectStart1, hsp.subjectEnd1),
          genesPerHsp,
        )
      ).map(({ id, symbol, description, start, end, strand }) => ({ id, symbol, description, start, end, strand }))

/** Hits and HSPs of an overview; more do not fit a drawing that one can still read. */
const overviewHits = 200

/** Genes given for a set; the same bound as the batch input of every tool. */
const mostGenes = 5000

const tableColumns: [name: string, read: (hit: Hit) => string | number | null][] = [
  ['rank', (hit) => hit.rank],
  ['subject', (hit) => hit.subject],
  ['gene', (hit) => hit.gene],
  ['symbol', (hit) => hit.symbol],
  ['description', (hit) => hit.title],
  ['assembly', (hit) => hit.assembly],
  ['database', (hit) => hit.kind],
  ['subject length', (hit) => hit.subjectLength],
  ['HSPs', (hit) => hit.hspCount],
  ['evalue', (hit) => hit.evalue],
  ['bit score', (hit) => hit.bitScore],
  ['total bit score', (hit) => hit.totalBitScore],
  ['score', (hit) => hit.score],
  ['% query coverage', (hit) => hit.queryCoveragePercent],
  ['% identity', (hit) => hit.identityPercent],
  ['identical', (hit) => hit.identical],
  ['alignment length', (hit) => hit.lengthColumns],
  ['mismatches', (hit) => hit.mismatches],
  ['positives', (hit) => hit.positives],
  ['% positives', (hit) => hit.positivesPercent],
  ['gap opens', (hit) => hit.gapOpens],
  ['gaps', (hit) => hit.gaps],
  ['query start', (hit) => hit.queryStart1],
  ['query end', (hit) => hit.queryEnd1],
  ['subject start', (hit) => hit.subjectStart1],
  ['subject end', (hit) => hit.subjectEnd1],
  ['query frame', (hit) => hit.queryFrame],
  ['subject frame', (hit) => hit.subjectFrame],
  ['strand', (hit) => hit.strand],
]

const fileStem = (id: string): string => `blast-${id.slice(0, 8)}`

export const routes: ToolRoute[] = [
  defineRoute({
    path: 'jobs/{job}/hits',
    summary: 'Hits of one query of a search: filtered, in any order, a page at a time',
    input: z.object({
      job,
      query: query.default(1),
      page: z.coerce.number().int().min(1).default(1),
      pageSize: z.coerce.number().int().min(1).max(tool.limits.targetSequences!).default(100),
      order: z.enum(hitOrders).default('rank'),
      descending: z.stringbool().default(false),
      text: z.string().max(200).optional(),
      assembly: z.string().max(64).optional(),
      kind: z.enum(databaseKinds).optional(),
      maximumEvalue: z.coerce.number().min(0).optional(),
      minimumIdentity: z.coerce.number().min(0).max(100).optional(),
      minimumCoverage: z.coerce.number().min(0).max(100).optional(),
    }),
    handle: async (input, context) => {
      const search = await openSearch(input.job, context)
      const place = placeOf(search, input.query)
      const { order, descending } = input
      const found = await listHits(search.directory, place, {
        filter: input,
        order,
        descending,
        signal: context.signal,
      })
      const from = (input.page - 1) * input.pageSize
      return {
        json: {
          total: place.hits,
          found: found.length,
          // Places of HSPs are for drawings, which ask for them by themselves.
          hits: found.slice(from, from + input.pageSize).map((hit) => ({ ...withoutPlace(hit), hsps: [] })),
        },
      }
    },
  }),
  defineRoute({
    path: 'jobs/{job}/hsps',
    summary: 'Alignments of one hit, a page at a time, with the genes under them',
    input: z.object({
      job,
      query: query.default(1),
      hit: z.coerce.number().int().min(1),
      page: z.coerce.number().int().min(1).default(1),
      pageSize: z.coerce.number().int().min(1).max(200).default(20),
    }),
    handle: async (input, context) => {
      const search = await openSearch(input.job, context)
      for await (const { hit } of selectHits(
        search,
        { query: input.query, hits: new Set([input.hit]) },
        context.signal,
      )) {
        const from = (input.page - 1) * input.pageSize
        const hsps: unknown[] = []
        let number = 0
        for await (const hsp of hspsOf(search, hit, context.signal)) {
          number += 1
          if (number <= from) continue
          hsps.push({ number, ...hspAnswer(search, hit, hsp), genes: await genesUnder(hit, hsp, context) })
          if (hsps.length === input.pageSize) break
        }
        return { json: { hit: withoutPlace(hit), total: hit.hspCount, hsps } }
      }
      throw new PortalError('NOT_FOUND')
    },
  }),
  defineRoute({
    path: 'jobs/{job}/overview',
    summary: 'Places of the best hits of one query on it and on the sequences hit, for drawings',
    input: z.object({ job, query: query.default(1) }),
    handle: async (input, context) => {
      const search = await openSearch(input.job, context)
      const place = placeOf(search, input.query)
      const hits: Hit[] = []
      for await (const hit of streamHits(search.directory, place, context.signal)) {
        hits.push(withoutPlace(hit))
        if (hits.length === overviewHits) break
      }
      // Sequences of the assemblies that were hit, so that chromosomes without a hit show too.
      const assemblies = new Set(
        hits.flatMap((hit) => (hit.kind === 'genome' && hit.assembly !== null ? [hit.assembly] : [])),
      )
      const sequences = []
      for (const assembly of assemblies) {
        const summary = await context.data.getAssembly(assembly).catch(() => null)
        if (summary !== null)
          sequences.push({ assembly, sequences: summary.sequences.map(({ name, lengthBp }) => ({ name, lengthBp })) })
      }
      return { json: { total: place.hits, drawn: hits.length, hits, assemblies: sequences } }
    },
  }),
  defineRoute({
    path: 'jobs/{job}/genes',
    summary: 'Genes of the hits, or under the hits of a genome, each once, for a gene set',
    input: z.object({ job, query: query.optional(), hits: ranks }),
    handle: async (input, context) => {
      const search = await openSearch(input.job, context)
      const genes = new Map<string, { assembly: string; id: string }>()
      let cut = false
      const add = (assembly: string, id: string): void => {
        const key = `${assembly}\t${id}`
        if (genes.has(key)) return
        if (genes.size >= mostGenes) cut = true
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
              mostGenes,
            )
            for (const gene of under) add(hit.assembly, gene.id)
          }
        if (cut) break
      }
      return { json: { genes: [...genes.values()], cut } }
    },
  }),
  defineRoute({
    path: 'jobs/{job}/hits.gff3',
    summary: 'Hits in genomes as GFF3 match features, one match_part an HSP',
    input: z.object({ job, query: query.optional(), hits: ranks, assembly: z.string().max(64).optional() }),
    handle: async (input, context) => {
      const search = await openSearch(input.job, context)
      const body = async function* () {
        yield '##gff-version 3\n'
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
        fileName: `${fileStem(input.job)}.gff3`,
      }
    },
  }),
  defineRoute({
    path: 'jobs/{job}/hits.tsv',
    summary: 'All hits of all queries, or of one, with every column',
    input: z.object({ job, query: query.optional(), hits: ranks }),
    handle: async (input, context) => {
      const search = await openSearch(input.job, context)
      const body = async function* () {
        yield `query\tquery length\t${tableColumns.map(([name]) => name).join('\t')}\n`
        for await (const { query1, hit } of selectHits(search, input, context.signal)) {
          const about = search.result.queries[query1 - 1]!
          const cells = tableColumns.map(([, read]) => String(read(hit) ?? '').replace(/[\t\r\n]+/g, ' '))
          yield `${about.id}\t${about.lengthResidues}\t${cells.join('\t')}\n`
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
      job,
      query: query.optional(),
      hits: ranks,
      what: z.enum(['aligned', 'region', 'subject']).default('aligned'),
      flank: z.coerce.number().int().min(0).max(100_000).default(0),
    }),
    handle: async (input, context) => {
      const search = await openSearch(input.job, context)
      return {
        body: joinPieces(hitSequences(search, input, context)),
        contentType: 'text/x-fasta; charset=utf-8',
        fileName: `${fileStem(input.job)}-${input.what}.fa`,
      }
    },
  }),
  defineRoute({
    path: 'jobs/{job}/formats/{format}',
    summary: 'The whole result in one of the formats of BLAST+, made from its archive when first asked for',
    input: z.object({ job, format: z.enum(formatNames) }),
    handle: async (input, context) => {
      const { directory, result } = await openSearch(input.job, context)
      const format = formats[input.format]
      return {
        file: await makeFormat(input.format, directory, result, context.runProgram),
        contentType: format.contentType,
        fileName: `${fileStem(input.job)}.${format.extension}`,
      }
    },
  }),
]

const wholeFile = { transcript: 'transcripts', cds: 'cds', protein: 'proteins' } as const

/** Longest part of a genome given as one record; the sequence tools give longer ones. */
const mostRegionBp = 10_000_000

async function* hitSequences(
  search: OpenSearch,
  input: { query?: number; hits?: Set<number>; what: 'aligned' | 'region' | 'subject'; flank: number },
  context: ToolRouteContext,
): AsyncGenerator<string> {
  const { data, signal } = context
  const idOf = (query1: number): string => search.result.queries[query1 - 1]!.id
  if (input.what === 'aligned') {
    const reader = await HspReader.open(search.directory, signal)
    try {
      for await (const { query1, hit } of selectHits(search, input, signal)) {
        let number = 0
        for await (const hsp of reader.read(hit)) {
          number += 1
          const strand = subjectStrand(hsp, isNucleotide(search, hit))
          yield wrapFasta(
            `${hit.subject}:${hsp.subjectStart1}-${hsp.subjectEnd1} ${describe(hit)}${strand === null ? '' : ` strand=${strand}`} query=${idOf(query1)}:${hsp.queryStart1}-${hsp.queryEnd1} hsp=${number} identity=${hsp.identityPercent}% evalue=${hsp.evalue}`,
            hsp.subjectRow.replaceAll('-', ''),
          )
        }
      }
    } finally {
      await reader.close()
    }
    return
  }
  // Whole transcripts and proteins come from the files that the databases were made of, read once a file.
  const wanted = new Map<string, Map<string, Hit>>()
  const given = new Set<string>()
  for await (const { query1, hit } of selectHits(search, input, signal)) {
    if (hit.assembly === null || hit.kind === null) continue
    if (hit.kind === 'genome') {
      const from = Math.min(...hit.hsps.flatMap(([, , start, end]) => [start, end]))
      const to = Math.max(...hit.hsps.flatMap(([, , start, end]) => [start, end]))
      // The best HSP where the others are far away: between the arms of a repeat family lies half a chromosome.
      const best: [number, number] = [
        Math.min(hit.subjectStart1, hit.subjectEnd1),
        Math.max(hit.subjectStart1, hit.subjectEnd1),
      ]
      const [start, end] = input.what === 'region' && to - from > mostSpreadBp ? best : [from, to]
      const start1 = Math.max(1, start - input.flank)
      const end1 = Math.min(hit.subjectLength, end + input.flank, start1 + mostRegionBp - 1)
      const bases = await data.fetchSequence(hit.assembly, hit.subject, start1, end1)
      const minus = hit.strand === '-'
      yield wrapFasta(
        `${hit.subject}:${start1}-${end1}(${hit.strand ?? '+'}) ${describe(hit)} query=${idOf(query1)} flank=${input.flank}`,
        minus ? reverseComplement(bases) : bases,
      )
    } else {
      const key = `${hit.assembly}\t${hit.kind}`
      if (given.has(`${key}\t${hit.subject}`)) continue
      given.add(`${key}\t${hit.subject}`)
      const subjects = wanted.get(key) ?? new Map<string, Hit>()
      subjects.set(hit.subject, hit)
      wanted.set(key, subjects)
    }
  }
  for (const [key, subjects] of wanted) {
    const [assembly, kind] = key.split('\t') as [string, keyof typeof wholeFile]
    const file = await data.bundleFile(assembly, wholeFile[kind])
    if (file === null) continue
    const records = await readFastaRecords(file, new Set(subjects.keys()), alphabetOfKind(kind), signal)
    for (const [name, hit] of subjects) {
      const sequence = records.get(name)
      if (sequence !== undefined) yield wrapFasta(`${name} ${describe(hit)}`, sequence)
    }
  }
}

/** HSPs of one subject further apart than this belong to different places, not to the exons of one gene. */
const mostSpreadBp = 200_000

const describe = (hit: Hit): string =>
  [
    hit.gene === null ? '' : `gene=${hit.gene}`,
    hit.symbol === null ? '' : `symbol=${hit.symbol}`,
    hit.assembly === null ? 'pasted' : `assembly=${hit.assembly}`,
    hit.kind === null ? '' : `database=${hit.kind}`,
  ]
    .filter((part) => part !== '')
    .join(' ')
