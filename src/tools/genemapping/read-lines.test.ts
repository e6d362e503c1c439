import { describe, expect, test } from 'vitest'
import { readFeatureLines, readLinkLines } from './read-lines.ts'

const lociOf = (text: string) =>
  readFeatureLines(text).features.map(({ locus, name, strand, group }) => [
    'gene' in locus ? locus.gene : `${locus.sequence}:${locus.start1}-${locus.end1}`,
    name,
    strand,
    group,
  ])

describe('lists of features', () => {
  test('BED counts from 0, GFF3 and tables from 1', () => {
    expect(lociOf('track name=x\nchrI\t99\t200\tARS1\t0\t-\n')).toEqual([['chrI:100-200', 'ARS1', '-', '']])
    expect(lociOf('##gff-version 3\nchrI\tSGD\tLTR\t100\t200\t.\t+\t.\tID=l1;Name=delta%201\n')).toEqual([
      ['chrI:100-200', 'delta 1', '+', 'LTR'],
    ])
    expect(lociOf('marker,chromosome,position,type\nm1,chrII,"1,500",QTL\n')).toEqual([
      ['chrII:1500-1500', 'm1', '.', 'QTL'],
    ])
    expect(lociOf('\uFEFFgene\tgroup\r\nGAL1\tsugar\r\nCDC28\t\r\n')).toEqual([
      ['GAL1', null, '.', 'sugar'],
      ['CDC28', null, '.', ''],
    ])
  })

  test('without a heading a line is told by what stands in it', () => {
    expect(lociOf('GAL1 sugar\nchrI:1,000-2,000 site A\nq1 chrIV 500 900 - peak\nsnp1 chrIV 77 gwas')).toEqual([
      ['GAL1', null, '.', 'sugar'],
      ['chrI:1000-2000', 'site', '.', 'A'],
      ['chrIV:500-900', 'q1', '-', 'peak'],
      ['chrIV:77-77', 'snp1', '.', 'gwas'],
    ])
  })

  test('lines that cannot be read are told with their number, the others are read', () => {
    const { features, problems } = readFeatureLines(
      'name\tchr\tstart\tend\na\tchrI\tx\t5\nb\tchrI\t12,34\t1500\nc\tchrI\t5\t9\n',
    )
    expect(features.map(({ name }) => name)).toEqual(['c'])
    expect(problems.map(({ line, id }) => [line, id])).toEqual([
      [2, 'unreadable'],
      [3, 'unreadable'],
    ])
    expect(readFeatureLines('').features).toEqual([])
    expect(readFeatureLines('# only a comment\n\n').features).toEqual([])
  })
})

test('a start above its end is the reverse strand, in every form of a line', () => {
  const { features, problems } = readFeatureLines(
    'chrV:900..700 a\nq chrV 900 700\nchrV\t900\t699\tbed\nq chrV 900 700 +\nchrV\t9\t9\tempty\n',
  )
  expect(features.map(({ locus, strand }) => [locus, strand])).toEqual(
    Array.from({ length: 3 }, () => [{ sequence: 'chrV', start1: 700, end1: 900 }, '-']),
  )
  expect(problems.map(({ line, id }) => [line, id])).toEqual([
    [4, 'backwards'],
    [5, 'backwards'],
  ])
})

test('pairs are genes, regions, or the six columns of Circos', () => {
  const { links, problems } = readLinkLines('GAL1 GAL10 pair\nchrI:1-50 SUC2\nchrI\t1\t9\tchrII\t2\t8\tblock\nalone\n')
  expect(links.map(({ from, to, group }) => [from, to, group])).toEqual([
    [{ gene: 'GAL1' }, { gene: 'GAL10' }, 'pair'],
    [{ sequence: 'chrI', start1: 1, end1: 50 }, { gene: 'SUC2' }, ''],
    [{ sequence: 'chrI', start1: 1, end1: 9 }, { sequence: 'chrII', start1: 2, end1: 8 }, 'block'],
  ])
  expect(problems).toEqual([{ line: 4, id: 'pair', text: 'alone' }])
})

describe('a table of features as a spreadsheet writes it', () => {
  test('keeps quoted cells with commas and line breaks, and counts lines on', () => {
    const text =
      '# my markers\nname,chr,start,end,type\n"QTL 1, early",chrI,10,20,"flowering\ntime"\nQTL2,chrI,30,40,height\n'
    const { features, problems } = readFeatureLines(text)
    expect(problems).toEqual([])
    expect(features.map(({ line, name, group }) => [line, name, group])).toEqual([
      [3, 'QTL 1, early', 'flowering time'],
      [5, 'QTL2', 'height'],
    ])
  })

  test('takes the quotes off where tabs part the cells', () => {
    const { features } = readFeatureLines('name\tchr\tstart\n"ARS, 1"\tchrI\t10\n')
    expect(features[0]).toMatchObject({ name: 'ARS, 1', locus: { sequence: 'chrI', start1: 10 } })
  })

  test('says from which line on a quote that is never closed leaves nothing to read', () => {
    const { features, problems } = readFeatureLines('name,chr,start\nA,chrI,10\n"B,chrI,20\nC,chrI,30\n')
    expect(features.map(({ name }) => name)).toEqual(['A'])
    expect(problems).toEqual([{ line: 3, id: 'quote', text: '"B,chrI,20' }])
  })
})
