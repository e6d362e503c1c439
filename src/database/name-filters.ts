import { hash } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import type { Sql } from './connect.ts'
import { tableNumber } from './genes.ts'

/** Bytes of a name's digest: the first of its SHA-256, which PostgreSQL and Node compute alike. */
const digestBytes = 8
const bitsPerName = 16
const bitsSetPerName = 8
/** Of very few names the bits would fall together too often. */
const smallestBits = 1024

export const digestName = (name: string): Buffer => hash('sha256', name, 'buffer').subarray(0, digestBytes)

/**
 * Whether a set has a name, in 2 bytes a name: "no" is certain, "yes" is wrong once in some 1,700 times (Bloom, CACM 13:422, 1970; the
 * bits of a name from two numbers, Kirsch & Mitzenmacher, ESA 2006).
 */
export class NameFilter {
  readonly #bits: Uint8Array
  readonly #size: number

  /** For `count` names at most; with more it says "yes" too often. */
  constructor(count: number) {
    this.#size = Math.max(smallestBits, Math.ceil(count) * bitsPerName)
    this.#bits = new Uint8Array(Math.ceil(this.#size / 8))
  }

  /** `digests` of names, one behind the other. */
  add(digests: Buffer): void {
    for (let at = 0; at + digestBytes <= digests.length; at += digestBytes) {
      const [first, step] = numbersAt(digests, at)
      for (let turn = 0; turn < bitsSetPerName; turn += 1) {
        const bit = (first + turn * step) % this.#size
        this.#bits[bit >>> 3]! |= 1 << (bit & 7)
      }
    }
  }

  mayHave(digest: Buffer): boolean {
    const [first, step] = numbersAt(digest, 0)
    for (let turn = 0; turn < bitsSetPerName; turn += 1) {
      const bit = (first + turn * step) % this.#size
      if ((this.#bits[bit >>> 3]! & (1 << (bit & 7))) === 0) return false
    }
    return true
  }
}

const numbersAt = (digests: Buffer, at: number): [first: number, step: number] => [
  digests.readUInt32LE(at),
  (digests.readUInt32LE(at + 4) | 1) >>> 0,
]

/** Names read by one statement: less than ten milliseconds of PostgreSQL's, less than one of the event loop's. */
const namesPerPage = 1000
/** Until a filter that could not be read is tried again. */
const pauseMs = 60_000
/** Bundles told at most: of a name that more have, all are as good to ask. */
const mostBundles = 3

export interface NameFilters {
  /**
   * The few bundles whose genes may have a name, given in lower case; null when these are many, or not known: the filter of a bundle is
   * read in the background, once it was asked for here.
   */
  findBundles(bundles: readonly number[], name: string): number[] | null
  /** How many bundles something is kept of. */
  readonly size: number
  /** Lets go of the filters of all other bundles. */
  keepOnly(bundles: ReadonlySet<number>): void
  /** Resolves when every filter asked for so far is there, or could not be read. */
  settled(): Promise<void>
  /** Reads no further; what is under way ends with the pool. */
  close(): void
}

/**
 * Which bundle has a gene of some name. To ask the tables of all assemblies costs each look-up some 20 to 40 microseconds an assembly of
 * PostgreSQL's time, most of them to find that there is nothing; of a pan-genome's hundreds that would be nearly all that a look-up takes.
 * What a bundle brings never changes, so that its filter holds for as long as the bundle is there.
 */
export const createNameFilters = (sql: Sql, pageSize = namesPerPage): NameFilters => {
  const filters = new Map<number, NameFilter>()
  const wanted = new Set<number>()
  /** When those that could not be read may be tried again. */
  const notBefore = new Map<number, number>()
  let reading: Promise<void> | null = null
  let closed = false

  const read = async (bundle: number): Promise<NameFilter | null> => {
    const table = `search_names_${tableNumber(bundle)}`
    const [all] = await sql.unsafe<{ count: number }[]>(
      `select count(*)::float8 as count from ${table} where type = 'gene'`,
    )
    const filter = new NameFilter(all!.count)
    let last = ''
    while (!closed && wanted.has(bundle)) {
      const began = performance.now()
      // In the order of the index on names; one that several genes have is read once.
      const [page] = await sql.unsafe<{ last: string | null; digests: Buffer | null }[]>(
        `select max(name) as last, string_agg(substr(sha256(convert_to(name, 'UTF8')), 1, ${digestBytes}), '') as digests
         from (select distinct name from ${table} where name > $1 and type = 'gene' order by name limit ${pageSize}) page`,
        [last],
      )
      if (page?.digests == null || page.last === null) return filter
      filter.add(page.digests)
      last = page.last
      // As long as it took: the rest of the machine is left to those who ask.
      await pause(performance.now() - began)
    }
    return null
  }

  const readWanted = async (): Promise<void> => {
    try {
      for (const bundle of wanted) {
        if (closed) return
        try {
          const filter = await read(bundle)
          if (filter !== null && wanted.has(bundle)) filters.set(bundle, filter)
        } catch {
          // The bundle is gone, or the database is away: look-ups do without, and tell what there is to tell.
          notBefore.set(bundle, Date.now() + pauseMs)
        }
        wanted.delete(bundle)
      }
    } finally {
      // At once: whoever asks a moment later begins anew.
      reading = null
    }
  }

  const want = (bundle: number): void => {
    if (closed || wanted.has(bundle) || Date.now() < (notBefore.get(bundle) ?? 0)) return
    wanted.add(bundle)
    reading ??= readWanted()
  }

  return {
    findBundles: (bundles, name) => {
      const digest = digestName(name)
      const found: number[] = []
      let known = true
      for (const bundle of bundles) {
        const filter = filters.get(bundle)
        if (filter === undefined) {
          want(bundle)
          known = false
        } else if (found.length <= mostBundles && filter.mayHave(digest)) {
          found.push(bundle)
        }
      }
      return known && found.length <= mostBundles ? found : null
    },
    get size() {
      return filters.size + wanted.size + notBefore.size
    },
    keepOnly: (bundles) => {
      for (const kept of [filters, wanted, notBefore])
        for (const bundle of kept.keys()) if (!bundles.has(bundle)) kept.delete(bundle)
    },
    settled: async () => {
      while (reading !== null) await reading
    },
    close: () => {
      closed = true
    },
  }
}
