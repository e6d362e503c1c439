import { expect, it } from 'vitest'
import type { GeneModel } from '../annotation/gene-models.ts'
import { reverseComplement } from '../sequence/sequence.ts'
import { type GenomeChange, genomeEffects } from './genome-effects.ts'

const geneOf = (parts: { start1: number; end1: number }[], strand: '+' | '-'): GeneModel => {
  const whole = { start1: parts[0]!.start1, end1: parts.at(-1)!.end1 }
  const cds = parts.map((part) => ({ ...part, phase: 0 }))
  return {
    id: 'g',
    sequenceName: 's',
    strand,
    ...whole,
    transcripts: [{ id: 't', biotype: 'mRNA', ...whole, exons: parts, cds }],
  } as unknown as GeneModel
}

/** What changes such as `5T>G` (forward bases) do to a gene of a sequence. */
const reported = (
  sequence: string,
  texts: string[],
  { parts = [{ start1: 1, end1: sequence.length }], strand = '+' as '+' | '-', table = 1 } = {},
): string[] => {
  const changes = texts.map((text): GenomeChange => {
    const [, start, from, to] = /^(\d+)([ACGT]*)>([ACGT]*)$/.exec(text)!
    expect(sequence.slice(Number(start) - 1, Number(start) - 1 + from!.length)).toBe(from)
    return { start1: Number(start), from: from!, to: to! }
  })
  return genomeEffects(geneOf(parts, strand), table, changes, (start1, end1) => sequence.slice(start1 - 1, end1)).map(
    (effect) =>
      `${effect.consequences.join('&')} ${effect.hgvs} ${effect.changes.map((one) => texts[changes.indexOf(one)]).join(' ')}`,
  )
}

//            M  L  G  K  Q  A  R  *
const gene = 'ATGTTAGGGAAACAAGCACGTTAA'

it('two bases of a codon are read together: no stop where neither alone would leave what both do', () => {
  expect(reported(gene, ['5T>G'])).toEqual(['stop_gained p.(Leu2Ter) 5T>G'])
  expect(reported(gene, ['4T>A', '5T>G'])).toEqual(['missense p.(Leu2Arg) 4T>A 5T>G'])
})

it('two bases that make a stop together are one gained stop', () => {
  // GCA of alanine to TAA.
  expect(reported(gene, ['16G>T', '17C>A'])).toEqual(['stop_gained p.(Ala6Ter) 16G>T 17C>A'])
})

it('an insertion that brings a stop is told to its stop, and is no stop gained where the protein ends as it did', () => {
  expect(reported(gene, ['13>GAATGAGGG'])).toEqual([
    'stop_gained&inframe_insertion p.(Lys4_Gln5insGluTer) 13>GAATGAGGG',
  ])
  expect(reported(gene, ['19>CGTTAA'])).toEqual(['stop_retained&inframe_insertion p.(=) 19>CGTTAA'])
  expect(reported(gene, ['22>TAAGGG'])).toEqual(['inframe_insertion&stop_retained p.(=) 22>TAAGGG'])
})

it('a frameshift that the next indel mends is a change in frame', () => {
  expect(reported(gene, ['7G>', '12>C'])).toEqual(['missense p.(Lys4Thr) 7G> 12>C'])
  expect(reported(gene, ['7G>'])).toEqual(['frameshift p.(Lys4fs) 7G>'])
})

it('a frameshift with a stop before the frame is found again stays one, and what lies behind is not told', () => {
  //            M  L  G  V  N  C  A  R  *
  const other = 'ATGTTAGGGGTAAACTGCGCACGTTAA'
  // Without the G at 7 GGG GTA AAC reads GGG TAA.
  expect(reported(other, ['7G>', '18>T', '20C>A'])).toEqual(['frameshift p.(Val4Ter) 7G>'])
})

it('a stop is lost, a start is lost, and the starts of bacteria serve in their code', () => {
  expect(reported(gene, ['22T>C'])).toEqual(['stop_lost p.(Ter8GlnextTer?) 22T>C'])
  expect(reported(gene, ['1A>G'])).toEqual(['start_lost p.(Met1?) 1A>G'])
  expect(reported(gene, ['1A>G'], { table: 11 })).toEqual(['synonymous p.(Met1=) 1A>G'])
})

it('behind a gained stop nothing is told, nor of a gene with stops of its own', () => {
  expect(reported(gene, ['5T>G', '16G>T'])).toEqual(['stop_gained p.(Leu2Ter) 5T>G'])
  expect(reported('ATGTAAGGGTTATAA', ['11T>G'])).toEqual([])
})

it('coding parts of the reverse strand are read across their intron, and its ends are splice sites', () => {
  const spliced = `${gene.slice(0, 8)}GTCCCCAG${gene.slice(8)}`
  const forward = reverseComplement(spliced)
  const at = (position1: number): number => spliced.length - position1 + 1
  const parts = [
    { start1: 1, end1: at(17) },
    { start1: at(8), end1: spliced.length },
  ]
  const reverse = { parts, strand: '-' as const }
  // TTA of leucine to TGA; then both bases of it.
  expect(reported(forward, [`${at(5)}A>C`], reverse)).toEqual([`stop_gained p.(Leu2Ter) ${at(5)}A>C`])
  expect(reported(forward, [`${at(5)}A>C`, `${at(4)}A>T`], reverse)).toEqual([
    `missense p.(Leu2Arg) ${at(4)}A>T ${at(5)}A>C`,
  ])
  // A frame that is left before the intron and found again behind it.
  expect(reported(forward, [`${at(7)}C>`, `${at(20)}>G`], reverse)).toEqual([
    `missense p.(Lys4Asn) ${at(7)}C> ${at(20)}>G`,
  ])
  expect(reported(forward, [`${at(9)}C>T`], reverse)).toEqual([`splice_donor null ${at(9)}C>T`])
})
