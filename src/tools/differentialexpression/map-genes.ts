import type { HeatMapValues } from '../../contracts/expression.ts'
import { exactly, type OpenExpression } from '../../kit/data/expression-data.ts'
import { type Clustering, clusterProfiles, readProfiles } from '../../kit/data/expression-heat-map.ts'
import type { Groups } from './choose-groups.ts'
import { type ComparedGene, mostMapGenes } from './tool.ts'

/** As the tool for the expression of genes has it at first. */
export const mapClustering: Clustering = {
  scale: 'zscore',
  cluster: 'both',
  distance: 'correlation',
  linkage: 'average',
}

/** Genes within the significance level, the surest first; equally sure ones by how much they changed. */
const findSurest = (genes: readonly ComparedGene[], alpha: number): ComparedGene[] =>
  genes
    .filter(({ adjustedPValue }) => adjustedPValue !== null && adjustedPValue <= alpha)
    .sort(
      (a, b) =>
        a.adjustedPValue! - b.adjustedPValue! ||
        (a.pValue ?? 1) - (b.pValue ?? 1) ||
        Math.abs(b.log2FoldChange ?? 0) - Math.abs(a.log2FoldChange ?? 0),
    )
    .slice(0, mostMapGenes)

/** The surest genes in the samples that were compared, the test group first; null where fewer than two are within `alpha`. */
export const mapGenes = async (
  genes: readonly ComparedGene[],
  open: OpenExpression,
  { test, reference }: Pick<Groups, 'test' | 'reference'>,
  alpha: number,
  signal: AbortSignal,
): Promise<HeatMapValues | null> => {
  const surest = findSurest(genes, alpha)
  if (surest.length < 2) return null
  const samples = [...test, ...reference]
  const profiles = await readProfiles(
    open,
    surest.map(({ id }) => id),
    samples,
  )
  return {
    samples,
    genes: surest.map(({ id, symbol, description }, row) => ({
      id,
      symbol,
      description,
      values: Array.from(profiles[row]!, exactly),
    })),
    ...clusterProfiles(profiles, open.dataset, samples, mapClustering, signal),
  }
}
