import { hashName } from './name-hash.ts'

const chunkBytes = 1 << 20
/** Length byte of a name whose length follows in four bytes. */
const longName = 255
const encoder = new TextEncoder()
const decoder = new TextDecoder('utf-8', { ignoreBOM: true })

/**
 * Names by position, in about twelve bytes a name beside its letters, outside the heap of the language: for the millions of
 * identifiers of genes and transcripts, of which nothing else holds the text (where something does, a `NameTable` shares it).
 */
export class PackedNames {
  #size = 0
  #slots = new Int32Array(64)
  /** Where the name of a position begins: its chunk above the twentieth bit. */
  #offsets = new Uint32Array(32)
  readonly #chunks: Uint8Array[] = []
  #end = chunkBytes

  get size(): number {
    return this.#size
  }

  /** Position of the name, which is added where it is new: then, and only then, `size` grows. */
  add(name: string): number {
    if (this.#size * 2 >= this.#slots.length) this.#grow()
    const slot = this.#slotOf(name)
    const known = this.#slots[slot]! - 1
    if (known >= 0) return known
    if (this.#size === this.#offsets.length) {
      const offsets = new Uint32Array(this.#size + (this.#size >> 1))
      offsets.set(this.#offsets)
      this.#offsets = offsets
    }
    this.#offsets[this.#size] = this.#write(name)
    this.#size += 1
    this.#slots[slot] = this.#size
    return this.#size - 1
  }

  /** Position of the name, or null. */
  find(name: string): number | null {
    const position = this.#slots[this.#slotOf(name)]! - 1
    return position < 0 ? null : position
  }

  /** The name at a position. */
  at(position: number): string {
    const { chunk, start, length } = this.#placeOf(position)
    return decoder.decode(chunk.subarray(start, start + length))
  }

  #write(name: string): number {
    const bytes = encoder.encode(name)
    const { length } = bytes
    const head = length < longName ? 1 : 5
    // A name that no chunk has room for has one of its own.
    if (this.#end + head + length > chunkBytes) {
      this.#chunks.push(new Uint8Array(Math.max(chunkBytes, head + length)))
      this.#end = 0
    }
    const chunk = this.#chunks.at(-1)!
    const at = this.#end
    chunk[at] = Math.min(length, longName)
    if (head > 1) new DataView(chunk.buffer).setUint32(at + 1, length)
    chunk.set(bytes, at + head)
    this.#end += head + length
    return (this.#chunks.length - 1) * chunkBytes + at
  }

  #placeOf(position: number): { chunk: Uint8Array; start: number; length: number } {
    const offset = this.#offsets[position]!
    const chunk = this.#chunks[Math.floor(offset / chunkBytes)]!
    const at = offset % chunkBytes
    const length = chunk[at]!
    return length < longName
      ? { chunk, start: at + 1, length }
      : { chunk, start: at + 5, length: new DataView(chunk.buffer).getUint32(at + 1) }
  }

  #isAt(position: number, name: string): boolean {
    const { chunk, start, length } = this.#placeOf(position)
    // UTF-8 is as long as the text where all of it is ASCII, and longer elsewhere.
    if (length < name.length) return false
    if (length > name.length) return decoder.decode(chunk.subarray(start, start + length)) === name
    for (let at = 0; at < length; at += 1) if (chunk[start + at] !== name.charCodeAt(at)) return false
    return true
  }

  /** The slot that holds the name, or the free one where it belongs. Slots hold positions from 1; 0 is free. */
  #slotOf(name: string): number {
    const mask = this.#slots.length - 1
    let slot = hashName(name) & mask
    for (;;) {
      const position = this.#slots[slot]! - 1
      if (position < 0 || this.#isAt(position, name)) return slot
      slot = (slot + 1) & mask
    }
  }

  #grow(): void {
    const slots = new Int32Array(this.#slots.length * 2)
    const mask = slots.length - 1
    for (let position = 0; position < this.#size; position += 1) {
      let slot = hashName(this.at(position)) & mask
      while (slots[slot] !== 0) slot = (slot + 1) & mask
      slots[slot] = position + 1
    }
    this.#slots = slots
  }
}
