import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { RecentAnswers } from '../../kit/recent-answers.ts'
import { openTabix } from '../../store/tabix-reader.ts'
import type { OpenMap } from './map/open-map.ts'
import { contactFiles } from './stored.ts'
import type { Features, Place } from './tool.ts'

/** More of a kind than this are not drawn in one window. */
const maxShown = 2000

export const overlaps = (a: Place, b: Place): boolean =>
  a.sequence === b.sequence && a.start <= b.end && b.start <= a.end

const placeOf = (cells: string[], at: number): Place => ({
  sequence: cells[at]!,
  start: Number(cells[at + 1]) + 1,
  end: Number(cells[at + 2]),
})

/** Lines of an indexed BED file that reach into one of the places, each once, the first of them. */
const readSegments = async (file: string, loci: readonly Place[]): Promise<string[][]> => {
  const rows: string[][] = []
  const open = await openTabix(file)
  try {
    for (const [at, { sequence, start, end }] of loci.entries())
      for await (const line of open.lines(sequence, start - 1, end)) {
        const cells = line.split('\t')
        const locus = placeOf(cells, 0)
        // The index gives what lies in two places for each of them.
        if (loci.slice(0, at).some((one) => overlaps(one, locus))) continue
        rows.push(cells)
        if (rows.length >= maxShown) return rows
      }
  } finally {
    await open.close()
  }
  return rows
}

type Loop = Features['loops'][number]

/** Loops of maps asked last. They have two places each, so no index finds them; a bundle's files never change. */
const loopLists = new RecentAnswers<readonly Loop[]>(4)

const readLoops = async (file: string): Promise<Loop[]> =>
  (await readFile(file, 'utf8')).split('\n').flatMap((line) => {
    if (line === '') return []
    const cells = line.split('\t')
    const score = Number(cells[7])
    return [
      {
        a: placeOf(cells, 0),
        b: placeOf(cells, 3),
        name: cells[6] === '.' ? null : cells[6]!,
        score: cells[7] === '.' || Number.isNaN(score) ? null : score,
      },
    ]
  })

/**
 * What was loaded with the map: domains and compartments that reach into one of the places; loops that `keep` takes, given the places of
 * their two ends.
 */
export const readFeatures = async (
  { map, directory }: Pick<OpenMap, 'map' | 'directory'>,
  loci: readonly Place[],
  keep: (a: Place, b: Place) => boolean,
): Promise<Features> => {
  const files = contactFiles(map.id)
  const segments = async (kind: 'tads' | 'compartments'): Promise<string[][]> =>
    (map.features[kind] ?? 0) > 0 ? readSegments(join(directory, files[kind]), loci) : []
  const [tads, compartments] = [await segments('tads'), await segments('compartments')]
  const file = join(directory, files.loops)
  const loops = (map.features.loops ?? 0) > 0 ? await loopLists.get(file, () => readLoops(file)) : []
  return {
    tads: tads.map((cells) => ({ ...placeOf(cells, 0), name: cells[3] === '.' ? null : cells[3]! })),
    loops: loops.filter(({ a, b }) => keep(a, b) || keep(b, a)).slice(0, maxShown),
    compartments: compartments.map((cells) => ({ ...placeOf(cells, 0), value: Number(cells[3]) })),
  }
}
