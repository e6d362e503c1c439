import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { hasRealData, realData } from '../../testing/real-data.ts'
import { DefectLog } from '../text/defects.ts'
import { type PhenotypeReaderOptions, parsePhenotypes, parseTraitDescriptions } from './phenotype-table.ts'

const parse = (text: string, more: Partial<PhenotypeReaderOptions> = {}) => {
  const log = new DefectLog()
  const table = parsePhenotypes(text.split('\n'), { file: 'p.tsv', log, ...more })
  return { table, log, reported: log.defects.map(({ code, line }) => [code, line]) }
}
const valuesOf = (found: ReturnType<typeof parse>, trait: string) => [
  ...found.table!.traits.find(({ id }) => id === trait)!.values,
]

test('a wide table: a column a trait, repeated rows are replicates, the usual words are gaps', () => {
  const found = parse('strain,height,colour,note\nA,1.5,red,\nB,NA,white,.\nA,2.5,red,NA\nC,1e1,blue,null')
  expect(found.table!.accessions).toEqual(['A', 'B', 'C'])
  expect(found.table!.observations.map(({ accession }) => accession)).toEqual([0, 1, 0, 2])
  expect(valuesOf(found, 'height')).toEqual([1.5, Number.NaN, 2.5, 10])
  expect(found.table!.traits.map(({ id, type, levels }) => [id, type, levels])).toEqual([
    ['height', 'quantitative', null],
    ['colour', 'categorical', ['blue', 'red', 'white']],
  ])
  expect(found.reported).toEqual([['phenotype-traits-blank', null]])
})

test('a long table with environments and replicates becomes the same observations', () => {
  const found = parse(
    'accession\ttrait\tvalue\tlocation\tyear\trep\nA\theight\t1\tBeijing\t2020\t1\nA\tyield\t7\tBeijing\t2020\t1\nA\theight\t2\tSanya\t2021\t1\nB\theight\t3\tBeijing\t2020\t2',
  )
  expect(found.table!.environments).toEqual(['Beijing / 2020', 'Sanya / 2021'])
  expect(found.table!.observations).toEqual([
    { accession: 0, environment: 0, replicate: '1' },
    { accession: 0, environment: 1, replicate: '1' },
    { accession: 1, environment: 0, replicate: '2' },
  ])
  expect(valuesOf(found, 'height')).toEqual([1, 2, 3])
  expect(valuesOf(found, 'yield')).toEqual([7, Number.NaN, Number.NaN])
})

test('a value measured again in a long table under the same names is a further observation', () => {
  const found = parse('line\ttrait\tvalue\nA\th\t1\nA\th\t2\nA\tw\t5')
  expect(valuesOf(found, 'h')).toEqual([1, 2])
  expect(valuesOf(found, 'w')).toEqual([5, Number.NaN])
})

test('PLINK’s tables are parted by blanks, and -9 is a gap only where the lab says so', () => {
  const text = 'FID IID t1\nf a -9\nf b 2.5\nf c 3.25'
  expect(valuesOf(parse(text), 't1')).toEqual([-9, 2.5, 3.25])
  expect(valuesOf(parse(text, { missing: ['-9'] }), 't1')).toEqual([Number.NaN, 2.5, 3.25])
})

describe('types of traits', () => {
  const column = (cells: (string | number)[]) => {
    const found = parse(['id\tt', ...cells.map((cell, at) => `a${at}\t${cell}`)].join('\n'))
    const { type, levels, stated } = found.table!.traits[0]!
    return { type, levels, stated }
  }
  test('two values are binary, also plus and minus, where minus is no gap', () => {
    expect(column([0, 1, 1, 0])).toEqual({ type: 'binary', levels: ['0', '1'], stated: false })
    expect(column(['+', '-', '+'])).toMatchObject({ type: 'binary', levels: ['+', '-'] })
    expect(column(['1', '-', '3.5'])).toMatchObject({ type: 'quantitative' })
  })
  test('few whole numbers are grades, in the order of numbers', () => {
    expect(column(Array.from({ length: 30 }, (_, at) => (at * 7) % 10))).toMatchObject({
      type: 'ordinal',
      levels: ['0', '1', '2', '3', '4', '5', '6', '7', '8', '9'],
    })
    expect(column([1, 2, 3, 2, 1])).toMatchObject({ type: 'quantitative' })
  })
  test('a lab may state them, with names, units and the order of levels', () => {
    const log = new DefectLog()
    const traits = parseTraitDescriptions(
      [
        'trait\tname\tname_zh\tunit\ttype\tlevels',
        'rust\tLeaf rust\t叶锈病\t\tordinal\tnone;low;high',
        'dth\tHeading\t抽穗期\td\t\t',
        'gone\t\t\t\tquantitative\t',
      ],
      't.tsv',
      log,
    )
    const found = parse('line\tdth\trust\textra\nA\t90\thigh\t1\nB\t95\tlow\t1\nC\t91\tsome\t2', { traits })
    expect(found.table!.traits.map(({ id, type, levels }) => [id, type, levels])).toEqual([
      ['rust', 'ordinal', ['none', 'low', 'high']],
      ['dth', 'quantitative', null],
    ])
    expect(valuesOf(found, 'rust')).toEqual([2, 1, Number.NaN])
    expect(found.reported).toEqual([
      ['phenotype-columns-left', 1],
      ['phenotype-traits-absent', null],
      ['phenotype-level', 4],
    ])
  })
  test('a type that is none is an error', () => {
    const log = new DefectLog()
    parseTraitDescriptions(['trait\ttype', 'h\tmetric'], 't.tsv', log)
    expect(log.defects.map(({ code, line }) => [code, line])).toEqual([['phenotype-trait-type', 2]])
  })
})

test('decimal commas and words among numbers are refused with their lines', () => {
  const found = parse('line\tt\nA\t1.5\nB\t2,5\nC\tn.d.\nD\t3')
  expect(found.reported).toEqual([
    ['phenotype-decimal-comma', 3],
    ['phenotype-value', 4],
  ])
  expect(found.log.hasErrors).toBe(true)
  expect(parse('line;t\nA;1,5\nB;2,5').reported).toEqual([
    ['phenotype-decimal-comma', 2],
    ['phenotype-decimal-comma', 3],
  ])
})

test('rows too long, rows without an accession, columns of one name and empty tables are told', () => {
  expect(parse('line\tt\nA\t1\t2\n\t3\nB\t1').reported).toEqual([
    ['phenotype-columns', 2],
    ['phenotype-no-accession', 3],
  ])
  expect(parse('line\tt\tt\nA\t1\t2').reported).toEqual([['phenotype-column-repeated', 1]])
  expect(parse('line\tt\n').reported).toEqual([['phenotype-empty', null]])
})

test('a table without a heading is refused, lest its first accession be taken for one; years may be traits', () => {
  for (const text of ['SK1\t1.5\nYPS128\t2.5', 'SK1,12\nYPS128,14'])
    expect(parse(text)).toMatchObject({ table: null, reported: [['phenotype-no-heading', 1]] })
  expect(parse('variety\t2019\t2020\nA\t1.5\t2').table!.traits.map(({ id }) => id)).toEqual(['2019', '2020'])
  expect(parse('line\t7\t14\nA\t1.5\t2').table!.traits.map(({ id }) => id)).toEqual(['7', '14'])
})

const gemma = `${realData}/formats/gwas/GEMMA_BXD_pheno.txt.gz`
test.skipIf(!hasRealData)('GEMMA’s phenotypes name no accessions: the file is refused at its first line', () => {
  const found = parse(gunzipSync(readFileSync(gemma)).toString('utf8'))
  expect(found.table).toBeNull()
  expect(found.reported).toEqual([['phenotype-no-heading', 1]])
})

test('tables of genes as programs write them are none of phenotypes', () => {
  for (const [program, heading] of [
    ['Salmon quant.sf', 'Name\tLength\tEffectiveLength\tTPM\tNumReads'],
    ['DESeq2', 'gene,baseMean,log2FoldChange,lfcSE,stat,pvalue,padj'],
    ['STAR ReadsPerGene.out.tab', 'N_unmapped\t9\t8\t7'],
  ] as const) {
    const log = new DefectLog()
    const row = heading.replaceAll(/[^\t,]+/g, '1').replace('1', 'TM_0001')
    expect(parsePhenotypes([heading, row], { file: 'p', log })).toBeNull()
    expect(log.defects).toMatchObject([{ code: 'phenotype-other-table', line: 1, params: { program } }])
  }
})
