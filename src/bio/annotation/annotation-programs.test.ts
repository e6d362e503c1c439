import { describe, expect, test } from 'vitest'
import { DefectLog } from '../text/defects.ts'
import {
  type AnnotationFormat,
  type AnnotationRow,
  createAnnotationReader,
  guessAnnotationFormat,
} from './annotation.ts'
import { termOfReference } from './term-forms.ts'

/** Rows of a file whose format its own lines tell. */
const read = (format: AnnotationFormat, lines: string[]) => {
  expect(guessAnnotationFormat('x.txt', lines)).toBe(format)
  const log = new DefectLog()
  const rows: AnnotationRow[] = []
  const reader = createAnnotationReader(format, { file: 'x', log, onRow: (row) => void rows.push(row) })
  for (const [at, line] of lines.entries()) reader.addLine(line, at + 1)
  reader.end()
  return { rows, codes: log.defects.map(({ code, line }) => `${code}@${line}`) }
}
const brief = ({ gene, term, source, termName }: AnnotationRow) =>
  [gene, term, source, ...(termName === null ? [] : [termName])].join(' ')

test('funannotate: names, groups, enzymes and the sentences of GO', () => {
  const headings =
    'GeneID\tTranscriptID\tFeature\tContig\tStart\tStop\tStrand\tName\tProduct\tAlias/Synonyms\tEC_number\tBUSCO\tPFAM\tInterPro\tEggNog\tCOG\tGO Terms\tSecreted\tMembrane\tProtease\tCAZyme\tNotes\tgDNA\tmRNA\tCDS-transcript\tTranslation'
  const { rows, codes } = read('funannotate', [
    headings,
    `FUN_000001\tFUN_000001-T1\tCDS\tscaffold_1\t1\t900\t+\tabcA\tkinase\t\t2.7.11.1;2.7.11.2\tEOG1\tPF00069;PF07714\tIPR000719 Protein kinase domain;IPR011009\tENOG503NUG5\tT\tGO_function: GO:0004672 - protein kinase activity [Evidence IEA];GO_process: GO:0006468 - protein phosphorylation, on serine [Evidence IEA]\t\t\tMER0047\tGH13\t\tATG\tATG\tATG\tM`,
    'FUN_000002\tFUN_000002-T1\ttRNA\tscaffold_1\t1000\t1080\t+\t\ttRNA-Ala\t\t\t\t\t\t\t\t\t\t\t\t\t\tATG\tATG\t\t',
  ])
  expect(codes).toEqual([])
  expect(rows.map(brief)).toEqual([
    'FUN_000001 2.7.11.1 EC',
    'FUN_000001 2.7.11.2 EC',
    'FUN_000001 PF00069 Pfam',
    'FUN_000001 PF07714 Pfam',
    'FUN_000001 IPR000719 InterPro Protein kinase domain',
    'FUN_000001 IPR011009 InterPro',
    'FUN_000001 ENOG503NUG5 eggNOG',
    'FUN_000001 T COG Signal transduction mechanisms',
    'FUN_000001 GO:0004672 GO protein kinase activity',
    'FUN_000001 GO:0006468 GO protein phosphorylation, on serine',
    'FUN_000001 MER0047 MEROPS',
    'FUN_000001 GH13 CAZy',
  ])
  expect(rows[8]).toMatchObject({ otherNames: ['FUN_000001-T1'], evidence: 'IEA' })
})

test.each(['KEGG/ec', 'ec'])('Phytozome, whose column of enzymes is %s', (ec) => {
  const { rows, codes } = read('phytozome', [
    `#pacId\tlocusName\ttranscriptName\tpeptideName\tPfam\tPanther\tKOG\t${ec}\tKO\tGO\tBest-hit-arabi-name\tarabi-symbol\tarabi-defline`,
    '37170591\tPhv.001G0004\tPhv.001G0004.1\tPhv.001G0004.1.p\tPF00504\tPTHR21649,PTHR21649:SF24\tKOG1339\t1.10.3.9\tK14172\tGO:0016020,GO:0009765\tAT1G76570.1\t\tChlorophyll family protein',
    // As files have it whose empty cells at the end were cut off.
    '37170592\tPhv.001G0005\tPhv.001G0005.1\tPhv.001G0005.1.p\tPF00001',
  ])
  expect(codes).toEqual([])
  expect(rows.map(brief)).toEqual([
    'Phv.001G0004 PF00504 Pfam',
    'Phv.001G0004 PTHR21649 PANTHER',
    'Phv.001G0004 PTHR21649:SF24 PANTHER',
    'Phv.001G0004 KOG1339 COG',
    'Phv.001G0004 1.10.3.9 EC',
    'Phv.001G0004 K14172 KEGG',
    'Phv.001G0004 GO:0016020 GO',
    'Phv.001G0004 GO:0009765 GO',
    'Phv.001G0005 PF00001 Pfam',
  ])
  expect(rows[0]!.otherNames).toEqual(['Phv.001G0004.1', 'Phv.001G0004.1.p'])
})

test('Bakta: cross-references that are functions, and no features without a name', () => {
  const { rows, codes } = read('bakta', [
    '# Annotated with Bakta',
    '# Software: v1.9.2',
    '#Sequence Id\tType\tStart\tStop\tStrand\tLocus Tag\tGene\tProduct\tDbXrefs',
    'contig_1\tcds\t1\t1401\t+\tAB_00005\tdnaA\tinitiator\tCOG:COG0593, COG:LK, GO:0003688, KEGG:K02313, RefSeq:WP_1.1, SO:0001217, UniRef:UniRef50_P1, PFAM:PF00308.22',
    'contig_1\toriC\t1402\t1500\t?\t\t\toriC\tSO:0000296',
  ])
  expect(codes).toEqual([])
  expect(rows.map(({ term, source }) => `${term} ${source}`)).toEqual([
    ...['COG0593 COG', 'L COG', 'K COG', 'GO:0003688 GO', 'K02313 KEGG', 'PF00308 Pfam'],
  ])
})

test('Prokka: enzymes and groups', () => {
  const { rows, codes } = read('prokka', [
    'locus_tag\tftype\tlength_bp\tgene\tEC_number\tCOG\tproduct',
    'P_00001\tCDS\t1401\tdnaA\t\tCOG0593\tinitiator',
    'P_00002\tCDS\t900\tpolA\t2.7.7.7\t\tpolymerase',
    'P_00003\ttRNA\t77\t\t\t\ttRNA-Ile',
  ])
  expect(codes).toEqual([])
  expect(rows.map(brief)).toEqual(['P_00001 COG0593 COG', 'P_00002 2.7.7.7 EC'])
})

describe('KEGG orthologs', () => {
  test('of KofamScan, above the threshold alone, in both of its layouts', () => {
    const tabbed = read('kofamscan', [
      '# gene name\tKO\tthrshld\tscore\tE-value\t"KO definition"',
      '#---------\t------\t-------\t------\t---------\t-------------',
      '*\tg1\tK02313\t250.0\t400.1\t1e-120\t"initiator protein"',
      '\tg1\tK00001\t250.0\t20.1\t0.1\t"dehydrogenase"',
    ])
    const spaced = read('kofamscan', [
      '# gene name           KO     thrshld  score   E-value KO definition',
      '#-------------------- ------ ------- ------ --------- ---------------------',
      '* g1                  K02313  250.00  400.1    1e-120 initiator protein',
      '  g1                  K00001  250.00   20.1       0.1 dehydrogenase',
    ])
    for (const { rows, codes } of [tabbed, spaced]) {
      expect(codes).toEqual([])
      expect(rows.map(brief)).toEqual(['g1 K02313 KEGG initiator protein'])
    }
  })

  test('of BlastKOALA, where genes without one stand alone', () => {
    const { rows, codes } = read('ko', ['g1\tK02313', 'g2', 'g3\t', 'g4\tK00001'])
    expect(codes).toEqual([])
    expect(rows.map(brief)).toEqual(['g1 K02313 KEGG', 'g4 K00001 KEGG'])
  })
})

test('attributes of GFF3, as Bakta, funannotate and NCBI write them', () => {
  const { rows, codes } = read('gff3', [
    '##gff-version 3',
    'c1\tbakta\tgene\t1\t90\t.\t+\t.\tID=A_1_gene;locus_tag=A_1',
    'c1\tbakta\tCDS\t1\t90\t.\t+\t0\tID=A_1;locus_tag=A_1;Dbxref=COG:COG0593,COG:L,SO:0001217,EC:2.7.7.7;Parent=A_1_gene',
    'c1\tfunannotate\tmRNA\t1\t90\t.\t+\t.\tID=F_1-T1;Parent=F_1;EC_number=1.1.1.1;Ontology_term=GO:0003688,GO:0006270;Dbxref=InterPro:IPR020591,PFAM:PF08299',
    'c1\tRefSeq\tCDS\t1\t90\t.\t+\t0\tID=cds-NP_1.1;Parent=gene-b1;Dbxref=GeneID:1;go_function=DNA binding|0003677||IEA;locus_tag=b1',
    '##FASTA',
    '>c1',
    'ACGT',
  ])
  expect(codes).toEqual([])
  expect(rows.map(brief)).toEqual([
    'A_1_gene COG0593 COG',
    'A_1_gene L COG Replication, recombination and repair',
    'A_1_gene 2.7.7.7 EC',
    'F_1-T1 1.1.1.1 EC',
    'F_1-T1 GO:0003688 GO',
    'F_1-T1 GO:0006270 GO',
    'F_1-T1 IPR020591 InterPro',
    'F_1-T1 PF08299 Pfam',
    'gene-b1 GO:0003677 GO DNA binding',
  ])
  expect(rows[0]!.otherNames).toEqual(['A_1', 'A_1'])
})

test('a table without its heading and a row of more cells are told', () => {
  const log = new DefectLog()
  const reader = createAnnotationReader('prokka', { file: 'x', log, onRow: () => undefined })
  reader.addLine('P_00001\tCDS\t1401\tdnaA\t\tCOG0593\tinitiator', 1)
  expect(log.defects).toMatchObject([{ code: 'annotation-no-heading', line: 1 }])
})

test('cross-references to sequences and organisms are no terms', () => {
  for (const reference of [
    'UniRef:UniRef100_P1',
    'RefSeq:WP_1.1',
    'taxon:562',
    'SO:0001217',
    'GeneID:1',
    'COG:COGX1',
    'Pfam:none',
  ])
    expect(termOfReference(reference)).toEqual([])
  expect(termOfReference('GO:0003677')).toMatchObject([{ term: 'GO:0003677', source: 'GO' }])
  expect(termOfReference('IPR000001')).toMatchObject([{ term: 'IPR000001', source: 'InterPro' }])
})

test('Phytozome: terms with the name of their vocabulary twice are taken, and a cell without any is told', () => {
  const { rows, codes } = read('phytozome', [
    '#pacId\tlocusName\ttranscriptName\tpeptideName\tPfam\tPanther\tKOG\tKEGG/ec\tKO\tGO',
    '1\tG1\tG1.1\tG1.1\tPF00069\t\t\t\t\tGO:GO:0030247,GO:0006468',
    '2\tG2\tG2.1\tG2.1\t\t\t\t\t\tbinding',
  ])
  expect(rows.map(({ gene, term }) => `${gene} ${term}`)).toEqual(['G1 PF00069', 'G1 GO:0030247', 'G1 GO:0006468'])
  expect(codes).toEqual(['annotation-bad-term@3'])
})
