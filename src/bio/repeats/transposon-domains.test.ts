import { describe, expect, test } from 'vitest'
import { classifyByDomains, describeProfile } from './transposon-domains.ts'

const domain = (name: string, start1: number, strand = '+') => ({ name, start1, end1: start1 + 200, strand })

describe('the superfamily by domains', () => {
  test('Copia has its integrase before the reverse transcriptase, Gypsy behind it; on the reverse strand the other way round', () => {
    expect(classifyByDomains([domain('rve', 2000), domain('RVT_1', 2500)])).toBe('RLC')
    expect(classifyByDomains([domain('RVT_1', 2000), domain('rve', 2500)])).toBe('RLG')
    expect(classifyByDomains([domain('rve', 2000, '-'), domain('RVT_1', 2500, '-')])).toBe('RLG')
  })

  test('profiles of one superfamily decide over the order', () => {
    expect(classifyByDomains([domain('RVT_2', 2000)])).toBe('RLC')
    expect(classifyByDomains([domain('RVT_1', 2000), domain('Chromo', 4000)])).toBe('RLG')
    expect(classifyByDomains([domain('PF13359.9', 100)])).toBe('DTH')
  })

  test('a reverse transcriptase alone, or a kinase, tells nothing', () => {
    expect(classifyByDomains([domain('RVT_1', 2000)])).toBeNull()
    expect(classifyByDomains([domain('Pkinase', 2000)])).toBeNull()
    expect(classifyByDomains([])).toBeNull()
  })

  test('names of GyDB and REXdb are understood', () => {
    expect(describeProfile('RT_athila')).toEqual({ kind: 'RT', code: null })
    expect(describeProfile('Class_I/LTR/Ty1_copia/Ale:Ty1-INT')).toEqual({ kind: 'INT', code: 'RLC' })
    expect(describeProfile('RRM_1')).toBeNull()
  })
})
