/**
 * Random numbers that are the same in every run: xorshift with 128 bits of state (G. Marsaglia, "Xorshift RNGs", Journal of
 * Statistical Software 8(14), 2003).
 */
export class SeededRandom {
  #x: number
  #y = 362436069
  #z = 521288629
  #w = 88675123

  constructor(seed: number) {
    this.#x = (123456789 ^ seed) >>> 0
    // Seeds that differ in few bits begin alike.
    for (let i = 0; i < 20; i++) this.fraction()
  }

  /** From 0, included, to 1, not included. */
  fraction(): number {
    const t = this.#x ^ (this.#x << 11)
    this.#x = this.#y
    this.#y = this.#z
    this.#z = this.#w
    this.#w = (this.#w ^ (this.#w >>> 19) ^ t ^ (t >>> 8)) >>> 0
    return this.#w / 0x100000000
  }

  /** A whole number, both ends included. */
  between(min: number, max: number): number {
    return min + Math.floor(this.fraction() * (max - min + 1))
  }

  /** Normally distributed with mean 0 and variance 1 (G. E. P. Box, M. E. Muller, Ann. Math. Statist. 29:610, 1958). */
  normal(): number {
    return Math.sqrt(-2 * Math.log(1 - this.fraction())) * Math.cos(2 * Math.PI * this.fraction())
  }

  chance(probability: number): boolean {
    return this.fraction() < probability
  }

  pick<T>(from: readonly T[]): T {
    return from[this.between(0, from.length - 1)]!
  }

  /** One of `from`, each as likely as its share of `weights`. */
  pickWeighted<T>(from: readonly T[], weights: readonly number[]): T {
    let left = this.fraction() * weights.reduce((sum, weight) => sum + weight, 0)
    for (let i = 0; i < from.length; i++) {
      left -= weights[i]!
      if (left < 0) return from[i]!
    }
    return from.at(-1)!
  }
}
