import type { AlignmentRow } from './multiple-alignment.ts'

const gap = 45
const unknown = 78

// Complements of bases in either case; what is no base becomes N.
const complements = new Uint8Array(256).fill(unknown)
for (const [from, to] of ['AT', 'TA', 'CG', 'GC', 'at', 'ta', 'cg', 'gc', 'nn'])
  complements[from!.charCodeAt(0)] = to!.charCodeAt(0)

/**
 * Genomes put together again from the rows of their alignment: every aligned base at its place, N where nothing aligned.
 * Case (soft masking) is kept.
 */
export class AlignedGenomes {
  readonly #genomes = new Map<string, Map<string, Uint8Array>>()

  add(row: AlignmentRow): void {
    let sequences = this.#genomes.get(row.genome)
    if (!sequences) {
      sequences = new Map()
      this.#genomes.set(row.genome, sequences)
    }
    let bases = sequences.get(row.sequence)
    if (!bases) {
      bases = new Uint8Array(row.lengthBp).fill(unknown)
      sequences.set(row.sequence, bases)
    }
    const { text, start0, lengthBp } = row
    if (row.strand === '+') {
      let at = start0
      for (let i = 0; i < text.length; i++) if (text[i] !== gap) bases[at++] = text[i]!
    } else {
      let at = lengthBp - 1 - start0
      for (let i = 0; i < text.length; i++) if (text[i] !== gap) bases[at--] = complements[text[i]!]!
    }
  }

  get names(): string[] {
    return [...this.#genomes.keys()]
  }

  /** Sequences of a genome, the longest first, then by name; they may be edited no more. */
  *list(genome: string): Generator<[name: string, sequence: string]> {
    const sequences = [...(this.#genomes.get(genome) ?? [])]
    sequences.sort(([nameA, a], [nameB, b]) => b.length - a.length || (nameA < nameB ? -1 : 1))
    for (const [name, bases] of sequences) yield [name, Buffer.from(bases.buffer).toString('latin1')]
  }

  get(genome: string, sequence: string): Uint8Array | null {
    return this.#genomes.get(genome)?.get(sequence) ?? null
  }

  /** Frees a genome that was written. */
  delete(genome: string): void {
    this.#genomes.delete(genome)
  }
}

export interface BaseCounts {
  sequences: number
  lengthBp: number
  unknownBp: number
}

export function countBases(sequences: Iterable<readonly [name: string, sequence: string]>): BaseCounts {
  const counts: BaseCounts = { sequences: 0, lengthBp: 0, unknownBp: 0 }
  for (const [, sequence] of sequences) {
    counts.sequences++
    counts.lengthBp += sequence.length
    for (let i = 0; i < sequence.length; i++) if ((sequence.charCodeAt(i) & 0xdf) === unknown) counts.unknownBp++
  }
  return counts
}
