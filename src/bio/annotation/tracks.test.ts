import { describe, expect, it } from 'vitest'
import { DefectLog } from '../text/defects.ts'
import { parseVcfMetaLine, readVcfHeader } from '../variation/vcf-header.ts'
import { bedBlocksFit } from './bed.ts'

describe('blocks of a BED line', () => {
  const line = (blocks: string): string[] => `chrI\t100\t200\ta\t0\t+\t100\t100\t0\t${blocks}`.split('\t')
  it('fit where the exons of a spliced transcript reach from its start to its end', () => {
    expect(bedBlocksFit(line('2\t10,30,\t0,70,'))).toBe(true)
    expect(bedBlocksFit(line('1\t100\t0'))).toBe(true)
    expect(bedBlocksFit('chrI\t100\t200\ta\t0\t+'.split('\t'))).toBe(true)
  })
  it.each([
    ['leave a gap at the end', '2\t10,20,\t0,70,'],
    ['begin late', '2\t10,30\t5,70'],
    ['overlap', '2\t80,30\t0,70'],
    ['are fewer than said', '3\t10,30\t0,70'],
    ['have a length that is none', '2\tx,30\t0,70'],
    ['are empty', '0\t\t'],
  ])('do not fit where they %s', (_, blocks) => {
    expect(bedBlocksFit(line(blocks))).toBe(false)
  })
})

describe('a structured header line of a VCF', () => {
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

describe('the header of a VCF', () => {
  const columns = '#CHROM\tPOS\tID\tREF\tALT\tQUAL\tFILTER\tINFO'
  const head = ['##fileformat=VCFv4.2', '##contig=<ID=chrI,length=1000>', '##contig=<ID=chrII>', columns]
  const read = (lines: string[]) => {
    const log = new DefectLog()
    const contigs = readVcfHeader(lines, 'x.vcf', log)
    return { contigs, defects: log.defects.map(({ code, line }) => `${code}@${line}`) }
  }
  it('gives the lengths of contigs that it names, with samples or without', () => {
    expect(read(head)).toEqual({ contigs: new Map([['chrI', 1000]]), defects: [] })
    expect(read([...head.slice(0, 3), `${columns}\tFORMAT\tS1\tS2`]).defects).toEqual([])
  })
  it.each([
    ['a missing fileformat line', head.slice(1), ['vcf-no-fileformat@1']],
    ['a version of the future', ['##fileformat=VCFv9.9', ...head.slice(1)], ['vcf-version@1']],
    ['a missing column line', head.slice(0, 1), ['vcf-no-column-line@null']],
    ['a misspelled column', [head[0]!, '#CHROM\tPOS\tID\tREFERENCE'], ['vcf-bad-column-line@2']],
    ['samples without FORMAT', [head[0]!, `${columns}\tS1`], ['vcf-bad-column-line@2']],
    ['a sample twice', [...head.slice(0, 3), `${columns}\tFORMAT\tS1\tS1`], ['vcf-duplicate-sample@4']],
  ])('reports %s', (_, lines, expected) => {
    expect(read(lines).defects).toEqual(expected)
  })
})
