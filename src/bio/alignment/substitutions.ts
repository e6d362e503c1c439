// Distances between two sequences. Sources: Jukes & Cantor 1969, in Mammalian Protein Metabolism III, 21-132; Kimura 1980, J Mol Evol
// 16:111, doi:10.1007/BF01731581; Gotoh 1982, J Mol Biol 162:705.

export interface PairCounts {
  /** Columns in which both have one of A, C, G, T. */
  compared: number
  identical: number
  /** A-G and C-T. */
  transitions: number
  transversions: number
  /** Columns with a gap in one of them. */
  gaps: number
}

export interface AlignedPair extends PairCounts {
  /** Identical columns in percent of all columns, gaps included. */
  identity: number
}

const match = 1
const mismatch = -1
const gapOpen = -4
const gapExtend = -1
const lowest = -1e9

const purine = (base: number): boolean => base === 65 || base === 71

/** Codes of upper-case bases; a U is read as T. */
const codesOf = (sequence: string): Uint8Array => {
  const codes = new Uint8Array(sequence.length)
  for (let at = 0; at < sequence.length; at++) {
    const code = sequence.charCodeAt(at) & 0xdf
    codes[at] = code === 85 ? 84 : code
  }
  return codes
}
const isBase = (code: number): boolean => code === 65 || code === 67 || code === 71 || code === 84

const finish = (counts: PairCounts): AlignedPair => {
  const columns = counts.compared + counts.gaps
  return { ...counts, identity: columns === 0 ? 0 : (100 * counts.identical) / columns }
}

/**
 * Counts over the best global alignment of two sequences with affine gaps (match 1, mismatch -1, a gap of n bases -4 - (n - 1)), within
 * a band around the diagonal that is `band` wider than their difference in length; letters but A, C, G, T are not compared. With `widen`
 * the band is doubled until no alignment outside of it can score more, as far as 200 million cells go. Null when the first band does not
 * fit these, or when one of them is empty.
 *
 * Example: `alignPair('ACGTACGT', 'ACGTGCGT')` has 8 compared, 7 identical, 1 transition; identity 87.5.
 */
export const alignPair = (first: string, second: string, band = 64, widen = false): AlignedPair | null => {
  if (first.length === 0 || second.length === 0) return null
  const a = codesOf(first)
  const b = codesOf(second)
  let aligned = alignWithin(a, b, band)
  for (let wide = band; widen && aligned !== null && aligned.score < bestOutside(a.length, b.length, wide); ) {
    wide *= 2
    const again = alignWithin(a, b, wide)
    if (again === null) break
    aligned = again
  }
  return aligned === null ? null : finish(aligned.counts)
}

/** What an alignment that leaves the band can score at most: it takes more than `band` gaps each way, all else being equal. */
const bestOutside = (n: number, m: number, band: number): number => {
  const shorter = Math.min(n, m)
  if (band >= shorter) return Number.NEGATIVE_INFINITY
  const [there, back] = [band + 1, band + 1 + Math.abs(n - m)]
  return match * (shorter - there) + 2 * gapOpen + gapExtend * (there - 1 + back - 1)
}

const alignWithin = (a: Uint8Array, b: Uint8Array, band: number): { counts: PairCounts; score: number } | null => {
  const counts: PairCounts = { compared: 0, identical: 0, transitions: 0, transversions: 0, gaps: 0 }
  const count = (x: number, y: number): void => {
    if (!isBase(x) || !isBase(y)) return
    counts.compared++
    if (x === y) counts.identical++
    else if (purine(x) === purine(y)) counts.transitions++
    else counts.transversions++
  }
  if (a.length === b.length && a.every((code, at) => code === b[at])) {
    for (let at = 0; at < a.length; at++) count(a[at]!, b[at]!)
    return { counts, score: match * a.length }
  }
  const n = a.length
  const m = b.length
  // Offsets of column minus row that the band holds.
  const low = Math.min(0, m - n) - band
  const width = Math.max(0, m - n) + band - low + 1
  if (n * width > 200_000_000) return null
  // Where each state came from: bits 0-1 of M, bit 2 of a gap in b (X), bit 3 of a gap in a (Y).
  const trace = new Uint8Array((n + 1) * width)
  let mBefore = new Int32Array(width + 2).fill(lowest)
  let xBefore = new Int32Array(width + 2).fill(lowest)
  let yBefore = new Int32Array(width + 2).fill(lowest)
  let mNow = new Int32Array(width + 2)
  let xNow = new Int32Array(width + 2)
  let yNow = new Int32Array(width + 2)
  for (let i = 0; i <= n; i++) {
    mNow.fill(lowest)
    xNow.fill(lowest)
    yNow.fill(lowest)
    for (let k = 0; k < width; k++) {
      const j = i + low + k
      if (j < 0 || j > m) continue
      const cell = k + 1
      let from = 0
      if (i === 0 && j === 0) mNow[cell] = 0
      if (i > 0 && j > 0) {
        // The diagonal neighbour has the same offset.
        const diagonalM = mBefore[cell]!
        const diagonalX = xBefore[cell]!
        const diagonalY = yBefore[cell]!
        let best = diagonalM
        let source = 0
        if (diagonalX > best) {
          best = diagonalX
          source = 1
        }
        if (diagonalY > best) {
          best = diagonalY
          source = 2
        }
        mNow[cell] = best + (a[i - 1] === b[j - 1] ? match : mismatch)
        from |= source
      }
      if (i > 0) {
        // A base of a against a gap: from the row above, whose same column lies one to the right in the band.
        const open = Math.max(mBefore[cell + 1]!, yBefore[cell + 1]!) + gapOpen
        const extend = xBefore[cell + 1]! + gapExtend
        if (extend > open) {
          xNow[cell] = extend
          from |= 4
        } else {
          xNow[cell] = open
          if (yBefore[cell + 1]! > mBefore[cell + 1]!) from |= 16
        }
      }
      if (j > 0) {
        const open = Math.max(mNow[cell - 1]!, xNow[cell - 1]!) + gapOpen
        const extend = yNow[cell - 1]! + gapExtend
        if (extend > open) {
          yNow[cell] = extend
          from |= 8
        } else {
          yNow[cell] = open
          if (xNow[cell - 1]! > mNow[cell - 1]!) from |= 32
        }
      }
      trace[i * width + k] = from
    }
    ;[mBefore, mNow] = [mNow, mBefore]
    ;[xBefore, xNow] = [xNow, xBefore]
    ;[yBefore, yNow] = [yNow, yBefore]
  }
  let i = n
  let j = m
  const last = m - n - low + 1
  let state =
    mBefore[last]! >= xBefore[last]! && mBefore[last]! >= yBefore[last]! ? 0 : xBefore[last]! >= yBefore[last]! ? 1 : 2
  const score = Math.max(mBefore[last]!, xBefore[last]!, yBefore[last]!)
  while (i > 0 || j > 0) {
    const from = trace[i * width + (j - i - low)]!
    if (state === 0) {
      count(a[i - 1]!, b[j - 1]!)
      state = from & 3
      i--
      j--
    } else if (state === 1) {
      counts.gaps++
      state = from & 4 ? 1 : from & 16 ? 2 : 0
      i--
    } else {
      counts.gaps++
      state = from & 8 ? 2 : from & 32 ? 1 : 0
      j--
    }
  }
  return { counts, score }
}

/**
 * Substitutions a site after Kimura's two-parameter model: -½ ln((1 - 2P - Q) √(1 - 2Q)), P and Q the shares of transitions and
 * transversions. Null where nothing was compared, and where the sequences differ too much for the model (saturation).
 *
 * Example: 10 transitions and 5 transversions of 100 sites give 0.1702.
 */
export const kimuraDistance = ({
  compared,
  transitions,
  transversions,
}: Pick<PairCounts, 'compared' | 'transitions' | 'transversions'>): number | null => {
  if (compared === 0) return null
  const p = transitions / compared
  const q = transversions / compared
  const first = 1 - 2 * p - q
  const second = 1 - 2 * q
  if (first <= 0 || second <= 0) return null
  return Math.max(0, -0.5 * Math.log(first) - 0.25 * Math.log(second))
}

/**
 * Substitutions a site after Jukes and Cantor, -¾ ln(1 - 4p/3), from a share p of differing sites: what can be said where transitions
 * and transversions are not told apart. Null at saturation (p ≥ ¾).
 *
 * Example: `jukesCantorDistance(0.1)` is 0.10733.
 */
export const jukesCantorDistance = (share: number): number | null =>
  share >= 0.75 || !(share >= 0) ? null : Math.max(0, -0.75 * Math.log(1 - (4 * share) / 3))

/**
 * Years since a retrotransposon was inserted, from the substitutions a site between its two LTRs, which were equal then:
 * T = K / 2r (SanMiguel et al. 1998, Nature Genetics 20:43), r in substitutions a site and year.
 *
 * Example: `insertionYears(0.026, 1.3e-8)` is 1,000,000.
 */
export const insertionYears = (distance: number, rate: number): number => distance / (2 * rate)
