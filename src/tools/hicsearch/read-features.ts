import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { readDecompressed } from '../../store/decompressed.ts'
import { contactFiles } from './contacts.ts'
import type { OpenMap } from './open-map.ts'
import type { Features, Place } from './tool.ts'

/** More of a kind than this are not drawn in one window. */
const mostShown = 2000

const readRows = async (file: string): Promise<string[][]> => {
  const pieces: Buffer[] = []
  for await (const piece of readDecompressed(file)) pieces.push(Buffer.from(piece))
  return Buffer.concat(pieces)
    .toString('utf8')
    .split('\n')
    .flatMap((line) => (line === '' ? [] : [line.split('\t')]))
}

export const overlaps = (a: Place, b: Place): boolean =>
  a.sequence === b.sequence && a.start <= b.end && b.start <= a.end

const placeOf = (cells: string[], at: number): Place => ({
  sequence: cells[at]!,
  start: Number(cells[at + 1]) + 1,
  end: Number(cells[at + 2]),
})

/**
 * What was loaded with the map: domains and compartments that reach into one of the places; loops that `keep` takes, given the places of
 * their two ends.
 */
export const readFeatures = async (
  { map, directory }: OpenMap,
  places: readonly Place[],
  keep: (a: Place, b: Place) => boolean,
): Promise<Features> => {
  const files = contactFiles(map.id)
  const inPlaces = (place: Place): boolean => places.some((one) => overlaps(one, place))
  const tads: Features['tads'] = []
  const loops: Features['loops'] = []
  const compartments: Features['compartments'] = []
  if ((map.features.tads ?? 0) > 0)
    for (const cells of await readRows(join(directory, files.tads))) {
      const place = placeOf(cells, 0)
      if (tads.length < mostShown && inPlaces(place)) tads.push({ ...place, name: cells[3] === '.' ? null : cells[3]! })
    }
  if ((map.features.compartments ?? 0) > 0)
    for (const cells of await readRows(join(directory, files.compartments))) {
      const place = placeOf(cells, 0)
      if (compartments.length < mostShown && inPlaces(place)) compartments.push({ ...place, value: Number(cells[3]) })
    }
  if ((map.features.loops ?? 0) > 0)
    for (const line of (await readFile(join(directory, files.loops), 'utf8')).split('\n')) {
      if (line === '' || loops.length >= mostShown) continue
      const cells = line.split('\t')
      const [a, b] = [placeOf(cells, 0), placeOf(cells, 3)]
      if (!keep(a, b) && !keep(b, a)) continue
      const score = Number(cells[7])
      loops.push({
        ...{ a, b, name: cells[6] === '.' ? null : cells[6]! },
        score: cells[7] === '.' || Number.isNaN(score) ? null : score,
      })
    }
  return { tads, loops, compartments }
}
