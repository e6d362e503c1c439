import { describe, expect, it, test } from 'vitest'
import { closeUp } from '../../contracts/text.ts'
import { formatFor, isRightToLeft, locales, readLocale, translator } from './language.tsx'
import { messages } from './messages.ts'

describe('the stored locale', () => {
  it('falls back to en-US when it is unknown, malformed or has no table', () => {
    expect(['zh-CN', 'en-US', 'zh', 'fr-FR', 'ZH-cn', '', null].map(readLocale)).toEqual([
      'zh-CN',
      'en-US',
      'en-US',
      'en-US',
      'en-US',
      'en-US',
      'en-US',
    ])
  })

  it('runs from right to left for Hebrew, Arabic, Persian and Kurdish only', () => {
    expect(['he-IL', 'ar-EG', 'fa-IR', 'ku-IQ', 'zh-CN', 'en-US'].map(isRightToLeft)).toEqual([
      true,
      true,
      true,
      true,
      false,
      false,
    ])
  })
})

test('ticks of axes have the minus sign of print, numbers that are copied have not', () => {
  const format = formatFor('en-US')
  expect([format.tick(-1200), format.tick(-0.5, 2, true), format.tick(3)]).toEqual(['−1,200', '−0.50', '3'])
  expect(format.number(-1200)).toBe('-1,200')
})

describe('places', () => {
  const { region, locus, places } = formatFor('en-US')

  it('have grouped numbers, and one base is one number', () => {
    expect(region('chr1', 1000, 2000, '-')).toBe('chr1:1,000..2,000 (−)')
    expect(region('chr1', 761155, 761155)).toBe('chr1:761,155')
    expect(locus({ sequence: 'chr1', start: 761155, end: 761155 })).toBe('chr1:761,155')
  })

  it('as files write them are read as those of the portal', () => {
    expect(places('NC_000962.3:2969989..2980970(-)')).toBe('NC_000962.3:2,969,989..2,980,970 (−)')
    expect(places('chr1:761155..761155 chr2:5-1200(+)')).toBe('chr1:761,155 chr2:5..1,200 (+)')
    expect(places('chr1:761155, chr2:4411532')).toBe('chr1:761,155, chr2:4,411,532')
    expect(places('chr1:10000^10001')).toBe('chr1:10,000^10,001')
    expect(places('chr1:4411500..4411532,1..1524')).toBe('chr1:4,411,500..4,411,532, 1..1,524')
    expect(places('1200..1300')).toBe('1,200..1,300')
  })

  it('leave names that are no places as they are', () => {
    for (const name of ['rs1234567', 'NC_000962.3', 'HLA-A*01:01', 'chr1:761155:A:G', 'rpoB'])
      expect(places(name)).toBe(name)
  })
})

test('a Chinese list has a blank between its conjunction and a Latin name only', () => {
  const { list } = formatFor('zh-CN')
  expect([
    list(['katG', 'rpoB', 'inhA']),
    list(['H37Rv', '牛分枝杆菌']),
    list(['水稻', '小麦']),
    list(['katG']),
  ]).toEqual(['katG、rpoB 和 inhA', 'H37Rv 和牛分枝杆菌', '水稻和小麦', 'katG'])
  expect(formatFor('en-US').list(['a', 'b', 'c'])).toBe('a, b, and c')
})

describe('texts', () => {
  it('count in both languages', () => {
    expect(translator(messages, 'en-US')('table.rows', { count: 1 })).toBe('1 row')
    expect(translator(messages, 'en-US')('table.rows', { count: 1234 })).toBe('1,234 rows')
    expect(translator(messages, 'zh-CN')('table.rows', { count: 1234 })).toBe('1,234 行')
  })

  it('all parse and take their parameters, in both languages', () => {
    for (const locale of ['en-US', 'zh-CN'] as const) {
      const t = translator(messages, locale)
      for (const [key, text] of Object.entries(messages[locales[locale]])) {
        const parameters = Object.fromEntries([...text.matchAll(/\{(\w+)/g)].map((match) => [match[1], 2]))
        expect(t(key as 'close', parameters), key).not.toMatch(/^[a-z]+\.\w+$|[{}]/)
      }
    }
  })
})

describe('Chinese texts', () => {
  it('have no blank beside full-width punctuation, also where a name put in brings it', () => {
    const messages = { en: { head: '{name} of {place}' }, zh: { head: '{name} 的 {place}。 共 3 个' } }
    const names = { name: '培养条件（模拟）', place: '36 samples' }
    expect(translator(messages, 'zh-CN')('head', names)).toBe('培养条件（模拟）的 36 samples。共 3 个')
    expect(translator(messages, 'en-US')('head', { name: 'A, b', place: '（c） d' })).toBe('A, b of （c） d')
    expect(closeUp('GWAS 和 QTL')).toBe('GWAS 和 QTL')
    expect(closeUp('STRING 12 物理互作 中的 17 个基因')).toBe('STRING 12 物理互作中的 17 个基因')
  })

  it('separate names as Chinese does', () => {
    expect(formatFor('zh-CN').names(['rpsQ', 'mbtG'])).toBe('rpsQ、mbtG')
    expect(formatFor('en-US').names(['rpsQ', 'mbtG'])).toBe('rpsQ, mbtG')
  })
})

describe('numbers of biology', () => {
  const format = formatFor('en-US')
  it('never round a p-value to nothing', () => {
    expect([3.2e-120, 0.00041, 0.0341, 0, 12.345].map(format.statistic)).toEqual([
      '3.2e-120',
      '4.1e-4',
      '0.0341',
      '0',
      '12.35',
    ])
  })

  it('give lengths in the unit that fits', () => {
    expect([950, 12_400, 4_411_532, 3_100_000_000].map(format.basePairs)).toEqual([
      '950 bp',
      '12.4 kb',
      '4.41 Mb',
      '3.1 Gb',
    ])
  })

  it('write a region from its first to its last base', () => {
    expect(format.region('chrI', 1000, 2000, '-')).toBe('chrI:1,000..2,000 (−)')
  })
})
