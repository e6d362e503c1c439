import { findCutoff, isBeyond, mergeWindows, type SweepRegion, type Tail } from '../../bio/population/sweep-regions.ts'
import { findSeries, type OpenWindows } from './open-source.ts'
import { usualTail } from './series.ts'

export interface RegionQuestion {
  series: string
  tail?: Tail | undefined
  share?: number | undefined
  cutoff?: number | undefined
  second?: string | undefined
  secondTail?: Tail | undefined
  secondShare?: number | undefined
  secondCutoff?: number | undefined
  gapBp: number
}

export interface OutlierRegions {
  cutoff: number | null
  secondCutoff: number | null
  windows: number
  outliers: number[]
  regions: SweepRegion[]
  value: Float64Array
  second: Float64Array | null
}

const usualShare = 0.05

/** The windows beyond the threshold, of both series where two are named, joined into regions. */
export const findOutlierRegions = (source: OpenWindows, question: RegionQuestion): OutlierRegions => {
  const first = findSeries(source, question.series, 'series')
  const tail = question.tail ?? usualTail(first.about.statistic)
  const value = source.table.values[first.at]!
  const cutoff = question.cutoff ?? findCutoff(value, question.share ?? usualShare, tail)
  let second: Float64Array | null = null
  let secondCutoff: number | null = null
  let secondTail: Tail = 'high'
  if (question.second !== undefined) {
    const other = findSeries(source, question.second, 'second')
    secondTail = question.secondTail ?? usualTail(other.about.statistic)
    second = source.table.values[other.at]!
    secondCutoff = question.secondCutoff ?? findCutoff(second, question.secondShare ?? usualShare, secondTail)
  }
  const outliers: number[] = []
  let windows = 0
  for (let at = 0; at < value.length; at++) {
    if (Number.isNaN(value[at]!) || (second !== null && Number.isNaN(second[at]!))) continue
    windows += 1
    if (cutoff === null || !isBeyond(value[at]!, cutoff, tail)) continue
    if (second !== null && (secondCutoff === null || !isBeyond(second[at]!, secondCutoff, secondTail))) continue
    outliers.push(at)
  }
  const sign = tail === 'high' ? 1 : -1
  const regions = mergeWindows(source.table, outliers, question.gapBp, (window) => sign * value[window]!)
  return { cutoff, secondCutoff, windows, outliers, regions, value, second }
}
