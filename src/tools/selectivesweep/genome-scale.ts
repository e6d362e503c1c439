import type { ShownWindows } from './endpoints.ts'

/** Sequences one after another along one axis. */
export interface GenomeScale {
  sequences: { name: string; lengthBp: number; offset: number; from: number; until: number }[]
  /** End of the last sequence on the axis. */
  total: number
  /** Place of each window's middle on the axis. */
  middle: Float64Array
}

/** Room between sequences, as a share of all of them. */
const roomShare = 0.004

/** Lays the sequences of windows side by side; `from` and `until` are the numbers of their windows. */
export const layGenome = (windows: ShownWindows): GenomeScale => {
  const bases = windows.sequences.reduce((sum, { lengthBp }) => sum + lengthBp, 0)
  // With thousands of scaffolds the room between them would be most of the axis.
  const room = Math.min(bases * roomShare, (bases * 0.1) / Math.max(1, windows.sequences.length))
  const middle = new Float64Array(windows.start.length)
  const sequences: GenomeScale['sequences'] = []
  let offset = 0
  let at = 0
  for (const { name, lengthBp, windows: count } of windows.sequences) {
    sequences.push({ name, lengthBp, offset, from: at, until: at + count })
    for (const end = at + count; at < end; at++) middle[at] = offset + (windows.start[at]! + windows.end[at]!) / 2
    offset += lengthBp + room
  }
  return { sequences, total: Math.max(1, offset - room), middle }
}
