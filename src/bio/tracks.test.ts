import { existsSync, readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { BedChecker } from './bed.ts'
import { DefectLog } from './defects.ts'
import { parseVcfMetaLine, VcfChecker } from './vcf-header.ts'

const genome = new Map([
  ['chrI', 1000],
  ['chrII', 500],
])
function checkBed(lines: string[], sequences: Map<string, number> | undefined = genome) {
  const log = new DefectLog()
  const checker = new BedChecker({ file: 'x.bed', log, sequences })
  for (const [index, line] of lines.entries()) checker.addLine(line, index + 1)
  return { summary: checker.end(), defects: log.defects.map(({ code, line }) => `${code}@${line}`) }
}
function checkVcf(lines: string[], sequences: Map<string, number> | undefined = genome) {
  const log = new DefectLog()
  const checker = new VcfChecker({ file: 'x.vcf', log, sequences })
  for (const [index, line] of lines.entries()) checker.addLine(line, index + 1)
  return { summary: checker.end(), defects: log.defects.map(({ code, line }) => `${code}@${line}`) }
}

describe('BedChecker', () => {
  it('accepts a sorted BED6 under a track line, up to the last base', () => {
    const { summary, defects } = checkBed([
      'track name=x',
      '#c',
      'chrI\t0\t10\ta\t0\t+',
      'chrI\t5\t1000\tb\t0\t.',
      'chrII\t0\t500\tc\t0\t-',
    ])
    expect(defects).toEqual([])
    expect(summary).toMatchObject({ featureCount: 3, columnCount: 6, sorted: true, sequenceNames: ['chrI', 'chrII'] })
  })
  it.each([
    ['a coordinate that is none', ['chrI\tx\t10'], ['track-bad-coordinate@1']],
    ['a negative start', ['chrI\t-1\t10'], ['track-bad-coordinate@1']],
    ['a start after the end', ['chrI\t11\t10'], ['track-start-after-end@1']],
    ['too few columns', ['chrI\t11'], ['track-column-count@1']],
    ['columns that vary', ['chrI\t1\t2', 'chrI\t1\t2\ta'], ['track-column-count-varies@2']],
    ['blanks for tabs', ['chrI 1 2'], ['track-spaces-for-tabs@1']],
    ['a strand that is none', ['chrI\t1\t2\ta\t0\tplus'], ['track-bad-field@1']],
    ['a feature beyond the end', ['chrII\t1\t501'], ['track-beyond-sequence@1']],
    ['an unsorted line', ['chrI\t5\t9', 'chrI\t4\t9'], ['track-not-sorted@2']],
    ['a sequence in two stretches', ['chrI\t5\t9', 'chrII\t1\t2', 'chrI\t50\t90'], ['track-not-sorted@3']],
    ['another name of a chromosome', ['chrI\t1\t2', '2\t1\t2'], ['track-sequence-renamed@2']],
    ['an unknown scaffold', ['chrI\t1\t2', 'ctg9\t1\t2'], ['track-sequence-unknown@2']],
    ['another genome', ['lambda\t1\t2'], ['track-sequences-all-unknown@null']],
    ['nothing', ['# empty'], ['track-no-rows@null']],
    ['blocks that leave a gap at the end', ['chrI\t0\t100\ta\t0\t+\t0\t0\t0\t2\t10,20,\t0,70,'], ['track-bad-field@1']],
  ])('reports %s', (_, lines, expected) => {
    expect(checkBed(lines).defects).toEqual(expected)
  })
  it('accepts the blocks of a spliced transcript', () => {
    expect(checkBed(['chrI\t0\t100\ta\t0\t+\t0\t0\t0\t2\t10,30,\t0,70,']).defects).toEqual([])
  })
})

describe('parseVcfMetaLine', () => {
  it('reads quotes, escapes, commas and lists', () => {
    expect(parseVcfMetaLine('##INFO=<ID=DP,Number=1,Type=Integer,Description="a, \\"b\\" \\\\ c">')).toEqual({
      key: 'INFO',
      fields: { ID: 'DP', Number: '1', Type: 'Integer', Description: 'a, "b" \\ c' },
    })
    expect(parseVcfMetaLine('##META=<ID=T,Values=[a, b],Number=.>')!.fields.Values).toBe('[a, b]')
    expect(parseVcfMetaLine('##fileDate=20200101')).toBeNull()
    expect(parseVcfMetaLine('##INFO=<ID=DP,Description="open>')).toBeNull()
  })
})

describe('VcfChecker', () => {
  const head = [
    '##fileformat=VCFv4.2',
    '##contig=<ID=chrI,length=1000>',
    '##INFO=<ID=DP,Number=1,Type=Integer,Description="Depth">',
    '##FILTER=<ID=q10,Description="low">',
    '#CHROM\tPOS\tID\tREF\tALT\tQUAL\tFILTER\tINFO\tFORMAT\tS1\tS2',
  ]
  const row = (chrom: string, position: string, reference = 'A', alternative = 'T', quality = '.') =>
    `${chrom}\t${position}\t.\t${reference}\t${alternative}\t${quality}\tPASS\t.\tGT\t0/1\t1/1`

  it('gives header, samples and counts, and accepts every kind of allele', () => {
    const { summary, defects } = checkVcf([
      ...head,
      row('chrI', '10'),
      row('chrI', '20', 'ACG', 'A,<DEL>,*', '12.5'),
      row('chrI', '30', 'G', 'G]chrII:100]', '1e3'),
      row('chrI', '1000', 'G', '.'),
    ])
    expect(defects).toEqual([])
    expect(summary).toMatchObject({ featureCount: 4, sorted: true })
    expect(summary.header.samples).toEqual(['S1', 'S2'])
    expect(summary.header.version).toBe('4.2')
    expect(summary.header.info.get('DP')!.description).toBe('Depth')
    expect(summary.header.filters.get('q10')).toBe('low')
  })
  it.each([
    ['a missing fileformat line', [...head.slice(1), row('chrI', '1')], ['vcf-no-fileformat@1']],
    ['a version of the future', ['##fileformat=VCFv9.9', ...head.slice(1), row('chrI', '1')], ['vcf-version@1']],
    ['a missing column line', [head[0]!, row('chrI', '1')], ['vcf-no-column-line@2']],
    ['a header alone', [head[0]!], ['vcf-no-column-line@null']],
    ['a misspelled column', [head[0]!, '#CHROM\tPOS\tID\tREFERENCE'], ['vcf-bad-column-line@2']],
    ['a sample twice', [...head.slice(0, 4), `${head[4]}\tS1`, `${row('chrI', '1')}\t0/0`], ['vcf-duplicate-sample@5']],
    ['a bad position', [...head, row('chrI', '1.5')], ['track-bad-coordinate@6']],
    ['a bad reference allele', [...head, row('chrI', '1', 'A-')], ['track-bad-field@6']],
    ['a bad quality', [...head, row('chrI', '1', 'A', 'T', 'high')], ['track-bad-field@6']],
    ['a line without its samples', [...head, 'chrI\t1\t.\tA\tT\t.\t.\t.'], ['track-column-count-varies@6']],
    ['an unsorted line', [...head, row('chrI', '9'), row('chrI', '8')], ['track-not-sorted@7']],
    ['a variant beyond the end', [...head, row('chrII', '499', 'ACG')], ['track-beyond-sequence@6']],
    [
      'contigs of another assembly',
      [head[0]!, '##contig=<ID=chrI,length=999>', head[4]!, row('chrI', '1')],
      ['vcf-contig-length@2'],
    ],
    [
      'a broken header line',
      [head[0]!, '##INFO=<ID=DP,Description="x>', head[4]!, row('chrI', '1')],
      ['vcf-bad-meta-line@2'],
    ],
  ])('reports %s', (_, lines, expected) => {
    expect(checkVcf(lines).defects).toEqual(expected)
  })
})

describe.skipIf(!existsSync('../shared/data'))('on real variants', () => {
  const lines = (path: string) =>
    gunzipSync(readFileSync(`../shared/data/${path}`))
      .toString('utf8')
      .split('\n')
  const lengths = new Map(
    existsSync('../shared/data')
      ? lines('yeast/derived/R64.gff3.gz')
          .filter((line) => line.startsWith('##sequence-region'))
          .map((line) => [line.split(' ')[1]!, Number(line.split(' ')[3])] as const)
      : [],
  )
  it('accepts the 168,833 sites of six yeast strains', () => {
    const { summary, defects } = checkVcf(lines('yeast/variation/strains5_plus_paradoxus.R64.vcf.gz'), lengths)
    expect(defects).toEqual([])
    expect(summary).toMatchObject({ featureCount: 168_833, sorted: true })
    expect(summary.header.samples).toHaveLength(6)
  })
  it('sees that the contig of the volvox VCF is not that of its FASTA', () => {
    const { defects } = checkVcf(lines('formats/bam_bigwig_vcf/volvox.test.vcf.gz'), new Map([['ctgA', 50_001]]))
    expect(defects).toContain('track-sequences-all-unknown@null')
  })
})
