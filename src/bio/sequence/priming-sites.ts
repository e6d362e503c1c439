// Where primers can prime: an exhaustive search of both strands for many primers in one reading of the sequence.

/**
 * When a place counts as one where a primer may prime. Named as Primer-BLAST names its specificity rules (Ye et al. 2012,
 * BMC Bioinformatics 13:134): a target is no danger once it has `minMismatches` mismatches in all, `minThreePrimeMismatches` of
 * them within the last `threePrimeBp` bases; with `ignoreMismatches` or more it is passed over whatever they are.
 */
export interface PrimingRule {
  minMismatches: number
  minThreePrimeMismatches: number
  threePrimeBp: number
  ignoreMismatches: number
}

export interface PrimingSite {
  /** Number of the primer in the list that is searched for. */
  primer: number
  /** `+`: the primer reads as the sequence does. */
  strand: '+' | '-'
  /** First base of the site on the sequence, counted from 0, and the base after its last. */
  start0: number
  end0: number
  mismatches: number
  threePrimeMismatches: number
}

/**
 * Whether a place with so many mismatches may prime.
 *
 * Example: with Primer-BLAST's own values (2, 2, 5, 6), 3 mismatches of which one is at the 3′ end may prime; 2 mismatches at
 * the 3′ end may not.
 */
export const mayPrime = (rule: PrimingRule, mismatches: number, threePrimeMismatches: number): boolean =>
  mismatches < rule.ignoreMismatches &&
  (mismatches < rule.minMismatches || threePrimeMismatches < rule.minThreePrimeMismatches)

/** Bases from the 3′ end that are compared: as many as a machine word has bits. Further bases of a longer primer are not looked at. */
const comparedBp = 32

/** The 3′ end by which primers are found; a longer 3′ region of the rule is checked afterwards. */
const seedBp = 5

// Two bits a base in two planes, so that the complement is the inverse of both.
const baseCodes = new Uint8Array(256).fill(4)
for (const [index, letter] of [...'ACGT'].entries()) {
  baseCodes[letter.charCodeAt(0)] = index
  baseCodes[letter.toLowerCase().charCodeAt(0)] = index
}
baseCodes['U'.charCodeAt(0)] = 3
baseCodes['u'.charCodeAt(0)] = 3

/** Set bits of a word: sums of pairs, nibbles and bytes (Warren, Hacker's Delight, section 5-1). */
const countBits = (word: number): number => {
  let sum = word - ((word >>> 1) & 0x55555555)
  sum = (sum & 0x33333333) + ((sum >>> 2) & 0x33333333)
  sum = (sum + (sum >>> 4)) & 0x0f0f0f0f
  return Math.imul(sum, 0x01010101) >>> 24
}

const lowBits = (count: number): number => (count >= 32 ? -1 : (1 << count) - 1)

/**
 * Finds every place that {@link mayPrime} allows, for all primers at once. The last bases of each primer are listed with all
 * variants that the rule leaves open, so nothing that may prime is missed; an ambiguous base of the sequence matches nothing and
 * rules a place out when it lies under these last bases. Throws for a primer with a base other
 * than A, C, G, T.
 *
 * Example: `new PrimingScanner(['GATTACAGATTACAGATT'], rule).open({lengthBp, circular: false}, note)` gives the function that takes
 * the bases and calls `note` for each place.
 */
export class PrimingScanner {
  readonly #rule: PrimingRule
  readonly #lengths: Int32Array
  readonly #seedMask: number
  readonly #seedBp: number
  readonly #threeMask: number
  /** For each seed, where its primers begin in the columns below. */
  readonly #starts: Int32Array
  readonly #primer: Int32Array
  readonly #high: Int32Array
  readonly #low: Int32Array
  readonly #mask: Int32Array

  constructor(primers: readonly string[], rule: PrimingRule) {
    this.#rule = rule
    this.#seedBp = Math.min(seedBp, rule.threePrimeBp)
    this.#seedMask = lowBits(this.#seedBp)
    this.#threeMask = lowBits(rule.threePrimeBp)
    this.#lengths = Int32Array.from(primers, (primer) => primer.length)
    // Few mismatches in all may lie all in the seed.
    const openMismatches = Math.min(
      Math.max(rule.minThreePrimeMismatches - 1, Math.min(this.#seedBp, rule.minMismatches - 1)),
      rule.ignoreMismatches - 1,
    )
    const planes = primers.map((primer) => {
      let high = 0
      let low = 0
      let unknown = 0
      const compared = Math.min(primer.length, comparedBp)
      for (let at = 0; at < compared; at += 1) {
        const code = baseCodes[primer.charCodeAt(primer.length - 1 - at) & 255]!
        if (code === 4) unknown |= 1 << at
        else {
          high |= (code >>> 1) << at
          low |= (code & 1) << at
        }
      }
      return { high, low, unknown, mask: lowBits(compared) }
    })
    const seeds = 1 << (2 * this.#seedBp)
    const counts = new Int32Array(seeds + 1)
    const fits = (seed: number, { high, low, unknown }: (typeof planes)[number]): boolean =>
      unknown === 0 && countBits((((seed >>> this.#seedBp) ^ high) | (seed ^ low)) & this.#seedMask) <= openMismatches
    // Primers that end alike share their list of seeds.
    const seedsOf = new Map<string, number[]>()
    const lists = planes.map((plane) => {
      const key = `${plane.high & this.#seedMask} ${plane.low & this.#seedMask} ${plane.unknown & this.#seedMask}`
      let list = seedsOf.get(key)
      if (list === undefined) {
        list = []
        for (let seed = 0; seed < seeds; seed += 1) if (fits(seed, plane)) list.push(seed)
        seedsOf.set(key, list)
      }
      for (const seed of list) counts[seed + 1]! += 1
      return list
    })
    for (let seed = 0; seed < seeds; seed += 1) counts[seed + 1]! += counts[seed]!
    this.#starts = counts.slice()
    const total = counts[seeds]!
    this.#primer = new Int32Array(total)
    this.#high = new Int32Array(total)
    this.#low = new Int32Array(total)
    this.#mask = new Int32Array(total)
    for (const [primer, list] of lists.entries()) {
      const { high, low, mask, unknown } = planes[primer]!
      if (unknown !== 0) throw new TypeError(`Primer ${primer + 1} has a base other than A, C, G and T`)
      for (const seed of list) {
        const at = counts[seed]!
        counts[seed] = at + 1
        this.#primer[at] = primer
        this.#high[at] = high
        this.#low[at] = low
        this.#mask[at] = mask
      }
    }
  }

  /**
   * Starts on a sequence of a known length; the function that comes back takes its bases (ASCII) in pieces and, called with null,
   * ends it. Of a circular sequence the places across its origin are found too, with `end0` beyond the length.
   */
  open(
    sequence: { lengthBp: number; circular: boolean },
    onSite: (site: PrimingSite) => void,
  ): (bases: Uint8Array | null) => void {
    const { lengthBp, circular } = sequence
    const rule = this.#rule
    const seedLength = this.#seedBp
    const seedMask = this.#seedMask
    const threeMask = this.#threeMask
    const starts = this.#starts
    const primers = this.#primer
    const highs = this.#high
    const lows = this.#low
    const masks = this.#mask
    const lengths = this.#lengths
    const max = rule.ignoreMismatches - 1
    let high = 0
    let low = 0
    let unknown = -1
    let reverseHigh = 0
    let reverseLow = 0
    let reverseUnknown = -1
    let at0 = -1
    const wrapBp = circular ? Math.min(lengthBp, 2 * comparedBp) : 0
    const firstBases = new Uint8Array(wrapBp)
    const reach = lengthBp + wrapBp

    const compare = (
      windowHigh: number,
      windowLow: number,
      windowUnknown: number,
      place0: number,
      forward: boolean,
    ): void => {
      if ((windowUnknown & seedMask) !== 0) return
      const seed = ((windowHigh & seedMask) << seedLength) | (windowLow & seedMask)
      for (let entry = starts[seed]!, last = starts[seed + 1]!; entry < last; entry += 1) {
        const different = ((windowHigh ^ highs[entry]!) | (windowLow ^ lows[entry]!) | windowUnknown) & masks[entry]!
        let sum = different - ((different >>> 1) & 0x55555555)
        sum = (sum & 0x33333333) + ((sum >>> 2) & 0x33333333)
        sum = Math.imul((sum + (sum >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24
        if (sum > max) continue
        const threePrime = countBits(different & threeMask)
        if (sum >= rule.minMismatches && threePrime >= rule.minThreePrimeMismatches) continue
        const primer = primers[entry]!
        const length = lengths[primer]!
        const start0 = forward ? place0 - length + 1 : place0
        const end0 = start0 + length
        if (start0 < 0 || start0 >= lengthBp || end0 > reach) continue
        onSite({
          primer,
          strand: forward ? '+' : '-',
          start0,
          end0,
          mismatches: sum,
          threePrimeMismatches: threePrime,
        })
      }
    }

    const takeCode = (code: number): void => {
      at0 += 1
      if (code === 4) {
        high <<= 1
        low <<= 1
        unknown = (unknown << 1) | 1
        reverseHigh >>>= 1
        reverseLow >>>= 1
        reverseUnknown = (reverseUnknown >>> 1) | 0x80000000
      } else {
        high = (high << 1) | (code >>> 1)
        low = (low << 1) | (code & 1)
        unknown <<= 1
        reverseHigh = (reverseHigh >>> 1) | (code >>> 1 === 0 ? 0x80000000 : 0)
        reverseLow = (reverseLow >>> 1) | ((code & 1) === 0 ? 0x80000000 : 0)
        reverseUnknown >>>= 1
      }
      compare(high, low, unknown, at0, true)
      // The window of the other strand reads from here to its 3′ end, a word's length to the left.
      if (at0 >= comparedBp - 1) compare(reverseHigh, reverseLow, reverseUnknown, at0 - comparedBp + 1, false)
    }

    return (bases) => {
      if (bases !== null) {
        for (let index = 0; index < bases.length; index += 1) {
          const byte = bases[index]!
          if (at0 + 1 < wrapBp) firstBases[at0 + 1] = byte
          takeCode(baseCodes[byte]!)
        }
        return
      }
      for (let index = 0; index < wrapBp; index += 1) takeCode(baseCodes[firstBases[index]!]!)
      // Places near the end on the other strand: the window runs out over nothing.
      for (let index = 0; index < comparedBp - 1; index += 1) takeCode(4)
    }
  }
}
