// Sequences in the form that scanning reads, with an index of their words.

import { type Background, makeBackground } from './motif-scores.ts'

/** Bases as 0 to 3, everything else 4. */
const baseCodes = (() => {
  const codes = new Uint8Array(256).fill(4)
  for (const [code, letters] of ['Aa', 'Cc', 'Gg', 'TtUu'].entries())
    for (const letter of letters) codes[letter.charCodeAt(0)] = code
  return codes
})()

/** Bases of the words that are kept of each place: two bytes. */
export const wordBases = 8

/** Places of a word of the index, about: many enough to be read in one go, few enough to leave out most of the others. */
const positionsOfWord = 100

/** Bases of the words by which places are looked up, at most. */
const maxIndexBases = 9

/** Bases beyond which no index is made: it takes eight bytes a base. */
const maxIndexed = 100_000_000

/** Longest segment that is counted; wider than any motif. */
const countedRun = 255

/** Room behind the last base, so that tables may be read over the end. */
const widestWindow = 256

/** Places by the word that begins there. */
export interface PlaceIndex {
  /** Bases of a word. */
  bases: number
  /** Places of word w are `places[firsts[w]]` up to `places[firsts[w + 1]]`. */
  positions: Uint32Array
  firsts: Uint32Array
  /** The eight bases before the word of each of `places`, and in the lower half the eight after it: read in one go, not here and there. */
  around: Uint32Array
  /** Room for what one look-up finds, made once: words, and what they score. */
  room: { words: Uint32Array; sums: Int32Array }
}

/** Sequences in the form that scanning reads. */
export interface EncodedSequences {
  /** Bases as 0 to 3, 4 for anything else, one sequence behind the other with a 4 between. */
  codes: Uint8Array
  /** How many bases without a 4 begin at each place, 255 for that and more. */
  left: Uint8Array
  /** Where each sequence begins in `codes`, and where a further one would begin. */
  starts: Uint32Array
  /** Segments of A, C, G and T only: sequence, first base and end (exclusive) in `codes`. */
  runs: { sequence: number; from: number; to: number }[]
  /** The word of eight bases that begins at each place. */
  words: Uint16Array
  /** Null where all places are walked for each motif. */
  index: PlaceIndex | null
}

const indexPositions = (
  codes: Uint8Array,
  words: Uint16Array,
  runs: EncodedSequences['runs'],
  count: number,
): PlaceIndex => {
  const bases = Math.min(maxIndexBases, Math.max(2, Math.round(Math.log2(count / positionsOfWord + 1) / 2)))
  const wordCount = 4 ** bases
  const wordAt = new Uint32Array(count)
  const firsts = new Uint32Array(wordCount + 1)
  let at = 0
  for (const { from, to } of runs) {
    let word = 0
    for (let ahead = 0; ahead < bases - 1; ahead++) word = (word << 2) | (codes[from + ahead]! & 3)
    for (let position = from; position < to; position++) {
      word = ((word << 2) | (codes[position + bases - 1]! & 3)) & (wordCount - 1)
      wordAt[at] = word
      at += 1
      firsts[word + 1]! += 1
    }
  }
  for (let word = 0; word < wordCount; word++) firsts[word + 1]! += firsts[word]!
  const positions = new Uint32Array(count)
  const around = new Uint32Array(count)
  const next = firsts.slice(0, wordCount)
  at = 0
  for (const { from, to } of runs)
    for (let position = from; position < to; position++) {
      const number = next[wordAt[at]!]!++
      at += 1
      positions[number] = position
      const before = position < wordBases ? words[0]! >> (2 * (wordBases - position)) : words[position - wordBases]!
      around[number] = (before << 16) | words[position + bases]!
    }
  return {
    bases,
    positions,
    firsts,
    around,
    room: { words: new Uint32Array(wordCount), sums: new Int32Array(wordCount) },
  }
}

/**
 * Encodes sequences once for all motifs; `indexed` makes the index too, which costs about what scanning ten motifs without it does.
 * Case is ignored, U is T; N, gaps and ambiguity codes part segments, so that no site covers them (FIMO skips such places too).
 */
export const encodeSequences = (sequences: readonly string[], indexed = true): EncodedSequences => {
  const total = sequences.reduce((sum, sequence) => sum + sequence.length + 1, 0)
  const codes = new Uint8Array(total + widestWindow).fill(4)
  const starts = new Uint32Array(sequences.length + 1)
  const runs: EncodedSequences['runs'] = []
  let at = 0
  for (const [number, sequence] of sequences.entries()) {
    starts[number] = at
    let from = -1
    for (let index = 0; index < sequence.length; index++) {
      const code = baseCodes[sequence.charCodeAt(index) & 255]!
      codes[at + index] = code
      if (code < 4) {
        if (from < 0) from = at + index
      } else if (from >= 0) {
        runs.push({ sequence: number, from, to: at + index })
        from = -1
      }
    }
    at += sequence.length
    if (from >= 0) runs.push({ sequence: number, from, to: at })
    at += 1
  }
  starts[sequences.length] = at
  const left = new Uint8Array(total)
  for (const { from, to } of runs)
    for (let position = from; position < to; position++) left[position] = Math.min(countedRun, to - position)
  // Of every place, for a site may begin in the middle of a word; what is no base counts as A there, and `left` says which places may be
  // used.
  const words = new Uint16Array(total + widestWindow)
  let word = 0
  for (let at = 0; at < wordBases - 1; at++) word = (word << 2) | (codes[at]! & 3)
  for (let position = 0; position < total; position++) {
    word = ((word << 2) | (codes[position + wordBases - 1]! & 3)) & 0xffff
    words[position] = word
  }
  const count = runs.reduce((sum, { from, to }) => sum + to - from, 0)
  const index = indexed && count <= maxIndexed ? indexPositions(codes, words, runs, count) : null
  return { codes, left, starts, runs, words, index }
}

/** Counts of the bases of encoded sequences, one pseudocount each so that none is impossible. */
const countBases = ({ codes, runs }: EncodedSequences): Float64Array => {
  const counts = new Float64Array(4).fill(1)
  for (const { from, to } of runs) for (let at = from; at < to; at++) counts[codes[at]!]! += 1
  return counts
}

/**
 * Background of the sequences themselves, of order 0 (bases) or 1 (each base after the one before it). `bothStrands` counts the
 * reverse complement as well, so that a word and its reverse complement are equally probable; at order 1 up to what the ends of the
 * sequences make, for a first base has none before it. Every count has 1 added.
 *
 * @example countBackground(encodeSequences(['AAAACCCC']), 0, false).bases // [0.417, 0.417, 0.083, 0.083]: (4 + 1) / 12 and 1 / 12
 */
export const countBackground = (sequences: EncodedSequences, order: 0 | 1, bothStrands: boolean): Background => {
  const zero = makeBackground([...countBases(sequences)], bothStrands)
  if (order === 0) return zero
  const pairs = new Float64Array(16).fill(1)
  for (const { from, to } of sequences.runs)
    for (let at = from + 1; at < to; at++) pairs[4 * sequences.codes[at - 1]! + sequences.codes[at]!]! += 1
  const counted = bothStrands ? pairs.map((count, at) => count + pairs[4 * (3 - (at & 3)) + (3 - (at >> 2))]!) : pairs
  const transitions = new Float64Array(16)
  for (let first = 0; first < 4; first++) {
    let sum = 0
    for (let second = 0; second < 4; second++) sum += counted[4 * first + second]!
    for (let second = 0; second < 4; second++) transitions[4 * first + second] = counted[4 * first + second]! / sum
  }
  return { order: 1, bases: zero.bases, transitions }
}
