/** Length of the words compared: 2 bits a base fit a double's 53 bits, and a chance match in 9 Mb has a probability of 3e-8. */
const wordBases = 24
const wordValues = 4 ** wordBases
const topDigit = 4 ** (wordBases - 1)

const digits = new Int8Array(256).fill(-1)
for (const [digit, base] of ['A', 'C', 'G', 'T'].entries()) {
  digits[base.charCodeAt(0)] = digit
  digits[base.toLowerCase().charCodeAt(0)] = digit
}

/** A set of non-negative numbers in one array: millions of words do not fit a Set's memory well. */
class WordSet {
  readonly #slots: Float64Array
  readonly #mask: number

  constructor(capacity: number) {
    const size = 2 ** Math.ceil(Math.log2(capacity * 2 + 1))
    this.#slots = new Float64Array(size).fill(-1)
    this.#mask = size - 1
  }

  #slotOf(word: number): number {
    const low = word % 0x100000000
    const high = (word - low) / 0x100000000
    // Multipliers from the finalizer of MurmurHash3 (A. Appleby).
    let hash = Math.imul(low ^ Math.imul(high, 0x85ebca6b), 0xc2b2ae35)
    hash ^= hash >>> 15
    let slot = hash & this.#mask
    while (this.#slots[slot] !== -1 && this.#slots[slot] !== word) slot = (slot + 1) & this.#mask
    return slot
  }

  add(word: number): void {
    this.#slots[this.#slotOf(word)] = word
  }

  has(word: number): boolean {
    return this.#slots[this.#slotOf(word)] === word
  }
}

/** Calls back with each word that reads the same on both strands' canonical form, and the position where it begins. */
function eachWord(sequence: string, visit: (word: number, start0: number) => void): void {
  let forward = 0
  let reverse = 0
  let valid = 0
  for (let i = 0; i < sequence.length; i++) {
    const digit = digits[sequence.charCodeAt(i) & 255]!
    if (digit < 0) {
      valid = 0
      forward = 0
      reverse = 0
      continue
    }
    forward = (forward * 4 + digit) % wordValues
    reverse = Math.floor(reverse / 4) + (3 - digit) * topDigit
    if (++valid >= wordBases) visit(Math.min(forward, reverse), i - wordBases + 1)
  }
}

export interface MissingSegment {
  start0: number
  end0: number
}

/** A chance word inside a long segment (or a repeat's end) does not part it in two. */
const bridgedBp = 100

/**
 * Segments of a genome, at least `minimumBp` long, that the other genome does not have, or has only as a distant relative:
 * no word of 24 bases in them occurs anywhere in the other one, on either strand, shared segments of less than 100 bp
 * between two longer missing ones aside. Ends are exact for a clean deletion, but that bases which happen to be alike on
 * both sides of it count as shared twice. Ambiguous bases count as not shared.
 */
export function findMissingSegments(genome: string, other: string, minimumBp: number): MissingSegment[] {
  const words = new WordSet(other.length)
  eachWord(other, (word) => words.add(word))
  const segments: MissingSegment[] = []
  // What a shared word covers is shared; the rest is missing.
  let coveredTo0 = 0
  const close = (end0: number) => {
    // Single differing bases are not segments.
    if (end0 - coveredTo0 < Math.min(bridgedBp, minimumBp)) return
    const last = segments.at(-1)
    if (last && coveredTo0 - last.end0 < bridgedBp) last.end0 = end0
    else segments.push({ start0: coveredTo0, end0 })
  }
  eachWord(genome, (word, start0) => {
    if (!words.has(word)) return
    if (start0 > coveredTo0) close(start0)
    coveredTo0 = start0 + wordBases
  })
  close(genome.length)
  return segments.filter(({ start0, end0 }) => end0 - start0 >= minimumBp)
}
