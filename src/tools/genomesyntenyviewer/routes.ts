import { median } from '../../bio/statistics/quantile.ts'
import { PortalError } from '../../contracts/errors.ts'
import type { GeneTable } from '../../kit/data/collinear-blocks.ts'
import type { ToolRoute, ToolRouteContext } from '../../kit/engine.ts'
import { answerEndpoint } from '../../kit/tool-endpoint.ts'
import { type BlockDetail, type GenePairs, getBlock, getGenePairs, type PairRow } from './endpoints.ts'
import { measurePairs } from './measure-pairs.ts'
import { openBlocks, readGenes } from './open-blocks.ts'
import { limits } from './tool.ts'

const withoutGroups = ({ group: _, ...genes }: GeneTable): GenePairs['genesA'] => genes

const listPairs = async (
  { first, second }: { first: string; second: string },
  { data }: ToolRouteContext,
): Promise<GenePairs> => {
  for (const assembly of [first, second]) await data.getAssembly(assembly)
  const blocks = await openBlocks(data)
  const [genesA, genesB] = [await readGenes(blocks, first), await readGenes(blocks, second)]
  const pairs: Pick<GenePairs, 'block' | 'a' | 'b'> = { block: [], a: [], b: [] }
  for (const [number, { a, b }] of ((await blocks.between(first, second))?.blocks ?? []).entries())
    for (const [at, gene] of a.entries()) {
      pairs.block.push(number)
      pairs.a.push(gene)
      pairs.b.push(b[at]!)
    }
  return { genesA: withoutGroups(genesA), genesB: withoutGroups(genesB), ...pairs }
}

/** Four decimals; null where there is no value. */
const four = (value: number | null): number | null =>
  value === null || Number.isNaN(value) ? null : Number(value.toFixed(4))

const describeBlock = async (
  { first, second, number }: { first: string; second: string; number: number },
  { data, signal }: ToolRouteContext,
): Promise<BlockDetail> => {
  for (const assembly of [first, second]) await data.getAssembly(assembly)
  const blocks = await openBlocks(data)
  const block = (await blocks.between(first, second))?.blocks[number]
  if (block === undefined) throw new PortalError('NOT_FOUND', { message: 'problem.noBlock' })
  const [genesA, genesB] = [await readGenes(blocks, first), await readGenes(blocks, second)]
  const a = block.a.slice(0, limits.pairs)
  const b = block.b.slice(0, limits.pairs)
  const tables = new Map([
    [first, genesA],
    [second, genesB],
  ])
  const [measured = []] = await measurePairs([{ first, second, a, b }], tables, data, signal)
  const rows = a.map((geneA, at): PairRow => {
    const geneB = b[at]!
    const counts = measured[at] ?? null
    return {
      geneA: genesA.id[geneA]!,
      symbolA: genesA.symbol[geneA]!,
      startA: genesA.start[geneA]!,
      endA: genesA.end[geneA]!,
      strandA: genesA.strand[geneA]!,
      geneB: genesB.id[geneB]!,
      symbolB: genesB.symbol[geneB]!,
      startB: genesB.start[geneB]!,
      endB: genesB.end[geneB]!,
      strandB: genesB.strand[geneB]!,
      codons: counts?.codons ?? null,
      ka: four(counts?.ka ?? null),
      ks: four(counts?.ks ?? null),
      omega: four(counts?.omega ?? null),
    }
  })
  const reported = rows.flatMap(({ ks }) => ks ?? [])
  return {
    total: block.a.length,
    rows,
    medianKs: four(median(reported)),
    without: rows.length - reported.length,
    medianKa: four(median(rows.flatMap(({ ka }) => ka ?? []))),
  }
}

export const routes: ToolRoute[] = [answerEndpoint(getGenePairs, listPairs), answerEndpoint(getBlock, describeBlock)]
