import { addressOf } from '../../kit/ui/request.ts'
import type { HitAnswer } from './job-endpoints.ts'
import { renderRanks } from './ranks.ts'
import tool from './tool.ts'

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

/** The genome browser at a hit, with the hits of the search as a track. */
export const browserAddress = (job: string, hit: HitAnswer): string => {
  const [from, to] = [Math.min(hit.subjectStart1, hit.subjectEnd1), Math.max(hit.subjectStart1, hit.subjectEnd1)]
  const margin = Math.max(500, Math.round((to - from) * 0.3))
  const query = new URLSearchParams({
    assembly: hit.assembly ?? '',
    loc: `${hit.subject}:${Math.max(1, from - margin)}..${Math.min(hit.subjectLength, to + margin)}`,
    tracks: 'genes,hits',
    hits: job,
  })
  return `/jbrowse/?${query}`
}
