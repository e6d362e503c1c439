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
export const placeAddress = (values: { assembly: string; place?: string; gene?: string }): string =>
  addressWith({
    assembly: values.assembly,
    gene: values.gene,
    place: values.place ?? (values.gene === undefined ? '' : undefined),
  })

export const browserAddress = (
  assembly: string,
  sequence: string,
  start: number,
  end: number,
  track?: string,
): string =>
  `/jbrowse/?${new URLSearchParams({
    assembly,
    loc: `${sequence}:${Math.max(1, start)}..${end}`,
    ...(track === undefined ? {} : { tracks: track }),
  })}`

/** `chr:start-end` of an address; null when it is none. */
export const readPlace = (text: string | null): { sequence: string; start: number; end: number } | null => {
  const match = /^(.+):([\d,]+)(?:(?:-|\.\.)([\d,]+))?$/.exec((text ?? '').trim())
  if (match === null) return null
  const number = (digits: string): number => Number(digits.replaceAll(',', ''))
  const start = number(match[2]!)
  const end = match[3] === undefined ? start : number(match[3])
  return start < 1 || end < start ? null : { sequence: match[1]!, start, end }
}

/**
 * What an address asks to look at: a gene, or a place; whatever `place` says that is no place is taken for the name of a gene, as in the
 * page's own box. Null where neither is named.
 */
export const readAsked = (
  gene: string | null,
  place: string | null,
): { gene: string } | { sequence: string; start: number; end: number } | null => {
  const name = gene?.trim() || place?.trim() || ''
  if (name === '') return null
  return (gene?.trim() ? null : readPlace(name)) ?? { gene: name }
}

export const writePlace = (place: { sequence: string; start: number; end: number }): string =>
  `${place.sequence}:${place.start}-${place.end}`
