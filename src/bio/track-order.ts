// What tracks of every format share: the order of their lines and the sequences they lie on.

import { mapSequenceNames } from './chromosome-order.ts'
import type { DefectLog } from './defects.ts'

interface TrackOrderOptions {
  file: string
  log: DefectLog
  sequences?: ReadonlyMap<string, number>
}

/** Watches whether features come sorted, and how far they reach on each sequence. */
export class TrackOrder {
  sorted = true
  readonly #options: TrackOrderOptions
  readonly #reaches = new Map<string, { end1: number; line: number; count: number }>()
  #lastName = ''
  #lastStart1 = 0

  constructor(options: TrackOrderOptions) {
    this.#options = options
  }

  /** Takes the next feature: first and last base counted from 1. */
  add(sequenceName: string, start1: number, end1: number, line: number): void {
    const reach = this.#reaches.get(sequenceName)
    const back = sequenceName === this.#lastName ? start1 < this.#lastStart1 : reach !== undefined
    if (back) {
      this.sorted = false
      this.#options.log.report('track-not-sorted', this.#options.file, line, {
        sequence: sequenceName,
        start: start1,
        before: `${this.#lastName}:${this.#lastStart1}`,
      })
    }
    if (reach) reach.count += 1
    if (!reach) this.#reaches.set(sequenceName, { end1, line, count: 1 })
    else if (end1 > reach.end1) {
      reach.end1 = end1
      reach.line = line
    }
    this.#lastName = sequenceName
    this.#lastStart1 = start1
  }

  get sequenceNames(): string[] {
    return [...this.#reaches.keys()]
  }

  /** Farthest base reached on a sequence, the line that does, and how many features lie there. */
  reachOf(sequenceName: string): { end1: number; line: number; count: number } | undefined {
    return this.#reaches.get(sequenceName)
  }
}

/**
 * Looks the sequences of a track up in the genome, reports unknown and renamed ones and features beyond an end, and gives the
 * genome's name for each that is known. Without a genome every name stands for itself.
 */
export function resolveTrackSequences(order: TrackOrder, options: TrackOrderOptions): Map<string, string> {
  const { file, log, sequences } = options
  const names = order.sequenceNames
  if (!sequences) return new Map(names.map((name) => [name, name]))
  const mapped = mapSequenceNames(names, [...sequences.keys()])
  if (names.length > 0 && mapped.size === 0) {
    log.report('track-sequences-all-unknown', file, null, {
      found: names.slice(0, 5).join(', '),
      expected: [...sequences.keys()].slice(0, 5).join(', '),
    })
    return mapped
  }
  for (const name of names) {
    const to = mapped.get(name)
    const { end1, line, count } = order.reachOf(name)!
    if (to === undefined) {
      log.report('track-sequence-unknown', file, line, { name, count })
      continue
    }
    if (to !== name) log.report('track-sequence-renamed', file, line, { from: name, to })
    const length = sequences.get(to)!
    if (end1 > length) log.report('track-beyond-sequence', file, line, { end: end1, sequence: to, length })
  }
  return mapped
}
