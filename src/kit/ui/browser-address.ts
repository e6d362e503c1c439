import { widenRegion, writeRegion } from '../../bio/sequence/region.ts'

/** A segment of an assembly; of the reverse strand with `-`, of the forward one with anything else. */
export interface BrowsedLocus {
  assembly: string
  sequence: string
  start: number
  end: number
  strand?: string | null | undefined
}

/**
 * Address of the genome browser at a segment with `marginBp` on both sides, cut at `lengthBp` where that is known. What lies on the
 * reverse strand is shown in the direction in which it reads. `mark` marks the segment itself; `more` are further fields of the page.
 *
 * Example: chrII:9000..9999 (−) with a margin of 500 is `/jbrowse/?assembly=R64&loc=chrII%3A10499..8500`.
 */
export const browserAddress = (
  { assembly, sequence, start, end, strand }: BrowsedLocus,
  {
    marginBp = 0,
    lengthBp,
    mark = false,
    more = {},
  }: { marginBp?: number; lengthBp?: number; mark?: boolean; more?: Record<string, string> } = {},
): string => {
  const region = { sequenceName: sequence, start1: start, end1: end, strand: strand === '-' ? '-' : '+' } as const
  const query = new URLSearchParams({
    assembly,
    loc: writeRegion(widenRegion(region, marginBp, lengthBp)),
    ...(mark ? { highlight: writeRegion(region) } : {}),
    ...more,
  })
  return `/jbrowse/?${query}`
}

/** Address of the genome browser of an assembly, with a track where one is named. Example: `/jbrowse/?assembly=R64&tracks=reads`. */
export const browsedAssembly = (assembly: string, track?: string): string =>
  `/jbrowse/?${new URLSearchParams({ assembly, ...(track === undefined ? {} : { tracks: track }) })}`
