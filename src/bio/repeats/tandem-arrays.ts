// Satellites and other long arrays of one unit. What lies between two of its copies looks like an element between two terminal repeats, and
// every copy can be paired with every other in reach (Ou & Jiang 2018, Plant Physiol. 176:1410 leave such candidates of LTRharvest out).

/** Words that recur: by chance none does within a few thousand bases. */
const wordBp = 30
/** Between words that recur, of copies that differ. */
const maxGapBp = 300
const slotBits = 16
const multiplier = 0x9e3779b1

const codeOf = new Uint8Array(256)
for (const [code, letters] of ['Aa', 'Cc', 'Gg', 'TtUu'].entries())
  for (const letter of letters) codeOf[letter.charCodeAt(0)] = code + 1

/**
 * Segments of at least `minArrayBp` in which words of 30 bases recur within `maxUnitBp`, with no gap of more than 300: arrays of a unit
 * of at most that length. Half-open from 0, in order. Time and memory are linear whatever the sequence; upper and lower case count alike.
 *
 * @example findTandemArrays('ACGTT'.repeat(4000), 1000, 10_000) // [[0, 20000]]
 */
export const findTandemArrays = (
  bases: string,
  maxUnitBp: number,
  minArrayBp: number,
): [start0: number, end0: number][] => {
  const slots = 1 << slotBits
  const lastAt = new Int32Array(slots).fill(-1)
  const lastHash = new Int32Array(slots)
  let leaving = 1
  for (let power = 0; power < wordBp; power++) leaving = Math.imul(leaving, multiplier)
  const arrays: [number, number][] = []
  let [from, to] = [-1, -1]
  const close = (): void => {
    if (from >= 0 && to - from >= minArrayBp) arrays.push([from, to])
    from = -1
  }
  let hash = 0
  let known = 0
  for (let at = 0; at < bases.length; at++) {
    const code = codeOf[bases.charCodeAt(at) & 0xff]!
    if (code === 0) {
      known = 0
      hash = 0
      continue
    }
    hash = (Math.imul(hash, multiplier) + code) | 0
    known++
    if (known > wordBp) hash = (hash - Math.imul(leaving, codeOf[bases.charCodeAt(at - wordBp) & 0xff]!)) | 0
    if (known < wordBp) continue
    const slot = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d) >>> (32 - slotBits)
    const before = lastAt[slot]!
    if (before >= 0 && lastHash[slot] === hash && at - before <= maxUnitBp) {
      const start = before - wordBp + 1
      if (from >= 0 && start > to + maxGapBp) close()
      if (from < 0) from = start
      to = at + 1
    }
    lastAt[slot] = at
    lastHash[slot] = hash
  }
  close()
  return arrays
}
