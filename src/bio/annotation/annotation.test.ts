import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { hasRealData, realData } from '../../testing/real-data.ts'
import { DefectLog } from '../text/defects.ts'
import {
  type AnnotationFormat,
  type AnnotationRow,
  createAnnotationReader,
  guessAnnotationFormat,
} from './annotation.ts'

function read(format: AnnotationFormat, lines: string[], source?: string) {
  const log = new DefectLog()
  const rows: AnnotationRow[] = []
  const texts: { gene: string; symbol: string | null; description: string | null }[] = []
  const reader = createAnnotationReader(format, {
    file: 'x',
    log,
    source,
    onRow: (row) => void rows.push(row),
    onGeneText: ({ gene, symbol, description }) => void texts.push({ gene, symbol, description }),
  })
  for (const [index, line] of lines.entries()) reader.addLine(line, index + 1)
  reader.end()
  return { rows, texts, defects: log.defects.map(({ code, line }) => `${code}@${line}`) }
}
const brief = ({ gene, term, source }: AnnotationRow) => [gene, term, source].join(' ')

describe('GAF', () => {
  const row = (columns: Record<number, string>) => {
    const all = [
      'SGD',
      'S000000001',
      'TFC3',
      'part_of',
      'GO:0000127',
      'PMID:1',
      'IDA',
      '',
      'C',
      '',
      'YAL001C|TSV115',
      'gene',
      'taxon:559292',
      '20200101',
      'SGD',
      '',
      '',
    ]
    for (const [column, text] of Object.entries(columns)) all[Number(column) - 1] = text
    return all.join('\t')
  }
  it('reads object, names, qualifier, evidence and aspect of version 2', () => {
    const { rows, defects } = read('gaf', ['!gaf-version: 2.2', row({})])
    expect(defects).toEqual([])
    expect(rows).toEqual([
      {
        gene: 'S000000001',
        otherNames: ['TFC3', 'YAL001C', 'TSV115'],
        term: 'GO:0000127',
        termName: null,
        source: 'GO',
        evidence: 'IDA',
        qualifier: 'part_of',
        aspect: 'C',
        start1: null,
        end1: null,
        line: 2,
      },
    ])
  })
  it('keeps NOT, which says that the gene lacks the function', () => {
    expect(read('gaf', [row({ 4: 'NOT|involved_in' })]).rows[0]!.qualifier).toBe('NOT|involved_in')
  })
  it('names lines with too few columns, terms that are none, unknown evidence and aspect', () => {
    const { rows, defects } = read('gaf', [
      'SGD\tS1\tX',
      row({ 5: 'GO:12' }),
      row({ 7: 'ABC' }),
      row({ 9: 'X' }),
      row({ 2: '' }),
    ])
    expect(defects).toEqual([
      'annotation-column-count@1',
      'annotation-bad-term@2',
      'annotation-bad-evidence@3',
      'annotation-bad-aspect@4',
      'annotation-empty-field@5',
    ])
    expect(rows.map(({ evidence, aspect }) => [evidence, aspect])).toEqual([
      ['ABC', 'C'],
      ['IDA', null],
    ])
  })
})

describe('InterProScan TSV', () => {
  const md5 = '14086411a2cdf1c4cba63020e1622579'
  it('gives signature, entry, GO terms with and without source, and pathways', () => {
    const { rows, defects } = read('interproscan', [
      `YAL001C\t${md5}\t1160\tPfam\tPF04182\tB-block binding subunit of TFIIIC\t150\t223\t3.1E-6\tT\t21-04-2016\tIPR007309\tB-block binding\tGO:0005515(InterPro)|GO:0003677\tMetaCyc: PWY-7388|Reactome: R-HSA-74158`,
    ])
    expect(defects).toEqual([])
    expect(rows.map((row) => [brief(row), row.termName, row.start1, row.end1, row.evidence])).toEqual([
      ['YAL001C PF04182 Pfam', 'B-block binding subunit of TFIIIC', 150, 223, null],
      ['YAL001C IPR007309 InterPro', 'B-block binding', 150, 223, null],
      ['YAL001C GO:0005515 GO', null, null, null, 'IEA'],
      ['YAL001C GO:0003677 GO', null, null, null, 'IEA'],
      ['YAL001C PWY-7388 MetaCyc', null, null, null, null],
      ['YAL001C R-HSA-74158 Reactome', null, null, null, null],
    ])
  })
  it('reads lines of eleven columns and the signs for nothing', () => {
    const { rows } = read('interproscan', [
      `p1\t${md5}\t100\tMobiDBLite\tmobidb-lite\t-\t1\t20\t-\tT\t01-01-2024`,
      `p2\t${md5}\t100\tPfam\tPF1\t-\t1\t20\t-\tT\t01-01-2024\t-\t-\t-\t-`,
    ])
    expect(rows.map(brief)).toEqual(['p1 mobidb-lite MobiDBLite', 'p2 PF1 Pfam'])
  })
  it('names a line that is cut off', () => {
    expect(read('interproscan', [`p1\t${md5}\t100`]).defects).toEqual(['annotation-column-count@1'])
  })
})

describe('eggNOG-mapper', () => {
  const header =
    '#query\tseed_ortholog\tevalue\tscore\teggNOG_OGs\tmax_annot_lvl\tCOG_category\tDescription\tPreferred_name\tGOs\tEC\tKEGG_ko\tKEGG_Pathway\tKEGG_Module\tKEGG_Reaction\tKEGG_rclass\tBRITE\tKEGG_TC\tCAZy\tBiGG_Reaction\tPFAMs'
  it('reads version 2.1: groups of the level, categories letter by letter, each pathway once', () => {
    const { rows, texts, defects } = read('eggnog', [
      '## emapper-2.1.9',
      header,
      'g1\t4932.YDL042C\t1e-99\t300.0\tCOG0846@1|root,KOG2684@2759|Eukaryota,3NU8M@4751|Fungi\t4751|Fungi\tBK\tNAD-dependent deacetylase\tSIR2\tGO:0000001,GO:0000002\t2.3.1.286\tko:K11121\tko04213,map04213\t-\t-\t-\tko00000\t-\t-\t-\tDUF592,SIR2',
      '## 1 queries scanned',
    ])
    expect(defects).toEqual([])
    expect(rows.map(brief)).toEqual([
      'g1 B COG',
      'g1 K COG',
      'g1 3NU8M eggNOG',
      'g1 GO:0000001 GO',
      'g1 GO:0000002 GO',
      'g1 2.3.1.286 EC',
      'g1 K11121 KEGG',
      'g1 map04213 KEGG pathway',
      'g1 DUF592 Pfam',
      'g1 SIR2 Pfam',
    ])
    expect(rows[1]!.termName).toBe('Transcription')
    expect(texts).toEqual([{ gene: 'g1', symbol: 'SIR2', description: 'NAD-dependent deacetylase' }])
  })
  it('follows the header of version 2.0, whose columns stand elsewhere', () => {
    const { rows } = read('eggnog', [
      '#query_name\tseed_eggNOG_ortholog\tseed_ortholog_evalue\tseed_ortholog_score\tbest_tax_level\tPreferred_name\tGOs\tEC\tKEGG_ko',
      'g1\ts\t0\t1\tFungi\tABC1\tGO:0000001\t-\tko:K00001',
    ])
    expect(rows.map(brief)).toEqual(['g1 GO:0000001 GO', 'g1 K00001 KEGG'])
  })
  // Layout of 3.0.0-beta6.
  const header3 =
    '#query\tseed_ortholog\tevalue\tscore\teggNOG_OGs\ttax_ceiling\tfarthest_donor_lineage\tCOG_category\tPreferred_name\tGOs\tEC\tKEGG_ko\tKEGG_Pathway\tKEGG_Module\tKEGG_Reaction\tKEGG_rclass\tBRITE\tKEGG_TC\tCAZy\tBiGG_Reaction\tPFAMs\tannotation_confidence'
  const row3 =
    'g1\t1.X\t8e-211\t573.0\tFam_A@2182|Nt-17,Fam|TL1@131567|S-5*\tProkaryota\t1;131567;2157\tCOG1348\tabcH\tGO:0005524\t-\tK02588\t00910,01100\tM00175\t-\t-\t00001\t-\t-\t-\tFam_A_2_277,Fam_A_290_301,Tet_2_5_40\th--hhh--h---h'
  const terms3 = [
    'g1 COG1348 COG',
    'g1 Fam_A@2182|Nt-17 eggNOG',
    'g1 Fam|TL1@131567|S-5* eggNOG',
    'g1 GO:0005524 GO',
    'g1 K02588 KEGG',
    'g1 map00910 KEGG pathway',
    'g1 map01100 KEGG pathway',
    'g1 M00175 KEGG module',
    'g1 Fam_A Pfam',
    'g1 Fam_A Pfam',
    'g1 Tet_2 Pfam',
  ]
  it('reads version 3: its groups, groups of COG for categories, pathways by number, domains without their places', () => {
    const { rows, texts, defects } = read('eggnog', ['## emapper-3.0.0-beta6', '##   pfam_realign=none', header3, row3])
    expect(defects).toEqual([])
    expect(rows.map(brief)).toEqual(terms3)
    expect(rows.at(-1)).toMatchObject({ start1: null, end1: null })
    expect(texts).toEqual([{ gene: 'g1', symbol: 'abcH', description: null }])
    expect(read('eggnog', [row3]).rows.map(brief)).toEqual(terms3)
  })
  it('takes the places of domains that were aligned to the protein itself', () => {
    const { rows } = read('eggnog', ['##   pfam_realign=realign', header3, row3.replace('COG1348', 'PK')])
    expect(rows.slice(0, 2).map(brief)).toEqual(['g1 P COG', 'g1 K COG'])
    expect(rows.at(-1)).toMatchObject({ term: 'Tet_2', start1: 5, end1: 40 })
  })
  it('names a line that is cut off', () => {
    expect(read('eggnog', [header, 'g1\tx']).defects).toEqual(['annotation-column-count@2'])
  })
})

describe('tables', () => {
  it('tells vocabularies by the form of their identifiers, and takes a name', () => {
    const { rows, defects } = read('table', [
      'gene_id\tterm\tname',
      'g1\tGO:0006383\ttranscription by RNA polymerase III',
      'g1\tIPR007309',
      'g2\tPF00069.12',
      'g2\tK00844',
      'g2\tCOG0515',
      'g2\t2.7.11.-',
      'g3\tcell cycle',
    ])
    expect(defects).toEqual([])
    expect(rows.map(brief)).toEqual([
      'g1 GO:0006383 GO',
      'g1 IPR007309 InterPro',
      'g2 PF00069.12 Pfam',
      'g2 K00844 KEGG',
      'g2 COG0515 COG',
      'g2 2.7.11.- EC',
      'g3 cell cycle annotation',
    ])
    expect(rows[0]!.termName).toBe('transcription by RNA polymerase III')
  })
  it('takes the vocabulary that the manifest names, and several terms in one cell', () => {
    expect(read('table', ['g1\tI.A.1', 'g2\tGO:0000001, GO:0000002;GO:0000003'], 'Role').rows.map(brief)).toEqual([
      'g1 I.A.1 Role',
      'g2 GO:0000001 Role',
      'g2 GO:0000002 Role',
      'g2 GO:0000003 Role',
    ])
  })
  it('keeps a first line that is no header, and reads blanks and commas for tabs', () => {
    for (const separator of [' ', ',', ';', ', ']) {
      const { rows, defects } = read('table', [`YAL001C${separator}GO:0000001`, `YAL002W${separator}GO:0000002`])
      expect(rows.map(brief)).toEqual(['YAL001C GO:0000001 GO', 'YAL002W GO:0000002 GO'])
      expect(defects).toEqual(['annotation-other-separator@1'])
    }
  })
  it('parts every row as the first is parted, quoted or not', () => {
    for (const separator of [',', ';', '\t']) {
      const lines = [
        ['TM_0001', 'PF00069', 'Protein kinase'],
        ['TM_0002', 'PF00069', '"Protein, kinase; all of it"'],
        ['TM_0003', 'cell wall synthesis'],
      ]
      const { rows } = read(
        'table',
        lines.map((cells) => cells.join(separator)),
      )
      expect(rows.map(({ gene, term, termName }) => [gene, term, termName])).toEqual([
        ['TM_0001', 'PF00069', 'Protein kinase'],
        ['TM_0002', 'PF00069', 'Protein, kinase; all of it'],
        ['TM_0003', 'cell wall synthesis', null],
      ])
    }
    expect(read('table', ['TM_0001 PF00069 Protein kinase']).rows).toMatchObject([
      { term: 'PF00069', termName: 'Protein kinase' },
    ])
    for (const line of ['TM_0001 GO:0000001, GO:0000002', 'TM_0001,GO:0000001,GO:0000002'])
      expect(read('table', [line]).rows.map(({ term }) => term)).toEqual(['GO:0000001', 'GO:0000002'])
    expect(read('table', ['TM_0001,GO:0000001', 'TM_0002 GO:0000002']).defects).toEqual([
      'annotation-other-separator@1',
      'annotation-column-count@2',
    ])
  })
  it('names empty fields, bad terms and lines of one word', () => {
    expect(read('table', ['g1\t', 'g2\tGO:1', 'g3', 'g4\tx']).defects).toEqual([
      'annotation-empty-field@1',
      'annotation-bad-term@2',
      'annotation-column-count@3',
    ])
    expect(read('table', ['# nothing', 'gene\tterm']).defects).toEqual(['annotation-no-rows@null'])
  })
})

describe('guessAnnotationFormat', () => {
  const md5 = '14086411a2cdf1c4cba63020e1622579'
  it.each([
    ['x.txt', ['!gaf-version: 2.2'], 'gaf'],
    ['x.tsv', ['## emapper-2.1.9', '#query\tseed_ortholog'], 'eggnog'],
    ['x.tsv', [`p\t${md5}\t100\tPfam\tPF1\tx\t1\t2\t-\tT\td`], 'interproscan'],
    ['x.tsv', ['g1\tGO:0000001', 'g2\tGO:0000002'], 'table'],
    ['x.tsv', ['g1\tGO:0000001\tname'], 'table'],
    ['go.csv', ['g1,GO:0000001'], 'table'],
    ['x.gff3', ['c\tx\tgene\t1\t2\t.\t+\t.\tID=g'], null],
    ['x.fa', ['>seq', 'ACGT'], null],
    ['x.tsv', ['## emapper-3.0.0-beta6', '#query\tseed_ortholog'], 'eggnog'],
    ['x.gff3', ['##gff-version 3'], 'gff3'],
    ['x.txt', ['# gene name\tKO\tthrshld\tscore\tE-value\t"KO definition"'], 'kofamscan'],
    ['ko.txt', ['g1', 'g2\tK00001', 'g3'], 'ko'],
    ['x.txt', ['g1\tK00001\tname'], 'table'],
  ])('%s: %j', (name, lines, format) => {
    expect(guessAnnotationFormat(name, lines)).toBe(format)
  })
})

describe.skipIf(!hasRealData)('on real yeast annotation', () => {
  const lines = (path: string) =>
    gunzipSync(readFileSync(`${realData}/yeast/${path}`))
      .toString('utf8')
      .split('\n')
  it('reads the gene-to-GO table of Ensembl: 59,101 rows and 5,344 terms, rows without a term left out', () => {
    const text = lines('go/yeastGO_ensembl88.tsv.gz')
    expect(guessAnnotationFormat('yeastGO.tsv', text.slice(0, 60))).toBe('table')
    const { rows } = read('table', text)
    const without = text.filter((line) => /^[^\t]+\t\s*$/.test(line)).length
    expect(rows.length + without).toBe(text.filter((line) => line !== '').length - 1)
    expect(new Set(rows.map(({ term }) => term)).size).toBe(5344)
    expect(new Set(rows.map(({ gene }) => gene)).size).toBe(6218)
  })
  it('reads the GO slim of SGD, whose term is in the third column', () => {
    const text = lines('go/sgd_go_slim_mapping_2018_2_7.tsv.gz')
    const { rows } = read('table', text)
    expect(rows).toHaveLength(text.filter((line) => /\tGO:\d{7}$/.test(line)).length)
    expect(new Set(rows.map(({ term }) => term)).size).toBe(167)
    expect(rows[0]).toMatchObject({ gene: 'HRA1', otherNames: [], source: 'GO' })
  })
})
