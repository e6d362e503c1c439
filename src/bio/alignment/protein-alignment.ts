/**
 * Global alignment of two proteins. Sources: Gotoh 1982, Journal of Molecular Biology 162:705 (affine gaps in time n × m); the scores
 * BLOSUM62 of Henikoff & Henikoff 1992, PNAS 89:10915, as BLAST+ has them, with its gap costs.
 */

const letters = 'ARNDCQEGHILKMFPSTWYVBJZX'

// Lower triangle, a row a letter.
const triangle = [
  '4',
  '-1 5',
  '-2 0 6',
  '-2 -2 1 6',
  '0 -3 -3 -3 9',
  '-1 1 0 0 -3 5',
  '-1 0 0 2 -4 2 5',
  '0 -2 0 -1 -3 -2 -2 6',
  '-2 0 1 -1 -3 0 0 -2 8',
  '-1 -3 -3 -3 -1 -3 -3 -4 -3 4',
  '-1 -2 -3 -4 -1 -2 -3 -4 -3 2 4',
  '-1 2 0 -1 -3 1 1 -2 -1 -3 -2 5',
  '-1 -1 -2 -3 -1 0 -2 -3 -2 1 2 -1 5',
  '-2 -3 -3 -3 -2 -3 -3 -3 -1 0 0 -3 0 6',
  '-1 -2 -2 -1 -3 -1 -1 -2 -2 -3 -3 -1 -2 -4 7',
  '1 -1 1 0 -1 0 0 0 -1 -2 -2 0 -1 -2 -1 4',
  '0 -1 0 -1 -1 -1 -1 -2 -2 -1 -1 -1 -1 -2 -1 1 5',
  '-3 -3 -4 -4 -2 -2 -3 -2 -2 -3 -2 -3 -1 1 -4 -3 -2 11',
  '-2 -2 -2 -3 -2 -1 -2 -3 2 -1 -1 -2 -1 3 -3 -2 -2 2 7',
  '0 -3 -3 -3 -1 -2 -2 -3 -3 3 1 -2 1 -1 -2 -2 0 -3 -1 4',
  '-2 -1 4 4 -3 0 1 -1 0 -3 -4 0 -3 -3 -2 0 -1 -4 -3 -3 4',
  '-1 -2 -3 -3 -1 -2 -3 -4 -3 3 3 -3 2 0 -3 -2 -1 -2 -1 2 -3 3',
  '-1 0 0 1 -3 4 4 -2 0 -3 -3 1 -1 -3 -1 0 -1 -2 -2 -2 0 -3 4',
  '-1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1',
]

const unknown = letters.indexOf('X')
const scores = new Int8Array(letters.length ** 2)
for (const [row, line] of triangle.entries())
  for (const [column, score] of line.split(' ').entries()) {
    scores[row * letters.length + column] = Number(score)
    scores[column * letters.length + row] = Number(score)
  }

const codes = new Uint8Array(128).fill(unknown)
for (const [code, letter] of [...letters].entries()) {
  codes[letter.charCodeAt(0)] = code
  codes[letter.toLowerCase().charCodeAt(0)] = code
}

/** Score of a pair of residues; letters that BLOSUM62 does not have count as X. Example: `scoreResidues('W', 'W')` is 11. */
export const scoreResidues = (a: string, b: string): number =>
  scores[(codes[a.charCodeAt(0)] ?? unknown) * letters.length + (codes[b.charCodeAt(0)] ?? unknown)]!

const gapOpen = -11
const gapExtend = -1
const lowest = -1e9
/** One byte a cell is kept; two proteins of 10,000 residues. */
const maxCells = 100_000_000

/**
 * The best alignment from end to end as two rows of equal length with `-` for gaps; a gap of n costs 11 + n, at the ends as well. Null
 * when a protein is empty or the two are too long to be aligned in 100 million cells.
 *
 * Example: `alignProteins('MKVLA', 'MKLA')` is `['MKVLA', 'MK-LA']`.
 */
export const alignProteins = (first: string, second: string): [string, string] | null => {
  const n = first.length
  const m = second.length
  if (n === 0 || m === 0 || (n + 1) * (m + 1) > maxCells) return null
  const a = Uint8Array.from(first, (letter) => codes[letter.charCodeAt(0)] ?? unknown)
  const b = Uint8Array.from(second, (letter) => codes[letter.charCodeAt(0)] ?? unknown)
  const width = m + 1
  // Bits 0-1: where the best of a cell came from (0 pair, 1 gap in the second, 2 gap in the first); 4 and 8: such a gap goes on.
  const trace = new Uint8Array((n + 1) * width)
  const best = new Int32Array(width)
  const down = new Int32Array(width).fill(lowest)
  for (let j = 1; j <= m; j += 1) {
    best[j] = gapOpen + gapExtend * j
    trace[j] = 2 | (j > 1 ? 8 : 0)
  }
  for (let i = 1; i <= n; i += 1) {
    const row = a[i - 1]! * letters.length
    let diagonal = best[0]!
    best[0] = gapOpen + gapExtend * i
    trace[i * width] = 1 | (i > 1 ? 4 : 0)
    let across = lowest
    for (let j = 1; j <= m; j += 1) {
      let flags = 0
      const openDown = best[j]! + gapOpen
      if (down[j]! > openDown) flags |= 4
      down[j] = Math.max(down[j]!, openDown) + gapExtend
      const openAcross = best[j - 1]! + gapOpen
      if (across > openAcross) flags |= 8
      across = Math.max(across, openAcross) + gapExtend
      let score = diagonal + scores[row + b[j - 1]!]!
      if (down[j]! > score) {
        score = down[j]!
        flags |= 1
      }
      if (across > score) {
        score = across
        flags = (flags & ~3) | 2
      }
      diagonal = best[j]!
      best[j] = score
      trace[i * width + j] = flags
    }
  }
  const rows: [string[], string[]] = [[], []]
  let i = n
  let j = m
  let state = 0
  while (i > 0 || j > 0) {
    const flags = trace[i * width + j]!
    if (state === 0) state = flags & 3
    if (state === 0) {
      i -= 1
      j -= 1
      rows[0].push(first[i]!)
      rows[1].push(second[j]!)
    } else if (state === 1) {
      if ((flags & 4) === 0) state = 0
      i -= 1
      rows[0].push(first[i]!)
      rows[1].push('-')
    } else {
      if ((flags & 8) === 0) state = 0
      j -= 1
      rows[0].push('-')
      rows[1].push(second[j]!)
    }
  }
  return [rows[0].reverse().join(''), rows[1].reverse().join('')]
}
