import { parseRegion, writeRegion } from '../../bio/sequence/region.ts'
import { readListValue } from '../../kit/ui/address-values.ts'
import type { Place } from './tool.ts'

/** What the address of the browser page says, as text; see `find-locus.ts` for what becomes of it. */
export interface BrowserAddress {
  assembly: string | null
  loc: string | null
  gene: string | null
  /** Null when the address names none: the assembly's usual ones are then shown. */
  tracks: string[] | null
  highlight: string | null
  /** A BLAST job whose hits are shown. */
  hits: string | null
  /** An assembly that is shown beside, and what of it. */
  beside: string | null
  besideLoc: string | null
}

/** Longest list of regions that is kept in the address: a whole draft assembly would not fit. */
const longestLoc = 1500

const given = (text: string | null): string | null => (text === null || text.trim() === '' ? null : text.trim())

export const readAddress = (query: URLSearchParams): BrowserAddress => ({
  assembly: given(query.get('assembly')),
  loc: given(query.get('loc')),
  gene: given(query.get('gene')),
  tracks: readListValue(query, 'tracks'),
  highlight: given(query.get('highlight')),
  hits: given(query.get('hits')),
  beside: given(query.get('beside')),
  besideLoc: given(query.get('besideLoc')),
})

/** Example: `formatPlace({sequence: 'chrI', start: 5, end: 9})` is `chrI:5..9`, of the reverse strand `chrI:9..5`. */
export const formatLocus = ({ sequence, start, end, strand }: Place): string =>
  writeRegion({ sequenceName: sequence, start1: start, end1: end, strand: strand ?? '+' })

/** The same as JBrowse reads it: `chrI:5..9[rev]` is shown from right to left. */
export const jbrowseLocus = ({ sequence, start, end, strand }: Place): string =>
  `${sequence}:${start}..${end}${strand === '-' ? '[rev]' : ''}`

/**
 * The first of the regions that are visible; null when it cannot be read. `readPlace('chrI:9..5')` is
 * `{sequence: 'chrI', start: 5, end: 9, strand: '-'}`.
 */
export const readLocus = (loc: string): Place | null => {
  const read = parseRegion(loc.split(' ')[0] ?? '')
  if (!read.ok) return null
  const { sequenceName, start1, end1, strand } = read.region
  return { sequence: sequenceName, start: start1, end: end1, ...(strand === '-' ? { strand } : {}) }
}

/**
 * What is typed into JBrowse's own box as JBrowse reads it: a descending place, which it refuses, is the reverse strand there as everywhere
 * in the portal. All else is left to JBrowse.
 *
 * Example: `readTyped('chrI:9..5 chrII')` is `chrI:5..9[rev] chrII`.
 */
export const readTyped = (typed: string): string =>
  typed
    .split(' ')
    .map((word) => {
      const locus = word.endsWith('[rev]') ? null : readLocus(word)
      return locus?.strand === '-' ? jbrowseLocus(locus) : word
    })
    .join(' ')

/**
 * What JBrowse calls visible as the portal writes it: without thousands commas, what is shown from right to left with its start above its
 * end.
 */
export const readVisible = (visible: string): string =>
  visible
    .replace(/(?<=\d),(?=\d{3})/g, '')
    .replace(/:(\d+)\.\.(\d+)\[rev\]/g, (_, start: string, end: string) =>
      start === end ? `:${start}..${end}:r` : `:${end}..${start}`,
    )
    .trim()

/** The query of a view; commas and colons stay readable, as RFC 3986 (section 3.4) allows them there. */
export const writeAddress = (view: {
  assembly: string
  loc?: string
  loci?: Place[]
  tracks?: string[] | null
  highlights?: Place[]
  highlight?: string | null
  hits?: string | null
  beside?: { assembly: string; loci: Place[] } | null
}): string => {
  const loc = view.loc ?? view.loci?.map(formatLocus).join(' ') ?? ''
  const highlight = view.highlight ?? view.highlights?.map(formatLocus).join(' ') ?? ''
  const query = new URLSearchParams({ assembly: view.assembly })
  if (loc !== '' && loc.length <= longestLoc) query.set('loc', loc)
  if (view.tracks !== undefined && view.tracks !== null) query.set('tracks', view.tracks.join(','))
  if (highlight !== '') query.set('highlight', highlight)
  if (view.hits !== undefined && view.hits !== null) query.set('hits', view.hits)
  if (view.beside !== undefined && view.beside !== null) {
    query.set('beside', view.beside.assembly)
    query.set('besideLoc', view.beside.loci.map(formatLocus).join(' '))
  }
  return query.toString().replaceAll('%3A', ':').replaceAll('%2C', ',')
}

/** True when a visible region is the one place asked for but for rounding to pixels; several regions are never taken for it. */
export const isSameView = (loc: string, loci: Place[]): boolean => {
  const [locus] = loci
  const found = loc.includes(' ') ? null : readLocus(loc)
  if (loci.length !== 1 || locus === undefined || found === null || found.sequence !== locus.sequence) return false
  if ((found.strand ?? '+') !== (locus.strand ?? '+')) return false
  const tolerance = Math.max(2, (locus.end - locus.start) / 100)
  return Math.abs(found.start - locus.start) <= tolerance && Math.abs(found.end - locus.end) <= tolerance
}
