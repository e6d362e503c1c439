import { browserAddress } from '../../../kit/ui/browser-address.ts'
import { addressOf } from '../../../kit/ui/request.ts'
import type { HitAnswer } from '../endpoints.ts'
import { renderRanks } from '../hits/ranks.ts'
import tool from '../tool.ts'

/** Address of a file of a job, for links: the browser streams it to disk. No `hits` means all of them. */
export const fileAddress = (
  job: string,
  path: string,
  {
    hits = [],
    ...query
  }: { query?: number; hits?: number[]; assembly?: string; what?: 'aligned' | 'region' | 'subject' } = {},
): string => {
  const given = Object.entries({ ...query, hits: hits.length === 0 ? undefined : renderRanks(hits) }).flatMap(
    ([name, value]): [string, string][] => (value === undefined ? [] : [[name, String(value)]]),
  )
  const text = new URLSearchParams(given).toString()
  return addressOf(`/api/tools/${tool.id}/jobs/${job}/${path}${text === '' ? '' : `?${text}`}`)
}

/** Where a hit on a genome lies: its best HSP. */
export const locusOfHit = (hit: HitAnswer) => ({
  assembly: hit.assembly ?? '',
  sequence: hit.subject,
  start: Math.min(hit.subjectStart1, hit.subjectEnd1),
  end: Math.max(hit.subjectStart1, hit.subjectEnd1),
  strand: hit.strand === '-' ? ('-' as const) : ('+' as const),
})

/** The genome browser at a hit, with the hits of the search as a track. */
export const hitAddress = (job: string, hit: HitAnswer): string => {
  const locus = locusOfHit(hit)
  return browserAddress(locus, {
    marginBp: Math.max(500, Math.round((locus.end - locus.start) * 0.3)),
    lengthBp: hit.subjectLength,
    more: { tracks: 'genes,hits', hits: job },
  })
}
