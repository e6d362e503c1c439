import { z } from 'zod'
import { createNamer } from '../../bio/text/unique-names.ts'
import { fieldError, PortalError } from '../../contracts/errors.ts'
import { type AskedGene, findAskedGenes, namedTranscript } from '../../kit/data/genes/find-genes.ts'
import { openNeighbours } from '../../kit/data/genes/gene-neighbours.ts'
import { type FindNeighbours, type LocatedRecord, locateRecords } from '../../kit/data/genes/locate-records.ts'
import { minPromoterBp } from '../../kit/data/genes/promoter-region.ts'
import type { GenomeSequence, PortalData } from '../../kit/data/portal-data.ts'
import tool, { type ExtractionProblem, extractionFields } from './tool.ts'

const inputSchema = z.object(extractionFields)

export type Input = z.output<typeof inputSchema>

/** Genes whose models are in memory at a time. */
const batchGenes = 500

/** Reads under way at a time: enough to keep the disk and the unpacking busy. */
const parallelReads = 32

export interface Extraction {
  assembly: string
  sequences: Map<string, GenomeSequence>
  genes: AskedGene[]
  problems: ExtractionProblem[]
  refused: number
  findNeighbours: FindNeighbours
}

export const openExtraction = async (input: Input, data: PortalData): Promise<Extraction> => {
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
export async function* locateAll(
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
export async function* readAll<Item, Read>(
  items: readonly Item[],
  read: (item: Item) => Promise<Read>,
): AsyncGenerator<Read> {
  for (let from = 0; from < items.length; from += parallelReads) {
    yield* await Promise.all(items.slice(from, from + parallelReads).map(read))
  }
}

export const refuseUnknown = (extraction: Extraction, skipInvalid: boolean): void => {
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

/** How the records were made; in the receipt and at the head of files that have room for it. */
export const methodOf = (input: {
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
