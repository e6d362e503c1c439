import { describe, expect, test } from 'vitest'
import { renderCsv, renderTsv } from '../kit/ui/table/export.ts'
import { emptyReceipt } from './contexts.ts'
import { checkExport } from './strict-reader.ts'

const head =
  '# NovoDB 1, tool test, 2026-01-01T00:00:00.000Z, 1 ms\n# parameters {"a":1}\n# data R64, bundle b1, abcdef\n'
const check = (name: string, text: string): string[] => checkExport(name, Buffer.from(text))

describe('a strict reader', () => {
  test('has nothing to say of what the writers write, whatever the cells hold', () => {
    const receipt = { ...emptyReceipt, data: [{ assembly: 'R64', bundle: 'b1', checksum: 'abc' }] }
    const sheet = {
      columns: ['gene', 'description', 'log2\nfold'],
      rows: [
        ['a\tb', '=HYPERLINK("x","y")', -1.5],
        ['-35 box', 'kinase, "putative"\r\nsecond line', 1e-300],
        ['-', '+', null],
        ['激酶\u2028', '@x\u0007', true],
      ],
      receipt,
      notes: ['filter: none'],
    }
    expect(check('a.tsv', renderTsv(sheet))).toEqual([])
    expect(check('a.csv', renderCsv(sheet))).toEqual([])
  })

  test.each([
    ['a heading twice', 'x.tsv', `${head}chrom\tend\tend\n1\t2\t3\n`, /stands twice/],
    ['a heading that was twice', 'x.tsv', `${head}end\tend (2)\n1\t2\n`, /both called "end"/],
    ['an empty heading', 'x.tsv', `${head}\ta\n1\t2\n`, /heading 1 is empty/],
    ['a row too short', 'x.tsv', `${head}a\tb\n1\n`, /1 cells/],
    ['no receipt', 'x.tsv', 'a\tb\n1\t2\n', /does not name the portal/],
    ['no parameters', 'x.tsv', `${head.replace(/# parameters.*\n/, '')}a\n1\n`, /no parameters/],
    ['no release', 'x.tsv', `${head.replace(/# data.*\n/, '')}a\n1\n`, /data release/],
    ['an escape', 'x.tsv', `${head}a\n\u001b[31m\n`, /control character/],
    ['what was not there', 'x.tsv', `${head}a\nundefined\n`, /undefined/],
    ['an open quote', 'x.csv', `${head}a,b\r\n"1,2\r\n`, /never closed/],
    ['a comma without quotes', 'x.csv', `${head}a,b\r\n1,kinase, putative\r\n`, /3 cells/],
    ['a formula in a table of tabs', 'x.tsv', `${head}a\n@SUM(A1)\n`, /spreadsheet computes/],
    ['a formula', 'x.csv', `${head}a\r\n=1+1\r\n`, /spreadsheet computes/],
    ['a BED that ends before it starts', 'x.bed', `${head}chr1\t9\t5\n`, /no place of a BED/],
    ['GFF3 of ten columns', 'x.gff3', `##gff-version 3\n${head}c\ts\tgene\t1\t2\t.\t+\t.\tID=a\tx\n`, /10 cells/],
    ['a parent that is nowhere', 'x.gff3', `##gff-version 3\n${head}c\ts\tmRNA\t1\t2\t.\t+\t.\tParent=g\n`, /parent g/],
    ['two sequences of a name', 'x.fa', '>a\nACGT\n>a\nAC\n', /two sequences/],
    ['a sequence without residues', 'x.fa', '>a\n>b\nAC\n', /no residues/],
    [
      'a line of VCF too short',
      'x.vcf',
      '##fileformat=VCFv4.2\n#CHROM\tPOS\tID\tREF\tALT\tQUAL\tFILTER\tINFO\n1\t2\n',
      /2 cells/,
    ],
    ['GraphML that is not closed', 'x.graphml', '<graphml><graph></graphml>', /closes what is not open/],
    [
      'a sequence that does not tell how it was made',
      'x.fa',
      '>a NovoDB 1 tool=x\nAC\n',
      /a description does not name/,
    ],
    ['a comment before a tree', 'x.nwk', '[NovoDB 1 tool=tree](a,b);\n', /begins with a parenthesis/],
    ['a comment after a tree', 'x.nwk', '(a,b);[NovoDB 1 tool=tree]\n', /semicolon/],
    ['a tree without an end', 'x.nwk', '(a,b)\n', /semicolon/],
    ['JSON without a receipt', 'x.json', '{"result":1}', /no receipt/],
    ['a format of nobody', 'x.dat', 'x', /nobody reads/],
  ])('finds %s', (_, name, text, expected) => {
    expect(check(name, text).join('\n')).toMatch(expected)
  })
})
