import { z } from 'zod'
import { receiptNote } from '../../contracts/tools/receipt.ts'
import { defineEngine, defineRoute, type ToolRouteAnswer, type ToolRouteContext } from '../../kit/engine.ts'
import { addComposition, type Composition, fastaHeader, fetchRegion, renderRegions } from './fetch-region.ts'
import { batchError, findRegions } from './find-regions.ts'
import tool, { type FetchedRecord, limits, lineWidthSchema, regionFields } from './tool.ts'

/** Composition is counted up to this many bases together; beyond it the answer would no longer come at once. */
const countedBp = 20_000_000

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

export default defineEngine({
  tool,
  programs: [],
  run: async (input, { data, signal, progress, receipt }) => {
    const { id } = await data.getAssembly(input.assembly)
    const { regions, bad } = await findRegions({ ...input, assembly: id }, data)
    const totalBp = regions.reduce((sum, region) => sum + region.end1 - region.start1 + 1, 0)
    const counting = totalBp <= countedBp
    let shownBp = 0
    const records: FetchedRecord[] = []
    for (const [number, region] of regions.entries()) {
      signal.throwIfAborted()
      const counts: Composition = { strongBp: 0, weakBp: 0, unknownBp: 0, maskedBp: 0 }
      const pieces: string[] = []
      const budgetBp = limits.shownBp - shownBp
      let keptBp = 0
      if (counting || budgetBp > 0) {
        for await (const piece of fetchRegion(data, id, region)) {
          signal.throwIfAborted()
          if (counting) addComposition(counts, piece)
          if (keptBp < budgetBp) {
            const kept = piece.slice(0, budgetBp - keptBp)
            pieces.push(kept)
            keptBp += kept.length
          } else if (!counting) break
        }
      }
      shownBp += keptBp
      const annotated = input.annotate && number < limits.annotatedRegions
      const genes = annotated
        ? await data.listGenesInRegion(id, region.sequence, region.start1, region.end1, limits.genesARegion + 1)
        : null
      const known = counts.strongBp + counts.weakBp
      records.push({
        line: region.line,
        name: region.name,
        sequence: region.sequence,
        start: region.start1,
        end: region.end1,
        strand: region.strand,
        lengthBp: region.end1 - region.start1 + 1,
        gcFraction: counting && known > 0 ? counts.strongBp / known : null,
        unknownBp: counting ? counts.unknownBp : null,
        maskedBp: counting ? counts.maskedBp : null,
        header: fastaHeader(id, region),
        residues: keptBp > 0 ? pieces.join('') : null,
        notes: region.notes,
        genes: genes?.slice(0, limits.genesARegion) ?? null,
        genesTruncated: (genes?.length ?? 0) > limits.genesARegion,
      })
      if (number % 100 === 0) progress(number / regions.length)
    }
    receipt.addData(id)
    receipt.addStep({
      program: 'NovoDB sequence fetch',
      version: String(tool.version),
      formula:
        'bases start..end (1-based, inclusive) of the assembly, case kept; start > end: reverse complement by the IUPAC nucleotide code',
    })
    receipt.cite({
      text: 'Cornish-Bowden A. Nomenclature for incompletely specified bases in nucleic acid sequences. Nucleic Acids Res 13:3021-3030 (1985)',
      doi: '10.1093/nar/13.9.3021',
    })
    return {
      assembly: id,
      records,
      totalBp,
      shownBp,
      problems: bad,
      annotatedAll: !input.annotate || regions.length <= limits.annotatedRegions,
    }
  },
  routes: [
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
  ],
})
