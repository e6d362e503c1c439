import { setTimeout as pause } from 'node:timers/promises'
import type { Sql } from './connect.ts'
import { tableNumber } from './genes.ts'
import { numberObjects, onceFor } from './once-for.ts'
import { readRows } from './read-rows.ts'

/** Positions in a bundle's search entries: so many for each degree of worth, the best first, and in it the entry's number in the bundle. */
export const positionsPerWorth = 200_000_000

/** Entries of one bundle and type: their positions, rising; and of many a bit for each number in the bundle. */
export interface EntrySetPart {
  bundle: number
  type: string
  positions: Int32Array
  bits: Uint32Array | null
}

/** The entries that have a word, by bundle and type; without those that have none. */
export interface EntrySet {
  parts: ReadonlyMap<string, EntrySetPart>
  size: number
}

export const makePart = (bundle: number, type: string, positions: Int32Array): EntrySetPart => {
  let last = 0
  for (const position of positions) last = Math.max(last, position % positionsPerWorth)
  // Where the bits take no more than the positions.
  const words = Math.ceil((last + 1) / 32)
  if (words > positions.length) return { bundle, type, positions, bits: null }
  const bits = new Uint32Array(words)
  for (const position of positions) {
    const number = position % positionsPerWorth
    bits[number >>> 5]! |= 1 << (number & 31)
  }
  return { bundle, type, positions, bits }
}

const partName = (bundle: number, type: string): string => `${bundle} ${type}`

export const makeEntrySet = (parts: readonly EntrySetPart[]): EntrySet => ({
  parts: new Map(parts.map((part) => [partName(part.bundle, part.type), part])),
  size: parts.reduce((sum, { positions }) => sum + positions.length, 0),
})

/** The first index from `from` on whose number is not below `value`: in growing steps, then by halves (Bentley & Yao 1976). */
const findFrom = (numbers: Int32Array, value: number, from: number): number => {
  let step = 1
  let low = from
  while (low + step < numbers.length && numbers[low + step]! < value) {
    low += step
    step *= 2
  }
  let high = Math.min(low + step, numbers.length)
  while (low < high) {
    const middle = (low + high) >>> 1
    if (numbers[middle]! < value) low = middle + 1
    else high = middle
  }
  return low
}

/** Lent to one call at a time: arrays that live for a moment, outside V8's heap, would bring on its full collections. */
let scratch = new Int32Array(1024)

/** Positions of `one` that `other`, of the same bundle and type, has too. */
const intersectParts = (one: EntrySetPart, other: EntrySetPart): Int32Array => {
  const [short, long] = one.positions.length <= other.positions.length ? [one, other] : [other, one]
  const { positions } = short
  if (scratch.length < positions.length) scratch = new Int32Array(positions.length)
  let count = 0
  if (long.bits !== null) {
    for (const position of positions) {
      const number = position % positionsPerWorth
      // Beyond the last word there is none: undefined, as no bits.
      if ((long.bits[number >>> 5]! >>> (number & 31)) & 1) scratch[count++] = position
    }
  } else {
    let at = 0
    for (const position of positions) {
      at = findFrom(long.positions, position, at)
      if (at === long.positions.length) break
      if (long.positions[at] === position) scratch[count++] = position
    }
  }
  return scratch.slice(0, count)
}

/** Entries that all sets have. */
export const intersectSets = (sets: readonly EntrySet[]): EntrySet => {
  const [smallest, ...others] = [...sets].sort((a, b) => a.size - b.size)
  const parts: EntrySetPart[] = []
  for (const [name, first] of smallest!.parts) {
    let part: EntrySetPart | null = first
    for (const other of others) {
      const met = other.parts.get(name)
      const positions: Int32Array | undefined = met && intersectParts(part, met)
      part = positions === undefined || positions.length === 0 ? null : { ...first, positions, bits: null }
      if (part === null) break
    }
    if (part !== null) parts.push(part)
  }
  return makeEntrySet(parts)
}

/** Those of one type. */
export const ofType = (set: EntrySet, type: string): EntrySet =>
  makeEntrySet([...set.parts.values()].filter((part) => part.type === type))

/** Where an entry stands: of each bundle the positions are different. */
export interface EntryPlace {
  bundle: number
  position: number
}

/** Entries of a set by position, then bundle, without those that are `leftOut`: from `offset` on, at most `limit`. */
export const listEntries = (
  { parts }: EntrySet,
  offset: number,
  limit: number,
  leftOut: readonly EntryPlace[],
): EntryPlace[] => {
  const isLeftOut = (bundle: number, position: number): boolean =>
    leftOut.some((place) => place.bundle === bundle && place.position === position)
  const heads = [...parts.values()].map((part) => ({ part, at: 0 })).sort((a, b) => a.part.bundle - b.part.bundle)
  const listed: EntryPlace[] = []
  for (let passed = 0; listed.length < limit; ) {
    let best: (typeof heads)[number] | undefined
    for (const head of heads) {
      if (head.at === head.part.positions.length) continue
      if (best === undefined || head.part.positions[head.at]! < best.part.positions[best.at]!) best = head
    }
    if (best === undefined) break
    const { bundle } = best.part
    const position = best.part.positions[best.at]!
    best.at += 1
    if (isLeftOut(bundle, position)) continue
    if (passed >= offset) listed.push({ bundle, position })
    passed += 1
  }
  return listed
}

/** What all sets may take together; the one that was asked for longest ago goes first. */
const mostBytes = 64 * 2 ** 20
/** Of a part, besides its positions. */
const partBytes = 200
/** A word of more entries would drive out too many others. */
const mostEntries = mostBytes / 4 / 8
/** Words that wait to be read: more are forgotten, and come when they are asked for again. */
const mostWaiting = 200
/** Rarer words are read when they are asked for again: to find their few entries by the index takes less time. */
const commonEntries = 2000
/** Rarer words that were asked for once. */
const mostOnce = 20_000
/** What several words have in common is kept if it is more than this: it took long to find, and has further pages. */
const keptInCommon = 2000
/** Until a word that could not be read is tried again. */
const pauseMs = 60_000

export interface EntrySets {
  /**
   * The entries that have all the words, or null when the set of one is not there yet: it may be read in the background then. Sets are
   * kept for the list of bundles that is given, not for another one like it.
   */
  meet(bundles: readonly number[], words: readonly { whole: string; count: number }[]): EntrySet | null
  /** Resolves when what is wanted so far has been read. */
  settled(): Promise<void>
}

/** By the bundles' own tables, so that it is planned once. Four bytes a position, the first the highest (int4send). */
const readStatement = onceFor(
  (bundles: readonly number[]): string => `
    with asked as materialized (select $1::tsquery as query)
    ${bundles
      .map(tableNumber)
      .map(
        (bundle) => `
          select ${bundle} as bundle, e.type, string_agg(int4send(e.position), ''::bytea order by e.position) as positions
          from search_entries_${bundle} e where e.words @@ (select query from asked) group by e.type`,
      )
      .join(' union all ')}`,
)

/** Big-endian integers as the machine has them. */
const readPositions = (bytes: Buffer): Int32Array => {
  const positions = new Int32Array(bytes.length / 4)
  for (let at = 0; at < positions.length; at += 1) positions[at] = bytes.readInt32BE(at * 4)
  return positions
}

/**
 * Which entries have a word, of the words that people ask for, in memory. PostgreSQL's inverted index reads all entries of every common
 * word of a question, some 30 to 130 nanoseconds each, to find the few that have them all: with sets that are there it takes a tenth
 * of the time. What a bundle brings never changes, so that sets hold for as long as it is there.
 */
export const createEntrySets = (sql: Sql): EntrySets => {
  const sets = new Map<string, { set: EntrySet; bytes: number }>()
  const once = new Set<string>()
  const waiting = new Map<string, { bundles: readonly number[]; whole: string }>()
  /** When words that could not be read may be tried again. */
  const notBefore = new Map<string, number>()
  const numberOf = numberObjects()
  let bytes = 0
  let reading: Promise<void> | null = null

  const keep = (name: string, set: EntrySet): void => {
    let own = 0
    for (const { positions, bits } of set.parts.values())
      own += partBytes + positions.byteLength + (bits === null ? 0 : bits.byteLength)
    sets.set(name, { set, bytes: own })
    bytes += own
    for (const [oldest, { bytes: freed }] of sets) {
      if (bytes <= mostBytes) break
      sets.delete(oldest)
      bytes -= freed
    }
  }

  const readWaiting = async (): Promise<void> => {
    for (const [name, { bundles, whole }] of waiting) {
      const began = performance.now()
      try {
        type Row = { bundle: number; type: string; positions: Buffer }
        const rows = await readRows(sql.unsafe<Row[]>(readStatement(bundles), [whole], { prepare: true }))
        const parts = rows.map(({ bundle, type, positions }) => makePart(bundle, type, readPositions(positions)))
        keep(name, makeEntrySet(parts))
      } catch {
        // A bundle is gone, or the database is away: searches do without, and tell what there is to tell.
        notBefore.set(name, Date.now() + pauseMs)
        if (notBefore.size > mostWaiting) notBefore.delete(notBefore.keys().next().value!)
      }
      waiting.delete(name)
      // As long as it took: the rest of the machine is left to those who ask.
      await pause(Math.min(performance.now() - began, 1000), undefined, { ref: false })
    }
    reading = null
  }

  const want = (name: string, bundles: readonly number[], word: { whole: string; count: number }): void => {
    if (word.count > mostEntries || waiting.size >= mostWaiting || waiting.has(name)) return
    if ((notBefore.get(name) ?? 0) > Date.now()) return
    if (word.count <= commonEntries && !once.has(name)) {
      once.add(name)
      if (once.size > mostOnce) once.delete(once.values().next().value!)
      return
    }
    once.delete(name)
    waiting.set(name, { bundles, whole: word.whole })
    reading ??= readWaiting()
  }

  /** A set that is there, which is now the one asked for last. */
  const find = (name: string): EntrySet | null => {
    const kept = sets.get(name)
    if (kept === undefined) return null
    sets.delete(name)
    sets.set(name, kept)
    return kept.set
  }

  return {
    meet: (bundles, words) => {
      const place = numberOf(bundles)
      const found: EntrySet[] = []
      for (const word of words) {
        const name = `${place} ${word.whole}`
        const set = find(name)
        if (set === null) want(name, bundles, word)
        else found.push(set)
      }
      if (found.length < words.length) return null
      if (found.length === 1) return found[0]!
      const name = `${place} ${words.map(({ whole }) => whole).join(' & ')}`
      const known = find(name)
      if (known !== null) return known
      const both = intersectSets(found)
      if (both.size > keptInCommon) keep(name, both)
      return both
    },
    settled: async () => {
      while (reading !== null) await reading
    },
  }
}
