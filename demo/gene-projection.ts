import { computePhases } from '../src/bio/annotation/gene-models/gene-model-structure.ts'
import { translate } from '../src/bio/sequence/genetic-codes.ts'
import { type CodingGene, readCodingSequence } from './coding-genes.ts'
import type { AlignmentRow } from './multiple-alignment.ts'

/** Where a coding part of the reference's gene came to lie in another genome, on its forward strand. */
interface Place {
  sequence: string
  strand: '+' | '-'
  /** Reference positions of the first and last aligned base. */
  first1: number
  last1: number
  /** The other genome's positions of these two. */
  firstThere1: number
  lastThere1: number
  broken: boolean
}

interface Target {
  gene: number
  part: number
  start1: number
  end1: number
}

/** A projected gene may be this much longer than in the reference: more is another locus. */
const longestSegment = 3
const segmentAllowanceBp = 2000

/**
 * Carries gene models of the reference through a multiple alignment to the other genomes: blocks first, in the order of the
 * reference, then `list`. A coding part needs both of its ends aligned, all parts of a gene one sequence, one strand and the
 * same order.
 */
export class GeneProjection {
  readonly #genes: readonly CodingGene[]
  readonly #targets = new Map<string, Target[]>()
  /** By genome, by gene, by part. */
  readonly #places = new Map<string, (Place | undefined)[][]>()
  readonly #next = new Map<string, number>()

  constructor(genes: readonly CodingGene[], genomes: readonly string[]) {
    this.#genes = genes
    for (const [gene, { sequence, cds }] of genes.entries())
      for (const [part, { start1, end1 }] of cds.entries()) {
        const targets = this.#targets.get(sequence) ?? []
        this.#targets.set(sequence, targets)
        targets.push({ gene, part, start1, end1 })
      }
    for (const targets of this.#targets.values()) targets.sort((a, b) => a.start1 - b.start1)
    for (const genome of genomes)
      this.#places.set(
        genome,
        genes.map(({ cds }) => new Array<Place | undefined>(cds.length).fill(undefined)),
      )
  }

  /** Takes a block whose first row is of the reference. */
  add(block: readonly AlignmentRow[]): void {
    const reference = block[0]!
    const targets = this.#targets.get(reference.sequence)
    if (!targets) return
    const blockStart1 = reference.start0 + 1
    const blockEnd1 = reference.start0 + reference.sizeBp
    // Genes overlap, so the first target that may still matter is remembered with a margin: those that ended are passed over.
    let first = this.#next.get(reference.sequence) ?? 0
    while (first < targets.length && targets[first]!.end1 < blockStart1) first++
    this.#next.set(reference.sequence, first)
    const wanted: Target[] = []
    for (let i = first; i < targets.length && targets[i]!.start1 <= blockEnd1; i++)
      if (targets[i]!.end1 >= blockStart1) wanted.push(targets[i]!)
    if (!wanted.length) return
    for (const row of block) {
      const places = this.#places.get(row.genome)
      if (!places) continue
      const there = mapPositions(reference, row)
      for (const target of wanted) this.#place(places[target.gene]!, target, row, there, blockStart1, blockEnd1)
    }
  }

  #place(
    parts: (Place | undefined)[],
    target: Target,
    row: AlignmentRow,
    there: Int32Array,
    blockStart1: number,
    blockEnd1: number,
  ): void {
    let first1 = Math.max(target.start1, blockStart1)
    let last1 = Math.min(target.end1, blockEnd1)
    while (first1 <= last1 && there[first1 - blockStart1] === 0) first1++
    while (last1 >= first1 && there[last1 - blockStart1] === 0) last1--
    if (first1 > last1) return
    const place: Place = {
      sequence: row.sequence,
      strand: row.strand,
      first1,
      last1,
      firstThere1: there[first1 - blockStart1]!,
      lastThere1: there[last1 - blockStart1]!,
      broken: false,
    }
    const before = parts[target.part]
    if (!before) parts[target.part] = place
    else if (before.sequence !== place.sequence || before.strand !== place.strand) before.broken = true
    else {
      const step = (place.firstThere1 - before.lastThere1) * (place.strand === '+' ? 1 : -1)
      if (step <= 0) before.broken = true
      before.last1 = place.last1
      before.lastThere1 = place.lastThere1
    }
  }

  /**
   * Genes of a genome whose reading frame is as whole there as in the reference: no stop inside, a length of whole codons,
   * and start and stop codon where the reference has them.
   */
  list(genome: string, sequences: ReadonlyMap<string, string>, reference: ReadonlyMap<string, string>): CodingGene[] {
    const found: CodingGene[] = []
    const placed = this.#places.get(genome) ?? []
    for (const [number, gene] of this.#genes.entries()) {
      const projected = placeGene(gene, placed[number] ?? [], genome)
      if (projected && isAsWhole(gene, reference, projected, sequences)) found.push(projected)
    }
    return found
  }
}

/** 1-based forward position in the row's sequence for each base of the reference in the block; 0 where there is a gap. */
function mapPositions(reference: AlignmentRow, row: AlignmentRow): Int32Array {
  const there = new Int32Array(reference.sizeBp)
  let own = 0
  let other = row.strand === '+' ? row.start0 + 1 : row.lengthBp - row.start0
  const step = row.strand === '+' ? 1 : -1
  for (let column = 0; column < reference.text.length; column++) {
    const otherHere = row.text[column] !== 45
    if (reference.text[column] !== 45) there[own++] = otherHere ? other : 0
    if (otherHere) other += step
  }
  return there
}

function placeGene(gene: CodingGene, places: readonly (Place | undefined)[], genome: string): CodingGene | null {
  const parts: { start1: number; end1: number }[] = []
  const first = places[0]
  if (!first) return null
  const turned = first.strand === '-'
  for (const [i, { start1, end1 }] of gene.cds.entries()) {
    const place = places[i]
    if (!place || place.broken || place.sequence !== first.sequence || place.strand !== first.strand) return null
    if (place.first1 !== start1 || place.last1 !== end1) return null
    parts.push({
      start1: Math.min(place.firstThere1, place.lastThere1),
      end1: Math.max(place.firstThere1, place.lastThere1),
    })
  }
  if (turned) parts.reverse()
  for (let i = 1; i < parts.length; i++) if (parts[i]!.start1 <= parts[i - 1]!.end1) return null
  joinTouching(parts)
  const spanBp = gene.cds.at(-1)!.end1 - gene.cds[0]!.start1 + 1
  if (parts.at(-1)!.end1 - parts[0]!.start1 + 1 > spanBp * longestSegment + segmentAllowanceBp) return null
  const strand = (gene.strand === '+') === turned ? '-' : '+'
  const ownPhase = (gene.strand === '+' ? gene.cds[0]! : gene.cds.at(-1)!).phase
  return {
    id: `${genome}_${gene.id}`,
    aliases: [gene.id],
    description: gene.description,
    sequence: first.sequence,
    strand,
    exons: parts,
    cds: withPhases(parts, strand, ownPhase),
    references: [],
  }
}

/** Where the other genome lost an intron its exons are one. */
function joinTouching(parts: { start1: number; end1: number }[]): void {
  for (let i = parts.length - 1; i > 0; i--)
    if (parts[i]!.start1 === parts[i - 1]!.end1 + 1) {
      parts[i - 1]!.end1 = parts[i]!.end1
      parts.splice(i, 1)
    }
}

/** Phases from the lengths, in the direction of the strand. */
function withPhases(
  parts: readonly { start1: number; end1: number }[],
  strand: '+' | '-',
  firstPhase: 0 | 1 | 2,
): CodingGene['cds'] {
  const inDirection = strand === '+' ? [...parts] : [...parts].reverse()
  const phases = computePhases(
    inDirection.map(({ start1, end1 }) => end1 - start1 + 1),
    firstPhase,
  )
  const cds = inDirection.map((part, i) => ({ ...part, phase: phases[i]! }))
  return strand === '+' ? cds : cds.reverse()
}

function isAsWhole(
  gene: CodingGene,
  reference: ReadonlyMap<string, string>,
  projected: CodingGene,
  sequences: ReadonlyMap<string, string>,
): boolean {
  const own = readCodingSequence(reference, gene)
  const there = readCodingSequence(sequences, projected)
  if (there.length % 3 !== own.length % 3) return false
  const ownProtein = translate(own)
  const protein = translate(there)
  if (protein.slice(0, -1).includes('*')) return false
  return protein.startsWith('M') === ownProtein.startsWith('M') && protein.endsWith('*') === ownProtein.endsWith('*')
}
