import type { AlignmentRow } from './multiple-alignment.ts'

const known = new Uint8Array(256)
for (const base of 'ACGTacgt') known[base.charCodeAt(0)] = 1

/** Which genomes have a base aligned to each base of the reference. */
export class AlignmentCoverage {
  readonly genomes: readonly string[]
  readonly #masks = new Map<string, Uint16Array>()

  /** At most 16 genomes, the reference left out. */
  constructor(genomes: readonly string[], chromosomes: ReadonlyMap<string, number>) {
    if (genomes.length > 16) throw new RangeError('more than 16 genomes')
    this.genomes = genomes
    for (const [name, lengthBp] of chromosomes) this.#masks.set(name, new Uint16Array(lengthBp))
  }

  /** Takes a block whose first row is of the reference. */
  add(block: readonly AlignmentRow[]): void {
    const reference = block[0]!
    const mask = this.#masks.get(reference.sequence)!
    for (const row of block) {
      const number = this.genomes.indexOf(row.genome)
      if (number < 0) continue
      const bit = 1 << number
      let at = reference.start0
      for (let column = 0; column < reference.text.length; column++) {
        if (reference.text[column] === 45) continue
        if (known[row.text[column]!]) mask[at]! |= bit
        at++
      }
    }
  }

  /** Bases of the parts (1-based inclusive) that are aligned in each genome, in the order of `genomes`. */
  count(chromosome: string, parts: readonly { start1: number; end1: number }[]): number[] {
    const mask = this.#masks.get(chromosome)
    const counts = this.genomes.map(() => 0)
    if (!mask) return counts
    for (const { start1, end1 } of parts)
      for (let at = start1 - 1; at < end1; at++) {
        const bits = mask[at]!
        for (let number = 0; number < counts.length; number++) counts[number]! += (bits >> number) & 1
      }
    return counts
  }
}
