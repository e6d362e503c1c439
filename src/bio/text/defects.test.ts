import { describe, expect, it } from 'vitest'
import { type DefectCode, DefectLog, defectCatalogue, defectText } from './defects.ts'

describe('the defect catalogue', () => {
  it('names the same parameters in English and in Chinese, so that neither reader misses a fact', () => {
    // `{reasonZh}` is the Chinese of `{reason}`.
    const parameters = (text: string) =>
      [...new Set(text.match(/\{\w+\}/g) ?? [])].map((name) => name.replace('Zh}', '}')).sort()
    for (const [code, kind] of Object.entries(defectCatalogue)) {
      expect(parameters(kind.zh), code).toEqual(parameters(kind.en))
    }
  })

  it('writes Chinese with Chinese characters and says in every repair what was done', () => {
    for (const [code, kind] of Object.entries(defectCatalogue)) {
      expect(kind.zh, code).toMatch(/\p{Script=Han}/u)
      expect(kind.en, code).not.toMatch(/\p{Script=Han}/u)
      if (kind.severity === 'repair') {
        expect(kind.en, code).toMatch(/\b(was|were) \w+|is sorted/)
        expect(kind.zh, code).toMatch(/已|改名|只使用|将对/)
      }
    }
  })
})

describe('defectText', () => {
  it('tells of a feature line with five columns in both languages', () => {
    const defect = {
      code: 'gff-column-count' as DefectCode,
      severity: 'error' as const,
      file: 'genes.gff3',
      line: 7,
      params: { found: 5 },
    }
    expect(defectText(defect, 'en')).toBe('The line has 5 columns; a feature has 9, separated by tabs.')
    expect(defectText(defect, 'zh')).toBe('该行有 5 列；每个特征应为 9 列，以制表符分隔。')
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
      'en',
    )
    expect(text.length).toBeLessThan(200)
  })
})

describe('DefectLog', () => {
  it('keeps the first few of a code and counts all, also of 100,000 wrong phases', () => {
    const log = new DefectLog(3)
    for (let line = 1; line <= 100_000; line++) log.report('model-phase-wrong', 'a.gff3', line)
    log.report('model-cds-orphan', 'a.gff3', 5, { gene: 'g1' })
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
    log.report('model-phase-wrong', 'a', 1)
    log.report('model-phase-wrong', 'a', 2)
    log.report('gff-column-count', 'a', 3, { found: 1 })
    log.report('model-gene-bare', 'a', 4)
    expect(log.totals()).toEqual([
      { code: 'gff-column-count', severity: 'error', count: 1 },
      { code: 'model-phase-wrong', severity: 'repair', count: 2 },
      { code: 'model-gene-bare', severity: 'warning', count: 1 },
    ])
    expect(log.hasErrors).toBe(true)
  })
})
