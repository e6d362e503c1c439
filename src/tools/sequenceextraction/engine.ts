import { z } from 'zod'
import { createNamer } from '../../bio/text/unique-names.ts'
import { fieldError, PortalError } from '../../contracts/errors.ts'
import { receiptNote } from '../../contracts/tools/receipt.ts'
import { type AskedGene, findAskedGenes, namedTranscript } from '../../kit/data/find-genes.ts'
import { openNeighbours } from '../../kit/data/gene-neighbours.ts'
import { type FindNeighbours, type LocatedRecord, locateRecords } from '../../kit/data/locate-records.ts'
import type { GenomeSequence, PortalData } from '../../kit/data/portal-data.ts'
import { minPromoterBp } from '../../kit/data/promoter-region.ts'
import { OtherRulesList } from '../../kit/data/promoter-rules.ts'
import { defineEngine, defineRoute, type ToolRouteAnswer, type ToolRouteContext } from '../../kit/engine.ts'
import { commentLines, formatLine, tsvLine } from '../../kit/write-table.ts'
import { locationWord, noteWord, readRecord, recordHeader, recordStrand } from './read-records.ts'
import tool, { type ExtractedRecord, type ExtractionProblem, extractionFields, limits } from './tool.ts'

const inputSchema = z.object(extractionFields)
type Input = z.output<typeof inputSchema>

/** Genes whose models are in memory at a time. */
const batchGenes = 500
/** Reads under way at a time: enough to keep the disk and the unpacking busy. */
const parallelReads = 32

interface Extraction {
  assembly: string
  sequences: Map<string, GenomeSequence>
  genes: AskedGene[]
  problems: ExtractionProblem[]
  refused: number
  findNeighbours: FindNeighbours
}

const openExtraction = async (input: Input, data: PortalData): Promise<Extraction> => {
  const { id: assembly } = await data.getAssembly(input.assembly)
  if (input.part === 'upstream' && input.upstreamBp + input.insideBp === 0) {
    throw fieldError(['upstreamBp'], 'problem.no-flank')
  }
  if (input.part === 'downstream' && input.downstreamBp + input.insideBp === 0) {
    throw fieldError(['downstreamBp'], 'problem.no-flank')
  }
  if (input.part === 'flanked' && input.upstreamBp + input.downstreamBp === 0) {
    throw fieldError(['upstreamBp'], 'problem.no-flank')
  }
  const [listed, asked] = await Promise.all([data.listSequences(assembly), findAskedGenes(input.genes, assembly, data)])
  const sequences = new Map(listed.map((sequence) => [sequence.name, sequence]))
  return {
    assembly,
    sequences,
    ...asked,
    findNeighbours: input.clip ? await openNeighbours(data, assembly, sequences) : () => [],
  }
}

/** Records gene by gene in the order typed; genes that give none go to `onProblem`. Each batch is located, not yet read. */
async function* locateAll(
  extraction: Extraction,
  input: Input,
  data: PortalData,
  signal: AbortSignal,
  onProblem: (problem: ExtractionProblem) => void,
): AsyncGenerator<{ records: { name: string; record: LocatedRecord }[]; done: number }> {
  const nameOf = createNamer()
  const seen = new Set<string>()
  for (let from = 0; from < extraction.genes.length; from += batchGenes) {
    signal.throwIfAborted()
    const batch = extraction.genes.slice(from, from + batchGenes)
    const models = new Map(
      (await data.getGenes(extraction.assembly, [...new Set(batch.map((asked) => asked.id))])).map((gene) => [
        gene.id,
        gene,
      ]),
    )
    const records: { name: string; record: LocatedRecord }[] = []
    for (const { query, id } of batch) {
      const gene = models.get(id)
      const sequence = gene && extraction.sequences.get(gene.sequence)
      if (gene === undefined || sequence === undefined) {
        onProblem({ query, id: 'reason.unknown', params: { assembly: extraction.assembly } })
        continue
      }
      const only = namedTranscript(query, gene)
      const key = `${id}\t${only ?? ''}`
      if (seen.has(key)) {
        onProblem({ query, id: 'reason.repeated', params: { gene: id } })
        continue
      }
      seen.add(key)
      const located = locateRecords(gene, only, sequence, input, extraction.findNeighbours)
      for (const record of located.records) records.push({ name: nameOf(record.name), record })
      if (located.reason !== null) onProblem({ query, ...located.reason })
    }
    yield { records, done: from + batch.length }
  }
}

/** Reads with several requests under way, in order. */
async function* readAll<Item, Read>(items: readonly Item[], read: (item: Item) => Promise<Read>): AsyncGenerator<Read> {
  for (let from = 0; from < items.length; from += parallelReads) {
    yield* await Promise.all(items.slice(from, from + parallelReads).map(read))
  }
}

const wrapLines = (residues: string, width: number): string => {
  if (width === 0 || residues.length <= width) return residues
  const lines: string[] = []
  for (let from = 0; from < residues.length; from += width) lines.push(residues.slice(from, from + width))
  return lines.join('\n')
}

const refuseUnknown = (extraction: Extraction, skipInvalid: boolean): void => {
  if (extraction.genes.length > 0 && (skipInvalid || extraction.refused === 0)) return
  const first = extraction.problems[0]
  throw new PortalError('UNKNOWN_GENE', {
    message: 'problem.unknown-genes',
    params: { count: extraction.refused, first: first?.query ?? '', assembly: extraction.assembly },
    problems: extraction.problems.slice(0, 50).map(({ query, id, params }) => ({
      path: ['genes'],
      message: id === 'reason.ambiguous' ? 'problem.ambiguous-gene' : 'problem.unknown-gene',
      params: { ...params, query },
    })),
  })
}

/** Truth values of an address are words. */
const truth = z.union([z.boolean(), z.enum(['true', 'false']).transform((text) => text === 'true')]).default(false)

const routeInput = z.object({
  ...extractionFields,
  clip: truth,
  keepStop: truth,
  /** Leave out names that are unknown or ambiguous instead of refusing the whole. */
  skipInvalid: truth,
})
type RouteInput = z.output<typeof routeInput>

async function* renderFasta(
  extraction: Extraction,
  input: RouteInput,
  context: ToolRouteContext,
): AsyncGenerator<string> {
  const { data, signal } = context
  const { assembly, sequences } = extraction
  const note = receiptNote(await receiptLinesOf(extraction, input, context))
  for await (const { records } of locateAll(extraction, input, data, signal, () => undefined)) {
    const rendered = readAll(records, async ({ name, record }) => {
      const { residues, notes } = await readRecord(data, assembly, sequences.get(record.gene.sequence)!, record, input)
      const header = recordHeader(name, assembly, record, input, { length: residues.length, notes })
      return `>${header} ${note}\n${wrapLines(residues, input.lineWidth)}\n`
    })
    for await (const text of rendered) {
      signal.throwIfAborted()
      yield text
    }
  }
}

/** How the records were made; in the receipt and at the head of files that have room for it. */
const methodOf = (input: {
  part: string
  transcripts: string
  clip: boolean
}): { program: string; version: string; formula: string } => ({
  program: 'NovoDB sequence extraction',
  version: String(tool.version),
  formula: [
    'spliced in reading order from the gene models; coordinates 1-based, inclusive',
    ...(input.transcripts === 'longest' ? ['transcript: longest CDS, then longest cDNA, then id'] : []),
    ...(input.part === 'protein' ? ['translated by the NCBI genetic code of each sequence, first codon as start'] : []),
    ...(input.clip
      ? [
          `flanks end at the nearest gene on either strand; an upstream one of fewer than ${minPromoterBp} bases is taken from the start codon to the neighbour's coding sequence, else (bacteria, archaea, plastids) before the first gene of the operon, else into the neighbour`,
        ]
      : []),
  ].join('; '),
})

const receiptLinesOf = (
  extraction: Extraction,
  input: RouteInput,
  { describeReceipt }: ToolRouteContext,
): Promise<string[]> =>
  describeReceipt({ parameters: input, assemblies: [extraction.assembly], steps: [methodOf(input)] })

const receiptHead = async (extraction: Extraction, input: RouteInput, context: ToolRouteContext): Promise<string> =>
  commentLines(await receiptLinesOf(extraction, input, context))

/** BED6 of every interval, named after its record; score 0 because there is none. */
async function* renderBed(
  extraction: Extraction,
  input: RouteInput,
  context: ToolRouteContext,
): AsyncGenerator<string> {
  const { data, signal } = context
  yield await receiptHead(extraction, input, context)
  for await (const { records } of locateAll(extraction, input, data, signal, () => undefined)) {
    yield records
      .flatMap(({ name, record }) =>
        record.pieces.map(({ start1, end1, strand }) =>
          formatLine([record.gene.sequence, start1 - 1, end1, name, 0, record.gene.strand === '.' ? '.' : strand]),
        ),
      )
      .join('')
  }
}

/** A protein is measured in residues (aa), like its FASTA header; all else in bases. */
const tableColumns = (part: Input['part']): string[] => [
  ...'name query gene symbol transcript assembly sequence location strand'.split(' '),
  part === 'protein' ? 'length_aa' : 'length_bp',
  'notes',
]

/** One line a record, then one for each name that gave none, with the reason. */
async function* renderTable(
  extraction: Extraction,
  input: RouteInput,
  context: ToolRouteContext,
): AsyncGenerator<string> {
  const { data, signal } = context
  const problems = [...extraction.problems]
  yield await receiptHead(extraction, input, context)
  yield tsvLine(tableColumns(input.part))
  const queries = new Map(extraction.genes.map(({ id, query }) => [id, query]))
  for await (const { records } of locateAll(extraction, input, data, signal, (problem) => problems.push(problem))) {
    const lines = readAll(records, async ({ name, record }) => {
      const { gene, transcript } = record
      // How many residues a protein has is known when it is translated: its stop codon is left out or kept, its phase may cut bases.
      const protein =
        input.part === 'protein'
          ? await readRecord(data, extraction.assembly, extraction.sequences.get(gene.sequence)!, record, input)
          : null
      return tsvLine([
        name,
        queries.get(gene.id) ?? '',
        gene.id,
        gene.symbol ?? '',
        transcript?.id ?? '',
        extraction.assembly,
        gene.sequence,
        locationWord(record),
        recordStrand(record) ?? gene.strand,
        protein?.residues.length ?? record.lengthBp,
        (protein?.notes ?? record.notes).map(noteWord).join(';'),
      ])
    })
    for await (const line of lines) {
      signal.throwIfAborted()
      yield line
    }
  }
  yield problems
    .map((problem) => tsvLine(['', problem.query, '', '', '', extraction.assembly, '', '', '', '', noteWord(problem)]))
    .join('')
}

const exportRoutes = (
  [
    ['fasta', 'The sequences as FASTA, streamed', 'text/x-fasta', 'fa', renderFasta],
    ['bed', 'Where the sequences lie, as BED', 'text/x-bed', 'bed', renderBed],
    [
      'table',
      'One line a sequence and one for each name that gave none, tab-separated',
      'text/tab-separated-values',
      'tsv',
      renderTable,
    ],
  ] as const
).flatMap(([path, summary, type, ending, render]) => {
  const handle = async (input: RouteInput, context: ToolRouteContext): Promise<ToolRouteAnswer> => {
    const extraction = await openExtraction(input, context.data)
    refuseUnknown(extraction, input.skipInvalid || path === 'table')
    return {
      body: render(extraction, input, context),
      contentType: `${type}; charset=utf-8`,
      fileName: `${extraction.assembly}.${extraction.genes.length}-genes.${input.part}.${ending}`,
    }
  }
  return [
    defineRoute({ path, summary, input: routeInput, handle }),
    defineRoute({ method: 'POST', path, summary, input: routeInput, handle }),
  ]
})

export default defineEngine({
  tool,
  programs: [],
  run: async (input, { data, signal, progress, receipt }) => {
    const extraction = await openExtraction(input, data)
    const { assembly, sequences } = extraction
    refuseUnknown(extraction, true)
    const problems = [...extraction.problems]
    const records: ExtractedRecord[] = []
    let recordCount = 0
    let totalBp = 0
    let notedCount = 0
    let shownBp = 0
    const otherRules = new OtherRulesList()
    for await (const located of locateAll(extraction, input, data, signal, (problem) => problems.push(problem))) {
      recordCount += located.records.length
      for (const { record } of located.records) {
        totalBp += record.lengthBp
        if (record.notes.length > 0) notedCount++
        otherRules.add(record)
      }
      const shown = located.records.slice(0, Math.max(0, limits.shownRecords - records.length))
      // What does not fit is listed without its residues; the FASTA route reads it.
      let plannedBp = shownBp
      const planned = shown.map((item) => {
        const reads = plannedBp + item.record.lengthBp <= limits.shownBp
        if (reads) plannedBp += item.record.lengthBp
        return { ...item, reads }
      })
      const read = readAll(planned, async ({ name, record, reads }): Promise<ExtractedRecord> => {
        const sequence = sequences.get(record.gene.sequence)!
        const { residues, notes } = reads
          ? await readRecord(data, assembly, sequence, record, input)
          : { residues: null, notes: record.notes }
        const length =
          residues?.length ?? (input.part === 'protein' ? Math.floor(record.lengthBp / 3) : record.lengthBp)
        return {
          name,
          gene: record.gene.id,
          symbol: record.gene.symbol,
          transcript: record.transcript?.id ?? null,
          sequence: record.gene.sequence,
          strand: recordStrand(record) ?? record.gene.strand,
          intervals: record.pieces.map(({ start1, end1, strand }) => ({
            start: start1,
            end: end1,
            ...(recordStrand(record) === null ? { strand } : {}),
          })),
          length,
          header: recordHeader(name, assembly, record, input, { length, notes }),
          residues,
          notes,
        }
      })
      for await (const record of read) records.push(record)
      shownBp = plannedBp
      progress(located.done / Math.max(1, extraction.genes.length))
    }
    receipt.addData(assembly)
    receipt.addStep(methodOf(input))
    return {
      assembly,
      geneCount: new Set(extraction.genes.map((gene) => gene.id)).size,
      recordCount,
      totalBp,
      notedCount,
      otherRules: otherRules.get(),
      records,
      problems,
    }
  },
  routes: exportRoutes,
})
