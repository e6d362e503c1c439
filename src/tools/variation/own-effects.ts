import { createIntervalIndex } from '../../bio/annotation/gene-geometry.ts'
import type { GeneModel } from '../../bio/annotation/gene-models.ts'
import { codingEffects, readsAsStandard } from '../../bio/variation/coding-consequences.ts'
import type { Effect } from '../../bio/variation/consequences.ts'
import type { BakedSequence } from '../../kit/loader.ts'
import type { Genome } from '../../store/genome-fasta.ts'

/** Why bcftools csq is not asked about a gene; null: it is. */
export const whyNotForCsq = (gene: GeneModel, sequence: BakedSequence): 'code' | 'origin' | 'trans' | null => {
  if (gene.end1 > sequence.lengthBp) return 'origin'
  if (gene.transcripts.some(({ readingOrder }) => readingOrder !== undefined)) return 'trans'
  const codes = gene.transcripts.some(({ cds }) => cds.length > 0)
  return codes && !readsAsStandard(sequence.geneticCode) ? 'code' : null
}

/** Where a codon that other codons than ATG may be begins a protein: bcftools csq takes ATG alone. */
const startCodons = (gene: GeneModel): { start1: number; end1: number }[] =>
  gene.transcripts.flatMap(({ cds }) => {
    const first = gene.strand === '-' ? cds.at(-1) : cds[0]
    if (first === undefined || first.phase !== 0) return []
    return gene.strand === '-'
      ? [{ start1: Math.max(first.start1, first.end1 - 2), end1: first.end1 }]
      : [{ start1: first.start1, end1: Math.min(first.end1, first.start1 + 2) }]
  })

/** Whether the first codons of a gene are told here, and not by bcftools csq, which is asked about the rest of it. */
export const hasOtherStarts = (sequence: BakedSequence): boolean => sequence.geneticCode !== 1

interface OwnGene {
  gene: GeneModel
  start1: number
  end1: number
  /** What is added to a place of the sequence to have it in the gene's numbering: the length, behind an origin. */
  shiftBp: number
}

export interface OwnEffects {
  sequences: ReadonlySet<string>
  /** Effects, and the genes of which they take the place of whatever bcftools csq said. */
  find(
    sequence: string,
    position1: number,
    reference: string,
    alternates: string[],
  ): Promise<{ effects: Effect[]; genes: ReadonlySet<string> }>
}

/** Effects on the genes that bcftools csq is not asked about, by sequence; the bases of a few genes at a time are kept. */
export const createOwnEffects = (
  genes: readonly { gene: GeneModel; sequence: BakedSequence; part: 'whole' | 'start' }[],
  genome: Genome,
): OwnEffects => {
  const placed = new Map<string, OwnGene[]>()
  const lengths = new Map<string, { lengthBp: number; geneticCode: number }>()
  for (const { gene, sequence, part } of genes) {
    const list = placed.get(sequence.name) ?? []
    if (part === 'start') for (const codon of startCodons(gene)) list.push({ gene, ...codon, shiftBp: 0 })
    else list.push({ gene, start1: gene.start1, end1: gene.end1, shiftBp: 0 })
    if (part === 'whole' && gene.end1 > sequence.lengthBp)
      list.push({ gene, start1: 1, end1: gene.end1 - sequence.lengthBp, shiftBp: sequence.lengthBp })
    placed.set(sequence.name, list)
    lengths.set(sequence.name, sequence)
  }
  const indexes = new Map([...placed].map(([name, list]) => [name, createIntervalIndex(list)]))
  const bases = new Map<string, string>()
  const fetchGene = async (gene: GeneModel, lengthBp: number): Promise<string> => {
    const known = bases.get(gene.id)
    if (known !== undefined) return known
    const fetched =
      (await genome.fetch(gene.sequenceName, gene.start1 - 1, Math.min(gene.end1, lengthBp))) +
      (gene.end1 > lengthBp ? await genome.fetch(gene.sequenceName, 0, gene.end1 - lengthBp) : '')
    bases.set(gene.id, fetched)
    const [oldest] = bases.keys()
    if (bases.size > 50) bases.delete(oldest!)
    return fetched
  }
  return {
    sequences: new Set(placed.keys()),
    find: async (sequence, position1, reference, alternates) => {
      const effects: Effect[] = []
      const reported = new Set<string>()
      const { lengthBp, geneticCode } = lengths.get(sequence)!
      // One base more: an insertion lies behind the base that its record has.
      for (const { gene, shiftBp } of indexes.get(sequence)!.find(position1, position1 + reference.length)) {
        // Transcripts that begin together have the same first codon.
        if (reported.has(gene.id)) continue
        reported.add(gene.id)
        const whole = await fetchGene(gene, lengthBp)
        const fetch = (start1: number, end1: number): string =>
          whole.slice(start1 - gene.start1, end1 - gene.start1 + 1).toUpperCase()
        for (const [number, alternate] of alternates.entries())
          effects.push(
            ...codingEffects(
              gene,
              geneticCode,
              { position1: position1 + shiftBp, reference, alternate, allele: number + 1 },
              fetch,
            ),
          )
      }
      return { effects, genes: reported }
    },
  }
}
