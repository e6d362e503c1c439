// Which gene of an annotation is which of the next one. Where the sequence is the same, place decides: bases of the coding sequence that
// both genes read in one frame on one strand, as gffcompare compares transcripts by their exons. Where it changed, the product decides,
// and the order of the genes between equal ones, as Ensembl's mapping of stable ids and Liftoff do. docs/import.en.md states the rules.

/** A gene as it is followed: its longest coding transcript, or the longest one where none codes. */
export interface FollowedGene {
  id: string
  sequence: string
  start1: number
  end1: number
  strand: string
  /** Coding parts with the frame that they are read in, or exons with frame 0; ascending. */
  parts: readonly FramedPart[]
  coding: boolean
  /** Protein of a coding gene, else the spliced bases; null where there is none. */
  product: string | null
}

export interface FramedPart {
  start1: number
  end1: number
  /** Remainder by three of the first base of a codon along the sequence. */
  frame: number
}

export const successionRelations = ['same', 'elsewhere', 'renamed', 'split', 'merged', 'gone'] as const
export type SuccessionRelation = (typeof successionRelations)[number]

/** What an old gene has become. */
export interface Succession {
  old: string
  /**
   * `same`: the id is there at its place or with its product; `elsewhere`: the id is there, for something else; `renamed`: one gene of
   * another id; `split`: several; `merged`: one that others became as well; `gone`: none.
   */
  relation: SuccessionRelation
  /** By order along the genome; empty of `gone`. */
  genes: string[]
  by: 'id' | 'place' | 'product' | 'order' | null
  /** Part of the old gene that is found in the new ones, 0 to 1; null where it was not measured. */
  share: number | null
}

/** Of the coding bases of one gene, at least this part must be those of the other, or several of one must make it up. */
export const minPlaceShare = 0.5
/** Of the words of five residues of one protein, at least this part must be in the other: about 80 % identity. */
export const minProductShare = 0.3
const wordLength = 5
/** Genes between an anchor and a candidate, or between parts of a gene, at most. */
const mostApart = 10
/** Parts of a split or merged gene have less than this in common. */
const mostCommon = 0.2
/** What has at least this of a gene is that gene, not a part of it. */
const wholeShare = 0.9

/** Frame of a coding part: `phase` bases at its 5' end belong to the codon before. */
export const frameOf = (part: { start1: number; end1: number; phase: number }, strand: string): number =>
  strand === '-' ? (((part.end1 - part.phase) % 3) + 3) % 3 : (part.start1 + part.phase) % 3

const basesOf = (parts: readonly FramedPart[]): number =>
  parts.reduce((sum, { start1, end1 }) => sum + end1 - start1 + 1, 0)

const sharedBases = (one: readonly FramedPart[], other: readonly FramedPart[]): number => {
  let shared = 0
  for (const a of one)
    for (const b of other) {
      if (b.start1 > a.end1) break
      if (a.frame === b.frame) shared += Math.max(0, Math.min(a.end1, b.end1) - Math.max(a.start1, b.start1) + 1)
    }
  return shared
}

interface Numbered {
  gene: FollowedGene
  /** Place in the order of all genes. */
  rank: number
}

interface Pair {
  old: Numbered
  fresh: Numbered
  ofOld: number
  ofFresh: number
}

/** Follows every old gene; `sameSequence` names the new sequence whose bases are those of an old one, null where there is none. */
export const followGenes = (
  before: readonly FollowedGene[],
  after: readonly FollowedGene[],
  sameSequence: (old: string) => string | null,
): Succession[] => {
  const olds = before.map((gene, rank) => ({ gene, rank }))
  const news = after.map((gene, rank) => ({ gene, rank }))
  const byId = new Map(news.map((one) => [one.gene.id, one]))
  const found = new Map<Numbered, Succession>()
  const placed = olds.filter(({ gene }) => sameSequence(gene.sequence) !== null)
  const moved = olds.filter(({ gene }) => sameSequence(gene.sequence) === null)
  followByPlace(placed, news, byId, sameSequence, found)
  followByProduct(olds, moved, news, byId, found)
  return olds.map((old) => found.get(old)!)
}

const followByPlace = (
  olds: readonly Numbered[],
  news: readonly Numbered[],
  byId: ReadonlyMap<string, Numbered>,
  sameSequence: (old: string) => string | null,
  found: Map<Numbered, Succession>,
): void => {
  const keyOf = (sequence: string, strand: string): string => `${strand} ${sequence}`
  const lists = new Map<string, Numbered[]>()
  for (const one of news) {
    const key = keyOf(one.gene.sequence, one.gene.strand)
    const list = lists.get(key)
    if (list === undefined) lists.set(key, [one])
    else list.push(one)
  }
  const longest = new Map<string, number>()
  for (const [key, list] of lists) {
    list.sort((a, b) => a.gene.start1 - b.gene.start1)
    longest.set(
      key,
      list.reduce((max, { gene }) => Math.max(max, gene.end1 - gene.start1), 0),
    )
  }
  const ofOld = new Map<Numbered, Pair[]>()
  const ofFresh = new Map<Numbered, Pair[]>()
  for (const old of olds) {
    const { gene } = old
    const key = keyOf(sameSequence(gene.sequence)!, gene.strand)
    const list = lists.get(key) ?? []
    let at = firstFrom(list, gene.start1 - (longest.get(key) ?? 0))
    const pairs: Pair[] = []
    for (; at < list.length && list[at]!.gene.start1 <= gene.end1; at += 1) {
      const fresh = list[at]!
      if (fresh.gene.coding !== gene.coding) continue
      const shared = sharedBases(gene.parts, fresh.gene.parts)
      if (shared === 0) continue
      const pair = { old, fresh, ofOld: shared / basesOf(gene.parts), ofFresh: shared / basesOf(fresh.gene.parts) }
      pairs.push(pair)
      ofFresh.set(fresh, [...(ofFresh.get(fresh) ?? []), pair])
    }
    ofOld.set(old, pairs)
  }
  for (const [old, pairs] of ofOld) {
    const { id } = old.gene
    const parts = partsByPlace(pairs)
    const covered = parts.reduce((sum, pair) => sum + pair.ofOld, 0)
    const best = pairs
      .filter((pair) => pair.ofOld >= minPlaceShare || pair.ofFresh >= minPlaceShare)
      .sort(
        (a, b) =>
          Number(b.fresh.gene.id === id) - Number(a.fresh.gene.id === id) ||
          b.ofOld - a.ofOld ||
          // Of two that have all of it, the one that has less beside it.
          b.ofFresh - a.ofFresh,
      )[0]
    if (parts.length > 1 && covered >= minPlaceShare) {
      found.set(old, succession(old, 'split', parts, 'place', covered))
      continue
    }
    if (best === undefined) {
      found.set(old, withoutTrace(old, byId))
      continue
    }
    const others = ofFresh.get(best.fresh)!.filter((pair) => pair.old !== old && pair.ofOld >= minPlaceShare)
    // Of two that overlap each other one may have been the same all along.
    const isMerged = best.ofOld >= minPlaceShare && others.some((pair) => !overlaps(pair.old.gene, old.gene))
    const relation = isMerged ? 'merged' : best.fresh.gene.id === id ? 'same' : 'renamed'
    found.set(old, succession(old, relation, [best], 'place', best.ofOld))
  }
}

/** The new genes that a gene may have been split into: within it, the largest first, each apart from the others; none where one is it. */
const partsByPlace = (pairs: readonly Pair[]): Pair[] => {
  const parts: Pair[] = []
  if (pairs.some(({ ofOld }) => ofOld >= wholeShare)) return parts
  const within = pairs.filter(({ ofFresh }) => ofFresh >= minPlaceShare).sort((a, b) => b.ofOld - a.ofOld)
  for (const pair of within) if (!parts.some(({ fresh }) => overlaps(fresh.gene, pair.fresh.gene))) parts.push(pair)
  return parts
}

const overlaps = (one: FollowedGene, other: FollowedGene): boolean =>
  one.start1 <= other.end1 && other.start1 <= one.end1 && sharedBases(one.parts, other.parts) > 0

const firstFrom = (list: readonly Numbered[], start1: number): number => {
  let low = 0
  let high = list.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (list[middle]!.gene.start1 < start1) low = middle + 1
    else high = middle
  }
  return low
}

const succession = (
  old: Numbered,
  relation: SuccessionRelation,
  pairs: readonly Pair[],
  by: Succession['by'],
  share: number | null,
): Succession => ({
  old: old.gene.id,
  relation,
  genes: [...pairs].sort((a, b) => a.fresh.rank - b.fresh.rank).map(({ fresh }) => fresh.gene.id),
  by,
  share: share === null ? null : Math.min(1, share),
})

/** Nothing of the gene was found: its id may be there for another one, or of what cannot be compared. */
const withoutTrace = (old: Numbered, byId: ReadonlyMap<string, Numbered>): Succession => {
  const { gene } = old
  const named = byId.get(gene.id)
  if (named === undefined) return { old: gene.id, relation: 'gone', genes: [], by: null, share: null }
  const isCompared = gene.product !== null && named.gene.product !== null && gene.coding === named.gene.coding
  return {
    old: gene.id,
    relation: isCompared && gene.product !== named.gene.product ? 'elsewhere' : 'same',
    genes: [named.gene.id],
    by: 'id',
    share: null,
  }
}

/** Letters of proteins and 0 for any other; words of five fit 23 bits. */
const letters = new Uint8Array(128)
for (const [at, letter] of [...'ACDEFGHIKLMNPQRSTVWY'].entries()) letters[letter.charCodeAt(0)] = at + 1
const base = 21
const wordCount = base ** wordLength

/** The words of a protein as numbers, each once, ascending. */
const wordsOf = (product: string): Uint32Array => {
  const words = new Uint32Array(Math.max(0, product.length - wordLength + 1))
  let word = 0
  for (let at = 0; at < product.length; at += 1) {
    word = ((word * base) % wordCount) + letters[product.charCodeAt(at) & 127]!
    if (at >= wordLength - 1) words[at - wordLength + 1] = word
  }
  words.sort()
  let size = 0
  for (let at = 0; at < words.length; at += 1)
    if (at === 0 || words[at] !== words[at - 1]) {
      words[size] = words[at]!
      size += 1
    }
  return words.slice(0, size)
}

const countShared = (one: Uint32Array, other: Uint32Array): number => {
  let shared = 0
  for (let a = 0, b = 0; a < one.length && b < other.length; ) {
    if (one[a]! < other[b]!) a += 1
    else if (one[a]! > other[b]!) b += 1
    else {
      shared += 1
      a += 1
      b += 1
    }
  }
  return shared
}

/** Which of some proteins have a word: those of very many tell nothing. */
const mostOfWord = 500

const indexWords = (sets: readonly Uint32Array[]) => {
  const ends = new Uint32Array(wordCount + 1)
  for (const words of sets) for (const word of words) ends[word + 1]! += 1
  for (let word = 0; word < wordCount; word += 1) ends[word + 1]! += ends[word]!
  const holders = new Uint32Array(ends[wordCount]!)
  const filled = ends.slice()
  for (const [number, words] of sets.entries())
    for (const word of words) {
      holders[filled[word]!] = number
      filled[word]! += 1
    }
  const counts = new Uint32Array(sets.length)
  /** How many of the words each protein has, by its number. */
  return (words: Uint32Array): [number, number][] => {
    const met: number[] = []
    for (const word of words) {
      const from = ends[word]!
      const to = ends[word + 1]!
      if (to - from > mostOfWord) continue
      for (let at = from; at < to; at += 1) {
        const number = holders[at]!
        if (counts[number] === 0) met.push(number)
        counts[number]! += 1
      }
    }
    const found = met.map((number): [number, number] => [number, counts[number]!])
    for (const number of met) counts[number] = 0
    return found
  }
}

const followByProduct = (
  all: readonly Numbered[],
  olds: readonly Numbered[],
  news: readonly Numbered[],
  byId: ReadonlyMap<string, Numbered>,
  found: Map<Numbered, Succession>,
): void => {
  if (olds.length === 0) return
  const taken = new Set<Numbered>()
  const home = new Map<Numbered, Numbered>()
  const take = (old: Numbered, fresh: Numbered, by: Succession['by'], share: number): void => {
    const relation = fresh.gene.id === old.gene.id ? 'same' : 'renamed'
    found.set(old, { old: old.gene.id, relation, genes: [fresh.gene.id], by, share })
    home.set(old, fresh)
    taken.add(fresh)
  }
  for (const [old, { genes }] of found) {
    const fresh = genes.length === 1 ? byId.get(genes[0]!) : undefined
    if (fresh === undefined) continue
    home.set(old, fresh)
    taken.add(fresh)
  }
  const wordSets = new Map<Numbered, Uint32Array>()
  const words = (one: Numbered): Uint32Array => {
    const own = wordSets.get(one) ?? wordsOf(one.gene.product ?? '')
    wordSets.set(one, own)
    return own
  }
  const sharedWords = (one: Numbered, other: Numbered): number => countShared(words(one), words(other))

  // The same id with the same or a similar product.
  for (const old of olds) {
    const fresh = byId.get(old.gene.id)
    if (fresh === undefined || taken.has(fresh) || fresh.gene.coding !== old.gene.coding) continue
    if (fresh.gene.product === old.gene.product) take(old, fresh, 'id', 1)
    else if (old.gene.coding && fresh.gene.product !== null && old.gene.product !== null) {
      const share = sharedWords(old, fresh) / Math.max(1, words(old).length)
      if (share >= minProductShare) take(old, fresh, 'id', share)
    }
  }

  // Products that are the same to the letter: of one gene each, else by the order of the genes.
  const keyOf = ({ gene }: Numbered): string => `${gene.coding ? 'p' : 'r'}${gene.product}`
  const group = (ones: readonly Numbered[]): Map<string, Numbered[]> => {
    const groups = new Map<string, Numbered[]>()
    for (const one of ones) {
      if (one.gene.product === null || one.gene.product === '') continue
      const list = groups.get(keyOf(one))
      if (list === undefined) groups.set(keyOf(one), [one])
      else list.push(one)
    }
    return groups
  }
  const open = (): Numbered[] => olds.filter((old) => !found.has(old))
  const free = (): Numbered[] => news.filter((fresh) => !taken.has(fresh))
  const equals = group(free())
  const ties: [Numbered, Numbered[]][] = []
  for (const [key, those] of group(open())) {
    const candidates = equals.get(key) ?? []
    if (those.length === 1 && candidates.length === 1) take(those[0]!, candidates[0]!, 'product', 1)
    else if (candidates.length > 0) for (const old of those) ties.push([old, candidates])
  }
  /** Where the genes around an old one are now: the nearest that were found on either side of it. */
  const around = (old: Numbered): Numbered[] => {
    const near: Numbered[] = []
    for (const step of [-1, 1])
      for (let at = 1; at <= mostApart; at += 1) {
        const other = all[old.rank + step * at]
        if (other === undefined || other.gene.sequence !== old.gene.sequence) break
        const fresh = home.get(other)
        if (fresh === undefined) continue
        near.push(fresh)
        break
      }
    return near
  }
  const distance = (fresh: Numbered, near: readonly Numbered[]): number => {
    const distances = near
      .filter(({ gene }) => gene.sequence === fresh.gene.sequence)
      .map(({ rank }) => Math.abs(rank - fresh.rank))
    return distances.length === 0
      ? Number.POSITIVE_INFINITY
      : distances.reduce((sum, one) => sum + one, 0) / distances.length
  }
  /** The one candidate that lies where the neighbours do; undefined where none does, or two alike. */
  const byOrder = (old: Numbered, candidates: readonly Numbered[]): Numbered | undefined => {
    const near = around(old)
    const ranked = candidates
      .filter((fresh) => !taken.has(fresh))
      .map((fresh) => ({ fresh, far: distance(fresh, near) }))
      .filter(({ far }) => far <= mostApart)
      .sort((a, b) => a.far - b.far)
    return ranked.length > 1 && ranked[0]!.far === ranked[1]!.far ? undefined : ranked[0]?.fresh
  }
  // What one round finds is an anchor for the next.
  for (let round = 0, before = -1; round < 5 && before !== taken.size; round += 1) {
    before = taken.size
    for (const [old, candidates] of ties) {
      if (found.has(old)) continue
      const fresh = byOrder(old, candidates)
      if (fresh !== undefined) take(old, fresh, 'order', 1)
    }
  }
  // Copies that nothing tells apart: any of them is the same to whoever reads its protein.
  for (const [old, candidates] of ties) {
    const fresh = found.has(old) ? undefined : candidates.find((one) => !taken.has(one))
    if (fresh !== undefined) take(old, fresh, 'product', 1)
  }

  // Similar products.
  const compared = free().filter(({ gene }) => gene.coding)
  const count = indexWords(compared.map(words))
  const pairsOfOld = new Map<Numbered, Pair[]>()
  const pairsOfFresh = new Map<Numbered, Pair[]>()
  for (const old of open()) {
    if (!old.gene.coding || old.gene.product === null) continue
    const pairs: Pair[] = []
    for (const [number, shared] of count(words(old))) {
      const fresh = compared[number]!
      const pair = { old, fresh, ofOld: shared / words(old).length, ofFresh: shared / words(fresh).length }
      if (Math.max(pair.ofOld, pair.ofFresh) < minProductShare) continue
      pairs.push(pair)
      const back = pairsOfFresh.get(fresh)
      if (back === undefined) pairsOfFresh.set(fresh, [pair])
      else back.push(pair)
    }
    pairsOfOld.set(old, pairs)
  }
  const alike = (pair: Pair): number => pair.ofOld + pair.ofFresh
  /** The most alike of some; among paralogs, which are as alike as makes no difference, the one where the neighbours are. */
  const bestOf = (pairs: readonly Pair[], near: readonly Numbered[]): Pair | undefined => {
    const most = pairs.reduce((max, pair) => Math.max(max, alike(pair)), 0)
    let best: { pair: Pair; far: number } | undefined
    for (const pair of pairs) {
      if (alike(pair) < most - 0.1) continue
      const far = near.length === 0 ? 0 : distance(pair.fresh, near)
      if (best === undefined || far < best.far || (far === best.far && alike(pair) > alike(best.pair)))
        best = { pair, far }
    }
    return best?.pair
  }
  const areParts = (parts: readonly Numbered[]): boolean => {
    const inOrder = [...parts].sort((a, b) => a.rank - b.rank)
    return inOrder.every((one, at) => {
      const next = inOrder[at + 1]
      if (next === undefined) return true
      const common = sharedWords(one, next) / Math.max(1, Math.min(words(one).length, words(next).length))
      return next.gene.sequence === one.gene.sequence && next.rank - one.rank <= mostApart && common < mostCommon
    })
  }
  for (const [old, pairs] of pairsOfOld) {
    const within = pairs.filter(({ ofFresh, ofOld }) => ofFresh >= minProductShare && ofOld < wholeShare)
    const covered = within.reduce((sum, pair) => sum + pair.ofOld, 0)
    if (
      within.length > 1 &&
      within.length < 6 &&
      covered >= minPlaceShare &&
      areParts(within.map(({ fresh }) => fresh))
    ) {
      found.set(old, succession(old, 'split', within, 'product', covered))
      for (const { fresh } of within) taken.add(fresh)
    }
  }
  for (const [fresh, pairs] of pairsOfFresh) {
    const within = pairs.filter(
      ({ old, ofOld, ofFresh }) => !found.has(old) && ofOld >= minProductShare && ofFresh < wholeShare,
    )
    const covered = within.reduce((sum, pair) => sum + pair.ofFresh, 0)
    if (within.length > 1 && within.length < 6 && covered >= minPlaceShare && areParts(within.map(({ old }) => old))) {
      for (const pair of within) found.set(pair.old, succession(pair.old, 'merged', [pair], 'product', pair.ofOld))
      taken.add(fresh)
    }
  }
  for (const reciprocal of [true, false])
    for (const [old, pairs] of pairsOfOld) {
      if (found.has(old)) continue
      const best = bestOf(
        pairs.filter(({ fresh, ofOld }) => !taken.has(fresh) && ofOld >= minProductShare),
        around(old),
      )
      if (best === undefined) continue
      const back = bestOf(
        pairsOfFresh.get(best.fresh)!.filter((pair) => !found.has(pair.old)),
        [],
      )
      if (!reciprocal || back?.old === old) take(old, best.fresh, 'product', best.ofOld)
    }
  for (const old of olds) if (!found.has(old)) found.set(old, withoutTrace(old, byId))
}
