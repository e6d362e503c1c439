import { z } from 'zod'
import { placeInterval } from '../../bio/annotation/gene-geometry.ts'
import { geneGff3Lines } from '../../bio/annotation/gene-gff3.ts'
import { PortalError } from '../../contracts/errors.ts'
import type { GenomeSequence } from '../../kit/data/portal-data.ts'
import { defineRoute, type ToolRoute, type ToolRouteContext } from '../../kit/engine.ts'
import { commentLines, formatLine, rowLine, tableHead } from '../../kit/write-table.ts'
import { prepare, type SearchInput, searchSchema, searchStep } from './open-search.ts'
import type { Prepared, SearchedBundle } from './search-conditions.ts'
import { addComparisons } from './search-expression.ts'
import { countGenes, describeGenes, listGeneIds, listSearchedBundles, streamGenes } from './search-genes.ts'
import { listOptions, suggestTerms } from './search-options.ts'
import { type FoundGene, limits } from './tool.ts'

/** Columns of an exported table; all of them, chosen or not, so that nothing is lost on the way. */
const exportColumns: { name: string; value: (gene: FoundGene) => string | number | null }[] = [
  { name: 'assembly', value: (gene) => gene.assembly },
  { name: 'id', value: (gene) => gene.id },
  { name: 'symbol', value: (gene) => gene.symbol },
  { name: 'name', value: (gene) => gene.name },
  { name: 'description', value: (gene) => gene.description },
  { name: 'aliases', value: (gene) => gene.aliases.join(';') },
  { name: 'biotype', value: (gene) => gene.biotype },
  { name: 'sequence', value: (gene) => gene.sequence },
  { name: 'start', value: (gene) => gene.start },
  { name: 'end', value: (gene) => gene.end },
  { name: 'strand', value: (gene) => gene.strand },
  { name: 'length_bp', value: (gene) => gene.lengthBp },
  { name: 'protein_length', value: (gene) => gene.proteinLength },
  { name: 'exons', value: (gene) => gene.exonCount },
  { name: 'transcripts', value: (gene) => gene.transcriptCount },
]

/** Of each comparison, as the tables of the programs have them. */
const changeColumns = [
  ['log2FoldChange', 'log2FoldChange'],
  ['pvalue', 'pValue'],
  ['padj', 'adjustedPValue'],
] as const

const termsText = (gene: FoundGene, source: string): string =>
  (gene.terms[source] ?? []).map(({ term, name }) => (name === null ? term : `${term} ${name}`)).join(';')

const formats = {
  tsv: 'text/tab-separated-values',
  csv: 'text/csv',
  bed: 'text/x-bed',
  gff3: 'text/x-gff3',
  json: 'application/json',
} as const

type Format = keyof typeof formats

/** All genes found, an assembly after another, in batches. */
async function* readAll(
  input: SearchInput,
  { data, signal }: ToolRouteContext,
  bundles: SearchedBundle[],
  prepared: Prepared,
): AsyncGenerator<FoundGene[]> {
  for (const bundle of bundles) {
    for await (const rows of streamGenes(data.sql, bundle, prepared)) {
      signal.throwIfAborted()
      const genes = await describeGenes(data.sql, [bundle], rows, input.annotations)
      yield await addComparisons(data, genes, input.comparisons)
    }
  }
}

/** The genes in a file of the format, its receipt at the head (JSON: beside the genes). */
async function* renderFile(
  input: SearchInput & { format: Format },
  context: ToolRouteContext,
  bundles: SearchedBundle[],
  prepared: Prepared,
): AsyncGenerator<string> {
  const { format } = input
  const receipt = await context.describeReceipt({
    parameters: {
      assemblies: input.assemblies,
      groups: input.groups,
      annotations: input.annotations,
      comparisons: input.comparisons,
    },
    assemblies: bundles.map((bundle) => bundle.assembly),
    steps: [searchStep],
  })
  const batches = readAll(input, context, bundles, prepared)
  if (format === 'json') {
    yield `{"receipt":${JSON.stringify(receipt)},"readings":${JSON.stringify(prepared.readings)},"genes":[`
    let separator = '\n'
    for await (const genes of batches)
      for (const gene of genes) {
        yield separator + JSON.stringify(gene)
        separator = ',\n'
      }
    yield '\n]}\n'
    return
  }
  if (format === 'gff3') yield '##gff-version 3\n'
  if (format === 'tsv' || format === 'csv') {
    const write = rowLine[format]
    const headings = [
      ...exportColumns.map((column) => column.name),
      ...input.annotations,
      ...input.comparisons.flatMap((key) => changeColumns.map(([name]) => `${key} ${name}`)),
    ]
    yield tableHead(receipt, headings, format)
    for await (const genes of batches)
      yield genes
        .map((gene) =>
          write([
            ...exportColumns.map((column) => column.value(gene)),
            ...input.annotations.map((source) => termsText(gene, source)),
            ...input.comparisons.flatMap((key) =>
              changeColumns.map(([, column]) => gene.comparisons[key]?.[column] ?? null),
            ),
          ]),
        )
        .join('')
    return
  }
  const sequences = new Map<string, GenomeSequence>()
  const sequenceOf = async (gene: { assembly: string; sequence: string }): Promise<GenomeSequence> => {
    const key = `${gene.assembly}\t${gene.sequence}`
    const known = sequences.get(key) ?? (await context.data.getSequence(gene.assembly, gene.sequence))
    sequences.set(key, known)
    return known
  }
  yield commentLines(receipt)
  for await (const genes of batches) {
    if (format === 'bed') {
      // BED6; 0 because a gene found has no score.
      const lines: string[] = []
      for (const gene of genes) {
        // A place beyond the end is none to bedtools and the UCSC browser: a gene over the origin is given in its two parts.
        const { pieces } = placeInterval({ start1: gene.start, end1: gene.end }, await sequenceOf(gene))
        for (const { start1, end1 } of pieces)
          lines.push(formatLine([gene.sequence, start1 - 1, end1, gene.id, 0, gene.strand]))
      }
      yield lines.join('')
      continue
    }
    const assembly = genes[0]?.assembly
    if (assembly === undefined) continue
    const models = await context.data.getGenes(
      assembly,
      genes.map((gene) => gene.id),
    )
    const lines: string[] = []
    for (const gene of models)
      lines.push(
        ...geneGff3Lines(
          {
            ...gene,
            sequenceName: gene.sequence,
            start1: gene.start,
            end1: gene.end,
            transcripts: gene.transcripts.map((transcript) => ({
              ...transcript,
              start1: transcript.start,
              end1: transcript.end,
              exons: transcript.exons.map(([start1, end1]) => ({ start1, end1 })),
              cds: transcript.cds.map(([start1, end1, phase]) => ({ start1, end1, phase })),
              readingOrder: transcript.readingOrder?.map(([start1, end1, strand]) => ({ start1, end1, strand })),
            })),
          },
          (await sequenceOf({ assembly, sequence: gene.sequence })).lengthBp,
        ),
      )
    yield lines.map((line) => `${line}\n`).join('')
  }
}

const scopeInput = z.object({
  /** Names of assemblies with commas between; all when absent. */
  assemblies: z
    .string()
    .max(20_000)
    .default('')
    .transform((text) => text.split(',').filter((one) => one !== '')),
})

export const routes: ToolRoute[] = [
  defineRoute({
    method: 'POST',
    path: 'table',
    summary:
      'All genes found, as TSV, CSV, BED, GFF3 (with transcripts, exons and CDS) or JSON, streamed, with the receipt',
    input: searchSchema.extend({ format: z.enum(['tsv', 'csv', 'bed', 'gff3', 'json']).default('tsv') }),
    handle: async (input, context) => {
      const { bundles, prepared } = await prepare(input, context.data)
      // The places of several assemblies in one file would be mistaken for each other's.
      if (bundles.length > 1 && (input.format === 'bed' || input.format === 'gff3'))
        throw new PortalError('INVALID_INPUT', {
          message: 'problem.one-assembly',
          problems: [{ path: ['assemblies'], message: 'problem.one-assembly' }],
        })
      return {
        body: renderFile(input, context, bundles, prepared),
        contentType: `${formats[input.format]}; charset=utf-8`,
        fileName: `${bundles.length === 1 ? bundles[0]!.assembly : 'all'}.genes.${input.format}`,
      }
    },
  }),
  defineRoute({
    method: 'POST',
    path: 'ids/',
    summary: 'Ids of the genes found in one assembly, to make a gene set of',
    input: searchSchema.omit({ assemblies: true }).extend({ assembly: z.string().min(1).max(64) }),
    handle: async (input, { data }) => {
      const { bundles, prepared } = await prepare({ ...input, assemblies: [input.assembly] }, data)
      const bundle = bundles[0]!
      const [genes, counts] = await Promise.all([
        listGeneIds(data.sql, bundle, prepared, limits.setGenes),
        countGenes(data.sql, bundles, prepared),
      ])
      return { json: { assembly: bundle.assembly, genes, total: counts.get(bundle.bundle) ?? 0 } }
    },
  }),
  defineRoute({
    path: 'options/',
    summary: 'Types of genes, vocabularies of terms and data sets of expression to choose from',
    input: scopeInput,
    handle: async (input, { data }) => ({
      json: await listOptions(data, await listSearchedBundles(input.assemblies, data)),
    }),
  }),
  defineRoute({
    path: 'terms/',
    summary: 'Terms whose id begins with, or whose name has, what is typed',
    input: scopeInput.extend({ q: z.string().max(200), source: z.string().max(60).default('') }),
    handle: async (input, { data }) => ({
      json: await suggestTerms(data, await listSearchedBundles(input.assemblies, data), input.q, input.source),
    }),
  }),
]
