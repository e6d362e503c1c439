import { type ProfileScale, scaleProfile } from '../../../bio/expression/expression-profile.ts'
import { isLogarithmic } from '../../../bio/expression/expression-statistics.ts'
import type { ExpressionDataset, GeneValues, HeatMapValues } from '../../../contracts/expression.ts'

/** Samples of a result, in its order. */
export const samplesOf = (dataset: ExpressionDataset, { samples }: Pick<HeatMapValues, 'samples'>) =>
  samples.map((at) => dataset.samples[at]!)

/** Values of a gene on a scale; NaN where there is none. */
export const valuesOf = (
  gene: Pick<GeneValues, 'values'>,
  dataset: ExpressionDataset,
  samples: ExpressionDataset['samples'],
  scale: ProfileScale,
): Float64Array =>
  scaleProfile(
    gene.values.map((value) => value ?? Number.NaN),
    dataset.unit,
    samples.map(({ sum }) => sum),
    scale,
  )

/** What a value on a scale is called, for axes: counts are shown as counts per million. */
export const unitOnScale = (
  unit: string,
  scale: Exclude<ProfileScale, 'zscore'>,
  name: (unit: string) => string,
): string => {
  const shown = unit === 'counts' ? 'CPM' : name(unit)
  return scale === 'loaded' || isLogarithmic(unit as 'log2') ? shown : `log2(${shown} + 1)`
}
