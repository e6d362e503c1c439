import { describe, expect, test } from 'vitest'
import { GeneMatches } from '../../../bio/annotation/gene-matches.ts'
import { DefectLog } from '../../../bio/text/defects.ts'
import { GeneNames, namesOfGene } from './gene-names.ts'

const gene = (
  id: string,
  products: [transcript: string, protein?: string][] = [],
  others: { symbol?: string; aliases?: string[] } = {},
) => ({
  id,
  symbol: others.symbol ?? null,
  aliases: others.aliases ?? [],
  transcripts: products.map(([transcript, proteinId]) => ({ id: transcript, proteinId: proteinId ?? null })),
})

const names = new GeneNames()
for (const one of [
  gene('AT1G01010', [['AT1G01010.1'], ['AT1G01010.2']], { symbol: 'NAC001', aliases: ['ANAC001'] }),
  gene('ENSG00000000003.16', [['ENST00000373020.9', 'ENSP00000362111.4']]),
  gene(
    'LOC100',
    [
      ['XM_1.2', 'XP_1.2'],
      ['XM_2.1', 'XP_2.1'],
    ],
    { aliases: ['GeneID:100', 'old_0001'] },
  ),
  gene('gene-b0001', [['rna-b0001', 'NP_414542.1']]),
  gene('Potri.001G000100.v4.1', [['Potri.001G000100.1.v4.1']], { aliases: ['Potri.001G000100'] }),
  gene('abcA', [], { symbol: 'twin', aliases: ['shared'] }),
  gene('ABCA', [], { symbol: 'twin', aliases: ['shared'] }),
  gene('tP(UGG)A', [['tP(UGG)A_tRNA']]),
  gene('g1.1'),
  gene('g1.2'),
])
  names.add(one.id, namesOfGene(one))
const find = (name: string) => {
  const match = names.match(name)
  return match === null || match === 'ambiguous' ? match : [match.gene, match.rule]
}

test.each([
  ['AT1G01010', ['AT1G01010', 'name']],
  // As gffread writes what GFF3 has escaped; what is no escape is as it is.
  ['tP%28UGG%29A_tRNA', ['tP(UGG)A', 'product']],
  ['100%', null],
  ['at1g01010', ['AT1G01010', 'case']],
  ['nac001', ['AT1G01010', 'name']],
  ['AT1G01010.2', ['AT1G01010', 'product']],
  ['transcript:AT1G01010.1', ['AT1G01010', 'prefix']],
  ['gene:AT1G01010', ['AT1G01010', 'prefix']],
  // A transcript of a newer annotation.
  ['AT1G01010.7', ['AT1G01010', 'version']],
  ['ENSG00000000003', ['ENSG00000000003.16', 'version']],
  ['ENSG00000000003.14', ['ENSG00000000003.16', 'version']],
  ['ENST00000373020', ['ENSG00000000003.16', 'version']],
  ['ENST00000373020.9|ENSG00000000003.16|OTTHUMG1|TSPAN6-201|2206|', ['ENSG00000000003.16', 'header']],
  ['XM_1.3', ['LOC100', 'version']],
  ['rna-XM_2.1', ['LOC100', 'prefix']],
  ['cds-XP_1', ['LOC100', 'prefix']],
  ['old_0001', ['LOC100', 'name']],
  ['lcl|NC_1.1_cds_XP_1.2_17', ['LOC100', 'header']],
  ['gi|158|ref|XP_2.1|', ['LOC100', 'header']],
  ['b0001', ['gene-b0001', 'prefix']],
  ['Potri.001G000100.1.p', ['Potri.001G000100.v4.1', 'version']],
  ['nobody', null],
  ['nobody.1', null],
  // R makes a second row of a symbol so.
  ['NAC001.1', null],
])('%s is %j', (name, expected) => {
  expect(find(name)).toEqual(expected)
})

test('a name of several genes means none of them, and letters’ case tells two genes apart', () => {
  expect(find('twin')).toBe('ambiguous')
  expect(find('shared')).toBe('ambiguous')
  expect(find('abcA')).toEqual(['abcA', 'name'])
  expect(find('ABCA')).toEqual(['ABCA', 'name'])
  expect(find('Abca')).toBe('ambiguous')
  expect(find('g1')).toBe('ambiguous')
  expect(names.find('twin')).toBeNull()
})

describe('what is told of the names of a file', () => {
  const tell = (given: string[], options = {}) => {
    const log = new DefectLog()
    const matches = new GeneMatches({ file: 'x', match: (name) => names.match(name) })
    for (const name of given) matches.find(name)
    const isRead = matches.report(log, options)
    return { isRead, told: log.defects.map(({ code, params }) => [code, params]) }
  }

  test('nothing where all are names, or products, of genes', () => {
    expect(tell(['AT1G01010', 'XP_1.2', 'XP_1.2'])).toEqual({ isRead: true, told: [] })
  })

  test('by which rules they were matched, each name once, what share was not, and what could be several', () => {
    expect(tell(['AT1G01010', 'XM_1.9', 'XM_1.9', 'gene:LOC100', 'twin', 'nobody']).told).toEqual([
      [
        'genes-matched',
        {
          total: 5,
          matched: 3,
          name: 1,
          product: 0,
          prefix: 1,
          version: 1,
          header: 0,
          case: 0,
          example: 'XM_1.9',
          gene: 'LOC100',
        },
      ],
      ['genes-ambiguous', { count: 1, names: 'twin' }],
      ['genes-unmatched', { count: 1, total: 5, names: 'nobody', percent: 60 }],
    ])
  })

  test('a file of which nothing, or less than a tenth, is matched is refused', () => {
    expect(tell(['a', 'b'])).toMatchObject({ isRead: false, told: [['genes-none', { names: 'a, b' }]] })
    const many = Array.from({ length: 19 }, (_, at) => `x${at}`)
    expect(tell(['LOC100', ...many])).toMatchObject({
      isRead: false,
      told: [
        ['genes-unmatched', { percent: 5 }],
        ['rows-unknown', { count: 19, total: 20, percent: 95, max: 90 }],
      ],
    })
  })
})
