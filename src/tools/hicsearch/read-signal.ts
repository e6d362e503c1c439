import { BigWig } from '@gmod/bbi'
import { LocalFile } from 'generic-filehandle2'
import { fieldError, PortalError } from '../../contracts/errors.ts'
import type { PortalData } from '../../kit/data/portal-data.ts'
import type { Place } from './tool.ts'

/** What the tool reads of a track of the assembly (record of kind `track`). */
export interface SignalTrack {
  id: string
  name: { en: string; zh: string } | string
  type: string
  file: string
  simulated: boolean
}

export const listSignals = async (data: PortalData, assembly: string): Promise<SignalTrack[]> =>
  (await data.listRecords<SignalTrack>('track', { assembly }))
    .map((record) => record.data)
    .filter(({ type }) => type === 'bigwig')

/** Mean value of a BigWig track in each bin of a segment; null where it has none. */
export const readSignal = async (
  data: PortalData,
  assembly: string,
  id: string,
  { sequence, start, end }: Place,
  binBp: number,
  bins: number,
): Promise<(number | null)[]> => {
  const track = (await listSignals(data, assembly)).find((one) => one.id === id)
  if (track === undefined) throw fieldError(['signal'], 'problem.unknownSignal', { signal: id })
  const file = await data.bundleFile(assembly, track.file)
  if (file === null) throw new PortalError('NOT_FOUND')
  const bigWig = new BigWig({ filehandle: new LocalFile(file) })
  const { refsByName } = await bigWig.getHeader()
  const known = await data.getSequence(assembly, sequence)
  const name = [known.name, ...known.aliases].find((one) => one in refsByName)
  const sums = new Float64Array(bins)
  const bases = new Float64Array(bins)
  if (name !== undefined) {
    const features = await bigWig.getFeatures(name, start - 1, end, { basesPerSpan: Math.max(1, binBp / 4) })
    for (const { start: from, end: to, score } of features) {
      if (score === undefined || Number.isNaN(score)) continue
      const first = Math.max(0, Math.floor((from - (start - 1)) / binBp))
      const last = Math.min(bins - 1, Math.floor((to - 1 - (start - 1)) / binBp))
      for (let bin = first; bin <= last; bin += 1) {
        const binStart = start - 1 + bin * binBp
        const covered = Math.min(to, binStart + binBp) - Math.max(from, binStart)
        if (covered <= 0) continue
        sums[bin]! += score * covered
        bases[bin]! += covered
      }
    }
  }
  return Array.from(sums, (sum, bin) => (bases[bin]! > 0 ? sum / bases[bin]! : null))
}
