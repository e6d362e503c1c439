import { setTimeout as pause } from 'node:timers/promises'
import { tableNumber } from '../baked-tables.ts'
import type { Sql } from '../connect.ts'

const bitsPerName = 16
const bitsSetPerName = 8
/** Of very few names the bits would fall together too often. */
const minBits = 1024

/** FNV-1a over the UTF-16 units of a name, mixed as MurmurHash3 mixes at its end, so that also the last letters move every bit. */
const hashName = (name: string, seed: number): number => {
  let hash = seed
  for (let at = 0; at < name.length; at += 1) hash = Math.imul(hash ^ name.charCodeAt(at), 0x01000193)
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return (hash ^ (hash >>> 16)) >>> 0
}
const firstOf = (name: string): number => hashName(name, 0x811c9dc5)
/** Odd, so that it is never nothing. */
const stepOf = (name: string): number => (hashName(name, 0x2f0b4c47) | 1) >>> 0

/** Two numbers for each name, one behind the other. */
export const hashNames = (names: readonly string[]): Uint32Array => {
  const hashes = new Uint32Array(names.length * 2)
  for (const [number, name] of names.entries()) {
    hashes[number * 2] = firstOf(name)
    hashes[number * 2 + 1] = stepOf(name)
  }
  return hashes
}

/**
 * Whether a set has a name, in 2 bytes a name: "no" is certain, "yes" is wrong once in some 1,700 times (Bloom, CACM 13:422, 1970; the
 * bits of a name from two numbers, Kirsch & Mitzenmacher, ESA 2006).
 */
export class NameFilter {
  readonly #bits: Uint8Array
  readonly #size: number

  /** For `count` names at most; with more it says "yes" too often. */
  constructor(count: number) {
    this.#size = Math.max(minBits, count * bitsPerName)
    this.#bits = new Uint8Array(Math.ceil(this.#size / 8))
  }

  /** Adds names by their {@link hashNames}. */
  add(hashes: Uint32Array): void {
    for (let at = 0; at < hashes.length; at += 2) {
      const [first, step] = [hashes[at]!, hashes[at + 1]!]
      for (let turn = 0; turn < bitsSetPerName; turn += 1) {
        const bit = (first + turn * step) % this.#size
        this.#bits[bit >>> 3]! |= 1 << (bit & 7)
      }
    }
  }

  /** By a name, or by the {@link hashNames} of one that many filters are asked for. */
  mayHave(name: string | Uint32Array): boolean {
    const [first, step] = typeof name === 'string' ? [firstOf(name), stepOf(name)] : [name[0]!, name[1]!]
    for (let turn = 0; turn < bitsSetPerName; turn += 1) {
      const bit = (first + turn * step) % this.#size
      if ((this.#bits[bit >>> 3]! & (1 << (bit & 7))) === 0) return false
    }
    return true
  }
}

/** Blocks of a table read by one statement: some 2,000 names, about a millisecond of PostgreSQL's and of the event loop's. */
const blocksPerPage = 20
/** Until a filter that could not be read is tried again. */
const pauseMs = 60_000
/** Bundles told at most: of a name that more have, all are as good to ask. */
const maxBundles = 3

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
 * Which bundles have a gene of some name. To ask the tables of all assemblies costs each look-up some 20 to 40 microseconds an assembly of
 * PostgreSQL's time, most of them to find that there is nothing; of a pan-genome's hundreds that would be nearly all that a look-up takes.
 * What a bundle brings never changes, so that its filter holds for as long as the bundle is there.
 */
export const createNameFilters = (sql: Sql, pageSize = blocksPerPage): NameFilters => {
  const filters = new Map<number, NameFilter>()
  const wanted = new Set<number>()
  /** When those that could not be read may be tried again. */
  const notBefore = new Map<number, number>()
  let reading: Promise<void> | null = null
  let closed = false

  const isWanted = (bundle: number): boolean => !closed && wanted.has(bundle)

  const read = async (bundle: number): Promise<NameFilter | null> => {
    const table = `search_names_${tableNumber(bundle)}`
    const [size] = await sql.unsafe<{ blocks: number }[]>(
      `select (pg_relation_size('${table}') / current_setting('block_size')::int)::float8 as blocks`,
    )
    const pages: Uint32Array[] = []
    for (let block = 0; block < size!.blocks; block += pageSize) {
      // Given up for good: wanted again, it begins anew.
      if (!isWanted(bundle)) return null
      const began = performance.now()
      const [page] = await sql.unsafe<{ names: string[] | null }[]>(
        `select json_agg(name) as names from ${table} where type = 'gene' and ctid >= $1::tid and ctid < $2::tid`,
        [`(${block},0)`, `(${block + pageSize},0)`],
      )
      pages.push(hashNames(page?.names ?? []))
      // As long as it took: the rest of the machine is left to those who ask. Nothing stays open for it.
      await pause(Math.min(performance.now() - began, 1000), undefined, { ref: false })
    }
    const filter = new NameFilter(pages.reduce((sum, hashes) => sum + hashes.length / 2, 0))
    for (const hashes of pages) {
      filter.add(hashes)
      await pause(0)
    }
    return isWanted(bundle) ? filter : null
  }

  const readWanted = async (): Promise<void> => {
    try {
      for (const bundle of wanted) {
        if (closed) return
        try {
          const filter = await read(bundle)
          if (filter !== null) filters.set(bundle, filter)
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
      const found: number[] = []
      const hashes = hashNames([name])
      let known = true
      for (const bundle of bundles) {
        const filter = filters.get(bundle)
        if (filter === undefined) {
          want(bundle)
          known = false
        } else if (found.length <= maxBundles && filter.mayHave(hashes)) {
          found.push(bundle)
        }
      }
      return known && found.length <= maxBundles ? found : null
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
