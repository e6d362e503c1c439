import { describe, expect, test } from 'vitest'
import { makeBases } from '../../testing/random.ts'
import type { Feature } from '../annotation/feature.ts'
import { Gff3Reader } from '../annotation/gff3.ts'
import { DefectLog } from '../text/defects.ts'
import {
  FamilyClasses,
  findTerminalRepeats,
  gatherTransposons,
  parseKimuraLine,
  parseRepeatMaskerLine,
  RepeatMaskerReader,
} from './transposons.ts'

const read = (text: string): Feature[] => {
  const features: Feature[] = []
  const reader = new Gff3Reader({
    file: 'te.gff3',
    log: new DefectLog(),
    onFeature: (feature) => features.push(feature),
  })
  for (const [index, line] of text.trim().replaceAll(/ {2,}/g, '\t').split('\n').entries())
    reader.addLine(line, index + 1)
  return features
}

describe('RepeatMasker output', () => {
  const out = `   SW   perc perc perc  query     position in query    matching  repeat       position in repeat
score   div. del. ins.  sequence  begin end   (left)   repeat    class/family begin  end    (left)  ID

 2345   10.0  0.6  1.7  chr1      1001  1337 (8663)  +  TY1-LTR   LTR/Copia        1  338    (0)   1
19000    2.0  0.0  0.0  chr1      1338  6000 (4000)  +  TY1-I     LTR/Copia        1 5249    (0)   1
  463    1.3  0.6  1.7  chr1      7001  7100 (2900)  +  (TAACCC)n Simple_repeat    1  471    (0)   2
 2345   20.0  0.6  1.7  chr1      7500  7600 (2400)  C  Tigger1   DNA/TcMar-Tigger (2) 471    5   3 *
`

  test('fragments with one number are one element; its distance is the mean by length after Jukes and Cantor', () => {
    const reader = new RepeatMaskerReader()
    for (const line of out.split('\n')) expect(reader.addLine(line)).toBe(true)
    const elements = reader.finish()
    expect(reader.otherRepeats).toBe(1)
    expect(elements).toHaveLength(2)
    expect(elements[0]).toMatchObject({ family: 'TY1', code: 'RLC', start1: 1001, end1: 6000, strand: '+' })
    expect(elements[0]!.parts.map(({ name, start1, end1 }) => [name, start1, end1])).toEqual([
      ['TY1-LTR', 1001, 1337],
      ['TY1-I', 1338, 6000],
    ])
    // -3/4 ln(1 - 4/3 p): 10.7326 of 337 bp, 2.0273 of 4663 bp.
    expect(elements[0]!.divergence).toBeCloseTo((10.7326 * 337 + 2.0273 * 4663) / 5000, 3)
    expect(elements[1]).toMatchObject({ family: 'Tigger1', code: 'DTT', strand: '-', parts: [] })
  })

  test('.align files give Kimura distances after each alignment', () => {
    const reader = new RepeatMaskerReader()
    const lines = [
      '1000 4.00 0.00 0.00 chr1 11 110 (890) C AluY#SINE/Alu (10) 301 202 m_b1s001i0 1',
      '',
      '  chr1   11 ACGT 14',
      'C AluY  301 ACGT 298',
      '',
      'Kimura (with divCpGMod) = 3.21',
      '',
      '900 8.00 0.00 0.00 chr1 211 310 (690) L1PA2#LINE/L1 1 100 (6000) m_b1s001i1 2',
      'Kimura (with divCpGMod) = 8.5',
    ]
    for (const line of lines) expect(reader.addLine(line)).toBe(true)
    expect(reader.finish().map((one) => [one.family, one.code, one.strand, one.divergence])).toEqual([
      ['AluY', 'RSL', '-', 3.21],
      ['L1PA2', 'RIL', '+', 8.5],
    ])
    expect(parseKimuraLine('Transitions / transversions = 1.00 (2/2)')).toBeNull()
  })

  test('lines that begin like a hit and break off are told', () => {
    expect(parseRepeatMaskerLine(' 463 1.3 0.6 1.7 chr1 10001 468 (24) + L1 LINE/L1 1 2 (3) 1')).toBe('bad')
    expect(parseRepeatMaskerLine(' 463 1.3 0.6 1.7 chr1 10001')).toBe('bad')
    expect(parseRepeatMaskerLine('score div. del.')).toBeNull()
  })
})

describe('GFF3', () => {
  test('LTRharvest and LTRdigest: one element with its LTRs, target sites and domains', () => {
    const { elements, otherFeatures } = gatherTransposons(
      read(`
chr1  LTRharvest  repeat_region  996  6930  .  +  .  ID=repeat_region1
chr1  LTRharvest  target_site_duplication  996  1000  .  +  .  Parent=repeat_region1
chr1  LTRharvest  LTR_retrotransposon  1001  6925  .  +  .  ID=LTR_retrotransposon1;Parent=repeat_region1;ltr_similarity=99.70;seq_number=0
chr1  LTRharvest  long_terminal_repeat  1001  1338  .  +  .  Parent=LTR_retrotransposon1
chr1  LTRdigest  protein_match  2000  2200  1e-20  +  .  Parent=LTR_retrotransposon1;name=rve;reading_frame=0
chr1  LTRdigest  protein_match  2500  2900  3e-40  +  .  Parent=LTR_retrotransposon1;name=RVT_2
chr1  LTRharvest  long_terminal_repeat  6588  6925  .  +  .  Parent=LTR_retrotransposon1
chr1  LTRharvest  target_site_duplication  6926  6930  .  +  .  Parent=repeat_region1
chr1  x  gene  10000  11000  .  +  .  ID=g1`),
    )
    expect(otherFeatures).toBe(1)
    expect(elements).toHaveLength(1)
    expect(elements[0]).toMatchObject({
      id: 'LTR_retrotransposon1',
      code: 'RLX',
      start1: 1001,
      end1: 6925,
      form: 'full',
      ltrIdentity: 99.7,
      family: null,
    })
    expect(elements[0]!.parts.map(({ type, name }) => name ?? type)).toEqual([
      'TSD',
      'LTR',
      'rve',
      'RVT_2',
      'LTR',
      'TSD',
    ])
  })

  test('EDTA: structural elements within repeat regions, homologous ones by themselves', () => {
    const { elements } = gatherTransposons(
      read(`
Chr1  EDTA  repeat_region  95  510  .  -  .  ID=repeat_region_1;Name=TE_00000001;Classification=LTR/Gypsy;ltr_identity=0.9876;Method=structural
Chr1  EDTA  target_site_duplication  95  99  .  -  .  ID=lTSD_1;Parent=repeat_region_1;Classification=LTR/Gypsy
Chr1  EDTA  long_terminal_repeat  100  150  .  -  .  ID=lLTR_1;Parent=repeat_region_1;Classification=LTR/Gypsy
Chr1  EDTA  Gypsy_LTR_retrotransposon  100  505  .  -  .  ID=LTRRT_1;Parent=repeat_region_1;Name=TE_00000001;Classification=LTR/Gypsy;ltr_identity=0.9876;Method=structural
Chr1  EDTA  long_terminal_repeat  455  505  .  -  .  ID=rLTR_1;Parent=repeat_region_1;Classification=LTR/Gypsy
Chr1  EDTA  hAT_TIR_transposon  900  1100  1234  +  .  ID=TE_homo_0;Name=TE_00000123;Classification=DNA/DTA;Identity=0.9;Method=homology
Chr1  EDTA  repeat_region  2000  2100  .  +  .  ID=s1;Name=(AT)n;Classification=Simple_repeat`),
    )
    expect(elements.map((one) => [one.id, one.family, one.code, one.form, one.parts.length])).toEqual([
      ['LTRRT_1', 'TE_00000001', 'RLG', 'full', 3],
      ['TE_homo_0', 'TE_00000123', 'DTA', 'element', 0],
    ])
    expect(elements[0]!.ltrIdentity).toBeCloseTo(98.76, 6)
    expect(elements[1]!.divergence).toBeCloseTo(10.7326, 3)
  })

  test('types that are names of families are told by a library, solo LTRs apart; genes and centromeres are none', () => {
    const families = new FamilyClasses()
    expect(families.addHeading('>TY1-I#LTR/Copia internal')).toBe(true)
    expect(families.addHeading('>TY3-LTR#LTR/Gypsy')).toBe(true)
    expect(families.addHeading('>plain')).toBe(false)
    const { elements, otherFeatures } = gatherTransposons(
      read(`
chrI  S288c  TY1/TY2_soloLTR  22668  22810  .  +  .  ID=TY1/TY2_soloLTR:chrI:22668-22810:+;Name=TY1/TY2_soloLTR:chrI:22668-22810:+
chrI  S288c  TY3  160681  166605  .  -  .  ID=TY3:chrI:160681-166605:-;Name=TY3:chrI:160681-166605:-
chrI  S288c  TY1_truncated  200000  201000  .  -  .  ID=x
chrI  S288c  centromere  151465  151582  .  +  .  ID=CEN1
chrI  S288c  gene  1  300  .  +  .  ID=g1`),
      families,
    )
    expect(otherFeatures).toBe(2)
    expect(elements.map((one) => [one.family, one.code, one.form])).toEqual([
      ['TY1/TY2', 'RLC', 'solo'],
      ['TY3', 'RLG', 'element'],
      ['TY1', 'RLC', 'fragment'],
    ])
  })
})

test('features that are the parents of each other end no load', () => {
  const features = read(`
chr1  x  repeat_region  101  900  .  +  .  ID=a;Parent=b;class=LTR/Copia
chr1  x  LTR_retrotransposon  101  900  .  +  .  ID=b;Parent=a`)
  expect(features).toHaveLength(2)
  expect(gatherTransposons(features).elements.map(({ start1, end1 }) => [start1, end1])).toEqual([[101, 900]])
})

describe('ends that are alike', () => {
  const ltr = makeBases(334, 5)

  test('two LTRs are found at their length, also when one base in ten differs', () => {
    expect(findTerminalRepeats(ltr + makeBases(5000, 9) + ltr)).toEqual({ leftBp: 334, rightBp: 334 })
    const old = [...ltr].map((base, at) => (at % 10 === 7 ? (base === 'A' ? 'G' : 'A') : base)).join('')
    expect(findTerminalRepeats(ltr + makeBases(5000, 9) + old)).toEqual({ leftBp: 334, rightBp: 334 })
  })

  test('an LTR with a deletion is found at both of its lengths', () => {
    const shorter = ltr.slice(0, 160) + ltr.slice(172)
    expect(findTerminalRepeats(ltr + makeBases(5000, 9) + shorter)).toEqual({ leftBp: 334, rightBp: 322 })
  })

  test('a sequence without repeats, a tandem of one motif and a short one have none', () => {
    expect(findTerminalRepeats(makeBases(6000, 3))).toBeNull()
    expect(findTerminalRepeats('AT'.repeat(3000))).toBeNull()
    expect(findTerminalRepeats('ACGT')).toBeNull()
  })
})
