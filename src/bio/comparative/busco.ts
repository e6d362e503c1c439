// Summaries of BUSCO (Manni et al. 2021, Mol Biol Evol 38:4647): how much of what a lineage has once is found in a genome or proteome.

export interface BuscoSummary {
  /** Percent of `total`. */
  complete: number
  single: number
  duplicated: number
  fragmented: number
  missing: number
  /** Orthologs searched for. */
  total: number
  lineage: string | null
}

/**
 * Reads `short_summary.*.txt` of BUSCO 3 to 5, or its `.json` of version 5; null when it is neither.
 *
 * @example parseBuscoSummary('C:95.0%[S:94.0%,D:1.0%],F:2.0%,M:3.0%,n:255') // { complete: 95, single: 94, …, total: 255, lineage: null }
 */
export const parseBuscoSummary = (text: string): BuscoSummary | null => {
  // The JSON holds the same line under results.one_line_summary.
  const line =
    /C:([\d.]+)%\[S:([\d.]+)%,D:([\d.]+)%\],F:([\d.]+)%,M:([\d.]+)%(?:,E:[\d.]+%)?,n:(\d+)/.exec(text) ??
    /C:([\d.]+)%\s*\[S:([\d.]+)%,\s*D:([\d.]+)%\],\s*F:([\d.]+)%,\s*M:([\d.]+)%.*?n:(\d+)/.exec(text)
  if (line === null) return null
  const [complete, single, duplicated, fragmented, missing, total] = line.slice(1).map(Number)
  const values = [complete, single, duplicated, fragmented, missing]
  if (values.some((value) => value === undefined || !(value >= 0 && value <= 100)) || !(total! > 0)) return null
  const lineage =
    /"lineage_dataset":\s*\{[^}]*?"name":\s*"([^"]+)"/.exec(text)?.[1] ??
    /lineage dataset is:\s*([^\s(]+)/.exec(text)?.[1] ??
    null
  return {
    complete: complete!,
    single: single!,
    duplicated: duplicated!,
    fragmented: fragmented!,
    missing: missing!,
    total: total!,
    lineage: lineage === null ? null : lineage.split('/').at(-1)!,
  }
}
