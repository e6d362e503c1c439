import { z } from 'zod'
import { receiptNote } from '../../contracts/tools/receipt.ts'
import { defineRoute, type ToolRoute, type ToolRouteAnswer, type ToolRouteContext } from '../../kit/engine.ts'
import { commentLines, formatLine, tsvLine } from '../../kit/write-table.ts'
import {
  type Extraction,
  type Input,
  locateAll,
  methodOf,
  openExtraction,
  readAll,
  refuseUnknown,
} from './open-extraction.ts'
import { locationWord, noteWord, readRecord, recordHeader, recordStrand } from './read-records.ts'
import { extractionFields } from './tool.ts'

const wrapLines = (residues: string, width: number): string => {
  if (width === 0 || residues.length <= width) return residues
  const lines: string[] = []
  for (let from = 0; from < residues.length; from += width) lines.push(residues.slice(from, from + width))
  return lines.join('\n')
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

export const routes: ToolRoute[] = exportRoutes
