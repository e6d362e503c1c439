import { expect, it } from 'vitest'
import type { GeneModel } from '../annotation/gene-models.ts'
import { codingEffects } from './coding-consequences.ts'

/** What one change does to a gene without introns that fills a sequence. */
const reported = (sequence: string, position1: number, reference: string, alternate: string): string => {
  const whole = { start1: 1, end1: sequence.length }
  const gene = {
    id: 'g',
    sequenceName: 's',
    strand: '+',
    ...whole,
    transcripts: [{ id: 't', biotype: 'mRNA', ...whole, exons: [whole], cds: [{ ...whole, phase: 0 }] }],
  } as unknown as GeneModel
  expect(sequence.slice(position1 - 1, position1 - 1 + reference.length)).toBe(reference)
  return codingEffects(gene, 1, { position1, reference, alternate, allele: 1 }, (start1, end1) =>
    sequence.slice(start1 - 1, end1),
  )
    .map(({ consequences, aminoAcids }) => `${consequences.join('&')} ${aminoAcids}`)
    .join()
}

it('stops within a broken gene model are lost and gained like others, as bcftools csq has them under the standard code', () => {
  //            M  K  *  S  C  *  G  *
  const broken = 'ATGAAATAAAGTTGCTAGGGGTAA'
  expect(reported(broken, 7, 'T', 'A')).toBe('stop_lost 3*>3K')
  expect(reported(broken, 14, 'G', 'A')).toBe('missense 5C>5Y')
  expect(reported(broken, 15, 'C', 'A')).toBe('stop_gained 5C>5*')
  expect(reported(broken, 9, 'A', 'G')).toBe('synonymous 3*')
  // The stop of the sixth codon goes, and one stands before it.
  expect(reported(broken, 15, 'CTA', 'AGA')).toBe('stop_gained 5C*>5*E')
  expect(reported(broken, 23, 'A', 'C')).toBe('stop_lost 8*>8S')
  expect(reported(broken, 23, 'A', 'G')).toBe('stop_retained 8*')
})

it('codons put before a stop push it on, codons taken before it draw it near: it is neither lost nor gained, as bcftools csq has it', () => {
  const broken = 'ATGAAATAAGGGTAA'
  expect(reported(broken, 6, 'A', 'ACGT')).toBe('inframe_insertion 3*>3R*')
  expect(reported(broken, 9, 'AGGG', 'A')).toBe('inframe_deletion 3*G>3*')
  expect(reported(broken, 12, 'G', 'GCCC')).toBe('inframe_insertion&stop_retained 5*>5P*')
  expect(reported(broken, 12, 'G', 'GTAGCCC')).toBe('inframe_insertion&stop_retained 5*>5*P*')
  expect(reported(broken, 6, 'A', 'ATGAGGG')).toBe('inframe_insertion 3*>3*G*')
  expect(reported('ATGAAACCCGGGTAA', 6, 'ACCC', 'A')).toBe('inframe_deletion 2KP>2K')
  expect(reported('ATGAAACCCGGGTAA', 6, 'A', 'ATAG')).toBe('stop_gained&inframe_insertion 3P>3*P')
})
