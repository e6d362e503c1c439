// Scanning of sequences by position weight matrices.

import { type EncodedSequences, type PlaceIndex, wordBases } from './encoded-sequences.ts'
import { type ScoringMatrix, scoreRange, thresholdScore } from './motif-scores.ts'

/** Looking at a place that the index gives takes about as long as walking over this many on one strand. */
const lookUpCost = 4

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
  { bases, positions: indexes, firsts, room }: PlaceIndex,
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
  onPosition: OnMatch,
): boolean => {
  const { bases, positions: indexes, firsts, around, room } = index
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
      if (score >= threshold) onPosition(place, score)
    }
  }
  return true
}

type OnMatch = (position: number, score: number) => void

// A loop for each number of pieces: without inner loops and rarely true branches a place costs about a nanosecond.

const walkOne = (
  words: Uint16Array,
  [first]: Piece[],
  from: number,
  to: number,
  top: number,
  threshold: number,
  onPosition: OnMatch,
): number => {
  const { sums: a, shift } = first!
  let bar = Math.min(top, threshold - 1)
  for (let position = from; position < to; position++) {
    const score = a[words[position]! >> shift]!
    if (score <= bar) continue
    if (score > top) {
      top = score
      bar = Math.min(top, threshold - 1)
    }
    if (score >= threshold) onPosition(position, score)
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
  onPosition: OnMatch,
): number => {
  const { sums: a, shift: shiftA } = first!
  const { sums: b, shift: shiftB, at: atB } = second!
  let bar = Math.min(top, threshold - 1)
  for (let position = from; position < to; position++) {
    const score = a[words[position]! >> shiftA]! + b[words[position + atB]! >> shiftB]!
    if (score <= bar) continue
    if (score > top) {
      top = score
      bar = Math.min(top, threshold - 1)
    }
    if (score >= threshold) onPosition(position, score)
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
  onPosition: OnMatch,
): number => {
  const [first, second, third, ...others] = pieces
  const { sums: a, shift: shiftA } = first!
  const { sums: b, shift: shiftB, at: atB } = second!
  const { sums: c, shift: shiftC, at: atC } = third!
  const rest = others.reduce((sum, piece) => sum + piece.max, 0)
  let bar = Math.min(top, threshold - 1) - rest
  for (let position = from; position < to; position++) {
    let score =
      a[words[position]! >> shiftA]! + b[words[position + atB]! >> shiftB]! + c[words[position + atC]! >> shiftC]!
    if (score <= bar) continue
    for (const { at, shift, sums } of others) score += sums[words[position + at]! >> shift]!
    if (score > top) {
      top = score
      bar = Math.min(top, threshold - 1) - rest
    }
    if (score >= threshold) onPosition(position, score)
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
  onPosition: OnMatch,
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
      onPosition,
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
  const emit = (position: number, pair: number): void => {
    if ((pair & reached) !== 0) onForward(position, (pair & 0xffff) + threshold - reached)
    if (pair < 0) onReverse(position, (pair >>> 16) + threshold - reached)
  }
  const bits = (reached << 16) | reached
  const [first, second, third, ...others] = pieces
  const { pairs: a, shift: shiftA } = first!
  const { pairs: b, shift: shiftB, at: atB } = second ?? first!
  const { pairs: c, shift: shiftC, at: atC } = third ?? first!
  for (const { from, to } of runs) {
    const end = to - width + 1
    if (pieces.length === 1)
      for (let position = from; position < end; position++) {
        const pair = a[words[position]! >> shiftA]!
        if ((pair & bits) !== 0) emit(position, pair)
      }
    else if (pieces.length === 2)
      for (let position = from; position < end; position++) {
        const pair = (a[words[position]! >> shiftA]! + b[words[position + atB]! >> shiftB]!) | 0
        if ((pair & bits) !== 0) emit(position, pair)
      }
    else
      for (let position = from; position < end; position++) {
        let pair =
          (a[words[position]! >> shiftA]! +
            b[words[position + atB]! >> shiftB]! +
            c[words[position + atC]! >> shiftC]!) |
          0
        for (const { at, shift, pairs } of others) pair = (pair + pairs[words[position + at]! >> shift]!) | 0
        if ((pair & bits) !== 0) emit(position, pair)
      }
  }
}

/** Number of the sequence that holds a place. */
const findSequence = (starts: Uint32Array, position: number): number => {
  let low = 0
  let high = starts.length - 1
  while (high - low > 1) {
    const middle = (low + high) >> 1
    if (starts[middle]! <= position) low = middle
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
  const emitterOf =
    (strand: '+' | '-'): OnMatch =>
    (place, score) => {
      const sequence = findSequence(starts, place)
      if (best !== null && score > best[sequence]!) best[sequence] = score
      if (score >= threshold) onSite(sequence, place - starts[sequence]!, strand, score)
    }
  const strands = [{ scaled: matrix.scaled, emit: emitterOf('+') }]
  if (bothStrands) strands.push({ scaled: reverseMatrix(matrix), emit: emitterOf('-') })
  const unseen = strands.filter(
    ({ scaled, emit }) => index === null || !lookUpPositions(scaled, width, sequences, index, level, emit),
  )
  const [one, other] = unseen
  if (one !== undefined && other !== undefined && best === null && width <= widestPair)
    walkBothStrands(one.scaled, other.scaled, width, sequences, threshold, one.emit, other.emit)
  else for (const { scaled, emit } of unseen) walkPositions(scaled, width, sequences, threshold, best, emit)
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
