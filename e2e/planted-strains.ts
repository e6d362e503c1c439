import { SeededRandom } from '../demo/seeded-random.ts'
import type { SimulatedGene, SimulatedGenome } from '../demo/simulated-genome.ts'
import { complement, reverseComplement } from '../src/bio/sequence/sequence.ts'

/** How a genome differs from the one that it is made of. */
export interface StrainPlan {
  seed: number
  /** Of the ids of its genes, in place of the reference's. */
  idPrefix: string
  /** Share of bases outside the ends of coding sequences and introns that are others. */
  share: number
  /** Segments that it lacks, and one that is turned around; 1-based inclusive, apart from each other. */
  without: readonly Place[]
  turned: Place | null
}

export interface Place {
  sequence: string
  start1: number
  end1: number
}

export interface Strain extends SimulatedGenome {
  /** Its bases on the reference's places, before anything is taken out or turned. */
  aligned: Map<string, string>
  /** Genes of the reference by theirs in the strain. */
  geneOf: Map<string, string>
}

const stops = new Set(['TAA', 'TAG', 'TGA'])

/** Bases of splice sites and of what stands around a coding sequence. */
const keptBp = 8

/** Positions (from 0) of a gene's coding bases, in its own direction. */
export const codingPositions = (gene: SimulatedGene): number[] => {
  const forward = gene.cds.flatMap(({ start1, end1 }) =>
    Array.from({ length: end1 - start1 + 1 }, (_, at) => start1 - 1 + at),
  )
  return gene.strand === '+' ? forward : forward.reverse()
}

/** Puts codons into a gene's coding sequence, from a codon on. */
export const writeCodons = (
  bases: string[],
  gene: SimulatedGene,
  firstCodon: number,
  codons: readonly string[],
): void => {
  const positions = codingPositions(gene)
  for (const [at, base] of [...codons.join('')].entries())
    bases[positions[firstCodon * 3 + at]!] = gene.strand === '+' ? base : complement(base)
}

/** A strain of a simulated genome: its proteins are whole, its genes those of the reference but for what it lacks. */
export const deriveStrain = (genome: SimulatedGenome, plan: StrainPlan): Strain => {
  const random = new SeededRandom(plan.seed)
  const changed = new Map([...genome.sequences].map(([name, text]) => [name, [...text]]))
  const another = (base: string): string => random.pick([...'ACGT'].filter((one) => one !== base))
  const genesOf = (name: string): SimulatedGene[] => genome.genes.filter(({ sequence }) => sequence === name)
  for (const [name, bases] of changed) {
    const kept = new Uint8Array(bases.length)
    for (const gene of genesOf(name)) {
      for (const { start1, end1 } of [...gene.cds, ...gene.exons])
        kept.fill(1, Math.max(0, start1 - 1 - keptBp), end1 + keptBp)
      const positions = codingPositions(gene)
      for (let at = 3; at + 6 <= positions.length; at += 3) {
        if (!random.chance(plan.share * 3)) continue
        const indexes = positions.slice(at, at + 3)
        const read = (): string =>
          indexes.map((index) => (gene.strand === '+' ? bases[index]! : complement(bases[index]!))).join('')
        const index = random.pick(indexes)
        const before = bases[index]!
        bases[index] = another(before)
        if (stops.has(read())) bases[index] = before
      }
    }
    for (let at = 0; at < bases.length; at += 1)
      if (kept[at] === 0 && random.chance(plan.share)) bases[at] = another(bases[at]!)
  }
  const aligned = new Map([...changed].map(([name, bases]) => [name, bases.join('')]))
  const sequences = new Map<string, string>()
  const genes: SimulatedGene[] = []
  const geneOf = new Map<string, string>()
  for (const [name, bases] of aligned) {
    const edits = [...plan.without, ...(plan.turned === null ? [] : [plan.turned])]
      .filter(({ sequence }) => sequence === name)
      .sort((a, b) => a.start1 - b.start1)
    const pieces: { start0: number; end0: number; turned: boolean }[] = []
    let at0 = 0
    for (const edit of edits) {
      pieces.push({ start0: at0, end0: edit.start1 - 1, turned: false })
      if (edit === plan.turned) pieces.push({ start0: edit.start1 - 1, end0: edit.end1, turned: true })
      at0 = edit.end1
    }
    pieces.push({ start0: at0, end0: bases.length, turned: false })
    let text = ''
    for (const { start0, end0, turned } of pieces) {
      const offset = text.length
      const within = genesOf(name).filter(({ exons }) => exons[0]!.start1 > start0 && exons.at(-1)!.end1 <= end0)
      const move = <Part extends { start1: number; end1: number }>(parts: readonly Part[]): Part[] => {
        const moved = parts.map((part) =>
          turned
            ? { ...part, start1: offset + end0 - part.end1 + 1, end1: offset + end0 - part.start1 + 1 }
            : { ...part, start1: offset + part.start1 - start0, end1: offset + part.end1 - start0 },
        )
        return turned ? moved.reverse() : moved
      }
      const placed = within.map((gene): SimulatedGene => {
        const id = gene.id.replace(/^Sim/, plan.idPrefix)
        geneOf.set(gene.id, id)
        const strand = turned ? (gene.strand === '+' ? '-' : '+') : gene.strand
        return { ...gene, id, strand, exons: move(gene.exons), cds: move(gene.cds) }
      })
      genes.push(...(turned ? placed.reverse() : placed))
      const piece = bases.slice(start0, end0)
      text += turned ? reverseComplement(piece) : piece
    }
    sequences.set(name, text)
  }
  return { sequences, genes, aligned, geneOf }
}
