import type { GeneModel } from '../annotation/gene-models.ts'
import { translate } from '../sequence/genetic-codes.ts'
import { impactOf } from './consequences.ts'
import { type Followed, type FollowedCoding, followCoding } from './followed-coding.ts'
import { type GenomeChange, genomeEffects } from './genome-effects.ts'

/** A gene's protein beside that which another genome reads from the same bases. */
export interface ProteinComparison {
  /** Of the gene's protein, its stop not counted. */
  residues: number
  /** Those of which the other genome's bases are aligned, or passed over, and known. */
  compared: number
  /** What differs, as HGVS writes it, in the order of reading; none behind a stop or a frameshift that is not mended. */
  changes: string[]
}

const isKnown = (bases: string): boolean => /^[ACGT]*$/.test(bases)

/** Changes of the coding bases, counted from the first that is read, and numbers of the codons that cannot be compared. */
const listChanges = (
  { own, other, at, aligned, skipped }: Followed,
  phase: number,
): { changes: GenomeChange[]; unknown: Set<number> } => {
  const unknown = new Set<number>()
  const codonOf = (base: number): number => Math.floor((base - phase) / 3)
  const isUnknown = (from: number, to: number): void => {
    for (let base = from; base < to; base += 1) unknown.add(codonOf(base))
  }
  for (const base of skipped) unknown.add(codonOf(base))
  const changes: GenomeChange[] = []
  /** The next own base, and what the other has before its next opposite base. */
  let [next, more] = [at[0] ?? own.length, '']
  isUnknown(0, next)
  for (const [here, number] of at.entries()) {
    const letter = other[here]!
    if (!aligned[here]) {
      more += letter
      continue
    }
    if (!isKnown(more)) isUnknown(Math.max(0, next - 1), number)
    else if (number > next || more !== '') changes.push({ start1: next + 1, from: own.slice(next, number), to: more })
    const base = own[number]!
    if (!isKnown(letter) || !isKnown(base)) unknown.add(codonOf(number))
    else if (letter !== base) changes.push({ start1: number + 1, from: base, to: letter })
    next = number + 1
    more = ''
  }
  isUnknown(next, own.length)
  // A residue is told of no codon of which a base is not known.
  const isTold = ({ start1, from, to }: GenomeChange): boolean =>
    from.length !== 1 || to.length !== 1 || !unknown.has(codonOf(start1 - 1))
  return { changes: changes.filter(isTold), unknown }
}

/**
 * What of a gene's protein differs in another genome, by the bases that are aligned; null where the gene does not read in its own genome, or
 * nothing of it is aligned. Unknown bases are no change.
 *
 * Example: of `ATGCTGGAATAA` the bases `ATGCCGAAATAA` give `p.(Leu2Pro)` and `p.(Glu3Lys)`.
 */
export const compareProteins = (coding: FollowedCoding): ProteinComparison | null => {
  const followed = followCoding(coding)
  const { own, other, at, after } = followed
  const { phase, geneticCode } = coding
  const code = { table: geneticCode, firstCodonIsStart: phase === 0 }
  const protein = translate(own.slice(phase), code)
  const residues = protein.length - (protein.endsWith('*') ? 1 : 0)
  if (residues === 0 || protein.slice(0, residues).includes('*') || at.length === 0) return null
  // However the bases are aligned, what reads the same is the same.
  if (at[0] === 0 && followed.skipped.length === 0 && protein.length > residues) {
    const read = translate((other + after).slice(phase), code)
    if (isKnown(other) && read.startsWith(protein)) return { residues, compared: residues, changes: [] }
  }
  const { changes, unknown } = listChanges(followed, phase)
  const whole = { start1: 1, end1: own.length }
  const gene: GeneModel = {
    id: 'gene',
    biotype: 'protein_coding',
    sequenceName: 'coding',
    ...whole,
    strand: '+',
    symbol: null,
    name: null,
    aliases: [],
    description: null,
    attributes: {},
    transcripts: [
      {
        id: 'transcript',
        biotype: 'mRNA',
        ...whole,
        exons: [whole],
        cds: [{ ...whole, phase: (phase % 3) as 0 | 1 | 2 }],
        proteinId: null,
        attributes: {},
      },
    ],
  }
  const told = genomeEffects(gene, geneticCode, changes, (start1, end1) => own.slice(start1 - 1, end1)).flatMap(
    ({ consequences, hgvs }) =>
      hgvs !== null && ['high', 'moderate'].includes(impactOf(consequences[0] ?? '')) ? [hgvs] : [],
  )
  const missing = [...unknown].filter((codon) => codon >= 0 && codon < residues).length
  return { residues, compared: residues - missing, changes: told }
}
