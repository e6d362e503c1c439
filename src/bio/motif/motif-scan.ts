// Scanning of sequences by position weight matrices, with scores and p-values as FIMO defines them.

import type { Motif } from './motif-formats.ts'

/** What a site is compared with: bases in the order A, C, G, T. */
export interface Background {
  order: 0 | 1
  bases: readonly number[]
  /** Of order 1: probability of the second base after the first, at 4 × first + second. */
  transitions: Float64Array | null
}

/** Integers that the scores of one position take at most (MEME Suite: PSSM_RANGE); it bounds the error of a score. */
const scoreRange = 1000

/** Added to the counts of each position, shared out by the background (FIMO --motif-pseudo). */
const defaultPseudocount = 0.1

/** Frequencies of A, C, G, T in NCBI's non-redundant DNA database: FIMO's background where none is given (MEME Suite --nrdb--). */
export const nrdbFrequencies: readonly number[] = [0.281774, 0.22202, 0.228876, 0.26733]

/** A matrix ready for scanning. */
export interface ScoringMatrix {
  width: number
  /** Whole numbers from 0, at 4 × position + base. */
  scaled: Int32Array
  /** Score in bits = scaled / scale + width × offset. */
  scale: number
  offset: number
  /** Probability of a score at least this, by scaled score. */
  tail: Float64Array
  /** Greatest scaled score that a word can have. */
  best: number
}

/**
 * Background without dependence between neighbours; `bothStrands` averages each base with its complement, as FIMO does where it scans
 * both strands.
 *
 * @example makeBackground([0.3, 0.2, 0.1, 0.4], true).bases // [0.35, 0.15, 0.15, 0.35]
 */
export const makeBackground = (frequencies: readonly number[], bothStrands: boolean): Background => {
  const total = frequencies.reduce((sum, value) => sum + value, 0)
  const [a, c, g, t] = frequencies.map((value) => value / total) as [number, number, number, number]
  const bases = bothStrands ? [(a + t) / 2, (c + g) / 2, (c + g) / 2, (a + t) / 2] : [a, c, g, t]
  return { order: 0, bases, transitions: null }
}

/** Bases as 0 to 3, everything else 4. */
const baseCodes = (() => {
  const codes = new Uint8Array(256).fill(4)
  for (const [code, letters] of ['Aa', 'Cc', 'Gg', 'TtUu'].entries())
    for (const letter of letters) codes[letter.charCodeAt(0)] = code
  return codes
})()

/** Bases of the words that are kept of each place: two bytes. */
const wordBases = 8

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
interface PlaceIndex {
  /** Bases of a word. */
  bases: number
  /** Places of word w are `places[firsts[w]]` up to `places[firsts[w + 1]]`. */
  places: Uint32Array
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

/** Looking at a place that the index gives takes about as long as walking over this many on one strand. */
const lookUpCost = 4

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
    for (let place = from; place < to; place++) {
      word = ((word << 2) | (codes[place + bases - 1]! & 3)) & (wordCount - 1)
      wordAt[at] = word
      at += 1
      firsts[word + 1]! += 1
    }
  }
  for (let word = 0; word < wordCount; word++) firsts[word + 1]! += firsts[word]!
  const indexes = new Uint32Array(count)
  const around = new Uint32Array(count)
  const next = firsts.slice(0, wordCount)
  at = 0
  for (const { from, to } of runs)
    for (let place = from; place < to; place++) {
      const number = next[wordAt[at]!]!++
      at += 1
      indexes[number] = place
      const before = place < wordBases ? words[0]! >> (2 * (wordBases - place)) : words[place - wordBases]!
      around[number] = (before << 16) | words[place + bases]!
    }
  return {
    bases,
    places: indexes,
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
    for (let place = from; place < to; place++) left[place] = Math.min(countedRun, to - place)
  // Of every place, for a site may begin in the middle of a word; what is no base counts as A there, and `left` says which places may be
  // used.
  const words = new Uint16Array(total + widestWindow)
  let word = 0
  for (let at = 0; at < wordBases - 1; at++) word = (word << 2) | (codes[at]! & 3)
  for (let place = 0; place < total; place++) {
    word = ((word << 2) | (codes[place + wordBases - 1]! & 3)) & 0xffff
    words[place] = word
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

/** Probability of each scaled score: the words' probabilities summed position by position. */
const distribute = (scaled: Int32Array, width: number, background: Background, size: number): Float64Array => {
  const { bases, transitions } = background
  // One table for each last base where the next depends on it.
  const states = transitions === null ? 1 : 4
  let old = Array.from({ length: states }, () => new Float64Array(size))
  let now = Array.from({ length: states }, () => new Float64Array(size))
  let reach = 0
  for (let base = 0; base < 4; base++) {
    const score = scaled[base]!
    now[states === 1 ? 0 : base]![score]! += bases[base]!
    reach = Math.max(reach, score)
  }
  for (let position = 1; position < width; position++) {
    ;[old, now] = [now, old]
    for (const table of now) table.fill(0, 0, Math.min(size, reach + scoreRange + 1))
    let furthest = 0
    for (let base = 0; base < 4; base++) {
      const score = scaled[4 * position + base]!
      furthest = Math.max(furthest, score)
      const target = now[states === 1 ? 0 : base]!
      for (let last = 0; last < states; last++) {
        const source = old[last]!
        const probability = transitions === null ? bases[base]! : transitions[4 * last + base]!
        for (let value = 0; value <= reach; value++) {
          const mass = source[value]!
          if (mass !== 0) target[value + score]! += mass * probability
        }
      }
    }
    reach += furthest
  }
  const total = now[0]!
  for (let state = 1; state < states; state++)
    for (let value = 0; value < size; value++) total[value]! += now[state]![value]!
  return total
}

/**
 * Makes log-odds in bits from a motif and a background, as FIMO does: (frequency × sites + pseudocount × background) / (sites +
 * pseudocount) over the background, to the base 2; then whole numbers from 0 to 1000 a position, by a whole offset and a whole scale,
 * so that all p-values are exact for the scores that are reported (Staden 1989, CABIOS 5:89; Grant et al. 2011, Bioinformatics
 * 27:1017). Log-odds are over the bases of the background at either order; the order sets the probabilities of words.
 *
 * @example scoreMatrix({id: 'm', name: null, consensus: null, siteCount: 20, frequencies: [[1, 0, 0, 0]]}, makeBackground([1, 1, 1, 1], true))
 * // width 1, offset -8, scale 100, scaled [999, 34, 34, 34], tail[999] 0.25
 */
export const scoreMatrix = (
  motif: Motif,
  background: Background,
  pseudocount: number = defaultPseudocount,
): ScoringMatrix => {
  const width = motif.frequencies.length
  const { bases } = background
  const raw = new Float64Array(4 * width)
  for (const [position, row] of motif.frequencies.entries())
    for (let base = 0; base < 4; base++) {
      const share = (row[base]! * motif.siteCount + pseudocount * bases[base]!) / (motif.siteCount + pseudocount)
      // Without a pseudocount an absent base would be minus infinity: a score that no site can make up for.
      raw[4 * position + base] = share > 0 ? Math.log2(share / bases[base]!) : -100
    }
  let small = Math.min(...raw)
  const large = Math.max(...raw)
  if (large === small) small = large - 1
  const offset = Math.floor(small)
  const scale = Math.floor(scoreRange / (large - offset))
  const scaled = Int32Array.from(raw, (value) => Math.floor((value - offset) * scale + 0.5))
  let best = 0
  for (let position = 0; position < width; position++)
    best += Math.max(...scaled.subarray(4 * position, 4 * position + 4))
  const size = width * scoreRange + 1
  const tail = distribute(scaled, width, background, size)
  for (let value = size - 2; value >= 0; value--) tail[value] = Math.min(1, tail[value]! + tail[value + 1]!)
  return { width, scaled, scale, offset, tail, best }
}

/** The score in bits that a scaled score stands for: `scaled / scale + width × offset`. */
export const scoreInBits = ({ scale, offset, width }: ScoringMatrix, scaled: number): number =>
  scaled / scale + width * offset

/** Sums of products of probabilities are rounded; what is above a limit by no more than this share of it is at it. */
const tailRounding = 1e-11

/** The smallest scaled score whose p-value is at most `pValue`; `best + 1` when no word reaches it. */
export const thresholdScore = ({ tail, best }: ScoringMatrix, pValue: number): number => {
  const limit = pValue * (1 + tailRounding)
  let low = 0
  let high = best + 1
  while (low < high) {
    const middle = (low + high) >> 1
    if (tail[middle]! <= limit) high = middle
    else low = middle + 1
  }
  return low
}

/** The matrix that finds the same words on the other strand. */
const reverseMatrix = ({ scaled, width }: Pick<ScoringMatrix, 'scaled' | 'width'>): Int32Array => {
  const turned = new Int32Array(scaled.length)
  for (let position = 0; position < width; position++)
    for (let base = 0; base < 4; base++) turned[4 * (width - 1 - position) + (3 - base)] = scaled[4 * position + base]!
  return turned
}

const maxOf = (scaled: Int32Array, position: number): number =>
  Math.max(scaled[4 * position]!, scaled[4 * position + 1]!, scaled[4 * position + 2]!, scaled[4 * position + 3]!)

/** First position of the most telling segment of so many: where a word that does not fit loses most on the average. */
const findSeed = (scaled: Int32Array, width: number, positions: number): number => {
  const relevance = Float64Array.from(
    { length: width },
    (_, at) =>
      maxOf(scaled, at) - (scaled[4 * at]! + scaled[4 * at + 1]! + scaled[4 * at + 2]! + scaled[4 * at + 3]!) / 4,
  )
  let sum = 0
  for (let at = 0; at < positions; at++) sum += relevance[at]!
  let best = 0
  let bestRelevance = sum
  for (let at = 1; at + positions <= width; at++) {
    sum += relevance[at + positions - 1]! - relevance[at - 1]!
    if (sum > bestRelevance) {
      bestRelevance = sum
      best = at
    }
  }
  return best
}

/**
 * Goes down the tree of words, base by base, wherever the positions to come may still bring the score to the threshold (as Beckstette
 * et al. 2006, BMC Bioinformatics 7:389, do in a suffix array), and leaves the words that remain, with their scores, in the index's
 * room. Their number; null when walking over all places would be faster.
 */
const findWords = (
  scaled: Int32Array,
  seedAt: number,
  positions: number,
  { bases, places: indexes, firsts, room }: PlaceIndex,
  bar: number,
): number | null => {
  /** What must have been reached after so many positions of the seed. */
  const bars = new Float64Array(positions + 1)
  bars[positions] = bar
  for (let depth = positions - 1; depth >= 0; depth--) bars[depth] = bars[depth + 1]! - maxOf(scaled, seedAt + depth)
  const maxPlaces = indexes.length / lookUpCost
  const shift = 2 * (bases - positions)
  let found = 0
  let count = 0
  const goDown = (depth: number, word: number, sum: number): boolean => {
    for (let base = 0; base < 4; base++) {
      const score = sum + scaled[4 * (seedAt + depth) + base]!
      if (score < bars[depth + 1]!) continue
      const longer = 4 * word + base
      if (depth + 1 < positions) {
        if (!goDown(depth + 1, longer, score)) return false
        continue
      }
      count += firsts[(longer + 1) << shift]! - firsts[longer << shift]!
      if (count > maxPlaces) return false
      room.words[found] = longer
      room.sums[found] = score
      found += 1
    }
    return true
  }
  return goDown(0, 0, 0) ? found : null
}

/** What some positions add up to by a word of four bases, positions outside of the matrix nothing. */
const fourAt = (scaled: Int32Array, width: number, from: number): Int16Array => {
  const sums = new Int16Array(256)
  for (let ahead = 0; ahead < 4; ahead++) {
    const position = from + ahead
    if (position < 0 || position >= width) continue
    const shift = 6 - 2 * ahead
    for (let word = 0; word < 256; word++) sums[word]! += scaled[4 * position + ((word >> shift) & 3)]!
  }
  return sums
}

/** Positions of one table at most: 4^6 numbers of two bytes stay in a processor's first cache. */
const pieceBases = 6

/** What some neighbouring positions of a matrix add up to, by the first bases of a word. */
interface Piece {
  /** First position. */
  at: number
  /** Right shift that leaves the bases of the piece of a word. */
  shift: number
  sums: Int16Array
  max: number
}

/** A segment of the matrix in pieces of six positions. */
const cutMatrix = (scaled: Int32Array, from: number, to: number): Piece[] => {
  const pieces: Piece[] = []
  for (let at = from; at < to; at += pieceBases) {
    const positions = Math.min(pieceBases, to - at)
    let sums = new Int16Array(1)
    let max = 0
    for (let position = at; position < at + positions; position++) {
      const longer = new Int16Array(sums.length * 4)
      for (let word = 0; word < sums.length; word++)
        for (let base = 0; base < 4; base++) longer[4 * word + base] = sums[word]! + scaled[4 * position + base]!
      sums = longer
      max += maxOf(scaled, position)
    }
    pieces.push({ at, shift: 2 * (wordBases - positions), sums, max })
  }
  return pieces
}

/** Calls back for every place whose scaled score is at least `threshold`, by way of the index; false when walking would be faster. */
const lookUpPositions = (
  scaled: Int32Array,
  width: number,
  { codes, left }: EncodedSequences,
  index: PlaceIndex,
  threshold: number,
  onPlace: OnMatch,
): boolean => {
  const { bases, places: indexes, firsts, around, room } = index
  const positions = Math.min(bases, width)
  const seedAt = findSeed(scaled, width, positions)
  const seedEnd = seedAt + positions
  let others = 0
  // Positions that even the bases around do not reach.
  let rest = 0
  for (let at = 0; at < width; at++) {
    if (at < seedAt || at >= seedEnd) others += maxOf(scaled, at)
    if (at < seedAt - wordBases || at >= seedEnd + wordBases) rest += maxOf(scaled, at)
  }
  const found = findWords(scaled, seedAt, positions, index, threshold - others)
  if (found === null) return false
  // Of a motif narrower than the index's words nothing is after the seed.
  const a = fourAt(scaled, width, seedAt - 8)
  const b = fourAt(scaled, width, seedAt - 4)
  const c = fourAt(scaled, width, seedEnd)
  const d = fourAt(scaled, width, seedEnd + 4)
  const shift = 2 * (bases - positions)
  for (let at = 0; at < found; at++) {
    const word = room.words[at]!
    const sum = room.sums[at]!
    const bar = threshold - rest - sum
    const to = firsts[(word + 1) << shift]!
    for (let number = firsts[word << shift]!; number < to; number++) {
      const near = around[number]!
      const reached = a[near >>> 24]! + b[(near >>> 16) & 255]! + c[(near >>> 8) & 255]! + d[near & 255]!
      if (reached < bar) continue
      const place = indexes[number]! - seedAt
      // Whether a place has all its bases is asked of the few only.
      if (place < 0 || left[place]! < width) continue
      let score = sum + reached
      for (let position = 0; position < seedAt - wordBases; position++)
        score += scaled[4 * position + codes[place + position]!]!
      for (let position = seedEnd + wordBases; position < width; position++)
        score += scaled[4 * position + codes[place + position]!]!
      if (score >= threshold) onPlace(place, score)
    }
  }
  return true
}

type OnMatch = (place: number, score: number) => void

// A loop for each number of pieces: without inner loops and rarely true branches a place costs about a nanosecond.

const walkOne = (
  words: Uint16Array,
  [first]: Piece[],
  from: number,
  to: number,
  top: number,
  threshold: number,
  onPlace: OnMatch,
): number => {
  const { sums: a, shift } = first!
  let bar = Math.min(top, threshold - 1)
  for (let place = from; place < to; place++) {
    const score = a[words[place]! >> shift]!
    if (score <= bar) continue
    if (score > top) {
      top = score
      bar = Math.min(top, threshold - 1)
    }
    if (score >= threshold) onPlace(place, score)
  }
  return top
}

const walkTwo = (
  words: Uint16Array,
  [first, second]: Piece[],
  from: number,
  to: number,
  top: number,
  threshold: number,
  onPlace: OnMatch,
): number => {
  const { sums: a, shift: shiftA } = first!
  const { sums: b, shift: shiftB, at: atB } = second!
  let bar = Math.min(top, threshold - 1)
  for (let place = from; place < to; place++) {
    const score = a[words[place]! >> shiftA]! + b[words[place + atB]! >> shiftB]!
    if (score <= bar) continue
    if (score > top) {
      top = score
      bar = Math.min(top, threshold - 1)
    }
    if (score >= threshold) onPlace(place, score)
  }
  return top
}

const walkMore = (
  words: Uint16Array,
  pieces: Piece[],
  from: number,
  to: number,
  top: number,
  threshold: number,
  onPlace: OnMatch,
): number => {
  const [first, second, third, ...others] = pieces
  const { sums: a, shift: shiftA } = first!
  const { sums: b, shift: shiftB, at: atB } = second!
  const { sums: c, shift: shiftC, at: atC } = third!
  const rest = others.reduce((sum, piece) => sum + piece.max, 0)
  let bar = Math.min(top, threshold - 1) - rest
  for (let place = from; place < to; place++) {
    let score = a[words[place]! >> shiftA]! + b[words[place + atB]! >> shiftB]! + c[words[place + atC]! >> shiftC]!
    if (score <= bar) continue
    for (const { at, shift, sums } of others) score += sums[words[place + at]! >> shift]!
    if (score > top) {
      top = score
      bar = Math.min(top, threshold - 1) - rest
    }
    if (score >= threshold) onPlace(place, score)
  }
  return top
}

/** Calls back for every place at or above the threshold by walking all of them; raises the best scores where they are given. */
const walkPositions = (
  scaled: Int32Array,
  width: number,
  { words, runs }: EncodedSequences,
  threshold: number,
  best: Int32Array | null,
  onPlace: OnMatch,
): void => {
  const pieces = cutMatrix(scaled, 0, width)
  const walk = pieces.length === 1 ? walkOne : pieces.length === 2 ? walkTwo : walkMore
  for (const { sequence, from, to } of runs) {
    if (to - from < width) continue
    const top = walk(
      words,
      pieces,
      from,
      to - width + 1,
      best === null ? Number.MAX_SAFE_INTEGER : best[sequence]!,
      threshold,
      onPlace,
    )
    if (best !== null) best[sequence] = top
  }
}

/** Sums of two strands fit into the halves of one number, the highest bit of each free, up to this many positions. */
const widestPair = Math.floor((2 ** 15 - 1) / scoreRange)

/**
 * Walks over both strands in one pass: each half of a number is a strand's score, moved so that its highest bit says whether the
 * threshold is reached.
 */
const walkBothStrands = (
  forward: Int32Array,
  reverse: Int32Array,
  width: number,
  { words, runs }: EncodedSequences,
  threshold: number,
  onForward: OnMatch,
  onReverse: OnMatch,
): void => {
  const reached = 2 ** 15
  const low = cutMatrix(forward, 0, width)
  const high = cutMatrix(reverse, 0, width)
  const pieces = low.map(({ at, shift, sums }, number) => {
    const bias = number === 0 ? reached - threshold : 0
    const others = high[number]!.sums
    return { at, shift, pairs: Int32Array.from(sums, (sum, word) => ((others[word]! + bias) << 16) + sum + bias) }
  })
  const tell = (place: number, pair: number): void => {
    if ((pair & reached) !== 0) onForward(place, (pair & 0xffff) + threshold - reached)
    if (pair < 0) onReverse(place, (pair >>> 16) + threshold - reached)
  }
  const bits = (reached << 16) | reached
  const [first, second, third, ...others] = pieces
  const { pairs: a, shift: shiftA } = first!
  const { pairs: b, shift: shiftB, at: atB } = second ?? first!
  const { pairs: c, shift: shiftC, at: atC } = third ?? first!
  for (const { from, to } of runs) {
    const end = to - width + 1
    if (pieces.length === 1)
      for (let place = from; place < end; place++) {
        const pair = a[words[place]! >> shiftA]!
        if ((pair & bits) !== 0) tell(place, pair)
      }
    else if (pieces.length === 2)
      for (let place = from; place < end; place++) {
        const pair = (a[words[place]! >> shiftA]! + b[words[place + atB]! >> shiftB]!) | 0
        if ((pair & bits) !== 0) tell(place, pair)
      }
    else
      for (let place = from; place < end; place++) {
        let pair =
          (a[words[place]! >> shiftA]! + b[words[place + atB]! >> shiftB]! + c[words[place + atC]! >> shiftC]!) | 0
        for (const { at, shift, pairs } of others) pair = (pair + pairs[words[place + at]! >> shift]!) | 0
        if ((pair & bits) !== 0) tell(place, pair)
      }
  }
}

/** Number of the sequence that holds a place. */
const findSequence = (starts: Uint32Array, place: number): number => {
  let low = 0
  let high = starts.length - 1
  while (high - low > 1) {
    const middle = (low + high) >> 1
    if (starts[middle]! <= place) low = middle
    else high = middle
  }
  return low
}

/** How many places a motif of this width is compared with, each strand counted: the number of tests. */
export const countTests = (
  { runs }: EncodedSequences,
  width: number,
  bothStrands: boolean,
  tells?: (sequence: number) => boolean,
): number => {
  let tests = 0
  for (const { sequence, from, to } of runs)
    if (to - from >= width && (tells === undefined || tells(sequence))) tests += to - from - width + 1
  return bothStrands ? 2 * tests : tests
}

export interface ScanOptions {
  bothStrands: boolean
  /** Scaled score from which a place is a site. */
  threshold: number
  wantsBest?: boolean
  /** Called for each site, in no order: sequence, first base (0-based in the sequence, on its forward strand), strand, scaled score. */
  onSite(sequence: number, start0: number, strand: '+' | '-', scaled: number): void
}

/** In a sequence of usual length about this many places are good enough to be looked at for its best score. */
const bestCandidates = 8

/**
 * Compares a matrix with every place of every sequence, tells those that score `threshold` or more, and with `wantsBest` gives back
 * the best scaled score of each sequence, -1 where the motif fits nowhere. Nothing is passed over: the index, where it is faster, only
 * leaves out places that cannot reach the threshold.
 */
export const scanSequences = (
  matrix: ScoringMatrix,
  sequences: EncodedSequences,
  { bothStrands, threshold, wantsBest = false, onSite }: ScanOptions,
): Int32Array | null => {
  const { width } = matrix
  const { starts, runs, codes, index } = sequences
  const count = starts.length - 1
  const best = wantsBest ? new Int32Array(count).fill(-1) : null
  const tests = countTests(sequences, width, bothStrands)
  if (tests === 0) return best
  const level = wantsBest
    ? Math.min(threshold, thresholdScore(matrix, Math.min(1, (bestCandidates * count) / tests)))
    : threshold
  const tellOf =
    (strand: '+' | '-'): OnMatch =>
    (place, score) => {
      const sequence = findSequence(starts, place)
      if (best !== null && score > best[sequence]!) best[sequence] = score
      if (score >= threshold) onSite(sequence, place - starts[sequence]!, strand, score)
    }
  const strands = [{ scaled: matrix.scaled, tell: tellOf('+') }]
  if (bothStrands) strands.push({ scaled: reverseMatrix(matrix), tell: tellOf('-') })
  const unseen = strands.filter(
    ({ scaled, tell }) => index === null || !lookUpPositions(scaled, width, sequences, index, level, tell),
  )
  const [one, other] = unseen
  if (one !== undefined && other !== undefined && best === null && width <= widestPair)
    walkBothStrands(one.scaled, other.scaled, width, sequences, threshold, one.tell, other.tell)
  else for (const { scaled, tell } of unseen) walkPositions(scaled, width, sequences, threshold, best, tell)
  if (best !== null)
    for (const { sequence, from, to } of runs) {
      if (best[sequence]! >= level) continue
      for (const { scaled } of strands)
        for (let place = from; place + width <= to; place++) {
          let score = 0
          for (let position = 0; position < width; position++) score += scaled[4 * position + codes[place + position]!]!
          if (score > best[sequence]!) best[sequence] = score
        }
    }
  return best
}
