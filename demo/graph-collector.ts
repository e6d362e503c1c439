import { type AlignedSegment, type AlignedSequence, buildAlignmentGraph } from '../src/bio/graph/alignment-graph.ts'
import { renderGfa } from '../src/bio/graph/variation-graph.ts'
import type { AlignmentRow } from './multiple-alignment.ts'

const gap = 45
const upperCase = 0xdf

/** Collects what a multiple alignment says of a segment of the reference, as a variation graph. */
export class GraphCollector {
  readonly #chromosome: string
  readonly #start0: number
  readonly #end0: number
  #at: number
  readonly #aligned: AlignedSequence[] = []

  constructor(chromosome: string, start0: number, end0: number) {
    this.#chromosome = chromosome
    this.#start0 = start0
    this.#end0 = end0
    this.#at = start0
  }

  /** Takes a block in the order of the reference; those elsewhere are passed over. */
  add([reference, ...rows]: readonly AlignmentRow[]): void {
    if (reference === undefined || reference.sequence !== this.#chromosome || reference.strand !== '+') return
    const from = Math.max(reference.start0, this.#at)
    const to = Math.min(reference.start0 + reference.sizeBp, this.#end0)
    if (from >= to) return
    this.#at = to
    for (const row of rows) this.#aligned.push(...alignRow(reference, row, from, to))
  }

  /** The graph as GFA 1.1, with walks named by genome; `chromosome` is the whole sequence of the reference. */
  finish(genome: string, chromosome: string): string {
    return renderGfa(
      buildAlignmentGraph(
        {
          name: genome,
          sample: genome,
          assembly: genome,
          sequence: this.#chromosome,
          start0: this.#start0,
          turned: false,
          bases: chromosome.slice(this.#start0, this.#end0),
        },
        joinPieces(this.#aligned),
      ),
    )
  }
}

/** A row between two places of the reference, as what it has instead; nothing when it has no base there. */
const alignRow = (reference: AlignmentRow, row: AlignmentRow, from: number, to: number): AlignedSequence[] => {
  const segments: AlignedSegment[] = []
  let at = reference.start0
  let own = row.start0
  let start0 = -1
  let equal = 0
  let lost = 0
  let bases = ''
  const flush = (): void => {
    if (lost > 0 || bases !== '') segments.push({ referenceBp: lost, bases })
    if (equal > 0) segments.push({ referenceBp: equal, bases: null })
    lost = 0
    bases = ''
    equal = 0
  }
  for (let column = 0; column < row.text.length; column += 1) {
    const a = reference.text[column]!
    const b = row.text[column]!
    const inside = at >= from && at < to
    if (inside && !(a === gap && b === gap)) {
      if (start0 === -1 && b !== gap) start0 = own
      if (a !== gap && (a & upperCase) === (b & upperCase)) {
        if (lost > 0 || bases !== '') flush()
        equal += 1
      } else {
        if (equal > 0) flush()
        if (a !== gap) lost += 1
        if (b !== gap) bases += String.fromCharCode(b)
      }
    }
    if (a !== gap) at += 1
    if (b !== gap) own += 1
  }
  flush()
  if (start0 === -1) return []
  const turned = row.strand === '-'
  const bp = segments.reduce((sum, one) => sum + (one.bases?.length ?? one.referenceBp), 0)
  return [
    {
      name: row.genome,
      sample: row.genome,
      assembly: row.genome,
      sequence: row.sequence,
      turned,
      start0: turned ? row.lengthBp - start0 - bp : start0,
      referenceStart0: from,
      segments,
    },
  ]
}

/** Pieces of one sequence that follow each other without a gap on either side are one. */
const joinPieces = (pieces: readonly AlignedSequence[]): AlignedSequence[] => {
  const joined: AlignedSequence[] = []
  const lastOf = new Map<string, number>()
  for (const piece of pieces) {
    const key = `${piece.sample} ${piece.sequence} ${piece.turned}`
    const at = lastOf.get(key)
    const last = at === undefined ? undefined : joined[at]
    const bpOf = ({ segments }: AlignedSequence): number =>
      segments.reduce((sum, one) => sum + (one.bases?.length ?? one.referenceBp), 0)
    const endOf = ({ referenceStart0, segments }: AlignedSequence): number =>
      referenceStart0 + segments.reduce((sum, { referenceBp }) => sum + referenceBp, 0)
    if (last !== undefined && endOf(last) === piece.referenceStart0) {
      const follows = piece.turned
        ? piece.start0 + bpOf(piece) === last.start0
        : last.start0 + bpOf(last) === piece.start0
      if (follows) {
        joined[at!] = {
          ...last,
          start0: Math.min(last.start0, piece.start0),
          segments: [...last.segments, ...piece.segments],
        }
        continue
      }
    }
    lastOf.set(key, joined.length)
    joined.push(piece)
  }
  return joined
}
