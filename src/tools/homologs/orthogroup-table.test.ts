import { expect, test } from 'vitest'
import { cleanProtein } from '../../bio/sequence/sequence.ts'
import { parseOrthogroupTable } from './orthogroup-table.ts'

test('Orthogroups.tsv is read with empty cells, Windows line ends and several genes of one genome', () => {
  expect(
    parseOrthogroupTable('Orthogroup\tA\tB\r\nOG0000000\ta1, a2\tb1\r\nOG0000001\t\tb2\r\nOG0000002\ta3\r\n'),
  ).toEqual({
    columns: ['A', 'B'],
    groups: [
      { id: 'OG0000000', members: [['a1', 'a2'], ['b1']] },
      { id: 'OG0000001', members: [[], ['b2']] },
      { id: 'OG0000002', members: [['a3'], []] },
    ],
  })
})

test('Orthogroups.csv of OrthoFinder before 2.3 has tabs, and no heading above the groups', () => {
  expect(parseOrthogroupTable('\tA\tB\nOG0000000\ta1, a2\tb1\n')).toEqual({
    columns: ['A', 'B'],
    groups: [{ id: 'OG0000000', members: [['a1', 'a2'], ['b1']] }],
  })
  expect(parseOrthogroupTable('\tA\tB\ngene1\t5\t6\n')).toEqual({ reason: 'the first column is ""' })
})

test('hierarchical orthogroups leave their two further columns out', () => {
  expect(parseOrthogroupTable('HOG\tOG\tGene Tree Parent Clade\tA\nN0.HOG0\tOG0\tn1\ta1\n')).toEqual({
    columns: ['A'],
    groups: [{ id: 'N0.HOG0', members: [['a1']] }],
  })
})

test('gene_presence_absence.csv of Panaroo and of Roary; genes that Panaroo found itself are none of the annotation', () => {
  const groups = [
    { id: 'dnaA', members: [['a1'], ['b1', 'b9']] },
    { id: 'group_2', members: [['a2'], []] },
  ]
  expect(
    parseOrthogroupTable(
      'Gene,Non-unique Gene name,Annotation,A,B\ndnaA,,"initiator, replication",a1_len,b1;b9_stop\ngroup_2,,,a2,7_refound_15\n',
    ),
  ).toEqual({ columns: ['A', 'B'], groups })
  const fixed =
    '"Gene","Non-unique Gene name","Annotation","No. isolates","No. sequences","Avg sequences per isolate","Genome Fragment","Order within Fragment","Accessory Fragment","Accessory Order with Fragment","QC","Min group size nuc","Max group size nuc","Avg group size nuc"'
  const roary = (id: string, a: string, b: string) =>
    `"${id}","","x","2","3","1.5","1","4","","","","90","90","90","${a}","${b}"`
  expect(
    parseOrthogroupTable(`${fixed},"A","B"\n${roary('dnaA', 'a1', 'b1\tb9')}\n${roary('group_2', 'a2', '')}\n`),
  ).toEqual({ columns: ['A', 'B'], groups })
})

test.each([
  ['a list of genes', 'a1\na2\n'],
  ['another table', 'gene\tterm\na1\tGO:1\n'],
  ['a row that is too long', 'Orthogroup\tA\nOG1\ta1\tb1\n'],
  ['a group that stands twice', 'Orthogroup\tA\nOG1\ta1\nOG1\ta2\n'],
  ['an empty file', ''],
])('%s is no table of orthogroups', (_, text) => {
  expect(parseOrthogroupTable(text)).toHaveProperty('reason')
})

test('proteins are cleaned for every search program: stops within are unknown residues, at the end nothing', () => {
  expect(cleanProtein('mk.l*v*')).toBe('MKXLXV')
  expect(cleanProtein('MK-L..')).toBe('MKL')
})
