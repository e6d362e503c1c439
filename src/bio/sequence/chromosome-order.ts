// The order in which biologists list chromosomes, and the same chromosome under the names of different sources.

import { NameTable } from '../text/name-table.ts'

const romanValues: Record<string, number> = { i: 1, v: 5, x: 10, l: 50, c: 100 }
const romanForm = /^(?:c{0,3})(?:xc|xl|l?x{0,3})(?:ix|iv|v?i{0,3})$/

/** Value of a Roman numeral up to 399 in any case, or null. Example: `readRoman('xiv')` is 14. */
export function readRoman(text: string): number | null {
  const roman = text.toLowerCase()
  if (roman === '' || !romanForm.test(roman)) return null
  let value = 0
  for (let index = 0; index < roman.length; index++) {
    const own = romanValues[roman[index]!]!
    const next = romanValues[roman[index + 1] ?? ''] ?? 0
    value += own < next ? -own : own
  }
  return value
}

const chromosomePrefix = /^(?:chromosome|chromo|chrom|chr|linkage_?group|lg|group|grp)[\s_.-]*(?=.)/i
const mitochondrialNames = new Set(['m', 'mt', 'mito', 'mtdna', 'mitochondrion', 'mitochondria', 'mitochondrial'])
const plastidNames = new Set(['pt', 'c', 'ch', 'cp', 'cpdna', 'pltd', 'ptdna', 'chloroplast', 'plastid', 'apicoplast'])
const unplacedWords =
  /scaffold|scaff|contig|ctg|unplaced|unlocali[sz]ed|unanchored|random|supercont|unitig|utg|(?:^|[^a-z])(?:un|tig|alt|fix|hap)(?:[^a-z]|$)|^n[wtz]_|_hap\d*$/i

function stripPrefix(name: string): string {
  return name.replace(chromosomePrefix, '')
}

interface Scheme {
  /** The list counts its chromosomes with Roman numerals. */
  roman: boolean
  /** In it, X is the tenth chromosome, not the sex chromosome. */
  tenIsX: boolean
  /** C is a chromosome among A, B …, not the chloroplast. */
  letters: boolean
}

const tellingNames = new Set(['ii', 'iii', 'iv', 'vi', 'ix', 'xi', 'a', 'b'])

// One name does not tell what it counts with: chrX is the tenth chromosome of yeast and the sex chromosome of
// Caenorhabditis elegans, which also writes I, II, III, IV, V. Its neighbours do.
function readScheme(names: readonly string[]): Scheme {
  // Of a million names only those that tell are kept.
  const rests = new Set<string>()
  for (const name of names) {
    const rest = stripPrefix(name).toLowerCase()
    if (tellingNames.has(rest)) rests.add(rest)
  }
  const has = (rest: string) => rests.has(rest)
  return {
    roman: has('ii') || has('iii') || has('iv') || has('vi'),
    tenIsX: has('ix') || has('xi'),
    letters: has('a') && has('b'),
  }
}

type Rank = 'chromosome' | 'sex' | 'organelle' | 'other' | 'unplaced'
const rankOrder: Record<Rank, number> = { chromosome: 0, sex: 1, other: 2, organelle: 3, unplaced: 4 }

interface Placement {
  rank: Rank
  number: number
  /** Arm or subgenome after the number (2L, 3B); empty for most. */
  part: string
  /** What the name stands for, the same in every naming scheme; null when it is none of the known forms. */
  canonical: string | null
}

const none: Omit<Placement, 'rank'> = { number: 0, part: '', canonical: null }

function placeName(name: string, scheme: Scheme): Placement {
  const rest = stripPrefix(name).toLowerCase()
  const prefixed = rest.length < name.length
  if (mitochondrialNames.has(rest)) return { ...none, rank: 'organelle', number: 1, canonical: 'organelle mt' }
  if (plastidNames.has(rest) && !(scheme.letters && rest === 'c')) {
    return { ...none, rank: 'organelle', number: 2, canonical: 'organelle pt' }
  }
  if (unplacedWords.test(name) || unplacedWords.test(rest)) return { ...none, rank: 'unplaced' }

  const counted = /^(\d+)([a-z]?)$/.exec(rest)
  if (counted) {
    const number = Number(counted[1])
    return { rank: 'chromosome', number, part: counted[2]!, canonical: `chromosome ${number}${counted[2]}` }
  }
  if (/^[xyzw]$/.test(rest) && !(rest === 'x' && scheme.tenIsX)) {
    return { ...none, rank: 'sex', number: 'xyzw'.indexOf(rest), canonical: `chromosome ${rest}` }
  }
  const roman = scheme.roman ? readRoman(rest) : null
  if (roman !== null) return { ...none, rank: 'chromosome', number: roman, canonical: `chromosome ${roman}` }
  // Subgenomes: A01 of Brassica, 1A of wheat is above.
  const lettered = /^([a-z])(\d+)$/.exec(rest)
  if (lettered) {
    const number = Number(lettered[2])
    return { rank: 'chromosome', number: 0, part: rest, canonical: `chromosome ${lettered[1]}${number}` }
  }
  return { ...none, rank: prefixed ? 'chromosome' : 'other', number: Number.MAX_SAFE_INTEGER }
}

const digits = /(\d+)/

/**
 * Which organelle a sequence of this name is, among names that do not count with letters; null for every other.
 *
 * Example: `organelleOfName('chrMt')` is 'mitochondrion'.
 */
export function organelleOfName(name: string): 'mitochondrion' | 'plastid' | null {
  const rest = stripPrefix(name).toLowerCase()
  // A letter alone is a contig as well.
  if (rest.length === 1 && rest.length === name.length) return null
  if (mitochondrialNames.has(rest)) return 'mitochondrion'
  return plastidNames.has(rest) ? 'plastid' : null
}

/** Compares texts with the numbers in them as numbers. Example: `compareNaturally('scaffold_2', 'scaffold_10') < 0`. */
export function compareNaturally(a: string, b: string): number {
  if (a === b) return 0
  // Names of one kind differ in their last numbers: what they begin with in common, up to a number, decides nothing.
  const max = Math.min(a.length, b.length)
  let common = 0
  while (common < max && a.charCodeAt(common) === b.charCodeAt(common)) common += 1
  while (common > 0 && isDigit(a.charCodeAt(common - 1))) common -= 1
  const x = readNumber(a, common)
  const y = readNumber(b, common)
  if (x !== null && y !== null && x !== y) return x - y
  return compareParts(a, b)
}

function isDigit(code: number): boolean {
  return code >= 48 && code <= 57
}

/** The number that begins at `at`, or null where none does, or one too long to be told exactly. */
function readNumber(text: string, at: number): number | null {
  let value = 0
  let end = at
  while (end < text.length && isDigit(text.charCodeAt(end))) {
    value = value * 10 + text.charCodeAt(end) - 48
    end += 1
  }
  return end === at || end - at > 15 ? null : value
}

function compareParts(a: string, b: string): number {
  const left = a.split(digits)
  const right = b.split(digits)
  for (let index = 0; index < Math.min(left.length, right.length); index++) {
    const x = left[index]!
    const y = right[index]!
    if (index % 2 === 1) {
      const difference = Number(x) - Number(y)
      if (difference !== 0) return difference
    }
    if (x !== y) return x < y ? -1 : 1
  }
  return left.length - right.length
}

/**
 * The names in the order of a karyotype: numbered chromosomes (Arabic or Roman, with arms or subgenomes), sex chromosomes,
 * other named molecules, organelles, and unplaced scaffolds last; within each, numbers count as numbers.
 *
 * Example: `orderSequenceNames(['chr10', 'scaffold_2', 'chrM', 'chrX', 'chr2'])` is
 * `['chr2', 'chr10', 'chrX', 'chrM', 'scaffold_2']`.
 */
export function orderSequenceNames(names: readonly string[]): string[] {
  return Array.from(karyotypeOrder(names), (position) => names[position]!)
}

/** Positions of the names in the order of `orderSequenceNames`, a few bytes a name. */
export function karyotypeOrder(names: readonly string[]): Uint32Array {
  const scheme = readScheme(names)
  const ranks = new Uint8Array(names.length)
  const numbers = new Float64Array(names.length)
  // Most have none.
  const parts = new Map<number, string>()
  for (const [position, name] of names.entries()) {
    const { rank, number, part } = placeName(name, scheme)
    ranks[position] = rankOrder[rank]
    numbers[position] = number
    if (part !== '') parts.set(position, part)
  }
  return Uint32Array.from(names.keys()).sort(
    (a, b) =>
      ranks[a]! - ranks[b]! ||
      numbers[a]! - numbers[b]! ||
      compareNaturally(parts.get(a) ?? '', parts.get(b) ?? '') ||
      compareNaturally(names[a]!, names[b]!),
  )
}

// From the surest likeness to the loosest: the same letters in another case; the accession inside NCBI's old
// "gi|…|ref|NC_001133.9|" or without its version; the same without "chr"; the same chromosome in another way of counting.
const likenesses: readonly ((name: string, scheme: Scheme) => string | null)[] = [
  (name) => name.toLowerCase(),
  (name) => accessionOf(name)?.toLowerCase() ?? null,
  (name) =>
    accessionOf(name)
      ?.replace(/\.\d+$/, '')
      .toLowerCase() ?? null,
  (name) => stripPrefix(name).toLowerCase(),
  (name, scheme) => placeName(name, scheme).canonical,
]

function accessionOf(name: string): string | null {
  if (name.includes('|')) {
    const fields = name.split('|').filter((field) => field !== '')
    return fields.at(-1) ?? null
  }
  return name
}

/**
 * Finds for each name of `from` the same sequence among the names of `to`, where that is beyond doubt: chrI, I, 1, chr1 and
 * Chr01 are one; chrmt, chrM, Mito and MT are one; NC_001133 is NC_001133.9. A name that could be two of them, or that two
 * would claim, is left out. Names that are in both lists map to themselves.
 *
 * Example: `mapSequenceNames(['I', 'Mito'], ['chrI', 'chrII', 'chrmt'])` is `Map {'I' => 'chrI', 'Mito' => 'chrmt'}`.
 */
export function mapSequenceNames(from: readonly string[], to: readonly string[]): Map<string, string> {
  const mapped = new Map<string, string>()
  const free = new Set(to)
  for (const name of from) if (free.has(name)) mapped.set(name, name)
  for (const name of mapped.keys()) free.delete(name)
  if (from.every((name) => mapped.has(name))) return mapped

  const fromScheme = readScheme(from)
  const toScheme = readScheme(to)
  for (const likeness of likenesses) {
    const askers = groupBy(new Set(from.filter((name) => !mapped.has(name))), (name) => likeness(name, fromScheme))
    if (askers.size === 0) continue
    // Only names that are asked for are gathered: a draft genome has a million others.
    const targets = groupBy(free, (name) => {
      const key = likeness(name, toScheme)
      return key !== null && askers.has(key) ? key : null
    })
    for (const [key, names] of askers) {
      const matches = targets.get(key)
      if (names.length !== 1 || matches?.length !== 1) continue
      mapped.set(names[0]!, matches[0]!)
      free.delete(matches[0]!)
    }
  }
  return mapped
}

function groupBy(names: ReadonlySet<string>, keyOf: (name: string) => string | null): Map<string, string[]> {
  const groups = new Map<string, string[]>()
  for (const name of names) {
    const key = keyOf(name)
    if (key === null) continue
    const group = groups.get(key)
    if (!group) groups.set(key, [name])
    else group.push(name)
  }
  return groups
}

/** Names whose spelling is compared with an unknown one: those that come first, so that drafts of many scaffolds answer as quickly. */
const maxCompared = 5000

/**
 * Names that someone who wrote `name` may have meant, best first, at most `limit`: the same chromosome under another name,
 * then names that differ by few letters.
 *
 * Example: `findNearNames('Chr4', ['chrI', 'chrIV', 'chrV'])` begins with `chrIV`.
 */
export function findNearNames(name: string, names: readonly string[], limit = 5): string[] {
  return nearNames(name, names, groupByLikenesses(names), limit)
}

function nearNames(name: string, names: readonly string[], groups: LikenessGroups, limit: number): string[] {
  const near = new Set<string>()
  for (const ownScheme of [groups.scheme, { roman: true, tenIsX: true, letters: false }]) {
    for (const [number, likeness] of likenesses.entries()) {
      const key = likeness(name, ownScheme)
      if (key === null) continue
      for (const candidate of groups.byKey[number]!.find(key)) near.add(candidate)
    }
  }
  const farthest = Math.max(1, Math.floor(name.length / 3))
  const byDistance = names
    .slice(0, maxCompared)
    .filter((candidate) => Math.abs(candidate.length - name.length) <= farthest)
    .map((candidate) => ({ candidate, distance: editDistance(name.toLowerCase(), candidate.toLowerCase()) }))
    .filter(({ distance }) => distance <= farthest)
    .sort((a, b) => a.distance - b.distance || compareNaturally(a.candidate, b.candidate))
  for (const { candidate } of byDistance) near.add(candidate)
  return [...near].slice(0, limit)
}

interface LikenessGroups {
  scheme: Scheme
  /** Names by what they are alike in, for each of `likenesses`. */
  byKey: KeyedNames[]
}

function groupByLikenesses(names: readonly string[]): LikenessGroups {
  const scheme = readScheme(names)
  const unique = [...new Set(names)]
  return { scheme, byKey: likenesses.map((likeness) => new KeyedNames(unique, (name) => likeness(name, scheme))) }
}

/**
 * Names found by a key that is made of them, in eight bytes a name: a sorted list of the keys' hashes with the names' positions. Keys
 * themselves, kept for a million scaffolds, would take a hundred times as much.
 */
class KeyedNames {
  readonly #names: readonly string[]
  readonly #keyOf: (name: string) => string | null
  readonly #entries: Float64Array
  /** Hash and position share the 53 bits of a whole number. */
  readonly #positions: number
  readonly #hashes: number

  constructor(names: readonly string[], keyOf: (name: string) => string | null) {
    this.#names = names
    this.#keyOf = keyOf
    const positionBits = Math.max(1, Math.ceil(Math.log2(names.length + 1)))
    this.#positions = 2 ** positionBits
    this.#hashes = 2 ** Math.min(32, 53 - positionBits)
    const entries = new Float64Array(names.length)
    let count = 0
    for (const [position, name] of names.entries()) {
      const key = keyOf(name)
      if (key !== null) entries[count++] = this.#hash(key) * this.#positions + position
    }
    this.#entries = entries.subarray(0, count).sort()
  }

  /** FNV-1a. */
  #hash(key: string): number {
    let hash = 0x811c9dc5
    for (let at = 0; at < key.length; at += 1) hash = Math.imul(hash ^ key.charCodeAt(at), 0x01000193)
    return (hash >>> 0) % this.#hashes
  }

  /** Names of this key, in the order of the list. */
  find(key: string): string[] {
    const first = this.#hash(key) * this.#positions
    let low = 0
    let high = this.#entries.length
    while (low < high) {
      const middle = (low + high) >>> 1
      if (this.#entries[middle]! < first) low = middle + 1
      else high = middle
    }
    const found: string[] = []
    for (; low < this.#entries.length && this.#entries[low]! < first + this.#positions; low += 1) {
      const name = this.#names[this.#entries[low]! - first]!
      if (this.#keyOf(name) === key) found.push(name)
    }
    return found
  }
}

export interface SequenceNames {
  /** Position in the list of the sequence of exactly this name, or null. */
  findPosition(name: string): number | null
  /**
   * The sequence that a person or a file means by `name`: the one of that name, else the only one with that alias, else the only
   * one that has the name in another naming scheme (see `mapSequenceNames`). Without one, `near` lists names that may have been
   * meant. A name costs the same in a list of ten and of a hundred thousand.
   */
  resolve(name: string): { name: string | null; near: string[] }
}

/**
 * Indexes the names and aliases of an assembly's sequences.
 *
 * Example: `indexSequenceNames([{name: 'chrI'}, {name: 'chrII'}]).resolve('2')` is `{name: 'chrII', near: []}`.
 */
export function indexSequenceNames(sequences: readonly { name: string; aliases?: readonly string[] }[]): SequenceNames {
  const table = new NameTable()
  for (const { name } of sequences) table.add(name)
  const aliases = new Map<string, Set<string>>()
  for (const sequence of sequences) {
    for (const alias of sequence.aliases ?? []) {
      const key = alias.toLowerCase()
      const owners = aliases.get(key)
      if (owners) owners.add(sequence.name)
      else aliases.set(key, new Set([sequence.name]))
    }
  }
  const { names } = table
  // Most questions are by the very name: the rest is prepared by the first that is not.
  let groups: LikenessGroups | null = null
  return {
    findPosition: (name) => table.find(name),
    resolve(name) {
      if (table.find(name) !== null) return { name, near: [] }
      const owners = [...(aliases.get(name.toLowerCase()) ?? [])]
      if (owners.length === 1) return { name: owners[0]!, near: [] }
      if (owners.length > 1) return { name: null, near: owners }
      groups ??= groupByLikenesses(names)
      const scheme = readScheme([name])
      for (const [number, likeness] of likenesses.entries()) {
        const key = likeness(name, scheme)
        const alike = key === null ? [] : groups.byKey[number]!.find(key)
        if (alike.length === 1) return { name: alike[0]!, near: [] }
      }
      return { name: null, near: nearNames(name, names, groups, 5) }
    },
  }
}

// Levenshtein 1966: insertions, deletions and substitutions, one row at a time.
function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index)
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    for (let j = 1; j <= b.length; j++) {
      next.push(Math.min(row[j]! + 1, next[j - 1]! + 1, row[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1)))
    }
    row = next
  }
  return row[b.length]!
}
