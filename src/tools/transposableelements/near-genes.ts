import type { z } from 'zod'
import { transposonClasses } from '../../bio/repeats/transposon-classes.ts'
import { fieldError } from '../../contracts/errors.ts'
import type { CatalogueGene, PortalData } from '../../kit/data/portal-data.ts'
import { type GeneElement as GeneElementRow, listElementsOfGenes } from './element-rows.ts'
import { requireSummary, showElement } from './elements.ts'
import tool, { type GeneElement, limits, type TransposonResult } from './tool.ts'

type Input = z.output<(typeof tool)['input']>

/** Codes of these orders; none for no orders. */
export const codesOfOrders = (orders: readonly string[]): string[] =>
  orders.length === 0 ? [] : transposonClasses.filter(({ order }) => orders.includes(order)).map(({ code }) => code)

const overlaps = (parts: readonly (readonly [number, number, ...unknown[]])[], start: number, end: number): boolean =>
  parts.some(([from, to]) => from <= end && to >= start)

/**
 * How an element lies to a gene: `inside` when the gene lies within it; `coding`, `exon`, `intron` by what of any transcript it touches;
 * else up- or downstream as the gene reads.
 */
export const relate = (
  gene: Pick<CatalogueGene, 'start' | 'end' | 'strand' | 'transcripts'>,
  element: { start: number; end: number },
): Pick<GeneElement, 'relation' | 'distanceBp' | 'overlapBp'> => {
  const overlapBp = Math.max(0, Math.min(gene.end, element.end) - Math.max(gene.start, element.start) + 1)
  if (overlapBp === 0) {
    const before = element.end < gene.start
    const distanceBp = before ? gene.start - element.end - 1 : element.start - gene.end - 1
    return { relation: before === (gene.strand !== '-') ? 'upstream' : 'downstream', distanceBp, overlapBp }
  }
  const all = { distanceBp: 0, overlapBp }
  if (element.start <= gene.start && element.end >= gene.end) return { relation: 'inside', ...all }
  if (gene.transcripts.some(({ cds }) => overlaps(cds, element.start, element.end)))
    return { relation: 'coding', ...all }
  // A gene whose parts are not known is taken as one exon.
  if (
    gene.transcripts.length === 0 ||
    gene.transcripts.some(({ exons }) => overlaps(exons, element.start, element.end))
  )
    return { relation: 'exon', ...all }
  return { relation: 'intron', ...all }
}

const batchGenes = 2000

/** Rows with their genes, in the order of the rows; genes across the origin of a circular sequence by what lies before it. */
export const describePairs = async (
  rows: readonly GeneElementRow[],
  assembly: string,
  data: PortalData,
): Promise<GeneElement[]> => {
  const ids = [...new Set(rows.map(({ gene }) => gene))]
  const genes = new Map<string, CatalogueGene>()
  for (let from = 0; from < ids.length; from += batchGenes)
    for (const gene of await data.getGenes(assembly, ids.slice(from, from + batchGenes))) genes.set(gene.id, gene)
  return rows.flatMap((row): GeneElement[] => {
    const gene = genes.get(row.gene)
    if (gene === undefined) return []
    const element = showElement(assembly, row)
    const { id, symbol, description, biotype, sequence, start, end, strand } = gene
    return [
      {
        gene: { assembly, id, symbol, description, biotype, sequence, start, end, strand },
        element,
        ...relate(gene, element),
      },
    ]
  })
}

/** Elements in and near genes: those asked for, or all. */
export const findNearGenes = async (input: Input, data: PortalData): Promise<NonNullable<TransposonResult['near']>> => {
  const assembly = await data.getAssembly(input.assembly ?? (await data.defaultAssembly())?.id ?? '')
  const summary = await requireSummary(data, assembly.id)
  let ids: string[] | null = null
  let unknown: string[] = []
  let ambiguous: string[] = []
  if (input.genes !== undefined && input.genes.length > 0) {
    const resolved = await data.resolveGenes(input.genes, assembly.id)
    ids = [
      ...new Set([
        ...resolved.found.map(({ gene }) => gene.id),
        ...resolved.ambiguous.flatMap(({ genes }) => genes.map(({ id }) => id)),
      ]),
    ]
    unknown = resolved.unknown
    ambiguous = resolved.ambiguous.map(({ query }) => query)
    if (ids.length === 0) throw fieldError(['genes'], 'problem.noSuchGene', { names: unknown.slice(0, 5).join(', ') })
  }
  const codes = codesOfOrders(input.orders)
  const rows = await listElementsOfGenes(
    data.sql,
    await data.bundleNumber(assembly.id),
    ids,
    { codes, forms: [] },
    { flankBp: input.flankBp, longestBp: summary.longestBp, limit: limits.rows + 1 },
  )
  const cut = rows.length > limits.rows
  const shown = await describePairs(cut ? rows.slice(0, limits.rows) : rows, assembly.id, data)
  return {
    assembly: assembly.id,
    rows: shown,
    cut,
    geneCount: new Set(shown.map(({ gene }) => gene.id)).size,
    elementCount: new Set(shown.map(({ element }) => element.id)).size,
    statedRate: summary.rate,
    asked: ids?.length ?? null,
    unknown,
    ambiguous,
  }
}
