import { type ProfileScale, scaleProfile } from '../../bio/expression/expression-profile.ts'
import {
  type ClusterDistance,
  clusterRows,
  type Dendrogram,
  type Linkage,
  pairDistances,
} from '../../bio/statistics/clustering.ts'
import type { ClusteredSides, ExpressionDataset, HeatMapValues } from '../../contracts/expression.ts'
import type { OpenExpression } from './expression-data.ts'

/** How a heat map is scaled and put in order. */
export interface Clustering {
  scale: ProfileScale
  cluster: ClusteredSides
  distance: ClusterDistance
  linkage: Linkage
}

/** Values as loaded of genes that have a row in the matrix, in the samples at these places; NaN where nothing was measured. */
export const readProfiles = async (
  { rows, openValues }: Pick<OpenExpression, 'rows' | 'openValues'>,
  genes: readonly string[],
  samples: readonly number[],
): Promise<Float64Array[]> => {
  const matrix = await openValues()
  try {
    const found = await matrix.readRows(genes.map((gene) => rows.get(gene)!))
    return found.map((row) => Float64Array.from(samples, (at) => row[at]!))
  } finally {
    await matrix.close()
  }
}

/** Trees over the genes and over the samples of a heat map, as far as they are asked for and there are two or more. */
export const clusterProfiles = (
  profiles: readonly Float64Array[],
  dataset: Pick<ExpressionDataset, 'unit' | 'samples'>,
  samples: readonly number[],
  { scale, cluster, distance, linkage }: Clustering,
  signal: AbortSignal,
): Pick<HeatMapValues, 'geneTree' | 'sampleTree'> => {
  const [genes, width] = [profiles.length, samples.length]
  const sums = samples.map((at) => dataset.samples[at]!.sum)
  const scaled = new Float64Array(genes * width)
  for (const [row, profile] of profiles.entries())
    scaled.set(scaleProfile(profile, dataset.unit, sums, scale), row * width)
  const turned = new Float64Array(scaled.length)
  for (let row = 0; row < genes; row += 1)
    for (let at = 0; at < width; at += 1) turned[at * genes + row] = scaled[row * width + at]!
  const treeOf = (cells: Float64Array, count: number, columns: number): Dendrogram | null => {
    signal.throwIfAborted()
    return count < 2 ? null : clusterRows(pairDistances(cells, count, columns, distance), count, linkage)
  }
  return {
    geneTree: cluster === 'both' || cluster === 'genes' ? treeOf(scaled, genes, width) : null,
    sampleTree: cluster === 'both' || cluster === 'samples' ? treeOf(turned, width, genes) : null,
  }
}

/** Both for a receipt. */
export const describeClustering = (unit: string, { scale, distance, linkage }: Clustering): string =>
  `scale ${scale} (${unit === 'counts' ? 'counts per million of the sample, ' : ''}log2(x + 1) of values that are not logarithms); ${linkage} linkage of ${distance} distances over pairwise complete values`
export const clusteringCitation = {
  text: 'Müllner D (2011) Modern hierarchical, agglomerative clustering algorithms. arXiv:1109.2378',
}
