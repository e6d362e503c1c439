import { z } from 'zod'
import { receiptNote } from '../../contracts/tools/receipt.ts'
import { defineRoute, type ToolRoute, type ToolRouteAnswer, type ToolRouteContext } from '../../kit/engine.ts'
import { renderRegions } from './fetch-region.ts'
import { batchError, findRegions } from './find-regions.ts'
import tool, { lineWidthSchema, regionFields } from './tool.ts'

const fastaInput = z.object({
  ...regionFields,
  lineWidth: lineWidthSchema,
  /** Leave out wrong lines of a batch instead of refusing it. */
  skipInvalid: z.union([z.boolean(), z.enum(['true', 'false']).transform((text) => text === 'true')]).default(false),
})

const streamFasta = async (
  input: z.output<typeof fastaInput>,
  { data, signal, describeReceipt }: ToolRouteContext,
): Promise<ToolRouteAnswer> => {
  const { id } = await data.getAssembly(input.assembly)
  const { regions, bad } = await findRegions({ ...input, assembly: id }, data)
  if (bad.length > 0 && !input.skipInvalid) throw batchError(bad)
  const { skipInvalid: _, ...parameters } = input
  const head = await describeReceipt({
    parameters,
    assemblies: [id],
    steps: [{ program: 'NovoDB sequence fetch', version: String(tool.version) }],
  })
  const only = regions.length === 1 ? regions[0] : undefined
  return {
    body: renderRegions(data, id, regions, { lineWidth: input.lineWidth, note: receiptNote(head) }, signal),
    contentType: 'text/x-fasta; charset=utf-8',
    fileName: only ? `${id}.${only.sequence}.${only.start1}-${only.end1}.fa` : `${id}.${regions.length}-regions.fa`,
  }
}

export const routes: ToolRoute[] = [
  defineRoute({
    path: 'fasta',
    summary: 'The regions as FASTA, streamed: sequence, start and end, or a batch in regions',
    input: fastaInput,
    handle: streamFasta,
  }),
  defineRoute({
    method: 'POST',
    path: 'fasta',
    summary: 'The same for batches that are too long for an address',
    input: fastaInput,
    handle: streamFasta,
  }),
]
