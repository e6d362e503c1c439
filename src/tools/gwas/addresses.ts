import { parseRegion } from '../../bio/sequence/region.ts'
import tool from './tool.ts'

/** A trait of a loaded table, or what a job computed. */
export interface ScanSource {
  assembly?: string
  scan?: string
  trait?: string
  job?: string
}

export const addressWith = (values: Record<string, string | number | null | undefined>): string => {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(values))
    if (value !== null && value !== undefined && value !== '') query.set(name, String(value))
  return `${tool.route}?${query}`
}

export const scanAddress = (assembly: string, scan: string, trait: string): string =>
  addressWith({ assembly, scan, trait })

/** All traits at one place or gene. */
export const locusAddress = (values: { assembly: string; locus?: string; gene?: string }): string =>
  addressWith({
    assembly: values.assembly,
    gene: values.gene,
    locus: values.locus ?? (values.gene === undefined ? '' : undefined),
  })

/** A region of an address, of either strand (tests have none); null when it is none. */
export const readLocus = (text: string | null): { sequence: string; start: number; end: number } | null => {
  const read = parseRegion(text ?? '')
  if (!read.ok) return null
  const { sequenceName, start1, end1 } = read.region
  return { sequence: sequenceName, start: start1, end: end1 }
}

/**
 * What an address asks to look at: a gene, or a place; whatever `place` says that is no place is taken for the name of a gene, as in the
 * page's own box. Null where neither is named.
 */
export const readAsked = (
  gene: string | null,
  locus: string | null,
): { gene: string } | { sequence: string; start: number; end: number } | null => {
  const name = gene?.trim() || locus?.trim() || ''
  if (name === '') return null
  return (gene?.trim() ? null : readLocus(name)) ?? { gene: name }
}

export const writeLocus = (locus: { sequence: string; start: number; end: number }): string =>
  `${locus.sequence}:${locus.start}..${locus.end}`
