import { hashName } from './name-hash.ts'

/**
 * Names by position, in about twenty bytes a name beside the text itself: an open-addressing table of positions. A Map takes three times
 * as much, which a draft of a million scaffolds feels.
 */
export class NameTable {
  readonly names: string[] = []
  #slots = new Int32Array(64)
  /** Names are mostly asked for in runs. */
  #lastName: string | null = null
  #lastPosition = -1

  constructor(names: Iterable<string> = []) {
    for (const name of names) this.add(name)
  }

  get size(): number {
    return this.names.length
  }

  /** Position of the name, which is added where it is new: then, and only then, `size` grows. */
  add(name: string): number {
    if (this.names.length * 2 >= this.#slots.length) this.#grow()
    const slot = this.#slotOf(name)
    const known = this.#slots[slot]! - 1
    if (known >= 0) return known
    this.#slots[slot] = this.names.push(name)
    if (name === this.#lastName) this.#lastName = null
    return this.names.length - 1
  }

  /** Position of the name, or null. */
  find(name: string): number | null {
    if (name !== this.#lastName) {
      this.#lastName = name
      this.#lastPosition = this.#slots[this.#slotOf(name)]! - 1
    }
    return this.#lastPosition < 0 ? null : this.#lastPosition
  }

  /** The slot that holds the name, or the free one where it belongs. Slots hold positions from 1; 0 is free. */
  #slotOf(name: string): number {
    const mask = this.#slots.length - 1
    let slot = hashName(name) & mask
    for (;;) {
      const position = this.#slots[slot]! - 1
      if (position < 0 || this.names[position] === name) return slot
      slot = (slot + 1) & mask
    }
  }

  #grow(): void {
    const slots = new Int32Array(this.#slots.length * 2)
    const mask = slots.length - 1
    for (let position = 0; position < this.names.length; position += 1) {
      let slot = hashName(this.names[position]!) & mask
      while (slots[slot] !== 0) slot = (slot + 1) & mask
      slots[slot] = position + 1
    }
    this.#slots = slots
  }
}
