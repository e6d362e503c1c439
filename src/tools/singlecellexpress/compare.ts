import {
  describeCells,
  log2FoldChange,
  rankSumEach,
  rankSumTest,
  type SparseGroup,
  welchTest,
} from '../../bio/expression/cell-statistics.ts'
import { noLevel } from '../../bio/expression/cell-table.ts'
import { adjustByBenjaminiHochberg, adjustByBonferroni } from '../../bio/statistics/multiple-testing.ts'
import type { ValueFiles } from './bake-values.ts'

/** A gene between two groups, by its row. */
export interface Compared {
  row: number
  log2FoldChange: number | null
  meanFirst: number
  meanSecond: number
  percentFirst: number
  percentSecond: number
  statistic: number
  auc: number | null
  pValue: number
  adjustedPValue: number
}

const byPValue = (a: Compared, b: Compared): number =>
  a.pValue - b.pValue || Math.abs(b.statistic) - Math.abs(a.statistic) || a.row - b.row

const describe = (
  row: number,
  first: SparseGroup,
  second: SparseGroup,
  scaled: boolean,
): Omit<Compared, 'statistic' | 'auc' | 'pValue' | 'adjustedPValue'> => {
  const [one, two] = [describeCells(first), describeCells(second)]
  return {
    row,
    log2FoldChange: scaled ? null : log2FoldChange(first, second),
    meanFirst: one.mean,
    meanSecond: two.mean,
    percentFirst: 100 * one.fraction,
    percentSecond: 100 * two.fraction,
  }
}

/** As Scanpy has it by default, or as Seurat has it. */
export type Correction = 'bh' | 'bonferroni'

const adjustments = { bh: adjustByBenjaminiHochberg, bonferroni: adjustByBonferroni }

const adjust = (found: Compared[], correction: Correction): Compared[] => {
  const adjusted = adjustments[correction](found.map(({ pValue }) => pValue))
  for (const [at, one] of found.entries()) one.adjustedPValue = adjusted[at]!
  return found.sort(byPValue)
}

const pause = (): Promise<void> => new Promise((resume) => setImmediate(resume))

/** Every gene that some cell of the two groups expresses: `sides` is 1 or 2 for a cell of either, 0 for others. Least p-value first. */
export const compareGroups = async (
  values: ValueFiles,
  sides: Uint8Array,
  test: 'wilcoxon' | 'welch',
  correction: Correction,
  scaled: boolean,
  onShare: (share: number) => void,
  signal: AbortSignal,
): Promise<Compared[]> => {
  const counts = [0, 0, 0]
  for (const side of sides) counts[side]! += 1
  const found: Compared[] = []
  const all = values.starts.length - 1
  for (let row = 0; row < all; row += 1) {
    if (row % 64 === 0) {
      signal.throwIfAborted()
      onShare(row / all)
      await pause()
    }
    const { cells, values: own } = await values.read(row)
    const groups: [number[], number[]] = [[], []]
    for (let at = 0; at < cells.length; at += 1) {
      const side = sides[cells[at]!]!
      if (side !== 0) groups[side - 1]!.push(own[at]!)
    }
    const first = { values: groups[0], cells: counts[1]! }
    const second = { values: groups[1], cells: counts[2]! }
    if (first.values.length + second.values.length === 0) continue
    const about = describe(row, first, second, scaled)
    if (test === 'wilcoxon') {
      const tested = rankSumTest(first, second)
      if (tested !== null)
        found.push({ ...about, statistic: tested.z, auc: tested.auc, pValue: tested.pValue, adjustedPValue: 1 })
    } else {
      const tested = welchTest(describeCells(first), first.cells, describeCells(second), second.cells)
      if (tested !== null)
        found.push({ ...about, statistic: tested.t, auc: null, pValue: tested.pValue, adjustedPValue: 1 })
    }
  }
  return adjust(found, correction)
}

/** Genes of each group that are above all the other cells (Wilcoxon), least p-value first; adjusted over all genes of the group. */
export const findMarkers = async (
  values: ValueFiles,
  codes: Uint16Array,
  sizes: number[],
  correction: Correction,
  scaled: boolean,
  onShare: (share: number) => void,
  signal: AbortSignal,
): Promise<Compared[][]> => {
  const found: Compared[][] = sizes.map(() => [])
  const all = values.starts.length - 1
  const cellCount = sizes.reduce((sum, size) => sum + size, 0)
  for (let row = 0; row < all; row += 1) {
    if (row % 64 === 0) {
      signal.throwIfAborted()
      onShare(row / all)
      await pause()
    }
    const { cells, values: own } = await values.read(row)
    let count = 0
    const kept = new Float32Array(cells.length)
    const groups = new Uint16Array(cells.length)
    const sums = new Float64Array(sizes.length)
    const counts = new Float64Array(sizes.length)
    const raw = new Float64Array(sizes.length)
    for (let at = 0; at < cells.length; at += 1) {
      const group = codes[cells[at]!]!
      if (group === noLevel) continue
      const value = own[at]!
      kept[count] = value
      groups[count] = group
      count += 1
      sums[group]! += value
      counts[group]! += 1
      if (!scaled) raw[group]! += Math.expm1(value)
    }
    if (count === 0) continue
    const [sum, expressing, rawSum] = [sums, counts, raw].map((list) => list.reduce((one, other) => one + other, 0))
    for (const [level, tested] of rankSumEach(kept.subarray(0, count), groups.subarray(0, count), sizes).entries()) {
      if (tested === null) continue
      const n = sizes[level]!
      const rest = cellCount - n
      found[level]!.push({
        row,
        // As log2FoldChange of bio/expression/cell-statistics.ts, from sums that all groups share.
        log2FoldChange: scaled ? null : Math.log2((raw[level]! / n + 1) / ((rawSum! - raw[level]!) / rest + 1)),
        meanFirst: sums[level]! / n,
        meanSecond: (sum! - sums[level]!) / rest,
        percentFirst: (100 * counts[level]!) / n,
        percentSecond: (100 * (expressing! - counts[level]!)) / rest,
        statistic: tested.z,
        auc: tested.auc,
        pValue: tested.pValue,
        adjustedPValue: 1,
      })
    }
  }
  return found.map((list) => adjust(list, correction).filter(({ statistic }) => statistic > 0))
}
