import { describe, expect, it } from 'vitest'
import { complement, detectAlphabet, gcContent, proteinLength, reverseComplement, wrapFasta } from './sequence.ts'

describe('reverseComplement', () => {
  it('turns every IUPAC code into its partner and keeps the soft mask', () => {
    expect(reverseComplement('ACGTRYSWKMBDHVNacgtrykmx')).toBe('xkmryacgtNBDHVKMWSRYACGT')
  })
  it('writes RNA back as RNA and DNA back as DNA', () => {
    expect(reverseComplement('AUGc')).toBe('gCAU')
    expect(reverseComplement('ATGc')).toBe('gCAT')
    expect(reverseComplement('AAA', { rna: true })).toBe('UUU')
  })
  it('gives the sequence back when it is done twice, also on a megabase', () => {
    const sequence = 'ACGTNryRYacgtKMkmBVDH-'.repeat(50_000)
    expect(reverseComplement(reverseComplement(sequence)) === sequence).toBe(true)
  })
  it('keeps an empty sequence empty', () => {
    expect(reverseComplement('')).toBe('')
  })
  it('complements without turning round', () => {
    expect(complement('ACGTRYn-')).toBe('TGCAYRn-')
  })
})

describe('detectAlphabet', () => {
  it.each([
    ['the start of human insulin', 'MALWMRLLPLLALLALWGPDPAAAFVNQHLCGSHLVEALYLVCGERGFFYTPKT', 'protein'],
    ['a short zinc finger peptide', 'CKKDCGRAFSRSDELTRH', 'protein'],
    ['lower-case genomic DNA with Ns', 'acgtagctnnnnnnnnnnnnacgt', 'nucleotide'],
    ['a consensus full of polymorphic sites', 'ACGTRYACGTKMACGTSWACGTRY', 'nucleotide'],
    ['tRNA', 'GCGGAUUUAGCUCAGUUGGGAGAGCGCCAGACUGAAGAUCUGGAGGUCCUGUGUUCGAUCCACAGAAUUCGCACCA', 'nucleotide'],
    ['a numbered GenBank block', '1 gatcctccat atacaacggt 21 atctccacct', 'nucleotide'],
    ['a translated ORF with its stop', 'MKVSSAAN*', 'protein'],
    ['serine, threonine, lysine: letters that are IUPAC codes too', 'MKSRSWVYDHKSRSMKDWVYHKRS', 'protein'],
    ['500 bases with one slip', `${'ACGT'.repeat(125)}E`, 'nucleotide'],
  ])('sees what %s is', (_, sequence, alphabet) => {
    expect(detectAlphabet(sequence)).toBe(alphabet)
  })
  it('does not guess without letters', () => {
    expect(detectAlphabet(' 12 --- ')).toBeNull()
  })
})

describe('composition and checks', () => {
  it('leaves N out of the GC content and counts S as strong', () => {
    expect(gcContent('ggccATNNNN')).toBeCloseTo(4 / 6, 12)
    expect(gcContent('SW')).toBe(0.5)
    expect(gcContent('NNNN')).toBeNull()
  })
  it('wraps FASTA lines without an empty one at the end', () => {
    expect(wrapFasta('x y', 'ACGTAC', 3)).toBe('>x y\nACG\nTAC\n')
    expect(wrapFasta('x', 'ACGTA', 2)).toBe('>x\nAC\nGT\nA\n')
    expect(wrapFasta('x', '')).toBe('>x\n')
  })
})

describe('proteinLength', () => {
  it('counts residues without the stop', () => {
    expect(proteinLength('MKT*')).toBe(3)
  })
})
