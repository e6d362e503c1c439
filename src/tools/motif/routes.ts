import { createReadStream } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { z } from 'zod'
import { escapeGff3Value } from '../../bio/annotation/feature.ts'
import { PortalError } from '../../contracts/errors.ts'
import { jobIdSchema } from '../../contracts/tools/jobs.ts'
import { defineRoute, type ToolRoute, type ToolRouteContext } from '../../kit/engine.ts'
import { answerEndpoint } from '../../kit/tool-endpoint.ts'
import { commentLines, formatLine, tableHead, tsvLine } from '../../kit/write-table.ts'
import { listCollections } from './endpoints.ts'
import { findCollections } from './find-motifs.ts'
import { renderMotifFile } from './motif-file.ts'
import { siteColumns, siteFile } from './site-file.ts'
import tool, { type MotifSearchResult, resultSchema } from './tool.ts'

interface OpenSearch {
  directory: string
  result: MotifSearchResult
  head: string[]
}

const open = async (job: string, context: ToolRouteContext): Promise<OpenSearch> => {
  const { directory, result, receipt } = await context.openJob(job)
  const parsed = resultSchema.safeParse(result)
  // A job of another tool has an address of this form too.
  if (!parsed.success) throw new PortalError('NOT_FOUND')
  const { assembly, background, tests } = parsed.data
  const head = await context.describeReceipt({
    job: receipt,
    parameters: {},
    assemblies: assembly === null ? [] : [assembly],
    steps: [
      {
        program: 'NovoDB motif scan',
        version: String(tool.version),
        formula: `${tests} places × strands × motifs; background ${background.kind}, order ${background.order}`,
      },
    ],
  })
  return { directory, result: parsed.data, head }
}

type Cells = Record<(typeof siteColumns)[number], string>

/** Lines of the file of sites that pass, as cells by column. */
async function* readSites(
  directory: string,
  motif: string | undefined,
  signal: AbortSignal,
): AsyncGenerator<{ cells: Cells }> {
  const lines = createInterface({
    input: createReadStream(join(directory, siteFile)),
    crlfDelay: Number.POSITIVE_INFINITY,
  })
  let first = true
  for await (const line of lines) {
    signal.throwIfAborted()
    if (first) {
      first = false
      continue
    }
    const values = line.split('\t')
    if (motif !== undefined && values[0] !== motif) continue
    yield { cells: Object.fromEntries(siteColumns.map((name, at) => [name, values[at] ?? ''])) as Cells }
  }
}

/** Sites on the genome; on the sequence itself where it was pasted. */
const placeOf = (cells: Cells): { sequence: string; start: string; end: string; strand: string } =>
  cells.genome_sequence === ''
    ? { sequence: cells.sequence_name, start: cells.start, end: cells.stop, strand: cells.strand }
    : {
        sequence: cells.genome_sequence,
        start: cells.genome_start,
        end: cells.genome_end,
        strand: cells.genome_strand,
      }

const renderers = {
  'sites.tsv': {
    summary: 'All sites: FIMO’s columns, then q over all motifs, gene, and the place from the start and on the genome',
    type: 'text/tab-separated-values',
    start: ({ head }: OpenSearch) => tableHead(head, siteColumns, 'tsv'),
    render: ({ cells }: { cells: Cells }) => tsvLine(siteColumns.map((name) => cells[name])),
  },
  'sites.gff3': {
    summary: 'All sites on the genome as GFF3 (TF_binding_site)',
    type: 'text/x-gff3',
    start: ({ head }: OpenSearch) => `##gff-version 3\n${commentLines(head)}`,
    render: ({ cells }: { cells: Cells }) => {
      const { sequence, start, end, strand } = placeOf(cells)
      const attributes = [
        ['Name', cells.motif_id],
        ['Alias', cells.motif_alt_id],
        ['gene', cells.gene],
        ['pvalue', cells['p-value']],
        ['qvalue', cells['q-value']],
        ['sequence', cells.matched_sequence],
      ].flatMap(([name, value]) => (value === '' ? [] : [`${name}=${escapeGff3Value(value!)}`]))
      return `${sequence}\tNovoDB\tTF_binding_site\t${start}\t${end}\t${cells.score}\t${strand}\t.\t${attributes.join(';')}\n`
    },
  },
  'sites.bed': {
    summary: 'All sites on the genome as BED6; the score is -10 log10 p, at most 1000',
    type: 'text/x-bed',
    start: ({ head }: OpenSearch) => commentLines(head),
    render: ({ cells }: { cells: Cells }) => {
      const { sequence, start, end, strand } = placeOf(cells)
      const score = Math.min(1000, Math.round(-10 * Math.log10(Number(cells['p-value']))))
      return formatLine([sequence, Number(start) - 1, end, cells.motif_id.replace(/\s+/g, '_'), score, strand])
    },
  },
} as const

const fileNames = Object.keys(renderers) as (keyof typeof renderers)[]

/** Lines sent at once. */
const batchLines = 1000

export const routes: ToolRoute[] = [
  answerEndpoint(listCollections, async (_, { data }) => ({ collections: await findCollections(data) })),
  ...fileNames.map((name) => {
    const { summary, type, start, render } = renderers[name]
    return defineRoute({
      path: `jobs/{job}/${name}`,
      summary,
      input: z.object({ job: jobIdSchema, motif: z.string().max(200).optional() }),
      handle: async ({ job, motif }, context) => {
        const search = await open(job, context)
        const body = async function* (): AsyncGenerator<string> {
          yield start(search)
          let batch: string[] = []
          for await (const site of readSites(search.directory, motif, context.signal)) {
            batch.push(render(site))
            if (batch.length < batchLines) continue
            yield batch.join('')
            batch = []
          }
          yield batch.join('')
        }
        return { body: body(), contentType: `${type}; charset=utf-8`, fileName: name }
      },
    })
  }),
  defineRoute({
    path: 'jobs/{job}/motifs.meme',
    summary: 'The motifs of the run in MEME’s minimal motif format',
    input: z.object({ job: jobIdSchema }),
    handle: async ({ job }, context) => {
      const { result } = await open(job, context)
      return { body: renderMotifFile(result), contentType: 'text/plain; charset=utf-8', fileName: 'motifs.meme' }
    },
  }),
]
