import { describe, expect, test } from 'vitest'
import {
  classifyTransposon,
  isOtherRepeat,
  isTransposonType,
  transposonClass,
  transposonClasses,
  transposonName,
} from './transposon-classes.ts'

describe('the table of Wicker et al. 2007', () => {
  test('has 29 superfamilies in 9 orders, each under its own code', () => {
    const known = transposonClasses.filter((one) => one.superfamily !== null)
    expect(known).toHaveLength(29)
    expect(new Set(known.map((one) => one.order)).size).toBe(9)
    expect(new Set(transposonClasses.map((one) => one.code)).size).toBe(transposonClasses.length)
  })

  test('tells class I from class II by the first letter', () => {
    expect(transposonClass('RLG')).toMatchObject({ class: 1, order: 'LTR', superfamily: 'Gypsy', targetSite: '4–6' })
    expect(transposonClass('DTT')).toMatchObject({
      class: 2,
      order: 'TIR',
      superfamily: 'Tc1–Mariner',
      targetSite: 'TA',
    })
    expect(transposonClass('nonsense').code).toBe('XXX')
  })

  test('names every code in both languages', () => {
    for (const { code } of transposonClasses) {
      expect(transposonName(code, 'en'), code).not.toBe('')
      expect(transposonName(code, 'zh'), code).toMatch(/[一-鿿]|^(Crypton|Helitron|Maverick)/)
    }
    expect(transposonName('RLC', 'zh')).toBe('Copia 超家族')
    expect(transposonName('RLX', 'zh')).toBe('LTR 反转录转座子（超家族未定）')
  })

  test('gives back every code, and every RepeatMasker name that stands for one superfamily', () => {
    for (const one of transposonClasses) {
      expect(classifyTransposon(one.code)).toBe(one.code)
      if (one.superfamily !== null && one.code !== 'RLR') expect(classifyTransposon(one.repeatMasker)).toBe(one.code)
    }
  })
})

test.each([
  ['LTR/Gypsy', 'RLG'],
  ['LTR/Gypsy?', 'RLG'],
  ['LTR/ERVK', 'RLE'],
  ['LTR/ERVL-MaLR', 'RLE'],
  ['LTR', 'RLX'],
  ['LTR/unknown', 'RLX'],
  ['LINE/L1', 'RIL'],
  ['LINE/L2', 'RIJ'],
  ['LINE/CR1', 'RIJ'],
  ['LINE/RTE-BovB', 'RIT'],
  ['LINE/R1', 'RII'],
  ['SINE/MIR', 'RST'],
  ['SINE/Alu', 'RSL'],
  ['Retroposon/SVA', 'RXX'],
  ['DNA/hAT-Ac', 'DTA'],
  ['DNA/TcMar-Tigger', 'DTT'],
  ['DNA/CMC-EnSpm', 'DTC'],
  ['DNA/P', 'DTP'],
  ['DNA', 'DTX'],
  ['RC/Helitron', 'DHH'],
  ['MITE/DTM', 'DTM'],
  ['DNAauto/CACTA', 'DTC'],
  ['Copia_LTR_retrotransposon', 'RLC'],
  ['RTE_LINE_retrotransposon', 'RIT'],
  ['Tc1_Mariner_TIR_transposon', 'DTT'],
  ['non_LTR_retrotransposon', 'RIX'],
  ['solo_LTR', 'RLX'],
  ['polinton', 'DMM'],
  ['transposable_element', 'XXX'],
  ['Unknown', 'XXX'],
  ['', 'XXX'],
])('%s is read as %s', (given, code) => {
  expect(classifyTransposon(given)).toBe(code)
})

test('microsatellites and RNA genes of RepeatMasker are no transposons', () => {
  for (const word of ['Simple_repeat', 'Low_complexity', 'Satellite/centr', 'tRNA', 'rRNA'])
    expect(isOtherRepeat(word)).toBe(true)
  for (const word of ['SINE/tRNA', 'LTR/Copia', 'Unknown']) expect(isOtherRepeat(word)).toBe(false)
  // Of EDTA.
  for (const word of [
    'knob/knob180',
    'Cent/CentC',
    'CentC',
    'subtelomere/4-12-1',
    'rDNA/45S',
    'chloroplast/chloroplast',
  ])
    expect(isOtherRepeat(word)).toBe(true)
  expect(classifyTransposon('LTR/CRM')).toBe('RLG')
})

test('types of the Sequence Ontology: elements, not their parts nor their genes', () => {
  for (const type of [
    'LTR_retrotransposon',
    'Gypsy_LTR_retrotransposon',
    'helitron',
    'transposable_element',
    'solo_LTR',
    'MITE',
    'LINE_element',
  ])
    expect(isTransposonType(type), type).toBe(true)
  for (const type of ['transposable_element_gene', 'long_terminal_repeat', 'gene', 'mRNA', 'X_element', 'centromere'])
    expect(isTransposonType(type), type).toBe(false)
})
