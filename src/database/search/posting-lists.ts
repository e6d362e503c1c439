import { setTimeout as pause, setImmediate as turn } from 'node:timers/promises'
import type { Sql } from '../connect.ts'
import { memoize, numberObjects } from './memoize.ts'
import { type SearchedBundles, searchTablesOf } from './merged-tables.ts'

/** Positions in a bundle's search entries: so many for each degree of relevance, the best first, and in it the entry's number in the bundle. */
export const positionsPerRelevance = 200_000_000

/** Entries of one bundle and type: their positions, rising; and of many a bit for each number in the bundle. */
export interface EntrySetPart {
  bundle: number
  type: string
  positions: Int32Array
  bits: Uint32Array | null
}

/** The entries that have a word (its posting list), by bundle and type; without those that have none. */
export interface PostingList {
  parts: ReadonlyMap<string, EntrySetPart>
  size: number
}

export const makePart = (bundle: number, type: string, positions: Int32Array): EntrySetPart => {
  let last = 0
  for (const position of positions) last = Math.max(last, position % positionsPerRelevance)
  // Where the bits take no more than the positions.
  const words = Math.ceil((last + 1) / 32)
  if (words > positions.length) return { bundle, type, positions, bits: null }
  const bits = new Uint32Array(words)
  for (const position of positions) {
    const number = position % positionsPerRelevance
    bits[number >>> 5]! |= 1 << (number & 31)
  }
  return { bundle, type, positions, bits }
}

const partName = (bundle: number, type: string): string => `${bundle} ${type}`

export const makeEntrySet = (parts: readonly EntrySetPart[]): PostingList => ({
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
      const number = position % positionsPerRelevance
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
export const intersectSets = (sets: readonly PostingList[]): PostingList => {
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
export const ofType = (set: PostingList, type: string): PostingList =>
  makeEntrySet([...set.parts.values()].filter((part) => part.type === type))

/** Where an entry stands: of each bundle the positions are different. */
export interface EntryRef {
  bundle: number
  position: number
}

/** Entries of a set by position, then bundle, without those that are `leftOut`: from `offset` on, at most `limit`. */
export const listEntries = (
  { parts }: PostingList,
  offset: number,
  limit: number,
  leftOut: readonly EntryRef[],
): EntryRef[] => {
  const heads = [...parts.values()].map((part) => ({ part, at: 0 })).sort((a, b) => a.part.bundle - b.part.bundle)
  const has = ({ bundle, position }: EntryRef): boolean =>
    heads.some(
      ({ part }) => part.bundle === bundle && part.positions[findFrom(part.positions, position, 0)] === position,
    )
  const out = leftOut.filter(has)
  const outNames = new Set(out.map(({ bundle, position }) => `${bundle} ${position}`))
  const countBelow = (value: number): number =>
    heads.reduce((sum, { part }) => sum + findFrom(part.positions, value, 0), 0) -
    out.filter(({ position }) => position < value).length
  // The last position that at most `offset` entries are before: what is before it need not be passed one by one.
  let start = 0
  for (let step = 2 ** 30; step >= 1; step /= 2) if (countBelow(start + step) <= offset) start += step
  for (const head of heads) head.at = findFrom(head.part.positions, start, 0)
  const listed: EntryRef[] = []
  for (let passed = countBelow(start); listed.length < limit; ) {
    let best: (typeof heads)[number] | undefined
    for (const head of heads) {
      if (head.at === head.part.positions.length) continue
      if (best === undefined || head.part.positions[head.at]! < best.part.positions[best.at]!) best = head
    }
    if (best === undefined) break
    const entry = { bundle: best.part.bundle, position: best.part.positions[best.at]! }
    best.at += 1
    if (outNames.has(`${entry.bundle} ${entry.position}`)) continue
    if (passed >= offset) listed.push(entry)
    passed += 1
  }
  return listed
}

/** What all sets may take together; the one that was asked for longest ago goes first. */
const maxBytesKept = 64 * 2 ** 20
/** Of a set and of a part besides its positions and bits, as measured in V8's heap. */
const setBytes = 600
const partBytes = 250
/** Rarer words are read when they are asked for again: to find their few entries by the index takes less time. */
const commonEntries = 2000
/** Words that wait to be read: more are forgotten, and come when they are asked for again. */
const maxWaiting = 200
/** Rarer words that were asked for once, and words that cannot be read. */
const maxNoted = 5000
/** Until a word that could not be read is tried again. */
const pauseMs = 60_000
/** What several words have in common is kept if it is more than this: it took long to find, and has further pages. */
const keptInCommon = 2000
/** Look-ups that one intersection takes at most, some 10 ms: nobody else is served meanwhile. Beyond it the index is asked. */
const maxLookups = 2_000_000

/** A word, as a tsquery, and how many entries have it, at least. */
export interface WordMet {
  whole: string
  count: number
}

export interface PostingLists {
  /**
   * The entries that have all the words; null when the set of one is not there yet, and may be read in the background then, or when to
   * intersect them would take long. Sets are kept for the list of bundles that is given, not for another one like it.
   */
  meet(bundles: SearchedBundles, words: readonly WordMet[]): PostingList | null
  /** Lets go of all: of lists that nobody asks for any more. */
  clear(): void
  /** Resolves when what is wanted so far has been read. */
  settled(): Promise<void>
}

/**
 * By the bundles' own tables, so that it is planned once. Four bytes a position, the first the highest (int4send). One more than `$2` says
 * that there are more.
 */
const readStatement = memoize(
  (bundles: SearchedBundles): string => `
    with asked as materialized (select $1::tsquery as query)
    select e.bundle, e.type, string_agg(int4send(e.position), ''::bytea order by e.position) as positions from (
      select * from (${searchTablesOf(bundles)
        .map(
          (table) => `
            select ${table.bundleOf('e')} as bundle, e.type, e.position from ${table.nameOf('search_entries')} e
            where e.words @@ (select query from asked) and ${table.isSearched('e')}`,
        )
        .join(' union all ')}) e limit $2::int + 1) e
    group by e.bundle, e.type`,
)

/** Big-endian integers as the machine has them. */
const readPositions = (bytes: Buffer): Int32Array => {
  const positions = new Int32Array(bytes.length / 4)
  for (let at = 0; at < positions.length; at += 1) positions[at] = bytes.readInt32BE(at * 4)
  return positions
}

/** Takes the oldest away beyond `most`. */
const bound = (noted: Map<string, unknown> | Set<string>, max: number): void => {
  if (noted.size > max) noted.delete(noted.keys().next().value!)
}

/**
 * Which entries have a word, of the words that people ask for, in memory. PostgreSQL's inverted index reads all entries of every common
 * word of a question, some 30 to 130 nanoseconds each, to find the few that have them all: with sets that are there it takes a tenth
 * of the time.
 */
export const createEntrySets = (sql: Sql, maxBytes = maxBytesKept): PostingLists => {
  /** A word of more entries would drive out too many others. */
  const maxEntries = Math.floor(maxBytes / 4 / 8)
  const sets = new Map<string, { set: PostingList; bytes: number }>()
  const once = new Set<string>()
  const waiting = new Map<string, { bundles: SearchedBundles; whole: string }>()
  /** When words that could not be read may be tried again. */
  const notBefore = new Map<string, number>()
  const numberOf = numberObjects()
  let bytes = 0
  let reading: Promise<void> | null = null

  const keep = (name: string, set: PostingList): void => {
    let own = setBytes + name.length * 2
    for (const { positions, bits } of set.parts.values())
      own += partBytes + positions.byteLength + (bits === null ? 0 : bits.byteLength)
    bytes += own - (sets.get(name)?.bytes ?? 0)
    sets.delete(name)
    sets.set(name, { set, bytes: own })
    for (const [oldest, { bytes: freed }] of sets) {
      if (bytes <= maxBytes) break
      sets.delete(oldest)
      bytes -= freed
    }
  }

  const read = async (name: string, bundles: SearchedBundles, whole: string): Promise<void> => {
    type Row = { bundle: number; type: string; positions: Buffer }
    const rows = await sql.unsafe<Row[]>(readStatement(bundles), [whole, maxEntries], { prepare: true })
    if (rows.reduce((sum, { positions }) => sum + positions.length / 4, 0) > maxEntries) {
      notBefore.set(name, Number.POSITIVE_INFINITY)
      return
    }
    const parts: EntrySetPart[] = []
    for (const { bundle, type, positions } of rows) {
      parts.push(makePart(bundle, type, readPositions(positions)))
      // Of a common word each takes a while.
      await turn()
    }
    keep(name, makeEntrySet(parts))
  }

  const readWaiting = async (): Promise<void> => {
    for (const [name, { bundles, whole }] of waiting) {
      const began = performance.now()
      try {
        await read(name, bundles, whole)
      } catch {
        // A bundle is gone, or the database is away: searches do without, and tell what there is to tell.
        notBefore.set(name, Date.now() + pauseMs)
      }
      bound(notBefore, maxNoted)
      waiting.delete(name)
      // As long as it took: the rest of the machine is left to those who ask.
      await pause(performance.now() - began, undefined, { ref: false })
    }
    reading = null
  }

  const want = (name: string, bundles: SearchedBundles, { whole, count }: WordMet): void => {
    if (count > maxEntries || waiting.size >= maxWaiting || waiting.has(name)) return
    if ((notBefore.get(name) ?? 0) > Date.now()) return
    if (count <= commonEntries && !once.has(name)) {
      once.add(name)
      bound(once, maxNoted)
      return
    }
    once.delete(name)
    waiting.set(name, { bundles, whole })
    reading ??= readWaiting()
  }

  /** A set that is there, which is now the one asked for last. */
  const find = (name: string): PostingList | null => {
    const kept = sets.get(name)
    if (kept === undefined) return null
    sets.delete(name)
    sets.set(name, kept)
    return kept.set
  }

  return {
    meet: (bundles, words) => {
      const list = numberOf(bundles)
      const found: PostingList[] = []
      for (const word of words) {
        const name = `${list} ${word.whole}`
        const set = find(name)
        if (set === null) want(name, bundles, word)
        else found.push(set)
      }
      if (found.length < words.length) return null
      if (found.length === 1) return found[0]!
      // No tsquery begins with a bracket of this kind.
      const name = `${list} ${JSON.stringify(words.map(({ whole }) => whole).sort())}`
      const known = find(name)
      if (known !== null) return known
      if (Math.min(...found.map(({ size }) => size)) * (found.length - 1) > maxLookups) return null
      const common = intersectSets(found)
      if (common.size > keptInCommon) keep(name, common)
      return common
    },
    clear: () => {
      sets.clear()
      once.clear()
      notBefore.clear()
      bytes = 0
    },
    settled: async () => {
      while (reading !== null) await reading
    },
  }
}
