import { describe, expect, test } from 'vitest'
import { DefectLog } from '../text/defects.ts'
import { guessStatistic, type WindowTableOptions, WindowTableReader } from './sweep-tables.ts'

const read = (lines: string[], options: Partial<WindowTableOptions> = {}) => {
  const log = new DefectLog()
  const reader = new WindowTableReader({ file: 'windows.tsv', log, maxRows: 1000, ...options })
  for (const [at, line] of lines.entries()) reader.addLine(line, at + 1)
  const table = reader.finish()
  return { table, codes: log.defects.map(({ code, line }) => [code, line]) }
}
const places = ({ table }: ReturnType<typeof read>): [string, number, number][] =>
  [...table!.start1].map((start, at) => [table!.sequences[table!.sequence[at]!]!, start, table!.end1[at]!])

describe('tables of windows', () => {
  test('are those of vcftools: Fst from 1 with both columns, Tajima’s D from 0 without ends', () => {
    const fst = read([
      'CHROM\tBIN_START\tBIN_END\tN_VARIANTS\tWEIGHTED_FST\tMEAN_FST',
      'chrI\t1\t20000\t174\t0.0951165\t0.0852926',
      'chrI\t10001\t30000\t170\t-nan\t0.1',
    ])
    expect(places(fst)).toEqual([
      ['chrI', 1, 20000],
      ['chrI', 10001, 30000],
    ])
    expect([...fst.table!.sites!]).toEqual([174, 170])
    expect(fst.table!.series.map(({ column, statistic }) => [column, statistic])).toEqual([
      ['WEIGHTED_FST', 'fst'],
      ['MEAN_FST', 'fst'],
    ])
    expect([...fst.table!.series[0]!.values]).toEqual([0.0951165, Number.NaN])
    const d = read([
      'CHROM\tBIN_START\tN_SNPS\tTajimaD',
      'chrI\t0\t12\t-1.5',
      'chrI\t10000\t9\t0.3',
      'chrII\t0\t3\tnan',
    ])
    expect(places(d)).toEqual([
      ['chrI', 1, 10000],
      ['chrI', 10001, 20000],
      ['chrII', 1, 10000],
    ])
    expect(d.table!.series[0]).toMatchObject({ column: 'TajimaD', statistic: 'tajimaD' })
  })

  test('are those of pixy, each pair of populations a series over the same windows', () => {
    const { table } = read([
      'pop1\tpop2\tchromosome\twindow_pos_1\twindow_pos_2\tavg_wc_fst\tno_snps',
      'A\tB\tI\t1\t1000\t0.2\t5',
      'A\tC\tI\t1\t1000\t0.4\t6',
      'A\tB\tI\t1001\t2000\t0.3\t7',
      'A\tC\tI\t1001\t2000\tNA\t0',
    ])
    expect(table!.start1).toHaveLength(2)
    expect(table!.series.map(({ populations, values }) => [populations, [...values]])).toEqual([
      [
        ['A', 'B'],
        [0.2, 0.3],
      ],
      [
        ['A', 'C'],
        [0.4, Number.NaN],
      ],
    ])
  })

  test('are those of XP-CLR, with and without a heading', () => {
    const python = read([
      'id\tchrom\tstart\tstop\tpos_start\tpos_stop\tmodelL\tnullL\tsel_coef\tnSNPs\tnSNPs_avail\txpclr\txpclr_norm',
      'I_1\tI\t1\t20000\t100\t19000\t-5\t-7\t0.01\t200\t210\t4.5\t2.1',
    ])
    expect(places(python)).toEqual([['I', 1, 20000]])
    expect(python.table!.series.map(({ column, statistic }) => [column, statistic])).toEqual([
      ['xpclr', 'xpclr'],
      ['xpclr_norm', 'xpclr'],
    ])
    const chen = read(['1 0 35 2000.0 0.002 12.75 0.001', '1 1 33 4000.0 0.004 3.5 0.0'], { populations: ['A', 'B'] })
    expect(places(chen)).toEqual([
      ['1', 2000, 2000],
      ['1', 4000, 4000],
    ])
    expect(chen.table!.series.find(({ statistic }) => statistic === 'xpclr')).toMatchObject({ populations: ['A', 'B'] })
    expect([...chen.table!.series[0]!.values]).toEqual([12.75, 3.5])
  })

  test('are BED, with starts from 0, and columns that the lab names', () => {
    const bed = read(['chr1\t0\t100\t0.5', 'chr1\t100\t200\t0.25'], { file: 'w.bed.gz' })
    expect(places(bed)).toEqual([
      ['chr1', 1, 100],
      ['chr1', 101, 200],
    ])
    expect(bed.table!.series[0]).toMatchObject({ column: 'value1', statistic: 'other' })
    const named = read(['chr start end iHS n', 'chr1 1 100 2.5 7'], {
      columns: [{ column: 'ihs', statistic: 'other', populations: ['wild'] }],
    })
    expect(named.table!.series).toMatchObject([{ column: 'iHS', statistic: 'other', populations: ['wild'] }])
  })

  test('tell what is wrong with them by line', () => {
    expect(read(['a\tb\tc', '1\t2\t3']).codes).toEqual([['windows-no-place', 1]])
    expect(read(['chrom\tstart\tend', 'I\t1\t2']).codes).toEqual([['windows-no-values', 1]])
    expect(read([]).codes).toEqual([['windows-none', null]])
    const some = read(['chrom\tstart\tend\tpi', 'I\t1\t10\t0.1', 'I\t11', 'I\t30\t20\t0.2', 'I\tx\t20\t0.2'])
    expect(some.codes).toEqual([
      ['windows-columns', 3],
      ['windows-place', 4],
      ['windows-place', 5],
    ])
    expect(some.table!.start1).toHaveLength(1)
    expect(read(['chrom\tstart\tend\tpi', 'I\t1\t2\t0', 'I\t2\t3\t0'], { maxRows: 1 }).codes).toEqual([
      ['windows-too-many', 3],
    ])
    const missing = read(['chrom\tstart\tend\tpi', 'I\t1\t2\t0'], { columns: [{ column: 'fst' }] })
    expect(missing.codes[0]).toEqual(['windows-no-column', 1])
    const words = read(['chrom\tstart\tend\tremark', 'I\t1\t100\tcentromere', 'I\t101\t200\tarm'])
    expect([words.table, words.codes]).toEqual([null, [['windows-no-numbers', 1]]])
  })

  test('with values that are no numbers are refused, with decimal commas at the first', () => {
    const rows = (value: (at: number) => string): string[] =>
      Array.from({ length: 40 }, (_, at) => `I\t${1 + 100 * at}\t${100 + 100 * at}\t${value(at)}`)
    const headed = (value: (at: number) => string) => read(['chrom\tstart\tend\tFst', ...rows(value)])
    const comma = (at: number): string => (at < 5 ? '0.25' : '0,12')
    expect([headed(comma).table, headed(comma).codes]).toEqual([null, [['phenotype-decimal-comma', 7]]])
    for (const headless of [rows(() => '0,12'), rows(() => '0,12').map((row) => row.replace(/\t\d+\t/, '\t'))])
      expect(read(headless).codes).toEqual([['phenotype-decimal-comma', 1]])
    const some = (bad: number) => headed((at) => (at >= 40 - bad ? 'low' : `0.${at}`))
    expect(some(6).table).toBeNull()
    expect(some(6).codes).toEqual([
      ['cell-no-number', 36],
      ['rows-unusable', 36],
    ])
    expect(some(3).table!.start1).toHaveLength(40)
    expect(some(3).codes).toEqual([['cell-no-number', 39]])
    const absent = ['NA', 'nan', '-nan', 'inf', '-inf', '', '.']
    expect(headed((at) => (at < 20 ? '0.5' : absent[at % absent.length]!)).codes).toEqual([])
    // A column of words beside values that no heading tells.
    const words = read(['chrom\tstart\tend\tscore\tnote', ...rows((at) => `0.${at}\t${at === 7 ? '5' : 'arm'}`)])
    expect(words.codes).toEqual([])
  })

  test('have their statistics told from the usual names', () => {
    const names = [
      'weir_fst',
      'avg_hudson_fst',
      'PI',
      'pi_wild',
      'log2_pi_ratio',
      'ROD',
      'avg_dxy',
      'XPCLR',
      'iHS',
      'spike',
    ]
    expect(names.map(guessStatistic)).toEqual([
      ...['fst', 'hudson', 'pi', 'pi', 'piRatio', 'piRatio', 'dxy', 'xpclr'],
      ...[null, null],
    ])
  })
})
