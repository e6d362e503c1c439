import { describe, expect, it } from 'vitest'
import { type DefectCatalogue, DefectLog, defectText } from './defects.ts'

const kinds = {
  'gff-column-count': {
    severity: 'error',
    en: 'The line has {found} columns; a feature has 9, separated by tabs.',
    zh: '该行有 {found} 列；每个特征应为 9 列，以制表符分隔。',
  },
  'gff-bad-strand': {
    severity: 'repair',
    en: 'The strand {value} was read as {used}.',
    zh: '链 {value} 已按 {used} 读取。',
  },
  'model-phase-wrong': { severity: 'repair', en: 'The phase was computed anew.', zh: '相位已重新计算。' },
  'model-cds-orphan': { severity: 'warning', en: 'A CDS has no gene.', zh: '有 CDS 不属于任何基因。' },
  'model-gene-bare': { severity: 'warning', en: 'The gene has no transcript.', zh: '基因没有转录本。' },
} as const satisfies DefectCatalogue

describe('defectText', () => {
  it('tells of a feature line with five columns in both languages', () => {
    const defect = {
      code: 'gff-column-count',
      severity: 'error' as const,
      file: 'genes.gff3',
      line: 7,
      params: { found: 5 },
    }
    expect(defectText(defect, kinds, 'en')).toBe('The line has 5 columns; a feature has 9, separated by tabs.')
    expect(defectText(defect, kinds, 'zh')).toBe('该行有 5 列；每个特征应为 9 列，以制表符分隔。')
  })

  it('shortens a value that is a whole line of rubbish', () => {
    const text = defectText(
      {
        code: 'gff-bad-strand',
        severity: 'repair',
        file: 'x',
        line: 1,
        params: { value: 'A'.repeat(5000), used: '.' },
      },
      kinds,
      'en',
    )
    expect(text.length).toBeLessThan(200)
  })

  it('has no text for a code of another catalogue, which the compiler refuses to report', () => {
    const stranger = { code: 'te-outside', severity: 'warning', file: 'x', line: 1, params: {} } as const
    expect(() => defectText(stranger, kinds, 'en')).toThrow(RangeError)
    // @ts-expect-error: not a code of this catalogue
    expect(() => new DefectLog().report(kinds, 'te-outside', 'x', 1)).toThrow(TypeError)
  })
})

describe('DefectLog', () => {
  it('keeps the first few of a code and counts all, also of 100,000 wrong phases', () => {
    const log = new DefectLog(3)
    for (let line = 1; line <= 100_000; line++) log.report(kinds, 'model-phase-wrong', 'a.gff3', line)
    log.report(kinds, 'model-cds-orphan', 'a.gff3', 5, { gene: 'g1' })
    expect(log.defects.map((defect) => [defect.code, defect.line])).toEqual([
      ['model-phase-wrong', 1],
      ['model-phase-wrong', 2],
      ['model-phase-wrong', 3],
      ['model-cds-orphan', 5],
    ])
    expect(log.count('model-phase-wrong')).toBe(100_000)
    expect(log.hasErrors).toBe(false)
  })

  it('puts errors first in its totals and then refuses the load', () => {
    const log = new DefectLog()
    log.report(kinds, 'model-phase-wrong', 'a', 1)
    log.report(kinds, 'model-phase-wrong', 'a', 2)
    log.report(kinds, 'gff-column-count', 'a', 3, { found: 1 })
    log.report(kinds, 'model-gene-bare', 'a', 4)
    expect(log.totals()).toEqual([
      { code: 'gff-column-count', severity: 'error', count: 1 },
      { code: 'model-phase-wrong', severity: 'repair', count: 2 },
      { code: 'model-gene-bare', severity: 'warning', count: 1 },
    ])
    expect(log.hasErrors).toBe(true)
  })
})
